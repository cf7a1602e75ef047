// The board of Blockers! as bit masks: nine rows A–I, nine columns 1–9, nine regions of 3×3.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tuilerie::blockers {

// A cell's number is 10 × row + column. The tenth column does not exist: as no bit is ever set
// there, a step to the left or right of the board finds nothing, and no edge needs a test.
inline constexpr int SIDE = 9;
inline constexpr int STRIDE = 10;
inline constexpr int CELL_NUMBERS = STRIDE * SIDE;

constexpr int cell_at(int row, int column) { return STRIDE * row + column; }
constexpr int row_of(int cell) { return cell / STRIDE; }
constexpr int column_of(int cell) { return cell % STRIDE; }

// A set of cells.
struct Mask {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    static constexpr Mask of(int cell) {
        return cell < 64 ? Mask{1ULL << cell, 0} : Mask{0, 1ULL << (cell - 64)};
    }

    constexpr Mask operator|(Mask o) const { return {low | o.low, high | o.high}; }
    constexpr Mask operator&(Mask o) const { return {low & o.low, high & o.high}; }
    constexpr Mask operator^(Mask o) const { return {low ^ o.low, high ^ o.high}; }
    constexpr Mask without(Mask o) const { return {low & ~o.low, high & ~o.high}; }
    constexpr Mask& operator|=(Mask o) { return *this = *this | o; }
    constexpr Mask& operator&=(Mask o) { return *this = *this & o; }
    constexpr Mask& operator^=(Mask o) { return *this = *this ^ o; }
    constexpr bool operator==(const Mask&) const = default;

    constexpr bool any() const { return (low | high) != 0; }
    constexpr bool has(int cell) const {
        return ((cell < 64 ? low >> cell : high >> (cell - 64)) & 1) != 0;
    }
    constexpr int count() const { return std::popcount(low) + std::popcount(high); }
    constexpr int first() const {
        return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
    }
    constexpr int take_first() {
        const int cell = first();
        if (low != 0) {
            low &= low - 1;
        } else {
            high &= high - 1;
        }
        return cell;
    }

    template <int BY>
    constexpr Mask up() const {  // towards higher numbers: to the right, downwards
        return {low << BY, (high << BY) | (low >> (64 - BY))};
    }
    template <int BY>
    constexpr Mask down() const {
        return {(low >> BY) | (high << (64 - BY)), high >> BY};
    }
};

constexpr Mask make_board() {
    Mask all;
    for (int row = 0; row < SIDE; ++row) {
        for (int column = 0; column < SIDE; ++column) all |= Mask::of(cell_at(row, column));
    }
    return all;
}

inline constexpr Mask BOARD = make_board();

// The cells that share a side with one of these.
constexpr Mask beside(Mask cells) {
    return (cells.up<1>() | cells.down<1>() | cells.up<STRIDE>() | cells.down<STRIDE>()) & BOARD;
}

constexpr std::array<Mask, CELL_NUMBERS> make_neighbours() {
    std::array<Mask, CELL_NUMBERS> found{};
    for (int cell = 0; cell < CELL_NUMBERS; ++cell) {
        if (BOARD.has(cell)) found[cell] = beside(Mask::of(cell));
    }
    return found;
}

inline constexpr auto NEIGHBOURS = make_neighbours();

// --- faces ---------------------------------------------------------------------------------------

// The faces of a colour's 28 tiles in their fixed order: columns, rows, regions, joker.
inline constexpr int FACES = 28;
inline constexpr int JOKER = 27;

constexpr bool matches(int face, int cell) {
    const int row = row_of(cell), column = column_of(cell);
    if (face < 9) return column == face;
    if (face < 18) return row == face - 9;
    if (face < JOKER) return row / 3 * 3 + column / 3 == face - 18;
    return true;
}

