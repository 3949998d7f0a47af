// Rami: four hands, no trump, two sides that both want tricks. The search answers "do North–South take `need` of the
// tricks left?" and returns the cards on whose ranks the answer depends.
#pragma once
#include "solver/rami_move_order.h"
#include "solver/rami_table.h"
#include "solver/refutations.h"

namespace nousu::NOUSU_ISA {

class RamiSearch : private RamiMoveOrder {
public:
    // At most 284 MB; pages are touched only when used.
    explicit RamiSearch(std::size_t shapes = std::size_t{1} << 18, std::size_t patterns = std::size_t{1} << 23,
                        unsigned fork_length = 1 << 7, std::size_t first_places = std::size_t{1} << 12)
        : table_(shapes, patterns, fork_length, first_places) {}

    void begin(const Position& p) {
        table_.clear();
        int voids = 0;
        for (int seat = 0; seat < 4; ++seat)
            for (int suit = 0; suit < SUITS; ++suit) voids += !(p.hand[seat] & lane(suit));
        refutations_.clear(voids > 1 && tricks_left(p) > 9 ? Refutations::LARGE : Refutations::SMALL);
        owners_.assign(hands_before_trick(p));
    }

    int guess(const Position& p) const {
        // Fitted to 2,000 random deals: the worth of the five highest ranks left in a suit, in fortieths of a trick.
        // Being on lead is worth half a trick more, which is left out: a guess that is too low is refuted fastest.
        static constexpr int WORTH[] = {45, 29, 16, 9, 5};
        const int n = tricks_left(p);
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

    int probe(const Position& p, int beta, Control& control) {
        control_ = &control;
        set_position(p);
        int n = tricks_left(p);
        Cards decisive;
        root_ = true;
        move_ = NONE;
        for (Cards& tried : tried_[n]) tried = 0;
        bool answer;
        TrickState t = trick_state(p);
        Cards present = cards_left() | (p.played ? bit(t.best) : 0);
        const int followed = followers(p, t);
        switch (p.played) {
            case 0: answer = lead(p.turn, beta, n, decisive); break;
            case 1: answer = follow<1>(p.turn, t.led, t.best, t.winner, followed, beta, n, present, decisive); break;
            case 2: answer = follow<2>(p.turn, t.led, t.best, t.winner, followed, beta, n, present, decisive); break;
            default: answer = follow<3>(p.turn, t.led, t.best, t.winner, followed, beta, n, present, decisive); break;
        }
        decisive_cards_ = with_higher_ranks(decisive) & cards_left();
        return answer ? beta : beta - 1;
    }

    int best() const { return move_; }
    // The cards in hand on whose owners the last answer depends.
    Cards decisive_cards() const { return decisive_cards_; }
    static int least(const Position&) { return 0; }
    static int most(const Position& p) { return tricks_left(p); }

private:
    bool lead(int leader, int need, int n, Cards& decisive) {
        decisive = 0;
        bool root = root_;
        root_ = false;
        if (!root) {
            if (need <= 0) return true;
            if (need > n) return false;
            if (n == 1) return last_trick(leader, need, decisive);
        }
        Cards left = cards_left();
        const bool ours = is_north_south(leader);
        const std::uint64_t shape = key(leader);
        table_.prefetch_shape(shape);
        const Owners owners = owners_.of(left);
        bool result;
        if (!root) {
            if (const RamiTable::Pattern* pattern = table_.find(shape, owners, need))
                return read(*pattern, left, need, decisive);
            if (is_counted_out(leader, need, n, decisive, result)) return result;
        }
        const Cards hand = hand_[leader];
        tried_[n][0] = 0;
        Cards rest = run_tops(hand, left), covered = 0;
        std::uint16_t& refutation = refutations_.at(hand);
        int list[13], size = 0, chosen = NONE;
        if (int card = refutations_.card(refutation); card != NONE && hand >> card & 1) {
            list[size++] = lowest(rest & ~(bit(card) - 1));
            rest ^= bit(list[0]);
        }
        result = !ours;
        for (int i = 0;; ++i) {
            if (i == size) {
                rest &= ~covered;
                if (!rest) break;
                size += order_leads(leader, rest, list + size);
                rest = 0;
            }
            int card = list[i];
            if (covered & bit(card)) continue;
            count_node(*control_);
            hand_[leader] ^= bit(card);
            shape_ -= length_unit(leader, suit_of(card));
            Cards card_decisive;
            bool answer =
                follow<1>((leader + 1) & 3, suit_of(card), card, leader, 1 << leader, need, n, left, card_decisive);
            shape_ += length_unit(leader, suit_of(card));
            hand_[leader] ^= bit(card);
            if (answer == ours) {
                decisive = card_decisive;
                result = answer;
                chosen = card;
                refutations_.set(refutation, card);
                break;
            }
            const Cards equivalent = equivalent_cards(card, card_decisive);
            decisive |= equivalent ? card_decisive : card_decisive | run_of(card, hand, left);
            tried_[n][0] = decisive;
            covered |= equivalent;
        }
        if (root) move_ = chosen == NONE ? list[0] : chosen;
        decisive = trim_lowest(with_higher_ranks(decisive) & left, left);
        const std::uint64_t mask[2] = {gather(doubled(decisive & 0xFFFFFFFF), doubled(left & 0xFFFFFFFF)),
                                       gather(doubled(decisive >> 32), doubled(left >> 32))};
        table_.store(shape, owners, mask, result ? need : 0, result ? n : need - 1);
        return result;
    }

    // `present`: the cards in hands and the best one on the table.
    template <int PLY>
    bool follow(int seat, int led, int best, int winner, int followed, int need, int n, Cards present,
                Cards& decisive) {
        bool root = root_;
        root_ = false;
        const bool ours = is_north_south(seat);
        const Cards hand = hand_[seat], same = hand & lane(led);
        if constexpr (PLY < 3) {
            bool result;
            if (n > 2 && !root && is_certain<PLY>(seat, led, best, winner, need, n, decisive, result)) return result;
        }
        const Cards legal = same ? same : hand;
        Cards rest = legal & (legal - 1) ? run_tops(legal, present) : legal, covered = 0;
        int list[13], size = 0;
        std::uint16_t* refutation = nullptr;
        if (rest & (rest - 1)) {
            refutation = &(same ? refutations_.at(present & lane(led), (best << 2 | seat) << 2 | (winner ^ seat))
                                : refutations_.at(hand, 1));
            if (int card = refutations_.card(*refutation); card != NONE && legal >> card & 1) {
                list[size++] = lowest(rest & ~(bit(card) - 1));
                rest ^= bit(list[0]);
            }
        } else {
            list[size++] = lowest(rest);
            rest = 0;
        }
        decisive = tried_[n][PLY] = 0;
        const int followed_now = followed | (same != 0) << seat;
        for (int i = 0;; ++i) {
            if (i == size) {
                rest &= ~covered;
                if (!rest) break;
                size += same ? order_follow<PLY>(seat, rest, best, winner, present, list + size)
                             : order_discards(seat, rest, list + size);
                rest = 0;
            }
            int card = list[i];
            if (covered & bit(card)) continue;
            count_node(*control_);
            const bool beats = same && card > best;
            const int best_now = beats ? card : best, winner_now = beats ? seat : winner;
            const std::uint64_t unit = length_unit(seat, suit_of(card));
            hand_[seat] ^= bit(card);
            shape_ -= unit;
            Cards card_decisive;
            bool answer;
            if constexpr (PLY < 3) {
                answer = follow<PLY + 1>((seat + 1) & 3, led, best_now, winner_now, followed_now, need, n,
                                         present ^ bit(beats ? best : card), card_decisive);
            } else {
                answer = lead(winner_now, need - is_north_south(winner_now), n - 1, card_decisive);
                if (followed_now & (followed_now - 1) &&
                    !is_winner_irrelevant((seat + 1) & 3, best_now, winner_now, followed_now, need, n, answer,
                                          card_decisive))
                    card_decisive |= bit(best_now);
            }
            shape_ += unit;
            hand_[seat] ^= bit(card);
            if (answer == ours) {
                decisive = card_decisive;
                if (root) move_ = card;
                if (refutation) refutations_.set(*refutation, card);
                return answer;
            }
            const Cards equivalent = equivalent_cards(card, card_decisive);
            decisive |= equivalent ? card_decisive : card_decisive | run_of(card, legal, present);
            tried_[n][PLY] = decisive;
            covered |= equivalent;
        }
        if (root) move_ = list[0];
        return !ours;
    }

    // Whether the answer after a trick stays the same whichever card of the suit led is the highest, so that none of
    // them need be named. The table or the counts must show it; the cards that this rests on are added to `decisive`.
    bool is_winner_irrelevant(int first, int best, int winner, int followed, int need, int n, bool answer,
                              Cards& decisive) {
        const Cards down = ((Cards{2} << best) - 1) & lane(suit_of(best));
        Cards all = decisive;
        for (int ply = 0; ply < 4; ++ply)  // named anyway by cards of this trick that gave the same answer
            if ((tried_[n][ply] & down) && is_north_south(first + ply) != answer) return false;
        if (all & down) return false;
        const Cards left = cards_left();
        const Owners owners = owners_.of(left);
        for (int i = 1; i < 4; ++i) {
            const int seat = (winner + i) & 3;
            if (!(followed >> seat & 1)) continue;
            const int rest = need - is_north_south(seat);
            Cards other = 0;
            bool same = rest <= 0;
            if (rest > 0 && rest <= n - 1) {
                if (n == 2)
                    same = last_trick(seat, rest, other);
                else if (const RamiTable::Pattern* pattern = table_.find(key(seat), owners, rest))
                    same = read(*pattern, left, rest, other);
                else if (!is_counted_out(seat, rest, n - 1, other, same))
                    return false;
            }
            if (same != answer || other & down) return false;
            all |= other;
        }
        decisive = all;
        return true;
    }

    // Table key: suit lengths and the leader. The length that makes room for the leader follows from the others.
    std::uint64_t key(int leader) const {
        return (shape_ & 0x0FFFFFFFFFFFFFFFull) | static_cast<std::uint64_t>(leader) << 60;
    }

    // The answer of a pattern that decides `need`, and the cards that it names among those left.
    static bool read(const RamiTable::Pattern& pattern, Cards left, int need, Cards& decisive) {
        decisive = halved(scatter(pattern.mask[0], doubled(left & 0xFFFFFFFF)));
        decisive |= halved(scatter(pattern.mask[1], doubled(left >> 32))) << 32;
        return pattern.low() >= need;
    }

    RamiTable table_;
    Owners owners_;
    Refutations refutations_;
    Control* control_ = nullptr;
    bool root_ = false;
    int move_ = NONE;
    Cards tried_[14][4]{};  // by cards left and cards played: decisive for the failure of the cards tried so far
    Cards decisive_cards_ = 0;
};

}  // namespace nousu::NOUSU_ISA
