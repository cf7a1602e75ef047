// Where the zones of one kind can still grow, and how a tile changes that.
#pragma once

#include "kaosmos_course.h"

namespace tuilerie::kaosmos {

// The fields of one kind that touch a gap: for each open field of a step the number of its zone (0:
// it is of another kind), in the order of appearance, and the size of each zone. Sizes beyond the
// last step of the table are alike.
struct Frontier {
    static constexpr int MOST = 8;  // open fields, and hence zones
    static constexpr int LARGEST = 15;
    std::array<Byte, MOST> zone{};
    std::array<Byte, MOST> size{};  // by number, from 1 on

    // All of it in one word: four bits for each zone, and four for each size.
    std::uint64_t word() const {
        return std::bit_cast<std::uint64_t>(zone) << 4 | std::bit_cast<std::uint64_t>(size);
    }

    // Visits the size of each zone.
    template <typename Visit>
    void for_each_zone(Visit visit) const {
        int met = 0;
        for (const Byte number : zone)
            if (number > met) visit(size[met++]);
    }
};

// A tile in one orientation, as far as one kind goes: for each corner the number of its part, or 0.
struct Look {
    std::array<Byte, 4> part{};
    std::array<Byte, 4> size{};  // by number, from 1 on
    int parts = 0;
    friend bool operator==(const Look&, const Look&) = default;
};

inline Look look_of(const Face& face, int kind, int largest) {
    Look look;
    std::array<Byte, 4> number{};
    for (int corner = 0; corner < 4; ++corner) {
        const int part = face.part_at[corner];
        if (face.kind[part] != kind) continue;
        if (!number[part]) {
            look.size[look.parts] = static_cast<Byte>(std::min<int>(face.size[part], largest));
            number[part] = static_cast<Byte>(++look.parts);
        }
        look.part[corner] = number[part];
    }
    return look;
}

// The zones of a kind while a tile is laid: numbers 1 to 8 are those of the frontier before, from 9
// on come the parts of the tile.
class Meeting {
public:
    Meeting(const Frontier& before, const Look& look) {
        std::copy(before.zone.begin(), before.zone.end(), zone_.begin());
        std::copy(before.size.begin(), before.size.end(), size_.begin() + 1);
        std::copy(look.size.begin(), look.size.end(), size_.begin() + TILE + 1);
        for (const Byte number : before.zone) alive_ |= 1U << number;
        alive_ |= ((1U << look.parts) - 1) << (TILE + 1);
        for (int corner = 0; corner < 4; ++corner)
            if (look.part[corner])
                zone_[TILE + corner] = static_cast<Byte>(TILE + look.part[corner]);
    }

    // Join what touches, count the zones that no gap touches any more, and tell how it stands then.
    int close(const Step& step, const Steps& worth, int largest, Frontier& after) {
        for (const auto& [before, corner] : step.touches) join(zone_[before], zone_[TILE + corner]);
        std::array<Byte, 16> number{};
        int met = 0;
        for (std::size_t at = 0; at < step.sources.size(); ++at) {
            const auto& [is_new, from] = step.sources[at];
            const Byte zone = zone_[is_new ? TILE + from : from];
            if (!zone) continue;
            if (!number[zone]) {
                after.size[met] = static_cast<Byte>(std::min<int>(size_[zone], largest));
                number[zone] = static_cast<Byte>(++met);
                alive_ &= ~(1U << zone);
            }
            after.zone[at] = number[zone];
        }
        int gained = 0;
        for (unsigned closed = alive_ & ~1U; closed; closed &= closed - 1)
            gained += worth[size_[std::countr_zero(closed)]];
        return gained;
    }

private:
    static constexpr int TILE = Frontier::MOST;  // its corners lie behind the open fields

    void join(Byte keep, Byte drop) {
        if (!keep || !drop || keep == drop) return;
        for (Byte& each : zone_) each = each == drop ? keep : each;
        size_[keep] = static_cast<Byte>(size_[keep] + size_[drop]);
        alive_ &= ~(1U << drop);
    }

    std::array<Byte, 16> zone_{};  // of each field
    std::array<Byte, 16> size_{};  // by number
    unsigned alive_ = 0;           // numbers that are in use
};

}  // namespace tuilerie::kaosmos
