// Huutopussi: zero-window alpha-beta, fail-soft, with a table of positions at the start of tricks. It knows
// bounds that the general search does not, and must agree with it: points the side on lead takes at once, and
// marriages that can no longer be declared. In the table cards count by owner, worth and order.
#pragma once
#include <cstring>
#include <memory>

#include "extract.h"
#include "general.h"
#include "replies.h"
#include "rules.h"

namespace nousu::NOUSU_ISA {

class HuutopussiSearch {
public:
    explicit HuutopussiSearch(int table_bits = 18) : mask_((std::size_t{1} << table_bits) - 1) {
        table_ = std::make_unique<Entry[]>(mask_ + 1);
    }

    // All later probes are of positions reached from this one.
    void begin(const Problem& p) {
        ++age_;
        if (age_ == 0) {
            std::memset(static_cast<void*>(table_.get()), 0, sizeof(Entry) * (mask_ + 1));
            age_ = 1;
        }
        std::memset(history_, 0, sizeof history_);
        replies_.clear();
        for (int s = 0; s < p.seats; ++s) {
            weight_[s] = weight(p, s);
            maximise_[s] = maximises(p, s);
        }
        last_points_ = p.last_trick;
        for (int s = 0; s < SUITS; ++s)
            for (int r = 0; r < 16; ++r) worth_[s * 16 + r] = p.value[r];
        for (Cards& plane : plane_) plane = 0;
        int classes[16], found = 0;
        for (int r = 0; r < 16; ++r) {
            int same = 0;
            while (same < r && p.value[same] != p.value[r]) ++same;
            classes[r] = same < r ? classes[same] : found++;
            for (int s = 0; s < SUITS; ++s)
                for (int k = 0; k < 3; ++k)
                    if (classes[r] >> k & 1) plane_[k] |= bit(16 * s + r);
        }
        own_[0] = own_[1] = 0;
        for (int seat = 0; seat < 4; ++seat) {
            Cards all = p.hand[seat];
            for (int i = 0; i < p.played; ++i)
                if (p.trick_seat[i] == seat) all |= bit(p.trick_card[i]);
            for (int half = 0; half < 2; ++half)
                own_[half] |= (doubled(all >> 32 * half & 0xFFFFFFFF) & EVENS) * static_cast<unsigned>(seat);
        }
        high_ = std::max(weight_[0], weight_[1]);
        low_ = std::min(weight_[0], weight_[1]);
    }

    // Where to start looking for the value.
    int guess(const Problem& p) const {
        int points = p.last_trick;
        for (int s = 0; s < p.seats; ++s)
            for (Cards c = p.hand[s]; c; c &= c - 1) points += p.value[lowest(c) & 15];
        return p.difference ? 0 : points / 2;
    }

    static int least(const Problem&) { return -FAR; }
    static int most(const Problem&) { return FAR; }
    // The move that decided the last probe, if one did.
    int best() const { return best_; }

    // A bound on what `p` still adds to the value: at least the result if that is >= beta, else at most it.
    int probe(const Problem& p, int beta, Control& control) {
        control_ = &control;
        s_ = p;
        root_ = true;
        tricks_ = cards_left(p);
        left_ = 0;
        for (int seat = 0; seat < p.seats; ++seat)
            if (p.active >> seat & 1)
                for (Cards c = p.hand[seat]; c; c &= c - 1) left_ += worth_[lowest(c)];
        Trick t;
        Table table = table_of(p);
        t.led = table.led;
        t.best = table.best;
        t.winner = table.winner;
        t.seats = table.seats;
        t.leader = p.played ? p.trick_seat[0] : p.turn;
        for (int i = 0; i < p.played; ++i) t.points += worth_[p.trick_card[i]];
        return p.played || p.asked ? decide(t, beta) : trick_start(beta);
    }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t age = 0;
        std::int16_t low = 0, high = 0;
        std::uint8_t move = 0;
    };
    struct Trick {
        int led = NONE, best = NONE, winner = NONE, seats = 0, leader = 0, points = 0;
        int hopes = 15;  // suits that may still be declared
    };

    Cards held() const { return s_.hand[0] | s_.hand[1] | s_.hand[2] | s_.hand[3]; }

    // Points still to come from cards and the last trick.
    int remaining() const { return left_ + (tricks_ ? last_points_ : 0); }

    // Points that the hand on lead takes at once by leading its winners, and in how many tricks. While it does
    // nobody else can lead or declare.
    int run(int& rounds) const {
        int points = 0;
        rounds = 0;
        for (int s = 0; s < SUITS; ++s) points += run(s, rounds);
        return points;
    }

