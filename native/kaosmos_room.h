// How much the zones of one kind can bring at most, as zones need room to grow.
#pragma once

#include <tuple>

#include "kaosmos_bound.h"

namespace tuilerie::kaosmos {

// What a zone can be made of: a part of a tile that is not laid, or a zone that lies and is open.
struct Piece {
    Byte size = 0;         // planets; beyond the last step of the table all are alike
    std::int8_t room = 0;  // see below
    bool lies = false;
    Byte links = 0;        // for a part: its corners but one
    Byte tile = NO_TILE;   // for a part whose tile has more of the same kind
    Byte corners = 0;      // and then where it lies in its tile
    static constexpr Byte NO_TILE = 255;
    friend bool operator==(const Piece&, const Piece&) = default;
};

// The best grouping of pieces, of those groups that can be one zone in the plane.
//
// Fields of two tiles touch only where four tiles meet in a point, and each field lies at one such
// point. So a part with c fields takes a place at each of c points, and a point has four places. Of a
// zone with p parts and f fields at v points, all connected, f >= p + v - 1, and f <= 4v; hence the
// sum of 3c - 4 over its parts is at least -4. That is the room of a part: one field alone takes one
// place (-1), two fields bring two (2). A zone that lies brings the places that are open around it,
// and then nothing is for free; f <= places + 4v, f >= p + v give a sum of at least 0.
//
// Two parts of one tile never lie at the same point: one zone has both only if other parts lead from
// point to point, at least one step where they are neighbours, two where they are not.
class Room {
public:
    static constexpr int MOST = 18;  // pieces
    using Pieces = std::array<Piece, MOST>;

    Room(Grouping& grouping, const Steps& steps) : grouping_(&grouping), top_(steps.top) {
        for (int size = 0; size <= Steps::MOST; ++size) worth_[size] = std::max<int>(0, steps[size]);
    }

    // Whether this kind is counted by few sizes, and without a planet brings nothing.
    bool applies() const { return top_ > 0 && top_ <= LARGEST_PART && !worth_[0]; }

    int size_of(int planets) const { return std::min(planets, top_); }

    // Where answers are kept while one is found, one for each set of pieces; all kinds can share it.
    class Memory {
    public:
        void begin(int pieces) {
            known_.resize(std::max(known_.size(), std::size_t{1} << pieces));
            if (++question_) return;
            known_.assign(known_.size(), {});  // all numbers were used
            question_ = 1;
        }
        const int* find(unsigned set) const {
            return known_[set].question == question_ ? &known_[set].best : nullptr;
        }
        void keep(unsigned set, int best) { known_[set] = {question_, best}; }

    private:
        struct Known {
            std::uint32_t question = 0;
            int best = 0;
        };
        std::vector<Known> known_;
        std::uint32_t question_ = 0;
    };

    int best(const Pieces& pieces, int number, Memory& memory) {
        pieces_ = pieces;
        number_ = number;
        memory_ = &memory;
        memory.begin(number);
        const auto rank = [](const Piece& piece) {  // large ones first, links without planets last
            return std::tuple(-piece.size, -piece.room, piece.lies, piece.tile, piece.corners);
        };
        std::sort(pieces_.begin(), pieces_.begin() + number,
                  [&](const Piece& one, const Piece& other) { return rank(one) < rank(other); });
        Parts parts = 0;
        for (int at = 0; at < number; ++at) parts += grouping_->part(pieces_[at].size);
        return grouped((1U << number) - 1, parts);
    }

private:
    struct Group {
        unsigned pieces = 0;
        int next = 0;  // only pieces from here on are added, so that each group is tried once
        int size = 0, room = 0, links = 0, needed = 0;
        bool lies = false;

        bool has_room() const { return lies ? room >= 0 : room + 4 >= 0 && links >= needed; }
    };

    // The group of the first piece: it alone, or with others. `parts`: the pieces of the set as the
    // grouping at will knows them, which tells early when no better answer is to be had.
    int grouped(unsigned set, Parts parts) {
        if (!set) return 0;
        const int first = std::countr_zero(set);
        if (!pieces_[first].size) return 0;  // and so are all that follow
        if (const int* known = memory_->find(set)) return *known;
        const int limit = grouping_->best(parts, 0);
        int best = 0;
        extend(with(Group{}, first), set, parts - grouping_->part(pieces_[first].size), limit, best);
        memory_->keep(set, best);
        return best;
    }

    // `rest`: the parts outside of the group.
    void extend(const Group& group, unsigned set, Parts rest, int limit, int& best) {
        const bool has_room = group.has_room();
        if (has_room) {
            const int worth = worth_[group.size];
            if (worth + grouping_->best(rest, 0) > best)
                best = std::max(best, worth + grouped(set & ~group.pieces, rest));
            if (group.size >= top_) return;
        }
        for (int at = group.next; at < number_ && best < limit; ++at) {
            if (!(set >> at & 1)) continue;
            const Piece& piece = pieces_[at];
            const bool same = at > group.next && (set >> (at - 1) & 1) && pieces_[at - 1] == piece;
            if (same) continue;                                   // tried already
            if (!piece.size && has_room) return;                  // links alone bring nothing
            if (group.size >= top_ && piece.room <= 0) continue;  // only room is missing
            extend(with(group, at), set, rest - grouping_->part(piece.size), limit, best);
        }
    }

    Group with(Group group, int at) const {
        const Piece& piece = pieces_[at];
        if (piece.tile != Piece::NO_TILE)
            for (unsigned more = group.pieces; more; more &= more - 1) {
                const Piece& other = pieces_[std::countr_zero(more)];
                if (other.tile != piece.tile) continue;
                const unsigned own = piece.corners;
                const unsigned beside = own << 1 | own >> 3 | own >> 1 | own << 3;
                group.needed = std::max(group.needed, other.corners & beside & 15 ? 1 : 2);
            }
        group.pieces |= 1U << at;
        group.next = at + 1;
        group.size = std::min(group.size + piece.size, top_);
        group.room += piece.room;
        group.links += piece.links;
        group.lies = group.lies || piece.lies;
        return group;
    }

    Grouping* grouping_;
    int top_;
    std::array<int, Steps::MOST + 1> worth_{};
    Pieces pieces_{};
    int number_ = 0;
    Memory* memory_ = nullptr;
};

}  // namespace tuilerie::kaosmos
