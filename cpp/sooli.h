// One seat avoids every trick, two others want to give it one. The soloist is never on lead, so a lower card
// is never worse for him than a higher one of the suit; he follows with the highest card that cannot win and
// throws the highest of a suit. A suit is safe for him if his i-th lowest card is under the opponents' i-th
// lowest for every i; when all suits are, the sooli is made.
#pragma once
#include <memory>

#include "extract.h"
#include "rules.h"

namespace nousu::NOUSU_ISA {

class SooliSearch {
public:
    SooliSearch() : table_(std::make_unique<Entry[]>(SIZE)) {}

    void begin(const Problem& p) {
        if (++age_ == 0) {
            std::fill(table_.get(), table_.get() + SIZE, Entry{});
            age_ = 1;
        }
        seat_[0] = (p.seat + 1) % 4;
        seat_[1] = (p.seat + 3) % 4;
        always_last_ = p.last == p.seat;
        own_[0] = own_[1] = 0;
        Cards all[2] = {p.hand[seat_[0]], p.hand[seat_[1]]};
        for (int i = 0; i < p.played; ++i)
            for (int w = 0; w < 2; ++w)
                if (p.trick_seat[i] == seat_[w]) all[w] |= bit(p.trick_card[i]);
        // Owners: 0 the soloist, 1 and 2 the opponents.
        for (int half = 0; half < 2; ++half)
            for (int w = 0; w < 2; ++w) own_[half] |= (doubled(all[w] >> 32 * half & 0xFFFFFFFF) & EVENS) << w;
    }

    static int guess(const Problem&) { return 1; }
    static int least(const Problem&) { return 0; }
    static int most(const Problem&) { return 1; }
    int best() const { return move_; }

    int probe(const Problem& p, int, Control& control) {
        control_ = &control;
        move_ = NONE;
        return caught(p, true);
    }

private:
    static constexpr std::size_t SIZE = std::size_t{1} << 18;
    struct Entry {
        std::uint64_t owner[2] = {0, 0};
        std::uint64_t rest = 0;
        std::uint32_t age = 0;
        bool caught = false;
    };

    // Card by card until an opponent leads to a new trick.
    bool caught(const Problem& p, bool root) {
        if (over(p)) return false;
        if (!root && !p.played && p.turn != p.seat) {
            alone_ = p.hand[p.seat];
            for (int w = 0; w < 2; ++w) hand_[w] = p.hand[seat_[w]];
            return lead(p.turn == seat_[1], count(alone_));
        }
        bool wanted = p.turn != p.seat;
        for (int move : legal_moves(p)) {
            control_->tick();
            Problem after = p;
            if ((apply(after, move) > 0 || caught(after, false)) == wanted) {
                if (root) move_ = move;
                return wanted;
            }
        }
        return !wanted;
    }

    // Suits in which the soloist can be made to win, one bit each.
    int unsafe() const {
        Cards foes = hand_[0] | hand_[1];
        int found = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards mine = alone_ & lane(suit), theirs = foes & lane(suit);
            if (!theirs) continue;
            int under = 0;
            for (Cards rest = mine; rest; rest &= rest - 1, ++under)
                if (count(theirs & ((rest & -rest) - 1)) > under) {
                    found |= 1 << suit;
                    break;
                }
        }
        return found;
    }

    static Cards heads(Cards mine, Cards others) {
        Cards result = 0;
        for (Cards rest = mine; rest;) {
            int card = highest(rest);
            result |= bit(card);
            Cards below = bit(card) - 1;
            Cards stop = (others & below) | (below & ~lane(suit_of(card)));
            rest &= stop ? (Cards{2} << highest(stop)) - 1 : 0;
        }
        return result;
    }

