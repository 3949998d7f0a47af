// What rami has learnt about positions, in terms that carry over to others: the lengths of all suits in all hands,
// who leads, and who owns the highest cards of each suit down to the lowest rank that mattered. Two positions that
// agree in this much have the same value, wherever their small cards lie. The patterns of one shape lie side by side,
// or, where there are many, apart by the owners of single cards; one that says no more than its neighbour is not kept.
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
    // Owners where the mask is set; the bounds lie above the 52 bits that the owners in two suits take.
    struct Known {
        std::uint64_t owner[2];
        std::uint64_t mask[2];
        int low() const { return static_cast<int>(owner[0] >> 56); }
        int high() const { return static_cast<int>(owner[1] >> 56); }
        void bound(int low, int high) {
            owner[0] = (owner[0] & OWNERS) | static_cast<std::uint64_t>(low) << 56;
            owner[1] = (owner[1] & OWNERS) | static_cast<std::uint64_t>(high) << 56;
        }
    };

    // Patterns side by side: `count` from `first`, with room for 0, 1, 2, 4, …; or, grown long, a fork.
    struct Row {
        std::uint32_t first = 0;
        std::uint16_t count = 0;
        std::uint8_t log = 0, age = 0;  // room is 2^log / 2; the age is that of the row's shape
        unsigned room() const { return 1u << log >> 1; }
        bool forks() const { return log == FORKS; }
    };

    // Ways for the patterns by whom they name as the owner of one card, and one for those that do not name any.
    struct Fork {
        Row way[5];
        std::uint8_t word, bits;  // where the card's owner stands in a pattern
        int of(const std::uint64_t owner[2], const std::uint64_t mask[2]) const {
            return mask[word] >> bits & 1 ? static_cast<int>(owner[word] >> bits & 3) : ANYBODY;
        }
    };

    struct Shape {
        std::uint64_t key = 0;
        Row row;
    };

    // A row of `longest` patterns that gets another one is to fork. A search begins with `few` places for shapes.
    RamiTable(std::size_t shapes, std::size_t patterns, unsigned longest, std::size_t few)
        : few_(std::min(few, shapes)), longest_(longest), shapes_(shapes), pool_(patterns), forks_(patterns / 32) {
        clear();
    }

    void clear() {
        if (used_ && ++age_ == 0) {
            for (std::size_t i = 0; i < shapes_.size(); ++i) shapes_[i] = Shape{};
            age_ = 1;
        }
        place_mask_ = few_ - 1;
        shapes_used_ = used_ = forks_used_ = 0;
        free_fork_ = NOWHERE;
        std::fill(std::begin(free_), std::end(free_), NOWHERE);
    }

    // Ask the memory for a shape that will be looked up soon.
    void expect(std::uint64_t key) const { fetch(shapes_.at(place(key))); }

    // A bound that settles `need`, or null.
    const Known* settled(std::uint64_t key, const Owners& own, int need) {
        const Shape* shape = find(key);
        return shape ? among(shape->row, own, need) : nullptr;
    }

    void learn(std::uint64_t key, const Owners& own, const std::uint64_t mask[2], int low, int high) {
        Row* row = &found(key);
        const std::uint64_t owner[2] = {own.word[0] & mask[0], own.word[1] & mask[1]};
        while (row->forks()) {
            Fork& fork = forks_[row->first];
            row = &fork.way[fork.of(owner, mask)];
        }
        Known* all = &pool_[row->first];
        for (int i = 0; i < row->count; ++i) {
            Known& k = all[i];
            if (((owner[0] ^ k.owner[0]) & mask[0] & k.mask[0]) | ((owner[1] ^ k.owner[1]) & mask[1] & k.mask[1]))
                continue;
            const bool wider = !((mask[0] & ~k.mask[0]) | (mask[1] & ~k.mask[1]));
            const bool narrower = !((k.mask[0] & ~mask[0]) | (k.mask[1] & ~mask[1]));
            if (wider && narrower) {
                k.bound(std::max(k.low(), low), std::min(k.high(), high));
                return;
            }
            if (narrower && k.low() >= low && k.high() <= high) return;
            if (wider && k.low() <= low && k.high() >= high) all[i--] = all[--row->count];
        }
        if (row->count == row->room()) {
            if (row->count == MOST) {
                --row->count;
            } else if (row->count >= longest_ && fork(*row)) {
                return learn(key, own, mask, low, high);
            } else if (!grow(*row)) {
                if (!sweep()) clear();
                return;
            }
        }
        Known& k = pool_[row->first + row->count++];
        k = {{owner[0], owner[1]}, {mask[0], mask[1]}};
        k.bound(low, high);
    }

