// The nets of src/nousu/players/huutopussi/policy.py: a rating of each card by what its seat knows. The same integers
// as in Python, card for card (tests/players/test_policy_huutopussi.py).
#pragma once
#include "playouts/nets.h"

namespace nousu::NOUSU_ISA {

// Strength of a rank from the two to the ace: 6 7 8 9 J Q K 10 A.
constexpr std::int8_t HUUTOPUSSI_STRENGTH[16] = {0, 0, 0, 0, 0, 1, 2, 3, 7, 4, 5, 6, 8};

// Input of a decision: what the seat to act knows. Cards are numbered by rank, as in Python.
struct HuutopussiDecision {
    Cards hand, unseen;
    Cards possible[4], known[4];  // per seat: cards that it may hold, and that it is known to hold
    int led[4];                   // per suit: the seats that led it in finished tricks, one bit each
    int turn, declarer;
    int needed;           // points that the declarer's side still needs for the contract
    int points_left;      // points not won yet
    int trick_points;     // points on the table
    int trump;            // the suit, or NONE
    int declared;         // suits of declared marriages, one bit each
    int own, full;        // seats that may still declare from hand, and ask for a whole marriage, one bit each
    int trick_size;       // cards on the table
    int best, best_seat;  // the winning card so far, and its seat
    int led_suit;
    bool may_beat;        // whether the legal cards beat the best one
    const int* marriage;  // points by suit
};

class HuutopussiPolicy {
public:
    struct Layout {
        static constexpr int SHARED = 18, OWN = 21, SITUATIONS = 5;
        static constexpr int SIZES[SHARED + OWN] = {9, 5, 18, 12, 7, 9, 5, 5, 3,  7, 7,  6, 9, 8, 8, 10, 5, 8, 9, 7,
                                                    9, 7, 5,  5,  4, 6, 4, 8, 16, 3, 12, 5, 4, 7, 4, 7,  8, 8, 4};
    };
    static_assert(NetInput<Layout>::WEIGHTS == HuutopussiRequest::POLICY, "the size that the binding asks for");

    explicit HuutopussiPolicy(const std::int16_t* weights) : weights_(weights) {}

    // Rate every card of `legal` in ascending order: visit(card, rating).
    template <class Visit>
    void rate(const HuutopussiDecision& decision, Cards legal, const Visit& visit) const {
        const int me = decision.turn, mate = me ^ 2, waiting = 3 - decision.trick_size;
        const bool leads = !decision.trick_size, trumps = decision.trump != NONE;
        const auto seat_bits =
            [&](int seats) {  // of these seats: bit 0 the next one, bit 1 the partner, bit 2 the last
                return (seats >> ((me + 1) & 3) & 1) | (seats >> mate & 1) << 1 | (seats >> ((me + 3) & 3) & 1) << 2;
            };
        SuitView suits[4];
        int voids[4], marriage[4], worth[4], lengths[4], masters = 0, pair = 0, half = 0, askable = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            const SuitView& s = suits[suit] = {by_strength(decision.hand, suit), by_strength(decision.unseen, suit)};
            lengths[suit] = s.length(), masters += s.masters();
            int void_seats = 0;
            for (int seat = 0; seat < 4; ++seat) void_seats |= !(decision.possible[seat] & lane(suit)) << seat;
            voids[suit] = seat_bits(void_seats);
            marriage[suit] = marriage_state(decision, suit);
            worth[suit] = decision.marriage[suit] / 20 - 1;
            if (marriage[suit] == MINE) pair = std::max(pair, worth[suit]);
            if (marriage[suit] == HALF_KNOWN || marriage[suit] == HALF_POSSIBLE) half = std::max(half, worth[suit]);
            askable += marriage[suit] == UNSEEN && !(royal(suit) & ~decision.possible[mate]);
        }
        const int best_rank = HUUTOPUSSI_STRENGTH[decision.best & 15], best_suit = suit_of(decision.best);
        const int first = suit_of(lowest(legal));
        const int situation = leads                                                   ? trumps
                              : decision.may_beat                                     ? 2
                              : first == decision.led_suit || first == decision.trump ? 3
                                                                                      : 4;

        NetInput<Layout> shared(weights_, situation);
        shared.add(count(decision.hand) - 1);
        shared.add(decision.declarer == NONE ? 0 : 1 + ((decision.declarer - me) & 3));
        shared.add(decision.needed <= 0 ? 0 : clip((decision.needed + 9) / 10, 17));
        shared.add(clip(decision.points_left / 15, 11));
        shared.add(trumps ? 1 + clip(lengths[decision.trump], 5) : 0);
        shared.add(trumps ? clip(std::popcount(suits[decision.trump].unseen), 8) : 0);
        shared.add(decision.own >> me & 1 ? pair : 0);
        shared.add(half);
        shared.add(decision.full >> me & 1 ? clip(askable, 2) : 0);
        shared.add(clip(masters, 6));
        shared.add(leads ? 0 : 2 * decision.trick_size - 1 + !((decision.best_seat ^ me) & 1));
        shared.add(leads ? 0 : 1 + clip(suits[best_suit].above(best_rank), 4));
        shared.add(leads ? 0 : 1 + clip(decision.trick_points / 5, 7));
        shared.add(leads ? 0 : voids[decision.led_suit] & ((1 << waiting) - 1));
        shared.add(trumps ? voids[decision.trump] : 0);
        shared.add(leads ? 0 : 1 + clip(std::popcount(suits[decision.led_suit].unseen), 8));
        shared.add(std::popcount(static_cast<unsigned>(decision.declared)));
        shared.add(seat_bits(decision.own));

