// The best galaxy that some tiles can make, with a proof: branch and bound.
//
// Tiles are laid place by place. After each one, zones that nothing can touch any more are counted,
// and what open zones and the other tiles may still bring is bounded from above: for each colour by
// the best grouping of the parts as if all could be joined (kaosmos_bound.h), for the path by the
// longest one on all joins that are still possible. A branch whose bound is not above the best
// galaxy known is cut. That galaxy comes from annealing first, so most branches are cut early.
#pragma once

#include "kaosmos_anneal.h"
#include "kaosmos_bound.h"

namespace tuilerie::kaosmos {

// The order in which the places of a shape are filled, so that zones are closed as early as
// possible; and, where the shape may be turned as a whole without changing the count, which places
// must hold a later tile than another one, so that only one of the turned galaxies is tried.
struct Plan {
    struct Later {
        int place, than;
    };
    std::vector<int> order;
    std::vector<Later> later;
};

inline Plan plan_for(Shape shape, int places) {
    Plan plan;
    for (int place = 0; place < places; ++place) plan.order.push_back(place);
    if (places < size_of(shape)) return plan;  // a part of a shape, for studies
    switch (shape) {
        case Shape::SQUARE:  // the second row backwards: measured to need a tenth fewer nodes
            plan.order = {0, 1, 2, 5, 4, 3, 6, 7, 8};
            plan.later = {{2, 0}, {6, 0}, {8, 0}};
            break;
        case Shape::ROW: plan.later = {{8, 0}}; break;
        case Shape::RING:  // around the ring, only two ends are ever open
            plan.order = {0, 1, 2, 4, 7, 6, 5, 3};
            plan.later = {{2, 0}, {5, 0}, {7, 0}};
            break;
        case Shape::TWINS:  // one square, then the other; they can change places
            plan.order = {0, 1, 4, 5, 2, 3, 6, 7};
            plan.later = {{1, 0}, {4, 0}, {5, 0}, {3, 2}, {6, 2}, {7, 2}, {2, 0}};
            break;
        case Shape::FREE: break;
    }
    return plan;
}

class Solver {
public:
    Solver(const Problem& problem, Random& random)
        : problem_(problem), rules_(problem.rules), random_(random),
          groupings_{Grouping(table_of(GREEN)), Grouping(table_of(BLUE)), Grouping(table_of(ORANGE)),
                     Grouping(rules_.tables[CONSTELLATION])} {
        places_ = std::min(size_of(rules_.shape), static_cast<int>(problem.tiles.size()));
        free_ = rules_.shape == Shape::FREE;
        prepare_tiles();
        root_.left = static_cast<unsigned>(rests_.size() - 1);
        root_.possible = ~0U;
        if (!free_) prepare_steps();
    }

    // Anneal, then prove, within the limit. `anneal`: how many galaxies to count before the proof.
    // A free shape is annealed only: it is proven where it reaches the bound of all galaxies.
    Solution solve(const Limit& limit, std::uint64_t anneal) {
        Solution best;
        best.bound = bound_of(root_);
        Limit first = limit;
        if (!free_) first.nodes = std::min(limit.nodes, anneal);
        Annealing(problem_, random_).run(first, best);
        limit_ = limit;
        if (!free_ && best.value < best.bound - TINY) prove(best);
        best.proven = best.value >= best.bound - TINY;
        best.seconds = limit.spent();
        return best;
    }

private:
    static constexpr double TINY = 1e-9;

    struct Node {
        Zones zones;
        unsigned left = 0;      // the tiles that are not laid, as a set
        unsigned possible = 0;  // the joins of the path that can still be
    };

    struct Step {
        int place = 0;
        int tile = -1, turns = -1;                          // where one lies already
        int above = -1, below = -1, left = -1, right = -1;  // places filled before
        std::vector<std::array<Byte, 2>> open;  // fields that touch a gap afterwards: place, corner
        std::vector<int> after;                 // places that must hold an earlier tile
    };

    // What a set of tiles has that are not laid.
    struct Rest {
        std::array<Parts, 4> parts{};
        std::array<int, 4> empty{};      // parts without a planet
        std::array<bool, 4> has{};       // any field of a kind at all
        int longest = 0;                 // the longest path, by the number of their arms
    };

