// What the zones of one kind can still bring, exactly, if no other kind mattered.
#pragma once

#include "kaosmos_bound.h"
#include "kaosmos_frontier.h"
#include "kaosmos_reach.h"

namespace tuilerie::kaosmos {

// The best that a kind can bring from here on, over all ways to lay the other tiles. Galaxies must
// please all kinds at once, so this is never too low; and as it knows which fields meet, it is much
// closer than any grouping at will. It is found by trying all ways: what lies matters only through
// the frontier, and tiles without this kind are all alike, so that few questions are different. The
// answers are remembered.
//
// It can be asked for galaxies with a long path alone, too: tiles that must carry it cannot be
// turned as the colours would like.
class Alone {
public:
    static constexpr int NOTHING = -1000;  // there is no such galaxy

    struct Question {
        int kind;
        int depth;          // how many tiles lie
        unsigned left;      // the others
        unsigned possible;  // joins of the path, as for `Reach`
        int path;           // only galaxies with a path of so many tiles; 0: all
    };

    // `worth`: what a zone of each kind brings; `rests`: what each set of tiles adds to a grouping.
    Alone(const Problem& problem, const Course& course, Reach& reach,
          std::array<Grouping, 4>& groupings, const std::vector<Rest>& rests,
          const std::vector<Byte>& tiles, const std::array<Steps, 4>& worth)
        : course_(&course), reach_(&reach), groupings_(&groupings), rests_(&rests), worth_(worth) {
        for (int kind = 0; kind < 4; ++kind)
            for (std::size_t tile = 0; tile < tiles.size(); ++tile)
                prepare(problem, tiles[tile], kind, static_cast<int>(tile));
        const auto can_be_asked_after = [&](int depth) {
            return course.steps[depth - 1].open.size() <= Frontier::MOST &&
                   course.steps[depth].tile < 0;
        };
        first_ = course.places();
        while (first_ > EARLIEST && can_be_asked_after(first_ - 1)) --first_;
        bits_ = 2 * (static_cast<int>(tiles.size()) - std::popcount(course.laid));
        slots_.resize(std::size_t{1} << bits_);
    }

    // From so many tiles on it can be asked. Where tiles lie already, too much may be open before.
    int first() const { return first_; }

    // Whether the table of a kind is short enough, and brings anything.
    bool knows(int kind) const {
        return worth_[kind].top <= Frontier::LARGEST && worth_[kind].top > 0;
    }

    // How a kind stands when the last of `depth` tiles has been laid.
    Frontier frontier(const Zones& zones, int kind, int depth) const {
        Frontier found;
        std::array<Byte, FIELDS + 4> number{};
        int met = 0;
        const std::vector<Field>& open = course_->steps[depth - 1].open;
        for (std::size_t at = 0; at < open.size(); ++at) {
            const Byte name = zones.zone[zones.at[open[at].place][open[at].corner]];
            if (zones.kind[name] != kind) continue;
            if (!number[name]) {
                found.size[met] = static_cast<Byte>(std::min<int>(zones.size[name], largest(kind)));
                number[name] = static_cast<Byte>(++met);
            }
            found.zone[at] = number[name];
        }
        return found;
    }

    // The most points that open zones and tiles not laid bring together, if that is above `least`;
    // otherwise some number up to `least` that it is not above either.
    int best(const Question& asked, const Frontier& frontier, int least) {
        if (asked.depth == course_->places()) return 0;
        const std::uint64_t word = frontier.word();
        const std::uint32_t rest = rest_of(asked);
        Slot& slot = slots_[index_of(word, rest)];
        if (slot.rest == rest && slot.word == word && (slot.is_exact || slot.most <= least))
            return slot.most;
        const int limit = limit_of(asked, frontier, least);
        if (limit <= least) return limit;
        ++work_;
        const int most = try_all(asked, frontier, least, limit);
        slot = {word, rest, static_cast<std::int16_t>(most), most > least};
        return most;
    }

    // How many questions were worked out so far.
    std::uint64_t work() const { return work_; }

private:
    // With fewer tiles almost everything is possible, and it takes long to find out: measured.
    static constexpr int EARLIEST = 4;

    struct Slot {
        std::uint64_t word = 0;
        std::uint32_t rest = 0;  // 0: nothing yet, as the depth in it is not 0
        std::int16_t most = 0;
        bool is_exact = false;  // otherwise the best may be less
    };

