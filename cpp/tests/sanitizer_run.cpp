// Random positions through every search, on two threads, against the general search, random hands through every
// environment, and random endings played out and planned: the program that cpp/sanitize.sh builds with the sanitizers.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "env/environment.h"
#include "playouts/random_play.h"
#include "playouts/requests.h"
#include "playouts/whist.h"
#include "solver/nolo_search.h"
#include "solver/rami_search.h"
#include "solver/sooli_search.h"
#include "solver/value_search.h"
#include "tests/random_positions.h"

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

// Hands played out in many worlds, by habits and nets of chance: a plan is never worse than to go on like all others.
int worse(int rounds) {
    std::mt19937 dice(3);
    std::size_t habits = 0;
    for (const char* names : Playouts::NAMES) habits += std::count(names, names + std::strlen(names), ' ');
    std::vector<double> weights(habits);
    std::vector<std::int16_t> nets(Playouts::POLICY);
    int bad = 0;
    for (int i = 0; i < rounds; ++i) {
        for (double& one : weights) one = static_cast<int>(dice() % 21) - 10;
        for (std::int16_t& one : nets) one = static_cast<std::int16_t>(dice() % 41 - 20);
        Playouts asked;
        asked.kind = static_cast<int>(dice() % 3);
        asked.viewer = asked.leader = static_cast<int>(dice() % 4);
        if (asked.kind == Playouts::sooli) {
            asked.soloist =
                static_cast<int>((asked.viewer + 3 + dice() % 3) % 4);  // never the partner of the viewer, who plays
            if (dice() % 2) asked.last = asked.soloist == asked.viewer ? NONE : asked.soloist;
        } else if (dice() % 2) {
            asked.bidder = static_cast<int>(dice() % 4);
        }
        if (dice() % 2) asked.policy = nets.data();
        asked.weights = weights.data();
        const int size = 2 + static_cast<int>(dice() % 3);
        const std::size_t worlds = 1 + dice() % 20;
        std::vector<int> pack;
        for (int card = 0; card < 52; ++card) pack.push_back(card / 13 * 16 + card % 13);
        std::shuffle(pack.begin(), pack.end(), dice);
        std::vector<Cards> hands;
        for (std::size_t world = 0; world < worlds; ++world) {
            std::shuffle(pack.begin() + size, pack.begin() + 4 * size, dice);  // the viewer's cards stay
            Cards held[5] = {};
            for (int card = 0; card < 4 * size; ++card) held[(asked.viewer + card / size) & 3] |= bit(pack[card]);
            hands.insert(hands.end(), held, held + 5);
        }
        std::vector<std::uint8_t> first(pack.begin(), pack.begin() + size);
        asked.hands = hands.data(), asked.worlds = worlds;
        asked.first = first.data(), asked.firsts = size;
        std::vector<std::int8_t> gained(worlds * size);
        std::vector<std::int32_t> strange(worlds);
        asked.gained = gained.data(), asked.strange = strange.data();
        std::vector<double> ways(worlds), worth(asked.kind == Playouts::sooli ? 2 : 14), found(size);
        for (double& one : ways) one = 1 + dice() % 5;
        for (double& one : worth) one = dice() % 50;
        playouts(asked);
        plans({asked, ways.data(), worth.data(), found.data()});
        for (int at = 0; at < size; ++at) {
            double habit = 0;
            for (std::size_t world = 0; world < worlds; ++world)
                habit += ways[world] * worth[gained[world * size + at]];
            bad += found[at] < habit;
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
    const int spoilt = worse(3000);
    std::printf("%d plans are worse than habit\n", spoilt);
    return bad[0] + bad[1] + astray + spoilt != 0;
}
