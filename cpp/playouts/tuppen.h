// Playouts of Tuppen by three rules of thumb, some million hands a second: low cards first, the best winning card in
// the last trick but one, the last card in the last. src/nousu/players/tuppen/playouts.py plays the same, card for card
// (tests/players/test_playouts_tuppen.py).
#pragma once
#include <bit>
#include <cstdint>

namespace nousu::playouts {

// Cards as bits in the order in which they are played: the four suits of each rank side by side, the weakest rank
// lowest, so that the lowest bit of a hand is its weakest card. The suits stand in the order that decides between cards
// of one rank.
using Hand = std::uint32_t;
constexpr int SEATS = 8, PACK = 32;

inline Hand suit_of(int card) { return 0x11111111u << (card & 3); }
inline int weakest(Hand hand) { return std::countr_zero(hand); }
inline int strongest(Hand hand) { return 31 - std::countl_zero(hand); }

// A trick in progress: the seats still in the hand, the seat to play, and the cards played so far.
struct Moment {
    unsigned playing = 0;  // seats, one bit each
    int turn = 0, laid = 0;
    std::uint8_t seats[SEATS] = {}, cards[SEATS] = {};

    // The cards of the suit led that active seats have played to the trick; the highest one wins so far.
    Hand best() const {
        Hand cards_led = 0;
        for (int at = 0; at < laid; ++at)
            if (playing >> seats[at] & 1) cards_led |= (1u << cards[at]) & suit_of(cards[0]);
        return cards_led;
    }

    int choice(Hand hand) const {
        const Hand following = laid ? hand & suit_of(cards[0]) : 0, able = following ? following : hand;
        const bool two = std::popcount(hand) == 2;
        if (!laid) return two ? strongest(able) : weakest(able);
        if (two && following && (1u << strongest(able)) > best()) return strongest(able);
        return weakest(able);
    }

    int taker() const {
        Hand led = best(), all = 0;
        for (int at = 0; at < laid; ++at)
            if (playing >> seats[at] & 1) all |= 1u << cards[at];
        const int card = strongest(led ? led : all);
        for (int at = 0; at < laid; ++at)
            if (cards[at] == card) return seats[at];
        return turn;
    }
};

// The seat that takes the last trick; `first`: the card of the seat to play, or -1 for its own choice.
inline int last_taker(Moment moment, Hand* hands, int first) {
    for (;;) {
        unsigned waiting = moment.playing;
        for (int at = 0; at < moment.laid; ++at) waiting &= ~(1u << moment.seats[at]);
        while (waiting) {
            const unsigned later = waiting >> moment.turn << moment.turn;
            const int seat = std::countr_zero(later ? later : waiting);
            if (!hands[seat]) return moment.turn;
            const int card = first >= 0 ? first : moment.choice(hands[seat]);
            first = -1;
            hands[seat] &= ~(1u << card);
            moment.seats[moment.laid] = static_cast<std::uint8_t>(seat);
            moment.cards[moment.laid++] = static_cast<std::uint8_t>(card);
            waiting &= ~(1u << seat);
        }
        moment.turn = moment.taker();
        if (!hands[moment.turn]) return moment.turn;
        moment.laid = 0;
    }
}

// A small random generator, the same on every machine.
struct Dice {
    std::uint64_t state;

    std::uint32_t below(std::uint32_t limit) {
        state += 0x9E3779B97F4A7C15ull;
        std::uint64_t z = state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        return static_cast<std::uint32_t>(((z ^ z >> 31) >> 32) * limit >> 32);
    }
};

// How often of `times` the seat takes the last trick with this hand; the others' hands are dealt from the unseen cards.
inline int taken(const Moment& moment, int seat, Hand hand, Hand seen, const std::uint8_t* counts, int times,
                 Dice dice) {
    std::uint8_t unseen[PACK];
    int left = 0, wins = 0;
    for (Hand rest = ~(seen | hand); rest; rest &= rest - 1) unseen[left++] = static_cast<std::uint8_t>(weakest(rest));
    for (int time = 0; time < times; ++time) {
        Hand hands[SEATS] = {};
        int dealt = 0;
        for (int other = 0; other < SEATS; ++other) {
            if (!(moment.playing >> other & 1) || other == seat) continue;
            for (int card = 0; card < counts[other] && dealt < left; ++card, ++dealt) {
                const int at = dealt + static_cast<int>(dice.below(static_cast<std::uint32_t>(left - dealt)));
                std::uint8_t drawn = unseen[at];
                unseen[at] = unseen[dealt], unseen[dealt] = drawn;
                hands[other] |= 1u << drawn;
            }
        }
        hands[seat] = hand;
        wins += last_taker(moment, hands, -1) == seat;
    }
    return wins;
}

}  // namespace nousu::playouts
