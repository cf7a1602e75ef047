// Upper bound on the points of one kind of zone: the exact optimum of the relaxed problem in which
// only this kind counts.
#pragma once

#include "kaosmos_bound_grouping.h"
#include "kaosmos_bound_path.h"
#include "kaosmos_frontier.h"

namespace tuilerie::kaosmos {

// Maximizes the points of one kind over all ways to place the remaining tiles, by dynamic programming
// with a transposition table. The state is the frontier and the set of remaining tiles; tiles without
// this kind are interchangeable, so there are few different states.
//
// Admissible: every completed galaxy is one of the ways tried, and the other kinds, which would
// restrict the choice, are ignored. It is much tighter than the grouping bound, as it knows which
// fields touch.
//
// Optionally only galaxies with a path of a minimum length count. Tiles that carry the path cannot be
// rotated to suit the colours, which makes the bound tighter still.
class SingleKindBound {
public:
    static constexpr int INFEASIBLE = -1000;  // no such galaxy exists

    struct Query {
        int kind;
        int depth;                // number of tiles placed
        unsigned remaining;       // bit set of the other tiles
        unsigned possible_joins;  // see `PathBound`
        int min_path;             // only galaxies with a path of at least this length; 0: all
    };

    // `worth`: the points table of each kind. `remaining_parts`: by bit set of tiles.
    SingleKindBound(const Problem& problem, const SearchOrder& order, PathBound& path_bound,
                    std::array<GroupingBound, 4>& groupings,
                    const std::vector<RemainingParts>& remaining_parts,
                    const std::vector<Byte>& tiles, const std::array<Steps, 4>& worth)
        : order_(&order), path_bound_(&path_bound), groupings_(&groupings),
          remaining_parts_(&remaining_parts), worth_(worth) {
        for (int kind = 0; kind < 4; ++kind)
            for (std::size_t tile = 0; tile < tiles.size(); ++tile)
                prepare(problem, tiles[tile], kind, static_cast<int>(tile));
        const auto applies_after = [&](int depth) {
            return order.steps[depth - 1].open.size() <= Frontier::MAX_FIELDS &&
                   order.steps[depth].tile < 0;
        };
        first_depth_ = order.places();
        while (first_depth_ > MIN_DEPTH && applies_after(first_depth_ - 1)) --first_depth_;
        index_bits_ = 2 * (static_cast<int>(tiles.size()) - std::popcount(order.laid_tiles));
        table_.resize(std::size_t{1} << index_bits_);
    }

    // The smallest depth at which the bound applies. Before it, given tiles may leave too many fields
    // open for a `Frontier`.
    int first_depth() const { return first_depth_; }

    // Whether the points table of a kind is short enough for a `Frontier`, and not empty.
    bool applies_to(int kind) const {
        return worth_[kind].top <= Frontier::MAX_SIZE && worth_[kind].top > 0;
    }

    // The frontier of a kind after `depth` tiles.
    Frontier frontier(const Zones& zones, int kind, int depth) const {
        Frontier found;
        std::array<Byte, FIELDS + 4> number{};
        int zones_seen = 0;
        const std::vector<Field>& open = order_->steps[depth - 1].open;
        for (std::size_t at = 0; at < open.size(); ++at) {
            const Byte zone = zones.zone[zones.at[open[at].place][open[at].corner]];
            if (zones.kind[zone] != kind) continue;
            if (!number[zone]) {
                found.size[zones_seen] =
                    static_cast<Byte>(std::min<int>(zones.size[zone], largest(kind)));
                number[zone] = static_cast<Byte>(++zones_seen);
            }
            found.zone[at] = number[zone];
        }
        return found;
    }

    // The maximum points of open zones and remaining tiles, if that is above `threshold`; otherwise
    // any upper bound on it that is not above `threshold` (fail-soft, as in alpha-beta).
    int bound(const Query& query, const Frontier& frontier, int threshold) {
        if (query.depth == order_->places()) return 0;
        const std::uint64_t frontier_key = frontier.key();
        const std::uint32_t query_key = key_of(query);
        Entry& entry = table_[index_of(frontier_key, query_key)];
        const bool hit = entry.query_key == query_key && entry.frontier_key == frontier_key;
        if (hit && (entry.is_exact || entry.most <= threshold)) return entry.most;
        const int relaxed = relaxed_bound(query, frontier, threshold);
        if (relaxed <= threshold) return relaxed;
        ++evaluations_;
        const int most = try_all(query, frontier, threshold, relaxed);
        entry = {frontier_key, query_key, static_cast<std::int16_t>(most), most > threshold};
        return most;
    }

    // States expanded so far.
    std::uint64_t evaluations() const { return evaluations_; }

private:
    // Earlier it prunes little and costs much: measured.
    static constexpr int MIN_DEPTH = 4;

    struct Entry {
        std::uint64_t frontier_key = 0;
        std::uint32_t query_key = 0;  // 0: unused, as no query has depth 0
        std::int16_t most = 0;
        bool is_exact = false;  // otherwise an upper bound
    };

