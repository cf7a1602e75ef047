// Upper bound on the value of a partial galaxy of free shape.
#pragma once

#include "kaosmos_bound_space.h"
#include "kaosmos_bound_total.h"
#include "kaosmos_free_galaxy.h"

namespace tuilerie::kaosmos {

// Bounds each kind of zone independently: first by the grouping bound, then by the space bound, which
// is tighter. Admissible for all shapes at once: neither assumes anything about where tiles go.
class FreeShapeBound {
public:
    static constexpr double EPSILON = 1e-9;

    FreeShapeBound(const Problem& problem, const std::vector<Byte>& tiles)
        : problem_(&problem), total_bound_(problem, tiles),
          index_bits_(2 * static_cast<int>(tiles.size() - problem.laid.size())),
          cache_(std::size_t{1} << index_bits_) {
        for (int kind = 0; kind < 4; ++kind) {
            space_bounds_.emplace_back(total_bound_.groupings()[kind], total_bound_.table_of(kind));
            uses_space_bound_[kind] =
                space_bounds_[kind].applies() && !total_bound_.counts_only_largest(kind);
        }
        for (std::size_t tile = 0; tile < tiles.size(); ++tile)
            prepare(problem.box->face(problem.rules, tiles[tile], 0), static_cast<int>(tile));
    }

    // Members hold pointers to each other.
    FreeShapeBound(const FreeShapeBound&) = delete;
    FreeShapeBound& operator=(const FreeShapeBound&) = delete;

    // No completion with a path of at most `path` tiles is worth more. The evaluation stops as soon as
    // the bound is not above `best`. `max_points`: the resulting bound on each kind.
    double bound(const FreeGalaxy& galaxy, int path, double best, std::array<int, 4>& max_points) {
        if (!galaxy.is_complete())
            return bound(galaxy, galaxy.zone_space(), path, best, max_points);
        ++evaluations_;
        return value_of(galaxy);
    }

    double bound(const FreeGalaxy& galaxy, const FreeGalaxy::ZoneSpace& space, int path, double best,
                 std::array<int, 4>& max_points) {
        ++evaluations_;
        std::uint64_t open = 0;
        for (int zone = 0; zone < galaxy.zones.count; ++zone)
            open |= std::uint64_t{space[zone] > 0} << zone;
        KindBounds bounds = total_bound_.kind_bounds(galaxy.zones, open, galaxy.remaining);
        for (int kind = 0; kind < 4; ++kind)  // bounds of the parent still hold
            bounds.open[kind] =
                std::min(bounds.open[kind], galaxy.max_points[kind] - bounds.closed[kind]);
        const RemainingParts& rest = total_bound_.remaining_parts()[galaxy.remaining];
        double found = total_bound_.value(bounds, path);
        for (int kind = 0; kind < 4 && found > best + EPSILON; ++kind) {
            if (!uses_space_bound_[kind] || !rest.has_kind[kind]) continue;
            bounds.open[kind] = std::min(bounds.open[kind], space_bound(galaxy, space, kind));
            found = total_bound_.value(bounds, path);
        }
        for (int kind = 0; kind < 4; ++kind)
            max_points[kind] = bounds.closed[kind] + bounds.open[kind];
        return found;
    }

    // Upper bound on the length of the path; exact for a complete galaxy.
    int max_path(const FreeGalaxy& galaxy) const {
        if (galaxy.is_complete()) return galaxy.longest_path();
        return galaxy.max_path_by_arms(std::popcount(galaxy.remaining & armless_),
                                       std::popcount(galaxy.remaining & single_armed_));
    }

    // Bit set of the tiles with a single arm, which can only be ends of a path.
    unsigned single_armed() const { return single_armed_; }

    Count count_of(const FreeGalaxy& complete) const {
        Count count;
        score_zones(complete.zones, complete.longest_path(), problem_->rules, count);
        return count;
    }

    double value_of(const FreeGalaxy& complete) const {
        return problem_->goal.value(moved(problem_->goal.totals, count_of(complete)));
    }

    // The goal if every kind reached its bound, with a path of this length.
    double value(const std::array<int, 4>& max_points, int path) const {
        return total_bound_.value({max_points, {}}, path);
    }

    // Bounds computed so far.
    std::uint64_t evaluations() const { return evaluations_; }

private:
    static constexpr int MAX_ZONES = 8;  // open zones of a kind, eight bits each in a key

