// Hands of Tuppi played by the nets of `expert`, and imagined deals beside true ones; belief_net.py compiles and runs
// this.
//
//   belief_net POLICY hands COUNT SEED    so many hands; chance decides between cards by their ratings
//   belief_net POLICY deals COUNT SEED    reads positions; for each the true deal, then so many drawn evenly
//
// POLICY holds the weights of the nets as the core reads them. Bids follow the strength of the hand, with some noise.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#define NOUSU_ISA research
#include "../../cpp/common/random.h"
#include "../../cpp/playouts/whist_policy.h"

using namespace nousu;
using namespace nousu::research;

constexpr int NOBODY = -1;
constexpr double HIGH_BID = 12.2, CAUTION = 0.5, PLACES[] = {0.15, -0.2, -0.9, -1.5}, BID_NOISE = 0.6;
constexpr double MOST = 4;  // units that a single card can count
constexpr Cards PACK = 0x1FFF1FFF1FFF1FFFull, RED = lane(1) | lane(2), BID_RANKS = 0x01FE01FE01FE01FEull;

struct Hand {
    std::uint8_t low = 0;
    std::int8_t bidder = NOBODY;
    std::uint8_t dealer = 0, leader = 0;
    std::int8_t shown[4] = {NOBODY, NOBODY, NOBODY, NOBODY};
    std::uint8_t cut = 0, unused[3] = {};  // the position is that before the card with this number
    std::uint8_t plays[52] = {};
    Cards dealt[4] = {};
};

struct Chance : Dice {
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

struct Imagined {
    Cards hands[3];   // of the next seat, the partner, the last one
    float shortfall;  // units, as the searching players count them
    float bids;       // logarithm of the likelihood of the bids turned up
    float exact;      // logarithm of the likelihood of all that was heard, as hands are played here
    float unused;
};

struct Table {
    Cards hand[4] = {}, played = 0;
    int voids[4] = {}, led[4] = {}, won[2] = {}, seat_of[4] = {}, card_of[4] = {};
    int size = 0, best = 0, turn = 0;

