// Sooli: the soloist avoids every trick, two opponents want to give it one. The soloist is never on lead, so a lower
// card is never worse for it than a higher one of the suit: it follows with the highest card that cannot win and
// discards the highest card of a suit. A suit is safe if its i-th lowest card is below the opponents' i-th lowest for
// every i; if all suits are safe, the sooli is made.
// Most of the work is to prove that the soloist is not caught. A relaxed game does this first: in it the opponents
// choose the leader of every trick. A soloist that is safe in the relaxed game is safe in the real one.
#pragma once
#include <memory>

#include "solver/search.h"

namespace nousu::NOUSU_ISA {

// Suits in which the soloist can be forced to win, one bit each.
inline int unsafe_suits(Cards soloist, Cards opponents) {
    int result = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        Cards mine = soloist & lane(suit), theirs = opponents & lane(suit);
        if (!theirs) continue;
        int under = 0;
        for (Cards rest = mine; rest; rest &= rest - 1, ++under)
            if (count(theirs & ((rest & -rest) - 1)) > under) {
                result |= 1 << suit;
                break;
            }
    }
    return result;
}

inline Cards highest_of(Cards hand, int suit) {
    Cards cards = hand & lane(suit);
    return cards ? bit(highest(cards)) : 0;
}

// Discards of the soloist: the highest card of a suit. From a safe suit only if it can become void while the suit is
// still led; that leaves the choice among the other suits for later.
inline Cards useful_discards(Cards mine, Cards left, Cards right, int unsafe) {
    Cards result = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        int rounds = std::max(count(left & lane(suit)), count(right & lane(suit)));
        if ((unsafe >> suit & 1) || count(mine & lane(suit)) <= rounds) result |= highest_of(mine, suit);
    }
    return result;
}

// The relaxed game. With a free choice of the leader a lower card is never worse for the opponents either, and only the
// soloist's cards separate theirs. So an opponent that does not change the soloist's card plays its highest card that
// keeps it so; one that is void discards the highest card of some suit. The names of the suits do not matter, nor (with
// the soloist last) which opponent is which.
class RelaxedSooli {
public:
    RelaxedSooli() : table_(std::make_unique<Entry[]>(SIZE)) {}

    void begin(bool always_last) {
        always_last_ = always_last;
        if (++age_ == 0) {
            std::fill(table_.get(), table_.get() + SIZE, Entry{});
            age_ = 1;
        }
    }

