// What has been learnt about positions, in terms that carry over to others: the lengths of all suits in all
// hands, who leads, what was asked, and some boundaries between neighbouring ranks. Two positions that agree in this much and in
// how many cards each hand holds below every boundary have the same answer: between two boundaries the order of
// the cards never mattered.
#pragma once
#include <cstring>
#include <utility>

#include "extract.h"
#include "memory.h"

namespace nousu::NOUSU_ISA {

class Cells {
public:
    // The cards left by rank, suits one after the other, two bits a card: for every card the exclusive or of the
    // owners of all cards below it in the same word.
    struct Ranks {
        std::uint64_t below[2];
    };
    // The top twelve bits of a word are free: below[0] carries the answer, below[1] the move.
    struct Known {
        std::uint64_t below[2];
        std::uint64_t mask[2];  // both bits of every card that has a boundary under it
        bool yes() const { return below[0] >> 52; }
        int move() const { return static_cast<int>(below[1] >> 52); }
    };
    static_assert(sizeof(Known) == 32);

    Cells(std::size_t shapes, std::size_t known) : slot_mask_(shapes - 1), slots_(shapes), pool_(known) {}

    void clear() {
        if (++age_ == 0) {
            for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = Shape{};
            age_ = 1;
        }
        used_ = 1;
        for (auto& first : free_) first = 0;
    }

    static Ranks ranks(std::uint64_t owners, std::uint64_t more) { return {{sums(owners), sums(more)}}; }

    // Ask the memory for a shape that will be looked up soon.
    void expect(std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(slots_.at(place(key)));
#else
        (void)key;
#endif
    }

    static constexpr int NO_MOVE = 255;

    // The answer, or null; then `near` becomes the last move that, with other ranks, gave the answer `wanted`.
    const Known* answer(std::uint64_t key, const Ranks& r, bool wanted, int& near) {
        const Shape* s = find(key);
        if (!s) return nullptr;
        Known* k = &pool_[s->first];
        for (int i = s->count - 1; i >= 0; --i) {
            if (((k[i].below[0] ^ r.below[0]) & k[i].mask[0]) | ((k[i].below[1] ^ r.below[1]) & k[i].mask[1])) continue;
            if (!agrees(k[i], r)) continue;
            // What was of use moves half the way to where the next look begins.
            int to = i + (s->count - i) / 2;
            std::swap(k[i], k[to]);
            return &k[to];
        }
        for (int i = s->count - 1; i >= 0 && near == NO_MOVE; --i)
            if (k[i].yes() == wanted) near = k[i].move();
        return nullptr;
    }

    void learn(std::uint64_t key, const Ranks& r, const std::uint64_t mask[2], bool yes, int move) {
        Shape* s = room(key);
        if (!s) return;
        Known& k = pool_[s->first + s->count++];
        for (int half = 0; half < 2; ++half) {
            k.mask[half] = mask[half];
            k.below[half] = r.below[half] & WORD;
        }
        k.below[0] |= static_cast<std::uint64_t>(yes) << 52;
        k.below[1] |= static_cast<std::uint64_t>(move) << 52;
    }

private:
    static constexpr std::uint64_t WORD = (std::uint64_t{1} << 52) - 1;  // 26 cards
    static constexpr int GRADES = 15;

    // Everything known about one shape lies side by side, in room for a power of two.
    struct Shape {
        std::uint64_t key;
        std::uint32_t first;
        std::uint16_t count;
        std::uint8_t grade;  // the power
        std::uint8_t age;
    };
    static_assert(sizeof(Shape) == 16);

    static std::uint64_t sums(std::uint64_t x) {
        x <<= 2;
        x ^= x << 2;
        x ^= x << 4;
        x ^= x << 8;
        x ^= x << 16;
        return x ^ x << 32;
    }
    // The way back; the owner of the word's top card is lost, but no boundary lies above it.
    static std::uint64_t owners(std::uint64_t below) { return (below ^ below >> 2) & WORD; }

