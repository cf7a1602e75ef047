// Determinization: samples the tiles hidden from a viewer, others' hands and the order of the bag.
#pragma once

#include "genial_text.h"

namespace tuilerie::genial {

inline void shuffle(std::uint8_t* tiles, int count, Random& random) {
    for (int left = count; left > 1; --left)
        std::swap(tiles[left - 1], tiles[random.below(static_cast<unsigned>(left))]);
}

// Deals unseen tiles to hands, uniformly over all deals consistent with the tiles shown in swaps.
//
// A tile that returned to the bag in a swap cannot be among the tiles that a seat held then. So the
// pool is divided into groups: tiles never shown, then those returned by the first remembered swap,
// by the second, … A tile of a hand may come from the groups of the swaps before it was drawn, which
// are always the first ones. Tiles with the fewest allowed groups are dealt first: then every choice
// leaves equally many ways for the rest, so all deals are equally likely.
//
// It is unknown which of its tiles a seat has laid since a swap. The sampler assumes those it held
// then, so it never excludes a possible deal (but its weights rely on the assumption).
template <int RADIUS>
class Resampler {
public:
    explicit Resampler(const Seen<RADIUS>& seen) : seen_(seen), ends_(seen.returned.size() + 1) {
        const auto& p = seen.position;
        std::array<int, TILES> unseen{};
        for (int at = 0; at < p.bag_count; ++at) ++unseen[p.bag[at]];
        std::vector<std::vector<std::uint8_t>> groups(ends_.size());
        for (std::size_t swap = seen.returned.size(); swap-- > 0;)
            for (int tile : still_returned(seen.returned[swap]))
                if (unseen[tile] > 0) {
                    --unseen[tile];
                    groups[swap + 1].push_back(static_cast<std::uint8_t>(tile));
                }
        for (int tile = 0; tile < TILES; ++tile)
            groups[0].insert(groups[0].end(), static_cast<std::size_t>(unseen[tile]),
                             static_cast<std::uint8_t>(tile));
        for (std::size_t group = 0; group < groups.size(); ++group) {
            for (auto tile : groups[group]) pool_[pool_count_++] = tile;
            ends_[group] = pool_count_;
        }
        find_places();
    }

    // The position with all hidden tiles dealt and the bag shuffled.
    Position<RADIUS> deal(Random& random) const {
        Position<RADIUS> p = seen_.position;
        p.bag = pool_;
        int count = pool_count_;
        if (ends_.size() == 1) {
            shuffle(p.bag.data(), count, random);
            for (const Place& place : places_) p.hands[place.seat].tiles[place.at] = p.bag[--count];
        } else {
            std::vector<int> ends = ends_;
            for (const Place& place : places_) {
                const int within = ends[place.groups] ? ends[place.groups] : count;
                const int at = static_cast<int>(random.below(static_cast<unsigned>(within)));
                p.hands[place.seat].tiles[place.at] = p.bag[at];
                std::copy(p.bag.begin() + at + 1, p.bag.begin() + count, p.bag.begin() + at);
                --count;
                for (int& end : ends) end -= end > at;
            }
            shuffle(p.bag.data(), count, random);
        }
        p.bag_count = static_cast<std::uint8_t>(count);
        return p;
    }

private:
    struct Place {
        std::size_t groups;  // number of swaps before this tile was drawn
        int seat, at;
    };

    bool is_hidden(int seat) const {
        const Hand& hand = seen_.position.hands[seat];
        return hand.count > 0 && hand.tiles[0] == UNKNOWN;
    }

    // A tile that the viewer holds may be the returned one, if it has drawn since.
    std::vector<std::uint8_t> still_returned(const Returned& returned) const {
        auto left = returned.tiles;
        for (int seat = 0; seat < seen_.position.players; ++seat) {
            if (is_hidden(seat) || returned.since[seat] == 0) continue;
            const Hand& hand = seen_.position.hands[seat];
            for (int at = 0; at < hand.count; ++at) {
                const auto found = std::find(left.begin(), left.end(), hand.tiles[at]);
                if (found != left.end()) left.erase(found);
            }
        }
        return left;
    }

    void find_places() {
        for (int seat = 0; seat < seen_.position.players; ++seat)
            for (int at = 0; is_hidden(seat) && at < seen_.position.hands[seat].count; ++at) {
                std::size_t groups = 0;
                for (const Returned& swap : seen_.returned) groups += at < swap.since[seat];
                places_.push_back({groups, seat, at});
            }
        std::stable_sort(places_.begin(), places_.end(),
                         [](const Place& a, const Place& b) { return a.groups < b.groups; });
    }

    const Seen<RADIUS>& seen_;
    std::vector<int> ends_;  // where each group ends
    std::array<std::uint8_t, BAG_SIZE> pool_{};
    int pool_count_ = 0;
    std::vector<Place> places_;
};

}  // namespace tuilerie::genial
