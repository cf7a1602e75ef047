// What a refusal shows of a text that it refuses.
#pragma once

#include <string>
#include <string_view>

namespace tuilerie {

// Enough to know it again. Signs that cannot be printed become '?': a zero, above all, would end the
// message there.
inline std::string shown(std::string_view found) {
    constexpr std::size_t most = 40;
    std::string text(found.substr(0, most));
    for (char& sign : text)
        if (sign < ' ' || sign > '~') sign = '?';
    if (found.size() > most) text += "…";
    return text;
}

}  // namespace tuilerie
