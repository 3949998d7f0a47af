// What is seen about a position of Huutopussi without a search: the marriages that may still come, the points the
// hand on lead takes at once, who surely takes a trick, and which cards are as good as others.
#pragma once
#include <cstdlib>

#include "solver/general_search.h"

namespace nousu::NOUSU_ISA {

// The lowest rank of every suit; times a lane, the same ranks of every suit.
constexpr Cards LOWEST_RANKS = 0x0001000100010001ull;

// What can still be declared, however the play goes.
struct Hopes {
    int suits = 0;         // that may still be declared
    int rights = 0;        // to declare from hand (bits 0–3) and to ask for a marriage (4–7) that matter
    int up = 0, down = 0;  // the most that declaring adds to the value, and takes from it
};

// A trick on the table.
struct Trick {
    int led = NONE, best = NONE, winner = NONE, leader = 0, points = 0;
    int waiting = 4;  // hands still to play
    Hopes hopes;
};

class HuutopussiHands {
protected:
    void begin_hands(const Problem& p) {
        for (int s = 0; s < 4; ++s) {
            weight_[s] = weight(p, s);
            maximise_[s] = maximises(p, s);
        }
        high_ = std::max(weight_[0], weight_[1]);
        low_ = std::min(weight_[0], weight_[1]);
        last_points_ = p.last_trick;
        Cards edges = 0, royals = bit(p.king) | bit(p.queen - 1);
        for (int r = 0; r < 16; ++r) {
            if (r < 15 && p.value[r] != p.value[r + 1]) edges |= bit(r);
            for (int s = 0; s < SUITS; ++s) worth_[16 * s + r] = p.value[r];
        }
        worth_edges_ = edges * LOWEST_RANKS;
        classes_ = 0;
        for (int r = 15; r >= 0; --r) {
            if (!classes_ && !p.value[r]) continue;  // no cards
            if (!classes_ || p.value[r] != p.value[r + 1]) class_[classes_++] = {0, p.value[r]};
            class_[classes_ - 1].cards |= bit(r) * LOWEST_RANKS;
        }
        for (int suits = 0; suits < 16; ++suits) {
            royal_edges_[suits] = 0;
            for (int s = 0; s < SUITS; ++s)
                if (suits >> s & 1) royal_edges_[suits] |= royals << LANE_BITS * s;
        }
    }

    // The position of which a probe is asked; returns the trick on the table.
    Trick take(const Problem& p) {
        s_ = p;
        tricks_ = cards_left(p);
        left_ = 0;
        for (int seat = 0; seat < 4; ++seat)
            for (Cards c = p.hand[seat]; c; c &= c - 1) left_ += worth_[lowest(c)];
        const Table table = table_of(p);
        Trick t;
        t.led = table.led;
        t.best = table.best;
        t.winner = table.winner;
        t.leader = p.played ? p.trick_seat[0] : p.turn;
        t.waiting = 4 - p.played;
        for (int i = 0; i < p.played; ++i) t.points += worth_[p.trick_card[i]];
        t.hopes = {15, 255, FAR / 2, FAR / 2};  // in the middle of a trick nothing is ruled out
        return t;
    }

    Cards held() const { return s_.hand[0] | s_.hand[1] | s_.hand[2] | s_.hand[3]; }

    // Before a lead.
    Hopes hopes() const {
        Hopes h;
        for (int side = 0; side < 2; ++side) {
            // Suits of which the side holds king and queen: a bit at the lowest rank.
            const Cards both = s_.hand[side] | s_.hand[side + 2];
            Cards pairs = both >> s_.king & both >> s_.queen & LOWEST_RANKS;
            if (!pairs) continue;
            // Tricks left at the next chance to declare, and how many chances there can be.
            const bool leads = (s_.turn & 1) == side;
            const int left = leads ? tricks_ - !s_.open : tricks_ - (s_.any_winner_declares ? 1 : 2);
            int best[SUITS], n = 0;
            for (; pairs; pairs &= pairs - 1) {
                const int s = suit_of(lowest(pairs));
                if (s_.declared >> s & 1) continue;
                const Cards royals = (bit(s_.king) | bit(s_.queen)) << LANE_BITS * s;
                const Cards one = s_.hand[side] & royals;
                if (one && one != royals) {
                    if (left < 1) continue;
                } else {
                    const int seat = one ? side : side + 2, rights = 1 << seat | 16 << (seat ^ 2);
                    if (left < 2 || !((s_.own | s_.full << 4) & rights)) continue;
                    h.rights |= rights;
                }
                h.suits |= 1 << s;
                best[n++] = s_.marriage[s];
            }
            int points = 0;
            for (int chances = left; chances > 0 && n > 0; --chances) {
                int* most = std::max_element(best, best + n);
                points += *most;
                *most = best[--n];
            }
            (weight_[side] > 0 ? h.up : h.down) += points * std::abs(weight_[side]);
        }
        h.rights &= s_.own | s_.full << 4;
        return h;
    }

