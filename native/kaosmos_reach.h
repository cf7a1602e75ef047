// How long the path can still become, exactly, if colours did not matter.
#pragma once

#include "kaosmos_course.h"

namespace tuilerie::kaosmos {

// The most tiles that a path can have, by their arms alone. Tiles without arms are on no path, and of
// those with a single one only two can be; where the shape leaves a tile out, it may be one of these.
inline int most_by_arms(const std::vector<Byte>& arms, unsigned left, int places) {
    int without = 0, ends = 0;
    for (unsigned more = left; more; more &= more - 1) {
        const int number = std::popcount(arms[std::countr_zero(more)]);
        without += number == 0;
        ends += number == 1;
    }
    const int spare = static_cast<int>(arms.size()) - places;
    return places - std::max(0, without + std::max(0, ends - 2) - spare);
}

// The longest path over all ways to lay the other tiles, given the joins that are still possible
// beside those that lie. It is found by trying all of them once: what lies matters only through
// these joins, and tiles with the same arms are alike, so there are few different questions, and
// every answer is remembered.
class Reach {
public:
    // `arms`: of each tile as it is printed.
    Reach(const Course& course, const std::vector<Byte>& arms, bool turning)
        : course_(&course), arms_(arms), turning_(turning) {
        const std::size_t sets = std::size_t{1} << arms.size();
        like_.resize(sets);
        for (unsigned left = 0; left < sets; ++left) like_[left] = alike(left);
        known_.resize(sets << course.layout().edges);
    }

    int longest(unsigned left, unsigned possible) { return answer(like_[left], possible); }

    static Byte turned(Byte arms, int turns) {
        return static_cast<Byte>(((arms << turns) | (arms >> (4 - turns))) & 15);
    }

private:
    // Two tiles whose arms agree, turned if they may be, serve the path equally.
    Byte pattern(Byte arms) const {
        Byte least = arms;
        for (int turns = 1; turning_ && turns < 4; ++turns)
            least = std::min(least, turned(arms, turns));
        return least;
    }

    // The set in which each tile is replaced by the first ones of its pattern.
    unsigned alike(unsigned left) const {
        unsigned set = 0;
        for (std::size_t tile = 0; tile < arms_.size(); ++tile) {
            if (!(left >> tile & 1)) continue;
            std::size_t first = 0;
            while ((set >> first & 1) || pattern(arms_[first]) != pattern(arms_[tile])) ++first;
            set |= 1U << first;
        }
        return set;
    }

    int answer(unsigned left, unsigned possible) {
        const int depth = static_cast<int>(arms_.size()) - std::popcount(left);
        if (depth >= course_->places()) return course_->layout().longest[possible];
        Byte& known = known_[(std::size_t{left} << course_->layout().edges) + possible];
        if (known) return known - 1;
        const int limit = std::min<int>(course_->layout().longest[possible],  // all joins come about
                                        most_by_arms(arms_, left, course_->places()));
        int best = 0;
        unsigned tried = 0;  // sets of arms
        for (unsigned more = left; more && best < limit; more &= more - 1) {
            const int tile = std::countr_zero(more);
            for (int turns = 0; turns < (turning_ ? 4 : 1) && best < limit; ++turns) {
                const Byte arms = turned(arms_[tile], turns);
                if (tried >> arms & 1) continue;
                tried |= 1U << arms;
                const unsigned joins = possible & course_->joins(course_->steps[depth].place, arms);
                best = std::max(best, answer(like_[left & ~(1U << tile)], joins));
            }
        }
        known = static_cast<Byte>(best + 1);
        return best;
    }

    const Course* course_;
    std::vector<Byte> arms_;
    bool turning_;
    std::vector<unsigned> like_;  // for each set of tiles
    std::vector<Byte> known_;     // one more than the answer; 0: not asked yet
};

}  // namespace tuilerie::kaosmos
