// Playouts of Blockers!: random and greedy policies, chance, and determinization of hidden tiles.
#pragma once

#include "blockers.h"
#include "random.h"

namespace tuilerie::blockers {

// The n-th face of a set.
inline int nth_face(std::uint32_t faces, std::uint32_t place) {
    for (; place > 0; --place) faces &= faces - 1;
    return std::countr_zero(faces);
}

// A uniformly random subset of `count` faces.
inline std::uint32_t random_faces(std::uint32_t faces, int count, Random& random) {
    std::uint32_t chosen = 0;
    auto left = static_cast<std::uint32_t>(std::popcount(faces));
    for (; count > 0; --count, --left) {
        const auto face = 1U << nth_face(faces, random.below(left));
        chosen |= face;
        faces &= ~face;
    }
    return chosen;
}

// --- chance --------------------------------------------------------------------------------------

// Deals the first tiles of a seat.
inline void deal_one(Position& position, Random& random) {
    for (const int colour : position.colours[position.seat]) {
        if (colour >= 0) position.deal(random_faces(position.pile[colour], RACK, random), colour);
    }
    position.end_deal();
}

// Resolves chance nodes: the deal, or a draw.
inline void resolve_chance(Position& position, Random& random) {
    while (position.phase == Phase::DEAL) deal_one(position, random);
    if (position.phase == Phase::DRAW) {
        position.draw(std::countr_zero(random_faces(position.pile[position.drawing], 1, random)));
    }
}

// Determinization: samples the hidden tiles of all racks, uniformly over all consistent positions.
// The hidden tiles of a colour are on its owner's rack or in its pile; only a rack that was shown
// gives information on which.
inline void resample(Position& position, Random& random) {
    for (int colour = 0; colour < COLOURS; ++colour) {
        if (position.hidden[colour] == 0) continue;
        const auto faces = random_faces(position.pile[colour], position.hidden[colour], random);
        position.hidden[colour] = 0;
        position.deal(faces, colour);
    }
}

// --- random policy -------------------------------------------------------------------------------

constexpr std::array<std::array<std::int8_t, 81>, FACES> make_cell_lists() {
    std::array<std::array<std::int8_t, 81>, FACES> lists{};
    for (int face = 0; face < FACES; ++face) {
        int at = 0;
        for (Mask left = CELLS_OF[face]; left.any();) {
            lists[face][at++] = static_cast<std::int8_t>(left.take_first());
        }
    }
    return lists;
}

inline constexpr auto CELL_LISTS = make_cell_lists();

// A uniformly random pair of a playable tile and a cell that it matches, legal or not. Every tile but
// the joker matches nine cells, and the seat to play has five tiles of each colour still in play.
inline Move random_pair(const Position& position, Random& random) {
    constexpr std::uint32_t joker = 1U << JOKER;
    std::uint32_t pairs = 0;
    position.each_live([&](int colour) {
        pairs += position.rack[colour] & joker ? 9 * (RACK - 1) + 81 : 9 * RACK;
    });
    std::uint32_t at = random.below(pairs);
    Move move{NO_TILE, Move::NO_CELL};
    position.each_live([&](int colour) {
        if (move.tile != NO_TILE) return;
        const bool has_joker = position.rack[colour] & joker;
        const std::uint32_t plain = has_joker ? 9 * (RACK - 1) : 9 * RACK;
        if (at < plain) {  // the joker is the last of the faces
            const int face = nth_face(position.rack[colour], at / 9);
            move = {tile_of(colour, face), CELL_LISTS[face][at % 9]};
            return;
        }
        at -= plain;
        if (!has_joker) return;
        if (at < 81) move = {tile_of(colour, JOKER), CELL_LISTS[JOKER][at]};
        at -= 81;
    });
    return move;
}

// A uniformly random legal move, by rejection sampling: much faster than listing all moves. After a few
// rejections all are listed, as there may be none.
inline Move random_move(const Position& position, Random& random) {
    for (int attempt = 0; attempt < 16; ++attempt) {
        const Move move = random_pair(position, random);
        if (position.board[move.cell] == NO_TILE || position.can_capture(move.cell)) return move;
    }
    const Moves moves = position.legal();
    return moves.list[random.below(static_cast<std::uint32_t>(moves.count))];
}

// --- greedy --------------------------------------------------------------------------------------

// Bit-sliced counters: for all cells at once, the number of masks that contain each, up to four.
class BitSlicedCounter {
public:
    void add(Mask cells) {
        const Mask carry = ones_ & cells;
        ones_ ^= cells;
        fours_ |= twos_ & carry;
        twos_ ^= carry;
    }

