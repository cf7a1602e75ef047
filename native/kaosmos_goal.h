// What a solver makes as large as it can, and the question it is asked.
#pragma once

#include <cmath>

#include "kaosmos.h"

namespace tuilerie::kaosmos {

// The worth of where the markers stand after a round.
//
// Without a temperature: the points gained, all markers together. With one: what the match still
// needs. In the end the lowest colour and the star count, so this is the star plus a soft minimum
// of the colours, -T log mean exp(-marker / T). The temperature T tells how far the colours may
// still drift apart in the rounds to come: near 0 it is the lowest colour alone, and the larger it
// is, the more a point counts the same on each colour (a third of a star).
//
// Both never fall when a marker rises, which is all that the proof of a best galaxy asks of them.
struct Goal {
    static constexpr int LARGEST = 16;

    Markers totals{};
    double temperature = 0;
    // For each colour and size of its largest zone what a bet on the bonus tile is worth; only the
    // annealing looks at it.
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

// Which galaxy of these tiles is best, where some of them may lie already?
struct Problem {
    const Box* box = nullptr;
    Rules rules;
    std::vector<Byte> tiles;  // all nine, those that lie included
    Galaxy laid;              // stays as it is
    Goal goal;
};

struct Solution {
    Galaxy galaxy;
    Count count;
    double value = -1e9;
    double bound = 1e9;  // no galaxy is worth more
    bool proven = false;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

}  // namespace tuilerie::kaosmos
