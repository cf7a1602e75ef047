// Kaosmos as text: tiles, cards and galaxies, in the forms that src/tuilerie/native/kaosmos.py
// writes. Malformed text is refused (`refusal.h`) with a message.
#pragma once

#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "excerpt.h"
#include "kaosmos.h"
#include "refusal.h"

namespace tuilerie::kaosmos {

using Text = std::string_view;

inline std::string joined(std::initializer_list<Text> pieces) {
    std::string text;
    for (Text piece : pieces) text.append(piece);
    return text;
}

[[noreturn]] inline void refuse(Text what, Text found, Text expected) {
    refuse_input(joined({what, " ‘", excerpt(found), "’: expected ", expected}));
}

// Comma-separated values, each written by `write`.
template <typename Values, typename Write>
std::string listed(const Values& values, Write write) {
    std::string text;
    for (const auto& value : values) {
        if (!text.empty()) text.push_back(',');
        text.append(write(value));
    }
    return text.empty() ? std::string("-") : text;
}

// The pieces of a text between separators. An empty text, or '-', has no pieces.
inline std::vector<Text> split(Text text, char separator) {
    std::vector<Text> pieces;
    if (text.empty() || text == "-") return pieces;
    while (true) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == Text::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

// The words of a line, separated by any number of spaces.
inline std::vector<Text> words_of(Text line) {
    std::vector<Text> words;
    for (Text piece : split(line, ' '))
        if (!piece.empty()) words.push_back(piece);
    return words;
}

inline int read_number(Text text, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
        refuse("bad number", text, joined({std::to_string(least), " to ", std::to_string(most)}));
    return value;
}

inline int read_one_of(Text text, const std::vector<Text>& known) {
    for (std::size_t at = 0; at < known.size(); ++at)
        if (known[at] == text) return static_cast<int>(at);
    refuse("unknown word", text, listed(known, [](Text each) { return std::string(each); }));
}

// --- tiles ---------------------------------------------------------------------------------------

inline int read_id(Text text) {
    const auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '9'; };
    if (text.size() != 3 || text[0] != 'T' || !digit(1) || !digit(2))
        refuse("bad tile", text, "T00 to T99");
    return (text[1] - '0') * 10 + (text[2] - '0');
}

inline std::string write_id(int tile) {
    return {'T', static_cast<char>('0' + tile / 10), static_cast<char>('0' + tile % 10)};
}

inline int read_tile_of(const Box& box, Text text) {
    const int tile = read_id(text);
    if (!box.has[tile]) refuse("bad tile", text, "a tile of the box");
    return tile;
}

// Different tiles of a box, 'T01,T05'.
inline std::vector<Byte> read_tiles_of(const Box& box, Text text, std::size_t most = NAMES) {
    std::vector<Byte> tiles;
    for (Text each : split(text, ',')) {
        const auto tile = static_cast<Byte>(read_tile_of(box, each));
        if (std::find(tiles.begin(), tiles.end(), tile) != tiles.end())
            refuse("tile named twice", each, "different tiles");
        tiles.push_back(tile);
    }
    if (tiles.size() > most)
        refuse("too many tiles", text, joined({"at most ", std::to_string(most)}));
    return tiles;
}

inline std::string write_tiles(const std::vector<Byte>& tiles) {
    return listed(tiles, [](Byte tile) { return write_id(tile); });
}

// Four fields, 'B0,B2,K,G1': a colour with its planets, or a constellation.
inline Tile read_fields(Text text) {
    const std::vector<Text> cells = split(text, ',');
    if (cells.size() != 4) refuse("bad fields", text, "four fields");
    Tile tile;
    for (std::size_t at = 0; at < 4; ++at) {
        const Text cell = cells[at];
        if (cell == "K") {
            tile.kind[at] = CONSTELLATION;
            continue;
        }
        if (cell.size() != 2) refuse("bad field", cell, "G0 to O2, or K");
        tile.kind[at] = static_cast<Byte>(read_one_of(cell.substr(0, 1), {"G", "B", "O"}));
        tile.planets[at] = static_cast<Byte>(read_number(cell.substr(1), 0, 2));
    }
    return tile;
}

inline Byte read_arms(Text text) {
    Byte arms = 0;
    if (text == "-") return arms;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const int bit = 1 << read_one_of(text.substr(at, 1), {"N", "E", "S", "W"});
        if (arms & bit) refuse("arm named twice", text, "different arms");
        arms = static_cast<Byte>(arms | bit);
    }
    return arms;
}

// --- cards ---------------------------------------------------------------------------------------

inline const std::vector<Text>& shape_names() {
    static const std::vector<Text> names{"square", "row", "twins", "ring", "free"};
    return names;
}

inline const std::vector<Text>& colour_names() {
    static const std::vector<Text> names{"green", "blue", "orange"};
    return names;
}

// '3:1,6:3,9:5': thresholds with their points, ascending.
inline Steps read_steps(Text text) {
    Steps steps;
    for (Text step : split(text, ',')) {
        const std::vector<Text> pair = split(step, ':');
        if (pair.size() != 2) refuse("bad step", step, "least:points");
        steps.from(read_number(pair[0], steps.top + 1, Steps::MOST), read_number(pair[1], -30, 30));
    }
    return steps;
}

inline std::vector<int> read_numbers(Text text, std::size_t count, int least, int most) {
    std::vector<int> numbers;
    for (Text each : split(text, ':')) numbers.push_back(read_number(each, least, most));
    if (numbers.size() != count) refuse("bad numbers", text, joined({std::to_string(count), " numbers"}));
    return numbers;
}

