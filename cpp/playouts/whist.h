// Playouts of the whist family by the rule-based player of src/nousu/players/whist/card_rules.py, card for card
// (tests/players/test_playouts_whist.py), about a thousand times as fast. Every seat sees its own cards and what has
// been played.
#pragma once
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/play_rules.h"
#include "playouts/requests.h"
#include "playouts/whist_policy.h"

namespace nousu::NOUSU_ISA {

// Floating-point sums are in the order of the Python dictionaries, so that ties are the same.
class WhistPlayouts {
public:
    explicit WhistPlayouts(const WhistRequest& request)
        : request_(request), sooli_(request.kind == WhistRequest::sooli), policy_(request.policy) {
        Habit* habits[] = {&lead_, &second_, &third_, &low_};
        const double* at = request.weights;
        for (int habit = 0; habit < WhistRequest::HABITS; ++habit) {
            *habits[habit] = at;
            for (const char* name = WhistRequest::NAMES[habit]; *name; ++name) at += *name == ' ';
        }
        for (int seat = 0; seat < 4; ++seat)
            if (!sooli_ || seat != ((request.soloist + 2) & 3)) active_ |= 1 << seat;
    }

    // Play every world to its end after each of the first cards.
    void run() {
        for (std::size_t world = 0; world < request_.worlds; ++world) {
            const Cards* hands = request_.hands + 5 * world;
            Table table = first_table(hands);
            int total = 0;
            for (int i = 0; i < request_.played; ++i) {
                const Cards legal = table.legal();
                if (table.turn != request_.viewer && count(legal) > 1)
                    total += strangeness(table, legal, request_.history[i]);
                play(table, request_.history[i]);
            }
            request_.strangeness[world] = total;
            for (int i = 0; i < request_.first_count; ++i)
                request_.results[world * request_.first_count + i] =
                    static_cast<std::int8_t>(play_world(table, request_.first[i]));
        }
    }

    // Value every first card under the viewer's best plan.
    void run_plans(const WhistPlanRequest& request) const {
        InformationSet now;
        for (std::size_t world = 0; world < request_.worlds; ++world) {
            Table table = first_table(request_.hands + 5 * world);
            for (int i = 0; i < request_.played; ++i) play(table, request_.history[i]);
            now.push_back({table, request.world_weights[world]});
        }
        for (int i = 0; i < request_.first_count; ++i)
            request.values[i] = plan_value(now, request_.first[i], request.utility);
    }

private:
    using Habit = const double*;
    static constexpr int EARLY = 8, LATE = 5, ACE = 12;  // as in card_features.py

    struct Table {
        Cards hand[4];
        Cards aside;
        Cards played = 0;
        int voids[4] = {};  // per seat: suits, one bit each
        int led[4] = {};    // as in WhistDecision
        int won[2] = {};
        int seat_of[4] = {}, card_of[4] = {};
        int trick_size = 0, best = 0, turn = 0;
        bool caught = false;

        int led_suit() const { return suit_of(card_of[0]); }
        Cards legal() const {
            const Cards same = trick_size ? hand[turn] & lane(led_suit()) : 0;
            return same ? same : hand[turn];
        }
    };

    // The table before the first card of the hand.
    Table first_table(const Cards* hands) const {
        Table table;
        for (int seat = 0; seat < 4; ++seat) table.hand[seat] = hands[seat];
        table.aside = hands[4];
        table.turn = request_.leader;
        // The hands are those of now: put back what has been played, to play it again with every seat's knowledge.
        Table walk = table;
        for (int i = 0; i < request_.played; ++i) {
            table.hand[walk.turn] |= bit(request_.history[i]);
            play(walk, request_.history[i]);
        }
        return table;
    }

    int play_world(Table table, int first) const {
        if (first != WhistRequest::ANY) play(table, first);
        while (is_running(table)) play(table, choice(table));
        return result_of(table);
    }

    bool is_running(const Table& table) const { return !table.caught && table.hand[table.turn]; }
    int result_of(const Table& table) const { return sooli_ ? !table.caught : table.won[0]; }

    // A world with its weight. An information set holds the worlds that the viewer, whose turn it is, cannot tell
    // apart.
    struct World {
        Table table;
        double weight;
    };
    using InformationSet = std::vector<World>;

