// Nolo: four hands, no trump, two sides that both avoid tricks. The search answers "must North–South take `need` of the
// tricks left?" and returns the pairs of cards on whose order the answer depends. Any position with these pairs in the
// same order has the same answer.
#pragma once
#include <algorithm>

#include "solver/nolo_bounds.h"
#include "solver/nolo_table.h"
#include "solver/refutations.h"

namespace nousu::NOUSU_ISA {

class NoloSearch : private NoloBounds {
public:
    // At most 163 MB; pages are touched only when used.
    explicit NoloSearch(std::size_t shapes = std::size_t{1} << 18, std::size_t cells = 2'250'000)
        : table_(shapes, cells) {}

    void begin(const Position& p) {
        table_.clear();
        refutations_.clear(tricks_left(p) > 11 ? Refutations::LARGE : Refutations::SMALL);
        for (auto& row : history_) std::fill(std::begin(row), std::end(row), 0);
        deal(p);
    }

    int guess(const Position& p) const {
        // Fitted to 400 random ten-card deals. A card is worth (19 r - r²) / 230 of a trick, r being its rank among the
        // cards left, scaled to 0–12. Being on lead costs a third of a trick.
        const Cards held = p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3];
        int worth = is_north_south(p.turn) ? -75 : 75;
        for (int suit = 0; suit < SUITS; ++suit) {
            const int top = count(held & lane(suit)) - 1;
            int place = 0;
            for (Cards left = held & lane(suit); left; left &= left - 1, ++place) {
                const int r = top ? 12 * place / top : 6, value = 19 * r - r * r;
                worth += (p.hand[0] | p.hand[2]) >> lowest(left) & 1 ? value : -value;
            }
        }
        const int n = tricks_left(p);
        return std::clamp((115 * n + worth + 115 + 230 * 16) / 230 - 16, 1, n);
    }

    int probe(const Position& p, int beta, Control& control) {
        control_ = &control;
        set_position(p);
        int n = tricks_left(p);
        move_ = NONE;
        if (beta <= 0) return 0;
        if (beta > n) return n;
        CardPairs pairs;
        root_ = true;
        bool answer;
        const TrickState t = trick_state(p);
        Trick trick{t.led, t.best, t.winner, 0};
        for (auto& tried : tried_[n]) tried = nullptr;
        for (int i = 0; i < p.played; ++i)
            if (suit_of(p.trick_card[i]) == t.led) trick.followed |= bit(p.trick_card[i]);
        const Cards left = cards_left();
        for (int suit = 0; suit < SUITS; ++suit) {
            alive_[suit] = dealt_.all(suit);
            for (int card = 16 * suit; card < 16 * suit + 16; ++card)
                if (!(left >> card & 1)) alive_[suit] &= ~dealt_.of(card);
        }
        switch (p.played) {
            case 0: answer = lead(p.turn, beta, n, pairs); break;
            case 1: answer = follow<1>(p.turn, trick, beta, n, pairs); break;
            case 2: answer = follow<2>(p.turn, trick, beta, n, pairs); break;
            default: answer = follow<3>(p.turn, trick, beta, n, pairs); break;
        }
        return answer ? beta : beta - 1;
    }

    int best() const { return move_; }
    static int least(const Position&) { return 0; }
    static int most(const Position& p) { return tricks_left(p); }

private:
    struct Trick {
        int led, best, winner;
        Cards followed;  // all cards of the suit led
    };

    // Record that the winning card lies above `others` of the trick: above all when the winner matters, above the other
    // side's when only the winning side does.
    void note_winner(const Trick& t, Cards others, CardPairs& pairs) const {
        for (Cards c = t.followed & others & ~bit(t.best); c; c &= c - 1) note_order(t.best, lowest(c), pairs);
    }