inline void read_rule(Rules& rules, Text name, Text value) {
    static const std::vector<Text> names{
        "shape", "draft", "turning", "cut",            "largest",      "path",    "won",
        "lost",  "green", "blue",    "orange",         "constellations", "zones", "balance",
        "interference",   "transfer"};
    switch (read_one_of(name, names)) {
        case 0: rules.shape = static_cast<Shape>(read_one_of(value, shape_names())); break;
        case 1: rules.draft = read_number(value, 0, 1); break;
        case 2: rules.turning = read_number(value, 0, 1); break;
        case 3: rules.cut = read_number(value, 0, 1); break;
        case 4:
            rules.largest_only = true;
            rules.largest_points = read_number(value, 0, HIGHEST);
            break;
        case 5: rules.path_factor = read_number(value, 0, 10); break;
        case 6: rules.bonus_won = read_number(value, 0, HIGHEST); break;
        case 7: rules.bonus_lost = read_number(value, -HIGHEST, 0); break;
        case 8: rules.tables[GREEN] = read_steps(value); break;
        case 9: rules.tables[BLUE] = read_steps(value); break;
        case 10: rules.tables[ORANGE] = read_steps(value); break;
        case 11: rules.tables[CONSTELLATION] = read_steps(value); break;
        case 12: {
            const std::vector<int> given = read_numbers(value, 3, -HIGHEST, Steps::MOST);
            if (given[0] < 0 || given[0] >= COLOURS || given[1] < 0 || given[2] > HIGHEST)
                refuse("bad zones", value, "colour:planets:points");
            rules.colour_zones = {given[0], given[1], given[2]};
            break;
        }
        case 13: {
            const std::vector<int> given = read_numbers(value, 2, -HIGHEST, HIGHEST);
            if (given[0] < 1) refuse("bad balance", value, "least:points");
            rules.balance = {given[0], given[1]};
            break;
        }
        case 14: rules.interference = read_number(value, 1, 3); break;
        default: rules.transfer = read_number(value, 1, HIGHEST);
    }
}

// The rules of a round, 'shape=ring cut=0 green=3:1,6:3 …'; missing values are the basic rules.
inline Rules read_rules(const std::vector<Text>& words) {
    Rules rules;
    for (Text word : words) {
        const std::size_t equals = word.find('=');
        if (equals == Text::npos) refuse("bad rule", word, "name=value");
        read_rule(rules, word.substr(0, equals), word.substr(equals + 1));
    }
    return rules;
}

// --- the box -------------------------------------------------------------------------------------

// A line for each tile, 'T04 B0,B2,B0,G1 NW' ('-' for no arms), and for each card its name and its
// rules, 'trou-noir shape=ring …'. The card '-' holds the rules without a card.
inline Box read_box(Text tiles, Text cards) {
    Box box;
    for (Text line : split(tiles, '\n')) {
        const std::vector<Text> words = words_of(line);
        if (words.size() != 3) refuse("bad tile", line, "‘T04 B0,B2,B0,G1 NW’");
        const int id = read_id(words[0]);
        if (box.has[id]) refuse("tile named twice", words[0], "different tiles");
        Tile tile = read_fields(words[1]);
        tile.arms = read_arms(words[2]);
        box.add(id, tile);
    }
    for (Text line : split(cards, '\n')) {
        std::vector<Text> words = words_of(line);
        if (words.empty()) refuse("bad card", line, "a name and its rules");
        const std::string name(words[0]);
        words.erase(words.begin());
        const Rules rules = read_rules(words);
        if (name == "-") {
            box.basic = rules;
        } else {
            box.card_names.push_back(name);
            box.cards.push_back(rules);
        }
    }
    return box;
}

inline int read_card(const Box& box, Text name) {
    if (name == "-") return -1;
    const auto found = std::find(box.card_names.begin(), box.card_names.end(), name);
    if (found == box.card_names.end()) refuse("unknown card", name, "a card of the box");
    return static_cast<int>(found - box.card_names.begin());
}

// --- galaxies ------------------------------------------------------------------------------------

inline int read_slot(Text text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'i' || text[1] < '1' || text[1] > '9')
        refuse("bad slot", text, "a1 to i9");
    return (text[1] - '1') * FRAME + (text[0] - 'a');
}

inline std::string write_slot(int slot) {
    return {static_cast<char>('a' + slot % FRAME), static_cast<char>('1' + slot / FRAME)};
}

// 'a1:T03/270,b1:T12/180': for each tile its slot and its degrees clockwise.
inline Galaxy read_galaxy(const Box& box, Text text) {
    Galaxy galaxy;
    for (Text word : split(text, ',')) {
        if (word.size() < 8 || word[2] != ':' || word[6] != '/')
            refuse("bad galaxy", word, "‘b2:T03/270’");
        Laid laid;
        laid.slot = static_cast<Byte>(read_slot(word.substr(0, 2)));
        laid.tile = static_cast<Byte>(read_tile_of(box, word.substr(3, 3)));
        laid.turns = static_cast<Byte>(read_one_of(word.substr(7), {"0", "90", "180", "270"}));
        for (const Laid& other : galaxy)
            if (other.slot == laid.slot || other.tile == laid.tile)
                refuse("slot or tile twice", word, "each once");
        galaxy.push_back(laid);
    }
    if (galaxy.size() > HAND) refuse("too many tiles", text, "at most nine");
    std::sort(galaxy.begin(), galaxy.end(),
              [](const Laid& one, const Laid& other) { return one.slot < other.slot; });
    return galaxy;
}

inline std::string write_galaxy(const Galaxy& galaxy) {
    static constexpr const char* degrees[] = {"0", "90", "180", "270"};
    return listed(galaxy, [](const Laid& laid) {
        return joined({write_slot(laid.slot), ":", write_id(laid.tile), "/", degrees[laid.turns]});
    });
}

}  // namespace tuilerie::kaosmos