    // If there is another trump, the suit can be led while everybody who holds trumps follows. The others give
    // at least their lowest cards; no card is worth less than a lower one.
    int run(int s, int& rounds) const {
        const int me = s_.turn;
        Cards own = s_.hand[me] & lane(s);
        if (!own) return 0;
        int length = 16, longest = 0;
        Cards others = 0;
        for (int k = 1; k < 4; ++k) {
            Cards hand = s_.hand[(me + k) & 3], here = hand & lane(s);
            others |= here;
            longest = std::max(longest, count(here));
            if (s_.trump != NONE && s_.trump != s && (hand & lane(s_.trump))) length = std::min(length, count(here));
        }
        Cards top = others ? own & ~((Cards{2} << highest(others)) - 1) : own;
        int n = count(top);
        if (n >= longest) top = own, n = count(own);
        n = std::min(n, length);
        rounds += n;
        int points = 0;
        for (int i = 0; i < n; ++i) {
            int card = highest(top);
            top ^= bit(card);
            points += worth_[card];
        }
        for (int k = 1; k < 4; ++k) {
            Cards here = s_.hand[(me + k) & 3] & lane(s);
            for (int i = 0; i < n && here; ++i, here &= here - 1) points += worth_[lowest(here)];
        }
        return points;
    }

    // What can still be declared before a lead, however the play goes.
    struct Hopes {
        int suits = 0;       // that may still be declared
        int rights = 0;      // to declare from hand (bits 0–3) and to ask for a marriage (4–7) that matter
        int points[2]{};     // the most for each side
    };

    Hopes hopes() const {
        Hopes h;
        for (int side = 0; side < 2; ++side) {
            // Tricks left at the next chance to declare, and how many chances there can be.
            const bool leads = (s_.turn & 1) == side;
            const int left = leads ? tricks_ - !s_.open : tricks_ - (s_.any_winner_declares ? 1 : 2);
            int best[SUITS], n = 0;
            for (int s = 0; s < SUITS; ++s) {
                if (s_.declared >> s & 1) continue;
                Cards k = bit(16 * s + s_.king), q = bit(16 * s + s_.queen);
                Cards one = s_.hand[side] & (k | q), two = s_.hand[side + 2] & (k | q);
                if ((one | two) != (k | q)) continue;
                if (one && two) {
                    if (left < 1) continue;
                } else {
                    const int seat = one ? side : side + 2, rights = 1 << seat | 16 << (seat ^ 2);
                    if (left < 2 || !((s_.own | s_.full << 4) & rights)) continue;
                    h.rights |= rights;
                }
                h.suits |= 1 << s;
                best[n++] = s_.marriage[s];
            }
            for (int chances = left; chances > 0 && n > 0; --chances) {
                int* most = std::max_element(best, best + n);
                h.points[side] += *most;
                *most = best[--n];
            }
        }
        h.rights &= s_.own | s_.full << 4;
        return h;
    }

    // The last trick plays itself.
    int last_trick() const {
        int winner = s_.turn, best = lowest(s_.hand[winner]);
        for (int k = 1; k < 4; ++k) {
            const int seat = (s_.turn + k) & 3, card = lowest(s_.hand[seat]);
            if (suit_of(card) == suit_of(best) ? card > best : suit_of(card) == s_.trump) best = card, winner = seat;
        }
        return remaining() * weight_[winner];
    }

