// What to say in Tuppen for two, learned by regret in hands against oneself; tuppen_odds.py compiles and runs this.
//
//   tuppen_odds hands DEALS SEED    the whole game: for each situation of players/tuppen/policy.py a byte, the odds of yes
//   tuppen_odds small ROUNDS        the small game, all deals walked through: a line for each question, its key and the odds
//   tuppen_odds against odds FILE DEALS SEED     what the best answers to a player who speaks by the odds in that file win in
//                                         fresh deals, with half its interval; in the next line as many bytes: these
//                                         answers
//   tuppen_odds against rules FILE DEALS SEED    the same of the rule-based player, who takes from these odds what it says of
//                                         four pictures
//   tuppen_odds keenly ...                       the same by somebody who tells more situations apart; the first line alone
//
// Both throw their cards by rule of thumb and learn what to say. In each hand one of the two tries both answers, and
// what was missed by an answer counts for it in every hand that looks alike; the other answers as it would (external
// sampling), or all its answers are walked through. Kept is the mean of what was said. Later hands count more, in what
// was missed as in what is kept: what was missed against somebody who knew less yet is soon outweighed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../cpp/playouts/tuppen.h"

using namespace nousu::playouts;

constexpr Hand PICTURES = 0x0000FFFF;  // jacks, queens, kings and aces are the weakest cards
constexpr int TIMES = 32, STEPS[] = {2, 5, 8, 12, 15, 18, 21, 24, 28, 31}, CHANCES = 11;
constexpr int STAKE = 7, SINCE = 3, PACKETS = 3, SEEN = 6;
constexpr int RAISES = 8 * 2 * CHANCES * STAKE * 4 * SINCE * 4;
constexpr int LAYS = CHANCES * 2 * PACKETS * 2, DOUBTS = PACKETS * (SEEN + 1);
constexpr int AGAIN = 4;       // how often a deal is gone through: to tell its chances takes longest
constexpr int FRESH = 200000;  // deals to measure the best answers
constexpr double EVEN = 0.5;  // share of the deals of which odds are learnt in which both have all seven points; in the
                              // others each has two to seven

struct Row {
    double regret[2] = {}, said[2] = {}, yes = 0;
    std::uint64_t round = 0;

    static double share(const double* two) {
        const double no = std::max(0.0, two[0]), yes = std::max(0.0, two[1]);
        return no + yes > 0 ? yes / (no + yes) : 0.5;
    }
};

// What follows from two hands: before each card whose turn it is, what lies on the table and what both hold.
struct Course {
    Hand hands[2];
    Moment before[8];
    Hand held[9][2], gone[8];
    int cards = 0, winner = 0, wins[8][2];  // of TIMES imagined deals; -1: not reckoned yet

    Course(Hand one, Hand other) : hands{one, other}, held{{one, other}} {
        Moment moment;
        moment.playing = 3;
        for (Hand out = 0; held[cards][0] | held[cards][1]; ++cards) {
            before[cards] = moment;
            gone[cards] = out;
            wins[cards][0] = wins[cards][1] = -1;
            const int seat = moment.turn, card = moment.choice(held[cards][seat]);
            std::copy(held[cards], held[cards] + 2, held[cards + 1]);
            held[cards + 1][seat] &= ~(1u << card);
            out |= 1u << card;
            moment.seats[moment.laid] = static_cast<std::uint8_t>(seat);
            moment.cards[moment.laid++] = static_cast<std::uint8_t>(card);
            moment.turn = moment.laid == 2 ? moment.taker() : 1 - seat;
            moment.laid %= 2;
        }
        winner = moment.turn;
    }
};

struct Deal {
    bool small = false;
    std::uint8_t pack[PACK];
    int points[2] = {7, 7};
    std::vector<Course> courses;

    Course& course(Hand one, Hand other) {
        for (Course& found : courses)
            if (found.hands[0] == one && found.hands[1] == other) return found;
        return courses.emplace_back(one, other);
    }

    // Four cards of the pack; none where it is used up.
    Hand four(int number) const {
        Hand found = 0;
        for (int at = 4 * number; at < 4 * number + 4 && at < PACK; ++at) found |= 1u << pack[at];
        return found;
    }
};

enum Question { RAISE, ANSWER, LAY, DOUBT, OVER };

