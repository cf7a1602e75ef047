// Search of the strong bots: flat Monte Carlo over determinized positions.
//
// Each sample deals the hidden tiles; each candidate is then played out with greedy policies, which
// maximize the worth of their markers and swap whenever they may. All candidates share the same deals
// and order of the bag (common random numbers), which reduces variance; the worse half is dropped after
// each round (sequential halving). If only few placements are left, each deal is solved exactly.
#pragma once

#include "genial_endgame.h"
#include "genial_halving.h"
#include "genial_sample.h"
#include "genial_score.h"

namespace tuilerie::genial {

struct Limits {
    std::uint64_t nodes = 0;  // simulated games; 0: no limit
    double seconds = 0;       // of a steady clock; 0: no limit
    int candidates = 24;      // number of moves to simulate
    int handful = 0;          // size of a random subset of moves to consider; 0: all
};

// --- search --------------------------------------------------------------------------------------

template <int RADIUS>
class Search {
public:
    Search(const Seen<RADIUS>& seen, std::uint64_t seed, const Limits& limits)
        : seen_(seen), root_(seen.position), seat_(root_.seat), seed_(seed), limits_(limits),
          gains_(root_.variant, BONUS), scores_(root_), resampler_(seen),
          halving_(limits.nodes, limits.seconds) {}

    // The candidates, best first.
    std::vector<Candidate> run() {
        list_candidates();
        if (all_.size() > 1 && halving_.has_budget()) simulate();
        return all_;
    }

private:
    static constexpr double BONUS = 3.0;  // value of a bonus placement next to the markers
    static constexpr double SOLVABLE = 20'000;  // lines of play

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
    }

    void sample_moves(Random& random) {
        const auto count = static_cast<std::size_t>(limits_.handful);
        for (std::size_t at = 0; at < count; ++at)
            std::swap(all_[at], all_[at + random.below(static_cast<unsigned>(all_.size() - at))]);
        all_.resize(count);
    }

    // For the last tile one deal is enough, as hidden tiles no longer matter.
    void simulate() {
        if (solving_ && EndgameSolver<RADIUS>::placements_left(root_) == 1) {
            sample(all_.size());
            rank(all_, all_.size());
        } else {
            halving_.run(all_, [this](std::size_t count) { sample(count); });
        }
    }

    // One determinization, for the first candidates.
    void sample(std::size_t count) {
        const std::uint64_t seed = seed_ + 0x9e3779b97f4a7c15ULL * ++samples_;
        Random random(seed);
        const Position<RADIUS> dealt = resampler_.deal(random);
        for (std::size_t at = 0; at < count; ++at) {
            Candidate& candidate = all_[at];
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
        add(candidate, outcome_for(position, seat_));
    }

    void solve(Position<RADIUS> position, Candidate& candidate) {
        add(candidate, EndgameSolver<RADIUS>(position).after(candidate.move)[static_cast<std::size_t>(seat_)]);
    }

    void add(Candidate& candidate, const Outcome& outcome) {
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
    Halving halving_;
    std::vector<Candidate> all_;
    bool solving_ = false;
    std::uint64_t samples_ = 0;
};

}  // namespace tuilerie::genial
