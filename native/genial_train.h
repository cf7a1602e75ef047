// Trains the network of Génial! by self-play: temporal differences over what each seat leaves behind.
//
// A game gives every seat a chain of states, each right after one of its moves. The target of a state is
// the TD(λ) return along its chain: a mixture of the values of all later states and the result. Where a
// seat explored, the chain is cut: the target is then the value of the move that it would have made.
//
// A training that compares also takes some positions, simulates their best moves and a few others over the
// same deals, until the next turn of the seat, and learns how much better one move is than another.
// Everything is deterministic for a seed; one thread.
#pragma once

#include <memory>
#include <numeric>

#include "genial_learner.h"
#include "genial_lines.h"
#include "genial_sample.h"

namespace tuilerie::genial {

struct Recipe {
    std::uint64_t seed = 1;
    std::uint64_t games = 200'000;
    int players = 2;
    int listed = 24;                 // moves that the network values, the best by a quick estimate
    Estimate estimate = Estimate::ROUGH;
    double explored = 0.1;           // share of moves chosen by chance, better ones more often
    float temperature = 0.02F;
    float lambda = 0.7F;
    float early_lambda = 0.95F;      // while the network knows nothing yet
    std::uint64_t early_games = 4'000;
    int batch = 256;
    std::uint64_t memory = 320'000;  // states to learn from, the oldest are forgotten
    double replays = 4;              // how often a state is learnt from
    double first_rate = 1e-3, last_rate = 1e-4;
    double compared = 0;             // share of positions whose moves are compared
    int deals = 2;                   // over which they are simulated
    int compared_at_once = 64;       // positions, with each batch
    std::uint64_t remembered = 8'000;  // positions

    // For a network that has learnt something already: more moves, smaller steps.
    void go_on() {
        listed = 40;
        first_rate = 5e-4;
        last_rate = 5e-5;
    }

    void compare() {
        listed = 60;
        estimate = Estimate::CLOSE;
        replays = 3;
        compared = 0.25;
    }
};

// --- self-play -----------------------------------------------------------------------------------

template <int RADIUS>
void draw_any(Position<RADIUS>& position, Random& random) {
    position.draw([&](int n) { return static_cast<int>(random.below(static_cast<unsigned>(n))); });
}

// A game before its first move: tiles dealt, any seat begins.
template <int RADIUS>
Position<RADIUS> dealt_game(int players, Random& random) {
    Position<RADIUS> position;
    position.players = static_cast<std::uint8_t>(players);
    for (std::uint8_t tile = 0; tile < TILES; ++tile)
        for (int copy = 0; copy < copies_of(tile); ++copy) position.bag[position.bag_count++] = tile;
    position.seat = static_cast<std::uint8_t>(random.below(static_cast<unsigned>(players)));
    while (position.phase == Phase::DEAL) draw_any(position, random);
    return position;
}

template <int RADIUS>
class Trainer {
public:
    explicit Trainer(const Recipe& recipe) : recipe_(recipe), random_(recipe.seed), learner_(random_) {
        memory_.reserve(recipe.memory);
        if (recipe.compared > 0) siblings_.reserve(recipe.remembered);
    }

    std::uint64_t games() const { return games_; }
    std::uint64_t states() const { return states_; }
    const Net& net() const { return learner_.net(); }
    void begin_with(const Net& net, int players) {
        learner_.begin_with(net, players);
        knows_something_ = true;
    }

    // One game of self-play, and what is learnt from it.
    void play() {
        Position<RADIUS> position = dealt_game<RADIUS>(recipe_.players, random_);
        Scores<RADIUS> scores(position);
        std::array<std::vector<Step>, MOST_PLAYERS> chains;
        while (position.phase != Phase::OVER) {
            if (position.phase == Phase::DRAW) {
                draw_any(position, random_);
                continue;
            }
            const int seat = position.seat;
            make_move(position, scores, choose(position, scores, chains[seat]));
        }
        for (int seat = 0; seat < recipe_.players; ++seat)
            look_back(chains[seat], value_of(outcome_for(position, seat)));
        ++games_;
        learn();
    }

