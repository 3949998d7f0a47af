// Many hands at once, for players that learn: the face of the environments. Every lane plays hands of one family by
// the same rules and deals itself the next when one is over. Cards are numbered suit by suit in order of strength,
// actions by the table of the family (docs/research/environments.md); plain data, shared by both builds of the core.
#pragma once
#include <cstdint>

namespace nousu {

// What a family's arrays look like.
struct Shape {
    int seats;
    int cards;    // of the pack: the bytes of one plane
    int planes;   // sets of cards in an observation
    int scalars;  // numbers in an observation
    int actions;  // bytes of a mask
};

// Where a step writes, one row a lane.
struct Arrays {
    std::uint8_t* planes;
    std::int16_t* scalars;
    std::uint8_t* mask;
    float* reward;       // one a seat; nothing before the end of a hand
    std::int8_t* place;  // one a seat; nothing before the end of a match
    std::uint8_t* done;  // HAND_OVER and MATCH_OVER
    std::int8_t* seat;   // who acts next
};
constexpr int HAND_OVER = 1, MATCH_OVER = 2;

class Environment {
public:
    virtual ~Environment();
    virtual Shape shape() const = 0;
    // New matches; a seed decides everything that chance does in its lane.
    virtual void reset(const std::uint64_t* seeds, const Arrays& out) = 0;
    // Everything as it stands.
    virtual void look(const Arrays& out) const = 0;
    // One action a lane. The first lane whose action is not legal, and then nothing has happened; or NONE.
    virtual int step(const std::int32_t* actions, const Arrays& out) = 0;
    // A legal action a lane, each as likely.
    virtual void choose(std::int32_t* actions) = 0;
    // What this seat knows.
    virtual void observe(int lane, int seat, std::uint8_t* planes, std::int16_t* scalars) const = 0;
    // First dealer, then for each hand the pack in the order of dealing and the actions. Returns its length, and
    // writes it where there is room.
    virtual int history(int lane, bool finished, std::uint16_t* out, int room) const = 0;
    // Brings a lane to the end of a history; returns how many entries were possible.
    virtual int load(int lane, const std::uint16_t* entries, int size) = 0;
    // In how many ways the next `depth` actions of a hand can go.
    virtual std::int64_t leaves(int lane, int depth) const = 0;
};

// A family of environments: what its rules are called, in their order, and a new one by such rules.
struct Family {
    const char* name;
    const char* rules;  // separated by blanks
    Environment* (*make)(const std::int32_t* rules, int lanes, int seats, bool matches);
};
constexpr int FAMILIES = 3;

namespace plain { extern const Family families[FAMILIES]; }
namespace bmi2 { extern const Family families[FAMILIES]; }

const Family* fastest_families();

}  // namespace nousu
