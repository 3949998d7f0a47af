// Huutopussi: zero-window alpha-beta, fail-soft, with a transposition table of positions at the start of tricks. It
// uses bounds that the general search lacks; the tests compare the two.
#pragma once
#include "solver/general_search.h"
#include "solver/huutopussi_bounds.h"
#include "solver/huutopussi_table.h"
#include "solver/refutations.h"

namespace nousu::NOUSU_ISA {

class HuutopussiSearch : HuutopussiBounds {
public:
    explicit HuutopussiSearch(int table_bits = 16) : table_(table_bits) {}

    // Start with `p`; all later probes must be of positions reached from it.
    void begin(const Position& p) {
        begin_search(p);
        table_.begin(p);
        refutations_.clear();
    }

    // First guess of the value: half the points, a seventh of them more or less for every suit of which the side holds
    // or lacks the highest card, and the marriages of the side.
    int guess(const Position& p) const {
        const Cards mine = p.hand[p.side] | p.hand[p.side ^ 2], all = mine | p.hand[p.side ^ 1] | p.hand[p.side ^ 3];
        int points = p.last_trick, tops = 0, marriages = 0;
        for (int s = 0; s < SUITS; ++s) {
            const Cards here = all & lane(s), royals = (bit(p.king) | bit(p.queen)) << LANE_BITS * s;
            for (Cards c = here; c; c &= c - 1) points += p.value[lowest(c) & 15];
            if (here) tops += mine >> highest(here) & 1 ? 1 : -1;
            if (!(p.declared >> s & 1) && (mine & royals) == royals) marriages += p.marriage[s];
        }
        const int more = points * tops / 7;
        return marriages + (p.difference ? 2 * more : points / 2 + more);
    }

    static int least(const Position&) { return -VALUE_LIMIT; }
    static int most(const Position&) { return VALUE_LIMIT; }
    // The move that decided the last probe, if one did.
    int best() const { return best_; }

    // A bound on what `p` still adds to the value: a lower bound if it is >= beta, else an upper bound.
    int probe(const Position& p, int beta, Control& control) {
        control_ = &control;
        const Trick t = set_position(p);
        if (p.played) return follow(t, beta);
        if (p.asked) return answer(beta);
        root_ = true;
        return trick_start(beta);
    }

private:
    static constexpr int FIRST = 1 << 30;  // above every other score

    // Value of the last trick, in which no seat has a choice.
    int last_trick() const {
        int winner = position_.turn, best = lowest(position_.hand[winner]);
        for (int k = 1; k < 4; ++k) {
            const int seat = (position_.turn + k) & 3, card = lowest(position_.hand[seat]);
            if (suit_of(card) == suit_of(best) ? card > best : suit_of(card) == position_.trump)
                best = card, winner = seat;
        }
        return (left_ + last_points_) * weight_[winner];
    }

    int trick_start(int beta) {
        if (tricks_ == 0) return 0;
        const bool root = root_;
        root_ = false;
        if (tricks_ == 1 && !root && !position_.open) return last_trick();
        const PossibleMarriages possible = possible_marriages();
        const int points = left_ + last_points_;
        int least = points * low_ - possible.down, most = points * high_ + possible.up;
        if (!root && least >= beta) return least;
        if (!root && most < beta) return most;

        const std::uint64_t state = static_cast<std::uint64_t>(
            position_.turn | (position_.trump + 1) << 3 | possible.suits << 6 | possible.rights << 10 |
            (position_.open && possible.suits) << 18 | (position_.half ^ 15) << 19);
        const std::uint64_t key = table_.key(cards_in_hand(), state, possible.suits);
        HuutopussiTable::Entry& e = table_.at(key);
        if (!root) {
            prefetch(&e);  // loads while the winners are counted
            int rounds;
            const int sure = winners_points(rounds);
            if (maximise_[position_.turn]) {
                if (rounds >= tricks_)
                    least = points * high_;
                else
                    least += sure * (high_ - low_);
                if (least >= beta) return least;
            } else {
                if (rounds >= tricks_)
                    most = points * low_;
                else
                    most -= sure * (high_ - low_);
                if (most < beta) return most;
            }
        }
        if (e.key == key && !root) {
            if (e.low >= beta) return e.low;
            if (e.high < beta) return e.high;
        }
        const int value = lead(possible, beta);
        if (e.key != key) e = {key, static_cast<std::int16_t>(least), static_cast<std::int16_t>(most)};
        if (value >= beta)
            e.low = std::max(e.low, static_cast<std::int16_t>(value));
        else
            e.high = std::min(e.high, static_cast<std::int16_t>(value));
        return value;
    }

    int lead(const PossibleMarriages& possible, int beta) {
        const int seat = position_.turn;
        const bool maximise = maximise_[seat];
        Trick t;
        t.leader = seat;
        t.possible_marriages = possible;
        const Cards hand = position_.hand[seat];
        ScoredMove list[40];
        int n = position_.open ? helpful_calls(position_, seat, list) : 0;
        for (Cards c = candidates(hand, t); c; c &= c - 1) list[n++] = {lowest(c), lowest(c) & 15};
        std::uint16_t& refutation = refutations_.at(hand, (position_.trump + 1) << 2 | seat);
        const int first = refutations_.card(refutation);
        for (int i = 0; i < n; ++i)
            if (list[i].move == first) list[i].score = FIRST;
        int result = maximise ? -30000 : 30000;
        for (int i = 0; i < n; ++i) {
            const int move = pick_best(list, i, n);
            const int value = move < 64 ? play_card(t, move, beta) : make_call(move, beta);
            if (maximise ? value > result : value < result) result = value;
            if (maximise ? result >= beta : result < beta) {
                best_ = move;
                if (move < 64) refutations_.set(refutation, move);
                return result;
            }
        }
        best_ = list[0].move;
        return result;
    }