    int trick_start(int beta) {
        if (tricks_ == 0) return 0;
        if (tricks_ == 1 && !root_ && !s_.open) return last_trick();
        int points = remaining();
        int most = points * high_, least = points * low_;
        std::uint64_t state = static_cast<std::uint64_t>(s_.turn) | static_cast<std::uint64_t>(s_.trump + 1) << 3;
        const Hopes hope = hopes();
        for (int side = 0; side < 2; ++side) {
            if (weight_[side] > 0) most += hope.points[side];
            if (weight_[side] < 0) least -= hope.points[side];
        }
        state |= static_cast<std::uint64_t>(hope.suits) << 6 | static_cast<std::uint64_t>(hope.rights) << 10;
        state |= static_cast<std::uint64_t>(s_.open && hope.suits) << 18;
        bool root = root_;
        root_ = false;
        if (!root && least >= beta) return least;
        if (!root && most < beta) return most;
        if (!root) {
            int rounds, sure = run(rounds);
            const int mine = weight_[s_.turn], theirs = weight_[s_.turn ^ 1];
            if (rounds >= tricks_) sure = points;
            if (mine > theirs) {
                if (rounds >= tricks_) least = points * mine;
                else least = std::max(least, least + sure * (mine - theirs));
                if (least >= beta) return least;
            } else {
                if (rounds >= tricks_) most = points * mine;
                else most = most - sure * (theirs - mine);
                if (most < beta) return most;
            }
        }

        Cards left = held();
        // Cards count by owner, worth and order; king and queen by name while their marriage may come.
        Cards royals = 0;
        std::uint64_t shape = 0;
        for (int s = 0; s < SUITS; ++s) {
            if (hope.suits >> s & 1) royals |= (bit(s_.king) | bit(s_.queen)) << LANE_BITS * s;
            shape = shape << 4 | static_cast<unsigned>(count(left & lane(s)));
        }
        std::uint64_t sum = gather(own_[0], doubled(left & 0xFFFFFFFF)) * 0x9E3779B97F4A7C15ull;
        sum = (sum ^ sum >> 32) + gather(own_[1], doubled(left >> 32)) * 0xD6E8FEB86659FD93ull;
        sum = (sum ^ sum >> 29) + gather(plane_[0], left) * 0xA0761D6478BD642Full;
        sum = (sum ^ sum >> 32) + gather(plane_[1], left) * 0xE7037ED1A0B428DBull;
        sum = (sum ^ sum >> 29) + gather(plane_[2], left) * 0x8EBC6AF09C88C6E3ull;
        sum = (sum ^ sum >> 32) + (gather(royals, left) << 20 ^ shape) * 0x589965CC75374CC3ull;
        left = sum;
        std::uint64_t key = mix(left ^ state * 0x9E3779B97F4A7C15ull) | 1;
        Entry& e = table_[(key ^ key >> 40) & mask_];
        bool known = e.key == key && e.age == age_;
        if (known && !root) {
            if (e.low >= beta) return e.low;
            if (e.high < beta) return e.high;
        }
        hint_ = known ? e.move : 255;
        Trick t;
        t.leader = s_.turn;
        t.hopes = hope.suits;
        int found = decide(t, beta);
        Entry& slot = e;
        if (slot.key != key || slot.age != age_)
            slot = Entry{key, age_, static_cast<std::int16_t>(least), static_cast<std::int16_t>(most), 255};
        if (found >= beta) {
            slot.low = std::max<std::int16_t>(slot.low, static_cast<std::int16_t>(found));
            slot.move = static_cast<std::uint8_t>(best_);
        } else {
            slot.high = std::min<std::int16_t>(slot.high, static_cast<std::int16_t>(found));
        }
        return found;
    }

