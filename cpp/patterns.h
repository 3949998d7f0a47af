// What has been learnt about positions, in terms that carry over to others: the lengths of all suits in all
// hands, who leads, and who owns the highest cards of each suit down to the lowest rank that mattered. Two
// positions that agree in this much have the same value, wherever their small cards lie.
#pragma once
#include <cstring>

#include "extract.h"
#include "memory.h"

namespace nousu::NOUSU_ISA {

// The owners of the cards left, by rank among them: two bits a card, spades and hearts in the first word.
struct Owners {
    std::uint64_t word[2];
};

class Patterns {
public:
    struct Known {
        std::uint64_t owner[2];
        std::uint64_t mask[2];
        std::int8_t low, high;
        std::uint8_t move;
    };

    Patterns(std::size_t shapes, std::size_t blocks)
        : slot_mask_(shapes - 1), slots_(shapes), blocks_(blocks) {}

    void clear() {
        if (used_ > 1) {
            if (++age_ == 0) {
                for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = Shape{};
                age_ = 1;
            }
        }
        used_ = 1;
    }

    // What is known about one shape: a chain of blocks, each holding a few patterns side by side.
    struct Shape {
        std::uint64_t key = 0;
        std::uint32_t age = 0;
        std::uint32_t first = 0;
    };

    // Ask the memory for a shape that will be looked up soon.
    void expect(std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(slots_.at(place(key)));
#else
        (void)key;
#endif
    }

    Shape& shape(std::uint64_t key) {
        std::size_t at = place(key);
        for (int tries = 0; tries < 16; ++tries) {
            Shape& slot = slots_[at ^ tries];
            if (slot.age != age_) {
                slot = {key, age_, 0};
                return slot;
            }
            if (slot.key == key) return slot;
        }
        Shape& slot = slots_[at];  // crowded: forget one shape
        slot = {key, age_, 0};
        return slot;
    }

    // A bound that settles `need`, or null; `kin` is set to what matched without settling it.
    const Known* settled(const Shape& shape, const Owners& own, int need, Known*& kin) {
        kin = nullptr;
        for (std::uint32_t i = shape.first; i;) {
            Block& block = blocks_[i];
            for (int j = 0; j < block.count; ++j) {
                Known& k = block.known[j];
                if (((own.word[0] ^ k.owner[0]) & k.mask[0]) | ((own.word[1] ^ k.owner[1]) & k.mask[1])) continue;
                if (k.low >= need || k.high < need) return &k;
                kin = &k;
            }
            i = block.next;
        }
        return nullptr;
    }

    void learn(std::uint64_t key, const Owners& own, const std::uint64_t mask[2], Known* kin, int low, int high,
               int move) {
        if (kin && kin->mask[0] == mask[0] && kin->mask[1] == mask[1] &&
            kin->owner[0] == (own.word[0] & mask[0]) && kin->owner[1] == (own.word[1] & mask[1])) {
            kin->low = std::max(kin->low, static_cast<std::int8_t>(low));
            kin->high = std::min(kin->high, static_cast<std::int8_t>(high));
            kin->move = static_cast<std::uint8_t>(move);
            return;
        }
        Shape& s = shape(key);
        std::uint32_t i = s.first;
        if (!i || blocks_[i].count == BLOCK) {
            if (used_ == blocks_.size()) {  // start afresh; what matters is soon learnt again
                clear();
                return;
            }
            blocks_[used_].count = 0;
            blocks_[used_].next = i;
            s.first = i = static_cast<std::uint32_t>(used_++);
        }
        Known& k = blocks_[i].known[blocks_[i].count++];
        k.mask[0] = mask[0];
        k.mask[1] = mask[1];
        k.owner[0] = own.word[0] & mask[0];
        k.owner[1] = own.word[1] & mask[1];
        k.low = static_cast<std::int8_t>(low);
        k.high = static_cast<std::int8_t>(high);
        k.move = static_cast<std::uint8_t>(move);
    }

    // Changes whenever everything is forgotten; what `settled` pointed to is then gone.
    std::uint32_t era() const { return age_; }

private:
    std::size_t place(std::uint64_t key) const {
        // The high nibbles of a shape must reach the low bits, too: fold before and after.
        key = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
        return (key ^ key >> 29) >> 17 & slot_mask_;
    }

    static constexpr int BLOCK = 2;
    struct Block {
        Known known[BLOCK];
        std::uint32_t next;
        std::int32_t count;
    };
    std::size_t slot_mask_;
    Store<Shape> slots_;
    Store<Block> blocks_;
    std::size_t used_ = 1;
    std::uint32_t age_ = 1;
};

}  // namespace nousu::NOUSU_ISA
