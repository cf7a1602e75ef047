// The board of Génial! as bit masks, and the tiles as small integers.
//
// A hexagon of radius R is stored in a square of (2R + 1)² bits, row by row, so that each direction is
// a constant shift. No padding is needed between rows: a step over the edge lands in the next row on a
// bit outside the hexagon. (The last bit of a row is on the board only in the upper half, the first
// one only in the lower half.)
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace tuilerie::genial {

// --- tiles ---------------------------------------------------------------------------------------

inline constexpr int COLOURS = 6;
inline constexpr char LETTERS[] = "RYBGPO";
inline constexpr int MIXED = 15;
inline constexpr int TILES = 21;  // kinds of tiles: the mixed ones, then the doubles
inline constexpr int HAND_SIZE = 6;
inline constexpr int BAG_SIZE = 120;
inline constexpr int UNKNOWN = TILES;  // a tile that the viewer has not seen

struct Tile {
    std::uint8_t first, second;  // colours
};

inline constexpr std::array<Tile, TILES> TILE = [] {
    std::array<Tile, TILES> tiles{};
    int at = 0;
    for (std::uint8_t a = 0; a < COLOURS; ++a)
        for (std::uint8_t b = a + 1; b < COLOURS; ++b) tiles[at++] = {a, b};
    for (std::uint8_t a = 0; a < COLOURS; ++a) tiles[at++] = {a, a};
    return tiles;
}();

constexpr bool is_double(int tile) { return tile >= MIXED; }
constexpr int copies_of(int tile) { return is_double(tile) ? 5 : 6; }
constexpr unsigned colours_of(int tile) { return 1U << TILE[tile].first | 1U << TILE[tile].second; }

// The kinds of tiles by name, as the Python rules sort them.
inline constexpr std::array<std::uint8_t, TILES> BY_NAME = [] {
    constexpr auto before = [](int one, int other) {
        const char a = LETTERS[TILE[one].first], b = LETTERS[TILE[other].first];
        return a != b ? a < b : LETTERS[TILE[one].second] < LETTERS[TILE[other].second];
    };
    std::array<std::uint8_t, TILES> order{};
    for (int tile = 0; tile < TILES; ++tile) {
        int at = tile;
        for (; at > 0 && before(tile, order[at - 1]); --at) order[at] = order[at - 1];
        order[at] = static_cast<std::uint8_t>(tile);
    }
    return order;
}();

// --- masks ---------------------------------------------------------------------------------------

// The index of the k-th set bit, from 0.
inline int select_bit(std::uint64_t word, int k) noexcept {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(1ULL << k, word));
#else
    for (; k > 0; --k) word &= word - 1;
    return std::countr_zero(word);
#endif
}

// A set of cells.
template <int BITS>
struct Mask {
    static constexpr int WORDS = (BITS + 63) / 64;
    std::uint64_t words[WORDS]{};

    constexpr bool has(int at) const { return words[at >> 6] >> (at & 63) & 1; }
    constexpr void add(int at) { words[at >> 6] |= 1ULL << (at & 63); }
    constexpr void remove(int at) { words[at >> 6] &= ~(1ULL << (at & 63)); }

    constexpr bool any() const {
        std::uint64_t all = 0;
        for (auto word : words) all |= word;
        return all != 0;
    }

    constexpr int count() const {
        int sum = 0;
        for (auto word : words) sum += std::popcount(word);
        return sum;
    }

    // The k-th member; there must be more than k.
    int select(int k) const {
        int at = 0;
        for (int here = std::popcount(words[0]); k >= here; here = std::popcount(words[at])) {
            k -= here;
            ++at;
        }
        return 64 * at + select_bit(words[at], k);
    }

    int lowest() const { return select(0); }

    // All members shifted towards lower (higher) indices.
    template <int BY>
    constexpr Mask down() const {
        Mask moved;
        for (int at = 0; at < WORDS; ++at) {
            moved.words[at] = words[at] >> BY;
            if (at + 1 < WORDS) moved.words[at] |= words[at + 1] << (64 - BY);
        }
        return moved;
    }
    template <int BY>
    constexpr Mask up() const {
        Mask moved;
        for (int at = 0; at < WORDS; ++at) {
            moved.words[at] = words[at] << BY;
            if (at > 0) moved.words[at] |= words[at - 1] >> (64 - BY);
        }
        return moved;
    }