    struct CacheEntry {
        std::uint64_t zones_key = 0;
        std::uint32_t tiles_key = 0;  // 0: unused, as it contains kind + 1
        int best = 0;
    };

    void prepare(const Face& face, int tile) {
        armless_ |= unsigned{std::popcount(face.arms) == 0} << tile;
        single_armed_ |= unsigned{std::popcount(face.arms) == 1} << tile;
        for (int part = 0; part < face.parts; ++part) {
            const int kind = face.kind[part];
            unsigned corners = 0, alike = 0;
            for (int corner = 0; corner < 4; ++corner)
                corners |= unsigned{face.part_at[corner] == part} << corner;
            for (int other = 0; other < face.parts; ++other) alike += face.kind[other] == kind;
            const int fields = std::popcount(corners);
            tiles_with_kind_[kind] |= 1U << tile;
            if (!face.size[part] && fields == 1) continue;  // adds neither planets nor links
            Piece piece;
            piece.size = static_cast<Byte>(space_bounds_[kind].size_of(face.size[part]));
            piece.space = static_cast<std::int8_t>(3 * fields - 4);
            piece.links = static_cast<Byte>(fields - 1);
            if (alike > 1) {
                piece.tile = static_cast<Byte>(tile);
                piece.corners = static_cast<Byte>(corners);
            }
            pieces_[kind][tile].push_back(piece);
        }
    }

    // The space bound on the open zones of a kind and the remaining tiles. Space is capped at 15: more
    // is never needed, as tables end at ten planets at the latest.
    int space_bound(const FreeGalaxy& galaxy, const FreeGalaxy::ZoneSpace& space, int kind) {
        SpaceBound::Pieces pieces;
        int number = 0;
        std::array<Byte, MAX_ZONES> code{};
        for (int zone = 0; zone < galaxy.zones.count; ++zone) {
            if (galaxy.zones.kind[zone] != kind || !space[zone]) continue;
            if (number == MAX_ZONES) return FreeGalaxy::NO_BOUND;
            Piece& piece = pieces[number];
            piece = Piece{};
            piece.size = static_cast<Byte>(space_bounds_[kind].size_of(galaxy.zones.size[zone]));
            piece.space = static_cast<std::int8_t>(std::min<int>(space[zone], 15));
            piece.is_laid = true;
            code[number] = static_cast<Byte>(piece.size << 4 | piece.space);
            for (int at = number++; at > 0 && code[at] < code[at - 1]; --at)  // insertion sort
                std::swap(code[at], code[at - 1]);
        }
        const auto zones_key = std::bit_cast<std::uint64_t>(code);
        const unsigned remaining = galaxy.remaining & tiles_with_kind_[kind];
        const std::uint32_t tiles_key = remaining << 4 | static_cast<unsigned>(kind + 1);
        CacheEntry& entry = cache_[index_of(zones_key, tiles_key)];
        if (entry.zones_key == zones_key && entry.tiles_key == tiles_key) return entry.best;
        for (unsigned more = remaining; more; more &= more - 1)
            for (const Piece& piece : pieces_[kind][std::countr_zero(more)]) {
                if (number == SpaceBound::MAX_PIECES) return FreeGalaxy::NO_BOUND;
                pieces[number++] = piece;
            }
        ++evaluations_;
        entry = {zones_key, tiles_key, space_bounds_[kind].bound(pieces, number, memo_)};
        return entry.best;
    }

    std::size_t index_of(std::uint64_t zones_key, std::uint32_t tiles_key) const {
        const std::uint64_t mixed =
            (zones_key ^ tiles_key * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL;
        return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ULL >> (63 - index_bits_) >> 1;  // no bits: 0
    }

    const Problem* problem_;
    TotalBound total_bound_;
    std::vector<SpaceBound> space_bounds_;  // by kind
    std::array<bool, 4> uses_space_bound_{};
    std::array<std::array<std::vector<Piece>, HAND>, 4> pieces_;  // by kind and tile
    std::array<unsigned, 4> tiles_with_kind_{};                   // bit sets
    unsigned armless_ = 0, single_armed_ = 0;                     // bit sets of tiles
    SpaceBound::Memo memo_;
    int index_bits_;
    std::vector<CacheEntry> cache_;  // direct-mapped; 4^n entries for n tiles to place
    std::uint64_t evaluations_ = 0;
};

}  // namespace tuilerie::kaosmos
