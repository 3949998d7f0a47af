// What Python asks and what it is told. Plain data, shared by every search and by both builds of the core: nothing
// here is an inline function of its own, or the linker would choose whose build of it everybody runs.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace nousu {

using Cards = std::uint64_t;
constexpr int SUITS = 4;

enum class Kind : std::uint8_t { rami, nolo, sooli, huutopussi, tuppen };

constexpr int MAX_SEATS = 5;
constexpr int NONE = -1;

// Moves: 0–63 play that card; the rest is said before a lead in Huutopussi.
constexpr int DECLARE = 64;    // + suit: own marriage
constexpr int ASK_FULL = 68;   // ask the partner for any marriage
constexpr int ASK_KING = 72;   // + suit: ask for the other half, naming the king
constexpr int ASK_QUEEN = 76;  // + suit: ask for the other half, naming the queen
constexpr int ANSWER = 80;     // + suit: the partner names his marriage
constexpr int MOST_MOVES = ANSWER + SUITS;
constexpr int MOST_LINE = 128;  // cards and what is said between them

struct Problem {
    Kind kind = Kind::rami;
    int seats = 4;
    int active = 15;  // one bit a seat
    int turn = 0;
    int last = NONE;  // plays last to every trick
    int trump = NONE;
    int seat = 0;  // the soloist, or the one seat of Tuppen
    int played = 0;
    std::array<int, MAX_SEATS> trick_seat{};
    std::array<int, MAX_SEATS> trick_card{};
    std::array<Cards, MAX_SEATS> hand{};
    // Huutopussi only
    int declared = 0, own = 15, full = 15;
    bool open = false, asked = false, any_winner_declares = false;
    int side = 0;
    bool difference = false;
    int target = 0;  // with `contract`: points still wanted by the side
    bool contract = false;
    std::array<int, SUITS> marriage{};
    std::array<int, 16> value{};
    int last_trick = 0;
    int king = 0, queen = 0;  // their strengths
};

// Thrown through a search when a limit is reached.
struct Stopped {
    const char* why;
};

// Limits, shared by the searches of one problem; the flag may be raised by another thread.
struct Control {
    const std::atomic<bool>* cancel = nullptr;
    const std::atomic<bool>* failed = nullptr;  // another thread of the same call has thrown
    std::uint64_t limit = ~std::uint64_t{0};
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::uint64_t nodes = 0;

    void look() const;
};

enum class Want : int { value = 0, one = 1, all = 2 };

struct Rated {
    int move;
    int value;
};

struct Answer {
    bool solved = false;
    const char* why = "";
    int value = 0;
    std::uint64_t nodes = 0;
    bool patterned = false;
    Cards pattern = 0;          // if `patterned`: the cards whose owners decided the value
    int rated = 0, length = 0;  // how many of the following
    Rated moves[MOST_MOVES];
    int line[MOST_LINE];
};

}  // namespace nousu
