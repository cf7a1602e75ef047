// The inputs of the network: what a seat may expect after its move and before its draw.
//
// They are computed for each legal move without making it, from tables of the position before it. The
// colours are sorted by the own markers, so the network need not learn anything six times. Everything is
// known to the seat on turn: the board, all markers, its own hand, and how many tiles of each kind it has
// not seen.
#pragma once

#include <utility>

#include "genial_gains.h"

namespace tuilerie::genial {

inline constexpr int OF_COLOUR = 15 + COUNTED + 8;
inline constexpr int OF_TABLE = 2 * COLOURS + 12 + 2 + COUNTED + 3;
inline constexpr int OF_RIVAL = COLOURS + 2;
inline constexpr int INPUTS = COLOURS * OF_COLOUR + OF_TABLE + 2 * OF_RIVAL;

// --- inputs --------------------------------------------------------------------------------------

// What a move leads to, as far as it matters here.
struct After {
    Track track{};           // of the seat that moved
    Hand hand;               // what it still holds
    int bonus = 0;           // placements that are left to it
    bool over = false;       // whether the game ends
    bool swapped = false;
};

template <int RADIUS>
class Inputs {
public:
    using Board = Hexagon<RADIUS>;
    using Cells = typename Board::Cells;

    Inputs(const Position<RADIUS>& position, const Scores<RADIUS>& scores)
        : position_(position), scores_(scores), seat_(position.seat),
          next_((position.seat + 1) % position.players),
          usable_(position.free & Board::beside(position.free)) {
        rank_rivals();
        count_unseen();
        copy_points();
        for (int colour = 0; colour < COLOURS; ++colour) {
            count_levels(colour);
            find_tops(colour);
        }
    }

    const Track& own() const { return position_.tracks[seat_]; }
    const Track& next_track() const { return position_.tracks[next_]; }
    const Track& rival() const { return position_.tracks[rivals_[0]]; }
    const Eight& points_at(int at) const { return points_[at + Board::MARGIN]; }
    const Eight& our_gains_at(int at) const { return gains_[at + Board::MARGIN].ours; }
    const Eight& their_gains_at(int at) const { return gains_[at + Board::MARGIN].theirs; }

    // The state after a move. A bonus lapses with the last tile, and a full track ends the game.
    After after(const Move& move) const {
        After found;
        found.track = own();
        found.hand = position_.hands[seat_];
        if (move.kind != Move::PLACE) {
            found.swapped = move.kind == Move::SWAP;
            if (found.swapped) found.hand.count = 0;
            return found;
        }
        const Tile tile = TILE[move.tile];
        const int first = points_at(move.first)[tile.first];
        const int second = points_at(move.second)[tile.second];
        found.bonus = std::max(0, position_.bonus - 1);
        if (tile.first == tile.second) {
            found.bonus += moved(found.track, tile.first, first + second);
        } else {
            found.bonus += moved(found.track, tile.first, first);
            found.bonus += moved(found.track, tile.second, second);
        }
        found.hand.remove_at(found.hand.find(move.tile));
        if (!found.hand.count) found.bonus = 0;
        found.over = is_full(Variant::STANDARD, found.track) || !room_without(move).any();
        return found;
    }

    // Writes INPUTS numbers for the state after a move that does not end the game.
    void write(const Move& move, const After& after, float* to) {
        look(move);
        to = write_colours(after, to);
        to = write_table(move, after, to);
        to = write_gains(move, after, to);
        write_rivals(to);
    }

private:
    static constexpr int TOPS = 6;
    static constexpr float FULL = 1.0F / TOP;

    // A good cell of a colour: what the next player and the seat would gain there with a tile of this
    // colour and each other one beside it. By the markers before the move.
    struct Spot {
        std::uint8_t at;
        std::int16_t points;
        Both gains;
    };

    static int moved(Track& track, int colour, int points) {
        const Advance step = advance(Variant::STANDARD, track[colour], points);
        track[colour] = static_cast<std::int8_t>(step.after);
        return step.bonus;
    }

    // --- before the move ---

