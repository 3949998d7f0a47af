// A position to solve. Plain data, shared by all searches and by both builds of the core: there are no inline functions
// here, because the linker would keep the copy of one build for both.
#pragma once
#include <array>
#include <cstdint>

namespace nousu {

using Cards = std::uint64_t;
constexpr int SUITS = 4;

enum class Kind : std::uint8_t { rami, nolo, sooli, huutopussi, tuppen };

constexpr int MAX_SEATS = 5;
constexpr int NONE = -1;

// Moves: 0–63 play that card; the others are calls before a lead in Huutopussi.
constexpr int DECLARE = 64;    // + suit: declare the own marriage
constexpr int ASK_FULL = 68;   // ask the partner for any whole marriage
constexpr int ASK_KING = 72;   // + suit: ask for the other half, holding the king
constexpr int ASK_QUEEN = 76;  // + suit: ask for the other half, holding the queen
constexpr int ANSWER = 80;     // + suit: the partner names its marriage
constexpr int MAX_MOVES = ANSWER + SUITS;
constexpr int MAX_LINE = 128;  // cards and calls

struct Position {
    Kind kind = Kind::rami;
    int seats = 4;
    int active = 15;  // seats that play, one bit each
    int turn = 0;
    int last = NONE;  // the seat that plays last to every trick
    int trump = NONE;
    int seat = 0;    // the soloist of a sooli; in Tuppen the seat that wants the last trick
    int played = 0;  // cards on the table
    std::array<int, MAX_SEATS> trick_seat{};
    std::array<int, MAX_SEATS> trick_card{};
    std::array<Cards, MAX_SEATS> hand{};

    // Huutopussi only
    int declared = 0;                   // suits of declared marriages, one bit each
    int own = 15, full = 15;            // seats that may declare from hand, and ask for a whole marriage, one bit each
    int half = 15;                      // seats that may ask for half a marriage, one bit each
    bool once = false;                  // a seat may declare or ask only once
    bool open = false;                  // the leader may declare or ask now
    bool asked = false;                 // the seat on turn must name a marriage
    bool any_winner_declares = false;   // else only a leader that won its own lead
    int side = 0;                       // the side whose points are the value
    bool difference = false;            // the value is the side's points minus the opponents'
    int target = 0;                     // with `contract`: points that the side still needs
    bool contract = false;              // the value is whether the side reaches the target
    std::array<int, SUITS> marriage{};  // points by suit
    std::array<int, 16> value{};        // points by strength
    int last_trick = 0;                 // points of the last trick
    int king = 0, queen = 0;            // strengths of these ranks
};

}  // namespace nousu