    bool lead(int who, int n) {
        if (n == 0) return false;
        int bad = unsafe();
        if (!bad) return false;
        // Caught at once: low cards in both hands under his lowest.
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards mine = alone_ & lane(suit), leads = hand_[who] & lane(suit);
            if (!(bad >> suit & 1) || !mine || !leads) continue;
            Cards replies = hand_[1 - who] & lane(suit);
            Cards under = (mine & -mine) - 1;
            if ((leads & under) && (!replies || (replies & under))) return true;
        }
        // In a safe suit only the number of the soloist's cards matters.
        Cards counted = alone_;
        std::uint64_t rest = static_cast<std::uint64_t>(who);
        for (int suit = 0; suit < SUITS; ++suit) {
            rest = rest << 4 | static_cast<unsigned>(count((hand_[0] | hand_[1] | alone_) & lane(suit)));
            if (!(bad >> suit & 1)) {
                rest = rest << 4 | static_cast<unsigned>(count(alone_ & lane(suit)));
                counted &= ~lane(suit);
            } else {
                rest = rest << 4 | 15;
            }
        }
        Cards left = hand_[0] | hand_[1] | counted;
        std::uint64_t owner[2] = {gather(own_[0], doubled(left & 0xFFFFFFFF)),
                                  gather(own_[1], doubled(left >> 32))};
        std::uint64_t hash = (owner[0] * 0x9E3779B97F4A7C15ull ^ (owner[1] + rest) * 0xC2B2AE3D27D4EB4Full);
        hash ^= hash >> 31;
        Entry& e = table_[hash * 0x9E3779B97F4A7C15ull >> 46];
        if (e.age == age_ && e.owner[0] == owner[0] && e.owner[1] == owner[1] && e.rest == rest) return e.caught;
        bool result = any_lead(who, n, bad);
        e = Entry{{owner[0], owner[1]}, rest, age_, result};
        return result;
    }

    bool any_lead(int who, int n, int bad) {
        const Cards others = alone_ | hand_[1 - who];
        Cards moves = heads(hand_[who], others);
        // First the suits that can hurt, from below; then the rest, which only move the lead.
        Cards hurting = 0;
        for (int suit = 0; suit < SUITS; ++suit)
            if (bad >> suit & 1) hurting |= lane(suit) & moves;
        for (Cards pass : {hurting & moves, moves & ~hurting})
            for (; pass; pass &= pass - 1)
                if (led(who, lowest(pass), n)) return true;
        return false;
    }

    bool led(int who, int card, int n) {
        control_->tick();
        hand_[who] ^= bit(card);
        bool result = who == 1 && !always_last_ ? soloist_second(card, n) : soloist_last(who, card, n);
        hand_[who] ^= bit(card);
        return result;
    }

    // Whether the other opponent has a reply that catches the soloist, who plays after him.
    bool soloist_last(int who, int card, int n) {
        const int other = 1 - who, suit = suit_of(card);
        Cards same = hand_[other] & lane(suit);
        Cards replies = heads(same ? same : hand_[other], alone_ | hand_[who] | bit(card));
        for (; replies; replies &= replies - 1) {
            control_->tick();
            int reply = lowest(replies);
            int top = same && reply > card ? reply : card;
            int winner = top == card ? who : other;
            hand_[other] ^= bit(reply);
            bool result = true;
            Cards follow = alone_ & lane(suit);
            if (follow) {
                Cards under = follow & (bit(top) - 1);
                if (under) result = after(highest(under), winner, n);
            } else {
                result = throws(winner, n);
            }
            hand_[other] ^= bit(reply);
            if (result) return true;
        }
        return false;
    }

    // The soloist plays between the two: the opponent on his left has seen his card.
    bool soloist_second(int card, int n) {
        const int suit = suit_of(card);
        Cards follow = alone_ & lane(suit);
        if (follow) {
            Cards later = hand_[0] & lane(suit);
            int limit = later && lowest(later) > card ? lowest(later) : card;
            Cards under = follow & (bit(limit) - 1);
            return !under || third(highest(under), card, n);
        }
        int bad = unsafe();
        if (!bad) return false;
        for (int s = 0; s < SUITS; ++s) {
            Cards mine = alone_ & lane(s);
            if ((bad >> s & 1) && mine && !third(highest(mine), card, n)) return false;
        }
        return true;
    }

    bool third(int mine, int card, int n) {
        const int suit = suit_of(card);
        alone_ ^= bit(mine);
        Cards same = hand_[0] & lane(suit);
        Cards replies = heads(same ? same : hand_[0], alone_ | hand_[1] | bit(card));
        bool result = false;
        for (; replies && !result; replies &= replies - 1) {
            control_->tick();
            int reply = lowest(replies);
            hand_[0] ^= bit(reply);
            result = lead(same && reply > card ? 0 : 1, n - 1);
            hand_[0] ^= bit(reply);
        }
        alone_ ^= bit(mine);
        return result;
    }

    bool after(int mine, int winner, int n) {
        alone_ ^= bit(mine);
        bool result = lead(winner, n - 1);
        alone_ ^= bit(mine);
        return result;
    }

    // The soloist, out of the suit, throws the highest card of a suit that is not safe.
    bool throws(int winner, int n) {
        int bad = unsafe();
        if (!bad) return false;
        for (int s = 0; s < SUITS; ++s) {
            Cards mine = alone_ & lane(s);
            if ((bad >> s & 1) && mine && !after(highest(mine), winner, n)) return false;
        }
        return true;
    }

    std::unique_ptr<Entry[]> table_;
    std::uint32_t age_ = 0;
    Control* control_ = nullptr;
    Cards alone_ = 0, hand_[2]{};
    int seat_[2]{};
    bool always_last_ = true;
    std::uint64_t own_[2]{};
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
