// Python bindings for Génial!. Coarse calls only, with the GIL released.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "genial_calls.h"
#include "genial_luck.h"
#include "genial_playout.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tuilerie;
using namespace tuilerie::genial;

namespace {

template <int RADIUS>
void demand_all_known(const Position<RADIUS>& position) {
    for (int seat = 0; seat < position.players; ++seat)
        if (position.hands[seat].kinds() >> UNKNOWN & 1)
            throw std::invalid_argument("all tiles must be known here; deal them by resample");
}

using Scored = std::tuple<std::string, int, int>;

std::vector<Scored> moves(std::string_view text) {
    return with_position(text, []<int R>(const Seen<R>& seen) {
        demand_own_hand(seen.position);
        const Scores<R> scores(seen.position);
        std::vector<Scored> found;
        each_move(seen.position, [&](const Move& move) {
            std::array<int, 2> points{};
            if (move.kind == Move::PLACE) points = points_of(scores, move);
            found.emplace_back(write_move<R>(move), points[0], points[1]);
        });
        return found;
    });
}

template <int R>
void apply_draw(Position<R>& position, std::string_view text) {
    const auto words = split(text, ' ');
    if (position.phase != Phase::DEAL && position.phase != Phase::DRAW)
        throw std::invalid_argument("nothing is to be drawn");
    const auto tiles = read_tiles(words[2], HAND_SIZE);
    const int who = position.drawing_seat();
    if (words[0] != PHASE_NAMES[static_cast<std::size_t>(position.phase)] ||
        read_number(words[1], 0, position.players - 1, "the seat") != who ||
        static_cast<int>(tiles.size()) != HAND_SIZE - position.hands[who].count)
        refuse("another draw is due", text);
    std::size_t next = 0;
    position.draw([&](int count) {
        const auto end = position.bag.begin() + count;
        const auto found = std::find(position.bag.begin(), end, tiles[next++]);
        if (found == end) refuse("the bag does not hold these tiles", text);
        return static_cast<int>(found - position.bag.begin());
    });
}

// The position after an entry: a move in notation, or a draw such as 'draw 0 RBGG'.
std::string apply(std::string_view text, std::string_view entry) {
    return with_position(text, [&]<int R>(Seen<R> seen) {
        auto& position = seen.position;
        if (entry.starts_with("d") && split(entry, ' ').size() == 3) {
            apply_draw(position, entry);
            return write_position(position);
        }
        const Move move = read_move<R>(entry);
        demand_own_hand(position);
        bool legal = false;
        each_move(position, [&](const Move& one) { legal = legal || one == move; });
        if (!legal) refuse("not a legal move here", entry);
        if (move.kind == Move::PLACE) {
            position.place(move);
        } else {
            move.kind == Move::SWAP ? position.swap() : position.keep();
        }
        return write_position(position);
    });
}

std::optional<std::pair<std::string, std::vector<int>>> result(std::string_view text) {
    using Ended = std::pair<std::string, std::vector<int>>;
    return with_position(text, []<int R>(const Seen<R>& seen) -> std::optional<Ended> {
        const auto& position = seen.position;
        if (position.phase != Phase::OVER) return std::nullopt;
        const auto places = position.places();
        std::vector<int> shown;
        for (int seat = 0; seat < position.players; ++seat) shown.push_back(places[seat]);
        return Ended{position.reason == Reason::BOARD_FULL ? "board-full" : "markers-full", shown};
    });
}

using Step = std::tuple<std::string, nb::bytes, int, int>;

// Packed 16-bit integers, as in an array of type 'H'.
nb::bytes packed(const std::vector<std::uint16_t>& numbers) {
    return nb::bytes(numbers.data(), sizeof(std::uint16_t) * numbers.size());
}

std::pair<std::vector<Step>, std::string> random_game(std::string_view text, std::uint64_t seed) {
    return with_position(text, [&]<int R>(Seen<R> seen) {
        demand_all_known(seen.position);
        std::vector<TraceStep> all;
        {
            const nb::gil_scoped_release free_gil;  // not around the rest: creating bytes needs the GIL
            all = trace_random_game(seen.position, seed);
        }
        std::vector<Step> trace;
        for (const TraceStep& step : all)
            trace.emplace_back(step.entry, packed(step.legal), step.points[0], step.points[1]);
        return std::pair{trace, write_position(seen.position)};
    });
}

using Tallied = std::tuple<std::uint64_t, std::uint64_t, std::array<double, MOST_PLAYERS>, double>;

Tallied playouts(std::string_view text, std::uint64_t seed, std::uint64_t games, unsigned threads, bool greedy) {
    if (threads < 1 || threads > 256) throw std::invalid_argument("threads must be from 1 to 256");
    return with_position(text, [&]<int R>(const Seen<R>& seen) {
        demand_all_known(seen.position);
        const auto play = [&](std::uint64_t from, std::uint64_t count) {
            return greedy ? greedy_playouts(seen.position, from, count)
                          : random_playouts(seen.position, from, count);
        };
        const Tally tally = on_threads(play, seed, games, threads);
        return Tallied{tally.games, tally.placements, tally.wins, tally.lowest};
    });
}

std::string resample(std::string_view text, std::uint64_t seed) {
    return with_position(text, [&]<int R>(const Seen<R>& seen) {
        Random random(seed);
        return write_position(Resampler<R>(seen).deal(random));
    });
}

// The placement of the greedy policy, its gain, and the largest gain of all legal placements.
std::tuple<std::string, float, float> greedy_move(std::string_view text, std::uint64_t seed) {
    return with_position(text, [&]<int R>(const Seen<R>& seen) {
        const auto& position = seen.position;
        demand_own_hand(position);
        if (position.phase != Phase::PLACE) throw std::invalid_argument("no placement is due");
        const Scores<R> scores(position);
        const Gains gains(position.variant);
        const Track& track = position.tracks[position.track_of(position.seat)];
        Random random(seed);
        const Move move = Greedy<R>(position, scores, gains).best(random);
        float best = -1;
        each_move(position, [&](const Move& one) {
            best = std::max(best, gain_of(scores, gains, track, one));
        });
        return std::tuple{write_move<R>(normal(move)), gain_of(scores, gains, track, move), best};
    });
}

std::uint64_t count(std::string_view text, int depth) {
    if (depth < 0 || depth > 8) throw std::invalid_argument("depth must be from 0 to 8");
    return with_position(text, [&]<int R>(Seen<R> seen) {
        demand_all_known(seen.position);
        return perft(seen.position, depth);
    });
}

// The weights of the network, from the bytes of their file.
struct Weights {
    explicit Weights(nb::bytes bytes) {
        if (const char* wrong = read_net({bytes.c_str(), bytes.size()}, file))
            throw std::invalid_argument(wrong);
    }