        for (Cards rest = legal; rest; rest &= rest - 1) {
            const int card = lowest(rest), suit = suit_of(card), rank = HUUTOPUSSI_STRENGTH[card & 15];
            const int led = leads ? suit : decision.led_suit,
                      led_by = decision.led[suit] >> me | decision.led[suit] << (4 - me);
            const SuitView s = suits[suit];
            const unsigned higher = s.held >> (rank + 1), lower = s.held & ((1u << rank) - 1);
            const unsigned kept = s.held & ~(1u << rank), legal_ranks = by_strength(legal, suit);
            const bool risky = trumps && suit != decision.trump && led != decision.trump;
            int may_overtake = 0, may_ruff = 0;
            for (int step = 1; step <= waiting; ++step) {
                const int seat = (me + step) & 3;
                may_overtake |= (by_strength(decision.possible[seat], suit) >> rank != 0) << (step - 1);
                if (risky && decision.possible[seat] & lane(decision.trump) && !(decision.known[seat] & lane(led)))
                    may_ruff |= 1 << (step - 1);
            }
            const unsigned partners = by_strength(decision.known[mate], suit);
            NetInput<Layout> own = shared;
            own.add(rank);
            own.add(clip(lengths[suit] - 1, 6));
            own.add(clip(std::popcount(s.unseen), 8));
            own.add(clip(s.above(rank), 6));
            own.add(clip(std::popcount(higher), 4));
            own.add(clip(std::popcount(lower), 4));
            own.add(clip(s.masters(), 3));
            own.add(clip(s.above(s.top()), 5));
            own.add(s.touching(rank));
            own.add(voids[suit]);
            own.add(led_by & 15);
            own.add(!trumps ? 0 : suit == decision.trump ? 1 : 2);
            own.add(marriage[suit] + 6 * (marriage[suit] && bit(card) & royal(suit)));
            own.add(marriage[suit] ? worth[suit] : 0);
            own.add(!(legal_ranks & ((1u << rank) - 1)) + 2 * !(legal_ranks >> (rank + 1)));
            own.add(!leads && suit == best_suit && rank > best_rank ? 1 + clip(s.above(best_rank) - s.above(rank), 5)
                                                                    : 0);
            own.add((lengths[0] > lengths[suit]) + (lengths[1] > lengths[suit]) + (lengths[2] > lengths[suit]) +
                    (lengths[3] > lengths[suit]));
            own.add(kept ? 1 + clip(s.above(31 - std::countl_zero(kept)), 5) : 0);
            own.add(may_overtake);
            own.add(may_ruff);
            own.add(!partners ? 0 : !(partners >> rank) ? 1 : (s.unseen & ~partners) > partners ? 2 : 3);
            visit(card, own.rating());
        }
    }

private:
    // The marriage of a suit: GONE; MINE in the own hand; a half in the own hand, the other half known to be, possibly
    // or not with the partner; UNSEEN entirely.
    enum Marriage { GONE, MINE, HALF_KNOWN, HALF_POSSIBLE, HALF_ELSEWHERE, UNSEEN };

    static Cards royal(int suit) { return Cards{1 << 10 | 1 << 11} << 16 * suit; }

    static int marriage_state(const HuutopussiDecision& decision, int suit) {
        const Cards both = royal(suit), mine = decision.hand & both, unseen = decision.unseen & both;
        if ((mine | unseen) != both || decision.declared >> suit & 1) return GONE;
        if (!mine || !unseen) return mine ? MINE : UNSEEN;
        const int mate = decision.turn ^ 2;
        return decision.known[mate] & unseen      ? HALF_KNOWN
               : decision.possible[mate] & unseen ? HALF_POSSIBLE
                                                  : HALF_ELSEWHERE;
    }

    // The cards of a suit as a set of strengths.
    static unsigned by_strength(Cards cards, int suit) {
        const unsigned ranks = static_cast<unsigned>(cards >> (16 * suit + 4)) & 0x1FF;
        return (ranks & 0x10F) | (ranks >> 1 & 0x70) | (ranks << 3 & 0x80);
    }

    const std::int16_t* weights_;
};

}  // namespace nousu::NOUSU_ISA
