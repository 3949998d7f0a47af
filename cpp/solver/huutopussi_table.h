// What is known of positions of Huutopussi at the start of tricks. Cards count by owner, worth and order.
#pragma once
#include "common/bits.h"
#include "solver/table_memory.h"

namespace nousu::NOUSU_ISA {

class HuutopussiTable {
public:
    struct Entry {
        std::uint64_t key;
        std::int16_t low, high;  // bounds of the value
    };

    explicit HuutopussiTable(int bits) : entries_(std::size_t{1} << bits), shift_(64 - bits) {}

    // Forgets everything: no key of another problem is met again, and its place does not depend on how many there
    // were.
    void begin(const Problem& p) {
        salt_ = mix(++age_);
        for (Cards& plane : plane_) plane = 0;
        int classes[16], found = 0;
        for (int r = 0; r < 16; ++r) {
            int same = 0;
            while (same < r && p.value[same] != p.value[r]) ++same;
            classes[r] = same < r ? classes[same] : found++;
            for (int s = 0; s < SUITS; ++s)
                for (int k = 0; k < 3; ++k)
                    if (classes[r] >> k & 1) plane_[k] |= bit(16 * s + r);
        }
        own_[0] = own_[1] = 0;
        for (int seat = 0; seat < 4; ++seat) {
            Cards all = p.hand[seat];
            for (int i = 0; i < p.played; ++i)
                if (p.trick_seat[i] == seat) all |= bit(p.trick_card[i]);
            for (int half = 0; half < 2; ++half)
                own_[half] |= (doubled(all >> 32 * half & 0xFFFFFFFF) & EVENS) * static_cast<unsigned>(seat);
        }
        royals_ = bit(p.king) | bit(p.queen);
    }

    // The key of a position: the cards left and in `state` what else is to be told apart. King and queen of `suits`
    // count by name.
    std::uint64_t key(Cards left, std::uint64_t state, int suits) const {
        std::uint64_t shape = 0, names = 0;
        for (int s = 0; s < SUITS; ++s) shape = shape << 4 | static_cast<unsigned>(count(left & lane(s)));
        if (suits) {
            for (int s = 0; s < SUITS; ++s)
                if (suits >> s & 1) names |= royals_ << LANE_BITS * s;
            names = gather(names, left);
        }
        std::uint64_t a = gather(own_[0], doubled(left & 0xFFFFFFFF)) * 0x9E3779B97F4A7C15ull;
        std::uint64_t b = gather(own_[1], doubled(left >> 32)) * 0xD6E8FEB86659FD93ull;
        std::uint64_t c = (state << 16 | shape) * 0x589965CC75374CC3ull;
        a += gather(plane_[0], left) * 0xA0761D6478BD642Full;
        b += gather(plane_[1], left) * 0xE7037ED1A0B428DBull;
        c += gather(plane_[2], left) * 0x8EBC6AF09C88C6E3ull + names * 0xC2B2AE3D27D4EB4Full;
        a = (a ^ a >> 32) * 0xFF51AFD7ED558CCDull;
        b = (b ^ b >> 29) * 0xC4CEB9FE1A85EC53ull;
        return (mix(a + b + (c ^ c >> 31)) ^ salt_) | 1;
    }

    Entry& at(std::uint64_t key) { return entries_[(key ^ salt_) >> shift_]; }

private:
    Store<Entry> entries_;
    int shift_;
    std::uint64_t age_ = 0, salt_ = 0;
    Cards royals_ = 0, plane_[3]{};
    std::uint64_t own_[2]{};
};

}  // namespace nousu::NOUSU_ISA
