// Positions and views (information sets) as text: parser and writer.
//
// A position is one line of words: 'rules=2 players=2 … 0.supply=T01,T07 0.galaxy=a1:T03/270 …'.
// 'rules' is the version of the rules (kaosmos_version.h); a missing or unknown one is an error.
//
// A view has the same form with unknown tiles: '1.supply=?9' is nine tiles hidden from the viewer. It
// also has 'viewer=0' and 'seen=T01,T02,T03/T04,…': the tiles that the viewer kept and passed on, packet
// by packet, in this round's draft.
#pragma once

#include "kaosmos_position.h"
#include "kaosmos_text.h"

namespace tuilerie::kaosmos {

inline const std::vector<Text>& phase_names() {
    static const std::vector<Text> names{"card", "draw",      "draft",     "building",
                                         "fill", "ingerence", "transfert", "over"};
    return names;
}

// How many tiles of each pile of a seat are hidden.
struct Hidden {
    int packet = 0, kept = 0, supply = 0;
};

struct View {
    Position position;
    int viewer = -1;
    std::vector<Tiles> seen;  // kept, passed on, kept, passed on
    std::array<Hidden, MOST_PLAYERS> hidden{};
};

// --- reading -------------------------------------------------------------------------------------

class ViewReader {
public:
    ViewReader(const Box& box, Text text) {
        view_.position.box = &box;
        for (Text word : words_of(text)) {
            const std::size_t equals = word.find('=');
            if (equals == Text::npos) refuse("bad word", word, "name=value");
            read(word.substr(0, equals), word.substr(equals + 1));
        }
        check();
    }

    View take() { return std::move(view_); }

private:
    void read(Text name, Text value) {
        if (name.size() > 2 && name[1] == '.') {
            const int seat = read_number(name.substr(0, 1), 0, view_.position.players - 1);
            if (view_.position.seats.empty()) refuse("bad word", name, "players first");
            return read_seat(seat, name.substr(2), value);
        }
        Position& position = view_.position;
        static const std::vector<Text> names{
            "players", "kaos",    "draft",   "timed",  "round", "phase", "card",
            "cards",   "waiting", "bonuses", "viewer", "rules", "seen"};
        switch (read_one_of(name, names)) {
            case 0:
                position.players = read_number(value, 2, MOST_PLAYERS);
                position.seats.resize(position.players);
                break;
            case 1: position.kaos = read_number(value, 0, 1); break;
            case 2: position.draft = read_number(value, 0, 1); break;
            case 3: position.timed = read_number(value, 0, 1); break;
            case 4: position.round = read_number(value, 1, ROUNDS); break;
            case 5: position.phase = static_cast<Phase>(read_one_of(value, phase_names())); break;
            case 6: position.card = read_card(*position.box, value); break;
            case 7:
                for (Text each : split(value, ',')) position.cards.push_back(read_card(*position.box, each));
                break;
            case 8:
                for (Text each : split(value, ','))
                    position.waiting |= 1U << read_number(each, 0, position.players - 1);
                break;
            case 9: read_bonuses(value); break;
            case 10: view_.viewer = read_number(value, 0, position.players - 1); break;
            case 11: position.version = version_of(value); break;
            default:
                for (Text each : split(value, '/'))
                    view_.seen.push_back(read_tiles_of(*position.box, each, HAND));
        }
    }

    void read_bonuses(Text value) {
        const std::vector<Text> owners = split(value, ',');
        if (owners.size() != COLOURS) refuse("bad bonuses", value, "three owners, ‘-,0,-’");
        for (int colour = 0; colour < COLOURS; ++colour)
            view_.position.bonuses[colour] =
                owners[colour] == "-" ? -1 : read_number(owners[colour], 0, view_.position.players - 1);
    }

    void read_seat(int number, Text name, Text value) {
        Seat& seat = view_.position.seats[number];
        Hidden& hidden = view_.hidden[number];
        const Box& box = *view_.position.box;
        static const std::vector<Text> names{"packet", "kept",    "supply", "galaxy", "aside",
                                             "markers", "gained", "locked", "choice"};
        switch (read_one_of(name, names)) {
            case 0: seat.packet = read_pile(value, hidden.packet); break;
            case 1: seat.kept = read_pile(value, hidden.kept); break;
            case 2: seat.supply = read_pile(value, hidden.supply); break;
            case 3: seat.galaxy = read_galaxy(box, value); break;
            case 4: seat.aside = value == "-" ? -1 : read_tile_of(box, value); break;
            case 5: read_each(value, seat.markers); break;
            case 6: read_each(value, seat.gained); break;
            case 7: seat.locked = read_number(value, 0, 1); break;
            default: seat.choice = read_choice(value);
        }
    }

    Tiles read_pile(Text value, int& hidden) const {
        if (value.starts_with('?')) {
            hidden = read_number(value.substr(1), 0, HAND);
            return {};
        }
        Tiles tiles = read_tiles_of(*view_.position.box, value, HAND);
        std::sort(tiles.begin(), tiles.end());
        return tiles;
    }