struct State {
    Question question = LAY;
    int seat = 0, points[2] = {}, laid[2] = {}, cards = 0, stake = 1, last = -1;
    int raised = 0;   // how many cards had been played when the stake rose last
    int waiting = 0;  // before this card: 2 both may still raise, 1 who is on turn may, 0 nobody
    Hand hands[2] = {}, packets[2] = {}, packet = 0;
    std::string said;
};

// How the player answers who is learnt against, where that is not oneself.
enum class Other { oneself, rules, odds };
// What is told apart: what the odds tell apart, or more.
enum class Eyes { usual, keen };

class Learner {
public:
    Learner(std::uint64_t seed, Other other, Eyes eyes, std::vector<std::uint8_t> odds)
        : dice_{seed}, rows_(2 * RAISES + LAYS + DOUBTS), other_(other), eyes_(eyes), odds_(std::move(odds)) {}

    void hand() {
        Deal deal = dealt();
        if (other_ == Other::oneself && chance() >= EVEN)
            for (int& points : deal.points) points = 2 + static_cast<int>(dice_.below(6));
        ++hands_;
        for (int again = 0; again < AGAIN; ++again)
            for (int me = 0; me < 2; ++me) {
                ++round_;
                laying_ = again == 0;
                walk(deal, start(deal, deal.four(0), deal.four(1)), me);
            }
    }

    // What the best answers win in fresh deals from seven points, in both seats: the mean, and half its 95 % interval.
    std::pair<double, double> won(int deals) {
        double sum = 0, squares = 0;
        for (int number = 0; number < deals; ++number) {
            Deal deal = dealt();
            double lives = 0;
            for (int me = 0; me < 2; ++me) {
                State state = start(deal, deal.four(0), deal.four(1));
                while (state.question != OVER) {
                    bool yes = false;
                    if (state.seat == me)
                        yes = better(row(deal, state));
                    else
                        yes = answer(deal, state) > chance();
                    state = after(deal, state, yes);
                }
                lives += gain(deal, state, me) / 2;
            }
            sum += lives, squares += lives * lives;
        }
        const double mean = sum / deals;
        return {mean, 1.96 * std::sqrt((squares / deals - mean * mean) / deals)};
    }

    // Every deal and every answer; regrets do not fall below nothing.
    void small(std::vector<Deal>& deals) {
        ++hands_;
        for (int me = 0; me < 2; ++me) {
            ++round_;
            for (Deal& deal : deals) {
                const Course& course = deal.courses[0];
                walked(deal, asking(deal, start(deal, course.hands[0], course.hands[1])), me, 1);
            }
            for (auto& [key, row] : named_)
                for (double& regret : row.regret) regret = std::max(0.0, regret);
        }
    }

    void print() const {
        for (const auto& [key, row] : named_) std::printf("%s %.17g\n", key.c_str(), Row::share(row.said));
        if (!named_.empty()) return;
        for (const Row& row : rows_)
            std::putchar(other_ == Other::oneself ? static_cast<int>(Row::share(row.said) * 255 + 0.5)
                                                  : 255 * better(row));
    }

private:
    double chance() { return dice_.below(1u << 24) / double{1u << 24}; }

    static bool better(const Row& row) { return row.regret[1] > row.regret[0]; }

    Deal dealt() {
        Deal deal;
        deal.courses.reserve(64);
        for (int card = 0; card < PACK; ++card) deal.pack[card] = static_cast<std::uint8_t>(card);
        for (int card = 0; card < PACK; ++card)
            std::swap(deal.pack[card], deal.pack[card + dice_.below(static_cast<std::uint32_t>(PACK - card))]);
        return deal;
    }

    static State start(const Deal& deal, Hand one, Hand other) {
        State state;
        state.hands[0] = one, state.hands[1] = other;
        std::copy(deal.points, deal.points + 2, state.points);
        return state;
    }

    Row& row(Deal& deal, const State& state) {
        Course& course = deal.course(state.hands[0], state.hands[1]);
        Row& found = deal.small            ? named_[key(course, state)]
                     : eyes_ == Eyes::keen ? keen_[seen_keenly(course, state)]
                                           : rows_[number(course, state)];
        if (found.round != round_) found.round = round_, found.yes = Row::share(found.regret);
        return found;
    }

