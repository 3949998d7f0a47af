// One build of the core; compiled once for every instruction set, NOUSU_ISA naming the namespace.
#include "playouts/requests.h"

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

class Everything final : public Solver {
public:
    Answer solve(const Problem& p, Want want, bool line, bool again, Control& control) override {
        bool plain = p.trump == NONE && p.last == NONE && p.seats == 4 && p.active == 15;
        if (p.kind == Kind::rami && plain) return with(rami_, p, want, line, again, control);
        if (p.kind == Kind::nolo && plain) return with(nolo_, p, want, line, again, control);
        if (p.kind == Kind::sooli) return with(sooli_, p, want, line, again, control);
        if (p.kind == Kind::huutopussi) return with(huutopussi_, p, want, line, again, control);
        return with(general_, p, want, line, again, control);
    }

private:
    template <class Search>
    static Answer with(std::unique_ptr<Search>& search, const Problem& p, Want want, bool line, bool again,
                       Control& control) {
        if (!search) search = std::make_unique<Search>();
        return Drive(*search, control).solve(p, want, line, again);
    }
    std::unique_ptr<General> general_;
    std::unique_ptr<RamiSearch> rami_;
    std::unique_ptr<HuutopussiSearch> huutopussi_;
    std::unique_ptr<SooliSearch> sooli_;
    std::unique_ptr<NoloSearch> nolo_;
};

#define NOUSU_TEXT2(x) #x
#define NOUSU_TEXT(x) NOUSU_TEXT2(x)

}  // namespace

Core core() {
    return {NOUSU_TEXT(NOUSU_ISA), []() -> Solver* { return new Everything; }, &rollouts, &playouts, &plans,
            &playouts_huutopussi};
}

}  // namespace nousu::NOUSU_ISA
