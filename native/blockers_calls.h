// Calls shared by both bindings of the core of Blockers!: the Python module and the WebAssembly module.
#pragma once

#include <tuple>

#include "blockers_parse.h"
#include "blockers_search.h"

namespace tuilerie::blockers {

using Text = std::string_view;

inline Position read_to_play(Text text) {
    const Position position = read_position(text);
    if (position.phase != Phase::PLAY) refuse("phase", text, "play");
    for (const int colour : position.colours[position.seat]) {
        if (colour >= 0 && position.hidden[colour] > 0) {
            refuse("racks", "?", "a rack that is known, for the seat to act");
        }
    }
    return position;
}

// The simulated moves, best first: win share, margin, number of games.
using Weighed = std::tuple<std::string, double, double, std::uint64_t>;

inline std::vector<Weighed> think(Text text, std::uint64_t seed, std::uint64_t nodes, double seconds,
                           int candidates, double exact) {
    const Position seen = read_to_play(text);
    if (nodes == 0 && !(seconds > 0)) refuse("budget", "nothing", "nodes or seconds");
    if (candidates < 1) refuse("candidates", std::to_string(candidates), "1 or more");
    Settings settings;
    settings.candidates = candidates;
    settings.exact = exact;
    std::vector<Weighed> weighed;
    for (const Candidate& one : Search(seen, seed, {nodes, seconds}, settings).run()) {
        weighed.emplace_back(text_of(seen, one.move), one.mean(one.share), one.mean(one.margin),
                             one.visits);
    }
    return weighed;
}

}  // namespace tuilerie::blockers
