// To check the core against the Python rules: traces of random games, and perft.
#pragma once

#include <string>
#include <vector>

#include "blockers_playout.h"
#include "blockers_text.h"
#include "checksum.h"

namespace tuilerie::blockers {

inline std::string legal_text(const Position& position) {
    std::string text;
    for (const Move move : position.legal()) text += text_of(position, move) + ' ';
    return text;
}

// An entry, checksums of the legal moves before it and of the position after it, and the scores after
// it.
struct Step {
    std::string entry;
    std::uint32_t legal = 0;
    std::uint32_t after = 0;
    std::vector<int> scores;
};

// Resolves a chance node at random; returns its entry.
inline std::string chance_step(Position& position, Random& random) {
    const auto before = position.rack;
    const bool draws = position.phase == Phase::DRAW;
    if (draws) {
        resolve_chance(position, random);
    } else {
        deal_one(position, random);
    }
    std::string tiles;
    for (int colour = 0; colour < COLOURS; ++colour) {
        tiles += tiles_text(colour, position.rack[colour] & ~before[colour]);
    }
    return (draws ? "draw " : "deal ") + tiles;
}

inline std::vector<Step> random_game(Position position, Random& random) {
    std::vector<Step> steps;
    while (!position.over()) {
        Step step;
        step.legal = crc32(legal_text(position));
        if (position.phase == Phase::PLAY) {
            const Move move = random_move(position, random);
            step.entry = text_of(position, move);
            position.play(move);
        } else {
            step.entry = chance_step(position, random);
        }
        step.after = crc32(text_of(position));
        for (int seat = 0; seat < position.players; ++seat)
            step.scores.push_back(position.standing(seat).score);
        steps.push_back(step);
    }
    return steps;
}

// Perft: the number of leaves at this depth, always drawing the first tile of a pile.
inline std::uint64_t perft(Position& position, int depth) {
    if (depth == 0 || position.over()) return 1;
    const Moves moves = position.legal();
    if (depth == 1) return static_cast<std::uint64_t>(moves.count);
    std::uint64_t ways = 0;
    for (const Move move : moves) {
        Undo undo;
        position.play(move, undo);
        const int colour = position.drawing;
        const int face = colour < 0 ? 0 : std::countr_zero(position.pile[colour]);
        if (colour >= 0) position.draw(face);
        ways += perft(position, depth - 1);
        if (colour >= 0) position.undraw(colour, face);
        position.unplay(move, undo);
    }
    return ways;
}

}  // namespace tuilerie::blockers
