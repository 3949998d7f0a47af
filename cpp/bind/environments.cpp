// Python binding of the environments. The arrays belong to Python; the core writes into them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bind/bindings.h"
#include "common/dispatch.h"

namespace nb = nanobind;

namespace nousu {
namespace {

constexpr int MOST_LANES = 1'000'000;

template <class Type>
using Array = nb::ndarray<Type, nb::c_contig, nb::device::cpu>;

template <class Type>
Type* checked(const Array<Type>& array, std::size_t size, const char* name) {
    if (array.size() == size) return array.data();
    throw std::invalid_argument(std::string(name) + ": " + std::to_string(size) + " numbers are wanted, not " +
                                std::to_string(array.size()));
}

const Family& find_family(const std::string& name) {
    const Family* families = fastest_core().families;
    for (int at = 0; at < FAMILY_COUNT; ++at)
        if (name == families[at].name) return families[at];
    throw std::invalid_argument("the core has no environment of this family: " + name);
}

// Called without the interpreter lock: whether a signal (Ctrl+C) is to end a long count.
bool is_interrupted() {
    nb::gil_scoped_acquire lock;
    return PyErr_CheckSignals() != 0;
}

class Lanes {
public:
    Lanes(const std::string& name, const std::vector<std::int32_t>& rules, int lanes, int seats, bool matches)
        : lanes_(lanes) {
        const Family& family = find_family(name);
        std::size_t wanted = 0;
        for (const char* at = family.rules; *at; ++at) wanted += *at == ' ';
        if (rules.size() != wanted) throw std::invalid_argument("these are not the rules of " + name);
        if (lanes < 1 || lanes > MOST_LANES || seats < 2 || seats > 8)
            throw std::invalid_argument("one to a million lanes, two to eight seats");
        environment_.reset(family.make(rules.data(), lanes, seats, matches));
        shape_ = environment_->shape();
    }

    Lanes(const Lanes& other) : lanes_(other.lanes_), environment_(other.environment_->copy()), shape_(other.shape_) {}

    std::uint64_t random_state(int lane) const {
        check_lane(lane);
        return environment_->random_state(lane);
    }

    void set_random_state(int lane, std::uint64_t state) {
        check_lane(lane);
        environment_->random_state(lane) = state;
    }

    nb::tuple shape() const {
        return nb::make_tuple(shape_.seats, shape_.cards, shape_.planes, shape_.scalars, shape_.actions);
    }

    // The arrays that every call fills from now on; `share` comes before all of them.
    void share(const Array<std::uint8_t>& planes, const Array<std::int16_t>& scalars, const Array<std::uint8_t>& mask,
               const Array<float>& reward, const Array<std::int8_t>& place, const Array<std::uint8_t>& done,
               const Array<std::int8_t>& seat) {
        out_ = {checked(planes, size(shape_.planes * shape_.cards), "planes"),
                checked(scalars, size(shape_.scalars), "scalars"),
                checked(mask, size(shape_.actions), "mask"),
                checked(reward, size(shape_.seats), "reward"),
                checked(place, size(shape_.seats), "place"),
                checked(done, size(1), "done"),
                checked(seat, size(1), "seat")};
        shared_ = {planes, scalars, mask, reward, place, done, seat};
    }

    void reset(const Array<const std::uint64_t>& seeds) {
        const std::uint64_t* from = checked(seeds, size(1), "seeds");
        check_shared();
        nb::gil_scoped_release release;
        environment_->reset(from, out_);
    }

    void write_all() const {
        check_shared();
        environment_->write_all(out_);
    }

    void step(const Array<const std::int32_t>& actions) {
        const std::int32_t* from = checked(actions, size(1), "actions");
        check_shared();
        int wrong;
        {
            nb::gil_scoped_release release;
            wrong = environment_->step(from, out_);
        }
        if (wrong >= 0)
            throw std::invalid_argument("lane " + std::to_string(wrong) + ": action " + std::to_string(from[wrong]) +
                                        " is not legal");
    }

    void choose_at_random(Array<std::int32_t> actions) {
        std::int32_t* to = checked(actions, size(1), "actions");
        nb::gil_scoped_release release;
        environment_->choose_at_random(to);
    }

    void observe(int lane, int seat, Array<std::uint8_t> planes, Array<std::int16_t> scalars) const {
        check_lane(lane);
        if (seat < 0 || seat >= shape_.seats) throw std::invalid_argument("there is no such seat");
        environment_->observe(lane, seat,
                              checked(planes, static_cast<std::size_t>(shape_.planes * shape_.cards), "planes"),
                              checked(scalars, static_cast<std::size_t>(shape_.scalars), "scalars"));
    }

    std::vector<std::uint16_t> history(int lane, bool finished) const {
        check_lane(lane);
        std::vector<std::uint16_t> out(static_cast<std::size_t>(environment_->history(lane, finished, nullptr, -1)));
        environment_->history(lane, finished, out.data(), static_cast<int>(out.size()));
        return out;
    }

    int load(int lane, const std::vector<std::uint16_t>& entries) {
        check_lane(lane);
        return environment_->load(lane, entries.data(), static_cast<int>(entries.size()));
    }

    std::int64_t count_lines(int lane, int depth) const {
        check_lane(lane);
        if (depth < 0) throw std::invalid_argument("a depth is 0 or more");
        std::int64_t count;
        {
            nb::gil_scoped_release release;
            count = environment_->count_lines(lane, depth, &is_interrupted);
        }
        if (count == NONE) throw nb::python_error();
        return count;
    }

private:
    std::size_t size(int each) const { return static_cast<std::size_t>(lanes_) * static_cast<std::size_t>(each); }

    void check_lane(int lane) const {
        if (lane < 0 || lane >= lanes_) throw std::invalid_argument("there is no such lane");
    }

    void check_shared() const {
        if (out_.planes == nullptr) throw std::invalid_argument("there are no arrays to fill yet");
    }

    int lanes_;
    std::unique_ptr<Environment> environment_;
    Shape shape_{};
    Arrays out_{};
    // Keeps the memory of `out_` alive; a copy has none until it is given its own.
    std::tuple<Array<std::uint8_t>, Array<std::int16_t>, Array<std::uint8_t>, Array<float>, Array<std::int8_t>,
               Array<std::uint8_t>, Array<std::int8_t>>
        shared_;
};

}  // namespace

void add_environments(nb::module_& m) {
    nb::dict rules;
    const Family* families = fastest_core().families;
    for (int at = 0; at < FAMILY_COUNT; ++at) rules[families[at].name] = families[at].rules;
    m.attr("RULES") = rules;
    nb::class_<Lanes>(m, "Lanes")
        .def(nb::init<const std::string&, const std::vector<std::int32_t>&, int, int, bool>(), nb::arg("family"),
             nb::arg("rules"), nb::arg("lanes"), nb::arg("seats"), nb::arg("matches"))
        .def(
            "copy", [](const Lanes& lanes) { return new Lanes(lanes); }, nb::rv_policy::take_ownership)
        .def("random_state", &Lanes::random_state)
        .def("set_random_state", &Lanes::set_random_state)
        .def("shape", &Lanes::shape)
        .def("share", &Lanes::share)
        .def("reset", &Lanes::reset)
        .def("write_all", &Lanes::write_all)
        .def("step", &Lanes::step)
        .def("choose_at_random", &Lanes::choose_at_random)
        .def("observe", &Lanes::observe)
        .def("history", &Lanes::history)
        .def("load", &Lanes::load)
        .def("count_lines", &Lanes::count_lines);
}

}  // namespace nousu
