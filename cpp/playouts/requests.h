// The face of the core: a solver that answers one problem at a time, and random play. Two builds of it may be
// linked, one for any processor and one for those with fast bit extraction; `fastest` picks at run time.
#pragma once
#include "common/position.h"

namespace nousu {

class Solver {
public:
    virtual ~Solver();
    // `again`: the same cards as the problem before, so what was learnt there still holds.
    virtual Answer solve(const Problem& p, Want want, bool line, bool again, Control& control) = 0;
};

constexpr int HIDDEN = 32;  // units of every net

// Hands of the whist family played out by rules of thumb, in many worlds and after each of some first cards. Cards are
// in order of strength; everything is the caller's.
struct Playouts {
    enum Kind { high, low, sooli };
    static constexpr int ANY = 255;   // as a first card: whatever the player chooses
    static constexpr int HABITS = 4;  // what the player weighs
    static const char* const NAMES[HABITS];
    static constexpr int POLICY = 6 * (232 + 1) * HIDDEN;  // weights of the nets of policy.h

    int kind = high;
    int bidder = NONE, soloist = NONE;
    int last = NONE;                       // plays last to every trick
    int leader = 0;                        // of the first trick
    int viewer = NONE;                     // whose own cards say nothing
    const double* weights = nullptr;       // of the habits, in the order of NAMES
    const std::int16_t* policy = nullptr;  // nets that decide in a rami and a nolo instead of habits and rules
    const std::uint8_t* history = nullptr;
    int played = 0;  // cards so far
    const std::uint8_t* first = nullptr;
    int firsts = 0;
    const Cards* hands = nullptr;  // a world: what the four seats hold now, and what lies aside
    std::size_t worlds = 0;
    std::int8_t* gained = nullptr;  // a world and first card: tricks of North–South, or whether the sooli is made
    // A world: cards so far that these players would not have played with its hands; with nets, by how much of a
    // rating the cards so far are worse than theirs (at most `strangest` for each card).
    std::int32_t* strange = nullptr;
    int strangest = 1;
};

// What first cards of the viewer's are worth if the viewer goes on by the best plan, and the others as in Playouts
// (whose `gained` and `strange` are not filled in). A plan tells worlds apart by the cards that others play, by nothing
// else.
struct Plans {
    const Playouts& table;
    const double* ways;   // how much each world counts
    const double* worth;  // of 0 to 13 tricks of North–South, or of a sooli lost and made
    double* found;        // a first card: the sum over the worlds
};

// Hands of Huutopussi played out by rules of thumb, or with the cards of nets, in many worlds and after each of some
// first moves. Cards are numbered by rank, as in Python; everything is the caller's.
struct PlayoutsHuutopussi {
    // Beside the moves of a Problem: the partner has the other half, or has not what was asked for; whatever the player
    // chooses.
    enum Move { YES = ANSWER + SUITS, NO, MOVES, ANY = 255 };
    // What the player weighs, in points or shares of a marriage's (the constants of the Python player).
    struct Weights {
        double keep_rank, keep_top, keep_top_late, keep_trump, keep_own, keep_barred, keep_half, declare;
        double most;    // that one card may make a world strange
        double rating;  // what one of a net's ratings is worth
    };
    static constexpr int POLICY = 5 * (283 + 1) * HIDDEN;  // weights of the nets of policy_huutopussi.h

    Weights weights{};
    int value[16] = {}, marriage[SUITS] = {}, last_trick = 0;
    bool any_winner_declares = false, lockouts = false, truthful = false, ace_or_spade = false;
    int leader = 0;     // of the first trick
    int viewer = NONE;  // whose own choices say nothing
    int declarer = NONE, contract = 0;
    const std::int16_t* policy = nullptr;  // nets that decide about cards instead of rules
    const std::uint8_t* history = nullptr;
    int heard = 0;  // moves so far
    const std::uint8_t* first = nullptr;
    int firsts = 0;
    const Cards* hands = nullptr;  // a world: what the four seats hold now, and what each gave to its partner
    std::size_t worlds = 0;
    std::int16_t* gained = nullptr;  // a world and first move: points of both sides, tricks of North–South
    double* strange = nullptr;       // a world: points by which others' choices fell short of what the player would do
};

struct Core {
    const char* name;
    Solver* (*solver)();  // a new one, the caller's own
    // Plays `p` to the end `times` times at random and adds up what each play was worth.
    std::int64_t (*rollouts)(const Problem& p, std::int64_t times, std::uint64_t seed);
    void (*playouts)(const Playouts& asked);
    void (*plans)(const Plans& asked);
    void (*playouts_huutopussi)(const PlayoutsHuutopussi& asked);
};

namespace plain { Core core(); }
namespace bmi2 { Core core(); }

Core fastest();

}  // namespace nousu
