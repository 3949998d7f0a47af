// The nets of src/nousu/players/nets.py: a rating of a card by what its seat knows, in integers, the same as in Python.
#pragma once
#include <algorithm>
#include <array>
#include <numeric>

#include "common/cards.h"
#include "playouts/requests.h"

namespace nousu::NOUSU_ISA {

inline int clip(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

// One suit as the seat to act sees it: sets of ranks in order of strength.
struct SuitView {
    unsigned held, unseen;
    int above(int rank) const { return std::popcount(unseen >> rank); }
    int below(int rank) const { return std::popcount(unseen & ((1u << rank) - 1)); }
    int length() const { return std::popcount(held); }
    int top() const { return 31 - std::countl_zero(held); }
    int bottom() const { return std::countr_zero(held); }
    int masters() const { return std::popcount(unseen ? held >> (31 - std::countl_zero(unseen)) : held); }
    int exits() const { return unseen ? std::popcount(held & ((unseen & -unseen) - 1)) : 0; }
    // Adjacent own cards of equal worth: 1 for the one below, 2 for the one above.
    int touching(int rank) const {
        const unsigned higher = held >> (rank + 1) << (rank + 1), lower = held & ((1u << rank) - 1);
        return (lower && above(31 - std::countl_zero(lower)) == above(rank)) +
               2 * (higher && above(std::countr_zero(higher)) == above(rank));
    }
};

// Input of the net of a situation: first the features shared by all cards, then, in a copy for each card, its own.
// `Layout` gives the number of values of each feature (SHARED, OWN, SIZES) and the number of SITUATIONS.
template <class Layout>
class NetInput {
public:
    static constexpr int FEATURES = Layout::SHARED + Layout::OWN;
    static constexpr std::array<int, FEATURES + 1> STARTS = [] {
        std::array<int, FEATURES + 1> starts{};
        std::partial_sum(Layout::SIZES, Layout::SIZES + FEATURES, starts.begin() + 1);
        return starts;
    }();
    static constexpr int INPUTS = STARTS[FEATURES], WEIGHTS = Layout::SITUATIONS * (INPUTS + 1) * HIDDEN;

    NetInput(const std::int16_t* weights, int situation) : net_(weights + situation * (INPUTS + 1) * HIDDEN) {}

    void add(int value) {
        const std::int16_t* row = net_ + (STARTS[next_++] + value) * HIDDEN;
        for (int unit = 0; unit < HIDDEN; ++unit) sums_[unit] = static_cast<std::int16_t>(sums_[unit] + row[unit]);
    }

    std::int32_t rating() const {
        const std::int16_t* out = net_ + INPUTS * HIDDEN;
        std::int32_t rating = 0;
        for (int unit = 0; unit < HIDDEN; ++unit) {
            const std::int16_t activation = std::max<std::int16_t>(sums_[unit], 0);
            rating += std::int32_t{activation} * out[unit];
        }
        return rating;
    }

private:
    const std::int16_t* net_;
    int next_ = 0;
    std::int16_t sums_[HIDDEN] = {};
};

}  // namespace nousu::NOUSU_ISA
