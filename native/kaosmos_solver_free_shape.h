// Branch and bound for the best galaxy of free shape, with a proof of optimality.
//
// Shapes are not enumerated. The galaxy grows cell by cell: an open cell next to a placed tile is
// either filled with a tile or declared empty for good, which reaches every galaxy. The order of these
// decisions is free, and chosen to prune early:
//
// - The path first. Colour points are easy to get in a free shape; a long path as well is not. So
//   galaxies are searched by the length of their path, longest first, and the path is placed before
//   anything else: its arms leave few orientations for each tile.
// - Then forced cells: cells that must be filled, because leaving them empty would close a zone that
//   is needed to beat the best galaxy known. If there are more of them than tiles, the node is pruned.
#pragma once

#include <functional>

#include "kaosmos_bound_free_shape.h"

namespace tuilerie::kaosmos {

class FreeShapeSolver {
public:
    // `turns`: the distinct orientations of each tile.
    FreeShapeSolver(const Problem& problem, const std::vector<Byte>& tiles,
                    const std::vector<std::vector<int>>& turns)
        : problem_(&problem), tiles_(tiles), turns_(turns), bounds_(problem, tiles),
          root_((1U << tiles.size()) - 1) {
        if (!problem.laid.empty()) lay_given_tiles();
        root_bound_ = bounds_.bound(root_, bounds_.max_path(root_), -1e9, root_.max_points);
    }

    // Upper bound at the root: no galaxy is worth more.
    double bound() const { return root_bound_; }

    // Search all galaxies that could beat `best`, and improve it. `stop_requested` is called at every
    // node and may itself improve `best`. If it stops the search, `best.bound` covers what was not
    // searched.
    void prove(Solution& best, const std::function<bool()>& stop_requested) {
        best_ = &best;
        stop_requested_ = &stop_requested;
        max_path_ = bounds_.max_path(root_);
        if (root_.laid) {
            decide_gaps(root_, gaps_beside(root_));
        } else {
            for (const int length : {9, 6, 4, 0}) search_with_path(length);
        }
        best.bound = stopped_ ? std::min(best.bound, std::max(best.value, bound_with_path(root_)))
                              : best.value;
    }

private:
    static constexpr double EPSILON = FreeShapeBound::EPSILON;

    struct Branch {
        int tile, turns;
        double bound;
        std::array<int, 4> max_points;
    };

    // An open cell next to a placed tile. `forced`: it must be filled. `viable`: bit set of the tiles
    // and turns that are not pruned there.
    struct Gap {
        int cell;
        bool forced = false;
        std::uint64_t viable = ~std::uint64_t{0};
    };
    using Gaps = std::vector<Gap>;

    // --- the root --------------------------------------------------------------------------------

    // Given tiles keep their slots, so the galaxy must stay within the frame.
    void lay_given_tiles() {
        root_.at.fill(FreeGalaxy::EMPTY);
        for (int slot = 0; slot < SLOTS; ++slot)
            root_.at[cell_of(slot)] = FreeGalaxy::OPEN;
        for (const Laid& each : problem_->laid) {
            const auto tile = std::find(tiles_.begin(), tiles_.end(), each.tile) - tiles_.begin();
            lay(root_, cell_of(each.slot), static_cast<int>(tile), each.turns);
        }
    }

    static constexpr int MARGIN = (FreeGalaxy::WIDTH - FRAME) / 2;

    static int cell_of(int slot) {
        return (slot / FRAME + MARGIN) * FreeGalaxy::WIDTH + slot % FRAME + MARGIN;
    }

    // Search all galaxies with a path of at least `length`, except those of an earlier, longer length.
    // A length is skipped if its path scores no more than a shorter one.
    void search_with_path(int length) {
        if (stopped_ || length > max_path_) return;
        const double shorter = bounds_.value(root_.max_points, length - 1);
        if (length && bound_with_path(root_) <= shorter + EPSILON) return;
        if (bound_with_path(root_) > best_->value + EPSILON) {
            if (length)
                search_paths(length);
            else
                start_with(0, 0, [&](const FreeGalaxy& galaxy) {
                    decide_gaps(galaxy, gaps_beside(galaxy));
                });
        }
        if (!stopped_) max_path_ = length - 1;
    }

