// Tiles, shapes and scoring of Kaosmos, with the rules and the names of games/kaosmos/. Tiles and cards
// are data, read at run time (kaosmos_text.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tuilerie::kaosmos {

using Byte = std::uint8_t;

// The colours in scoring order; the fourth kind of field has no colour, and the fourth marker is the
// star.
enum Kind : Byte { GREEN, BLUE, ORANGE, CONSTELLATION, MERGED };
inline constexpr int KINDS = 5;  // MERGED is no kind of field: it marks a merged zone (union-find)
inline constexpr int COLOURS = 3;
inline constexpr int STAR = 3;
inline constexpr int MARKERS = 4;
inline constexpr int LOWEST = 0, HIGHEST = 30;

inline constexpr int HAND = 9;          // tiles of a player in a round, and most places of a shape
inline constexpr int FIELDS = 4 * HAND;
inline constexpr int NAMES = 100;       // T00 to T99
inline constexpr int FRAME = 9;         // slots a1 to i9, in reading order: 9 * row + column
inline constexpr int SLOTS = FRAME * FRAME;
inline constexpr int ROUNDS = 5;
inline constexpr int MOST_PLAYERS = 6;

enum Arm : Byte { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };

using Markers = std::array<int, MARKERS>;

inline int clamp(int value) { return std::clamp(value, LOWEST, HIGHEST); }

// --- tiles ---------------------------------------------------------------------------------------

// A tile as printed: its fields clockwise from the top left, and its arms.
struct Tile {
    std::array<Byte, 4> kind{};
    std::array<Byte, 4> planets{};
    Byte arms = 0;

    // A quarter turn clockwise: every field and every arm moves on by one.
    Tile turned() const {
        Tile next;
        for (int at = 0; at < 4; ++at) {
            next.kind[(at + 1) % 4] = kind[at];
            next.planets[(at + 1) % 4] = planets[at];
        }
        next.arms = static_cast<Byte>(((arms << 1) | (arms >> 3)) & 15);
        return next;
    }
};

// A tile in one orientation, preprocessed for scoring: connected fields of a kind are one part.
struct Face {
    Byte parts = 0;
    Byte arms = 0;
    std::array<Byte, 4> part_at{};  // for each corner its part
    std::array<Byte, 4> kind{};     // of each part
    std::array<Byte, 4> size{};     // of each part: its planets, or the fields of a constellation

    friend bool operator==(const Face&, const Face&) = default;
};

// Adjacent fields of a kind are one part, unless an arm cuts them: arm N is between the fields 0 and 1,
// E between 1 and 2, and so on.
inline Face face_of(const Tile& tile, bool cut) {
    std::array<int, 4> group{0, 1, 2, 3};
    for (int before = 0; before < 4; ++before) {
        const int after = (before + 1) % 4;
        if (tile.kind[before] != tile.kind[after] || (cut && (tile.arms >> before & 1))) continue;
        const int keep = std::min(group[before], group[after]);
        const int drop = std::max(group[before], group[after]);
        for (int& each : group) each = each == drop ? keep : each;
    }
    Face face;
    face.arms = tile.arms;
    std::array<int, 4> name{-1, -1, -1, -1};
    for (int corner = 0; corner < 4; ++corner) {
        int& part = name[group[corner]];
        if (part < 0) {
            part = face.parts++;
            face.kind[part] = tile.kind[corner];
        }
        face.part_at[corner] = static_cast<Byte>(part);
        const int more = tile.kind[corner] == CONSTELLATION ? 1 : tile.planets[corner];
        face.size[part] = static_cast<Byte>(face.size[part] + more);
    }
    return face;
}

// --- shapes --------------------------------------------------------------------------------------

enum class Shape : Byte { SQUARE, ROW, TWINS, RING, FREE };

// The slots of a galaxy in reading order and their adjacency. A join is an edge where arms of both
// tiles meet. For fixed shapes, a table of the longest path by bit set of joins: at most twelve edges,
// so at most 4096 entries.
struct Layout {
    int places = 0;
    int edges = 0;
    std::array<Byte, HAND> slot{};
    std::array<std::int8_t, HAND> above{}, left{};            // a place, or -1
    std::array<std::int8_t, HAND> edge_above{}, edge_left{};  // the number of that join, or -1
    std::vector<Byte> longest;                                // empty for a free shape
};

