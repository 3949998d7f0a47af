// What nolo has learnt about positions, in terms that carry over to others: the lengths of all suits in all hands,
// who leads, what was asked, and which card is the higher in those pairs the answer rests on. Where the same pairs
// are ordered the same way, whatever the others, the same plays win and lose the same tricks.
#pragma once
#include <bit>
#include <cstring>
#include <utility>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "solver/card_pairs.h"
#include "solver/table_memory.h"

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
    // Four pieces of what is known, one word of each: the order where the mask is set.
    struct alignas(64) Cell {
        std::uint64_t order[4], mask[4];
    };
    // One piece of what is known; none if there is no cell.
    struct Known {
        const Cell* cell;
        int lane, words;
        explicit operator bool() const { return cell; }
        std::uint64_t mask(int word) const { return cell[word].mask[lane]; }
        Tag tag() const {
            const std::uint64_t last = cell[words - 1].order[lane];
            return {(last >> 63) != 0, static_cast<int>(last >> 59 & 15), static_cast<int>(last >> 55 & 15)};
        }
    };

    NoloTable(std::size_t shapes, std::size_t cells) : slot_mask_(shapes - 1), slots_(shapes), pool_(cells) {}

    void clear() {
        if (++age_ == 0) {
            for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = Shape{};
            age_ = 1;
        }
        used_ = 1;  // no row begins at nought
        for (auto& first : free_) first = 0;
    }

    // Ask the memory for a shape that will be looked up soon.
    void expect(std::uint64_t key) const { fetch(slots_.at(place(key))); }

    // What was learnt last, or of use last, is looked at first.
    Known answer(std::uint64_t key, int leader, const Order& o) {
        const Shape* s = find(key);
        if (!s || !s->row[leader].size) return {nullptr, 0, 0};
        const Row& row = s->row[leader];
        Cell* cells = &pool_[row.first];
        switch (o.words) {
            case 1: return among<1>(cells, row.size, o);
            case 2: return among<2>(cells, row.size, o);
            case 3: return among<3>(cells, row.size, o);
            default: return among<4>(cells, row.size, o);
        }
    }

    // All that is known about one shape, not only the first piece that holds.
    template <class Use>
    void each(std::uint64_t key, int leader, const Order& o, Use use) const {
        const Shape* s = find(key);
        if (!s || !s->row[leader].size) return;
        const Row& row = s->row[leader];
        const Cell* cells = pool_.at(row.first);
        switch (o.words) {
            case 1: return all<1>(cells, row.size, o, use);
            case 2: return all<2>(cells, row.size, o, use);
            case 3: return all<3>(cells, row.size, o, use);
            default: return all<4>(cells, row.size, o, use);
        }
    }

    void learn(std::uint64_t key, int leader, const Order& o, const std::uint64_t mask[4], Tag tag) {
        Row* row = room(key, leader, o.words);
        if (!row) return;
        const int lane = row->size & 3;
        Cell* cell = &pool_[row->first] + row->size / 4 * o.words;
        if (!lane)  // the other lanes match nothing
            for (int i = 0; i < 4; ++i) cell[o.words - 1].order[i] = cell[o.words - 1].mask[i] = HIGHEST;
        for (int w = 0; w < o.words; ++w) {
            cell[w].order[lane] = o.word[w];
            cell[w].mask[lane] = mask[w];
        }
        cell[o.words - 1].order[lane] |= std::uint64_t{tag.yes} << 63 | static_cast<std::uint64_t>(tag.low) << 59 |
                                         static_cast<std::uint64_t>(tag.high) << 55;
        ++row->size;
    }

private:
    static constexpr int GRADES = 13;
    static constexpr std::uint64_t HIGHEST = std::uint64_t{1} << 63;

    // Everything known about one shape and leader lies side by side, in room for a power of two of cells.
    struct Row {
        std::uint32_t first;
        std::uint16_t size;   // pieces
        std::uint16_t grade;  // the power
    };
    struct alignas(64) Shape {
        std::uint64_t key;
        std::uint64_t age;
        Row row[4];  // one for every leader
    };
    static_assert(sizeof(Shape) == 64);

    template <int WORDS>
    static unsigned agree(const Cell* cell, const Order& o) {
#ifdef __AVX2__
        __m256i differ = _mm256_setzero_si256();
        for (int w = 0; w < WORDS; ++w) {
            const __m256i now = _mm256_set1_epi64x(static_cast<long long>(o.word[w]));
            const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(cell[w].order));
            const __m256i mask = _mm256_load_si256(reinterpret_cast<const __m256i*>(cell[w].mask));
            differ = _mm256_or_si256(differ, _mm256_and_si256(_mm256_xor_si256(order, now), mask));
        }
        return static_cast<unsigned>(
            _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(differ, _mm256_setzero_si256()))));
