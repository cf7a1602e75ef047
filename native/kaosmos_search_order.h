// Search order for a fixed shape: which place is filled at which depth, which symmetric galaxies are
// skipped, and, precomputed for every depth, which fields touch a place that is still empty.
#pragma once

#include "kaosmos_goal.h"

namespace tuilerie::kaosmos {

// The order in which the places of a shape are filled, chosen to close zones as early as possible,
// and symmetry breaking: where the whole shape can be rotated without changing the count, `place`
// must hold a tile with a higher number than `earlier`. So only one of the rotations is searched.
struct PlaceOrder {
    struct SymmetryBreak {
        int place, earlier;
    };
    std::vector<int> order;
    std::vector<SymmetryBreak> symmetry_breaks;
};

inline PlaceOrder place_order_for(Shape shape, int places) {
    PlaceOrder plan;
    for (int place = 0; place < places; ++place) plan.order.push_back(place);
    if (places < size_of(shape)) return plan;  // fewer tiles than places
    switch (shape) {
        case Shape::SQUARE:  // boustrophedon: measured to need a tenth fewer nodes
            plan.order = {0, 1, 2, 5, 4, 3, 6, 7, 8};
            plan.symmetry_breaks = {{2, 0}, {6, 0}, {8, 0}};
            break;
        case Shape::ROW: plan.symmetry_breaks = {{8, 0}}; break;
        case Shape::RING:  // around the ring: the frontier never has more than two ends
            plan.order = {0, 1, 2, 4, 7, 6, 5, 3};
            plan.symmetry_breaks = {{2, 0}, {5, 0}, {7, 0}};
            break;
        case Shape::TWINS:  // one square, then the other; the two are interchangeable
            plan.order = {0, 1, 4, 5, 2, 3, 6, 7};
            plan.symmetry_breaks = {{1, 0}, {4, 0}, {5, 0}, {3, 2}, {6, 2}, {7, 2}, {2, 0}};
            break;
        case Shape::FREE: break;
    }
    return plan;
}

// One field of a placed tile. Corners are NW 0, NE 1, SE 2, SW 3.
struct Field {
    Byte place, corner;
    friend bool operator==(const Field&, const Field&) = default;
};

// One depth of the search: the place that is filled, and how the set of open fields changes. A field
// is open while it touches an empty place.
struct Step {
    // An adjacency: an open field by its index before this step, and the corner of the new tile.
    struct Contact {
        Byte before, corner;
    };
    // Where a field that is open afterwards comes from: its index before, or a corner of the new tile.
    struct Source {
        bool is_new;
        Byte number;
    };

    int place = 0;
    int tile = -1, turns = -1;                          // given in the problem; otherwise -1
    int above = -1, below = -1, left = -1, right = -1;  // neighbours filled earlier
    std::vector<Field> open;                            // after this step
    std::vector<Contact> contacts;
    std::vector<Source> sources;  // of `open`
    std::vector<int> earlier_tile_at;  // symmetry breaking: places that must hold a lower tile
};

// The steps for a fixed shape. Tiles are identified by their index in `tiles`.
class SearchOrder {
public:
    std::vector<Step> steps;
    unsigned laid_tiles = 0;      // bit set of the tiles given in the problem; their steps come first
    unsigned possible_joins = 0;  // bit set of all joins between the places that are used

    SearchOrder() = default;

    SearchOrder(const Problem& problem, const std::vector<Byte>& tiles, int places)
        : layout_(&layout_of(problem.rules.shape)), places_(places) {
        PlaceOrder plan = place_order_for(problem.rules.shape, places);
        if (!problem.laid.empty() || !problem.rules.turning) plan.symmetry_breaks.clear();
        const auto is_laid = [&](int place) { return laid_at(problem, place) != nullptr; };
        std::stable_partition(plan.order.begin(), plan.order.end(), is_laid);
        for (int step = 0; step < places; ++step) step_of_[plan.order[step]] = step;
        for (int number = 0; number < places; ++number) {
            steps.push_back(step_for(plan, number));
            if (const Laid* given = laid_at(problem, plan.order[number])) {
                const auto found = std::find(tiles.begin(), tiles.end(), given->tile);
                steps.back().tile = static_cast<int>(found - tiles.begin());
                steps.back().turns = given->turns;
                laid_tiles |= 1U << steps.back().tile;
            }
        }
        prepare_joins();
    }

