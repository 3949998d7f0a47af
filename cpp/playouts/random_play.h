// Random playouts: every seat plays a random legal card to the end.
#pragma once
#include <atomic>

#include "common/play_rules.h"
#include "common/random.h"

namespace nousu::NOUSU_ISA {

// Whether playout `i` is to look at the flag that stops all of them, and finds it raised.
inline bool is_stopped(std::int64_t i, const std::atomic<bool>& stop) {
    return (i & 0xFFF) == 0 && stop.load(std::memory_order_relaxed);
}

// Four hands, no trump, no fixed last seat: tricks of North–South, in a tight loop.
inline std::int64_t plain_rollouts(const Position& p, std::int64_t times, Dice dice, const std::atomic<bool>& stop) {
    std::int64_t total = 0;
    const int tricks = count(p.hand[p.turn]);
    for (std::int64_t i = 0; i < times && !is_stopped(i, stop); ++i) {
        Cards hand[4] = {p.hand[0], p.hand[1], p.hand[2], p.hand[3]};
        int leader = p.turn;
        int won = 0;
        for (int n = tricks; n > 1; --n) {
            std::uint64_t random = dice.next();
            Cards card =
                nth_card(hand[leader], static_cast<unsigned>((random & 0xFFFF) * static_cast<unsigned>(n) >> 16));
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
                    nth_card(from, static_cast<unsigned>((random & 0xFFFF) * static_cast<unsigned>(count(from)) >> 16));
                hand[seat] ^= play;
                // Only a higher card of the suit led can win.
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

// A raised `stop` ends them early; the total then means nothing.
inline std::int64_t rollouts(const Position& p, std::int64_t times, std::uint64_t seed, const std::atomic<bool>& stop) {
    Dice dice{seed};
    if ((p.kind == Kind::rami || p.kind == Kind::nolo) && p.trump == NONE && p.last == NONE && p.active == 15 &&
        p.seats == 4 && !p.played)
        return plain_rollouts(p, times, dice, stop);
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < times && !is_stopped(i, stop); ++i) {
        Position q = p;
        int value = 0;
        while (!is_over(q) && !(q.kind == Kind::sooli && value)) {
            const Moves moves = legal_moves(q);
            int choices = moves.size;
            if (moves.move[0] < DECLARE)
                while (moves.move[choices - 1] >= DECLARE) --choices;
            value += apply(q, moves.move[dice.below(choices)]);
        }
        total += p.contract ? value >= p.target : value;
    }
    return total;
}

}  // namespace nousu::NOUSU_ISA
