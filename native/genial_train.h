// Trains the network of Génial! by self-play: temporal differences over what each seat leaves behind.
//
// A game gives every seat a chain of states, each right after one of its moves. The target of a state is
// the TD(λ) return along its chain: a mixture of the values of all later states and the result. Where a
// seat explored, the chain is cut: the target is then the value of the move that it would have made.
// Everything is deterministic for a seed; one thread.
#pragma once

#include <memory>

#include "genial_ply.h"
#include "genial_sample.h"

namespace tuilerie::genial {

struct Recipe {
    std::uint64_t seed = 1;
    std::uint64_t games = 200'000;
    int players = 2;
    int listed = 24;                 // moves that the network values, the best by a quick estimate
    double explored = 0.1;           // share of moves chosen by chance, better ones more often
    float temperature = 0.02F;
    float lambda = 0.7F;
    float early_lambda = 0.95F;      // while the network knows nothing yet
    std::uint64_t early_games = 4'000;
    int batch = 256;
    std::uint64_t memory = 320'000;  // states to learn from, the oldest are forgotten
    double replays = 4;              // how often a state is learnt from
    double first_rate = 1e-3, last_rate = 1e-4;

    // For a network that has learnt something already: more moves, smaller steps.
    void go_on() {
        listed = 40;
        first_rate = 5e-4;
        last_rate = 5e-5;
    }
};

// --- learning ------------------------------------------------------------------------------------

// A state and its target. Inputs are kept as whole numbers to save memory.
struct Sample {
    static constexpr float UNIT = 2048;
    std::int16_t inputs[INPUTS];
    Value target;

    void keep(const float* from) {
        for (int at = 0; at < INPUTS; ++at) {
            const float scaled = from[at] * UNIT;
            inputs[at] = static_cast<std::int16_t>(scaled + (scaled < 0 ? -0.5F : 0.5F));
        }
    }
};

// Adam on the cross entropy of both heads. The averaged weights play.
class Learner {
public:
    explicit Learner(Random& random) {
        const auto fill = [&](float* numbers, int count, int inputs) {
            const float scale = std::sqrt(2.0F / static_cast<float>(inputs));
            for (int at = 0; at < count; ++at) {
                double sum = -6;  // of twelve uniform numbers: nearly normal
                for (int term = 0; term < 12; ++term) sum += random.unit();
                numbers[at] = scale * static_cast<float>(sum);
            }
        };
        fill(&net_.first[0][0], INPUTS * WIDE, INPUTS / 4);  // most inputs are small
        fill(&net_.second[0][0], WIDE * NARROW, WIDE);
        fill(&net_.third[0][0], NARROW * HEADS, 8 * NARROW);
        average_ = net_;
    }

    const Net& net() const { return average_; }

    // Goes on from a network for so many players. It has not learnt anything of further rivals.
    void begin_with(const Net& net, int players) {
        net_ = net;
        const int known = INPUTS - (MOST_PLAYERS - players) * OF_RIVAL;
        std::memset(net_.first[known], 0, static_cast<std::size_t>(INPUTS - known) * sizeof net_.first[0]);
        average_ = net_;
    }

    void begin() { std::memset(&slope_, 0, sizeof slope_); }

    void add(const Sample& sample) {
        alignas(32) float wide[WIDE], narrow[NARROW], inputs[INPUTS];
        std::memcpy(wide, net_.first_bias, sizeof wide);
        for (int at = 0; at < INPUTS; ++at) {
            inputs[at] = static_cast<float>(sample.inputs[at]) / Sample::UNIT;
            if (inputs[at] != 0) add_scaled<WIDE / 8>(lanes(wide), net_.first[at], inputs[at]);
        }
        std::memcpy(narrow, net_.second_bias, sizeof narrow);
        for (int at = 0; at < WIDE; ++at)
            if (wide[at] > 0) add_scaled<NARROW / 8>(lanes(narrow), net_.second[at], wide[at]);
        float out[HEADS] = {net_.third_bias[0], net_.third_bias[1]};
        for (int at = 0; at < NARROW; ++at)
            for (int head = 0; narrow[at] > 0 && head < HEADS; ++head)
                out[head] += narrow[at] * net_.third[at][head];
        const float error[HEADS] = {logistic(out[0]) - sample.target.win,
                                    logistic(out[1]) - sample.target.margin};
        learn(inputs, wide, narrow, error);
    }

