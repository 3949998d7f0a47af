// The parts of Python's door.
#pragma once
#include <nanobind/nanobind.h>

namespace nousu {
void add_environments(nanobind::module_& m);
void add_tuppen(nanobind::module_& m);
void add_huutopussi(nanobind::module_& m);
}  // namespace nousu
