// Upper bound on the points of one kind of zone in a free shape: the best grouping of parts, of those
// groups that pass a counting argument on whether they fit together in the plane.
#pragma once

#include <tuple>

#include "kaosmos_bound_grouping.h"

namespace tuilerie::kaosmos {

// What a zone is made of: a part of a remaining tile, or an open zone on the board.
struct Piece {
    Byte size = 0;          // planets, capped where the points table ends
    std::int8_t space = 0;  // see `SpaceBound`
    bool is_laid = false;   // an open zone on the board
    Byte links = 0;         // of a part: its fields minus one
    Byte tile = NO_TILE;    // of a part, if its tile has several parts of this kind
    Byte corners = 0;       // then its corners, as a bit set
    static constexpr Byte NO_TILE = 255;
    friend bool operator==(const Piece&, const Piece&) = default;
};

// Tightens `GroupingBound` by necessary conditions for a group of pieces to be one connected zone.
// Admissible: zones that really occur satisfy the conditions, so no possible grouping is lost.
//
// Space. A field touches fields of other tiles only at the grid point in its corner, where four tiles
// meet. Take the bipartite graph of parts and points, with a field as the edge between its part and
// its point. A zone with p parts, f fields and v points is connected, so f >= p + v - 1, and a point
// has at most four fields, so f <= 4v. Hence the sum of 3c - 4 over its parts, c being the fields of a
// part, is at least -4. This is the space of a part: a single field uses one unit (-1), two fields
// provide two (+2). An open zone on the board provides the s fields that are free around it. With one,
// f <= s + 4v and f >= p + v over the new parts and points, so the total must be at least 0.
//
// Links. Two parts of one tile share no point. One zone contains both only if other parts link their
// points: at least one link if the parts are adjacent, two if they are opposite.
class SpaceBound {
public:
    static constexpr int MAX_PIECES = 18;
    using Pieces = std::array<Piece, MAX_PIECES>;

    SpaceBound(GroupingBound& grouping, const Steps& steps) : grouping_(&grouping), top_(steps.top) {
        for (int size = 0; size <= Steps::MOST; ++size) worth_[size] = std::max<int>(0, steps[size]);
    }

    // Whether the points table is short enough, and zones without planets score nothing.
    bool applies() const { return top_ > 0 && top_ <= LARGEST_PART && !worth_[0]; }

    int size_of(int planets) const { return std::min(planets, top_); }

    // Memo by bit set of pieces, for one call of `bound`. Entries of earlier calls are invalidated by a
    // generation counter, so nothing is cleared. All kinds can share one.
    class Memo {
    public:
        void begin(int pieces) {
            entries_.resize(std::max(entries_.size(), std::size_t{1} << pieces));
            if (++generation_) return;
            entries_.assign(entries_.size(), {});  // the counter wrapped around
            generation_ = 1;
        }
        const int* find(unsigned set) const {
            return entries_[set].generation == generation_ ? &entries_[set].best : nullptr;
        }
        void store(unsigned set, int best) { entries_[set] = {generation_, best}; }

    private:
        struct Entry {
            std::uint32_t generation = 0;
            int best = 0;
        };
        std::vector<Entry> entries_;
        std::uint32_t generation_ = 0;
    };

    // The maximum points over all groupings of the pieces.
    int bound(const Pieces& pieces, int number, Memo& memo) {
        pieces_ = pieces;
        number_ = number;
        memo_ = &memo;
        memo.begin(number);
        const auto sort_key = [](const Piece& piece) {  // large first, without planets last
            return std::tuple(-piece.size, -piece.space, piece.is_laid, piece.tile, piece.corners);
        };
        std::sort(pieces_.begin(), pieces_.begin() + number,
                  [&](const Piece& a, const Piece& b) { return sort_key(a) < sort_key(b); });
        Parts parts = 0;
        for (int at = 0; at < number; ++at) parts += grouping_->part(pieces_[at].size);
        return best_grouping((1U << number) - 1, parts);
    }

private:
    struct Group {
        unsigned pieces = 0;
        int next = 0;  // only pieces from here on are added: each group once
        int size = 0, space = 0, links = 0, required_links = 0;
        bool is_laid = false;

        bool fits() const {
            return is_laid ? space >= 0 : space + 4 >= 0 && links >= required_links;
        }
    };

    // Branch over the group that contains the first piece. `parts`: the same pieces for the grouping
    // bound, with which the enumeration itself is cut off.
    int best_grouping(unsigned set, Parts parts) {
        if (!set) return 0;
        const int first = std::countr_zero(set);
        if (!pieces_[first].size) return 0;  // so are all that follow
        if (const int* known = memo_->find(set)) return *known;
        const int upper_bound = grouping_->bound(parts, 0);
        int best = 0;
        extend(with(Group{}, first), set, parts - grouping_->part(pieces_[first].size), upper_bound,
               best);
        memo_->store(set, best);
        return best;
    }

    // `rest`: the parts outside the group.
    void extend(const Group& group, unsigned set, Parts rest, int upper_bound, int& best) {
        const bool fits = group.fits();
        if (fits) {
            const int worth = worth_[group.size];
            if (worth + grouping_->bound(rest, 0) > best)
                best = std::max(best, worth + best_grouping(set & ~group.pieces, rest));
            if (group.size >= top_) return;
        }
        for (int at = group.next; at < number_ && best < upper_bound; ++at) {
            if (!(set >> at & 1)) continue;
            const Piece& piece = pieces_[at];
            const bool same = at > group.next && (set >> (at - 1) & 1) && pieces_[at - 1] == piece;
            if (same) continue;                                    // an equal piece was tried
            if (!piece.size && fits) return;                       // would add no planets
            if (group.size >= top_ && piece.space <= 0) continue;  // it only lacks space
            extend(with(group, at), set, rest - grouping_->part(piece.size), upper_bound, best);
        }
    }

    Group with(Group group, int at) const {
        const Piece& piece = pieces_[at];
        if (piece.tile != Piece::NO_TILE)
            for (unsigned more = group.pieces; more; more &= more - 1) {
                const Piece& other = pieces_[std::countr_zero(more)];
                if (other.tile != piece.tile) continue;
                const unsigned own = piece.corners;
                const unsigned adjacent = own << 1 | own >> 3 | own >> 1 | own << 3;
                group.required_links =
                    std::max(group.required_links, other.corners & adjacent & 15 ? 1 : 2);
            }
        group.pieces |= 1U << at;
        group.next = at + 1;
        group.size = std::min(group.size + piece.size, top_);
        group.space += piece.space;
        group.links += piece.links;
        group.is_laid = group.is_laid || piece.is_laid;
        return group;
    }

    GroupingBound* grouping_;
    int top_;
    std::array<int, Steps::MOST + 1> worth_{};
    Pieces pieces_{};
    int number_ = 0;
    Memo* memo_ = nullptr;
};

}  // namespace tuilerie::kaosmos