    // Weighted sum of the utility if the viewer plays this card and then follows its best plan.
    double plan_value(const InformationSet& set, int card, const double* utility) const {
        double sum = 0;
        std::map<std::string, InformationSet> branches;  // by the others' cards until the viewer's next turn
        for (World world : set) {
            std::string cards;
            play(world.table, card);
            while (is_running(world.table) && world.table.turn != request_.viewer) {
                const int other = choice(world.table);
                play(world.table, other);
                cards += static_cast<char>(other);
            }
            if (is_running(world.table))
                branches[cards].push_back(world);
            else
                sum += world.weight * utility[result_of(world.table)];
        }
        for (const auto& [cards, branch] : branches) {
            double best = -std::numeric_limits<double>::infinity();
            for (Cards legal = branch[0].table.legal(); legal; legal &= legal - 1)
                best = std::max(best, plan_value(branch, lowest(legal), utility));
            sum += best;
        }
        return sum;
    }

    void play(Table& table, int card) const {
        const int turn = table.turn;
        table.hand[turn] &= ~bit(card);
        table.played |= bit(card);
        if (table.trick_size && suit_of(card) != table.led_suit()) table.voids[turn] |= 1 << table.led_suit();
        table.seat_of[table.trick_size] = turn;
        table.card_of[table.trick_size] = card;
        if (suit_of(card) == table.led_suit() && card > table.card_of[table.best]) table.best = table.trick_size;
        if (++table.trick_size < (sooli_ ? 3 : 4)) {
            int done = 0;
            for (int i = 0; sooli_ && i < table.trick_size; ++i) done |= 1 << table.seat_of[i];
            table.turn = sooli_ ? next_seat(active_, done, turn, request_.last) : (turn + 1) & 3;
            return;
        }
        const int winner = table.seat_of[table.best];
        if (sooli_)
            note_soloist(table);
        else
            table.led[table.led_suit()] |= 1 << table.seat_of[0];
        ++table.won[winner & 1];
        table.caught = sooli_ && winner == request_.soloist;
        table.turn = winner;
        table.trick_size = table.best = 0;
    }

    // Remember what the soloist has played to a trick that is complete.
    void note_soloist(Table& table) const {
        int at = 0;
        while (table.seat_of[at] != request_.soloist) ++at;
        const int card = table.card_of[at];
        int& cards = table.led[suit_of(card)];
        if (suit_of(card) == table.led_suit())
            cards = (cards & SoloistCards::DISCARDED) | SoloistCards::played(card & 15, table.card_of[table.best] & 15);
        else
            cards |= SoloistCards::DISCARDED;
    }

    Cards unseen(const Table& table) const {
        const Cards aside = table.turn == request_.soloist ? table.aside : 0;
        return 0x1FFF1FFF1FFF1FFFull & ~(table.hand[table.turn] | table.played | aside);
    }

    static SuitView suit(const Table& table, Cards unseen, int suit) {
        return {static_cast<unsigned>(table.hand[table.turn] >> 16 * suit & LANE),
                static_cast<unsigned>(unseen >> 16 * suit & LANE)};
    }

    // The number of a card in Python, where the ace comes last even if it ranks lowest.
    int python_number(int card) const { return !sooli_ ? card : card & 15 ? card - 1 : card + 12; }

    // The card with the least key; of equals the one with the lowest number in Python.
    template <class Key>
    int card_with_least(Cards cards, const Key& key) const {
        int best = lowest(cards);
        double value = key(best);
        for (Cards rest = cards & (cards - 1); rest; rest &= rest - 1) {
            const int card = lowest(rest);
            const double other = key(card);
            if (other < value || (other == value && python_number(card) < python_number(best)))
                value = other, best = card;
        }
        return best;
    }