    friend constexpr Mask operator&(Mask one, const Mask& other) {
        for (int at = 0; at < WORDS; ++at) one.words[at] &= other.words[at];
        return one;
    }
    friend constexpr Mask operator|(Mask one, const Mask& other) {
        for (int at = 0; at < WORDS; ++at) one.words[at] |= other.words[at];
        return one;
    }
    friend constexpr bool operator==(const Mask&, const Mask&) = default;

    template <typename Visit>
    void each(Visit visit) const {
        for (int at = 0; at < WORDS; ++at)
            for (auto word = words[at]; word; word &= word - 1)
                visit(64 * at + std::countr_zero(word));
    }
};

// --- the hexagon ---------------------------------------------------------------------------------

template <int RADIUS>
struct Hexagon {
    static constexpr int WIDTH = 2 * RADIUS + 1;
    static constexpr int PLACES = WIDTH * WIDTH;
    using Cells = Mask<PLACES>;

    // Steps to three neighbours (right, up-right, up-left); the other three are their opposites.
    static constexpr int RIGHT = 1, UP_RIGHT = WIDTH + 1, UP_LEFT = WIDTH;
    static constexpr std::array<int, 3> AXES{RIGHT, UP_RIGHT, UP_LEFT};
    static constexpr int MARGIN = WIDTH + 1;  // no step leads further beyond the square

    // Rows and numbers as in the names of cells: h8, the centre, is row 7 and number 8.
    static constexpr int row_of(int at) { return at / WIDTH + 7 - RADIUS; }
    static constexpr int number_of(int at) { return at % WIDTH + 8 - RADIUS; }
    static constexpr int place_of(int row, int number) {
        return (row - 7 + RADIUS) * WIDTH + number - 8 + RADIUS;
    }
    static constexpr bool covers(int row, int number) {
        const int i = row - 7, j = number - 8, k = i - j;
        return -RADIUS <= i && i <= RADIUS && -RADIUS <= j && j <= RADIUS && -RADIUS <= k &&
               k <= RADIUS;
    }

    static constexpr Cells ALL = [] {
        Cells all;
        for (int at = 0; at < PLACES; ++at)
            if (covers(row_of(at), number_of(at))) all.add(at);
        return all;
    }();
    static constexpr int COUNT = ALL.count();

    struct Printed {
        int at;
        std::uint8_t colour;
    };
    // On the corners of the inner hexagon of radius 5: red, green, blue, orange, yellow, purple.
    static constexpr std::array<Printed, 6> PRINTED{{{place_of(12, 8), 0},
                                                     {place_of(12, 13), 3},
                                                     {place_of(7, 13), 2},
                                                     {place_of(2, 8), 5},
                                                     {place_of(2, 3), 1},
                                                     {place_of(7, 3), 4}}};

    // All neighbours of these cells.
    static constexpr Cells beside(const Cells& cells) {
        const Cells up = cells.template up<RIGHT>() | cells.template up<UP_RIGHT>() |
                         cells.template up<UP_LEFT>();
        const Cells down = cells.template down<RIGHT>() | cells.template down<UP_RIGHT>() |
                           cells.template down<UP_LEFT>();
        return (up | down) & ALL;
    }

    static constexpr std::array<Cells, 6> BESIDE_PRINTED = [] {
        std::array<Cells, 6> found;
        for (int at = 0; at < 6; ++at) {
            Cells one;
            one.add(PRINTED[at].at);
            found[at] = beside(one);
        }
        return found;
    }();

    // The three pairs whose first cell this is, in the order of the Python rules: by the name of the
    // second cell, as text (10 comes before 9).
    static constexpr std::array<int, 3> steps_by_name(int at) {
        if (number_of(at) == 9) return {RIGHT, UP_RIGHT, UP_LEFT};
        return {RIGHT, UP_LEFT, UP_RIGHT};
    }
};

}  // namespace tuilerie::genial
