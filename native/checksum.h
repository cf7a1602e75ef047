// CRC-32, to compare long lists between both engines without transferring them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tuilerie {

// The standard lookup table by byte.
inline constexpr auto CRC_TABLE = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t sum = byte;
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320U : 0);
        table[byte] = sum;
    }
    return table;
}();

// The same as zlib.crc32 in Python.
inline std::uint32_t crc32(std::string_view text) {
    std::uint32_t sum = ~0U;
    for (const char c : text) sum = sum >> 8 ^ CRC_TABLE[(sum ^ static_cast<unsigned char>(c)) & 255];
    return ~sum;
}

}  // namespace tuilerie