    // The cards of a finished trick that need not lie below its best card. If such a card were the highest, its hand
    // would lead, and the table or the bounds show the same answer; the pairs behind that are added to `pairs`. The
    // other cards must still lie below the best one, so every card that can be the highest gives this answer.
    Cards irrelevant_cards(const Trick& t, int first, int need, int n, bool answer, CardPairs& pairs) {
        const NoloTable::Order& order = orders_[n - 1];
        Cards result = 0;
        for (int seat = 0; seat < 4; ++seat) {
            const Cards card = t.followed & hands_[seat];
            if (!card || seat == t.winner || is_order_needed(lowest(card), t.best, first, n, answer)) continue;
            const int rest = need - is_north_south(seat);
            CardPairs p;
            bool same;
            if (rest <= 0 || rest > n - 1) {
                same = rest <= 0;
            } else if (n == 2) {
                same = last_trick(seat, rest, p);
            } else if (const NoloTable::Match match = table_.find(key(seat, rest), seat, order)) {
                same = match.tag().answer;
                if (same == answer) p = unpack(match);
            } else if (!is_counted_out(seat, rest, n - 1, p, same)) {
                continue;
            }
            if (same != answer) continue;
            pairs |= p;
            result |= card;
        }
        return result;
    }

    // Whether the order of two cards is needed anyway, by cards of this trick that gave the same answer.
    bool is_order_needed(int card, int other, int first, int n, bool answer) const {
        const std::uint64_t pair = dealt_.pair(card, other);
        for (int ply = 0; ply < 4; ++ply) {
            const CardPairs* tried = tried_[n][ply];
            if (tried && is_north_south(first + ply) == answer && tried->suit[suit_of(card)] & pair) return true;
        }
        return false;
    }

    static Trick after_card(const Trick& t, int seat, int card) {
        if (suit_of(card) != t.led) return t;
        if (card > t.best) return {t.led, card, seat, t.followed | bit(card)};
        return {t.led, t.best, t.winner, t.followed | bit(card)};
    }

    bool last_trick(int leader, int need, CardPairs& pairs) const {
        const int card = lowest(hand_[leader]);
        Trick t{suit_of(card), card, leader, bit(card)};
        for (int i = 1; i < 4; ++i) t = after_card(t, (leader + i) & 3, lowest(hand_[(leader + i) & 3]));
        pairs = {};
        note_winner(t, hand_[t.winner ^ 1] | hand_[t.winner ^ 3], pairs);
        return is_north_south(t.winner) >= need;
    }

    // After `card` has failed because of `pairs`: its neighbours in the hand that fail too. If a neighbour is played,
    // the cards between it and `card` move by one place each, and `card` takes the farthest place. The answer stays the
    // same if the other hands' cards lie to these places as they did before.
    Cards failing_neighbours(int seat, int card, Cards untried, CardPairs& pairs) const {
        const int suit = suit_of(card);
        const Cards mine = hand_[seat] & lane(suit);
        const std::uint64_t decisive = pairs.suit[suit];
        std::uint64_t more = 0;
        int top = card, bottom = card;
        for (Cards down = mine & (bit(card) - 1); down;) {
            const int next = highest(down);
            if (!(untried >> next & 1) ||
                (decisive & (dealt_.of(next) | dealt_.of(card)) & gap_pairs(next, bottom, seat)))
                break;
            for (Cards c = dealt_.cards(decisive & dealt_.of(next), suit) & ~((Cards{2} << next) - 1); c; c &= c - 1)
                more |= dealt_.pair(bottom, lowest(c));
            bottom = next;
            down ^= bit(next);
        }
        for (Cards up = mine & ~((Cards{2} << card) - 1); up;) {
            const int next = lowest(up);
            if (!(untried >> next & 1) || (decisive & (dealt_.of(next) | dealt_.of(card)) & gap_pairs(top, next, seat)))
                break;
            for (Cards c = dealt_.cards(decisive & dealt_.of(next), suit) & (bit(next) - 1); c; c &= c - 1)
                more |= dealt_.pair(top, lowest(c));
            top = next;
            up ^= bit(next);
        }
        if (top == bottom) return 0;
        for (Cards c = dealt_.cards(decisive & dealt_.of(card), suit); c; c &= c - 1)
            more |= dealt_.pair(lowest(c) > card ? top : bottom, lowest(c));
        pairs.suit[suit] |= more;
        return ((Cards{2} << top) - 1) & ~(bit(bottom) - 1);
    }

