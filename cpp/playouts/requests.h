// Requests for playouts: hands played to their end by the rule-based players or by nets. Plain data, shared by both
// builds of the core. All arrays belong to the caller. A world is one possible deal of the hidden cards.
#pragma once
#include <cstddef>

#include "common/position.h"

namespace nousu {

constexpr int HIDDEN = 32;  // hidden units of every net

// Hands of the whist family, played on in every world after each of some first cards. Cards are in order of strength.
struct WhistRequest {
    enum Kind { high, low, sooli };
    static constexpr int ANY = 255;          // as a first card: the player's own choice
    static constexpr int HABITS = 4;         // groups of weights of the rule-based player
    static const char* const NAMES[HABITS];  // of the weights, each followed by a blank
    static std::size_t weight_count();
    static constexpr int POLICY = 11 * (232 + 1) * HIDDEN;  // weights of the nets of whist_policy.h

    int kind = high;
    int bidder = NONE, soloist = NONE;
    int last = NONE;                       // the seat that plays last to every trick
    int leader = 0;                        // of the first trick
    int viewer = NONE;                     // its own cards do not count in `strangeness`
    const double* weights = nullptr;       // of the habits, in the order of NAMES
    const std::int16_t* policy = nullptr;  // nets that choose the cards instead of the habits
    const std::uint8_t* history = nullptr;
    int played = 0;  // cards in `history`
    const std::uint8_t* first = nullptr;
    int first_count = 0;
    const Cards* hands = nullptr;  // per world: what the four seats hold now, and the cards laid aside
    std::size_t worlds = 0;
    std::int8_t* results = nullptr;  // per world and first card: tricks of North–South, or 1 for a sooli made
    // Per world: the number of cards so far that the player would not have played with its hand in this world. With
    // nets: by how much the cards so far are rated below the best ones, at most `max_strangeness` for each card.
    std::int32_t* strangeness = nullptr;
    int max_strangeness = 1;
};

// Values of first cards if the viewer goes on by its best plan and the other seats play as in WhistRequest (of which
// `results` and `strangeness` are not filled in). A plan tells worlds apart only by the cards that the others play.
struct WhistPlanRequest {
    const WhistRequest& table;
    const double* world_weights;
    const double* utility;  // of 0 to 13 tricks of North–South, or of a sooli lost and made
    double* values;         // per first card: the weighted sum over the worlds
};

// Hands of Huutopussi, played on in every world after each of some first moves. Cards are numbered by rank, as in
// Python.
struct HuutopussiRequest {
    // Beside the moves of a position: the partner has, or has not, what was asked for; the player's own choice.
    enum Move { YES = ANSWER + SUITS, NO, MOVES, ANY = 255 };
    // Constants of the Python player (src/nousu/players/huutopussi/rules.py), in points or shares of a marriage's.
    struct Weights {
        double keep_rank, keep_top, keep_top_late, keep_trump, keep_own, keep_barred, keep_half, declare, lead_ten;
        double max_strangeness;  // of one card
        double rating;           // points of one unit of a net's rating
    };
    static constexpr int POLICY = 5 * (283 + 1) * HIDDEN;  // weights of the nets of huutopussi_policy.h

    Weights weights{};
    int value[16] = {}, marriage[SUITS] = {}, last_trick = 0;  // points
    bool any_winner_declares = false, lockouts = false, truthful = false, ace_or_spade = false;
    bool once = false;     // a player may declare or ask only once
    bool by_suit = false;  // half a marriage is asked for by its suit (ASK_KING), and who asked answers last
    int leader = 0;        // of the first trick
    int viewer = NONE;     // its own moves do not count in `strangeness`
    int declarer = NONE, contract = 0;
    const std::int16_t* policy = nullptr;  // nets that choose the cards instead of rules
    const std::uint8_t* history = nullptr;
    int played = 0;  // moves in `history`
    const std::uint8_t* first = nullptr;
    int first_count = 0;
    const Cards* hands = nullptr;  // per world: what the four seats hold now, and what each gave to its partner
    std::size_t worlds = 0;
    std::int16_t* results = nullptr;  // per world and first move: points of both sides, tricks of North–South
    double* strangeness = nullptr;    // per world: points by which the others' moves fell short of the player's choice
};

}  // namespace nousu
