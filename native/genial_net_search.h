// Search with the network: candidates ranked by it over all moves, then compared in simulated games.
//
// Each sample deals the hidden tiles. Each candidate is made, and every seat goes on with its best move by
// the network, for its own sake; after some turns, the value of the own best move stands for the rest of
// the game. All candidates share the same deals, and the worse half is dropped after each round
// (sequential halving). The hidden tiles of a deal are never treated as seen: seats move by their own
// knowledge only. The last tile alone is solved.
#pragma once

#include "genial_endgame.h"
#include "genial_halving.h"
#include "genial_ply.h"
#include "genial_sample.h"

namespace tuilerie::genial {

struct NetLimits {
    std::uint64_t nodes = 0;  // simulated lines of play; 0: no limit
    double seconds = 0;       // of a steady clock; 0: no limit
    int candidates = 8;       // number of moves to simulate
    int handful = 0;          // size of a random subset of moves to consider; 0: all
    int rounds = 1;           // own turns to simulate after the first
};

// So many simulations does the network's own value of a move count.
inline constexpr std::uint32_t NET_PRIOR = 2;

// A margin in steps, to a hundredth: the network knows it only squashed. The inverse of the logistic
// function is sought, as logarithms differ between machines.
inline double margin_of(double squashed) {
    int low = -3000, high = 3000;  // hundredths
    while (low < high) {
        const int middle = (low + high + 6000) / 2 - 3000;
        if (static_cast<double>(logistic(static_cast<float>(middle) / 400)) < squashed) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low / 100.0;
}

template <int RADIUS>
class NetSearch {
public:
    NetSearch(const Seen<RADIUS>& seen, const Net& net, std::uint64_t seed, const NetLimits& limits)
        : seen_(seen), root_(seen.position), net_(net), seat_(root_.seat), seed_(seed), limits_(limits),
          scores_(root_), resampler_(seen), halving_(limits.nodes, limits.seconds) {}

    // The candidates, best first. Without a budget, by the network alone.
    std::vector<Candidate> run() {
        list_candidates();
        // After the last tile there is nothing to simulate: its value is exact already.
        if (all_.size() > 1 && !last_ && halving_.has_budget())
            halving_.run(all_, [this](std::size_t count) { sample(count); });
        return all_;
    }

private:
    // Where time is short, the network values so many moves, the best by the quick estimate.
    static constexpr int LISTED_IN_HASTE = 100;
    static constexpr std::uint64_t FEW_LINES = 50;
    static constexpr int LISTED = 12;     // moves that the network values in simulated turns
    static constexpr int PLAYED_OUT = 4;  // with so few placements left, simulations go on to the end

    void list_candidates() {
        Ply<RADIUS> ply(root_, scores_, net_);
        const bool all = limits_.handful || limits_.candidates > LISTED_IN_HASTE ||
                         (halving_.has_budget() && (!limits_.nodes || limits_.nodes > FEW_LINES));
        ply.list(list_, all ? 0 : LISTED_IN_HASTE);
        Random random(seed_);
        std::vector<Move>& moves = list_.moves;
        // Shuffled, so that equal moves do not always favour the same corner of the board.
        for (std::size_t left = moves.size(); left > 1; --left)
            std::swap(moves[left - 1], moves[random.below(static_cast<unsigned>(left))]);
        if (limits_.handful && static_cast<std::size_t>(limits_.handful) < moves.size())
            moves.resize(static_cast<std::size_t>(limits_.handful));
        for (const Move& move : moves) {
            Candidate candidate;
            candidate.move = move;
            add(candidate, ply.value(move), NET_PRIOR);
            all_.push_back(candidate);
        }
        play_out_ = EndgameSolver<RADIUS>::placements_left(root_) <= PLAYED_OUT;
        last_ = play_out_ && std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
                    return ply.ends(move);
                });
        rank(all_, all_.size());
        const auto most = static_cast<std::size_t>(std::max(1, limits_.candidates));
        if (all_.size() > most && !last_) all_.resize(most);
    }

    // One deal, for the first candidates.
    void sample(std::size_t count) {
        const std::uint64_t seed = seed_ + 0x9e3779b97f4a7c15ULL * ++samples_;
        Random random(seed);
        const Position<RADIUS> dealt = resampler_.deal(random);
        for (std::size_t at = 0; at < count; ++at)
            add(all_[at], simulate(dealt, all_[at].move, Random(seed)), 1);
    }

    Value simulate(Position<RADIUS> position, const Move& move, Random random) {
        Scores<RADIUS> scores = scores_;
        make_move(position, scores, move);
        for (int turns = 0; position.phase != Phase::OVER;) {
            if (position.phase == Phase::DRAW) {
                draw_from_end(position, random);
                turns += position.seat == seat_;
                continue;
            }
            Ply<RADIUS> ply(position, scores, net_);
            ply.list(list_, LISTED);
            const Valued chosen = ply.best(list_);
            if (turns == limits_.rounds && !play_out_) return chosen.value;
            make_move(position, scores, chosen.move);
        }
        return value_of(outcome_for(position, seat_));
    }

    static void add(Candidate& candidate, const Value& value, std::uint32_t times) {
        candidate.visits += times;
        candidate.reward += times * static_cast<double>(value.reward());
        candidate.win += times * static_cast<double>(value.win);
        candidate.margin += times * static_cast<double>(value.margin);
    }

    const Seen<RADIUS>& seen_;
    const Position<RADIUS>& root_;
    const Net& net_;
    const int seat_;
    const std::uint64_t seed_;
    const NetLimits limits_;
    const Scores<RADIUS> scores_;
    const Resampler<RADIUS> resampler_;
    Halving halving_;
    MoveList list_;
    std::vector<Candidate> all_;
    bool play_out_ = false, last_ = false;
    std::uint64_t samples_ = 0;
};

}  // namespace tuilerie::genial