using Adjacency = std::array<unsigned, HAND>;  // by place: bit set of joined places

// The length of the longest simple path from here.
inline int longest_from(const Adjacency& adjacent, int from, unsigned open) {
    int best = 0;
    open &= ~(1U << from);
    for (unsigned next = adjacent[from] & open; next; next &= next - 1)
        best = std::max(best, longest_from(adjacent, std::countr_zero(next), open));
    return best + 1;
}

// The longest path for a set of joins; 0 where nothing is joined.
inline int compute_longest_path(const Layout& layout, unsigned joins) {
    Adjacency adjacent{};
    const auto join = [&](int edge, int one, int other) {
        if (edge < 0 || !(joins >> edge & 1)) return;
        adjacent[one] |= 1U << other;
        adjacent[other] |= 1U << one;
    };
    for (int place = 0; place < layout.places; ++place) {
        join(layout.edge_above[place], layout.above[place], place);
        join(layout.edge_left[place], layout.left[place], place);
    }
    int best = 0;
    for (int place = 0; place < layout.places; ++place)
        if (adjacent[place]) best = std::max(best, longest_from(adjacent, place, (1U << HAND) - 1));
    return best;
}

inline int longest_path(const Layout& layout, unsigned joins) {
    return layout.longest.empty() ? compute_longest_path(layout, joins) : layout.longest[joins];
}

// The layout of slots given in reading order.
inline Layout lay_out(const Byte* slots, int places) {
    Layout layout;
    layout.places = places;
    std::array<std::int8_t, SLOTS> place_at;
    place_at.fill(-1);
    for (int place = 0; place < places; ++place) {
        const int slot = slots[place];
        layout.slot[place] = static_cast<Byte>(slot);
        place_at[slot] = static_cast<std::int8_t>(place);
        layout.above[place] = slot >= FRAME ? place_at[slot - FRAME] : std::int8_t{-1};
        layout.left[place] = slot % FRAME ? place_at[slot - 1] : std::int8_t{-1};
        const auto number = [&](int other) {
            return static_cast<std::int8_t>(other < 0 ? -1 : layout.edges++);
        };
        layout.edge_above[place] = number(layout.above[place]);
        layout.edge_left[place] = number(layout.left[place]);
    }
    return layout;
}

