// Positions and tables for the programs that try the core out: check.cpp, where chance makes them, and fuzz.cpp, where
// bytes do. A dice gives numbers, each of them as it pleases.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/play_rules.h"
#include "playouts/requests.h"

namespace nousu::trial {

using namespace nousu::NOUSU_ISA;

// A position that can arise, with so many cards in each hand.
template <class Dice>
Problem position(Dice& dice, Kind kind, int size) {
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

// Presets as nousu.env compiles them: tuppi, tuppi_catsatcards, tuppi_tournament, norwegian_catsatcards,
// norwegian_parlett, huutopussi, huutopussi_illisoft, tuppen_zk, siebenschraem, toepen.
struct Trial {
    const char* family;
    int seats;
    std::vector<std::int32_t> rules;
};
inline const Trial TABLES[] = {
    {"whist", 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 24, 4, 8, 0, 0, 4, 0, 52, 0, 0, 0, 9, 1, 0}},
    {"whist", 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 24, 4, 6, 0, 0, 1, 0, 52, 0, 0, 0, 9, 0, 1}},
    {"whist", 4, {0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 24, 4, 8, 0, 0, 4, 0, 52, 16, 1, 0, 9, 2, 0}},
    {"whist", 4, {1, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0, 24, 1, 1, 0, 1, 1, 1, 13, 0, 0, 0, 9, 0, 1}},
    {"whist", 4, {0, 2, 0, 1, 0, 0, 1, 1, 0, 1, 0, 24, 4, 8, 0, 0, 2, 1, 50, 0, 0, 0, 9, 0, 0}},
    {"huutopussi", 4, {0, 20, 0, 50, 0, 440, 440, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 500, 0, 0, 0}},
    {"huutopussi", 4, {1, 20, 0, 60, 0, 420, 420, 0, 0, 1, 1, 1, 2, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 500, 1, 1, 0}},
    {"tuppen", 8, {7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1}},
    {"tuppen", 2, {7, 0, 3, 0, 1, 1, 1, 0, 0, 0, 0, 0, 2, 1, 0, 1, 0, 1, 1}},
    {"tuppen", 5, {10, 0, 0, 0, 2, 1, 0, 0, 0, 0, 3, 0, 2, 0, 0, 0, 0, 0, 1}},
};

}  // namespace nousu::trial
