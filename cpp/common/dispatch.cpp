#include "common/dispatch.h"

#include <algorithm>
#include <cstring>

namespace nousu {

#define FOLLOWING                                                                                              \
    "beats beats_rank beats_honour cheapest sure sure_short sure_late sure_with_another under_one under_many " \
    "over_partner over_partners_master over_partners_next over_partners_honour over_partners_winner "          \
    "master_kept unblocks loses_rank loses_lowest loses_highest bares_master keeps_master bares_next keeps_next "

// Code shared by both builds, compiled once and without special instructions.
Solver::~Solver() = default;
Environment::~Environment() = default;

const char* const WhistRequest::NAMES[HABITS] = {
    "master master_early master_of_two master_of_three master_alone_in_long_suit masters_suffice master_foes_void "
    "master_of_partners_suit bare_ace length_early singleton lowest_of_four bidder partners_suit foes_suit own_suit "
    "own_suit_under_a_master partner_void foes_void sequence sequence_under_one under_a_master under_two_masters "
    "bare_top_under_one above below unseen few_unseen masters_elsewhere_late lowest_late ",
    FOLLOWING,
    FOLLOWING,
    "certain_to_win below_share below_share_squared below_share_early below above below_early above_early length "
    "length_early partner_void foes_void foes_void_share highest highest_share lowest_share between exit_below "
    "highest_is_master ",
};

std::size_t WhistRequest::weight_count() {
    std::size_t count = 0;
    for (const char* names : NAMES) count += std::count(names, names + std::strlen(names), ' ');
    return count;
}

void Control::check() const {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw SearchStopped{"cancelled"};
    if (failed && failed->load(std::memory_order_relaxed)) throw SearchStopped{"another thread failed"};
    if (nodes > limit) throw SearchStopped{"the node limit was reached"};
    if (deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() > deadline)
        throw SearchStopped{"the time limit was reached"};
}

#ifdef NOUSU_HAS_BMI2
namespace {

bool has_bmi2_and_avx2() {
    // Zen and Zen 2 run PEXT and PDEP in microcode: correct, only slower.
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("avx2");
}

}  // namespace

Core fastest_core() { return has_bmi2_and_avx2() ? bmi2::core() : plain::core(); }
#else
Core fastest_core() { return plain::core(); }
#endif

}  // namespace nousu
