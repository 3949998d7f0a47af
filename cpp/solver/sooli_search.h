// One seat avoids every trick, two others want to give it one. The soloist is never on lead, so a lower card
// is never worse for him than a higher one of the suit; he follows with the highest card that cannot win and
// throws the highest of a suit. A suit is safe for him if his i-th lowest card is under the opponents' i-th
// lowest for every i; when all suits are, the sooli is made.
//
// Most work goes into showing that he is not caught. The loose game does it first: there the opponents
// choose before every trick which of them leads. Whoever is safe in it is safe in earnest.
#pragma once
#include <memory>

#include "common/bits.h"
#include "common/play_rules.h"

namespace nousu::NOUSU_ISA {

// Suits in which the soloist can be made to win, one bit each.
inline int unsafe_suits(Cards soloist, Cards opponents) {
    int found = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        Cards mine = soloist & lane(suit), theirs = opponents & lane(suit);
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

inline Cards highest_of(Cards hand, int suit) {
    Cards cards = hand & lane(suit);
    return cards ? bit(highest(cards)) : 0;
}

// What the soloist may throw: the highest card of a suit. From a safe suit only if it can make him void while
// the suit is still led; that keeps the choice among the others for later.
inline Cards worth_throwing(Cards mine, Cards left, Cards right, int bad) {
    Cards found = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        int rounds = std::max(count(left & lane(suit)), count(right & lane(suit)));
        if ((bad >> suit & 1) || count(mine & lane(suit)) <= rounds) found |= highest_of(mine, suit);
    }
    return found;
}

// The loose game. Where the lead is free, a lower card is never worse for the opponents either, and only the
// soloist's cards tell their cards apart. So whoever does not make the soloist's card play his highest that
// leaves it so, whoever is out of the suit throws the highest of some suit, and neither the names of the suits
// nor (with the soloist last) of the two opponents matter.
class LooseSooli {
public:
    LooseSooli() : table_(std::make_unique<Entry[]>(SIZE)) {}

    void begin(bool always_last) {
        always_last_ = always_last;
        if (++age_ == 0) {
            std::fill(table_.get(), table_.get() + SIZE, Entry{});
            age_ = 1;
        }
    }

    // Whether the soloist with `mine` is caught by his left neighbour with `left` and the right one.
    bool caught(Cards mine, Cards left, Cards right, Control& control) {
        int bad = unsafe_suits(mine, left | right);
        if (!bad) return false;
        std::uint64_t key = key_of(mine, left, right, bad);
        Entry& e = table_[key & (SIZE - 1)];
        if (e.key == key && e.age == age_) return e.caught;
        bool result = any_lead(mine, left, right, bad, control);
        e = {key, age_, result};
        return result;
    }

private:
    static constexpr std::size_t SIZE = std::size_t{1} << 15;
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t age = 0;
        bool caught = false;
    };

