// The outcome of a game for a seat, as the searches value it.
#pragma once

#include <cmath>

#include "genial.h"

namespace tuilerie::genial {

// The outcome of a game for one seat.
struct Outcome {
    double win;     // win share; in solo games the lowest marker as a fraction of 36
    double margin;  // weighted difference of the sorted markers to the best rival, in steps
};

// The lowest marker decides, so it has the largest weight; the others indicate what may decide later.
inline constexpr std::array<double, COLOURS> MARKER_WEIGHTS{1.0, 0.5, 0.25, 0.12, 0.06, 0.03};

inline double weighted_markers(const RankKey& key) {
    double sum = 0;
    for (int at = 0; at < COLOURS; ++at) sum += MARKER_WEIGHTS[at] * key[at + 1];
    return sum + 3.0 * key[0];  // in a duel, colours won come first
}

template <int RADIUS>
Outcome outcome_for(const Position<RADIUS>& position, int seat) {
    const int mine = position.track_of(seat);
    const RankKey own = rank_key(position.variant, position.tracks[mine]);
    if (position.variant == Variant::SOLO) return {own[1] / 36.0, weighted_markers(own) - 36};
    RankKey best{};
    best.fill(-100);
    int equals = 1;
    for (int track = 0; track < position.track_count(); ++track) {
        if (track == mine) continue;
        const RankKey other = rank_key(position.variant, position.tracks[track]);
        equals += other == own;
        best = std::max(best, other);
    }
    const double win = best > own ? 0.0 : 1.0 / equals;
    return {win, weighted_markers(own) - weighted_markers(best)};
}

// Half of the reward is the win, half a squashed margin, which separates moves even while the win is
// certain.
inline double reward_of(const Outcome& outcome) {
    return 0.5 * outcome.win + 0.5 / (1 + std::exp(-outcome.margin / 4));
}

}  // namespace tuilerie::genial
