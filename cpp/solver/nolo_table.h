// Transposition table of nolo. An entry holds for every position with the same suit lengths, leader and question in
// which certain pairs of cards have the same order: there the same plays win and lose the same tricks.
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
    // Stored above the order, in the highest bits of the last word: the answer and, for failed leads, the lowest and
    // highest place of the block in the hand.
    static constexpr int TAG = 9;
    struct Tag {
        bool answer;
        int low, high;
    };
    // The order of the pairs left, suit after suit, in as many words as needed with room for a tag.
    struct Order {
        std::uint64_t word[4];
        int words;
    };
    // Four entries, one word of each: the order where the mask is set.
    struct alignas(64) Cell {
        std::uint64_t order[4], mask[4];
    };
    // One matching entry; false if there is none.
    struct Match {
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
        used_ = 1;  // 0 means "no row"
        for (auto& first : free_) first = 0;
    }

    // Prefetch a shape that will be looked up soon.
    void prefetch_shape(std::uint64_t key) const { prefetch(slots_.at(place(key))); }

    // The first entry that matches, from the last one stored or used.
    Match find(std::uint64_t key, int leader, const Order& order) {
        const Shape* shape = find_shape(key);
        if (!shape || !shape->row[leader].size) return {nullptr, 0, 0};
        const Row& row = shape->row[leader];
        Cell* cells = &pool_[row.first];
        switch (order.words) {
            case 1: return first_match<1>(cells, row.size, order);
            case 2: return first_match<2>(cells, row.size, order);
            case 3: return first_match<3>(cells, row.size, order);
            default: return first_match<4>(cells, row.size, order);
        }
    }

    // All matching entries of one shape.
    template <class Visit>
    void for_each_match(std::uint64_t key, int leader, const Order& order, Visit visit) const {
        const Shape* shape = find_shape(key);
        if (!shape || !shape->row[leader].size) return;
        const Row& row = shape->row[leader];
        const Cell* cells = pool_.at(row.first);
        switch (order.words) {
            case 1: return visit_matches<1>(cells, row.size, order, visit);
            case 2: return visit_matches<2>(cells, row.size, order, visit);
            case 3: return visit_matches<3>(cells, row.size, order, visit);
            default: return visit_matches<4>(cells, row.size, order, visit);
        }
    }

    void store(std::uint64_t key, int leader, const Order& order, const std::uint64_t mask[4], Tag tag) {
        Row* row = row_with_room(key, leader, order.words);
        if (!row) return;
        const int lane = row->size & 3;
        Cell* cell = &pool_[row->first] + row->size / 4 * order.words;
        if (!lane)  // the other lanes match no position
            for (int i = 0; i < 4; ++i) cell[order.words - 1].order[i] = cell[order.words - 1].mask[i] = HIGHEST;
        for (int w = 0; w < order.words; ++w) {
            cell[w].order[lane] = order.word[w];
            cell[w].mask[lane] = mask[w];
        }
        cell[order.words - 1].order[lane] |= std::uint64_t{tag.answer} << 63 |
                                             static_cast<std::uint64_t>(tag.low) << 59 |
                                             static_cast<std::uint64_t>(tag.high) << 55;
        ++row->size;
    }

