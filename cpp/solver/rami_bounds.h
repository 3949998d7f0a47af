// Bounds of rami by counting tricks, without a search, and the cards on whose ranks the count depends.
#pragma once
#include "solver/no_trump_position.h"

namespace nousu::NOUSU_ISA {

class RamiBounds : public NoTrumpPosition {
protected:
    struct SureTricks {
        int tricks;
        Cards decisive;
    };

    // The k-th highest card.
    static int nth_highest(Cards cards, int k) {
        for (int i = 1; i < k; ++i) cards ^= bit(highest(cards));
        return highest(cards);
    }

    // How many of the `most` highest cards of `mine` win although the partner must follow with its lowest.
    static int wins_over_partner(Cards mine, Cards theirs, int most) {
        int r = 0;
        while (r < most && (!theirs || lowest(theirs) < highest(mine))) {
            mine ^= bit(highest(mine));
            theirs &= theirs - 1;
            ++r;
        }
        return r;
    }

    // Only as many tricks as needed, so that as few ranks as possible matter.
    SureTricks trim(int seat, int* cashed, int* by_rank, int spare, int enough) const {
        SureTricks result{enough, 0};
        while (spare) {  // give up the suit first that depends on most ranks
            int worst = NONE, most = 0;
            for (int suit = 0; suit < SUITS; ++suit) {
                if (!by_rank[suit] || by_rank[suit] < cashed[suit]) continue;
                int low = nth_highest(hand_[seat] & lane(suit), by_rank[suit]);
                int ranks = count(cards_left() & lane(suit) & ~(bit(low) - 1));
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
            result.decisive |= bit(nth_highest(hand_[seat] & lane(suit), by_rank[suit]));
        }
        return result;
    }

    // Tricks that the side of `seat`, on lead, can cash at once; the count stops at `enough`. `alone`: the partner's
    // tricks do not count.
    SureTricks cashable_tricks(int seat, int n, int enough, bool alone) const {
        int partner = seat ^ 2;
        Cards foe_a = hand_[seat ^ 1], foe_b = hand_[seat ^ 3];
        Cards foes = foe_a | foe_b;
        // Only suits of which the side holds the highest card count, each as often as its longer hand allows.
        const Cards ours = alone ? hand_[seat] : hand_[seat] | hand_[partner];
        int most = 0;
        for (int suit = 0; suit < SUITS; ++suit)
            if ((ours & lane(suit)) > (foes & lane(suit)))
                most += alone ? length(seat, suit) : std::max(length(seat, suit), length(partner, suit));
        if (most < enough) return {0, 0};
        SureTricks result{0, 0};
        int cashed[SUITS], by_rank[SUITS] = {0, 0, 0, 0};
        int finish = 0;  // the last suit may pass the lead to the partner, which does no harm while both can follow
        bool blocked[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            Cards l = hand_[seat] & lane(suit);
            cashed[suit] = 0;
            blocked[suit] = false;
            if (!l) continue;
            Cards o = foes & lane(suit), p = hand_[partner] & lane(suit);
            int length = count(l);
            int winners, ranked;
            if (!o) {
                winners = length;
                ranked = 0;
                if (p) {  // the lead stays while the partner can play lower
                    winners = ranked = wins_over_partner(l, p, length);
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
                    int r = wins_over_partner(over, p, winners);
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
            result.tricks += winners;
        }
        if (result.tricks + finish >= enough && result.tricks < enough) {
            enough = result.tricks;
            SureTricks own = trim(seat, cashed, by_rank, 0, enough);
            return {own.tricks + finish, own.decisive};
        }
        if (result.tricks >= enough) return trim(seat, cashed, by_rank, result.tricks - enough, enough);
        for (int suit = 0; suit < SUITS; ++suit)
            if (by_rank[suit]) result.decisive |= bit(nth_highest(hand_[seat] & lane(suit), by_rank[suit]));
        if (alone) return result;
        // Cross to the partner in a suit that allows it, and add its winners.
        int crossing = NONE;
        int partner_tricks[SUITS];
        for (int suit = 0; suit < SUITS; ++suit) {
            partner_tricks[suit] = 0;
            Cards p = hand_[partner] & lane(suit);
            if (!p) continue;
            if (blocked[suit]) {  // the partner is left with cards above the leader's winners: it overtakes
                partner_tricks[suit] = count(p) - cashed[suit];
                crossing = suit;
                continue;
            }
            Cards o = foes & lane(suit), l = hand_[seat] & lane(suit);
            int left = count(p) - cashed[suit];
            if (left <= 0) continue;
            if (!o) {
                if (count(l) > cashed[suit]) continue;
                partner_tricks[suit] = left;  // the lead does not cross in this suit, but the partner's long cards win
                continue;
            }
            Cards over = p & ~((Cards{2} << highest(o)) - 1);
            int winners = std::min(count(over), left);
            if (!winners) continue;
            if (winners < left) {
                int longest = std::max(count(foe_a & lane(suit)), count(foe_b & lane(suit)));
                if (cashed[suit] + winners >= longest && cashed[suit] + winners >= count(l)) winners = left;
            }
            partner_tricks[suit] = winners;
            if (count(l) > cashed[suit]) crossing = suit;
        }
        if (crossing == NONE) {
            result.tricks = std::min(result.tricks, n);
            return result;
        }
        auto add = [&](int suit) {
            Cards p = hand_[partner] & lane(suit), o = foes & lane(suit);
            if (o) {
                Cards over = p & ~((Cards{2} << highest(o)) - 1);
                result.decisive |= bit(nth_highest(over, std::min(count(over), partner_tricks[suit])));
            } else if (blocked[suit]) {  // no other hand has the suit, but the partner must be the one to win the trick
                result.decisive |= bit(nth_highest(p, partner_tricks[suit]));
            }
            result.tricks += partner_tricks[suit];
        };
        add(crossing);
        for (int suit = 0; suit < SUITS && result.tricks < enough; ++suit)
            if (suit != crossing && partner_tricks[suit]) add(suit);
        result.tricks = std::min(result.tricks, n);
        return result;
    }

    // Tricks that the defending side is sure of. Until a defender gets in, the leading side wins every trick. In a suit
    // with a guarded stopper of a defender it can do so only as often as it holds cards above the stopper, and once
    // more for every lead through that defender towards such a card; in other suits as often as its longer hand allows.
    // If both defenders have room to keep their top cards and stoppers that long, one of them gets in, cashes its top
    // cards and, with a card to cross in, its partner's. It may get in with a card that is no top card, which is a
    // trick too. For a single trick one top card in each of their suits is enough.
    SureTricks defence_tricks(int leader, int n) const {
        const int foe[2] = {leader ^ 1, leader ^ 3};
        const Cards attack = hand_[leader] | hand_[leader ^ 2];
        const Cards all = attack | hand_[foe[0]] | hand_[foe[1]];
        int tops[2] = {0, 0}, suits[2] = {0, 0};   // top cards, and suits with top cards
        int kept[2] = {0, 0}, others[2] = {0, 0};  // others: rounds in suits that the defender does not guard
        bool link[2] = {false, false};
        Cards decisive = 0, single = 0;  // decisive cards for many tricks, and for one
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
                    decisive |= stopper;
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
                decisive |= bit(lowest(over));
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
        return {std::min(first, second), decisive};
    }

    // Whether the side of `winner` gets all tricks it wants when `winner` takes this trick with `card` (perhaps on the
    // table) and leads on. `low`: the card its partner gives to the trick; GIVEN if the partner has played; NONE if the
    // discard is unknown, and then only tricks of `winner` itself count. Cards that the others still play can only
    // help.
    static constexpr int GIVEN = -2;
    bool cashes_enough(int winner, int card, int low, int need, int n, Cards& decisive) {
        decisive = bit(card);
        const int wanted = (is_north_south(winner) ? need : n - need + 1) - 1;
        if (wanted <= 0) return true;
        const Cards own_card = hand_[winner] & bit(card), partner_card = low < 0 ? 0 : bit(low);
        hand_[winner] ^= own_card;
        hand_[winner ^ 2] ^= partner_card;
        const SureTricks sure = cashable_tricks(winner, n - 1, wanted, low == NONE);
        hand_[winner] ^= own_card;
        hand_[winner ^ 2] ^= partner_card;
        decisive |= sure.decisive;
        return sure.tricks >= wanted;
    }

    // Whether counting gives the answer in the middle of a trick with `seat` to play: some seat wins the trick in any
    // case and cashes enough.
    template <int PLY>
    bool is_certain(int seat, int led, int best, int winner, int need, int n, Cards& decisive, bool& result) {
        const Cards in = lane(led), same = hand_[seat] & in, next = hand_[(seat + 1) & 3] & in;
        const int partner = seat ^ 2, bar = next ? std::max(best, highest(next)) : best;
        const auto above = [](Cards cards, int card) { return cards && highest(cards) > card; };
        const auto duck = [](Cards cards, int card) { return !cards || lowest(cards) < card; };
        const auto least = [](Cards cards) { return cards ? lowest(cards) : NONE; };
        result = is_north_south(seat);
        if constexpr (PLY == 1) {
            const Cards last = hand_[partner] & in;
            if (above(same, bar) && duck(last, highest(same)) &&
                cashes_enough(seat, highest(same), least(last), need, n, decisive))
                return true;
            return above(last, bar) && duck(same, highest(last)) &&
                   cashes_enough(partner, highest(last), least(same), need, n, decisive);
        } else {
            static_assert(PLY == 2);
            if (above(same, bar) && cashes_enough(seat, highest(same), GIVEN, need, n, decisive)) return true;
            if (bar != best) return false;
            if (winner == partner)
                return duck(same, best) && cashes_enough(partner, best, least(same), need, n, decisive);
            result = !result;
            return !above(same, best) && cashes_enough(winner, best, least(next), need, n, decisive);
        }
    }

    // Whether counting gives the answer without a search.
    bool is_counted_out(int leader, int need, int n, Cards& decisive, bool& result) const {
        bool leads = is_north_south(leader);
        int enough = leads ? need : n - need + 1, theirs = n + 1 - enough;
        SureTricks sure = cashable_tricks(leader, n, enough, false);
        if (sure.tricks >= enough) {
            decisive = sure.decisive;
            result = leads;
            return true;
        }
        const SureTricks late = defence_tricks(leader, n);
        if (late.tricks < theirs) return false;
        decisive = late.decisive;
        result = !leads;
        return true;
    }
};

}  // namespace nousu::NOUSU_ISA
