// Nolo: four hands, two sides that both avoid tricks, no trump. A boolean search, "must North–South take `need` of
// the tricks left?", that hands back, with its answer, the pairs of cards whose order the answer rests on. Where these
// are ordered the same way, whatever the others, the answer is the same.
#pragma once
#include <algorithm>

#include "solver/nolo_bounds.h"
#include "solver/nolo_table.h"
#include "solver/refutations.h"

namespace nousu::NOUSU_ISA {

class NoloSearch : private NoloHands {
public:
    // At most 163 MB, touched as far as they are used.
    explicit NoloSearch(std::size_t shapes = std::size_t{1} << 18, std::size_t known = 2'250'000)
        : known_(shapes, known) {}

    void begin(const Problem& p) {
        known_.clear();
        replies_.clear(cards_left(p) > 11 ? Replies::MUCH : Replies::SOME);
        for (auto& row : history_) std::fill(std::begin(row), std::end(row), 0);
        deal(p);
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
        Pairs pairs;
        root_ = true;
        bool yes;
        const Table t = table_of(p);
        Trick trick{t.led, t.best, t.winner, 0};
        for (auto& tried : tried_[n]) tried = nullptr;
        for (int i = 0; i < p.played; ++i)
            if (suit_of(p.trick_card[i]) == t.led) trick.followed |= bit(p.trick_card[i]);
        const Cards left = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        for (int suit = 0; suit < SUITS; ++suit) {
            alive_[suit] = dealt_.all(suit);
            for (int card = 16 * suit; card < 16 * suit + 16; ++card)
                if (!(left >> card & 1)) alive_[suit] &= ~dealt_.of(card);
        }
        switch (p.played) {
            case 0: yes = lead(p.turn, beta, n, pairs); break;
            case 1: yes = follow<1>(p.turn, trick, beta, n, pairs); break;
            case 2: yes = follow<2>(p.turn, trick, beta, n, pairs); break;
            default: yes = follow<3>(p.turn, trick, beta, n, pairs); break;
        }
        return yes ? beta : beta - 1;
    }

    int best() const { return move_; }
    static int least(const Problem&) { return 0; }
    static int most(const Problem& p) { return cards_left(p); }

private:
    struct Trick {
        int led, best, winner;
        Cards followed;  // all cards of the suit led
    };

    // The winner of a trick is above the others; where only its side matters, above the other side's.
    void judge(const Trick& t, Cards others, Pairs& pairs) const {
        for (Cards c = t.followed & others & ~bit(t.best); c; c &= c - 1) over(t.best, lowest(c), pairs);
    }

    // The cards that need not lie below the best one of a trick just ended with the answer `yes`. If such a card were
    // the highest, its hand would lead, and the table or the counts say that the answer would be the same; what that
    // rests on joins `pairs`. Other cards then have to lie below the best one as before, so whichever card is the
    // highest, it is one with that answer.
    Cards as_well(const Trick& t, int first, int need, int n, bool yes, Pairs& pairs) {
        const NoloTable::Order& o = order_[n - 1];
        Cards found = 0;
        for (int seat = 0; seat < 4; ++seat) {
            const Cards card = t.followed & hands_[seat];
            if (!card || seat == t.winner || asked(lowest(card), t.best, first, n, yes)) continue;
            const int rest = need - even(seat);
            Pairs p;
            bool same;
            if (rest <= 0 || rest > n - 1) {
                same = rest <= 0;
            } else if (n == 2) {
                same = last_trick(seat, rest, p);
            } else if (const NoloTable::Known k = known_.answer(key(seat, rest), seat, o)) {
                same = k.tag().yes;
                if (same == yes) p = unpacked(k);
            } else if (!counted(seat, rest, n - 1, p, same)) {
                continue;
            }
            if (same != yes) continue;
            pairs |= p;
            found |= card;
        }
        return found;
    }

    // Whether the order of two cards is asked for in any case, by cards of this trick that led to the same answer.
    bool asked(int card, int other, int first, int n, bool yes) const {
        const std::uint64_t pair = dealt_.pair(card, other);
        for (int ply = 0; ply < 4; ++ply) {
            const Pairs* tried = tried_[n][ply];
            if (tried && even(first + ply) == yes && tried->suit[suit_of(card)] & pair) return true;
        }
        return false;
    }

