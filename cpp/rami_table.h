// What rami has learnt about positions, in terms that carry over to others: the lengths of all suits in all hands,
// who leads, and who owns the highest cards of each suit down to the lowest rank that mattered. Two positions that
// agree in this much have the same value, wherever their small cards lie. All patterns of one shape lie side by
// side; one that says no more than another is not kept.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>

#include "four_hands.h"
#include "memory.h"

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

    // What is known about one shape: `count` patterns from `first`, in a row of `room` (0, 1, 2, 4, …).
    struct Shape {
        std::uint64_t key = 0;
        std::uint32_t first = 0;
        std::uint16_t count = 0;
        std::uint8_t age = 0, log = 0;  // room is 2^log / 2
        unsigned room() const { return 1u << log >> 1; }
    };

    RamiTable(std::size_t shapes, std::size_t patterns) : place_mask_(shapes - 1), shapes_(shapes), pool_(patterns) {
        clear();
    }

    void clear() {
        if (used_ && ++age_ == 0) {
            for (std::size_t i = 0; i < shapes_.size(); ++i) shapes_[i] = Shape{};
            age_ = 1;
        }
        used_ = 0;
        std::fill(std::begin(free_), std::end(free_), NOWHERE);
    }

    // Ask the memory for a shape that will be looked up soon.
    void expect(std::uint64_t key) const { fetch(shapes_.at(place(key))); }

    // A bound that settles `need`, or null.
    const Known* settled(std::uint64_t key, const Owners& own, int need) {
        const Shape* shape = find(key);
        if (!shape) return nullptr;
        Known* row = &pool_[shape->first];
        for (int i = 0; i < shape->count; ++i) {
            Known& k = row[i];
            if (((own.word[0] ^ k.owner[0]) & k.mask[0]) | ((own.word[1] ^ k.owner[1]) & k.mask[1])) continue;
            if (k.low() < need && k.high() >= need) continue;
            std::swap(k, row[i / 2]);  // what is asked for often comes to lie in front
            return &row[i / 2];
        }
        return nullptr;
    }

    void learn(std::uint64_t key, const Owners& own, const std::uint64_t mask[2], int low, int high) {
        Shape& shape = found(key);
        const std::uint64_t owner[2] = {own.word[0] & mask[0], own.word[1] & mask[1]};
        Known* row = &pool_[shape.first];
        for (int i = 0; i < shape.count; ++i) {
            Known& k = row[i];
            if (((owner[0] ^ k.owner[0]) & mask[0] & k.mask[0]) | ((owner[1] ^ k.owner[1]) & mask[1] & k.mask[1]))
                continue;
            const bool wider = !((mask[0] & ~k.mask[0]) | (mask[1] & ~k.mask[1]));
            const bool narrower = !((k.mask[0] & ~mask[0]) | (k.mask[1] & ~mask[1]));
            if (wider && narrower) {
                k.bound(std::max(k.low(), low), std::min(k.high(), high));
                return;
            }
            if (narrower && k.low() >= low && k.high() <= high) return;
            if (wider && k.low() <= low && k.high() >= high) row[i--] = row[--shape.count];
        }
        if (shape.count == shape.room()) {
            if (shape.count == MOST) {
                --shape.count;
            } else if (!grow(shape)) {
                clear();  // start afresh; what matters is soon learnt again
                return;
            }
        }
        Known& k = pool_[shape.first + shape.count++];
        k = {{owner[0], owner[1]}, {mask[0], mask[1]}};
        k.bound(low, high);
    }

private:
    static constexpr std::uint64_t OWNERS = (std::uint64_t{1} << 52) - 1;
    static constexpr std::uint32_t NOWHERE = ~std::uint32_t{0};
    static constexpr std::size_t TRIES = 16;
    static constexpr unsigned MOST = 1 << 12;  // patterns of one shape

    std::size_t place(std::uint64_t key) const {
        // The high nibbles of a shape must reach the low bits, too: fold before and after.
        key = (key ^ key >> 32) * 0x9E3779B97F4A7C15ull;
        return (key ^ key >> 29) >> 17 & place_mask_;
    }

    const Shape* find(std::uint64_t key) {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < TRIES; ++tries) {
            const Shape& shape = shapes_[at ^ tries];
            if (shape.age != age_) return nullptr;
            if (shape.key == key) return &shape;
        }
        return nullptr;
    }

    Shape& found(std::uint64_t key) {
        const std::size_t at = place(key);
        for (std::size_t tries = 0; tries < TRIES; ++tries) {
            Shape& shape = shapes_[at ^ tries];
            if (shape.age == age_ && shape.key == key) return shape;
            if (shape.age != age_) return shape = {key, 0, 0, age_, 0};
        }
        Shape& shape = shapes_[at];  // crowded: forget one shape
        release(shape);
        return shape = {key, 0, 0, age_, 0};
    }

    void release(const Shape& shape) {
        if (!shape.log) return;
        pool_[shape.first].owner[0] = free_[shape.log];
        free_[shape.log] = shape.first;
    }

    // Moves the patterns of a shape to where there is room for twice as many.
    bool grow(Shape& shape) {
        Shape wider = shape;
        ++wider.log;
        std::uint32_t& head = free_[wider.log];
        if (head != NOWHERE) {
            wider.first = head;
            head = static_cast<std::uint32_t>(pool_[head].owner[0]);
        } else {
            if (used_ + wider.room() > pool_.size()) return false;
            wider.first = static_cast<std::uint32_t>(used_);
            used_ += wider.room();
        }
        if (shape.count) std::memcpy(&pool_[wider.first], &pool_[shape.first], shape.count * sizeof(Known));
        release(shape);
        shape = wider;
        return true;
    }

    std::size_t place_mask_;
    Store<Shape> shapes_;
    Store<Known> pool_;
    std::size_t used_ = 0;
    std::uint8_t age_ = 1;
    std::uint32_t free_[14];  // by log: the first of the rows given back, each naming the next
};

}  // namespace nousu::NOUSU_ISA
