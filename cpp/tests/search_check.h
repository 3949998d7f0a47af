// Comparison of all searches on one position.
#pragma once
#include <memory>

#include "common/dispatch.h"
#include "playouts/random_play.h"
#include "solver/nolo_search.h"
#include "solver/rami_search.h"
#include "solver/sooli_search.h"
#include "solver/value_search.h"

namespace nousu::NOUSU_ISA {

class SearchCheck {
public:
    // Returns what is wrong, or null. `limit`: nodes of a search that is stopped.
    const char* error(const Position& p, unsigned limit) {
        Control control;
        const Solution solution = solver_->solve(p, Want::all, true, false, control);
        const auto differs = [&](auto& search) {
            Control own;
            return ValueSearch(search, own).solve(p, Want::value, false, false).value != solution.value;
        };
        if (differs(general_)) return "the searches differ";
        bool value_kept = !solution.move_count;
        for (int i = 0; i < solution.move_count; ++i) value_kept |= solution.moves[i].value == solution.value;
        if (!value_kept) return "no move keeps the value";
        if (solution.line_length <= 0 || solution.line_length > MAX_LINE) return "the line of play has no moves";
        Control again;
        if (solver_->solve(p, Want::one, false, true, again).value != solution.value) return "a filled table differs";
        if (p.kind == Kind::nolo && differs(crowded_)) return "a full table of nolo differs";
        if (p.kind == Kind::rami && (differs(tight_) || differs(forked_) || differs(growing_)))
            return "a small table of rami differs";
        rollouts(p, 1 + limit % 3, limit, std::atomic<bool>{false});
        Control stopped;
        stopped.limit = limit;
        try {
            solver_->solve(p, Want::value, false, false, stopped);
        } catch (const SearchStopped&) {
        }
        return nullptr;
    }

private:
    std::unique_ptr<Solver> solver_{core().make_solver()};
    GeneralSearch general_{12};
    NoloSearch crowded_{64, 32};  // its table is always full
    RamiSearch tight_{64, 512}, forked_{1 << 10, 1 << 14, 2}, growing_{1 << 12, 1 << 14, 1 << 7, 16};
};

}  // namespace nousu::NOUSU_ISA
