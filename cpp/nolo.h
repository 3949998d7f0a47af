// Nolo: four hands, two sides that both avoid tricks, no trump. A boolean search, "must North–South take `need` of
// the tricks left?", that hands back, with its answer, the boundaries between ranks the answer rests on (`walls`:
// a bit says that its card lies above one). Wherever the cards between two walls lie, the answer is the same.
#pragma once
#include "cells.h"
#include "nolo_bounds.h"

namespace nousu::NOUSU_ISA {

class NoloSearch : private NoloHands {
public:
    // At most 168 MB, touched as far as they are used.
    explicit NoloSearch(std::size_t shapes = std::size_t{1} << 19, std::size_t known = 5'000'000)
        : known_(shapes, known) {}

    void begin(const Problem& p) {
        known_.clear();
        for (auto& row : history_) std::fill(std::begin(row), std::end(row), 0);
        own(p);
    }

    int guess(const Problem& p) const {
        // Fitted to 400 random ten-card deals: a card is worth 19 r - r² in 1/230 of a trick, where r is its rank
        // among the cards left, stretched to 0–12; to be on lead costs a third of a trick.
        const Cards held = p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3];
        int worth = even(p.turn) ? -75 : 75;
        for (int suit = 0; suit < SUITS; ++suit) {
            const int top = count(held & lane(suit)) - 1;
            int place = 0;
            for (Cards left = held & lane(suit); left; left &= left - 1, ++place) {
                const int r = top ? 12 * place / top : 6, value = 19 * r - r * r;
                worth += (p.hand[0] | p.hand[2]) >> lowest(left) & 1 ? value : -value;
            }
        }
        const int n = cards_left(p);
        return std::clamp((115 * n + worth + 115 + 230 * 16) / 230 - 16, 1, n);
    }

    int probe(const Problem& p, int beta, Control& control) {
        control_ = &control;
        take(p);
        int n = cards_left(p);
        move_ = NONE;
        if (beta <= 0) return 0;
        if (beta > n) return n;
        Cards walls;
        root_ = true;
        bool yes;
        const Table t = table_of(p);
        Trick trick{t.led, t.best, t.winner, NONE};
        for (int i = 0; i < p.played; ++i)
            if (suit_of(p.trick_card[i]) == t.led && p.trick_card[i] != t.best)
                trick.second = std::max(trick.second, p.trick_card[i]);
        switch (p.played) {
            case 0: yes = lead(p.turn, beta, n, walls); break;
            case 1: yes = follow<1>(p.turn, trick, beta, n, walls); break;
            case 2: yes = follow<2>(p.turn, trick, beta, n, walls); break;
            default: yes = follow<3>(p.turn, trick, beta, n, walls); break;
        }
        return yes ? beta : beta - 1;
    }

    int best() const { return move_; }
    static int least(const Problem&) { return 0; }
    static int most(const Problem& p) { return cards_left(p); }

private:
    struct Trick {
        int led, best, winner;
        int second;  // the highest card of the suit led that does not win
    };

    // The cards of the suit with no wall between them and `card`.
    static Cards cell(int card, Cards walls) {
        const Cards in = walls & lane(suit_of(card)), upto = (Cards{2} << card) - 1;
        Cards cards = lane(suit_of(card));
        if (in & upto) cards &= ~(bit(highest(in & upto)) - 1);
        if (in & ~upto) cards &= bit(lowest(in & ~upto)) - 1;
        return cards;
    }

    // The winner of a trick is above the others.
    void judge(const Trick& t, Cards& walls) const {
        if (t.second != NONE) split(t.second, t.best, t.winner, walls);
    }

    Trick played(const Trick& t, int seat, int card) const {
        if (suit_of(card) != t.led) return t;
        if (card > t.best) return {t.led, card, seat, t.best};
        return {t.led, t.best, t.winner, std::max(t.second, card)};
    }

    bool last_trick(int leader, int need, Cards& walls) const {
        const int card = lowest(hand_[leader]);
        Trick t{suit_of(card), card, leader, NONE};
        for (int i = 1; i < 4; ++i) t = played(t, (leader + i) & 3, lowest(hand_[(leader + i) & 3]));
        walls = 0;
        judge(t, walls);
        return even(t.winner) >= need;
    }

    // Whether the answer can be counted out without a search.
    bool counted(int leader, int need, int n, Cards& walls, bool& result) const {
        // What the side on lead, and the other, must take for the probe to be answered at its cost.
        const int ours = even(leader) ? need : n - need + 1, theirs = n + 1 - ours;
        const Lows l = lows();
        if (stuck(l, leader, ours, walls) || (ours == 1 && bounced(l, leader, walls))) {
            result = even(leader);
            return true;
        }
        result = !even(leader);
        return exits(l, leader, theirs, walls);
    }

