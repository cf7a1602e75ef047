// Parser for positions. The result is a reachable position, or the text is refused.
#pragma once

#include "blockers_text.h"

namespace tuilerie::blockers {

class PositionParser {
public:
    static Position read(std::string_view text) { return PositionParser(text).position_; }

private:
    static constexpr int WORDS = 13;

    explicit PositionParser(std::string_view text) {
        const auto words = split(text, ' ');
        if (words.size() != WORDS) refuse("position", text, "thirteen words with a space between");
        read_table(words);
        read_turn(words);
        read_board(words[8]);
        read_racks(words[9]);
        read_captures(words[10]);
        read_discards(words[11]);
        read_shown(words[12]);
        check_counts();
        check_turns();
        count_groups();
    }

    static std::vector<std::string_view> split(std::string_view text, char at) {
        std::vector<std::string_view> parts;
        for (;;) {
            const auto end = text.find(at);
            parts.push_back(text.substr(0, end));
            if (end == std::string_view::npos) return parts;
            text.remove_prefix(end + 1);
        }
    }

    static int number(std::string_view where, std::string_view text, int below) {
        int found = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        if (!whole || found < 0 || found >= below || text != std::to_string(found)) {
            refuse(where, text, "a number from 0 to " + std::to_string(below - 1));
        }
        return found;
    }

    // --- the table and the turn ---

    void read_table(const std::vector<std::string_view>& words) {
        const auto seats = split(words[0], ',');
        Position& p = position_;
        p.players = static_cast<int>(seats.size());
        if (p.players < 2 || p.players > SEATS) refuse("colours", words[0], "two to five seats");
        p.owner.fill(-1);
        for (auto& own : p.colours) own.fill(-1);
        const std::size_t each = p.players == 2 ? 2 : 1;
        for (int seat = 0; seat < p.players; ++seat) {
            if (seats[seat].size() != each) refuse("colours", words[0], "two of two seats, else one");
            Reader reader("colours", seats[seat]);
            for (std::size_t i = 0; i < each; ++i) read_colour(seat, i, reader);
        }
        if (words[1] != "blockers" && words[1] != "uptown") {
            refuse("scoring", words[1], "blockers or uptown");
        }
        p.uptown = words[1] == "uptown";
        p.first = static_cast<std::uint8_t>(number("first", words[2], p.players));
    }

    void read_colour(int seat, std::size_t at, Reader& reader) {
        const int colour = reader.colour();
        if (position_.owner[colour] >= 0) reader.fail("each colour only once");
        position_.owner[colour] = static_cast<std::int8_t>(seat);
        position_.colours[seat][at] = static_cast<std::int8_t>(colour);
        position_.pile[colour] = ALL_FACES;
    }

    void read_turn(const std::vector<std::string_view>& words) {
        Position& p = position_;
        p.number = number("number", words[3], 1'000'000);
        int phase = 0;
        while (phase < 4 && PHASE_WORDS[phase] != words[4]) ++phase;
        if (phase == 4) refuse("phase", words[4], "deal, play, draw or over");
        p.phase = static_cast<Phase>(phase);
        p.seat = static_cast<std::uint8_t>(number("seat", words[5], p.players));
        if (words[6] != "-") {
            Reader reader("drawing", words[6]);
            p.drawing = static_cast<std::int8_t>(reader.colour());
            if (!reader.done() || p.owner[p.drawing] != p.seat) {
                reader.fail("a colour of the seat that draws");
            }
        }
        if ((p.phase == Phase::DRAW) != (p.drawing >= 0)) {
            refuse("drawing", words[6], "a colour in the phase draw, else -");
        }
        if (words[7] != "-") {
            Reader reader("last", words[7]);
            p.last = static_cast<std::int8_t>(reader.cell());
            if (!reader.done()) reader.fail("one cell");
        }
    }

    // --- tiles: each at one place only ---

    void use(Reader& reader, Tile tile) {
        const int colour = colour_of(tile);
        const std::uint32_t face = 1U << face_of(tile);
        if (position_.owner[colour] < 0) reader.fail("tiles of colours in play");
        if (!(position_.pile[colour] & face)) reader.fail("each tile at one place only");
        position_.pile[colour] &= ~face;
    }

    void read_board(std::string_view word) {
        Reader reader("board", word);
        for (int cell = 0; cell < CELL_NUMBERS; ++cell) {
            if (!BOARD.has(cell)) continue;
            if (reader.done()) reader.fail("81 cells");
            if (reader.skip('.')) continue;
            const Tile tile = reader.tile();
            use(reader, tile);
            if (!CELLS_OF[face_of(tile)].has(cell)) reader.fail("tiles on cells that they match");
            position_.board[cell] = tile;
            position_.empty ^= Mask::of(cell);
            position_.cells[colour_of(tile)] |= Mask::of(cell);
        }
        if (!reader.done()) reader.fail("81 cells");
    }

