// Python binding of the playouts of Tuppen. Cards arrive as sets of the engine's 64 bits with the place of each card in
// the order of play.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "bind/bindings.h"
#include "playouts/tuppen.h"

namespace nb = nanobind;

namespace nousu {
namespace {

using playouts::Hand;
using playouts::SEATS;

// Place of each of the engine's 64 card bits in the order of play, 255 for no card of the pack.
class Order {
public:
    explicit Order(const nb::bytes& places) {
        if (places.size() != 64) throw std::invalid_argument("an order names 64 places");
        std::memcpy(at_, places.c_str(), 64);
    }

    int operator()(unsigned card) const {
        if (card > 63 || at_[card] > 31) throw std::invalid_argument("this is no card of the pack");
        return at_[card];
    }

    Hand operator()(std::uint64_t cards) const {
        Hand result = 0;
        for (; cards; cards &= cards - 1) result |= 1u << (*this)(static_cast<unsigned>(std::countr_zero(cards)));
        return result;
    }

    std::vector<Hand> hands(const nb::bytes& sets) const {
        if (sets.size() % 8) throw std::invalid_argument("a set of cards has eight bytes");
        std::vector<Hand> result(sets.size() / 8);
        for (std::size_t at = 0; at < result.size(); ++at) {
            std::uint64_t cards;
            std::memcpy(&cards, sets.c_str() + 8 * at, 8);
            result[at] = (*this)(cards);
        }
        return result;
    }

private:
    std::uint8_t at_[64];
};

playouts::Moment moment_of(const Order& order, unsigned playing, int turn, const nb::bytes& trick) {
    if (playing >> SEATS || !playing || turn < 0 || turn >= SEATS || trick.size() % 2 || trick.size() > 2 * SEATS)
        throw std::invalid_argument("this is no hand of Tuppen");
    playouts::Moment moment;
    moment.playing = playing, moment.turn = turn, moment.laid = static_cast<int>(trick.size() / 2);
    const auto* plays = reinterpret_cast<const std::uint8_t*>(trick.c_str());
    for (int at = 0; at < moment.laid; ++at) {
        if (plays[2 * at] >= SEATS) throw std::invalid_argument("this is no seat");
        moment.seats[at] = plays[2 * at];
        moment.cards[at] = static_cast<std::uint8_t>(order(unsigned{plays[2 * at + 1]}));
    }
    return moment;
}

// The seat that takes the last trick: a byte for each world and first card (255: the player's own choice).
nb::bytes last_takers(nb::bytes places, unsigned playing, int turn, nb::bytes trick, nb::bytes firsts,
                      nb::bytes worlds) {
    const Order order(places);
    const playouts::Moment moment = moment_of(order, playing, turn, trick);
    const std::vector<Hand> hands = order.hands(worlds);
    if (hands.size() % SEATS) throw std::invalid_argument("a world has eight hands");
    std::vector<std::uint8_t> result;
    for (std::size_t world = 0; world < hands.size(); world += SEATS)
        for (std::size_t at = 0; at < firsts.size(); ++at) {
            const auto first = static_cast<std::uint8_t>(firsts.c_str()[at]);
            Hand held[SEATS];
            std::memcpy(held, &hands[world], sizeof held);
            result.push_back(static_cast<std::uint8_t>(
                playouts::last_taker(moment, held, first == 255 ? -1 : order(unsigned{first}))));
        }
    return nb::bytes(reinterpret_cast<const char*>(result.data()), result.size());
}

// How often of `times` a seat takes the last trick with each of these hands, by what it has seen: a byte a hand.
nb::bytes last_trick_wins(nb::bytes places, unsigned playing, int turn, nb::bytes trick, int seat, std::uint64_t seen,
                          nb::bytes counts, nb::bytes held, int times, std::uint64_t seed) {
    const Order order(places);
    const playouts::Moment moment = moment_of(order, playing, turn, trick);
    if (counts.size() != SEATS || seat < 0 || seat >= SEATS || times < 1 || times > 255)
        throw std::invalid_argument("eight counts, a seat, and at most 255 times");
    const Hand known = order(seen);
    const auto* many = reinterpret_cast<const std::uint8_t*>(counts.c_str());
    std::vector<std::uint8_t> result;
    for (Hand hand : order.hands(held)) {
        const playouts::Dice dice{seed + result.size() * 0xD1342543DE82EF95ull};
        result.push_back(static_cast<std::uint8_t>(playouts::taken(moment, seat, hand, known, many, times, dice)));
    }
    return nb::bytes(reinterpret_cast<const char*>(result.data()), result.size());
}

}  // namespace

void add_tuppen_playouts(nb::module_& m) {
    m.def("last_takers", &last_takers, nb::arg("places"), nb::arg("playing"), nb::arg("turn"), nb::arg("trick"),
          nb::arg("firsts"), nb::arg("worlds"));
    m.def("last_trick_wins", &last_trick_wins, nb::arg("places"), nb::arg("playing"), nb::arg("turn"), nb::arg("trick"),
          nb::arg("seat"), nb::arg("seen"), nb::arg("counts"), nb::arg("held"), nb::arg("times"), nb::arg("seed"));
}

}  // namespace nousu
