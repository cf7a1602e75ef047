// Compact state of a game of Blockers!: tiles as bits, cells as masks, groups updated incrementally.
// The rules and their names are those of src/tuilerie/games/blockers; both must always agree.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "blockers_board.h"

namespace tuilerie::blockers {

inline constexpr int COLOURS = 5;
inline constexpr int SEATS = 5;
inline constexpr int RACK = 5;        // tiles of each of a seat's colours on its rack
inline constexpr int KEPT = 4;        // a colour stops when this many of its tiles are left
inline constexpr int MOST_LAID = FACES - KEPT;  // tiles that a colour plays
inline constexpr int MOST_TURNS = 2 * MOST_LAID;  // of a seat with two colours
inline constexpr std::uint32_t ALL_FACES = (1U << FACES) - 1;

// A tile is its colour and its face in one byte.
using Tile = std::uint8_t;
inline constexpr Tile NO_TILE = 0xff;
constexpr Tile tile_of(int colour, int face) { return static_cast<Tile>(colour << 5 | face); }
constexpr int colour_of(Tile tile) { return tile >> 5; }
constexpr int face_of(Tile tile) { return tile & 31; }

// A tile laid on an empty cell or an opponent's tile; without a cell, a discard.
struct Move {
    static constexpr int NO_CELL = -1;

    Tile tile;
    std::int8_t cell;

    bool operator==(const Move&) const = default;
    bool discards() const { return cell == NO_CELL; }
};

// At most ten tiles, two of them jokers; the others match nine cells each.
struct Moves {
    std::array<Move, 8 * 9 + 2 * 81> list;
    int count = 0;

    void add(Tile tile, int cell) { list[count++] = {tile, static_cast<std::int8_t>(cell)}; }
    const Move* begin() const { return list.data(); }
    const Move* end() const { return list.data() + count; }
};

// The groups of one colour, updated incrementally. No capture may split a group, so they only grow,
// merge, shrink and vanish, and connectivity is never recomputed.
struct Groups {
    std::array<Mask, FACES> group;
    int count = 0;

    // Lays a tile and writes the groups that it joins to `joined`. Returns their number.
    int lay(int cell, std::array<Mask, 4>& joined) {
        const Mask near = NEIGHBOURS[cell];
        Mask whole = Mask::of(cell);
        int parts = 0;
        for (int i = count - 1; i >= 0; --i) {
            if ((group[i] & near).any()) {
                whole |= joined[parts++] = group[i];
                group[i] = group[--count];
            }
        }
        group[count++] = whole;
        return parts;
    }

    // Takes back what `lay` did.
    void lift(int cell, const std::array<Mask, 4>& joined, int parts) {
        group[index_of(cell)] = group[count - 1];
        --count;
        for (int i = 0; i < parts; ++i) group[count++] = joined[i];
    }

    // A tile is captured.
    void take(int cell) {
        const int i = index_of(cell);
        group[i] = group[i].without(Mask::of(cell));
        if (!group[i].any()) group[i] = group[--count];
    }

    // Takes back what `take` did: the tile belongs to the one group that touches it, if any.
    void restore(int cell) {
        for (int i = 0; i < count; ++i) {
            if ((group[i] & NEIGHBOURS[cell]).any()) {
                group[i] |= Mask::of(cell);
                return;
            }
        }
        group[count++] = Mask::of(cell);
    }

private:
    int index_of(int cell) const {
        int i = 0;
        while (!group[i].has(cell)) ++i;
        return i;
    }
};

enum class Phase : std::uint8_t { DEAL, PLAY, DRAW, OVER };

// Tiles in order of arrival.
template <int MOST>
struct TileList {
    std::array<Tile, MOST> tiles;
    int count = 0;

    void add(Tile tile) { tiles[count++] = tile; }
    const Tile* begin() const { return tiles.data(); }
    const Tile* end() const { return tiles.data() + count; }
};

// What `unplay` needs to take a move back.
struct Undo {
    Phase phase;
    std::uint8_t seat;
    std::int8_t drawing;
    std::int8_t last;
    std::int32_t number;
    std::array<std::uint32_t, COLOURS> shown;
    Tile taken = NO_TILE;
    int parts = 0;
    std::array<Mask, 4> joined;
};

// Ranking key of a seat: the lowest score first, then the fewest captures.
struct Standing {
    int groups = 0;
    int captures = 0;
    int score = 0;

    bool beats(const Standing& other) const {
        return score != other.score ? score < other.score : captures < other.captures;
    }
};

// The state of a game, or the view of one seat: then `hidden` is the number of unknown tiles on a rack,
// and these are counted in the pile.
struct Position {
    // setup
    int players = 0;
    bool uptown = false;
    std::uint8_t first = 0;
    std::array<std::int8_t, COLOURS> owner{};                  // a seat, or -1
    std::array<std::array<std::int8_t, 2>, SEATS> colours{};   // of each seat; -1 where only one

