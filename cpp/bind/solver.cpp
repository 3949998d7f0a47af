// Python's door to the core. Problems come as bytes (one fixed record each, laid out in
// solver/native.py), answers go back as tuples; in between the interpreter is not needed.
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
#include "playouts/requests.h"

namespace nb = nanobind;
using namespace nousu;

namespace {

// One problem as solver/native.py writes it. What stands here is told to Python field by field (`FIELDS`), which
// refuses to work with a core that reads another record.
struct Record {
    std::uint64_t hand[5];
    std::int32_t target, last_trick, marriage[4];
    std::int8_t value[16];
    std::int8_t kind, seats, active, turn, last, trump, seat, played;
    std::int8_t trick_seat[5], trick_card[5];
    std::int8_t declared, own, full, open, asked, any_winner_declares, side, difference, contract, king, queen;
    std::int8_t unused[51];
};
static_assert(sizeof(Record) == 160 && std::is_trivially_copyable_v<Record>);

struct Field {
    const char* name;
    std::size_t offset, bytes;
};
#define NOUSU_FIELD(name) {#name, offsetof(Record, name), sizeof(Record::name)}
constexpr Field FIELDS[] = {
    NOUSU_FIELD(hand),     NOUSU_FIELD(target),     NOUSU_FIELD(last_trick),
    NOUSU_FIELD(marriage), NOUSU_FIELD(value),      NOUSU_FIELD(kind),
    NOUSU_FIELD(seats),    NOUSU_FIELD(active),     NOUSU_FIELD(turn),
    NOUSU_FIELD(last),     NOUSU_FIELD(trump),      NOUSU_FIELD(seat),
    NOUSU_FIELD(played),   NOUSU_FIELD(trick_seat), NOUSU_FIELD(trick_card),
    NOUSU_FIELD(declared), NOUSU_FIELD(own),        NOUSU_FIELD(full),
    NOUSU_FIELD(open),     NOUSU_FIELD(asked),      NOUSU_FIELD(any_winner_declares),
    NOUSU_FIELD(side),     NOUSU_FIELD(difference), NOUSU_FIELD(contract),
    NOUSU_FIELD(king),     NOUSU_FIELD(queen),
};

template <class To, class From>
void copy(To& to, const From& from) {
    std::copy(std::begin(from), std::end(from), std::begin(to));
}

Problem read(const char* bytes) {
    Record record;
    std::memcpy(&record, bytes, sizeof record);
    Problem p;
    copy(p.hand, record.hand);
    p.target = record.target;
    p.last_trick = record.last_trick;
    copy(p.marriage, record.marriage);
    copy(p.value, record.value);
    p.kind = static_cast<Kind>(record.kind);
    p.seats = record.seats;
    p.active = record.active;
    p.turn = record.turn;
    p.last = record.last;
    p.trump = record.trump;
    p.seat = record.seat;
    p.played = record.played;
    copy(p.trick_seat, record.trick_seat);
    copy(p.trick_card, record.trick_card);
    p.declared = record.declared;
    p.own = record.own;
    p.full = record.full;
    p.open = record.open != 0;
    p.asked = record.asked != 0;
    p.any_winner_declares = record.any_winner_declares != 0;
    p.side = record.side;
    p.difference = record.difference != 0;
    p.contract = record.contract != 0;
    p.king = record.king;
    p.queen = record.queen;
    if (p.seats < 2 || p.seats > MAX_SEATS || p.turn < 0 || p.turn >= p.seats || p.played < 0 ||
        p.played >= MAX_SEATS || !(p.active >> p.turn & 1))
        throw std::invalid_argument("the record is no position");
    return p;
}

std::vector<Problem> read_all(const nb::bytes& records) {
    if (records.size() % sizeof(Record)) throw std::invalid_argument("the records have the wrong length");
    std::vector<Problem> problems;
    problems.reserve(records.size() / sizeof(Record));
    for (std::size_t at = 0; at < records.size(); at += sizeof(Record)) problems.push_back(read(records.c_str() + at));
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
        return std::unique_ptr<Solver>(fastest().solver());
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

// Runs `work` on so many threads, this one among them, and waits for all of them. What the first to fail has thrown
// is thrown again here; `failed` is raised at once, so that the others need not finish what nobody will read.
template <class Work>
void together(std::size_t threads, std::atomic<bool>& failed, const Work& work) {
    std::exception_ptr thrown;
    auto keep = [&] {
        if (!failed.exchange(true)) thrown = std::current_exception();
    };
    auto guarded = [&]() noexcept {
        try {
            work();
        } catch (...) {
            keep();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads);
    try {
        while (others.size() + 1 < threads) others.emplace_back(guarded);
    } catch (const std::system_error& error) {
        if (!failed.exchange(true)) {
            const std::string which = std::to_string(others.size() + 2) + " of " + std::to_string(threads);
            thrown = std::make_exception_ptr(
                std::runtime_error("thread " + which + " could not be started: " + error.code().message()));
        }
    } catch (...) {
        keep();
    }
    if (!failed) guarded();
    for (auto& thread : others) thread.join();
    if (thrown) std::rethrow_exception(thrown);
}

// The same without the interpreter; what it throws becomes an exception of Python's.
template <class Work>
void released(int threads, std::size_t tasks, std::atomic<bool>& failed, const Work& work) {
    try {
        nb::gil_scoped_release release;
        together(std::max<std::size_t>(1, std::min<std::size_t>(threads, tasks)), failed, work);
    } catch (const std::bad_alloc&) {
        PyErr_SetString(PyExc_MemoryError, "there is not enough memory for the solver's tables");
        throw nb::python_error();
    }
}

// An answer of the size that it has.
struct Reply {
    bool solved = false;
    const char* why = "";
    int value = 0;
    std::uint64_t nodes = 0;
    bool patterned = false;
    Cards pattern = 0;
    std::vector<Rated> moves;
    std::vector<int> line;
};

nb::list solve(nb::bytes records, int group, int want, bool line, std::uint64_t nodes, double seconds, int threads,
               const Cancel* cancel) {
    std::vector<Problem> problems = read_all(records);
    if (group < 1 || problems.size() % group) throw std::invalid_argument("the groups are not whole");
    const std::size_t groups = problems.size() / group;
    std::vector<Reply> replies(problems.size());
    auto deadline = std::chrono::steady_clock::time_point::max();
    if (seconds > 0)
        deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(seconds));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    released(threads, groups, failed, [&] {
        auto solver = pool().take();
        for (std::size_t task; !failed && (task = next.fetch_add(1)) < groups;) {
            bool begun = false;
            for (std::size_t i = task * group; i < (task + 1) * group; ++i) {
                Control control;
                if (cancel) control.cancel = &cancel->raised;
                if (nodes) control.limit = nodes;
                control.failed = &failed;
                control.deadline = deadline;
                Reply& reply = replies[i];
                try {
                    control.look();
                    const Answer found = solver->solve(problems[i], static_cast<Want>(want), line, begun, control);
                    reply.solved = true;
                    reply.value = found.value;
                    reply.patterned = found.patterned;
                    reply.pattern = found.pattern;
                    reply.moves.assign(found.moves, found.moves + found.rated);
                    reply.line.assign(found.line, found.line + found.length);
                    begun = true;
                } catch (const Stopped& stopped) {
                    reply.why = stopped.why;
                }
                reply.nodes = control.nodes;
            }
        }
        pool().give(std::move(solver));  // one that has thrown anything else is not used again
    });
    nb::list out;
    for (const Reply& a : replies) {
        if (!a.solved) {
            out.append(nb::make_tuple(nb::none(), a.nodes, a.why, nb::none()));
            continue;
        }
        nb::list moves, course;
        for (auto [move, value] : a.moves) moves.append(nb::make_tuple(move, value));
        for (int move : a.line) course.append(move);
        nb::object pattern = a.patterned ? nb::cast(a.pattern) : nb::none();
        out.append(nb::make_tuple(a.value, a.nodes, moves, course, pattern));
    }
    return out;
}

nb::list rollouts(nb::bytes records, std::int64_t times, std::uint64_t seed, int threads) {
    std::vector<Problem> problems = read_all(records);
    std::vector<std::int64_t> totals(problems.size());
    const Core core = fastest();
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    released(threads, problems.size(), failed, [&] {
        for (std::size_t i; !failed && (i = next.fetch_add(1)) < problems.size();)
            totals[i] = core.rollouts(problems[i], times, seed + i * 0x9E3779B97F4A7C15ull);
    });
    nb::list out;
    for (std::int64_t total : totals) out.append(total);
    return out;
}

// Hands to be played out, as Python tells of them.
class Told {
public:
    Told(const std::vector<double>& weights, const std::vector<int>& facts, const nb::bytes& history,
         const nb::bytes& first, const nb::bytes& hands, const nb::bytes& policy)
        : nets_(weights_of(policy, Playouts::POLICY)) {
        std::size_t wanted = 0;
        for (const char* names : Playouts::NAMES)
            for (; *names; ++names) wanted += *names == ' ';
        const std::size_t row = 5 * sizeof(Cards);
        if (weights.size() != wanted || facts.size() != 6 || !first.size() || hands.size() % row)
            throw std::invalid_argument("these are not playouts");
        asked.kind = facts[0], asked.bidder = facts[1], asked.soloist = facts[2];
        asked.last = facts[3], asked.leader = facts[4], asked.viewer = facts[5];
        const bool alone = asked.kind == Playouts::sooli;
        if (asked.kind < 0 || asked.kind > 2 || asked.leader < 0 || asked.leader > 3 || alone != (asked.soloist >= 0) ||
            asked.soloist > 3 || history.size() > 51)
            throw std::invalid_argument("this is not a hand of the whist family");
        asked.weights = weights.data();
        if (!nets_.empty()) asked.policy = nets_.data();
        asked.history = reinterpret_cast<const std::uint8_t*>(history.c_str());
        asked.played = static_cast<int>(history.size());
        asked.first = reinterpret_cast<const std::uint8_t*>(first.c_str());
        asked.firsts = static_cast<int>(first.size());
        asked.worlds = hands.size() / row;
        held_.resize(5 * asked.worlds);
        std::memcpy(held_.data(), hands.c_str(), hands.size());
        asked.hands = held_.data();
        for (int i = 0; i < asked.played; ++i)
            if (asked.history[i] > 63) throw std::invalid_argument("this is not a card");
    }

    Playouts asked;

private:
    std::vector<std::int16_t> nets_;
    std::vector<Cards> held_;
};

// (tricks or sooli made: a byte a world and first card, how strange the cards so far are: a number a world)
nb::tuple playouts(const std::vector<double>& weights, const std::vector<int>& facts, nb::bytes history,
                   nb::bytes first, nb::bytes hands, nb::bytes policy, int strangest) {
    Told told(weights, facts, history, first, hands, policy);
    Playouts& asked = told.asked;
    if (asked.policy) asked.strangest = strangest;
    std::vector<std::int8_t> gained(asked.worlds * asked.firsts);
    std::vector<std::int32_t> strange(asked.worlds);
    asked.gained = gained.data(), asked.strange = strange.data();
    {
        nb::gil_scoped_release release;
        fastest().playouts(asked);
    }
    return nb::make_tuple(nb::bytes(reinterpret_cast<const char*>(gained.data()), gained.size()), strange);
}

// A number a first card. It must be one that the viewer, whose turn it is, may play.
std::vector<double> plans(const std::vector<double>& weights, const std::vector<int>& facts, nb::bytes history,
                          nb::bytes first, nb::bytes hands, nb::bytes policy, const std::vector<double>& ways,
                          const std::vector<double>& worth) {
    const Told told(weights, facts, history, first, hands, policy);
    const Playouts& table = told.asked;
    const std::size_t outcomes = table.kind == Playouts::sooli ? 2 : 14;
    if (table.viewer < 0 || table.viewer > 3 || ways.size() != table.worlds || worth.size() != outcomes)
        throw std::invalid_argument("these are not plans");
    for (int i = 0; i < table.firsts; ++i)
        if (table.first[i] > 63) throw std::invalid_argument("this is not a card");
    std::vector<double> found(table.firsts);
    {
        nb::gil_scoped_release release;
        fastest().plans({table, ways.data(), worth.data(), found.data()});
    }
    return found;
}

nb::list fields() {
    nb::list out;
    for (const Field& field : FIELDS) out.append(nb::make_tuple(field.name, field.offset, field.bytes));
    return out;
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The compiled core of nousu.solver; use that package, not this module.";
    m.attr("RECORD") = sizeof(Record);
    m.attr("FIELDS") = fields();
    m.attr("BUILD") = fastest().name;
    nb::class_<Cancel>(m, "Cancel").def(nb::init<>()).def("set", &Cancel::set).def("is_set", &Cancel::is_set);
    m.def("solve", &solve, nb::arg("records"), nb::arg("group"), nb::arg("want"), nb::arg("line"), nb::arg("nodes"),
          nb::arg("seconds"), nb::arg("threads"), nb::arg("cancel").none());
    m.def("rollouts", &rollouts, nb::arg("records"), nb::arg("times"), nb::arg("seed"), nb::arg("threads"));
    nb::list habits;
    for (const char* names : Playouts::NAMES) habits.append(nb::str(names));
    m.attr("HABITS") = habits;
    m.def("playouts", &playouts, nb::arg("weights"), nb::arg("facts"), nb::arg("history"), nb::arg("first"),
          nb::arg("hands"), nb::arg("policy"), nb::arg("strangest"));
    m.def("plans", &plans, nb::arg("weights"), nb::arg("facts"), nb::arg("history"), nb::arg("first"), nb::arg("hands"),
          nb::arg("policy"), nb::arg("ways"), nb::arg("worth"));
    add_environments(m);
    add_tuppen(m);
    add_huutopussi(m);
    m.def("forget", [] { pool().clear(); }, "Give the memory of idle solvers back.");
}
