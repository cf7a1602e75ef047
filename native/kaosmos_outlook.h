// What a galaxy that is not complete can become at most.
#pragma once

#include <optional>

#include "kaosmos_alone.h"
#include "kaosmos_bound.h"
#include "kaosmos_reach.h"

namespace tuilerie::kaosmos {

// A galaxy on the way: the first steps of a course are done.
struct Node {
    Zones zones;
    int depth = 0;          // how many tiles lie
    unsigned left = 0;      // those that are not laid, as a set
    unsigned possible = 0;  // the joins of the path that can still be
};

// Bounds from above. Zones that nothing can touch any more are counted; what open zones and the
// other tiles may still bring is bounded for each kind by itself, and for the path.
class Outlook {
public:
    static constexpr double TINY = 1e-9;

    // `course`: none for a free shape.
    Outlook(const Problem& problem, const std::vector<Byte>& tiles, int places, const Course* course)
        : problem_(&problem), rules_(&problem.rules), course_(course), places_(places),
          groupings_{Grouping(table_of(GREEN)), Grouping(table_of(BLUE)), Grouping(table_of(ORANGE)),
                     Grouping(table_of(CONSTELLATION))} {
        for (const Byte tile : tiles) arms_.push_back(problem.box->tiles[tile].arms);
        rests_.resize(std::size_t{1} << tiles.size());
        for (unsigned left = 0; left < rests_.size(); ++left) rests_[left] = rest_of(tiles, left);
        if (!course) return;
        reach_.emplace(*course, arms_, rules_->turning);
        alone_.emplace(problem, *course, *reach_, groupings_, rests_, tiles,
                       std::array{table_of(GREEN), table_of(BLUE), table_of(ORANGE),
                                  table_of(CONSTELLATION)});
    }

    // No galaxy that goes on from here is worth more than this.
    double bound(const Node& node) { return value(look(node), longest(node)); }

    // Whether no galaxy that goes on from here is worth more than `best`; it may say no where none is.
    //
    // First the parts grouped at will; then each kind alone; and where only a long path can help,
    // each kind alone among the galaxies that have one.
    bool is_hopeless(const Node& node, double best) {
        Standing standing = look(node);
        const int longest = this->longest(node);
        int needed = path_needed(standing, longest, best);
        if (needed > longest) return true;
        if (node.depth < alone_->first()) return false;
        for (int with = -1; with < needed;) {
            with = with < 0 ? 0 : needed;
            for (int kind = 0; kind < 4; ++kind) {
                if (!asks_alone(kind)) continue;
                const int most = alone_->best({kind, node.depth, node.left, node.possible, with},
                                              alone_->frontier(node.zones, kind, node.depth),
                                              too_little(standing, kind, longest, best));
                if (most == Alone::NOTHING) return true;
                standing.open[kind] = most;
                needed = path_needed(standing, longest, best);
                if (needed > longest) return true;
            }
        }
        return false;
    }

    // What all the answers so far have cost, in steps about as long as that of a search.
    std::uint64_t work() const { return alone_->work(); }

private:
    static constexpr int LOW = -100;  // no kind brings less

    // What each kind brings: zones that are closed, and at most what is not.
    struct Standing {
        std::array<int, 4> closed{}, open{};
    };

    // What a zone of a kind brings, with what the card adds to it.
    Steps table_of(int kind) const {
        Steps steps = rules_->tables[kind];
        const ColourZones& extra = rules_->colour_zones;
        if (extra.colour == kind) {
            for (int size = extra.planets; size <= Steps::MOST; ++size)
                steps.worth[size] = static_cast<std::int8_t>(steps.worth[size] + extra.points);
            steps.top = std::max(steps.top, extra.planets);
        }
        return steps;
    }

    Rest rest_of(const std::vector<Byte>& tiles, unsigned left) const {
        Rest rest;
        for (unsigned more = left; more; more &= more - 1) {
            const Face& face = problem_->box->face(*rules_, tiles[std::countr_zero(more)], 0);
            for (int part = 0; part < face.parts; ++part) {
                const int kind = face.kind[part], size = face.size[part];
                rest.has[kind] = true;
                rest.parts[kind] += groupings_[kind].part(size);
                rest.empty[kind] += !size;
            }
        }
        return rest;
    }