    template <typename Go>
    void start_with(int tile, int turns, Go go) {
        FreeGalaxy galaxy = root_;
        lay(galaxy, FreeGalaxy::MIDDLE, tile, turns);
        if (!can_prune(galaxy)) go(galaxy);
    }

    // Symmetry breaking. A path has two ends: it starts at the one with the lower tile. If all tiles
    // are on it, a tile with a single arm is an end, and it starts there. The whole galaxy can be
    // rotated, so the first step goes east, unless tiles may not be rotated.
    void search_paths(int length) {
        const bool uses_all = length == static_cast<int>(tiles_.size());
        starts_at_end_ = uses_all && bounds_.single_armed();
        for (int tile = 0; tile < static_cast<int>(tiles_.size()); ++tile) {
            if (starts_at_end_ && tile != std::countr_zero(bounds_.single_armed())) continue;
            for (const int turns : turns_[tile])
                for (int side = 0; side < 4; ++side) {
                    if (problem_->rules.turning && Byte{1} << side != EAST) continue;
                    if (!(face(tile, turns).arms >> side & 1)) continue;
                    start_with(tile, turns, [&](const FreeGalaxy& galaxy) {
                        extend_path(galaxy, FreeGalaxy::MIDDLE, side, length - 1, tile);
                    });
                }
        }
    }

    // --- the path --------------------------------------------------------------------------------

    // Place the next tile of the path, on one side of cell `from`; `length` tiles are still to come.
    // `first`: the tile at the start.
    void extend_path(const FreeGalaxy& before, int from, int side, int length, int first) {
        if (should_stop()) return;
        const int cell = from + FreeGalaxy::SIDES[side], back = (side + 2) & 3;
        for (unsigned remaining = before.remaining; remaining; remaining &= remaining - 1) {
            const int tile = std::countr_zero(remaining);
            if (length == 1 && tile < first && !starts_at_end_) continue;
            for (const int turns : turns_[tile]) {
                const int arms = face(tile, turns).arms;
                if (!(arms >> back & 1)) continue;
                FreeGalaxy galaxy = before;
                lay(galaxy, cell, tile, turns);
                if (length > 1)
                    branch_path(galaxy, cell, arms & ~(1 << back), length - 1, first);
                else if (!can_prune(galaxy))
                    decide_gaps(galaxy, gaps_beside(galaxy));
            }
        }
    }

    // Continue the path through each of these arms. If it uses all remaining tiles, cells that it
    // cannot reach are closed, which tightens the bound.
    void branch_path(FreeGalaxy& galaxy, int cell, int arms, int length, int first) {
        const bool uses_all = length == std::popcount(galaxy.remaining);
        if (!uses_all && (!arms || can_prune(galaxy))) return;
        for (int side = 0; side < 4; ++side) {
            const int next = cell + FreeGalaxy::SIDES[side];
            if (!(arms >> side & 1) || galaxy.at[next] != FreeGalaxy::OPEN) continue;
            if (!uses_all) {
                extend_path(galaxy, cell, side, length, first);
                continue;
            }
            FreeGalaxy closed = galaxy;
            closed.close_beyond(next, length);
            if (!can_prune(closed)) extend_path(closed, cell, side, length, first);
        }
    }

    // --- all other cells -------------------------------------------------------------------------

    Gaps gaps_beside(const FreeGalaxy& galaxy) const {
        Gaps gaps;
        for (int place = 0; place < galaxy.laid; ++place)
            add_gaps(galaxy, galaxy.cell[place], gaps);
        return gaps;
    }

    static void add_gaps(const FreeGalaxy& galaxy, int cell, Gaps& gaps) {
        for (const int side : FreeGalaxy::SIDES) {
            const auto same = [&](const Gap& gap) { return gap.cell == cell + side; };
            const bool is_open = galaxy.at[cell + side] == FreeGalaxy::OPEN;
            if (is_open && std::none_of(gaps.begin(), gaps.end(), same))
                gaps.push_back({cell + side});
        }
    }

