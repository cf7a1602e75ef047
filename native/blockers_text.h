// Positions, moves and chance entries as text, between Python and the core.
//
// A position is one line of thirteen words:
//   colours scoring first number phase seat drawing last board racks captures discards shown
// as in 'b,y,g blockers 0 17 play 1 - C7 …': tiles without a space between them ('b7bC'), '-' for
// nothing, a comma between seats, '.' for an empty cell. 'b?' on a rack is a tile that the writer does
// not know. All other tiles are in the piles.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "blockers.h"
#include "excerpt.h"
#include "refusal.h"

namespace tuilerie::blockers {

inline constexpr std::string_view COLOUR_LETTERS = "bygrk";
inline constexpr std::string_view ROW_LETTERS = "ABCDEFGHI";
inline constexpr std::array<std::string_view, 4> PHASE_WORDS = {"deal", "play", "draw", "over"};

[[noreturn]] inline void refuse(std::string_view where, std::string_view found,
                                std::string_view expected) {
    refuse_input(std::string(where) + ": found '" + excerpt(found) + "', expected " +
                 std::string(expected));
}

// --- tiles, cells, moves ---

inline std::string text_of(Tile tile) {
    const int face = face_of(tile);
    const std::string colour(1, COLOUR_LETTERS[colour_of(tile)]);
    if (face < 9) return colour + static_cast<char>('1' + face);
    if (face < 18) return colour + ROW_LETTERS[face - 9];
    if (face < JOKER) return colour + '#' + static_cast<char>('1' + face - 18);
    return colour + '*';
}

inline std::string cell_text(int cell) {
    return {ROW_LETTERS[row_of(cell)], static_cast<char>('1' + column_of(cell))};
}

inline std::string text_of(const Position& position, Move move) {
    if (move.discards()) return "discard " + text_of(move.tile);
    const char* sign = position.board[move.cell] == NO_TILE ? "-" : "x";
    return text_of(move.tile) + sign + cell_text(move.cell);
}

// Reads a text from its beginning, tile by tile.
class Reader {
public:
    Reader(std::string_view where, std::string_view text) : where_(where), text_(text) {}

    bool done() const { return at_ == text_.size(); }
    char next() { return done() ? '\0' : text_[at_++]; }
    bool skip(char sign) {
        if (done() || text_[at_] != sign) return false;
        ++at_;
        return true;
    }
    [[noreturn]] void fail(std::string_view expected) const { refuse(where_, text_, expected); }

    int colour() {
        const char letter = next();
        const auto found = letter == '\0' ? std::string_view::npos : COLOUR_LETTERS.find(letter);
        if (found == std::string_view::npos) fail("tiles that begin with one of b, y, g, r, k");
        return static_cast<int>(found);
    }

    Tile tile() {
        const int of = colour();
        return tile_of(of, face());
    }

    int face() {
        const char sign = next();
        if (sign == '*') return JOKER;
        if (sign == '#') return 18 + digit();
        if (sign >= 'A' && sign <= 'I') return 9 + (sign - 'A');
        if (sign >= '1' && sign <= '9') return sign - '1';
        fail("tiles such as b7, bC, b#4, b*");
    }

    int cell() {
        const char row = next();
        if (row < 'A' || row > 'I') fail("a cell, A1 to I9");
        return cell_at(row - 'A', digit());
    }

private:
    int digit() {
        const char sign = next();
        if (sign < '1' || sign > '9') fail("a digit from 1 to 9 there");
        return sign - '1';
    }

    std::string_view where_;
    std::string_view text_;
    std::size_t at_ = 0;
};

// Parses a move; rejects it if it is not legal in the position.
inline Move parse_move(const Position& position, std::string_view text) {
    for (const Move move : position.legal()) {
        if (text_of(position, move) == text) return move;
    }
    refuse("move", text, "a legal move such as 'b7-C7', 'b7xC7' or 'discard b7'");
}

// --- writing ---

inline std::string tiles_text(int colour, std::uint32_t faces) {
    std::string text;
    for (; faces != 0; faces &= faces - 1) text += text_of(tile_of(colour, std::countr_zero(faces)));
    return text;
}

template <class Tiles>
std::string tiles_text(const Tiles& tiles) {
    std::string text;
    for (const Tile tile : tiles) text += text_of(tile);
    return text.empty() ? "-" : text;
}

// One word per seat, joined by commas.
template <class What>
std::string by_seat(const Position& position, What what) {
    std::string text;
    for (int seat = 0; seat < position.players; ++seat) {
        const std::string one = what(seat);
        text += (seat == 0 ? "" : ",") + (one.empty() ? std::string("-") : one);
    }
    return text;
}

inline std::string held_text(const Position& position, int seat,
                             const std::array<std::uint32_t, COLOURS>& faces, bool unknown) {
    std::string text;
    for (int colour = 0; colour < COLOURS; ++colour) {
        if (position.owner[colour] != seat) continue;
        text += tiles_text(colour, faces[colour]);
        for (int i = 0; unknown && i < position.hidden[colour]; ++i) {
            text += {COLOUR_LETTERS[colour], '?'};
        }
    }
    return text;
}

inline std::string text_of(const Position& position) {
    std::string text = by_seat(position, [&](int seat) {
        std::string own;
        for (const int colour : position.colours[seat]) {
            if (colour >= 0) own += COLOUR_LETTERS[colour];
        }
        return own;
    });
    text += position.uptown ? " uptown " : " blockers ";
    text += std::to_string(position.first) + ' ' + std::to_string(position.number) + ' ';
    text += PHASE_WORDS[static_cast<int>(position.phase)];
    text += ' ' + std::to_string(position.seat) + ' ';
    text += position.drawing < 0 ? '-' : COLOUR_LETTERS[position.drawing];
    text += ' ' + (position.last < 0 ? "-" : cell_text(position.last)) + ' ';
    for (int cell = 0; cell < CELL_NUMBERS; ++cell) {
        if (!BOARD.has(cell)) continue;
        text += position.board[cell] == NO_TILE ? "." : text_of(position.board[cell]);
    }
    text += ' ' + by_seat(position, [&](int s) { return held_text(position, s, position.rack, true); });
    text += ' ' + by_seat(position, [&](int s) { return tiles_text(position.captures[s]); });
    text += ' ' + tiles_text(position.discards);
    text += ' ' + by_seat(position, [&](int s) { return held_text(position, s, position.shown, false); });
    return text;
}

}  // namespace tuilerie::blockers
