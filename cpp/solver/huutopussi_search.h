// Huutopussi: zero-window alpha-beta, fail-soft, with a table of positions at the start of tricks. It knows
// bounds that the general search does not, and must agree with it.
#pragma once
#include "solver/general_search.h"
#include "solver/huutopussi_bounds.h"
#include "solver/huutopussi_table.h"
#include "solver/refutations.h"

namespace nousu::NOUSU_ISA {

class HuutopussiSearch : HuutopussiHands {
public:
    explicit HuutopussiSearch(int table_bits = 16) : table_(table_bits) {}

    // All later probes are of positions reached from this one.
    void begin(const Problem& p) {
        begin_hands(p);
        table_.begin(p);
        replies_.clear();
    }

    // Where to start looking for the value: half the points, a seventh of them more or less for every suit whose
    // highest card the side holds or not, and its marriages.
    int guess(const Problem& p) const {
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

    static int least(const Problem&) { return -FAR; }
    static int most(const Problem&) { return FAR; }
    // The move that decided the last probe, if one did.
    int best() const { return best_; }

    // A bound on what `p` still adds to the value: at least the result if that is >= beta, else at most it.
    int probe(const Problem& p, int beta, Control& control) {
        control_ = &control;
        const Trick t = take(p);
        if (p.played) return follow(t, beta);
        if (p.asked) return answer(beta);
        root_ = true;
        return trick_start(beta);
    }

private:
    static constexpr int FIRST = 1 << 30;  // no score is higher

    // The last trick plays itself.
    int last_trick() const {
        int winner = s_.turn, best = lowest(s_.hand[winner]);
        for (int k = 1; k < 4; ++k) {
            const int seat = (s_.turn + k) & 3, card = lowest(s_.hand[seat]);
            if (suit_of(card) == suit_of(best) ? card > best : suit_of(card) == s_.trump) best = card, winner = seat;
        }
        return (left_ + last_points_) * weight_[winner];
    }

    int trick_start(int beta) {
        if (tricks_ == 0) return 0;
        const bool root = root_;
        root_ = false;
        if (tricks_ == 1 && !root && !s_.open) return last_trick();
        const Hopes hope = hopes();
        const int points = left_ + last_points_;
        int least = points * low_ - hope.down, most = points * high_ + hope.up;
        if (!root && least >= beta) return least;
        if (!root && most < beta) return most;

        const std::uint64_t state = static_cast<std::uint64_t>(s_.turn | (s_.trump + 1) << 3 | hope.suits << 6 |
                                                               hope.rights << 10 | (s_.open && hope.suits) << 18);
        const std::uint64_t key = table_.key(held(), state, hope.suits);
        HuutopussiTable::Entry& e = table_.at(key);
        if (!root) {
            fetch(&e);  // it comes while the winners are counted
            int rounds;
            const int sure = run(rounds);
            if (maximise_[s_.turn]) {
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
        const int found = lead(hope, beta);
        if (e.key != key) e = {key, static_cast<std::int16_t>(least), static_cast<std::int16_t>(most)};
        if (found >= beta)
            e.low = std::max(e.low, static_cast<std::int16_t>(found));
        else
            e.high = std::min(e.high, static_cast<std::int16_t>(found));
        return found;
    }

    int lead(const Hopes& hope, int beta) {
        const int seat = s_.turn;
        const bool up = maximise_[seat];
        Trick t;
        t.leader = seat;
        t.hopes = hope;
        const Cards hand = s_.hand[seat];
        Choice list[40];
        int n = s_.open ? declarations(s_, seat, list) : 0;
        for (Cards c = candidates(hand, t); c; c &= c - 1) list[n++] = {lowest(c), lowest(c) & 15};
        std::uint16_t& reply = replies_.at(hand, (s_.trump + 1) << 2 | seat);
        const int first = replies_.card(reply);
        for (int i = 0; i < n; ++i)
            if (list[i].move == first) list[i].score = FIRST;
        int result = up ? -30000 : 30000;
        for (int i = 0; i < n; ++i) {
            const int move = next(list, i, n);
            const int got = move < 64 ? play(t, move, beta) : say(move, beta);
            if (up ? got > result : got < result) result = got;
            if (up ? result >= beta : result < beta) {
                best_ = move;
                if (move < 64) replies_.set(reply, move);
                return result;
            }
        }
        best_ = list[0].move;
        return result;
    }

    int follow(const Trick& t, int beta) {
        const int seat = s_.turn;
        const Cards hand = s_.hand[seat];
        Cards legal = legal_cards(hand, t.led, t.best, s_.trump, true);
        if (legal & (legal - 1)) legal = candidates(legal, t);
        if (!(legal & (legal - 1))) {
            const int card = lowest(legal);
            const int got = play(t, card, beta);
            best_ = card;
            return got;
        }
        const bool up = maximise_[seat];
        // What is thrown depends on the whole hand, else on its cards of the suit.
        const Cards same = hand & lane(t.led);
        std::uint16_t& reply =
            replies_.at(same ? same : hand, ((s_.trump + 1) << 2 | seat) << 4 | (t.led + 1) << 1 | (same != 0));
        int result = up ? -30000 : 30000;
        int card = replies_.card(reply);
        if (card == NONE || !(legal >> card & 1)) card = favourite(legal, t);
        for (;;) {
            const int got = play(t, card, beta);
            if (up ? got > result : got < result) result = got;
            if (up ? result >= beta : result < beta) {
                replies_.set(reply, card);
                break;
            }
            legal ^= bit(card);
            if (!legal) break;
            card = favourite(legal, t);
        }
        best_ = card;
        return result;
    }

    // Who beats plays high, who does not plays low.
    int favourite(Cards cards, const Trick& t) const {
        const int card = lowest(cards);
        return suit_of(card) == suit_of(t.best) && card > t.best ? highest(cards) : card;
    }

    // The partner, asked for a marriage, names one.
    int answer(int beta) {
        const int seat = s_.turn, held = pairs(s_, s_.hand[seat]);
        const bool up = maximise_[seat];
        Choice list[SUITS];
        int n = 0;
        for (int s = 0; s < SUITS; ++s)
            if (held >> s & 1) list[n++] = {ANSWER + s, s_.marriage[s]};
        int result = up ? -30000 : 30000;
        for (int i = 0; i < n; ++i) {
            const int move = next(list, i, n), got = say(move, beta);
            if (up ? got > result : got < result) result = got;
            best_ = move;
            if (up ? result >= beta : result < beta) return result;
        }
        best_ = list[0].move;
        return result;
    }

    // The move with the best score of those from the i-th on comes to the i-th place.
    static int next(Choice* list, int i, int n) {
        int pick = i;
        for (int j = i + 1; j < n; ++j)
            if (list[j].score > list[pick].score) pick = j;
        std::swap(list[i], list[pick]);
        return list[i].move;
    }

    int say(int move, int beta) {
        tick(*control_);
        const Unsaid before(s_);
        const int gain = apply(s_, move);
        return gain + (s_.asked ? answer(beta - gain) : trick_start(beta - gain));
    }

    int play(const Trick& t, int card, int beta) {
        tick(*control_);
        const int seat = s_.turn;
        const bool open = s_.open;
        s_.hand[seat] ^= bit(card);
        left_ -= worth_[card];
        const int got = t.waiting > 1 ? go_on(t, seat, card, beta) : finish(t, seat, card, beta);
        s_.turn = seat;
        s_.open = open;
        s_.hand[seat] ^= bit(card);
        left_ += worth_[card];
        return got;
    }

    bool takes(const Trick& t, int card) const {
        return t.best == NONE || (suit_of(card) == suit_of(t.best) ? card > t.best : suit_of(card) == s_.trump);
    }

    int go_on(const Trick& t, int seat, int card, int beta) {
        Trick after = t;
        --after.waiting;
        after.points += worth_[card];
        if (t.led == NONE) after.led = suit_of(card);
        if (takes(t, card)) after.best = card, after.winner = seat;
        s_.turn = (seat + 1) & 3;
        // If it is known who takes the trick, its points are his, and what the others must give.
        const int side = taker(after.best, after.winner, after.led, s_.turn, after.waiting);
        if (side != NONE) {
            int points = after.points;
            for (int k = 1; k <= after.waiting; ++k) {
                const Cards same = s_.hand[(seat + k) & 3] & lane(after.led);
                if (same) points += worth_[lowest(same)];
            }
            points *= high_ - low_;
            const int all = after.points + left_ + last_points_;
            if (maximise_[side]) {
                const int least = all * low_ + points - t.hopes.down;
                if (least >= beta) return least;
            } else {
                const int most = all * high_ - points + t.hopes.up;
                if (most < beta) return most;
            }
        }
        return follow(after, beta);
    }

    int finish(const Trick& t, int seat, int card, int beta) {
        const int winner = takes(t, card) ? seat : t.winner;
        --tricks_;
        const int gain = (t.points + worth_[card] + (tricks_ ? 0 : last_points_)) * weight_[winner];
        s_.turn = winner;
        s_.open = tricks_ && (s_.any_winner_declares || t.leader == winner);
        const int got = gain + trick_start(beta - gain);
        ++tricks_;
        return got;
    }

    HuutopussiTable table_;
    Replies replies_;
    Control* control_ = nullptr;
    int best_ = 255;
    bool root_ = false;
};

}  // namespace nousu::NOUSU_ISA
