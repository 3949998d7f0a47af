// Random positions through every search, on two threads, against the general search: the program that
// cpp/sanitize.sh builds with the sanitizers.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>

#include "core.h"
#include "drive.h"
#include "nolo.h"
#include "rami.h"
#include "rollout.h"
#include "sooli.h"

using namespace nousu;
using namespace nousu::NOUSU_ISA;

namespace {

Problem position(std::mt19937& dice, Kind kind, int size) {
    Problem p;
    p.kind = kind;
    // Sooli among few ranks, or the soloist is caught at once.
    const int few = std::min(13, size + 2 + static_cast<int>(dice() % 4));
    const int ranks = kind == Kind::huutopussi ? 9 : kind == Kind::tuppen ? 8 : kind == Kind::sooli ? few : 13;
    std::vector<int> pack;
    for (int card = 0; card < 4 * ranks; ++card) pack.push_back(card / ranks * 16 + card % ranks);
    std::shuffle(pack.begin(), pack.end(), dice);
    for (int i = 0; i < 4 * size; ++i) p.hand[i / size] |= bit(pack[i]);
    p.turn = static_cast<int>(dice() % 4);
    if (kind == Kind::sooli) {
        p.seat = static_cast<int>(dice() % 4);
        p.active = 15 & ~(1 << (p.seat + 2) % 4);
        p.hand[(p.seat + 2) % 4] = 0;
        p.turn = (p.seat + 1) % 4;
        p.last = dice() % 2 ? p.seat : NONE;
    }
    if (kind == Kind::huutopussi) {
        p.value = {0, 0, 0, 0, 5, 5, 5, 10, 10};
        if (dice() % 2) p.value = {0, 0, 0, 0, 2, 3, 4, 10, 11};
        p.queen = 5;
        p.king = 6;
        p.last_trick = 20;
        p.marriage = {40, 100, 80, 60};
        p.open = dice() % 2;
        p.side = static_cast<int>(dice() % 2);
        p.difference = dice() % 2;
        p.any_winner_declares = dice() % 2;
        if (dice() % 2) {
            p.trump = static_cast<int>(dice() % 4);
            p.declared = 1 << p.trump | (dice() % 2 ? 15 : 0);
        }
        p.own = static_cast<int>(dice() % 16);
        p.full = static_cast<int>(dice() % 16);
    }
    int plays = static_cast<int>(dice() % 3);
    for (int i = 0; i < plays; ++i) {
        Problem next = p;
        const Moves moves = legal_moves(p);
        if (apply(next, moves.move[dice() % static_cast<unsigned>(moves.size)]) || over(next)) break;
        p = next;
    }
    return p;
}

int wrong(unsigned seed, int rounds) {
    std::mt19937 dice(seed);
    std::unique_ptr<Solver> solver(core().solver());
    General general(12);
    NoloSearch crowded(64, 128);  // a table that is always full
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

}  // namespace

int main() {
    int bad[2] = {0, 0};
    std::thread other([&] { bad[1] = wrong(2, 600); });
    bad[0] = wrong(1, 600);
    other.join();
    std::printf("%d of 1200 positions differ\n", bad[0] + bad[1]);
    return bad[0] + bad[1] != 0;
}