    // Branch on the gap with the fewest viable tiles, forced cells first: fill it with each of them,
    // then leave it empty.
    void decide_gaps(FreeGalaxy galaxy, Gaps gaps) {
        if (should_stop()) return;
        if (galaxy.is_complete()) return record_if_better(galaxy);
        const int tiles_left = std::popcount(galaxy.remaining);
        const int forced = find_forced_cells(galaxy, gaps, tiles_left);
        if (forced > tiles_left) return;
        if (forced == tiles_left && !close_unforced_cells(galaxy, gaps)) return;
        std::size_t chosen = gaps.size();
        std::vector<Branch> branches;
        for (std::size_t at = 0; at < gaps.size(); ++at) {
            if (forced && !gaps[at].forced) continue;
            std::vector<Branch> found = branches_for(galaxy, gaps[at]);
            if (found.empty() && gaps[at].forced) return;
            if (tiles_left == 1) continue;  // leaves: `branches_for` has recorded them
            if (chosen < gaps.size() && found.size() >= branches.size()) continue;
            branches = std::move(found);
            chosen = at;
        }
        if (chosen == gaps.size()) return;
        const Gap gap = gaps[chosen];
        gaps.erase(gaps.begin() + static_cast<std::ptrdiff_t>(chosen));
        for (const Branch& branch : branches) {
            if (branch.bound <= best_->value + EPSILON) break;
            FreeGalaxy next = galaxy;
            lay(next, gap.cell, branch.tile, branch.turns);
            next.max_points = branch.max_points;
            Gaps others = gaps;
            add_gaps(next, gap.cell, others);
            decide_gaps(next, std::move(others));
        }
        if (gap.forced || gaps.empty()) return;
        galaxy.at[gap.cell] = FreeGalaxy::EMPTY;
        if (!can_prune(galaxy)) decide_gaps(galaxy, std::move(gaps));
    }

    // Marks forced cells and returns their number; stops once there are more than `limit`. Cells that
    // were forced most often before are tested first (history heuristic).
    int find_forced_cells(FreeGalaxy& galaxy, Gaps& gaps, int limit) {
        std::stable_sort(gaps.begin(), gaps.end(), [&](const Gap& one, const Gap& other) {
            if (one.forced != other.forced) return one.forced;
            return times_forced_[one.cell] > times_forced_[other.cell];
        });
        const FreeGalaxy::ZoneSpace zone_space = galaxy.zone_space();
        int forced = 0;
        for (Gap& gap : gaps) {
            if (!gap.forced) {
                gap.forced = can_prune_without(galaxy, gap.cell, zone_space);
                times_forced_[gap.cell] += gap.forced;
            }
            forced += gap.forced;
            if (forced > limit) break;
        }
        return forced;
    }

    // Whether the node can be pruned if the cell stays empty. If no zone loses space, it cannot; the
    // path is not considered.
    bool can_prune_without(FreeGalaxy& galaxy, int cell, const FreeGalaxy::ZoneSpace& zone_space) {
        const FreeGalaxy::ZoneSpace space = galaxy.zone_space_without(cell, zone_space);
        if (space == zone_space) return false;
        std::array<int, 4> max_points{};
        const double found =
            bounds_.bound(galaxy, space, path_limit(galaxy), best_->value, max_points);
        return found <= best_->value + EPSILON;
    }

    // There are as many forced cells as tiles: all other cells stay empty. False if that is pruned.
    bool close_unforced_cells(FreeGalaxy& galaxy, Gaps& gaps) {
        std::replace(galaxy.at.begin(), galaxy.at.end(), FreeGalaxy::OPEN, FreeGalaxy::EMPTY);
        std::erase_if(gaps, [](const Gap& gap) { return !gap.forced; });
        for (const Gap& gap : gaps) galaxy.at[gap.cell] = FreeGalaxy::OPEN;
        return !can_prune(galaxy);
    }

