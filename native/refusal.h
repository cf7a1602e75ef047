// How the core refuses malformed input.
#pragma once

#include <stdexcept>
#include <string>

#ifdef __wasm__
// Throws in the host: WASI's C++ library has no exceptions. The host then discards the instance.
extern "C" [[noreturn]] __attribute__((import_module("tuilerie"), import_name("refuse"))) void
tuilerie_refuse(const char* message, std::size_t size);
#endif

namespace tuilerie {

// Natively std::invalid_argument, in Python ValueError, in JavaScript Refused.
[[noreturn]] inline void refuse_input(const std::string& message) {
#ifdef __wasm__
    tuilerie_refuse(message.data(), message.size());
#else
    throw std::invalid_argument(message);
#endif
}

}  // namespace tuilerie
