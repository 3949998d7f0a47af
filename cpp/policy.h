// The nets of src/nousu/players/whist/policy.py: how good each card of a rami or a nolo is for somebody who sees only
// their own cards. The same whole numbers card for card (tests/players/test_policy_whist.py).
#pragma once
#include <algorithm>
#include <array>

#include "cards.h"
#include "core.h"

namespace nousu::NOUSU_ISA {

// What the seat on turn knows of one suit; sets of its ranks.
struct Suit {
    unsigned held, unseen;
    int above(int rank) const { return std::popcount(unseen >> rank); }
    int below(int rank) const { return std::popcount(unseen & ((1u << rank) - 1)); }
    int length() const { return std::popcount(held); }
    int top() const { return 31 - std::countl_zero(held); }
    int bottom() const { return std::countr_zero(held); }
    int masters() const { return std::popcount(unseen ? held >> (31 - std::countl_zero(unseen)) : held); }
    int exits() const { return unseen ? std::popcount(held & ((unseen & -unseen) - 1)) : 0; }
};

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
    static constexpr int HIDDEN = Playouts::HIDDEN, SHARED = 11, OWN = 18, SITUATIONS = 6;
    static constexpr int SIZES[SHARED + OWN] = {14, 8, 8, 5, 8, 8, 7, 6,  8,  10, 4, 8, 13, 9, 11,
                                                6,  6, 5, 6, 8, 4, 8, 16, 13, 7,  7, 4, 7,  8};
    static constexpr std::array<int, SHARED + OWN + 1> STARTS = [] {
        std::array<int, SHARED + OWN + 1> starts{};
        for (int i = 0; i < SHARED + OWN; ++i) starts[i + 1] = starts[i] + SIZES[i];
        return starts;
    }();
    static constexpr int INPUTS = STARTS[SHARED + OWN];
    static_assert(SITUATIONS * (INPUTS + 1) * HIDDEN == Playouts::POLICY, "the size that the binding asks for");

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
        const std::int16_t* net = weights_ + situation * (INPUTS + 1) * HIDDEN;
        const int left = count(due.hand), over = due.best & 15;

        std::int16_t shared[HIDDEN] = {};
        int at = 0;
        const auto tell = [&](std::int16_t* sums, int value) {
            const std::int16_t* row = net + (STARTS[at++] + value) * HIDDEN;
            for (int unit = 0; unit < HIDDEN; ++unit) sums[unit] = static_cast<std::int16_t>(sums[unit] + row[unit]);
        };
        tell(shared, left);
        tell(shared, most(7 - due.won[0], 7));
        tell(shared, most(7 - due.won[1], 7));
        tell(shared, due.bidder == NONE ? 0 : 1 + ((due.bidder - due.turn) & 3));
        tell(shared, most(masters, 7));
        tell(shared, most(exits, 7));
        tell(shared, leads ? 0 : 2 * due.on - 1 + !((due.best_by ^ due.turn) & 1));
        tell(shared, leads ? 0 : 1 + most(suits[due.led_suit].above(over), 4));
        tell(shared, leads ? 0 : voids[due.led_suit] & ((1 << (3 - due.on)) - 1));
        tell(shared, leads ? 0 : 1 + most(std::popcount(suits[due.led_suit].unseen), 8));
        tell(shared, most(empty, 3));

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
                gap = 1 + most(s.above(over) - above, 5);
            }
            std::int16_t sums[HIDDEN];
            std::copy(shared, shared + HIDDEN, sums);
            at = SHARED;
            tell(sums, most(lengths[suit] - 1, 7));
            tell(sums, most(std::popcount(s.unseen), 12));
            tell(sums, most(above, 8));
            tell(sums, most(s.below(rank), 10));
            tell(sums, most(std::popcount(higher), 5));
            tell(sums, most(std::popcount(lower), 5));
            tell(sums, most(s.masters(), 4));
            tell(sums, most(s.above(s.top()), 5));
            tell(sums, most(s.below(s.bottom()), 7));
            tell(sums, (lower && s.above(31 - std::countl_zero(lower)) == above) +
                           2 * (higher && s.above(std::countr_zero(higher)) == above));
            tell(sums, voids[suit]);
            tell(sums, turned & 15);
            tell(sums, rank);
            tell(sums, beating);
            tell(sums, gap);
            tell(sums, (lengths[0] > lengths[suit]) + (lengths[1] > lengths[suit]) + (lengths[2] > lengths[suit]) +
                           (lengths[3] > lengths[suit]));
            tell(sums, kept ? 1 + most(s.above(31 - std::countl_zero(kept)), 5) : 0);
            tell(sums, kept ? 1 + most(s.below(std::countr_zero(kept)), 6) : 0);
            const std::int16_t* out = net + INPUTS * HIDDEN;
            std::int32_t rating = 0;
            for (int unit = 0; unit < HIDDEN; ++unit) {
                const std::int16_t lit = std::max<std::int16_t>(sums[unit], 0);
                rating += std::int32_t{lit} * out[unit];
            }
            rated(card, rating);
        }
    }

private:
    static int most(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

    const std::int16_t* weights_;
};

}  // namespace nousu::NOUSU_ISA
