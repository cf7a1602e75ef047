// A partial galaxy of free shape (the card 'derive'): placed tiles on a grid, and for every other cell
// whether it may still be filled.
#pragma once

#include "kaosmos.h"

namespace tuilerie::kaosmos {

// Cells are numbered row by row. The grid has space for nine tiles in any direction from the middle,
// plus a border, so that every placed tile has four neighbouring cells.
struct FreeGalaxy {
    static constexpr int WIDTH = 2 * HAND + 1;
    static constexpr int MIDDLE = HAND * WIDTH + HAND;
    static constexpr std::int8_t OPEN = -1, EMPTY = -2;  // undecided; stays empty
    static constexpr std::array<int, 4> SIDES{-WIDTH, 1, WIDTH, -1};  // offsets, in the order of `Arm`

    Zones zones;
    std::array<std::int8_t, WIDTH * WIDTH> at;  // a place (index in order of placement), OPEN or EMPTY
    std::array<std::int16_t, HAND> cell{};      // of each place
    std::array<Byte, HAND> tile{}, turns{}, arms{};
    int laid = 0;
    unsigned remaining = 0;  // bit set of tiles not placed
    // Upper bound on the points of each kind, inherited from the parent node.
    std::array<int, 4> max_points{NO_BOUND, NO_BOUND, NO_BOUND, NO_BOUND};
    static constexpr int NO_BOUND = 1000;

    explicit FreeGalaxy(unsigned tiles) : remaining(tiles) { at.fill(OPEN); }

    bool is_complete() const { return !remaining; }

    void lay(int where, int number, int turned, const Face& face) {
        const int place = laid++;
        cell[place] = static_cast<std::int16_t>(where);
        tile[place] = static_cast<Byte>(number);
        turns[place] = static_cast<Byte>(turned);
        arms[place] = face.arms;
        remaining &= ~(1U << number);
        zones.lay(place, face);
        if (at[where - WIDTH] >= 0) zones.join_above(at[where - WIDTH], place);
        if (at[where + WIDTH] >= 0) zones.join_above(place, at[where + WIDTH]);
        if (at[where - 1] >= 0) zones.join_left(at[where - 1], place);
        if (at[where + 1] >= 0) zones.join_left(place, at[where + 1]);
        at[where] = static_cast<std::int8_t>(place);
    }

    static int distance(int one, int other) {
        return std::abs(one / WIDTH - other / WIDTH) + std::abs(one % WIDTH - other % WIDTH);
    }

    // All remaining tiles form a chain that starts at cell `begin`: cells out of its reach stay empty.
    void close_beyond(int begin, int tiles) {
        for (int place = 0; place < laid; ++place)
            for (int row = -WIDTH; row <= WIDTH; row += WIDTH)
                for (int other = cell[place] + row - 1; other <= cell[place] + row + 1; ++other)
                    if (at[other] == OPEN && distance(begin, other) >= tiles) at[other] = EMPTY;
    }

    // For each zone the number of fields that could join it directly: fields of open cells at the
    // grid points of the zone, connected to it around the point. 0: the zone is closed.
    using ZoneSpace = std::array<Byte, FIELDS + 4>;

    ZoneSpace zone_space() const {
        ZoneSpace space{};
        for (int place = 0; place < laid; ++place)
            for (int corner = 0; corner < 4; ++corner) {
                const int point = cell[place] + POINTS[corner];
                const std::array<int, 4> around = cells_around(point);
                const int own = (corner + 2) & 3;
                int first = 0;
                while (at[around[first]] < 0) ++first;
                if (first == own) add_space_at(point, 1, space);  // each point once
            }
        return space;
    }

    // The same if the open cell `gap` stayed empty, updated incrementally.
    ZoneSpace zone_space_without(int gap, const ZoneSpace& before) {
        ZoneSpace space = before;
        for (const int point : POINTS) add_space_at(gap + point, -1, space);
        at[gap] = EMPTY;
        for (const int point : POINTS) add_space_at(gap + point, 1, space);
        at[gap] = OPEN;
        return space;
    }

