// Python bindings for Blockers!. Coarse calls only, with the GIL released.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "blockers_calls.h"
#include "blockers_crosscheck.h"
#include "blockers_parse.h"
#include "blockers_playout.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tuilerie::blockers {

using Texts = std::vector<std::string>;

// Parses a position without hidden tiles.
Position read_whole(Text text) {
    const Position position = read_position(text);
    for (const int hidden : position.hidden) {
        if (hidden > 0) refuse("racks", "?", "tiles that are known, all of them");
    }
    return position;
}

Texts texts_of(const Position& position, const Moves& moves) {
    Texts texts;
    for (const Move move : moves) texts.push_back(text_of(position, move));
    return texts;
}

Texts legal(Text text) {
    const Position position = read_position(text);
    if (position.phase != Phase::PLAY) return {};
    return texts_of(position, read_to_play(text).legal());
}

Texts greedy(Text text) {
    const Position position = read_to_play(text);
    return texts_of(position, Greedy(position).ties());
}

// Parses dealt or drawn tiles and checks their number by colour and their piles.
void apply_chance(Position& position, Text entry, Text tiles) {
    Reader reader(entry, tiles);
    std::array<std::uint32_t, COLOURS> faces{};
    while (!reader.done()) {
        const Tile tile = reader.tile();
        faces[colour_of(tile)] |= 1U << face_of(tile);
    }
    const bool draws = position.phase == Phase::DRAW;
    for (int colour = 0; colour < COLOURS; ++colour) {
        const bool due = draws ? colour == position.drawing : position.owner[colour] == position.seat;
        const bool there = (faces[colour] & ~position.pile[colour]) == 0;
        if (!there || std::popcount(faces[colour]) != (due ? (draws ? 1 : RACK) : 0)) {
            reader.fail("the tiles that are due, from the piles of their colours");
        }
    }
    if (draws) return position.draw(std::countr_zero(faces[position.drawing]));
    for (int colour = 0; colour < COLOURS; ++colour) position.deal(faces[colour], colour);
    position.end_deal();
}

std::string after(Text text, Text entry) {
    Position position = read_whole(text);
    const Text what = entry.substr(0, 5);
    const bool draws = what == "draw ", deals = what == "deal ";
    if ((draws && position.phase == Phase::DRAW) || (deals && position.phase == Phase::DEAL)) {
        apply_chance(position, what.substr(0, 4), entry.substr(5));
    } else {
        position.play(parse_move(position, entry));
    }
    return text_of(position);
}

// For each legal move: the groups of its colour and of the captured one, and the mover's score.
using Effect = std::tuple<std::string, int, int, int>;

std::vector<Effect> scores(Text text) {
    Position position = read_to_play(text);
    const int seat = position.seat;
    std::vector<Effect> effects;
    for (const Move move : position.legal()) {
        const std::string name = text_of(position, move);
        Undo undo;
        position.play(move, undo);
        const int own = position.groups[colour_of(move.tile)].count;
        const int other =
            undo.taken == NO_TILE ? -1 : position.groups[colour_of(undo.taken)].count;
        effects.emplace_back(name, own, other, position.standing(seat).score);
        position.unplay(move, undo);
    }
    return effects;
}

std::vector<std::tuple<int, int, int>> standings(Text text) {
    const Position position = read_position(text);
    std::vector<std::tuple<int, int, int>> found;
    for (int seat = 0; seat < position.players; ++seat) {
        const Standing one = position.standing(seat);
        found.emplace_back(one.groups, one.captures, one.score);
    }
    return found;
}

std::string resampled(Text text, std::uint64_t seed) {
    Position position = read_position(text);
    Random random(seed);
    resample(position, random);
    return text_of(position);
}

using Traced = std::tuple<std::string, std::uint32_t, std::uint32_t, std::vector<int>>;

std::vector<Traced> traced(Text text, std::uint64_t seed) {
    Random random(seed);
    std::vector<Traced> found;
    for (const Step& step : random_game(read_whole(text), random))
        found.emplace_back(step.entry, step.legal, step.after, step.scores);
    return found;
}