    // The pairs with cards that were dealt to other hands between two cards of this one.
    std::uint64_t gap_pairs(int low, int high, int seat) const {
        std::uint64_t pairs = 0;
        for (Cards c = hands_[seat] & ((Cards{2} << high) - 1) & ~((Cards{2} << low) - 1); c; c &= c - 1)
            pairs |= dealt_.gap(lowest(c));
        return pairs;
    }

    // Whether `side`, for which one more trick decides the answer, must win this one: the others play their lowest
    // cards of the suit, and one hand of `side` has only higher cards, on the table or to be played.
    template <int PLY>
    bool must_win(int side, int seat, const Trick& t, CardPairs& pairs) const {
        int high = NONE;
        Cards low = 0;
        for (int i = 0; i < 4; ++i) {
            const int hand_seat = (seat + i) & 3;  // the first 4 - PLY have still to play
            const Cards in = (i < 4 - PLY ? hand_[hand_seat] : t.followed & hands_[hand_seat]) & lane(t.led);
            if (!in) continue;
            if ((hand_seat & 1) == side)
                high = std::max(high, lowest(in));
            else
                low |= in & -in;
        }
        if (high == NONE || low >> high) return false;
        pairs = {};
        for (; low; low &= low - 1) note_order(high, lowest(low), pairs);
        return true;
    }

    // Whether counting gives the answer without a search.
    bool is_counted_out(int leader, int need, int n, CardPairs& pairs, bool& result) const {
        // Tricks that the side on lead, and the other side, must win for the answer to go against it.
        const int ours = is_north_south(leader) ? need : n - need + 1, theirs = n + 1 - ours;
        const Lows lows = find_lows();
        if (must_win_before_exit(lows, leader, ours, pairs) || (ours == 1 && lead_returns(lows, leader, pairs))) {
            result = is_north_south(leader);
            return true;
        }
        result = !is_north_south(leader);
        return can_exit(lows, leader, theirs, pairs);
    }

    // The order of the pairs left, packed as in the table.
    void pack_order(NoloTable::Order& order) const {
        std::uint64_t part[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) part[suit] = gather(dealt_.in_order(suit), alive_[suit]);
        order.words = pack(part, order.word);
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
    CardPairs unpack(const NoloTable::Match& match) const {
        CardPairs pairs;
        int at = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            const int size = std::popcount(alive_[suit]), shift = at & 63;
            std::uint64_t part = match.mask(at >> 6) >> shift;
            if (shift + size > 64) part |= match.mask((at >> 6) + 1) << (64 - shift);
            pairs.suit[suit] = scatter(part, alive_[suit]);
            at += size;
        }
        return pairs;
    }

    // Positions of thirteen cards are solved only once, and their pairs may leave no room for a tag.
    static constexpr int FULL_HAND = 13;
    // Marks keys under which failed leads are stored, each with its own pairs, instead of answers.
    static constexpr std::uint64_t FAILED = std::uint64_t{1} << 62;

    // Table key: suit lengths and the question, equal for every winner of the trick before. The lengths of the last
    // suit follow from the others, so the question takes their place in two hands.
    std::uint64_t key(int leader, int need) const {
        return (shape_ & 0x0FFF0FFFFFFFFFFFull) | static_cast<std::uint64_t>(need + is_north_south(leader)) << 44;
    }

