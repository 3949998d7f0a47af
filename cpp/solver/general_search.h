// The search for every goal: zero-window alpha-beta, fail-soft, with a table of exact positions at the start
// of tricks. Marriages, obligations, three-handed play and leavers are all here; rami and nolo without
// trump, sooli and Huutopussi have faster searches of their own, which must agree with this one.
#pragma once
#include <cstring>
#include <memory>

#include "common/bits.h"
#include "common/play_rules.h"

namespace nousu::NOUSU_ISA {

// No value is as far from nought as this.
constexpr int FAR = 20000;

struct Choice {
    int move;
    int score;
};

// What may be said before this lead and could help; a question answered "no" only gives rights away.
inline int declarations(const Problem& p, int seat, Choice* list) {
    int n = 0, other = (seat + 2) % 4;
    int mine = pairs(p, p.hand[seat]);
    if (p.own >> seat & 1)
        for (int s = 0; s < SUITS; ++s)
            if (mine >> s & 1) list[n++] = {DECLARE + s, (1 << 24) + p.marriage[s]};
    if ((p.full >> seat & 1) && pairs(p, p.hand[other])) list[n++] = {ASK_FULL, (1 << 24) + 70};
    for (int s = 0; s < SUITS; ++s) {
        if (p.declared >> s & 1) continue;
        Cards k = bit(16 * s + p.king), q = bit(16 * s + p.queen);
        if ((p.hand[seat] & k) && (p.hand[other] & q)) list[n++] = {ASK_KING + s, (1 << 24) + p.marriage[s]};
        if ((p.hand[seat] & q) && (p.hand[other] & k)) list[n++] = {ASK_QUEEN + s, (1 << 24) + p.marriage[s]};
    }
    return n;
}

// Takes back what has been said since.
class Unsaid {
public:
    explicit Unsaid(Problem& p)
        : p_(p), declared_(p.declared), own_(p.own), full_(p.full), trump_(p.trump), turn_(p.turn), open_(p.open),
          asked_(p.asked) {}
    ~Unsaid() {
        p_.declared = declared_;
        p_.own = own_;
        p_.full = full_;
        p_.trump = trump_;
        p_.turn = turn_;
        p_.open = open_;
        p_.asked = asked_;
    }
    Unsaid(const Unsaid&) = delete;
    Unsaid& operator=(const Unsaid&) = delete;

private:
    Problem& p_;
    int declared_, own_, full_, trump_, turn_;
    bool open_, asked_;
};

class General {
public:
    explicit General(int table_bits = 20) : mask_((std::size_t{1} << table_bits) - 1) {
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
        for (int s = 0; s < p.seats; ++s) {
            weight_[s] = weight(p, s);
            maximise_[s] = maximises(p, s);
        }
        strict_ = p.kind == Kind::huutopussi;
        trick_points_ = p.kind == Kind::huutopussi || p.kind == Kind::tuppen ? 0 : 1;
        last_points_ = p.kind == Kind::tuppen ? 1 : p.kind == Kind::huutopussi ? p.last_trick : 0;
        stop_at_first_ = p.kind == Kind::sooli;
        for (int s = 0; s < SUITS; ++s)
            for (int r = 0; r < 16; ++r) worth_[s * 16 + r] = strict_ ? p.value[r] : 0;
        // Cards worth nothing at the bottom of the suits count by their order alone.
        idle_ = 0;
        for (int s = 0; strict_ && s < SUITS; ++s)
            for (int r = 0; r < 16 && worth_[16 * s + r] == 0 && r != p.king && r != p.queen; ++r)
                idle_ |= bit(16 * s + r);
        own_[0] = own_[1] = 0;
        for (int seat = 0; seat < 4 && strict_; ++seat) {
            Cards all = p.hand[seat];
            for (int i = 0; i < p.played; ++i)
                if (p.trick_seat[i] == seat) all |= bit(p.trick_card[i]);
            for (int half = 0; half < 2; ++half)
                own_[half] |= (doubled(all >> 32 * half & 0xFFFFFFFF) & EVENS) * static_cast<unsigned>(seat);
        }
        high_ = low_ = weight_[0];
        for (int s = 0; s < p.seats; ++s)
            if (p.active >> s & 1) {
                high_ = std::max(high_, weight_[s]);
                low_ = std::min(low_, weight_[s]);
            }
    }

    // Where to start looking for the value.
    int guess(const Problem& p) const {
        if (p.kind != Kind::huutopussi) return p.kind == Kind::rami || p.kind == Kind::nolo ? cards_left(p) / 2 : 1;
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
    };

    Cards held() const {
        Cards all = 0;
        for (int s = 0; s < s_.seats; ++s)
            if (s_.active >> s & 1) all |= s_.hand[s];
        return all;
    }

    // Points still to come from cards, tricks and the last trick.
    int remaining() const { return left_ + tricks_ * trick_points_ + (tricks_ ? last_points_ : 0); }

    // Which undeclared suits each side could still declare, however the play goes.
    void marriage_hopes(int& even, int& odd) const {
        even = odd = 0;
        for (int s = 0; s < SUITS; ++s) {
            if (s_.declared >> s & 1) continue;
            Cards k = bit(16 * s + s_.king), q = bit(16 * s + s_.queen);
            for (int side = 0; side < 2; ++side) {
                Cards both = s_.hand[side] | s_.hand[side + 2];
                if ((both & k) && (both & q)) (side ? odd : even) |= 1 << s;
            }
        }
    }

