// Rami: four hands, two sides that both want tricks, no trump. A boolean search, "do North–South take `need` of
// the tricks left?", that hands back, with its answer, the cards whose ranks the answer rests on.
#pragma once
#include "solver/rami_move_order.h"
#include "solver/rami_table.h"
#include "solver/refutations.h"

namespace nousu::NOUSU_ISA {

class RamiSearch : private RamiOrder {
public:
    // At most 284 MB, touched as far as they are used.
    explicit RamiSearch(std::size_t shapes = std::size_t{1} << 18, std::size_t known = std::size_t{1} << 23,
                        unsigned longest = 1 << 7, std::size_t few = std::size_t{1} << 12)
        : known_(shapes, known, longest, few) {}

    void begin(const Problem& p) {
        known_.clear();
        int voids = 0;
        for (int seat = 0; seat < 4; ++seat)
            for (int suit = 0; suit < SUITS; ++suit) voids += !(p.hand[seat] & lane(suit));
        replies_.clear(voids > 1 && cards_left(p) > 9 ? Replies::MUCH : Replies::SOME);
        own(p);
    }

    int guess(const Problem& p) const {
        // Fitted to 2,000 random deals: what the five highest ranks left in a suit are worth, in fortieths of a
        // trick. To be on lead is worth half a trick more, which is left out: too little is found out soonest.
        static constexpr int WORTH[] = {45, 29, 16, 9, 5};
        const int n = cards_left(p);
        int tricks = 20 * n;
        const Cards ours = p.hand[0] | p.hand[2], held = ours | p.hand[1] | p.hand[3];
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards left = held & lane(suit);
            for (int worth : WORTH) {
                if (!left) break;
                const int card = highest(left);
                left ^= bit(card);
                tricks += ours & bit(card) ? worth : -worth;
            }
        }
        return std::clamp((tricks + 20) / 40, 1, n);
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
        Cards present = hand_[0] | hand_[1] | hand_[2] | hand_[3] | (p.played ? bit(t.best) : 0);
        switch (p.played) {
            case 0: yes = lead(p.turn, beta, n, win); break;
            case 1: yes = follow<1>(p.turn, t.led, t.best, t.winner, 1, beta, n, present, win); break;
            case 2: yes = follow<2>(p.turn, t.led, t.best, t.winner, ranked(p, t), beta, n, present, win); break;
            default: yes = follow<3>(p.turn, t.led, t.best, t.winner, ranked(p, t), beta, n, present, win); break;
        }
        mattered_ = upward(win) & (hand_[0] | hand_[1] | hand_[2] | hand_[3]);
        return yes ? beta : beta - 1;
    }

