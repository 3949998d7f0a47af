// From zero-window probes to values, best moves and lines; the same for every search.
#pragma once
#include "solver/general_search.h"

namespace nousu::NOUSU_ISA {

// A search offers: begin(problem), probe(problem, beta, control) and guess(problem).
template <class Search>
class Drive {
public:
    Drive(Search& search, Control& control) : search_(search), control_(control) {}

    Answer solve(const Problem& p, Want want, bool line, bool again) {
        Answer answer;
        if (!again) search_.begin(p);
        answer.value = value(p, 0, FAR);
        if constexpr (PATTERNED) {
            answer.patterned = true;
            answer.pattern = proof_[0] | proof_[1];
        }
        if (want != Want::value) rate(p, want, answer);
        if (line) follow(p, answer);
        answer.solved = true;
        answer.nodes = control_.nodes;
        return answer;
    }

private:
    static constexpr bool PATTERNED = requires(const Search& search) { search.mattered(); };

    // What `p` is worth, `gained` being settled already.
    int value(const Problem& p, int gained, int guess) {
        if (ended(p, gained)) return settle(p, gained);
        best_ = NONE;
        proof_[0] = proof_[1] = 0;
        if (p.contract) {
            int beta = p.target - gained;
            return search_.probe(p, beta, control_) >= beta;
        }
        int low = Search::least(p), high = Search::most(p);
        bool up = maximises(p, p.turn);
        int beta = guess == FAR ? search_.guess(p) : guess - gained;
        // Points may lie far from the guess, less far where another move's value is the guess: wider steps until
        // the value is passed, then halves.
        const bool far = p.kind == Kind::huutopussi;
        const int step = !far ? 1 : guess == FAR ? 26 : 6;
        while (low < high) {
            if (far && low > Search::least(p) && high < Search::most(p)) beta = (low + high + 1) / 2;
            beta = std::clamp(beta, low + 1, high);
            int tried = beta, found = search_.probe(p, tried, control_);
            if constexpr (PATTERNED) proof_[found >= tried] = search_.mattered();
            if (found >= tried) {
                low = found;
                beta = low + step;
            } else {
                high = found;
                beta = high + 1 - step;
            }
            if ((found >= tried) == up) best_ = search_.best();
        }
        return gained + low;
    }

    // Whether `p`, with `gained` settled, is worth at least `wanted`.
    bool reaches(const Problem& p, int gained, int wanted) {
        if (ended(p, gained)) return settle(p, gained) >= wanted;
        if (p.contract) return value(p, gained, 0) >= wanted;
        return gained + search_.probe(p, wanted - gained, control_) >= wanted;
    }

    static bool ended(const Problem& p, int gained) { return over(p) || (p.kind == Kind::sooli && gained > 0); }
    static int settle(const Problem& p, int gained) { return p.contract ? gained >= p.target : gained; }

    void rate(const Problem& p, Want want, Answer& answer) {
        if (want == Want::one) {
            int move = best_;
            if (move == NONE) {  // every move is as good, or none was proven: look at them one by one
                Problem after = p;
                int gained = 0;
                move = step(after, gained, answer.value);
            }
            answer.moves[answer.rated++] = {move, answer.value};
            return;
        }
        for (int move : legal_moves(p)) {
            Problem after = p;
            int gained = apply(after, move);
            answer.moves[answer.rated++] = {move, value(after, gained, answer.value)};
        }
    }

    // Plays a move that keeps `total` and returns it.
    int step(Problem& p, int& gained, int total) {
        bool up = maximises(p, p.turn);
        const Moves moves = legal_moves(p);
        for (int i = 0; i < moves.size; ++i) {
            Problem after = p;
            int now = gained + apply(after, moves.move[i]);
            bool keeps = i + 1 == moves.size || (up ? reaches(after, now, total) : !reaches(after, now, total + 1));
            if (!keeps) continue;
            p = after;
            gained = now;
            return moves.move[i];
        }
        return NONE;  // not reached: the last move is taken on trust
    }

    void follow(Problem p, Answer& answer) {
        int gained = 0;
        while (!ended(p, gained) && answer.length < MOST_LINE)
            answer.line[answer.length++] = step(p, gained, answer.value);
    }

    int best_ = NONE;          // the move that proved the last value
    Cards proof_[2] = {0, 0};  // what the last bounds from above and below rest on
    Search& search_;
    Control& control_;
};

}  // namespace nousu::NOUSU_ISA
