// The two builds of the core, one for any processor and one for processors with fast bit extraction, and the choice
// between them at run time.
#pragma once
#include "env/environment.h"
#include "playouts/requests.h"
#include "solver/solver.h"

namespace nousu {

struct Core {
    const char* name;
    Solver* (*make_solver)();  // owned by the caller
    // Play `p` to the end `times` times at random. Returns the sum of the values.
    std::int64_t (*rollouts)(const Position& p, std::int64_t times, std::uint64_t seed, const std::atomic<bool>& stop);
    void (*playouts_whist)(const WhistRequest& request);
    void (*plans_whist)(const WhistPlanRequest& request);
    void (*playouts_huutopussi)(const HuutopussiRequest& request);
    const Family* families;
};

namespace plain {
Core core();
extern const Family families[FAMILY_COUNT];
}  // namespace plain
namespace bmi2 {
Core core();
extern const Family families[FAMILY_COUNT];
}  // namespace bmi2

Core fastest_core();

}  // namespace nousu