    void rank_rivals() {
        int count = 0;
        for (int step = 1; step < position_.players; ++step)
            rivals_[count++] = (seat_ + step) % position_.players;
        std::stable_sort(rivals_.begin(), rivals_.begin() + count, [&](int a, int b) {
            return rank_key(Variant::STANDARD, position_.tracks[a]) >
                   rank_key(Variant::STANDARD, position_.tracks[b]);
        });
        for (int at = 0; at < count; ++at) {
            sorted_[at] = position_.tracks[rivals_[at]];
            std::sort(sorted_[at].begin(), sorted_[at].end());
        }
    }

    // Tiles in the bag, aside and in others' hands: if those are unknown, the bag holds them, too.
    void count_unseen() {
        const auto add = [&](int tile) {
            if (tile == UNKNOWN) return;
            ++unseen_[tile];
            ++unseen_count_;
        };
        for (int at = 0; at < position_.bag_count; ++at) add(position_.bag[at]);
        for (int at = 0; at < position_.aside.count; ++at) add(position_.aside.tiles[at]);
        for (int seat = 0; seat < position_.players; ++seat)
            for (int at = 0; seat != seat_ && at < position_.hands[seat].count; ++at)
                add(position_.hands[seat].tiles[at]);
        for (int tile = 0; tile < TILES; ++tile) {
            if (!unseen_[tile]) continue;
            const auto [first, second] = TILE[tile];
            unseen_colour_[first] += unseen_[tile];
            unseen_colour_[second] += unseen_[tile];
            unseen_listed_[unseen_kinds_++] = {first, second, unseen_[tile]};
        }
    }

    void copy_points() {
        for (Eight& one : points_) one = {-1, -1, -1, -1, -1, -1, -1, -1};
        gains_.fill({});
        position_.free.each([&](int at) {
            Eight& here = points_[at + Board::MARGIN];
            auto& [theirs, ours] = gains_[at + Board::MARGIN];
            for (int colour = 0; colour < COLOURS; ++colour) {
                here[colour] = static_cast<std::int16_t>(std::min(scores_.points(colour, at), TOP));
                theirs[colour] = GAINS.rows[next_track()[colour]][here[colour]];
                ours[colour] = GAINS.rows[own()[colour]][here[colour]];
            }
        });
    }

    void count_levels(int colour) {
        for (std::uint32_t levels = scores_.levels(colour); levels; levels &= levels - 1) {
            const int level = std::countr_zero(levels);
            const int count = (scores_.level(colour, level) & usable_).count();
            if (!count) continue;
            counts_[colour][level] = static_cast<std::uint8_t>(count);
            present_[colour] |= 1U << level;
            add_times(reached_[colour], REACHED[level], static_cast<std::int16_t>(count));
        }
    }

    void find_tops(int colour) {
        std::uint32_t levels = present_[colour] & ~1U;
        while (levels && top_count_[colour] < TOPS) {
            const int level = std::bit_width(levels) - 1;
            levels &= ~(1U << level);
            (scores_.level(colour, level) & usable_).each([&](int at) {
                if (top_count_[colour] == TOPS) return;
                Spot& spot = tops_[colour][top_count_[colour]++];
                spot.at = static_cast<std::uint8_t>(at);
                spot.points = static_cast<std::int16_t>(level);
                weigh(spot, colour);
            });
        }
    }

    // The gains of a cell with the best of its neighbours. More points never gain less, so the largest
    // gains are those of the most points.
    void weigh(Spot& spot, int colour) const {
        Both best{};
        int beside_points = 0;
        const int here = spot.at + Board::MARGIN;
        for (int step : Board::AXES)
            for (int at : {here + step, here - step}) {
                take_larger(best, gains_[at]);
                beside_points = std::max<int>(beside_points, points_[at][colour]);
            }
        const auto& their_row = GAINS.rows[next_track()[colour]];
        const auto& our_row = GAINS.rows[own()[colour]];
        add_all(best.theirs, their_row[spot.points]);
        add_all(best.ours, our_row[spot.points]);
        const int both = std::min(spot.points + beside_points, TOP);
        best.theirs[colour] = their_row[both];
        best.ours[colour] = our_row[both];
        spot.gains = best;
    }

    // --- after the move ---

    Cells room_without(const Move& move) const {
        Cells free = position_.free;
        free.remove(move.first);
        free.remove(move.second);
        return free & Board::beside(free);
    }

