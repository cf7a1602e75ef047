// Upper bound on the points of one kind of zone: the best grouping of parts, geometry ignored.
#pragma once

#include <unordered_map>

#include "kaosmos.h"

namespace tuilerie::kaosmos {

// A multiset of parts, packed: six bits for the number of parts of each size from 1 to 10. A galaxy
// never has more than 36 parts, so the union of two multisets is a plain addition.
using Parts = std::uint64_t;
inline constexpr int LARGEST_PART = 10;
inline constexpr int PART_BITS = 6;

inline constexpr Parts part_of(int size) { return Parts{1} << (PART_BITS * (size - 1)); }

// Relaxation: any parts may be joined into a zone, wherever they are. The maximum over all partitions
// of the multiset, memoized.
//
// Admissible: however a galaxy is completed, its open zones and remaining tiles end up in one of these
// partitions.
class GroupingBound {
public:
    // Negative points count as 0. That can only raise the bound, and a part may then always be left
    // ungrouped.
    explicit GroupingBound(const Steps& steps) : top_(std::max(1, steps.top)) {
        for (int size = 0; size <= Steps::MOST; ++size) {
            worth_[size] = std::max<int>(0, steps[size]);
            max_worth_ = std::max(max_worth_, worth_[size]);
        }
        cache_.resize(std::size_t{1} << BITS);
    }

    int top() const { return top_; }
    bool counts_empty() const { return worth_[0] > 0; }

    // A multiset of one part. Sizes are capped where the points table ends.
    Parts part(int size) const {
        if (size == 0) return 0;
        return part_of(std::min({size, top_, LARGEST_PART}));
    }

    // `empty`: the number of parts without planets; there is a card that scores them.
    int bound(Parts parts, int empty) {
        const int extra = empty * worth_[0];
        if (top_ > LARGEST_PART) return extra + number_of(parts) * max_worth_;
        return extra + best_grouping(parts);
    }

private:
    static constexpr int BITS = 12;
    struct CacheEntry {
        Parts parts = 0;
        int best = 0;
    };

    static int number_of(Parts parts) {
        int number = 0;
        for (; parts; parts >>= PART_BITS) number += static_cast<int>(parts & 63);
        return number;
    }

    int best_grouping(Parts parts) {
        if (!parts) return 0;
        CacheEntry& entry = cache_[(parts * 0x9e3779b97f4a7c15ULL) >> (64 - BITS)];
        if (entry.parts == parts) return entry.best;
        const auto found = memo_.find(parts);
        const int best = found != memo_.end() ? found->second : compute(parts);
        entry = {parts, best};  // still valid after the recursion: cache_ never grows
        return best;
    }

    // Branch over the group that contains the largest part.
    int compute(Parts parts) {
        const int size = (63 - std::countl_zero(parts)) / PART_BITS + 1;
        int best = 0;
        extend(parts - part_of(size), size, size, best);
        memo_[parts] = best;
        return best;
    }

    // Only parts of at most `max_size` are added, so that each group is enumerated once.
    void extend(Parts rest, int sum, int max_size, int& best) {
        best = std::max(best, worth_[std::min(sum, top_)] + best_grouping(rest));
        if (sum >= top_) return;
        for (int size = max_size; size >= 1; --size)
            if (rest >> (PART_BITS * (size - 1)) & 63)
                extend(rest - part_of(size), sum + size, size, best);
    }

    int top_;
    int max_worth_ = 0;
    std::array<int, Steps::MOST + 1> worth_{};
    std::vector<CacheEntry> cache_;  // direct-mapped, in front of memo_
    std::unordered_map<Parts, int> memo_;
};

// The parts of a set of tiles that are not placed yet, by kind.
struct RemainingParts {
    std::array<Parts, 4> parts{};
    std::array<int, 4> empty{};      // parts without planets
    std::array<bool, 4> has_kind{};  // whether there is any field of the kind
};

}  // namespace tuilerie::kaosmos