    Standing look(const Node& node) {
        const Rest& rest = rests_[node.left];
        std::uint64_t open = 0;
        if (node.depth)
            for (const auto& [place, corner] : course_->steps[node.depth - 1].open)
                open |= std::uint64_t{1} << node.zones.zone[node.zones.at[place][corner]];
        std::array<Parts, 4> parts = rest.parts;
        std::array<int, 4> empty = rest.empty, largest{};
        Standing standing;
        for (int name = 0; name < node.zones.count; ++name) {
            const int kind = node.zones.kind[name], size = node.zones.size[name];
            if (kind == JOINED) continue;
            if (!(open >> name & 1)) {
                standing.closed[kind] += closed_worth(kind, size);
                largest[kind] = std::max(largest[kind], size);
            } else if (!rest.has[kind]) {  // nothing is left that could touch it
                standing.open[kind] += closed_worth(kind, size);
                largest[kind] = std::max(largest[kind], size);
            } else {
                parts[kind] += groupings_[kind].part(size);
                empty[kind] += !size;
            }
        }
        for (int kind = 0; kind < 4; ++kind)
            standing.open[kind] += only_largest(kind)
                                       ? most_of_one(kind, parts[kind], largest[kind])
                                       : groupings_[kind].best(parts[kind], empty[kind]);
        return standing;
    }

    bool only_largest(int kind) const { return rules_->largest_only && kind != CONSTELLATION; }

    bool asks_alone(int kind) const { return alone_->knows(kind) && !only_largest(kind); }

    int closed_worth(int kind, int size) const {
        const ColourZones& extra = rules_->colour_zones;
        const int more = kind == extra.colour && size >= extra.planets ? extra.points : 0;
        return (only_largest(kind) ? 0 : rules_->tables[kind][size]) + more;
    }

    // Where only the largest zone counts: all that is still open in one zone, or one that is closed.
    int most_of_one(int colour, Parts parts, int closed) const {
        int size = 0;
        for (int each = 1; each <= LARGEST_PART; ++each)
            size += each * static_cast<int>(parts >> (PART_BITS * (each - 1)) & 63);
        int most = 0;
        for (int upto = 0; upto <= std::min(std::max(size, closed), Steps::MOST); ++upto)
            most = std::max(most, rules_->tables[colour][upto]);
        const int extra = rules_->colour_zones.colour == colour
                              ? std::max(0, rules_->colour_zones.points) * FIELDS : 0;
        return (most ? most + rules_->largest_points : 0) + extra;
    }

    int longest(const Node& node) {
        return course_ ? reach_->longest(node.left, node.possible)
                       : most_by_arms(arms_, node.left, places_);
    }

    // The goal, were each kind to bring its most and the path as long.
    double value(const Standing& standing, int path) const {
        Count count;
        for (int kind = 0; kind < 4; ++kind)
            count.points[kind] = standing.closed[kind] + standing.open[kind];
        const Balance& balance = rules_->balance;
        const int least = std::min({count.points[GREEN], count.points[BLUE], count.points[ORANGE]});
        count.points[STAR] += path_points(path) * rules_->path_factor;
        if (balance.least > 0 && least >= balance.least)
            count.points[STAR] += std::max(0, balance.points);
        return problem_->goal.value(moved(problem_->goal.totals, count));
    }

    // The most that a kind can bring without making the galaxy worth more than `best`.
    int too_little(Standing standing, int kind, int longest, double best) const {
        do {
            --standing.open[kind];
        } while (value(standing, longest) > best + TINY && standing.open[kind] > LOW);
        return standing.open[kind];
    }

    // How long the path must become for a galaxy to be worth more than `best`, by the lengths where
    // its points change; more than the longest one, where even that is not enough.
    int path_needed(const Standing& standing, int longest, double best) const {
        for (const int length : {0, 4, 6, 9})
            if (length <= longest && value(standing, length) > best + TINY) return length;
        return HAND + 1;
    }

    const Problem* problem_;
    const Rules* rules_;
    const Course* course_;
    int places_;
    std::array<Grouping, 4> groupings_;
    std::vector<Byte> arms_;
    std::vector<Rest> rests_;  // for each set of tiles that are not laid
    std::optional<Reach> reach_;
    std::optional<Alone> alone_;
};

}  // namespace tuilerie::kaosmos
