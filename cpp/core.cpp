// One build of the core; compiled once for every instruction set, NOUSU_ISA naming the namespace.
#include "core.h"

#include "drive.h"
#include "general.h"
#include "rollout.h"

namespace nousu::NOUSU_ISA {
namespace {

class Everything final : public Solver {
public:
    Answer solve(const Problem& p, Want want, bool line, Control& control) override {
        return Drive(general_, control).solve(p, want, line);
    }

private:
    General general_;
};

#define NOUSU_TEXT2(x) #x
#define NOUSU_TEXT(x) NOUSU_TEXT2(x)

}  // namespace

Core core() {
    return {NOUSU_TEXT(NOUSU_ISA), [] { return std::unique_ptr<Solver>(new Everything); }, &rollouts};
}

}  // namespace nousu::NOUSU_ISA