    struct Raised {
        std::uint8_t at, colour;
        std::int16_t points;
    };

    // Brings the tables to the state after the move.
    void look(const Move& move) {
        now_counts_ = counts_;
        now_present_ = present_;
        now_reached_ = reached_;
        raised_count_ = 0;
        room_ = usable_;
        if (move.kind != Move::PLACE) return;
        room_ = room_without(move);
        Cells gone = usable_;
        for (int at = 0; at < Cells::WORDS; ++at) gone.words[at] &= ~room_.words[at];
        gone.each([&](int at) {
            for (int colour = 0; colour < COLOURS; ++colour) leave(colour, points_at(at)[colour]);
        });
        const Tile tile = TILE[move.tile];
        extend(move.first, tile.first);
        extend(move.second, tile.second);
        if (tile.first == tile.second) join_halves(move, tile.first);
        for (int at = 0; at < raised_count_; ++at) {
            Raised& one = raised_[at];
            one.points = std::min<std::int16_t>(one.points, TOP);
            leave(one.colour, points_at(one.at)[one.colour]);
            join(one.colour, one.points);
        }
    }

    void leave(int colour, int level) {
        if (!--now_counts_[colour][level]) now_present_[colour] &= ~(1U << level);
        take_from(now_reached_[colour], REACHED[level]);
    }

    void join(int colour, int level) {
        ++now_counts_[colour][level];
        now_present_[colour] |= 1U << level;
        add_to(now_reached_[colour], REACHED[level]);
    }

    // As in Scores: the free cells at both ends of each line see the symbols beyond the new one.
    void extend(int at, int colour) {
        for (int step : Board::AXES) {
            const int ahead = position_.run(at, step, colour), behind = position_.run(at, -step, colour);
            raise(at + (ahead + 1) * step, colour, behind + 1);
            raise(at - (behind + 1) * step, colour, ahead + 1);
        }
    }

    // Beyond its halves, a double joins the lines along its axis.
    void join_halves(const Move& move, int colour) {
        const int step = move.second - move.first;
        const int ahead = position_.run(move.second, step, colour);
        const int behind = position_.run(move.first, -step, colour);
        raise(move.second + (ahead + 1) * step, colour, behind + 1);
        raise(move.first - (behind + 1) * step, colour, ahead + 1);
    }

    void raise(int at, int colour, int by) {
        if (at < 0 || at >= Board::PLACES || !room_.has(at)) return;
        for (int known = 0; known < raised_count_; ++known)
            if (raised_[known].at == at && raised_[known].colour == colour) {
                raised_[known].points = static_cast<std::int16_t>(raised_[known].points + by);
                return;
            }
        raised_[raised_count_++] = {static_cast<std::uint8_t>(at), static_cast<std::uint8_t>(colour),
                                    static_cast<std::int16_t>(scores_.points(colour, at) + by)};
    }

    // The best gains of either side by two colours: the first one's cell, with the other one beside it.
    std::array<Both, COLOURS> best_gains(const Cells& changed) const {
        std::array<Both, COLOURS> found{};
        Spot now;
        for (int colour = 0; colour < COLOURS; ++colour) {
            Both best{};
            for (int at = 0; at < top_count_[colour]; ++at) {
                const Spot& spot = tops_[colour][at];
                if (!room_.has(spot.at)) continue;
                if (!changed.has(spot.at)) {
                    take_larger(best, spot.gains);
                    continue;
                }
                now.at = spot.at;
                now.points = spot.points;
                weigh(now, colour);
                take_larger(best, now.gains);
            }
            found[colour] = best;
        }
        for (int at = 0; at < raised_count_; ++at) {
            const Raised& raised = raised_[at];
            now.at = raised.at;
            now.points = raised.points;
            weigh(now, raised.colour);
            take_larger(found[raised.colour], now.gains);
        }
        return found;
    }

