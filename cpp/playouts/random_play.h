// Random play to the end.
#pragma once
#include "common/bits.h"
#include "common/play_rules.h"

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

// The card at place `at` among `cards`, from the lowest.
inline Cards nth(Cards cards, unsigned at) { return scatter(Cards{1} << at, cards); }

// Four hands, no trump, nobody last: tricks of North–South, the whole of random play in a tight loop.
inline std::int64_t plain_rollouts(const Problem& p, std::int64_t times, Dice dice) {
    std::int64_t total = 0;
    const int tricks = count(p.hand[p.turn]);
    for (std::int64_t i = 0; i < times; ++i) {
        Cards hand[4] = {p.hand[0], p.hand[1], p.hand[2], p.hand[3]};
        int leader = p.turn;
        int won = 0;
        for (int n = tricks; n > 1; --n) {
            std::uint64_t random = dice.next();
            Cards card = nth(hand[leader], static_cast<unsigned>((random & 0xFFFF) * static_cast<unsigned>(n) >> 16));
            hand[leader] ^= card;
            const Cards led = LANE << (lowest(card) & 48);
            Cards best = card;
            int winner = leader;
            for (int step = 1; step < 4; ++step) {
                const int seat = (leader + step) & 3;
                random >>= 16;
                const Cards same = hand[seat] & led;
                const Cards from = same ? same : hand[seat];
                const Cards play =
                    nth(from, static_cast<unsigned>((random & 0xFFFF) * static_cast<unsigned>(count(from)) >> 16));
                hand[seat] ^= play;
                // Only a card of the led suit can win, and only a higher one.
                const bool wins = (play & led) > best;
                best = wins ? play : best;
                winner = wins ? seat : winner;
            }
            won += ~winner & 1;
            leader = winner;
        }
        const Cards led = LANE << (lowest(hand[leader]) & 48);
        Cards best = hand[leader];
        int winner = leader;
        for (int step = 1; step < 4; ++step) {
            const int seat = (leader + step) & 3;
            const bool wins = (hand[seat] & led) > best;
            best = wins ? hand[seat] : best;
            winner = wins ? seat : winner;
        }
        total += won + (~winner & 1);
    }
    return total;
}

inline std::int64_t rollouts(const Problem& p, std::int64_t times, std::uint64_t seed) {
    Dice dice{seed};
    if ((p.kind == Kind::rami || p.kind == Kind::nolo) && p.trump == NONE && p.last == NONE && p.active == 15 &&
        p.seats == 4 && !p.played)
        return plain_rollouts(p, times, dice);
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < times; ++i) {
        Problem q = p;
        int gained = 0;
        while (!over(q) && !(q.kind == Kind::sooli && gained)) {
            const Moves moves = legal_moves(q);
            int many = moves.size;
            if (moves.move[0] < DECLARE)
                while (moves.move[many - 1] >= DECLARE) --many;
            const auto pick = (dice.next() >> 32) * static_cast<std::uint64_t>(many) >> 32;
            gained += apply(q, moves.move[pick]);
        }
        total += p.contract ? gained >= p.target : gained;
    }
    return total;
}

}  // namespace nousu::NOUSU_ISA