    // What a zone of a colour brings, with what the card adds to it.
    Steps table_of(int colour) const {
        Steps steps = problem_.rules.tables[colour];
        const ColourZones& extra = problem_.rules.colour_zones;
        if (extra.colour == colour) {
            for (int size = extra.planets; size <= Steps::MOST; ++size)
                steps.worth[size] = static_cast<std::int8_t>(steps.worth[size] + extra.points);
            steps.top = std::max(steps.top, extra.planets);
        }
        return steps;
    }

    // The richest tiles come first: the first place of a plan then cuts more.
    void prepare_tiles() {
        tiles_ = problem_.tiles;
        const auto planets = [&](Byte tile) {
            const auto& all = problem_.box->tiles[tile].planets;
            return all[0] + all[1] + all[2] + all[3];
        };
        std::stable_sort(tiles_.begin(), tiles_.end(),
                         [&](Byte one, Byte other) { return planets(one) > planets(other); });
        rests_.resize(std::size_t{1} << tiles_.size());
        for (unsigned left = 0; left < rests_.size(); ++left) rests_[left] = rest_of(left);
    }

    Rest rest_of(unsigned left) const {
        Rest rest;
        int without = 0, ends = 0;
        for (unsigned more = left; more; more &= more - 1) {
            const Face& face = problem_.box->face(rules_, tiles_[std::countr_zero(more)], 0);
            const int arms = std::popcount(face.arms);
            without += arms == 0;
            ends += arms == 1;
            for (int part = 0; part < face.parts; ++part) {
                const int kind = face.kind[part];
                const int size = face.size[part];
                rest.has[kind] = true;
                rest.parts[kind] += groupings_[kind].part(size);
                rest.empty[kind] += !size;
            }
        }
        // Tiles without arms are on no path, and of those with a single one only two can be; where
        // the shape leaves a tile out, it may be one of these.
        const int spare = static_cast<int>(tiles_.size()) - places_;
        rest.longest = places_ - std::max(0, without + std::max(0, ends - 2) - spare);
        return rest;
    }

    int index_of(int tile) const {
        return static_cast<int>(std::find(tiles_.begin(), tiles_.end(), tile) - tiles_.begin());
    }

    // What lies already is laid first; the other places follow in the order of the plan.
    void prepare_steps() {
        const Layout& layout = layout_of(rules_.shape);
        Plan plan = plan_for(rules_.shape, places_);
        if (!problem_.laid.empty() || !rules_.turning) plan.later.clear();
        const auto is_laid = [&](int place) {
            return std::any_of(problem_.laid.begin(), problem_.laid.end(),
                               [&](const Laid& laid) { return laid.slot == layout.slot[place]; });
        };
        std::stable_partition(plan.order.begin(), plan.order.end(), is_laid);
        std::array<int, HAND> when{};
        for (int step = 0; step < places_; ++step) when[plan.order[step]] = step;
        for (int number = 0; number < places_; ++number)
            steps_.push_back(step_for(layout, plan, when, number));
        for (const Step& step : steps_)
            if (step.tile >= 0) laid_ |= 1U << step.tile;
        prepare_joins(layout);
    }

    Step step_for(const Layout& layout, const Plan& plan, const std::array<int, HAND>& when,
                  int number) const {
        Step step;
        step.place = plan.order[number];
        for (const Laid& laid : problem_.laid) {
            if (laid.slot != layout.slot[step.place]) continue;
            step.tile = index_of(laid.tile);
            step.turns = laid.turns;
        }
        for (int place = 0; place < places_; ++place) {
            const int above = layout.above[place], left = layout.left[place];
            const auto link = [&](int& field, int one, int other) {
                if (one == step.place && other >= 0 && when[other] < number) field = other;
            };
            link(step.above, place, above);
            link(step.left, place, left);
            if (above >= 0) link(step.below, above, place);
            if (left >= 0) link(step.right, left, place);
            const auto open = [&](int one, int other, Byte first, Byte second) {
                if (one < 0 || other < 0 || when[one] > number || when[other] <= number) return;
                step.open.push_back({static_cast<Byte>(one), first});
                step.open.push_back({static_cast<Byte>(one), second});
            };
            open(place, above, 0, 1);
            open(above, place, 3, 2);
            open(place, left, 0, 3);
            open(left, place, 1, 2);
        }
        for (const Plan::Later& each : plan.later)
            if (each.place == step.place) step.after.push_back(each.than);
        return step;
    }

