// Interface of the solver: limits of a search, its solution, and the class that answers one position at a time.
// Plain data, shared by both builds of the core: there are no inline functions here (common/position.h says why).
#pragma once
#include <atomic>
#include <chrono>

#include "common/position.h"

namespace nousu {

// Thrown through a search when a limit is reached.
struct SearchStopped {
    const char* reason;
};

// Limits and node count of one search. Another thread may raise the flags.
struct Control {
    const std::atomic<bool>* cancel = nullptr;
    const std::atomic<bool>* failed = nullptr;  // another thread of the same call has thrown
    std::uint64_t limit = ~std::uint64_t{0};    // nodes
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::uint64_t nodes = 0;

    void check() const;  // throws SearchStopped
};

// Which moves to value: none, one that keeps the value, or all.
enum class Want : int { value = 0, one = 1, all = 2 };

struct RatedMove {
    int move;
    int value;
};

struct Solution {
    bool solved = false;
    const char* reason = "";  // if not solved
    int value = 0;
    std::uint64_t nodes = 0;
    bool has_pattern = false;
    Cards pattern = 0;                    // if `has_pattern`: the cards whose owners decided the value
    int move_count = 0, line_length = 0;  // entries used in `moves` and `line`
    RatedMove moves[MAX_MOVES];
    int line[MAX_LINE];
};

class Solver {
public:
    virtual ~Solver();
    // `same_cards`: the cards are those of the position before, so the tables still hold.
    virtual Solution solve(const Position& p, Want want, bool with_line, bool same_cards, Control& control) = 0;
};

}  // namespace nousu
