// The nets of src/nousu/players/whist/policy.py: a rating of each card by what its seat knows. The same integers as in
// Python, card for card (tests/players/test_policy_whist.py).
#pragma once
#include "playouts/nets.h"

namespace nousu::NOUSU_ISA {

// Input of a decision: what all seats know, and the hand of the seat to play.
struct WhistDecision {
    Cards hand, unseen;
    int voids[4];  // per seat: suits, one bit each
    int led[4];    // per suit: the seats that led it in finished tricks, one bit each; in a sooli as in SoloistCards
    int won[2];    // tricks of the own side and of the opponents
    int turn, bidder;
    int trick_size;       // cards on the table
    int best, best_seat;  // the winning card so far, and its seat
    int led_suit;
    bool nolo;
    int soloist;
    int waiting;  // in a sooli: the seats that play to this trick later, one bit each
};

// The cards of a suit that the soloist has played in finished tricks: the last to a lead of that suit with the card
// that won the trick, and whether one was discarded.
struct SoloistCards {
    static constexpr int PLAYED = 1 << 12, DISCARDED = 1 << 13;
    static int played(int rank, int winning_rank) { return PLAYED | rank | winning_rank << 4; }
    static int shown(int cards, unsigned unseen) {
        if (!(cards & PLAYED)) return 0;
        const int rank = cards & 15, won = cards >> 4 & 15;
        const int below = std::popcount(unseen & ((1u << rank) - 1));
        const int between = std::popcount(unseen >> rank & ((1u << (won - rank)) - 1));
        return 1 + 3 * std::min(below, 4) + std::min(between, 2);
    }
};

class WhistPolicy {
public:
    struct Layout {
        static constexpr int SHARED = 11, OWN = 18, SITUATIONS = 11;
        static constexpr int SIZES[SHARED + OWN] = {14, 8, 8, 5, 8, 8, 7, 6,  8,  10, 4, 8, 13, 9, 11,
                                                    6,  6, 5, 6, 8, 4, 8, 16, 13, 7,  7, 4, 7,  8};
    };
    static_assert(NetInput<Layout>::WEIGHTS == WhistRequest::POLICY, "the size that the binding asks for");

    explicit WhistPolicy(const std::int16_t* weights) : weights_(weights) {}

    // Rate every card of `legal` in ascending order: visit(card, rating).
    template <class Visit>
    void rate(const WhistDecision& decision, Cards legal, const Visit& visit) const {
        if (decision.soloist == NONE)
            rate_cards<false>(decision, legal, visit);
        else
            rate_cards<true>(decision, legal, visit);
    }

private:
    template <bool SOOLI, class Visit>
    void rate_cards(const WhistDecision& decision, Cards legal, const Visit& visit) const {
        SuitView suits[4];
        int lengths[4], masters = 0, exits = 0, empty = 0;
        for (int suit = 0; suit < 4; ++suit) {
            SuitView& s = suits[suit] = {static_cast<unsigned>(decision.hand >> 16 * suit & LANE),
                                         static_cast<unsigned>(decision.unseen >> 16 * suit & LANE)};
            lengths[suit] = s.length(), masters += s.masters(), exits += s.exits(), empty += !s.held;
        }
        const bool leads = !decision.trick_size, follows = !leads && suit_of(lowest(legal)) == decision.led_suit;
        const int kind = !SOOLI ? 3 * decision.nolo : decision.soloist == decision.turn ? 5 : 8;
        const int situation = kind + (leads ? 0 : follows ? 1 : 2);
        const int left = count(decision.hand), best_rank = decision.best & 15;
        const Seats seats = SOOLI ? sooli_seats(decision, suits) : common_seats(decision);
        const int main = SOOLI ? decision.soloist : decision.bidder;

        NetInput<Layout> shared(weights_, situation);
        shared.add(left);
        shared.add(seats.needs[0]);
        shared.add(seats.needs[1]);
        shared.add(main == NONE ? 0 : 1 + ((main - decision.turn) & 3));
        shared.add(clip(masters, 7));
        shared.add(clip(exits, 7));
        shared.add(leads ? 0 : 2 * decision.trick_size - 1 + is_friend<SOOLI>(decision, decision.best_seat));
        shared.add(leads ? 0 : 1 + clip(suits[decision.led_suit].above(best_rank), 4));
        shared.add(leads ? 0 : seats.dry);
        shared.add(leads ? 0 : 1 + clip(std::popcount(suits[decision.led_suit].unseen), 8));
        shared.add(clip(empty, 3));

        for (Cards rest = legal; rest; rest &= rest - 1) {
            const int card = lowest(rest), suit = suit_of(card), rank = card & 15;
            const SuitView s = suits[suit];
            const unsigned higher = s.held >> (rank + 1) << (rank + 1), lower = s.held & ((1u << rank) - 1);
            const unsigned kept = s.held & ~(1u << rank);
            const int above = s.above(rank);
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
            own.add(seats.voids[suit]);
            own.add(seats.led[suit]);
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

    // Features that are counted otherwise in a sooli.
    struct Seats {
        int voids[4], led[4], needs[2], dry;
    };

    template <bool SOOLI>
    static bool is_friend(const WhistDecision& decision, int seat) {
        if (SOOLI && decision.soloist == decision.turn) return seat == decision.turn;
        return !((seat ^ decision.turn) & 1);  // hunters sit opposite each other
    }

    static Seats common_seats(const WhistDecision& decision) {
        Seats seats;
        for (int suit = 0; suit < 4; ++suit) {
            seats.voids[suit] = 0;
            for (int step = 1; step < 4; ++step)
                seats.voids[suit] |= (decision.voids[(decision.turn + step) & 3] >> suit & 1) << (step - 1);
            seats.led[suit] = (decision.led[suit] >> decision.turn | decision.led[suit] << (4 - decision.turn)) & 15;
        }
        for (const int side : {0, 1}) seats.needs[side] = clip(7 - decision.won[side], 7);
        seats.dry = seats.voids[decision.led_suit] & ((1 << (3 - decision.trick_size)) - 1);
        return seats;
    }

    static Seats sooli_seats(const WhistDecision& decision, const SuitView* suits) {
        const bool alone = decision.turn == decision.soloist;
        const int first = alone ? (decision.turn + 1) & 3 : decision.soloist;
        const int second = alone ? (decision.turn + 3) & 3 : (decision.turn + 2) & 3;
        const int out[2] = {decision.voids[first], decision.voids[second]};
        Seats seats{};
        int weak = 0;
        for (int suit = 0; suit < 4; ++suit) {
            const int cards = decision.led[suit];
            seats.voids[suit] = (out[0] >> suit & 1) | (out[1] >> suit & 1) << 1;
            if (cards & SoloistCards::DISCARDED) seats.voids[suit] |= 4;
            seats.led[suit] = SoloistCards::shown(cards, suits[suit].unseen);
            weak += suits[suit].held && !suits[suit].exits();
        }
        seats.needs[0] = std::min(std::popcount(static_cast<unsigned>(out[0])), 3) + 4 * (out[1] != 0);
        seats.needs[1] = weak;
        if (decision.trick_size) {
            const int waits[2] = {decision.waiting >> first & 1, decision.waiting >> second & 1};
            const int led = decision.led_suit;
            seats.dry = (waits[0] & out[0] >> led) | (waits[1] & out[1] >> led) << 1 | waits[0] << 2;
        }
        return seats;
    }

    const std::int16_t* weights_;
};

}  // namespace nousu::NOUSU_ISA