    void step(int count, float rate) {
        ++steps_;
        const float scale = 1.0F / static_cast<float>(count);
        fade1_ *= BETA1;
        fade2_ *= BETA2;
        const float by = rate / (1 - fade1_), root = 1 / (1 - fade2_);
        const float keep = std::min(0.9995F, static_cast<float>(1 + steps_) / static_cast<float>(10 + steps_));
        float *numbers = net_.numbers(), *mean = mean_.numbers(), *square = square_.numbers();
        float *average = average_.numbers(), *slope = slope_.numbers();
        for (int at = 0; at < Net::COUNT; ++at) {
            const float here = slope[at] * scale;
            mean[at] = BETA1 * mean[at] + (1 - BETA1) * here;
            square[at] = BETA2 * square[at] + (1 - BETA2) * here * here;
            numbers[at] -= by * mean[at] / (std::sqrt(square[at] * root) + 1e-8F);
            average[at] = keep * average[at] + (1 - keep) * numbers[at];
        }
    }

private:
    static constexpr float BETA1 = 0.9F, BETA2 = 0.999F;

    static Lanes* lanes(float* numbers) { return reinterpret_cast<Lanes*>(numbers); }

    void learn(const float* inputs, const float* wide, const float* narrow, const float* error) {
        alignas(32) float to_narrow[NARROW], to_wide[WIDE]{};
        for (int head = 0; head < HEADS; ++head) slope_.third_bias[head] += error[head];
        for (int at = 0; at < NARROW; ++at) {
            to_narrow[at] = 0;
            if (narrow[at] <= 0) continue;
            for (int head = 0; head < HEADS; ++head) {
                to_narrow[at] += error[head] * net_.third[at][head];
                slope_.third[at][head] += error[head] * narrow[at];
            }
        }
        add_scaled<NARROW / 8>(lanes(slope_.second_bias), to_narrow, 1);
        for (int at = 0; at < WIDE; ++at) {
            if (wide[at] <= 0) continue;
            to_wide[at] = product_of<NARROW / 8>(net_.second[at], to_narrow);
            add_scaled<NARROW / 8>(lanes(slope_.second[at]), to_narrow, wide[at]);
        }
        add_scaled<WIDE / 8>(lanes(slope_.first_bias), to_wide, 1);
        for (int at = 0; at < INPUTS; ++at)
            if (inputs[at] != 0) add_scaled<WIDE / 8>(lanes(slope_.first[at]), to_wide, inputs[at]);
    }

    Net net_{}, average_{}, mean_{}, square_{}, slope_{};
    std::uint64_t steps_ = 0;
    float fade1_ = 1, fade2_ = 1;
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
                    ply.list(moves, recipe_.listed, Estimate::ROUGH);
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
        const std::uint64_t kept = memory_.size();
        for (const std::uint64_t number : {games_, states_, next_, kept}) write(&number, sizeof number);
        write(&random_, sizeof random_);
        write(&learner_, sizeof learner_);
        write(&due_, sizeof due_);
        write(memory_.data(), kept * sizeof(Sample));
    }

    template <typename Read>
    bool load(Read read) {
        std::uint64_t kept = 0;
        bool good = true;
        for (std::uint64_t* number : {&games_, &states_, &next_, &kept})
            good = good && read(number, sizeof *number);
        good = good && kept <= recipe_.memory && read(&random_, sizeof random_);
        good = good && read(&learner_, sizeof learner_) && read(&due_, sizeof due_);
        if (good) memory_.resize(kept);
        return good && read(memory_.data(), kept * sizeof(Sample));
    }

private:
    struct Step {
        Sample sample;
        Value value, best;
        bool explored;
    };

    Move choose(const Position<RADIUS>& position, const Scores<RADIUS>& scores, std::vector<Step>& chain) {
        Ply<RADIUS> ply(position, scores, net());
        ply.list(list_, recipe_.listed, Estimate::ROUGH);
        values_.clear();
        std::size_t best = 0;
        for (const Move& move : list_.moves) {
            values_.push_back(ply.value(move));
            if (values_.back().reward() > values_[best].reward()) best = values_.size() - 1;
        }
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
        if (memory_.size() < recipe_.memory) {
            memory_.push_back(sample);
        } else {
            memory_[next_] = sample;
        }
        next_ = (next_ + 1) % recipe_.memory;
    }

    void learn() {
        const double passed = static_cast<double>(games_) / static_cast<double>(recipe_.games);
        const double rate = recipe_.first_rate * std::pow(recipe_.last_rate / recipe_.first_rate, passed);
        for (; due_ >= 1; due_ -= 1) {
            learner_.begin();
            for (int at = 0; at < recipe_.batch; ++at)
                learner_.add(memory_[random_.below(static_cast<unsigned>(memory_.size()))]);
            learner_.step(recipe_.batch, static_cast<float>(rate));
        }
    }

    const Recipe recipe_;
    Random random_;
    Learner learner_;
    std::vector<Sample> memory_;
    std::uint64_t games_ = 0, states_ = 0, next_ = 0;
    double due_ = 0;  // batches
    bool knows_something_ = false;
    MoveList list_;
    std::vector<Value> values_;
    std::vector<float> weights_;
};

}  // namespace tuilerie::genial
