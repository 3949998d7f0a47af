// The nets of src/nousu/players/whist/policy.py: how good each card of a rami or a nolo is for somebody who sees only
// their own cards. The same whole numbers card for card (tests/players/test_policy_whist.py).
#pragma once
#include "playouts/nets.h"

namespace nousu::NOUSU_ISA {

// A choice as everybody at the table sees it, and the hand of the seat on turn.
struct Due {
    Cards hand, unseen;
    int voids[4];  // for each seat: suits, one bit each
    int led[4];    // for each suit: the seats that led it in finished tricks, one bit each
    int won[2];    // tricks of the own side and of the other
    int turn, bidder;
    int on;             // cards in the trick
    int best, best_by;  // the one that wins it so far, and whose it is
    int led_suit;
    bool nolo;
};

class Policy {
public:
    struct Shape {
        static constexpr int SHARED = 11, OWN = 18, SITUATIONS = 6;
        static constexpr int SIZES[SHARED + OWN] = {14, 8, 8, 5, 8, 8, 7, 6,  8,  10, 4, 8, 13, 9, 11,
                                                    6,  6, 5, 6, 8, 4, 8, 16, 13, 7,  7, 4, 7,  8};
    };
    static_assert(Told<Shape>::WEIGHTS == Playouts::POLICY, "the size that the binding asks for");

    explicit Policy(const std::int16_t* weights) : weights_(weights) {}

    // Rates every card of `legal`, which are ascending: `rated(card, rating)`.
    template <class Rated>
    void rate(const Due& due, Cards legal, const Rated& rated) const {
        Suit suits[4];
        int lengths[4], voids[4], masters = 0, exits = 0, empty = 0;
        for (int suit = 0; suit < 4; ++suit) {
            Suit& s = suits[suit] = {static_cast<unsigned>(due.hand >> 16 * suit & LANE),
                                     static_cast<unsigned>(due.unseen >> 16 * suit & LANE)};
            lengths[suit] = s.length(), masters += s.masters(), exits += s.exits(), empty += !s.held;
            voids[suit] = 0;
            for (int step = 1; step < 4; ++step)
                voids[suit] |= (due.voids[(due.turn + step) & 3] >> suit & 1) << (step - 1);
        }
        const bool leads = !due.on, follows = !leads && suit_of(lowest(legal)) == due.led_suit;
        const int situation = 3 * due.nolo + (leads ? 0 : follows ? 1 : 2);
        const int left = count(due.hand), over = due.best & 15;

        Told<Shape> shared(weights_, situation);
        shared.tell(left);
        shared.tell(clipped(7 - due.won[0], 7));
        shared.tell(clipped(7 - due.won[1], 7));
        shared.tell(due.bidder == NONE ? 0 : 1 + ((due.bidder - due.turn) & 3));
        shared.tell(clipped(masters, 7));
        shared.tell(clipped(exits, 7));
        shared.tell(leads ? 0 : 2 * due.on - 1 + !((due.best_by ^ due.turn) & 1));
        shared.tell(leads ? 0 : 1 + clipped(suits[due.led_suit].above(over), 4));
        shared.tell(leads ? 0 : voids[due.led_suit] & ((1 << (3 - due.on)) - 1));
        shared.tell(leads ? 0 : 1 + clipped(std::popcount(suits[due.led_suit].unseen), 8));
        shared.tell(clipped(empty, 3));

        for (Cards rest = legal; rest; rest &= rest - 1) {
            const int card = lowest(rest), suit = suit_of(card), rank = card & 15;
            const Suit s = suits[suit];
            const unsigned higher = s.held >> (rank + 1) << (rank + 1), lower = s.held & ((1u << rank) - 1);
            const unsigned kept = s.held & ~(1u << rank);
            const int above = s.above(rank), turned = due.led[suit] >> due.turn | due.led[suit] << (4 - due.turn);
            int beating = leads ? 0 : 1, gap = 0;
            if (follows && rank < over) {
                beating = (s.held & ((1u << over) - 1)) >> (rank + 1) ? 3 : 2;
            } else if (follows) {
                beating = !(lower >> over) ? 4 : !higher ? 5 : 6;
                gap = 1 + clipped(s.above(over) - above, 5);
            }
            Told<Shape> own = shared;
            own.tell(clipped(lengths[suit] - 1, 7));
            own.tell(clipped(std::popcount(s.unseen), 12));
            own.tell(clipped(above, 8));
            own.tell(clipped(s.below(rank), 10));
            own.tell(clipped(std::popcount(higher), 5));
            own.tell(clipped(std::popcount(lower), 5));
            own.tell(clipped(s.masters(), 4));
            own.tell(clipped(s.above(s.top()), 5));
            own.tell(clipped(s.below(s.bottom()), 7));
            own.tell(s.touching(rank));
            own.tell(voids[suit]);
            own.tell(turned & 15);
            own.tell(rank);
            own.tell(beating);
            own.tell(gap);
            own.tell((lengths[0] > lengths[suit]) + (lengths[1] > lengths[suit]) + (lengths[2] > lengths[suit]) +
                     (lengths[3] > lengths[suit]));
            own.tell(kept ? 1 + clipped(s.above(31 - std::countl_zero(kept)), 5) : 0);
            own.tell(kept ? 1 + clipped(s.below(std::countr_zero(kept)), 6) : 0);
            rated(card, own.rating());
        }
    }

private:
    const std::int16_t* weights_;
};

}  // namespace nousu::NOUSU_ISA