    // turn
    Phase phase = Phase::DEAL;
    std::uint8_t seat = 0;
    std::int8_t drawing = -1;
    std::int8_t last = Move::NO_CELL;
    std::int32_t number = 0;
    int turns = 0;  // remaining turns of all seats together
    std::array<std::uint8_t, COLOURS> left{};  // tiles of each colour that will still be played

    // the board
    std::array<Tile, CELL_NUMBERS> board{};
    std::array<Mask, COLOURS> cells{};
    Mask empty = BOARD;
    std::array<Groups, COLOURS> groups{};

    // tiles not on the board, by colour and face
    std::array<std::uint32_t, COLOURS> rack{};
    std::array<std::uint32_t, COLOURS> pile{};
    std::array<std::uint32_t, COLOURS> shown{};
    std::array<std::uint8_t, COLOURS> hidden{};
    std::array<TileList<MOST_TURNS>, SEATS> captures{};
    std::array<std::array<std::uint8_t, COLOURS>, SEATS> captured{};  // how many of each colour
    TileList<COLOURS * MOST_LAID> discards{};

    Position() { board.fill(NO_TILE); }

    bool over() const { return phase == Phase::OVER; }
    int pile_count(int colour) const { return std::popcount(pile[colour]) - hidden[colour]; }
    int rack_count(int colour) const { return std::popcount(rack[colour]) + hidden[colour]; }
    bool live(int colour) const { return left[colour] > 0; }
    int next_seat() const { return seat + 1 == players ? 0 : seat + 1; }

    // Calls `what` with each colour of the seat to act that has not stopped, in their fixed order.
    template <class What>
    void each_live(What what) const {
        for (int colour = 0; colour < COLOURS; ++colour) {
            if (owner[colour] == seat && live(colour)) what(colour);
        }
    }

    bool can_capture(int cell) const {
        const int colour = colour_of(board[cell]);
        return owner[colour] != seat && removable(cells[colour], cell);
    }

    // --- moves ---

    // All moves of the seat to act, in the order of the Python rules: lays by tile and cell, then
    // captures; discards where there are neither.
    Moves legal() const {
        Moves moves;
        if (phase != Phase::PLAY) return moves;
        add_moves(moves, empty);
        const Mask prey = capturable();
        if (prey.any()) add_moves(moves, prey);
        if (moves.count == 0) {
            each_live([&](int colour) {
                for (std::uint32_t faces = rack[colour]; faces != 0; faces &= faces - 1) {
                    moves.add(tile_of(colour, std::countr_zero(faces)), Move::NO_CELL);
                }
            });
        }
        return moves;
    }

    // The cells where the seat to act may capture.
    Mask capturable() const {
        Mask prey;
        for (int colour = 0; colour < COLOURS; ++colour) {
            if (owner[colour] < 0 || owner[colour] == seat) continue;
            for (Mask rest = cells[colour]; rest.any();) {
                const int cell = rest.take_first();
                if (removable(cells[colour], cell)) prey |= Mask::of(cell);
            }
        }
        return prey;
    }

    // How many groups of a colour a new tile would join.
    int joins(int colour, int cell) const {
        int parts = 0;
        for (int i = 0; i < groups[colour].count; ++i) {
            parts += (groups[colour].group[i] & NEIGHBOURS[cell]).any();
        }
        return parts;
    }

    void play(Move move) {
        Undo undo;
        play(move, undo);
    }

    // The seat to act makes a legal move. Afterwards a tile is drawn, or the next seat plays.
    void play(Move move, Undo& undo) {
        const int colour = colour_of(move.tile);
        const std::uint32_t face = 1U << face_of(move.tile);
        undo = {phase, seat, drawing, last, number, shown, NO_TILE, 0, {}};
        rack[colour] &= ~face;
        if (move.discards()) {
            discard(move.tile);
        } else {
            shown[colour] &= ~face;
            lay(move, undo);
        }
        finish_turn(colour);
    }

    void unplay(Move move, const Undo& undo) {
        const int colour = colour_of(move.tile);
        phase = undo.phase;
        seat = undo.seat;
        drawing = undo.drawing;
        last = undo.last;
        number = undo.number;
        shown = undo.shown;
        ++turns;
        ++left[colour];
        rack[colour] |= 1U << face_of(move.tile);
        if (move.discards()) {
            --discards.count;
        } else {
            unlay(move, undo);
        }
    }

    // --- chance ---

