// Registration of the parts of the Python module.
#pragma once
#include <nanobind/nanobind.h>

namespace nousu {
void add_solver(nanobind::module_& m);
void add_playouts(nanobind::module_& m);
void add_tuppen_playouts(nanobind::module_& m);
void add_environments(nanobind::module_& m);
}  // namespace nousu
