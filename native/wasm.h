// The interface of a core in WebAssembly: a request as text in, an answer as text out.
//
// A request is lines: the name of a function, then its arguments. An answer is lines of fields
// separated by tabs. Floating-point numbers are written as the 16 hexadecimal digits of their bits,
// so that no digit is lost. `web/src/local/core.ts` is the other half.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "excerpt.h"
#include "refusal.h"

namespace tuilerie::wasm {

using Text = std::string_view;

template <typename Number>
Number read_number(Text text, int base = 10) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        refuse_input("not a number: '" + excerpt(text) + "'");
    return number;
}

inline double read_double(Text text) {
    return std::bit_cast<double>(read_number<std::uint64_t>(text, 16));
}

// The lines of a request, read one after the other.
class Request {
public:
    explicit Request(Text text) : rest_(text) {}

    Text line() {
        if (done_) refuse_input("an argument is missing");
        const std::size_t end = rest_.find('\n');
        const Text found = rest_.substr(0, end);
        done_ = end == Text::npos;
        rest_.remove_prefix(done_ ? rest_.size() : end + 1);
        return found;
    }
    std::string text() { return std::string(line()); }
    template <typename Number>
    Number number() {
        return read_number<Number>(line());
    }
    double real() { return read_double(line()); }
    // Floating-point numbers in one line, without a separator.
    std::vector<double> reals() {
        std::vector<double> found;
        for (Text left = line(); !left.empty(); left.remove_prefix(std::min<std::size_t>(16, left.size())))
            found.push_back(read_double(left.substr(0, 16)));
        return found;
    }

private:
    Text rest_;
    bool done_ = false;
};

inline void write(std::string& answer, const std::string& text) { answer += text; }
inline void write(std::string& answer, double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int shift = 60; shift >= 0; shift -= 4) answer += "0123456789abcdef"[bits >> shift & 15];
}
template <std::integral Number>
void write(std::string& answer, Number number) {
    answer += std::to_string(number);
}

template <typename... Fields>
void write_row(std::string& answer, const std::tuple<Fields...>& row) {
    std::apply(
        [&](const auto& first, const auto&... others) {
            write(answer, first);
            ((answer += '\t', write(answer, others)), ...);
        },
        row);
    answer += '\n';
}

template <typename Row>
std::string write_rows(const std::vector<Row>& rows) {
    std::string answer;
    for (const Row& row : rows) write_row(answer, row);
    return answer;
}

// Carries out a request. Each game defines its own.
std::string answer(Request request);

inline std::string incoming, outgoing;

}  // namespace tuilerie::wasm

// The host writes a request to the address that `reserve` returns and calls `call` with its size;
// the answer is at the address that `call` returns, `answer_size` bytes long.
#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))

EXPORTED(reserve) char* reserve(std::size_t size) {
    tuilerie::wasm::incoming.resize(size);
    return tuilerie::wasm::incoming.data();
}

EXPORTED(call) const char* call() {
    using namespace tuilerie::wasm;
    outgoing = answer(Request(incoming));
    return outgoing.data();
}

EXPORTED(answer_size) std::size_t answer_size() { return tuilerie::wasm::outgoing.size(); }
