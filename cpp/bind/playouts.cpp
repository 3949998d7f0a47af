// Python binding of the playouts of the whist family and of Huutopussi. `weights` are those of the rule-based player;
// `history`, `first` and `hands` are bytes as described in playouts/requests.h; `policy` holds the weights of nets, or
// nothing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "bind/bindings.h"
#include "common/dispatch.h"

namespace nb = nanobind;

namespace nousu {
namespace {

constexpr std::size_t HUUTOPUSSI_WEIGHTS = sizeof(HuutopussiRequest::Weights) / sizeof(double);
constexpr int HUUTOPUSSI_LONGEST = 36 + 16;  // cards, and a question with its answer before each of eight leads

// A request whose arrays live as long as this object and the bytes it was made from. A world has `SETS` sets of cards.
template <class Request, int SETS>
class RequestData {
public:
    RequestData(const nb::bytes& history, const nb::bytes& first, const nb::bytes& hands, const nb::bytes& policy)
        : policy_(policy.size() / 2), hands_(hands.size() / sizeof(Cards)) {
        if (!first.size() || hands.size() % (SETS * sizeof(Cards)))
            throw std::invalid_argument("these are not playouts");
        if (policy.size() && policy.size() != 2 * Request::POLICY)
            throw std::invalid_argument("these are not the nets");
        const auto* byte = reinterpret_cast<const std::uint8_t*>(policy.c_str());
        for (std::int16_t& weight : policy_)  // low byte first
            weight = static_cast<std::int16_t>(byte[0] | byte[1] << 8), byte += 2;
        if (!policy_.empty()) request.policy = policy_.data();
        request.history = reinterpret_cast<const std::uint8_t*>(history.c_str());
        request.played = static_cast<int>(history.size());
        request.first = reinterpret_cast<const std::uint8_t*>(first.c_str());
        request.first_count = static_cast<int>(first.size());
        request.worlds = hands_.size() / SETS;
        std::memcpy(hands_.data(), hands.c_str(), hands.size());
        request.hands = hands_.data();
    }