    // Calls `what` with a reader for each seat with a non-empty word.
    template <class What>
    void each_seat(std::string_view where, std::string_view word, What what) {
        const auto seats = split(word, ',');
        if (static_cast<int>(seats.size()) != position_.players) {
            refuse(where, word, "a word for each seat");
        }
        for (int seat = 0; seat < position_.players; ++seat) {
            if (seats[seat] == "-") continue;
            Reader reader(where, seats[seat]);
            do what(seat, reader);
            while (!reader.done());
        }
    }

    void read_racks(std::string_view word) {
        each_seat("racks", word, [&](int seat, Reader& reader) {
            const int colour = reader.colour();
            if (position_.owner[colour] != seat) reader.fail("tiles of the seat's own colours");
            if (reader.skip('?')) {
                if (++position_.hidden[colour] > RACK) reader.fail("at most five tiles of a colour");
                return;
            }
            const Tile tile = tile_of(colour, reader.face());
            use(reader, tile);
            position_.rack[colour] |= 1U << face_of(tile);
        });
    }

    void read_captures(std::string_view word) {
        each_seat("captures", word, [&](int seat, Reader& reader) {
            const Tile tile = reader.tile();
            use(reader, tile);
            if (position_.owner[colour_of(tile)] == seat) reader.fail("tiles of other seats");
            if (position_.captures[seat].count == MOST_TURNS) reader.fail("at most 48 tiles");
            position_.captures[seat].add(tile);
            ++position_.captured[seat][colour_of(tile)];
        });
    }

    void read_discards(std::string_view word) {
        if (word == "-") return;
        Reader reader("discards", word);
        do {
            const Tile tile = reader.tile();
            use(reader, tile);
            if (position_.discards.count == COLOURS * MOST_LAID) reader.fail("at most 120 tiles");
            position_.discards.add(tile);
        } while (!reader.done());
    }

    void read_shown(std::string_view word) {
        each_seat("shown", word, [&](int seat, Reader& reader) {
            const Tile tile = reader.tile();
            const int colour = colour_of(tile);
            const std::uint32_t face = 1U << face_of(tile);
            if (position_.owner[colour] != seat || !(position_.rack[colour] & face) ||
                (position_.shown[colour] & face)) {
                reader.fail("tiles on the seat's rack, each once");
            }
            position_.shown[colour] |= face;
        });
    }

    // --- consistency ---

    void check_counts() {
        Position& p = position_;
        for (int colour = 0; colour < COLOURS; ++colour) {
            if (p.owner[colour] < 0) continue;
            const int rack = p.rack_count(colour), pile = p.pile_count(colour);
            bool good = pile == 0 ? rack == KEPT || rack == RACK : pile > 0 && rack == RACK;
            if (p.phase == Phase::DEAL) {
                good = pile == FACES - rack && rack == (p.owner[colour] < p.seat ? RACK : 0);
            } else if (p.drawing == colour) {
                good = pile > 0 && rack == KEPT;
            }
            if (!good) {
                refuse("racks", std::to_string(rack) + " on the rack, " + std::to_string(pile) +
                       " in the pile of " + COLOUR_LETTERS[colour],
                       "a rack of five, filled up while the pile lasts");
            }
            p.left[colour] = static_cast<std::uint8_t>(rack + pile - KEPT);
        }
    }

    int turns_of(int seat) const {
        int turns = 0;
        for (const int colour : position_.colours[seat]) {
            if (colour >= 0) turns += position_.left[colour];
        }
        return turns;
    }

    // All seats have equally many turns, clockwise from the first: seats that have played in this
    // round have one turn less left.
    void check_turns() {
        Position& p = position_;
        const auto place = [&](int seat) { return (seat + p.players - p.first) % p.players; };
        const bool begun = p.phase == Phase::PLAY || p.phase == Phase::DRAW;
        const int had = !begun ? 0 : place(p.seat) + (p.phase == Phase::DRAW);
        const int most = turns_of(p.first) + (had > 0);
        for (int seat = 0; seat < p.players; ++seat) {
            p.turns += turns_of(seat);
            if (turns_of(seat) != most - (place(seat) < had)) {
                refuse("seat", std::to_string(p.seat), "the one whose turn it is by the tiles left");
            }
            const int all = p.players == 2 ? 2 * MOST_LAID : MOST_LAID;
            if (p.captures[seat].count > all - turns_of(seat)) {
                refuse("captures", std::to_string(p.captures[seat].count),
                       "no more than the turns that the seat has had");
            }
        }
        if ((p.turns == 0) != (p.phase == Phase::OVER)) {
            refuse("phase", PHASE_WORDS[static_cast<int>(p.phase)], "over where no turn is left, else not");
        }
    }

    void count_groups() {
        for (int colour = 0; colour < COLOURS; ++colour) {
            Groups& groups = position_.groups[colour];
            for (Mask left = position_.cells[colour]; left.any();) {
                const Mask group = flood(Mask::of(left.first()), left);
                groups.group[groups.count++] = group;
                left = left.without(group);
            }
        }
    }

    Position position_;
};

inline Position read_position(std::string_view text) { return PositionParser::read(text); }

}  // namespace tuilerie::blockers