    NetFile file;
};

std::vector<Weighed> think_with(const Weights& weights, std::string_view text, std::uint64_t seed,
                                std::uint64_t nodes, double seconds, int candidates, int handful,
                                int rounds) {
    return think_with_net(weights.file, text, seed, {nodes, seconds, candidates, handful, rounds});
}

// How lucky a draw was for the seat that drew: its value with these tiles, less the mean of all draws.
double luck(const Weights& weights, std::string_view text, std::string_view tiles) {
    return with_position(text, [&]<int R>(const Seen<R>& seen) {
        demand_all_known(seen.position);
        return luck_of(seen.position, net_for(weights.file, seen.position), read_tiles(tiles, HAND_SIZE));
    });
}

// Whether a build for newer processors exists and this machine can run it.
bool has_v3() {
#ifdef TUILERIE_V3
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

NB_MODULE(TUILERIE_MODULE, module) {
    const auto free_gil = nb::call_guard<nb::gil_scoped_release>();
    module.attr("GAME") = "genial";
    module.attr("HAS_V3") = has_v3();
    module.def("moves", &moves, "position"_a, free_gil);
    module.def("apply", &apply, "position"_a, "entry"_a, free_gil);
    module.def("result", &result, "position"_a, free_gil);
    module.def("random_game", &random_game, "position"_a, "seed"_a);
    module.def("playouts", &playouts, "position"_a, "seed"_a, "games"_a, "threads"_a, "greedy"_a, free_gil);
    module.def("greedy_move", &greedy_move, "position"_a, "seed"_a, free_gil);
    module.def("resample", &resample, "position"_a, "seed"_a, free_gil);
    module.def("think", &think, "position"_a, "seed"_a, "nodes"_a, "seconds"_a, "candidates"_a,
               "handful"_a, free_gil);
    nb::class_<Weights>(module, "Weights")
        .def(nb::init<nb::bytes>(), "data"_a)
        .def("has", [](const Weights& weights, int players) {
            return players >= 2 && players <= MOST_PLAYERS && weights.file.has(players);
        }, "players"_a);
    module.def("think_with_net", &think_with, "weights"_a, "position"_a, "seed"_a, "nodes"_a,
               "seconds"_a, "candidates"_a, "handful"_a, "rounds"_a, free_gil);
    module.def("luck", &luck, "weights"_a, "position"_a, "tiles"_a, free_gil);
    module.def("perft", &count, "position"_a, "depth"_a, free_gil);
}
