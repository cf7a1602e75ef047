// The versions of the rules and their differences: the same as games/kaosmos/versions.py. The rules
// test a difference by its name, never by a version number.
#pragma once

#include "kaosmos_text.h"

namespace tuilerie::kaosmos {

struct Version {
    int number = 0;  // 0: not set; cannot be played
    bool face_down = false;         // without a draft, tiles lie face down until all build
    bool bonus_after_done = false;  // only taking a bonus tile bars further ones, 'done' does not
    bool bonus_unfinished = false;  // bonus tiles may be taken before the galaxy is complete
};

// All versions, oldest first.
inline constexpr std::array<Version, 2> VERSIONS{{
    {.number = 1, .face_down = false, .bonus_after_done = false, .bonus_unfinished = false},
    {.number = 2, .face_down = true, .bonus_after_done = true, .bonus_unfinished = true},
}};

inline std::string known_versions() {
    return joined({"one of ", listed(VERSIONS, [](const Version& each) {
                       return std::to_string(each.number);
                   })});
}

// An unknown version is refused: a game must not be played by other rules.
inline Version version_of(Text number) {
    for (const Version& each : VERSIONS)
        if (std::to_string(each.number) == number) return each;
    refuse("unknown rules", number, known_versions());
}

}  // namespace tuilerie::kaosmos
