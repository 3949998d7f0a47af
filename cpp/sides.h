// Four hands, two sides, no trump: rami, where both want tricks, and (LOW) nolo, where both avoid them. A
// boolean search, "do North–South take `need` of the tricks left?", that
// hands back, with its answer, the cards whose ranks the answer rests on.
#pragma once
#include "patterns.h"
#include "rules.h"

namespace nousu::NOUSU_ISA {

template <bool LOW>
class SideSearch {
public:

    SideSearch() : known_(std::size_t{1} << 20, std::size_t{1} << (LOW ? 20 : 21)) {}

    void begin(const Problem& p) {
        known_.clear();
        for (auto& row : history_) std::fill(std::begin(row), std::end(row), 0);
        own_[0] = own_[1] = 0;
        Cards all[4];
        for (int s = 0; s < 4; ++s) all[s] = p.hand[s];
        for (int i = 0; i < p.played; ++i) all[p.trick_seat[i]] |= bit(p.trick_card[i]);
        for (int half = 0; half < 2; ++half)
            for (int s = 0; s < 4; ++s) {
                std::uint64_t pairs = doubled(all[s] >> 32 * half & 0xFFFFFFFF) & EVENS;
                own_[half] |= pairs * static_cast<unsigned>(s);
            }
    }

    int guess(const Problem& p) const {
        // Honours say most: an ace counts 4, a king 3, … of what is left.
        int points = 0, all = 0;
        Cards held = p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3];
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards left = held & lane(suit);
            for (int worth = 4; worth && left; --worth) {
                int card = highest(left);
                left ^= bit(card);
                all += worth;
                if ((p.hand[0] | p.hand[2]) >> card & 1) points += worth;
            }
        }
        int n = cards_left(p);
        return std::clamp((points * n + all / 2) / std::max(all, 1), 1, n);
    }

    int probe(const Problem& p, int beta, Control& control) {
        control_ = &control;
        for (int s = 0; s < 4; ++s) hand_[s] = p.hand[s];
        shape_ = 0;
        for (int s = 0; s < 4; ++s)
            for (int suit = 0; suit < SUITS; ++suit)
                shape_ += static_cast<std::uint64_t>(count(hand_[s] & lane(suit))) << nibble(s, suit);
        int n = cards_left(p);
        Cards win;
        root_ = true;
        move_ = NONE;
        bool yes;
        Table t = table_of(p);
        switch (p.played) {
            case 0: yes = lead(p.turn, beta, n, win); break;
            case 1: yes = follow<1>(p.turn, t.led, t.best, t.winner, 1, beta, n, win); break;
            case 2: yes = follow<2>(p.turn, t.led, t.best, t.winner, ranked(p, t), beta, n, win); break;
            default: yes = follow<3>(p.turn, t.led, t.best, t.winner, ranked(p, t), beta, n, win); break;
        }
        return yes ? beta : beta - 1;
    }

    int best() const { return move_; }
    static int least(const Problem&) { return 0; }
    static int most(const Problem& p) { return cards_left(p); }

