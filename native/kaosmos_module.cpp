// Python bindings. Coarse calls only, with the GIL released.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <thread>

#include "checksum.h"
#include "kaosmos_calls.h"
#include "kaosmos_legal.h"
#include "kaosmos_playout.h"
#include "kaosmos_sample.h"
#include "kaosmos_shapes.h"

namespace nb = nanobind;
using namespace tuilerie;
using namespace tuilerie::kaosmos;

namespace {

using Sizes = std::vector<int>;

// points, kaos, largest, path, and the zone sizes of each kind in descending order.
std::tuple<Markers, Markers, std::array<int, COLOURS>, int, std::vector<Sizes>> count_galaxy(
    const Box& box, const std::string& card, const std::string& text) {
    const Rules& rules = box.rules(read_card(box, card));
    const Galaxy galaxy = read_galaxy(box, text);
    std::array<Byte, HAND> slots{};
    Faces faces{};
    for (std::size_t at = 0; at < galaxy.size(); ++at) {
        slots[at] = galaxy[at].slot;
        faces[at] = &box.face(rules, galaxy[at].tile, galaxy[at].turns);
    }
    Count found;
    int path = 0;
    const Zones zones =
        build_zones(lay_out(slots.data(), static_cast<int>(galaxy.size())), faces, path);
    score_zones(zones, path, rules, found);
    std::vector<Sizes> sizes(4);
    for (int name = 0; name < zones.count; ++name) {
        const int kind = zones.kind[name];
        if (kind == MERGED) continue;
        sizes[kind].push_back(zones.size[name]);
    }
    for (Sizes& each : sizes) std::sort(each.rbegin(), each.rend());
    return {found.points, found.kaos, found.largest, found.path, sizes};
}

// A random galaxy of a fixed shape.
Faces random_galaxy(const Box& box, const Rules& rules, Random& random) {
    const Tiles tiles = choose(box.ids, HAND, random);
    Faces faces{};
    for (int place = 0; place < layout_of(rules.shape).places; ++place)
        faces[place] = &box.face(rules, tiles[place], static_cast<int>(random.below(4)));
    return faces;
}

// Benchmark: score random galaxies of a fixed shape. Returns seconds and the sum of all points.
std::tuple<double, long> count_random(const Box& box, const std::string& card, int number,
                                      std::uint64_t seed) {
    const Rules& rules = box.rules(read_card(box, card));
    if (rules.shape == Shape::FREE) refuse("bad card", card, "a card with a fixed shape");
    if (box.ids.size() < HAND) refuse("bad box", "", "nine tiles at least");
    Random random(seed);
    std::vector<Faces> galaxies;
    for (int made = 0; made < 4096; ++made) galaxies.push_back(random_galaxy(box, rules, random));
    const Layout& layout = layout_of(rules.shape);
    const auto begun = std::chrono::steady_clock::now();
    long sum = 0;
    for (int at = 0; at < number; ++at) {
        const Count found = count(layout, galaxies[static_cast<std::size_t>(at) & 4095], rules);
        for (int marker = 0; marker < MARKERS; ++marker)
            sum += found.points[marker] + found.kaos[marker];
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    return {taken.count(), sum};
}

// --- random games --------------------------------------------------------------------------------

// The supported versions: number, face_down, bonus_after_done, bonus_unfinished.
std::vector<std::tuple<int, bool, bool, bool>> versions() {
    std::vector<std::tuple<int, bool, bool, bool>> known;
    for (const Version& each : VERSIONS)
        known.emplace_back(each.number, each.face_down, each.bonus_after_done, each.bonus_unfinished);
    return known;
}

void check_table(const Box& box, int players, bool kaos) {
    if (players < 2 || players > MOST_PLAYERS)
        refuse("bad players", std::to_string(players), "2 to 6");
    if (box.ids.size() < static_cast<std::size_t>(players) * HAND)
        refuse("bad box", std::to_string(box.ids.size()), "nine tiles for each player");
    if (kaos && box.cards.size() < ROUNDS)
        refuse("bad box", std::to_string(box.cards.size()), "five cards at least");
}

// Checksum of the legal moves of the acting seat (-1: a chance entry), and of all seats that are not
// waited for, which mostly have none.
std::uint32_t legal_checksum(const Position& position, int acting) {
    std::string text;
    for (int seat = 0; seat < position.players; ++seat) {
        if (seat != acting && position.is_waited_for(seat)) continue;
        for (const std::string& move : legal(position, seat)) text.append(move).push_back(' ');
    }
    return crc32(text);
}

// A random game: each entry with checksums of the legal moves before it and of the position after it.
using TraceStep = std::tuple<std::string, std::uint32_t, std::uint32_t>;

std::vector<TraceStep> random_game(const Box& box, int version, int players, bool kaos, bool draft,
                              bool timed, std::uint64_t seed) {
    check_table(box, players, kaos);
    Random random(seed);
    Position position =
        Position::start(box, version_of(std::to_string(version)), players, kaos, draft, timed);
    RandomPlayout playout(position, random);
    std::vector<TraceStep> trace;
    while (!playout.over()) {
        const Position before = position;
        const std::string entry = playout.step();
        const int seat = entry[0] >= '0' && entry[0] <= '9' ? entry[0] - '0' : -1;
        trace.emplace_back(entry, legal_checksum(before, seat), crc32(write_position(position)));
    }
    return trace;
}

// A random game as its rounds: the card, the owners of the bonus tiles, and for each seat its galaxy,
// its markers after the count, and its transfer under a card. Then the final markers.
using RoundRow = std::tuple<std::string, std::array<int, COLOURS>,
                             std::vector<std::tuple<std::string, Markers, std::string>>>;

std::tuple<std::vector<RoundRow>, std::vector<Markers>> random_rounds(const Box& box, int version,
                                                                       int players, bool kaos,
                                                                       bool draft, bool timed,
                                                                       std::uint64_t seed) {
    check_table(box, players, kaos);
    Random random(seed);
    std::vector<Round> rounds;
    Position position =
        Position::start(box, version_of(std::to_string(version)), players, kaos, draft, timed);
    position.round_log = &rounds;
    for (RandomPlayout playout(position, random); !playout.over();) playout.step();
    std::vector<RoundRow> rows;
    for (const Round& round : rounds) {
        rows.emplace_back(round.card < 0 ? "-" : box.card_names[round.card], round.bonuses,
                          std::vector<std::tuple<std::string, Markers, std::string>>{});
        for (int seat = 0; seat < players; ++seat)
            std::get<2>(rows.back())
                .emplace_back(write_galaxy(round.galaxies[seat]), round.markers[seat],
                              write_choice(round.moved[seat]));
    }
    std::vector<Markers> last;
    for (const Seat& seat : position.seats) last.push_back(seat.markers);
    return {rows, last};
}

// --- the solver ----------------------------------------------------------------------------------

// Exhaustive enumeration of completions, to check the solver: the best value and the number of leaves.
struct BruteForce {
    const Problem& problem;
    const Layout& layout;
    int places;
    Faces faces{};
    double best = -1e9;
    std::uint64_t number = 0;

    void fill(int place, unsigned used) {
        while (place < places && faces[place]) ++place;
        if (place == places) {
            ++number;
            best = std::max(best, problem.goal.value(count(layout, faces, problem.rules)));
            return;
        }
        for (std::size_t tile = 0; tile < problem.tiles.size(); ++tile) {
            if (used >> tile & 1) continue;
            for (int turns = 0; turns < (problem.rules.turning ? 4 : 1); ++turns) {
                faces[place] = &problem.box->face(problem.rules, problem.tiles[tile], turns);
                fill(place + 1, used | 1U << tile);
            }
        }
        faces[place] = nullptr;
    }
};

// A problem small enough for brute force.
Problem make_small_problem(const Box& box, const std::string& card, const std::string& tiles,
                           const std::string& laid, const Markers& totals, double temperature) {
    const Problem problem = make_problem(box, card, tiles, laid, make_goal(totals, temperature, {}));
    if (problem.tiles.size() > problem.laid.size() + 6)
        refuse("too many tiles", tiles, "at most six that are not laid");
    if (problem.rules.shape == Shape::FREE && problem.tiles.size() > problem.laid.size() + 5)
        refuse("too many tiles", tiles, "at most five that are not laid, in any shape");
    return problem;
}

std::tuple<double, std::uint64_t> brute_force(const Box& box, const std::string& card,
                                              const std::string& tiles, const std::string& laid,
                                              const Markers& totals, double temperature) {
    const Problem problem = make_small_problem(box, card, tiles, laid, totals, temperature);
    std::vector<Layout> layouts;
    const int most = std::min(size_of(problem.rules.shape), static_cast<int>(problem.tiles.size()));
    if (problem.rules.shape == Shape::FREE)
        for (const Spots& shape : all_shapes(problem.laid, most)) layouts.push_back(lay_out(shape));
    else
        layouts.push_back(layout_of(problem.rules.shape));
    double best = -1e9;
    std::uint64_t number = 0;
    for (const Layout& layout : layouts) {
        BruteForce all{problem, layout, most};
        unsigned used = 0;
        for (const Laid& each : problem.laid) {
            const auto slot = std::find(layout.slot.begin(), layout.slot.end(), each.slot);
            const auto tile = std::find(problem.tiles.begin(), problem.tiles.end(), each.tile);
            all.faces[slot - layout.slot.begin()] = &box.face(problem.rules, each.tile, each.turns);
            used |= 1U << (tile - problem.tiles.begin());
        }
        all.fill(0, used);
        best = std::max(best, all.best);
        number += all.number;
    }
    return {best, number};
}

// The number of fixed polyominoes of this size.
std::size_t count_shapes(int tiles) {
    if (tiles < 1 || tiles > HAND) refuse("bad number", std::to_string(tiles), "1 to 9");
    return all_shapes({}, tiles).size();
}

// Whether the solver would prune this partial galaxy with an incumbent worth `best`. Tests check the
// admissibility of all bounds through this.
bool can_prune(const Box& box, const std::string& card, const std::string& tiles,
                 const std::string& laid, const Markers& totals, double temperature, double best) {
    const Problem problem = make_small_problem(box, card, tiles, laid, totals, temperature);
    Random random(1);
    return Solver(problem, random).can_prune(best);
}

// --- bots ----------------------------------------------------------------------------------------

std::string resample(const Box& box, const std::string& text, std::uint64_t seed) {
    const View view = view_of(box, text);
    Random random(seed);
    return write_position(Resampler(view, random).sample());
}

std::vector<std::string> legal_moves(const Box& box, const std::string& text, int seat) {
    const Position position = read_position(box, text);
    if (seat < 0 || seat >= position.players)
        refuse("bad seat", std::to_string(seat), joined({"0 to ", std::to_string(position.players - 1)}));
    return legal(position, seat);
}

std::string rewritten(const Box& box, const std::string& text) {
    return write_position(read_position(box, text));
}

}  // namespace

NB_MODULE(_kaosmos, module) {
    using Released = nb::call_guard<nb::gil_scoped_release>;
    module.attr("GAME") = "kaosmos";
    nb::class_<Box>(module, "Box")
        .def("__init__", [](Box* made, const std::string& tiles, const std::string& cards) {
            new (made) Box(read_box(tiles, cards));
        });
    module.def("count", &count_galaxy, Released());
    module.def("count_random", &count_random, Released());
    module.def("versions", &versions, Released());
    module.def("random_game", &random_game, Released());
    module.def("random_rounds", &random_rounds, Released());
    module.def("legal", &legal_moves, Released());
    module.def("rewritten", &rewritten, Released());
    module.def("resample", &resample, Released());
    module.def("solve", &solve, Released());
    module.def("brute_force", &brute_force, Released());
    module.def("count_shapes", &count_shapes, Released());
    module.def("can_prune", &can_prune, Released());
    module.def("weigh_keeps", &weigh_keeps, Released());
    module.def("odds", &bonus_odds, Released());
}