    // All that was seen and said.
    static std::string key(const Course& course, const State& state) {
        std::string shown = std::to_string(state.seat) + " " + std::to_string(course.hands[state.seat]) + " ";
        for (int card = 0; card < state.cards; ++card) {
            const int turn = course.before[card].turn;
            shown += std::to_string(weakest(course.held[card][turn] & ~course.held[card + 1][turn])) + ",";
        }
        return shown + " " + state.said;
    }

    // How often the one asked would take the last trick in TIMES imagined deals.
    int wins(Course& course, const State& state) {
        const int seat = state.seat, at = state.cards;
        int& found = course.wins[at][seat];
        if (found >= 0) return found;
        std::uint8_t counts[SEATS] = {};
        for (int one = 0; one < 2; ++one) counts[one] = static_cast<std::uint8_t>(std::popcount(course.held[at][one]));
        const Dice dice{std::uint64_t{dice_.below(~0u)} << 32 | dice_.below(~0u)};
        const Hand gone = course.gone[at] | state.packets[seat];
        return found = taken(course.before[at], seat, course.held[at][seat], gone, counts, TIMES, dice);
    }

    // The situation with more told apart: the chance in seventeen steps, who has laid how many packets down, the very
    // card before which the stake rose last, and all pictures seen.
    std::size_t seen_keenly(Course& course, const State& state) {
        const int seat = state.seat, other = 1 - seat, at = state.cards;
        const Hand hand = course.held[at][seat];
        auto found = static_cast<std::size_t>(state.question);
        const auto with = [&found](int value, int size) {
            found = found * static_cast<std::size_t>(size) + static_cast<std::size_t>(std::min(value, size - 1));
        };
        with(state.laid[seat], PACKETS), with(state.laid[other], PACKETS);
        if (state.question == DOUBT) {
            with(std::popcount((hand | state.packets[seat]) & PICTURES), PACK);
            return found;
        }
        with(course.before[at].turn == seat, 2), with((wins(course, state) + 1) / 2, TIMES / 2 + 1);
        if (state.question == LAY) {
            with(!(hand & ~PICTURES), 2);
            return found;
        }
        with(at, 8), with(state.stake - 1, STAKE), with(state.points[seat] <= state.stake, 2);
        with(state.points[other] <= state.stake, 2), with(state.stake > 1 ? state.raised : 8, 9);
        return found;
    }

    // The number of the situation, as players/tuppen/policy.py reckons it.
    std::size_t number(Course& course, const State& state) {
        const int seat = state.seat, other = 1 - seat, at = state.cards;
        const Moment& moment = course.before[at];
        const Hand hand = course.held[at][seat];
        if (state.question == DOUBT) {
            const int seen = std::min(std::popcount((hand | state.packets[seat]) & PICTURES), SEEN);
            return static_cast<std::size_t>(2 * RAISES + LAYS +
                                            std::min(state.laid[other] - 1, PACKETS - 1) * (SEEN + 1) + seen);
        }
        const int won = wins(course, state);
        int step = 0;
        for (int least : STEPS) step += won >= least;
        const bool turn = moment.turn == seat;
        if (state.question == LAY) {
            const int laid = std::min(state.laid[seat], PACKETS - 1);
            return static_cast<std::size_t>(2 * RAISES + ((step * 2 + !(hand & ~PICTURES)) * PACKETS + laid) * 2 +
                                            turn);
        }
        const int spared = (state.points[seat] <= state.stake) + 2 * (state.points[other] <= state.stake);
        const int stake = std::min(state.stake, STAKE) - 1;
        const int since = state.stake > 1 ? std::min((at - state.raised + 1) / 2, SINCE - 1) : 0;
        const int changed = (state.laid[seat] > 0) + 2 * (state.laid[other] > 0);
        const int staked = ((((at * 2 + turn) * CHANCES + step) * STAKE + stake) * 4 + spared) * SINCE + since;
        const int found = staked * 4 + changed;
        return static_cast<std::size_t>(found + (state.question == ANSWER ? RAISES : 0));
    }

    double by_odds(Deal& deal, const State& state) {
        return odds_[number(deal.course(state.hands[0], state.hands[1]), state)] / 255.0;
    }