    // The share of wins of the network alone against greedy bots in the other seats.
    double against_greedy(int games) const {
        Random random(recipe_.seed + 77);
        const Gains gains(Variant::STANDARD);
        double won = 0;
        MoveList moves;
        for (int game = 0; game < games; ++game) {
            const int mine = game % recipe_.players;
            Position<RADIUS> position = dealt_game<RADIUS>(recipe_.players, random);
            Scores<RADIUS> scores(position);
            while (position.phase != Phase::OVER) {
                if (position.phase == Phase::DRAW) {
                    draw_any(position, random);
                } else if (position.seat == mine) {
                    Ply<RADIUS> ply(position, scores, net());
                    ply.list(moves, recipe_.listed, recipe_.estimate);
                    make_move(position, scores, ply.best(moves).move);
                } else {
                    greedy_step(position, scores, gains, random);
                }
            }
            won += outcome_for(position, mine).win;
        }
        return won / games;
    }

    // --- interruption ---

    // All that a later run needs to go on as if it had never stopped.
    template <typename Write>
    void save(Write write) const {
        const std::uint64_t kept = memory_.size(), compared = siblings_.size();
        for (const std::uint64_t number : {games_, states_, next_, next_siblings_, kept, compared})
            write(&number, sizeof number);
        write(&random_, sizeof random_);
        write(&learner_, sizeof learner_);
        write(&due_, sizeof due_);
        write(memory_.data(), kept * sizeof(Sample));
        write(siblings_.data(), compared * sizeof(Siblings));
    }

    template <typename Read>
    bool load(Read read) {
        std::uint64_t kept = 0, compared = 0;
        bool good = true;
        for (std::uint64_t* number : {&games_, &states_, &next_, &next_siblings_, &kept, &compared})
            good = good && read(number, sizeof *number);
        good = good && kept <= recipe_.memory && compared <= recipe_.remembered;
        good = good && read(&random_, sizeof random_);
        good = good && read(&learner_, sizeof learner_) && read(&due_, sizeof due_);
        if (!good) return false;
        memory_.resize(kept);
        siblings_.resize(compared);
        return read(memory_.data(), kept * sizeof(Sample)) &&
               read(siblings_.data(), compared * sizeof(Siblings));
    }

private:
    struct Step {
        Sample sample;
        Value value, best;
        bool explored;
    };

    Move choose(const Position<RADIUS>& position, const Scores<RADIUS>& scores, std::vector<Step>& chain) {
        Ply<RADIUS> ply(position, scores, net());
        ply.list(list_, recipe_.listed, recipe_.estimate);
        values_.clear();
        std::size_t best = 0;
        for (const Move& move : list_.moves) {
            values_.push_back(ply.value(move));
            if (values_.back().reward() > values_[best].reward()) best = values_.size() - 1;
        }
        if (recipe_.compared > 0 && random_.unit() < recipe_.compared) compare(position, scores, ply);
        std::size_t chosen = best;
        if (random_.unit() < recipe_.explored) chosen = any(values_[best].reward());
        alignas(32) float inputs[PADDED_INPUTS];
        if (!ply.ends(list_.moves[chosen])) {
            ply.value(list_.moves[chosen], inputs);
            Step& step = chain.emplace_back();
            step.sample.keep(inputs);
            step.value = values_[chosen];
            step.best = values_[best];
            step.explored = chosen != best;
        }
        return list_.moves[chosen];
    }

