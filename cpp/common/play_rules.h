// The rules of play for all code outside the inner loops of the searches: legal moves, effect of a move, value of a
// trick. The searches repeat the parts they need in a faster form.
#pragma once
#include <algorithm>

#include "common/cards.h"

namespace nousu::NOUSU_ISA {

// Order of suits between cards of equal rank: clubs, spades, hearts, diamonds (TU-ZK-III1d).
constexpr std::array<int, SUITS> SUIT_ORDER = {2, 1, 0, 3};

// Whether `card` beats `best` in a trick of which the first card was of suit `led`.
inline bool beats(int card, int best, int led, int trump) {
    if (suit_of(card) == suit_of(best)) return card > best;
    if (suit_of(card) == trump) return true;
    if (suit_of(best) == trump) return false;
    if (suit_of(card) == led) return true;
    if (suit_of(best) == led) return false;
    if ((card & 15) != (best & 15)) return (card & 15) > (best & 15);
    return SUIT_ORDER[suit_of(card)] > SUIT_ORDER[suit_of(best)];
}

// The seat to play after `turn`; NONE when every active seat has played to the trick.
inline int next_seat(int active, int played_seats, int turn, int last) {
    int waiting = active & ~played_seats;
    if (!waiting) return NONE;
    if (last != NONE && waiting != (1 << last)) waiting &= ~(1 << last);
    int after = waiting >> (turn + 1);
    if (after) return turn + 1 + std::countr_zero(static_cast<unsigned>(after));
    return std::countr_zero(static_cast<unsigned>(waiting));
}

// The cards of `hand` that may be played to a trick led in `led` and won so far by `best`. `strict`: the duty to beat
// and to trump (A-H-14). Without it a seat that has left the hand may have led: then `best` is NONE, but the suit
// binds.
inline Cards legal_cards(Cards hand, int led, int best, int trump, bool strict) {
    if (led == NONE) return hand;
    auto beating = [&](Cards cards) {
        if (suit_of(best) != suit_of(lowest(cards))) return cards;
        Cards better = cards & ~((bit(best) << 1) - 1);
        return better ? better : cards;
    };
    Cards same = hand & lane(led);
    if (same) return strict ? beating(same) : same;
    if (strict && trump != NONE) {
        Cards trumps = hand & lane(trump);
        if (trumps) return beating(trumps);
    }
    return hand;
}

// Number of tricks to come, the one on the table included.
inline int tricks_left(const Position& p) {
    int most = 0;
    for (int s = 0; s < p.seats; ++s)
        if (p.active >> s & 1) most = std::max(most, count(p.hand[s]));
    return most;
}

struct TrickState {  // summary of the trick on the table
    int led = NONE, best = NONE, winner = NONE, seats = 0;
};

inline TrickState trick_state(const Position& p) {
    TrickState t;
    for (int i = 0; i < p.played; ++i) {
        int seat = p.trick_seat[i], card = p.trick_card[i];
        if (i == 0) t.led = suit_of(card);
        t.seats |= 1 << seat;
        if (!(p.active >> seat & 1)) continue;
        if (t.best == NONE || beats(card, t.best, t.led, p.trump)) t.best = card, t.winner = seat;
    }
    return t;
}

// Undeclared suits of which this hand holds king and queen, one bit a suit.
inline int held_marriages(const Position& p, Cards hand) {
    int result = 0;
    Cards both = bit(p.king) | bit(p.queen);
    for (int s = 0; s < SUITS; ++s)
        if (!(p.declared >> s & 1) && (hand >> (LANE_BITS * s) & both) == both) result |= 1 << s;
    return result;
}

struct Moves {
    int size = 0;
    int move[MAX_MOVES];
    void add(int code) { move[size++] = code; }
    const int* begin() const { return move; }
    const int* end() const { return move + size; }
};

inline Moves legal_moves(const Position& p) {
    Moves moves;
    if (p.asked) {
        int held = held_marriages(p, p.hand[p.turn]);
        for (int s = 0; s < SUITS; ++s)
            if (held >> s & 1) moves.add(ANSWER + s);
        return moves;
    }
    bool strict = p.kind == Kind::huutopussi;
    TrickState t = trick_state(p);
    const int seat = p.turn;
    for (Cards c = legal_cards(p.hand[seat], t.led, t.best, p.trump, strict); c; c &= c - 1) moves.add(lowest(c));
    if (!strict || !p.open || p.played) return moves;
    int held = held_marriages(p, p.hand[seat]);
    for (int s = 0; s < SUITS; ++s)
        if ((p.own >> seat & 1) && (held >> s & 1)) moves.add(DECLARE + s);
    if ((p.full >> seat & 1) && p.declared != 15) moves.add(ASK_FULL);
    for (int s = 0; s < SUITS; ++s) {
        if (p.declared >> s & 1 || !(p.half >> seat & 1)) continue;
        if (p.hand[seat] >> (LANE_BITS * s + p.king) & 1) moves.add(ASK_KING + s);
        if (p.hand[seat] >> (LANE_BITS * s + p.queen) & 1) moves.add(ASK_QUEEN + s);
    }
    return moves;
}

// Points of every trick beside its cards, and of the last trick.
inline int trick_points(const Position& p) { return p.kind == Kind::huutopussi || p.kind == Kind::tuppen ? 0 : 1; }
inline int last_trick_points(const Position& p) {
    return p.kind == Kind::tuppen ? 1 : p.kind == Kind::huutopussi ? p.last_trick : 0;
}

// What one point (or trick) won by this seat adds to the value of the search.
inline int weight(const Position& p, int seat) {
    switch (p.kind) {
        case Kind::rami:
        case Kind::nolo: return seat % 2 == 0;
        case Kind::sooli:
        case Kind::tuppen: return seat == p.seat;
        case Kind::huutopussi: return seat % 2 == p.side ? 1 : p.difference ? -1 : 0;
    }
    return 0;
}

// Whether this seat wants a high value.
inline bool maximises(const Position& p, int seat) {
    switch (p.kind) {
        case Kind::rami: return seat % 2 == 0;
        case Kind::nolo: return seat % 2 == 1;
        case Kind::sooli: return seat != p.seat;
        case Kind::huutopussi: return seat % 2 == p.side;
        case Kind::tuppen: return seat == p.seat;
    }
    return false;
}

// Play `move` in `p`. Returns what it adds to the value.
inline int apply(Position& p, int move) {
    int seat = p.turn, other = (seat + 2) % 4;
    auto declare = [&](int suit, int leader) {
        p.declared |= 1 << suit;
        p.trump = suit;
        p.turn = leader;
        p.open = p.asked = false;
        return p.marriage[suit] * weight(p, leader);
    };
    if (move >= ANSWER) return declare(move - ANSWER, other);
    if (move >= DECLARE && p.once) {  // A-H-09
        for (int* rights : {&p.own, &p.full, &p.half}) *rights &= ~(1 << seat);
    }
    if (move >= ASK_KING) {
        int suit = (move - ASK_KING) % 4;
        int sought = move >= ASK_QUEEN ? p.king : p.queen;
        p.own &= ~(1 << seat | 1 << other);
        p.full &= ~(1 << seat | 1 << other);
        p.open = false;
        return p.hand[other] >> (LANE_BITS * suit + sought) & 1 ? declare(suit, seat) : 0;
    }
    if (move == ASK_FULL) {
        p.own &= ~(1 << seat);
        p.full &= ~(1 << other);
        p.open = false;
        p.asked = held_marriages(p, p.hand[other]) != 0;
        if (p.asked) p.turn = other;
        return 0;
    }
    if (move >= DECLARE) return declare(move - DECLARE, seat);

    p.open = false;
    p.hand[seat] &= ~bit(move);
    p.trick_seat[p.played] = seat;
    p.trick_card[p.played] = move;
    ++p.played;
    TrickState t = trick_state(p);
    int next = next_seat(p.active, t.seats, seat, p.last);
    if (next != NONE) {
        p.turn = next;
        return 0;
    }
    const bool last = tricks_left(p) == 0;
    int points = trick_points(p) + (last ? last_trick_points(p) : 0);
    for (int i = 0; i < p.played; ++i)
        if (p.kind == Kind::huutopussi) points += p.value[p.trick_card[i] & 15];
    p.open = p.kind == Kind::huutopussi && !last && (p.any_winner_declares || p.trick_seat[0] == t.winner);
    p.played = 0;
    p.turn = t.winner;
    return points * weight(p, t.winner);
}

inline bool is_over(const Position& p) { return p.played == 0 && tricks_left(p) == 0; }

}  // namespace nousu::NOUSU_ISA
