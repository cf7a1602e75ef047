// Compact state of a game of Génial!, with make and unmake. The rules and names are those of
// src/tuilerie/games/genial/rules.py; tests compare both, move by move.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "genial_board.h"
#include "random.h"

namespace tuilerie::genial {

enum class Variant : std::uint8_t { STANDARD, SOLO, TEAMS, DUEL };
enum class Phase : std::uint8_t { DEAL, PLACE, SWAP, DRAW, OVER };
enum class Reason : std::uint8_t { NONE, BOARD_FULL, MARKERS_FULL };

inline constexpr int MOST_PLAYERS = 4;
inline constexpr int HALF_WAY = 18;  // on a track of 36: a marker stops here once

constexpr int full_of(Variant variant) {
    return variant == Variant::STANDARD ? 18 : variant == Variant::DUEL ? 9 : 36;
}

struct Advance {
    int after;
    bool bonus;
};

// The new position of a marker, and whether it earns a bonus placement.
constexpr Advance advance(Variant variant, int before, int points) {
    const int full = full_of(variant);
    if (variant == Variant::DUEL && before == -full) return {before, false};
    const int stop = before < HALF_WAY && HALF_WAY < full ? HALF_WAY : full;
    const int after = std::min(stop, before + points);
    return {after, before < after && after == stop};
}

struct Hand {
    std::uint8_t tiles[HAND_SIZE]{};
    std::uint8_t count = 0;

    void add(int tile) { tiles[count++] = static_cast<std::uint8_t>(tile); }
    void remove_at(int at) { tiles[at] = tiles[--count]; }
    int find(int tile) const {
        for (int at = 0; at < count; ++at)
            if (tiles[at] == tile) return at;
        return -1;
    }
    unsigned kinds() const {  // bit set of the kinds of tiles
        unsigned found = 0;
        for (int at = 0; at < count; ++at) found |= 1U << tiles[at];
        return found;
    }
};

using Track = std::array<std::int8_t, COLOURS>;

inline bool is_full(Variant variant, const Track& track) {
    const int full = full_of(variant);
    for (int marker : track)
        if (marker != full && (variant != Variant::DUEL || marker != -full)) return false;
    return true;
}

inline unsigned lowest_colours(const Track& track) {
    const int low = *std::min_element(track.begin(), track.end());
    unsigned found = 0;
    for (int colour = 0; colour < COLOURS; ++colour)
        if (track[colour] == low) found |= 1U << colour;
    return found;
}

// Step 4 of a turn: whether no tile left in hand shows any of the lowest colours.
inline bool may_swap(const Track& track, const Hand& hand) {
    unsigned shown = 0;
    for (int at = 0; at < hand.count; ++at) shown |= colours_of(hand.tiles[at]);
    return hand.count > 0 && !(shown & lowest_colours(track));
}

// Ranking key: compared lexicographically, the larger one wins.
using RankKey = std::array<std::int8_t, COLOURS + 1>;

inline RankKey rank_key(Variant variant, const Track& track) {
    RankKey key{};
    std::copy(track.begin(), track.end(), key.begin() + 1);
    std::sort(key.begin() + 1, key.end());
    if (variant == Variant::DUEL)
        key[0] = static_cast<std::int8_t>(
            std::count_if(track.begin(), track.end(), [](int marker) { return marker > 0; }));
    return key;
}

// A placement (the first colour of the tile goes to `first`), or 'swap' or 'keep'.
struct Move {
    enum Kind : std::uint8_t { PLACE, SWAP, KEEP };
    Kind kind = PLACE;
    std::uint8_t tile = 0, first = 0, second = 0;

    friend bool operator==(const Move&, const Move&) = default;
};

// A double can be named from either cell; the canonical name starts at the lower one.
inline Move normal(Move move) {
    if (is_double(move.tile) && move.first > move.second) std::swap(move.first, move.second);
    return move;
}

template <int RADIUS>
struct Position {
    using Board = Hexagon<RADIUS>;
    using Cells = typename Board::Cells;
    static constexpr std::uint8_t FREE = COLOURS, WALL = COLOURS + 1;
    static constexpr int NOWHERE = 255;

    // --- options ---
    std::uint8_t players = 2;
    Variant variant = Variant::STANDARD;
    bool adjacent = false;

