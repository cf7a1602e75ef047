// Simulated lines of play: every seat goes on with its best move by the network, for its own sake.
#pragma once

#include "genial_ply.h"

namespace tuilerie::genial {

inline constexpr int LISTED_IN_LINES = 12;  // moves that the network values in simulated turns

// What the seat on turn may expect after a move, with these hidden tiles: after so many of its own draws,
// the value of its best move stands for the rest of the game; with 0, the game is played to its end.
template <int RADIUS>
Value play_line(Position<RADIUS> position, Scores<RADIUS> scores, const Move& move, Random random,
                const Net& net, MoveList& list, int draws) {
    const int seat = position.seat;
    make_move(position, scores, move);
    for (int drawn = 0; position.phase != Phase::OVER;) {
        if (position.phase == Phase::DRAW) {
            drawn += position.seat == seat;
            draw_from_end(position, random);
            continue;
        }
        Ply<RADIUS> ply(position, scores, net);
        ply.list(list, LISTED_IN_LINES);
        const Valued chosen = ply.best(list);
        if (drawn == draws && draws && position.seat == seat) return chosen.value;
        make_move(position, scores, chosen.move);
    }
    return value_of(outcome_for(position, seat));
}

}  // namespace tuilerie::genial