    // The same after a placement: the new tile's cells offer nothing, and their neighbours may have lost
    // their best neighbour.
    std::array<Both, COLOURS> best_gains_after(const Move& move) {
        if (move.kind != Move::PLACE) return best_gains({});
        Cells laid;
        laid.add(move.first);
        laid.add(move.second);
        std::array<Both, 2> gains;
        std::array<Eight, 2> points;
        const std::array<int, 2> cells{move.first + Board::MARGIN, move.second + Board::MARGIN};
        for (int half = 0; half < 2; ++half) {
            gains[half] = std::exchange(gains_[cells[half]], {});
            points[half] = std::exchange(points_[cells[half]], {});
        }
        const auto found = best_gains(Board::beside(laid));
        for (int half = 0; half < 2; ++half) {
            gains_[cells[half]] = gains[half];
            points_[cells[half]] = points[half];
        }
        return found;
    }

    // --- writing ---

    float* write_colours(const After& after, float* to) {
        std::array<int, COLOURS> order{0, 1, 2, 3, 4, 5};
        const auto key = [&](int colour) { return 32 * after.track[colour] + rival()[colour]; };
        for (int at = 1; at < COLOURS; ++at)
            for (int here = at; here > 0 && key(order[here]) < key(order[here - 1]); --here)
                std::swap(order[here], order[here - 1]);
        std::array<std::int8_t, COLOURS> singles{}, doubles{};
        for (int at = 0; at < after.hand.count; ++at) {
            const Tile tile = TILE[after.hand.tiles[at]];
            if (tile.first == tile.second) {
                ++doubles[tile.first];
            } else {
                ++singles[tile.first];
                ++singles[tile.second];
            }
        }
        for (int at = 0; at < COLOURS; ++at) own_sorted_[at] = after.track[order[at]];
        const int low = own_sorted_[0], rival_low = sorted_[0][0];
        for (int colour : order) {
            const int mine = after.track[colour], theirs = rival()[colour];
            const std::uint32_t levels = now_present_[colour];
            const int best = levels ? std::bit_width(levels) - 1 : 0;
            const std::uint32_t lower = levels & ~(1U << best);
            const int held = singles[colour] + 2 * doubles[colour];
            *to++ = FULL * static_cast<float>(mine);
            *to++ = mine == TOP;
            *to++ = GAINS.worth[mine];
            *to++ = FULL * static_cast<float>(theirs);
            *to++ = theirs == TOP;
            *to++ = GAINS.worth[theirs];
            *to++ = 0.125F * static_cast<float>(mine - low);
            *to++ = 0.125F * static_cast<float>(theirs - rival_low);
            *to++ = 0.125F * static_cast<float>(mine - rival_low);
            *to++ = 0.125F * static_cast<float>(mine - theirs);
            *to++ = mine == low;
            *to++ = theirs == rival_low;
            *to++ = 0.5F * static_cast<float>(singles[colour]);
            *to++ = doubles[colour];
            *to++ = 0.03F * static_cast<float>(unseen_colour_[colour]);
            for (int at = 0; at < COUNTED; ++at) *to++ = SOME[now_reached_[colour][at]];
            *to++ = 0.1F * static_cast<float>(best);
            *to++ = 0.1F * static_cast<float>(lower ? std::bit_width(lower) - 1 : 0);
            *to++ = best ? SOME[now_counts_[colour][best]] : 0;
            *to++ = FULL * static_cast<float>(std::min(TOP, mine + std::min(held, 2) * best));
            *to++ = held && mine < TOP && mine + best >= TOP;
            *to++ = FULL * static_cast<float>(std::min(TOP, theirs + best));
            *to++ = theirs < TOP && theirs + best >= TOP;
            *to++ = GAINS.worth[std::min(TOP, mine + best)] - GAINS.worth[mine];
        }
        return to;
    }

    float* write_table(const Move& move, const After& after, float* to) const {
        const Track& mine = own_sorted_;
        for (int at = 0; at < COLOURS; ++at) *to++ = FULL * static_cast<float>(sorted_[0][at]);
        for (int at = 0; at < COLOURS; ++at)
            *to++ = 0.125F * static_cast<float>(mine[at] - sorted_[0][at]);
        *to++ = mine > sorted_[0] ? 1.0F : mine < sorted_[0] ? -1.0F : 0.0F;
        const int room = room_.count();
        *to++ = 0.01F * static_cast<float>(room);
        *to++ = 1.0F / static_cast<float>(1 + room / 2);
        *to++ = room < 4;
        *to++ = static_cast<float>(std::min(after.bonus, 2));
        *to++ = static_cast<float>(after.bonus > 0);
        *to++ = 0.2F * static_cast<float>(after.hand.count);
        *to++ = after.swapped;
        *to++ = !after.swapped && !after.bonus && move.kind == Move::PLACE &&
                may_swap(after.track, after.hand);
        *to++ = position_.turns + 1 < position_.players;
        *to++ = move.kind == Move::KEEP;
        *to++ = 0.01F * static_cast<float>(position_.free.count());
        return to;
    }

