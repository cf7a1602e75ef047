// Exact endings of Génial!, for deals in which all tiles are known.
#pragma once

#include "genial_outcome.h"

namespace tuilerie::genial {

// Exact search with perfect information: each seat maximizes its own result (max^n).
template <int RADIUS>
class EndgameSolver {
public:
    using Outcomes = std::array<Outcome, MOST_PLAYERS>;

    explicit EndgameSolver(Position<RADIUS>& position) : position_(position) {}

    // Upper bound on the number of tiles that still fit.
    static int placements_left(const Position<RADIUS>& position) {
        return (position.free & Hexagon<RADIUS>::beside(position.free)).count() / 2;
    }

    // Upper bound on the lines of play: every tile in both orientations on every pair.
    static double size_of(const Position<RADIUS>& position) {
        const int pairs = position.allowed_pairs().count();
        double size = 1;
        for (int laid = 0; laid < placements_left(position); ++laid)
            size *= 2.0 * HAND_SIZE * std::max(1, pairs - laid);
        return size;
    }

    Outcomes solve() {
        if (position_.phase == Phase::OVER) return outcomes();
        if (position_.phase == Phase::DRAW) return after_draw();
        Outcomes best{};
        double most = -1;
        const int seat = position_.seat;
        each_move(Position<RADIUS>(position_), [&](const Move& move) {
            const Outcomes found = after(move);
            if (reward_of(found[seat]) <= most) return;
            most = reward_of(found[seat]);
            best = found;
        });
        return best;
    }

    Outcomes after(const Move& move) {
        Outcomes found;
        if (move.kind == Move::PLACE) {
            const auto undo = position_.place(move);
            found = solve();
            position_.take_back(move, undo);
        } else {
            move.kind == Move::SWAP ? position_.swap() : position_.keep();
            found = solve();
            position_.take_back_choice();
        }
        return found;
    }

private:
    Outcomes after_draw() {
        const int who = position_.drawing_seat();
        const Hand returned = position_.aside, hand = position_.hands[who];
        const auto bag = position_.bag;
        const int drawn = position_.draw([](int n) { return n - 1; });
        const Outcomes found = solve();
        position_.take_back_draw(who, drawn, Phase::DRAW, returned);
        position_.bag = bag;
        position_.hands[who] = hand;
        return found;
    }

    Outcomes outcomes() const {
        Outcomes found{};
        for (int seat = 0; seat < position_.players; ++seat)
            found[seat] = outcome_for(position_, seat);
        return found;
    }

    Position<RADIUS>& position_;
};

}  // namespace tuilerie::genial
