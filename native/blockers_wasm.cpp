// The core of Blockers! as a WebAssembly module.
#include "blockers_calls.h"
#include "wasm.h"

std::string tuilerie::wasm::answer(Request request) {
    const Text name = request.line();
    if (name != "think") refuse_input("no such function: '" + excerpt(name) + "'");
    const Text position = request.line();
    const auto seed = request.number<std::uint64_t>(), nodes = request.number<std::uint64_t>();
    const double seconds = request.real();
    const int candidates = request.number<int>();
    return write_rows(blockers::think(position, seed, nodes, seconds, candidates, request.real()));
}