    // For each place and set of arms the joins that remain possible.
    void prepare_joins(const Layout& layout) {
        for (int arms = 0; arms < 16; ++arms)
            for (int place = 0; place < places_; ++place) {
                unsigned lost = 0;
                const auto lose = [&](int edge, Byte arm) {
                    if (edge >= 0 && !(arms & arm)) lost |= 1U << edge;
                };
                lose(layout.edge_above[place], NORTH);
                lose(layout.edge_left[place], WEST);
                for (int other = 0; other < places_; ++other) {
                    if (layout.above[other] == place) lose(layout.edge_above[other], SOUTH);
                    if (layout.left[other] == place) lose(layout.edge_left[other], EAST);
                }
                joins_[place][arms] = ~lost;
            }
        root_.possible = (1U << layout.edges) - 1;
        for (int place = places_; place < layout.places; ++place) {  // a part of a shape
            if (layout.edge_above[place] >= 0) root_.possible &= ~(1U << layout.edge_above[place]);
            if (layout.edge_left[place] >= 0) root_.possible &= ~(1U << layout.edge_left[place]);
        }
    }

    void lay(Node& node, const Step& step, int tile, int turns) const {
        const Face& face = problem_.box->face(rules_, tiles_[tile], turns);
        node.zones.lay(step.place, face);
        if (step.above >= 0) node.zones.join_above(step.above, step.place);
        if (step.below >= 0) node.zones.join_above(step.place, step.below);
        if (step.left >= 0) node.zones.join_left(step.left, step.place);
        if (step.right >= 0) node.zones.join_left(step.place, step.right);
        node.left &= ~(1U << tile);
        node.possible &= joins_[step.place][face.arms];
    }

    // No galaxy that goes on from here is worth more than this.
    double bound_of(const Node& node, const Step* step = nullptr) {
        const Rest& rest = rests_[node.left];
        std::uint64_t open = 0;
        if (step)
            for (const auto& [place, corner] : step->open)
                open |= std::uint64_t{1} << node.zones.zone[node.zones.at[place][corner]];
        std::array<Parts, 4> parts = rest.parts;
        std::array<int, 4> empty = rest.empty, closed{}, largest{};
        for (int name = 0; name < node.zones.count; ++name) {
            const int kind = node.zones.kind[name];
            if (kind == JOINED) continue;
            const int size = node.zones.size[name];
            if ((open >> name & 1) && rest.has[kind]) {
                parts[kind] += groupings_[kind].part(size);
                empty[kind] += !size;
            } else {
                closed[kind] += closed_worth(kind, size);
                largest[kind] = std::max(largest[kind], size);
            }
        }
        Markers most{};
        for (int colour = 0; colour < COLOURS; ++colour)
            most[colour] = closed[colour] +
                           (rules_.largest_only
                                ? most_of_one(colour, parts[colour], largest[colour])
                                : groupings_[colour].best(parts[colour], empty[colour]));
        most[STAR] = closed[CONSTELLATION] + groupings_[CONSTELLATION].best(parts[CONSTELLATION], 0);
        most[STAR] += path_points(longest_of(node)) * rules_.path_factor;
        if (rules_.balance.least > 0 && *std::min_element(&most[0], &most[STAR]) >= rules_.balance.least)
            most[STAR] += std::max(0, rules_.balance.points);
        return value_of(most);
    }

    int closed_worth(int kind, int size) const {
        const ColourZones& extra = rules_.colour_zones;
        const int more = kind == extra.colour && size >= extra.planets ? extra.points : 0;
        const bool counts = kind == CONSTELLATION || !rules_.largest_only;
        return (counts ? rules_.tables[kind][size] : 0) + more;
    }

    // Where only the largest zone counts: all that is still open in one zone, or one that is closed.
    int most_of_one(int colour, Parts parts, int closed) const {
        int size = 0;
        for (int each = 1; each <= LARGEST_PART; ++each)
            size += each * static_cast<int>(parts >> (PART_BITS * (each - 1)) & 63);
        int most = 0;
        for (int upto = 0; upto <= std::min(std::max(size, closed), Steps::MOST); ++upto)
            most = std::max(most, rules_.tables[colour][upto]);
        const int extra = rules_.colour_zones.colour == colour
                              ? std::max(0, rules_.colour_zones.points) * FIELDS : 0;
        return (most ? most + rules_.largest_points : 0) + extra;
    }