private:
    static int nibble(int seat, int suit) { return 16 * seat + 4 * suit; }
    static int ranked(const Problem& p, const Table& t) {
        int followed = 0;
        for (int i = 0; i < p.played; ++i) followed += suit_of(p.trick_card[i]) == t.led;
        return followed;
    }
    static bool even(int seat) { return (seat & 1) == 0; }

    // The suits' owners by rank among the cards left.
    Owners owners(Cards left, std::uint64_t pairs[2]) const {
        pairs[0] = doubled(left & 0xFFFFFFFF);
        pairs[1] = doubled(left >> 32);
        return {{gather(own_[0], pairs[0]), gather(own_[1], pairs[1])}};
    }

    // All ranks from the lowest that mattered up, suit by suit.
    static Cards upward(Cards win) {
        // In each lane: everything at or above the lowest set bit.
        constexpr Cards ONES = 0x0001000100010001ull;
        constexpr Cards TOPS = 0x8000800080008000ull;
        // x | -x within lanes; a lane never holds its top bit, so no carry crosses.
        Cards minus = ((~win & ~TOPS) + ONES) & ~TOPS;  // two's complement in 15 bits
        Cards nonzero = ((win + ~TOPS) & TOPS) >> 15;   // 1 in every lane that is not empty
        return (win | minus) & (nonzero * 0x7FFF);
    }

    // Cards of `mine` that stand for their neighbours: the highest of every run with no other card between.
    static Cards heads(Cards mine, Cards present) {
        // A card is the head of a run unless the next higher present card of the suit is also mine.
        Cards others = present & ~mine;
        Cards result = 0;
        for (Cards rest = mine; rest;) {
            int card = highest(rest);
            result |= bit(card);
            // skip the run: down to the next card of somebody else, or the end of the suit
            Cards below = bit(card) - 1;
            Cards stop = (others & below) | (below & ~(lane(suit_of(card))));
            rest &= stop ? (Cards{2} << highest(stop)) - 1 : 0;
        }
        return result;
    }

    Cards run_of(int card, Cards mine, Cards present) const {
        Cards others = present & ~mine;
        Cards below = (bit(card) - 1) & lane(suit_of(card));
        Cards stop = others & below;
        Cards run = stop ? below & ~((Cards{2} << highest(stop)) - 1) : below;
        return (run & mine) | bit(card);
    }

    // Cards that would have fared like `card`: those of its suit below every rank that mattered, if it was
    // one of them. The position after either differs only in which small card is gone.
    static Cards alike(int card, Cards win) {
        Cards in = win & lane(suit_of(card));
        if (!in) return lane(suit_of(card));
        Cards below = (in & -in) - 1;
        return below & bit(card) ? below & lane(suit_of(card)) : 0;
    }

    struct Sure {
        int tricks;
        Cards win;
    };

    // The lowest of the `k` highest cards.
    static int nth_highest(Cards cards, int k) {
        for (int i = 1; i < k; ++i) cards ^= bit(highest(cards));
        return highest(cards);
    }

    // How many of the `most` highest of `mine` win although the partner must follow with his lowest.
    static int under(Cards mine, Cards theirs, int most) {
        int r = 0;
        while (r < most && (!theirs || lowest(theirs) < highest(mine))) {
            mine ^= bit(highest(mine));
            theirs &= theirs - 1;
            ++r;
        }
        return r;
    }

    // Only as many of the tricks as are wanted, so that as few ranks as possible matter.
    Sure trimmed(int seat, int* cashed, int* by_rank, int spare, int enough) const {
        Sure sure{enough, 0};
        while (spare) {  // give up the most demanding suit first
            int worst = NONE, most = 0;
            for (int suit = 0; suit < SUITS; ++suit) {
                if (!by_rank[suit] || by_rank[suit] < cashed[suit]) continue;
                int low = nth_highest(hand_[seat] & lane(suit), by_rank[suit]);
                int ranks = count((hand_[0] | hand_[1] | hand_[2] | hand_[3]) & lane(suit) & ~(bit(low) - 1));
                if (ranks > most) most = ranks, worst = suit;
            }
            if (worst == NONE) break;
            --by_rank[worst];
            --cashed[worst];
            --spare;
        }
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!by_rank[suit]) continue;
            if (spare && cashed[suit] <= spare) {
                spare -= cashed[suit];
                continue;
            }
            sure.win |= bit(nth_highest(hand_[seat] & lane(suit), by_rank[suit]));
        }
        return sure;
    }

    // Tricks the side of `seat`, on lead, can cash at once; stops counting at `enough`.
    Sure quick(int seat, int n, int enough, bool alone) const {
        int mate = seat ^ 2;
        Cards foe_a = hand_[seat ^ 1], foe_b = hand_[seat ^ 3];
        Cards foes = foe_a | foe_b;
        Sure sure{0, 0};
        int cashed[SUITS], by_rank[SUITS] = {0, 0, 0, 0};
        int finish = 0;  // the last suit may pass the lead to the partner: no matter while both can follow
        bool blocked[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards l = hand_[seat] & lane(suit);
            cashed[suit] = 0;
            blocked[suit] = false;
            if (!l) continue;
            Cards o = foes & lane(suit), p = hand_[mate] & lane(suit);
            int length = count(l);
            int winners, ranked;
            if (!o) {
                winners = length;
                ranked = 0;
                if (p) {  // the lead stays while the partner can play lower
                    winners = ranked = under(l, p, length);
                    blocked[suit] = winners < length;
                    finish = std::max(finish, std::min(length, count(p)) - winners);
                }
            } else {
                int top = highest(o);
                Cards over = l & ~((Cards{2} << top) - 1);
                winners = count(over);
                if (!winners) continue;
                ranked = winners;
                if (p) {
                    int r = under(over, p, winners);
                    blocked[suit] = r < winners;
                    ranked = winners = r;
                    if (!winners) continue;
                }
                if (!blocked[suit] && winners < length) {
                    int longest = std::max(count(foe_a & lane(suit)), count(foe_b & lane(suit)));
                    if (winners >= longest) {
                        if (winners >= count(p))
                            winners = length;
                        else
                            finish = std::max(finish, std::min(length, count(p)) - winners);
                    }
                }
            }
            cashed[suit] = winners;
            by_rank[suit] = ranked;
            sure.tricks += winners;
        }
        if (sure.tricks + finish >= enough && sure.tricks < enough) {
            enough = sure.tricks;
            Sure own = trimmed(seat, cashed, by_rank, 0, enough);
            return {own.tricks + finish, own.win};
        }
        if (sure.tricks >= enough) return trimmed(seat, cashed, by_rank, sure.tricks - enough, enough);
        for (int suit = 0; suit < SUITS; ++suit)
            if (by_rank[suit]) sure.win |= bit(nth_highest(hand_[seat] & lane(suit), by_rank[suit]));
        if (alone) return sure;
        // Across to the partner, where some suit allows it, and his winners.
        int cross = NONE, more = 0;
        int mates[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            mates[suit] = 0;
            if (blocked[suit]) continue;
            Cards p = hand_[mate] & lane(suit);
            if (!p) continue;
            Cards o = foes & lane(suit), l = hand_[seat] & lane(suit);
            int left = count(p) - cashed[suit];
            if (left <= 0) continue;
            if (!o) {
                if (count(l) > cashed[suit]) continue;
                mates[suit] = left;  // the lead does not cross here, but his long cards are good
                more += left;
                continue;
            }
            Cards over = p & ~((Cards{2} << highest(o)) - 1);
            int winners = std::min(count(over), left);
            if (!winners) continue;
            if (winners < left) {
                int longest = std::max(count(foe_a & lane(suit)), count(foe_b & lane(suit)));
                if (cashed[suit] + winners >= longest && cashed[suit] + winners >= count(l)) winners = left;
            }
            mates[suit] = winners;
            more += winners;
            if (count(l) > cashed[suit]) cross = suit;
        }
        if (cross == NONE) {
            sure.tricks = std::min(sure.tricks, n);
            return sure;
        }
        auto add = [&](int suit) {
            Cards p = hand_[mate] & lane(suit), o = foes & lane(suit);
            if (o) {
                Cards over = p & ~((Cards{2} << highest(o)) - 1);
                sure.win |= bit(nth_highest(over, std::min(count(over), mates[suit])));
            }
            sure.tricks += mates[suit];
        };
        add(cross);
        for (int suit = 0; suit < SUITS && sure.tricks < enough; ++suit)
            if (suit != cross && mates[suit]) add(suit);
        sure.tricks = std::min(sure.tricks, n);
        return sure;
    }

    // Tricks the side not on lead is sure of. Until a defender gets in, the leading side wins every trick; in a
    // suit where a defender keeps a guarded stopper it can do so only as often as it holds cards above it, in
    // the rest as often as its longer hand allows. If both defenders have room to keep their tops and
    // stoppers that long, one of them gets in, cashes his tops and, if he has a card to cross with, his
    // partner's follow. He may get in with a card that is no top; that is a trick, too.
    Sure guarded(int leader, int n) const {
        const int foe[2] = {leader ^ 1, leader ^ 3};
        const Cards attack = hand_[leader] | hand_[leader ^ 2];
        const Cards all = attack | hand_[foe[0]] | hand_[foe[1]];
        int tops[2] = {0, 0}, kept[2] = {0, 0}, others[2] = {0, 0};  // others: runs in suits he does not guard
        bool link[2] = {false, false};
        Cards win = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards in = all & lane(suit);
            if (!in) continue;
            Cards top = bit(highest(in));
            if (attack & top) {
                int longest = std::max(length(leader, suit), length(leader ^ 2, suit));
                int guard = -1, runs = longest;
                Cards stopper = 0;
                for (int z = 0; z < 2; ++z) {
                    Cards mine = hand_[foe[z]] & in;
                    if (!mine) continue;
                    Cards head = bit(highest(mine));
                    // Cards over it must lie before it, or it can be finessed.
                    if ((hand_[(foe[z] + 1) & 3] & in) > head) continue;
                    int above = count(attack & in & ~((head << 1) - 1));
                    if (above < runs && length(foe[z], suit) > above) {
                        guard = z;
                        runs = above;
                        stopper = head;
                    }
                }
                if (guard >= 0) {
                    kept[guard] += runs + 1;
                    others[1 - guard] += runs;
                    win |= stopper;
                } else {
                    others[0] += longest;
                    others[1] += longest;
                }
                continue;
            }
            int which = hand_[foe[0]] & top ? 0 : 1;
            Cards mine = hand_[foe[which]] & in, rest = in & ~mine;
            int k = count(mine);
            if (rest) {
                Cards over = mine & ~((Cards{2} << highest(rest)) - 1);
                win |= bit(lowest(over));
                if (count(over) < longest_other(foe[which], suit)) k = count(over);
            }
            tops[which] += k;
            if (hand_[foe[1 - which]] & in) link[1 - which] = true;
        }
        if (tops[0] + tops[1] + kept[0] + kept[1] == 0) return {0, 0};
        bool fits = true;
        for (int z = 0; z < 2; ++z)
            fits = fits && tops[0] + tops[1] + kept[z] + others[z] <= n;
        if (!fits) return {0, 0};
        int first = std::max(tops[0], 1) + (link[0] ? tops[1] : 0);
        int second = std::max(tops[1], 1) + (link[1] ? tops[0] : 0);
        return {std::min(first, second), win};
    }

    // Tricks the side not on lead is sure of. The leading side can run only suits in which it holds the top
    // card, each at most as often as its longer hand allows; then a defender gets in, still holding his tops
    // if he had enough other cards to throw, cashes them and crosses to his partner's if he has a card to do
    // so. A defender may also get in with a card that is no top; that is a trick, too.
    Sure later(int leader, int n, int enough) const {
        const int one = leader ^ 1, two = leader ^ 3;
        Cards all = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        int run = 0, tops[2] = {0, 0}, high[SUITS];
        bool link[2] = {false, false};
        Cards win = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards in = all & lane(suit);
            high[suit] = 0;
            if (!in) continue;
            Cards top = bit(highest(in));
            int which = hand_[one] & top ? 0 : hand_[two] & top ? 1 : 2;
            if (which == 2) {
                run += std::max(length(leader, suit), length(leader ^ 2, suit));
                continue;
            }
            int seat = which ? two : one, other = which ? one : two;
            Cards mine = hand_[seat] & in, rest = in & ~mine;
            int k;
            if (!rest) {
                k = count(mine);
            } else {
                Cards over = mine & ~((Cards{2} << highest(rest)) - 1);
                k = count(over);
                win |= bit(lowest(over));
                if (k >= longest_other(seat, suit)) k = count(mine);
            }
            high[suit] = which ? -k : k;
            tops[which] += k;
            if (hand_[other] & in) link[1 - which] = true;
        }
        int room = n - run;
        if (room <= 0 || tops[0] + tops[1] == 0) return {0, 0};
        if (tops[0] + tops[1] <= room) {
            int first = std::max(tops[0], 1) + (link[0] ? tops[1] : 0);
            int second = std::max(tops[1], 1) + (link[1] ? tops[0] : 0);
            int sure = std::min(first, second);
            if (sure >= enough) return {sure, win};
        }
        // Not all can be kept: look at each suit by itself, the others being given up.
        Sure best{0, 0};
        int given[SUITS], lost = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            given[suit] = high[suit] ? std::max(length(leader, suit), length(leader ^ 2, suit)) : 0;
            lost += given[suit];
        }
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!high[suit]) continue;
            int k = std::min(std::abs(high[suit]), room - (lost - given[suit]));
            int other = high[suit] > 0 ? two : one;
            if (k > 1 && !(hand_[other] & lane(suit))) k = 1;
            if (k > best.tricks) best = {k, win & lane(suit)};
        }
        return best;
    }

    int length(int seat, int suit) const { return shape_ >> nibble(seat, suit) & 15; }
    int longest_other(int seat, int suit) const {
        return std::max(length(seat ^ 1, suit), std::max(length(seat ^ 2, suit), length(seat ^ 3, suit)));
    }

    bool last_trick(int leader, int need, Cards& win) const {
        int led = suit_of(lowest(hand_[leader]));
        int best = lowest(hand_[leader]), winner = leader, followed = 1;
        for (int i = 1; i < 4; ++i) {
            int seat = (leader + i) & 3, card = lowest(hand_[seat]);
            if (suit_of(card) != led) continue;
            ++followed;
            if (card > best) best = card, winner = seat;
        }
        win = followed > 1 ? bit(best) : 0;
        return even(winner) >= need;
    }

    // Whether the answer can be counted out without a search.
    bool counted(int leader, int need, int n, Cards& win, bool& result) const {
        bool leads = even(leader);
        if constexpr (LOW) {
            Cards ranks = 0;
            int side = swept(leader, ranks);
            if (side == NONE) return false;
            win = ranks;
            result = side == 0 ? n >= need : 0 >= need;
            return true;
        } else {
            int enough = leads ? need : n - need + 1, theirs = n + 1 - enough;
            Sure sure = quick(leader, n, enough, false);
            if (sure.tricks >= enough) {
                win = sure.win;
                result = leads;
                return true;
            }
            Sure late = guarded(leader, n);
            if (late.tricks < theirs) late = later(leader, n, theirs);
            if (late.tricks < theirs) return false;
            win = late.win;
            result = !leads;
            return true;
        }
    }

    // Nolo: the side (0 for N–S) that cannot help taking every trick left, or NONE. A side is stuck if in every
    // suit it holds the other can stay under its lowest card for as many rounds as there may be.
    int swept(int leader, Cards& ranks) const {
        Cards a = hand_[leader] | hand_[leader ^ 2], b = hand_[leader ^ 1] | hand_[leader ^ 3];
        bool stuck = true, handed = true, exit = false;
        Cards mine = 0, theirs = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards in = lane(suit), x = a & in, y = b & in;
            if (x && y) {
                stuck = stuck && ducks(leader, suit, lowest(x));
                handed = handed && ducks(leader ^ 1, suit, lowest(y));
                mine |= bit(lowest(x));
                theirs |= bit(lowest(y));
                exit = exit || (hand_[leader] & in);
            }
            if (!stuck && !handed) return NONE;
        }
        if (stuck) {
            ranks = mine;
            return leader & 1;
        }
        if (handed && exit) {
            ranks = theirs;
            return 1 - (leader & 1);
        }
        return NONE;
    }

    // Whether the opponents of `seat` can play under `card` for as many rounds as its side can have the suit.
    bool ducks(int seat, int suit, int card) const {
        int rounds = std::max(length(seat, suit), length(seat ^ 2, suit));
        Cards under = lane(suit) & (bit(card) - 1);
        for (int other : {seat ^ 1, seat ^ 3})
            if (count(hand_[other] & under) < std::min(rounds, length(other, suit))) return false;
        return true;
    }

    bool lead(int leader, int need, int n, Cards& win) {
        win = 0;
        bool root = root_;
        root_ = false;
        if (!root) {
            if (need <= 0) return true;
            if (need > n) return false;
            if (n == 1) return last_trick(leader, need, win);
        }
        Cards left = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        bool ours = even(leader) != LOW;
        std::uint64_t shape = (shape_ & 0x0FFFFFFFFFFFFFFFull) | static_cast<std::uint64_t>(leader) << 60;
        known_.expect(shape);
        std::uint64_t pairs[2];
        Owners own = owners(left, pairs);
        bool result;
        int hint = NONE;
        Patterns::Known* kin = nullptr;
        const auto era = known_.era();
        if (!root) {
            if (counted(leader, need, n, win, result)) return result;
            // What is known.
            if (const Patterns::Known* k = known_.settled(known_.shape(shape), own, need, kin)) {
                win = halved(scatter(k->mask[0], pairs[0])) | halved(scatter(k->mask[1], pairs[1])) << 32;
                return k->low >= need;
            }
            if (kin) hint = kin->move;
        }
        Cards moves = heads(hand_[leader], left);
        result = !ours;
        int chosen = NONE;
        Cards moot = 0;
        Move list[13];
        int size = order_leads(leader, moves, hint, list);
        for (int i = 0; i < size; ++i) {
            int card = list[i].card;
            if (moot & bit(card)) continue;
            control_->tick();
            hand_[leader] ^= bit(card);
            shape_ -= std::uint64_t{1} << nibble(leader, suit_of(card));
            Cards w;
            bool yes = follow<1>((leader + 1) & 3, suit_of(card), card, leader, 1, need, n, w);
            shape_ += std::uint64_t{1} << nibble(leader, suit_of(card));
            hand_[leader] ^= bit(card);
            if (yes == ours) {
                win = w;
                result = yes;
                chosen = card;
                bonus(leader, card, n);
                break;
            }
            win |= w & bit(card) ? w | run_of(card, hand_[leader], left) : w;
            moot |= alike(card, w);
        }
        if (root) move_ = chosen == NONE ? list[0].card : chosen;
        Cards mask = upward(win) & left;
        std::uint64_t m[2] = {gather(doubled(mask & 0xFFFFFFFF), pairs[0]), gather(doubled(mask >> 32), pairs[1])};
        known_.learn(shape, own, m, era == known_.era() ? kin : nullptr, result ? need : 0, result ? n : need - 1,
                     chosen == NONE ? 255 : chosen);
        return result;
    }

    void bonus(int seat, int card, int n) {
        int& h = history_[seat][card];
        h += n * n;
        if (h > 1 << 14)
            for (auto& row : history_)
                for (int& value : row) value /= 2;
    }

    struct Move {
        int card;
        int score;
    };

    static void sorted(Move* list, int size) {
        for (int i = 1; i < size; ++i) {
            Move m = list[i];
            int j = i;
            for (; j && list[j - 1].score < m.score; --j) list[j] = list[j - 1];
            list[j] = m;
        }
    }

    int order_leads(int leader, Cards moves, int hint, Move* list) const {
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int score = LOW ? low_lead(leader, card) : high_lead(leader, card);
            score = 3 * score + history_[leader][card];
            if (card == hint) score += 1 << 20;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    // Rami: own and partner's winners first, then suits in which we are long.
    int high_lead(int leader, int card) const {
        int suit = suit_of(card), mate = leader ^ 2, lho = (leader + 1) & 3, rho = (leader + 3) & 3;
        Cards in = lane(suit), foes = (hand_[lho] | hand_[rho]) & in;
        Cards mine = hand_[leader] & in, mates = hand_[mate] & in;
        int top_foe = foes ? highest(foes) : -1;
        int score = 2 * (length(leader, suit) + length(mate, suit)) - length(lho, suit) - length(rho, suit);
        bool wins = card > top_foe;
        bool mate_wins = mates && highest(mates) > top_foe;
        if (wins) {
            score += 20;
        } else if (mate_wins) {
            score += 18 - (card & 15) / 2;
        } else if (foes) {
            int top_ours = std::max(highest(mine), mates ? highest(mates) : 0);
            // leading up to strength on the right is better than into it
            if (hand_[rho] & in && highest(hand_[rho] & in) == top_foe && top_ours < top_foe) score += 3;
            if (!(hand_[lho] & in)) score += 2;
            score -= (card & 15) / 3;
            // a sequence forces out their top card
            Cards next = mine & ~bit(card);
            if (next && card == highest(mine) && !((foes | mates) & (bit(card) - 1) & ~(bit(highest(next)) - 1) & in))
                score += 3;
        }
        return score;
    }

    // Nolo: a card under which the opponents cannot duck.
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
    bool follow(int seat, int led, int best, int winner, int followed, int need, int n, Cards& win) {
        bool root = root_;
        root_ = false;
        bool ours = even(seat) != LOW;
        Cards hand = hand_[seat];
        Cards same = hand & lane(led);
        if (!LOW && PLY < 3 && same && n > 2 && !root) {
            // Whoever can take this trick for certain and cash enough by himself need not look further.
            int card = highest(same);
            Cards later = hand_[(seat + 1) & 3] & lane(led);
            int wanted = (ours ? need : n - need + 1) - 1;
            if (card > best && (!later || highest(later) < card) &&
                (PLY == 2 || !(hand_[(seat + 2) & 3] & lane(led)) || highest(hand_[(seat + 2) & 3] & lane(led)) < card)) {
                if (wanted <= 0) {
                    win = bit(card);
                    return ours;
                }
                hand_[seat] ^= bit(card);
                Sure sure = quick(seat, n - 1, wanted, true);
                hand_[seat] ^= bit(card);
                if (sure.tricks >= wanted) {
                    win = sure.win | bit(card);
                    return ours;
                }
            }
        }
        Cards present = hand_[0] | hand_[1] | hand_[2] | hand_[3] | bit(best);
        Cards moot = 0;
        Move list[13];
        int size = 0;
        Cards legal = same ? same : hand;
        Cards moves = legal & (legal - 1) ? heads(legal, present) : legal;
        if (moves & (moves - 1)) {
            size = same ? order_follow<PLY>(seat, moves, best, winner, list) : order_discards(seat, moves, list);
        } else {
            list[size++] = {lowest(moves), 0};
        }
        win = 0;
        for (int i = 0; i < size; ++i) {
            int card = list[i].card;
            if (moot & bit(card)) continue;
            control_->tick();
            bool beats = same && card > best;
            int now_best = beats ? card : best, now_winner = beats ? seat : winner;
            int now_followed = followed + (same != 0);
            hand_[seat] ^= bit(card);
            shape_ -= std::uint64_t{1} << nibble(seat, suit_of(card));
            Cards w;
            bool yes;
            if constexpr (PLY < 3) {
                yes = follow<PLY + 1>((seat + 1) & 3, led, now_best, now_winner, now_followed, need, n, w);
            } else {
                yes = lead(now_winner, need - even(now_winner), n - 1, w);
                if (now_followed > 1) w |= bit(now_best);
            }
            shape_ += std::uint64_t{1} << nibble(seat, suit_of(card));
            hand_[seat] ^= bit(card);
            if (yes == ours) {
                win = w;
                if (root) move_ = card;
                return yes;
            }
            win |= w & bit(card) ? w | run_of(card, legal, present) : w;
            moot |= alike(card, w);
        }
        if (root) move_ = list[0].card;
        return !ours;
    }

    template <int PLY>
    int order_follow(int seat, Cards moves, int best, int winner, Move* list) const {
        bool mate_wins = winner == (seat ^ 2);
        Cards in = lane(suit_of(best));
        // What the seats still to play could beat a card with.
        Cards later_foes = PLY < 3 ? hand_[(seat + 1) & 3] & in : 0;
        int top_later = later_foes ? highest(later_foes) : -1;
        int mates_top = -1;
        if constexpr (PLY == 1) {
            Cards m = hand_[(seat + 2) & 3] & in;
            mates_top = m ? highest(m) : -1;
        }
        int size = 0;
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c);
            int rank = card & 15;
            int score;
            if (LOW) {  // as high as possible without winning; if we must win, then high
                score = card < best ? 40 + rank : PLY == 3 ? rank : card < top_later ? 20 - rank : rank;
            } else if (card > best) {
                bool holds = card > top_later;
                if (PLY == 3)
                    score = mate_wins ? -rank : 40 - rank;
                else if (PLY == 2)
                    score = mate_wins && best > top_later ? -rank : holds ? 40 - rank : 10 - rank;
                else
                    score = mates_top > best && mates_top > top_later ? 5 - rank : holds ? 40 - rank : 8 - rank;
            } else {
                score = 20 - rank;
                if (PLY == 2 && !mate_wins) score = 15 - rank;
            }
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    int order_discards(int seat, Cards moves, Move* list) const {
        int size = 0;
        Cards all = hand_[0] | hand_[1] | hand_[2] | hand_[3];
        for (Cards c = moves; c; c &= c - 1) {
            int card = lowest(c), suit = suit_of(card);
            Cards in = lane(suit);
            if (LOW) {
                list[size++] = {card, 2 * (card & 15) - length(seat, suit)};
                continue;
            }
            int score = 4 * length(seat, suit) - 2 * (card & 15);
            if (card == highest(all & in)) score -= 30;
            if (length(seat, suit) == 2 && (hand_[seat] & in & ~bit(card)) > bit(card)) score -= 4;
            list[size++] = {card, score};
        }
        sorted(list, size);
        return size;
    }

    Patterns known_;
    Control* control_ = nullptr;
    Cards hand_[4]{};
    std::uint64_t shape_ = 0;  // lengths, a nibble each: seat * 16 + suit * 4
    std::uint64_t own_[2]{};
    bool root_ = false;
    int history_[4][64]{};
    int move_ = NONE;
};

}  // namespace nousu::NOUSU_ISA