private:
    static constexpr std::uint64_t OWNERS = (std::uint64_t{1} << 52) - 1;
    static constexpr std::uint32_t NOWHERE = ~std::uint32_t{0};
    static constexpr std::size_t TRIES = 16;
    static constexpr unsigned MOST = 1 << 12;  // patterns in a row
    static constexpr int ANYBODY = 4, LOGS = 14;
    static constexpr std::uint8_t FORKS = 255;

    // Patterns that name fewer owners hold for more positions: they come first.
    const Known* among(const Row& row, const Owners& own, int need) {
        if (row.forks()) {
            const Fork& fork = forks_[row.first];
            if (const Known* k = among(fork.way[ANYBODY], own, need)) return k;
            return among(fork.way[own.word[fork.word] >> fork.bits & 3], own, need);
        }
        Known* all = &pool_[row.first];
        for (int i = 0; i < row.count; ++i) {
            Known& k = all[i];
            if (((own.word[0] ^ k.owner[0]) & k.mask[0]) | ((own.word[1] ^ k.owner[1]) & k.mask[1])) continue;
            if (k.low() < need && k.high() >= need) continue;
            std::swap(k, all[i / 2]);  // what is asked for often comes to lie in front
            return &all[i / 2];
        }
        return nullptr;
    }

    // Makes a fork of a row, by the card that leaves the fewest patterns to look at; false if none helps.
    bool fork(Row& row) {
        if (forks_used_ == forks_.size() && free_fork_ == NOWHERE) return false;
        const Known* all = &pool_[row.first];
        Fork best{};
        unsigned least = 3 * row.count / 4 * row.count;
        for (std::uint8_t word = 0; word < 2; ++word)
            for (std::uint8_t bits = 0; bits < 52; bits += 2) {
                const Fork by{{}, word, bits};
                unsigned in[5] = {};
                for (int i = 0; i < row.count; ++i) ++in[by.of(all[i].owner, all[i].mask)];
                unsigned looks = row.count * in[ANYBODY];
                for (int owner = 0; owner < ANYBODY; ++owner) looks += in[owner] * in[owner];
                if (looks < least) least = looks, best = by;
            }
        if (least == 3u * row.count / 4 * row.count) return false;
        auto at = static_cast<std::uint32_t>(forks_used_);
        if (free_fork_ == NOWHERE) {
            ++forks_used_;
        } else {
            at = free_fork_;
            free_fork_ = forks_[at].way[0].first;
        }
        Fork& fork = forks_[at] = best;
        for (int i = 0; i < row.count; ++i) {
            const Known k = all[i];
            Row& way = fork.way[fork.of(k.owner, k.mask)];
            if (way.count < way.room() || grow(way)) pool_[way.first + way.count++] = k;
        }
        release(row);
        row = {at, 0, FORKS, row.age};
        return true;
    }

    std::size_t place(std::uint64_t key) const {
        // The high nibbles of a shape must reach the low bits, too: fold before and after.
        key = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
        return (key ^ key >> 29) >> 17 & place_mask_;
    }

    const Shape* find(std::uint64_t key) {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < TRIES; ++tries) {
            const Shape& shape = shapes_[at ^ tries];
            if (shape.row.age != age_) return nullptr;
            if (shape.key == key) return &shape;
        }
        return nullptr;
    }

    Row& found(std::uint64_t key) {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < TRIES; ++tries) {
            Shape& shape = shapes_[at ^ tries];
            if (shape.row.age == age_ && shape.key == key) return shape.row;
            if (shape.row.age == age_) continue;
            if (4 * shapes_used_ > place_mask_ && spread()) return found(key);
            ++shapes_used_;
            return (shape = {key, {0, 0, 0, age_}}).row;
        }
        if (spread()) return found(key);
        Shape& shape = shapes_[at];  // crowded: forget one shape
        release(shape.row);
        return (shape = {key, {0, 0, 0, age_}}).row;
    }

    // Twice as many places for shapes, as long as there are more: a small search is to stay in the processor's own
    // memory. A shape stays among its neighbours or moves as far on as there were places.
    bool spread() {
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

    void release(const Row& row) {
        if (row.forks()) {
            Fork& fork = forks_[row.first];
            for (const Row& way : fork.way) release(way);
            fork.way[0].first = free_fork_;
            free_fork_ = row.first;
        } else if (row.log) {
            give(row.first, row.log);
        }
    }

    void give(std::uint32_t first, int log) {
        pool_[first].owner[0] = free_[log];
        free_[log] = first;
    }

    // Room for 2^log / 2 patterns: given back before, cut from a longer row, or never used; NOWHERE if there is none.
    std::uint32_t take(int log) {
        for (int from = log; from < LOGS; ++from) {
            if (free_[from] == NOWHERE) continue;
            const std::uint32_t first = free_[from];
            free_[from] = static_cast<std::uint32_t>(pool_[first].owner[0]);
            while (--from >= log) give(first + (1u << from >> 1), from);
            return first;
        }
        const std::size_t room = std::size_t{1} << log >> 1, first = used_;
        if (used_ + room > pool_.size()) return NOWHERE;
        used_ += room;
        return static_cast<std::uint32_t>(first);
    }

    // Forgets a quarter or more of all patterns, those with the fewest cards left first; false if there are not so
    // many.
    bool sweep() {
        std::size_t freed = 0;
        for (unsigned cards = 3; cards < 12; ++cards) {
            for (std::size_t i = 0; i <= place_mask_; ++i) {
                Shape& shape = shapes_[i];
                const auto hand = static_cast<unsigned>(shape.key);
                if (shape.row.age != age_ ||
                    (hand & 15) + (hand >> 4 & 15) + (hand >> 8 & 15) + (hand >> 12 & 15) > cards)
                    continue;
                freed += size(shape.row);
                release(shape.row);
                shape.row = {0, 0, 0, age_};
            }
            if (freed >= pool_.size() / 4) return true;
        }
        return false;
    }

    std::size_t size(const Row& row) const {
        if (!row.forks()) return row.room();
        std::size_t sum = 0;
        for (const Row& way : forks_.at(row.first)->way) sum += size(way);
        return sum;
    }

    // Moves the patterns of a row to where there is room for twice as many.
    bool grow(Row& row) {
        const std::uint32_t first = take(row.log + 1);
        if (first == NOWHERE) return false;
        if (row.count) std::memcpy(&pool_[first], &pool_[row.first], row.count * sizeof(Known));
        release(row);
        row.first = first;
        ++row.log;
        return true;
    }

    std::size_t few_, place_mask_ = 0;
    unsigned longest_;
    Store<Shape> shapes_;
    Store<Known> pool_;
    Store<Fork> forks_;
    std::size_t shapes_used_ = 0, used_ = 0, forks_used_ = 0;
    std::uint8_t age_ = 1;
    std::uint32_t free_[LOGS];  // by log: the first of the rows given back, each naming the next
    std::uint32_t free_fork_ = NOWHERE;
};

}  // namespace nousu::NOUSU_ISA