    bool lead(int leader, int need, int n, CardPairs& pairs) {
        pairs = {};
        const bool root = root_;
        root_ = false;
        if (!root) {
            if (need <= 0) return true;
            if (need > n) return false;
            if (n == 1) return last_trick(leader, need, pairs);
        }
        const std::uint64_t shape = key(leader, need);
        table_.prefetch_shape(shape);
        bool result;
        NoloTable::Order& order = orders_[n];
        pack_order(order);
        if (!root) {
            if (const NoloTable::Match match = table_.find(shape, leader, order)) {
                pairs = unpack(match);
                return match.tag().answer;
            }
            if (is_counted_out(leader, need, n, pairs, result)) return result;
        }
        const bool ours = !is_north_south(leader);
        result = !ours;
        pairs = {};
        tried_[n][0] = &pairs;
        int chosen = NONE;
        ScoredMove list[13];
        std::uint16_t& refutation = refutations_.at(hand_[leader]);
        const Cards left = cards_left();
        int size = order_leads(leader, run_tops(hand_[leader], left), refutations_.card(refutation), list);
        Cards untried = hand_[leader];
        const bool stores_failures = n > 3 && n < FULL_HAND;
        if (stores_failures) {
            table_.for_each_match(shape | FAILED, leader, order, [&](const NoloTable::Match& match) {
                const NoloTable::Tag tag = match.tag();
                const std::uint64_t places = (std::uint64_t{2} << tag.high) - (std::uint64_t{1} << tag.low);
                const Cards block = scatter(places, hand_[leader]);
                if (tag.answer == ours || !(block & untried)) return;
                untried &= ~block;
                pairs |= unpack(match);
            });
        }
        for (int i = 0; i < size || untried; ++i) {
            if (i == size) list[size++] = {highest(untried), 0};
            const int card = list[i].move, suit = suit_of(card);
            if (!(untried & bit(card))) continue;
            count_node(*control_);
            const std::uint64_t alive = alive_[suit];
            alive_[suit] &= ~dealt_.of(card);
            hand_[leader] ^= bit(card);
            shape_ -= length_unit(leader, suit);
            CardPairs p;
            const bool answer = follow<1>((leader + 1) & 3, Trick{suit, card, leader, bit(card)}, need, n, p);
            shape_ += length_unit(leader, suit);
            hand_[leader] ^= bit(card);
            alive_[suit] = alive;
            if (answer == ours) {
                pairs = p;
                result = answer;
                chosen = card;
                refutations_.set(refutation, card);
                add_history(leader, card, n);
                break;
            }
            const Cards block = failing_neighbours(leader, card, untried, p) | bit(card);
            untried &= ~block;
            pairs |= p;
            if (stores_failures) {
                const std::uint64_t places = gather(block, hand_[leader]);
                store(shape | FAILED, leader, order, p, {!ours, lowest(places), highest(places)});
            }
        }
        if (root) move_ = chosen == NONE ? list[0].move : chosen;
        if (n < FULL_HAND) store(shape, leader, order, pairs, {result, 0, 0});
        return result;
    }

    void store(std::uint64_t shape, int leader, const NoloTable::Order& order, const CardPairs& pairs,
               NoloTable::Tag tag) {
        std::uint64_t part[SUITS], mask[4];
        for (int suit = 0; suit < SUITS; ++suit) part[suit] = gather(pairs.suit[suit], alive_[suit]);
        pack(part, mask);
        table_.store(shape, leader, order, mask, tag);
    }

    void add_history(int seat, int card, int n) {
        int& h = history_[seat][card];
        h += n * n;
        if (h > 1 << 14)
            for (auto& row : history_)
                for (int& value : row) value /= 2;
    }

    // List the moves, best score first. Returns their number.
    template <class Score>
    static int order_moves(Cards moves, ScoredMove* list, const Score& score) {
        int size = 0;
        for (; moves; moves &= moves - 1) list[size++] = {lowest(moves), score(lowest(moves))};
        sort_by_score(list, size);
        return size;
    }

    int order_leads(int leader, Cards moves, int refutation, ScoredMove* list) const {
        return order_moves(moves, list, [&](int card) {
            return 3 * lead_score(leader, card) + history_[leader][card] + (card == refutation ? 1 << 17 : 0);
        });
    }

    // Best first: a card under which the opponents cannot duck.
    int lead_score(int leader, int card) const {
        int suit = suit_of(card), partner = leader ^ 2;
        auto low_of = [&](int seat) {
            Cards held = hand_[seat] & lane(suit);
            return held ? lowest(held) & 15 : -1;
        };
        int ours = std::max(card & 15, low_of(partner));
        int duck = std::max(low_of(leader ^ 1), low_of(leader ^ 3));
        int score = duck < 0 ? -40 : duck > ours ? 30 : duck - ours;
        return score - (card & 15) / 2;
    }

