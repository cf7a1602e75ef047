// Random playouts of Kaosmos: chance and random legal moves. Each step returns its entry in the
// notation that Python reads.
#pragma once

#include "kaosmos_position.h"
#include "kaosmos_text.h"

namespace tuilerie::kaosmos {

// A random sample without replacement, in random order: `choose` in games/game.py.
inline Tiles choose(Tiles tiles, std::size_t count, Random& random) {
    Tiles chosen;
    while (chosen.size() < count) {
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(tiles.size()));
        chosen.push_back(tiles[at]);
        tiles[at] = tiles.back();
        tiles.pop_back();
    }
    return chosen;
}

// The random completion of a galaxy that is unfinished when building ends: games/kaosmos/fill.py.
inline std::vector<Put> random_fill(const Position& position, int seat, Random& random) {
    const Rules& rules = position.rules();
    Galaxy galaxy = position.seats[seat].galaxy;
    Tiles tiles = position.seats[seat].supply;
    if (rules.shape == Shape::FREE) {
        const std::vector<bool> stays = largest_group(galaxy);
        for (std::size_t at = galaxy.size(); at-- > 0;) {
            if (stays[at]) continue;
            add_tile(tiles, galaxy[at].tile);
            galaxy.erase(galaxy.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    const auto count = static_cast<std::size_t>(size_of(rules.shape)) - galaxy.size();
    std::vector<Put> puts;
    for (const Byte tile : choose(tiles, count, random)) {
        const std::vector<int> open = open_slots(rules.shape, galaxy);
        const auto number = static_cast<std::uint32_t>(open.size());
        const int slot = open[rules.shape == Shape::FREE ? random.below(number) : 0];
        const Byte turns = rules.turning ? static_cast<Byte>(random.below(4)) : Byte{0};
        puts.push_back({tile, static_cast<Byte>(slot), turns});
        galaxy.push_back({static_cast<Byte>(slot), tile, turns});
    }
    return puts;
}

// Whether a seat has enough tiles for a fill. Always true in a game; a parsed position may differ.
inline bool can_be_filled(const Position& position, int seat) {
    const Seat& own = position.seats[seat];
    const auto size = static_cast<std::size_t>(size_of(position.rules().shape));
    return own.galaxy.size() <= size && size <= own.galaxy.size() + own.supply.size();
}

// Plays a position on at random, entry by entry.
class RandomPlayout {
public:
    RandomPlayout(Position& position, Random& random) : position_(position), random_(random) {}

    bool over() const { return position_.phase == Phase::OVER; }

    // Plays one entry and returns its notation.
    std::string step() {
        switch (position_.phase) {
            case Phase::CARD: return turn_card();
            case Phase::DRAW: return draw();
            case Phase::FILL: return fill();
            case Phase::DRAFT: return keep(random_waiting_seat());
            case Phase::INTERFERENCE: return turn(random_waiting_seat());
            case Phase::TRANSFER: return transfer(random_waiting_seat());
            default: break;
        }
        if (position_.timed && !random_.below(40 * static_cast<std::uint32_t>(position_.players))) {
            position_.time_up();
            return "time";
        }
        const int late = seat_for_late_grab();
        return late < 0 ? build(random_waiting_seat()) : grab(late);
    }

private:
    int random_index(std::size_t count) {
        return static_cast<int>(random_.below(static_cast<std::uint32_t>(count)));
    }

    int random_waiting_seat() {
        unsigned waiting = position_.waiting;
        for (int skip = random_index(static_cast<std::size_t>(std::popcount(waiting))); skip; --skip)
            waiting &= waiting - 1;
        return std::countr_zero(waiting);
    }

    // Occasionally a seat that is done takes bonus tiles while others build; -1: none.
    int seat_for_late_grab() {
        if (!position_.version.bonus_after_done || !any_bonus_left() || random_.below(8)) return -1;
        std::vector<int> done;
        for (int seat = 0; seat < position_.players; ++seat)
            if (position_.may_still_grab(seat)) done.push_back(seat);
        return done.empty() ? -1 : done[random_index(done.size())];
    }

    bool any_bonus_left() const {
        return std::find(position_.bonuses.begin(), position_.bonuses.end(), -1) !=
               position_.bonuses.end();
    }

    static std::string entry_of(int seat, const std::string& move) {
        return joined({std::to_string(seat), " ", move});
    }

    std::string turn_card() {
        std::vector<int> deck;
        for (int card = 0; card < static_cast<int>(position_.box->cards.size()); ++card)
            if (std::find(position_.cards.begin(), position_.cards.end(), card) ==
                position_.cards.end())
                deck.push_back(card);
        const int card = deck[random_index(deck.size())];
        position_.turn_card(card);
        return joined({"card ", position_.box->card_names[card]});
    }

    std::string draw() {
        const int seat = position_.first_waiting();
        const Tiles tiles = choose(position_.bag(), HAND, random_);
        position_.draw(seat, tiles);
        return joined({"draw ", std::to_string(seat), " ", write_tiles(tiles)});
    }

    std::string fill() {
        const int seat = position_.first_waiting();
        const std::vector<Put> puts = random_fill(position_, seat, random_);
        std::string words = joined({"fill ", std::to_string(seat)});
        for (const Put& put : puts)
            words.append(joined({" ", write_id(put.tile), ":", write_slot(put.slot), ":",
                                 std::to_string(put.turns)}));
        position_.fill(seat, puts);
        return words;
    }

    std::string keep(int seat) {
        Tiles tiles = choose(position_.seats[seat].packet, 3, random_);
        std::sort(tiles.begin(), tiles.end());
        position_.keep(seat, tiles);
        return entry_of(seat, joined({"keep ", write_id(tiles[0]), " ", write_id(tiles[1]), " ",
                                      write_id(tiles[2])}));
    }

    // Mostly lays new tiles; rarely changes laid ones.
    std::string build(int seat) {
        const Rules& rules = position_.rules();
        const Galaxy& galaxy = position_.seats[seat].galaxy;
        if (!galaxy.empty() && !random_.below(12)) return change_laid_tile(seat);
        if (position_.is_complete(seat)) return finish(seat);
        if (position_.may_grab(seat) && any_bonus_left() && !random_.below(40)) return grab(seat);
        const Tiles& supply = position_.seats[seat].supply;
        if (supply.empty() || static_cast<int>(galaxy.size()) == size_of(rules.shape))
            return lift(seat);
        if (size_of(rules.shape) < HAND && !random_.below(12)) {
            const Byte tile = supply[random_index(supply.size())];
            position_.leave(seat, tile);
            return entry_of(seat, joined({"leave ", write_id(tile)}));
        }
        const std::vector<int> open = open_slots(rules.shape, galaxy);
        const Byte turns = rules.turning ? static_cast<Byte>(random_.below(4)) : Byte{0};
        const Byte tile = supply[random_index(supply.size())];
        return put(seat, {tile, static_cast<Byte>(open[random_index(open.size())]), turns});
    }

    std::string put(int seat, Put move) {
        position_.put(seat, move);
        return entry_of(seat, joined({"put ", write_id(move.tile), " ", write_slot(move.slot), " ",
                                      std::to_string(move.turns)}));
    }

    // Turn a laid tile, lift it, or lay another one on its slot.
    std::string change_laid_tile(int seat) {
        const Seat& own = position_.seats[seat];
        const Laid laid = own.galaxy[random_index(own.galaxy.size())];
        if (!own.supply.empty() && random_.below(2))
            return put(seat, {own.supply[random_index(own.supply.size())], laid.slot, 0});
        if (!position_.rules().turning || random_.below(2)) return lift(seat);
        const auto turns = static_cast<Byte>((laid.turns + 1 + random_.below(3)) % 4);
        return put(seat, {laid.tile, laid.slot, turns});
    }

    std::string lift(int seat) {
        const Galaxy& galaxy = position_.seats[seat].galaxy;
        const Byte tile = galaxy[random_index(galaxy.size())].tile;
        position_.lift(seat, tile);
        return entry_of(seat, joined({"lift ", write_id(tile)}));
    }

    std::string finish(int seat) {
        const unsigned colours = random_bonuses();
        if (colours) return grab(seat, colours);
        position_.done(seat);
        return entry_of(seat, "done");
    }

    // Some of the bonus tiles that are left, or none.
    unsigned random_bonuses() {
        unsigned colours = 0;
        for (int colour = 0; colour < COLOURS; ++colour)
            if (position_.bonuses[colour] < 0 && !random_.below(3)) colours |= 1U << colour;
        return colours;
    }

    std::string grab(int seat) {
        unsigned colours = 0;
        while (!colours) colours = random_bonuses();
        return grab(seat, colours);
    }

    std::string grab(int seat, unsigned colours) {
        position_.grab(seat, colours);
        std::string words = "grab";
        for (int colour = 0; colour < COLOURS; ++colour)
            if (colours >> colour & 1) words.append(joined({" ", colour_names()[colour]}));
        return entry_of(seat, words);
    }

    std::string turn(int seat) {
        const Galaxy& galaxy = position_.seats[position_.next_to(seat)].galaxy;
        Choice choice;
        choice.slot = galaxy[random_index(galaxy.size())].slot;
        position_.choose(seat, choice);
        return entry_of(seat, joined({"turn ", write_slot(choice.slot)}));
    }

    std::string transfer(int seat) {
        Choice choice;
        choice.source = random_index(COLOURS);
        choice.target = (choice.source + 1 + random_index(2)) % COLOURS;
        const int most =
            std::min(position_.rules().transfer, position_.seats[seat].gained[choice.source]);
        choice.points = random_index(static_cast<std::size_t>(most) + 1);
        position_.choose(seat, choice);
        return entry_of(seat, joined({"move ", colour_names()[choice.source], " ",
                                      colour_names()[choice.target], " ",
                                      std::to_string(choice.points)}));
    }

    Position& position_;
    Random& random_;
};

}  // namespace tuilerie::kaosmos