    int follow(const Trick& t, int beta) {
        const int seat = position_.turn;
        const Cards hand = position_.hand[seat];
        Cards legal = legal_cards(hand, t.led, t.best, position_.trump, true);
        if (legal & (legal - 1)) legal = candidates(legal, t);
        if (!(legal & (legal - 1))) {
            const int card = lowest(legal);
            const int value = play_card(t, card, beta);
            best_ = card;
            return value;
        }
        const bool maximise = maximise_[seat];
        // A discard depends on the whole hand, a card that follows only on the cards of the suit.
        const Cards same = hand & lane(t.led);
        std::uint16_t& refutation = refutations_.at(
            same ? same : hand, ((position_.trump + 1) << 2 | seat) << 4 | (t.led + 1) << 1 | (same != 0));
        int result = maximise ? -30000 : 30000;
        int card = refutations_.card(refutation);
        if (card == NONE || !(legal >> card & 1)) card = preferred_card(legal, t);
        for (;;) {
            const int value = play_card(t, card, beta);
            if (maximise ? value > result : value < result) result = value;
            if (maximise ? result >= beta : result < beta) {
                refutations_.set(refutation, card);
                break;
            }
            legal ^= bit(card);
            if (!legal) break;
            card = preferred_card(legal, t);
        }
        best_ = card;
        return result;
    }

    // High if it beats the best card, else low.
    int preferred_card(Cards cards, const Trick& t) const {
        const int card = lowest(cards);
        return suit_of(card) == suit_of(t.best) && card > t.best ? highest(cards) : card;
    }

    // The partner, asked for a marriage, names one.
    int answer(int beta) {
        const bool maximise = maximise_[position_.turn];
        ScoredMove list[SUITS];
        const int n = marriage_answers(position_, list);
        int result = maximise ? -30000 : 30000;
        for (int i = 0; i < n; ++i) {
            const int move = pick_best(list, i, n), value = make_call(move, beta);
            if (maximise ? value > result : value < result) result = value;
            best_ = move;
            if (maximise ? result >= beta : result < beta) return result;
        }
        best_ = list[0].move;
        return result;
    }

    int make_call(int move, int beta) {
        count_node(*control_);
        const Position before = position_;
        const int gain = apply(position_, move);
        const int value = gain + (position_.asked ? answer(beta - gain) : trick_start(beta - gain));
        position_ = before;
        return value;
    }

    int play_card(const Trick& t, int card, int beta) {
        count_node(*control_);
        const int seat = position_.turn;
        const bool open = position_.open;
        position_.hand[seat] ^= bit(card);
        left_ -= card_points_[card];
        const int value = t.waiting > 1 ? continue_trick(t, seat, card, beta) : finish_trick(t, seat, card, beta);
        position_.turn = seat;
        position_.open = open;
        position_.hand[seat] ^= bit(card);
        left_ += card_points_[card];
        return value;
    }

    bool beats_best(const Trick& t, int card) const {
        return t.best == NONE || (suit_of(card) == suit_of(t.best) ? card > t.best : suit_of(card) == position_.trump);
    }

    int continue_trick(const Trick& t, int seat, int card, int beta) {
        Trick after = t;
        --after.waiting;
        after.points += card_points_[card];
        if (t.led == NONE) after.led = suit_of(card);
        if (beats_best(t, card)) after.best = card, after.winner = seat;
        position_.turn = (seat + 1) & 3;
        // If the winning side of the trick is certain, it gets the points on the table and at least what the others
        // must add.
        const int side = taking_side(after.best, after.winner, after.led, position_.turn, after.waiting);
        if (side != NONE) {
            int points = after.points;
            for (int k = 1; k <= after.waiting; ++k) {
                const Cards same = position_.hand[(seat + k) & 3] & lane(after.led);
                if (same) points += card_points_[lowest(same)];
            }
            points *= high_ - low_;
            const int all = after.points + left_ + last_points_;
            if (maximise_[side]) {
                const int least = all * low_ + points - t.possible_marriages.down;
                if (least >= beta) return least;
            } else {
                const int most = all * high_ - points + t.possible_marriages.up;
                if (most < beta) return most;
            }
        }
        return follow(after, beta);
    }

    int finish_trick(const Trick& t, int seat, int card, int beta) {
        const int winner = beats_best(t, card) ? seat : t.winner;
        --tricks_;
        const int gain = (t.points + card_points_[card] + (tricks_ ? 0 : last_points_)) * weight_[winner];
        position_.turn = winner;
        position_.open = tricks_ && (position_.any_winner_declares || t.leader == winner);
        const int value = gain + trick_start(beta - gain);
        ++tricks_;
        return value;
    }

    HuutopussiTable table_;
    Refutations refutations_;
    Control* control_ = nullptr;
    int best_ = 255;
    bool root_ = false;
};

}  // namespace nousu::NOUSU_ISA
