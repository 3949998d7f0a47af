// Python's door to hands of Huutopussi played out by the rules of thumb.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "bind/bindings.h"
#include "playouts/requests.h"

namespace nb = nanobind;

namespace nousu {
namespace {

constexpr std::size_t WEIGHTS = sizeof(PlayoutsHuutopussi::Weights) / sizeof(double);
constexpr int LONGEST = 36 + 16;  // cards, and before each of eight leads a question and its answer

void check(const nb::bytes& moves) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(moves.c_str());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool card = at[i] < DECLARE && (at[i] & 15) >= 4 && (at[i] & 15) <= 12;
        if (!card && (at[i] < DECLARE || at[i] >= PlayoutsHuutopussi::MOVES) && at[i] != PlayoutsHuutopussi::ANY)
            throw std::invalid_argument("this is no move of Huutopussi");
    }
}

// `facts`: the points of the thirteen ranks, of the four marriages and of the last trick; whether every winner of a
// trick may declare, questions cost rights, answers are true, the first trick is bound; the first leader and the
// viewer; declarer and contract. With a `policy` its nets decide about cards. Back: three numbers a world and first
// move (points of both sides, tricks of North–South), and one a world.
nb::tuple playouts_huutopussi(const std::vector<double>& weights, const std::vector<int>& facts, nb::bytes history,
                              nb::bytes first, nb::bytes hands, nb::bytes policy) {
    const std::size_t row = 8 * sizeof(Cards);
    if (weights.size() != WEIGHTS || facts.size() != 26 || !first.size() || hands.size() % row ||
        history.size() > LONGEST)
        throw std::invalid_argument("these are not playouts");
    check(history), check(first);
    PlayoutsHuutopussi asked;
    static_assert(std::is_trivially_copyable_v<PlayoutsHuutopussi::Weights>);
    std::memcpy(&asked.weights, weights.data(), sizeof asked.weights);
    const int* at = facts.data();
    std::copy_n(at, 13, asked.value);
    std::copy_n(at += 13, SUITS, asked.marriage);
    at += SUITS;
    asked.last_trick = *at++;
    asked.any_winner_declares = *at++, asked.lockouts = *at++, asked.truthful = *at++, asked.ace_or_spade = *at++;
    asked.leader = *at++, asked.viewer = *at++;
    asked.declarer = *at++, asked.contract = *at++;
    if (asked.leader < 0 || asked.leader > 3) throw std::invalid_argument("this is no seat");
    const std::vector<std::int16_t> nets = weights_of(policy, PlayoutsHuutopussi::POLICY);
    if (!nets.empty()) asked.policy = nets.data();
    asked.history = reinterpret_cast<const std::uint8_t*>(history.c_str());
    asked.heard = static_cast<int>(history.size());
    asked.first = reinterpret_cast<const std::uint8_t*>(first.c_str());
    asked.firsts = static_cast<int>(first.size());
    asked.worlds = hands.size() / row;
    std::vector<Cards> held(8 * asked.worlds);
    std::memcpy(held.data(), hands.c_str(), hands.size());
    asked.hands = held.data();
    std::vector<std::int16_t> gained(3 * asked.worlds * asked.firsts);
    std::vector<double> strange(asked.worlds);
    asked.gained = gained.data(), asked.strange = strange.data();
    {
        nb::gil_scoped_release release;
        fastest().playouts_huutopussi(asked);
    }
    return nb::make_tuple(nb::bytes(reinterpret_cast<const char*>(gained.data()), gained.size() * sizeof gained[0]),
                          nb::cast(strange));
}

}  // namespace

void add_huutopussi(nb::module_& m) {
    m.def("playouts_huutopussi", &playouts_huutopussi, nb::arg("weights"), nb::arg("facts"), nb::arg("history"),
          nb::arg("first"), nb::arg("hands"), nb::arg("policy"));
}

}  // namespace nousu
