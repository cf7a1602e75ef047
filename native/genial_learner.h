// Learning from states and targets: Adam on the weights of a network.
#pragma once

#include "genial_net.h"
#include "random.h"

namespace tuilerie::genial {

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

// Moves from the same position. How good it is, they share; only their differences are learnt from.
struct Siblings {
    static constexpr int COUNT = 10;
    Sample each[COUNT];
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
        const Pass pass = forward(sample);
        learn(pass, pass.error[0], pass.error[1]);
    }

    void add(const Siblings& siblings) {
        Pass passes[Siblings::COUNT];
        float mean[HEADS]{};
        for (int at = 0; at < Siblings::COUNT; ++at) {
            passes[at] = forward(siblings.each[at]);
            for (int head = 0; head < HEADS; ++head) mean[head] += passes[at].error[head] / Siblings::COUNT;
        }
        for (const Pass& pass : passes)
            learn(pass, DIFFERENCE * (pass.error[0] - mean[0]), DIFFERENCE * (pass.error[1] - mean[1]));
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
    static constexpr float DIFFERENCE = 8;  // differences are small, and exact beside results of games

    static Lanes* lanes(float* numbers) { return reinterpret_cast<Lanes*>(numbers); }

    // A state on its way through the network.
    struct Pass {
        alignas(32) float inputs[INPUTS], wide[WIDE], narrow[NARROW];
        float error[HEADS];
    };

    Pass forward(const Sample& sample) const {
        Pass pass;
        std::memcpy(pass.wide, net_.first_bias, sizeof pass.wide);
        for (int at = 0; at < INPUTS; ++at) {
            pass.inputs[at] = static_cast<float>(sample.inputs[at]) / Sample::UNIT;
            if (pass.inputs[at] != 0) add_scaled<WIDE / 8>(lanes(pass.wide), net_.first[at], pass.inputs[at]);
        }
        std::memcpy(pass.narrow, net_.second_bias, sizeof pass.narrow);
        for (int at = 0; at < WIDE; ++at)
            if (pass.wide[at] > 0) add_scaled<NARROW / 8>(lanes(pass.narrow), net_.second[at], pass.wide[at]);
        float out[HEADS] = {net_.third_bias[0], net_.third_bias[1]};
        for (int at = 0; at < NARROW; ++at)
            for (int head = 0; pass.narrow[at] > 0 && head < HEADS; ++head)
                out[head] += pass.narrow[at] * net_.third[at][head];
        pass.error[0] = logistic(out[0]) - sample.target.win;
        pass.error[1] = logistic(out[1]) - sample.target.margin;
        return pass;
    }

    void learn(const Pass& pass, float win_error, float margin_error) {
        alignas(32) float to_narrow[NARROW], to_wide[WIDE]{};
        const float error[HEADS] = {win_error, margin_error};
        for (int head = 0; head < HEADS; ++head) slope_.third_bias[head] += error[head];
        for (int at = 0; at < NARROW; ++at) {
            to_narrow[at] = 0;
            if (pass.narrow[at] <= 0) continue;
            for (int head = 0; head < HEADS; ++head) {
                to_narrow[at] += error[head] * net_.third[at][head];
                slope_.third[at][head] += error[head] * pass.narrow[at];
            }
        }
        add_scaled<NARROW / 8>(lanes(slope_.second_bias), to_narrow, 1);
        for (int at = 0; at < WIDE; ++at) {
            if (pass.wide[at] <= 0) continue;
            to_wide[at] = product_of<NARROW / 8>(net_.second[at], to_narrow);
            add_scaled<NARROW / 8>(lanes(slope_.second[at]), to_narrow, pass.wide[at]);
        }
        add_scaled<WIDE / 8>(lanes(slope_.first_bias), to_wide, 1);
        for (int at = 0; at < INPUTS; ++at)
            if (pass.inputs[at] != 0) add_scaled<WIDE / 8>(lanes(slope_.first[at]), to_wide, pass.inputs[at]);
    }

    Net net_{}, average_{}, mean_{}, square_{}, slope_{};
    std::uint64_t steps_ = 0;
    float fade1_ = 1, fade2_ = 1;
};

}  // namespace tuilerie::genial