    int longest_of(const Node& node) const {
        const int most = rests_[node.left].longest;
        if (free_) return most;
        return std::min(most, longest_path(layout_of(rules_.shape), node.possible));
    }

    double value_of(const Markers& gained) const {
        Count count;
        count.points = gained;
        return problem_.goal.value(moved(problem_.goal.totals, count));
    }

    double value_at_end(const Node& node, Count& count) const {
        settle(node.zones, longest_path(layout_of(rules_.shape), node.possible), rules_, count);
        return problem_.goal.value(moved(problem_.goal.totals, count));
    }

    // Search all first tiles, those with the highest bound first: when the limit comes, nothing that
    // was not searched has a higher bound than the one it came at.
    void prove(Solution& best) {
        trail_.assign(places_, {0, 0});
        for (const auto& [tile, turns, below] : branches(root_, 0)) {
            if (below <= best.value + TINY) break;
            try_one(root_, 0, tile, turns, best);
            if (stopped_) {
                best.bound = std::min(best.bound, std::max(below, best.value));
                return;
            }
        }
        best.bound = best.value;
    }

    struct Branch {
        int tile, turns;
        double bound;
    };

    std::vector<Branch> branches(const Node& node, int depth) {
        std::vector<Branch> found;
        for_each_choice(node, depth, [&](int tile, int turns) {
            Node next = node;
            lay(next, steps_[depth], tile, turns);
            found.push_back({tile, turns, bound_of(next, &steps_[depth])});
        });
        std::stable_sort(found.begin(), found.end(),
                         [](const Branch& a, const Branch& b) { return a.bound > b.bound; });
        return found;
    }

    template <typename Visit>
    void for_each_choice(const Node& node, int depth, Visit visit) {
        const Step& step = steps_[depth];
        const int orientations = rules_.turning ? 4 : 1;
        if (step.tile >= 0) return visit(step.tile, step.turns);
        for (unsigned left = node.left & ~laid_; left; left &= left - 1) {
            const int tile = std::countr_zero(left);
            if (!may_follow(step, tile)) continue;
            for (int turns = 0; turns < orientations; ++turns) visit(tile, turns);
        }
    }

    void try_one(const Node& node, int depth, int tile, int turns, Solution& best) {
        if (stopped_ || (stopped_ = limit_.over(best.nodes))) return;
        ++best.nodes;
        Node next = node;
        const Step& step = steps_[depth];
        lay(next, step, tile, turns);
        trail_[depth] = {tile, turns};
        tile_at_[step.place] = tile;
        if (depth + 1 == places_)
            finish(next, best);
        else if (bound_of(next, &step) > best.value + TINY)
            for_each_choice(next, depth + 1,
                            [&](int t, int r) { try_one(next, depth + 1, t, r, best); });
    }

    bool may_follow(const Step& step, int tile) const {
        for (const int than : step.after)
            if (tile_at_[than] > tile) return false;
        return true;
    }

    void finish(const Node& node, Solution& best) {
        Count count;
        const double value = value_at_end(node, count);
        if (value <= best.value + TINY) return;
        best.value = value;
        best.count = count;
        best.galaxy.clear();
        for (int depth = 0; depth < places_; ++depth)
            best.galaxy.push_back({layout_of(rules_.shape).slot[steps_[depth].place],
                                   tiles_[trail_[depth][0]],
                                   static_cast<Byte>(trail_[depth][1])});
        std::sort(best.galaxy.begin(), best.galaxy.end(),
                  [](const Laid& one, const Laid& other) { return one.slot < other.slot; });
    }

    const Problem& problem_;
    const Rules& rules_;
    Random& random_;
    std::array<Grouping, 4> groupings_;
    std::vector<Byte> tiles_;
    std::vector<Rest> rests_;  // for each set of tiles that are not laid
    Node root_;
    unsigned laid_ = 0;  // tiles that lie already
    std::vector<Step> steps_;
    std::array<std::array<unsigned, 16>, HAND> joins_{};
    std::vector<std::array<int, 2>> trail_;
    std::array<int, HAND> tile_at_{};
    Limit limit_;
    int places_ = 0;
    bool free_ = false;
    bool stopped_ = false;
};

}  // namespace tuilerie::kaosmos