    // --- the table ---
    Phase phase = Phase::DEAL;
    Reason reason = Reason::NONE;
    std::uint8_t seat = 0, bonus = 0;
    std::uint16_t turns = 0;
    std::uint8_t last_first = NOWHERE, last_second = NOWHERE;
    Cells free = Board::ALL;
    std::array<Track, MOST_PLAYERS> tracks{};
    std::array<Hand, MOST_PLAYERS> hands{};
    Hand aside;  // shown and set aside in a swap, until six new ones are drawn
    std::uint8_t bag_count = 0;
    std::array<std::uint8_t, BAG_SIZE> bag{};  // in no order
    // A colour, free, or a wall around the board, which ends every line.
    std::array<std::uint8_t, Board::PLACES + 2 * Board::MARGIN> symbols{};

    // --- the start ---

    Position() {
        symbols.fill(WALL);
        Board::ALL.each([&](int at) { symbol(at) = FREE; });
        for (const auto& printed : Board::PRINTED) {
            symbol(printed.at) = printed.colour;
            free.remove(printed.at);
        }
    }

    std::uint8_t& symbol(int at) { return symbols[at + Board::MARGIN]; }
    std::uint8_t symbol(int at) const { return symbols[at + Board::MARGIN]; }

    // --- points ---

    // Number of cells of this colour in an unbroken line from a cell, excluding the cell itself.
    int run(int at, int step, int colour) const {
        int length = 0;
        const std::uint8_t* reached = &symbols[at + Board::MARGIN] + step;
        for (; *reached == colour; reached += step) ++length;
        return length;
    }

    // The points of one half, before either half is laid: the line towards the other half has length
    // zero, so all six directions can be counted.
    int points(int at, int colour) const {
        int sum = 0;
        for (int step : Board::AXES) sum += run(at, step, colour) + run(at, -step, colour);
        return sum;
    }

    // --- placements ---

    bool is_first_turn() const { return turns < players; }

    // Cells at least one of which a tile must cover.
    Cells near() const {
        if (is_first_turn()) {
            Cells found;
            for (int at = 0; at < 6; ++at) {
                const Cells& around = Board::BESIDE_PRINTED[at];
                if ((around & free) == around) found = found | around;
            }
            return found;
        }
        if (!adjacent) return Board::ALL;
        return Board::beside(taken());
    }

    Cells taken() const {
        Cells found;
        for (int at = 0; at < Cells::WORDS; ++at)
            found.words[at] = Board::ALL.words[at] & ~free.words[at];
        return found;
    }

    bool is_restricted() const { return adjacent || is_first_turn(); }

    // The free pairs along one axis, each as its cell with the lower number.
    template <int STEP>
    Cells pairs_along() const {
        return free & free.template down<STEP>();
    }

    struct Pairs {
        std::array<Cells, 3> along;  // by axis
        std::array<int, 3> counts;
        int count() const { return counts[0] + counts[1] + counts[2]; }
    };

    Pairs allowed_pairs() const {
        Pairs pairs;
        pairs.along = {pairs_along<Board::RIGHT>(), pairs_along<Board::UP_RIGHT>(),
                       pairs_along<Board::UP_LEFT>()};
        if (is_restricted()) {
            const Cells cells = near();
            pairs.along[0] = pairs.along[0] & (cells | cells.template down<Board::RIGHT>());
            pairs.along[1] = pairs.along[1] & (cells | cells.template down<Board::UP_RIGHT>());
            pairs.along[2] = pairs.along[2] & (cells | cells.template down<Board::UP_LEFT>());
        }
        for (int axis = 0; axis < 3; ++axis) pairs.counts[axis] = pairs.along[axis].count();
        return pairs;
    }

    bool has_room() const {
        return (pairs_along<Board::RIGHT>() | pairs_along<Board::UP_RIGHT>() |
                pairs_along<Board::UP_LEFT>())
            .any();
    }

    // --- a turn, forwards and backwards ---

    int track_of(int of_seat) const { return variant == Variant::TEAMS ? of_seat % 2 : of_seat; }
    int track_count() const { return variant == Variant::TEAMS ? 2 : players; }

    // What a placement changed, to take it back.
    struct Undo {
        Track mine;
        std::uint8_t seat, bonus, last_first, last_second;
        Phase phase;
    };

    // Steps 1 to 3 of a turn: lay a tile, count its points, earn and use bonus placements.
    Undo place(const Move& move) {
        const Tile tile = TILE[move.tile];
        const int mine = track_of(seat);
        const Undo undo{tracks[mine], seat, bonus, last_first, last_second, phase};
        const int first = points(move.first, tile.first);
        const int second = points(move.second, tile.second);
        int reached = 0;
        if (tile.first == tile.second) {  // both halves of a double are counted together
            reached = score(mine, tile.first, first + second);
        } else {
            reached = score(mine, tile.first, first);
            reached += score(mine, tile.second, second);
        }
        cover(move.first, tile.first);
        cover(move.second, tile.second);
        hands[seat].remove_at(hands[seat].find(move.tile));
        last_first = move.first;
        last_second = move.second;
        after_placement(mine, reached);
        return undo;
    }