    template <typename Numbers>
    static void read_each(Text value, Numbers& numbers) {
        const std::vector<Text> given = split(value, ',');
        if (given.size() != numbers.size()) refuse("bad markers", value, "a number for each");
        for (std::size_t at = 0; at < numbers.size(); ++at)
            numbers[at] = read_number(given[at], LOWEST, HIGHEST);
    }

    static std::optional<Choice> read_choice(Text value) {
        if (value == "-") return std::nullopt;
        const std::vector<Text> words = split(value, ':');
        Choice choice;
        if (words.size() == 2 && words[0] == "turn") {
            choice.slot = read_slot(words[1]);
        } else if (words.size() == 4 && words[0] == "move") {
            choice.source = read_one_of(words[1], colour_names());
            choice.target = read_one_of(words[2], colour_names());
            choice.points = read_number(words[3], 0, HIGHEST);
        } else {
            refuse("bad choice", value, "‘turn:b2’ or ‘move:green:blue:2’");
        }
        return choice;
    }

    // Check that the position is complete, and that no tile is in two places.
    void check() const {
        const Position& position = view_.position;
        if (!position.version.number) refuse("no rules", "", joined({"rules=…, ", known_versions()}));
        if (position.seats.empty()) refuse("bad position", "", "players=2 …");
        std::array<bool, NAMES> met{};
        const auto meet = [&](int tile) {
            if (met[tile]) refuse("tile in two places", write_id(tile), "each once");
            met[tile] = true;
        };
        for (const Seat& seat : position.seats) {
            for (const Tiles* pile : {&seat.packet, &seat.kept, &seat.supply})
                for (const Byte tile : *pile) meet(tile);
            for (const Laid& laid : seat.galaxy) meet(laid.tile);
            if (seat.aside >= 0) meet(seat.aside);
        }
        if (view_.seen.size() > 4) refuse("bad packets", "seen", "at most four");
    }

    View view_;
};

inline View read_view(const Box& box, Text text) { return ViewReader(box, text).take(); }

// A position with nothing hidden.
inline Position read_position(const Box& box, Text text) {
    View view = read_view(box, text);
    for (const Hidden& hidden : view.hidden)
        if (hidden.packet || hidden.kept || hidden.supply)
            refuse("bad position", "?", "tiles that are known");
    return std::move(view.position);
}

// --- writing -------------------------------------------------------------------------------------

inline std::string write_choice(const std::optional<Choice>& choice) {
    if (!choice) return "-";
    if (choice->slot >= 0) return joined({"turn:", write_slot(choice->slot)});
    return joined({"move:", colour_names()[choice->source], ":", colour_names()[choice->target], ":",
                   std::to_string(choice->points)});
}

inline std::string write_number(int value) { return std::to_string(value); }

inline std::string write_seat(const Position& position, int number) {
    const Seat& seat = position.seats[number];
    const bool gaining = position.phase == Phase::TRANSFER;
    const auto gained = gaining ? seat.gained : std::array<int, COLOURS>{};
    std::string text;
    const auto write = [&](Text name, Text value) {
        text.append(joined({" ", write_number(number), ".", name, "=", value}));
    };
    write("packet", write_tiles(seat.packet));
    write("kept", write_tiles(seat.kept));
    write("supply", write_tiles(seat.supply));
    write("galaxy", write_galaxy(seat.galaxy));
    write("aside", seat.aside < 0 ? "-" : write_id(seat.aside));
    write("markers", listed(seat.markers, write_number));
    write("gained", listed(gained, write_number));
    write("locked", seat.locked ? "1" : "0");
    write("choice", write_choice(seat.choice));
    return text;
}

inline std::string write_position(const Position& position) {
    const auto card_name = [&](int card) {
        return card < 0 ? std::string("-") : position.box->card_names[card];
    };
    const auto owner = [](int seat) { return seat < 0 ? std::string("-") : write_number(seat); };
    std::vector<int> waiting;
    for (int seat = 0; seat < position.players; ++seat)
        if (position.waiting >> seat & 1) waiting.push_back(seat);
    std::string text = joined(
        {"rules=", write_number(position.version.number),
         " players=", write_number(position.players), " kaos=", write_number(position.kaos),
         " draft=", write_number(position.draft), " timed=", write_number(position.timed),
         " round=", write_number(position.round),
         " phase=", phase_names()[static_cast<std::size_t>(position.phase)],
         " card=", card_name(position.card), " cards=", listed(position.cards, card_name),
         " waiting=", listed(waiting, write_number), " bonuses=", listed(position.bonuses, owner)});
    for (int seat = 0; seat < position.players; ++seat) text.append(write_seat(position, seat));
    return text;
}

}  // namespace tuilerie::kaosmos
