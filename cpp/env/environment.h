// Interface of the environments for learning players: many hands at once. Every lane plays hands of one family by the
// same rules and deals its next hand itself. Cards are numbered suit by suit in order of strength, actions by the table
// of the family (docs/research/environments.md). Plain data, shared by both builds of the core.
#pragma once
#include <cstdint>

namespace nousu {

// Sizes of the arrays of a family.
struct Shape {
    int seats;
    int cards;    // cards of the pack: the bytes of a plane
    int planes;   // card sets of an observation
    int scalars;  // numbers of an observation
    int actions;  // the bytes of a mask
};

// Output arrays of a step, one row a lane.
struct Arrays {
    std::uint8_t* planes;
    std::int16_t* scalars;
    std::uint8_t* mask;
    float* reward;       // by seat; 0 before the end of a hand
    std::int8_t* place;  // by seat; 0 before the end of a match
    std::uint8_t* done;  // HAND_OVER and MATCH_OVER
    std::int8_t* seat;   // the seat to act
};
constexpr int HAND_OVER = 1, MATCH_OVER = 2;

class Environment {
public:
    virtual ~Environment();
    virtual Shape shape() const = 0;
    // An independent copy: the same hands and the same cards to come.
    virtual Environment* copy() const = 0;
    // State of the random numbers of a lane, to be stored beside its history.
    virtual std::uint64_t& random_state(int lane) = 0;
    // Begin new matches. A seed decides all that is random in its lane.
    virtual void reset(const std::uint64_t* seeds, const Arrays& out) = 0;
    // Write the state of all lanes.
    virtual void write_all(const Arrays& out) const = 0;
    // Take one action in each lane. Returns NONE, or the first lane with an illegal action; then nothing has happened.
    virtual int step(const std::int32_t* actions, const Arrays& out) = 0;
    // Write a random legal action of each lane, all equally likely.
    virtual void choose_at_random(std::int32_t* actions) = 0;
    // Write what this seat knows.
    virtual void observe(int lane, int seat, std::uint8_t* planes, std::int16_t* scalars) const = 0;
    // The first dealer, then for each hand the pack in the order of dealing and the actions. `finished`: of the match
    // before. Returns the length, and writes the entries if they are no more than `capacity`.
    virtual int history(int lane, bool finished, std::uint16_t* out, int capacity) const = 0;
    // Bring a lane to the end of a history. Returns the number of entries that were possible.
    virtual int load(int lane, const std::uint16_t* entries, int size) = 0;
    // Number of ways in which the next `depth` actions of a hand can go (perft). `is_stopped` is called now and then;
    // once it has returned true, the result is NONE.
    virtual std::int64_t count_lines(int lane, int depth, bool (*is_stopped)()) const = 0;
};

// A family of environments: the names of its rules, in order, and its constructor.
struct Family {
    const char* name;
    const char* rules;  // each followed by a blank
    Environment* (*make)(const std::int32_t* rules, int lanes, int seats, bool matches);
};
constexpr int FAMILY_COUNT = 3;

}  // namespace nousu
