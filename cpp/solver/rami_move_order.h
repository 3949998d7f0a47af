// The order of moves in rami. The weights follow what players of bridge know and DDS has made numbers of: lead where
// the opponents have few cards to choose from, towards honours over theirs and not into them; win as cheaply as
// possible; throw from long suits.
#pragma once
#include "solver/rami_bounds.h"

namespace nousu::NOUSU_ISA {

class RamiOrder : public RamiBounds {
protected:
    // Puts the best score first.
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
            const SuitLead in(*this, leader, suit);
            for (; left; left &= left - 1) {
                const int card = lowest(left);
                insert(card, in.score(card), list, scores, size++);
            }
        }
        return size;
    }

    // What there is to know about leads in one suit.
    class SuitLead {
    public:
        SuitLead(const RamiOrder& o, int leader, int suit)
            : mine(o.hand_[leader] & lane(suit)), mates(o.hand_[leader ^ 2] & lane(suit)),
              lhos(o.hand_[(leader + 1) & 3] & lane(suit)), rhos(o.hand_[(leader + 3) & 3] & lane(suit)),
              all(mine | mates | lhos | rhos), left(count(o.hand_[leader])) {
            Cards rest = all;
            for (Cards& rank : honour) {
                rank = rest ? bit(highest(rest)) : 0;
                rest ^= rank;
            }
        }

        int score(int card) const {
            const int place = count(all & ~(bit(card) - 1));  // 1 for the highest
            // Whoever is void may throw anything.
            const int choices = (lhos ? count(lhos) : left) + (rhos ? count(rhos) : left);
            const int score = -7 * choices - (mates ? 0 : 10);
            return score + (bit(card) == honour[0] || mates > (lhos | rhos) ? winning() + place : losing(card, place));
        }

    private:
        // The leader or his partner can win: best when the next round will be theirs, too, or the second highest
        // can be caught between them.
        int winning() const {
            const bool before = honour[1] & lhos, behind = honour[1] & rhos;
            const bool guarded = (before && count(lhos) > 1) || (behind && count(rhos) > 1);
            return (before ? 20 : 0) + (guarded ? 20 : 55);
        }

        int losing(int card, int place) const {
            const Cards top = honour[0], second = honour[1], third = honour[2];
            int score = 0;
            if ((top | second) & rhos) {
                if (count(rhos) > 1) score -= 10;
            } else if (top & lhos && second & mates && count(mates) > 1) {
                score += 30;
            }
            if (second & mates && third & mates)
                score += 35;
            else if (((second & mine && third & mates) || (second & mates && third & mine)) && count(mates) > 1)
                score += 25;
            if (top == lhos || top == rhos) return score + 30 + place;
            if (top & mine) return score - 20 + place;
            const Cards under = all & (bit(card) - 1);
            const bool sequence = under && mine >> highest(under) & 1;
            return score + (!sequence ? 10 + place : bit(card) == second ? 50 : 30 - place);
        }

        Cards mine, mates, lhos, rhos, all;
        int left;
        Cards honour[3];
    };

    // Cards of the suit led, `best` being on the table from `winner`.
    template <int PLY>
    int order_follow(int seat, Cards moves, int best, int winner, Cards present, int* list) const {
        const Cards in = lane(suit_of(best)), all = present & in;
        const Cards next = PLY < 3 ? hand_[(seat + 1) & 3] & in : 0, mates = PLY == 1 ? hand_[seat ^ 2] & in : 0;
        const int bar = next ? std::max(best, highest(next)) : best;  // what wins for certain is above it
        const bool mate_wins = PLY == 1 ? mates && highest(mates) > bar : winner == (seat ^ 2) && bar == best;
        // Not to win, but to make the last hand spend its highest card.
        const int force =
            PLY == 2 && next && highest(next) > best ? forcing(moves, best, winner == (seat ^ 2), next) : NONE;
        int size = 0, scores[13];
        for (Cards c = moves; c; c &= c - 1) {
            const int card = lowest(c), rank = card & 15;
            int score = -rank;
            if (mate_wins) {
                // low
            } else if (card > bar) {
                score += 80;
            } else if (PLY == 1) {
                const int place = count(all & ~(bit(card) - 1));
                const bool beaten = (next && lowest(next) > card) || (mates && lowest(mates) > card);
                score = beaten ? place - 3 : card < best ? place - 10 : 13 - rank;
            } else if (card == force) {
                score += 20;
            }
            insert(card, score, list, scores, size++);
        }
        return size;
    }

    static int forcing(Cards moves, int best, bool mate_wins, Cards last) {
        const Cards rest = last ^ bit(highest(last));
        const int over = rest ? highest(rest) : NONE;
        if (mate_wins && over < best) return NONE;  // he does it already
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