    // The cells contained in no mask, in one, and so on.
    std::array<Mask, 5> by_count() const {
        return {BOARD.without(ones_ | twos_ | fours_), ones_.without(twos_), twos_.without(ones_),
                ones_ & twos_, fours_};
    }

private:
    Mask ones_, twos_, fours_;
};

using ByCount = std::array<Mask, 5>;

// The cells by the number of groups of a colour that they touch.
inline ByCount by_touching(const Groups& groups) {
    BitSlicedCounter counter;
    for (int i = 0; i < groups.count; ++i) counter.add(beside(groups.group[i]));
    return counter.by_count();
}

// The cells by the number of empty neighbours.
inline ByCount by_empty_neighbours(Mask empty) {
    BitSlicedCounter counter;
    counter.add(empty.up<1>() & BOARD);
    counter.add(empty.down<1>() & BOARD);
    counter.add(empty.up<STRIDE>() & BOARD);
    counter.add(empty.down<STRIDE>() & BOARD);
    return counter.by_count();
}

// Greedy policy, the same as the greedy bot of bots/blockers.py: the moves with the lowest own score;
// ties prefer no capture, then not the joker, then more empty neighbours.
class Greedy {
public:
    explicit Greedy(const Position& position)
        : position_(position), room_(by_empty_neighbours(position.empty)) {
        find_prey();
        position_.each_live([&](int colour) { add_own(colour); });
        go_through_classes();
        if (ties_.count == 0) {
            ties_ = position.legal();  // only discards are legal
            prefer_other_than_joker();
        }
    }

    const Moves& ties() const { return ties_; }

private:
    static constexpr std::uint32_t JOKERS = 1U << JOKER;

    // A playable colour: its groups, its tiles, and the cells that they match.
    struct Own {
        int colour;
        ByCount touching;
        std::uint32_t faces;
        Mask reach;  // without the joker
    };

    // The cost of captures: with Blockers! scoring, another tile of the colour captured most costs a
    // point.
    void find_prey() {
        const int most = position_.most_captured(position_.seat);
        for (int colour = 0; colour < COLOURS; ++colour) {
            const int owner = position_.owner[colour];
            if (owner < 0 || owner == position_.seat) continue;
            const bool dear =
                !position_.uptown && position_.captured[position_.seat][colour] == most;
            (dear ? dear_ : cheap_) |= position_.cells[colour];
        }
    }

    void add_own(int colour) {
        Own& own = own_[owned_++];
        own = {colour, by_touching(position_.groups[colour]), position_.rack[colour], {}};
        for (auto left = own.faces & ~JOKERS; left != 0; left &= left - 1) {
            own.reach |= CELLS_OF[std::countr_zero(left)];
        }
    }

    // Classes of moves in order of points, best first; stops at the first non-empty one. A move gains
    // a point for each group that it joins; a capture of the colour captured most costs one.
    void go_through_classes() {
        for (int joined = 4; joined >= -1; --joined) {
            for (const bool captures : {false, true}) {
                for (const bool joker : {false, true}) {
                    if (find_roomiest(joined, captures, joker)) return;
                }
            }
        }
    }

    Mask targets(const Own& own, int joined, bool captures) const {
        Mask found;
        if (joined >= 0) found = own.touching[joined] & (captures ? cheap_ : position_.empty);
        if (captures && joined < 4) found |= own.touching[joined + 1] & dear_;
        return found;
    }

    // Keeps the moves of a class with most empty neighbours; returns whether there are any.
    bool find_roomiest(int joined, bool captures, bool joker) {
        std::array<Mask, 2> cells;
        bool any = false;
        for (int i = 0; i < owned_; ++i) {
            const Own& own = own_[i];
            const bool held = !joker || (own.faces & JOKERS);
            if (held) cells[i] = targets(own, joined, captures) & (joker ? BOARD : own.reach);
            any = any || cells[i].any();
        }
        for (int room = 4; any && room >= 0; --room) {
            for (int i = 0; i < owned_; ++i) add_ties(own_[i], cells[i] & room_[room], captures, joker);
            if (ties_.count > 0) return true;
        }
        return false;
    }

    void add_ties(const Own& own, Mask cells, bool captures, bool joker) {
        while (cells.any()) {
            const int cell = cells.take_first();
            if (captures && !position_.can_capture(cell)) continue;
            const auto faces = own.faces & FACES_AT[cell] & (joker ? JOKERS : ~JOKERS);
            for (auto left = faces; left != 0; left &= left - 1) {
                ties_.add(tile_of(own.colour, std::countr_zero(left)), cell);
            }
        }
    }

    void prefer_other_than_joker() {
        Moves others;
        for (const Move move : ties_) {
            if (face_of(move.tile) != JOKER) others.add(move.tile, move.cell);
        }
        if (others.count > 0) ties_ = others;
    }

    const Position& position_;
    ByCount room_;
    Mask cheap_, dear_;
    std::array<Own, 2> own_;
    int owned_ = 0;
    Moves ties_;
};

inline Move greedy_move(const Position& position, Random& random) {
    const Greedy greedy(position);
    const Moves& ties = greedy.ties();
    return ties.list[random.below(static_cast<std::uint32_t>(ties.count))];
}

// --- whole games ---------------------------------------------------------------------------------

// Plays to the end, with moves chosen by `choose`.
template <class Choose>
void play_out(Position& position, Random& random, Choose choose) {
    resolve_chance(position, random);
    while (!position.over()) {
        position.play(choose(position, random));
        if (position.phase == Phase::DRAW) resolve_chance(position, random);
    }
}

}  // namespace tuilerie::blockers
