// Gains of markers in whole numbers, and eight small numbers at once, for the inputs of the network.
#pragma once

#include "genial_score.h"

namespace tuilerie::genial {

inline constexpr int COUNTED = 8;  // thresholds of points, and of gains

// Eight small numbers, mostly one for each colour and two unused.
struct alignas(16) Eight {
    std::int16_t lane[8];

    constexpr std::int16_t& operator[](int at) { return lane[at]; }
    constexpr std::int16_t operator[](int at) const { return lane[at]; }
};

// The same on all eight at once. Compilers do not find these instructions by themselves.
#if defined(__GNUC__)
typedef std::int16_t Shorts __attribute__((vector_size(16), may_alias));
inline Shorts& shorts(Eight& one) { return *reinterpret_cast<Shorts*>(one.lane); }
inline const Shorts& shorts(const Eight& one) { return *reinterpret_cast<const Shorts*>(one.lane); }
inline void add_to(Eight& one, const Eight& other) { shorts(one) += shorts(other); }
inline void take_from(Eight& one, const Eight& other) { shorts(one) -= shorts(other); }
inline void add_times(Eight& one, const Eight& other, std::int16_t by) { shorts(one) += shorts(other) * by; }
inline void add_all(Eight& one, std::int16_t by) { shorts(one) += by; }
inline void take_larger(Eight& one, const Eight& other) {
    shorts(one) = shorts(one) > shorts(other) ? shorts(one) : shorts(other);
}
#else
inline void add_times(Eight& one, const Eight& other, int by) {
    for (int at = 0; at < 8; ++at) one[at] = static_cast<std::int16_t>(one[at] + by * other[at]);
}
inline void add_to(Eight& one, const Eight& other) { add_times(one, other, 1); }
inline void add_all(Eight& one, int by) { add_times(one, {1, 1, 1, 1, 1, 1, 1, 1}, by); }
inline void take_from(Eight& one, const Eight& other) { add_times(one, other, -1); }
inline void take_larger(Eight& one, const Eight& other) {
    for (int at = 0; at < 8; ++at) one[at] = std::max(one[at], other[at]);
}
#endif

// The same for either side: the next player, and the seat on turn.
struct alignas(32) Both {
    Eight theirs, ours;
};

inline void take_larger(Both& one, const Both& other) {
#if defined(__AVX2__)
    typedef std::int16_t Wide __attribute__((vector_size(32), may_alias));
    Wide& here = reinterpret_cast<Wide&>(one);
    const Wide& there = reinterpret_cast<const Wide&>(other);
    here = here > there ? here : there;
#else
    take_larger(one.theirs, other.theirs);
    take_larger(one.ours, other.ours);
#endif
}

// --- tables --------------------------------------------------------------------------------------

// The gains of a marker in whole numbers, which are the same on every machine. Standard rules only.
struct GainTable {
    static constexpr int UNIT = 64, BONUS = 3;
    std::array<std::array<std::int16_t, TOP + 1>, TOP + 1> rows{};  // by marker and points
    std::array<float, TOP + 1> worth{};                             // by marker, from 0 to 1

    constexpr GainTable() {
        std::array<double, TOP + 1> value{};
        double power = 1;
        for (int marker = TOP; marker >= 0; --marker, power *= 1.2) value[marker] = -power;
        for (int marker = 0; marker <= TOP; ++marker) {
            worth[marker] = static_cast<float>((value[marker] - value[0]) / (value[TOP] - value[0]));
            for (int points = 0; points <= TOP; ++points) {
                const int after = std::min(TOP, marker + points);
                double gain = value[after] - value[marker];
                if (marker < TOP && after == TOP) gain += BONUS;
                rows[marker][points] = static_cast<std::int16_t>(UNIT * gain + 0.5);
            }
        }
    }
};
inline constexpr GainTable GAINS;

inline constexpr std::array<int, COUNTED> POINT_STEPS{1, 2, 3, 4, 5, 6, 8, 10};
// Of gains, in units of worth.
inline constexpr std::array<double, COUNTED> GAIN_STEPS{0.5, 1, 1.75, 2.5, 3.5, 5, 7, 10};

// By points: which thresholds they reach, as ones.
inline constexpr auto REACHED = [] {
    std::array<Eight, TOP + 1> found{};
    for (int points = 0; points <= TOP; ++points)
        for (int at = 0; at < COUNTED; ++at) found[points][at] = points >= POINT_STEPS[at];
    return found;
}();

// The same by gain, in eighths of a unit.
inline constexpr int GAIN_BUCKETS = 128;
inline constexpr auto GAIN_REACHED = [] {
    std::array<Eight, GAIN_BUCKETS> found{};
    for (int bucket = 0; bucket < GAIN_BUCKETS; ++bucket)
        for (int at = 0; at < COUNTED; ++at) found[bucket][at] = bucket >= 8 * GAIN_STEPS[at];
    return found;
}();

// A number of cells as an input: the first ones matter most.
inline constexpr auto SOME = [] {
    std::array<float, 256> found{};
    for (int count = 0; count < 256; ++count)
        found[count] = static_cast<float>(count) / static_cast<float>(count + 2);
    return found;
}();

}  // namespace tuilerie::genial
