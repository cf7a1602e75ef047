// The objective of the solver, its input and its output.
#pragma once

#include <cmath>

#include "kaosmos.h"

namespace tuilerie::kaosmos {

// Objective: the value of the markers after a round.
//
// Temperature 0: the points gained, summed over all markers. Otherwise: what decides the match, the
// star plus a soft minimum of the colours, -T log mean exp(-marker / T). The temperature T models how
// far the colours can still move apart in later rounds: near 0 only the lowest colour counts; the
// larger T, the more equally a point counts on each colour (a third of a star).
//
// Both are monotone in every marker, which is all that upper bounds require of an objective.
struct Goal {
    static constexpr int LARGEST = 16;

    Markers totals{};
    double temperature = 0;
    // By colour and size of its largest zone: the expected value of a bet on the bonus tile. Used by
    // annealing only, never with bounds.
    std::array<std::array<double, LARGEST>, COLOURS> bonus{};
    bool has_bonus = false;

    double value(const Markers& after) const {
        if (temperature <= 0) {
            int gained = 0;
            for (int marker = 0; marker < MARKERS; ++marker)
                gained += after[marker] - totals[marker];
            return gained;
        }
        const int low = std::min({after[GREEN], after[BLUE], after[ORANGE]});
        double sum = 0;
        for (int colour = 0; colour < COLOURS; ++colour)
            sum += std::exp((low - after[colour]) / temperature);
        return after[STAR] + low - temperature * std::log(sum / COLOURS);
    }

    double value(const Count& count) const {
        double found = value(moved(totals, count));
        if (has_bonus)
            for (int colour = 0; colour < COLOURS; ++colour)
                found += bonus[colour][std::min(count.largest[colour], LARGEST - 1)];
        return found;
    }
};

// Find the best galaxy of these tiles, some of which may already be placed.
struct Problem {
    const Box* box = nullptr;
    Rules rules;
    std::vector<Byte> tiles;  // including those in `laid`
    Galaxy laid;              // given tiles, not to be moved
    Goal goal;
};

struct Solution {
    Galaxy galaxy;
    Count count;
    double value = -1e9;
    double bound = 1e9;  // upper bound on any galaxy
    bool proven = false;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

}  // namespace tuilerie::kaosmos