    void take_back(const Move& move, const Undo& undo) {
        uncover(move.second);
        uncover(move.first);
        seat = undo.seat;
        bonus = undo.bonus;
        phase = undo.phase;
        reason = Reason::NONE;
        last_first = undo.last_first;
        last_second = undo.last_second;
        hands[seat].add(move.tile);
        const int mine = track_of(seat);
        tracks[mine] = undo.mine;
        if (variant == Variant::DUEL) mirror(mine);
    }

    void swap() {
        aside = hands[seat];
        hands[seat].count = 0;
        phase = Phase::DRAW;
    }

    void keep() { phase = Phase::DRAW; }

    // Undoes a swap or a keep, as long as nothing was drawn.
    void take_back_choice() {
        if (aside.count) hands[seat] = aside;
        aside.count = 0;
        phase = Phase::SWAP;
    }

    // --- chance: tiles from the bag ---

    int drawing_seat() const {
        int found = seat;
        if (phase == Phase::DEAL)
            for (found = 0; hands[found].count; ++found) {}
        return found;
    }

    // Draws the tiles that are due; `pick(n)` selects one of n tiles. Returns the number of tiles.
    template <typename Pick>
    int draw(Pick pick) {
        const int who = drawing_seat();
        int drawn = 0;
        for (; hands[who].count < HAND_SIZE; ++drawn) {
            const int at = pick(bag_count);
            hands[who].add(bag[at]);
            bag[at] = bag[--bag_count];
        }
        after_draw();
        return drawn;
    }

    // After a draw: tiles set aside return to the bag, and the next player clockwise is on turn.
    // During the deal, the seat is the one that begins.
    void after_draw() {
        for (int at = 0; at < aside.count; ++at) bag[bag_count++] = aside.tiles[at];
        aside.count = 0;
        if (phase == Phase::DEAL) {
            for (int other = 0; other < players; ++other)
                if (!hands[other].count) return;
        } else {
            seat = static_cast<std::uint8_t>((seat + 1) % players);
            ++turns;
        }
        phase = Phase::PLACE;
    }

    // Undoes a draw of the last `drawn` tiles of the hand.
    void take_back_draw(int who, int drawn, Phase before, const Hand& returned) {
        bag_count = static_cast<std::uint8_t>(bag_count - returned.count);
        aside = returned;
        for (int at = 0; at < drawn; ++at) bag[bag_count++] = hands[who].tiles[--hands[who].count];
        if (before == Phase::DRAW) {
            --turns;
            seat = static_cast<std::uint8_t>(who);
        }
        phase = before;
    }

    // --- the end ---

    std::array<std::uint8_t, MOST_PLAYERS> places() const {
        std::array<RankKey, MOST_PLAYERS> keys{};
        for (int one = 0; one < players; ++one) keys[one] = rank_key(variant, tracks[track_of(one)]);
        std::array<std::uint8_t, MOST_PLAYERS> found{};
        for (int one = 0; one < players; ++one) {
            found[one] = 1;
            for (int other = 0; other < players; ++other) found[one] += keys[other] > keys[one];
        }
        return found;
    }

private:
    int score(int mine, int colour, int gained) {
        const Advance moved = advance(variant, tracks[mine][colour], gained);
        tracks[mine][colour] = static_cast<std::int8_t>(moved.after);
        // In a duel both sides of the track move.
        if (variant == Variant::DUEL)
            tracks[1 - mine][colour] = static_cast<std::int8_t>(-moved.after);
        return moved.bonus;
    }

    void mirror(int mine) {
        for (int colour = 0; colour < COLOURS; ++colour)
            tracks[1 - mine][colour] = static_cast<std::int8_t>(-tracks[mine][colour]);
    }

    void cover(int at, std::uint8_t colour) {
        symbol(at) = colour;
        free.remove(at);
    }

    void uncover(int at) {
        symbol(at) = FREE;
        free.add(at);
    }

    void end(Reason why) {
        phase = Phase::OVER;
        reason = why;
        bonus = 0;
    }