    bool lead(int leader, int need, int n, Cards& walls) {
        walls = 0;
        const bool root = root_;
        root_ = false;
        if (!root) {
            if (need <= 0) return true;
            if (need > n) return false;
            if (n == 1) return last_trick(leader, need, walls);
        }
        // The lengths of the last suit follow from the others: in two hands they make way.
        const std::uint64_t shape = (shape_ & 0x0FFF0FFFFFFFFFFFull) | static_cast<std::uint64_t>(leader) << 60 |
                                    static_cast<std::uint64_t>(need) << 44;
        known_.expect(shape);
        bool result;
        if (!root && counted(leader, need, n, walls, result)) return result;
        const Cards left = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        const std::uint64_t pairs[2] = {doubled(left & 0xFFFFFFFF), doubled(left >> 32)};
        const Cells::Ranks ranks = Cells::ranks(gather(own_[0], pairs[0]), gather(own_[1], pairs[1]));
        const bool ours = !even(leader);
        int near = Cells::NO_MOVE;
        if (!root) {
            if (const Cells::Known* k = known_.answer(shape, ranks, ours, near)) {
                walls = halved(scatter(k->mask[0], pairs[0])) | halved(scatter(k->mask[1], pairs[1])) << 32;
                return k->yes();
            }
        }
        result = !ours;
        walls = 0;
        int chosen = NONE;
        Cards moot = 0;
        Move list[13];
        const int size = order_leads(leader, heads(hand_[leader], left), near, list);
        for (int i = 0; i < size; ++i) {
            const int card = list[i].card;
            if (moot & bit(card)) continue;
            control_->tick();
            hand_[leader] ^= bit(card);
            shape_ -= std::uint64_t{1} << nibble(leader, suit_of(card));
            Cards w;
            const bool yes = follow<1>((leader + 1) & 3, Trick{suit_of(card), card, leader, NONE}, need, n, w);
            shape_ += std::uint64_t{1} << nibble(leader, suit_of(card));
            hand_[leader] ^= bit(card);
            if (yes == ours) {
                walls = w;
                result = yes;
                chosen = card;
                bonus(leader, card, n);
                break;
            }
            walls |= w;
            moot |= cell(card, w);
        }
        if (root) move_ = chosen == NONE ? list[0].card : chosen;
        for (int suit = 0; suit < SUITS; ++suit) {  // nothing is below the lowest card
            const Cards in = left & lane(suit);
            walls &= ~(in & -in);
        }
        const std::uint64_t mask[2] = {gather(doubled(walls & 0xFFFFFFFF), pairs[0]),
                                       gather(doubled(walls >> 32), pairs[1])};
        known_.learn(shape, ranks, mask, result, chosen == NONE ? Cells::NO_MOVE : chosen);
        return result;
    }

    void bonus(int seat, int card, int n) {
        int& h = history_[seat][card];
        h += n * n;
        if (h > 1 << 14)
            for (auto& row : history_)
                for (int& value : row) value /= 2;
    }

    int order_leads(int leader, Cards moves, int near, Move* list) const {
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int score = low_lead(leader, card);
            score = 3 * score + history_[leader][card];
            if (card == near) score += 1 << 16;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    // First a card under which the opponents cannot duck.
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
    bool follow(int seat, const Trick& t, int need, int n, Cards& walls) {
        const bool root = root_;
        root_ = false;
        const bool ours = !even(seat);
        const Cards same = hand_[seat] & lane(t.led), legal = same ? same : hand_[seat];
        const Cards present = hand_[0] | hand_[1] | hand_[2] | hand_[3] | bit(t.best);
        const Cards moves = legal & (legal - 1) ? heads(legal, present) : legal;
        Cards moot = 0;
        Move list[13];
        int size = 1;
        if (moves & (moves - 1))
            size = same ? order_follow<PLY>(seat, moves, t.best, list) : order_discards(seat, moves, list);
        else
            list[0] = {lowest(moves), 0};
        walls = 0;
        for (int i = 0; i < size; ++i) {
            const int card = list[i].card;
            if (moot & bit(card)) continue;
            control_->tick();
            const Trick next = played(t, seat, card);
            hand_[seat] ^= bit(card);
            shape_ -= std::uint64_t{1} << nibble(seat, suit_of(card));
            Cards w;
            bool yes;
            if constexpr (PLY < 3) {
                yes = follow<PLY + 1>((seat + 1) & 3, next, need, n, w);
            } else {
                yes = lead(next.winner, need - even(next.winner), n - 1, w);
                judge(next, w);
            }
            shape_ += std::uint64_t{1} << nibble(seat, suit_of(card));
            hand_[seat] ^= bit(card);
            if (yes == ours) {
                walls = w;
                if (root) move_ = card;
                return yes;
            }
            walls |= w;
            moot |= cell(card, w);
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
            const Cards foes = (hand_[seat ^ 1] | hand_[seat ^ 3]) & lane(suit_of(card));
            list[size++] = {card, (card & 15) + count(foes & (bit(card) - 1)) - length(seat, suit_of(card))};
        }
        sorted(list, size);
        return size;
    }

    Cells known_;
    Control* control_ = nullptr;
    bool root_ = false;
    int history_[4][64]{};
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