    // Upper bound on the path by counting arms that are not blocked: a tile without usable arms is on
    // no path, and one with a single usable arm can only be one of its two ends. The arguments count
    // the remaining tiles with no arm and with one.
    int max_path_by_arms(int armless, int single_armed) const {
        for (int place = 0; place < laid; ++place) {
            int usable = 0;
            for (int side = 0; side < 4; ++side) {
                if (!(arms[place] >> side & 1)) continue;
                const int adjacent = at[cell[place] + SIDES[side]];
                usable += adjacent >= 0 ? has_arm_towards(adjacent, side) : adjacent == OPEN && remaining;
            }
            armless += usable == 0;
            single_armed += usable == 1;
        }
        return laid + std::popcount(remaining) - armless - std::max(0, single_armed - 2);
    }

    // The longest path over the placed tiles.
    int longest_path() const {
        Adjacency adjacent{};
        Byte any = 0;
        for (int place = 0; place < laid; ++place) {
            any |= arms[place];
            for (int side = 0; side < 4; ++side) {
                const int other = at[cell[place] + SIDES[side]];
                if ((arms[place] >> side & 1) && other >= 0 && has_arm_towards(other, side))
                    adjacent[place] |= 1U << other;
            }
        }
        int best = any != 0;  // a single tile with an arm is a path
        for (int place = 0; place < laid; ++place)
            if (adjacent[place]) best = std::max(best, longest_from(adjacent, place, (1U << HAND) - 1));
        return best;
    }

private:
    // Whether `place`, the neighbour on this side of another tile, has an arm towards that tile.
    bool has_arm_towards(int place, int side) const { return arms[place] >> ((side + 2) & 3) & 1; }

    // A grid point has the number of the cell to its lower right. These are the offsets of the four
    // points of a cell, in the order of its corners.
    static constexpr std::array<int, 4> POINTS{0, 1, WIDTH + 1, WIDTH};

    // Clockwise from the top left. Cell number n touches the point with its corner (n + 2) % 4.
    static std::array<int, 4> cells_around(int point) {
        return {point - WIDTH - 1, point - WIDTH, point, point - 1};
    }

    // Adds (`times` 1) or subtracts (-1) the fields that a point offers to the zones there.
    void add_space_at(int point, int times, ZoneSpace& space) const {
        const std::array<int, 4> around = cells_around(point);
        std::array<int, 4> zone{-1, -1, -1, -1};
        unsigned open = 0;
        for (int number = 0; number < 4; ++number) {
            const int content = at[around[number]];
            if (content >= 0) zone[number] = zones.zone[zones.at[content][(number + 2) & 3]];
            open |= unsigned{content == OPEN} << number;
        }
        if (!open) return;
        for (int number = 0; number < 4; ++number) {
            if (zone[number] < 0) continue;
            unsigned fields = REACHABLE[open][number];
            for (int same = number + 1; same < 4; ++same)
                if (zone[same] == zone[number]) {
                    fields |= REACHABLE[open][same];
                    zone[same] = -1;  // counted above
                }
            static constexpr std::array<Byte, 16> popcount{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
            space[zone[number]] = static_cast<Byte>(space[zone[number]] + times * popcount[fields]);
        }
    }

    // By bit set of open cells around a point: those connected to cell `from` around the point.
    static constexpr std::array<std::array<Byte, 4>, 16> REACHABLE = [] {
        std::array<std::array<Byte, 4>, 16> reachable{};
        for (unsigned open = 0; open < 16; ++open)
            for (int from = 0; from < 4; ++from)
                for (const int step : {1, 3})
                    for (int steps = 1; steps < 4 && (open >> ((from + steps * step) & 3) & 1); ++steps)
                        reachable[open][from] |= static_cast<Byte>(1U << ((from + steps * step) & 3));
        return reachable;
    }();
};

}  // namespace tuilerie::kaosmos
