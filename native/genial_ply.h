// One ply with the network: values the moves of the seat on turn, and lists those worth valuing.
#pragma once

#include <functional>
#include <vector>

#include "genial_net.h"
#include "genial_outcome.h"

namespace tuilerie::genial {

// The value of a game that is over, or as good as over, for one seat.
inline Value value_of(const Outcome& outcome) {
    return {static_cast<float>(outcome.win), logistic(static_cast<float>(outcome.margin) / 4)};
}

struct Valued {
    Move move;
    Value value;
};

// Moves worth valuing, with room for all others; allocated once.
struct MoveList {
    std::vector<Move> moves;
    std::vector<std::uint32_t> keys;
};

// How moves are ranked before the network values the best of them. Roughly: by the own gain, and half of
// what the next player could have gained on these cells. Closely: also by the gains that the move opens
// to the next player, and those that it leaves the own seat. The first networks learnt by the rough one.
enum class Estimate { ROUGH, CLOSE };

template <int RADIUS>
class Ply {
public:
    using Board = Hexagon<RADIUS>;

    Ply(const Position<RADIUS>& position, const Scores<RADIUS>& scores, const Net& net)
        : position_(position), inputs_(position, scores), sums_(net) {}

    // What the seat may expect after a move. `kept`, if given, receives the inputs.
    Value value(const Move& move, float* kept = nullptr) {
        const After after = inputs_.after(move);
        if (after.over) return value_at_end(after);
        alignas(32) float own[PADDED_INPUTS];
        float* numbers = kept ? kept : own;
        inputs_.write(move, after, numbers);
        for (int at = INPUTS; at < PADDED_INPUTS; ++at) numbers[at] = 0;
        return sums_.value(numbers, group_of(move));
    }

    bool ends(const Move& move) const { return inputs_.after(move).over; }

    // All moves of the seat, or the best `most` by a quick estimate.
    void list(MoveList& list, int most, Estimate estimate = Estimate::CLOSE) {
        list.moves.clear();
        if (position_.phase != Phase::PLACE || most == 0) {
            each_move(position_, [&](const Move& move) { list.moves.push_back(move); });
            return;
        }
        estimate == Estimate::CLOSE ? prepare_close() : prepare_rough();
        list.keys.resize(3 * Board::COUNT * 2 * HAND_SIZE);  // more than there are
        const auto begin = list.keys.begin();
        auto end = begin;
        const auto pairs = position_.allowed_pairs();
        for (int axis = 0; axis < 3; ++axis)
            pairs.along[axis].each([&](int at) { end = list_pair(end, at, at + Board::AXES[axis]); });
        if (end - begin > most) {
            std::nth_element(begin, begin + most - 1, end, std::greater<>());
            end = begin + most;
        }
        std::sort(begin, end, std::greater<>());
        for (auto key = begin; key != end; ++key)
            list.moves.push_back({Move::PLACE, static_cast<std::uint8_t>(*key & 31),
                                  static_cast<std::uint8_t>(*key >> 13 & 255),
                                  static_cast<std::uint8_t>(*key >> 5 & 255)});
    }

    // The best of the listed moves by the network.
    Valued best(const MoveList& list) {
        Valued found{};
        float most = -1;
        for (const Move& move : list.moves) {
            const Value here = value(move);
            if (here.reward() <= most) continue;
            most = here.reward();
            found = {move, here};
        }
        return found;
    }

private:
    // Moves with the same tile leave the same hand, so their inputs are most alike.
    int group_of(const Move& move) const {
        return move.kind == Move::PLACE ? position_.hands[position_.seat].find(move.tile) : HAND_SIZE;
    }

    Value value_at_end(const After& after) const {
        Position<RADIUS> ended = position_;
        ended.tracks[position_.seat] = after.track;
        return value_of(outcome_for(ended, position_.seat));
    }

    void prepare_rough() {
        position_.free.each([&](int at) {
            const Eight& gains = inputs_.their_gains_at(at);
            int most = 0;
            for (int colour = 0; colour < COLOURS; ++colour) most = std::max<int>(most, gains[colour]);
            denied_[at] = most / 2;
            costs_[at] = {};
        });
        list_kinds();
    }

    // The factors were fitted to the values of the network, over half a million moves.
    void prepare_close() {
        look_at_points();
        position_.free.each([&](int at) {
            int sum = 0, most = 0;
            for (int colour = 0; colour < COLOURS; ++colour) {
                sum += inputs_.their_gains_at(at)[colour];
                most = std::max<int>(most, inputs_.our_gains_at(at)[colour]);
            }
            denied_[at] = (15 * sum - 14 * most) / 64;
            costs_[at] = costs_of(at);
        });
        list_kinds();
    }

