// What can be counted out in nolo. In every suit one side is burdened: the side whose hands' lowest cards, the
// higher of the two taken, top the other side's. It must win the next round of that suit if the others duck.
//
// All answers rest on cards of one side lying below cards of the other; `over` notes the two.
#pragma once
#include "solver/card_pairs.h"
#include "solver/no_trump_position.h"

namespace nousu::NOUSU_ISA {

class NoloHands : protected FourHands {
protected:
    void deal(const Problem& p) {
        for (int seat = 0; seat < 4; ++seat) hands_[seat] = p.hand[seat];
        for (int i = 0; i < p.played; ++i) hands_[p.trick_seat[i]] |= bit(p.trick_card[i]);
        dealt_.deal(hands_);
    }

    // Notes that `high` lies above `low`; a card that is NONE lies nowhere.
    void over(int high, int low, Pairs& pairs) const {
        if (low != NONE && high != NONE) pairs.suit[suit_of(high)] |= dealt_.pair(high, low);
    }

    // Suit by suit the lowest card of every hand (NONE without any) and the side that is burdened.
    struct Lows {
        int card[4][SUITS];
        int top[2][SUITS];  // the higher of a side's two lowest
        int held[4];        // suits of every hand, one bit each
        int burden[2];      // suits in which the side must win, one bit each
    };
    Lows lows() const {
        Lows l;
        for (int seat = 0; seat < 4; ++seat) {
            l.held[seat] = 0;
            for (int suit = 0; suit < SUITS; ++suit) {
                const Cards in = hand_[seat] & lane(suit);
                l.card[seat][suit] = in ? lowest(in) : NONE;
                l.held[seat] |= (in != 0) << suit;
            }
        }
        l.burden[0] = l.burden[1] = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            for (int side = 0; side < 2; ++side)
                l.top[side][suit] = std::max(l.card[side][suit], l.card[side + 2][suit]);
            l.burden[0] |= (l.top[0][suit] > l.top[1][suit]) << suit;
            l.burden[1] |= (l.top[1][suit] > l.top[0][suit]) << suit;
        }
        return l;
    }

    // What keeps `side` burdened in a suit.
    void keep_burden(const Lows& l, int side, int suit, Pairs& pairs) const {
        for (int seat = 1 - side; seat < 4; seat += 2) over(l.top[side][suit], l.card[seat][suit], pairs);
    }

    // How often, up to `most`, the side of `seat`, holding `a` and `c` of a suit, can lead it while hands with
    // `x` and `y` duck: every one of these has his i-th lowest below the i-th lowest of `a` and `c` together.
    int rounds(Cards a, Cards c, Cards x, Cards y, int most, Pairs& pairs) const {
        const int longest = std::max(count(a), count(c));
        for (int k = 0; k < most; ++k) {
            if (k == longest) return most;
            const int in_a = a ? lowest(a) : NONE, in_c = c ? lowest(c) : NONE;
            const bool first = in_c == NONE || (in_a != NONE && in_a < in_c);
            const int card = first ? in_a : in_c;
            if ((x && lowest(x) > card) || (y && lowest(y) > card)) return k;
            for (Cards* hand : {&x, &y}) {
                if (!*hand) continue;
                over(in_a, lowest(*hand), pairs);
                over(in_c, lowest(*hand), pairs);
                *hand &= *hand - 1;
            }
            (first ? a : c) ^= bit(card);
        }
        return most;
    }

    // Whether the side on lead must win `enough` tricks before it can put the others in.
    bool stuck(const Lows& l, int leader, int enough, Pairs& pairs) const {
        const int side = leader & 1;
        if (l.held[leader] & ~l.burden[side]) return false;
        if (enough > 1 && l.held[leader ^ 2] & ~l.burden[side]) return false;
        pairs = {};
        for (int suit = 0; suit < SUITS; ++suit) {
            if (enough == 1) {
                if (l.held[leader] >> suit & 1) keep_burden(l, side, suit, pairs);
                continue;
            }
            const Cards in = lane(suit);
            if (rounds(hand_[leader] & in, hand_[leader ^ 2] & in, hand_[leader ^ 1] & in, hand_[leader ^ 3] & in,
                       enough, pairs) < enough)
                return false;
        }
        return true;
    }