    WhistDecision decision(const Table& table) const {
        WhistDecision input{table.hand[table.turn], unseen(table),    {}, {}, {}, table.turn,
                            request_.bidder,        table.trick_size, 0,  0,  0,  false,
                            request_.soloist,       active_};
        std::copy(table.voids, table.voids + 4, input.voids);
        std::copy(table.led, table.led + 4, input.led);
        input.won[0] = table.won[table.turn & 1], input.won[1] = table.won[~table.turn & 1];
        input.nolo = request_.kind == WhistRequest::low;
        if (table.trick_size)
            input.best = table.card_of[table.best], input.best_seat = table.seat_of[table.best],
            input.led_suit = table.led_suit();
        if (sooli_) {
            input.waiting &= ~(1 << table.turn);
            for (int i = 0; i < table.trick_size; ++i) input.waiting &= ~(1 << table.seat_of[i]);
        }
        return input;
    }

    int strangeness(const Table& table, Cards legal, int card) const {
        if (!request_.policy) return choice(table) != card;
        int best = std::numeric_limits<int>::min(), own = 0;
        policy_.rate(decision(table), legal, [&](int other, int rating) {
            best = std::max(best, rating);
            if (other == card) own = rating;
        });
        return std::min(best - own, request_.max_strangeness);
    }

    int policy_choice(const Table& table, Cards legal) const {
        int best = std::numeric_limits<int>::min(), best_card = 0;
        policy_.rate(decision(table), legal, [&](int card, int rating) {
            if (rating > best || (rating == best && python_number(card) < python_number(best_card)))
                best = rating, best_card = card;
        });
        return best_card;
    }

    int choice(const Table& table) const {
        const Cards legal = table.legal();
        if (!(legal & (legal - 1))) return lowest(legal);
        if (request_.policy) return policy_choice(table, legal);
        const Cards hidden = unseen(table);
        switch (request_.kind) {
            case WhistRequest::high:
                return table.trick_size ? follow_high(table, legal, hidden) : lead_high(table, legal, hidden);
            case WhistRequest::low:
                return table.trick_size ? follow_low(table, legal, hidden) : lead_nolo(table, legal, hidden);
            default: break;
        }
        if (table.turn != request_.soloist) return defend_sooli(table, legal, hidden);
        return table.trick_size ? follow_low(table, legal, hidden) : lead_sooli(table, legal, hidden);
    }

    bool is_partner(const Table& table, int seat) const {
        if (!sooli_) return !((seat ^ table.turn) & 1);
        return seat == table.turn ||
               (table.turn != request_.soloist && seat != request_.soloist && active_ >> seat & 1);
    }

    int count_void_foes(const Table& table, int suit) const {
        return (table.voids[(table.turn + 1) & 3] >> suit & 1) + (table.voids[(table.turn + 3) & 3] >> suit & 1);
    }

    // Number of legal cards that no hidden card of their suit beats.
    int masters(Cards legal, Cards hidden) const {
        int masters = 0;
        for (; legal; legal &= legal - 1) {
            const int card = lowest(legal);
            masters += !(hidden >> card & (LANE >> (card & 15)));
        }
        return masters;
    }

    int lead_high(const Table& table, Cards legal, Cards hidden) const {
        const int turn = table.turn, ours = turn & 1, partner = (turn + 2) & 3;
        const int all_masters = masters(legal, hidden);
        const int needed = 7 - table.won[ours], left = count(table.hand[turn]);
        const bool bidding = request_.bidder != NONE && (request_.bidder & 1) == ours;
        const double early = left / 13.0;
        return card_with_least(legal, [&](int card) {
            const int suit_no = suit_of(card), rank = card & 15;
            const SuitView s = suit(table, hidden, suit_no);
            const int length = s.length(), masters = s.masters(), above = s.above(rank);
            const int led = table.led[suit_no], void_foes = count_void_foes(table, suit_no);
            const bool by_partner = led >> partner & 1;
            Habit w = lead_;
            double sum = 0;
            auto add = [&](double value) { sum += *w++ * value; };
            if (above == 0) {
                add(1), add(early), add(masters >= 2), add(masters >= 3), add(masters == 1 && length >= 3);
                add(all_masters >= needed), add(void_foes), add(by_partner);
                add(rank == ACE && left >= EARLY && s.unseen >> (ACE - 1) & 1);
                return -sum;
            }
            w += 9;
            const int at = std::popcount(s.held >> (rank + 1));
            const unsigned higher = s.held >> (rank + 1), lower = s.held & ((1u << rank) - 1);
            const int under = lower ? 31 - std::countl_zero(lower) : NONE;
            const int over = higher ? rank + 1 + std::countr_zero(higher) : NONE;
            const bool sequence =
                under != NONE && s.above(under) == above && above <= 3 && (over == NONE || s.above(over) != above);
            const bool guarded = s.above(s.top()) == 0, late = left <= LATE, bottom = at == length - 1;
            add(length * early / 5), add(length == 1), add(bottom && length >= 4), add(bidding), add(by_partner);
            const bool mine = led >> turn & 1;
            add((led & ~(1 << turn | 1 << partner)) != 0), add(mine), add(mine && guarded);
            add(table.voids[partner] >> suit_no & 1), add(void_foes), add(sequence), add(above == 1 && sequence);
            add(guarded), add(masters >= 2), add(at == 0 && above == 1), add(above / 6.0), add(s.below(rank) / 6.0);
            const int unseen = std::popcount(s.unseen);
            add(unseen / 9.0), add(unseen <= 3), add(late && all_masters > 0), add(late && bottom);
            return -sum;
        });
    }

