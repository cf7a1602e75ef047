// Determinization: samples the tiles hidden from a viewer.
#pragma once

#include "kaosmos_view.h"

namespace tuilerie::kaosmos {

// Samples the hidden tiles of a view, uniformly over all positions consistent with what the viewer
// knows.
//
// Besides the public information, the viewer knows what it passed on in the draft: of the first six
// tiles, the next player keeps three, and the one after that gets the other three at the end; the three
// passed on later are the next player's. All other hidden tiles are drawn from those it has not seen.
class Resampler {
public:
    Resampler(const View& view, Random& random)
        : view_(view), position_(view.position), random_(random) {}

    Position sample() {
        own_piles();
        pool_ = unseen_tiles();
        for (std::size_t left = pool_.size(); left > 1; --left)
            std::swap(pool_[left - 1], pool_[random_index(left)]);
        if (view_.viewer >= 0 && view_.seen.size() >= 2) place_passed();
        for (int seat = 0; seat < position_.players; ++seat) {
            Seat& own = position_.seats[seat];
            const Hidden& hidden = view_.hidden[seat];
            if (seat == view_.viewer) {  // only what it drew face down it does not know itself
                if (hidden.kept) fill(own.kept, hidden.kept);
                continue;
            }
            fill(own.packet, hidden.packet);
            fill(own.kept, hidden.kept);
            fill(own.supply, hidden.supply);
        }
        return std::move(position_);
    }

private:
    std::uint32_t random_index(std::size_t count) {
        return random_.below(static_cast<std::uint32_t>(count));
    }

    bool drafting() const { return position_.phase == Phase::DRAFT; }

    // Whether the first packets have been passed on.
    bool passed_once() const {
        return view_.seen.size() > 2 || !drafting() || position_.is_waited_for(view_.viewer);
    }

    // Face down, but known to the viewer: its kept tiles, and the packet that it will pass on.
    void own_piles() {
        if (view_.viewer < 0 || view_.seen.empty() || !drafting()) return;
        Seat& own = position_.seats[view_.viewer];
        own.kept.clear();
        for (std::size_t at = 0; at < view_.seen.size(); at += 2)
            for (const Byte tile : view_.seen[at]) add_tile(own.kept, tile);
        if (!position_.is_waited_for(view_.viewer)) own.packet = view_.seen.back();
        std::sort(own.packet.begin(), own.packet.end());
    }

    Tiles unseen_tiles() const {
        std::array<bool, NAMES> seen{};
        for (const Seat& seat : position_.seats) {
            for (const Tiles* pile : {&seat.packet, &seat.kept, &seat.supply})
                for (const Byte tile : *pile) seen[tile] = true;
            for (const Laid& laid : seat.galaxy) seen[laid.tile] = true;
            if (seat.aside >= 0) seen[seat.aside] = true;
        }
        for (const Tiles& tiles : view_.seen)
            for (const Byte tile : tiles) seen[tile] = true;
        Tiles left;
        for (const Byte tile : position_.box->ids)
            if (!seen[tile]) left.push_back(tile);
        return left;
    }

    void place_passed() {
        if (!passed_once()) return;
        const int next = position_.next_to(view_.viewer), after = position_.next_to(next);
        Tiles six = view_.seen[1];
        for (std::size_t left = six.size(); left > 1; --left)
            std::swap(six[left - 1], six[random_index(left)]);
        Seat& neighbour = position_.seats[next];
        if (drafting()) {
            const auto still = static_cast<std::size_t>(view_.hidden[next].packet);
            for (std::size_t at = 0; at < six.size(); ++at)
                add_tile(at < still ? neighbour.packet : neighbour.kept, six[at]);
            return;
        }
        if (view_.seen.size() < 4) return;
        for (const Byte tile : view_.seen[3]) give(next, tile);
        split_six(six, next, after);
    }

    // Three went to the next player and three to the one after; some are public, and with two
    // players the viewer itself is the one after.
    void split_six(const Tiles& six, int next, int after) {
        int room = 3;
        Tiles unknown;
        for (const Byte tile : six) {
            const int owner = owner_of(tile);
            if (owner < 0) unknown.push_back(tile);
            room -= owner == next;
        }
        for (const Byte tile : unknown) give(room-- > 0 ? next : after, tile);
    }

    int owner_of(Byte tile) const {
        for (int number = 0; number < position_.players; ++number) {
            const Seat& seat = position_.seats[number];
            if (seat.aside == tile) return number;
            for (const Laid& laid : seat.galaxy)
                if (laid.tile == tile) return number;
            if (std::find(seat.supply.begin(), seat.supply.end(), tile) != seat.supply.end())
                return number;
        }
        return -1;
    }

    void give(int seat, Byte tile) {
        if (owner_of(tile) < 0 && seat != view_.viewer) add_tile(position_.seats[seat].supply, tile);
    }

    void fill(Tiles& pile, int size) {
        if (static_cast<int>(pile.size()) > size)
            refuse("bad view", std::to_string(size), "as many hidden tiles as are known to be there");
        while (static_cast<int>(pile.size()) < size) {
            if (pool_.empty()) refuse("bad view", std::to_string(size), "no more tiles than the box has");
            add_tile(pile, pool_.back());
            pool_.pop_back();
        }
    }

    const View& view_;
    Position position_;
    Random& random_;
    Tiles pool_;
};

}  // namespace tuilerie::kaosmos
