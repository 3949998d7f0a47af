// Helpers of all searches: node count, scored moves, owners of cards, and the calls of Huutopussi.
#pragma once
#include <array>
#include <utility>

#include "common/bits.h"
#include "common/play_rules.h"
#include "solver/solver.h"

namespace nousu::NOUSU_ISA {

// All values lie between -VALUE_LIMIT and VALUE_LIMIT.
constexpr int VALUE_LIMIT = 20000;

// Count a node; look at the limits every 1,024 nodes.
inline void count_node(Control& control) {
    if ((++control.nodes & 1023) == 0) control.check();
}

struct ScoredMove {
    int move;
    int score;
};

// Swap the move with the best score among list[i..n) to place i and return it.
inline int pick_best(ScoredMove* list, int i, int n) {
    int pick = i;
    for (int j = i + 1; j < n; ++j)
        if (list[j].score > list[pick].score) pick = j;
    std::swap(list[i], list[pick]);
    return list[i].move;
}

// The hands with the cards that they have played to the trick on the table.
inline std::array<Cards, 4> hands_before_trick(const Position& p) {
    std::array<Cards, 4> hands{p.hand[0], p.hand[1], p.hand[2], p.hand[3]};
    for (int i = 0; i < p.played; ++i) hands[p.trick_seat[i]] |= bit(p.trick_card[i]);
    return hands;
}

// The owners of cards by rank: two bits a card, spades and hearts in the first word.
struct Owners {
    std::uint64_t word[2]{};

    // Every card of the hands gets the number of its hand.
    void assign(const std::array<Cards, 4>& hands) {
        word[0] = word[1] = 0;
        for (unsigned hand = 0; hand < 4; ++hand)
            for (int half = 0; half < 2; ++half)
                word[half] |= (doubled(hands[hand] >> 32 * half & 0xFFFFFFFF) & EVENS) * hand;
    }
    // The owners of these cards alone, without gaps.
    Owners of(Cards cards) const {
        return {{gather(word[0], doubled(cards & 0xFFFFFFFF)), gather(word[1], doubled(cards >> 32))}};
    }
};

// Calls before this lead that can help. A question that gets a "no" only costs rights and is left out.
inline int helpful_calls(const Position& p, int seat, ScoredMove* list) {
    constexpr int FIRST = 1 << 24;  // before all cards
    int n = 0, other = (seat + 2) % 4;
    const int mine = held_marriages(p, p.hand[seat]);
    if (p.own >> seat & 1)
        for (int s = 0; s < SUITS; ++s)
            if (mine >> s & 1) list[n++] = {DECLARE + s, FIRST + p.marriage[s]};
    if ((p.full >> seat & 1) && held_marriages(p, p.hand[other])) list[n++] = {ASK_FULL, FIRST + 70};
    for (int s = 0; s < SUITS; ++s) {
        if (p.declared >> s & 1 || !(p.half >> seat & 1)) continue;
        Cards k = bit(16 * s + p.king), q = bit(16 * s + p.queen);
        if ((p.hand[seat] & k) && (p.hand[other] & q)) list[n++] = {ASK_KING + s, FIRST + p.marriage[s]};
        if ((p.hand[seat] & q) && (p.hand[other] & k)) list[n++] = {ASK_QUEEN + s, FIRST + p.marriage[s]};
    }
    return n;
}

// The marriages that the seat on turn, asked for one, can name.
inline int marriage_answers(const Position& p, ScoredMove* list) {
    const int held = held_marriages(p, p.hand[p.turn]);
    int n = 0;
    for (int s = 0; s < SUITS; ++s)
        if (held >> s & 1) list[n++] = {ANSWER + s, p.marriage[s]};
    return n;
}

}  // namespace nousu::NOUSU_ISA
