// What a galaxy of any shape that is not complete can become at most.
#pragma once

#include "kaosmos_ledger.h"
#include "kaosmos_room.h"
#include "kaosmos_sky.h"

namespace tuilerie::kaosmos {

// Bounds from above, for each kind by itself: the parts grouped at will, then those groups alone that
// have room to be one zone. They hold for all shapes at once.
class Horizon {
public:
    static constexpr double TINY = 1e-9;

    Horizon(const Problem& problem, const std::vector<Byte>& tiles)
        : problem_(&problem), ledger_(problem, tiles),
          bits_(2 * static_cast<int>(tiles.size() - problem.laid.size())),
          slots_(std::size_t{1} << bits_) {
        for (int kind = 0; kind < 4; ++kind) {
            rooms_.emplace_back(ledger_.groupings()[kind], ledger_.table_of(kind));
            asks_[kind] = rooms_[kind].applies() && !ledger_.only_largest(kind);
        }
        for (std::size_t tile = 0; tile < tiles.size(); ++tile)
            prepare(problem.box->face(problem.rules, tiles[tile], 0), static_cast<int>(tile));
    }

    // The parts know each other by their addresses.
    Horizon(const Horizon&) = delete;
    Horizon& operator=(const Horizon&) = delete;

    // No galaxy that goes on from here, with a path of at most so many tiles, is worth more than this.
    // Where that is above `best`, the closest bounds were looked at, and `most` is what each kind
    // brings at most.
    double bound(const Sky& sky, int path, double best, std::array<int, 4>& most) {
        if (!sky.is_complete()) return bound(sky, sky.rooms(), path, best, most);
        ++work_;
        return value_of(sky);
    }

    double bound(const Sky& sky, const Sky::Rooms& room, int path, double best,
                 std::array<int, 4>& most) {
        ++work_;
        std::uint64_t open = 0;
        for (int name = 0; name < sky.zones.count; ++name) open |= std::uint64_t{room[name] > 0} << name;
        Standing standing = ledger_.look(sky.zones, open, sky.left);
        for (int kind = 0; kind < 4; ++kind)  // what held before still does
            standing.open[kind] =
                std::min(standing.open[kind], sky.most[kind] - standing.closed[kind]);
        double found = ledger_.value(standing, path);
        for (int kind = 0; kind < 4 && found > best + TINY; ++kind) {
            if (!asks_[kind] || !ledger_.rests()[sky.left].has[kind]) continue;
            standing.open[kind] = std::min(standing.open[kind], best_with_room(sky, room, kind));
            found = ledger_.value(standing, path);
        }
        for (int kind = 0; kind < 4; ++kind) most[kind] = standing.closed[kind] + standing.open[kind];
        return found;
    }

    // The most tiles that a path can have.
    int longest(const Sky& sky) const {
        if (sky.is_complete()) return sky.longest();
        return sky.longest_by_arms(std::popcount(sky.left & without_), std::popcount(sky.left & ends_));
    }

    // Tiles with a single arm: a path can only begin or end there.
    unsigned ends() const { return ends_; }

    Count count_of(const Sky& complete) const {
        Count count;
        settle(complete.zones, complete.longest(), problem_->rules, count);
        return count;
    }

    double value_of(const Sky& complete) const {
        return problem_->goal.value(moved(problem_->goal.totals, count_of(complete)));
    }

    // The goal, were each kind to bring so much and the path as long.
    double value(const std::array<int, 4>& most, int path) const {
        return ledger_.value({most, {}}, path);
    }

    // How many bounds were worked out so far.
    std::uint64_t work() const { return work_; }

private:
    static constexpr int MOST_ZONES = 8;  // open ones of a kind, eight bits each in a word

    struct Slot {
        std::uint64_t zones = 0;
        std::uint32_t rest = 0;  // 0: nothing yet, as the number of the kind in it is not 0
        int best = 0;
    };

    void prepare(const Face& face, int tile) {
        without_ |= unsigned{std::popcount(face.arms) == 0} << tile;
        ends_ |= unsigned{std::popcount(face.arms) == 1} << tile;
        for (int part = 0; part < face.parts; ++part) {
            const int kind = face.kind[part];
            unsigned corners = 0, alike = 0;
            for (int corner = 0; corner < 4; ++corner)
                corners |= unsigned{face.part_at[corner] == part} << corner;
            for (int other = 0; other < face.parts; ++other) alike += face.kind[other] == kind;
            const int fields = std::popcount(corners);
            having_[kind] |= 1U << tile;
            if (!face.size[part] && fields == 1) continue;  // no use to any zone
            Piece piece;
            piece.size = static_cast<Byte>(rooms_[kind].size_of(face.size[part]));
            piece.room = static_cast<std::int8_t>(3 * fields - 4);
            piece.links = static_cast<Byte>(fields - 1);
            if (alike > 1) {
                piece.tile = static_cast<Byte>(tile);
                piece.corners = static_cast<Byte>(corners);
            }
            pieces_[kind][tile].push_back(piece);
        }
    }


    // The best of all groupings with room of the open zones of a kind and of what is not laid. More
    // than fifteen places are never needed, as no table of this kind has more than ten steps.
    int best_with_room(const Sky& sky, const Sky::Rooms& room, int kind) {
        Room::Pieces pieces;
        int number = 0;
        std::array<Byte, MOST_ZONES> code{};
        for (int name = 0; name < sky.zones.count; ++name) {
            if (sky.zones.kind[name] != kind || !room[name]) continue;
            if (number == MOST_ZONES) return Sky::UNKNOWN;
            Piece& piece = pieces[number];
            piece = Piece{};
            piece.size = static_cast<Byte>(rooms_[kind].size_of(sky.zones.size[name]));
            piece.room = static_cast<std::int8_t>(std::min<int>(room[name], 15));
            piece.lies = true;
            code[number] = static_cast<Byte>(piece.size << 4 | piece.room);
            for (int at = number++; at > 0 && code[at] < code[at - 1]; --at)  // in order
                std::swap(code[at], code[at - 1]);
        }
        const auto zones = std::bit_cast<std::uint64_t>(code);
        const unsigned left = sky.left & having_[kind];
        const std::uint32_t rest = left << 4 | static_cast<unsigned>(kind + 1);
        Slot& slot = slots_[index_of(zones, rest)];
        if (slot.zones == zones && slot.rest == rest) return slot.best;
        for (unsigned more = left; more; more &= more - 1)
            for (const Piece& piece : pieces_[kind][std::countr_zero(more)]) {
                if (number == Room::MOST) return Sky::UNKNOWN;
                pieces[number++] = piece;
            }
        ++work_;
        slot = {zones, rest, rooms_[kind].best(pieces, number, memory_)};
        return slot.best;
    }

    std::size_t index_of(std::uint64_t zones, std::uint32_t rest) const {
        const std::uint64_t mixed = (zones ^ rest * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL;
        return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ULL >> (63 - bits_) >> 1;  // no bits: 0
    }

    const Problem* problem_;
    Ledger ledger_;
    std::vector<Room> rooms_;  // for each kind
    std::array<bool, 4> asks_{};
    std::array<std::array<std::vector<Piece>, HAND>, 4> pieces_;  // by kind and tile
    std::array<unsigned, 4> having_{};                            // tiles that have a kind
    unsigned without_ = 0, ends_ = 0;                             // tiles without arms, with one
    Room::Memory memory_;
    int bits_;
    std::vector<Slot> slots_;  // the latest answers: the more tiles there are, the more questions
    std::uint64_t work_ = 0;
};

}  // namespace tuilerie::kaosmos
