// Whole games of Blockers! at random or by a simple eye, and what a seat cannot see filled in anew.
#pragma once

#include "blockers.h"
#include "random.h"

namespace tuilerie::blockers {

// The face at a place among those that are set.
inline int nth_face(std::uint32_t faces, std::uint32_t place) {
    for (; place > 0; --place) faces &= faces - 1;
    return std::countr_zero(faces);
}

// So many of these faces, each set equally likely.
inline std::uint32_t some_faces(std::uint32_t faces, int count, Random& random) {
    std::uint32_t chosen = 0;
    for (; count > 0; --count) {
        const auto left = faces & ~chosen;
        chosen |= 1U << nth_face(left, random.below(static_cast<std::uint32_t>(std::popcount(left))));
    }
    return chosen;
}

// --- chance --------------------------------------------------------------------------------------

// A seat gets its first tiles.
inline void deal_one(Position& position, Random& random) {
    for (const int colour : position.colours[position.seat]) {
        if (colour >= 0) position.deal(some_faces(position.pile[colour], RACK, random), colour);
    }
    position.end_deal();
}

// What chance has to say: first tiles, or the one that is drawn.
inline void settle(Position& position, Random& random) {
    while (position.phase == Phase::DEAL) deal_one(position, random);
    if (position.phase == Phase::DRAW) {
        position.draw(std::countr_zero(some_faces(position.pile[position.drawing], 1, random)));
    }
}

// Fills the racks with tiles that their owners may hold. Uniform over all that is possible: the
// hidden tiles of a colour are on its owner's rack or in its pile, in any order, and nothing that
// can be seen in a game tells one from the other, but for the racks that were shown.
inline void resample(Position& position, Random& random) {
    for (int colour = 0; colour < COLOURS; ++colour) {
        if (position.hidden[colour] == 0) continue;
        const auto faces = some_faces(position.pile[colour], position.hidden[colour], random);
        position.hidden[colour] = 0;
        position.deal(faces, colour);
    }
}

// --- at random -----------------------------------------------------------------------------------

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

// A tile that can be played and a cell that it matches, each such pair equally likely, whether the
// move is legal or not. Every tile but the joker matches nine cells.
inline Move any_pair(const Position& position, Random& random) {
    constexpr std::uint32_t joker = 1U << JOKER;
    std::uint32_t pairs = 0;
    position.each_live([&](int colour) {
        const auto faces = position.rack[colour];
        pairs += 9U * static_cast<std::uint32_t>(std::popcount(faces)) + (faces & joker ? 72 : 0);
    });
    std::uint32_t at = random.below(pairs);
    Move move{NO_TILE, Move::NO_CELL};
    position.each_live([&](int colour) {
        if (move.tile != NO_TILE) return;
        const auto faces = position.rack[colour] & ~joker;
        const auto plain = 9U * static_cast<std::uint32_t>(std::popcount(faces));
        if (at < plain) {
            const int face = nth_face(faces, at / 9);
            move = {tile_of(colour, face), CELL_LISTS[face][at % 9]};
            return;
        }
        at -= plain;
        if (!(position.rack[colour] & joker)) return;
        if (at < 81) move = {tile_of(colour, JOKER), CELL_LISTS[JOKER][at]};
        at -= 81;
    });
    return move;
}

// A legal move, each equally likely. A pair is drawn until it is legal: that is exactly uniform
// over the legal ones, and far quicker than to find them all. Where a few attempts fail, there may
// be none, and all are listed.
inline Move random_move(const Position& position, Random& random) {
    for (int attempt = 0; attempt < 16; ++attempt) {
        const Move move = any_pair(position, random);
        if (position.board[move.cell] == NO_TILE || position.can_capture(move.cell)) return move;
    }
    const Moves moves = position.legal();
    return moves.list[random.below(static_cast<std::uint32_t>(moves.count))];
}

// --- by a simple eye -----------------------------------------------------------------------------

// The cells by how many groups of a colour they touch, none to four.
struct Touching {
    std::array<Mask, 5> by_count;

