// What each kind brings to a galaxy that is not complete, at most, and what that is worth.
#pragma once

#include "kaosmos_bound.h"
#include "kaosmos_goal.h"

namespace tuilerie::kaosmos {

// What each kind brings: zones that are closed, and at most what is not.
struct Standing {
    std::array<int, 4> closed{}, open{};
};

// Zones that nothing can touch any more are counted; what the open ones and the tiles that are not
// laid may still bring is bounded for each kind by itself, by the best grouping of all their parts.
class Ledger {
public:
    Ledger(const Problem& problem, const std::vector<Byte>& tiles)
        : problem_(&problem), rules_(&problem.rules),
          groupings_{Grouping(table_of(GREEN)), Grouping(table_of(BLUE)), Grouping(table_of(ORANGE)),
                     Grouping(table_of(CONSTELLATION))} {
        rests_.resize(std::size_t{1} << tiles.size());
        for (unsigned left = 0; left < rests_.size(); ++left) rests_[left] = rest_of(tiles, left);
    }

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

    std::array<Steps, 4> tables() const {
        return {table_of(GREEN), table_of(BLUE), table_of(ORANGE), table_of(CONSTELLATION)};
    }

    std::array<Grouping, 4>& groupings() { return groupings_; }
    const std::vector<Rest>& rests() const { return rests_; }

    bool only_largest(int kind) const { return rules_->largest_only && kind != CONSTELLATION; }

    // `open`: the zones that can still grow, as a set; `left`: the tiles that are not laid.
    Standing look(const Zones& zones, std::uint64_t open, unsigned left) {
        const Rest& rest = rests_[left];
        std::array<Parts, 4> parts = rest.parts;
        std::array<int, 4> empty = rest.empty, largest{};
        Standing standing;
        for (int name = 0; name < zones.count; ++name) {
            const int kind = zones.kind[name], size = zones.size[name];
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

private:
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

    const Problem* problem_;
    const Rules* rules_;
    std::array<Grouping, 4> groupings_;
    std::vector<Rest> rests_;  // for each set of tiles that are not laid
};

}  // namespace tuilerie::kaosmos
