// A small neural network that values positions of Génial!, and its file format.
//
// The same numbers on every machine: sums are taken in a fixed order, lane by lane, without fused
// multiplication (compile with -ffp-contract=off), and the logistic function uses only additions,
// multiplications and divisions. So a build with wide registers and a plain one agree to the last bit.
// Nothing here calls the operating system or throws: weights arrive as bytes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "checksum.h"
#include "genial_inputs.h"

namespace tuilerie::genial {

inline constexpr int PADDED_INPUTS = (INPUTS + 7) / 8 * 8;
inline constexpr int WIDE = 64, NARROW = 32, HEADS = 2;

// --- eight numbers at once -----------------------------------------------------------------------

#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(32), aligned(4)));
#else
struct Lanes {
    float lane[8];
};
inline Lanes operator*(float by, const Lanes& one) {
    Lanes found;
    for (int at = 0; at < 8; ++at) found.lane[at] = by * one.lane[at];
    return found;
}
inline Lanes& operator+=(Lanes& one, const Lanes& other) {
    for (int at = 0; at < 8; ++at) one.lane[at] += other.lane[at];
    return one;
}
#endif

// sums += by * weights, for COUNT numbers of eight lanes each.
template <int COUNT>
inline void add_scaled(Lanes* sums, const float* weights, float by) {
    const Lanes* from = reinterpret_cast<const Lanes*>(weights);
    for (int at = 0; at < COUNT; ++at) sums[at] += by * from[at];
}

// The sum of products, for COUNT numbers of eight lanes each.
template <int COUNT>
inline float product_of(const float* one, const float* other) {
    float lanes[8]{};
    for (int at = 0; at < 8 * COUNT; at += 8)
        for (int lane = 0; lane < 8; ++lane) lanes[lane] += one[at + lane] * other[at + lane];
    float sum = 0;
    for (const float lane : lanes) sum += lane;
    return sum;
}

// --- the logistic function -----------------------------------------------------------------------

// e^x for |x| ≤ 30, with a relative error below 1e-6.
inline float exp_of(float x) {
    const float scaled = x * 1.44269504F;
    const int whole = static_cast<int>(scaled + 64.0F) - 64;  // rounds down
    const float rest = (scaled - static_cast<float>(whole)) * 0.693147181F;
    float sum = 1.0F / 5040;
    for (float term : {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F})
        sum = sum * rest + term;
    return sum * std::bit_cast<float>(static_cast<std::uint32_t>(whole + 127) << 23);
}

inline float logistic(float x) {
    x = x < -30 ? -30 : x > 30 ? 30 : x;
    return 1.0F / (1.0F + exp_of(-x));
}

// --- the network ---------------------------------------------------------------------------------

// What a seat may expect: its share of the win, and its margin squashed to 0 … 1.
struct Value {
    float win = 0, margin = 0;
    float reward() const { return 0.5F * win + 0.5F * margin; }
};

// Inputs → 64 → 32 → 2, rectified. Plain numbers only, so it can be read from and written to bytes.
struct Net {
    float first[INPUTS][WIDE];
    float first_bias[WIDE];
    float second[WIDE][NARROW];
    float second_bias[NARROW];
    float third[NARROW][HEADS];
    float third_bias[HEADS];

    static constexpr int COUNT =
        (INPUTS + 1) * WIDE + (WIDE + 1) * NARROW + (NARROW + 1) * HEADS;

    float* numbers() { return &first[0][0]; }
    const float* numbers() const { return &first[0][0]; }

    // From the sums of the first layer to the value. Inactive units add nothing, and are skipped.
    Value finish(const float* sums) const {
        std::uint8_t active[WIDE];
        const int count = active_units(sums, active);
        Lanes lanes[NARROW / 8];
        std::memcpy(lanes, second_bias, sizeof lanes);
        for (int at = 0; at < count; ++at)
            add_scaled<NARROW / 8>(lanes, second[active[at]], sums[active[at]]);
        alignas(32) float narrow[NARROW];
        std::memcpy(narrow, lanes, sizeof narrow);
        float win = third_bias[0], margin = third_bias[1];
        for (int at = 0; at < NARROW; ++at) {
            const float here = narrow[at] > 0 ? narrow[at] : 0.0F;
            win += here * third[at][0];
            margin += here * third[at][1];
        }
        return {logistic(win), logistic(margin)};
    }

private:
    static int active_units(const float* sums, std::uint8_t* active) {
        int count = 0;
        for (int at = 0; at < WIDE; ++at) {
            active[count] = static_cast<std::uint8_t>(at);
            count += sums[at] > 0;
        }
        return count;
    }
};
static_assert(sizeof(Net) == sizeof(float) * Net::COUNT);

// Evaluates similar inputs one after the other: only those that differ from a reference are added. Each
// group of inputs has one: the first that came.
class NetSums {
public:
    static constexpr int GROUPS = 8;

