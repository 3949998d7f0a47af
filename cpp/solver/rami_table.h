// Transposition table of rami. A pattern holds for every position with the same suit lengths and leader in which the
// highest cards of each suit, down to the lowest rank that mattered, have the same owners. Patterns of one shape (suit
// lengths and leader) lie side by side; long rows are split by the owner of single cards. A pattern implied by another
// one is not stored.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "solver/no_trump_position.h"
#include "solver/table_memory.h"

namespace nousu::NOUSU_ISA {

class RamiTable {
public:
    // Owners where the mask is set. The bounds lie above the 52 bits of the owners in two suits.
    struct Pattern {
        std::uint64_t owner[2];
        std::uint64_t mask[2];
        int low() const { return static_cast<int>(owner[0] >> 56); }
        int high() const { return static_cast<int>(owner[1] >> 56); }
        void bound(int low, int high) {
            owner[0] = (owner[0] & OWNERS) | static_cast<std::uint64_t>(low) << 56;
            owner[1] = (owner[1] & OWNERS) | static_cast<std::uint64_t>(high) << 56;
        }
    };

    // Patterns side by side: `count` from `first`, with room for 0, 1, 2, 4, …; or a fork, when grown long.
    struct Row {
        std::uint32_t first = 0;
        std::uint16_t count = 0;
        std::uint8_t log = 0, age = 0;  // room is 2^log / 2; the age is that of the row's shape
        unsigned room() const { return 1u << log >> 1; }
        bool is_fork() const { return log == FORKS; }
    };

    // Branches by the owner of one card, and one branch for patterns that do not name its owner.
    struct Fork {
        Row branches[5];
        std::uint8_t word, bits;  // where the owner of the card stands in a pattern
        int of(const std::uint64_t owner[2], const std::uint64_t mask[2]) const {
            return mask[word] >> bits & 1 ? static_cast<int>(owner[word] >> bits & 3) : ANY_OWNER;
        }
    };

    struct Shape {
        std::uint64_t key = 0;
        Row row;
    };

    // `fork_length`: patterns at which a row is split. `first_places`: places for shapes at the start of a search.
    RamiTable(std::size_t shapes, std::size_t patterns, unsigned fork_length, std::size_t first_places)
        : first_places_(std::min(first_places, shapes)), fork_length_(fork_length), shapes_(shapes), pool_(patterns),
          forks_(patterns / 32) {
        clear();
    }

    void clear() {
        if (used_ && ++age_ == 0) {
            for (std::size_t i = 0; i < shapes_.size(); ++i) shapes_[i] = Shape{};
            age_ = 1;
        }
        place_mask_ = first_places_ - 1;
        shapes_used_ = used_ = forks_used_ = 0;
        free_fork_ = NO_BLOCK;
        std::fill(std::begin(free_), std::end(free_), NO_BLOCK);
    }

    // Prefetch a shape that will be looked up soon.
    void prefetch_shape(std::uint64_t key) const { prefetch(shapes_.at(place(key))); }

    // A pattern with a bound that decides `need`, or null.
    const Pattern* find(std::uint64_t key, const Owners& owners, int need) {
        const Shape* shape = find_shape(key);
        return shape ? first_match(shape->row, owners, need) : nullptr;
    }

    void store(std::uint64_t key, const Owners& owners, const std::uint64_t mask[2], int low, int high) {
        Row* row = &shape_row(key);
        const std::uint64_t owner[2] = {owners.word[0] & mask[0], owners.word[1] & mask[1]};
        while (row->is_fork()) {
            Fork& fork = forks_[row->first];
            row = &fork.branches[fork.of(owner, mask)];
        }
        Pattern* all = &pool_[row->first];
        for (int i = 0; i < row->count; ++i) {
            Pattern& pattern = all[i];
            if (((owner[0] ^ pattern.owner[0]) & mask[0] & pattern.mask[0]) |
                ((owner[1] ^ pattern.owner[1]) & mask[1] & pattern.mask[1]))
                continue;
            const bool wider = !((mask[0] & ~pattern.mask[0]) | (mask[1] & ~pattern.mask[1]));
            const bool narrower = !((pattern.mask[0] & ~mask[0]) | (pattern.mask[1] & ~mask[1]));
            if (wider && narrower) {
                pattern.bound(std::max(pattern.low(), low), std::min(pattern.high(), high));
                return;
            }
            if (narrower && pattern.low() >= low && pattern.high() <= high) return;
            if (wider && pattern.low() <= low && pattern.high() >= high) all[i--] = all[--row->count];
        }
        if (row->count == row->room()) {
            if (row->count == MAX_PATTERNS) {
                --row->count;
            } else if (row->count >= fork_length_ && fork(*row)) {
                return store(key, owners, mask, low, high);
            } else if (!grow(*row)) {
                if (!evict()) clear();
                return;
            }
        }
        Pattern& pattern = pool_[row->first + row->count++];
        pattern = {{owner[0], owner[1]}, {mask[0], mask[1]}};
        pattern.bound(low, high);
    }

private:
    static constexpr std::uint64_t OWNERS = (std::uint64_t{1} << 52) - 1;
    static constexpr std::uint32_t NO_BLOCK = ~std::uint32_t{0};
    static constexpr std::size_t TRIES = 16;
    static constexpr unsigned MAX_PATTERNS = 1 << 12;  // patterns in a row
    static constexpr int ANY_OWNER = 4, LOGS = 14;
    static constexpr std::uint8_t FORKS = 255;