    // A sum over the suits. In an unsafe one the opponents' cards are counted between the soloist's.
    std::uint64_t key_of(Cards mine, Cards left, Cards right, int bad) const {
        std::uint64_t key = 0, turned = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards m = mine & lane(suit), x = left & lane(suit), y = right & lane(suit);
            std::uint64_t here = 1, there = 1;
            if (bad >> suit & 1) {
                for (Cards rest = m;; rest &= rest - 1) {
                    Cards below = (rest & -rest) - 1;
                    int p = count(x & below), q = count(y & below);
                    here = ((here << p << 1 | 1) << q << 1) | 1;
                    there = ((there << q << 1 | 1) << p << 1) | 1;
                    x &= ~below;
                    y &= ~below;
                    if (!rest) break;
                }
            } else {
                auto p = static_cast<unsigned>(count(x)), q = static_cast<unsigned>(count(y));
                here = (1 << 12 | p << 8 | q << 4 | static_cast<unsigned>(count(m))) << 1;
                there = (1 << 12 | q << 8 | p << 4 | static_cast<unsigned>(count(m))) << 1;
            }
            key += mix(here);
            turned += mix(there);
        }
        return always_last_ ? std::min(key, turned) : key;
    }

    // The suits that can hurt first, from below.
    bool any_lead(Cards mine, Cards left, Cards right, int bad, Control& control) {
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(bad >> suit & 1)) continue;
            Cards under = 0;
            for (Cards rest = mine & lane(suit);; rest &= rest - 1) {
                Cards limit = (rest & -rest) - 1;
                Cards fresh = under ? limit & ~((under << 1) - 1) : limit;
                if (led(mine, left, right, suit, limit, fresh, under, bad, control)) return true;
                under = rest & -rest;
                if (!rest) break;
            }
        }
        for (int suit = 0; suit < SUITS; ++suit) {
            if (bad >> suit & 1) continue;
            if (led(mine, left, right, suit, ~Cards{0}, ~Cards{0}, highest_of(mine, suit), bad, control)) return true;
        }
        return false;
    }

    // A lead of `suit` that binds the soloist to cards within `limit`; the highest he has there is `under`.
    // One of the `fresh` cards has to bind him.
    bool led(Cards mine, Cards left, Cards right, int suit, Cards limit, Cards fresh, Cards under, int bad,
             Control& control) {
        Cards m = mine & lane(suit), x = left & lane(suit), y = right & lane(suit);
        bool follows = m != 0;
        if ((x && !(x & limit)) || !((x | y) & fresh)) return false;
        // Last to the trick; in rotation only when his left neighbour leads.
        if ((always_last_ || x) && !(y && !(y & limit))) {
            if (follows && !under) return true;
            if (replied(mine, left, right, x ? bit(highest(x & limit)) : 0, y ? bit(highest(y & limit)) : 0, under,
                        control))
                return true;
        }
        // Between the two: his left neighbour has seen the trick decided and gives his highest.
        if (always_last_ || !(y & limit) || !((y | (x & -x)) & fresh)) return false;
        if (follows && !under) return true;
        Cards high = x ? bit(highest(x)) : 0, low = bit(highest(y & limit));
        if (under) return replied(mine, left, right, high, low, under, control);
        for (Cards rest = worth_throwing(mine, left, right ^ low, bad); rest; rest &= rest - 1)
            if (!replied(mine, left, right, high, low, rest & -rest, control)) return false;
        return true;
    }

    // The opponents' cards; 0 for one who is out of the suit and throws the highest of some suit.
    bool replied(Cards mine, Cards left, Cards right, Cards x, Cards y, Cards under, Control& control) {
        for (int s = 0; s < SUITS; ++s) {
            Cards one = x ? x : highest_of(left, s);
            for (int t = 0; one && t < SUITS; ++t) {
                Cards two = y ? y : highest_of(right, t);
                if (two && answered(mine, left ^ one, right ^ two, under, control)) return true;
                if (y) break;
            }
            if (x) break;
        }
        return false;
    }

    // The soloist's card, last of the three.
    bool answered(Cards mine, Cards left, Cards right, Cards under, Control& control) {
        tick(control);
        if (under) return caught(mine ^ under, left, right, control);
        int bad = unsafe_suits(mine, left | right);
        if (!bad) return false;
        for (Cards rest = worth_throwing(mine, left, right, bad); rest; rest &= rest - 1)
            if (!caught(mine ^ (rest & -rest), left, right, control)) return false;
        return true;
    }

    std::unique_ptr<Entry[]> table_;
    std::uint32_t age_ = 0;
    bool always_last_ = true;
};

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
        loose_.begin(always_last_);
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
    static constexpr std::size_t SIZE = std::size_t{1} << 16;
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
            tick(*control_);
            Problem after = p;
            if ((apply(after, move) > 0 || caught(after, false)) == wanted) {
                if (root) move_ = move;
                return wanted;
            }
        }
        return !wanted;
    }

    int unsafe() const { return unsafe_suits(alone_, hand_[0] | hand_[1]); }

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
        std::uint64_t owner[2] = {gather(own_[0], doubled(left & 0xFFFFFFFF)), gather(own_[1], doubled(left >> 32))};
        std::uint64_t hash = (owner[0] * 0x9E3779B97F4A7C15ull ^ (owner[1] + rest) * 0xC2B2AE3D27D4EB4Full);
        hash ^= hash >> 31;
        Entry& e = table_[hash * 0x9E3779B97F4A7C15ull >> 48];
        if (e.age == age_ && e.owner[0] == owner[0] && e.owner[1] == owner[1] && e.rest == rest) return e.caught;
        bool result = loose_.caught(alone_, hand_[0], hand_[1], *control_) && any_lead(who, n, bad);
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
        tick(*control_);
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
            tick(*control_);
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
        for (Cards rest = worth_throwing(alone_, hand_[0], hand_[1], bad); rest; rest &= rest - 1)
            if (!third(lowest(rest), card, n)) return false;
        return true;
    }

    bool third(int mine, int card, int n) {
        const int suit = suit_of(card);
        alone_ ^= bit(mine);
        Cards same = hand_[0] & lane(suit);
        Cards replies = heads(same ? same : hand_[0], alone_ | hand_[1] | bit(card));
        bool result = false;
        for (; replies && !result; replies &= replies - 1) {
            tick(*control_);
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

    // The soloist is out of the suit.
    bool throws(int winner, int n) {
        int bad = unsafe();
        if (!bad) return false;
        for (Cards rest = worth_throwing(alone_, hand_[0], hand_[1], bad); rest; rest &= rest - 1)
            if (!after(lowest(rest), winner, n)) return false;
        return true;
    }

    LooseSooli loose_;
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
