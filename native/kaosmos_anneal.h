// Simulated annealing over galaxies: a good galaxy quickly, without a bound.
#pragma once

#include <chrono>

#include "kaosmos_goal.h"
#include "random.h"

namespace tuilerie::kaosmos {

// Budget of a search: galaxies evaluated, or wall time, whichever is used up first.
struct Limit {
    std::uint64_t nodes = ~std::uint64_t{0};
    double seconds = 1e9;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();

    double spent() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }
    // The clock is read only every 16 nodes.
    bool over(std::uint64_t used) const {
        return used >= nodes || ((used & 15) == 0 && spent() >= seconds);
    }
};

// Geometric cooling from `hot` to `cold` in one run of `nodes` galaxies.
struct AnnealingSchedule {
    double path_weight = 0.08;   // energy per tile on the path
    double hot = 1.6, cold = 0.25;
    std::uint64_t nodes = 6000;
};

class Annealing {
public:
    // Points alone have plateaus: the sum of squared zone sizes and the length of the path give the
    // energy a slope.
    static constexpr double ZONE_WEIGHT = 0.03;

    Annealing(const Problem& problem, Random& random, const AnnealingSchedule& schedule = {})
        : problem_(problem), random_(random), schedule_(schedule) {
        const Shape shape = problem.rules.shape;
        free_ = shape == Shape::FREE;
        places_ = std::min(size_of(shape), static_cast<int>(problem.tiles.size()));
        if (!free_) layout_ = &layout_of(shape);
    }

    // Restarts from random galaxies until the limit; keeps the best.
    void run(const Limit& limit, Solution& best) { run(limit, best, schedule_.nodes); }

    void run(const Limit& limit, Solution& best, std::uint64_t run_nodes) {
        while (!limit.over(best.nodes)) {
            const std::uint64_t left = limit.nodes - best.nodes;
            anneal_once(limit, best, std::min(run_nodes, left));
            if (best.value >= best.bound - 1e-9) return;  // optimal
        }
    }

private:
    void anneal_once(const Limit& limit, Solution& best, std::uint64_t steps) {
        randomize();
        double current = evaluate(best);
        double temperature = schedule_.hot;
        const double factor =
            std::pow(schedule_.cold / schedule_.hot, 1.0 / static_cast<double>(steps));
        for (std::uint64_t step = 1; step < steps && !limit.over(best.nodes); ++step) {
            temperature *= factor;
            const std::array<Laid, HAND> before = pieces_;
            const Byte spare = spare_;
            if (!propose()) continue;
            const double proposed = evaluate(best);
            if (proposed >= current ||
                random_.unit() < std::exp((proposed - current) / temperature)) {
                current = proposed;
            } else {
                pieces_ = before;
                spare_ = spare;
            }
        }
    }

    // A random galaxy; given tiles stay. In a fixed shape pieces are indexed by place; in a free one
    // given tiles come first.
    void randomize() {
        std::vector<Byte> tiles = problem_.tiles;
        for (const Laid& laid : problem_.laid) std::erase(tiles, laid.tile);
        for (std::size_t left = tiles.size(); left > 1; --left)
            std::swap(tiles[left - 1], tiles[random_.below(static_cast<std::uint32_t>(left))]);
        movable_.clear();
        for (int at = 0; at < places_; ++at) {
            const Laid* laid = laid_at(at);
            if (laid) {
                pieces_[at] = *laid;
                continue;
            }
            const int slot = free_ ? random_slot_beside(at) : layout_->slot[at];
            pieces_[at] = {static_cast<Byte>(slot), tiles.back(), random_turns()};
            movable_.push_back(static_cast<Byte>(at));
            tiles.pop_back();
        }
        has_spare_ = !tiles.empty();
        if (has_spare_) spare_ = tiles.back();
    }

    const Laid* laid_at(int at) const {
        const Galaxy& laid = problem_.laid;
        if (free_) return at < static_cast<int>(laid.size()) ? &laid[at] : nullptr;
        for (const Laid& each : laid)
            if (each.slot == layout_->slot[at]) return &each;
        return nullptr;
    }

    Byte random_turns() { return problem_.rules.turning ? static_cast<Byte>(random_.below(4)) : 0; }

    // A random neighbour: rotate a tile, swap two, swap in the spare tile, or relocate one (free shapes
    // only). False if nothing changed.
    bool propose() {
        const auto movable = static_cast<std::uint32_t>(movable_.size());
        if (!movable) return false;
        Laid& one = pieces_[movable_[random_.below(movable)]];
        const std::uint32_t kind = random_.below(free_ ? 10 : 8);
        if (kind < 3 && problem_.rules.turning) {
            one.turns = static_cast<Byte>((one.turns + 1 + random_.below(3)) & 3);
        } else if (kind >= 8) {
            return relocate(one);
        } else if (has_spare_ && random_.below(movable + 1) == 0) {
            std::swap(one.tile, spare_);
            one.turns = random_turns();
        } else {
            Laid& other = pieces_[movable_[random_.below(movable)]];
            if (&one == &other) return false;
            std::swap(one.tile, other.tile);
            std::swap(one.turns, other.turns);
            if (random_.below(2)) one.turns = random_turns();
            if (random_.below(2)) other.turns = random_turns();
        }
        return true;
    }

