// Rami: four hands, two sides that both want tricks, no trump. A boolean search, "do North–South take `need` of
// the tricks left?", that hands back, with its answer, the cards whose ranks the answer rests on.
#pragma once
#include "rami_bounds.h"

namespace nousu::NOUSU_ISA {

class RamiSearch : private RamiBounds {
public:
    RamiSearch() : known_(std::size_t{1} << 20, std::size_t{1} << 21) {}

    void begin(const Problem& p) {
        known_.clear();
        for (auto& row : history_) std::fill(std::begin(row), std::end(row), 0);
        own(p);
    }

    int guess(const Problem& p) const {
        // Honours say most: an ace counts 4, a king 3, … of what is left.
        int points = 0, all = 0;
        Cards held = p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3];
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards left = held & lane(suit);
            for (int worth = 4; worth && left; --worth) {
                int card = highest(left);
                left ^= bit(card);
                all += worth;
                if ((p.hand[0] | p.hand[2]) >> card & 1) points += worth;
            }
        }
        int n = cards_left(p);
        return std::clamp((points * n + all / 2) / std::max(all, 1), 1, n);
    }

    int probe(const Problem& p, int beta, Control& control) {
        control_ = &control;
        take(p);
        int n = cards_left(p);
        Cards win;
        root_ = true;
        move_ = NONE;
        bool yes;
        Table t = table_of(p);
        switch (p.played) {
            case 0: yes = lead(p.turn, beta, n, win); break;
            case 1: yes = follow<1>(p.turn, t.led, t.best, t.winner, 1, beta, n, win); break;
            case 2: yes = follow<2>(p.turn, t.led, t.best, t.winner, ranked(p, t), beta, n, win); break;
            default: yes = follow<3>(p.turn, t.led, t.best, t.winner, ranked(p, t), beta, n, win); break;
        }
        return yes ? beta : beta - 1;
    }

    int best() const { return move_; }
    static int least(const Problem&) { return 0; }
    static int most(const Problem& p) { return cards_left(p); }