    // Whether the soloist with `mine` is caught; `left` and `right` are the neighbours' cards.
    bool is_caught(Cards mine, Cards left, Cards right, Control& control) {
        int unsafe = unsafe_suits(mine, left | right);
        if (!unsafe) return false;
        std::uint64_t key = key_of(mine, left, right, unsafe);
        Entry& e = table_[key & (SIZE - 1)];
        if (e.key == key && e.age == age_) return e.is_caught;
        bool result = any_lead_catches(mine, left, right, unsafe, control);
        e = {key, age_, result};
        return result;
    }

private:
    static constexpr std::size_t SIZE = std::size_t{1} << 15;
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t age = 0;
        bool is_caught = false;
    };

    // A sum over the suits. In an unsafe suit the opponents' cards are counted between the soloist's.
    std::uint64_t key_of(Cards mine, Cards left, Cards right, int unsafe) const {
        std::uint64_t key = 0, turned = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards m = mine & lane(suit), x = left & lane(suit), y = right & lane(suit);
            std::uint64_t here = 1, there = 1;
            if (unsafe >> suit & 1) {
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
            key += hash_bits(here);
            turned += hash_bits(there);
        }
        return always_last_ ? std::min(key, turned) : key;
    }

    // Unsafe suits first, from the lowest cards.
    bool any_lead_catches(Cards mine, Cards left, Cards right, int unsafe, Control& control) {
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(unsafe >> suit & 1)) continue;
            Cards under = 0;
            for (Cards rest = mine & lane(suit);; rest &= rest - 1) {
                Cards limit = (rest & -rest) - 1;
                Cards fresh = under ? limit & ~((under << 1) - 1) : limit;
                if (lead_catches(mine, left, right, suit, limit, fresh, under, unsafe, control)) return true;
                under = rest & -rest;
                if (!rest) break;
            }
        }
        for (int suit = 0; suit < SUITS; ++suit) {
            if (unsafe >> suit & 1) continue;
            if (lead_catches(mine, left, right, suit, ~Cards{0}, ~Cards{0}, highest_of(mine, suit), unsafe, control))
                return true;
        }
        return false;
    }

    // A lead of `suit` that limits the soloist to cards within `limit`; its highest card there is `under`. At least one
    // of the `fresh` cards must be the one that limits it.
    bool lead_catches(Cards mine, Cards left, Cards right, int suit, Cards limit, Cards fresh, Cards under, int unsafe,
                      Control& control) {
        Cards m = mine & lane(suit), x = left & lane(suit), y = right & lane(suit);
        bool follows = m != 0;
        if ((x && !(x & limit)) || !((x | y) & fresh)) return false;
        // The soloist is last to the trick; in rotation only when its left neighbour leads.
        if ((always_last_ || x) && !(y && !(y & limit))) {
            if (follows && !under) return true;
            if (replies_catch(mine, left, right, x ? bit(highest(x & limit)) : 0, y ? bit(highest(y & limit)) : 0,
                              under, control))
                return true;
        }
        // The soloist plays second: its left neighbour sees the trick decided and plays its highest card.
        if (always_last_ || !(y & limit) || !((y | (x & -x)) & fresh)) return false;
        if (follows && !under) return true;
        Cards high = x ? bit(highest(x)) : 0, low = bit(highest(y & limit));
        if (under) return replies_catch(mine, left, right, high, low, under, control);
        for (Cards rest = useful_discards(mine, left, right ^ low, unsafe); rest; rest &= rest - 1)
            if (!replies_catch(mine, left, right, high, low, rest & -rest, control)) return false;
        return true;
    }

    // The opponents' cards; 0 for an opponent that is void and discards the highest card of some suit.
    bool replies_catch(Cards mine, Cards left, Cards right, Cards x, Cards y, Cards under, Control& control) {
        for (int s = 0; s < SUITS; ++s) {
            Cards left_card = x ? x : highest_of(left, s);
            for (int t = 0; left_card && t < SUITS; ++t) {
                Cards right_card = y ? y : highest_of(right, t);
                if (right_card && soloist_reply_catches(mine, left ^ left_card, right ^ right_card, under, control))
                    return true;
                if (y) break;
            }
            if (x) break;
        }
        return false;
    }

    // The soloist's card, last of the three.
    bool soloist_reply_catches(Cards mine, Cards left, Cards right, Cards under, Control& control) {
        count_node(control);
        if (under) return is_caught(mine ^ under, left, right, control);
        int unsafe = unsafe_suits(mine, left | right);
        if (!unsafe) return false;
        for (Cards rest = useful_discards(mine, left, right, unsafe); rest; rest &= rest - 1)
            if (!is_caught(mine ^ (rest & -rest), left, right, control)) return false;
        return true;
    }

    std::unique_ptr<Entry[]> table_;
    std::uint32_t age_ = 0;
    bool always_last_ = true;
};

class SooliSearch {
public:
    SooliSearch() : table_(std::make_unique<Entry[]>(SIZE)) {}

    void begin(const Position& p) {
        if (++age_ == 0) {
            std::fill(table_.get(), table_.get() + SIZE, Entry{});
            age_ = 1;
        }
        seat_[0] = (p.seat + 1) % 4;
        seat_[1] = (p.seat + 3) % 4;
        always_last_ = p.last == p.seat;
        relaxed_.begin(always_last_);
        const auto hands = hands_before_trick(p);
        owners_.assign({0, hands[seat_[0]], hands[seat_[1]], 0});  // 0: the soloist
    }