    // How likely the rule-based player says yes (players/tuppen/rules.py).
    double by_rules(Deal& deal, const State& state) {
        if (state.question == LAY || state.question == DOUBT) return by_odds(deal, state);
        const Course& course = deal.course(state.hands[0], state.hands[1]);
        const int seat = state.seat, points = state.points[seat], stake = state.stake;
        if (state.question == ANSWER && points <= stake) return 1;
        const double chance = seen(course, state);
        if (state.question == ANSWER) return chance >= 1 / ((stake + 1) * 2.0);
        if (points <= stake || chance >= 0.5 + 0.15 * (stake - 1)) return 1;
        return stake == 1 && points > 2 ? 0.05 : 0;
    }

    // The chance that it sees: with its best card where it owes one, else as all cards go by rule of thumb.
    double seen(const Course& course, const State& state) {
        const int at = state.cards, seat = state.seat, times = 24;
        const Moment& moment = course.before[at];
        const Hand hand = course.held[at][seat];
        std::uint8_t unseen[PACK];
        int left = 0, wins[PACK] = {}, most = 0;
        for (Hand rest = ~(hand | course.gone[at] | state.packets[seat]); rest; rest &= rest - 1)
            unseen[left++] = static_cast<std::uint8_t>(weakest(rest));
        const Hand suit = moment.laid ? hand & suit_of(moment.cards[0]) : 0, able = suit ? suit : hand;
        const bool owes = state.question == RAISE && moment.turn == seat;
        for (int time = 0; time < times; ++time) {
            Hand other = 0;
            for (int card = 0; card < std::popcount(course.held[at][1 - seat]); ++card) {
                std::swap(unseen[card], unseen[card + dice_.below(static_cast<std::uint32_t>(left - card))]);
                other |= 1u << unseen[card];
            }
            for (Hand rest = owes ? able : 1; rest; rest &= rest - 1) {
                Hand hands[SEATS] = {};
                hands[seat] = hand, hands[1 - seat] = other;
                wins[weakest(rest)] += last_taker(moment, hands, owes ? weakest(rest) : -1) == seat;
            }
        }
        for (int one : wins) most = std::max(most, one);
        return double(most) / times;
    }

    // How likely the other says yes.
    double answer(Deal& deal, const State& state) {
        if (other_ == Other::rules) return by_rules(deal, state);
        if (other_ == Other::odds) return by_odds(deal, state);
        Row& here = row(deal, state);
        here.said[0] += static_cast<double>(hands_) * (1 - here.yes);
        here.said[1] += static_cast<double>(hands_) * here.yes;
        return here.yes;
    }

    static double gain(const Deal& deal, const State& state, int me) {
        const int lives = state.points[0] - deal.points[0] - state.points[1] + deal.points[1];
        return me ? -lives : lives;
    }

    static State over(State state) {
        state.question = OVER;
        for (int& points : state.points) points = std::max(0, points);
        return state;
    }

    static State asking(Deal& deal, State state) {
        state.waiting = 2;
        return onward(deal, state);
    }

    // The next question, after some cards if nobody may raise before them: first the one not on turn is asked.
    static State onward(Deal& deal, State state) {
        const Course& course = deal.course(state.hands[0], state.hands[1]);
        for (; state.cards < course.cards; ++state.cards, state.waiting = 2)
            while (state.waiting) {
                const int turn = course.before[state.cards].turn, seat = state.waiting == 2 ? 1 - turn : turn;
                --state.waiting;
                if (seat != state.last && state.stake <= state.points[seat]) {
                    state.question = RAISE, state.seat = seat;
                    return state;
                }
            }
        state.points[1 - course.winner] -= state.stake;
        return over(state);
    }

    static State after(Deal& deal, State state, bool yes) {
        const int seat = state.seat, other = 1 - seat;
        if (deal.small) state.said += yes ? 'y' : 'n';
        switch (state.question) {
            case LAY:
                if (!yes) {
                    if (seat == 1) return asking(deal, state);
                    state.seat = 1;
                    return state;
                }
                state.packet = state.hands[seat];
                state.packets[seat] |= state.packet;
                state.hands[seat] = deal.four(2 + state.laid[0] + state.laid[1]);
                ++state.laid[seat];
                state.question = DOUBT, state.seat = other;
                return state;
            case DOUBT:
                if (yes) --state.points[state.packet & ~PICTURES ? other : seat];
                if (!state.points[0] || !state.points[1]) return over(state);
                state.question = LAY, state.seat = other;
                return deal.four(2 + state.laid[0] + state.laid[1]) ? state : asking(deal, state);
            case RAISE:
                if (!yes) return onward(deal, state);
                state.question = ANSWER, state.seat = other;
                return state;
            default:
                if (!yes) {
                    state.points[seat] -= state.stake;
                    return over(state);
                }
                ++state.stake;
                state.raised = state.cards;
                state.last = other;
                return asking(deal, state);
        }
    }