    int best() const { return move_; }
    // The cards in hand on whose owners the last answer rests.
    Cards mattered() const { return mattered_; }
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
        const bool ours = even(leader);
        const std::uint64_t shape = (shape_ & 0x0FFFFFFFFFFFFFFFull) | static_cast<std::uint64_t>(leader) << 60;
        known_.expect(shape);
        std::uint64_t pairs[2];
        Owners own = owners(left, pairs);
        bool result;
        if (!root) {
            if (const RamiTable::Known* k = known_.settled(shape, own, need)) {
                win = halved(scatter(k->mask[0], pairs[0])) | halved(scatter(k->mask[1], pairs[1])) << 32;
                return k->low() >= need;
            }
            if (counted(leader, need, n, win, result)) return result;
        }
        const Cards hand = hand_[leader];
        Cards rest = heads(hand, left), moot = 0;
        std::uint16_t& reply = replies_.at(hand);
        int list[13], size = 0, chosen = NONE;
        if (int card = replies_.card(reply); card != NONE && hand >> card & 1) {
            list[size++] = lowest(rest & ~(bit(card) - 1));
            rest ^= bit(list[0]);
        }
        result = !ours;
        for (int i = 0;; ++i) {
            if (i == size) {
                rest &= ~moot;
                if (!rest) break;
                size += order_leads(leader, rest, list + size);
                rest = 0;
            }
            int card = list[i];
            if (moot & bit(card)) continue;
            tick(*control_);
            hand_[leader] ^= bit(card);
            shape_ -= unit(leader, suit_of(card));
            Cards w;
            bool yes = follow<1>((leader + 1) & 3, suit_of(card), card, leader, 1, need, n, left, w);
            shape_ += unit(leader, suit_of(card));
            hand_[leader] ^= bit(card);
            if (yes == ours) {
                win = w;
                result = yes;
                chosen = card;
                replies_.set(reply, card);
                break;
            }
            const Cards like = alike(card, w);
            win |= like ? w : w | run_of(card, hand, left);
            moot |= like;
        }
        if (root) move_ = chosen == NONE ? list[0] : chosen;
        win = needed(upward(win) & left, left);
        std::uint64_t m[2] = {gather(doubled(win & 0xFFFFFFFF), pairs[0]), gather(doubled(win >> 32), pairs[1])};
        known_.learn(shape, own, m, result ? need : 0, result ? n : need - 1);
        return result;
    }

    // `present`: the cards in hands and the best on the table.
    template <int PLY>
    bool follow(int seat, int led, int best, int winner, int followed, int need, int n, Cards present, Cards& win) {
        bool root = root_;
        root_ = false;
        const bool ours = even(seat);
        const Cards hand = hand_[seat], same = hand & lane(led);
        if constexpr (PLY < 3) {
            bool result;
            if (n > 2 && !root && certain<PLY>(seat, led, best, winner, need, n, win, result)) return result;
        }
        const Cards legal = same ? same : hand;
        Cards rest = legal & (legal - 1) ? heads(legal, present) : legal, moot = 0;
        int list[13], size = 0;
        std::uint16_t* reply = nullptr;
        if (rest & (rest - 1)) {
            reply = &(same ? replies_.at(present & lane(led), (best << 2 | seat) << 2 | (winner ^ seat))
                           : replies_.at(hand, 1));
            if (int card = replies_.card(*reply); card != NONE && legal >> card & 1) {
                list[size++] = lowest(rest & ~(bit(card) - 1));
                rest ^= bit(list[0]);
            }
        } else {
            list[size++] = lowest(rest);
            rest = 0;
        }
        win = 0;
        const int now_followed = followed + (same != 0);
        for (int i = 0;; ++i) {
            if (i == size) {
                rest &= ~moot;
                if (!rest) break;
                size += same ? order_follow<PLY>(seat, rest, best, winner, present, list + size)
                             : order_discards(seat, rest, list + size);
                rest = 0;
            }
            int card = list[i];
            if (moot & bit(card)) continue;
            tick(*control_);
            const bool beats = same && card > best;
            const int now_best = beats ? card : best, now_winner = beats ? seat : winner;
            const std::uint64_t one = unit(seat, suit_of(card));
            hand_[seat] ^= bit(card);
            shape_ -= one;
            Cards w;
            bool yes;
            if constexpr (PLY < 3) {
                yes = follow<PLY + 1>((seat + 1) & 3, led, now_best, now_winner, now_followed, need, n,
                                      present ^ bit(beats ? best : card), w);
            } else {
                yes = lead(now_winner, need - even(now_winner), n - 1, w);
                if (now_followed > 1) w |= bit(now_best);
            }
            shape_ += one;
            hand_[seat] ^= bit(card);
            if (yes == ours) {
                win = w;
                if (root) move_ = card;
                if (reply) replies_.set(*reply, card);
                return yes;
            }
            const Cards like = alike(card, w);
            win |= like ? w : w | run_of(card, legal, present);
            moot |= like;
        }
        if (root) move_ = list[0];
        return !ours;
    }

    RamiTable known_;
    Replies replies_;
    Control* control_ = nullptr;
    bool root_ = false;
    int move_ = NONE;
    Cards mattered_ = 0;
};

}  // namespace nousu::NOUSU_ISA