    void list_kinds() {
        kind_count_ = 0;
        for (unsigned kinds = position_.hands[position_.seat].kinds(); kinds; kinds &= kinds - 1)
            kinds_[kind_count_++] = std::countr_zero(kinds);
    }

    // What more points on a free cell bring the next player, and how much more than the own seat.
    struct Rise {
        int theirs, more;
    };

    Rise rise(int at, int colour, int by) const {
        const int before = inputs_.points_at(at)[colour], after = std::min(before + by, TOP);
        const auto &theirs = GAINS.rows[inputs_.next_track()[colour]], &ours = GAINS.rows[inputs_.own()[colour]];
        const int found = theirs[after] - theirs[before];
        return {found, found - (ours[after] - ours[before])};
    }

    // One more point on each free cell.
    void look_at_points() {
        theirs_.fill({});
        more_.fill({});
        position_.free.each([&](int at) {
            for (int colour = 0; colour < COLOURS; ++colour) {
                const Rise here = rise(at, colour, 1);
                theirs_[at + Board::MARGIN][colour] = static_cast<std::int16_t>(here.theirs);
                more_[at + Board::MARGIN][colour] = static_cast<std::int16_t>(here.more);
            }
        });
    }

    // What a symbol on this cell costs, by its colour: the free cells at both ends of each line earn more.
    Eight costs_of(int at) const {
        Eight most{}, sum{};
        for (int step : Board::AXES)
            for (int way : {step, -step}) {
                take_larger(most, theirs_[at + way + Board::MARGIN]);
                add_to(sum, more_[at + way + Board::MARGIN]);
            }
        // Mostly these are the neighbours, with one more point. Not so along lines of the same colour.
        for (int step : Board::AXES)
            for (int way : {step, -step}) {
                const int colour = position_.symbol(at + way);
                if (colour >= COLOURS) continue;
                const int ahead = position_.run(at, way, colour), behind = position_.run(at, -way, colour);
                if (behind && way < 0) continue;  // done from the other side
                const auto raise = [&](int end, int by) {
                    if (position_.symbol(end) != Position<RADIUS>::FREE) return;
                    const Rise here = rise(end, colour, by);
                    most[colour] = static_cast<std::int16_t>(std::max<int>(most[colour], here.theirs));
                    sum[colour] = static_cast<std::int16_t>(sum[colour] + here.more);
                };
                raise(at + (ahead + 1) * way, behind + 1);
                raise(at - (behind + 1) * way, ahead + 1);
                if (!behind) sum[colour] = static_cast<std::int16_t>(sum[colour] - more_[at - way + Board::MARGIN][colour]);
            }
        for (int colour = 0; colour < COLOURS; ++colour)
            sum[colour] = static_cast<std::int16_t>((5 * sum[colour] + 12 * most[colour]) / 64);
        return sum;
    }

    using Key = std::vector<std::uint32_t>::iterator;

    // Writes all ways to lay a tile of the hand on a pair of cells. The key of a move begins with its
    // quick estimate, and is never that of another.
    Key list_pair(Key to, int one, int other) const {
        const int denied = denied_[one] + denied_[other];
        const Eight &gains = inputs_.our_gains_at(one), &others = inputs_.our_gains_at(other);
        const auto add = [&](int gain, int tile, int first, int second) {
            const auto [a, b] = TILE[tile];
            const int sum = gain + denied - costs_[first][a] - costs_[second][b];
            const int estimate = std::clamp((sum + 2048) / 4, 0, 2047);
            *to++ = static_cast<std::uint32_t>(estimate << 21 | first << 13 | second << 5 | tile);
        };
        for (int at = 0; at < kind_count_; ++at) {
            const int kind = kinds_[at];
            const auto [a, b] = TILE[kind];
            if (a == b) {
                const int points = inputs_.points_at(one)[a] + inputs_.points_at(other)[a];
                add(GAINS.rows[inputs_.own()[a]][std::min(points, TOP)], kind, one, other);
            } else {
                add(gains[a] + others[b], kind, one, other);
                add(others[a] + gains[b], kind, other, one);
            }
        }
        return to;
    }

    const Position<RADIUS>& position_;
    Inputs<RADIUS> inputs_;
    NetSums sums_;
    std::array<Eight, Board::PLACES + 2 * Board::MARGIN> theirs_, more_;
    std::array<int, Board::PLACES> denied_;
    std::array<Eight, Board::PLACES> costs_;
    std::array<int, HAND_SIZE> kinds_;
    int kind_count_ = 0;
};

// Makes a move and keeps the table of points.
template <int RADIUS>
void make_move(Position<RADIUS>& position, Scores<RADIUS>& scores, const Move& move) {
    if (move.kind == Move::PLACE) {
        position.place(move);
        scores.laid(position, move);
    } else {
        move.kind == Move::SWAP ? position.swap() : position.keep();
    }
}

}  // namespace tuilerie::genial
