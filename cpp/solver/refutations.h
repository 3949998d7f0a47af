// Refutation table: the card that last caused a cutoff in a similar situation (the same hand to lead or discard from,
// the same cards of a suit to follow with). Only a hint for the order of moves; two situations may share an entry.
#pragma once
#include "common/cards.h"
#include "solver/table_memory.h"

namespace nousu::NOUSU_ISA {

class Refutations {
public:
    // With too few entries a long search forgets; with too many a short one waits for memory.
    enum Size { SMALL = 18, LARGE = 20 };
    Refutations() : cards_(std::size_t{1} << LARGE) {}

    void clear(Size size = SMALL) {
        shift_ = 64 - size;
        if (++age_ < 1 << 10) return;
        for (std::size_t i = 0; i < cards_.size(); ++i) cards_[i] = 0;
        age_ = 1;
    }

    std::uint16_t& at(Cards cards, int kind = 0) {
        std::uint64_t key = cards * 0x9E3779B97F4A7C15ull;
        key = (key ^ key >> 32 ^ static_cast<unsigned>(kind)) * 0xD6E8FEB86659FD93ull;
        return cards_[key >> shift_];
    }
    int card(std::uint16_t entry) const { return entry >> 6 == age_ ? entry & 63 : NONE; }
    void set(std::uint16_t& entry, int card) const { entry = static_cast<std::uint16_t>(age_ << 6 | card); }

private:
    int shift_ = 64 - SMALL;
    ZeroedArray<std::uint16_t> cards_;
    unsigned age_ = 0;
};

}  // namespace nousu::NOUSU_ISA
