// Random play to the end.
#pragma once
#include "rules.h"

namespace nousu::NOUSU_ISA {

// SplitMix64: small, fast, and good enough to pick cards.
struct Dice {
    std::uint64_t state;
    std::uint64_t next() {
        std::uint64_t z = state += 0x9E3779B97F4A7C15ull;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        return z ^ z >> 31;
    }
};

inline std::int64_t rollouts(const Problem& p, std::int64_t times, std::uint64_t seed) {
    Dice dice{seed};
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < times; ++i) {
        Problem q = p;
        int gained = 0;
        while (!over(q) && !(q.kind == Kind::sooli && gained)) {
            std::vector<int> moves = legal_moves(q);
            if (moves.front() < DECLARE)
                while (moves.back() >= DECLARE) moves.pop_back();
            std::size_t pick = static_cast<std::size_t>((dice.next() >> 32) * moves.size() >> 32);
            gained += apply(q, moves[pick]);
        }
        total += p.contract ? gained >= p.target : gained;
    }
    return total;
}

}  // namespace nousu::NOUSU_ISA