    // What the hand brings `me`, the other's answers drawn by chance; of one's own only those before the first card, or
    // only those after it, are both tried.
    double walk(Deal& deal, const State& state, int me) {
        if (state.question == OVER) return gain(deal, state, me);
        if (state.seat != me) {
            const double yes = answer(deal, state);
            return walk(deal, after(deal, state, chance() < yes), me);
        }
        Row& here = row(deal, state);
        const double yes = here.yes;
        const bool early = state.question == LAY || state.question == DOUBT;
        if (early != laying_) return walk(deal, after(deal, state, chance() < yes), me);
        const double values[2] = {walk(deal, after(deal, state, false), me), walk(deal, after(deal, state, true), me)};
        const double mean = (1 - yes) * values[0] + yes * values[1];
        for (int one = 0; one < 2; ++one) here.regret[one] += static_cast<double>(hands_) * (values[one] - mean);
        return mean;
    }

    // The same with all answers of the other, who answers so far as to come here with the chance `others`.
    double walked(Deal& deal, const State& state, int me, double others) {
        if (state.question == OVER) return gain(deal, state, me);
        Row& here = row(deal, state);
        const double shares[2] = {1 - here.yes, here.yes};
        double values[2], mean = 0;
        for (int answer = 0; answer < 2; ++answer) {
            const double reach = state.seat == me ? others : others * shares[answer];
            values[answer] = walked(deal, after(deal, state, answer), me, reach);
            mean += shares[answer] * values[answer];
        }
        for (int answer = 0; answer < 2; ++answer) {
            if (state.seat == me)
                here.regret[answer] += others * (values[answer] - mean);
            else
                here.said[answer] += static_cast<double>(hands_) * others * shares[answer];
        }
        return mean;
    }

    Dice dice_;
    std::vector<Row> rows_;
    Other other_;
    Eyes eyes_;
    std::vector<std::uint8_t> odds_;
    std::unordered_map<std::size_t, Row> keen_;
    std::map<std::string, Row> named_;  // of the small game
    std::uint64_t hands_ = 0, round_ = 0;
    bool laying_ = false;
};

// All deals of six cards, ten, ace and king of two suits, two to each, from two points.
std::vector<Deal> small_deals() {
    const int cards[] = {8, 9, 12, 13, 28, 29};
    std::vector<Hand> hands;
    for (int one = 0; one < 6; ++one)
        for (int other = 0; other < one; ++other) hands.push_back(1u << cards[one] | 1u << cards[other]);
    std::vector<Deal> found;
    for (Hand one : hands)
        for (Hand other : hands)
            if (!(one & other)) {
                Deal& deal = found.emplace_back();
                deal.small = true;
                deal.points[0] = deal.points[1] = 2;
                deal.course(one, other);
            }
    return found;
}

std::vector<std::uint8_t> read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int main(int count, char** words) {
    const bool small = count == 3 && !std::strcmp(words[1], "small");
    const bool keen = count == 6 && !std::strcmp(words[1], "keenly");
    const bool against = keen || (count == 6 && !std::strcmp(words[1], "against"));
    if (!small && !against && (count != 4 || std::strcmp(words[1], "hands"))) return 2;
    const Other other = !against ? Other::oneself : std::strcmp(words[2], "rules") ? Other::odds : Other::rules;
    std::vector<std::uint8_t> odds;
    if (against) odds = read(words[3]);
    if (against && odds.size() != 2 * RAISES + LAYS + DOUBTS) return 2;
    const std::uint64_t seed = small ? 0 : std::strtoull(words[count - 1], nullptr, 10);
    Learner learner(seed, other, keen ? Eyes::keen : Eyes::usual, odds);
    std::vector<Deal> deals = small_deals();
    for (long left = std::atol(words[small ? 2 : count - 2]); left > 0; --left)
        small ? learner.small(deals) : learner.hand();
    if (against) {
        const auto [mean, half] = learner.won(FRESH);
        std::printf("%.4f %.4f\n", mean, half);
    }
    if (!keen) learner.print();
}