    // Points that the hand on lead takes at once by leading its winners, and in how many tricks. While it does
    // nobody else can lead or declare. The partner gives the dearest cards he may, the others the cheapest; no card
    // is worth less than a lower one of its suit.
    int run(int& rounds) const {
        rounds = 0;
        const int me = s_.turn;
        const Cards own = s_.hand[me], others = s_.hand[me ^ 1] | s_.hand[me ^ 2] | s_.hand[me ^ 3];
        // The others' cards and everything under them.
        Cards below = others | (others >> 1 & 0x7FFF * LOWEST_RANKS);
        below |= below >> 2 & 0x3FFF * LOWEST_RANKS;
        below |= below >> 4 & 0x0FFF * LOWEST_RANKS;
        below |= below >> 8 & 0x00FF * LOWEST_RANKS;
        int points = 0, suits = 0, suit[SUITS], length[SUITS];
        for (Cards tops = own & ~below; tops; tops &= ~lane(suit[suits++])) {
            const int s = suit[suits] = suit_of(lowest(tops)), n = winners(s, tops & lane(s));
            length[suits] = n;
            rounds += n;
            points += worth_of_highest(own & lane(s), n);
        }
        if (!rounds) return 0;
        if (rounds >= tricks_) return left_;
        for (int k = 1; k < 4; ++k) {
            const bool partner = k == 2;
            Cards rest = s_.hand[me ^ k];
            int discards = rounds;
            for (int i = 0; i < suits; ++i) {
                Cards here = rest & lane(suit[i]);
                for (int n = length[i]; n && here; --n, --discards) {
                    const int card = partner ? highest(here) : lowest(here);
                    here ^= bit(card);
                    rest ^= bit(card);
                    points += worth_[card];
                }
            }
            points += thrown(rest, discards, partner);
        }
        return points;
    }

    int worth_of_highest(Cards cards, int n) const {
        int points = 0;
        for (; n; --n) {
            const int card = highest(cards);
            cards ^= bit(card);
            points += worth_[card];
        }
        return points;
    }

    // How many tricks the hand on lead takes with its `top` cards of a suit and, when the others have no more, with
    // the rest of it. If there is another trump, while everybody who holds trumps follows.
    int winners(int s, Cards top) const {
        const int me = s_.turn;
        int length = 16, longest = 0;
        for (int k = 1; k < 4; ++k) {
            const Cards hand = s_.hand[me ^ k];
            const int here = count(hand & lane(s));
            longest = std::max(longest, here);
            if (s_.trump != NONE && s_.trump != s && (hand & lane(s_.trump))) length = std::min(length, here);
        }
        int n = count(top);
        if (n >= longest) n = count(s_.hand[me] & lane(s));
        return std::min(n, length);
    }

    // What `n` of these cards are worth, the dearest or the cheapest of them.
    int thrown(Cards cards, int n, bool dearest) const {
        int points = 0;
        for (int i = 0; i < classes_ && n > 0; ++i) {
            const auto& [these, worth] = class_[dearest ? i : classes_ - 1 - i];
            const int some = std::min(n, count(cards & these));
            points += some * worth;
            n -= some;
        }
        return points;
    }

    // The side that takes the trick whatever the next `waiting` hands play, NONE if that is open. Whoever can beat
    // must: so if only one side can, and it did not win yet, it will.
    int taker(int best, int winner, int led, int from, int waiting) const {
        bool can[2] = {false, false};
        const int suit = suit_of(best);
        for (int k = 0; k < waiting; ++k) {
            const int seat = (from + k) & 3;
            const Cards hand = s_.hand[seat], same = hand & lane(led);
            if (same) {
                can[seat & 1] |= suit == led && highest(same) > best;
            } else if (s_.trump != NONE) {
                const Cards trumps = hand & lane(s_.trump);
                can[seat & 1] |= trumps && (suit != s_.trump || highest(trumps) > best);
            }
        }
        const int side = winner & 1;
        if (!can[side ^ 1]) return side;
        return can[side] ? NONE : side ^ 1;
    }

    // Of these cards those that need be tried. Neighbours worth the same are one card. Of neighbours worth different
    // points the dearest is best in a trick that the own side takes anyhow, the cheapest in one that it does not:
    // the cards kept win the same tricks later, and what they bring then differs by no more than what is gained now.
    Cards candidates(Cards legal, const Trick& t) const {
        const Cards royal = royal_edges_[t.hopes.suits];
        const Cards present = held() | (t.best == NONE ? 0 : bit(t.best));
        Cards kept = heads(legal, present, royal | worth_edges_);
        if (!(kept & (kept - 1))) return kept;
        const Cards mixed = kept & ~heads(legal, present, royal);
        for (Cards rest = mixed; rest;) {
            // The run that ends with the lowest of them.
            const int seat = s_.turn, low = lowest(rest), suit = suit_of(low);
            const Cards firsts = kept & ~mixed & lane(suit) & ~((bit(low) << 1) - 1);
            const int top = lowest(firsts);
            const Cards run = kept & lane(suit) & ((bit(top) << 1) - 1) & ~(bit(low) - 1);
            rest &= ~run;
            int best = t.best, winner = t.winner;
            if (best == NONE || (suit == suit_of(best) ? top > best : suit == s_.trump)) best = top, winner = seat;
            const int side = taker(best, winner, t.led == NONE ? suit : t.led, (seat + 1) & 3, t.waiting - 1);
            if (side == NONE) continue;
            kept &= ~run | bit(side == (seat & 1) ? top : low);
        }
        return kept;
    }

    Problem s_;
    int tricks_ = 0, left_ = 0;
    int weight_[MAX_SEATS]{};
    bool maximise_[MAX_SEATS]{};
    int worth_[64]{};
    int last_points_ = 0, high_ = 1, low_ = 0, classes_ = 0;
    Cards worth_edges_ = 0, royal_edges_[16]{};
    struct Worth {
        Cards cards;
        int worth;
    } class_[16]{};  // the cards worth as much, dearest first
};

}  // namespace nousu::NOUSU_ISA
