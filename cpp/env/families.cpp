// The environments of one build of the core; compiled once for every instruction set.
#include "env/environment.h"

#include "env/huutopussi.h"
#include "env/tuppen.h"
#include "env/whist.h"

namespace nousu::NOUSU_ISA {
namespace {

template <class Game>
Environment* made(const std::int32_t* rules, int lanes, int seats, bool matches) {
    return new Lanes<Game>(rules, lanes, seats, matches);
}

#define X(name) #name " "

}  // namespace

extern const Family families[FAMILIES] = {
    {"whist", NOUSU_WHIST_RULES(X), &made<Whist>},
    {"huutopussi", NOUSU_HUUTOPUSSI_RULES(X), &made<Huutopussi>},
    {"tuppen", NOUSU_TUPPEN_RULES(X), &made<Tuppen>},
};

}  // namespace nousu::NOUSU_ISA
