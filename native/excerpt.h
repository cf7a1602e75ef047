// The excerpt of rejected input in an error message.
#pragma once

#include <string>
#include <string_view>

namespace tuilerie {

// At most 40 characters. Non-printable ones become '?': a NUL would end the message.
inline std::string excerpt(std::string_view found) {
    constexpr std::size_t most = 40;
    std::string text(found.substr(0, most));
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    if (found.size() > most) text += "…";
    return text;
}

}  // namespace tuilerie