#else
        unsigned same = 0;
        for (int lane = 0; lane < 4; ++lane) {
            std::uint64_t differ = 0;
            for (int w = 0; w < WORDS; ++w) differ |= (cell[w].order[lane] ^ o.word[w]) & cell[w].mask[lane];
            same |= static_cast<unsigned>(!differ) << lane;
        }
        return same;
#endif
    }
    template <int WORDS, class Use>
    static void all(const Cell* cells, int size, const Order& o, Use use) {
        for (const Cell* cell = cells + (size - 1) / 4 * WORDS;; cell -= WORDS) {
            for (unsigned same = agree<WORDS>(cell, o); same; same &= same - 1)
                use(Known{cell, std::countr_zero(same), WORDS});
            if (cell == cells) return;
        }
    }

    template <int WORDS>
    static Known among(Cell* cells, int size, const Order& o) {
        for (Cell* cell = cells + (size - 1) / 4 * WORDS;; cell -= WORDS) {
            const unsigned same = agree<WORDS>(cell, o);
            if (same) {
                // What was of use moves half the way to where the next look begins.
                const int lane = std::bit_width(same) - 1;
                const int at = static_cast<int>(cell - cells) / WORDS * 4 + lane, to = at + (size - at) / 2;
                Cell* there = cells + to / 4 * WORDS;
                for (int w = 0; w < WORDS; ++w) {
                    std::swap(cell[w].order[lane], there[w].order[to & 3]);
                    std::swap(cell[w].mask[lane], there[w].mask[to & 3]);
                }
                return {there, to & 3, WORDS};
            }
            if (cell == cells) return {nullptr, 0, 0};
        }
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

    // The row, with room for one more of `words`; null if there is none to be had.
    Row* room(std::uint64_t key, int leader, int words) {
        const std::size_t at = place(key);
        Shape* s = nullptr;
        for (std::size_t tries = 0; tries < 16 && !s; ++tries) {
            Shape& slot = slots_[at ^ tries];
            if (slot.age != age_) slot = Shape{key, age_, {}};
            if (slot.key == key) s = &slot;
        }
        if (!s) {  // crowded: forget one shape
            s = &slots_[at];
            release(*s);
            *s = Shape{key, age_, {}};
        }
        Row& row = s->row[leader];
        if (!row.first) {
            row.grade = static_cast<std::uint16_t>(std::bit_width(static_cast<unsigned>(words - 1)));
            row.first = take(row.grade);
            return row.first ? &row : nullptr;
        }
        if (row.size % 4 || (row.size / 4 + 1) * words <= 1 << row.grade) return &row;
        const std::uint32_t first = row.grade + 1 < GRADES ? take(row.grade + 1) : 0;
        if (!row.first) return nullptr;  // the search for room has taken this one
        Cell* old = &pool_[row.first];
        if (!first) {  // forget what has been of no use for longest
            const int blocks = row.size / 4, kept = blocks / 2;
            std::memmove(static_cast<void*>(old), old + (blocks - kept) * words, kept * words * sizeof(Cell));
            row.size = static_cast<std::uint16_t>(4 * kept);
            return &row;
        }
        std::memcpy(static_cast<void*>(&pool_[first]), old, row.size / 4 * words * sizeof(Cell));
        give(row.first, row.grade++);
        row.first = first;
        return &row;
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
        for (Row& row : s.row) {
            if (row.first) give(row.first, row.grade);
            row.first = row.size = 0;
        }
    }

    std::size_t slot_mask_;
    Store<Shape> slots_;
    Store<Cell> pool_;
    std::size_t used_ = 1, swept_ = 0;
    std::uint32_t free_[GRADES]{};
    std::uint64_t age_ = 1;
};

}  // namespace nousu::NOUSU_ISA
