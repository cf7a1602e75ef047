// What the strong bots ask: which tiles to keep in the draft, and what others' galaxies may become.
#pragma once

#include "kaosmos_anneal.h"
#include "kaosmos_view.h"

namespace tuilerie::kaosmos {

// How much a tile promises: its planets, those of a colour that lags behind more, and its arms. The
// same as the plain bot's rule of thumb in bots/kaosmos.py.
inline double promise(const Box& box, const Markers& markers, Byte id) {
    const Tile& tile = box.tiles[id];
    const int first = std::max({markers[GREEN], markers[BLUE], markers[ORANGE]});
    double worth = 0.3 * std::popcount(tile.arms);
    for (int corner = 0; corner < 4; ++corner)
        if (tile.kind[corner] < COLOURS)
            worth += tile.planets[corner] * (1 + (first - markers[tile.kind[corner]]) / 10.0);
    return worth;
}

inline Tiles most_promising(const Position& position, int seat, std::size_t count) {
    Tiles tiles = position.seats[seat].packet;
    const Markers& markers = position.seats[seat].markers;
    std::stable_sort(tiles.begin(), tiles.end(), [&](Byte one, Byte other) {
        return promise(*position.box, markers, one) > promise(*position.box, markers, other);
    });
    tiles.resize(std::min(count, tiles.size()));
    return tiles;
}

// --- the draft -----------------------------------------------------------------------------------

struct Keep {
    Tiles tiles;
    double value = 0;  // the sum over its samples, and the mean when all is done
    int visits = 0;
    double guess = 0;
};

// Sampled futures: what others hold is filled in, everyone drafts on by the rule of thumb, and the
// galaxy of the nine tiles is annealed. All candidates meet the same futures, and after each round
// the worse half is dropped.
class Draft {
public:
    Draft(const View& view, const Goal& goal, std::uint64_t seed)
        : view_(view), goal_(goal), seed_(seed) {}

    std::vector<Keep> weigh(const Limit& limit, std::size_t most, std::uint64_t build) {
        std::vector<Keep> keeps = candidates(most);
        std::uint64_t used = 0;
        std::size_t alive = keeps.size();
        const std::uint64_t rounds = std::bit_width(keeps.size());
        for (std::uint64_t round = 0; alive > 1 && !limit.over(used & ~std::uint64_t{255}); ++round) {
            Limit share = limit;
            share.nodes = limit.nodes / rounds * (round + 1);
            share.seconds = limit.seconds / static_cast<double>(rounds) * static_cast<double>(round + 1);
            do {
                const std::uint64_t future = seed_ + static_cast<std::uint64_t>(futures_++);
                for (std::size_t at = 0; at < alive; ++at) used += play(keeps[at], future, build);
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
        return keep.visits ? keep.value / keep.visits : keep.guess - 1e6;
    }

    // All choices of three, the most promising first.
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
                        keep.guess += promise(*view_.position.box, own.markers, tile);
                    found.push_back(keep);
                }
        std::stable_sort(found.begin(), found.end(),
                         [](const Keep& a, const Keep& b) { return a.guess > b.guess; });
        if (found.size() > most) found.resize(most);
        return found;
    }

    std::uint64_t play(Keep& keep, std::uint64_t future, std::uint64_t build) const {
        Random random(future);
        Position position = Resampling(view_, random).sample();
        position.keep(view_.viewer, keep.tiles);
        while (position.phase == Phase::DRAFT) {
            const int seat = position.first_waiting();
            position.keep(seat, most_promising(position, seat, 3));
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
    int futures_ = 0;
};

// --- the bonus tiles -----------------------------------------------------------------------------

// For each colour and size: how likely it is that no other galaxy gets a larger zone.
using Odds = std::array<std::array<double, Goal::LARGEST>, COLOURS>;

// Others finish their galaxies with tiles that are filled in, as builders do who count `build`
// galaxies before they settle. Who has taken a bonus tile too early leaves the rest to luck.
inline Odds odds(const View& view, int samples, std::uint64_t build, std::uint64_t seed) {
    Odds found{};
    for (int sample = 0; sample < samples; ++sample) {
        Random random(seed + static_cast<std::uint64_t>(sample));
        Position position = Resampling(view, random).sample();
        std::array<int, COLOURS> largest{1, 1, 1};  // a zone without a planet wins nothing
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