    int trick_start(int beta) {
        int points = remaining();
        int most = points * high_, least = points * low_;
        if (stop_at_first_) most = 1;
        std::uint64_t state = static_cast<std::uint64_t>(s_.turn) | static_cast<std::uint64_t>(s_.trump + 1) << 3;
        if (strict_) {
            int even, odd;
            marriage_hopes(even, odd);
            int hopes = even | odd;
            for (int s = 0; s < SUITS; ++s) {
                if (even >> s & 1) {
                    if (weight_[0] > 0) most += s_.marriage[s];
                    if (weight_[0] < 0) least -= s_.marriage[s];
                }
                if (odd >> s & 1) {
                    if (weight_[1] > 0) most += s_.marriage[s];
                    if (weight_[1] < 0) least -= s_.marriage[s];
                }
            }
            // Rights that can no longer be used make no difference.
            int seats = (even ? 5 : 0) | (odd ? 10 : 0);
            state |= static_cast<std::uint64_t>(s_.declared | (~hopes & 15)) << 6;
            state |= static_cast<std::uint64_t>(s_.own & seats) << 10;
            state |= static_cast<std::uint64_t>(s_.full & seats) << 14;
            state |= static_cast<std::uint64_t>(s_.open && (seats >> s_.turn & 1)) << 18;
        }
        bool root = root_;
        root_ = false;
        if (tricks_ == 0) return 0;
        if (!root && least >= beta) return least;
        if (!root && most < beta) return most;

        Cards left = held();
        if (strict_) {
            Cards idle = left & idle_;
            std::uint64_t shape = 0;
            for (int s = 0; s < SUITS; ++s) shape = shape << 4 | static_cast<unsigned>(count(idle & lane(s)));
            std::uint64_t low = gather(own_[0], doubled(idle & 0xFFFFFFFF)),
                          high = gather(own_[1], doubled(idle >> 32));
            left = (left & ~idle_) ^ mix((shape << 32 | low) ^ mix(high));
        }
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
    Cards without_twins(Cards cards, int seat, int best) const {
        Cards others = best == NONE ? 0 : bit(best);
        for (int s = 0; s < s_.seats; ++s)
            if (s != seat && (s_.active >> s & 1)) others |= s_.hand[s];
        Cards kept = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards lane_cards = cards & lane(suit);
            int above = NONE;
            while (lane_cards) {
                int card = highest(lane_cards);
                lane_cards ^= bit(card);
                bool twin = false;
                if (above != NONE) {
                    Cards between = (bit(above) - 1) & ~((bit(card) << 1) - 1);
                    twin = !(others & between) && worth_[above] == worth_[card];
                    if (twin && strict_ && !(s_.declared >> suit & 1)) {
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

    // What the trick promises with this card, in points: for ordering only.
    int promise(const Trick& t, int seat, int card) const {
        if (!strict_) return 0;
        if (t.led == NONE) return worth_[card] ? 0 : 2;
        int points = t.points + worth_[card];
        if (beats(card, t.best, t.led, s_.trump)) return points - worth_[card] / 2;
        return (t.winner ^ seat) & 1 ? -worth_[card] : worth_[card];
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
            if (strict_ && t.led == NONE && s_.open) n = declarations(s_, seat, list);
            Cards legal;
            if (t.led == NONE) {
                legal = s_.hand[seat];
            } else if (t.best == NONE) {
                legal = s_.hand[seat] & lane(t.led);
                if (!legal) legal = s_.hand[seat];
            } else {
                legal = legal_cards(s_.hand[seat], t.led, t.best, s_.trump, strict_);
            }
            if (legal & (legal - 1)) legal = without_twins(legal, seat, t.best);
            for (Cards c = legal; c; c &= c - 1) {
                int card = lowest(c);
                list[n++] = {card, history_[seat][t.led == NONE ? 1 : 0][card] + 10 * promise(t, seat, card)};
            }
        }
        for (int i = 0; i < n; ++i)
            if (list[i].move == hint) list[i].score = 1 << 30;

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
        tick(*control_);
        const Unsaid before(s_);
        Trick t;
        t.leader = s_.turn;
        const int gain = apply(s_, move);
        return gain + (s_.asked ? decide(t, beta - gain) : trick_start(beta - gain));
    }

    int play(const Trick& t, int card, int beta) {
        tick(*control_);
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
        if (t.best == NONE || beats(card, t.best, after.led, s_.trump)) {
            after.best = card;
            after.winner = seat;
        }
        int next = next_seat(s_.active, after.seats, seat, s_.last);
        int got;
        if (next != NONE) {
            s_.turn = next;
            got = decide(after, beta);
        } else {
            --tricks_;
            int points = after.points + trick_points_ + (tricks_ ? 0 : last_points_);
            int gain = points * weight_[after.winner];
            if (stop_at_first_ && gain) {
                got = gain;
            } else {
                s_.turn = after.winner;
                s_.open = strict_ && tricks_ && (s_.any_winner_declares || after.leader == after.winner);
                got = gain + trick_start(beta - gain);
            }
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
    int trick_points_ = 0, last_points_ = 0, high_ = 1, low_ = 0;
    bool strict_ = false, stop_at_first_ = false;
    int history_[MAX_SEATS][2][64]{};
    Cards idle_ = 0;
    std::uint64_t own_[2]{};
};

}  // namespace nousu::NOUSU_ISA