    static Trick played(const Trick& t, int seat, int card) {
        if (suit_of(card) != t.led) return t;
        if (card > t.best) return {t.led, card, seat, t.followed | bit(card)};
        return {t.led, t.best, t.winner, t.followed | bit(card)};
    }

    bool last_trick(int leader, int need, Pairs& pairs) const {
        const int card = lowest(hand_[leader]);
        Trick t{suit_of(card), card, leader, bit(card)};
        for (int i = 1; i < 4; ++i) t = played(t, (leader + i) & 3, lowest(hand_[(leader + i) & 3]));
        pairs = {};
        judge(t, hand_[t.winner ^ 1] | hand_[t.winner ^ 3], pairs);
        return even(t.winner) >= need;
    }

    // After `card` has failed because of `pairs`: the neighbours in its hand that fail alike. When another card of
    // the block is played, the cards between it and `card` move up or down by one place each, and `card` takes the
    // farthest place; it fails alike if the others lie to those places as they lay to the ones before.
    Cards alike(int seat, int card, Cards untried, Pairs& pairs) const {
        const int suit = suit_of(card);
        const Cards mine = hand_[seat] & lane(suit);
        const std::uint64_t known = pairs.suit[suit];
        std::uint64_t more = 0;
        int top = card, bottom = card;
        for (Cards down = mine & (bit(card) - 1); down;) {
            const int next = highest(down);
            if (!(untried >> next & 1) || (known & (dealt_.of(next) | dealt_.of(card)) & gaps(next, bottom, seat)))
                break;
            for (Cards c = dealt_.cards(known & dealt_.of(next), suit) & ~((Cards{2} << next) - 1); c; c &= c - 1)
                more |= dealt_.pair(bottom, lowest(c));
            bottom = next;
            down ^= bit(next);
        }
        for (Cards up = mine & ~((Cards{2} << card) - 1); up;) {
            const int next = lowest(up);
            if (!(untried >> next & 1) || (known & (dealt_.of(next) | dealt_.of(card)) & gaps(top, next, seat))) break;
            for (Cards c = dealt_.cards(known & dealt_.of(next), suit) & (bit(next) - 1); c; c &= c - 1)
                more |= dealt_.pair(top, lowest(c));
            top = next;
            up ^= bit(next);
        }
        if (top == bottom) return 0;
        for (Cards c = dealt_.cards(known & dealt_.of(card), suit); c; c &= c - 1)
            more |= dealt_.pair(lowest(c) > card ? top : bottom, lowest(c));
        pairs.suit[suit] |= more;
        return ((Cards{2} << top) - 1) & ~(bit(bottom) - 1);
    }

    // The pairs of the cards other hands were dealt between two of this one's.
    std::uint64_t gaps(int low, int high, int seat) const {
        std::uint64_t pairs = 0;
        for (Cards c = hands_[seat] & ((Cards{2} << high) - 1) & ~((Cards{2} << low) - 1); c; c &= c - 1)
            pairs |= dealt_.gap(lowest(c));
        return pairs;
    }

    // Whether `side`, for which one trick more settles the question, must win this one, because the others duck: they
    // play their lowest cards of the suit, and it has a card, played or to be played, above all of these.
    template <int PLY>
    bool must_win(int side, int seat, const Trick& t, Pairs& pairs) const {
        int high = NONE;
        Cards low = 0;
        for (int i = 0; i < 4; ++i) {
            const int who = (seat + i) & 3;  // the first 4 - PLY have still to play
            const Cards in = (i < 4 - PLY ? hand_[who] : t.followed & hands_[who]) & lane(t.led);
            if (!in) continue;
            if ((who & 1) == side)
                high = std::max(high, lowest(in));
            else
                low |= in & -in;
        }
        if (high == NONE || low >> high) return false;
        pairs = {};
        for (; low; low &= low - 1) over(high, lowest(low), pairs);
        return true;
    }

    // Whether the answer can be counted out without a search.
    bool counted(int leader, int need, int n, Pairs& pairs, bool& result) const {
        // What the side on lead, and the other, must take for the probe to be answered at its cost.
        const int ours = even(leader) ? need : n - need + 1, theirs = n + 1 - ours;
        const Lows l = lows();
        if (stuck(l, leader, ours, pairs) || (ours == 1 && bounced(l, leader, pairs))) {
            result = even(leader);
            return true;
        }
        result = !even(leader);
        return exits(l, leader, theirs, pairs);
    }