    void prepare(const Problem& problem, Byte id, int kind, int tile) {
        std::array<KindFace, 4> faces;
        all_turns_ = problem.rules.turning ? 15 : 1;
        for (int turns = 0; all_turns_ >> turns; ++turns) {
            const Face& face = problem.box->face(problem.rules, id, turns);
            arms_[tile][turns] = face.arms;
            faces[turns] = kind_face_of(face, kind, largest(kind));
            if (std::find(faces.begin(), faces.begin() + turns, faces[turns]) == faces.begin() + turns)
                distinct_turns_[kind][tile] |= 1U << turns;
        }
        faces_[kind][tile] = faces;
        if (faces[0].parts) tiles_with_kind_[kind] |= 1U << tile;
    }

    // Zone sizes are capped here: beyond it the points no longer change.
    int largest(int kind) const { return std::max(1, worth_[kind].top); }

    // The state without the frontier. Without a path, only the number of the tiles that lack the kind
    // matters, and that follows from the depth. There are at most 12 joins.
    std::uint32_t key_of(const Query& query) const {
        const bool path = query.min_path != 0;
        const std::uint32_t remaining =
            path ? query.remaining : query.remaining & tiles_with_kind_[query.kind];
        const std::uint32_t possible_joins = path ? query.possible_joins : 0;
        const auto small =
            static_cast<std::uint32_t>(query.kind << 8 | query.min_path << 4 | query.depth);
        return remaining << 22 | possible_joins << 10 | small;
    }

    std::size_t index_of(std::uint64_t frontier_key, std::uint32_t query_key) const {
        const std::uint64_t mixed =
            (frontier_key ^ query_key * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL;
        return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ULL >> (63 - index_bits_) >> 1;  // no bits: 0
    }

    // A cheaper, looser bound: without the minimum path, if there is one; otherwise the grouping
    // bound.
    int relaxed_bound(const Query& query, const Frontier& frontier, int threshold) {
        if (query.min_path)
            return bound({query.kind, query.depth, query.remaining, 0, 0}, frontier, threshold);
        const RemainingParts& rest = (*remaining_parts_)[query.remaining];
        GroupingBound& grouping = (*groupings_)[query.kind];
        Parts parts = rest.parts[query.kind];
        int empty = rest.empty[query.kind];
        frontier.for_each_zone([&](int size) {
            parts += grouping.part(size);
            empty += !size;
        });
        return grouping.bound(parts, empty);
    }

    // Branch over all distinct tiles and orientations; stop as soon as the relaxed bound is reached.
    int try_all(const Query& query, const Frontier& frontier, int threshold, int relaxed) {
        int most = INFEASIBLE;
        for (unsigned tiles = candidate_tiles(query); tiles && most < relaxed; tiles &= tiles - 1) {
            const int tile = std::countr_zero(tiles);
            unsigned orientations = query.min_path ? all_turns_ : distinct_turns_[query.kind][tile];
            for (; orientations && most < relaxed; orientations &= orientations - 1) {
                const int turns = std::countr_zero(orientations);
                Query next = query;
                if (!lay(next, tile, turns)) continue;
                Frontier after;
                const int gained =
                    FrontierUpdate(frontier, faces_[query.kind][tile][turns])
                        .advance(order_->steps[query.depth], worth_[query.kind],
                                 largest(query.kind), after);
                const int more = bound(next, after, std::max(threshold, most) - gained);
                if (more != INFEASIBLE) most = std::max(most, gained + more);
            }
        }
        return most;
    }

    // Tiles that lack the kind are interchangeable, unless their arms matter for a path.
    unsigned candidate_tiles(const Query& query) const {
        const unsigned with_kind = query.remaining & tiles_with_kind_[query.kind];
        const unsigned without_kind = query.remaining & ~with_kind;
        return query.min_path ? query.remaining : with_kind | (without_kind & (0U - without_kind));
    }

    // False if no path of the minimum length remains possible.
    bool lay(Query& query, int tile, int turns) {
        const int place = order_->steps[query.depth].place;
        ++query.depth;
        query.remaining &= ~(1U << tile);
        if (!query.min_path) return true;
        query.possible_joins &= order_->joins(place, arms_[tile][turns]);
        return path_bound_->longest(query.remaining, query.possible_joins) >= query.min_path;
    }

    const SearchOrder* order_;
    PathBound* path_bound_;
    std::array<GroupingBound, 4>* groupings_;
    const std::vector<RemainingParts>* remaining_parts_;
    std::array<Steps, 4> worth_;
    std::array<std::array<std::array<KindFace, 4>, HAND>, 4> faces_{};  // by kind, tile, turns
    std::array<std::array<unsigned, HAND>, 4> distinct_turns_{};  // bit sets, by kind and tile
    std::array<std::array<Byte, 4>, HAND> arms_{};
    std::array<unsigned, 4> tiles_with_kind_{};  // bit sets
    unsigned all_turns_ = 15;
    int first_depth_ = 0;
    std::uint64_t evaluations_ = 0;
    int index_bits_ = 0;
    std::vector<Entry> table_;  // transposition table, always replace; 4^n entries for n tiles to place
};

}  // namespace tuilerie::kaosmos
