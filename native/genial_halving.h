// Sequential halving: samples are shared by all candidates, and the worse half is dropped after each round.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

#include "genial.h"

namespace tuilerie::genial {

struct Candidate {
    Move move;
    float gain = 0;  // by the value of the own markers right after the move
    std::uint32_t visits = 0;
    double reward = 0, win = 0, margin = 0;  // sums over all visits

    double mean(double sum) const { return visits ? sum / visits : 0; }
};

// Sorts the first candidates, best first.
inline void rank(std::vector<Candidate>& all, std::size_t count) {
    std::stable_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const Candidate& one, const Candidate& other) {
                         return one.mean(one.reward) > other.mean(other.reward);
                     });
}

// The budget of a search: its clock starts when it is made. Without a limit there is no search.
class Halving {
public:
    Halving(std::uint64_t nodes, double seconds)
        : nodes_(nodes), seconds_(seconds), begin_(Clock::now()) {}

    bool has_budget() const { return nodes_ || seconds_ > 0; }

    // `sample(count)` simulates the first `count` candidates once each. Every round has the same share
    // of the budget, and at least one sample, however slow the machine is. Leaves the best ones in order.
    template <typename Sample>
    void run(std::vector<Candidate>& all, Sample sample) {
        const int rounds = std::max(1, static_cast<int>(std::bit_width(all.size() - 1)));
        std::size_t alive = all.size();
        for (int round = 1; round <= rounds; ++round) {
            do {
                sample(alive);
                spent_ += alive;
            } while (!is_spent(alive, round, rounds));
            rank(all, alive);
            alive = (alive + 1) / 2;
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    // Whether one more sample would be too much for the rounds so far.
    bool is_spent(std::size_t alive, int round, int rounds) const {
        const auto until = nodes_ * static_cast<unsigned>(round) / static_cast<unsigned>(rounds);
        if (nodes_ && spent_ + alive > until) return true;
        if (seconds_ <= 0) return false;
        const std::chrono::duration<double> passed = Clock::now() - begin_;
        return passed.count() >= seconds_ * round / rounds;
    }

    const std::uint64_t nodes_;
    const double seconds_;
    const Clock::time_point begin_;
    std::uint64_t spent_ = 0;  // nodes
};

}  // namespace tuilerie::genial
