// Search of the strong bots: flat Monte Carlo over determinized positions.
//
// Each sample deals the hidden tiles; each candidate is then played out with greedy policies, which
// maximize the worth of their markers and swap whenever they may. All candidates share the same deals
// and order of the bag (common random numbers), which reduces variance; the worse half is dropped after
// each round (sequential halving). If only few placements are left, each deal is solved exactly.
#pragma once

#include <chrono>

#include "genial_sample.h"
#include "genial_score.h"

namespace tuilerie::genial {

struct Limits {
    std::uint64_t nodes = 0;  // simulated games; 0: no limit
    double seconds = 0;       // of a steady clock; 0: no limit
    int candidates = 24;      // number of moves to simulate
    int handful = 0;          // size of a random subset of moves to consider; 0: all
};

struct Candidate {
    Move move;
    float gain = 0;  // by the value of the own markers right after the move
    std::uint32_t visits = 0;
    double reward = 0, win = 0, margin = 0;  // sums over all visits

    double mean(double sum) const { return visits ? sum / visits : 0; }
};

// --- reward --------------------------------------------------------------------------------------

// The outcome of a game for one seat.
struct Outcome {
    double win;     // win share; in solo games the lowest marker as a fraction of 36
    double margin;  // weighted difference of the sorted markers to the best rival, in steps
};

// The lowest marker decides, so it has the largest weight; the others indicate what may decide later.
inline constexpr std::array<double, COLOURS> MARKER_WEIGHTS{1.0, 0.5, 0.25, 0.12, 0.06, 0.03};

inline double weighted_markers(const RankKey& key) {
    double sum = 0;
    for (int at = 0; at < COLOURS; ++at) sum += MARKER_WEIGHTS[at] * key[at + 1];
    return sum + 3.0 * key[0];  // in a duel, colours won come first
}

template <int RADIUS>
Outcome outcome_for(const Position<RADIUS>& position, int seat) {
    const int mine = position.track_of(seat);
    const RankKey own = rank_key(position.variant, position.tracks[mine]);
    if (position.variant == Variant::SOLO) return {own[1] / 36.0, weighted_markers(own) - 36};
    RankKey best{};
    best.fill(-100);
    int equals = 1;
    for (int track = 0; track < position.track_count(); ++track) {
        if (track == mine) continue;
        const RankKey other = rank_key(position.variant, position.tracks[track]);
        equals += other == own;
        best = std::max(best, other);
    }
    const double win = best > own ? 0.0 : 1.0 / equals;
    return {win, weighted_markers(own) - weighted_markers(best)};
}

// Half of the reward is the win, half a squashed margin, which separates moves even while the win is
// certain.
inline double reward_of(const Outcome& outcome) {
    return 0.5 * outcome.win + 0.5 / (1 + std::exp(-outcome.margin / 4));
}

// --- endgame -------------------------------------------------------------------------------------

// Exact search with perfect information: each seat maximizes its own result (max^n).
template <int RADIUS>
class EndgameSolver {
public:
    using Outcomes = std::array<Outcome, MOST_PLAYERS>;

    explicit EndgameSolver(Position<RADIUS>& position) : position_(position) {}

    // Upper bound on the number of tiles that still fit.
    static int placements_left(const Position<RADIUS>& position) {
        return (position.free & Hexagon<RADIUS>::beside(position.free)).count() / 2;
    }

    // Upper bound on the lines of play: every tile in both orientations on every pair.
    static double size_of(const Position<RADIUS>& position) {
        const int pairs = position.allowed_pairs().count();
        double size = 1;
        for (int laid = 0; laid < placements_left(position); ++laid)
            size *= 2.0 * HAND_SIZE * std::max(1, pairs - laid);
        return size;
    }

    Outcomes solve() {
        if (position_.phase == Phase::OVER) return outcomes();
        if (position_.phase == Phase::DRAW) return after_draw();
        Outcomes best{};
        double most = -1;
        const int seat = position_.seat;
        each_move(Position<RADIUS>(position_), [&](const Move& move) {
            const Outcomes found = after(move);
            if (reward_of(found[seat]) <= most) return;
            most = reward_of(found[seat]);
            best = found;
        });
        return best;
    }

    Outcomes after(const Move& move) {
        Outcomes found;
        if (move.kind == Move::PLACE) {
            const auto undo = position_.place(move);
            found = solve();
            position_.take_back(move, undo);
        } else {
            move.kind == Move::SWAP ? position_.swap() : position_.keep();
            found = solve();
            position_.take_back_choice();
        }
        return found;
    }

private:
    Outcomes after_draw() {
        const int who = position_.drawing_seat();
        const Hand returned = position_.aside, hand = position_.hands[who];
        const auto bag = position_.bag;
        const int drawn = position_.draw([](int n) { return n - 1; });
        const Outcomes found = solve();
        position_.take_back_draw(who, drawn, Phase::DRAW, returned);
        position_.bag = bag;
        position_.hands[who] = hand;
        return found;
    }

    Outcomes outcomes() const {
        Outcomes found{};
        for (int seat = 0; seat < position_.players; ++seat)
            found[seat] = outcome_for(position_, seat);
        return found;
    }