    // What the next player may gain, by the tiles that the seat has not seen; and what the seat itself
    // may gain with the tiles it holds.
    float* write_gains(const Move& move, const After& after, float* to) {
        const std::array<Both, COLOURS> gains = best_gains_after(move);
        Eight reached{};
        int sum = 0, best = 0;
        for (int at = 0; at < unseen_kinds_; ++at) {
            const auto [a, b, count] = unseen_listed_[at];
            const int gain = std::max(gains[a].theirs[b], gains[b].theirs[a]);
            const unsigned bucket = std::min<unsigned>(static_cast<unsigned>(gain) / (GainTable::UNIT / 8), GAIN_BUCKETS - 1);
            sum += gain * count;
            best = std::max(best, gain);
            add_times(reached, GAIN_REACHED[bucket], count);
        }
        const float share = 1.0F / static_cast<float>(std::max(1, unseen_count_));
        constexpr float UNIT = 1.0F / (8 * GainTable::UNIT);
        *to++ = UNIT * static_cast<float>(sum) * share;
        *to++ = UNIT * static_cast<float>(best);
        for (int at = 0; at < COUNTED; ++at) *to++ = share * static_cast<float>(reached[at]);
        std::array<int, HAND_SIZE + 3> mine{};
        for (int at = 0; at < after.hand.count; ++at) {
            const auto [a, b] = TILE[after.hand.tiles[at]];
            mine[at] = std::max(gains[a].ours[b], gains[b].ours[a]);
        }
        for (int at = 0; at < 3; ++at) {
            for (int other = at + 1; other < HAND_SIZE; ++other)
                if (mine[other] > mine[at]) std::swap(mine[other], mine[at]);
            *to++ = UNIT * static_cast<float>(mine[at]);
        }
        return to;
    }

    // The weaker rivals at larger tables, and how far away each is; zero for two players.
    float* write_rivals(float* to) const {
        const int low = own_sorted_[0];
        for (int at = 1; at <= 2; ++at) {
            const bool there = at < position_.players - 1;
            for (int colour = 0; colour < COLOURS; ++colour)
                *to++ = there ? FULL * static_cast<float>(sorted_[at][colour]) : 0;
            *to++ = there ? 0.125F * static_cast<float>(low - sorted_[at][0]) : 0;
            *to++ = there ? static_cast<float>(rivals_[at] == next_) : 0;
        }
        return to;
    }

    const Position<RADIUS>& position_;
    const Scores<RADIUS>& scores_;
    const int seat_, next_;
    const Cells usable_;  // free cells with a free neighbour
    std::array<int, MOST_PLAYERS> rivals_{};  // best first
    std::array<Track, MOST_PLAYERS> sorted_{};
    std::array<std::int16_t, TILES> unseen_{};
    std::array<int, COLOURS> unseen_colour_{};
    struct Unseen {
        std::uint8_t first, second;
        std::int16_t count;
    };
    std::array<Unseen, TILES> unseen_listed_;
    int unseen_kinds_ = 0, unseen_count_ = 0;
    std::array<Eight, Board::PLACES + 2 * Board::MARGIN> points_;
    std::array<Both, Board::PLACES + 2 * Board::MARGIN> gains_;
    std::array<std::array<std::uint8_t, 32>, COLOURS> counts_{}, now_counts_;
    std::array<std::uint32_t, COLOURS> present_{}, now_present_;
    std::array<Eight, COLOURS> reached_{}, now_reached_;
    std::array<std::array<Spot, TOPS>, COLOURS> tops_;
    std::array<int, COLOURS> top_count_{};
    std::array<Raised, 16> raised_;
    int raised_count_ = 0;
    Track own_sorted_{};  // after the move
    Cells room_;
};

}  // namespace tuilerie::genial
