// Calls shared by both bindings of the core of Génial!: the Python module and the WebAssembly module.
#pragma once

#include <tuple>

#include "genial_net_search.h"
#include "genial_search.h"

namespace tuilerie::genial {

// Parses a position and dispatches on its board size, a template parameter.
template <typename Use>
auto with_position(std::string_view text, Use use) {
    switch (players_of(text)) {
        case 3: return use(read_position<6>(text));
        case 4: return use(read_position<7>(text));
        default: return use(read_position<5>(text));
    }
}

template <int RADIUS>
void demand_own_hand(const Position<RADIUS>& position) {
    if (position.phase != Phase::PLACE && position.phase != Phase::SWAP)
        refuse_input("no move is due");
    if (position.hands[position.seat].kinds() >> UNKNOWN & 1)
        refuse_input("the hand of the seat on turn must be known");
}

using Weighed = std::tuple<std::string, double, double, std::uint32_t>;

// The candidates, best first: move, win share, margin, visits.
inline std::vector<Weighed> think(std::string_view text, std::uint64_t seed, std::uint64_t nodes,
                           double seconds, int candidates, int handful) {
    return with_position(text, [&]<int R>(const Seen<R>& seen) {
        demand_own_hand(seen.position);
        std::vector<Weighed> found;
        for (const Candidate& one : Search<R>(seen, seed, {nodes, seconds, candidates, handful}).run())
            found.emplace_back(write_move<R>(one.move), one.mean(one.win), one.mean(one.margin), one.visits);
        return found;
    });
}

template <int RADIUS>
const Net& net_for(const NetFile& file, const Position<RADIUS>& position) {
    if (position.variant != Variant::STANDARD || !file.has(position.players))
        refuse_input("no network for this table");
    return file.of(position.players);
}

// The same with the network.
inline std::vector<Weighed> think_with_net(const NetFile& file, std::string_view text, std::uint64_t seed,
                                           const NetLimits& limits) {
    return with_position(text, [&]<int R>(const Seen<R>& seen) {
        demand_own_hand(seen.position);
        std::vector<Weighed> found;
        for (const Candidate& one : NetSearch<R>(seen, net_for(file, seen.position), seed, limits).run())
            found.emplace_back(write_move<R>(one.move), one.mean(one.win), margin_of(one.mean(one.margin)),
                               one.visits - NET_PRIOR);
        return found;
    });
}

}  // namespace tuilerie::genial
