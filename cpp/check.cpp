// Random positions through every search, on two threads, against the general search, and random hands through every
// environment: the program that cpp/sanitize.sh builds with the sanitizers.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "core.h"
#include "drive.h"
#include "env.h"
#include "nolo.h"
#include "rami.h"
#include "rollout.h"
#include "sooli.h"
#include "trial.h"

using namespace nousu;
using namespace nousu::NOUSU_ISA;
using namespace nousu::trial;

namespace {

int wrong(unsigned seed, int rounds) {
    std::mt19937 dice(seed);
    std::unique_ptr<Solver> solver(core().solver());
    General general(12);
    NoloSearch crowded(64, 32);  // a table that is always full
    RamiSearch tight(64, 512), forked(1 << 10, 1 << 14, 2), spreading(1 << 12, 1 << 14, 1 << 7, 16);
    int bad = 0;
    for (int i = 0; i < rounds; ++i) {
        auto kind = static_cast<Kind>(i % 5);
        const unsigned sizes = kind == Kind::sooli ? 6 : 4;
        Problem p = position(dice, kind, 2 + static_cast<int>(dice() % sizes));
        Control one, two, three;
        Answer fast = solver->solve(p, Want::all, true, false, one);
        Answer plain = Drive(general, two).solve(p, Want::value, false, false);
        solver->solve(p, Want::one, false, true, three);
        bad += fast.value != plain.value;
        if (kind == Kind::nolo) {
            Control four;
            bad += Drive(crowded, four).solve(p, Want::value, false, false).value != plain.value;
        }
        if (kind == Kind::rami) {
            for (RamiSearch* search : {&tight, &forked, &spreading}) {
                Control four;
                bad += Drive(*search, four).solve(p, Want::value, false, false).value != plain.value;
            }
        }
        rollouts(p, 3, seed);
        Control stopped;
        stopped.limit = 50;
        try {
            solver->solve(p, Want::value, false, false, stopped);
        } catch (const Stopped&) {
        }
    }
    return bad;
}

// Random hands of every table, in arrays that are not a byte too long; a history must lead where it came from.
int lost(int steps) {
    constexpr int lanes = 5;
    int bad = 0;
    for (const Trial& table : TABLES) {
        const Family* family = families;
        while (std::strcmp(family->name, table.family) != 0) ++family;
        std::unique_ptr<Environment> here(family->make(table.rules.data(), lanes, table.seats, true));
        std::unique_ptr<Environment> there(family->make(table.rules.data(), 1, table.seats, true));
        const Shape s = here->shape();
        std::vector<std::uint8_t> planes(lanes * s.planes * s.cards), mask(lanes * s.actions), done(lanes);
        std::vector<std::int16_t> scalars(lanes * s.scalars);
        std::vector<float> reward(lanes * s.seats);
        std::vector<std::int8_t> seat(lanes), place(lanes * s.seats);
        const Arrays out{planes.data(), scalars.data(), mask.data(), reward.data(),
                         place.data(),  done.data(),    seat.data()};
        std::vector<std::uint8_t> one(s.planes * s.cards), other(one);
        std::vector<std::int16_t> numbers(s.scalars), others(numbers);
        std::vector<std::int32_t> actions(lanes);
        const std::uint64_t seeds[lanes] = {1, 2, 3, 4, 5};
        here->reset(seeds, out);
        for (int i = 0; i < steps; ++i) {
            here->choose(actions.data());
            bad += here->step(actions.data(), out) != NONE;
            if (i % 500) continue;
            std::vector<std::uint16_t> history(here->history(0, false, nullptr, -1));
            here->history(0, false, history.data(), static_cast<int>(history.size()));
            const int size = static_cast<int>(history.size());
            bad += there->load(0, history.data(), size) != size;
            for (int viewer = 0; viewer < s.seats; ++viewer) {
                here->observe(0, viewer, one.data(), numbers.data());
                there->observe(0, viewer, other.data(), others.data());
                bad += one != other || numbers != others;
            }
            history.push_back(65535);
            there->load(0, history.data(), size + 1);
            here->leaves(0, 1);
        }
    }
    return bad;
}

}  // namespace

int main() {
    int bad[2] = {0, 0};
    std::thread other([&] { bad[1] = wrong(2, 600); });
    bad[0] = wrong(1, 600);
    other.join();
    std::printf("%d of 1200 positions differ\n", bad[0] + bad[1]);
    const int astray = lost(2000);
    std::printf("%d steps of the environments went astray\n", astray);
    return bad[0] + bad[1] + astray != 0;
}
