// Bounds of nolo by counting, without a search. The burden of a suit lies on one side: compare the lowest card of every
// hand, take the higher one of each side, and the side with the higher of the two must win the next round of the suit
// if the others duck.
// All results depend on cards of one side lying below cards of the other; `note_order` records them.
#pragma once
#include "solver/card_pairs.h"
#include "solver/no_trump_position.h"

namespace nousu::NOUSU_ISA {

class NoloBounds : protected NoTrumpPosition {
protected:
    void deal(const Position& p) {
        hands_ = hands_before_trick(p);
        dealt_.deal(hands_);
    }

    // Record that `high` lies above `low`; a card NONE is ignored.
    void note_order(int high, int low, CardPairs& pairs) const {
        if (low != NONE && high != NONE) pairs.suit[suit_of(high)] |= dealt_.pair(high, low);
    }

    // For each suit the lowest card of every hand (NONE if void) and the side with the burden.
    struct Lows {
        int card[4][SUITS];
        int top[2][SUITS];  // the higher of a side's two lowest cards
        int held[4];        // suits that each hand holds, one bit each
        int burden[2];      // suits of which the side has the burden, one bit each
    };
    Lows find_lows() const {
        Lows lows;
        for (int seat = 0; seat < 4; ++seat) {
            lows.held[seat] = 0;
            for (int suit = 0; suit < SUITS; ++suit) {
                const Cards in = hand_[seat] & lane(suit);
                lows.card[seat][suit] = in ? lowest(in) : NONE;
                lows.held[seat] |= (in != 0) << suit;
            }
        }
        lows.burden[0] = lows.burden[1] = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            for (int side = 0; side < 2; ++side)
                lows.top[side][suit] = std::max(lows.card[side][suit], lows.card[side + 2][suit]);
            lows.burden[0] |= (lows.top[0][suit] > lows.top[1][suit]) << suit;
            lows.burden[1] |= (lows.top[1][suit] > lows.top[0][suit]) << suit;
        }
        return lows;
    }

    // Record the pairs that give `side` the burden of a suit.
    void note_burden(const Lows& lows, int side, int suit, CardPairs& pairs) const {
        for (int seat = 1 - side; seat < 4; seat += 2) note_order(lows.top[side][suit], lows.card[seat][suit], pairs);
    }

    // Number of rounds, up to `most`, that a side with `a` and `c` of a suit can lead while hands with `x` and `y`
    // duck: the i-th lowest card of each of these is below the i-th lowest of `a` and `c` together.
    int safe_rounds(Cards a, Cards c, Cards x, Cards y, int most, CardPairs& pairs) const {
        const int longest = std::max(count(a), count(c));
        for (int k = 0; k < most; ++k) {
            if (k == longest) return most;
            const int in_a = a ? lowest(a) : NONE, in_c = c ? lowest(c) : NONE;
            const bool first = in_c == NONE || (in_a != NONE && in_a < in_c);
            const int card = first ? in_a : in_c;
            if ((x && lowest(x) > card) || (y && lowest(y) > card)) return k;
            for (Cards* hand : {&x, &y}) {
                if (!*hand) continue;
                note_order(in_a, lowest(*hand), pairs);
                note_order(in_c, lowest(*hand), pairs);
                *hand &= *hand - 1;
            }
            (first ? a : c) ^= bit(card);
        }
        return most;
    }

    // Whether the side on lead must win `enough` tricks before it can give the lead away.
    bool must_win_before_exit(const Lows& lows, int leader, int enough, CardPairs& pairs) const {
        const int side = leader & 1;
        if (lows.held[leader] & ~lows.burden[side]) return false;
        if (enough > 1 && lows.held[leader ^ 2] & ~lows.burden[side]) return false;
        pairs = {};
        for (int suit = 0; suit < SUITS; ++suit) {
            if (enough == 1) {
                if (lows.held[leader] >> suit & 1) note_burden(lows, side, suit, pairs);
                continue;
            }
            const Cards in = lane(suit);
            if (safe_rounds(hand_[leader] & in, hand_[leader ^ 2] & in, hand_[leader ^ 1] & in, hand_[leader ^ 3] & in,
                            enough, pairs) < enough)
                return false;
        }
        return true;
    }

