// Transposition table of Huutopussi: positions at the start of tricks, keyed by owner, points and order of the cards
// left.
#pragma once
#include "solver/search.h"
#include "solver/table_memory.h"

namespace nousu::NOUSU_ISA {

class HuutopussiTable {
public:
    struct Entry {
        std::uint64_t key;
        std::int16_t low, high;  // bounds of the value
    };

    explicit HuutopussiTable(int bits) : entries_(std::size_t{1} << bits), shift_(64 - bits) {}

    // Forget all entries: a new salt makes old keys unreachable, and their places do not depend on how many there were.
    void begin(const Position& p) {
        salt_ = hash_bits(++age_);
        for (Cards& plane : plane_) plane = 0;
        int classes[16], next = 0;
        for (int r = 0; r < 16; ++r) {
            int same = 0;
            while (same < r && p.value[same] != p.value[r]) ++same;
            classes[r] = same < r ? classes[same] : next++;
            for (int s = 0; s < SUITS; ++s)
                for (int k = 0; k < 3; ++k)
                    if (classes[r] >> k & 1) plane_[k] |= bit(16 * s + r);
        }
        owners_.assign(hands_before_trick(p));
        royals_ = bit(p.king) | bit(p.queen);
    }

    // Key of a position: the cards left, and in `state` what else tells positions apart. King and queen of `suits` are
    // told from other cards.
    std::uint64_t key(Cards left, std::uint64_t state, int suits) const {
        std::uint64_t shape = 0, names = 0;
        for (int s = 0; s < SUITS; ++s) shape = shape << 4 | static_cast<unsigned>(count(left & lane(s)));
        if (suits) {
            for (int s = 0; s < SUITS; ++s)
                if (suits >> s & 1) names |= royals_ << LANE_BITS * s;
            names = gather(names, left);
        }
        const Owners owners = owners_.of(left);
        std::uint64_t a = owners.word[0] * 0x9E3779B97F4A7C15ull, b = owners.word[1] * 0xD6E8FEB86659FD93ull;
        std::uint64_t c = (state << 16 | shape) * 0x589965CC75374CC3ull;
        a += gather(plane_[0], left) * 0xA0761D6478BD642Full;
        b += gather(plane_[1], left) * 0xE7037ED1A0B428DBull;
        c += gather(plane_[2], left) * 0x8EBC6AF09C88C6E3ull + names * 0xC2B2AE3D27D4EB4Full;
        a = (a ^ a >> 32) * 0xFF51AFD7ED558CCDull;
        b = (b ^ b >> 29) * 0xC4CEB9FE1A85EC53ull;
        return (hash_bits(a + b + (c ^ c >> 31)) ^ salt_) | 1;
    }

    Entry& at(std::uint64_t key) { return entries_[(key ^ salt_) >> shift_]; }

private:
    ZeroedArray<Entry> entries_;
    int shift_;
    std::uint64_t age_ = 0, salt_ = 0;
    Cards royals_ = 0, plane_[3]{};
    Owners owners_;
};

}  // namespace nousu::NOUSU_ISA
