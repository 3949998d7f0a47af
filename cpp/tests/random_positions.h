// Random positions for sanitizer_run.cpp, which uses a random generator, and fuzz.cpp, which uses bytes.
// `Dice` is any generator of unsigned numbers.
#pragma once
#include <algorithm>
#include <vector>

#include "common/play_rules.h"

namespace nousu::NOUSU_ISA {

// A reachable position with `size` cards in each hand.
template <class Dice>
Position random_position(Dice& dice, Kind kind, int size) {
    Position p;
    p.kind = kind;
    // Sooli with few ranks; otherwise the soloist is nearly always caught at once.
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
        p.once = dice() % 4 == 0;
        if (p.once) p.half = static_cast<int>(dice() % 16);
    }
    int plays = static_cast<int>(dice() % 3);
    for (int i = 0; i < plays; ++i) {
        Position next = p;
        const Moves moves = legal_moves(p);
        if (apply(next, moves.move[dice() % static_cast<unsigned>(moves.size)]) || is_over(next)) break;
        p = next;
    }
    return p;
}

}  // namespace nousu::NOUSU_ISA