    explicit NetSums(const Net& net) : net_(net) {}

    // `inputs` are padded with zeros.
    Value value(const float* inputs, int group) {
        if (known_ >> group & 1) {
            alignas(32) float sums[WIDE];
            add_differences(references_[group], inputs, sums);
            return net_.finish(sums);
        }
        Reference& here = references_[group];
        std::memcpy(here.inputs, inputs, sizeof here.inputs);
        if (known_) {
            add_differences(references_[std::countr_zero(known_)], inputs, here.sums);
        } else {
            add_all(here);
        }
        known_ |= 1U << group;
        return net_.finish(here.sums);
    }

private:
    struct Reference {
        alignas(32) float inputs[PADDED_INPUTS];
        alignas(32) float sums[WIDE];
    };

#if defined(__AVX2__)
    static constexpr int AT_ONCE = 8;  // lanes, as many as there are registers
#else
    static constexpr int AT_ONCE = 4;
#endif

    void add_differences(const Reference& from, const float* inputs, float* to) const {
        std::uint16_t changed[PADDED_INPUTS];
        const int count = differences(from.inputs, inputs, changed);
        for (int part = 0; part < WIDE; part += 8 * AT_ONCE) {
            Lanes sums[AT_ONCE];
            std::memcpy(sums, from.sums + part, sizeof sums);
            for (int at = 0; at < count; ++at) {
                const int one = changed[at];
                add_scaled<AT_ONCE>(sums, net_.first[one] + part, inputs[one] - from.inputs[one]);
            }
            std::memcpy(to + part, sums, sizeof sums);
        }
    }

    // The numbers of the inputs that differ, in order.
    static int differences(const float* before, const float* inputs, std::uint16_t* changed) {
        int count = 0;
#if defined(__AVX2__)
        for (int from = 0; from < PADDED_INPUTS; from += 8) {
            const __m256 one = _mm256_load_ps(before + from), other = _mm256_load_ps(inputs + from);
            auto bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(one, other, _CMP_NEQ_UQ)));
            for (; bits; bits &= bits - 1)
                changed[count++] = static_cast<std::uint16_t>(from + std::countr_zero(bits));
        }
#else
        for (int at = 0; at < INPUTS; ++at) {
            changed[count] = static_cast<std::uint16_t>(at);
            count += inputs[at] != before[at];
        }
#endif
        return count;
    }

    void add_all(Reference& one) const {
        Lanes sums[WIDE / 8];
        std::memcpy(sums, net_.first_bias, sizeof sums);
        for (int at = 0; at < INPUTS; ++at)
            if (one.inputs[at] != 0) add_scaled<WIDE / 8>(sums, net_.first[at], one.inputs[at]);
        std::memcpy(one.sums, sums, sizeof one.sums);
    }

    const Net& net_;
    unsigned known_ = 0;  // bit set of groups
    Reference references_[GROUPS];
};

// --- the file ------------------------------------------------------------------------------------

// Version, then for two, three and four players a network (all zero: none), then a checksum; numbers
// are little-endian.
inline constexpr char NET_MAGIC[8] = {'T', 'U', 'I', 'L', 'N', 'E', 'T', '\0'};
inline constexpr std::uint32_t NET_VERSION = 1;

struct NetFile {
    char magic[8];
    std::uint32_t version, inputs, wide, narrow;
    Net nets[3];  // for two, three and four players
    std::uint32_t checksum;

    bool has(int players) const { return nets[players - 2].third[0][0] != 0; }
    const Net& of(int players) const { return nets[players - 2]; }
};
static_assert(sizeof(NetFile) == 28 + 3 * sizeof(Net));

inline std::uint32_t checksum_of(const NetFile& file) {
    const auto* bytes = reinterpret_cast<const char*>(&file);
    return crc32({bytes, sizeof(NetFile) - sizeof file.checksum});
}

// Reads weights; returns what is wrong with them, or null.
inline const char* read_net(std::string_view bytes, NetFile& file) {
    static_assert(std::endian::native == std::endian::little);
    if (bytes.size() != sizeof(NetFile)) return "the file has another size";
    std::memcpy(&file, bytes.data(), sizeof file);
    if (std::memcmp(file.magic, NET_MAGIC, sizeof NET_MAGIC) != 0) return "this is no file of weights";
    if (file.version != NET_VERSION) return "the file has another version";
    if (file.inputs != INPUTS || file.wide != WIDE || file.narrow != NARROW)
        return "the file is for another network";
    if (file.checksum != checksum_of(file)) return "the checksum is wrong";
    return nullptr;
}

inline void seal_net(NetFile& file) {
    std::memcpy(file.magic, NET_MAGIC, sizeof NET_MAGIC);
    file.version = NET_VERSION;
    file.inputs = INPUTS;
    file.wide = WIDE;
    file.narrow = NARROW;
    file.checksum = checksum_of(file);
}

}  // namespace tuilerie::genial