    // Simulates the best listed moves and some others, unless one ends the game.
    void compare(const Position<RADIUS>& position, const Scores<RADIUS>& scores, Ply<RADIUS>& ply) {
        constexpr auto COUNT = static_cast<std::size_t>(Siblings::COUNT), BEST = std::size_t{7};
        if (list_.moves.size() < COUNT) return;
        order_.resize(values_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t one, std::size_t other) {
            return values_[one].reward() > values_[other].reward();
        });
        for (std::size_t at = BEST; at < COUNT; ++at)
            std::swap(order_[at], order_[at + random_.below(static_cast<unsigned>(order_.size() - at))]);
        Siblings found;
        alignas(32) float inputs[PADDED_INPUTS];
        for (std::size_t at = 0; at < COUNT; ++at) {
            const Move& move = list_.moves[order_[at]];
            if (ply.ends(move)) return;
            ply.value(move, inputs);
            found.each[at].keep(inputs);
            found.each[at].target = {};
        }
        Seen<RADIUS> seen{position, {}};
        for (int seat = 0; seat < position.players; ++seat) {
            Hand& hand = seen.position.hands[seat];
            for (int at = 0; seat != position.seat && at < hand.count; ++at) {
                seen.position.bag[seen.position.bag_count++] = hand.tiles[at];
                hand.tiles[at] = UNKNOWN;
            }
        }
        const Resampler<RADIUS> resampler(seen);
        const float share = 1.0F / static_cast<float>(recipe_.deals);
        for (int deal = 0; deal < recipe_.deals; ++deal) {
            const Position<RADIUS> dealt = resampler.deal(random_);
            const Random random(random_.next());
            for (std::size_t at = 0; at < COUNT; ++at) {
                const Value value =
                    play_line(dealt, scores, list_.moves[order_[at]], random, net(), line_list_, 1);
                found.each[at].target.win += share * value.win;
                found.each[at].target.margin += share * value.margin;
            }
        }
        keep(found, siblings_, recipe_.remembered, next_siblings_);
    }

    template <typename What>
    static void keep(const What& what, std::vector<What>& in, std::uint64_t most, std::uint64_t& next) {
        if (in.size() < most) {
            in.push_back(what);
        } else {
            in[next] = what;
        }
        next = (next + 1) % most;
    }

    std::size_t any(float most) {
        weights_.clear();
        float sum = 0;
        for (const Value& value : values_) {
            const float below = (value.reward() - most) / recipe_.temperature;
            sum += below > -30 ? exp_of(below) : 0;
            weights_.push_back(sum);
        }
        const auto at = static_cast<float>(random_.unit()) * sum;
        std::size_t found = 0;
        while (found + 1 < weights_.size() && weights_[found] <= at) ++found;
        return found;
    }

    void look_back(std::vector<Step>& chain, Value target) {
        const bool early = !knows_something_ && games_ < recipe_.early_games;
        const float lambda = early ? recipe_.early_lambda : recipe_.lambda;
        for (std::size_t left = chain.size(); left-- > 0;) {
            Step& step = chain[left];
            step.sample.target = target;
            remember(step.sample);
            target.win = (1 - lambda) * step.value.win + lambda * target.win;
            target.margin = (1 - lambda) * step.value.margin + lambda * target.margin;
            if (step.explored) target = step.best;
        }
    }

    void remember(const Sample& sample) {
        ++states_;
        due_ += recipe_.replays / recipe_.batch;
        keep(sample, memory_, recipe_.memory, next_);
    }

    void learn() {
        const double passed = static_cast<double>(games_) / static_cast<double>(recipe_.games);
        const double rate = recipe_.first_rate * std::pow(recipe_.last_rate / recipe_.first_rate, passed);
        for (; due_ >= 1; due_ -= 1) {
            learner_.begin();
            for (int at = 0; at < recipe_.batch; ++at)
                learner_.add(memory_[random_.below(static_cast<unsigned>(memory_.size()))]);
            for (int at = 0; !siblings_.empty() && at < recipe_.compared_at_once; ++at)
                learner_.add(siblings_[random_.below(static_cast<unsigned>(siblings_.size()))]);
            learner_.step(recipe_.batch, static_cast<float>(rate));
        }
    }

    const Recipe recipe_;
    Random random_;
    Learner learner_;
    std::vector<Sample> memory_;
    std::vector<Siblings> siblings_;
    std::uint64_t games_ = 0, states_ = 0, next_ = 0, next_siblings_ = 0;
    double due_ = 0;  // batches
    bool knows_something_ = false;
    MoveList list_, line_list_;
    std::vector<Value> values_;
    std::vector<std::size_t> order_;
    std::vector<float> weights_;
};

}  // namespace tuilerie::genial
