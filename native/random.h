// Random numbers for simulated games: small, fast, and reproducible on every platform.
#pragma once

#include <cstdint>

namespace tuilerie {

// xoshiro256++ (Blackman and Vigna, public domain algorithm), seeded through splitmix64.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept {
        for (auto& word : words_) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
            word = mixed ^ (mixed >> 31);
        }
    }

    std::uint64_t next() noexcept {
        const std::uint64_t result = rotate(words_[0] + words_[3], 23) + words_[0];
        const std::uint64_t shifted = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= shifted;
        words_[3] = rotate(words_[3], 45);
        return result;
    }

    // A uniform integer below `bound` (at most 2^32 - 1), by Lemire's method: multiplication instead
    // of division, with rejection of the rare biased remainder.
    std::uint32_t below(std::uint32_t bound) noexcept {
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t uneven = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < uneven) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // A uniform number in [0, 1).
    double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    static constexpr std::uint64_t rotate(std::uint64_t word, int by) noexcept {
        return (word << by) | (word >> (64 - by));
    }

    std::uint64_t words_[4]{};
};

}  // namespace tuilerie
