// Bounds and move selection of Huutopussi without a search: marriages still possible, points that the leader can cash
// at once, the side that is sure of a trick, and equivalent cards.
#pragma once
#include <cstdlib>

#include "solver/general_search.h"

namespace nousu::NOUSU_ISA {

// The lowest rank of every suit. Times a set of ranks: these ranks of every suit.
constexpr Cards LOWEST_RANKS = 0x0001000100010001ull;

// Marriages that may still be declared.
struct PossibleMarriages {
    int suits = 0;         // one bit each
    int rights = 0;        // rights that matter: to declare from hand (bits 0–3), to ask for a marriage (bits 4–7)
    int up = 0, down = 0;  // the most that declaring can add to the value and take from it
};

// The trick on the table.
struct Trick {
    int led = NONE, best = NONE, winner = NONE, leader = 0, points = 0;
    int waiting = 4;  // hands still to play
    PossibleMarriages possible_marriages;
};

class HuutopussiBounds {
protected:
    void begin_search(const Position& p) {
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
            for (int s = 0; s < SUITS; ++s) card_points_[16 * s + r] = p.value[r];
        }
        value_edges_ = edges * LOWEST_RANKS;
        class_count_ = 0;
        for (int r = 15; r >= 0; --r) {
            if (!class_count_ && !p.value[r]) continue;  // ranks above the pack
            if (!class_count_ || p.value[r] != p.value[r + 1]) value_classes_[class_count_++] = {0, p.value[r]};
            value_classes_[class_count_ - 1].cards |= bit(r) * LOWEST_RANKS;
        }
        for (int suits = 0; suits < 16; ++suits) {
            royal_edges_[suits] = 0;
            for (int s = 0; s < SUITS; ++s)
                if (suits >> s & 1) royal_edges_[suits] |= royals << LANE_BITS * s;
        }
    }

    // Set the position of a probe. Returns the trick on the table.
    Trick set_position(const Position& p) {
        position_ = p;
        tricks_ = tricks_left(p);
        left_ = 0;
        for (int seat = 0; seat < 4; ++seat)
            for (Cards c = p.hand[seat]; c; c &= c - 1) left_ += card_points_[lowest(c)];
        const auto [led, best, winner, seats] = trick_state(p);
        Trick t{led, best, winner, p.played ? p.trick_seat[0] : p.turn, 0, 4 - p.played, {}};
        for (int i = 0; i < p.played; ++i) t.points += card_points_[p.trick_card[i]];
        // In the middle of a trick no marriage is excluded.
        t.possible_marriages = {15, 255, VALUE_LIMIT / 2, VALUE_LIMIT / 2};
        return t;
    }

    Cards cards_in_hand() const {
        return position_.hand[0] | position_.hand[1] | position_.hand[2] | position_.hand[3];
    }

    // Marriages still possible before a lead.
    PossibleMarriages possible_marriages() const {
        PossibleMarriages result;
        for (int side = 0; side < 2; ++side) {
            // Suits of which the side holds king and queen, as a bit at the lowest rank.
            const Cards both = position_.hand[side] | position_.hand[side + 2];
            Cards pairs = both >> position_.king & both >> position_.queen & LOWEST_RANKS;
            if (!pairs) continue;
            // Tricks left at the next chance to declare: the number of chances at most.
            const bool leads = (position_.turn & 1) == side;
            const int left = leads ? tricks_ - !position_.open : tricks_ - (position_.any_winner_declares ? 1 : 2);
            int best[SUITS], n = 0;
            for (; pairs; pairs &= pairs - 1) {
                const int s = suit_of(lowest(pairs));
                if (position_.declared >> s & 1) continue;
                const Cards royals = (bit(position_.king) | bit(position_.queen)) << LANE_BITS * s;
                const Cards half = position_.hand[side] & royals;
                if (half && half != royals) {
                    if (left < 1 || !(position_.half >> side & 5)) continue;
                } else {
                    const int seat = half ? side : side + 2, rights = 1 << seat | 16 << (seat ^ 2);
                    if (left < 2 || !((position_.own | position_.full << 4) & rights)) continue;
                    result.rights |= rights;
                }
                result.suits |= 1 << s;
                best[n++] = position_.marriage[s];
            }
            int points = 0;
            for (int chances = left; chances > 0 && n > 0; --chances) {
                int* most = std::max_element(best, best + n);
                points += *most;
                *most = best[--n];
            }
            (weight_[side] > 0 ? result.up : result.down) += points * std::abs(weight_[side]);
        }
        result.rights &= position_.own | position_.full << 4;
        return result;
    }

