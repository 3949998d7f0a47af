// The program that cpp/sanitize.sh builds with the sanitizers: random positions through every search on two threads,
// compared with the general search; random hands through every environment; random endings played out and planned.
#include <algorithm>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

#include "playouts/whist.h"
#include "tests/environment_check.h"
#include "tests/random_positions.h"
#include "tests/search_check.h"

using namespace nousu;
using namespace nousu::NOUSU_ISA;

namespace {

int count_wrong_solutions(unsigned seed, int rounds) {
    std::mt19937 dice(seed);
    SearchCheck check;
    int wrong = 0;
    for (int i = 0; i < rounds; ++i) {
        const auto kind = static_cast<Kind>(i % 5);
        const unsigned sizes = kind == Kind::sooli ? 6 : 4;
        const Position p = random_position(dice, kind, 2 + static_cast<int>(dice() % sizes));
        wrong += check.error(p, 50) != nullptr;
    }
    return wrong;
}

// Random hands of every table, in arrays of exact size; ends the program at a failure.
void check_environments(int steps) {
    std::mt19937 dice(5);
    for (const TestTable& table : TABLES) {
        std::vector<std::uint8_t> random(static_cast<std::size_t>(8 * steps));
        for (auto& byte : random) byte = static_cast<std::uint8_t>(dice());
        Bytes bytes(random.data(), random.size());
        EnvironmentCheck check(table, 5, true, bytes);
        for (int i = 0; i < steps; ++i) {
            check.step(bytes);
            if (i % 500 == 0) check.copy_history(bytes);
        }
    }
}

// Random endings with random habits and nets. Returns the number of plans that are worse than playing like the others.
int count_worse_plans(int rounds) {
    std::mt19937 dice(3);
    std::vector<double> weights(WhistRequest::weight_count());
    std::vector<std::int16_t> nets(WhistRequest::POLICY);
    int worse = 0;
    for (int i = 0; i < rounds; ++i) {
        for (double& weight : weights) weight = static_cast<int>(dice() % 21) - 10;
        for (std::int16_t& weight : nets) weight = static_cast<std::int16_t>(dice() % 41 - 20);
        WhistRequest request;
        request.kind = static_cast<int>(dice() % 3);
        request.viewer = request.leader = static_cast<int>(dice() % 4);
        if (request.kind == WhistRequest::sooli) {
            request.soloist =
                static_cast<int>((request.viewer + 3 + dice() % 3) % 4);  // not the viewer's partner: the viewer plays
            if (dice() % 2) request.last = request.soloist == request.viewer ? NONE : request.soloist;
        } else if (dice() % 2) {
            request.bidder = static_cast<int>(dice() % 4);
        }
        if (dice() % 2) request.policy = nets.data();
        request.weights = weights.data();
        const int size = 2 + static_cast<int>(dice() % 3);
        const std::size_t worlds = 1 + dice() % 20;
        std::vector<int> pack;
        for (int card = 0; card < 52; ++card) pack.push_back(card / 13 * 16 + card % 13);
        std::shuffle(pack.begin(), pack.end(), dice);
        std::vector<Cards> hands;
        for (std::size_t world = 0; world < worlds; ++world) {
            std::shuffle(pack.begin() + size, pack.begin() + 4 * size, dice);  // the viewer's cards stay
            Cards held[5] = {};
            for (int card = 0; card < 4 * size; ++card) held[(request.viewer + card / size) & 3] |= bit(pack[card]);
            hands.insert(hands.end(), held, held + 5);
        }
        std::vector<std::uint8_t> first(pack.begin(), pack.begin() + size);
        request.hands = hands.data(), request.worlds = worlds;
        request.first = first.data(), request.first_count = size;
        std::vector<std::int8_t> results(worlds * size);
        std::vector<std::int32_t> strangeness(worlds);
        request.results = results.data(), request.strangeness = strangeness.data();
        std::vector<double> world_weights(worlds), utility(request.kind == WhistRequest::sooli ? 2 : 14), values(size);
        for (double& weight : world_weights) weight = 1 + dice() % 5;
        for (double& value : utility) value = dice() % 50;
        playouts_whist(request);
        plans_whist({request, world_weights.data(), utility.data(), values.data()});
        for (int at = 0; at < size; ++at) {
            double habit = 0;
            for (std::size_t world = 0; world < worlds; ++world)
                habit += world_weights[world] * utility[results[world * size + at]];
            worse += values[at] < habit;
        }
    }
    return worse;
}

}  // namespace

int main() {
    int wrong[2] = {0, 0};
    std::thread other([&] { wrong[1] = count_wrong_solutions(2, 600); });
    wrong[0] = count_wrong_solutions(1, 600);
    other.join();
    std::printf("%d of 1200 positions differ\n", wrong[0] + wrong[1]);
    check_environments(2000);
    const int worse = count_worse_plans(3000);
    std::printf("%d plans are worse than playing like the others\n", worse);
    return wrong[0] + wrong[1] + worse != 0;
}
