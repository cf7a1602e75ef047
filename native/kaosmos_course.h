// The course of a search over galaxies: which place is filled when, and what touches what on the way.
#pragma once

#include "kaosmos_goal.h"

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

// A field of a tile that lies: corners are NW 0, NE 1, SE 2, SW 3.
struct Field {
    Byte place, corner;
    friend bool operator==(const Field&, const Field&) = default;
};

struct Step {
    // A field that was open before, by its number there, and the corner of the new tile beside it.
    struct Touch {
        Byte before, corner;
    };
    // Where a field that is open afterwards comes from: its number before, or a corner of the tile.
    struct Source {
        bool is_new;
        Byte number;
    };

    int place = 0;
    int tile = -1, turns = -1;                          // where one lies already
    int above = -1, below = -1, left = -1, right = -1;  // places filled before
    std::vector<Field> open;                            // what touches a gap afterwards
    std::vector<Touch> touches;
    std::vector<Source> sources;  // of `open`
    std::vector<int> after;       // places that must hold an earlier tile
};

// A fixed shape, step by step. Tiles are known by their number in `tiles`.
class Course {
public:
    std::vector<Step> steps;
    unsigned laid = 0;      // tiles that lie already; their steps come first
    unsigned possible = 0;  // all joins of the path that there can be

    Course() = default;

    Course(const Problem& problem, const std::vector<Byte>& tiles, int places)
        : layout_(&layout_of(problem.rules.shape)), places_(places) {
        Plan plan = plan_for(problem.rules.shape, places);
        if (!problem.laid.empty() || !problem.rules.turning) plan.later.clear();
        const auto is_laid = [&](int place) { return laid_at(problem, place) != nullptr; };
        std::stable_partition(plan.order.begin(), plan.order.end(), is_laid);
        for (int step = 0; step < places; ++step) when_[plan.order[step]] = step;
        for (int number = 0; number < places; ++number) {
            steps.push_back(step_for(plan, number));
            if (const Laid* lies = laid_at(problem, plan.order[number])) {
                const auto found = std::find(tiles.begin(), tiles.end(), lies->tile);
                steps.back().tile = static_cast<int>(found - tiles.begin());
                steps.back().turns = lies->turns;
                laid |= 1U << steps.back().tile;
            }
        }
        prepare_joins();
    }

    int places() const { return places_; }
    const Layout& layout() const { return *layout_; }

    // The joins of the path that remain possible when a tile with these arms lies here.
    unsigned joins(int place, Byte arms) const { return joins_[place][arms]; }

private:
    const Laid* laid_at(const Problem& problem, int place) const {
        for (const Laid& laid : problem.laid)
            if (laid.slot == layout_->slot[place]) return &laid;
        return nullptr;
    }

    struct Meeting {
        Byte own, its;
    };
    using Sides = std::array<Meeting, 2>;

    // Visits the four sides of a place where another one lies: that place, and for both of the
    // fields there the corner of this place and the corner of the other one.
    template <typename Visit>
    void for_each_side(int place, Visit visit) const {
        for (int other = 0; other < places_; ++other) {
            if (layout_->above[place] == other) visit(other, Sides{{{0, 3}, {1, 2}}});
            if (layout_->left[place] == other) visit(other, Sides{{{0, 1}, {3, 2}}});
            if (layout_->above[other] == place) visit(other, Sides{{{3, 0}, {2, 1}}});
            if (layout_->left[other] == place) visit(other, Sides{{{1, 0}, {2, 3}}});
        }
    }

    Step step_for(const Plan& plan, int number) const {
        Step step;
        step.place = plan.order[number];
        const auto filled = [&](int place) { return place >= 0 && when_[place] < number; };
        const auto link = [&](int& field, int one, int other) {
            if (one == step.place && filled(other)) field = other;
        };
        for (int place = 0; place < places_; ++place) {
            link(step.above, place, layout_->above[place]);
            link(step.left, place, layout_->left[place]);
            link(step.below, layout_->above[place], place);
            link(step.right, layout_->left[place], place);
        }
        for (const Plan::Later& each : plan.later)
            if (each.place == step.place) step.after.push_back(each.than);
        step.open = open_after(number);
        const std::vector<Field> before = open_after(number - 1);
        const auto number_of = [&](Field field) {
            return static_cast<Byte>(std::find(before.begin(), before.end(), field) - before.begin());
        };
        for_each_side(step.place, [&](int other, const Sides& sides) {
            if (!filled(other)) return;
            for (const auto& [own, its] : sides)
                step.touches.push_back({number_of({static_cast<Byte>(other), its}), own});
        });
        for (const Field& field : step.open) {
            const bool is_new = field.place == step.place;
            step.sources.push_back({is_new, is_new ? field.corner : number_of(field)});
        }
        return step;
    }

    // The fields that touch a gap when so many steps (counted from 0) are done, each once.
    std::vector<Field> open_after(int number) const {
        std::vector<Field> open;
        for (int place = 0; place < places_; ++place) {
            if (when_[place] > number) continue;
            for_each_side(place, [&](int other, const Sides& sides) {
                if (when_[other] <= number) return;
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
        possible = (1U << layout_->edges) - 1;
        for (int place = places_; place < layout_->places; ++place) {  // a part of a shape
            if (layout_->edge_above[place] >= 0) possible &= ~(1U << layout_->edge_above[place]);
            if (layout_->edge_left[place] >= 0) possible &= ~(1U << layout_->edge_left[place]);
        }
    }

    const Layout* layout_ = nullptr;
    int places_ = 0;
    std::array<int, HAND> when_{};
    std::array<std::array<unsigned, 16>, HAND> joins_{};
};

}  // namespace tuilerie::kaosmos
