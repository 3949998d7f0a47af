// Nolo: four hands, two sides that both avoid tricks, no trump. The same boolean search as rami's with the wishes
// turned round: "must North–South take `need` of the tricks left?".
#pragma once
#include "four_hands.h"

namespace nousu::NOUSU_ISA {

class NoloSearch : private FourHands {
public:
    NoloSearch() : known_(std::size_t{1} << 20, std::size_t{1} << 20) {}

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
    // Whether the answer can be counted out without a search.
    bool counted(int leader, int need, int n, Cards& win, bool& result) const {
        Cards ranks = 0;
        int side = swept(leader, ranks);
        if (side == NONE) return false;
        win = ranks;
        result = side == 0 ? n >= need : 0 >= need;
        return true;
    }

    // Nolo: the side (0 for N–S) that cannot help taking every trick left, or NONE. A side is stuck if in every
    // suit it holds the other can stay under its lowest card for as many rounds as there may be.
    int swept(int leader, Cards& ranks) const {
        Cards a = hand_[leader] | hand_[leader ^ 2], b = hand_[leader ^ 1] | hand_[leader ^ 3];
        bool stuck = true, handed = true, exit = false;
        Cards mine = 0, theirs = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards in = lane(suit), x = a & in, y = b & in;
            if (x && y) {
                stuck = stuck && ducks(leader, suit, lowest(x));
                handed = handed && ducks(leader ^ 1, suit, lowest(y));
                mine |= bit(lowest(x));
                theirs |= bit(lowest(y));
                exit = exit || (hand_[leader] & in);
            }
            if (!stuck && !handed) return NONE;
        }
        if (stuck) {
            ranks = mine;
            return leader & 1;
        }
        if (handed && exit) {
            ranks = theirs;
            return 1 - (leader & 1);
        }
        return NONE;
    }

    // Whether the opponents of `seat` can play under `card` for as many rounds as its side can have the suit.
    bool ducks(int seat, int suit, int card) const {
        int rounds = std::max(length(seat, suit), length(seat ^ 2, suit));
        Cards under = lane(suit) & (bit(card) - 1);
        for (int other : {seat ^ 1, seat ^ 3})
            if (count(hand_[other] & under) < std::min(rounds, length(other, suit))) return false;
        return true;
    }

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
        bool ours = !even(leader);
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
            int score = low_lead(leader, card);
            score = 3 * score + history_[leader][card];
            if (card == hint) score += 1 << 20;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    // Nolo: a card under which the opponents cannot duck.
    int low_lead(int leader, int card) const {
        int suit = suit_of(card), mate = leader ^ 2;
        auto low_of = [&](int seat) {
            Cards held = hand_[seat] & lane(suit);
            return held ? lowest(held) & 15 : -1;
        };
        int ours = std::max(card & 15, low_of(mate));
        int duck = std::max(low_of(leader ^ 1), low_of(leader ^ 3));
        int score = duck < 0 ? -40 : duck > ours ? 30 : duck - ours;
        return score - (card & 15) / 2;
    }

    template <int PLY>
    bool follow(int seat, int led, int best, int winner, int followed, int need, int n, Cards& win) {
        bool root = root_;
        root_ = false;
        bool ours = !even(seat);
        Cards hand = hand_[seat];
        Cards same = hand & lane(led);
        Cards present = hand_[0] | hand_[1] | hand_[2] | hand_[3] | bit(best);
        Cards moot = 0;
        Move list[13];
        int size = 0;
        Cards legal = same ? same : hand;
        Cards moves = legal & (legal - 1) ? heads(legal, present) : legal;
        if (moves & (moves - 1)) {
            size = same ? order_follow<PLY>(seat, moves, best, list) : order_discards(seat, moves, list);
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
    int order_follow(int seat, Cards moves, int best, Move* list) const {
        // What the seat still to play could beat a card with.
        Cards later_foes = PLY < 3 ? hand_[(seat + 1) & 3] & lane(suit_of(best)) : 0;
        int top_later = later_foes ? highest(later_foes) : -1;
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int rank = card & 15;
            // As high as possible without winning; if we must win, then high.
            int score = card < best ? 40 + rank : PLY == 3 ? rank : card < top_later ? 20 - rank : rank;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    int order_discards(int seat, Cards moves, Move* list) const {
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            list[size++] = {card, 2 * (card & 15) - length(seat, suit_of(card))};
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
