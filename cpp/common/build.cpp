// Entry points of one build of the core. Compiled once per instruction set; NOUSU_ISA names the namespace.
#include "common/dispatch.h"
#include "playouts/huutopussi.h"
#include "playouts/random_play.h"
#include "playouts/whist.h"
#include "solver/general_search.h"
#include "solver/huutopussi_search.h"
#include "solver/nolo_search.h"
#include "solver/rami_search.h"
#include "solver/sooli_search.h"
#include "solver/value_search.h"

namespace nousu::NOUSU_ISA {
namespace {

class AllGoalsSolver final : public Solver {
public:
    Solution solve(const Position& p, Want want, bool with_line, bool same_cards, Control& control) override {
        const bool plain = p.trump == NONE && p.last == NONE && p.seats == 4 && p.active == 15;
        if (p.kind == Kind::rami && plain) return solve_with(rami_, p, want, with_line, same_cards, control);
        if (p.kind == Kind::nolo && plain) return solve_with(nolo_, p, want, with_line, same_cards, control);
        if (p.kind == Kind::sooli) return solve_with(sooli_, p, want, with_line, same_cards, control);
        if (p.kind == Kind::huutopussi) return solve_with(huutopussi_, p, want, with_line, same_cards, control);
        return solve_with(general_, p, want, with_line, same_cards, control);
    }

private:
    template <class Search>
    static Solution solve_with(std::unique_ptr<Search>& search, const Position& p, Want want, bool with_line,
                               bool same_cards, Control& control) {
        if (!search) search = std::make_unique<Search>();
        return ValueSearch(*search, control).solve(p, want, with_line, same_cards);
    }
    std::unique_ptr<GeneralSearch> general_;
    std::unique_ptr<RamiSearch> rami_;
    std::unique_ptr<HuutopussiSearch> huutopussi_;
    std::unique_ptr<SooliSearch> sooli_;
    std::unique_ptr<NoloSearch> nolo_;
};

#define NOUSU_TEXT2(x) #x
#define NOUSU_TEXT(x) NOUSU_TEXT2(x)

}  // namespace

Core core() {
    return {NOUSU_TEXT(NOUSU_ISA),
            []() -> Solver* { return new AllGoalsSolver; },
            &rollouts,
            &playouts_whist,
            &plans_whist,
            &playouts_huutopussi,
            families};
}

}  // namespace nousu::NOUSU_ISA
