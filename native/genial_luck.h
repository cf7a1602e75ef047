// How lucky a draw was, for arenas that remove luck from results (the chance part of AIVAT).
//
// Tiles are drawn one by one. The luck of one is the value of the position with it, less the mean value
// over all tiles in the bag, each as likely as another. Whatever the values are, this mean is zero over all
// draws, so that subtracting luck from a result changes nothing on average.
#pragma once

#include "genial_ply.h"

namespace tuilerie::genial {

// What a seat with this hand might expect, were it on turn.
template <int RADIUS>
double value_with(Position<RADIUS>& position, const Scores<RADIUS>& scores, const Net& net, int seat,
                  MoveList& list) {
    constexpr int LISTED = 24;
    const std::uint8_t on_turn = position.seat;
    const Phase phase = position.phase;
    position.seat = static_cast<std::uint8_t>(seat);
    position.phase = Phase::PLACE;
    Ply<RADIUS> ply(position, scores, net);
    ply.list(list, LISTED);
    const double found = static_cast<double>(ply.best(list).value.win);
    position.seat = on_turn;
    position.phase = phase;
    return found;
}

// `position`: right before the draw, or the deal of one hand. Tiles that the bag does not hold count
// nothing.
template <int RADIUS>
double luck_of(Position<RADIUS> position, const Net& net, const std::vector<std::uint8_t>& tiles) {
    if (position.phase != Phase::DRAW && position.phase != Phase::DEAL) return 0;
    const int seat = position.drawing_seat();
    const Scores<RADIUS> scores(position);
    Hand& hand = position.hands[seat];
    MoveList list;
    double sum = 0;
    for (const std::uint8_t tile : tiles) {
        std::array<int, TILES> held{};
        for (int at = 0; at < position.bag_count; ++at) ++held[position.bag[at]];
        if (hand.count == HAND_SIZE || tile >= TILES || !held[tile]) return sum;
        double mean = 0, here = 0;
        for (std::uint8_t kind = 0; kind < TILES; ++kind) {
            if (!held[kind]) continue;
            hand.add(kind);
            const double value = value_with(position, scores, net, seat, list);
            --hand.count;
            mean += value * held[kind] / position.bag_count;
            if (kind == tile) here = value;
        }
        sum += here - mean;
        hand.add(tile);
        auto* found = std::find(position.bag.data(), position.bag.data() + position.bag_count, tile);
        *found = position.bag[--position.bag_count];
    }
    return sum;
}

}  // namespace tuilerie::genial
