// Positions and moves of Génial! as text, between the Python rules and the core.
//
// A position is one line of words:
//
//   players variant adjacent phase seat bonus turns last cells tracks hands bag aside returned
//
// `last` is h8-h9 or -; `cells` one character per cell, row by row from the bottom, a dot if free;
// `tracks` 0,1,2,3,4,5/…; `hands` RBRY/…, ?? for a tile that the viewer has not seen; `bag` all tiles
// that the viewer has not seen, those in others' hands included; `aside` as a hand; `returned`
// RBRY:0,3/… for each swap that is remembered (see Returned). Nothing is written as -.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "excerpt.h"
#include "genial.h"
#include "refusal.h"

namespace tuilerie::genial {

inline constexpr std::array<std::string_view, 4> VARIANT_NAMES{"standard", "solo", "teams", "duel"};
inline constexpr std::array<std::string_view, 5> PHASE_NAMES{"deal", "place", "swap", "draw", "over"};

// Tiles that a swap returned to the bag after showing them. A seat can hold them only among the tiles
// that it has drawn since.
struct Returned {
    std::vector<std::uint8_t> tiles;
    std::array<int, MOST_PLAYERS> since{};
};

// A viewer's knowledge: a position, perhaps with unseen tiles, and the remembered swaps.
template <int RADIUS>
struct Seen {
    Position<RADIUS> position;
    std::vector<Returned> returned;
};

// --- reading -------------------------------------------------------------------------------------

[[noreturn]] inline void refuse(const std::string& what, std::string_view found) {
    refuse_input(what + ", not '" + excerpt(found) + "'");
}

inline std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t end; (end = text.find(by)) != text.npos; text.remove_prefix(end + 1))
        parts.push_back(text.substr(0, end));
    parts.push_back(text);
    return parts;
}

inline int read_number(std::string_view text, int least, int most, const char* name) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        refuse(std::string(name) + " must be a number from " + std::to_string(least) + " to " +
                   std::to_string(most),
               text);
    return value;
}

template <std::size_t N>
int read_name(std::string_view text, const std::array<std::string_view, N>& names, const char* what) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) refuse(std::string("unknown ") + what, text);
    return static_cast<int>(found - names.begin());
}

