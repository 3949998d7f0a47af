// Python binding of the solver. Positions arrive as bytes, a fixed record each as laid out in solver/native.py;
// solutions return as tuples. The interpreter lock is released in between.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

#include "bind/bindings.h"
#include "common/dispatch.h"

namespace nb = nanobind;
using namespace nousu;

namespace {

// A position as solver/native.py writes it. Python compares `FIELDS` with its own layout and refuses a core that reads
// another record.
struct Record {
    std::uint64_t hand[5];
    std::int32_t target, last_trick, marriage[4];
    std::int8_t value[16];
    std::int8_t kind, seats, active, turn, last, trump, seat, played;
    std::int8_t trick_seat[5], trick_card[5];
    std::int8_t declared, own, full, half, once, open, asked, any_winner_declares, side, difference, contract, king,
        queen;
    std::int8_t unused[49];
};
static_assert(sizeof(Record) == 160 && std::is_trivially_copyable_v<Record>);

// The fields that Python and the core share, in the order of the record.
// clang-format off: it breaks this list again and again
#define NOUSU_RECORD(X) \
    X(hand) X(target) X(last_trick) X(marriage) X(value) X(kind) X(seats) X(active) X(turn) X(last) X(trump) X(seat) \
    X(played) X(trick_seat) X(trick_card) X(declared) X(own) X(full) X(half) X(once) X(open) X(asked) \
    X(any_winner_declares) X(side) X(difference) X(contract) X(king) X(queen)
// clang-format on

template <class To, class From>
void assign(To& to, const From& from) {
    if constexpr (std::is_array_v<From>)
        std::copy(std::begin(from), std::end(from), std::begin(to));
    else
        to = static_cast<To>(from);
}

Position read(const char* bytes) {
    Record record;
    std::memcpy(&record, bytes, sizeof record);
    Position p;
#define NOUSU_ASSIGN(name) assign(p.name, record.name);
    NOUSU_RECORD(NOUSU_ASSIGN)
    if (p.seats < 2 || p.seats > MAX_SEATS || p.turn < 0 || p.turn >= p.seats || p.played < 0 ||
        p.played >= MAX_SEATS || !(p.active >> p.turn & 1))
        throw std::invalid_argument("the record is no position");
    return p;
}

std::vector<Position> read_all(const nb::bytes& records) {
    if (records.size() % sizeof(Record)) throw std::invalid_argument("the records have the wrong length");
    std::vector<Position> positions;
    positions.reserve(records.size() / sizeof(Record));
    for (std::size_t at = 0; at < records.size(); at += sizeof(Record)) positions.push_back(read(records.c_str() + at));
    return positions;
}

// A flag, raised by any thread, that stops the searches it was given to.
struct Cancel {
    std::atomic<bool> raised{false};
    void set() { raised.store(true); }
    bool is_set() const { return raised.load(); }
};

// Idle solvers, which keep their tables between calls. Each is used by one thread at a time.
class Pool {
public:
    std::unique_ptr<Solver> take() {
        {
            std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto solver = std::move(idle_.back());
                idle_.pop_back();
                return solver;
            }
        }
        return std::unique_ptr<Solver>(fastest_core().make_solver());
    }
    void give(std::unique_ptr<Solver> solver) {
        std::lock_guard lock(mutex_);
        if (idle_.size() < 64) idle_.push_back(std::move(solver));
    }
    void clear() {
        std::lock_guard lock(mutex_);
        idle_.clear();
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Solver>> idle_;
};

Pool& pool() {
    static Pool pool;
    return pool;
}

// Run `work` on this many threads, the calling one included, and wait for all of them. The first exception is thrown
// again here; `failed` is raised at once, so that the other threads stop early.
template <class Work>
void run_on_threads(std::size_t threads, std::atomic<bool>& failed, const Work& work) {
    std::exception_ptr error;
    auto record_error = [&] {
        if (!failed.exchange(true)) error = std::current_exception();
    };
    auto guarded = [&]() noexcept {
        try {
            work();
        } catch (...) {
            record_error();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads);
    try {
        while (others.size() + 1 < threads) others.emplace_back(guarded);
    } catch (const std::system_error& start_error) {
        if (!failed.exchange(true)) {
            const std::string which = std::to_string(others.size() + 2) + " of " + std::to_string(threads);
            error = std::make_exception_ptr(
                std::runtime_error("thread " + which + " could not be started: " + start_error.code().message()));
        }
    } catch (...) {
        record_error();
    }
    if (!failed) guarded();
    for (auto& thread : others) thread.join();
    if (error) std::rethrow_exception(error);
}

// The same without the interpreter lock; lack of memory becomes MemoryError.
template <class Work>
void run_without_gil(int threads, std::size_t tasks, std::atomic<bool>& failed, const Work& work) {
    try {
        nb::gil_scoped_release release;
        run_on_threads(std::max<std::size_t>(1, std::min<std::size_t>(threads, tasks)), failed, work);
    } catch (const std::bad_alloc&) {
        PyErr_SetString(PyExc_MemoryError, "there is not enough memory for the solver's tables");
        throw nb::python_error();
    }
}

// A Solution without unused entries.
struct Reply {
    bool solved = false;
    const char* reason = "";
    int value = 0;
    std::uint64_t nodes = 0;
    bool has_pattern = false;
    Cards pattern = 0;
    std::vector<RatedMove> moves;
    std::vector<int> line;
};

nb::list solve(nb::bytes records, int group, int want, bool line, std::uint64_t nodes, double seconds, int threads,
               const Cancel* cancel) {
    std::vector<Position> positions = read_all(records);
    if (group < 1 || positions.size() % group) throw std::invalid_argument("the groups are not whole");
    const std::size_t groups = positions.size() / group;
    std::vector<Reply> replies(positions.size());
    auto deadline = std::chrono::steady_clock::time_point::max();
    if (seconds > 0)
        deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(seconds));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    run_without_gil(threads, groups, failed, [&] {
        auto solver = pool().take();
        for (std::size_t task; !failed && (task = next.fetch_add(1)) < groups;) {
            bool same_cards = false;
            for (std::size_t i = task * group; i < (task + 1) * group; ++i) {
                Control control;
                if (cancel) control.cancel = &cancel->raised;
                if (nodes) control.limit = nodes;
                control.failed = &failed;
                control.deadline = deadline;
                Reply& reply = replies[i];
                try {
                    control.check();
                    const Solution solution =
                        solver->solve(positions[i], static_cast<Want>(want), line, same_cards, control);
                    reply.solved = true;
                    reply.value = solution.value;
                    reply.has_pattern = solution.has_pattern;
                    reply.pattern = solution.pattern;
                    reply.moves.assign(solution.moves, solution.moves + solution.move_count);
                    reply.line.assign(solution.line, solution.line + solution.line_length);
                    same_cards = true;
                } catch (const SearchStopped& stopped) {
                    reply.reason = stopped.reason;
                }
                reply.nodes = control.nodes;
            }
        }
        pool().give(std::move(solver));  // a solver that has thrown anything else is not used again
    });
    nb::list out;
    for (const Reply& a : replies) {
        if (!a.solved) {
            out.append(nb::make_tuple(nb::none(), a.nodes, a.reason, nb::none()));
            continue;
        }
        nb::list moves, line_moves;
        for (auto [move, value] : a.moves) moves.append(nb::make_tuple(move, value));
        for (int move : a.line) line_moves.append(move);
        nb::object pattern = a.has_pattern ? nb::cast(a.pattern) : nb::none();
        out.append(nb::make_tuple(a.value, a.nodes, moves, line_moves, pattern));
    }
    return out;
}

nb::list rollouts(nb::bytes records, std::int64_t times, std::uint64_t seed, int threads, const Cancel& cancel) {
    std::vector<Position> positions = read_all(records);
    std::vector<std::int64_t> totals(positions.size());
    const Core core = fastest_core();
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    run_without_gil(threads, positions.size(), failed, [&] {
        for (std::size_t i; !failed && !cancel.is_set() && (i = next.fetch_add(1)) < positions.size();)
            totals[i] = core.rollouts(positions[i], times, seed + i * 0x9E3779B97F4A7C15ull, cancel.raised);
    });
    nb::list out;
    for (std::int64_t total : totals) out.append(total);
    return out;
}

// Name, offset and bytes of every field of a record.
nb::list fields() {
    nb::list out;
#define NOUSU_FIELD(name) out.append(nb::make_tuple(#name, offsetof(Record, name), sizeof(Record::name)));
    NOUSU_RECORD(NOUSU_FIELD)
    return out;
}

}  // namespace

namespace nousu {

void add_solver(nb::module_& m) {
    m.attr("RECORD") = sizeof(Record);
    m.attr("FIELDS") = fields();
    m.attr("BUILD") = fastest_core().name;
    nb::class_<Cancel>(m, "Cancel").def(nb::init<>()).def("set", &Cancel::set).def("is_set", &Cancel::is_set);
    m.def("solve", &solve, nb::arg("records"), nb::arg("group"), nb::arg("want"), nb::arg("line"), nb::arg("nodes"),
          nb::arg("seconds"), nb::arg("threads"), nb::arg("cancel").none());
    m.def("rollouts", &rollouts, nb::arg("records"), nb::arg("times"), nb::arg("seed"), nb::arg("threads"),
          nb::arg("cancel"));
    m.def("release_memory", [] { pool().clear(); }, "Free the tables of idle solvers.");
}

}  // namespace nousu