    // Patterns that name fewer owners hold for more positions and come first.
    const Pattern* first_match(const Row& row, const Owners& owners, int need) {
        if (row.is_fork()) {
            const Fork& fork = forks_[row.first];
            if (const Pattern* pattern = first_match(fork.branches[ANY_OWNER], owners, need)) return pattern;
            return first_match(fork.branches[owners.word[fork.word] >> fork.bits & 3], owners, need);
        }
        Pattern* all = &pool_[row.first];
        for (int i = 0; i < row.count; ++i) {
            Pattern& pattern = all[i];
            if (((owners.word[0] ^ pattern.owner[0]) & pattern.mask[0]) |
                ((owners.word[1] ^ pattern.owner[1]) & pattern.mask[1]))
                continue;
            if (pattern.low() < need && pattern.high() >= need) continue;
            std::swap(pattern, all[i / 2]);  // patterns in demand move to the front
            return &all[i / 2];
        }
        return nullptr;
    }

    // Split a row by the card that leaves the fewest patterns to compare; false if no card helps.
    bool fork(Row& row) {
        if (forks_used_ == forks_.size() && free_fork_ == NO_BLOCK) return false;
        const Pattern* all = &pool_[row.first];
        Fork best{};
        unsigned fewest = 3 * row.count / 4 * row.count;
        for (std::uint8_t word = 0; word < 2; ++word)
            for (std::uint8_t bits = 0; bits < 52; bits += 2) {
                const Fork fork{{}, word, bits};
                unsigned in[5] = {};
                for (int i = 0; i < row.count; ++i) ++in[fork.of(all[i].owner, all[i].mask)];
                unsigned comparisons = row.count * in[ANY_OWNER];
                for (int owner = 0; owner < ANY_OWNER; ++owner) comparisons += in[owner] * in[owner];
                if (comparisons < fewest) fewest = comparisons, best = fork;
            }
        if (fewest == 3u * row.count / 4 * row.count) return false;
        auto at = static_cast<std::uint32_t>(forks_used_);
        if (free_fork_ == NO_BLOCK) {
            ++forks_used_;
        } else {
            at = free_fork_;
            free_fork_ = forks_[at].branches[0].first;
        }
        Fork& fork = forks_[at] = best;
        for (int i = 0; i < row.count; ++i) {
            const Pattern pattern = all[i];
            Row& branches = fork.branches[fork.of(pattern.owner, pattern.mask)];
            if (branches.count < branches.room() || grow(branches)) pool_[branches.first + branches.count++] = pattern;
        }
        free_row(row);
        row = {at, 0, FORKS, row.age};
        return true;
    }

    std::size_t place(std::uint64_t key) const {
        // Fold before and after: the high bits of a shape must reach the low bits.
        key = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
        return (key ^ key >> 29) >> 17 & place_mask_;
    }

    const Shape* find_shape(std::uint64_t key) {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < TRIES; ++tries) {
            const Shape& shape = shapes_[at ^ tries];
            if (shape.row.age != age_) return nullptr;
            if (shape.key == key) return &shape;
        }
        return nullptr;
    }

