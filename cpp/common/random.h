// Random numbers and random cards.
#pragma once
#include "common/bits.h"

namespace nousu::NOUSU_ISA {

// SplitMix64: small, fast, and good enough to pick cards.
struct Dice {
    std::uint64_t state;
    std::uint64_t next() {
        std::uint64_t z = state += 0x9E3779B97F4A7C15ull;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        return z ^ z >> 31;
    }
    // A number from 0 to limit - 1.
    unsigned below(int limit) {
        return static_cast<unsigned>((next() >> 32) * static_cast<std::uint64_t>(limit) >> 32);
    }
};

// The card at place `at` among `cards`, from the lowest.
inline Cards nth_card(Cards cards, unsigned at) { return scatter(Cards{1} << at, cards); }

}  // namespace nousu::NOUSU_ISA
