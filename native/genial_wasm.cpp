// The core of Génial! as a WebAssembly module.
#include "genial_calls.h"
#include "wasm.h"

namespace {

tuilerie::genial::NetFile weights;

// Reads the weights, as hexadecimal digits.
void read_weights(std::string_view digits) {
    std::string bytes;
    for (; digits.size() >= 2; digits.remove_prefix(2))
        bytes += static_cast<char>(tuilerie::wasm::read_number<unsigned>(digits.substr(0, 2), 16));
    if (const char* wrong = tuilerie::genial::read_net(bytes, weights)) tuilerie::refuse_input(wrong);
}

}  // namespace

std::string tuilerie::wasm::answer(Request request) {
    const Text name = request.line();
    if (name == "weights") {
        read_weights(request.line());
        std::string found;
        for (int players = 2; players <= genial::MOST_PLAYERS; ++players)
            found += weights.has(players) ? '1' : '0';
        return found;
    }
    if (name == "think_with_net") {
        const Text position = request.line();
        const auto seed = request.number<std::uint64_t>(), nodes = request.number<std::uint64_t>();
        const double seconds = request.real();
        const int candidates = request.number<int>(), handful = request.number<int>();
        const int rounds = request.number<int>();
        return write_rows(genial::think_with_net(weights, position, seed,
                                                 {nodes, seconds, candidates, handful, rounds}));
    }
    if (name != "think") refuse_input("no such function: '" + excerpt(name) + "'");
    const Text position = request.line();
    const auto seed = request.number<std::uint64_t>(), nodes = request.number<std::uint64_t>();
    const double seconds = request.real();
    const int candidates = request.number<int>(), handful = request.number<int>();
    return write_rows(genial::think(position, seed, nodes, seconds, candidates, handful));
}