    // Whether the leader can put the others in, who then must win `enough` tricks in all.
    bool exits(const Lows& l, int leader, int enough, Pairs& pairs) const {
        const int side = leader & 1, other = 1 - side, foe = leader ^ 1;
        const int ways = l.held[leader] & l.burden[other];
        if (!ways) return false;
        if (enough > 1 && (l.held[foe] | l.held[foe ^ 2]) & ~l.burden[other]) return false;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(ways >> suit & 1)) continue;
            pairs = {};
            keep_burden(l, other, suit, pairs);
            if (enough == 1 || stuck_after(l, leader, suit, enough - 1, pairs)) return true;
        }
        return false;
    }

    // Whether, the leader having put the others in with `suit`, they must win `more` tricks.
    bool stuck_after(const Lows& l, int leader, int suit, int more, Pairs& pairs) const {
        const int other = 1 - (leader & 1), foe = leader ^ 1;
        // Who cannot follow may throw the very card his side's burden rests on.
        const bool follow = (l.held[foe] & l.held[foe ^ 2]) >> suit & 1;
        for (int s = 0; s < SUITS; ++s) {
            const Cards in = lane(s);
            Cards a = hand_[foe] & in, c = hand_[foe ^ 2] & in, x = hand_[leader] & in, y = hand_[leader ^ 2] & in;
            if (!(a | c)) continue;
            if (s == suit) {
                // They play their highest, whatever the others do; these play the highest that ducks.
                const int high = l.top[other][suit];
                for (Cards* hand : {&x, &y}) {
                    if (!*hand) continue;
                    const int card = highest(*hand & (bit(high) - 1));
                    over(high, card, pairs);
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
                if (x) over(high, lowest(x), pairs);
                if (y) over(high, lowest(y), pairs);
            } else if (rounds(a, c, x, y, more, pairs) < more) {
                return false;
            }
        }
        return true;
    }

    // Whether the side on lead must win a trick because whoever of the others it puts in gives the lead back at
    // once, in another suit whose lowest cards are his side's, so that no discard in between helps.
    bool bounced(const Lows& l, int leader, Pairs& pairs) const {
        const int side = leader & 1, mate = leader ^ 2;
        const Cards ours = hand_[leader] | hand_[mate];
        int back[2] = {0, 0};  // suits in which that opponent can give the lead back
        Pairs under[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            const Cards in = ours & lane(suit);
            if (!in || l.top[1 - side][suit] == NONE || l.top[1 - side][suit] > lowest(in)) continue;
            for (int z = 0; z < 2; ++z) back[z] |= (l.held[leader ^ (z ? 3 : 1)] >> suit & 1) << suit;
            for (int seat : {leader, mate})
                for (int foe : {leader ^ 1, leader ^ 3}) over(l.card[seat][suit], l.card[foe][suit], under[suit]);
        }
        if (!(back[0] | back[1])) return false;
        pairs = {};
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(l.held[leader] >> suit & 1)) continue;
            if (l.burden[side] >> suit & 1) {
                keep_burden(l, side, suit, pairs);
                continue;
            }
            const bool throws = !(l.held[mate] >> suit & 1);
            for (int z = 0; z < 2; ++z) {
                if (!(l.held[leader ^ (z ? 3 : 1)] >> suit & 1)) continue;
                int with = NONE;
                for (int s = 0; s < SUITS && with == NONE; ++s) {
                    if (s == suit || !(back[z] >> s & 1)) continue;
                    if (throws && (l.held[mate] >> s & 1) && count(ours & lane(s)) < 2) continue;
                    with = s;
                }
                if (with == NONE) return false;
                pairs |= under[with];
            }
        }
        return true;
    }

    Cards hands_[4]{};  // as dealt
    DealtPairs dealt_;
};

}  // namespace nousu::NOUSU_ISA
