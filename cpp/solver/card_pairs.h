// Sets of card pairs. A pair is two cards of one suit in different hands; an answer depends on which of the two is
// higher. Thirteen cards in four hands make at most 63 pairs, so the pairs of a suit fit in one word.
#pragma once
#include <array>
#include <bit>

#include "common/bits.h"

namespace nousu::NOUSU_ISA {

struct CardPairs {
    std::uint64_t suit[SUITS]{};
    void operator|=(const CardPairs& more) {
        for (int s = 0; s < SUITS; ++s) suit[s] |= more.suit[s];
    }
};

// The pairs of one deal. Their bits are sorted by the two hands, then by the rank of the first hand's card, then by the
// rank of the second's. When cards have gone, the remaining pairs keep the order they would have in a deal of their
// own; gathered, they make positions with equal suit lengths comparable.
class DealtPairs {
public:
    void deal(const std::array<Cards, 4>& hand) {
        for (int suit = 0; suit < SUITS; ++suit) {
            int place = 0;
            in_order_[suit] = 0;
            for (int card = 16 * suit; card < 16 * suit + 16; ++card) {
                of_[card] = gap_[card] = 0;
                for (auto& word : pair_[card]) word = 0;
            }
            for (int a = 0; a < 4; ++a)
                for (int b = a + 1; b < 4; ++b)
                    for (Cards p = hand[a] & lane(suit); p; p &= p - 1)
                        for (Cards q = hand[b] & lane(suit); q; q &= q - 1) add(suit, place++, lowest(p), lowest(q));
            for (int a = 0; a < 4; ++a)
                for (Cards p = hand[a] & lane(suit); p; p &= p - 1)
                    for (int x = lowest(p) - 1; x >= 16 * suit && !(hand[a] & bit(x)); --x) gap_[lowest(p)] |= of_[x];
            all_[suit] = (std::uint64_t{1} << place) - 1;
        }
    }

    // The pair of two cards of a suit; empty if one hand holds both.
    std::uint64_t pair(int card, int other) const { return pair_[card][other & 15]; }
    // All pairs with this card.
    std::uint64_t of(int card) const { return of_[card]; }
    // All pairs with a card between this one and the next lower card dealt to its hand.
    std::uint64_t gap(int card) const { return gap_[card]; }
    // The pairs of a suit of which the first hand's card is the higher.
    std::uint64_t in_order(int suit) const { return in_order_[suit]; }
    std::uint64_t all(int suit) const { return all_[suit]; }
    // The cards that occur in these pairs of a suit.
    Cards cards(std::uint64_t pairs, int suit) const {
        Cards result = 0;
        for (; pairs; pairs &= pairs - 1) result |= Cards{cards_of_[suit][std::countr_zero(pairs)]} << 16 * suit;
        return result;
    }

private:
    void add(int suit, int place, int p, int q) {
        const std::uint64_t pair = std::uint64_t{1} << place;
        pair_[p][q & 15] = pair_[q][p & 15] = pair;
        of_[p] |= pair;
        of_[q] |= pair;
        if (p > q) in_order_[suit] |= pair;
        cards_of_[suit][place] = static_cast<std::uint16_t>(1u << (p & 15) | 1u << (q & 15));
    }

    std::uint64_t pair_[64][16], of_[64], gap_[64], in_order_[SUITS], all_[SUITS];
    std::uint16_t cards_of_[SUITS][64];
};

}  // namespace nousu::NOUSU_ISA