    // Whether the leader can give the lead away so that the other side must win `enough` tricks in all.
    bool can_exit(const Lows& lows, int leader, int enough, CardPairs& pairs) const {
        const int side = leader & 1, other = 1 - side, foe = leader ^ 1;
        const int ways = lows.held[leader] & lows.burden[other];
        if (!ways) return false;
        if (enough > 1 && (lows.held[foe] | lows.held[foe ^ 2]) & ~lows.burden[other]) return false;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(ways >> suit & 1)) continue;
            pairs = {};
            note_burden(lows, other, suit, pairs);
            if (enough == 1 || must_win_after_exit(lows, leader, suit, enough - 1, pairs)) return true;
        }
        return false;
    }

    // Whether the other side, in the lead after a round of `suit`, must win `more` tricks.
    bool must_win_after_exit(const Lows& lows, int leader, int suit, int more, CardPairs& pairs) const {
        const int other = 1 - (leader & 1), foe = leader ^ 1;
        // A hand that cannot follow may throw the card on which its side's burden rests.
        const bool follow = (lows.held[foe] & lows.held[foe ^ 2]) >> suit & 1;
        for (int s = 0; s < SUITS; ++s) {
            const Cards in = lane(s);
            Cards a = hand_[foe] & in, c = hand_[foe ^ 2] & in, x = hand_[leader] & in, y = hand_[leader ^ 2] & in;
            if (!(a | c)) continue;
            if (s == suit) {
                // The side with the burden plays its highest cards, the others the highest ones that duck.
                const int high = lows.top[other][suit];
                for (Cards* hand : {&x, &y}) {
                    if (!*hand) continue;
                    const int card = highest(*hand & (bit(high) - 1));
                    note_order(high, card, pairs);
                    *hand ^= bit(card);
                }
                if (a) a ^= bit(highest(a));
                if (c) c ^= bit(highest(c));
                if (!(a | c)) continue;
            }
            if (more == 1 && (s == suit ? a && c : follow)) {
                const int high = std::max(a ? lowest(a) : NONE, c ? lowest(c) : NONE);
                const int low = std::max(x ? lowest(x) : NONE, y ? lowest(y) : NONE);
                if (low > high) return false;
                if (x) note_order(high, lowest(x), pairs);
                if (y) note_order(high, lowest(y), pairs);
            } else if (safe_rounds(a, c, x, y, more, pairs) < more) {
                return false;
            }
        }
        return true;
    }

    // Whether the side on lead must win a trick because either opponent that gets the lead returns it at once: in
    // another suit of which the lowest cards are all with the side on lead, so that no discard in between helps.
    bool lead_returns(const Lows& lows, int leader, CardPairs& pairs) const {
        const int side = leader & 1, mate = leader ^ 2;
        const Cards ours = hand_[leader] | hand_[mate];
        int returns[2] = {0, 0};  // suits in which that opponent can return the lead
        CardPairs lower_pairs[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            const Cards in = ours & lane(suit);
            if (!in || lows.top[1 - side][suit] == NONE || lows.top[1 - side][suit] > lowest(in)) continue;
            for (int z = 0; z < 2; ++z) returns[z] |= (lows.held[leader ^ (z ? 3 : 1)] >> suit & 1) << suit;
            for (int seat : {leader, mate})
                for (int foe : {leader ^ 1, leader ^ 3})
                    note_order(lows.card[seat][suit], lows.card[foe][suit], lower_pairs[suit]);
        }
        if (!(returns[0] | returns[1])) return false;
        pairs = {};
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(lows.held[leader] >> suit & 1)) continue;
            if (lows.burden[side] >> suit & 1) {
                note_burden(lows, side, suit, pairs);
                continue;
            }
            const bool partner_void = !(lows.held[mate] >> suit & 1);
            for (int z = 0; z < 2; ++z) {
                if (!(lows.held[leader ^ (z ? 3 : 1)] >> suit & 1)) continue;
                int return_suit = NONE;
                for (int s = 0; s < SUITS && return_suit == NONE; ++s) {
                    if (s == suit || !(returns[z] >> s & 1)) continue;
                    if (partner_void && (lows.held[mate] >> s & 1) && count(ours & lane(s)) < 2) continue;
                    return_suit = s;
                }
                if (return_suit == NONE) return false;
                pairs |= lower_pairs[return_suit];
            }
        }
        return true;
    }

    std::array<Cards, 4> hands_{};  // as dealt
    DealtPairs dealt_;
};

}  // namespace nousu::NOUSU_ISA
