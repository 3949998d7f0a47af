// What an answer rests on: which of two cards, of one suit and of different hands, is the higher. Thirteen cards in
// four hands make at most 63 such pairs, so a suit's pairs are bits of one word, and a set of pairs is four words.
#pragma once
#include <bit>

#include "common/bits.h"

namespace nousu::NOUSU_ISA {

struct Pairs {
    std::uint64_t suit[SUITS]{};
    void operator|=(const Pairs& more) {
        for (int s = 0; s < SUITS; ++s) suit[s] |= more.suit[s];
    }
};

// The pairs of one deal. Their bits are ordered by the two hands, then by the rank of the first hand's card, then by
// that of the second's; so, when cards have gone, the pairs that are left stand in the order they would have in a
// deal of their own, and gathering them makes positions with equally long suits comparable.
class DealtPairs {
public:
    void deal(const Cards hand[4]) {
        for (int suit = 0; suit < SUITS; ++suit) {
            int place = 0;
            truth_[suit] = 0;
            for (int card = 16 * suit; card < 16 * suit + 16; ++card) {
                of_[card] = gap_[card] = 0;
                for (auto& word : pair_[card]) word = 0;
            }
            for (int a = 0; a < 4; ++a)
                for (int b = a + 1; b < 4; ++b)
                    for (Cards p = hand[a] & lane(suit); p; p &= p - 1)
                        for (Cards q = hand[b] & lane(suit); q; q &= q - 1) name(suit, place++, lowest(p), lowest(q));
            for (int a = 0; a < 4; ++a)
                for (Cards p = hand[a] & lane(suit); p; p &= p - 1)
                    for (int x = lowest(p) - 1; x >= 16 * suit && !(hand[a] & bit(x)); --x) gap_[lowest(p)] |= of_[x];
            all_[suit] = (std::uint64_t{1} << place) - 1;
        }
    }

    // The pair of two cards of a suit, empty if one hand holds both.
    std::uint64_t pair(int card, int other) const { return pair_[card][other & 15]; }
    // All pairs of a card.
    std::uint64_t of(int card) const { return of_[card]; }
    // All pairs of the cards between this one and the next lower one its hand was dealt.
    std::uint64_t gap(int card) const { return gap_[card]; }
    // The pairs of a suit whose first card is the higher.
    std::uint64_t truth(int suit) const { return truth_[suit]; }
    std::uint64_t all(int suit) const { return all_[suit]; }
    // The cards of the pairs, of a suit.
    Cards cards(std::uint64_t pairs, int suit) const {
        Cards found = 0;
        for (; pairs; pairs &= pairs - 1) found |= Cards{both_[suit][std::countr_zero(pairs)]} << 16 * suit;
        return found;
    }

private:
    void name(int suit, int place, int p, int q) {
        const std::uint64_t one = std::uint64_t{1} << place;
        pair_[p][q & 15] = pair_[q][p & 15] = one;
        of_[p] |= one;
        of_[q] |= one;
        if (p > q) truth_[suit] |= one;
        both_[suit][place] = static_cast<std::uint16_t>(1u << (p & 15) | 1u << (q & 15));
    }

    std::uint64_t pair_[64][16], of_[64], gap_[64], truth_[SUITS], all_[SUITS];
    std::uint16_t both_[SUITS][64];
};

}  // namespace nousu::NOUSU_ISA