    Position<RADIUS>& position_;
};

// --- search --------------------------------------------------------------------------------------

template <int RADIUS>
class Search {
public:
    Search(const Seen<RADIUS>& seen, std::uint64_t seed, const Limits& limits)
        : seen_(seen), root_(seen.position), seat_(root_.seat), seed_(seed), limits_(limits),
          gains_(root_.variant, BONUS), scores_(root_), resampler_(seen), begin_(Clock::now()) {}

    // The candidates, best first.
    std::vector<Candidate> run() {
        list_candidates();
        if (all_.size() > 1 && (limits_.nodes || limits_.seconds > 0)) halve();
        std::stable_sort(all_.begin(), all_.begin() + alive_, better);
        return all_;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr double BONUS = 3.0;  // value of a bonus placement next to the markers
    static constexpr double SOLVABLE = 20'000;  // lines of play

    static bool better(const Candidate& one, const Candidate& other) {
        return one.mean(one.reward) > other.mean(other.reward);
    }

    void list_candidates() {
        const Track& track = root_.tracks[root_.track_of(seat_)];
        each_move(root_, [&](const Move& move) {
            Candidate candidate;
            candidate.move = move;
            if (move.kind == Move::PLACE) candidate.gain = gain_of(scores_, gains_, track, move);
            all_.push_back(candidate);
        });
        Random random(seed_);
        if (limits_.handful && static_cast<std::size_t>(limits_.handful) < all_.size())
            sample_moves(random);
        // Shuffle first: ties would otherwise always favour the same corner of the board.
        for (std::size_t left = all_.size(); left > 1; --left)
            std::swap(all_[left - 1], all_[random.below(static_cast<unsigned>(left))]);
        std::stable_sort(all_.begin(), all_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
        solving_ = root_.phase == Phase::PLACE && EndgameSolver<RADIUS>::size_of(root_) < SOLVABLE;
        const auto most = static_cast<std::size_t>(std::max(1, limits_.candidates));
        if (all_.size() > most && !solving_) all_.resize(most);
        alive_ = static_cast<std::ptrdiff_t>(all_.size());
    }

    void sample_moves(Random& random) {
        const auto count = static_cast<std::size_t>(limits_.handful);
        for (std::size_t at = 0; at < count; ++at)
            std::swap(all_[at], all_[at + random.below(static_cast<unsigned>(all_.size() - at))]);
        all_.resize(count);
    }

    // Sequential halving: each round has the same share of the budget. For the last tile one deal
    // is enough, as hidden tiles no longer matter.
    void halve() {
        if (solving_ && EndgameSolver<RADIUS>::placements_left(root_) == 1) return sample();
        const int rounds = std::max(1, static_cast<int>(std::bit_width(all_.size() - 1)));
        for (int round = 1; round <= rounds; ++round) {
            const auto until = limits_.nodes * static_cast<unsigned>(round) / static_cast<unsigned>(rounds);
            do sample();
            while (!is_spent(until, round, rounds));
            std::stable_sort(all_.begin(), all_.begin() + alive_, better);
            if (alive_ > 1 && round < rounds) alive_ = (alive_ + 1) / 2;
        }
    }

    bool is_spent(std::uint64_t until, int round, int rounds) const {
        if (limits_.nodes && nodes_ + static_cast<std::uint64_t>(alive_) > until) return true;
        if (limits_.seconds <= 0) return false;
        const std::chrono::duration<double> passed = Clock::now() - begin_;
        return passed.count() >= limits_.seconds * round / rounds;
    }

    // One determinization, for all remaining candidates.
    void sample() {
        const std::uint64_t seed = seed_ + 0x9e3779b97f4a7c15ULL * ++samples_;
        Random random(seed);
        const Position<RADIUS> dealt = resampler_.deal(random);
        for (std::ptrdiff_t at = 0; at < alive_; ++at) {
            Candidate& candidate = all_[static_cast<std::size_t>(at)];
            ++nodes_;
            ++candidate.visits;
            if (solving_) {
                solve(dealt, candidate);
            } else {
                play_out(dealt, candidate, Random(seed));
            }
        }
    }

    void play_out(Position<RADIUS> position, Candidate& candidate, Random random) {
        Scores<RADIUS> scores = scores_;
        if (candidate.move.kind == Move::PLACE) {
            position.place(candidate.move);
            scores.laid(position, candidate.move);
        } else {
            candidate.move.kind == Move::SWAP ? position.swap() : position.keep();
        }
        while (position.phase != Phase::OVER) greedy_step(position, scores, gains_, random);
        count(candidate, outcome_for(position, seat_));
    }

    void solve(Position<RADIUS> position, Candidate& candidate) {
        count(candidate, EndgameSolver<RADIUS>(position).after(candidate.move)[static_cast<std::size_t>(seat_)]);
    }

    void count(Candidate& candidate, const Outcome& outcome) {
        candidate.reward += reward_of(outcome);
        candidate.win += outcome.win;
        candidate.margin += outcome.margin;
    }

    const Seen<RADIUS>& seen_;
    const Position<RADIUS>& root_;
    const int seat_;
    const std::uint64_t seed_;
    const Limits limits_;
    const Gains gains_;
    const Scores<RADIUS> scores_;
    const Resampler<RADIUS> resampler_;
    const Clock::time_point begin_;
    std::vector<Candidate> all_;
    std::ptrdiff_t alive_ = 0;  // candidates not dropped yet, at the front
    bool solving_ = false;
    std::uint64_t nodes_ = 0, samples_ = 0;
};

}  // namespace tuilerie::genial
