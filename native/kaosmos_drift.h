// The best galaxy of any shape, with a proof: branch and bound that grows in all directions.
//
// A galaxy of any shape is nothing but tiles side by side, so no list of shapes is needed: a cell
// beside what lies is either filled with a tile or stays empty for good, and every galaxy is met in
// one of these ways. In which order cells are decided is free, and decides how much is cut:
//
// - The path comes first. Most tiles bring their points in some galaxy anyway; what is hard is to
//   have a long path, too. So galaxies are searched by the length of their path, the longest first,
//   and a path is laid tile by tile. Arms leave few ways to turn a tile.
// - Then come the cells that must be filled: left empty, they would close a zone that is needed.
//   Where more of them are open than tiles are left, nothing can come of it.
#pragma once

#include <functional>

#include "kaosmos_horizon.h"

namespace tuilerie::kaosmos {

class Drift {
public:
    // `turns`: for each tile the orientations that differ.
    Drift(const Problem& problem, const std::vector<Byte>& tiles,
          const std::vector<std::vector<int>>& turns)
        : problem_(&problem), tiles_(tiles), turns_(turns), horizon_(problem, tiles),
          root_((1U << tiles.size()) - 1) {
        if (!problem.laid.empty()) lay_what_lies();
        bound_ = horizon_.bound(root_, horizon_.longest(root_), -1e9, root_.most);
    }

    // No galaxy is worth more.
    double bound() const { return bound_; }

    // Search all galaxies that could be better than `best`. `is_over` is asked at every step; it may
    // find better ones in the meantime. The bound of what was not searched is kept, where it ends.
    void prove(Solution& best, const std::function<bool()>& is_over) {
        best_ = &best;
        is_over_ = &is_over;
        longest_ = horizon_.longest(root_);
        if (root_.laid) {
            fill(root_, beside(root_));
        } else {
            for (const int length : {9, 6, 4, 0}) search_with_path(length);
        }
        best.bound = stopped_ ? std::min(best.bound, std::max(best.value, value_at(root_)))
                              : best.value;
    }

private:
    static constexpr double TINY = Horizon::TINY;

    struct Option {
        int tile, turns;
        double bound;
        std::array<int, 4> most;
    };

    // A cell beside what lies that may be filled. `hopeful`: tiles and turns that may go there.
    struct Gap {
        int cell;
        bool must = false;
        std::uint64_t hopeful = ~std::uint64_t{0};
    };
    using Gaps = std::vector<Gap>;

    // --- where it begins -------------------------------------------------------------------------

    // Where tiles lie already, they stay in the frame, and so does all that comes.
    void lay_what_lies() {
        static constexpr int margin = (Sky::WIDTH - FRAME) / 2;
        root_.at.fill(Sky::EMPTY);
        for (int slot = 0; slot < SLOTS; ++slot)
            root_.at[(slot / FRAME + margin) * Sky::WIDTH + slot % FRAME + margin] = Sky::OPEN;
        for (const Laid& each : problem_->laid) {
            const auto tile = std::find(tiles_.begin(), tiles_.end(), each.tile) - tiles_.begin();
            lay(root_, (each.slot / FRAME + margin) * Sky::WIDTH + each.slot % FRAME + margin,
                static_cast<int>(tile), each.turns);
        }
    }

    // All galaxies with a path of at least so many tiles, among those that were not searched yet. A
    // length is left out where the path would bring no more than a shorter one.
    void search_with_path(int length) {
        if (stopped_ || length > longest_) return;
        if (length && value_at(root_) <= horizon_.value(root_.most, length - 1) + TINY) return;
        if (value_at(root_) > best_->value + TINY) {
            if (length)
                begin_paths(length);
            else
                begin_with(0, 0, [&](const Sky& sky) { fill(sky, beside(sky)); });
        }
        if (!stopped_) longest_ = length - 1;
    }

    template <typename Go>
    void begin_with(int tile, int turns, Go go) {
        Sky sky = root_;
        lay(sky, Sky::MIDDLE, tile, turns);
        if (!is_hopeless(sky)) go(sky);
    }

    // A path has two ends: it is met from the one whose tile comes first. Where all tiles are on it,
    // one with a single arm is an end; then it begins there. And as the galaxy can be turned as a
    // whole, the first step goes to the right, unless tiles may not be turned.
    void begin_paths(int length) {
        const bool all = length == static_cast<int>(tiles_.size());
        from_end_ = all && horizon_.ends();
        for (int tile = 0; tile < static_cast<int>(tiles_.size()); ++tile) {
            if (from_end_ && tile != std::countr_zero(horizon_.ends())) continue;
            for (const int turns : turns_[tile])
                for (int side = 0; side < 4; ++side) {
                    if (problem_->rules.turning && Byte{1} << side != EAST) continue;
                    if (!(face(tile, turns).arms >> side & 1)) continue;
                    begin_with(tile, turns, [&](const Sky& sky) {
                        go_on(sky, Sky::MIDDLE, side, length - 1, tile);
                    });
                }
        }
    }

