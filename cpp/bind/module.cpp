// The Python module nousu._native.
#include "bind/bindings.h"

NB_MODULE(_native, m) {
    m.doc() = "The compiled core of nousu.solver; use that package, not this module.";
    nousu::add_solver(m);
    nousu::add_playouts(m);
    nousu::add_tuppen_playouts(m);
    nousu::add_environments(m);
}
