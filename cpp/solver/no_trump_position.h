// Four hands of equal length, no trump, two sides: what rami and nolo share. The hands, their lengths and the
// owners of the cards left; and the arithmetic of ranks within suits.
#pragma once
#include "common/bits.h"
#include "common/play_rules.h"

namespace nousu::NOUSU_ISA {

// The owners of the cards left, by rank among them: two bits a card, spades and hearts in the first word.
struct Owners {
    std::uint64_t word[2];
};

inline int nibble(int seat, int suit) { return 16 * seat + 4 * suit; }
inline std::uint64_t unit(int seat, int suit) { return std::uint64_t{1} << nibble(seat, suit); }
inline int ranked(const Problem& p, const Table& t) {
    int followed = 0;
    for (int i = 0; i < p.played; ++i) followed += suit_of(p.trick_card[i]) == t.led;
    return followed;
}

inline bool even(int seat) { return (seat & 1) == 0; }

// All ranks from the lowest that mattered up, suit by suit.
inline Cards upward(Cards win) {
    // In each lane: everything at or above the lowest set bit.
    constexpr Cards ONES = 0x0001000100010001ull;
    constexpr Cards TOPS = 0x8000800080008000ull;
    // x | -x within lanes; a lane never holds its top bit, so no carry crosses.
    Cards minus = ((~win & ~TOPS) + ONES) & ~TOPS;  // two's complement in 15 bits
    Cards nonzero = ((win + ~TOPS) & TOPS) >> 15;   // 1 in every lane that is not empty
    return (win | minus) & (nonzero * 0x7FFF);
}

inline Cards run_of(int card, Cards mine, Cards present) {
    Cards others = present & ~mine;
    Cards below = (bit(card) - 1) & lane(suit_of(card));
    Cards stop = others & below;
    Cards run = stop ? below & ~((Cards{2} << highest(stop)) - 1) : below;
    return (run & mine) | bit(card);
}

// Cards that would have fared like `card`: those of its suit below every rank that mattered, if it was
// one of them. The position after either differs only in which small card is gone.
inline Cards alike(int card, Cards win) {
    Cards in = win & lane(suit_of(card));
    if (!in) return lane(suit_of(card));
    Cards below = (in & -in) - 1;
    return below & bit(card) ? below & lane(suit_of(card)) : 0;
}

struct Move {
    int card;
    int score;
};

inline void sorted(Move* list, int size) {
    for (int i = 1; i < size; ++i) {
        Move m = list[i];
        int j = i;
        for (; j && list[j - 1].score < m.score; --j) list[j] = list[j - 1];
        list[j] = m;
    }
}

class FourHands {
protected:
    void own(const Problem& p) {
        own_[0] = own_[1] = 0;
        Cards all[4];
        for (int s = 0; s < 4; ++s) all[s] = p.hand[s];
        for (int i = 0; i < p.played; ++i) all[p.trick_seat[i]] |= bit(p.trick_card[i]);
        for (int half = 0; half < 2; ++half)
            for (int s = 0; s < 4; ++s) {
                std::uint64_t pairs = doubled(all[s] >> 32 * half & 0xFFFFFFFF) & EVENS;
                own_[half] |= pairs * static_cast<unsigned>(s);
            }
    }

    void take(const Problem& p) {
        for (int s = 0; s < 4; ++s) hand_[s] = p.hand[s];
        shape_ = 0;
        for (int s = 0; s < 4; ++s)
            for (int suit = 0; suit < SUITS; ++suit)
                shape_ += static_cast<std::uint64_t>(count(hand_[s] & lane(suit))) << nibble(s, suit);
    }

    // The suits' owners by rank among the cards left.
    Owners owners(Cards left, std::uint64_t pairs[2]) const {
        pairs[0] = doubled(left & 0xFFFFFFFF);
        pairs[1] = doubled(left >> 32);
        return {{gather(own_[0], pairs[0]), gather(own_[1], pairs[1])}};
    }

    int length(int seat, int suit) const { return shape_ >> nibble(seat, suit) & 15; }
    int longest_other(int seat, int suit) const {
        return std::max(length(seat ^ 1, suit), std::max(length(seat ^ 2, suit), length(seat ^ 3, suit)));
    }

    // Without the lowest cards of a suit where one hand holds these: the lengths tell who.
    Cards needed(Cards win, Cards left) const {
        for (Cards hand : hand_) win &= ~hand | upward(left & ~hand);
        return win;
    }

    bool last_trick(int leader, int need, Cards& win) const {
        int led = suit_of(lowest(hand_[leader]));
        int best = lowest(hand_[leader]), winner = leader, followed = 1;
        for (int i = 1; i < 4; ++i) {
            int seat = (leader + i) & 3, card = lowest(hand_[seat]);
            if (suit_of(card) != led) continue;
            ++followed;
            if (card > best) best = card, winner = seat;
        }
        win = followed > 1 ? bit(best) : 0;
        return even(winner) >= need;
    }

    Cards hand_[4]{};
    std::uint64_t shape_ = 0;  // lengths, a nibble each: seat * 16 + suit * 4
    std::uint64_t own_[2]{};
};

}  // namespace nousu::NOUSU_ISA
