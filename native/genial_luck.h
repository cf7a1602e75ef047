// How lucky a draw was, for arenas that remove luck from results (the chance part of AIVAT).
//
// Tiles are drawn one by one. The luck of one is the value of the position with it, less the mean value
// over all tiles in the bag, each as likely as another. Whatever the values are, this mean is zero over all
// draws, so that subtracting luck from a result changes nothing on average. The closer the values are to
// what the result will be, the more of its variance is removed.
#pragma once

#include "genial_ply.h"

namespace tuilerie::genial {

// What a seat may expect of its next turn with one hand or another.
template <int RADIUS>
class NextTurn {
public:
    // `position`: before a draw of this seat. First all others have their turns, each with its best moves
    // by the network. They do not know what the seat draws, so this is the same for all tiles.
    NextTurn(const Position<RADIUS>& position, const Net& net)
        : position_(position), scores_(position), net_(net), seat_(position.drawing_seat()) {
        if (position_.phase == Phase::DRAW) {
            end_turn();
            while (position_.phase != Phase::OVER && position_.seat != seat_) {
                if (position_.phase == Phase::DRAW) {
                    end_turn();
                    continue;
                }
                Ply<RADIUS> ply(position_, scores_, net_);
                ply.list(list_, LISTED);
                make_move(position_, scores_, ply.best(list_).move);
            }
        }
        over_ = position_.phase == Phase::OVER;
        position_.seat = static_cast<std::uint8_t>(seat_);
        position_.phase = Phase::PLACE;
    }

    double share_with(const Hand& hand) {
        if (over_) return 0;
        position_.hands[seat_] = hand;
        Ply<RADIUS> ply(position_, scores_, net_);
        ply.list(list_, LISTED);
        return static_cast<double>(ply.best(list_).value.reward());
    }

private:
    static constexpr int LISTED = 24;

    // Without the draw.
    void end_turn() {
        position_.seat = static_cast<std::uint8_t>((position_.seat + 1) % position_.players);
        position_.phase = Phase::PLACE;
        ++position_.turns;
    }

    Position<RADIUS> position_;
    Scores<RADIUS> scores_;
    const Net& net_;
    const int seat_;
    MoveList list_;
    bool over_ = false;
};

// `position`: right before the draw, or the deal of one hand. Tiles that the bag does not hold count
// nothing.
template <int RADIUS>
double luck_of(const Position<RADIUS>& position, const Net& net, const std::vector<std::uint8_t>& tiles) {
    if (position.phase != Phase::DRAW && position.phase != Phase::DEAL) return 0;
    NextTurn<RADIUS> turn(position, net);
    Hand hand = position.hands[position.drawing_seat()];
    std::array<int, TILES> held{};
    for (int at = 0; at < position.bag_count; ++at) ++held[position.bag[at]];
    int left = position.bag_count;
    double sum = 0;
    for (const std::uint8_t tile : tiles) {
        if (hand.count == HAND_SIZE || tile >= TILES || !held[tile]) return sum;
        double mean = 0, here = 0;
        for (std::uint8_t kind = 0; kind < TILES; ++kind) {
            if (!held[kind]) continue;
            Hand with = hand;
            with.add(kind);
            const double value = turn.share_with(with);
            mean += value * held[kind] / left;
            if (kind == tile) here = value;
        }
        sum += here - mean;
        hand.add(tile);
        --held[tile];
        --left;
    }
    return sum;
}

}  // namespace tuilerie::genial
