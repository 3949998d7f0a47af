// Move order of rami. The weights follow bridge practice, as DDS does: lead where the opponents have few choices,
// towards high cards of the partner and not into those of the next seat; win as cheaply as possible; discard from long
// suits.
#pragma once
#include "solver/rami_bounds.h"

namespace nousu::NOUSU_ISA {

class RamiMoveOrder : public RamiBounds {
protected:
    // Insert a card, best score first.
    static void insert(int card, int score, int* list, int* scores, int size) {
        for (; size && scores[size - 1] < score; --size) {
            list[size] = list[size - 1];
            scores[size] = scores[size - 1];
        }
        list[size] = card;
        scores[size] = score;
    }

    int order_leads(int leader, Cards moves, int* list) const {
        int size = 0, scores[13];
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards left = moves & lane(suit);
            if (!left) continue;
            const SuitLeads in(*this, leader, suit);
            for (; left; left &= left - 1) {
                const int card = lowest(left);
                insert(card, in.score(card), list, scores, size++);
            }
        }
        return size;
    }

    // Scores of leads in one suit.
    class SuitLeads {
    public:
        SuitLeads(const RamiMoveOrder& o, int leader, int suit)
            : mine(o.hand_[leader] & lane(suit)), partners(o.hand_[leader ^ 2] & lane(suit)),
              lhos(o.hand_[(leader + 1) & 3] & lane(suit)), rhos(o.hand_[(leader + 3) & 3] & lane(suit)),
              all(mine | partners | lhos | rhos), left(count(o.hand_[leader])) {
            Cards rest = all;
            for (Cards& rank : honour) {
                rank = rest ? bit(highest(rest)) : 0;
                rest ^= rank;
            }
        }

        int score(int card) const {
            const int place = count(all & ~(bit(card) - 1));  // 1 for the highest
            // A void hand may throw any card.
            const int choices = (lhos ? count(lhos) : left) + (rhos ? count(rhos) : left);
            const int score = -7 * choices - (partners ? 0 : 10);
            return score + (bit(card) == honour[0] || partners > (lhos | rhos) ? winning_score() + place
                                                                               : losing_score(card, place));
        }

    private:
        // The leading side can win: best when it can also win the next round, or can capture the second highest card
        // between its hands.
        int winning_score() const {
            const bool before = honour[1] & lhos, behind = honour[1] & rhos;
            const bool guarded = (before && count(lhos) > 1) || (behind && count(rhos) > 1);
            return (before ? 20 : 0) + (guarded ? 20 : 55);
        }

        int losing_score(int card, int place) const {
            const Cards top = honour[0], second = honour[1], third = honour[2];
            int score = 0;
            if ((top | second) & rhos) {
                if (count(rhos) > 1) score -= 10;
            } else if (top & lhos && second & partners && count(partners) > 1) {
                score += 30;
            }
            if (second & partners && third & partners)
                score += 35;
            else if (((second & mine && third & partners) || (second & partners && third & mine)) &&
                     count(partners) > 1)
                score += 25;
            if (top == lhos || top == rhos) return score + 30 + place;
            if (top & mine) return score - 20 + place;
            const Cards under = all & (bit(card) - 1);
            const bool sequence = under && mine >> highest(under) & 1;
            return score + (!sequence ? 10 + place : bit(card) == second ? 50 : 30 - place);
        }

        Cards mine, partners, lhos, rhos, all;
        int left;
        Cards honour[3];
    };

    // Cards that follow suit; `best`, played by `winner`, wins so far.
    template <int PLY>
    int order_follow(int seat, Cards moves, int best, int winner, Cards present, int* list) const {
        const Cards in = lane(suit_of(best)), all = present & in;
        const Cards next = PLY < 3 ? hand_[(seat + 1) & 3] & in : 0, partners = PLY == 1 ? hand_[seat ^ 2] & in : 0;
        const int bar = next ? std::max(best, highest(next)) : best;  // a card above it wins for certain
        const bool partner_wins = PLY == 1 ? partners && highest(partners) > bar : winner == (seat ^ 2) && bar == best;
        // A card that does not win but makes the last hand spend its highest one.
        const int force =
            PLY == 2 && next && highest(next) > best ? forcing(moves, best, winner == (seat ^ 2), next) : NONE;
        int size = 0, scores[13];
        for (Cards c = moves; c; c &= c - 1) {
            const int card = lowest(c), rank = card & 15;
            int score = -rank;
            if (partner_wins) {
                // the lower the better
            } else if (card > bar) {
                score += 80;
            } else if (PLY == 1) {
                const int place = count(all & ~(bit(card) - 1));
                const bool beaten = (next && lowest(next) > card) || (partners && lowest(partners) > card);
                score = beaten ? place - 3 : card < best ? place - 10 : 13 - rank;
            } else if (card == force) {
                score += 20;
            }
            insert(card, score, list, scores, size++);
        }
        return size;
    }

    static int forcing(Cards moves, int best, bool partner_wins, Cards last) {
        const Cards rest = last ^ bit(highest(last));
        const int over = rest ? highest(rest) : NONE;
        if (partner_wins && over < best) return NONE;  // it must spend the card anyway
        const Cards enough = moves & ~((Cards{2} << std::max(over, best)) - 1);
        return enough ? lowest(enough) : NONE;
    }

    int order_discards(int seat, Cards moves, int* list) const {
        int size = 0, scores[13];
        for (Cards c = moves; c; c &= c - 1) {
            const int card = lowest(c);
            insert(card, 3 * length(seat, suit_of(card)) - (card & 15), list, scores, size++);
        }
        return size;
    }
};

}  // namespace nousu::NOUSU_ISA