    static int guess(const Position&) { return 1; }
    static int least(const Position&) { return 0; }
    static int most(const Position&) { return 1; }
    int best() const { return move_; }

    int probe(const Position& p, int, Control& control) {
        control_ = &control;
        move_ = NONE;
        return is_caught(p, true);
    }

private:
    static constexpr std::size_t SIZE = std::size_t{1} << 16;
    struct Entry {
        std::uint64_t owner[2] = {0, 0};
        std::uint64_t rest = 0;
        std::uint32_t age = 0;
        bool is_caught = false;
    };

    // Search card by card until an opponent leads to a new trick.
    bool is_caught(const Position& p, bool root) {
        if (is_over(p)) return false;
        if (!root && !p.played && p.turn != p.seat) {
            soloist_ = p.hand[p.seat];
            for (int w = 0; w < 2; ++w) hand_[w] = p.hand[seat_[w]];
            return lead_catches_now(p.turn == seat_[1], count(soloist_));
        }
        bool wanted = p.turn != p.seat;
        for (int move : legal_moves(p)) {
            count_node(*control_);
            Position after_trick_catches = p;
            if ((apply(after_trick_catches, move) > 0 || is_caught(after_trick_catches, false)) == wanted) {
                if (root) move_ = move;
                return wanted;
            }
        }
        return !wanted;
    }

    int unsafe_now() const { return unsafe_suits(soloist_, hand_[0] | hand_[1]); }