    int lead_nolo(const Table& table, Cards legal, Cards hidden) const {
        const int partner = (table.turn + 2) & 3;
        const double early = count(table.hand[table.turn]) / 13.0;
        return card_with_least(legal, [&](int card) {
            const int suit_no = suit_of(card), rank = card & 15;
            const SuitView s = suit(table, hidden, suit_no);
            const int above = s.above(rank), below = s.below(rank), length = s.length();
            const int unseen = std::popcount(s.unseen), void_foes = count_void_foes(table, suit_no);
            const double share = unseen ? static_cast<double>(below) / unseen : 1.0;
            const bool bottom = rank == s.bottom(), top = rank == s.top();
            Habit w = low_;
            double sum = 0;
            auto add = [&](double value) { sum += *w++ * value; };
            add(above == 0), add(share), add(share * share), add(share * early), add(below / 6.0), add(above / 6.0);
            add(below * early / 6), add(above * early / 6), add(length / 5.0), add(length * early / 5);
            add(table.voids[partner] >> suit_no & 1), add(void_foes), add(void_foes * share), add(top),
                add(top * share);
            add(bottom * share), add(!(bottom || top)), add(s.below(s.bottom()) / 6.0), add(top && above == 0);
            return -sum;
        });
    }

    int follow_high(const Table& table, Cards legal, Cards hidden) const {
        const int best = table.card_of[table.best], best_seat = table.seat_of[table.best];
        if (suit_of(lowest(legal)) != table.led_suit()) return discard_high(table, legal, hidden);
        const Cards winning = legal & ~(bit(best) | (bit(best) - 1));
        if (table.trick_size < 3)
            return second_or_third(table, legal, hidden, table.trick_size == 1 ? second_ : third_);
        if (!winning || is_partner(table, best_seat)) return discard_high(table, legal, hidden);
        return lowest(winning);
    }

    int second_or_third(const Table& table, Cards legal, Cards hidden, Habit habit) const {
        const int best = table.card_of[table.best], best_seat = table.seat_of[table.best], best_rank = best & 15;
        const SuitView s = suit(table, hidden, table.led_suit());
        const int left = count(table.hand[table.turn]), unseen = std::popcount(s.unseen);
        const int void_foes = count_void_foes(table, table.led_suit());
        const bool late = left <= LATE, honour = best_rank >= 8, partners = is_partner(table, best_seat);
        const int length = s.length(), masters = s.masters(), first = s.above(s.top());
        return card_with_least(legal, [&](int card) {
            const int rank = card & 15, above = s.above(rank);
            const bool unblocks = partners && above == 0 && length == 2 && unseen > 1 && void_foes == 2;
            Habit w = habit;
            double sum = 0;
            auto add = [&](double value) { sum += *w++ * value; };
            if (rank > best_rank) {
                const unsigned lower = s.held & ((1u << rank) - 1);
                const int over = partners ? s.above(best_rank) : -1;
                const bool safe = over == 0 || (partners && table.voids[(table.turn + 1) & 3] >> suit_of(best) & 1);
                add(1), add(rank / 12.0), add(honour), add(!(lower >> (best_rank + 1))), add(above == 0);
                add(above == 0 && length <= 2), add(above == 0 && late), add(above == 0 && masters >= 2);
                add(above == 1), add(above >= 3), add(partners), add(over == 0), add(over == 1);
                add(partners && honour), add(safe && length > 2 && unseen > 1 && left > LATE);
                add(above > 0 && masters > 0), add(unblocks);
                return -sum;
            }
            w += 16;
            add(unblocks), add(rank / 12.0), add(rank == s.bottom()), add(rank == s.top() && length > 1);
            add(first == 0 && length == 2), add(first == 0), add(first == 1 && length == 2), add(first == 1);
            return -sum;
        });
    }