    // --- the path --------------------------------------------------------------------------------

    // The path leaves a cell by one side, and so many tiles are to follow.
    void go_on(const Sky& before, int from, int side, int length, int first) {
        if (stops()) return;
        const int cell = from + Sky::SIDES[side], back = (side + 2) & 3;
        for (unsigned left = before.left; left; left &= left - 1) {
            const int tile = std::countr_zero(left);
            if (length == 1 && tile < first && !from_end_) continue;
            for (const int turns : turns_[tile]) {
                const int arms = face(tile, turns).arms;
                if (!(arms >> back & 1)) continue;
                Sky sky = before;
                lay(sky, cell, tile, turns);
                if (length > 1)
                    leave(sky, cell, arms & ~(1 << back), length - 1, first);
                else if (!is_hopeless(sky))
                    fill(sky, beside(sky));
            }
        }
    }

    // By each of these arms in turn. Where all tiles are on the path, only cells that it can still
    // come to are open.
    void leave(Sky& sky, int cell, int arms, int length, int first) {
        const bool all = length == std::popcount(sky.left);
        if (!all && (!arms || is_hopeless(sky))) return;
        for (int side = 0; side < 4; ++side) {
            const int next = cell + Sky::SIDES[side];
            if (!(arms >> side & 1) || sky.at[next] != Sky::OPEN) continue;
            if (!all) {
                go_on(sky, cell, side, length, first);
                continue;
            }
            Sky closed = sky;
            closed.close_beyond(next, length);
            if (!is_hopeless(closed)) go_on(closed, cell, side, length, first);
        }
    }

    // --- all the rest ----------------------------------------------------------------------------

    Gaps beside(const Sky& sky) const {
        Gaps gaps;
        for (int place = 0; place < sky.laid; ++place) add_gaps(sky, sky.cell[place], gaps);
        return gaps;
    }

    static void add_gaps(const Sky& sky, int cell, Gaps& gaps) {
        for (const int side : Sky::SIDES) {
            const auto same = [&](const Gap& gap) { return gap.cell == cell + side; };
            if (sky.at[cell + side] == Sky::OPEN && std::none_of(gaps.begin(), gaps.end(), same))
                gaps.push_back({cell + side});
        }
    }

    void fill(Sky sky, Gaps gaps) {
        if (stops()) return;
        if (sky.is_complete()) return keep_if_better(sky);
        const int missing = std::popcount(sky.left);
        const int must = find_those_that_must_be_filled(sky, gaps, missing);
        if (must > missing) return;
        if (must == missing && !close_all_others(sky, gaps)) return;
        std::size_t chosen = gaps.size();
        std::vector<Option> options;
        for (std::size_t at = 0; at < gaps.size(); ++at) {
            if (must && !gaps[at].must) continue;
            std::vector<Option> found = options_for(sky, gaps[at]);
            if (found.empty() && gaps[at].must) return;
            if (missing == 1) continue;  // complete galaxies: all is done
            if (chosen < gaps.size() && found.size() >= options.size()) continue;
            options = std::move(found);
            chosen = at;
        }
        if (chosen == gaps.size()) return;
        const Gap gap = gaps[chosen];
        gaps.erase(gaps.begin() + static_cast<std::ptrdiff_t>(chosen));
        for (const Option& option : options) {
            if (option.bound <= best_->value + TINY) break;
            Sky next = sky;
            lay(next, gap.cell, option.tile, option.turns);
            next.most = option.most;
            Gaps others = gaps;
            add_gaps(next, gap.cell, others);
            fill(next, std::move(others));
        }
        if (gap.must || gaps.empty()) return;
        sky.at[gap.cell] = Sky::EMPTY;
        if (!is_hopeless(sky)) fill(sky, std::move(gaps));
    }

    // How many there are; it may stop when there are more than `enough`. Those that were found most
    // often come first.
    int find_those_that_must_be_filled(Sky& sky, Gaps& gaps, int enough) {
        std::stable_sort(gaps.begin(), gaps.end(), [&](const Gap& one, const Gap& other) {
            return one.must != other.must ? one.must : found_[one.cell] > found_[other.cell];
        });
        const Sky::Rooms rooms = sky.rooms();
        int must = 0;
        for (Gap& gap : gaps) {
            if (!gap.must) {
                gap.must = is_hopeless_without(sky, gap.cell, rooms);
                found_[gap.cell] += gap.must;
            }
            must += gap.must;
            if (must > enough) break;
        }
        return must;
    }

