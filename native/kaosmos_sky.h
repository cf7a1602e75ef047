// A galaxy that grows in any direction: what lies where, and where more can come.
#pragma once

#include "kaosmos.h"

namespace tuilerie::kaosmos {

// Cells are numbered row by row. There are enough of them for nine tiles in any direction from the
// middle, and one more, so that everything that lies has neighbours.
struct Sky {
    static constexpr int WIDTH = 2 * HAND + 1;
    static constexpr int MIDDLE = HAND * WIDTH + HAND;
    static constexpr std::int8_t OPEN = -1, EMPTY = -2;  // a tile may come; none will
    static constexpr std::array<int, 4> SIDES{-WIDTH, 1, WIDTH, -1};  // in the order of the arms

    Zones zones;
    std::array<std::int8_t, WIDTH * WIDTH> at;  // a place (by the order of laying), OPEN or EMPTY
    std::array<std::int16_t, HAND> cell{};      // of each place
    std::array<Byte, HAND> tile{}, turns{}, arms{};
    int laid = 0;
    unsigned left = 0;  // the tiles that are not laid, by their numbers
    // What each kind brings at most, as far as it is known from before.
    std::array<int, 4> most{UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
    static constexpr int UNKNOWN = 1000;

    explicit Sky(unsigned tiles) : left(tiles) { at.fill(OPEN); }

    bool is_complete() const { return !left; }

    void lay(int where, int number, int turned, const Face& face) {
        const int place = laid++;
        cell[place] = static_cast<std::int16_t>(where);
        tile[place] = static_cast<Byte>(number);
        turns[place] = static_cast<Byte>(turned);
        arms[place] = face.arms;
        left &= ~(1U << number);
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

    // Only so many more tiles come, in a row that begins here: what is further away stays as it is.
    void close_beyond(int begin, int tiles) {
        for (int place = 0; place < laid; ++place)
            for (int row = -WIDTH; row <= WIDTH; row += WIDTH)
                for (int other = cell[place] + row - 1; other <= cell[place] + row + 1; ++other)
                    if (at[other] == OPEN && distance(begin, other) >= tiles) at[other] = EMPTY;
    }

    // For each zone how many fields around it could still become part of it, at the points where its
    // own fields lie: those in open cells that follow each other around such a point.
    using Rooms = std::array<Byte, FIELDS + 4>;

    Rooms rooms() const {
        Rooms room{};
        for (int place = 0; place < laid; ++place)
            for (int corner = 0; corner < 4; ++corner) {
                const int point = cell[place] + POINTS[corner];
                const std::array<int, 4> around = cells_around(point);
                const int own = (corner + 2) & 3;
                int first = 0;
                while (at[around[first]] < 0) ++first;
                if (first == own) add_rooms(point, 1, room);  // each point once
            }
        return room;
    }

    // The same, were an open cell to stay empty.
    Rooms rooms_without(int gap, const Rooms& before) {
        Rooms room = before;
        for (const int point : POINTS) add_rooms(gap + point, -1, room);
        at[gap] = EMPTY;
        for (const int point : POINTS) add_rooms(gap + point, 1, room);
        at[gap] = OPEN;
        return room;
    }

    // How many tiles a path can have at most by the arms that are not blocked. `without` and `ends`:
    // how many of the tiles that are not laid have no arm, or a single one.
    int longest_by_arms(int without, int ends) const {
        for (int place = 0; place < laid; ++place) {
            int usable = 0;
            for (int side = 0; side < 4; ++side) {
                if (!(arms[place] >> side & 1)) continue;
                const int beside = at[cell[place] + SIDES[side]];
                usable += beside >= 0 ? meets(beside, side) : beside == OPEN && left;
            }
            without += usable == 0;
            ends += usable == 1;
        }
        return laid + std::popcount(left) - without - std::max(0, ends - 2);
    }

    // The longest path through what lies.
    int longest() const {
        Beside beside{};
        Byte any = 0;
        for (int place = 0; place < laid; ++place) {
            any |= arms[place];
            for (int side = 0; side < 4; ++side) {
                const int other = at[cell[place] + SIDES[side]];
                if ((arms[place] >> side & 1) && other >= 0 && meets(other, side))
                    beside[place] |= 1U << other;
            }
        }
        int best = any != 0;  // a single tile with an arm is a path
        for (int place = 0; place < laid; ++place)
            if (beside[place]) best = std::max(best, longest_from(beside, place, (1U << HAND) - 1));
        return best;
    }

private:
    // Whether the tile that lies on this side of another one has an arm towards it.
    bool meets(int place, int side) const { return arms[place] >> ((side + 2) & 3) & 1; }

    // Points have the number of the cell below and right of them. So these are those of a cell, from
    // its own number on, in the order of its corners.
    static constexpr std::array<int, 4> POINTS{0, 1, WIDTH + 1, WIDTH};

    // Clockwise from the top left. The field there of the cell with number n is its corner n + 2.
    static std::array<int, 4> cells_around(int point) {
        return {point - WIDTH - 1, point - WIDTH, point, point - 1};
    }

    // Add what a point gives to each zone there, or take it away.
    void add_rooms(int point, int times, Rooms& room) const {
        const std::array<int, 4> around = cells_around(point);
        std::array<int, 4> zone{-1, -1, -1, -1};
        unsigned open = 0;
        for (int number = 0; number < 4; ++number) {
            const int lies = at[around[number]];
            if (lies >= 0) zone[number] = zones.zone[zones.at[lies][(number + 2) & 3]];
            open |= unsigned{lies == OPEN} << number;
        }
        if (!open) return;
        for (int number = 0; number < 4; ++number) {
            if (zone[number] < 0) continue;
            unsigned fields = REACHED[open][number];
            for (int same = number + 1; same < 4; ++same)
                if (zone[same] == zone[number]) {
                    fields |= REACHED[open][same];
                    zone[same] = -1;  // it has spoken
                }
            static constexpr std::array<Byte, 16> bits{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
            room[zone[number]] = static_cast<Byte>(room[zone[number]] + times * bits[fields]);
        }
    }

    // Which open cells around a point, a set, can be come to from one of them without leaving it.
    static constexpr std::array<std::array<Byte, 4>, 16> REACHED = [] {
        std::array<std::array<Byte, 4>, 16> reached{};
        for (unsigned open = 0; open < 16; ++open)
            for (int from = 0; from < 4; ++from)
                for (const int step : {1, 3})
                    for (int steps = 1; steps < 4 && (open >> ((from + steps * step) & 3) & 1); ++steps)
                        reached[open][from] |= static_cast<Byte>(1U << ((from + steps * step) & 3));
        return reached;
    }();
};

}  // namespace tuilerie::kaosmos