    template <int PLY>
    bool follow(int seat, const Trick& t, int need, int n, CardPairs& pairs) {
        const bool root = root_;
        root_ = false;
        const bool ours = !is_north_south(seat);
        if (!root && need == 1 && must_win<PLY>(0, seat, t, pairs)) return true;
        if (!root && need == n && must_win<PLY>(1, seat, t, pairs)) return false;
        const Cards same = hand_[seat] & lane(t.led), legal = same ? same : hand_[seat];
        const Cards present = cards_left() | bit(t.best);
        const Cards moves = legal & (legal - 1) ? run_tops(legal, present) : legal;
        Cards untried = legal;
        ScoredMove list[13];
        int size = 1;
        std::uint16_t* refutation = nullptr;
        if (moves & (moves - 1)) {
            refutation = &(same ? refutations_.at(hand_[seat], t.best << 2 | (t.winner ^ seat))
                                : refutations_.at(hand_[seat], t.winner + 1));
            size = same ? order_follow<PLY>(seat, moves, t.best, list) : order_discards(seat, moves, list);
            const int first = refutations_.card(*refutation);
            if (first != NONE && legal >> first & 1) {
                const int head = lowest(moves & ~(bit(first) - 1));
                for (int i = 0; i < size; ++i)
                    if (list[i].move == head) std::rotate(list, list + i, list + i + 1);
            }
        } else {
            list[0] = {lowest(moves), 0};
        }
        pairs = {};
        tried_[n][PLY] = &pairs;
        for (int i = 0; i < size || untried; ++i) {
            if (i == size) list[size++] = {highest(untried), 0};
            const int card = list[i].move, suit = suit_of(card);
            if (!(untried & bit(card))) continue;
            count_node(*control_);
            const Trick next = after_card(t, seat, card);
            const std::uint64_t alive = alive_[suit];
            alive_[suit] &= ~dealt_.of(card);
            hand_[seat] ^= bit(card);
            shape_ -= length_unit(seat, suit);
            CardPairs p;
            bool answer;
            if constexpr (PLY < 3) {
                answer = follow<PLY + 1>((seat + 1) & 3, next, need, n, p);
            } else {
                const int rest = need - is_north_south(next.winner);
                answer = lead(next.winner, rest, n - 1, p);
                const bool decided = rest <= 0 || rest > n - 1;
                Cards others = ~Cards{0};
                if (decided)
                    others = hands_[next.winner ^ 1] | hands_[next.winner ^ 3];
                else if (!root)
                    others = ~irrelevant_cards(next, (seat + 1) & 3, need, n, answer, p);
                note_winner(next, others, p);
            }
            shape_ += length_unit(seat, suit);
            hand_[seat] ^= bit(card);
            alive_[suit] = alive;
            if (answer == ours) {
                pairs = p;
                if (root) move_ = card;
                if (refutation) refutations_.set(*refutation, card);
                return answer;
            }
            untried &= ~(failing_neighbours(seat, card, untried, p) | bit(card));
            pairs |= p;
        }
        if (root) move_ = list[0].move;
        return !ours;
    }

    template <int PLY>
    int order_follow(int seat, Cards moves, int best, ScoredMove* list) const {
        // Cards with which the next seat could beat the best card.
        Cards later_foes = PLY < 3 ? hand_[(seat + 1) & 3] & lane(suit_of(best)) : 0;
        int top_later = later_foes ? highest(later_foes) : -1;
        return order_moves(moves, list, [&](int card) {
            // As high as possible without winning; high if winning cannot be avoided.
            const int rank = card & 15;
            return card < best ? 40 + rank : PLY == 3 ? rank : card < top_later ? 20 - rank : rank;
        });
    }

    int order_discards(int seat, Cards moves, ScoredMove* list) const {
        return order_moves(moves, list, [&](int card) {
            const Cards foes = (hand_[seat ^ 1] | hand_[seat ^ 3]) & lane(suit_of(card));
            return (card & 15) + count(foes & (bit(card) - 1)) - length(seat, suit_of(card));
        });
    }

    NoloTable table_;
    Refutations refutations_;
    Control* control_ = nullptr;
    std::uint64_t alive_[SUITS]{};  // pairs of which both cards are left
    NoloTable::Order orders_[14];   // by cards left: the order at the last start of a trick
    // By cards left and cards played: pairs behind the failure of the cards tried so far.
    const CardPairs* tried_[14][4]{};
    bool root_ = false;
    int history_[4][64]{};
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