    // Same hand, next to each other among the cards in play, worth the same: one stands for all.
    Cards without_twins(Cards cards, int seat, int best, int hopes) const {
        const Cards others = (best == NONE ? 0 : bit(best)) | s_.hand[seat ^ 1] | s_.hand[seat ^ 2] | s_.hand[seat ^ 3];
        Cards kept = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards lane_cards = cards & lane(suit);
            if (!(lane_cards & (lane_cards - 1))) {
                kept |= lane_cards;
                continue;
            }
            int above = NONE;
            while (lane_cards) {
                int card = highest(lane_cards);
                lane_cards ^= bit(card);
                bool twin = false;
                if (above != NONE) {
                    Cards between = (bit(above) - 1) & ~((bit(card) << 1) - 1);
                    twin = !(others & between) && worth_[above] == worth_[card];
                    if (twin && (hopes >> suit & 1)) {
                        // King and queen of a marriage still to come are no twins of anything below.
                        int a = above & 15, c = card & 15;
                        bool royal_a = a == s_.king || a == s_.queen, royal_c = c == s_.king || c == s_.queen;
                        twin = royal_a == royal_c;
                    }
                }
                if (!twin) kept |= bit(card);
                above = card;
            }
        }
        return kept;
    }

    // The circumstances that choose a card: to lead and to throw, the whole hand; to follow, its cards of the suit.
    std::uint16_t& reply_to(const Trick& t) {
        const Cards hand = s_.hand[s_.turn], same = t.led == NONE ? 0 : hand & lane(t.led);
        return replies_.at(same ? same : hand, ((s_.trump + 1) << 2 | s_.turn) << 4 | (t.led + 1) << 1 | (same != 0));
    }

    int decide(const Trick& t, int beta) {
        root_ = false;
        int seat = s_.turn;
        int hint = hint_;
        hint_ = 255;
        Choice list[40];
        int n = 0;
        if (s_.asked) {
            int held = pairs(s_, s_.hand[seat]);
            for (int s = 0; s < SUITS; ++s)
                if (held >> s & 1) list[n++] = {ANSWER + s, s_.marriage[s]};
        } else {
            if (t.led == NONE && s_.open) n = declarations(s_, seat, list);
            Cards legal;
            if (t.led == NONE) {
                legal = s_.hand[seat];
            } else {
                legal = legal_cards(s_.hand[seat], t.led, t.best, s_.trump, true);
            }
            if (legal & (legal - 1)) legal = without_twins(legal, seat, t.best, t.hopes);
            for (Cards c = legal; c; c &= c - 1) {
                int card = lowest(c);
                list[n++] = {card, history_[seat][t.led == NONE ? 1 : 0][card]};
            }
        }
        for (int i = 0; i < n; ++i)
            if (list[i].move == hint) list[i].score = 1 << 30;
        std::uint16_t* reply = nullptr;
        if (n > 1) {
            reply = &reply_to(t);
            const int card = replies_.card(*reply);
            for (int i = 0; i < n; ++i)
                if (list[i].move == card) list[i].score = std::max(list[i].score, 1 << 29);
        }

        bool up = maximise_[seat];
        int result = up ? -30000 : 30000;
        for (int i = 0; i < n; ++i) {
            int pick = i;
            for (int j = i + 1; j < n; ++j)
                if (list[j].score > list[pick].score) pick = j;
            std::swap(list[i], list[pick]);
            int move = list[i].move;
            int got = move < 64 ? play(t, move, beta) : say(move, beta);
            if (up ? got > result : got < result) result = got;
            if (up ? result >= beta : result < beta) {
                best_ = move;
                if (move < 64) {
                    if (reply) replies_.set(*reply, move);
                    int& h = history_[seat][t.led == NONE ? 1 : 0][move];
                    h += tricks_ * tricks_;
                    if (h > 1 << 20)
                        for (auto& row : history_)
                            for (auto& column : row)
                                for (int& value : column) value /= 2;
                }
                return result;
            }
        }
        best_ = n ? list[0].move : 255;
        return result;
    }

    int say(int move, int beta) {
        control_->tick();
        struct Rights {
            int declared, own, full, trump, turn;
            bool open, asked;
        } before{s_.declared, s_.own, s_.full, s_.trump, s_.turn, s_.open, s_.asked};
        int gain = apply(s_, move);
        int got;
        if (s_.asked) {
            Trick t;
            t.leader = before.turn;
            got = gain + decide(t, beta - gain);
        } else {
            got = gain + trick_start(beta - gain);
        }
        s_.declared = before.declared;
        s_.own = before.own;
        s_.full = before.full;
        s_.trump = before.trump;
        s_.turn = before.turn;
        s_.open = before.open;
        s_.asked = before.asked;
        return got;
    }

    int play(const Trick& t, int card, int beta) {
        control_->tick();
        int seat = s_.turn;
        bool open = s_.open;
        s_.hand[seat] ^= bit(card);
        left_ -= worth_[card];
        Trick after = t;
        if (t.led == NONE) {
            after.led = suit_of(card);
            after.leader = seat;
        }
        after.seats |= 1 << seat;
        after.points += worth_[card];
        if (t.best == NONE || (suit_of(card) == suit_of(t.best) ? card > t.best : suit_of(card) == s_.trump)) {
            after.best = card;
            after.winner = seat;
        }
        int got;
        if (after.seats != 15) {
            s_.turn = (seat + 1) & 3;
            got = decide(after, beta);
        } else {
            --tricks_;
            int points = after.points + (tricks_ ? 0 : last_points_);
            int gain = points * weight_[after.winner];
            s_.turn = after.winner;
            s_.open = tricks_ && (s_.any_winner_declares || after.leader == after.winner);
            got = gain + trick_start(beta - gain);
            ++tricks_;
        }
        s_.turn = seat;
        s_.open = open;
        s_.hand[seat] ^= bit(card);
        left_ += worth_[card];
        return got;
    }

    std::unique_ptr<Entry[]> table_;
    std::size_t mask_;
    std::uint32_t age_ = 0;
    Control* control_ = nullptr;
    Problem s_;
    int tricks_ = 0, left_ = 0, best_ = 255, hint_ = 255;
    bool root_ = false;
    int weight_[MAX_SEATS]{};
    bool maximise_[MAX_SEATS]{};
    int worth_[64]{};
    int last_points_ = 0, high_ = 1, low_ = 0;
    int history_[MAX_SEATS][2][64]{};
    Cards plane_[3]{};
    std::uint64_t own_[2]{};
    Replies replies_;
};

}  // namespace nousu::NOUSU_ISA
