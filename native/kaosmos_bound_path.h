// Upper bound on the length of the path: the exact optimum of the relaxed problem in which only arms
// matter and colours do not.
#pragma once

#include "kaosmos_search_order.h"

namespace tuilerie::kaosmos {

// Upper bound on the path by counting arms. A tile without arms is on no path, and a tile with one arm
// can only be an end, of which there are two. If the shape leaves tiles out, it leaves out these.
inline int max_path_by_arms(const std::vector<Byte>& arms, unsigned remaining, int places) {
    int armless = 0, single_armed = 0;
    for (unsigned more = remaining; more; more &= more - 1) {
        const int number = std::popcount(arms[std::countr_zero(more)]);
        armless += number == 0;
        single_armed += number == 1;
    }
    const int spare = static_cast<int>(arms.size()) - places;
    return places - std::max(0, armless + std::max(0, single_armed - 2) - spare);
}

// Maximizes the path over all ways to place the remaining tiles. The placed tiles matter only through
// the joins that they leave possible, and tiles with equal arms are interchangeable, so there are few
// different states; all are memoized.
//
// Admissible: every completed galaxy is one of the ways tried.
class PathBound {
public:
    // `arms`: of each tile without rotation.
    PathBound(const SearchOrder& order, const std::vector<Byte>& arms, bool turning)
        : order_(&order), arms_(arms), turning_(turning) {
        const std::size_t sets = std::size_t{1} << arms.size();
        canonical_.resize(sets);
        for (unsigned set = 0; set < sets; ++set) canonical_[set] = canonical_set(set);
        memo_.resize(sets << order.layout().edges);
    }

    // `possible_joins`: bit set of the edges of the layout where no placed tile lacks its arm.
    int longest(unsigned remaining, unsigned possible_joins) {
        return solve(canonical_[remaining], possible_joins);
    }

    static Byte turned(Byte arms, int turns) {
        return static_cast<Byte>(((arms << turns) | (arms >> (4 - turns))) & 15);
    }

private:
    // The same for all tiles whose arms are equal up to rotation (where rotation is allowed).
    Byte canonical_arms(Byte arms) const {
        Byte least = arms;
        for (int turns = 1; turning_ && turns < 4; ++turns)
            least = std::min(least, turned(arms, turns));
        return least;
    }

    // Replaces each tile by the first one with equal canonical arms that is not used yet.
    unsigned canonical_set(unsigned remaining) const {
        unsigned set = 0;
        for (std::size_t tile = 0; tile < arms_.size(); ++tile) {
            if (!(remaining >> tile & 1)) continue;
            std::size_t first = 0;
            const Byte arms = canonical_arms(arms_[tile]);
            while ((set >> first & 1) || canonical_arms(arms_[first]) != arms) ++first;
            set |= 1U << first;
        }
        return set;
    }

    int solve(unsigned remaining, unsigned possible_joins) {
        const int depth = static_cast<int>(arms_.size()) - std::popcount(remaining);
        if (depth >= order_->places()) return order_->layout().longest[possible_joins];
        Byte& memo = memo_[(std::size_t{remaining} << order_->layout().edges) + possible_joins];
        if (memo) return memo - 1;
        const int upper_bound =
            std::min<int>(order_->layout().longest[possible_joins],  // as if all joins were made
                          max_path_by_arms(arms_, remaining, order_->places()));
        int best = 0;
        unsigned tried = 0;  // bit set of arms
        for (unsigned more = remaining; more && best < upper_bound; more &= more - 1) {
            const int tile = std::countr_zero(more);
            for (int turns = 0; turns < (turning_ ? 4 : 1) && best < upper_bound; ++turns) {
                const Byte arms = turned(arms_[tile], turns);
                if (tried >> arms & 1) continue;
                tried |= 1U << arms;
                const unsigned joins = possible_joins & order_->joins(order_->steps[depth].place, arms);
                best = std::max(best, solve(canonical_[remaining & ~(1U << tile)], joins));
            }
        }
        memo = static_cast<Byte>(best + 1);
        return best;
    }

    const SearchOrder* order_;
    std::vector<Byte> arms_;
    bool turning_;
    std::vector<unsigned> canonical_;  // by bit set of tiles
    std::vector<Byte> memo_;           // length + 1; 0: unknown
};

}  // namespace tuilerie::kaosmos
