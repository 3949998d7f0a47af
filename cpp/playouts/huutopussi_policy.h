// The nets of src/nousu/players/huutopussi/policy.py: how good each card is for somebody who sees only their own. The
// same whole numbers card for card (tests/players/test_policy_huutopussi.py).
#pragma once
#include "playouts/nets.h"

namespace nousu::NOUSU_ISA {

// The strength of a rank from the two to the ace: 6 7 8 9 J Q K 10 A.
constexpr std::int8_t TEN_BELOW_ACE[16] = {0, 0, 0, 0, 0, 1, 2, 3, 7, 4, 5, 6, 8};

// A choice as the seat on turn knows it. Cards are numbered by rank, as in Python.
struct DueHuutopussi {
    Cards hand, unseen;
    Cards possible[4], known[4];  // for each seat: what it may hold, and what it is known to hold
    int led[4];                   // for each suit: the seats that led it in finished tricks, one bit each
    int turn, declarer;
    int needed;         // points that the declarer's side needs for the contract
    int lasting;        // points not taken yet
    int laid;           // points in the trick
    int trump;          // the suit, or NONE
    int declared;       // suits, one bit each
    int own, full;      // seats that may still declare from hand, and ask in full, one bit each
    int on;             // cards in the trick
    int best, best_by;  // the one that wins it so far, and whose it is
    int led_suit;
    bool beats;           // whether the cards that may be played do
    const int* marriage;  // points of each suit's
};

class PolicyHuutopussi {
public:
    struct Shape {
        static constexpr int SHARED = 18, OWN = 21, SITUATIONS = 5;
        static constexpr int SIZES[SHARED + OWN] = {9, 5, 18, 12, 7, 9, 5, 5, 3,  7, 7,  6, 9, 8, 8, 10, 5, 8, 9, 7,
                                                    9, 7, 5,  5,  4, 6, 4, 8, 16, 3, 12, 5, 4, 7, 4, 7,  8, 8, 4};
    };
    static_assert(Told<Shape>::WEIGHTS == PlayoutsHuutopussi::POLICY, "the size that the binding asks for");

    explicit PolicyHuutopussi(const std::int16_t* weights) : weights_(weights) {}

    // Rates every card of `legal`, the lowest number first: `rated(card, rating)`.
    template <class Rated>
    void rate(const DueHuutopussi& due, Cards legal, const Rated& rated) const {
        const int me = due.turn, mate = me ^ 2, waiting = 3 - due.on;
        const bool leads = !due.on, trumps = due.trump != NONE;
        const auto bits = [&](int seats) {  // the next seat, the partner, the last
            return (seats >> ((me + 1) & 3) & 1) | (seats >> mate & 1) << 1 | (seats >> ((me + 3) & 3) & 1) << 2;
        };
        Suit suits[4];
        int lacking[4], marriage[4], worth[4], lengths[4], masters = 0, pair = 0, half = 0, ask = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            const Suit& s = suits[suit] = {ordered(due.hand, suit), ordered(due.unseen, suit)};
            lengths[suit] = s.length(), masters += s.masters();
            int without = 0;
            for (int seat = 0; seat < 4; ++seat) without |= !(due.possible[seat] & lane(suit)) << seat;
            lacking[suit] = bits(without);
            marriage[suit] = state(due, suit);
            worth[suit] = due.marriage[suit] / 20 - 1;
            if (marriage[suit] == MINE) pair = std::max(pair, worth[suit]);
            if (marriage[suit] == HALF_KNOWN || marriage[suit] == HALF_POSSIBLE) half = std::max(half, worth[suit]);
            ask += marriage[suit] == UNSEEN && !(royal(suit) & ~due.possible[mate]);
        }
        const int over = TEN_BELOW_ACE[due.best & 15], best_suit = suit_of(due.best);
        const int first = suit_of(lowest(legal));
        const int situation = leads ? trumps : due.beats ? 2 : first == due.led_suit || first == due.trump ? 3 : 4;

        Told<Shape> shared(weights_, situation);
        shared.tell(count(due.hand) - 1);
        shared.tell(due.declarer == NONE ? 0 : 1 + ((due.declarer - me) & 3));
        shared.tell(due.needed <= 0 ? 0 : clipped((due.needed + 9) / 10, 17));
        shared.tell(clipped(due.lasting / 15, 11));
        shared.tell(trumps ? 1 + clipped(lengths[due.trump], 5) : 0);
        shared.tell(trumps ? clipped(std::popcount(suits[due.trump].unseen), 8) : 0);
        shared.tell(due.own >> me & 1 ? pair : 0);
        shared.tell(half);
        shared.tell(due.full >> me & 1 ? clipped(ask, 2) : 0);
        shared.tell(clipped(masters, 6));
        shared.tell(leads ? 0 : 2 * due.on - 1 + !((due.best_by ^ me) & 1));
        shared.tell(leads ? 0 : 1 + clipped(suits[best_suit].above(over), 4));
        shared.tell(leads ? 0 : 1 + clipped(due.laid / 5, 7));
        shared.tell(leads ? 0 : lacking[due.led_suit] & ((1 << waiting) - 1));
        shared.tell(trumps ? lacking[due.trump] : 0);
        shared.tell(leads ? 0 : 1 + clipped(std::popcount(suits[due.led_suit].unseen), 8));
        shared.tell(std::popcount(static_cast<unsigned>(due.declared)));
        shared.tell(bits(due.own));