    // The viable tiles and orientations for a gap, highest bound first. What is pruned here stays pruned
    // in all descendants. Complete galaxies are recorded.
    std::vector<Branch> branches_for(const FreeGalaxy& galaxy, Gap& gap) {
        std::vector<Branch> found;
        std::array<int, 4> max_points{};
        for (unsigned remaining = galaxy.remaining; remaining; remaining &= remaining - 1) {
            const int tile = std::countr_zero(remaining);
            for (const int turns : turns_[tile]) {
                const std::uint64_t bit = std::uint64_t{1} << (4 * tile + turns);
                if (!(gap.viable & bit)) continue;
                FreeGalaxy next = galaxy;
                lay(next, gap.cell, tile, turns);
                const double bound = this->bound(next, max_points);
                if (bound <= best_->value + EPSILON) {
                    gap.viable &= ~bit;
                    continue;
                }
                if (next.is_complete()) record(next);
                found.push_back({tile, turns, bound, max_points});
            }
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Branch& a, const Branch& b) { return a.bound > b.bound; });
        return found;
    }

    // --- helpers ---------------------------------------------------------------------------------

    const Face& face(int tile, int turns) const {
        return problem_->box->face(problem_->rules, tiles_[tile], turns);
    }

    void lay(FreeGalaxy& galaxy, int cell, int tile, int turns) const {
        galaxy.lay(cell, tile, turns, face(tile, turns));
    }

    // Galaxies with longer paths were searched before, if the path is placed first. Otherwise the arms
    // bound the path.
    int path_limit(const FreeGalaxy& galaxy) const {
        return root_.laid ? bounds_.max_path(galaxy) : max_path_;
    }

    double bound(const FreeGalaxy& galaxy, std::array<int, 4>& max_points) {
        return bounds_.bound(galaxy, path_limit(galaxy), best_->value, max_points);
    }

    bool can_prune(FreeGalaxy& galaxy) {
        return bound(galaxy, galaxy.max_points) <= best_->value + EPSILON;
    }

    double bound_with_path(const FreeGalaxy& galaxy) const {
        return bounds_.value(galaxy.max_points, max_path_);
    }

    // Adds the evaluations since the last call to the node count, too.
    bool should_stop() {
        best_->nodes += bounds_.evaluations() - counted_evaluations_;
        counted_evaluations_ = bounds_.evaluations();
        stopped_ = stopped_ || (*stop_requested_)();
        return stopped_;
    }

    void record_if_better(const FreeGalaxy& complete) {
        if (bounds_.value_of(complete) > best_->value + EPSILON) record(complete);
    }

    // Translated into the frame: to the slots of given tiles, or to the upper left corner.
    void record(const FreeGalaxy& complete) {
        best_->value = bounds_.value_of(complete);
        best_->count = bounds_.count_of(complete);
        best_->galaxy.clear();
        int top = FreeGalaxy::WIDTH, left = FreeGalaxy::WIDTH;
        for (int place = 0; place < complete.laid; ++place) {
            top = std::min(top, complete.cell[place] / FreeGalaxy::WIDTH);
            left = std::min(left, complete.cell[place] % FreeGalaxy::WIDTH);
        }
        if (root_.laid) top = left = MARGIN;
        for (int place = 0; place < complete.laid; ++place) {
            const int row = complete.cell[place] / FreeGalaxy::WIDTH - top;
            const int column = complete.cell[place] % FreeGalaxy::WIDTH - left;
            best_->galaxy.push_back({static_cast<Byte>(row * FRAME + column),
                                     tiles_[complete.tile[place]], complete.turns[place]});
        }
        std::sort(best_->galaxy.begin(), best_->galaxy.end(),
                  [](const Laid& one, const Laid& other) { return one.slot < other.slot; });
    }

    const Problem* problem_;
    std::vector<Byte> tiles_;
    std::vector<std::vector<int>> turns_;
    FreeShapeBound bounds_;
    FreeGalaxy root_;
    double root_bound_ = 0;
    int max_path_ = 0;  // galaxies with longer paths have been searched
    bool starts_at_end_ = false;
    Solution* best_ = nullptr;
    const std::function<bool()>* stop_requested_ = nullptr;
    std::uint64_t counted_evaluations_ = 0;  // those already in `best_->nodes`
    std::array<std::uint32_t, FreeGalaxy::WIDTH * FreeGalaxy::WIDTH> times_forced_{};  // by cell
    bool stopped_ = false;
};

}  // namespace tuilerie::kaosmos
