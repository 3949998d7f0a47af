// What nolo has learnt about positions, in terms that carry over to others: the lengths of all suits in all hands,
// who leads, what was asked, and which card is the higher in those pairs the answer rests on. Where the same pairs
// are ordered the same way, whatever the others, the same plays win and lose the same tricks.
#pragma once
#include <cstring>
#include <utility>

#include "memory.h"
#include "pairs.h"

namespace nousu::NOUSU_ISA {

class NoloTable {
public:
    // What is known beside the order, in the highest bits of the last word: the answer, and where it is about leads,
    // their places in the hand from the lowest to the highest.
    static constexpr int TAG = 9;
    struct Tag {
        bool yes;
        int low, high;
    };
    // The pairs left, suits one after the other, in as many words as they need with room for a tag.
    struct Order {
        std::uint64_t word[4];
        int words;
    };
    // One word of what is known: the order where the mask is set.
    struct Word {
        std::uint64_t order, mask;
    };

    NoloTable(std::size_t shapes, std::size_t words) : slot_mask_(shapes - 1), slots_(shapes), pool_(words) {}

    void clear() {
        if (++age_ == 0) {
            for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = Shape{};
            age_ = 1;
        }
        used_ = 2;  // no row begins at nought
        for (auto& first : free_) first = 0;
    }

    // Ask the memory for a shape that will be looked up soon.
    void expect(std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(slots_.at(place(key)));
#else
        (void)key;
#endif
    }

    // The words of what is known, or null. What was learnt last, or of use last, is looked at first.
    const Word* answer(std::uint64_t key, const Order& o) {
        const Shape* s = find(key);
        if (!s) return nullptr;
        Word* row = &pool_[s->first];
        switch (o.words) {
            case 1: return among<1>(row, row + s->size, o);
            case 2: return among<2>(row, row + s->size, o);
            case 3: return among<3>(row, row + s->size, o);
            default: return among<4>(row, row + s->size, o);
        }
    }
    static Tag tag(const Word* k, const Order& o) {
        const std::uint64_t last = k[o.words - 1].order;
        return {static_cast<bool>(last >> 63), static_cast<int>(last >> 59 & 15), static_cast<int>(last >> 55 & 15)};
    }

    // All that is known, what was learnt last first.
    template <class Use>
    void each(std::uint64_t key, const Order& o, Use use) const {
        const Shape* s = find(key);
        if (!s) return;
        const Word* row = pool_.at(s->first);
        switch (o.words) {
            case 1: return all<1>(row, row + s->size, o, use);
            case 2: return all<2>(row, row + s->size, o, use);
            case 3: return all<3>(row, row + s->size, o, use);
            default: return all<4>(row, row + s->size, o, use);
        }
    }

    void learn(std::uint64_t key, const Order& o, const std::uint64_t mask[4], Tag tag) {
        Shape* s = room(key, o.words);
        if (!s) return;
        Word* k = &pool_[s->first] + s->size;
        s->size = static_cast<std::uint16_t>(s->size + o.words);
        for (int w = 0; w < o.words; ++w) k[w] = {o.word[w], mask[w]};
        k[o.words - 1].order |= std::uint64_t{tag.yes} << 63 | static_cast<std::uint64_t>(tag.low) << 59 |
                                static_cast<std::uint64_t>(tag.high) << 55;
    }

private:
    static constexpr int GRADES = 15;

    // Everything known about one shape lies side by side, in room for a power of two of words.
    struct Shape {
        std::uint64_t key;
        std::uint32_t first;
        std::uint16_t size;  // words in use
        std::uint8_t grade;  // the power
        std::uint8_t age;
    };
    static_assert(sizeof(Shape) == 16);

    template <int WORDS>
    static bool holds(const Word* k, const Order& o) {
        std::uint64_t differ = 0;
        for (int w = 0; w < WORDS; ++w) differ |= (k[w].order ^ o.word[w]) & k[w].mask;
        return !differ;
    }

    template <int WORDS, class Use>
    static void all(const Word* row, const Word* end, const Order& o, Use use) {
        for (const Word* k = end; k != row;) {
            k -= WORDS;
            if (holds<WORDS>(k, o)) use(k);
        }
    }

    template <int WORDS>
    static const Word* among(Word* row, Word* end, const Order& o) {
        for (Word* k = end; k != row;) {
            k -= WORDS;
            if (!holds<WORDS>(k, o)) continue;
            // What was of use moves half the way to where the next look begins.
            Word* to = k + (end - k) / (2 * WORDS) * WORDS;
            for (int w = 0; w < WORDS; ++w) std::swap(k[w], to[w]);
            return to;
        }
        return nullptr;
    }

    std::size_t place(std::uint64_t key) const { return mix(key) & slot_mask_; }

    const Shape* find(std::uint64_t key) const {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < 16; ++tries) {
            const Shape* slot = slots_.at(at ^ tries);
            if (slot->age != age_) return nullptr;
            if (slot->key == key) return slot;
        }
        return nullptr;
    }

    // The shape, with room for one more of `words`; null if there is none to be had.
    Shape* room(std::uint64_t key, int words) {
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
            s->grade = static_cast<std::uint8_t>(words < 3 ? words : 3);
            s->first = take(s->grade);
            return s->first ? s : nullptr;
        }
        if (s->size + words <= 1 << s->grade) return s;
        Word* old = &pool_[s->first];
        const std::uint32_t first = s->grade + 1 < GRADES ? take(s->grade + 1) : 0;
        if (!s->first) return nullptr;  // the search for room has taken this one
        if (!first) {                   // forget what has been of no use for longest
            const int kept = s->size / words / 2 * words;
            std::memmove(static_cast<void*>(old), old + s->size - kept, kept * sizeof(Word));
            s->size = static_cast<std::uint16_t>(kept);
            return s;
        }
        std::memcpy(static_cast<void*>(&pool_[first]), old, s->size * sizeof(Word));
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
        s.first = s.size = 0;
    }

    std::size_t slot_mask_;
    Store<Shape> slots_;
    Store<Word> pool_;
    std::size_t used_ = 2, swept_ = 0;
    std::uint32_t free_[GRADES]{};
    std::uint8_t age_ = 1;
};

}  // namespace nousu::NOUSU_ISA
