// Calls shared by both bindings of the core of Kaosmos: the Python module and the WebAssembly module.
#pragma once

#include <tuple>

#include "kaosmos_sample.h"
#include "kaosmos_search.h"
#include "kaosmos_solver.h"

namespace tuilerie::kaosmos {

inline Goal make_goal(const Markers& totals, double temperature, const std::vector<double>& bonus) {
    Goal goal;
    for (const int total : totals)
        if (total < LOWEST || total > HIGHEST) refuse("bad total", std::to_string(total), "0 to 30");
    goal.totals = totals;
    goal.temperature = temperature;
    goal.has_bonus = !bonus.empty();
    if (!goal.has_bonus) return goal;
    if (bonus.size() != COLOURS * Goal::LARGEST) refuse("bad bonus", "", "sixteen for each colour");
    for (std::size_t at = 0; at < bonus.size(); ++at)
        goal.bonus[at / Goal::LARGEST][at % Goal::LARGEST] = bonus[at];
    return goal;
}

inline Problem make_problem(const Box& box, const std::string& card, const std::string& tiles,
                     const std::string& laid, const Goal& goal) {
    Problem problem;
    problem.box = &box;
    problem.rules = box.rules(read_card(box, card));
    problem.tiles = read_tiles_of(box, tiles, HAND);
    problem.laid = read_galaxy(box, laid);
    problem.goal = goal;
    if (problem.tiles.empty()) refuse("bad tiles", tiles, "one to nine");
    const int places = std::min(size_of(problem.rules.shape), static_cast<int>(problem.tiles.size()));
    if (static_cast<int>(problem.laid.size()) > places) refuse("bad galaxy", laid, "no more tiles than places");
    for (const Laid& each : problem.laid) {
        if (std::find(problem.tiles.begin(), problem.tiles.end(), each.tile) == problem.tiles.end())
            refuse("bad galaxy", write_id(each.tile), "one of the tiles");
        if (problem.rules.shape == Shape::FREE) continue;
        const auto& slots = layout_of(problem.rules.shape).slot;
        if (std::find(slots.begin(), slots.begin() + places, each.slot) == slots.begin() + places)
            refuse("bad galaxy", write_slot(each.slot), "a slot of the shape");
    }
    const std::vector<bool> group = largest_group(problem.laid);
    if (problem.rules.shape == Shape::FREE && std::find(group.begin(), group.end(), false) != group.end())
        refuse("bad galaxy", laid, "tiles that hang together");
    return problem;
}

inline Limit make_limit(std::uint64_t nodes, double seconds) {
    Limit limit;
    if (nodes) limit.nodes = nodes;
    if (seconds > 0) limit.seconds = seconds;
    return limit;
}

// galaxy, value, bound, proven, nodes, seconds. `anneal`: galaxies evaluated by annealing before the
// branch and bound; 0: annealing only.
using Answer = std::tuple<std::string, double, double, bool, std::uint64_t, double>;

inline Answer solve(const Box& box, const std::string& card, const std::string& tiles,
             const std::string& laid, const Markers& totals, double temperature,
             const std::vector<double>& bonus, std::uint64_t nodes, double seconds,
             std::uint64_t anneal, std::uint64_t seed) {
    const Problem problem = make_problem(box, card, tiles, laid, make_goal(totals, temperature, bonus));
    Random random(seed);
    Solution found;
    const Limit limit = make_limit(nodes, seconds);
    if (anneal) {
        found = Solver(problem, random).solve(limit, anneal);
    } else {
        Annealing(problem, random).run(limit, found);
        found.seconds = limit.spent();
    }
    return {write_galaxy(found.galaxy), found.value, found.bound,
            found.proven,               found.nodes, found.seconds};
}

inline View view_of(const Box& box, const std::string& text) {
    View view = read_view(box, text);
    if (view.viewer < 0) refuse("bad view", "", "viewer=0 …");
    return view;
}

inline std::vector<std::tuple<std::string, double, int>> weigh_keeps(
    const Box& box, const std::string& text, double temperature, std::uint64_t nodes, double seconds,
    std::uint64_t seed, int candidates, std::uint64_t build) {
    const View view = view_of(box, text);
    const Seat& own = view.position.seats[view.viewer];
    if (view.position.phase != Phase::DRAFT || own.packet.size() < 3 || candidates < 1)
        refuse("bad view", "", "a packet to keep from");
    const Goal goal = make_goal(own.markers, temperature, {});
    std::vector<std::tuple<std::string, double, int>> found;
    DraftSearch search(view, goal, seed);
    for (const Keep& keep : search.evaluate_keeps(make_limit(nodes, seconds),
                                                  static_cast<std::size_t>(candidates),
                                                  std::max<std::uint64_t>(build, 1)))
        found.emplace_back(write_tiles(keep.tiles), keep.value, keep.visits);
    return found;
}

inline BonusOdds bonus_odds(const Box& box, const std::string& text, int samples, std::uint64_t build,
                std::uint64_t seed) {
    if (samples < 1) refuse("bad number", std::to_string(samples), "1 or more");
    return estimate_odds(view_of(box, text), samples, std::max<std::uint64_t>(build, 1), seed);
}

}  // namespace tuilerie::kaosmos
