// The core of Kaosmos as a WebAssembly module.
#include <deque>

#include "kaosmos_calls.h"
#include "wasm.h"

namespace tuilerie::wasm {
namespace {

std::deque<kaosmos::Box> boxes;  // never moved: problems hold pointers to them

// Tiles and cards are several lines: in a request their lines end with ';'.
std::string lines(Text text) {
    std::string found(text);
    std::replace(found.begin(), found.end(), ';', '\n');
    return found;
}

const kaosmos::Box& box(Request& request) {
    const auto at = request.number<std::size_t>();
    if (at >= boxes.size()) refuse_input("no such box");
    return boxes[at];
}

std::string solve(Request& request) {
    const kaosmos::Box& own = box(request);
    const std::string card = request.text(), tiles = request.text(), laid = request.text();
    kaosmos::Markers totals{};
    for (int& total : totals) total = request.number<int>();
    const double temperature = request.real();
    const std::vector<double> bonus = request.reals();
    const auto nodes = request.number<std::uint64_t>();
    const double seconds = request.real();
    const auto anneal = request.number<std::uint64_t>(), seed = request.number<std::uint64_t>();
    std::string answer;
    write_row(answer, kaosmos::solve(own, card, tiles, laid, totals, temperature, bonus, nodes, seconds,
                                     anneal, seed));
    return answer;
}

std::string weigh_keeps(Request& request) {
    const kaosmos::Box& own = box(request);
    const std::string view = request.text();
    const double temperature = request.real();
    const auto nodes = request.number<std::uint64_t>();
    const double seconds = request.real();
    const auto seed = request.number<std::uint64_t>();
    const int candidates = request.number<int>();
    const auto build = request.number<std::uint64_t>();
    return write_rows(
        kaosmos::weigh_keeps(own, view, temperature, nodes, seconds, seed, candidates, build));
}

std::string odds(Request& request) {
    const kaosmos::Box& own = box(request);
    const std::string view = request.text();
    const int samples = request.number<int>();
    const auto build = request.number<std::uint64_t>(), seed = request.number<std::uint64_t>();
    std::string answer;
    for (const auto& row : kaosmos::bonus_odds(own, view, samples, build, seed)) {
        for (std::size_t at = 0; at < row.size(); ++at) {
            if (at) answer += '\t';
            write(answer, static_cast<double>(row[at]));
        }
        answer += '\n';
    }
    return answer;
}

}  // namespace

std::string answer(Request request) {
    const Text name = request.line();
    if (name == "box") {
        const std::string tiles = lines(request.line()), cards = lines(request.line());
        boxes.push_back(kaosmos::read_box(tiles, cards));
        return std::to_string(boxes.size() - 1);
    }
    if (name == "solve") return solve(request);
    if (name == "weigh_keeps") return weigh_keeps(request);
    if (name == "odds") return odds(request);
    refuse_input("no such function: '" + excerpt(name) + "'");
}

}  // namespace tuilerie::wasm
