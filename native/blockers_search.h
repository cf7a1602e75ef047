// Search of the strong bots: flat Monte Carlo over determinized positions.
//
// Each sample determinizes the hidden tiles and the order of the piles; each candidate is then played
// out with greedy policies for all seats. All candidates share the same samples (common random
// numbers). Half of them are dropped after each round (sequential halving).
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "blockers_endgame.h"

namespace tuilerie::blockers {

// Until the nodes (simulated games) or the seconds are used up, whichever is first; 0: no limit.
struct Limit {
    std::uint64_t nodes = 0;
    double seconds = 0;
};

struct Settings {
    int candidates = 64;       // number of moves to simulate, best static cost first
    double exact = 0;          // solve the last round exactly up to this effort
    double prior_weight = 12;  // weight of the static prior in games (see `estimate`)
    double for_winning = 0.5;  // weight of the win in the reward; the rest is the margin
};

struct Candidate {
    Move move;
    double share = 0;   // sums over all visits: of the win,
    double margin = 0;  // of the margin over the best rival in points,
    double reward = 0;  // and of the reward
    double prior = 0;   // static estimate of the reward
    std::uint64_t visits = 0;

    double mean(double sum) const { return visits == 0 ? 0 : sum / static_cast<double>(visits); }
};

// The draw order of the piles in one sample.
struct Deck {
    std::array<std::array<std::int8_t, FACES>, COLOURS> order;

    Deck(const Position& position, Random& random) {
        for (int colour = 0; colour < COLOURS; ++colour) {
            int count = 0;
            for (auto left = position.pile[colour]; left != 0; left &= left - 1) {
                const auto at = random.below(static_cast<std::uint32_t>(count) + 1);
                order[colour][count++] = order[colour][at];
                order[colour][at] = static_cast<std::int8_t>(std::countr_zero(left));
            }
        }
    }

    void draw(Position& position) const {
        const int colour = position.drawing;
        position.draw(order[colour][position.left[colour] - 1]);
    }
};

class Search {
public:
    Search(const Position& seen, std::uint64_t seed, Limit limit, Settings settings)
        : seen_(seen), seat_(seen.seat), seed_(seed), limit_(limit), settings_(settings) {
        Moves moves = seen.legal();
        const auto most = std::min(moves.count, settings.candidates);
        if (most < moves.count) {
            std::stable_sort(moves.list.begin(), moves.list.begin() + moves.count,
                             [&](Move a, Move b) { return cost(a) < cost(b); });
        }
        for (int i = 0; i < most; ++i) {
            const Move move = moves.list[i];
            candidates_.push_back({move});
            candidates_.back().prior = 0.5 - cost(move) * PRIOR_PER_POINT / POINT;
        }
    }

    // All simulated moves, best first.
    std::vector<Candidate> run() {
        if (Endgame::is_known(seen_)) {
            Position known = seen_;
            Random random(seed_);
            resample(known, random);  // fully determined
            if (Endgame::effort(known) <= settings_.exact) {
                solve(known);
                return candidates_;
            }
        }
        halve();
        return candidates_;
    }

private:
    // The last round has perfect information: solve it exactly.
    void solve(Position& known) {
        for (Candidate& candidate : candidates_) {
            add_result(candidate, Endgame::solve_after(known, candidate.move));
        }
        // Lexicographic: the margin only breaks ties between equal shares of the win.
        const auto rank = [](const Candidate& candidate) {
            return std::pair(std::llround(-candidate.share * 1e9), -candidate.margin);
        };
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    }

    void halve() {
        std::size_t left = candidates_.size();
        int rounds = 0;
        while (left > std::size_t{1} << rounds) ++rounds;
        const auto begin = Clock::now();
        for (int round = 1; round <= rounds && left > 1; ++round) {
            const double share = static_cast<double>(round) / rounds;
            play_round(left, share, begin);
            rank(left);
            left = (left + 1) / 2;
        }
        if (candidates_.size() == 1) sample(1);
    }

    static constexpr int POINT = 32;                 // a point in units of `cost`
    static constexpr double PRIOR_PER_POINT = 0.15;  // of the reward

    // Static cost of a move, for move ordering and the prior: points first, as in the greedy policy.
    int cost(Move move) const {
        if (move.discards()) return 0;
        int points = 1 - seen_.joins(colour_of(move.tile), move.cell);
        const Tile taken = seen_.board[move.cell];
        const auto& captured = seen_.captured[seat_];
        if (taken != NO_TILE && !seen_.uptown) {
            points += captured[colour_of(taken)] == seen_.most_captured(seat_);
        }
        const int room = (NEIGHBOURS[move.cell] & seen_.empty).count();
        return ((points * 2 + (taken != NO_TILE)) * 2 + (face_of(move.tile) == JOKER)) * 8 - room;
    }

    using Clock = std::chrono::steady_clock;

    bool spent(double share, Clock::time_point begin) const {
        if (limit_.nodes != 0 && static_cast<double>(nodes_) >= share * static_cast<double>(limit_.nodes)) {
            return true;
        }
        const std::chrono::duration<double> passed = Clock::now() - begin;
        return limit_.seconds != 0 && passed.count() >= share * limit_.seconds;
    }

    void play_round(std::size_t left, double share, Clock::time_point begin) {
        do sample(left);
        while (!spent(share, begin));
    }

    // One determinization, played out for each of the first candidates.
    void sample(std::size_t left) {
        Random random(seed_ + ++samples_ * 0x2545f4914f6cdd1dULL);
        Position whole = seen_;
        resample(whole, random);
        const Deck deck(whole, random);
        for (std::size_t i = 0; i < left; ++i) play_out(candidates_[i], whole, deck, random);
    }

    void play_out(Candidate& candidate, const Position& whole, const Deck& deck, Random random) {
        Position position = whole;
        position.play(candidate.move);
        for (;;) {
            if (position.phase == Phase::DRAW) deck.draw(position);
            if (position.over()) break;
            position.play(greedy_move(position, random));
        }
        add_result(candidate, Ending(position.standings(), position.players));
        ++nodes_;
    }

    void add_result(Candidate& candidate, const Ending& ending) {
        const double share = ending.share[seat_], margin = ending.margin[seat_];
        const double part = settings_.for_winning;
        candidate.share += share;
        candidate.margin += margin;
        candidate.reward += part * share + (1 - part) * (0.5 + 0.5 * std::tanh(margin / 4));
        ++candidate.visits;
    }

    // Mean reward, with the static prior weighted as `prior_weight` games.
    double estimate(const Candidate& candidate) const {
        const double games = static_cast<double>(candidate.visits);
        return (candidate.reward + settings_.prior_weight * candidate.prior) /
               (games + settings_.prior_weight);
    }

    void rank(std::size_t left) {
        std::stable_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(left),
                         [&](const Candidate& a, const Candidate& b) {
                             return estimate(a) > estimate(b);
                         });
    }

    const Position& seen_;
    int seat_;
    std::uint64_t seed_;
    Limit limit_;
    Settings settings_;
    std::vector<Candidate> candidates_;
    std::uint64_t nodes_ = 0;
    std::uint64_t samples_ = 0;
};

}  // namespace tuilerie::blockers