inline Layout fixed_layout(Shape shape) {
    static constexpr Byte square[] = {0, 1, 2, 9, 10, 11, 18, 19, 20};
    static constexpr Byte row[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static constexpr Byte twins[] = {0, 1, 3, 4, 9, 10, 12, 13};
    static constexpr Byte ring[] = {0, 1, 2, 9, 11, 18, 19, 20};
    const bool all = shape == Shape::SQUARE || shape == Shape::ROW;
    const Byte* slots = shape == Shape::SQUARE ? square
                        : shape == Shape::ROW  ? row
                        : shape == Shape::RING ? ring
                                               : twins;
    Layout layout = lay_out(slots, all ? HAND : HAND - 1);
    layout.longest.resize(std::size_t{1} << layout.edges);
    for (unsigned joins = 0; joins < layout.longest.size(); ++joins)
        layout.longest[joins] = static_cast<Byte>(compute_longest_path(layout, joins));
    return layout;
}

// The layout of a fixed shape, made once.
inline const Layout& layout_of(Shape shape) {
    static const std::array<Layout, 4> made{
        fixed_layout(Shape::SQUARE), fixed_layout(Shape::ROW), fixed_layout(Shape::TWINS),
        fixed_layout(Shape::RING)};
    return made[static_cast<int>(shape)];
}

inline int size_of(Shape shape) {
    return shape == Shape::TWINS || shape == Shape::RING ? HAND - 1 : HAND;
}

// --- the rules of a round ------------------------------------------------------------------------

// A step function as a table: points by amount. No zone has more than 72 planets.
struct Steps {
    static constexpr int MOST = 2 * FIELDS;
    std::array<std::int8_t, MOST + 1> worth{};
    int top = 0;  // constant from here on

    void from(int least, int points) {
        std::fill(worth.begin() + least, worth.end(), static_cast<std::int8_t>(points));
        top = std::max(top, least);
    }
    int operator[](int amount) const { return worth[amount]; }
};

struct ColourZones {
    int colour = -1;  // -1: no such card
    int planets = 0;
    int points = 0;
};

struct Balance {
    int least = 0;  // 0: no such card
    int points = 0;
};

// As `RoundRules` in games/kaosmos/cards.py.
struct Rules {
    Shape shape = Shape::SQUARE;
    bool draft = true;
    bool turning = true;
    bool cut = true;
    bool largest_only = false;
    int largest_points = 0;
    int path_factor = 1;
    int bonus_won = 3;
    int bonus_lost = -2;
    int interference = 0;
    int transfer = 0;
    std::array<Steps, KINDS> tables;  // points of a zone, by kind
    ColourZones colour_zones;
    Balance balance;
};

inline int path_points(int length) { return length >= 9 ? 4 : length >= 6 ? 2 : length >= 4; }

// All tiles of a box, in every orientation, cut by their arms and not; and its cards.
struct Box {
    std::array<bool, NAMES> has{};
    std::array<Tile, NAMES> tiles{};
    std::array<std::array<std::array<Face, 4>, NAMES>, 2> faces{};
    std::vector<Byte> ids;
    std::vector<std::string> card_names;
    std::vector<Rules> cards;
    Rules basic;

    void add(int id, const Tile& tile) {
        has[id] = true;
        tiles[id] = tile;
        ids.push_back(static_cast<Byte>(id));
        Tile turned = tile;
        for (int turns = 0; turns < 4; ++turns, turned = turned.turned())
            for (int cut = 0; cut < 2; ++cut) faces[cut][id][turns] = face_of(turned, cut);
    }
    const Face& face(const Rules& rules, int id, int turns) const {
        return faces[rules.cut][id][turns];
    }
    const Rules& rules(int card) const { return card < 0 ? basic : cards[card]; }
};

// --- one galaxy ----------------------------------------------------------------------------------

// Union-find of parts into zones, with eager relabelling: every part stores the id of its zone, which
// is the index of the zone's first part. A union relabels all 48 bytes, which is three vector
// instructions; there are no parent chains to follow. A copy is cheap, so a search keeps one for each
// depth instead of undoing unions.
struct Zones {
    alignas(16) std::array<Byte, 48> zone;
    std::array<Byte, FIELDS + 4> kind, size;   // by zone id; MERGED: no longer a root
    std::array<std::array<Byte, 4>, HAND> at;  // by place and corner: the part
    int count = 0;

    Zones() { zone.fill(0); }  // the rest is written before it is read

    // Always copies four entries, even if the tile has fewer parts: the surplus is overwritten by the
    // next tile, or lies beyond `count`.
    void lay(int place, const Face& face) {
        const std::uint32_t base = 0x01010101U * static_cast<std::uint32_t>(count);
        write(zone.data() + count, std::bit_cast<std::uint32_t>(FIRST) + base);
        write(kind.data() + count, std::bit_cast<std::uint32_t>(face.kind));
        write(size.data() + count, std::bit_cast<std::uint32_t>(face.size));
        write(at[place].data(), std::bit_cast<std::uint32_t>(face.part_at) + base);
        count += face.parts;
    }

    void join(int one_part, int other_part) {
        const Byte one = zone[one_part], other = zone[other_part];
        if (one == other || kind[one] != kind[other]) return;
        const Byte keep = std::min(one, other), drop = std::max(one, other);
        for (Byte& each : zone) each = each == drop ? keep : each;
        size[keep] = static_cast<Byte>(size[keep] + size[drop]);
        kind[drop] = MERGED;
    }

    // Corners are NW 0, NE 1, SE 2, SW 3. Colours always join across the edge of a tile.
    void join_above(int upper, int lower) {
        join(at[upper][3], at[lower][0]);
        join(at[upper][2], at[lower][1]);
    }
    void join_left(int left, int right) {
        join(at[left][1], at[right][0]);
        join(at[left][2], at[right][3]);
    }

private:
    static constexpr std::array<Byte, 4> FIRST{0, 1, 2, 3};
    static void write(Byte* to, std::uint32_t four) { std::memcpy(to, &four, sizeof four); }
};

// The score of a galaxy by itself: zones and path (`points`), and the card of the round (`kaos`).
struct Count {
    Markers points{};
    Markers kaos{};
    std::array<int, COLOURS> largest{};
    int path = 0;
};

using Faces = std::array<const Face*, HAND>;  // by place; null: empty

// Scores zones and path under the rules of a round.
inline void score_zones(const Zones& zones, int path, const Rules& rules, Count& count) {
    std::array<int, KINDS> all{}, largest{};
    for (int zone = 0; zone < zones.count; ++zone) {  // branchless: branches would be unpredictable
        const int kind = zones.kind[zone], size = zones.size[zone];
        all[kind] += rules.tables[kind][size];
        largest[kind] = std::max(largest[kind], size);
    }
    const ColourZones& extra = rules.colour_zones;
    if (extra.colour >= 0)
        for (int zone = 0; zone < zones.count; ++zone)
            if (zones.kind[zone] == extra.colour && zones.size[zone] >= extra.planets)
                count.kaos[extra.colour] += extra.points;
    count.kaos[STAR] += all[CONSTELLATION];
    std::copy_n(largest.begin(), COLOURS, count.largest.begin());
    bool balanced = rules.balance.least > 0;
    for (int colour = 0; colour < COLOURS; ++colour) {
        const int best = rules.tables[colour][count.largest[colour]];
        count.points[colour] = rules.largest_only ? best : all[colour];
        if (rules.largest_only && best) count.kaos[colour] += rules.largest_points;
        balanced &= count.points[colour] >= rules.balance.least;
    }
    if (balanced) count.kaos[STAR] += rules.balance.points;
    count.path = path;
    count.points[STAR] = path_points(path) * rules.path_factor;
}

// Builds the zones tile by tile in reading order, as `count` in games/kaosmos/score.py does, and the
// length of the longest path.
inline Zones build_zones(const Layout& layout, const Faces& faces, int& path) {
    Zones zones;
    unsigned joins = 0;
    Byte arms = 0;
    for (int place = 0; place < layout.places; ++place) {
        const Face* face = faces[place];
        if (!face) continue;
        zones.lay(place, *face);
        arms |= face->arms;
        const int above = layout.above[place], left = layout.left[place];
        if (above >= 0 && faces[above]) {
            zones.join_above(above, place);
            if ((face->arms & NORTH) && (faces[above]->arms & SOUTH))
                joins |= 1U << layout.edge_above[place];
        }
        if (left >= 0 && faces[left]) {
            zones.join_left(left, place);
            if ((face->arms & WEST) && (faces[left]->arms & EAST))
                joins |= 1U << layout.edge_left[place];
        }
    }
    path = joins ? longest_path(layout, joins) : arms != 0;  // a single tile with an arm is a path
    return zones;
}

inline Count count(const Layout& layout, const Faces& faces, const Rules& rules) {
    Count found;
    int path = 0;
    const Zones zones = build_zones(layout, faces, path);
    score_zones(zones, path, rules, found);
    return found;
}

// A placed tile.
struct Laid {
    Byte slot = 0, tile = 0, turns = 0;
    friend bool operator==(const Laid&, const Laid&) = default;
};

using Galaxy = std::vector<Laid>;  // in reading order

// Score any galaxy, complete or not.
inline Count count(const Box& box, const Galaxy& galaxy, const Rules& rules) {
    std::array<Byte, HAND> slots{};
    Faces faces{};
    for (std::size_t at = 0; at < galaxy.size(); ++at) {
        slots[at] = galaxy[at].slot;
        faces[at] = &box.face(rules, galaxy[at].tile, galaxy[at].turns);
    }
    return count(lay_out(slots.data(), static_cast<int>(galaxy.size())), faces, rules);
}

// --- the markers ---------------------------------------------------------------------------------

// Advances markers by zones and path, then bonus, then card; clamped to the track after each step.
inline Markers moved(const Markers& before, const Count& count,
                     const std::array<int, COLOURS>& bonus = {}) {
    Markers now = before;
    for (int marker = 0; marker < MARKERS; ++marker) {
        now[marker] = clamp(now[marker] + count.points[marker]);
        if (marker < COLOURS) now[marker] = clamp(now[marker] + bonus[marker]);
        now[marker] = clamp(now[marker] + count.kaos[marker]);
    }
    return now;
}

inline int final_score(const Markers& markers) {
    return std::min({markers[GREEN], markers[BLUE], markers[ORANGE]}) + markers[STAR];
}

}  // namespace tuilerie::kaosmos