    Request request;

private:
    std::vector<std::int16_t> policy_;
    std::vector<Cards> hands_;
};

class WhistRequestData : public RequestData<WhistRequest, 5> {
public:
    // `facts`: kind, bidder, soloist, last seat, leader, viewer.
    WhistRequestData(const std::vector<double>& weights, const std::vector<int>& facts, const nb::bytes& history,
                     const nb::bytes& first, const nb::bytes& hands, const nb::bytes& policy)
        : RequestData(history, first, hands, policy) {
        if (weights.size() != WhistRequest::weight_count() || facts.size() != 6)
            throw std::invalid_argument("these are not playouts");
        request.kind = facts[0], request.bidder = facts[1], request.soloist = facts[2];
        request.last = facts[3], request.leader = facts[4], request.viewer = facts[5];
        const bool sooli = request.kind == WhistRequest::sooli;
        if (request.kind < 0 || request.kind > 2 || request.leader < 0 || request.leader > 3 ||
            sooli != (request.soloist >= 0) || request.soloist > 3 || request.played > 51)
            throw std::invalid_argument("this is not a hand of the whist family");
        request.weights = weights.data();
        for (int i = 0; i < request.played; ++i)
            if (request.history[i] > 63) throw std::invalid_argument("this is not a card");
    }
};

// Returns the results as bytes, one per world and first card, and the strangeness of each world.
nb::tuple playouts_whist(const std::vector<double>& weights, const std::vector<int>& facts, nb::bytes history,
                         nb::bytes first, nb::bytes hands, nb::bytes policy, int max_strangeness) {
    WhistRequestData data(weights, facts, history, first, hands, policy);
    WhistRequest& request = data.request;
    if (request.policy) request.max_strangeness = max_strangeness;
    std::vector<std::int8_t> results(request.worlds * request.first_count);
    std::vector<std::int32_t> strangeness(request.worlds);
    request.results = results.data(), request.strangeness = strangeness.data();
    {
        nb::gil_scoped_release release;
        fastest_core().playouts_whist(request);
    }
    return nb::make_tuple(nb::bytes(reinterpret_cast<const char*>(results.data()), results.size()), strangeness);
}

// Returns a value per first card, which must be a legal card of the viewer, whose turn it is.
std::vector<double> plans_whist(const std::vector<double>& weights, const std::vector<int>& facts, nb::bytes history,
                                nb::bytes first, nb::bytes hands, nb::bytes policy,
                                const std::vector<double>& world_weights, const std::vector<double>& utility) {
    const WhistRequestData data(weights, facts, history, first, hands, policy);
    const WhistRequest& table = data.request;
    const std::size_t outcomes = table.kind == WhistRequest::sooli ? 2 : 14;
    if (table.viewer < 0 || table.viewer > 3 || world_weights.size() != table.worlds || utility.size() != outcomes)
        throw std::invalid_argument("these are not plans");
    for (int i = 0; i < table.first_count; ++i)
        if (table.first[i] > 63) throw std::invalid_argument("this is not a card");
    std::vector<double> values(table.first_count);
    {
        nb::gil_scoped_release release;
        fastest_core().plans_whist({table, world_weights.data(), utility.data(), values.data()});
    }
    return values;
}

void check_moves(const std::uint8_t* move, int size) {
    for (const std::uint8_t* end = move + size; move != end; ++move) {
        const bool card = *move < DECLARE && (*move & 15) >= 4 && (*move & 15) <= 12;
        if (!card && (*move < DECLARE || *move >= HuutopussiRequest::MOVES) && *move != HuutopussiRequest::ANY)
            throw std::invalid_argument("this is no move of Huutopussi");
    }
}

// `facts`: the points of the thirteen ranks, of the four marriages and of the last trick; whether any winner of a trick
// may declare, questions cost rights, answers are true, the first trick is bound, a player has one attempt a hand,
// halves are asked for by suit; leader, viewer, declarer, contract. Returns three 16-bit results per world and first
// move (points of both sides, tricks of North–South), and the strangeness of each world.
nb::tuple playouts_huutopussi(const std::vector<double>& weights, const std::vector<int>& facts, nb::bytes history,
                              nb::bytes first, nb::bytes hands, nb::bytes policy) {
    if (weights.size() != HUUTOPUSSI_WEIGHTS || facts.size() != 28 || history.size() > HUUTOPUSSI_LONGEST)
        throw std::invalid_argument("these are not playouts");
    RequestData<HuutopussiRequest, 8> data(history, first, hands, policy);
    HuutopussiRequest& request = data.request;
    check_moves(request.history, request.played), check_moves(request.first, request.first_count);
    static_assert(std::is_trivially_copyable_v<HuutopussiRequest::Weights>);
    std::memcpy(&request.weights, weights.data(), sizeof request.weights);
    const int* fact = facts.data();
    std::copy_n(fact, 13, request.value);
    std::copy_n(fact += 13, SUITS, request.marriage);
    fact += SUITS;
    request.last_trick = *fact++;
    request.any_winner_declares = *fact++, request.lockouts = *fact++;
    request.truthful = *fact++, request.ace_or_spade = *fact++;
    request.once = *fact++, request.by_suit = *fact++;
    request.leader = *fact++, request.viewer = *fact++;
    request.declarer = *fact++, request.contract = *fact++;
    if (request.leader < 0 || request.leader > 3) throw std::invalid_argument("this is no seat");
    std::vector<std::int16_t> results(3 * request.worlds * request.first_count);
    std::vector<double> strangeness(request.worlds);
    request.results = results.data(), request.strangeness = strangeness.data();
    {
        nb::gil_scoped_release release;
        fastest_core().playouts_huutopussi(request);
    }
    return nb::make_tuple(nb::bytes(reinterpret_cast<const char*>(results.data()), results.size() * sizeof results[0]),
                          nb::cast(strangeness));
}

}  // namespace

void add_playouts(nb::module_& m) {
    nb::list habits;
    for (const char* names : WhistRequest::NAMES) habits.append(nb::str(names));
    m.attr("HABITS") = habits;
    m.def("playouts_whist", &playouts_whist, nb::arg("weights"), nb::arg("facts"), nb::arg("history"), nb::arg("first"),
          nb::arg("hands"), nb::arg("policy"), nb::arg("max_strangeness"));
    m.def("plans_whist", &plans_whist, nb::arg("weights"), nb::arg("facts"), nb::arg("history"), nb::arg("first"),
          nb::arg("hands"), nb::arg("policy"), nb::arg("world_weights"), nb::arg("utility"));
    m.def("playouts_huutopussi", &playouts_huutopussi, nb::arg("weights"), nb::arg("facts"), nb::arg("history"),
          nb::arg("first"), nb::arg("hands"), nb::arg("policy"));
}

}  // namespace nousu