    void after_placement(int mine, int earned) {
        if (is_full(variant, tracks[mine])) return end(Reason::MARKERS_FULL);
        if (!has_room()) return end(Reason::BOARD_FULL);  // a bonus without room lapses
        const Hand& hand = hands[seat];
        bonus = static_cast<std::uint8_t>(std::max(0, bonus - 1) + earned);
        if (bonus && hand.count) {  // it also lapses with an empty hand
            phase = Phase::PLACE;
            return;
        }
        bonus = 0;
        phase = may_swap(tracks[mine], hand) ? Phase::SWAP : Phase::DRAW;
    }
};

// --- legal moves ---------------------------------------------------------------------------------

// Every legal move once, in the order of the Python rules: by tile, orientation and pair.
template <int RADIUS, typename Visit>
void each_move(const Position<RADIUS>& position, Visit visit) {
    using Board = Hexagon<RADIUS>;
    if (position.phase == Phase::SWAP) {
        visit(Move{Move::SWAP});
        visit(Move{Move::KEEP});
    }
    if (position.phase != Phase::PLACE) return;
    const auto pairs = position.allowed_pairs();
    const auto along = [&](int step) -> const auto& {
        return pairs.along[step == Board::RIGHT ? 0 : step == Board::UP_RIGHT ? 1 : 2];
    };
    struct Pair {
        std::uint8_t first, second;
    };
    std::array<Pair, 3 * Board::COUNT> listed{};
    int count = 0;
    position.free.each([&](int at) {
        for (int step : Board::steps_by_name(at))
            if (along(step).has(at))
                listed[count++] = {static_cast<std::uint8_t>(at), static_cast<std::uint8_t>(at + step)};
    });
    const unsigned kinds = position.hands[position.seat].kinds();
    for (std::uint8_t tile : BY_NAME) {
        if (!(kinds >> tile & 1)) continue;
        for (int at = 0; at < count; ++at)
            visit(Move{Move::PLACE, tile, listed[at].first, listed[at].second});
        if (is_double(tile)) continue;
        for (int at = 0; at < count; ++at)
            visit(Move{Move::PLACE, tile, listed[at].second, listed[at].first});
    }
}

// Number of ways to lay one of the tiles in hand on a given pair of cells.
inline int ways_to_lay(unsigned kinds) {
    constexpr unsigned MIXED_KINDS = (1U << MIXED) - 1;
    return std::popcount(kinds) + std::popcount(kinds & MIXED_KINDS);
}

template <int RADIUS>
int count_moves(const Position<RADIUS>& position) {
    if (position.phase == Phase::SWAP) return 2;
    if (position.phase != Phase::PLACE) return 0;
    return position.allowed_pairs().count() * ways_to_lay(position.hands[position.seat].kinds());
}

// --- exact uniform random play -------------------------------------------------------------------

// A uniformly random legal placement. No move list is needed: every oriented tile in hand combines
// with every allowed pair of cells, so both are chosen independently.
template <int RADIUS>
Move random_placement(const Position<RADIUS>& position, Random& random) {
    using Board = Hexagon<RADIUS>;
    const auto pairs = position.allowed_pairs();
    const unsigned kinds = position.hands[position.seat].kinds();
    const auto ways = static_cast<unsigned>(ways_to_lay(kinds));
    const unsigned chosen = random.below(static_cast<unsigned>(pairs.count()) * ways);
    int pair = static_cast<int>(chosen / ways), way = static_cast<int>(chosen % ways), axis = 0;
    while (pair >= pairs.counts[axis]) pair -= pairs.counts[axis++];
    const int at = pairs.along[axis].select(pair);
    const int other = at + Board::AXES[axis];
    // First all kinds of tiles in one orientation, then the mixed ones in the other.
    const int all = std::popcount(kinds);
    const bool turned = way >= all;
    const int tile = select_bit(kinds, turned ? way - all : way);
    return {Move::PLACE, static_cast<std::uint8_t>(tile),
            static_cast<std::uint8_t>(turned ? other : at),
            static_cast<std::uint8_t>(turned ? at : other)};
}

// One step of a random playout: a uniformly random legal move, or a draw.
template <int RADIUS>
void random_step(Position<RADIUS>& position, Random& random) {
    switch (position.phase) {
        case Phase::PLACE: position.place(random_placement(position, random)); break;
        case Phase::SWAP: random.below(2) ? position.keep() : position.swap(); break;
        case Phase::DEAL:
        case Phase::DRAW:
            position.draw([&](int n) { return static_cast<int>(random.below(static_cast<unsigned>(n))); });
            break;
        case Phase::OVER: break;
    }
}

}  // namespace tuilerie::genial