inline int read_colour(char letter) {
    const auto at = std::string_view(LETTERS).find(letter);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

inline int read_tile(std::string_view letters) {
    if (letters == "??") return UNKNOWN;
    if (letters.size() == 2)
        for (int tile = 0; tile < TILES; ++tile)
            if (letters[0] == LETTERS[TILE[tile].first] && letters[1] == LETTERS[TILE[tile].second])
                return tile;
    refuse("a tile must be two letters such as RY or GG", letters);
}

inline std::vector<std::uint8_t> read_tiles(std::string_view text, std::size_t most) {
    std::vector<std::uint8_t> tiles;
    if (text == "-") return tiles;
    if (text.size() % 2 || text.size() / 2 > most) refuse("too many tiles, or half a tile", text);
    for (; !text.empty(); text.remove_prefix(2))
        tiles.push_back(static_cast<std::uint8_t>(read_tile(text.substr(0, 2))));
    return tiles;
}

inline Hand read_hand(std::string_view text) {
    Hand hand;
    for (int tile : read_tiles(text, HAND_SIZE)) hand.add(tile);
    return hand;
}

template <int RADIUS>
int read_cell(std::string_view text) {
    if (text.size() >= 2 && text[0] >= 'a' && text[0] <= 'o') {
        const int row = text[0] - 'a', number = read_number(text.substr(1), 1, 15, "a cell's number");
        if (Hexagon<RADIUS>::covers(row, number)) return Hexagon<RADIUS>::place_of(row, number);
    }
    refuse("a cell must be on the board, such as h8", text);
}

template <int RADIUS>
void read_cells(std::string_view text, Position<RADIUS>& position) {
    using Board = Hexagon<RADIUS>;
    if (text.size() != Board::COUNT)
        refuse("the board must have " + std::to_string(Board::COUNT) + " cells", text);
    int next = 0;
    Board::ALL.each([&](int at) {
        const char sign = text[static_cast<std::size_t>(next++)];
        const int colour = read_colour(sign);
        if (colour < 0 && sign != '.') refuse("a cell must be a colour or a dot", {&sign, 1});
        const bool printed = position.symbol(at) != Position<RADIUS>::FREE;
        if (printed && position.symbol(at) != colour) refuse("a printed symbol is missing", {&sign, 1});
        if (colour < 0 || printed) return;
        position.symbol(at) = static_cast<std::uint8_t>(colour);
        position.free.remove(at);
    });
}

template <int RADIUS>
void read_tracks(std::string_view text, Position<RADIUS>& position) {
    const auto tracks = split(text, '/');
    if (static_cast<int>(tracks.size()) != position.track_count())
        refuse("there must be " + std::to_string(position.track_count()) + " tracks", text);
    const int full = full_of(position.variant);
    const int least = position.variant == Variant::DUEL ? -full : 0;
    for (std::size_t at = 0; at < tracks.size(); ++at) {
        const auto markers = split(tracks[at], ',');
        if (markers.size() != COLOURS) refuse("a track must have six markers", tracks[at]);
        for (std::size_t colour = 0; colour < COLOURS; ++colour)
            position.tracks[at][colour] =
                static_cast<std::int8_t>(read_number(markers[colour], least, full, "a marker"));
    }
    if (position.variant == Variant::DUEL)
        for (int colour = 0; colour < COLOURS; ++colour)
            if (position.tracks[0][colour] != -position.tracks[1][colour])
                refuse("in a duel one track must mirror the other", text);
}

template <int RADIUS>
std::vector<Returned> read_returned(std::string_view text, int players) {
    std::vector<Returned> all;
    if (text == "-") return all;
    for (auto part : split(text, '/')) {
        const auto halves = split(part, ':');
        if (halves.size() != 2) refuse("returned tiles must be such as RYGG:0,1", part);
        Returned one{read_tiles(halves[0], HAND_SIZE), {}};
        const auto counts = split(halves[1], ',');
        if (static_cast<int>(counts.size()) != players) refuse("one count a seat is needed", part);
        for (std::size_t seat = 0; seat < counts.size(); ++seat)
            one.since[seat] = read_number(counts[seat], 0, 1000, "a count");
        for (int tile : one.tiles)
            if (tile == UNKNOWN) refuse("returned tiles must be known", part);
        all.push_back(one);
    }
    return all;
}

// Rejects unreachable positions, so that nothing needs to be checked during play.
template <int RADIUS>
void check(const Position<RADIUS>& p) {
    using Board = Hexagon<RADIUS>;
    const auto demand = [](bool fine, const char* what) {
        if (!fine) refuse_input(std::string("impossible position: ") + what);
    };
    const int covered = Board::COUNT - 6 - p.free.count();
    std::array<int, TILES + 1> held{};
    int hidden = 0, in_hands = 0, empty = 0;
    for (int seat = 0; seat < p.players; ++seat) {
        const Hand& hand = p.hands[seat];
        for (int at = 0; at < hand.count; ++at) ++held[hand.tiles[at]];
        const bool whole = hand.count == HAND_SIZE || (p.phase == Phase::DEAL && !hand.count);
        demand(whole || (p.phase != Phase::DEAL && seat == p.seat), "a hand has not six tiles");
        const int unknown = static_cast<int>(std::count(hand.tiles, hand.tiles + hand.count, UNKNOWN));
        demand(unknown == 0 || unknown == hand.count, "a hand is known in part");
        in_hands += hand.count;
        empty += !hand.count;
    }
    hidden = held[UNKNOWN];
    for (int at = 0; at < p.aside.count; ++at) ++held[p.aside.tiles[at]];
    for (int at = 0; at < p.bag_count; ++at) ++held[p.bag[at]];
    demand(held[UNKNOWN] == hidden, "an unknown tile is not in a hand");
    for (int tile = 0; tile < TILES; ++tile) demand(held[tile] <= copies_of(tile), "too many of a tile");
    demand(covered % 2 == 0 &&
               covered / 2 + in_hands - hidden + p.aside.count + p.bag_count == BAG_SIZE,
           "there must be 120 tiles in all");
    demand((p.phase == Phase::DEAL) == (empty && !p.turns && !covered), "dealt or not dealt");
    demand(p.phase == Phase::DRAW || !p.aside.count, "tiles are set aside only until a draw");
    demand(p.phase == Phase::PLACE || !p.bonus, "a bonus is for placing");
    const Hand& mine = p.hands[p.seat];
    demand(p.phase != Phase::PLACE || mine.count, "nothing to place");
    demand(p.phase != Phase::SWAP || may_swap(p.tracks[p.track_of(p.seat)], mine), "no swap");
    demand(p.phase != Phase::DRAW || mine.count < HAND_SIZE, "nothing to draw");
    demand(!p.aside.count || (!mine.count && p.aside.kinds() >> UNKNOWN == 0), "a swap of all tiles");
    demand(p.phase == Phase::OVER || p.has_room(), "no room, and yet not over");
    for (int seat = 0; seat < p.players; ++seat)
        demand(p.phase == Phase::OVER || !is_full(p.variant, p.tracks[p.track_of(seat)]),
               "six full markers, and yet not over");
    int untouched = 0;
    for (const auto& around : Board::BESIDE_PRINTED) untouched += (around & p.free) == around;
    const bool placed = p.phase == Phase::SWAP || p.phase == Phase::DRAW;
    demand(p.phase == Phase::OVER || untouched >= p.players - p.turns - placed,
           "no symbol left for a first turn");
}

// The number of players in a text, which determines the radius of the board.
inline int players_of(std::string_view text) {
    return read_number(text.substr(0, text.find(' ')), 1, MOST_PLAYERS, "the number of players");
}

template <int RADIUS>
Seen<RADIUS> read_position(std::string_view text) {
    const auto words = split(text, ' ');
    if (words.size() != 14) refuse("a position must have 14 words", text);
    Seen<RADIUS> seen;
    auto& p = seen.position;
    p.players = static_cast<std::uint8_t>(players_of(text));
    p.variant = static_cast<Variant>(read_name(words[1], VARIANT_NAMES, "variant"));
    constexpr std::array<unsigned, 4> PLAYERS{1U << 2 | 1U << 3 | 1U << 4, 1U << 1, 1U << 4, 1U << 2};
    if (!(PLAYERS[static_cast<std::size_t>(p.variant)] >> p.players & 1))
        refuse("not so many players for this variant", words[0]);
    p.adjacent = read_number(words[2], 0, 1, "adjacent") == 1;
    p.phase = static_cast<Phase>(read_name(words[3], PHASE_NAMES, "phase"));
    p.seat = static_cast<std::uint8_t>(read_number(words[4], 0, p.players - 1, "the seat"));
    p.bonus = static_cast<std::uint8_t>(read_number(words[5], 0, 12, "the bonus"));
    p.turns = static_cast<std::uint16_t>(read_number(words[6], 0, 1000, "the turns"));
    if (words[7] != "-") {
        const auto cells = split(words[7], '-');
        if (cells.size() != 2) refuse("the last tile must be two cells", words[7]);
        p.last_first = static_cast<std::uint8_t>(read_cell<RADIUS>(cells[0]));
        p.last_second = static_cast<std::uint8_t>(read_cell<RADIUS>(cells[1]));
    }
    read_cells(words[8], p);
    read_tracks(words[9], p);
    const auto hands = split(words[10], '/');
    if (hands.size() != p.players) refuse("there must be a hand for each seat", words[10]);
    for (std::size_t seat = 0; seat < hands.size(); ++seat) p.hands[seat] = read_hand(hands[seat]);
    for (auto tile : read_tiles(words[11], BAG_SIZE)) p.bag[p.bag_count++] = tile;
    p.aside = read_hand(words[12]);
    seen.returned = read_returned<RADIUS>(words[13], p.players);
    if (p.phase == Phase::OVER)
        p.reason = p.has_room() ? Reason::MARKERS_FULL : Reason::BOARD_FULL;
    for (int seat = 0; seat < p.players; ++seat)  // full markers come before a full board
        if (p.phase == Phase::OVER && is_full(p.variant, p.tracks[p.track_of(seat)]))
            p.reason = Reason::MARKERS_FULL;
    check(p);
    return seen;
}

template <int RADIUS>
Move read_move(std::string_view text) {
    if (text == "swap") return {Move::SWAP};
    if (text == "keep") return {Move::KEEP};
    const auto words = split(text, ' ');
    if (words.size() != 3) refuse("a move must be such as RB h8 h9, swap or keep", text);
    const int tile = read_tile(words[0]);
    if (tile == UNKNOWN) refuse("a tile must be known", words[0]);
    return {Move::PLACE, static_cast<std::uint8_t>(tile),
            static_cast<std::uint8_t>(read_cell<RADIUS>(words[1])),
            static_cast<std::uint8_t>(read_cell<RADIUS>(words[2]))};
}

// --- writing -------------------------------------------------------------------------------------

inline void write_tile(std::string& text, int tile) {
    if (tile == UNKNOWN) {
        text += "??";
        return;
    }
    text += LETTERS[TILE[tile].first];
    text += LETTERS[TILE[tile].second];
}

// Tiles by name; unknown ones last.
inline std::string write_tiles(const std::uint8_t* tiles, int count) {
    std::array<int, TILES + 1> held{};
    for (int at = 0; at < count; ++at) ++held[tiles[at]];
    std::string text;
    for (int tile : BY_NAME)
        for (; held[tile]; --held[tile]) write_tile(text, tile);
    for (; held[UNKNOWN]; --held[UNKNOWN]) write_tile(text, UNKNOWN);
    return text.empty() ? "-" : text;
}

template <int RADIUS>
std::string write_cell(int at) {
    using Board = Hexagon<RADIUS>;
    return static_cast<char>('a' + Board::row_of(at)) + std::to_string(Board::number_of(at));
}

template <int RADIUS>
std::string write_move(const Move& move) {
    if (move.kind == Move::SWAP) return "swap";
    if (move.kind == Move::KEEP) return "keep";
    std::string text;
    write_tile(text, move.tile);
    return text + ' ' + write_cell<RADIUS>(move.first) + ' ' + write_cell<RADIUS>(move.second);
}

template <int RADIUS>
std::string write_position(const Position<RADIUS>& p) {
    const auto number = [](int value) { return ' ' + std::to_string(value); };
    const auto word = [](std::string_view name) { return ' ' + std::string(name); };
    std::string text = std::to_string(p.players);
    text += word(VARIANT_NAMES[static_cast<std::size_t>(p.variant)]) + number(p.adjacent);
    text += word(PHASE_NAMES[static_cast<std::size_t>(p.phase)]);
    text += number(p.seat) + number(p.bonus) + number(p.turns);
    if (p.last_first == p.NOWHERE) {
        text += " -";
    } else {
        text += ' ' + write_cell<RADIUS>(p.last_first) + '-' + write_cell<RADIUS>(p.last_second);
    }
    text += ' ';
    Hexagon<RADIUS>::ALL.each([&](int at) {
        const auto symbol = p.symbol(at);
        text += symbol < COLOURS ? LETTERS[symbol] : '.';
    });
    for (int at = 0; at < p.track_count(); ++at)
        for (int colour = 0; colour < COLOURS; ++colour) {
            text += colour ? ',' : at ? '/' : ' ';
            text += std::to_string(p.tracks[at][colour]);
        }
    for (int seat = 0; seat < p.players; ++seat) {
        text += seat ? '/' : ' ';
        text += write_tiles(p.hands[seat].tiles, p.hands[seat].count);
    }
    text += ' ' + write_tiles(p.bag.data(), p.bag_count);
    return text + ' ' + write_tiles(p.aside.tiles, p.aside.count) + " -";
}

}  // namespace tuilerie::genial
