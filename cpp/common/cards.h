// Sets of cards and small bit arithmetic. A card is 16 * suit + strength. Python has sorted the ranks by strength, so a
// higher bit within a suit always beats a lower one. A lane is the 16 bits of one suit.
#pragma once
#include <bit>

#include "common/position.h"

namespace nousu::NOUSU_ISA {

constexpr int LANE_BITS = 16;
constexpr Cards LANE = 0xFFFF;

constexpr Cards bit(int card) { return Cards{1} << card; }
constexpr int suit_of(int card) { return card >> 4; }
constexpr Cards lane(int suit) { return LANE << (LANE_BITS * suit); }
inline int lowest(Cards cards) { return std::countr_zero(cards); }
inline int highest(Cards cards) { return 63 - std::countl_zero(cards); }
inline int count(Cards cards) { return std::popcount(cards); }

// The highest card of every run in `mine`: cards with no other present card between them are equivalent. A card on
// `edges` ends a run: it is not joined to the next higher card.
constexpr Cards run_tops(Cards mine, Cards present, Cards edges = 0) {
    // Every card casts a shadow downwards over the gaps; a card in a shadow is not the top of its run.
    Cards gap = ~present & ~edges & 0x1FFF1FFF1FFF1FFFull, shade = mine;
    shade |= gap & shade >> 1;
    gap &= gap >> 1;
    shade |= gap & shade >> 2;
    gap &= gap >> 2;
    shade |= gap & shade >> 4;
    gap &= gap >> 4;
    shade |= gap & shade >> 8;
    return mine & ~(shade >> 1 & ~edges);
}

// Hash for table keys: every input bit changes every output bit with probability about one half.
constexpr std::uint64_t hash_bits(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    x ^= x >> 29;
    x *= 0xA0761D6478BD642Full;
    return x ^ x >> 32;
}

}  // namespace nousu::NOUSU_ISA
