// Frontier of one kind of field, the state of a dynamic programme over the places of a fixed shape:
// the open fields and the sizes of their zones. All that the rest of the galaxy can still depend on.
#pragma once

#include "kaosmos_search_order.h"

namespace tuilerie::kaosmos {

// For each open field (see `Step::open`) the number of its zone, numbered in order of appearance so
// that equal frontiers have equal encodings; 0 for a field of another kind. And the size of each
// zone, capped where the points table ends.
struct Frontier {
    static constexpr int MAX_FIELDS = 8;  // and hence zones
    static constexpr int MAX_SIZE = 15;
    std::array<Byte, MAX_FIELDS> zone{};
    std::array<Byte, MAX_FIELDS> size{};  // index: number - 1

    // Packed exactly into one word: four bits for each zone number, four for each size.
    std::uint64_t key() const {
        return std::bit_cast<std::uint64_t>(zone) << 4 | std::bit_cast<std::uint64_t>(size);
    }

    template <typename Visit>
    void for_each_zone(Visit visit) const {
        int zones = 0;
        for (const Byte number : zone)
            if (number > zones) visit(size[zones++]);
    }
};

// An oriented tile restricted to one kind: for each corner the number of its part, or 0.
struct KindFace {
    std::array<Byte, 4> part{};
    std::array<Byte, 4> size{};  // index: number - 1
    int parts = 0;
    friend bool operator==(const KindFace&, const KindFace&) = default;
};

inline KindFace kind_face_of(const Face& face, int kind, int largest) {
    KindFace found;
    std::array<Byte, 4> number{};
    for (int corner = 0; corner < 4; ++corner) {
        const int part = face.part_at[corner];
        if (face.kind[part] != kind) continue;
        if (!number[part]) {
            found.size[found.parts] = static_cast<Byte>(std::min<int>(face.size[part], largest));
            number[part] = static_cast<Byte>(++found.parts);
        }
        found.part[corner] = number[part];
    }
    return found;
}

// Transition of the dynamic programme: place one tile. Zones 1 to 8 are those of the old frontier,
// from 9 on the parts of the new tile.
class FrontierUpdate {
public:
    FrontierUpdate(const Frontier& before, const KindFace& face) {
        std::copy(before.zone.begin(), before.zone.end(), zone_.begin());
        std::copy(before.size.begin(), before.size.end(), size_.begin() + 1);
        std::copy(face.size.begin(), face.size.end(), size_.begin() + TILE + 1);
        for (const Byte number : before.zone) unclosed_ |= 1U << number;
        unclosed_ |= ((1U << face.parts) - 1) << (TILE + 1);
        for (int corner = 0; corner < 4; ++corner)
            if (face.part[corner])
                zone_[TILE + corner] = static_cast<Byte>(TILE + face.part[corner]);
    }

    // Merge zones that touch, write the new frontier, and return the points of the zones that this
    // step closes.
    int advance(const Step& step, const Steps& worth, int largest, Frontier& after) {
        for (const auto& [before, corner] : step.contacts) join(zone_[before], zone_[TILE + corner]);
        std::array<Byte, 16> number{};
        int zones = 0;
        for (std::size_t at = 0; at < step.sources.size(); ++at) {
            const auto& [is_new, from] = step.sources[at];
            const Byte zone = zone_[is_new ? TILE + from : from];
            if (!zone) continue;
            if (!number[zone]) {
                after.size[zones] = static_cast<Byte>(std::min<int>(size_[zone], largest));
                number[zone] = static_cast<Byte>(++zones);
                unclosed_ &= ~(1U << zone);
            }
            after.zone[at] = number[zone];
        }
        int gained = 0;
        for (unsigned closed = unclosed_ & ~1U; closed; closed &= closed - 1)
            gained += worth[size_[std::countr_zero(closed)]];
        return gained;
    }

private:
    static constexpr int TILE = Frontier::MAX_FIELDS;  // index of its first corner in zone_

    void join(Byte keep, Byte drop) {
        if (!keep || !drop || keep == drop) return;
        for (Byte& each : zone_) each = each == drop ? keep : each;
        size_[keep] = static_cast<Byte>(size_[keep] + size_[drop]);
        unclosed_ &= ~(1U << drop);
    }

    std::array<Byte, 16> zone_{};  // of each open field, then of each corner of the tile
    std::array<Byte, 16> size_{};  // by number
    unsigned unclosed_ = 0;        // bit set of zones neither merged nor on the new frontier
};

}  // namespace tuilerie::kaosmos
