// How much the zones of one kind can bring at most, whatever is still laid.
#pragma once

#include <unordered_map>

#include "kaosmos.h"

namespace tuilerie::kaosmos {

// Parts of zones as a multiset: how many there are of each size, six bits for each. Sizes from 1 to
// 10 fit, and no more than 36 parts ever lie, so sets are joined by adding them.
using Parts = std::uint64_t;
inline constexpr int LARGEST_PART = 10;
inline constexpr int PART_BITS = 6;

inline constexpr Parts part_of(int size) { return Parts{1} << (PART_BITS * (size - 1)); }

// The most points that parts can bring if they could be joined at will: whatever a galaxy does with
// open zones and tiles not yet laid, it is one such grouping, so this is never too low. It is
// computed once for each multiset and remembered.
class Grouping {
public:
    // Points below nothing are taken as nothing: that can only raise the bound, and then a part may
    // always be left alone.
    explicit Grouping(const Steps& steps) : top_(std::max(1, steps.top)) {
        for (int size = 0; size <= Steps::MOST; ++size) {
            worth_[size] = std::max<int>(0, steps[size]);
            best_worth_ = std::max(best_worth_, worth_[size]);
        }
        slots_.resize(std::size_t{1} << BITS);
    }

    int top() const { return top_; }
    bool counts_empty() const { return worth_[0] > 0; }

    // A part as a member of the multiset. Beyond the last step of the table size makes no difference.
    Parts part(int size) const {
        if (size == 0) return 0;
        return part_of(std::min({size, top_, LARGEST_PART}));
    }

    // `empty`: how many parts without a planet there are, for the card that counts those, too.
    int best(Parts parts, int empty) {
        const int extra = empty * worth_[0];
        if (top_ > LARGEST_PART) return extra + number_of(parts) * best_worth_;
        return extra + grouped(parts);
    }

private:
    static constexpr int BITS = 12;
    struct Slot {
        Parts parts = 0;
        int best = 0;
    };

    static int number_of(Parts parts) {
        int number = 0;
        for (; parts; parts >>= PART_BITS) number += static_cast<int>(parts & 63);
        return number;
    }

    int grouped(Parts parts) {
        if (!parts) return 0;
        Slot& slot = slots_[(parts * 0x9e3779b97f4a7c15ULL) >> (64 - BITS)];
        if (slot.parts == parts) return slot.best;
        const auto found = known_.find(parts);
        const int best = found != known_.end() ? found->second : compute(parts);
        // The recursion may have moved nothing: slots_ never grows.
        slot = {parts, best};
        return best;
    }

    // The group of the largest part: it alone, or with any others that still raise it.
    int compute(Parts parts) {
        const int size = (63 - std::countl_zero(parts)) / PART_BITS + 1;
        int best = 0;
        extend(parts - part_of(size), size, size, best);
        known_[parts] = best;
        return best;
    }

    // `most`: only parts of at most this size are added, so that each group is tried once.
    void extend(Parts rest, int sum, int most, int& best) {
        best = std::max(best, worth_[std::min(sum, top_)] + grouped(rest));
        if (sum >= top_) return;
        for (int size = most; size >= 1; --size)
            if (rest >> (PART_BITS * (size - 1)) & 63)
                extend(rest - part_of(size), sum + size, size, best);
    }

    int top_;
    int best_worth_ = 0;
    std::array<int, Steps::MOST + 1> worth_{};
    std::vector<Slot> slots_;  // the latest answers, found without a search
    std::unordered_map<Parts, int> known_;
};

// What each set of tiles would bring to the groupings.
struct Rest {
    std::array<Parts, 4> parts{};
    std::array<int, 4> empty{};  // parts without a planet
    std::array<bool, 4> has{};   // any field of a kind at all
};

}  // namespace tuilerie::kaosmos