    bool lead_catches_now(int who, int n) {
        if (n == 0) return false;
        int unsafe = unsafe_now();
        if (!unsafe) return false;
        // Caught at once: both hands have cards below the soloist's lowest one.
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards mine = soloist_ & lane(suit), leads = hand_[who] & lane(suit);
            if (!(unsafe >> suit & 1) || !mine || !leads) continue;
            Cards replies = hand_[1 - who] & lane(suit);
            Cards under = (mine & -mine) - 1;
            if ((leads & under) && (!replies || (replies & under))) return true;
        }
        // In a safe suit only the number of the soloist's cards matters.
        Cards counted = soloist_;
        std::uint64_t rest = static_cast<std::uint64_t>(who);
        for (int suit = 0; suit < SUITS; ++suit) {
            rest = rest << 4 | static_cast<unsigned>(count((hand_[0] | hand_[1] | soloist_) & lane(suit)));
            if (!(unsafe >> suit & 1)) {
                rest = rest << 4 | static_cast<unsigned>(count(soloist_ & lane(suit)));
                counted &= ~lane(suit);
            } else {
                rest = rest << 4 | 15;
            }
        }
        Cards left = hand_[0] | hand_[1] | counted;
        const Owners owners = owners_.of(left);
        std::uint64_t hash = (owners.word[0] * 0x9E3779B97F4A7C15ull ^ (owners.word[1] + rest) * 0xC2B2AE3D27D4EB4Full);
        hash ^= hash >> 31;
        Entry& e = table_[hash * 0x9E3779B97F4A7C15ull >> 48];
        if (e.age == age_ && e.owner[0] == owners.word[0] && e.owner[1] == owners.word[1] && e.rest == rest)
            return e.is_caught;
        bool result = relaxed_.is_caught(soloist_, hand_[0], hand_[1], *control_) && any_lead_catches(who, n, unsafe);
        e = Entry{{owners.word[0], owners.word[1]}, rest, age_, result};
        return result;
    }

    bool any_lead_catches(int who, int n, int unsafe) {
        const Cards others = soloist_ | hand_[1 - who];
        Cards moves = run_tops(hand_[who], others);
        // Unsafe suits first, from the lowest cards; leads in safe suits only move the lead.
        Cards hurting = 0;
        for (int suit = 0; suit < SUITS; ++suit)
            if (unsafe >> suit & 1) hurting |= lane(suit) & moves;
        for (Cards pass : {hurting & moves, moves & ~hurting})
            for (; pass; pass &= pass - 1)
                if (lead_catches(who, lowest(pass), n)) return true;
        return false;
    }

    bool lead_catches(int who, int card, int n) {
        count_node(*control_);
        hand_[who] ^= bit(card);
        bool result = who == 1 && !always_last_ ? soloist_plays_second(card, n) : soloist_plays_last(who, card, n);
        hand_[who] ^= bit(card);
        return result;
    }

    // Whether the other opponent has a reply that catches the soloist, which plays last.
    bool soloist_plays_last(int who, int card, int n) {
        const int other = 1 - who, suit = suit_of(card);
        Cards same = hand_[other] & lane(suit);
        Cards replies = run_tops(same ? same : hand_[other], soloist_ | hand_[who] | bit(card));
        for (; replies; replies &= replies - 1) {
            count_node(*control_);
            int reply = lowest(replies);
            int top = same && reply > card ? reply : card;
            int winner = top == card ? who : other;
            hand_[other] ^= bit(reply);
            bool result = true;
            Cards follow = soloist_ & lane(suit);
            if (follow) {
                Cards under = follow & (bit(top) - 1);
                if (under) result = after_trick_catches(highest(under), winner, n);
            } else {
                result = discards_catch(winner, n);
            }
            hand_[other] ^= bit(reply);
            if (result) return true;
        }
        return false;
    }

    // The soloist plays second; the opponent on its left sees its card.
    bool soloist_plays_second(int card, int n) {
        const int suit = suit_of(card);
        Cards follow = soloist_ & lane(suit);
        if (follow) {
            Cards later = hand_[0] & lane(suit);
            int limit = later && lowest(later) > card ? lowest(later) : card;
            Cards under = follow & (bit(limit) - 1);
            return !under || after_soloist_catches(highest(under), card, n);
        }
        int unsafe = unsafe_now();
        if (!unsafe) return false;
        for (Cards rest = useful_discards(soloist_, hand_[0], hand_[1], unsafe); rest; rest &= rest - 1)
            if (!after_soloist_catches(lowest(rest), card, n)) return false;
        return true;
    }

    bool after_soloist_catches(int mine, int card, int n) {
        const int suit = suit_of(card);
        soloist_ ^= bit(mine);
        Cards same = hand_[0] & lane(suit);
        Cards replies = run_tops(same ? same : hand_[0], soloist_ | hand_[1] | bit(card));
        bool result = false;
        for (; replies && !result; replies &= replies - 1) {
            count_node(*control_);
            int reply = lowest(replies);
            hand_[0] ^= bit(reply);
            result = lead_catches_now(same && reply > card ? 0 : 1, n - 1);
            hand_[0] ^= bit(reply);
        }
        soloist_ ^= bit(mine);
        return result;
    }

    bool after_trick_catches(int mine, int winner, int n) {
        soloist_ ^= bit(mine);
        bool result = lead_catches_now(winner, n - 1);
        soloist_ ^= bit(mine);
        return result;
    }

    // The soloist is void in the suit led.
    bool discards_catch(int winner, int n) {
        int unsafe = unsafe_now();
        if (!unsafe) return false;
        for (Cards rest = useful_discards(soloist_, hand_[0], hand_[1], unsafe); rest; rest &= rest - 1)
            if (!after_trick_catches(lowest(rest), winner, n)) return false;
        return true;
    }

    RelaxedSooli relaxed_;
    std::unique_ptr<Entry[]> table_;
    std::uint32_t age_ = 0;
    Control* control_ = nullptr;
    Cards soloist_ = 0, hand_[2]{};
    int seat_[2]{};
    bool always_last_ = true;
    Owners owners_;
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