private:
    static constexpr int SIZES = 13;
    static constexpr std::uint64_t HIGHEST = std::uint64_t{1} << 63;

    // The entries of one shape and leader: a contiguous block of 2^size_log cells.
    struct Row {
        std::uint32_t first;
        std::uint16_t size;      // entries
        std::uint16_t size_log;  // capacity: 2^size_log cells
    };
    struct alignas(64) Shape {
        std::uint64_t key;
        std::uint64_t age;
        Row row[4];  // by leader
    };
    static_assert(sizeof(Shape) == 64);

    template <int WORDS>
    static unsigned matching_lanes(const Cell* cell, const Order& order) {
#ifdef __AVX2__
        __m256i differ = _mm256_setzero_si256();
        for (int w = 0; w < WORDS; ++w) {
            const __m256i now = _mm256_set1_epi64x(static_cast<long long>(order.word[w]));
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
            for (int w = 0; w < WORDS; ++w) differ |= (cell[w].order[lane] ^ order.word[w]) & cell[w].mask[lane];
            same |= static_cast<unsigned>(!differ) << lane;
        }
        return same;
#endif
    }
    template <int WORDS, class Visit>
    static void visit_matches(const Cell* cells, int size, const Order& order, Visit visit) {
        for (const Cell* cell = cells + (size - 1) / 4 * WORDS;; cell -= WORDS) {
            for (unsigned same = matching_lanes<WORDS>(cell, order); same; same &= same - 1)
                visit(Match{cell, std::countr_zero(same), WORDS});
            if (cell == cells) return;
        }
    }

    template <int WORDS>
    static Match first_match(Cell* cells, int size, const Order& order) {
        for (Cell* cell = cells + (size - 1) / 4 * WORDS;; cell -= WORDS) {
            const unsigned same = matching_lanes<WORDS>(cell, order);
            if (same) {
                // A match moves half the way to where the next search of the row begins.
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

    std::size_t place(std::uint64_t key) const { return hash_bits(key) & slot_mask_; }

    const Shape* find_shape(std::uint64_t key) const {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < 16; ++tries) {
            const Shape* slot = slots_.at(at ^ tries);
            if (slot->age != age_) return nullptr;
            if (slot->key == key) return slot;
        }
        return nullptr;
    }

    // The row with room for one more entry of `words`; null if there is no memory.
    Row* row_with_room(std::uint64_t key, int leader, int words) {
        const std::size_t at = place(key);
        Shape* shape = nullptr;
        for (std::size_t tries = 0; tries < 16 && !shape; ++tries) {
            Shape& slot = slots_[at ^ tries];
            if (slot.age != age_) slot = Shape{key, age_, {}};
            if (slot.key == key) shape = &slot;
        }
        if (!shape) {  // crowded: evict one shape
            shape = &slots_[at];
            free_rows(*shape);
            *shape = Shape{key, age_, {}};
        }
        Row& row = shape->row[leader];
        if (!row.first) {
            row.size_log = static_cast<std::uint16_t>(std::bit_width(static_cast<unsigned>(words - 1)));
            row.first = allocate(row.size_log);
            return row.first ? &row : nullptr;
        }
        if (row.size % 4 || (row.size / 4 + 1) * words <= 1 << row.size_log) return &row;
        const std::uint32_t first = row.size_log + 1 < SIZES ? allocate(row.size_log + 1) : 0;
        if (!row.first) return nullptr;  // evicted while memory was freed
        Cell* old = &pool_[row.first];
        if (!first) {  // drop the entries unused for longest
            const int blocks = row.size / 4, retained = blocks / 2;
            std::memmove(static_cast<void*>(old), old + (blocks - retained) * words, retained * words * sizeof(Cell));
            row.size = static_cast<std::uint16_t>(4 * retained);
            return &row;
        }
        std::memcpy(static_cast<void*>(&pool_[first]), old, row.size / 4 * words * sizeof(Cell));
        free_block(row.first, row.size_log++);
        row.first = first;
        return &row;
    }

    // A block of 2^size_log cells: freed before, never used, or evicted from other shapes; 0 if there is none.
    std::uint32_t allocate(int size_log) {
        for (int turn = 0;; ++turn) {
            for (int from = size_log; from < SIZES; ++from) {
                if (!free_[from]) continue;
                const std::uint32_t at = free_[from];
                free_[from] = next(at);
                for (int half = from - 1; half >= size_log; --half) free_block(at + (1u << half), half);
                return at;
            }
            const std::size_t size = std::size_t{1} << size_log;
            if (used_ + size <= pool_.size()) {
                const auto at = static_cast<std::uint32_t>(used_);
                used_ += size;
                return at;
            }
            if (turn == 16) return 0;
            evict();
        }
    }

    // Evict the shapes with few cards left from the next sixteenth of the table.
    void evict() {
        const std::size_t part = slots_.size() / 16;
        for (std::size_t i = 0; i < part; ++i) {
            Shape& shape = slots_[swept_++ & slot_mask_];
            const std::uint64_t hand = shape.key & 0xFFFF;
            const std::uint64_t cards = (hand & 15) + (hand >> 4 & 15) + (hand >> 8 & 15) + (hand >> 12);
            if (shape.age == age_ && cards <= 5) free_rows(shape);
        }
    }

    std::uint32_t next(std::uint32_t at) const {
        std::uint32_t following;
        std::memcpy(&following, pool_.at(at), sizeof following);
        return following;
    }
    void free_block(std::uint32_t at, int size_log) {
        std::memcpy(static_cast<void*>(&pool_[at]), &free_[size_log], sizeof at);
        free_[size_log] = at;
    }
    void free_rows(Shape& shape) {
        for (Row& row : shape.row) {
            if (row.first) free_block(row.first, row.size_log);
            row.first = row.size = 0;
        }
    }

    std::size_t slot_mask_;
    ZeroedArray<Shape> slots_;
    ZeroedArray<Cell> pool_;
    std::size_t used_ = 1, swept_ = 0;
    std::uint32_t free_[SIZES]{};
    std::uint64_t age_ = 1;
};

}  // namespace nousu::NOUSU_ISA