private:
    bool lead(int leader, int need, int n, Cards& win) {
        win = 0;
        bool root = root_;
        root_ = false;
        if (!root) {
            if (need <= 0) return true;
            if (need > n) return false;
            if (n == 1) return last_trick(leader, need, win);
        }
        Cards left = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        bool ours = even(leader);
        std::uint64_t shape = (shape_ & 0x0FFFFFFFFFFFFFFFull) | static_cast<std::uint64_t>(leader) << 60;
        known_.expect(shape);
        std::uint64_t pairs[2];
        Owners own = owners(left, pairs);
        bool result;
        int hint = NONE;
        Patterns::Known* kin = nullptr;
        const auto era = known_.era();
        if (!root) {
            if (counted(leader, need, n, win, result)) return result;
            // What is known.
            if (const Patterns::Known* k = known_.settled(known_.shape(shape), own, need, kin)) {
                win = halved(scatter(k->mask[0], pairs[0])) | halved(scatter(k->mask[1], pairs[1])) << 32;
                return k->low >= need;
            }
            if (kin) hint = kin->move;
        }
        Cards moves = heads(hand_[leader], left);
        result = !ours;
        int chosen = NONE;
        Cards moot = 0;
        Move list[13];
        int size = order_leads(leader, moves, hint, list);
        for (int i = 0; i < size; ++i) {
            int card = list[i].card;
            if (moot & bit(card)) continue;
            control_->tick();
            hand_[leader] ^= bit(card);
            shape_ -= std::uint64_t{1} << nibble(leader, suit_of(card));
            Cards w;
            bool yes = follow<1>((leader + 1) & 3, suit_of(card), card, leader, 1, need, n, w);
            shape_ += std::uint64_t{1} << nibble(leader, suit_of(card));
            hand_[leader] ^= bit(card);
            if (yes == ours) {
                win = w;
                result = yes;
                chosen = card;
                bonus(leader, card, n);
                break;
            }
            win |= w & bit(card) ? w | run_of(card, hand_[leader], left) : w;
            moot |= alike(card, w);
        }
        if (root) move_ = chosen == NONE ? list[0].card : chosen;
        Cards mask = upward(win) & left;
        std::uint64_t m[2] = {gather(doubled(mask & 0xFFFFFFFF), pairs[0]), gather(doubled(mask >> 32), pairs[1])};
        known_.learn(shape, own, m, era == known_.era() ? kin : nullptr, result ? need : 0, result ? n : need - 1,
                     chosen == NONE ? 255 : chosen);
        return result;
    }

    void bonus(int seat, int card, int n) {
        int& h = history_[seat][card];
        h += n * n;
        if (h > 1 << 14)
            for (auto& row : history_)
                for (int& value : row) value /= 2;
    }

    int order_leads(int leader, Cards moves, int hint, Move* list) const {
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int score = high_lead(leader, card);
            score = 3 * score + history_[leader][card];
            if (card == hint) score += 1 << 20;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    // Rami: own and partner's winners first, then suits in which we are long.
    int high_lead(int leader, int card) const {
        int suit = suit_of(card), mate = leader ^ 2, lho = (leader + 1) & 3, rho = (leader + 3) & 3;
        Cards in = lane(suit), foes = (hand_[lho] | hand_[rho]) & in;
        Cards mine = hand_[leader] & in, mates = hand_[mate] & in;
        int top_foe = foes ? highest(foes) : -1;
        int score = 2 * (length(leader, suit) + length(mate, suit)) - length(lho, suit) - length(rho, suit);
        bool wins = card > top_foe;
        bool mate_wins = mates && highest(mates) > top_foe;
        if (wins) {
            score += 20;
        } else if (mate_wins) {
            score += 18 - (card & 15) / 2;
        } else if (foes) {
            int top_ours = std::max(highest(mine), mates ? highest(mates) : 0);
            // leading up to strength on the right is better than into it
            if (hand_[rho] & in && highest(hand_[rho] & in) == top_foe && top_ours < top_foe) score += 3;
            if (!(hand_[lho] & in)) score += 2;
            score -= (card & 15) / 3;
            // a sequence forces out their top card
            Cards next = mine & ~bit(card);
            if (next && card == highest(mine) && !((foes | mates) & (bit(card) - 1) & ~(bit(highest(next)) - 1) & in))
                score += 3;
        }
        return score;
    }

    template <int PLY>
    bool follow(int seat, int led, int best, int winner, int followed, int need, int n, Cards& win) {
        bool root = root_;
        root_ = false;
        bool ours = even(seat);
        Cards hand = hand_[seat];
        Cards same = hand & lane(led);
        if (PLY < 3 && same && n > 2 && !root) {
            // Whoever can take this trick for certain and cash enough by himself need not look further.
            int card = highest(same);
            Cards later = hand_[(seat + 1) & 3] & lane(led);
            int wanted = (ours ? need : n - need + 1) - 1;
            if (card > best && (!later || highest(later) < card) &&
                (PLY == 2 || !(hand_[(seat + 2) & 3] & lane(led)) || highest(hand_[(seat + 2) & 3] & lane(led)) < card)) {
                if (wanted <= 0) {
                    win = bit(card);
                    return ours;
                }
                hand_[seat] ^= bit(card);
                Sure sure = quick(seat, n - 1, wanted, true);
                hand_[seat] ^= bit(card);
                if (sure.tricks >= wanted) {
                    win = sure.win | bit(card);
                    return ours;
                }
            }
        }
        Cards present = hand_[0] | hand_[1] | hand_[2] | hand_[3] | bit(best);
        Cards moot = 0;
        Move list[13];
        int size = 0;
        Cards legal = same ? same : hand;
        Cards moves = legal & (legal - 1) ? heads(legal, present) : legal;
        if (moves & (moves - 1)) {
            size = same ? order_follow<PLY>(seat, moves, best, winner, list) : order_discards(seat, moves, list);
        } else {
            list[size++] = {lowest(moves), 0};
        }
        win = 0;
        for (int i = 0; i < size; ++i) {
            int card = list[i].card;
            if (moot & bit(card)) continue;
            control_->tick();
            bool beats = same && card > best;
            int now_best = beats ? card : best, now_winner = beats ? seat : winner;
            int now_followed = followed + (same != 0);
            hand_[seat] ^= bit(card);
            shape_ -= std::uint64_t{1} << nibble(seat, suit_of(card));
            Cards w;
            bool yes;
            if constexpr (PLY < 3) {
                yes = follow<PLY + 1>((seat + 1) & 3, led, now_best, now_winner, now_followed, need, n, w);
            } else {
                yes = lead(now_winner, need - even(now_winner), n - 1, w);
                if (now_followed > 1) w |= bit(now_best);
            }
            shape_ += std::uint64_t{1} << nibble(seat, suit_of(card));
            hand_[seat] ^= bit(card);
            if (yes == ours) {
                win = w;
                if (root) move_ = card;
                return yes;
            }
            win |= w & bit(card) ? w | run_of(card, legal, present) : w;
            moot |= alike(card, w);
        }
        if (root) move_ = list[0].card;
        return !ours;
    }

    template <int PLY>
    int order_follow(int seat, Cards moves, int best, int winner, Move* list) const {
        bool mate_wins = winner == (seat ^ 2);
        Cards in = lane(suit_of(best));
        // What the seats still to play could beat a card with.
        Cards later_foes = PLY < 3 ? hand_[(seat + 1) & 3] & in : 0;
        int top_later = later_foes ? highest(later_foes) : -1;
        int mates_top = -1;
        if constexpr (PLY == 1) {
            Cards m = hand_[(seat + 2) & 3] & in;
            mates_top = m ? highest(m) : -1;
        }
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int rank = card & 15;
            int score;
            if (card > best) {
                bool holds = card > top_later;
                if (PLY == 3)
                    score = mate_wins ? -rank : 40 - rank;
                else if (PLY == 2)
                    score = mate_wins && best > top_later ? -rank : holds ? 40 - rank : 10 - rank;
                else
                    score = mates_top > best && mates_top > top_later ? 5 - rank : holds ? 40 - rank : 8 - rank;
            } else {
                score = 20 - rank;
                if (PLY == 2 && !mate_wins) score = 15 - rank;
            }
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    int order_discards(int seat, Cards moves, Move* list) const {
        int size = 0;
        Cards all = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c), suit = suit_of(card);
            Cards in = lane(suit);
            int score = 4 * length(seat, suit) - 2 * (card & 15);
            if (card == highest(all & in)) score -= 30;
            if (length(seat, suit) == 2 && (hand_[seat] & in & ~bit(card)) > bit(card)) score -= 4;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    Patterns known_;
    Control* control_ = nullptr;
    bool root_ = false;
    int history_[4][64]{};
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