    // Move a tile of a free shape to another slot next to the others, if the galaxy stays connected.
    bool relocate(Laid& piece) {
        const Byte before = piece.slot;
        Laid& last = pieces_[places_ - 1];
        std::swap(piece, last);  // the slot must be next to one of the others
        last.slot = static_cast<Byte>(random_slot_beside(places_ - 1));
        if (is_connected()) return true;
        last.slot = before;
        std::swap(piece, last);
        return false;
    }

    // A uniformly random empty slot next to the first `number` pieces; the middle of the frame for 0.
    int random_slot_beside(int number) {
        if (!number) return SLOTS / 2;
        std::array<bool, SLOTS> taken{};
        for (int at = 0; at < number; ++at) taken[pieces_[at].slot] = true;
        std::array<Byte, SLOTS> open{};
        std::uint32_t found = 0;
        for (int at = 0; at < number; ++at) {
            const int slot = pieces_[at].slot, column = slot % FRAME;
            const auto offer = [&](bool inside, int beside) {
                if (inside && !taken[beside]) {
                    taken[beside] = true;
                    open[found++] = static_cast<Byte>(beside);
                }
            };
            offer(slot >= FRAME, slot - FRAME);
            offer(slot < SLOTS - FRAME, slot + FRAME);
            offer(column > 0, slot - 1);
            offer(column < FRAME - 1, slot + 1);
        }
        return open[random_.below(found)];
    }

    bool is_connected() const {
        unsigned reached = 1, grown = 0;
        while (reached != grown) {
            grown = reached;
            for (int one = 0; one < places_; ++one)
                for (int other = 0; other < places_; ++other)
                    if ((reached >> one & 1) && are_adjacent(pieces_[one].slot, pieces_[other].slot))
                        reached |= 1U << other;
        }
        return reached == (1U << places_) - 1;
    }

    static bool are_adjacent(int one, int other) {
        const int rows = std::abs(one / FRAME - other / FRAME);
        return rows + std::abs(one % FRAME - other % FRAME) == 1;
    }

    // Energy of the galaxy: its value plus the slope. Records it if it is the best so far.
    double evaluate(Solution& best) {
        ++best.nodes;
        if (free_) sort_pieces();
        const std::array<Laid, HAND>& pieces = free_ ? ordered_ : pieces_;
        const Layout& layout = free_ ? ordered_layout_ : *layout_;
        Faces faces{};
        for (int at = 0; at < places_; ++at)
            faces[at] = &problem_.box->face(problem_.rules, pieces[at].tile, pieces[at].turns);
        Count count;
        int path = 0;
        const Zones zones = build_zones(layout, faces, path);
        score_zones(zones, path, problem_.rules, count);
        double value = problem_.goal.value(count);
        if (problem_.rules.interference && problem_.goal.has_bonus)
            value = 0.4 * value + 0.6 * worst_turned(layout, pieces, faces);
        if (value > best.value) record(best, pieces, count, value);
        int squares = 0;
        for (int zone = 0; zone < zones.count; ++zone)
            if (zones.kind[zone] < COLOURS) squares += zones.size[zone] * zones.size[zone];
        return value + ZONE_WEIGHT * squares + schedule_.path_weight * path;
    }

    // The pieces of a free shape in reading order, and their layout.
    void sort_pieces() {
        ordered_ = pieces_;
        const auto end = ordered_.begin() + places_;
        std::sort(ordered_.begin(), end, [](auto& a, auto& b) { return a.slot < b.slot; });
        std::array<Byte, HAND> slots{};
        for (int at = 0; at < places_; ++at) slots[at] = ordered_[at].slot;
        ordered_layout_ = lay_out(slots.data(), places_);
    }

    // Under 'ingerence' a neighbour rotates one tile: the worst case.
    double worst_turned(const Layout& layout, const std::array<Laid, HAND>& pieces, Faces faces) {
        double worst = 1e9;
        for (int at = 0; at < places_; ++at) {
            const Face* before = faces[at];
            const int turns = (pieces[at].turns + problem_.rules.interference) & 3;
            faces[at] = &problem_.box->face(problem_.rules, pieces[at].tile, turns);
            const Count turned = kaosmos::count(layout, faces, problem_.rules);
            worst = std::min(worst, problem_.goal.value(turned));
            faces[at] = before;
        }
        return worst;
    }

    void record(Solution& best, const std::array<Laid, HAND>& pieces, const Count& count,
              double value) const {
        best.value = value;
        best.count = count;
        best.galaxy.clear();
        for (int at = 0; at < places_; ++at)
            best.galaxy.push_back(pieces[at]);
    }

    const Problem& problem_;
    Random& random_;
    AnnealingSchedule schedule_;
    const Layout* layout_ = nullptr;
    bool free_ = false;
    bool has_spare_ = false;
    int places_ = 0;
    Byte spare_ = 0;
    std::array<Laid, HAND> pieces_{}, ordered_{};
    Layout ordered_layout_;
    std::vector<Byte> movable_;
};

}  // namespace tuilerie::kaosmos