    Cards legal() const {
        const Cards same = size ? hand[turn] & lane(suit_of(card_of[0])) : 0;
        return same ? same : hand[turn];
    }
    WhistDecision decision(bool low, int bidder) const {
        WhistDecision input{hand[turn], PACK & ~(hand[turn] | played), {}, {}, {}, turn, bidder, size, 0, 0, 0, low};
        std::copy(voids, voids + 4, input.voids);
        std::copy(led, led + 4, input.led);
        input.won[0] = won[turn & 1], input.won[1] = won[~turn & 1];
        if (size) input.best = card_of[best], input.best_seat = seat_of[best], input.led_suit = suit_of(card_of[0]);
        return input;
    }
    void play(int card) {
        hand[turn] &= ~bit(card);
        played |= bit(card);
        if (size && suit_of(card) != suit_of(card_of[0])) voids[turn] |= 1 << suit_of(card_of[0]);
        seat_of[size] = turn, card_of[size] = card;
        if (suit_of(card) == suit_of(card_of[0]) && card > card_of[best]) best = size;
        if (++size < 4) {
            turn = (turn + 1) & 3;
            return;
        }
        led[suit_of(card_of[0])] |= 1 << seat_of[0];
        turn = seat_of[best];
        ++won[turn & 1];
        size = best = 0;
    }
};

double strength(Cards hand) {
    double sum = 0;
    for (int suit = 0; suit < 4; ++suit)
        sum += 4.0 * (hand >> (16 * suit + 12) & 1) + 2.76 * (hand >> (16 * suit + 11) & 1) +
               1.62 * (hand >> (16 * suit + 10) & 1) + 0.68 * (hand >> (16 * suit + 9) & 1);
    return sum;
}

// The strength from which a seat bids high at nought to nought.
double line_of(const Hand& hand, int seat) { return HIGH_BID + CAUTION + PLACES[(seat - hand.dealer - 1) & 3]; }

// The card of rules.py: small for a high bid, from a long suit and middling for a low one.
template <class Visit>
void rate_bids(Cards cards, bool high, const Visit& visit) {
    for (Cards rest = cards & BID_RANKS & (high ? RED : ~RED); rest; rest &= rest - 1) {
        const int card = lowest(rest), rank = card & 15, length = count(cards & lane(suit_of(card)));
        visit(card, high ? -100 * rank + length : 100 * length + rank);
    }
}

int bid_card(Cards cards, bool high, Chance& rng) {
    double most = -1e9;
    int chosen = NOBODY;
    rate_bids(cards, high, [&](int card, int rating) {
        const double key = rating + 0.5 * rng.unit();
        if (key > most) most = key, chosen = card;
    });
    return chosen;
}

double surprise_of_bid_card(Cards cards, bool high, int shown) {
    int most = -10000, own = -10000, many = 0;
    rate_bids(cards, high, [&](int card, int rating) {
        many = rating > most ? 1 : many + (rating == most);
        most = std::max(most, rating);
        if (card == shown) own = rating;
    });
    return own == most ? std::log(many) : 30;
}

Hand play_hand(const WhistPolicy& policy, Chance& rng) {
    Hand hand;
    int pack[52];
    for (int i = 0; i < 52; ++i) pack[i] = i / 13 * 16 + i % 13;
    for (int left = 52; left > 1; --left) std::swap(pack[left - 1], pack[rng.below(left)]);
    for (int i = 0; i < 52; ++i) hand.dealt[i & 3] |= bit(pack[i]);
    hand.dealer = static_cast<std::uint8_t>(rng.below(4));
    for (int place = 1; place <= 4 && hand.bidder == NOBODY; ++place) {
        const int seat = (hand.dealer + place) & 3;
        const double noise = rng.unit(), edge = strength(hand.dealt[seat]) - line_of(hand, seat);
        const bool high = edge + BID_NOISE * std::log(noise / (1 - noise)) > 0;
        hand.shown[seat] = static_cast<std::int8_t>(bid_card(hand.dealt[seat], high, rng));
        if (high) hand.bidder = static_cast<std::int8_t>(seat);
    }
    hand.low = hand.bidder == NOBODY;
    hand.leader = static_cast<std::uint8_t>(hand.low ? (hand.dealer + 1) & 3 : (hand.bidder + 3) & 3);
    Table table;
    std::copy(hand.dealt, hand.dealt + 4, table.hand);
    table.turn = hand.leader;
    for (int i = 0; i < 52; ++i) {
        const Cards legal = table.legal();
        int chosen = lowest(legal);
        double most = -1e30;
        if (legal & (legal - 1))
            policy.rate(table.decision(hand.low, hand.bidder), legal, [&](int card, int rating) {
                const double key = rating / 65536.0 - std::log(-std::log(rng.unit()));
                if (key > most) most = key, chosen = card;
            });
        hand.plays[i] = static_cast<std::uint8_t>(chosen);
        table.play(chosen);
    }
    return hand;
}

void weigh(const Hand& hand, const WhistPolicy& policy, int viewer, const Cards (&now)[4], Imagined& out) {
    Table table;
    for (int seat = 0; seat < 4; ++seat) table.hand[seat] = now[seat];
    table.turn = hand.leader;
    Table walk = table;
    for (int i = 0; i < hand.cut; ++i) table.hand[walk.turn] |= bit(hand.plays[i]), walk.play(hand.plays[i]);
    double exact = 0, bids = 0, shortfall = 0;
    for (int seat = 0; seat < 4; ++seat)
        if (seat != viewer && hand.shown[seat] != NOBODY) {
            const double edge = strength(table.hand[seat]) - line_of(hand, seat);
            const bool high = RED >> hand.shown[seat] & 1;
            bids -= std::log1p(std::exp(high ? -edge : edge));
            exact -= std::log1p(std::exp((high ? -edge : edge) / BID_NOISE)) +
                     surprise_of_bid_card(table.hand[seat], high, hand.shown[seat]);
        }
    for (int i = 0; i < hand.cut; ++i) {
        const Cards legal = table.legal();
        if (table.turn != viewer && (legal & (legal - 1))) {
            double best = -1e9, own = 0, ratings[13];
            int many = 0;
            policy.rate(table.decision(hand.low, hand.bidder), legal, [&](int card, int rating) {
                const double units = ratings[many++] = rating / 65536.0;
                best = std::max(best, units);
                if (card == hand.plays[i]) own = units;
            });
            shortfall += std::min(MOST, best - own);
            double sum = 0;
            for (int at = 0; at < many; ++at) sum += std::exp(ratings[at] - own);
            exact -= std::log(sum);
        }
        table.play(hand.plays[i]);
    }
    out.exact = static_cast<float>(exact), out.bids = static_cast<float>(bids);
    out.shortfall = static_cast<float>(shortfall);
}

// All ways to deal the hidden cards to the hands that may hold them.
class WhistDeals {
public:
    WhistDeals(const Cards (&may)[3], const int (&sizes)[3]) {
        for (int seat = 0; seat < 3; ++seat) sizes_[seat] = sizes[seat];
        for (Cards rest = may[0] | may[1] | may[2]; rest; rest &= rest - 1) {
            const int card = lowest(rest);
            int mask = 0;
            for (int seat = 0; seat < 3; ++seat) mask |= static_cast<int>(may[seat] >> card & 1) << seat;
            if (mask & (mask - 1))
                groups_[mask].push_back(card);
            else
                fixed_[mask >> 1] |= bit(card), --sizes_[mask >> 1];  // masks 1, 2, 4
        }
        const int both = size(3), outer = size(5), last = size(6), all = size(7);
        for (int i = 0; i <= both; ++i)
            for (int j = 0; j <= outer; ++j)
                for (int k = 0; k <= last; ++k) {
                    const int a = sizes_[0] - i - j, b = sizes_[1] - (both - i) - k, c = all - a - b;
                    if (a < 0 || b < 0 || c < 0) continue;
                    total_ +=
                        choose(both, i) * choose(outer, j) * choose(last, k) * choose(all, a) * choose(all - a, b);
                    ways_.push_back({total_, i, j, k, a, b});
                }
    }
    // Draw a deal; every one is equally likely.
    void draw(Chance& rng, Cards* hands) const {
        std::copy(fixed_, fixed_ + 3, hands);
        const double at = rng.unit() * total_;
        std::size_t way = 0;
        while (way + 1 < ways_.size() && ways_[way].total <= at) ++way;
        const Way& w = ways_[way];
        give(groups_[3], {w.i, size(3) - w.i, 0}, rng, hands);
        give(groups_[5], {w.j, 0, size(5) - w.j}, rng, hands);
        give(groups_[6], {0, w.k, size(6) - w.k}, rng, hands);
        give(groups_[7], {w.a, w.b, size(7) - w.a - w.b}, rng, hands);
    }

private:
    struct Way {
        double total;
        int i, j, k, a, b;
    };
    int size(int mask) const { return static_cast<int>(groups_[mask].size()); }
    static double choose(int n, int k) {
        double ways = 1;
        for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
        return ways;
    }
    static void give(std::vector<int> cards, std::array<int, 3> sizes, Chance& rng, Cards* hands) {
        for (int left = static_cast<int>(cards.size()); left > 1; --left)
            std::swap(cards[left - 1], cards[rng.below(left)]);
        std::size_t at = 0;
        for (int seat = 0; seat < 3; ++seat)
            for (int i = 0; i < sizes[seat]; ++i) hands[seat] |= bit(cards[at++]);
    }
    Cards fixed_[3] = {};
    int sizes_[3];
    std::vector<int> groups_[8];
    std::vector<Way> ways_;
    double total_ = 0;
};

// The deals of the hidden cards that fit suits not followed and the bid cards turned up.
WhistDeals fitting_deals(Cards hidden, int viewer, const int* counts, const std::int8_t* shown, const int* voids) {
    Cards may[3];
    int sizes[3];
    for (int step = 1; step < 4; ++step) {
        const int seat = (viewer + step) & 3;
        sizes[step - 1] = counts[seat];
        may[step - 1] = hidden;
        for (int suit = 0; suit < 4; ++suit)
            if (voids[seat] >> suit & 1) may[step - 1] &= ~lane(suit);
        for (int other = 0; other < 4; ++other)
            if (other != seat && shown[other] != NOBODY) may[step - 1] &= ~bit(shown[other]);
    }
    return {may, sizes};
}

void imagine(const Hand& hand, const WhistPolicy& policy, int deals, Chance& rng) {
    Table table;
    std::copy(hand.dealt, hand.dealt + 4, table.hand);
    table.turn = hand.leader;
    for (int i = 0; i < hand.cut; ++i) table.play(hand.plays[i]);
    const int viewer = table.turn;
    int counts[4];
    for (int seat = 0; seat < 4; ++seat) counts[seat] = count(table.hand[seat]);
    const Cards hidden = PACK & ~(table.hand[viewer] | table.played);
    const WhistDeals drawing = fitting_deals(hidden, viewer, counts, hand.shown, table.voids);
    for (int deal = 0; deal <= deals; ++deal) {
        Imagined out{};
        Cards drawn[3] = {}, now[4];
        if (deal) drawing.draw(rng, drawn);
        now[viewer] = table.hand[viewer];
        for (int step = 1; step < 4; ++step) {
            const int seat = (viewer + step) & 3;
            now[seat] = out.hands[step - 1] = deal ? drawn[step - 1] : table.hand[seat];
        }
        weigh(hand, policy, viewer, now, out);
        std::fwrite(&out, sizeof out, 1, stdout);
    }
}

double rating_of(const double* ratings, const Cards* hands) {
    double sum = 0;
    for (int hand = 0; hand < 3; ++hand)
        for (int suit = 0; suit < 4; ++suit, ratings += 30) {
            Cards ranks = hands[hand] >> 16 * suit & LANE;
            sum += ratings[16 + count(ranks)];
            for (; ranks; ranks &= ranks - 1) sum += ratings[lowest(ranks)];
        }
    return sum;
}

// Draw so many deals by their ratings from a pool drawn evenly.
extern "C" void draw(Cards hand, int viewer, const Cards* played, const int* counts, const std::int8_t* shown,
                     const int* voids, const double* ratings, std::size_t pool, std::size_t deals, std::uint64_t seed,
                     Cards* out) {
    const Cards hidden = PACK & ~(hand | played[0] | played[1] | played[2] | played[3]);
    const WhistDeals drawing = fitting_deals(hidden, viewer, counts, shown, voids);
    Chance chance{{seed}};
    std::vector<Cards> hands(3 * pool);
    std::vector<double> odds(pool);
    double most = -1e300, total = 0;
    for (std::size_t i = 0; i < pool; ++i) {
        drawing.draw(chance, &hands[3 * i]);
        odds[i] = rating_of(ratings, &hands[3 * i]);
        most = std::max(most, odds[i]);
    }
    for (double& one : odds) total += one = std::exp(one - most);
    // Evenly spaced marks on the sum of all odds: a deal is drawn as often as it is likely, up to less than one.
    const double step = total / static_cast<double>(deals);
    double mark = step * chance.unit(), sum = 0;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < pool; ++i) {
        sum += odds[i];
        for (; drawn < deals && (mark < sum || i + 1 == pool); mark += step, ++drawn)
            std::copy_n(&hands[3 * i], 3, out + 3 * drawn);
    }
}

int main(int words, char** word) {
    if (words != 5) return 2;
    std::ifstream file(word[1], std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::int16_t> weights(bytes.size() / 2);
    std::memcpy(weights.data(), bytes.data(), 2 * weights.size());
    const WhistPolicy policy(weights.data());
    const int many = std::atoi(word[3]);
    Chance rng{{static_cast<std::uint64_t>(std::atoll(word[4]))}};
    if (!std::strcmp(word[2], "hands")) {
        for (int i = 0; i < many; ++i) {
            const Hand hand = play_hand(policy, rng);
            std::fwrite(&hand, sizeof hand, 1, stdout);
        }
    } else {
        for (Hand hand; std::fread(&hand, sizeof hand, 1, stdin) == 1;) imagine(hand, policy, many, rng);
    }
}