    // The pairs left in the order the table keeps them in.
    void order(NoloTable::Order& o) const {
        std::uint64_t part[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) part[suit] = gather(dealt_.truth(suit), alive_[suit]);
        o.words = pack(part, o.word);
    }
    int pack(const std::uint64_t part[SUITS], std::uint64_t word[4]) const {
        int at = 0;
        word[0] = word[1] = word[2] = word[3] = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            const int size = std::popcount(alive_[suit]), shift = at & 63;
            word[at >> 6] |= part[suit] << shift;
            if (shift + size > 64) word[(at >> 6) + 1] |= part[suit] >> (64 - shift);
            at += size;
        }
        return (at + NoloTable::TAG - 1) / 64 + 1;
    }
    Pairs unpacked(const NoloTable::Known& known) const {
        Pairs pairs;
        int at = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            const int size = std::popcount(alive_[suit]), shift = at & 63;
            std::uint64_t part = known.mask(at >> 6) >> shift;
            if (shift + size > 64) part |= known.mask((at >> 6) + 1) << (64 - shift);
            pairs.suit[suit] = scatter(part, alive_[suit]);
            at += size;
        }
        return pairs;
    }

    // Thirteen cards are solved but once, and their pairs may leave no room for a tag.
    static constexpr int MOST = 13;
    // In a key: not what is known about positions, but the leads that have failed in them, each with its own pairs.
    static constexpr std::uint64_t FAILED = std::uint64_t{1} << 62;

    // The lengths of all suits and the question, the same for whoever wins the trick before. The lengths of the last
    // suit follow from the others: in two hands they make way.
    std::uint64_t key(int leader, int need) const {
        return (shape_ & 0x0FFF0FFFFFFFFFFFull) | static_cast<std::uint64_t>(need + even(leader)) << 44;
    }

    bool lead(int leader, int need, int n, Pairs& pairs) {
        pairs = {};
        const bool root = root_;
        root_ = false;
        if (!root) {
            if (need <= 0) return true;
            if (need > n) return false;
            if (n == 1) return last_trick(leader, need, pairs);
        }
        const std::uint64_t shape = key(leader, need);
        known_.expect(shape);
        bool result;
        NoloTable::Order& o = order_[n];
        order(o);
        if (!root) {
            if (const NoloTable::Known k = known_.answer(shape, leader, o)) {
                pairs = unpacked(k);
                return k.tag().yes;
            }
            if (counted(leader, need, n, pairs, result)) return result;
        }
        const bool ours = !even(leader);
        result = !ours;
        pairs = {};
        tried_[n][0] = &pairs;
        int chosen = NONE;
        Move list[13];
        std::uint16_t& reply = replies_.at(hand_[leader]);
        const Cards left = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        int size = order_leads(leader, heads(hand_[leader], left), replies_.card(reply), list);
        Cards untried = hand_[leader];
        const bool remembers = n > 3 && n < MOST;
        if (remembers) {
            known_.each(shape | FAILED, leader, o, [&](const NoloTable::Known& k) {
                const NoloTable::Tag tag = k.tag();
                const std::uint64_t places = (std::uint64_t{2} << tag.high) - (std::uint64_t{1} << tag.low);
                const Cards block = scatter(places, hand_[leader]);
                if (tag.yes == ours || !(block & untried)) return;
                untried &= ~block;
                pairs |= unpacked(k);
            });
        }
        for (int i = 0; i < size || untried; ++i) {
            if (i == size) list[size++] = {highest(untried), 0};
            const int card = list[i].card, suit = suit_of(card);
            if (!(untried & bit(card))) continue;
            tick(*control_);
            const std::uint64_t alive = alive_[suit];
            alive_[suit] &= ~dealt_.of(card);
            hand_[leader] ^= bit(card);
            shape_ -= unit(leader, suit);
            Pairs p;
            const bool yes = follow<1>((leader + 1) & 3, Trick{suit, card, leader, bit(card)}, need, n, p);
            shape_ += unit(leader, suit);
            hand_[leader] ^= bit(card);
            alive_[suit] = alive;
            if (yes == ours) {
                pairs = p;
                result = yes;
                chosen = card;
                replies_.set(reply, card);
                bonus(leader, card, n);
                break;
            }
            const Cards block = alike(leader, card, untried, p) | bit(card);
            untried &= ~block;
            pairs |= p;
            if (remembers) {
                const std::uint64_t places = gather(block, hand_[leader]);
                learn(shape | FAILED, leader, o, p, {!ours, lowest(places), highest(places)});
            }
        }
        if (root) move_ = chosen == NONE ? list[0].card : chosen;
        if (n < MOST) learn(shape, leader, o, pairs, {result, 0, 0});
        return result;
    }

    void learn(std::uint64_t shape, int leader, const NoloTable::Order& o, const Pairs& pairs, NoloTable::Tag tag) {
        std::uint64_t part[SUITS], mask[4];
        for (int suit = 0; suit < SUITS; ++suit) part[suit] = gather(pairs.suit[suit], alive_[suit]);
        pack(part, mask);
        known_.learn(shape, leader, o, mask, tag);
    }

    void bonus(int seat, int card, int n) {
        int& h = history_[seat][card];
        h += n * n;
        if (h > 1 << 14)
            for (auto& row : history_)
                for (int& value : row) value /= 2;
    }

    int order_leads(int leader, Cards moves, int reply, Move* list) const {
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int score = low_lead(leader, card);
            score = 3 * score + history_[leader][card];
            if (card == reply) score += 1 << 17;
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
    bool follow(int seat, const Trick& t, int need, int n, Pairs& pairs) {
        const bool root = root_;
        root_ = false;
        const bool ours = !even(seat);
        if (!root && need == 1 && must_win<PLY>(0, seat, t, pairs)) return true;
        if (!root && need == n && must_win<PLY>(1, seat, t, pairs)) return false;
        const Cards same = hand_[seat] & lane(t.led), legal = same ? same : hand_[seat];
        const Cards present = hand_[0] | hand_[1] | hand_[2] | hand_[3] | bit(t.best);
        const Cards moves = legal & (legal - 1) ? heads(legal, present) : legal;
        Cards untried = legal;
        Move list[13];
        int size = 1;
        std::uint16_t* reply = nullptr;
        if (moves & (moves - 1)) {
            reply = &(same ? replies_.at(hand_[seat], t.best << 2 | (t.winner ^ seat))
                           : replies_.at(hand_[seat], t.winner + 1));
            size = same ? order_follow<PLY>(seat, moves, t.best, list) : order_discards(seat, moves, list);
            const int first = replies_.card(*reply);
            if (first != NONE && legal >> first & 1) {
                const int head = lowest(moves & ~(bit(first) - 1));
                for (int i = 0; i < size; ++i)
                    if (list[i].card == head) std::rotate(list, list + i, list + i + 1);
            }
        } else {
            list[0] = {lowest(moves), 0};
        }
        pairs = {};
        tried_[n][PLY] = &pairs;
        for (int i = 0; i < size || untried; ++i) {
            if (i == size) list[size++] = {highest(untried), 0};
            const int card = list[i].card, suit = suit_of(card);
            if (!(untried & bit(card))) continue;
            tick(*control_);
            const Trick next = played(t, seat, card);
            const std::uint64_t alive = alive_[suit];
            alive_[suit] &= ~dealt_.of(card);
            hand_[seat] ^= bit(card);
            shape_ -= unit(seat, suit);
            Pairs p;
            bool yes;
            if constexpr (PLY < 3) {
                yes = follow<PLY + 1>((seat + 1) & 3, next, need, n, p);
            } else {
                const int rest = need - even(next.winner);
                yes = lead(next.winner, rest, n - 1, p);
                const bool settled = rest <= 0 || rest > n - 1;
                Cards others = ~Cards{0};
                if (settled)
                    others = hands_[next.winner ^ 1] | hands_[next.winner ^ 3];
                else if (!root)
                    others = ~as_well(next, (seat + 1) & 3, need, n, yes, p);
                judge(next, others, p);
            }
            shape_ += unit(seat, suit);
            hand_[seat] ^= bit(card);
            alive_[suit] = alive;
            if (yes == ours) {
                pairs = p;
                if (root) move_ = card;
                if (reply) replies_.set(*reply, card);
                return yes;
            }
            untried &= ~(alike(seat, card, untried, p) | bit(card));
            pairs |= p;
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

    NoloTable known_;
    Replies replies_;
    Control* control_ = nullptr;
    std::uint64_t alive_[SUITS]{};  // the pairs of cards both left
    NoloTable::Order order_[14];    // by cards left, at the last start of a trick
    const Pairs* tried_[14][4]{};   // by cards left and cards played: what rests on the cards tried so far
    bool root_ = false;
    int history_[4][64]{};
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
