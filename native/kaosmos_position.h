// The state of a game of Kaosmos and its transitions, as in games/kaosmos/rules.py. Moves are not
// checked: callers make only legal ones.
#pragma once

#include <optional>
#include <utility>

#include "kaosmos.h"
#include "kaosmos_version.h"
#include "random.h"

namespace tuilerie::kaosmos {

enum class Phase : Byte { CARD, DRAW, DRAFT, BUILDING, FILL, INTERFERENCE, TRANSFER, OVER };

using Tiles = std::vector<Byte>;  // in the order of their names

inline void add_tile(Tiles& tiles, Byte tile) {
    tiles.insert(std::lower_bound(tiles.begin(), tiles.end(), tile), tile);
}

// A secret choice: a slot to turn, or points to move.
struct Choice {
    int slot = -1;
    int source = -1, target = -1, points = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
};

struct Seat {
    Tiles packet, kept, supply;
    Galaxy galaxy;
    int aside = -1;
    Markers markers{};
    std::array<int, COLOURS> gained{};  // by the last count
    bool locked = false;
    std::optional<Choice> choice;
};

struct Put {
    Byte tile, slot, turns;
};

// A finished round, to compare both engines: the owners of the bonus tiles, all galaxies, the markers
// after the count, and the transfers under a card.
struct Round {
    int card = -1;
    std::array<int, COLOURS> bonuses{};
    std::vector<Galaxy> galaxies;
    std::vector<Markers> markers;
    std::vector<std::optional<Choice>> moved;
};

// --- free shapes ---------------------------------------------------------------------------------

// The slots beside a slot, in reading order.
inline std::vector<int> beside(int slot) {
    std::vector<int> found;
    if (slot >= FRAME) found.push_back(slot - FRAME);
    if (slot % FRAME > 0) found.push_back(slot - 1);
    if (slot % FRAME < FRAME - 1) found.push_back(slot + 1);
    if (slot < SLOTS - FRAME) found.push_back(slot + FRAME);
    return found;
}

// For each tile of a galaxy whether it is in the largest connected component; among equal ones, in that
// with the first slot.
inline std::vector<bool> largest_group(const Galaxy& galaxy) {
    std::vector<int> group(galaxy.size(), -1);
    std::vector<bool> best(galaxy.size(), false);
    int most = 0;
    for (std::size_t first = 0; first < galaxy.size(); ++first) {
        if (group[first] >= 0) continue;
        std::vector<std::size_t> members{first};
        group[first] = static_cast<int>(first);
        for (std::size_t at = 0; at < members.size(); ++at)
            for (const int slot : beside(galaxy[members[at]].slot))
                for (std::size_t other = 0; other < galaxy.size(); ++other)
                    if (galaxy[other].slot == slot && group[other] < 0) {
                        group[other] = static_cast<int>(first);
                        members.push_back(other);
                    }
        if (static_cast<int>(members.size()) <= most) continue;
        most = static_cast<int>(members.size());
        best.assign(galaxy.size(), false);
        for (const std::size_t member : members) best[member] = true;
    }
    return best;
}

// The empty slots for a tile, in reading order: those of the shape; in a free shape those next to a
// placed tile (all, if there is none).
inline std::vector<int> open_slots(Shape shape, const Galaxy& galaxy) {
    std::array<bool, SLOTS> taken{}, offered{};
    for (const Laid& laid : galaxy) taken[laid.slot] = true;
    if (shape != Shape::FREE) {
        const Layout& layout = layout_of(shape);
        for (int place = 0; place < layout.places; ++place) offered[layout.slot[place]] = true;
    } else if (galaxy.empty()) {
        offered.fill(true);
    } else {
        for (const Laid& laid : galaxy)
            for (const int slot : beside(laid.slot)) offered[slot] = true;
    }
    std::vector<int> open;
    for (int slot = 0; slot < SLOTS; ++slot)
        if (offered[slot] && !taken[slot]) open.push_back(slot);
    return open;
}

inline bool is_complete(Shape shape, const Galaxy& galaxy) {
    if (static_cast<int>(galaxy.size()) != size_of(shape)) return false;
    if (shape != Shape::FREE) return true;
    const std::vector<bool> main = largest_group(galaxy);
    return std::all_of(main.begin(), main.end(), [](bool in) { return in; });
}

// --- the position --------------------------------------------------------------------------------

class Position {
public:
    const Box* box = nullptr;
    Version version;
    int players = 2;
    bool kaos = true, draft = true, timed = true;
    int round = 1;
    Phase phase = Phase::CARD;
    int card = -1;
    std::vector<int> cards;  // all that were turned
    unsigned waiting = 0;    // the seats that this phase waits for
    std::array<int, COLOURS> bonuses{-1, -1, -1};
    std::vector<Seat> seats;
    std::vector<Round>* round_log = nullptr;  // optional output: each round as counted

