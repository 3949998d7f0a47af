#include "core.h"

namespace nousu {

Core fastest() {
#ifdef NOUSU_HAS_BMI2
    // Zen and Zen 2 have the instruction but run it in microcode; it is still right there, only slower.
    if (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
        return bmi2::core();
#endif
    return plain::core();
}

}  // namespace nousu
