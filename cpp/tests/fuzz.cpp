// Fuzzer target: bytes become a position for the searches, or legal and illegal actions in an environment. cpp/fuzz.sh
// builds it with libFuzzer, or (NOUSU_ALONE) as a program that makes random bytes or reads them from files.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/environment_check.h"
#include "tests/random_positions.h"
#include "tests/search_check.h"

using namespace nousu;
using namespace nousu::NOUSU_ISA;

namespace {

void solve(Bytes& bytes) {
    static SearchCheck check;
    const auto kind = static_cast<Kind>(bytes.byte() % 5);
    const unsigned sizes = kind == Kind::sooli ? 4 : 3, limit = bytes.byte();
    const Position p = random_position(bytes, kind, 1 + static_cast<int>(bytes.byte() % sizes));
    if (const char* error = check.error(p, limit)) require(false, error);
}

void play(Bytes& bytes) {
    const TestTable& table = TABLES[bytes.byte() % std::size(TABLES)];
    const unsigned choice = bytes.byte();
    EnvironmentCheck check(table, 1 + static_cast<int>(choice % 3), choice & 4, bytes);
    for (int steps = 0; bytes.left() && steps < 400; ++steps) {
        check.step(bytes);
        if (steps % 32 == 7) check.copy_history(bytes);
    }
    check.copy_history(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    if (bytes.byte() & 1)
        solve(bytes);
    else
        play(bytes);
    return 0;
}

#ifdef NOUSU_ALONE
// Arguments: number of random inputs, then files to read, such as crashes found earlier.
int main(int count, char** argument) {
    std::mt19937 dice(1);
    const long rounds = count > 1 ? std::strtol(argument[1], nullptr, 10) : 1000;
    for (long round = 0; round < rounds; ++round) {
        std::vector<std::uint8_t> bytes(32 + dice() % 800);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(dice());
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    for (int at = 2; at < count; ++at) {
        std::ifstream file(argument[at], std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%ld inputs made up and %d read, nothing wrong\n", rounds, std::max(0, count - 2));
}
#endif
