// Python's door to the core. Problems come as bytes (one fixed record each, laid out in
// solver/native.py), answers go back as tuples; in between the interpreter is not needed.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "core.h"

namespace nb = nanobind;
using namespace nousu;

namespace {

constexpr std::size_t RECORD = 160;

class Reader {
public:
    explicit Reader(const char* at) : at_(at) {}
    template <class T>
    T take() {
        T value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    int byte() { return take<std::int8_t>(); }

private:
    const char* at_;
};

Problem read(const char* record) {
    Reader in(record);
    Problem p;
    for (auto& hand : p.hand) hand = in.take<std::uint64_t>();
    p.target = in.take<std::int32_t>();
    p.last_trick = in.take<std::int32_t>();
    for (auto& worth : p.marriage) worth = in.take<std::int32_t>();
    for (auto& worth : p.value) worth = in.take<std::int8_t>();
    p.kind = static_cast<Kind>(in.byte());
    p.seats = in.byte();
    p.active = in.byte();
    p.turn = in.byte();
    p.last = in.byte();
    p.trump = in.byte();
    p.seat = in.byte();
    p.played = in.byte();
    for (auto& seat : p.trick_seat) seat = in.byte();
    for (auto& card : p.trick_card) card = in.byte();
    p.declared = in.byte();
    p.own = in.byte();
    p.full = in.byte();
    p.open = in.byte() != 0;
    p.asked = in.byte() != 0;
    p.any_winner_declares = in.byte() != 0;
    p.side = in.byte();
    p.difference = in.byte() != 0;
    p.contract = in.byte() != 0;
    p.king = in.byte();
    p.queen = in.byte();
    if (p.seats < 2 || p.seats > MAX_SEATS || p.turn < 0 || p.turn >= p.seats || p.played < 0 ||
        p.played >= MAX_SEATS || !(p.active >> p.turn & 1))
        throw std::invalid_argument("the record is no position");
    return p;
}

std::vector<Problem> read_all(const nb::bytes& records) {
    if (records.size() % RECORD) throw std::invalid_argument("the records have the wrong length");
    std::vector<Problem> problems;
    for (std::size_t at = 0; at < records.size(); at += RECORD) problems.push_back(read(records.c_str() + at));
    return problems;
}

// Raised by any thread to stop the searches that were given it.
struct Cancel {
    std::atomic<bool> raised{false};
    void set() { raised.store(true); }
    bool is_set() const { return raised.load(); }
};

// Solvers keep their tables between calls; each is used by one thread at a time.
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
        return fastest().solver();
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

nb::list solve(nb::bytes records, int group, int want, bool line, std::uint64_t nodes, double seconds,
               int threads, const Cancel* cancel) {
    std::vector<Problem> problems = read_all(records);
    if (group < 1 || problems.size() % group) throw std::invalid_argument("the groups are not whole");
    const std::size_t groups = problems.size() / group;
    std::vector<Answer> answers(problems.size());
    auto deadline = std::chrono::steady_clock::time_point::max();
    if (seconds > 0)
        deadline = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                       std::chrono::duration<double>(seconds));
    {
        nb::gil_scoped_release release;
        std::atomic<std::size_t> next{0};
        auto work = [&] {
            auto solver = pool().take();
            bool begun = false;
            for (std::size_t i = 0, first = 0, end = 0;; ++i) {
                if (i == end) {
                    std::size_t task = next.fetch_add(1);
                    if (task >= groups) break;
                    first = i = task * group;
                    end = first + group;
                    begun = false;
                }
                Control control;
                if (cancel) control.cancel = &cancel->raised;
                if (nodes) control.limit = nodes;
                control.deadline = deadline;
                try {
                    control.look();
                    answers[i] = solver->solve(problems[i], static_cast<Want>(want), line, i > first && begun, control);
                    begun = true;
                } catch (const Stopped& stopped) {
                    answers[i].why = stopped.why;
                    answers[i].nodes = control.nodes;
                }
            }
            pool().give(std::move(solver));
        };
        std::vector<std::thread> others;
        for (int i = 1; i < threads && static_cast<std::size_t>(i) < groups; ++i) others.emplace_back(work);
        work();
        for (auto& thread : others) thread.join();
    }
    nb::list out;
    for (const Answer& a : answers) {
        if (!a.solved) {
            out.append(nb::make_tuple(nb::none(), a.nodes, a.why, nb::none()));
            continue;
        }
        nb::list moves, course;
        for (auto [move, value] : a.moves) moves.append(nb::make_tuple(move, value));
        for (int move : a.line) course.append(move);
        out.append(nb::make_tuple(a.value, a.nodes, moves, course));
    }
    return out;
}

nb::list rollouts(nb::bytes records, std::int64_t times, std::uint64_t seed, int threads) {
    std::vector<Problem> problems = read_all(records);
    std::vector<std::int64_t> totals(problems.size());
    {
        nb::gil_scoped_release release;
        Core core = fastest();
        std::atomic<std::size_t> next{0};
        auto work = [&] {
            for (std::size_t i; (i = next.fetch_add(1)) < problems.size();)
                totals[i] = core.rollouts(problems[i], times, seed + i * 0x9E3779B97F4A7C15ull);
        };
        std::vector<std::thread> others;
        for (int i = 1; i < threads && static_cast<std::size_t>(i) < problems.size(); ++i)
            others.emplace_back(work);
        work();
        for (auto& thread : others) thread.join();
    }
    nb::list out;
    for (std::int64_t total : totals) out.append(total);
    return out;
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The compiled core of nousu.solver; use that package, not this module.";
    m.attr("RECORD") = RECORD;
    m.attr("BUILD") = fastest().name;
    nb::class_<Cancel>(m, "Cancel")
        .def(nb::init<>())
        .def("set", &Cancel::set)
        .def("is_set", &Cancel::is_set);
    m.def("solve", &solve, nb::arg("records"), nb::arg("group"), nb::arg("want"), nb::arg("line"), nb::arg("nodes"),
          nb::arg("seconds"), nb::arg("threads"), nb::arg("cancel").none());
    m.def("rollouts", &rollouts, nb::arg("records"), nb::arg("times"), nb::arg("seed"), nb::arg("threads"));
    m.def("forget", [] { pool().clear(); }, "Give the memory of idle solvers back.");
}
