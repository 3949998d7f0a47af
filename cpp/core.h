// The face of the core: a solver that answers one problem at a time, and random play. Two builds of it may be
// linked, one for any processor and one for those with fast bit extraction; `fastest` picks at run time.
#pragma once
#include "problem.h"

namespace nousu {

class Solver {
public:
    virtual ~Solver();
    // `again`: the same cards as the problem before, so what was learnt there still holds.
    virtual Answer solve(const Problem& p, Want want, bool line, bool again, Control& control) = 0;
};

struct Core {
    const char* name;
    Solver* (*solver)();  // a new one, the caller's own
    // Plays `p` to the end `times` times at random and adds up what each play was worth.
    std::int64_t (*rollouts)(const Problem& p, std::int64_t times, std::uint64_t seed);
};

namespace plain { Core core(); }
namespace bmi2 { Core core(); }

Core fastest();

}  // namespace nousu
