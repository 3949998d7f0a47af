// The card that last cut in like circumstances: the same hand to lead or to throw from, the same cards of a suit
// to follow in. Only a hint for the order of moves; two circumstances may share a place.
#pragma once
#include "common/cards.h"
#include "solver/table_memory.h"

namespace nousu::NOUSU_ISA {

class Replies {
public:
    // Too few places and a long search forgets, too many and a short one waits for them.
    enum Room { SOME = 18, MUCH = 20 };
    Replies() : cards_(std::size_t{1} << MUCH) {}

    void clear(Room room = SOME) {
        shift_ = 64 - room;
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
    int shift_ = 64 - SOME;
    Store<std::uint16_t> cards_;
    unsigned age_ = 0;
};

}  // namespace nousu::NOUSU_ISA