constexpr std::array<Mask, FACES> make_cells_of() {
    std::array<Mask, FACES> found{};
    for (int face = 0; face < FACES; ++face) {
        for (int cell = 0; cell < CELL_NUMBERS; ++cell) {
            if (BOARD.has(cell) && matches(face, cell)) found[face] |= Mask::of(cell);
        }
    }
    return found;
}

inline constexpr auto CELLS_OF = make_cells_of();

constexpr std::array<std::uint32_t, CELL_NUMBERS> make_faces_at() {
    std::array<std::uint32_t, CELL_NUMBERS> found{};
    for (int cell = 0; cell < CELL_NUMBERS; ++cell) {
        for (int face = 0; face < FACES; ++face) {
            if (CELLS_OF[face].has(cell)) found[cell] |= 1U << face;
        }
    }
    return found;
}

// The four faces that match a cell, as bits: its column, its row, its region and the joker.
inline constexpr auto FACES_AT = make_faces_at();

// --- groups --------------------------------------------------------------------------------------

// The connected component of `seed` in `cells` (flood fill).
constexpr Mask flood(Mask seed, Mask cells) {
    Mask found = seed & cells;
    for (;;) {
        const Mask grown = (found | beside(found)) & cells;
        if (grown == found) return found;
        found = grown;
    }
}

// The eight cells around one, from the upper left clockwise, as eight bits.
constexpr unsigned ring(Mask cells, int cell) {
    constexpr int corner = STRIDE + 1;  // the upper left neighbour comes first
    std::uint64_t near = 0;
    if (cell < corner) {
        near = cells.low << (corner - cell);
    } else if (cell == corner) {
        near = cells.low;
    } else if (cell - corner < 64) {
        near = (cells.low >> (cell - corner)) | (cells.high << (64 - (cell - corner)));
    } else {
        near = cells.high >> (cell - corner - 64);
    }
    const unsigned above = near & 7, middle = (near >> STRIDE) & 7, below = (near >> 2 * STRIDE) & 7;
    return above | (middle >> 2 << 3) | ((below >> 2 & 1) << 4) | ((below >> 1 & 1) << 5) |
           ((below & 1) << 6) | ((middle & 1) << 7);
}

// For each ring: the number of connected components of its side neighbours (odd bits) along the ring.
constexpr std::array<std::uint8_t, 256> make_parts_of_ring() {
    std::array<std::uint8_t, 256> parts{};
    for (unsigned ring = 0; ring < 256; ++ring) {
        int found = 0;
        for (int side = 1; side < 8; side += 2) {
            const bool here = ring >> side & 1;
            const bool joined = (ring >> ((side + 1) % 8) & 1) && (ring >> ((side + 2) % 8) & 1);
            found += here && !joined;
        }
        // Each part has one end in clockwise direction; a closed ring has none.
        parts[ring] = static_cast<std::uint8_t>(found == 0 && (ring & 0xaa) != 0 ? 1 : found);
    }
    return parts;
}

inline constexpr auto PARTS_OF_RING = make_parts_of_ring();

// The number of groups of `cells` that touch `cell`, connections through the cell itself not counted.
// For an occupied cell: the groups that would remain of its group without it.
constexpr int parts_around(Mask cells, int cell) {
    const int near = PARTS_OF_RING[ring(cells, cell)];
    if (near < 2) return near;  // connected around the cell
    Mask apart = NEIGHBOURS[cell] & cells;
    const Mask rest = cells.without(Mask::of(cell));
    int parts = 0;
    while (apart.any()) {
        ++parts;
        apart = apart.without(flood(Mask::of(apart.first()), rest));
    }
    return parts;
}

// Whether the tile on `cell`, one of `cells`, can be taken without splitting its group.
constexpr bool removable(Mask cells, int cell) {
    const int near = PARTS_OF_RING[ring(cells, cell)];
    if (near < 2) return true;
    const Mask apart = NEIGHBOURS[cell] & cells;
    const Mask rest = cells.without(Mask::of(cell));
    return !apart.without(flood(Mask::of(apart.first()), rest)).any();
}

}  // namespace tuilerie::blockers