    int places() const { return places_; }
    const Layout& layout() const { return *layout_; }

    // Mask of the joins that remain possible when a tile with these arms is placed here.
    unsigned joins(int place, Byte arms) const { return joins_[place][arms]; }

private:
    const Laid* laid_at(const Problem& problem, int place) const {
        for (const Laid& each : problem.laid)
            if (each.slot == layout_->slot[place]) return &each;
        return nullptr;
    }

    struct CornerPair {
        Byte own, its;
    };
    using Sides = std::array<CornerPair, 2>;

    // Visits each neighbour of a place, with the two pairs of corners that touch across the edge.
    template <typename Visit>
    void for_each_side(int place, Visit visit) const {
        for (int other = 0; other < places_; ++other) {
            if (layout_->above[place] == other) visit(other, Sides{{{0, 3}, {1, 2}}});
            if (layout_->left[place] == other) visit(other, Sides{{{0, 1}, {3, 2}}});
            if (layout_->above[other] == place) visit(other, Sides{{{3, 0}, {2, 1}}});
            if (layout_->left[other] == place) visit(other, Sides{{{1, 0}, {2, 3}}});
        }
    }

    Step step_for(const PlaceOrder& plan, int number) const {
        Step step;
        step.place = plan.order[number];
        const auto filled = [&](int place) { return place >= 0 && step_of_[place] < number; };
        const auto link = [&](int& field, int one, int other) {
            if (one == step.place && filled(other)) field = other;
        };
        for (int place = 0; place < places_; ++place) {
            link(step.above, place, layout_->above[place]);
            link(step.left, place, layout_->left[place]);
            link(step.below, layout_->above[place], place);
            link(step.right, layout_->left[place], place);
        }
        for (const PlaceOrder::SymmetryBreak& each : plan.symmetry_breaks)
            if (each.place == step.place) step.earlier_tile_at.push_back(each.earlier);
        step.open = open_after(number);
        const std::vector<Field> before = open_after(number - 1);
        const auto number_of = [&](Field field) {
            return static_cast<Byte>(std::find(before.begin(), before.end(), field) - before.begin());
        };
        for_each_side(step.place, [&](int other, const Sides& sides) {
            if (!filled(other)) return;
            for (const auto& [own, its] : sides)
                step.contacts.push_back({number_of({static_cast<Byte>(other), its}), own});
        });
        for (const Field& field : step.open) {
            const bool is_new = field.place == step.place;
            step.sources.push_back({is_new, is_new ? field.corner : number_of(field)});
        }
        return step;
    }

    // The open fields after step `number` (counted from 0), each once.
    std::vector<Field> open_after(int number) const {
        std::vector<Field> open;
        for (int place = 0; place < places_; ++place) {
            if (step_of_[place] > number) continue;
            for_each_side(place, [&](int other, const Sides& sides) {
                if (step_of_[other] <= number) return;
                for (const auto& [own, its] : sides) {
                    const Field field{static_cast<Byte>(place), own};
                    if (std::find(open.begin(), open.end(), field) == open.end())
                        open.push_back(field);
                }
            });
        }
        return open;
    }

    void prepare_joins() {
        for (int arms = 0; arms < 16; ++arms)
            for (int place = 0; place < places_; ++place) {
                unsigned lost = 0;
                const auto lose = [&](int edge, Byte arm) {
                    if (edge >= 0 && !(arms & arm)) lost |= 1U << edge;
                };
                lose(layout_->edge_above[place], NORTH);
                lose(layout_->edge_left[place], WEST);
                for (int other = 0; other < places_; ++other) {
                    if (layout_->above[other] == place) lose(layout_->edge_above[other], SOUTH);
                    if (layout_->left[other] == place) lose(layout_->edge_left[other], EAST);
                }
                joins_[place][arms] = ~lost;
            }
        possible_joins = (1U << layout_->edges) - 1;
        for (int place = places_; place < layout_->places; ++place) {  // places that stay empty
            if (layout_->edge_above[place] >= 0) possible_joins &= ~(1U << layout_->edge_above[place]);
            if (layout_->edge_left[place] >= 0) possible_joins &= ~(1U << layout_->edge_left[place]);
        }
    }

    const Layout* layout_ = nullptr;
    int places_ = 0;
    std::array<int, HAND> step_of_{};
    std::array<std::array<unsigned, 16>, HAND> joins_{};
};

}  // namespace tuilerie::kaosmos
