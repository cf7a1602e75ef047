// Move generator: the legal moves of a seat, in notation and in the order of games/kaosmos/legal.py.
#pragma once

#include "kaosmos_position.h"
#include "kaosmos_text.h"

namespace tuilerie::kaosmos {

class MoveGenerator {
public:
    MoveGenerator(const Position& position, int seat)
        : position_(position), seat_(seat), own_(position.seats[static_cast<std::size_t>(seat)]) {}

    std::vector<std::string> moves() {
        if (position_.is_waited_for(seat_))
            generate();
        else if (position_.may_still_grab(seat_))
            grabs();
        return std::move(found_);
    }

private:
    void generate() {
        switch (position_.phase) {
            case Phase::DRAFT: keeps(); break;
            case Phase::BUILDING: building(); break;
            case Phase::INTERFERENCE: turns(); break;
            case Phase::TRANSFER: transfers(); break;
            default: break;  // a chance node
        }
    }

    void add(std::initializer_list<Text> words) { found_.push_back(joined(words)); }

    void keeps() {
        const Tiles& packet = own_.packet;
        for (std::size_t one = 0; one < packet.size(); ++one)
            for (std::size_t two = one + 1; two < packet.size(); ++two)
                for (std::size_t three = two + 1; three < packet.size(); ++three)
                    add({"keep ", write_id(packet[one]), " ", write_id(packet[two]), " ",
                         write_id(packet[three])});
    }

    void building() {
        Tiles tiles = own_.supply;
        for (const Laid& laid : own_.galaxy) add_tile(tiles, laid.tile);
        if (own_.aside >= 0) add_tile(tiles, static_cast<Byte>(own_.aside));
        for (const Byte tile : tiles) puts(tile);
        for (const Laid& laid : own_.galaxy) add({"lift ", write_id(laid.tile)});
        if (size_of(position_.rules().shape) < HAND)
            for (const Byte tile : tiles)
                if (tile != own_.aside) add({"leave ", write_id(tile)});
        if (position_.may_grab(seat_)) grabs();
        if (position_.is_complete(seat_)) add({"done"});
    }

    // On every slot of the shape in every orientation, except its current one.
    void puts(Byte tile) {
        const Shape shape = position_.rules().shape;
        const bool free = shape == Shape::FREE;
        const int places = free ? SLOTS : layout_of(shape).places;
        for (int place = 0; place < places; ++place) {
            const auto slot = static_cast<Byte>(free ? place : layout_of(shape).slot[place]);
            for (Byte turns = 0; turns < (position_.rules().turning ? 4 : 1); ++turns)
                if (!is_placed_so(tile, slot, turns))
                    add({"put ", write_id(tile), " ", write_slot(slot), " ", std::to_string(turns)});
        }
    }

    bool is_placed_so(Byte tile, Byte slot, Byte turns) const {
        return std::any_of(own_.galaxy.begin(), own_.galaxy.end(), [&](const Laid& laid) {
            return laid.tile == tile && laid.slot == slot && laid.turns == turns;
        });
    }

    // Any non-empty set of the bonus tiles that are left.
    void grabs() {
        for (int number = 1; number <= COLOURS; ++number)
            for (const unsigned colours : {0b001U, 0b010U, 0b100U, 0b011U, 0b101U, 0b110U, 0b111U})
                if (std::popcount(colours) == number && are_left(colours)) grab(colours);
    }

    bool are_left(unsigned colours) const {
        for (int colour = 0; colour < COLOURS; ++colour)
            if ((colours >> colour & 1) && position_.bonuses[colour] >= 0) return false;
        return true;
    }

    void grab(unsigned colours) {
        std::string words = "grab";
        for (int colour = 0; colour < COLOURS; ++colour)
            if (colours >> colour & 1) words.append(joined({" ", colour_names()[colour]}));
        found_.push_back(std::move(words));
    }

    void turns() {
        for (const Laid& laid : position_.seats[position_.next_to(seat_)].galaxy)
            add({"turn ", write_slot(laid.slot)});
    }

    void transfers() {
        add({"move ", colour_names()[0], " ", colour_names()[1], " 0"});  // declined, once
        for (int source = 0; source < COLOURS; ++source) {
            const int most = std::min(position_.rules().transfer, own_.gained[source]);
            for (int target = 0; target < COLOURS; ++target)
                for (int points = 1; target != source && points <= most; ++points)
                    add({"move ", colour_names()[source], " ", colour_names()[target], " ",
                         std::to_string(points)});
        }
    }

    const Position& position_;
    int seat_;
    const Seat& own_;
    std::vector<std::string> found_;
};

inline std::vector<std::string> legal(const Position& position, int seat) {
    return MoveGenerator(position, seat).moves();
}

}  // namespace tuilerie::kaosmos
