// The nets of src/nousu/players/whist/policy.py: a rating of each card of a rami or a nolo by what its seat knows. The
// same integers as in Python, card for card (tests/players/test_policy_whist.py).
#pragma once
#include "playouts/nets.h"

namespace nousu::NOUSU_ISA {

// Input of a decision: what all seats know, and the hand of the seat to play.
struct WhistDecision {
    Cards hand, unseen;
    int voids[4];  // per seat: suits, one bit each
    int led[4];    // per suit: the seats that led it in finished tricks, one bit each
    int won[2];    // tricks of the own side and of the opponents
    int turn, bidder;
    int trick_size;       // cards on the table
    int best, best_seat;  // the winning card so far, and its seat
    int led_suit;
    bool nolo;
};

class WhistPolicy {
public:
    struct Layout {
        static constexpr int SHARED = 11, OWN = 18, SITUATIONS = 6;
        static constexpr int SIZES[SHARED + OWN] = {14, 8, 8, 5, 8, 8, 7, 6,  8,  10, 4, 8, 13, 9, 11,
                                                    6,  6, 5, 6, 8, 4, 8, 16, 13, 7,  7, 4, 7,  8};
    };
    static_assert(NetInput<Layout>::WEIGHTS == WhistRequest::POLICY, "the size that the binding asks for");

    explicit WhistPolicy(const std::int16_t* weights) : weights_(weights) {}

    // Rate every card of `legal` in ascending order: visit(card, rating).
    template <class Visit>
    void rate(const WhistDecision& decision, Cards legal, const Visit& visit) const {
        SuitView suits[4];
        int lengths[4], voids[4], masters = 0, exits = 0, empty = 0;
        for (int suit = 0; suit < 4; ++suit) {
            SuitView& s = suits[suit] = {static_cast<unsigned>(decision.hand >> 16 * suit & LANE),
                                         static_cast<unsigned>(decision.unseen >> 16 * suit & LANE)};
            lengths[suit] = s.length(), masters += s.masters(), exits += s.exits(), empty += !s.held;
            voids[suit] = 0;
            for (int step = 1; step < 4; ++step)
                voids[suit] |= (decision.voids[(decision.turn + step) & 3] >> suit & 1) << (step - 1);
        }
        const bool leads = !decision.trick_size, follows = !leads && suit_of(lowest(legal)) == decision.led_suit;
        const int situation = 3 * decision.nolo + (leads ? 0 : follows ? 1 : 2);
        const int left = count(decision.hand), best_rank = decision.best & 15;

        NetInput<Layout> shared(weights_, situation);
        shared.add(left);
        shared.add(clip(7 - decision.won[0], 7));
        shared.add(clip(7 - decision.won[1], 7));
        shared.add(decision.bidder == NONE ? 0 : 1 + ((decision.bidder - decision.turn) & 3));
        shared.add(clip(masters, 7));
        shared.add(clip(exits, 7));
        shared.add(leads ? 0 : 2 * decision.trick_size - 1 + !((decision.best_seat ^ decision.turn) & 1));
        shared.add(leads ? 0 : 1 + clip(suits[decision.led_suit].above(best_rank), 4));
        shared.add(leads ? 0 : voids[decision.led_suit] & ((1 << (3 - decision.trick_size)) - 1));
        shared.add(leads ? 0 : 1 + clip(std::popcount(suits[decision.led_suit].unseen), 8));
        shared.add(clip(empty, 3));

        for (Cards rest = legal; rest; rest &= rest - 1) {
            const int card = lowest(rest), suit = suit_of(card), rank = card & 15;
            const SuitView s = suits[suit];
            const unsigned higher = s.held >> (rank + 1) << (rank + 1), lower = s.held & ((1u << rank) - 1);
            const unsigned kept = s.held & ~(1u << rank);
            const int above = s.above(rank),
                      led_by = decision.led[suit] >> decision.turn | decision.led[suit] << (4 - decision.turn);
            int beating = leads ? 0 : 1, gap = 0;
            if (follows && rank < best_rank) {
                beating = (s.held & ((1u << best_rank) - 1)) >> (rank + 1) ? 3 : 2;
            } else if (follows) {
                beating = !(lower >> best_rank) ? 4 : !higher ? 5 : 6;
                gap = 1 + clip(s.above(best_rank) - above, 5);
            }
            NetInput<Layout> own = shared;
            own.add(clip(lengths[suit] - 1, 7));
            own.add(clip(std::popcount(s.unseen), 12));
            own.add(clip(above, 8));
            own.add(clip(s.below(rank), 10));
            own.add(clip(std::popcount(higher), 5));
            own.add(clip(std::popcount(lower), 5));
            own.add(clip(s.masters(), 4));
            own.add(clip(s.above(s.top()), 5));
            own.add(clip(s.below(s.bottom()), 7));
            own.add(s.touching(rank));
            own.add(voids[suit]);
            own.add(led_by & 15);
            own.add(rank);
            own.add(beating);
            own.add(gap);
            own.add((lengths[0] > lengths[suit]) + (lengths[1] > lengths[suit]) + (lengths[2] > lengths[suit]) +
                    (lengths[3] > lengths[suit]));
            own.add(kept ? 1 + clip(s.above(31 - std::countl_zero(kept)), 5) : 0);
            own.add(kept ? 1 + clip(s.below(std::countr_zero(kept)), 6) : 0);
            visit(card, own.rating());
        }
    }

private:
    const std::int16_t* weights_;
};

}  // namespace nousu::NOUSU_ISA