    Touching() = default;
    explicit Touching(const Groups& groups) {
        // Three masks count in binary, all cells at once.
        Mask ones, twos, fours;
        for (int i = 0; i < groups.count; ++i) {
            const Mask near = beside(groups.group[i]);
            const Mask carry = ones & near;
            ones ^= near;
            fours |= twos & carry;
            twos ^= carry;
        }
        by_count = {BOARD.without(ones | twos | fours), ones.without(twos), twos.without(ones),
                    ones & twos, fours};
    }
};

// The moves after which the own score is lowest, as the greedy bot of bots/blockers.py finds them:
// rather no capture, rather not the joker, rather where there is room to grow.
class Greedy {
public:
    explicit Greedy(const Position& position) : position_(position) {
        find_prey();
        each_colour_by_points();
        if (ties_.count == 0) ties_ = position.legal();  // only discards are left
        if (ties_.count > 0 && ties_.list[0].discards()) prefer_other_than_joker();
    }

    const Moves& ties() const { return ties_; }

private:
    // What captures would cost: with the scoring of Blockers!, one more of the colour captured most
    // is a point.
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

    struct Own {
        int colour = 0;
        Touching touching;
    };

    // From the best points down: a class of cells at a time, and only the first that has a move.
    void each_colour_by_points() {
        std::array<Own, 2> own;
        int count = 0;
        position_.each_live([&](int colour) {
            own[count++] = {colour, Touching(position_.groups[colour])};
        });
        for (int joined = 4; joined >= -1 && ties_.count == 0; --joined) {
            for (const bool captures : {false, true}) {
                for (const bool joker : {false, true}) {
                    for (int i = 0; i < count; ++i) collect(own[i], joined, captures, joker);
                    if (ties_.count > 0) return;
                }
            }
        }
    }

    // Moves that come to one point less for each group joined; a dear capture costs one of them.
    void collect(const Own& own, int joined, bool captures, bool joker) {
        const auto& by_count = own.touching.by_count;
        Mask targets;
        if (joined >= 0) targets = by_count[joined] & (captures ? cheap_ : position_.empty);
        if (captures && joined < 4) targets |= by_count[joined + 1] & dear_;
        if (!targets.any()) return;
        const std::uint32_t faces = position_.rack[own.colour];
        constexpr std::uint32_t jokers = 1U << JOKER;
        for (auto left = joker ? faces & jokers : faces & ~jokers; left != 0; left &= left - 1) {
            const int face = std::countr_zero(left);
            for (Mask fit = CELLS_OF[face] & targets; fit.any();) {
                consider(tile_of(own.colour, face), fit.take_first(), captures);
            }
        }
    }

    void consider(Tile tile, int cell, bool captures) {
        const int room = (NEIGHBOURS[cell] & position_.empty).count();
        if (room < room_ || (captures && !position_.can_capture(cell))) return;
        if (room > room_) {
            room_ = room;
            ties_.count = 0;
        }
        ties_.add(tile, cell);
    }

    void prefer_other_than_joker() {
        Moves others;
        for (const Move move : ties_) {
            if (face_of(move.tile) != JOKER) others.add(move.tile, move.cell);
        }
        if (others.count > 0) ties_ = others;
    }

    const Position& position_;
    Mask cheap_, dear_;
    int room_ = -1;
    Moves ties_;
};

inline Move greedy_move(const Position& position, Random& random) {
    const Greedy greedy(position);
    const Moves& ties = greedy.ties();
    return ties.list[random.below(static_cast<std::uint32_t>(ties.count))];
}

// --- whole games ---------------------------------------------------------------------------------

// Plays on to the end, every move by `choose`.
template <class Choose>
void play_out(Position& position, Random& random, Choose choose) {
    settle(position, random);
    while (!position.over()) {
        position.play(choose(position, random));
        if (position.phase == Phase::DRAW) settle(position, random);
    }
}

}  // namespace tuilerie::blockers