    void prepare(const Problem& problem, Byte id, int kind, int tile) {
        std::array<Look, 4> looks;
        all_turns_ = problem.rules.turning ? 15 : 1;
        for (int turns = 0; all_turns_ >> turns; ++turns) {
            const Face& face = problem.box->face(problem.rules, id, turns);
            arms_[tile][turns] = face.arms;
            looks[turns] = look_of(face, kind, largest(kind));
            if (std::find(looks.begin(), looks.begin() + turns, looks[turns]) == looks.begin() + turns)
                different_[kind][tile] |= 1U << turns;
        }
        looks_[kind][tile] = looks;
        if (looks[0].parts) having_[kind] |= 1U << tile;
    }

    // From here on all sizes are alike.
    int largest(int kind) const { return std::max(1, worth_[kind].top); }

    // All but the frontier. Without a path, of the tiles that lack the kind only their number
    // matters, and that follows from the depth.
    std::uint32_t rest_of(const Question& asked) const {
        const std::uint32_t left = asked.path ? asked.left : asked.left & having_[asked.kind];
        const std::uint32_t possible = asked.path ? asked.possible : 0;  // at most 12 joins
        const auto small = static_cast<std::uint32_t>(asked.kind << 8 | asked.path << 4 | asked.depth);
        return left << 22 | possible << 10 | small;
    }

    std::size_t index_of(std::uint64_t word, std::uint32_t rest) const {
        const std::uint64_t mixed = (word ^ rest * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL;
        return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ULL >> (63 - bits_) >> 1;  // no bits: 0
    }

    // What the best is not above: where only galaxies with a path are asked for, that of all;
    // otherwise what the parts bring if they are grouped at will.
    int limit_of(const Question& asked, const Frontier& frontier, int least) {
        if (asked.path) return best({asked.kind, asked.depth, asked.left, 0, 0}, frontier, least);
        const Rest& rest = (*rests_)[asked.left];
        Grouping& grouping = (*groupings_)[asked.kind];
        Parts parts = rest.parts[asked.kind];
        int empty = rest.empty[asked.kind];
        frontier.for_each_zone([&](int size) {
            parts += grouping.part(size);
            empty += !size;
        });
        return grouping.best(parts, empty);
    }

    // The best of all tiles and orientations that differ, until the limit is reached.
    int try_all(const Question& asked, const Frontier& frontier, int least, int limit) {
        int most = NOTHING;
        for (unsigned tiles = choices(asked); tiles && most < limit; tiles &= tiles - 1) {
            const int tile = std::countr_zero(tiles);
            unsigned orientations = asked.path ? all_turns_ : different_[asked.kind][tile];
            for (; orientations && most < limit; orientations &= orientations - 1) {
                const int turns = std::countr_zero(orientations);
                Question next = asked;
                if (!lay(next, tile, turns)) continue;
                Frontier after;
                const int gained =
                    Meeting(frontier, looks_[asked.kind][tile][turns])
                        .close(course_->steps[asked.depth], worth_[asked.kind],
                               largest(asked.kind), after);
                const int more = best(next, after, std::max(least, most) - gained);
                if (more != NOTHING) most = std::max(most, gained + more);
            }
        }
        return most;
    }

    // Of the tiles that lack the kind one is enough, unless they serve a path.
    unsigned choices(const Question& asked) const {
        const unsigned having = asked.left & having_[asked.kind], lacking = asked.left & ~having;
        return asked.path ? asked.left : having | (lacking & (0U - lacking));
    }

    // False where no path is left that is long enough.
    bool lay(Question& asked, int tile, int turns) {
        const int place = course_->steps[asked.depth].place;
        ++asked.depth;
        asked.left &= ~(1U << tile);
        if (!asked.path) return true;
        asked.possible &= course_->joins(place, arms_[tile][turns]);
        return reach_->longest(asked.left, asked.possible) >= asked.path;
    }

    const Course* course_;
    Reach* reach_;
    std::array<Grouping, 4>* groupings_;
    const std::vector<Rest>* rests_;
    std::array<Steps, 4> worth_;
    std::array<std::array<std::array<Look, 4>, HAND>, 4> looks_{};  // by kind, tile and turns
    std::array<std::array<unsigned, HAND>, 4> different_{};         // sets of turns that differ
    std::array<std::array<Byte, 4>, HAND> arms_{};
    std::array<unsigned, 4> having_{};  // for each kind the tiles that have it
    unsigned all_turns_ = 15;
    int first_ = 0;
    std::uint64_t work_ = 0;
    int bits_ = 0;
    std::vector<Slot> slots_;  // the latest answers: the more tiles there are, the more questions
};

}  // namespace tuilerie::kaosmos
