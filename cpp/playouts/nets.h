// The nets of src/nousu/players/nets.py: how good a card is for somebody who sees only their own, in whole numbers, the
// same as in Python.
#pragma once
#include <algorithm>
#include <array>
#include <numeric>

#include "common/cards.h"
#include "playouts/requests.h"

namespace nousu::NOUSU_ISA {

inline int clipped(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

// What the seat on turn knows of one suit; sets of its ranks in order of strength.
struct Suit {
    unsigned held, unseen;
    int above(int rank) const { return std::popcount(unseen >> rank); }
    int below(int rank) const { return std::popcount(unseen & ((1u << rank) - 1)); }
    int length() const { return std::popcount(held); }
    int top() const { return 31 - std::countl_zero(held); }
    int bottom() const { return std::countr_zero(held); }
    int masters() const { return std::popcount(unseen ? held >> (31 - std::countl_zero(unseen)) : held); }
    int exits() const { return unseen ? std::popcount(held & ((unseen & -unseen) - 1)) : 0; }
    // Own cards next to this one that are as good: 1 for the one below, 2 for the one above.
    int touching(int rank) const {
        const unsigned higher = held >> (rank + 1) << (rank + 1), lower = held & ((1u << rank) - 1);
        return (lower && above(31 - std::countl_zero(lower)) == above(rank)) +
               2 * (higher && above(std::countr_zero(higher)) == above(rank));
    }
};

// What the net of a situation has been told so far: first what all cards share, then, in a copy for each card, its own.
// `Shape` says how many values each of these things has (SHARED, OWN, SIZES) and how many SITUATIONS there are.
template <class Shape>
class Told {
public:
    static constexpr int THINGS = Shape::SHARED + Shape::OWN;
    static constexpr std::array<int, THINGS + 1> STARTS = [] {
        std::array<int, THINGS + 1> starts{};
        std::partial_sum(Shape::SIZES, Shape::SIZES + THINGS, starts.begin() + 1);
        return starts;
    }();
    static constexpr int INPUTS = STARTS[THINGS], WEIGHTS = Shape::SITUATIONS * (INPUTS + 1) * HIDDEN;

    Told(const std::int16_t* weights, int situation) : net_(weights + situation * (INPUTS + 1) * HIDDEN) {}

    void tell(int value) {
        const std::int16_t* row = net_ + (STARTS[at_++] + value) * HIDDEN;
        for (int unit = 0; unit < HIDDEN; ++unit) sums_[unit] = static_cast<std::int16_t>(sums_[unit] + row[unit]);
    }

    std::int32_t rating() const {
        const std::int16_t* out = net_ + INPUTS * HIDDEN;
        std::int32_t rating = 0;
        for (int unit = 0; unit < HIDDEN; ++unit) {
            const std::int16_t lit = std::max<std::int16_t>(sums_[unit], 0);
            rating += std::int32_t{lit} * out[unit];
        }
        return rating;
    }

private:
    const std::int16_t* net_;
    int at_ = 0;
    std::int16_t sums_[HIDDEN] = {};
};

}  // namespace nousu::NOUSU_ISA