    // Where no zone is closer to its end without the cell, nothing is lost; the path is not looked at.
    bool is_hopeless_without(Sky& sky, int cell, const Sky::Rooms& rooms) {
        const Sky::Rooms room = sky.rooms_without(cell, rooms);
        if (room == rooms) return false;
        std::array<int, 4> most{};
        const double found = horizon_.bound(sky, room, path_at(sky), best_->value, most);
        return found <= best_->value + TINY;
    }

    // As many cells must be filled as tiles are left: no other one can be. False if that is hopeless.
    bool close_all_others(Sky& sky, Gaps& gaps) {
        std::replace(sky.at.begin(), sky.at.end(), Sky::OPEN, Sky::EMPTY);
        std::erase_if(gaps, [](const Gap& gap) { return !gap.must; });
        for (const Gap& gap : gaps) sky.at[gap.cell] = Sky::OPEN;
        return !is_hopeless(sky);
    }

    // What can go into a gap, the highest bound first. What cannot now, cannot later.
    std::vector<Option> options_for(const Sky& sky, Gap& gap) {
        std::vector<Option> found;
        std::array<int, 4> most{};
        for (unsigned left = sky.left; left; left &= left - 1) {
            const int tile = std::countr_zero(left);
            for (const int turns : turns_[tile]) {
                const std::uint64_t bit = std::uint64_t{1} << (4 * tile + turns);
                if (!(gap.hopeful & bit)) continue;
                Sky next = sky;
                lay(next, gap.cell, tile, turns);
                const double bound = this->bound(next, most);
                if (bound <= best_->value + TINY) {
                    gap.hopeful &= ~bit;
                    continue;
                }
                if (next.is_complete()) keep(next);
                found.push_back({tile, turns, bound, most});
            }
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Option& a, const Option& b) { return a.bound > b.bound; });
        return found;
    }

    // --- tools -----------------------------------------------------------------------------------

    const Face& face(int tile, int turns) const {
        return problem_->box->face(problem_->rules, tiles_[tile], turns);
    }

    void lay(Sky& sky, int cell, int tile, int turns) const {
        sky.lay(cell, tile, turns, face(tile, turns));
    }

    // Where a path lies first, longer ones were searched before. Otherwise arms tell what there can be.
    int path_at(const Sky& sky) const { return root_.laid ? horizon_.longest(sky) : longest_; }

    double bound(const Sky& sky, std::array<int, 4>& most) {
        return horizon_.bound(sky, path_at(sky), best_->value, most);
    }

    bool is_hopeless(Sky& sky) { return bound(sky, sky.most) <= best_->value + TINY; }

    double value_at(const Sky& sky) const { return horizon_.value(sky.most, longest_); }

    // Counts what it has cost so far, too.
    bool stops() {
        best_->nodes += horizon_.work() - counted_;
        counted_ = horizon_.work();
        stopped_ = stopped_ || (*is_over_)();
        return stopped_;
    }

    void keep_if_better(const Sky& complete) {
        if (horizon_.value_of(complete) > best_->value + TINY) keep(complete);
    }

    // In the frame: where it lies already, or as far up and left as it goes.
    void keep(const Sky& complete) {
        best_->value = horizon_.value_of(complete);
        best_->count = horizon_.count_of(complete);
        best_->galaxy.clear();
        int top = Sky::WIDTH, left = Sky::WIDTH;
        for (int place = 0; place < complete.laid; ++place) {
            top = std::min(top, complete.cell[place] / Sky::WIDTH);
            left = std::min(left, complete.cell[place] % Sky::WIDTH);
        }
        if (root_.laid) top = left = (Sky::WIDTH - FRAME) / 2;
        for (int place = 0; place < complete.laid; ++place) {
            const int row = complete.cell[place] / Sky::WIDTH - top;
            const int column = complete.cell[place] % Sky::WIDTH - left;
            best_->galaxy.push_back({static_cast<Byte>(row * FRAME + column),
                                     tiles_[complete.tile[place]], complete.turns[place]});
        }
        std::sort(best_->galaxy.begin(), best_->galaxy.end(),
                  [](const Laid& one, const Laid& other) { return one.slot < other.slot; });
    }

    const Problem* problem_;
    std::vector<Byte> tiles_;
    std::vector<std::vector<int>> turns_;
    Horizon horizon_;
    Sky root_;
    double bound_ = 0;
    int longest_ = 0;  // the paths that were not searched yet have at most so many tiles
    bool from_end_ = false;
    Solution* best_ = nullptr;
    const std::function<bool()>* is_over_ = nullptr;
    std::uint64_t counted_ = 0;  // of the work of the horizon
    std::array<std::uint32_t, Sky::WIDTH * Sky::WIDTH> found_{};  // how often each cell had to be filled
    bool stopped_ = false;
};

}  // namespace tuilerie::kaosmos
