// The environments of one build of the core. Compiled once per instruction set.
#include "env/environment.h"

#include "env/huutopussi.h"
#include "env/tuppen.h"
#include "env/whist.h"

namespace nousu::NOUSU_ISA {
namespace {

template <class Game>
Environment* make(const std::int32_t* rules, int lanes, int seats, bool matches) {
    return new Lanes<Game>(rules, lanes, seats, matches);
}

#define X(name) #name " "

}  // namespace

extern const Family families[FAMILY_COUNT] = {
    {"whist", NOUSU_WHIST_RULES(X), &make<Whist>},
    {"huutopussi", NOUSU_HUUTOPUSSI_RULES(X), &make<Huutopussi>},
    {"tuppen", NOUSU_TUPPEN_RULES(X), &make<Tuppen>},
};

}  // namespace nousu::NOUSU_ISA
