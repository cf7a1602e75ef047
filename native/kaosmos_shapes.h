// Enumeration of all shapes (fixed polyominoes), for brute force in tests. The solver does not use it.
#pragma once

#include <set>

#include "kaosmos.h"

namespace tuilerie::kaosmos {

struct Spot {
    int row, column;
    friend auto operator<=>(const Spot&, const Spot&) = default;
};
using Spots = std::vector<Spot>;  // in reading order

// Canonical translation: to the upper left corner.
inline void shift_to_corner(Spots& spots) {
    int row = FRAME, column = FRAME;
    for (const Spot& each : spots) {
        row = std::min(row, each.row);
        column = std::min(column, each.column);
    }
    for (Spot& each : spots) each = {each.row - row, each.column - column};
}

// All shapes of `places` cells that contain the given tiles; without any, all shapes up to
// translation. Rotations and reflections count as different.
inline std::vector<Spots> all_shapes(const Galaxy& laid, int places) {
    Spots begun;
    for (const Laid& each : laid) begun.push_back({each.slot / FRAME, each.slot % FRAME});
    if (begun.empty()) begun.push_back({0, 0});
    std::set<Spots> shapes{begun};
    for (int size = static_cast<int>(begun.size()); size < places; ++size) {
        std::set<Spots> larger;
        for (const Spots& shape : shapes)
            for (const Spot& each : shape)
                for (const auto& [down, right] : {Spot{-1, 0}, Spot{1, 0}, Spot{0, -1}, Spot{0, 1}}) {
                    const Spot next{each.row + down, each.column + right};
                    const bool inside = next.row >= 0 && next.row < FRAME && next.column >= 0 &&
                                        next.column < FRAME;
                    if (!laid.empty() && !inside) continue;
                    if (std::find(shape.begin(), shape.end(), next) != shape.end()) continue;
                    Spots grown = shape;
                    grown.push_back(next);
                    if (laid.empty()) shift_to_corner(grown);
                    std::sort(grown.begin(), grown.end());
                    larger.insert(grown);
                }
        shapes = std::move(larger);
    }
    return {shapes.begin(), shapes.end()};
}

inline Layout lay_out(const Spots& spots) {
    std::array<Byte, HAND> slots{};
    for (std::size_t at = 0; at < spots.size(); ++at)
        slots[at] = static_cast<Byte>(FRAME * spots[at].row + spots[at].column);
    return lay_out(slots.data(), static_cast<int>(spots.size()));
}

}  // namespace tuilerie::kaosmos
