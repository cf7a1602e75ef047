// Random and greedy playouts, for research and benchmarks; traces of random games and perft, to check
// the core against the Python rules.
#pragma once

#include <thread>

#include "genial_sample.h"
#include "genial_score.h"

namespace tuilerie::genial {

struct Tally {
    std::uint64_t games = 0, placements = 0;
    std::array<double, MOST_PLAYERS> wins{};  // a shared win counts as a fraction
    double lowest = 0;                        // the sum of the best seat's lowest marker

    void add(const Tally& other) {
        games += other.games;
        placements += other.placements;
        lowest += other.lowest;
        for (std::size_t seat = 0; seat < wins.size(); ++seat) wins[seat] += other.wins[seat];
    }

    template <int RADIUS>
    void count(const Position<RADIUS>& before, const Position<RADIUS>& after) {
        ++games;
        placements += static_cast<unsigned>(before.free.count() - after.free.count()) / 2;
        const auto places = after.places();
        const auto first = std::count(places.begin(), places.begin() + after.players, 1);
        for (int seat = 0; seat < after.players; ++seat) {
            if (places[seat] != 1) continue;
            wins[seat] += 1.0 / static_cast<double>(first);
            lowest += rank_key(after.variant, after.tracks[after.track_of(seat)])[1] /
                      static_cast<double>(first);
        }
    }
};

template <int RADIUS>
Tally random_playouts(const Position<RADIUS>& start, std::uint64_t seed, std::uint64_t games) {
    Random random(seed);
    Tally tally;
    for (std::uint64_t game = 0; game < games; ++game) {
        Position<RADIUS> position = start;
        while (position.phase != Phase::OVER) random_step(position, random);
        tally.count(start, position);
    }
    return tally;
}

template <int RADIUS>
Tally greedy_playouts(const Position<RADIUS>& start, std::uint64_t seed, std::uint64_t games) {
    Random random(seed);
    const Gains gains(start.variant);
    const Scores<RADIUS> table(start);
    Tally tally;
    for (std::uint64_t game = 0; game < games; ++game) {
        Position<RADIUS> position = start;
        Scores<RADIUS> scores = table;
        shuffle(position.bag.data(), position.bag_count, random);
        while (position.phase != Phase::OVER) greedy_step(position, scores, gains, random);
        tally.count(start, position);
    }
    return tally;
}

// The same playouts on several threads; the result depends on the number of threads.
template <typename Playouts>
Tally on_threads(Playouts playouts, std::uint64_t seed, std::uint64_t games, unsigned threads) {
    std::vector<Tally> tallies(threads);
    std::vector<std::thread> workers;
    for (unsigned at = 0; at < threads; ++at)
        workers.emplace_back([&, at] {
            tallies[at] = playouts(seed + at, games / threads + (at < games % threads));
        });
    Tally sum;
    for (unsigned at = 0; at < threads; ++at) {
        workers[at].join();
        sum.add(tallies[at]);
    }
    return sum;
}

// --- traces --------------------------------------------------------------------------------------

// Numbers all moves, to pass long lists to Python cheaply: the index among all placements of all tiles
// on an empty board, in the order of the rules; then 'swap' and 'keep'.
template <int RADIUS>
struct MoveNumbering {
    using Board = Hexagon<RADIUS>;
    int pairs = 0, placements = 0;
    std::array<std::array<std::uint16_t, 3>, Board::PLACES> pair{};  // by lower cell and axis
    std::array<std::uint16_t, TILES> first{};                        // of the placements of a tile

    MoveNumbering() {
        const auto free = Position<RADIUS>().free;
        free.each([&](int at) {
            for (int step : Board::steps_by_name(at))
                if (at + step < Board::PLACES && free.has(at + step))
                    pair[at][axis_of(step)] = static_cast<std::uint16_t>(pairs++);
        });
        for (int tile : BY_NAME) {
            first[tile] = static_cast<std::uint16_t>(placements);
            placements += is_double(tile) ? pairs : 2 * pairs;
        }
    }

