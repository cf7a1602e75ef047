// Upper bound on the value of a partial galaxy of fixed shape, from the cheapest bound to the
// tightest.
#pragma once

#include "kaosmos_bound_path.h"
#include "kaosmos_bound_single_kind.h"
#include "kaosmos_bound_total.h"

namespace tuilerie::kaosmos {

// A node of the search tree: a partial galaxy, the first steps of a search order being done.
struct Node {
    Zones zones;
    int depth = 0;                // number of tiles placed
    unsigned remaining = 0;       // bit set of the other tiles
    unsigned possible_joins = 0;  // bit set of joins that no placed tile rules out
};

// Bounds each kind of zone and the path independently of each other. Admissible: each bound holds for
// every completion, and the goal never decreases when a kind or the path gets more points.
class FixedShapeBound {
public:
    static constexpr double EPSILON = 1e-9;

    FixedShapeBound(const Problem& problem, const std::vector<Byte>& tiles, const SearchOrder& order)
        : order_(&order), total_bound_(problem, tiles),
          path_bound_(order, arms_of(problem, tiles), problem.rules.turning),
          single_kind_bound_(problem, order, path_bound_, total_bound_.groupings(),
                             total_bound_.remaining_parts(), tiles, total_bound_.tables()) {}

    // Members hold pointers to each other.
    FixedShapeBound(const FixedShapeBound&) = delete;
    FixedShapeBound& operator=(const FixedShapeBound&) = delete;

    // Quick bound: no completion of this node is worth more.
    double bound(const Node& node) { return total_bound_.value(kind_bounds(node), longest(node)); }

    // True only if no completion is worth more than `best`. (False proves nothing.)
    //
    // First the grouping bound; then the single-kind bounds; and if only a long path can beat `best`,
    // the single-kind bounds over galaxies that have one.
    bool can_prune(const Node& node, double best) {
        KindBounds bounds = kind_bounds(node);
        const int longest = this->longest(node);
        int needed = required_path(bounds, longest, best);
        if (needed > longest) return true;
        if (node.depth < single_kind_bound_.first_depth()) return false;
        for (int min_path = -1; min_path < needed;) {
            min_path = min_path < 0 ? 0 : needed;
            for (int kind = 0; kind < 4; ++kind) {
                if (!uses_single_kind_bound(kind)) continue;
                const int most = single_kind_bound_.bound(
                    {kind, node.depth, node.remaining, node.possible_joins, min_path},
                    single_kind_bound_.frontier(node.zones, kind, node.depth),
                    pruning_threshold(bounds, kind, longest, best));
                if (most == SingleKindBound::INFEASIBLE) return true;
                bounds.open[kind] = most;
                needed = required_path(bounds, longest, best);
                if (needed > longest) return true;
            }
        }
        return false;
    }

    // The cost of all bounds so far, in units of about one node of the search.
    std::uint64_t evaluations() const { return single_kind_bound_.evaluations(); }

private:
    static constexpr int MIN_POINTS = -100;  // no kind scores less

    static std::vector<Byte> arms_of(const Problem& problem, const std::vector<Byte>& tiles) {
        std::vector<Byte> arms;
        for (const Byte tile : tiles) arms.push_back(problem.box->tiles[tile].arms);
        return arms;
    }

    KindBounds kind_bounds(const Node& node) {
        std::uint64_t open = 0;
        if (node.depth)
            for (const auto& [place, corner] : order_->steps[node.depth - 1].open)
                open |= std::uint64_t{1} << node.zones.zone[node.zones.at[place][corner]];
        return total_bound_.kind_bounds(node.zones, open, node.remaining);
    }

    bool uses_single_kind_bound(int kind) const {
        return single_kind_bound_.applies_to(kind) && !total_bound_.counts_only_largest(kind);
    }

    int longest(const Node& node) {
        return path_bound_.longest(node.remaining, node.possible_joins);
    }

    // The most points of a kind with which the bound does not exceed `best`.
    int pruning_threshold(KindBounds bounds, int kind, int longest, double best) const {
        do {
            --bounds.open[kind];
        } while (total_bound_.value(bounds, longest) > best + EPSILON &&
                 bounds.open[kind] > MIN_POINTS);
        return bounds.open[kind];
    }

    // The shortest path with which the bound exceeds `best`, among the lengths where its points
    // change; HAND + 1 if even the longest possible path is not enough.
    int required_path(const KindBounds& bounds, int longest, double best) const {
        for (const int length : {0, 4, 6, 9})
            if (length <= longest && total_bound_.value(bounds, length) > best + EPSILON)
                return length;
        return HAND + 1;
    }

    const SearchOrder* order_;
    TotalBound total_bound_;
    PathBound path_bound_;
    SingleKindBound single_kind_bound_;
};

}  // namespace tuilerie::kaosmos
