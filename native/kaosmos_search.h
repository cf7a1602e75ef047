// Search for the strong bots, by determinization: which tiles to keep in the draft, and the odds of
// winning a bonus tile.
#pragma once

#include "kaosmos_anneal.h"
#include "kaosmos_playout.h"
#include "kaosmos_sample.h"

namespace tuilerie::kaosmos {

// Heuristic value of a tile: its planets, weighted by how far their colour is behind, and its arms.
// The same as the plain bot's in bots/kaosmos.py.
inline double tile_heuristic(const Box& box, const Markers& markers, Byte id) {
    const Tile& tile = box.tiles[id];
    const int first = std::max({markers[GREEN], markers[BLUE], markers[ORANGE]});
    double worth = 0.3 * std::popcount(tile.arms);
    for (int corner = 0; corner < 4; ++corner)
        if (tile.kind[corner] < COLOURS)
            worth += tile.planets[corner] * (1 + (first - markers[tile.kind[corner]]) / 10.0);
    return worth;
}

inline Tiles best_by_heuristic(const Position& position, int seat, std::size_t count) {
    Tiles tiles = position.seats[seat].packet;
    const Markers& markers = position.seats[seat].markers;
    std::stable_sort(tiles.begin(), tiles.end(), [&](Byte one, Byte other) {
        return tile_heuristic(*position.box, markers, one) >
               tile_heuristic(*position.box, markers, other);
    });
    tiles.resize(std::min(count, tiles.size()));
    return tiles;
}

// --- the draft -----------------------------------------------------------------------------------

struct Keep {
    Tiles tiles;
    double value = 0;  // sum over samples; their mean in the result
    int visits = 0;
    double heuristic = 0;
};

// Determinized playouts: hidden tiles are sampled, all seats draft on by the heuristic, and the
// viewer's galaxy is annealed. All candidates share the same samples (common random numbers), and the
// worse half is dropped after each round (sequential halving).
class DraftSearch {
public:
    DraftSearch(const View& view, const Goal& goal, std::uint64_t seed)
        : view_(view), goal_(goal), seed_(seed) {}

    // The candidates, best first. `build`: galaxies evaluated by annealing in each playout.
    std::vector<Keep> evaluate_keeps(const Limit& limit, std::size_t most, std::uint64_t build) {
        std::vector<Keep> keeps = candidates(most);
        std::uint64_t used = 0;
        std::size_t alive = keeps.size();
        const std::uint64_t rounds = std::bit_width(keeps.size());
        for (std::uint64_t round = 0; alive > 1 && !limit.over(used & ~std::uint64_t{255}); ++round) {
            Limit share = limit;
            share.nodes = limit.nodes / rounds * (round + 1);
            share.seconds = limit.seconds / static_cast<double>(rounds) * static_cast<double>(round + 1);
            do {
                const std::uint64_t sample_seed = seed_ + static_cast<std::uint64_t>(samples_++);
                for (std::size_t at = 0; at < alive; ++at)
                    used += playout(keeps[at], sample_seed, build);
            } while (used < share.nodes && limit.spent() < share.seconds);
            const auto end = keeps.begin() + static_cast<std::ptrdiff_t>(alive);
            std::stable_sort(keeps.begin(), end,
                             [](const Keep& a, const Keep& b) { return mean(a) > mean(b); });
            alive = (alive + 1) / 2;
        }
        for (Keep& keep : keeps) keep.value = mean(keep);
        return keeps;
    }

private:
    static double mean(const Keep& keep) {
        return keep.visits ? keep.value / keep.visits : keep.heuristic - 1e6;
    }

    // All choices of three, best heuristic first.
    std::vector<Keep> candidates(std::size_t most) const {
        const Seat& own = view_.position.seats[view_.viewer];
        const Tiles& packet = own.packet;
        std::vector<Keep> found;
        for (std::size_t one = 0; one < packet.size(); ++one)
            for (std::size_t two = one + 1; two < packet.size(); ++two)
                for (std::size_t three = two + 1; three < packet.size(); ++three) {
                    Keep keep;
                    keep.tiles = {packet[one], packet[two], packet[three]};
                    for (const Byte tile : keep.tiles)
                        keep.heuristic += tile_heuristic(*view_.position.box, own.markers, tile);
                    found.push_back(keep);
                }
        std::stable_sort(found.begin(), found.end(),
                         [](const Keep& a, const Keep& b) { return a.heuristic > b.heuristic; });
        if (found.size() > most) found.resize(most);
        return found;
    }

    // One playout; returns the galaxies evaluated.
    std::uint64_t playout(Keep& keep, std::uint64_t sample_seed, std::uint64_t build) const {
        Random random(sample_seed);
        Position position = Resampler(view_, random).sample();
        position.keep(view_.viewer, keep.tiles);
        while (position.phase == Phase::DRAFT) {
            const int seat = position.first_waiting();
            position.keep(seat, best_by_heuristic(position, seat, 3));
        }
        Problem problem;
        problem.box = position.box;
        problem.rules = position.rules();
        problem.tiles = position.seats[view_.viewer].supply;
        problem.goal = goal_;
        Solution best;
        Limit limit;
        limit.nodes = build;
        Annealing(problem, random).run(limit, best, build);
        keep.value += best.value;
        ++keep.visits;
        return best.nodes;
    }

    const View& view_;
    const Goal& goal_;
    std::uint64_t seed_;
    int samples_ = 0;
};

// --- the bonus tiles -----------------------------------------------------------------------------

// By colour and size: the probability that no other galaxy gets a larger zone.
using BonusOdds = std::array<std::array<double, Goal::LARGEST>, COLOURS>;

// Monte Carlo estimate: hidden tiles are sampled, and the others complete their galaxies by annealing
// `build` galaxies. A seat that took a bonus tile with an unfinished galaxy gets a random fill.
inline BonusOdds estimate_odds(const View& view, int samples, std::uint64_t build, std::uint64_t seed) {
    BonusOdds found{};
    for (int sample = 0; sample < samples; ++sample) {
        Random random(seed + static_cast<std::uint64_t>(sample));
        Position position = Resampler(view, random).sample();
        std::array<int, COLOURS> largest{1, 1, 1};  // a zone without planets never wins
        for (int seat = 0; seat < position.players; ++seat) {
            if (seat == view.viewer) continue;
            const Seat& other = position.seats[seat];
            Problem problem;
            problem.box = position.box;
            problem.rules = position.rules();
            problem.laid = other.galaxy;
            problem.tiles = other.supply;
            for (const Laid& laid : other.galaxy) add_tile(problem.tiles, laid.tile);
            problem.goal.totals = other.markers;
            Solution best;
            Limit limit;
            const bool whole = position.is_complete(seat);
            if (!whole && other.locked && can_be_filled(position, seat))
                position.fill_gaps(seat, random_fill(position, seat, random));
            if (whole || other.locked) {
                best.count = count(*position.box, other.galaxy, position.rules());
            } else if (problem.tiles.size() == HAND) {
                limit.nodes = build;
                Annealing(problem, random).run(limit, best, build);
            }
            for (int colour = 0; colour < COLOURS; ++colour)
                largest[colour] = std::max(largest[colour], best.count.largest[colour]);
        }
        for (int colour = 0; colour < COLOURS; ++colour)
            for (int size = largest[colour]; size < Goal::LARGEST; ++size)
                found[colour][size] += 1.0 / samples;
    }
    return found;
}

}  // namespace tuilerie::kaosmos