    static int axis_of(int step) { return step == Board::RIGHT ? 0 : step == Board::UP_RIGHT ? 1 : 2; }

    std::uint16_t of(const Move& move) const {
        int number = placements + (move.kind == Move::KEEP);
        if (move.kind == Move::PLACE) {
            const bool turned = move.first > move.second;
            const int lower = turned ? move.second : move.first;
            const int step = turned ? move.first - move.second : move.second - move.first;
            number = first[move.tile] + pair[lower][axis_of(step)] + (turned ? pairs : 0);
        }
        return static_cast<std::uint16_t>(number);
    }
};

// An entry, the legal moves before it, and its points.
struct TraceStep {
    std::string entry;  // a move in notation, or 'deal' or 'draw', the seat and the tiles
    std::vector<std::uint16_t> legal;  // the numbers of all legal moves
    std::array<int, 2> points{};
};

template <int RADIUS>
std::vector<std::uint16_t> legal_numbers(const Position<RADIUS>& position) {
    static const MoveNumbering<RADIUS> numbers;
    std::vector<std::uint16_t> found;
    each_move(position, [&](const Move& move) { found.push_back(numbers.of(move)); });
    return found;
}

// Plays a random game to its end.
template <int RADIUS>
std::vector<TraceStep> trace_random_game(Position<RADIUS>& position, std::uint64_t seed) {
    Random random(seed);
    std::vector<TraceStep> trace;
    while (position.phase != Phase::OVER) {
        TraceStep step;
        step.legal = legal_numbers(position);
        if (position.phase == Phase::PLACE) {
            const Move move = random_placement(position, random);
            step.entry = write_move<RADIUS>(move);
            step.points = {position.points(move.first, TILE[move.tile].first),
                           position.points(move.second, TILE[move.tile].second)};
            position.place(move);
        } else if (position.phase == Phase::SWAP) {
            random_step(position, random);
            step.entry = position.aside.count ? "swap" : "keep";
        } else {
            const int seat = position.drawing_seat(), held = position.hands[seat].count;
            step.entry = std::string(PHASE_NAMES[static_cast<std::size_t>(position.phase)]) + ' ' +
                         std::to_string(seat) + ' ';
            random_step(position, random);
            const Hand& hand = position.hands[seat];
            step.entry += write_tiles(hand.tiles + held, hand.count - held);
        }
        trace.push_back(std::move(step));
    }
    return trace;
}

// --- perft ---------------------------------------------------------------------------------------

// Perft: the number of leaves at this depth; a game that is over counts once. Draws are fixed: always
// the first tile left in the bag, in the order of names, with the last one put in its place. Uses make
// and unmake on one position.
template <int RADIUS>
std::uint64_t perft(Position<RADIUS>& position, int depth) {
    if (position.phase == Phase::DEAL || position.phase == Phase::DRAW) {
        const int who = position.drawing_seat();
        const Phase before = position.phase;
        const Hand returned = position.aside, hand = position.hands[who];
        const auto bag = position.bag;
        std::array<std::uint8_t, TILES> rank{};
        for (std::uint8_t at = 0; at < TILES; ++at) rank[BY_NAME[at]] = at;
        std::sort(position.bag.begin(), position.bag.begin() + position.bag_count,
                  [&](int a, int b) { return rank[a] < rank[b]; });
        const int drawn = position.draw([](int) { return 0; });
        const std::uint64_t ways = perft(position, depth);
        position.take_back_draw(who, drawn, before, returned);
        position.bag = bag;
        position.hands[who] = hand;
        return ways;
    }
    if (depth == 0 || position.phase == Phase::OVER) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(count_moves(position));
    std::uint64_t ways = 0;
    each_move(Position<RADIUS>(position), [&](const Move& move) {
        if (move.kind == Move::PLACE) {
            const auto undo = position.place(move);
            ways += perft(position, depth - 1);
            position.take_back(move, undo);
        } else {
            move.kind == Move::SWAP ? position.swap() : position.keep();
            ways += perft(position, depth - 1);
            position.take_back_choice();
        }
    });
    return ways;
}

}  // namespace tuilerie::genial
