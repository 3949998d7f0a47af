// Checks of the environments: random and illegal actions, and histories copied from one table to another.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "common/dispatch.h"

namespace nousu::NOUSU_ISA {

// Presets as nousu.env encodes them: tuppi, tuppi_catsatcards, tuppi_tournament, norwegian_catsatcards,
// norwegian_parlett, huutopussi, huutopussi_erlangen, tuppen_zk, siebenschraem, toepen, toepen_netherlands,
// siebenschraem_halves, eight_card_letter, tuppen_blind; the second without a stop (tests/env/test_core_checks.py).
struct TestTable {
    const char* family;
    int seats;
    std::vector<std::int32_t> rules;
};
inline const TestTable TABLES[] = {
    {"whist", 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 24, 4, 8, 0, 0, 4, 0, 52, 0, 0, 0, 9, 1, 0}},
    {"whist", 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 4, 6, 0, 0, 1, 0, 52, 0, 0, 0, 9, 0, 1}},
    {"whist", 4, {0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 24, 4, 8, 0, 0, 4, 0, 52, 16, 1, 0, 9, 2, 0}},
    {"whist", 4, {1, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0, 1, 24, 1, 1, 0, 1, 1, 1, 13, 0, 0, 0, 9, 0, 1}},
    {"whist", 4, {0, 2, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 24, 4, 8, 0, 0, 2, 1, 50, 0, 0, 0, 9, 0, 0}},
    {"huutopussi", 4, {0, 20, 0, 50, 0, 440, 440, 1, 0, 0, 0, 0,   0, 0, 0, 0,
                       1, 0,  0, 0,  0, 0,   0,   0, 0, 3, 0, 500, 0, 0, 0}},
    {"huutopussi", 4, {1, 20, 0, 120, 0, 420, 420, 0, 0, 1, 1, 2,   0, 1, 0, 0,
                       0, 0,  1, 0,   1, 4,   9,   0, 1, 0, 0, 500, 0, 0, 0}},
    {"tuppen", 8, {7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
    {"tuppen", 2, {7, 0, 4, 0, 1, 1, 1, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0}},
    {"tuppen", 5, {10, 0, 0, 0, 2, 1, 0, 0, 0, 0, 3, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
    {"tuppen", 6, {15, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0}},
    {"tuppen", 3, {7, 0, 4, 0, 1, 1, 1, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1}},
    {"tuppen", 4, {7, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 2}},
    {"tuppen", 3, {7, 0, 3, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0}},
};

inline Environment* make_environment(const TestTable& table, int lanes, bool matches) {
    const Family* family = families;
    while (std::strcmp(family->name, table.family) != 0) ++family;
    return family->make(table.rules.data(), lanes, table.seats, matches);
}

// A source of numbers of two bytes each; zeros when the bytes are used up.
class Bytes {
public:
    using result_type = std::uint16_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    Bytes(const std::uint8_t* from, std::size_t size) : at_(from), end_(from + size) {}
    result_type operator()() { return static_cast<result_type>(byte() | byte() << 8); }
    unsigned byte() { return at_ == end_ ? 0u : *at_++; }
    bool left() const { return at_ != end_; }

private:
    const std::uint8_t *at_, *end_;
};

inline void require(bool condition, const char* error) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", error);
    std::abort();
}

// A table of several lanes, and a second table to which its histories are copied.
class EnvironmentCheck {
public:
    EnvironmentCheck(const TestTable& table, int lanes, bool matches, Bytes& bytes)
        : lanes_(lanes), table_(make_environment(table, lanes, matches)), copy_(make_environment(table, 1, matches)),
          shape_(table_->shape()), planes_(row(shape_.planes * shape_.cards)), mask_(row(shape_.actions)),
          done_(row(1)), scalars_(row(shape_.scalars)), reward_(row(shape_.seats)), seat_(row(1)),
          place_(row(shape_.seats)), actions_(row(1)) {
        std::vector<std::uint64_t> seeds(row(1));
        for (auto& seed : seeds) seed = bytes();
        table_->reset(seeds.data(), out());
    }

    // One step of all lanes, sometimes with an illegal action in one of them.
    void step(Bytes& bytes) {
        const unsigned choice = bytes.byte();
        for (int lane = 0; lane < lanes_; ++lane) actions_[lane] = legal(lane, bytes.byte());
        int wrong = NONE;
        if (choice >= 200) {
            const int lane = static_cast<int>(choice) % lanes_;
            const auto odd = static_cast<std::int32_t>(bytes() | static_cast<std::uint32_t>(bytes()) << 16);
            actions_[lane] = choice & 1 ? odd : odd % (shape_.actions + 2);
            const bool is_legal = actions_[lane] >= 0 && actions_[lane] < shape_.actions && mask(lane)[actions_[lane]];
            if (!is_legal) wrong = lane;
        }
        const auto before = history(0);
        require(table_->step(actions_.data(), out()) == wrong, "a step does not agree with the mask");
        if (wrong != NONE) require(history(0) == before, "a refused action has changed the state");
        for (int lane = 0; lane < lanes_; ++lane) require(!(done_[lane] & ~3), "unknown flags in `done`");
    }

    // A loaded history must give the same observations; loading a changed history must not fail.
    void copy_history(Bytes& bytes) {
        auto entries = history(0);
        require(copy_->load(0, entries.data(), static_cast<int>(entries.size())) == static_cast<int>(entries.size()),
                "a history cannot be loaded");
        std::vector<std::uint8_t> planes(planes_.size() / row(1)), others(planes);
        std::vector<std::int16_t> scalars(scalars_.size() / row(1)), numbers(scalars);
        for (int viewer = 0; viewer < shape_.seats; ++viewer) {
            table_->observe(0, viewer, planes.data(), scalars.data());
            copy_->observe(0, viewer, others.data(), numbers.data());
            require(planes == others && scalars == numbers, "a loaded history gives another observation");
        }
        for (unsigned changes = bytes.byte() % 4; changes; --changes) entries[bytes() % entries.size()] = bytes();
        entries.resize(entries.size() - bytes.byte() % std::min<std::size_t>(entries.size(), 8));
        const int used = copy_->load(0, entries.data(), static_cast<int>(entries.size()));
        require(used >= 0 && used <= static_cast<int>(entries.size()), "more entries were loaded than there are");
        require(copy_->count_lines(0, 1, [] { return false; }) > 0, "no action is legal");
    }

private:
    std::size_t row(int each) const { return static_cast<std::size_t>(lanes_) * static_cast<std::size_t>(each); }
    const std::uint8_t* mask(int lane) const { return &mask_[static_cast<std::size_t>(lane * shape_.actions)]; }
    Arrays out() {
        return {planes_.data(), scalars_.data(), mask_.data(), reward_.data(),
                place_.data(),  done_.data(),    seat_.data()};
    }

    std::vector<std::uint16_t> history(int lane) const {
        std::vector<std::uint16_t> entries(static_cast<std::size_t>(table_->history(lane, false, nullptr, -1)));
        table_->history(lane, false, entries.data(), static_cast<int>(entries.size()));
        return entries;
    }

    std::int32_t legal(int lane, unsigned which) const {
        const std::uint8_t* allowed = mask(lane);
        const auto all = static_cast<unsigned>(std::count(allowed, allowed + shape_.actions, 1));
        require(all > 0, "no action is legal");
        std::int32_t action = -1;
        for (unsigned left = 1 + which % all; left; left -= allowed[action]) ++action;
        return action;
    }

    int lanes_;
    std::unique_ptr<Environment> table_, copy_;
    Shape shape_;
    std::vector<std::uint8_t> planes_, mask_, done_;
    std::vector<std::int16_t> scalars_;
    std::vector<float> reward_;
    std::vector<std::int8_t> seat_, place_;
    std::vector<std::int32_t> actions_;
};

}  // namespace nousu::NOUSU_ISA
