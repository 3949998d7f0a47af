// A no-trump position of four equal hands and two sides, shared by rami and nolo: the hands, their suit
// lengths, and arithmetic on ranks within suits.
#pragma once
#include "solver/search.h"

namespace nousu::NOUSU_ISA {

// Suit lengths are packed, four bits each: where the length of a suit in a hand stands, and one card of it.
inline int length_shift(int seat, int suit) { return 16 * seat + 4 * suit; }
inline std::uint64_t length_unit(int seat, int suit) { return std::uint64_t{1} << length_shift(seat, suit); }
// The seats that have played a card of the suit led to the trick on the table, one bit each.
inline int followers(const Position& p, const TrickState& t) {
    int followed = 0;
    for (int i = 0; i < p.played; ++i) followed |= (suit_of(p.trick_card[i]) == t.led) << p.trick_seat[i];
    return followed;
}

inline bool is_north_south(int seat) { return (seat & 1) == 0; }

// In every suit: all ranks from the lowest one of `win` up.
inline Cards with_higher_ranks(Cards win) {
    // In each lane: all bits at or above the lowest set bit.
    constexpr Cards ONES = 0x0001000100010001ull;
    constexpr Cards TOPS = 0x8000800080008000ull;
    // x | -x within lanes. The top bit of a lane is never set, so no carry crosses into the next one.
    Cards minus = ((~win & ~TOPS) + ONES) & ~TOPS;  // two's complement in 15 bits
    Cards nonzero = ((win + ~TOPS) & TOPS) >> 15;   // 1 in every lane that is not empty
    return (win | minus) & (nonzero * 0x7FFF);
}

// The cards of `mine` from `card` down with no card of others between.
inline Cards run_of(int card, Cards mine, Cards present) {
    Cards others = present & ~mine;
    Cards below = (bit(card) - 1) & lane(suit_of(card));
    Cards stop = others & below;
    Cards run = stop ? below & ~((Cards{2} << highest(stop)) - 1) : below;
    return (run & mine) | bit(card);
}

// Cards that fail for the same reason as `card`: those of its suit below every decisive rank, if `card` is one of them.
// The positions after them differ only in which small card is gone.
inline Cards equivalent_cards(int card, Cards win) {
    Cards in = win & lane(suit_of(card));
    if (!in) return lane(suit_of(card));
    Cards below = (in & -in) - 1;
    return below & bit(card) ? below & lane(suit_of(card)) : 0;
}

inline void sort_by_score(ScoredMove* list, int size) {
    for (int i = 1; i < size; ++i) {
        ScoredMove m = list[i];
        int j = i;
        for (; j && list[j - 1].score < m.score; --j) list[j] = list[j - 1];
        list[j] = m;
    }
}

class NoTrumpPosition {
protected:
    void set_position(const Position& p) {
        for (int s = 0; s < 4; ++s) hand_[s] = p.hand[s];
        shape_ = 0;
        for (int s = 0; s < 4; ++s)
            for (int suit = 0; suit < SUITS; ++suit)
                shape_ += static_cast<std::uint64_t>(count(hand_[s] & lane(suit))) << length_shift(s, suit);
    }

    Cards cards_left() const { return hand_[0] | hand_[1] | hand_[2] | hand_[3]; }
    int length(int seat, int suit) const { return shape_ >> length_shift(seat, suit) & 15; }
    int longest_other(int seat, int suit) const {
        return std::max(length(seat ^ 1, suit), std::max(length(seat ^ 2, suit), length(seat ^ 3, suit)));
    }

    // `win` without the lowest cards of a suit where one hand holds them all: the suit lengths imply their owner.
    Cards trim_lowest(Cards win, Cards left) const {
        for (Cards hand : hand_) win &= ~hand | with_higher_ranks(left & ~hand);
        return win;
    }

    // The answer of a position of one trick.
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
        return is_north_south(winner) >= need;
    }

    Cards hand_[4]{};
    std::uint64_t shape_ = 0;  // all suit lengths
};

}  // namespace nousu::NOUSU_ISA