    // Exclusive ors may agree by chance; the counts decide.
    static bool agrees(const Known& k, const Ranks& r) {
        for (int half = 0; half < 2; ++half) {
            const std::uint64_t x = owners(k.below[half] & WORD), y = owners(r.below[half] & WORD);
            if (x == y) continue;
            for (std::uint64_t m = k.mask[half] & EVENS; m; m &= m - 1) {
                const std::uint64_t under = ((m & -m) - 1) & EVENS;
                auto differ = [under](std::uint64_t a, std::uint64_t b) { return count(a & under) != count(b & under); };
                if (differ(x, y) || differ(x >> 1, y >> 1) || differ(x & x >> 1, y & y >> 1)) return false;
            }
        }
        return true;
    }

    std::size_t place(std::uint64_t key) const {
        // The high nibbles of a shape must reach the low bits, too: fold before and after.
        key = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
        return (key ^ key >> 29) >> 17 & slot_mask_;
    }

    const Shape* find(std::uint64_t key) const {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < 16; ++tries) {
            const Shape* slot = slots_.at(at ^ tries);
            if (slot->age != age_) return nullptr;
            if (slot->key == key) return slot;
        }
        return nullptr;
    }

    // The shape, with room for one more; null if there is none to be had.
    Shape* room(std::uint64_t key) {
        const std::size_t at = place(key);
        Shape* s = nullptr;
        for (std::size_t tries = 0; tries < 16 && !s; ++tries) {
            Shape& slot = slots_[at ^ tries];
            if (slot.age != age_) slot = Shape{key, 0, 0, 0, age_};
            if (slot.key == key) s = &slot;
        }
        if (!s) {  // crowded: forget one shape
            s = &slots_[at];
            release(*s);
            *s = Shape{key, 0, 0, 0, age_};
        }
        if (!s->first) {
            s->first = take(1);
            s->grade = 1;
            return s->first ? s : nullptr;
        }
        if (s->count < 1 << s->grade) return s;
        Known* old = &pool_[s->first];
        const std::uint32_t first = s->grade + 1 < GRADES ? take(s->grade + 1) : 0;
        if (!s->first) return nullptr;  // the search for room has taken this one
        if (!first) {  // forget what has been of no use for longest
            s->count /= 2;
            std::memcpy(static_cast<void*>(old), old + s->count, s->count * sizeof(Known));
            return s;
        }
        std::memcpy(static_cast<void*>(&pool_[first]), old, s->count * sizeof(Known));
        give(s->first, s->grade++);
        s->first = first;
        return s;
    }

    // Room for two to the power of `grade`: given back before, never used, or taken from other shapes.
    std::uint32_t take(int grade) {
        for (int turn = 0;; ++turn) {
            for (int from = grade; from < GRADES; ++from) {
                if (!free_[from]) continue;
                const std::uint32_t at = free_[from];
                free_[from] = next(at);
                for (int half = from - 1; half >= grade; --half) give(at + (1u << half), half);
                return at;
            }
            const std::size_t size = std::size_t{1} << grade;
            if (used_ + size <= pool_.size()) {
                const auto at = static_cast<std::uint32_t>(used_);
                used_ += size;
                return at;
            }
            if (turn == 16) return 0;
            sweep();
        }
    }

    // Forget the shapes of the next part of the table that have few cards left.
    void sweep() {
        const std::size_t part = slots_.size() / 16;
        for (std::size_t i = 0; i < part; ++i) {
            Shape& s = slots_[swept_++ & slot_mask_];
            const std::uint64_t hand = s.key & 0xFFFF;
            const std::uint64_t cards = (hand & 15) + (hand >> 4 & 15) + (hand >> 8 & 15) + (hand >> 12);
            if (s.age == age_ && cards <= 5) release(s);
        }
    }

    std::uint32_t next(std::uint32_t at) const {
        std::uint32_t following;
        std::memcpy(&following, pool_.at(at), sizeof following);
        return following;
    }
    void give(std::uint32_t at, int grade) {
        std::memcpy(static_cast<void*>(&pool_[at]), &free_[grade], sizeof at);
        free_[grade] = at;
    }
    void release(Shape& s) {
        if (s.first) give(s.first, s.grade);
        s.first = s.count = 0;
    }

    std::size_t slot_mask_;
    Store<Shape> slots_;
    Store<Known> pool_;
    std::size_t used_ = 1, swept_ = 0;
    std::uint32_t free_[GRADES]{};
    std::uint8_t age_ = 1;
};

}  // namespace nousu::NOUSU_ISA
