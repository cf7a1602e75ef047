// Incremental table of the points of all placements, and the greedy policy on top of it.
#pragma once

#include <cmath>

#include "genial.h"

namespace tuilerie::genial {

inline constexpr int TOP = 18;  // no marker moves further than this at once

// --- value of markers ----------------------------------------------------------------------------

// A step is worth more, the further a marker is behind: the value of a marker is -base^(remaining
// steps). The same as that of the greedy bot in Python.
inline double worth_of(Variant variant, int marker) {
    const int full = full_of(variant);
    return -std::pow(full <= HALF_WAY ? 1.2 : 1.1, full - marker);
}

// By position of a marker, its gain with 0, 1, … 18 points (or more).
class Gains {
public:
    using Row = std::array<float, TOP + 1>;

    // `bonus`: the value of a bonus placement on the same scale.
    explicit Gains(Variant variant, double bonus = 0) {
        const int full = full_of(variant);
        for (int marker = variant == Variant::DUEL ? -full : 0; marker <= full; ++marker)
            for (int points = 0; points <= TOP; ++points) {
                const Advance moved = advance(variant, marker, points);
                const double gain = worth_of(variant, moved.after) - worth_of(variant, marker);
                rows_[at(marker)][points] = static_cast<float>(gain + (moved.bonus ? bonus : 0));
            }
    }

    const Row& of(int marker) const { return rows_[at(marker)]; }

private:
    static std::size_t at(int marker) { return static_cast<std::size_t>(marker + 9); }
    std::array<Row, 9 + 36 + 1> rows_{};
};

// --- the table of points -------------------------------------------------------------------------

// For each colour and free cell, the points of a half there; and the cells grouped by points
// ('levels', with 18 and more as one), so that good pairs are found with a few mask operations.
template <int RADIUS>
class Scores {
public:
    using Board = Hexagon<RADIUS>;
    using Cells = typename Board::Cells;

    explicit Scores(const Position<RADIUS>& position) {
        for (int colour = 0; colour < COLOURS; ++colour)
            position.free.each([&](int at) {
                points_[colour][at] = static_cast<std::uint8_t>(position.points(at, colour));
                join(colour, at);
            });
    }

    int points(int colour, int at) const { return points_[colour][at]; }
    const Cells& level(int colour, int points) const { return levels_[colour][points]; }
    std::uint32_t levels(int colour) const { return present_[colour]; }

    // Update after a placement.
    void laid(const Position<RADIUS>& position, const Move& move) {
        const Tile tile = TILE[move.tile];
        for (int colour = 0; colour < COLOURS; ++colour) {
            leave(colour, move.first);
            leave(colour, move.second);
        }
        extend(position, move.first, tile.first);
        extend(position, move.second, tile.second);
        if (tile.first == tile.second) join_halves(position, move, tile.first);
    }

private:
    void join(int colour, int at) {
        const int level = std::min<int>(points_[colour][at], TOP);
        levels_[colour][level].add(at);
        present_[colour] |= 1U << level;
    }

    void leave(int colour, int at) {
        const int level = std::min<int>(points_[colour][at], TOP);
        levels_[colour][level].remove(at);
        if (!levels_[colour][level].any()) present_[colour] &= ~(1U << level);
    }

    // A new symbol extends the lines through its cell: for each axis, the free cells at both ends now
    // see the symbols beyond it, too. Other colours are unaffected: their lines ended at this cell
    // already when it was free.
    void extend(const Position<RADIUS>& position, int at, int colour) {
        for (int step : Board::AXES) {
            const int ahead = position.run(at, step, colour);
            const int behind = position.run(at, -step, colour);
            raise(position, at + (ahead + 1) * step, colour, behind + 1);
            raise(position, at - (behind + 1) * step, colour, ahead + 1);
        }
    }

    // `extend` sees both halves of a double on the board, so along the axis of the tile each half is
    // counted in the other's line, too: subtract what was counted twice.
    void join_halves(const Position<RADIUS>& position, const Move& move, int colour) {
        const int step = move.second - move.first;
        const int ahead = position.run(move.second, step, colour);
        const int behind = position.run(move.first, -step, colour);
        raise(position, move.second + (ahead + 1) * step, colour, -(behind + 1));
        raise(position, move.first - (behind + 1) * step, colour, -(ahead + 1));
    }

    void raise(const Position<RADIUS>& position, int at, int colour, int by) {
        if (position.symbol(at) != Position<RADIUS>::FREE) return;
        leave(colour, at);
        points_[colour][at] = static_cast<std::uint8_t>(points_[colour][at] + by);
        join(colour, at);
    }