        for (Cards rest = legal; rest; rest &= rest - 1) {
            const int card = lowest(rest), suit = suit_of(card), rank = TEN_BELOW_ACE[card & 15];
            const int led = leads ? suit : due.led_suit, turned = due.led[suit] >> me | due.led[suit] << (4 - me);
            const Suit s = suits[suit];
            const unsigned higher = s.held >> (rank + 1), lower = s.held & ((1u << rank) - 1);
            const unsigned kept = s.held & ~(1u << rank), may = ordered(legal, suit);
            const bool risky = trumps && suit != due.trump && led != due.trump;
            int beyond = 0, ruffed = 0;
            for (int step = 1; step <= waiting; ++step) {
                const int seat = (me + step) & 3;
                beyond |= (ordered(due.possible[seat], suit) >> rank != 0) << (step - 1);
                if (risky && due.possible[seat] & lane(due.trump) && !(due.known[seat] & lane(led)))
                    ruffed |= 1 << (step - 1);
            }
            const unsigned partners = ordered(due.known[mate], suit);
            Told<Shape> own = shared;
            own.tell(rank);
            own.tell(clipped(lengths[suit] - 1, 6));
            own.tell(clipped(std::popcount(s.unseen), 8));
            own.tell(clipped(s.above(rank), 6));
            own.tell(clipped(std::popcount(higher), 4));
            own.tell(clipped(std::popcount(lower), 4));
            own.tell(clipped(s.masters(), 3));
            own.tell(clipped(s.above(s.top()), 5));
            own.tell(s.touching(rank));
            own.tell(lacking[suit]);
            own.tell(turned & 15);
            own.tell(!trumps ? 0 : suit == due.trump ? 1 : 2);
            own.tell(marriage[suit] + 6 * (marriage[suit] && bit(card) & royal(suit)));
            own.tell(marriage[suit] ? worth[suit] : 0);
            own.tell(!(may & ((1u << rank) - 1)) + 2 * !(may >> (rank + 1)));
            own.tell(!leads && suit == best_suit && rank > over ? 1 + clipped(s.above(over) - s.above(rank), 5) : 0);
            own.tell((lengths[0] > lengths[suit]) + (lengths[1] > lengths[suit]) + (lengths[2] > lengths[suit]) +
                     (lengths[3] > lengths[suit]));
            own.tell(kept ? 1 + clipped(s.above(31 - std::countl_zero(kept)), 5) : 0);
            own.tell(beyond);
            own.tell(ruffed);
            own.tell(!partners ? 0 : !(partners >> rank) ? 1 : (s.unseen & ~partners) > partners ? 2 : 3);
            rated(card, own.rating());
        }
    }

private:
    // What has become of a suit's marriage: GONE, or the seat holds it, or half of it and the partner holds, may hold
    // or does not hold the other half; or nobody has shown any of it.
    enum Marriage { GONE, MINE, HALF_KNOWN, HALF_POSSIBLE, HALF_ELSEWHERE, UNSEEN };

    static Cards royal(int suit) { return Cards{1 << 10 | 1 << 11} << 16 * suit; }

    static int state(const DueHuutopussi& due, int suit) {
        const Cards both = royal(suit), mine = due.hand & both, out = due.unseen & both;
        if ((mine | out) != both || due.declared >> suit & 1) return GONE;
        if (!mine || !out) return mine ? MINE : UNSEEN;
        const int mate = due.turn ^ 2;
        return due.known[mate] & out ? HALF_KNOWN : due.possible[mate] & out ? HALF_POSSIBLE : HALF_ELSEWHERE;
    }

    // The cards of a suit as a set of ranks in order of strength.
    static unsigned ordered(Cards cards, int suit) {
        const unsigned ranks = static_cast<unsigned>(cards >> (16 * suit + 4)) & 0x1FF;
        return (ranks & 0x10F) | (ranks >> 1 & 0x70) | (ranks << 3 & 0x80);
    }

    const std::int16_t* weights_;
};

}  // namespace nousu::NOUSU_ISA