    // Points that the leader cashes at once with its winners; `rounds`: in how many tricks. No other seat can lead or
    // declare meanwhile. The partner gives its most valuable legal cards, the opponents their cheapest; no card is
    // worth less than a lower one of its suit.
    int winners_points(int& rounds) const {
        rounds = 0;
        const int me = position_.turn;
        const Cards own = position_.hand[me],
                    others = position_.hand[me ^ 1] | position_.hand[me ^ 2] | position_.hand[me ^ 3];
        // The others' cards and all ranks below them.
        Cards below = others | (others >> 1 & 0x7FFF * LOWEST_RANKS);
        below |= below >> 2 & 0x3FFF * LOWEST_RANKS;
        below |= below >> 4 & 0x0FFF * LOWEST_RANKS;
        below |= below >> 8 & 0x00FF * LOWEST_RANKS;
        int points = 0, suits = 0, suit[SUITS], length[SUITS];
        for (Cards tops = own & ~below; tops; tops &= ~lane(suit[suits++])) {
            const int s = suit[suits] = suit_of(lowest(tops)), n = winners(s, tops & lane(s));
            length[suits] = n;
            rounds += n;
            points += highest_points(own & lane(s), n);
        }
        if (!rounds) return 0;
        if (rounds >= tricks_) return left_;
        for (int k = 1; k < 4; ++k) {
            const bool partner = k == 2;
            Cards rest = position_.hand[me ^ k];
            int discards = rounds;
            for (int i = 0; i < suits; ++i) {
                Cards here = rest & lane(suit[i]);
                for (int n = length[i]; n && here; --n, --discards) {
                    const int card = partner ? highest(here) : lowest(here);
                    here ^= bit(card);
                    rest ^= bit(card);
                    points += card_points_[card];
                }
            }
            points += discard_points(rest, discards, partner);
        }
        return points;
    }

    // Points of the `n` highest cards.
    int highest_points(Cards cards, int n) const {
        int points = 0;
        for (; n; --n) {
            const int card = highest(cards);
            cards ^= bit(card);
            points += card_points_[card];
        }
        return points;
    }

    // Number of tricks that the leader takes in a suit: with its `top` cards and, when the others have no more, with
    // all its cards of the suit. With another trump: only while every holder of trumps follows.
    int winners(int s, Cards top) const {
        const int me = position_.turn;
        int length = 16, longest = 0;
        for (int k = 1; k < 4; ++k) {
            const Cards hand = position_.hand[me ^ k];
            const int here = count(hand & lane(s));
            longest = std::max(longest, here);
            if (position_.trump != NONE && position_.trump != s && (hand & lane(position_.trump)))
                length = std::min(length, here);
        }
        int n = count(top);
        if (n >= longest) n = count(position_.hand[me] & lane(s));
        return std::min(n, length);
    }

    // Points of `n` of these cards: the most or the least valuable ones.
    int discard_points(Cards cards, int n, bool dearest) const {
        int points = 0;
        for (int i = 0; i < class_count_ && n > 0; ++i) {
            const auto& [members, worth] = value_classes_[dearest ? i : class_count_ - 1 - i];
            const int taken = std::min(n, count(cards & members));
            points += taken * worth;
            n -= taken;
        }
        return points;
    }

    // The side that takes the trick however the next `waiting` hands play, NONE if that is open. Beating is a duty: if
    // only one side can beat the best card, that side wins the trick.
    int taking_side(int best, int winner, int led, int from, int waiting) const {
        bool can[2] = {false, false};
        const int suit = suit_of(best);
        for (int k = 0; k < waiting; ++k) {
            const int seat = (from + k) & 3;
            const Cards hand = position_.hand[seat], same = hand & lane(led);
            if (same) {
                can[seat & 1] |= suit == led && highest(same) > best;
            } else if (position_.trump != NONE) {
                const Cards trumps = hand & lane(position_.trump);
                can[seat & 1] |= trumps && (suit != position_.trump || highest(trumps) > best);
            }
        }
        const int side = winner & 1;
        if (!can[side ^ 1]) return side;
        return can[side] ? NONE : side ^ 1;
    }

    // The cards worth trying. Neighbours with equal points are one card. Of neighbours with different points, the most
    // valuable is best in a trick that the own side takes anyway, the least valuable in one that it cannot take: the
    // cards kept win the same tricks later, and the difference in points later is at most the gain now.
    Cards candidates(Cards legal, const Trick& t) const {
        const Cards royal = royal_edges_[t.possible_marriages.suits];
        const Cards present = cards_in_hand() | (t.best == NONE ? 0 : bit(t.best));
        Cards kept = run_tops(legal, present, royal | value_edges_);
        if (!(kept & (kept - 1))) return kept;
        const Cards mixed = kept & ~run_tops(legal, present, royal);
        for (Cards rest = mixed; rest;) {
            // The run that ends with the lowest of these cards.
            const int seat = position_.turn, low = lowest(rest), suit = suit_of(low);
            const Cards firsts = kept & ~mixed & lane(suit) & ~((bit(low) << 1) - 1);
            const int top = lowest(firsts);
            const Cards run = kept & lane(suit) & ((bit(top) << 1) - 1) & ~(bit(low) - 1);
            rest &= ~run;
            int best = t.best, winner = t.winner;
            if (best == NONE || (suit == suit_of(best) ? top > best : suit == position_.trump))
                best = top, winner = seat;
            const int side = taking_side(best, winner, t.led == NONE ? suit : t.led, (seat + 1) & 3, t.waiting - 1);
            if (side == NONE) continue;
            kept &= ~run | bit(side == (seat & 1) ? top : low);
        }
        return kept;
    }

    Position position_;
    int tricks_ = 0, left_ = 0;
    int weight_[MAX_SEATS]{};
    bool maximise_[MAX_SEATS]{};
    int card_points_[64]{};
    int last_points_ = 0, high_ = 1, low_ = 0, class_count_ = 0;
    Cards value_edges_ = 0, royal_edges_[16]{};
    struct ValueClass {
        Cards cards;
        int worth;
    } value_classes_[16]{};  // cards of equal value, most valuable first
};

}  // namespace nousu::NOUSU_ISA