    int discard_high(const Table& table, Cards legal, Cards hidden) const {
        const int led = table.led_suit();
        return card_with_least(legal, [&](int card) -> double {
            const int rank = card & 15;
            if (suit_of(card) == led) return rank;
            const SuitView s = suit(table, hidden, suit_of(card));
            const int length = s.length(), guard = s.above(s.top());
            double keep = 0.0;
            if (guard == 0)
                keep = rank != s.top() ? 4.0 + length : 20.0;
            else if (guard < length && length <= guard + 1)
                keep = 5.0;
            return rank + keep - 0.4 * length;
        });
    }

    int follow_low(const Table& table, Cards legal, Cards hidden) const {
        const int best = table.card_of[table.best];
        if (suit_of(lowest(legal)) != table.led_suit())
            return card_with_least(legal, [&](int card) {
                const int rank = card & 15;
                const SuitView s = suit(table, hidden, suit_of(card));
                const int below = s.below(rank);
                if (below + s.above(rank) == 0) return -0.5;
                const int smaller = std::popcount(s.held & ((1u << rank) - 1));
                return -(below * (1.0 + 1.0 / (1 + smaller)) + 0.05 * rank);
            });
        const Cards under = legal & (bit(best) - 1);
        const bool ours = is_partner(table, table.seat_of[table.best]);
        if (table.trick_size == (sooli_ ? 2 : 3) && (ours || !under)) return highest(legal);
        if (under) return highest(under);
        return masters(legal, hidden) == count(legal) ? highest(legal) : lowest(legal);
    }

    int lead_sooli(const Table& table, Cards legal, Cards hidden) const {
        return card_with_least(legal, [&](int card) -> double {
            const int rank = card & 15, suit_no = suit_of(card);
            const SuitView s = suit(table, hidden, suit_no);
            const int above = s.above(rank), below = s.below(rank);
            if (above == 0) return 20.0 + below;
            int void_foes = 0;
            for (int foe = 0; foe < 4; ++foe) void_foes += foe != table.turn && table.voids[foe] >> suit_no & 1;
            const double chance = static_cast<double>(below) / (above + below);
            return chance * 10 + 4.0 * void_foes * chance + 0.3 * s.length() - 0.1 * rank;
        });
    }

    int defend_sooli(const Table& table, Cards legal, Cards hidden) const {
        const int soloist_voids = table.voids[request_.soloist];
        const auto below = [&](int card) { return suit(table, hidden, suit_of(card)).below(card & 15); };
        if (!table.trick_size)
            return card_with_least(legal, [&](int card) {
                const int length = suit(table, hidden, suit_of(card)).length();
                return below(card) + 20.0 * (soloist_voids >> suit_of(card) & 1) + 0.5 * length;
            });
        if (suit_of(lowest(legal)) != table.led_suit())
            return card_with_least(
                legal, [&](int card) { return -below(card) - 15.0 * (soloist_voids >> suit_of(card) & 1); });
        const Cards under = legal & (bit(table.card_of[table.best]) - 1);
        if (table.seat_of[table.best] == request_.soloist && under) return highest(under);
        return soloist_voids >> table.led_suit() & 1 ? highest(legal) : lowest(legal);
    }

    const WhistRequest& request_;
    bool sooli_;
    WhistPolicy policy_;
    int active_ = 0;
    Habit lead_ = nullptr, second_ = nullptr, third_ = nullptr, low_ = nullptr;
};

inline void playouts_whist(const WhistRequest& request) { WhistPlayouts(request).run(); }
inline void plans_whist(const WhistPlanRequest& request) { WhistPlayouts(request.table).run_plans(request); }

}  // namespace nousu::NOUSU_ISA
