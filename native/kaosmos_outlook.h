// What a galaxy of a fixed shape that is not complete can become at most.
#pragma once

#include "kaosmos_alone.h"
#include "kaosmos_ledger.h"
#include "kaosmos_reach.h"

namespace tuilerie::kaosmos {

// A galaxy on the way: the first steps of a course are done.
struct Node {
    Zones zones;
    int depth = 0;          // how many tiles lie
    unsigned left = 0;      // those that are not laid, as a set
    unsigned possible = 0;  // the joins of the path that can still be
};

// Bounds from above, for each kind by itself, and for the path.
class Outlook {
public:
    static constexpr double TINY = 1e-9;

    Outlook(const Problem& problem, const std::vector<Byte>& tiles, const Course& course)
        : course_(&course), ledger_(problem, tiles),
          reach_(course, arms_of(problem, tiles), problem.rules.turning),
          alone_(problem, course, reach_, ledger_.groupings(), ledger_.rests(), tiles,
                 ledger_.tables()) {}

    // The parts know each other by their addresses.
    Outlook(const Outlook&) = delete;
    Outlook& operator=(const Outlook&) = delete;

    // No galaxy that goes on from here is worth more than this.
    double bound(const Node& node) { return ledger_.value(look(node), longest(node)); }

    // Whether no galaxy that goes on from here is worth more than `best`; it may say no where none is.
    //
    // First the parts grouped at will; then each kind alone; and where only a long path can help,
    // each kind alone among the galaxies that have one.
    bool is_hopeless(const Node& node, double best) {
        Standing standing = look(node);
        const int longest = this->longest(node);
        int needed = path_needed(standing, longest, best);
        if (needed > longest) return true;
        if (node.depth < alone_.first()) return false;
        for (int with = -1; with < needed;) {
            with = with < 0 ? 0 : needed;
            for (int kind = 0; kind < 4; ++kind) {
                if (!asks_alone(kind)) continue;
                const int most = alone_.best({kind, node.depth, node.left, node.possible, with},
                                             alone_.frontier(node.zones, kind, node.depth),
                                             too_little(standing, kind, longest, best));
                if (most == Alone::NOTHING) return true;
                standing.open[kind] = most;
                needed = path_needed(standing, longest, best);
                if (needed > longest) return true;
            }
        }
        return false;
    }

    // What all the answers so far have cost, in steps about as long as that of a search.
    std::uint64_t work() const { return alone_.work(); }

private:
    static constexpr int LOW = -100;  // no kind brings less

    static std::vector<Byte> arms_of(const Problem& problem, const std::vector<Byte>& tiles) {
        std::vector<Byte> arms;
        for (const Byte tile : tiles) arms.push_back(problem.box->tiles[tile].arms);
        return arms;
    }

    Standing look(const Node& node) {
        std::uint64_t open = 0;
        if (node.depth)
            for (const auto& [place, corner] : course_->steps[node.depth - 1].open)
                open |= std::uint64_t{1} << node.zones.zone[node.zones.at[place][corner]];
        return ledger_.look(node.zones, open, node.left);
    }

    bool asks_alone(int kind) const { return alone_.knows(kind) && !ledger_.only_largest(kind); }

    int longest(const Node& node) { return reach_.longest(node.left, node.possible); }

    // The most that a kind can bring without making the galaxy worth more than `best`.
    int too_little(Standing standing, int kind, int longest, double best) const {
        do {
            --standing.open[kind];
        } while (ledger_.value(standing, longest) > best + TINY && standing.open[kind] > LOW);
        return standing.open[kind];
    }

    // How long the path must become for a galaxy to be worth more than `best`, by the lengths where
    // its points change; more than the longest one, where even that is not enough.
    int path_needed(const Standing& standing, int longest, double best) const {
        for (const int length : {0, 4, 6, 9})
            if (length <= longest && ledger_.value(standing, length) > best + TINY) return length;
        return HAND + 1;
    }

    const Course* course_;
    Ledger ledger_;
    Reach reach_;
    Alone alone_;
};

}  // namespace tuilerie::kaosmos