std::uint64_t count_moves(Text text, int depth) {
    Position position = read_whole(text);
    if (depth < 0 || depth > 8) refuse("depth", std::to_string(depth), "0 to 8");
    return position.phase == Phase::PLAY ? perft(position, depth) : 1;
}

// The outcome of the last round with best play: win share and margin of each seat.
std::vector<std::pair<double, double>> ending(Text text) {
    Position known = read_whole(text);
    if (!known.over() && !Endgame::is_known(known)) {
        refuse("racks", text, "a position in which all piles are empty");
    }
    const Ending found = Endgame::solve(known);
    std::vector<std::pair<double, double>> seats;
    for (int seat = 0; seat < known.players; ++seat) {
        seats.emplace_back(found.share[seat], found.margin[seat]);
    }
    return seats;
}

// --- many games ---

struct Tally {
    std::uint64_t moves = 0;
    std::array<double, SEATS> wins{};
    std::array<std::uint64_t, SEATS> points{};

    void add(const Position& end, int moves_made) {
        const auto share = shares(end.standings(), end.players);
        moves += static_cast<std::uint64_t>(moves_made);
        for (int seat = 0; seat < end.players; ++seat) {
            wins[seat] += share[seat];
            points[seat] += static_cast<std::uint64_t>(end.standing(seat).score);
        }
    }
};

// Games from `begin` up to `end`. Each has its own seed, so the number of threads does not matter.
template <class Choose>
void play_some(const Position& from, std::uint64_t seed, std::uint64_t begin, std::uint64_t end,
               Tally& tally, Choose choose) {
    for (auto game = begin; game < end; ++game) {
        Random random(seed + game * 0x2545f4914f6cdd1dULL);
        Position position = from;
        resample(position, random);
        play_out(position, random, choose);
        tally.add(position, from.turns);
    }
}

using Summary = std::tuple<std::uint64_t, std::vector<double>, std::vector<std::uint64_t>>;

Summary playouts(Text text, std::uint64_t games, std::uint64_t seed, bool by_greedy, int threads) {
    const Position from = read_position(text);
    if (threads < 1 || threads > 256) refuse("threads", std::to_string(threads), "1 to 256");
    std::vector<Tally> tallies(static_cast<std::size_t>(threads));
    const auto run = [&](std::size_t part) {
        const auto share = [&](std::size_t at) { return games * at / tallies.size(); };
        Tally mine;
        if (by_greedy) {
            play_some(from, seed, share(part), share(part + 1), mine, greedy_move);
        } else {
            play_some(from, seed, share(part), share(part + 1), mine, random_move);
        }
        tallies[part] = mine;
    };
    std::vector<std::thread> others;
    for (std::size_t part = 1; part < tallies.size(); ++part) others.emplace_back(run, part);
    run(0);
    for (auto& other : others) other.join();
    Tally all;
    for (const Tally& one : tallies) {
        all.moves += one.moves;
        for (int seat = 0; seat < SEATS; ++seat) {
            all.wins[seat] += one.wins[seat];
            all.points[seat] += one.points[seat];
        }
    }
    return {all.moves, {all.wins.begin(), all.wins.begin() + from.players},
            {all.points.begin(), all.points.begin() + from.players}};
}

}  // namespace tuilerie::blockers

NB_MODULE(_blockers, module) {
    using namespace tuilerie::blockers;
    const auto free = nb::call_guard<nb::gil_scoped_release>();
    module.attr("GAME") = "blockers";
    module.def("legal", &legal, "position"_a, free);
    module.def("greedy", &greedy, "position"_a, free);
    module.def("after", &after, "position"_a, "entry"_a, free);
    module.def("scores", &scores, "position"_a, free);
    module.def("standings", &standings, "position"_a, free);
    module.def("resample", &resampled, "position"_a, "seed"_a, free);
    module.def("random_game", &traced, "position"_a, "seed"_a, free);
    module.def("perft", &count_moves, "position"_a, "depth"_a, free);
    module.def("think", &think, "position"_a, "seed"_a, "nodes"_a, "seconds"_a, "candidates"_a,
               "exact"_a, free);
    module.def("ending", &ending, "position"_a, free);
    module.def("playouts", &playouts, "position"_a, "games"_a, "seed"_a, "greedy"_a = false,
               "threads"_a = 1, free);
}