    void deal(std::uint32_t faces, int colour) {
        pile[colour] &= ~faces;
        rack[colour] |= faces;
    }

    // After the deal to a seat.
    void end_deal() {
        ++number;
        const bool last_seat = seat + 1 == players;
        phase = last_seat ? Phase::PLAY : Phase::DEAL;
        seat = last_seat ? first : static_cast<std::uint8_t>(seat + 1);
    }

    // Draws a tile from the pile of the played colour; then the next seat plays.
    void draw(int face) {
        deal(1U << face, drawing);
        ++number;
        phase = Phase::PLAY;
        seat = static_cast<std::uint8_t>(next_seat());
        drawing = -1;
    }

    // Takes back what `draw` did, for the seat that drew.
    void undraw(int colour, int face) {
        rack[colour] &= ~(1U << face);
        pile[colour] |= 1U << face;
        --number;
        phase = Phase::DRAW;
        seat = static_cast<std::uint8_t>(seat == 0 ? players - 1 : seat - 1);
        drawing = static_cast<std::int8_t>(colour);
    }

    // --- scores ---

    // The score of a seat if the game were over now.
    Standing standing(int of) const {
        Standing found;
        for (const int colour : colours[of]) {
            if (colour >= 0) found.groups += groups[colour].count;
        }
        found.captures = captures[of].count;
        found.score = found.groups + (uptown ? 0 : most_captured(of));
        return found;
    }

    std::array<Standing, SEATS> standings() const {
        std::array<Standing, SEATS> all;
        for (int of = 0; of < players; ++of) all[of] = standing(of);
        return all;
    }

    int most_captured(int of) const {
        int most = 0;
        for (const int count : captured[of]) most = count > most ? count : most;
        return most;
    }

private:
    void add_moves(Moves& moves, Mask targets) const {
        each_live([&](int colour) {
            for (std::uint32_t faces = rack[colour]; faces != 0; faces &= faces - 1) {
                const int face = std::countr_zero(faces);
                for (Mask fit = CELLS_OF[face] & targets; fit.any();) {
                    moves.add(tile_of(colour, face), fit.take_first());
                }
            }
        });
    }

    void lay(Move move, Undo& undo) {
        const int colour = colour_of(move.tile), cell = move.cell;
        const Mask here = Mask::of(cell);
        if (const Tile taken = board[cell]; taken != NO_TILE) {
            const int loss = colour_of(taken);
            undo.taken = taken;
            captures[seat].add(taken);
            ++captured[seat][loss];
            cells[loss] ^= here;
            groups[loss].take(cell);
        } else {
            empty ^= here;
        }
        board[cell] = move.tile;
        cells[colour] |= here;
        undo.parts = groups[colour].lay(cell, undo.joined);
        last = move.cell;
    }

    void unlay(Move move, const Undo& undo) {
        const int colour = colour_of(move.tile), cell = move.cell;
        const Mask here = Mask::of(cell);
        groups[colour].lift(cell, undo.joined, undo.parts);
        cells[colour] ^= here;
        board[cell] = undo.taken;
        if (undo.taken == NO_TILE) {
            empty |= here;
            return;
        }
        const int loss = colour_of(undo.taken);
        --captures[seat].count;
        --captured[seat][loss];
        cells[loss] |= here;
        groups[loss].restore(cell);
    }

    // A seat without a lay or a capture shows its rack and discards a tile.
    void discard(Tile tile) {
        discards.add(tile);
        for (int colour = 0; colour < COLOURS; ++colour) {
            if (owner[colour] == seat) shown[colour] = rack[colour];
        }
    }

    void finish_turn(int colour) {
        // A rack of four is refilled: tiles still to be played beyond it are in the pile.
        ++number;
        --turns;
        if (--left[colour] > 0) {
            phase = Phase::DRAW;
            drawing = static_cast<std::int8_t>(colour);
        } else if (turns == 0) {
            phase = Phase::OVER;
            number += players + 1;  // a score event per seat, and the end
        } else {
            seat = static_cast<std::uint8_t>(next_seat());
        }
    }
};

// The win share of each seat: 1 for the winner, or equal parts of a shared win.
inline std::array<double, SEATS> shares(const std::array<Standing, SEATS>& all, int players) {
    std::array<double, SEATS> share{};
    int winners = 0;
    for (int seat = 0; seat < players; ++seat) {
        bool beaten = false;
        for (int other = 0; other < players; ++other) {
            beaten = beaten || all[other].beats(all[seat]);
        }
        share[seat] = beaten ? 0 : 1;
        winners += !beaten;
    }
    for (double& each : share) each /= winners;
    return share;
}

}  // namespace tuilerie::blockers
