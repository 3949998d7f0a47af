#include "core.h"
#include "env.h"

namespace nousu {

// What both builds share is compiled here, once and for any processor.
Solver::~Solver() = default;
Environment::~Environment() = default;

void Control::look() const {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Stopped{"cancelled"};
    if (failed && failed->load(std::memory_order_relaxed)) throw Stopped{"another thread failed"};
    if (nodes > limit) throw Stopped{"the node limit was reached"};
    if (deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() > deadline)
        throw Stopped{"the time limit was reached"};
}

#ifdef NOUSU_HAS_BMI2
namespace {

bool has_bmi2() {
    // Zen and Zen 2 have the instruction but run it in microcode; it is still right there, only slower.
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
}

}  // namespace

Core fastest() { return has_bmi2() ? bmi2::core() : plain::core(); }
const Family* fastest_families() { return has_bmi2() ? bmi2::families : plain::families; }
#else
Core fastest() { return plain::core(); }
const Family* fastest_families() { return plain::families; }
#endif

}  // namespace nousu