    std::array<std::array<std::uint8_t, Board::PLACES>, COLOURS> points_{};
    std::array<std::array<Cells, TOP + 1>, COLOURS> levels_{};
    std::array<std::uint32_t, COLOURS> present_{};
};

// --- the best placement --------------------------------------------------------------------------

// The points of a placement, each half on its own.
template <int RADIUS>
std::array<int, 2> points_of(const Scores<RADIUS>& scores, const Move& move) {
    const Tile tile = TILE[move.tile];
    return {scores.points(tile.first, move.first), scores.points(tile.second, move.second)};
}

// The gain of a placement on a track.
template <int RADIUS>
float gain_of(const Scores<RADIUS>& scores, const Gains& gains, const Track& track, const Move& move) {
    const Tile tile = TILE[move.tile];
    const auto [first, second] = points_of(scores, move);
    const auto& row = gains.of(track[tile.first]);
    if (tile.first == tile.second) return row[std::min(first + second, TOP)];
    return row[std::min(first, TOP)] + gains.of(track[tile.second])[std::min(second, TOP)];
}

// Finds the placement with the largest gain without trying all: the gain is monotone in points, so
// levels are tried from the top, and one mask intersection covers many pairs of cells.
template <int RADIUS>
class Greedy {
public:
    using Board = Hexagon<RADIUS>;
    using Cells = typename Board::Cells;

    Greedy(const Position<RADIUS>& position, const Scores<RADIUS>& scores, const Gains& gains)
        : position_(position), scores_(scores), gains_(gains) {}

    Move best(Random& random) {
        return position_.is_restricted() ? best_of_list(random) : best_of_levels(random);
    }

private:
    const Track& track() const { return position_.tracks[position_.track_of(position_.seat)]; }

    // On first turns, and by the house rule, not every pair is allowed: all moves are tried.
    Move best_of_list(Random& random) {
        Move found;
        float best = -1;
        unsigned equals = 0;
        each_move(position_, [&](const Move& move) {
            const float gain = gain_of(scores_, gains_, track(), move);
            if (gain < best) return;
            equals = gain > best ? 1 : equals + 1;
            best = gain;
            if (random.below(equals) == 0) found = move;
        });
        return found;
    }

    Move best_of_levels(Random& random) {
        unsigned kinds = position_.hands[position_.seat].kinds();
        for (; kinds; kinds &= kinds - 1) try_tile(std::countr_zero(kinds));
        const Tile tile = TILE[tile_];
        const Cells seconds = around(tile.first, first_) & scores_.level(tile.second, second_);
        const int second = any_of(seconds, random);
        Cells one;
        one.add(second);
        const int first = any_of(Board::beside(one) & scores_.level(tile.first, first_), random);
        return {Move::PLACE, static_cast<std::uint8_t>(tile_), static_cast<std::uint8_t>(first),
                static_cast<std::uint8_t>(second)};
    }

    static int any_of(const Cells& cells, Random& random) {
        return cells.select(static_cast<int>(random.below(static_cast<unsigned>(cells.count()))));
    }

    void try_tile(int tile) {
        const auto [a, b] = TILE[tile];
        const auto &gain_a = gains_.of(track()[a]), &gain_b = gains_.of(track()[b]);
        const int top = highest(scores_.levels(b));
        for (auto ones = scores_.levels(a); ones; ones &= ~(1U << highest(ones))) {
            const int first = highest(ones);
            const auto gain = [&](int second) {
                return a == b ? gain_a[std::min(first + second, TOP)] : gain_a[first] + gain_b[second];
            };
            if (gain(top) <= best_) return;
            for (auto others = scores_.levels(b); others; others &= ~(1U << highest(others))) {
                const int second = highest(others);
                if (gain(second) <= best_) break;
                if (!(around(a, first) & scores_.level(b, second)).any()) continue;
                best_ = gain(second);
                tile_ = tile;
                first_ = first;
                second_ = second;
                break;
            }
        }
    }

    static int highest(std::uint32_t bits) { return std::bit_width(bits) - 1; }

    // The neighbours of a level's cells, computed lazily.
    const Cells& around(int colour, int level) {
        if (!(known_[colour] >> level & 1)) {
            around_[colour][level] = Board::beside(scores_.level(colour, level));
            known_[colour] |= 1U << level;
        }
        return around_[colour][level];
    }

    const Position<RADIUS>& position_;
    const Scores<RADIUS>& scores_;
    const Gains& gains_;
    float best_ = -1;
    int tile_ = 0, first_ = 0, second_ = 0;
    std::array<std::uint32_t, COLOURS> known_{};
    std::array<std::array<Cells, TOP + 1>, COLOURS> around_;
};

// Draws from the end of the bag, which the caller has shuffled; tiles that return go anywhere into it.
template <int RADIUS>
void draw_from_end(Position<RADIUS>& position, Random& random) {
    const int returned = position.aside.count;
    position.draw([](int n) { return n - 1; });
    for (int at = 0; at < returned; ++at)
        std::swap(position.bag[position.bag_count - 1 - at],
                  position.bag[random.below(position.bag_count - static_cast<unsigned>(at))]);
}

// One step of a greedy game: every seat lays its best tile and swaps whenever it may.
template <int RADIUS>
void greedy_step(Position<RADIUS>& position, Scores<RADIUS>& scores, const Gains& gains, Random& random) {
    if (position.phase == Phase::PLACE) {
        const Move move = Greedy<RADIUS>(position, scores, gains).best(random);
        position.place(move);
        scores.laid(position, move);
    } else if (position.phase == Phase::SWAP) {
        position.swap();
    } else {
        draw_from_end(position, random);
    }
}

}  // namespace tuilerie::genial
