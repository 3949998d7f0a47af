// From zero-window probes to values, best moves and lines of play; the same code for every search.
#pragma once
#include "solver/general_search.h"

namespace nousu::NOUSU_ISA {

// A search provides begin(position), probe(position, beta, control), guess(position), least, most and best.
template <class Search>
class ValueSearch {
public:
    ValueSearch(Search& search, Control& control) : search_(search), control_(control) {}

    Solution solve(const Position& p, Want want, bool with_line, bool same_cards) {
        Solution solution;
        if (!same_cards) search_.begin(p);
        solution.value = value(p, 0, VALUE_LIMIT);
        if constexpr (HAS_PATTERNS) {
            solution.has_pattern = true;
            solution.pattern = decisive_[0] | decisive_[1];
        }
        if (want != Want::value) rate_moves(p, want, solution);
        if (with_line) fill_line(p, solution);
        solution.solved = true;
        solution.nodes = control_.nodes;
        return solution;
    }

private:
    static constexpr bool HAS_PATTERNS = requires(const Search& search) { search.decisive_cards(); };

    // The value of `p`, of which `gained` is already won.
    int value(const Position& p, int gained, int guess) {
        if (is_decided(p, gained)) return final_value(p, gained);
        best_ = NONE;
        decisive_[0] = decisive_[1] = 0;
        if (p.contract) {
            int beta = p.target - gained;
            return search_.probe(p, beta, control_) >= beta;
        }
        int low = Search::least(p), high = Search::most(p);
        bool up = maximises(p, p.turn);
        int beta = guess == VALUE_LIMIT ? search_.guess(p) : guess - gained;
        // Points may lie far from the guess, less far where the guess is the value of another move: steps of this size
        // until the value is passed, then bisection.
        const bool far = p.kind == Kind::huutopussi;
        const int step = !far ? 1 : guess == VALUE_LIMIT ? 26 : 6;
        while (low < high) {
            if (far && low > Search::least(p) && high < Search::most(p)) beta = (low + high + 1) / 2;
            beta = std::clamp(beta, low + 1, high);
            int probed = beta, bound = search_.probe(p, probed, control_);
            if constexpr (HAS_PATTERNS) decisive_[bound >= probed] = search_.decisive_cards();
            if (bound >= probed) {
                low = bound;
                beta = low + step;
            } else {
                high = bound;
                beta = high + 1 - step;
            }
            if ((bound >= probed) == up) best_ = search_.best();
        }
        return gained + low;
    }

    // Whether the value of `p`, of which `gained` is already won, is at least `wanted`.
    bool is_at_least(const Position& p, int gained, int wanted) {
        if (is_decided(p, gained)) return final_value(p, gained) >= wanted;
        if (p.contract) return value(p, gained, 0) >= wanted;
        return gained + search_.probe(p, wanted - gained, control_) >= wanted;
    }

    static bool is_decided(const Position& p, int gained) {
        return is_over(p) || (p.kind == Kind::sooli && gained > 0);
    }
    static int final_value(const Position& p, int gained) { return p.contract ? gained >= p.target : gained; }

    void rate_moves(const Position& p, Want want, Solution& solution) {
        if (want == Want::one) {
            int move = best_;
            if (move == NONE) {  // all moves are equal, or none was proved best: try them one by one
                Position after = p;
                int gained = 0;
                move = play_best(after, gained, solution.value);
            }
            solution.moves[solution.move_count++] = {move, solution.value};
            return;
        }
        for (int move : legal_moves(p)) {
            Position after = p;
            int gained = apply(after, move);
            solution.moves[solution.move_count++] = {move, value(after, gained, solution.value)};
        }
    }

    // Play and return a move that keeps `total`.
    int play_best(Position& p, int& gained, int total) {
        bool up = maximises(p, p.turn);
        const Moves moves = legal_moves(p);
        for (int i = 0; i < moves.size; ++i) {
            Position after = p;
            int now = gained + apply(after, moves.move[i]);
            bool keeps_total =
                i + 1 == moves.size || (up ? is_at_least(after, now, total) : !is_at_least(after, now, total + 1));
            if (!keeps_total) continue;
            p = after;
            gained = now;
            return moves.move[i];
        }
        return NONE;  // not reached: the last move is taken without proof
    }

    void fill_line(Position p, Solution& solution) {
        int gained = 0;
        while (!is_decided(p, gained) && solution.line_length < MAX_LINE)
            solution.line[solution.line_length++] = play_best(p, gained, solution.value);
    }

    int best_ = NONE;             // the move that proved the last value
    Cards decisive_[2] = {0, 0};  // decisive cards of the last upper and lower bound
    Search& search_;
    Control& control_;
};

}  // namespace nousu::NOUSU_ISA
