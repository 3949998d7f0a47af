// Tricks that can be counted out in rami without a search, with the cards whose ranks the count rests on.
#pragma once
#include "solver/no_trump_position.h"

namespace nousu::NOUSU_ISA {

class RamiBounds : public FourHands {
protected:
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
        // Only suits whose highest card is theirs count, each as often as the longer hand allows.
        const Cards ours = alone ? hand_[seat] : hand_[seat] | hand_[mate];
        int most = 0;
        for (int suit = 0; suit < SUITS; ++suit)
            if ((ours & lane(suit)) > (foes & lane(suit)))
                most += alone ? length(seat, suit) : std::max(length(seat, suit), length(mate, suit));
        if (most < enough) return {0, 0};
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
        int cross = NONE;
        int mates[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            mates[suit] = 0;
            Cards p = hand_[mate] & lane(suit);
            if (!p) continue;
            if (blocked[suit]) {  // what he has left is higher than winners of the leader: he overtakes
                mates[suit] = count(p) - cashed[suit];
                cross = suit;
                continue;
            }
            Cards o = foes & lane(suit), l = hand_[seat] & lane(suit);
            int left = count(p) - cashed[suit];
            if (left <= 0) continue;
            if (!o) {
                if (count(l) > cashed[suit]) continue;
                mates[suit] = left;  // the lead does not cross here, but his long cards are good
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
            } else if (blocked[suit]) {  // nobody else has the suit, but he must be the one who wins the trick
                sure.win |= bit(nth_highest(p, mates[suit]));
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
    // suit where a defender keeps a guarded stopper it can do so only as often as it holds cards above it, and once
    // more for every time it can lead through him towards such a card; in the rest as often as its longer hand
    // allows. If both defenders have room to keep their tops and stoppers that long, one of them gets in, cashes
    // his tops and, if he has a card to cross with, his partner's follow. He may get in with a card that is no top;
    // that is a trick, too. For a single trick one top in every suit of theirs is enough.
    Sure guarded(int leader, int n) const {
        const int foe[2] = {leader ^ 1, leader ^ 3};
        const Cards attack = hand_[leader] | hand_[leader ^ 2];
        const Cards all = attack | hand_[foe[0]] | hand_[foe[1]];
        int tops[2] = {0, 0}, suits[2] = {0, 0};   // how many, and in how many suits
        int kept[2] = {0, 0}, others[2] = {0, 0};  // others: runs in suits he does not guard
        bool link[2] = {false, false};
        Cards win = 0, single = 0;  // what many tricks rest on, and what one does
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
                    int above = count(attack & in & ~((head << 1) - 1));
                    if ((hand_[(foe[z] + 1) & 3] & in) > head) above += length((foe[z] + 3) & 3, suit);
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
                    single |= stopper;
                } else {
                    others[0] += longest;
                    others[1] += longest;
                }
                continue;
            }
            int which = hand_[foe[0]] & top ? 0 : 1;
            ++suits[which];
            Cards mine = hand_[foe[which]] & in, rest = in & ~mine;
            int k = count(mine);
            if (rest) {
                Cards over = mine & ~((Cards{2} << highest(rest)) - 1);
                win |= bit(lowest(over));
                single |= top;
                if (count(over) < longest_other(foe[which], suit)) k = count(over);
            }
            tops[which] += k;
            if (hand_[foe[1 - which]] & in) link[1 - which] = true;
        }
        if (tops[0] + tops[1] + kept[0] + kept[1] == 0) return {0, 0};
        bool all_fit = true, one_fits = true;
        for (int z = 0; z < 2; ++z) {
            all_fit = all_fit && tops[0] + tops[1] + kept[z] + others[z] <= n;
            one_fits = one_fits && suits[z] + kept[z] + others[z] <= n;
        }
        if (!all_fit) return {one_fits, single};
        int first = std::max(tops[0], 1) + (link[0] ? tops[1] : 0);
        int second = std::max(tops[1], 1) + (link[1] ? tops[0] : 0);
        return {std::min(first, second), win};
    }

    // Whether `who` and his partner take all they want when he wins this trick with `card` (perhaps on the table)
    // and leads on. His partner gives `low` to the trick; or he has given his card (GIVEN); or he throws we do not
    // know what (NONE), and then only the tricks of `who` count. Cards the others still give can only help.
    static constexpr int GIVEN = -2;
    bool cashes(int who, int card, int low, int need, int n, Cards& win) {
        win = bit(card);
        const int wanted = (even(who) ? need : n - need + 1) - 1;
        if (wanted <= 0) return true;
        const Cards own = hand_[who] & bit(card), mates = low < 0 ? 0 : bit(low);
        hand_[who] ^= own;
        hand_[who ^ 2] ^= mates;
        const Sure sure = quick(who, n - 1, wanted, low == NONE);
        hand_[who] ^= own;
        hand_[who ^ 2] ^= mates;
        win |= sure.win;
        return sure.tricks >= wanted;
    }

    // Whether the answer can be counted out in the middle of a trick, where `seat` is to play: somebody wins it
    // whatever the others do, and cashes enough.
    template <int PLY>
    bool certain(int seat, int led, int best, int winner, int need, int n, Cards& win, bool& result) {
        const Cards in = lane(led), same = hand_[seat] & in, next = hand_[(seat + 1) & 3] & in;
        const int mate = seat ^ 2, bar = next ? std::max(best, highest(next)) : best;
        const auto above = [](Cards cards, int card) { return cards && highest(cards) > card; };
        const auto duck = [](Cards cards, int card) { return !cards || lowest(cards) < card; };
        const auto least = [](Cards cards) { return cards ? lowest(cards) : NONE; };
        result = even(seat);
        if constexpr (PLY == 1) {
            const Cards last = hand_[mate] & in;
            if (above(same, bar) && duck(last, highest(same)) && cashes(seat, highest(same), least(last), need, n, win))
                return true;
            return above(last, bar) && duck(same, highest(last)) &&
                   cashes(mate, highest(last), least(same), need, n, win);
        } else {
            static_assert(PLY == 2);
            if (above(same, bar) && cashes(seat, highest(same), GIVEN, need, n, win)) return true;
            if (bar != best) return false;
            if (winner == mate) return duck(same, best) && cashes(mate, best, least(same), need, n, win);
            result = !result;
            return !above(same, best) && cashes(winner, best, least(next), need, n, win);
        }
    }

    // Whether the answer can be counted out without a search.
    bool counted(int leader, int need, int n, Cards& win, bool& result) const {
        bool leads = even(leader);
        int enough = leads ? need : n - need + 1, theirs = n + 1 - enough;
        Sure sure = quick(leader, n, enough, false);
        if (sure.tricks >= enough) {
            win = sure.win;
            result = leads;
            return true;
        }
        const Sure late = guarded(leader, n);
        if (late.tricks < theirs) return false;
        win = late.win;
        result = !leads;
        return true;
    }
};

}  // namespace nousu::NOUSU_ISA
