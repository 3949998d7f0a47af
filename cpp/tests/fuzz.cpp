// What a fuzzer calls: bytes become a position for the searches, or choices in an environment, legal and odd ones.
// cpp/fuzz.sh builds it with libFuzzer, or (NOUSU_ALONE) as a program that makes its bytes up or reads them from files.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "env/environment.h"
#include "playouts/random_play.h"
#include "playouts/requests.h"
#include "solver/nolo_search.h"
#include "solver/rami_search.h"
#include "solver/sooli_search.h"
#include "solver/value_search.h"
#include "tests/random_positions.h"

using namespace nousu;
using namespace nousu::NOUSU_ISA;
using namespace nousu::trial;

namespace {

// Two bytes a number; nothing but noughts once they are used up.
class Bytes {
public:
    using result_type = std::uint16_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    Bytes(const std::uint8_t* from, std::size_t size) : at_(from), end_(from + size) {}
    result_type operator()() { return static_cast<result_type>(byte() | byte() << 8); }
    unsigned byte() { return at_ == end_ ? 0u : *at_++; }
    bool left() const { return at_ != end_; }

private:
    const std::uint8_t *at_, *end_;
};

void must(bool well, const char* what) {
    if (well) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void solve(Bytes& bytes) {
    static const std::unique_ptr<Solver> solver(core().solver());
    static General general(12);
    static NoloSearch crowded(64, 32);  // a table that is always full
    static RamiSearch tight(64, 512), forked(1 << 10, 1 << 14, 2);
    const auto kind = static_cast<Kind>(bytes.byte() % 5);
    const unsigned sizes = kind == Kind::sooli ? 4 : 3;
    const unsigned how = bytes.byte();
    const Problem p = position(bytes, kind, 1 + static_cast<int>(bytes.byte() % sizes));
    Control one, two, three, four;
    const Answer fast = solver->solve(p, Want::all, true, false, one);
    must(fast.value == Drive(general, two).solve(p, Want::value, false, false).value, "the searches differ");
    bool kept = !fast.rated;
    for (int at = 0; at < fast.rated; ++at) kept |= fast.moves[at].value == fast.value;
    must(kept, "no move keeps the value");
    must(fast.length > 0 && fast.length <= MOST_LINE, "a course has moves");
    must(solver->solve(p, Want::one, false, true, three).value == fast.value, "what was learnt is wrong");
    if (kind == Kind::nolo)
        must(Drive(crowded, four).solve(p, Want::value, false, false).value == fast.value, "a full table differs");
    if (kind == Kind::rami) {
        RamiSearch& search = how & 1 ? tight : forked;
        must(Drive(search, four).solve(p, Want::value, false, false).value == fast.value, "a small table differs");
    }
    rollouts(p, 1 + how % 3, how);
    Control stopped;
    stopped.limit = how;
    try {
        solver->solve(p, Want::value, false, false, stopped);
    } catch (const Stopped&) {
    }
}

// One table of several lanes, and a second one to which its histories are carried.
class Tables {
public:
    Tables(const Trial& table, int lanes, bool matches, Bytes& bytes)
        : lanes_(lanes), here_(made(table, lanes, matches)), there_(made(table, 1, matches)), shape_(here_->shape()),
          planes_(row(shape_.planes * shape_.cards)), mask_(row(shape_.actions)), done_(row(1)),
          scalars_(row(shape_.scalars)), reward_(row(shape_.seats)), seat_(row(1)), place_(row(shape_.seats)),
          actions_(row(1)) {
        std::vector<std::uint64_t> seeds(row(1));
        for (auto& seed : seeds) seed = bytes();
        here_->reset(seeds.data(), out());
    }

    // One step of all lanes; in one of them perhaps something that is not to be done.
    void step(Bytes& bytes) {
        const unsigned how = bytes.byte();
        for (int lane = 0; lane < lanes_; ++lane) actions_[lane] = legal(lane, bytes.byte());
        int wrong = NONE;
        if (how >= 200) {
            const int lane = static_cast<int>(how) % lanes_;
            const auto odd = static_cast<std::int32_t>(bytes() | static_cast<std::uint32_t>(bytes()) << 16);
            actions_[lane] = how & 1 ? odd : odd % (shape_.actions + 2);
            const bool able = actions_[lane] >= 0 && actions_[lane] < shape_.actions && mask(lane)[actions_[lane]];
            if (!able) wrong = lane;
        }
        const auto before = history(0);
        must(here_->step(actions_.data(), out()) == wrong, "a step was taken otherwise than the mask says");
        if (wrong != NONE) must(history(0) == before, "an action that was refused has changed something");
        for (int lane = 0; lane < lanes_; ++lane) must(!(done_[lane] & ~3), "it is over in some other way");
    }

    // What is known after a history is known after the same history elsewhere; a changed one leads somewhere.
    void carry(Bytes& bytes) {
        auto entries = history(0);
        must(there_->load(0, entries.data(), static_cast<int>(entries.size())) == static_cast<int>(entries.size()),
             "a history is possible");
        std::vector<std::uint8_t> planes(planes_.size() / row(1)), others(planes);
        std::vector<std::int16_t> scalars(scalars_.size() / row(1)), numbers(scalars);
        for (int viewer = 0; viewer < shape_.seats; ++viewer) {
            here_->observe(0, viewer, planes.data(), scalars.data());
            there_->observe(0, viewer, others.data(), numbers.data());
            must(planes == others && scalars == numbers, "a history leads elsewhere");
        }
        for (unsigned changes = bytes.byte() % 4; changes; --changes) entries[bytes() % entries.size()] = bytes();
        entries.resize(entries.size() - bytes.byte() % std::min<std::size_t>(entries.size(), 8));
        const int used = there_->load(0, entries.data(), static_cast<int>(entries.size()));
        must(used >= 0 && used <= static_cast<int>(entries.size()), "more was possible than there is");
        must(there_->leaves(0, 1) > 0, "somebody may act");
    }

private:
    static Environment* made(const Trial& table, int lanes, bool matches) {
        const Family* family = families;
        while (std::strcmp(family->name, table.family) != 0) ++family;
        return family->make(table.rules.data(), lanes, table.seats, matches);
    }

    std::size_t row(int each) const { return static_cast<std::size_t>(lanes_) * static_cast<std::size_t>(each); }
    const std::uint8_t* mask(int lane) const { return &mask_[static_cast<std::size_t>(lane * shape_.actions)]; }
    Arrays out() {
        return {planes_.data(), scalars_.data(), mask_.data(), reward_.data(),
                place_.data(),  done_.data(),    seat_.data()};
    }

    std::vector<std::uint16_t> history(int lane) const {
        std::vector<std::uint16_t> found(static_cast<std::size_t>(here_->history(lane, false, nullptr, -1)));
        here_->history(lane, false, found.data(), static_cast<int>(found.size()));
        return found;
    }

    std::int32_t legal(int lane, unsigned which) const {
        const std::uint8_t* able = mask(lane);
        const auto all = static_cast<unsigned>(std::count(able, able + shape_.actions, 1));
        must(all > 0, "nobody may act");
        std::int32_t action = -1;
        for (unsigned left = 1 + which % all; left; left -= able[action]) ++action;
        return action;
    }

    int lanes_;
    std::unique_ptr<Environment> here_, there_;
    Shape shape_;
    std::vector<std::uint8_t> planes_, mask_, done_;
    std::vector<std::int16_t> scalars_;
    std::vector<float> reward_;
    std::vector<std::int8_t> seat_, place_;
    std::vector<std::int32_t> actions_;
};

void play(Bytes& bytes) {
    const Trial& table = TABLES[bytes.byte() % std::size(TABLES)];
    const unsigned how = bytes.byte();
    Tables tables(table, 1 + static_cast<int>(how % 3), how & 4, bytes);
    for (int steps = 0; bytes.left() && steps < 400; ++steps) {
        tables.step(bytes);
        if (steps % 32 == 7) tables.carry(bytes);
    }
    tables.carry(bytes);
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
// How many inputs to make up, then files to read: what a fuzzer has found stays found.
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
