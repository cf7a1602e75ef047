// Exact endgame solver. When the piles are empty, all hidden tiles are on the racks, so information is
// perfect. Exhaustive search in which each seat maximizes its own result (max^n).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "blockers_playout.h"

namespace tuilerie::blockers {

// The outcome for each seat: the win share, and the margin in points over the best rival. Captures
// only break ties in points, so they have a tiny weight.
struct Ending {
    std::array<double, SEATS> share{};
    std::array<double, SEATS> margin{};

    Ending() = default;
    Ending(const std::array<Standing, SEATS>& all, int players) : share(shares(all, players)) {
        const auto points = [&](int of) { return all[of].score + all[of].captures / 128.0; };
        for (int seat = 0; seat < players; ++seat) {
            double best = 1e9;
            for (int other = 0; other < players; ++other) {
                if (other != seat) best = std::min(best, points(other));
            }
            margin[seat] = best - points(seat);
        }
    }

    // Whether it is better (1) or worse (-1) for a seat than another.
    int compare(const Ending& other, int seat) const {
        constexpr double nothing = 1e-9;  // sums of thirds are not exact
        for (const double more : {share[seat] - other.share[seat], margin[seat] - other.margin[seat]}) {
            if (std::abs(more) > nothing) return more > 0 ? 1 : -1;
        }
        return 0;
    }
};

// The best of several outcomes for a seat; the mean of equally good ones.
class BestEnding {
public:
    explicit BestEnding(int seat) : seat_(seat) {}

    void add(const Ending& ending) {
        const int order = count_ == 0 ? 1 : ending.compare(first_, seat_);
        if (order < 0) return;
        if (order > 0) {
            first_ = ending;
            sum_ = Ending();
            count_ = 0;
        }
        ++count_;
        for (int seat = 0; seat < SEATS; ++seat) {
            sum_.share[seat] += ending.share[seat];
            sum_.margin[seat] += ending.margin[seat];
        }
    }

    Ending mean() const {
        Ending ending = sum_;
        for (double& share : ending.share) share /= count_;
        for (double& margin : ending.margin) margin /= count_;
        return ending;
    }

private:
    int seat_;
    int count_ = 0;
    Ending first_;
    Ending sum_;
};

// The last move of the game. Enumerates effects instead of moves, as they are few: how many groups the
// tile joins, which colour it captures, and whether that was a group of one.
class LastMove {
public:
    explicit LastMove(const Position& position)
        : position_(position), seat_(position.seat), now_(position.standings()), best_(seat_) {}

    Ending best() {
        position_.each_live([&](int colour) { try_colour(colour); });
        if (!found_) add(now_);  // only discards are legal
        return best_.mean();
    }

private:
    void try_colour(int colour) {
        Mask reach;
        for (auto faces = position_.rack[colour]; faces != 0; faces &= faces - 1) {
            reach |= CELLS_OF[std::countr_zero(faces)];
        }
        const ByCount touching = by_touching(position_.groups[colour]);
        for (int joined = 0; joined <= 4; ++joined) {
            const Mask cells = touching[joined] & reach;
            if (!cells.any()) continue;
            if ((cells & position_.empty).any()) add(with_groups(1 - joined));
            for (int loss = 0; loss < COLOURS; ++loss) {
                if (position_.owner[loss] >= 0 && position_.owner[loss] != seat_) {
                    try_captures(cells & position_.cells[loss], loss, joined);
                }
            }
        }
    }

    void try_captures(Mask prey, int loss, int joined) {
        if (!prey.any()) return;
        const Mask all = position_.cells[loss];
        const Mask lone = prey.without(beside(all));
        if (lone.any()) add(with_capture(loss, joined, 1));
        for (Mask others = prey.without(lone); others.any();) {
            if (removable(all, others.take_first())) {
                add(with_capture(loss, joined, 0));
                return;
            }
        }
    }

    std::array<Standing, SEATS> with_groups(int more) const {
        auto all = now_;
        all[seat_].groups += more;
        all[seat_].score += more;
        return all;
    }

    std::array<Standing, SEATS> with_capture(int loss, int joined, int groups_lost) const {
        auto all = with_groups(1 - joined);
        const int owner = position_.owner[loss];
        all[owner].groups -= groups_lost;
        all[owner].score -= groups_lost;
        ++all[seat_].captures;
        if (!position_.uptown) {
            all[seat_].score +=
                position_.captured[seat_][loss] == position_.most_captured(seat_);
        }
        return all;
    }

    void add(const std::array<Standing, SEATS>& all) {
        found_ = true;
        best_.add(Ending(all, position_.players));
    }

    const Position& position_;
    int seat_;
    std::array<Standing, SEATS> now_;
    BestEnding best_;
    bool found_ = false;
};

class Endgame {
public:
    // Whether information is perfect: the piles are empty, so hidden tiles are on the racks.
    static bool is_known(const Position& seen) {
        for (int colour = 0; colour < COLOURS; ++colour) {
            if (seen.pile_count(colour) > 0) return false;
        }
        return seen.phase == Phase::PLAY;
    }

    // About how many times the last move will have to be found.
    static double effort(const Position& known) {
        Position position = known;
        double product = 1;
        for (int turn = 1; turn < known.turns; ++turn) {
            product *= position.legal().count;
            position.seat = static_cast<std::uint8_t>(position.next_seat());
        }
        return product;
    }

    // How the game ends with the best play of all.
    static Ending solve(Position& position) {
        if (position.over()) return Ending(position.standings(), position.players);
        if (position.turns == 1) return LastMove(position).best();
        BestEnding best(position.seat);
        for (const Move move : position.legal()) best.add(solve_after(position, move));
        return best.mean();
    }

    static Ending solve_after(Position& position, Move move) {
        Undo undo;
        position.play(move, undo);
        const Ending ending = solve(position);
        position.unplay(move, undo);
        return ending;
    }
};

}  // namespace tuilerie::blockers
