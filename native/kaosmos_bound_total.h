// Upper bound on the value of a partial galaxy: a bound on each kind of zone, added up by the goal.
#pragma once

#include "kaosmos_bound_grouping.h"
#include "kaosmos_goal.h"

namespace tuilerie::kaosmos {

// By kind: the exact points of closed zones, and an upper bound on the points of all others.
struct KindBounds {
    std::array<int, 4> closed{}, open{};
};

// Closed zones, which no further tile can touch, are scored exactly. Open zones and remaining tiles
// are bounded by the grouping bound, each kind independently.
//
// Admissible: each kind is bounded over all completions, and `Goal` is monotone in every marker.
class TotalBound {
public:
    TotalBound(const Problem& problem, const std::vector<Byte>& tiles)
        : problem_(&problem), rules_(&problem.rules),
          groupings_{GroupingBound(table_of(GREEN)), GroupingBound(table_of(BLUE)),
                     GroupingBound(table_of(ORANGE)), GroupingBound(table_of(CONSTELLATION))} {
        remaining_parts_.resize(std::size_t{1} << tiles.size());
        for (unsigned set = 0; set < remaining_parts_.size(); ++set)
            remaining_parts_[set] = parts_of(tiles, set);
    }

    // The points table of a kind, including what the card of the round adds for each zone.
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

    std::array<GroupingBound, 4>& groupings() { return groupings_; }
    const std::vector<RemainingParts>& remaining_parts() const { return remaining_parts_; }

    bool counts_only_largest(int kind) const {
        return rules_->largest_only && kind != CONSTELLATION;
    }

    // `open`: bit set of the zones that can still grow. `remaining`: bit set of tiles not placed.
    KindBounds kind_bounds(const Zones& zones, std::uint64_t open, unsigned remaining) {
        const RemainingParts& rest = remaining_parts_[remaining];
        std::array<Parts, 4> parts = rest.parts;
        std::array<int, 4> empty = rest.empty, largest{};
        KindBounds bounds;
        for (int zone = 0; zone < zones.count; ++zone) {
            const int kind = zones.kind[zone], size = zones.size[zone];
            if (kind == MERGED) continue;
            if (!(open >> zone & 1)) {
                bounds.closed[kind] += zone_points(kind, size);
                largest[kind] = std::max(largest[kind], size);
            } else if (!rest.has_kind[kind]) {  // no remaining tile can extend it
                bounds.open[kind] += zone_points(kind, size);
                largest[kind] = std::max(largest[kind], size);
            } else {
                parts[kind] += groupings_[kind].part(size);
                empty[kind] += !size;
            }
        }
        for (int kind = 0; kind < 4; ++kind)
            bounds.open[kind] += counts_only_largest(kind)
                                     ? largest_zone_bound(kind, parts[kind], largest[kind])
                                     : groupings_[kind].bound(parts[kind], empty[kind]);
        return bounds;
    }

    // The goal if every kind reached its bound, with a path of this length.
    double value(const KindBounds& bounds, int path) const {
        Count count;
        for (int kind = 0; kind < 4; ++kind)
            count.points[kind] = bounds.closed[kind] + bounds.open[kind];
        const Balance& balance = rules_->balance;
        const int least = std::min({count.points[GREEN], count.points[BLUE], count.points[ORANGE]});
        count.points[STAR] += path_points(path) * rules_->path_factor;
        if (balance.least > 0 && least >= balance.least)
            count.points[STAR] += std::max(0, balance.points);
        return problem_->goal.value(moved(problem_->goal.totals, count));
    }

private:
    RemainingParts parts_of(const std::vector<Byte>& tiles, unsigned set) const {
        RemainingParts found;
        for (unsigned more = set; more; more &= more - 1) {
            const Face& face = problem_->box->face(*rules_, tiles[std::countr_zero(more)], 0);
            for (int part = 0; part < face.parts; ++part) {
                const int kind = face.kind[part], size = face.size[part];
                found.has_kind[kind] = true;
                found.parts[kind] += groupings_[kind].part(size);
                found.empty[kind] += !size;
            }
        }
        return found;
    }

    int zone_points(int kind, int size) const {
        const ColourZones& extra = rules_->colour_zones;
        const int more = kind == extra.colour && size >= extra.planets ? extra.points : 0;
        return (counts_only_largest(kind) ? 0 : rules_->tables[kind][size]) + more;
    }

    // If only the largest zone scores: all open parts in one zone, or the largest closed zone.
    int largest_zone_bound(int colour, Parts parts, int closed) const {
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
    std::array<GroupingBound, 4> groupings_;
    std::vector<RemainingParts> remaining_parts_;  // by bit set of tiles
};

}  // namespace tuilerie::kaosmos
