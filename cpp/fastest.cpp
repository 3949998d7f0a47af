#include "core.h"

namespace nousu {

// What both builds share is compiled here, once and for any processor.
Solver::~Solver() = default;

void Control::look() const {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Stopped{"cancelled"};
    if (failed && failed->load(std::memory_order_relaxed)) throw Stopped{"another thread failed"};
    if (nodes > limit) throw Stopped{"the node limit was reached"};
    if (deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() > deadline)
        throw Stopped{"the time limit was reached"};
}

Core fastest() {
#ifdef NOUSU_HAS_BMI2
    // Zen and Zen 2 have the instruction but run it in microcode; it is still right there, only slower.
    if (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
        return bmi2::core();
#endif
    return plain::core();
}

}  // namespace nousu