    static Position start(const Box& box, const Version& version, int players, bool kaos,
                          bool draft, bool timed) {
        Position position;
        position.box = &box;
        position.version = version;
        position.players = players;
        position.kaos = kaos;
        position.draft = draft;
        position.timed = timed;
        position.phase = kaos ? Phase::CARD : Phase::DRAW;
        position.waiting = kaos ? 0 : position.everyone();
        position.seats.resize(players);
        return position;
    }

    const Rules& rules() const { return box->rules(card); }
    unsigned everyone() const { return (1U << players) - 1; }
    bool drafting() const { return draft && rules().draft; }
    bool is_complete(int seat) const {
        return kaosmos::is_complete(rules().shape, seats[seat].galaxy);
    }
    bool is_waited_for(int seat) const { return waiting >> seat & 1; }
    // Whether a building seat may take bonus tiles: with a complete galaxy, or with any (newer rules).
    bool may_grab(int seat) const { return version.bonus_unfinished || is_complete(seat); }
    // Whether a seat that is done may take bonus tiles, as long as others build.
    bool may_still_grab(int seat) const {
        const bool done = phase == Phase::BUILDING && seats[seat].locked;
        return done && version.bonus_after_done &&
               std::find(bonuses.begin(), bonuses.end(), seat) == bonuses.end();
    }
    // Odd rounds pass to the next seat, even ones to the one before.
    int next_to(int seat) const { return (seat + (round % 2 ? 1 : players - 1)) % players; }
    int before(int seat) const { return (seat + (round % 2 ? players - 1 : 1)) % players; }
    int first_waiting() const { return std::countr_zero(waiting); }

    Tiles bag() const {
        std::array<bool, NAMES> drawn{};
        for (const Seat& seat : seats) {
            for (const Tiles* pile : {&seat.packet, &seat.kept, &seat.supply})
                for (const Byte tile : *pile) drawn[tile] = true;
        }
        Tiles left;
        for (const Byte tile : box->ids)
            if (!drawn[tile]) left.push_back(tile);
        return left;
    }

    // --- entries

    void turn_card(int turned) {
        card = turned;
        cards.push_back(turned);
        phase = Phase::DRAW;
        waiting = everyone();
    }

    void draw(int seat, Tiles tiles) {
        std::sort(tiles.begin(), tiles.end());
        Seat& own = seats[seat];
        (drafting() ? own.packet : version.face_down ? own.kept : own.supply) = std::move(tiles);
        if (answered(seat)) return;
        if (!drafting()) return begin_building();
        phase = Phase::DRAFT;
        waiting = everyone();
    }

    void keep(int seat, const Tiles& tiles) {
        for (const Byte tile : tiles) {
            std::erase(seats[seat].packet, tile);
            add_tile(seats[seat].kept, tile);
        }
        if (!answered(seat)) pass_on();
    }

    // A tile that is already on the slot goes back to the supply.
    void put(int seat, Put move) {
        take_up(seat, move.tile);
        Galaxy& galaxy = seats[seat].galaxy;
        const auto there = std::find_if(galaxy.begin(), galaxy.end(),
                                        [&](const Laid& laid) { return laid.slot == move.slot; });
        if (there != galaxy.end()) {
            add_tile(seats[seat].supply, there->tile);
            galaxy.erase(there);
        }
        lay(galaxy, move);
    }

    void lift(int seat, Byte tile) {
        take_up(seat, tile);
        add_tile(seats[seat].supply, tile);
    }

    void leave(int seat, Byte tile) {
        const int returned = seats[seat].aside;
        take_up(seat, tile);
        if (returned >= 0) add_tile(seats[seat].supply, static_cast<Byte>(returned));
        seats[seat].aside = tile;
    }

    // Takes bonus tiles: locks a building seat, or serves a seat that is already done.
    void grab(int seat, unsigned colours) {
        for (int colour = 0; colour < COLOURS; ++colour)
            if (colours >> colour & 1) bonuses[colour] = seat;
        if (!seats[seat].locked) done(seat);
    }

    void done(int seat) {
        seats[seat].locked = true;
        if (!answered(seat)) after_building();
    }

    void time_up() {
        waiting = 0;
        after_building();
    }

    void fill(int seat, const std::vector<Put>& puts) {
        fill_gaps(seat, puts);
        if (!answered(seat)) after_fill();
    }

    // Tiles not connected to the galaxy are taken up first.
    void fill_gaps(int seat, const std::vector<Put>& puts) {
        Seat& own = seats[seat];
        if (rules().shape == Shape::FREE) {
            const std::vector<bool> stays = largest_group(own.galaxy);
            Galaxy kept;
            for (std::size_t at = 0; at < own.galaxy.size(); ++at) {
                if (stays[at])
                    kept.push_back(own.galaxy[at]);
                else
                    add_tile(own.supply, own.galaxy[at].tile);
            }
            own.galaxy = kept;
        }
        for (const Put& put : puts) {
            std::erase(own.supply, put.tile);
            lay(own.galaxy, put);
        }
    }

    void choose(int seat, const Choice& choice) {
        seats[seat].choice = choice;
        if (answered(seat)) return;
        if (phase == Phase::INTERFERENCE)
            turn_all();
        else
            transfer_all();
    }