    Row& shape_row(std::uint64_t key) {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < TRIES; ++tries) {
            Shape& shape = shapes_[at ^ tries];
            if (shape.row.age == age_ && shape.key == key) return shape.row;
            if (shape.row.age == age_) continue;
            if (4 * shapes_used_ > place_mask_ && grow_places()) return shape_row(key);
            ++shapes_used_;
            return (shape = {key, {0, 0, 0, age_}}).row;
        }
        if (grow_places()) return shape_row(key);
        Shape& shape = shapes_[at];  // crowded: evict one shape
        free_row(shape.row);
        return (shape = {key, {0, 0, 0, age_}}).row;
    }

    // Double the places for shapes while there is room: a small search stays in the processor's cache. A shape stays
    // among its neighbours or moves up by the old number of places.
    bool grow_places() {
        const std::size_t places = place_mask_ + 1;
        if (places == shapes_.size()) return false;
        place_mask_ += places;
        for (std::size_t from = 0; from < places; from += TRIES) {
            Shape held[TRIES];
            for (std::size_t i = 0; i < TRIES; ++i) held[i] = std::exchange(shapes_[from + i], Shape{});
            for (const Shape& shape : held) {
                if (shape.row.age != age_) continue;
                std::size_t at = place(shape.key), tries = 0;
                while (shapes_[at ^ tries].row.age == age_) ++tries;
                shapes_[at ^ tries] = shape;
            }
        }
        return true;
    }

    void free_row(const Row& row) {
        if (row.is_fork()) {
            Fork& fork = forks_[row.first];
            for (const Row& branches : fork.branches) free_row(branches);
            fork.branches[0].first = free_fork_;
            free_fork_ = row.first;
        } else if (row.log) {
            free_block(row.first, row.log);
        }
    }

    void free_block(std::uint32_t first, int log) {
        pool_[first].owner[0] = free_[log];
        free_[log] = first;
    }

    // A block of 2^log / 2 patterns: freed before, cut from a longer one, or never used; NO_BLOCK if there is none.
    std::uint32_t allocate(int log) {
        for (int from = log; from < LOGS; ++from) {
            if (free_[from] == NO_BLOCK) continue;
            const std::uint32_t first = free_[from];
            free_[from] = static_cast<std::uint32_t>(pool_[first].owner[0]);
            while (--from >= log) free_block(first + (1u << from >> 1), from);
            return first;
        }
        const std::size_t room = std::size_t{1} << log >> 1, first = used_;
        if (used_ + room > pool_.size()) return NO_BLOCK;
        used_ += room;
        return static_cast<std::uint32_t>(first);
    }

    // Evict a quarter or more of all patterns, those with the fewest cards left first; false if there are not so many.
    bool evict() {
        std::size_t freed = 0;
        for (unsigned cards = 3; cards < 12; ++cards) {
            for (std::size_t i = 0; i <= place_mask_; ++i) {
                Shape& shape = shapes_[i];
                const auto hand = static_cast<unsigned>(shape.key);
                if (shape.row.age != age_ ||
                    (hand & 15) + (hand >> 4 & 15) + (hand >> 8 & 15) + (hand >> 12 & 15) > cards)
                    continue;
                freed += size(shape.row);
                free_row(shape.row);
                shape.row = {0, 0, 0, age_};
            }
            if (freed >= pool_.size() / 4) return true;
        }
        return false;
    }

    std::size_t size(const Row& row) const {
        if (!row.is_fork()) return row.room();
        std::size_t sum = 0;
        for (const Row& branches : forks_.at(row.first)->branches) sum += size(branches);
        return sum;
    }

    // Move the patterns of a row to a block of twice the size.
    bool grow(Row& row) {
        const std::uint32_t first = allocate(row.log + 1);
        if (first == NO_BLOCK) return false;
        if (row.count) std::memcpy(&pool_[first], &pool_[row.first], row.count * sizeof(Pattern));
        free_row(row);
        row.first = first;
        ++row.log;
        return true;
    }

    std::size_t first_places_, place_mask_ = 0;
    unsigned fork_length_;
    ZeroedArray<Shape> shapes_;
    ZeroedArray<Pattern> pool_;
    ZeroedArray<Fork> forks_;
    std::size_t shapes_used_ = 0, used_ = 0, forks_used_ = 0;
    std::uint8_t age_ = 1;
    std::uint32_t free_[LOGS];  // by log: the first free block; each names the next
    std::uint32_t free_fork_ = NO_BLOCK;
};

}  // namespace nousu::NOUSU_ISA