    // --- next phase, once no seat is waited for

    // Six tiles are passed on, then three, which nobody looks at before building begins.
    void pass_on() {
        std::vector<Tiles> packets(players);
        for (int seat = 0; seat < players; ++seat) packets[next_to(seat)] = seats[seat].packet;
        const bool last = seats[0].kept.size() > 3;
        for (int seat = 0; seat < players; ++seat) {
            Seat& own = seats[seat];
            own.packet = packets[seat];
            if (!last) continue;
            for (const Byte tile : own.packet) add_tile(own.kept, tile);
            own.packet.clear();
        }
        waiting = everyone();
        if (last) begin_building();
    }

    // Face-down tiles are turned up.
    void begin_building() {
        for (Seat& seat : seats)
            if (!seat.kept.empty()) seat.supply = std::exchange(seat.kept, {});
        phase = Phase::BUILDING;
        waiting = everyone();
    }

    void after_building() {
        for (int seat = 0; seat < players; ++seat)
            if (!is_complete(seat)) waiting |= 1U << seat;
        phase = Phase::FILL;
        if (!waiting) after_fill();
    }

    void after_fill() {
        if (rules().interference) {
            phase = Phase::INTERFERENCE;
            waiting = everyone();
        } else {
            count_round();
        }
    }

    void turn_all() {
        for (int seat = 0; seat < players; ++seat) {
            for (Laid& laid : seats[next_to(seat)].galaxy)
                if (laid.slot == seats[seat].choice->slot)
                    laid.turns = static_cast<Byte>((laid.turns + rules().interference) % 4);
            seats[seat].choice.reset();
        }
        count_round();
    }

    void count_round() {
        std::vector<Count> counts;
        for (const Seat& seat : seats) counts.push_back(count(*box, seat.galaxy, rules()));
        for (int seat = 0; seat < players; ++seat) {
            const Markers before = seats[seat].markers;
            seats[seat].markers = moved(before, counts[seat], bonus_points(counts, seat));
            for (int colour = 0; colour < COLOURS; ++colour)
                seats[seat].gained[colour] = std::max(0, seats[seat].markers[colour] - before[colour]);
            if (rules().transfer && transferable(seat)) waiting |= 1U << seat;
        }
        if (round_log) log_round();
        phase = Phase::TRANSFER;
        if (!waiting) end_round();
    }

    void log_round() {
        Round logged{card, bonuses, {}, {}, std::vector<std::optional<Choice>>(players)};
        for (const Seat& seat : seats) {
            logged.galaxies.push_back(seat.galaxy);
            logged.markers.push_back(seat.markers);
        }
        round_log->push_back(std::move(logged));
    }

    // Won by the zone with most planets, ties included, but never without a planet.
    std::array<int, COLOURS> bonus_points(const std::vector<Count>& counts, int seat) const {
        std::array<int, COLOURS> points{};
        for (int colour = 0; colour < COLOURS; ++colour) {
            if (bonuses[colour] != seat) continue;
            int others = 1;
            for (int other = 0; other < players; ++other)
                if (other != seat) others = std::max(others, counts[other].largest[colour]);
            const bool won = counts[seat].largest[colour] >= others;
            points[colour] = won ? rules().bonus_won : rules().bonus_lost;
        }
        return points;
    }

    bool transferable(int seat) const {
        const auto& gained = seats[seat].gained;
        return std::any_of(gained.begin(), gained.end(), [](int points) { return points > 0; });
    }

    void transfer_all() {
        for (int number = 0; number < players; ++number) {
            Seat& seat = seats[number];
            if (round_log) round_log->back().moved[number] = seat.choice;
            if (!seat.choice) continue;
            const Choice& move = *seat.choice;
            seat.markers[move.source] -= move.points;
            seat.markers[move.target] = clamp(seat.markers[move.target] + move.points);
            seat.choice.reset();
        }
        end_round();
    }

    void end_round() {
        if (round == ROUNDS) {
            phase = Phase::OVER;
            return;
        }
        ++round;
        phase = kaos ? Phase::CARD : Phase::DRAW;
        waiting = kaos ? 0 : everyone();
        card = -1;
        bonuses = {-1, -1, -1};
        for (Seat& seat : seats) {
            Seat fresh;
            fresh.markers = seat.markers;
            seat = fresh;
        }
    }

private:
    // Whether others are still waited for.
    bool answered(int seat) {
        waiting &= ~(1U << seat);
        return waiting != 0;
    }

    void take_up(int seat, Byte tile) {
        Seat& own = seats[seat];
        std::erase(own.supply, tile);
        std::erase_if(own.galaxy, [&](const Laid& laid) { return laid.tile == tile; });
        if (own.aside == tile) own.aside = -1;
    }

    static void lay(Galaxy& galaxy, Put put) {
        const auto after = std::find_if(galaxy.begin(), galaxy.end(),
                                        [&](const Laid& laid) { return laid.slot > put.slot; });
        galaxy.insert(after, {put.slot, put.tile, put.turns});
    }
};

}  // namespace tuilerie::kaosmos
