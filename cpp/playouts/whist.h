// The cards of the whist family by rules of thumb, each seat seeing its own cards and what has been played: the player
// of src/nousu/players/whist/card_rules.py, card for card (tests/players/test_playouts_whist.py), some thousand times as
// fast.
#pragma once
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/cards.h"
#include "playouts/requests.h"
#include "playouts/whist_policy.h"

namespace nousu::NOUSU_ISA {

// The sums of floating point numbers are made in the order of the Python dictionaries, so that ties are ties there.
class Thumb {
public:
    explicit Thumb(const Playouts& asked)
        : asked_(asked), sooli_(asked.kind == Playouts::sooli), policy_(sooli_ ? nullptr : asked.policy) {
        Habit* habits[] = {&lead_, &second_, &third_, &low_};
        const double* at = asked.weights;
        for (int habit = 0; habit < Playouts::HABITS; ++habit) {
            *habits[habit] = at;
            for (const char* name = Playouts::NAMES[habit]; *name; ++name) at += *name == ' ';
        }
        for (int seat = 0; seat < 4; ++seat)
            if (!sooli_ || seat != ((asked.soloist + 2) & 3)) active_ |= 1 << seat;
    }

    // Plays every world on after each of the first cards.
    void run() {
        for (std::size_t world = 0; world < asked_.worlds; ++world) {
            const Cards* hands = asked_.hands + 5 * world;
            Table table = begun(hands);
            int strange = 0;
            for (int i = 0; i < asked_.played; ++i) {
                const Cards legal = table.legal();
                if (table.turn != asked_.viewer && count(legal) > 1)
                    strange += strangeness(table, legal, asked_.history[i]);
                play(table, asked_.history[i]);
            }
            asked_.strange[world] = strange;
            for (int i = 0; i < asked_.firsts; ++i)
                asked_.gained[world * asked_.firsts + i] = static_cast<std::int8_t>(outcome(table, asked_.first[i]));
        }
    }

    void plan(const Plans& wanted) const {
        Alike now;
        for (std::size_t world = 0; world < asked_.worlds; ++world) {
            Table table = begun(asked_.hands + 5 * world);
            for (int i = 0; i < asked_.played; ++i) play(table, asked_.history[i]);
            now.push_back({table, wanted.ways[world]});
        }
        for (int i = 0; i < asked_.firsts; ++i) wanted.found[i] = planned(now, asked_.first[i], wanted.worth);
    }

private:
    using Habit = const double*;

    struct Table {
        Cards hand[4];
        Cards aside;
        Cards played = 0;
        int voids[4] = {};  // suits, one bit each
        int led[4] = {};    // for each suit: the seats that led it in finished tricks, one bit each
        int won[2] = {};
        int seat_of[4] = {}, card_of[4] = {};
        int on = 0, best = 0, turn = 0;
        bool caught = false;

        int led_suit() const { return suit_of(card_of[0]); }
        Cards legal() const {
            const Cards same = on ? hand[turn] & lane(led_suit()) : 0;
            return same ? same : hand[turn];
        }
    };

    Table begun(const Cards* hands) const {
        Table table;
        for (int seat = 0; seat < 4; ++seat) table.hand[seat] = hands[seat];
        table.aside = hands[4];
        table.turn = asked_.leader;
        // The hands are those of now: what has been played is put back, and played again by everybody's knowledge.
        Table walk = table;
        for (int i = 0; i < asked_.played; ++i) {
            table.hand[walk.turn] |= bit(asked_.history[i]);
            play(walk, asked_.history[i]);
        }
        return table;
    }

    int outcome(Table table, int first) const {
        if (first != Playouts::ANY) play(table, first);
        while (going_on(table)) play(table, chosen(table));
        return settled(table);
    }

    bool going_on(const Table& table) const { return !table.caught && table.hand[table.turn]; }
    int settled(const Table& table) const { return sooli_ ? !table.caught : table.won[0]; }

    // Worlds that the viewer, whose turn it is, cannot tell apart; and how much each counts.
    struct Possible {
        Table table;
        double ways;
    };
    using Alike = std::vector<Possible>;

    // What they are worth together if the viewer plays this card, and then by the best plan.
    double planned(const Alike& alike, int card, const double* worth) const {
        double sum = 0;
        std::map<std::string, Alike> heard;  // by the cards that others play until it is the viewer's turn again
        for (Possible one : alike) {
            std::string cards;
            play(one.table, card);
            while (going_on(one.table) && one.table.turn != asked_.viewer) {
                const int other = chosen(one.table);
                play(one.table, other);
                cards += static_cast<char>(other);
            }
            if (going_on(one.table))
                heard[cards].push_back(one);
            else
                sum += one.ways * worth[settled(one.table)];
        }
        for (const auto& [cards, each] : heard) {
            double best = -std::numeric_limits<double>::infinity();
            for (Cards legal = each[0].table.legal(); legal; legal &= legal - 1)
                best = std::max(best, planned(each, lowest(legal), worth));
            sum += best;
        }
        return sum;
    }

    int next(const Table& table) const {
        int done = 0;
        for (int i = 0; i < table.on; ++i) done |= 1 << table.seat_of[i];
        int waiting = active_ & ~done;
        if (asked_.last != NONE && std::popcount(static_cast<unsigned>(waiting)) > 1) waiting &= ~(1 << asked_.last);
        for (int step = 1; step < 4; ++step)
            if (waiting >> ((table.turn + step) & 3) & 1) return (table.turn + step) & 3;
        return table.turn;
    }

    void play(Table& table, int card) const {
        const int turn = table.turn;
        table.hand[turn] &= ~bit(card);
        table.played |= bit(card);
        if (table.on && suit_of(card) != table.led_suit()) table.voids[turn] |= 1 << table.led_suit();
        table.seat_of[table.on] = turn;
        table.card_of[table.on] = card;
        if (suit_of(card) == table.led_suit() && card > table.card_of[table.best]) table.best = table.on;
        if (++table.on < (sooli_ ? 3 : 4)) {
            table.turn = next(table);
            return;
        }
        const int winner = table.seat_of[table.best];
        table.led[table.led_suit()] |= 1 << table.seat_of[0];
        ++table.won[winner & 1];
        table.caught = sooli_ && winner == asked_.soloist;
        table.turn = winner;
        table.on = table.best = 0;
    }

    Cards unseen(const Table& table) const {
        const Cards aside = table.turn == asked_.soloist ? table.aside : 0;
        return 0x1FFF1FFF1FFF1FFFull & ~(table.hand[table.turn] | table.played | aside);
    }

    static Suit suit(const Table& table, Cards unseen, int suit) {
        return {static_cast<unsigned>(table.hand[table.turn] >> 16 * suit & LANE),
                static_cast<unsigned>(unseen >> 16 * suit & LANE)};
    }

    // The number of a card as Python has it, where an ace that ranks lowest still comes last.
    int natural(int card) const { return !sooli_ ? card : card & 15 ? card - 1 : card + 12; }

    template <class Key>
    int least(Cards cards, const Key& key) const {
        int found = lowest(cards);
        double value = key(found);
        for (Cards rest = cards & (cards - 1); rest; rest &= rest - 1) {
            const int card = lowest(rest);
            const double other = key(card);
            if (other < value || (other == value && natural(card) < natural(found))) value = other, found = card;
        }
        return found;
    }

    Due due(const Table& table) const {
        Due found{table.hand[table.turn], unseen(table), {}, {}, {}, table.turn,
                  asked_.bidder,          table.on,      0,  0,  0,  false};
        std::copy(table.voids, table.voids + 4, found.voids);
        std::copy(table.led, table.led + 4, found.led);
        found.won[0] = table.won[table.turn & 1], found.won[1] = table.won[~table.turn & 1];
        found.nolo = asked_.kind == Playouts::low;
        if (table.on)
            found.best = table.card_of[table.best], found.best_by = table.seat_of[table.best],
            found.led_suit = table.led_suit();
        return found;
    }

    int strangeness(const Table& table, Cards legal, int card) const {
        if (sooli_ || !asked_.policy) return chosen(table) != card;
        int best = std::numeric_limits<int>::min(), own = 0;
        policy_.rate(due(table), legal, [&](int one, int rating) {
            best = std::max(best, rating);
            if (one == card) own = rating;
        });
        return std::min(best - own, asked_.strangest);
    }

    int by_policy(const Table& table, Cards legal) const {
        int best = std::numeric_limits<int>::min(), found = 0;
        policy_.rate(due(table), legal, [&](int card, int rating) {
            if (rating > best) best = rating, found = card;
        });
        return found;
    }

    int chosen(const Table& table) const {
        const Cards legal = table.legal();
        if (!(legal & (legal - 1))) return lowest(legal);
        if (!sooli_ && asked_.policy) return by_policy(table, legal);
        const Cards out = unseen(table);
        switch (asked_.kind) {
            case Playouts::high: return table.on ? follow_high(table, legal, out) : lead_high(table, legal, out);
            case Playouts::low: return table.on ? follow_low(table, legal, out) : lead_nolo(table, legal, out);
            default: break;
        }
        if (table.turn != asked_.soloist) return hunt(table, legal, out);
        return table.on ? follow_low(table, legal, out) : lead_low(table, legal, out);
    }

    bool friends(const Table& table, int seat) const {
        if (!sooli_) return !((seat ^ table.turn) & 1);
        return seat == table.turn || (table.turn != asked_.soloist && seat != asked_.soloist && active_ >> seat & 1);
    }

    int foes_void(const Table& table, int suit) const {
        return (table.voids[(table.turn + 1) & 3] >> suit & 1) + (table.voids[(table.turn + 3) & 3] >> suit & 1);
    }

    int masters(Cards legal, Cards out) const {
        int found = 0;
        for (; legal; legal &= legal - 1) {
            const int card = lowest(legal);
            found += !(out >> card & (LANE >> (card & 15)));
        }
        return found;
    }

    int lead_high(const Table& table, Cards legal, Cards out) const {
        const int turn = table.turn, ours = turn & 1, partner = (turn + 2) & 3;
        const int all_masters = masters(legal, out);
        const int needed = 7 - table.won[ours], left = count(table.hand[turn]);
        const bool bidding = asked_.bidder != NONE && (asked_.bidder & 1) == ours;
        const double early = left / 13.0;
        return least(legal, [&](int card) {
            const int suit_no = suit_of(card), rank = card & 15;
            const Suit s = suit(table, out, suit_no);
            const int length = s.length(), masters = s.masters(), above = s.above(rank);
            const int led = table.led[suit_no], dry = foes_void(table, suit_no);
            const bool by_partner = led >> partner & 1;
            Habit w = lead_;
            double sum = 0;
            auto add = [&](double value) { sum += *w++ * value; };
            if (above == 0) {
                add(1), add(early), add(masters >= 2), add(masters >= 3), add(masters == 1 && length >= 3);
                add(all_masters >= needed), add(dry), add(by_partner);
                return -sum;
            }
            w += 8;
            const int at = std::popcount(s.held >> (rank + 1));
            const unsigned higher = s.held >> (rank + 1), lower = s.held & ((1u << rank) - 1);
            const int under = lower ? 31 - std::countl_zero(lower) : NONE;
            const int over = higher ? rank + 1 + std::countr_zero(higher) : NONE;
            const bool sequence =
                under != NONE && s.above(under) == above && above <= 3 && (over == NONE || s.above(over) != above);
            const bool guarded = s.above(s.top()) == 0, late = left <= 5, bottom = at == length - 1;
            add(length * early / 5), add(length == 1), add(bottom && length >= 4), add(bidding), add(by_partner);
            const bool mine = led >> turn & 1;
            add((led & ~(1 << turn | 1 << partner)) != 0), add(mine), add(mine && guarded);
            add(table.voids[partner] >> suit_no & 1), add(dry), add(sequence), add(above == 1 && sequence);
            add(guarded), add(masters >= 2), add(at == 0 && above == 1), add(above / 6.0), add(s.below(rank) / 6.0);
            const int unseen = std::popcount(s.unseen);
            add(unseen / 9.0), add(unseen <= 3), add(late && all_masters > 0), add(late && bottom);
            return -sum;
        });
    }

    int lead_nolo(const Table& table, Cards legal, Cards out) const {
        const int partner = (table.turn + 2) & 3;
        const double early = count(table.hand[table.turn]) / 13.0;
        return least(legal, [&](int card) {
            const int suit_no = suit_of(card), rank = card & 15;
            const Suit s = suit(table, out, suit_no);
            const int above = s.above(rank), below = s.below(rank), length = s.length();
            const int unseen = std::popcount(s.unseen), dry = foes_void(table, suit_no);
            const double share = unseen ? static_cast<double>(below) / unseen : 1.0;
            const bool bottom = rank == s.bottom(), top = rank == s.top();
            Habit w = low_;
            double sum = 0;
            auto add = [&](double value) { sum += *w++ * value; };
            add(above == 0), add(share), add(share * share), add(share * early), add(below / 6.0), add(above / 6.0);
            add(below * early / 6), add(above * early / 6), add(length / 5.0), add(length * early / 5);
            add(table.voids[partner] >> suit_no & 1), add(dry), add(dry * share), add(top), add(top * share);
            add(bottom * share), add(!(bottom || top)), add(s.below(s.bottom()) / 6.0), add(top && above == 0);
            return -sum;
        });
    }

    int follow_high(const Table& table, Cards legal, Cards out) const {
        const int best = table.card_of[table.best], by = table.seat_of[table.best];
        if (suit_of(lowest(legal)) != table.led_suit()) return discard_high(table, legal, out);
        const Cards winning = legal & ~(bit(best) | (bit(best) - 1));
        if (table.on < 3) return second_or_third(table, legal, out, table.on == 1 ? second_ : third_);
        if (!winning || friends(table, by)) return discard_high(table, legal, out);
        return lowest(winning);
    }

    int second_or_third(const Table& table, Cards legal, Cards out, Habit habit) const {
        const int best = table.card_of[table.best], by = table.seat_of[table.best], best_rank = best & 15;
        const Suit s = suit(table, out, table.led_suit());
        const bool late = count(table.hand[table.turn]) <= 5, honour = best_rank >= 8, partners = friends(table, by);
        const int length = s.length(), masters = s.masters(), first = s.above(s.top());
        return least(legal, [&](int card) {
            const int rank = card & 15, above = s.above(rank);
            Habit w = habit;
            double sum = 0;
            auto add = [&](double value) { sum += *w++ * value; };
            if (rank > best_rank) {
                const unsigned lower = s.held & ((1u << rank) - 1);
                const int over = partners ? s.above(best_rank) : -1;
                add(1), add(rank / 12.0), add(honour), add(!(lower >> (best_rank + 1))), add(above == 0);
                add(above == 0 && length <= 2), add(above == 0 && late), add(above == 0 && masters >= 2);
                add(above == 1), add(above >= 3), add(partners), add(over == 0), add(over == 1);
                add(partners && honour), add(above > 0 && masters > 0);
                return -sum;
            }
            w += 15;
            add(rank / 12.0), add(rank == s.bottom()), add(rank == s.top() && length > 1);
            add(first == 0 && length == 2), add(first == 0), add(first == 1 && length == 2), add(first == 1);
            return -sum;
        });
    }

    int discard_high(const Table& table, Cards legal, Cards out) const {
        const int led = table.led_suit();
        return least(legal, [&](int card) -> double {
            const int rank = card & 15;
            if (suit_of(card) == led) return rank;
            const Suit s = suit(table, out, suit_of(card));
            const int length = s.length(), guard = s.above(s.top());
            double keep = 0.0;
            if (guard == 0)
                keep = rank != s.top() ? 4.0 + length : 20.0;
            else if (guard < length && length <= guard + 1)
                keep = 5.0;
            return rank + keep - 0.4 * length;
        });
    }

    int follow_low(const Table& table, Cards legal, Cards out) const {
        const int best = table.card_of[table.best];
        if (suit_of(lowest(legal)) != table.led_suit())
            return least(legal, [&](int card) {
                const int rank = card & 15;
                const Suit s = suit(table, out, suit_of(card));
                const int below = s.below(rank);
                if (below + s.above(rank) == 0) return -0.5;
                const int smaller = std::popcount(s.held & ((1u << rank) - 1));
                return -(below * (1.0 + 1.0 / (1 + smaller)) + 0.05 * rank);
            });
        const Cards under = legal & (bit(best) - 1);
        const bool ours = friends(table, table.seat_of[table.best]);
        if (table.on == (sooli_ ? 2 : 3) && (ours || !under)) return highest(legal);
        if (under) return highest(under);
        return masters(legal, out) == count(legal) ? highest(legal) : lowest(legal);
    }

    int lead_low(const Table& table, Cards legal, Cards out) const {
        return least(legal, [&](int card) -> double {
            const int rank = card & 15, suit_no = suit_of(card);
            const Suit s = suit(table, out, suit_no);
            const int above = s.above(rank), below = s.below(rank);
            if (above == 0) return 20.0 + below;
            int dry = 0;
            for (int foe = 0; foe < 4; ++foe) dry += foe != table.turn && table.voids[foe] >> suit_no & 1;
            const double chance = static_cast<double>(below) / (above + below);
            return chance * 10 + 4.0 * dry * chance + 0.3 * s.length() - 0.1 * rank;
        });
    }

    int hunt(const Table& table, Cards legal, Cards out) const {
        const int gone = table.voids[asked_.soloist];
        const auto below = [&](int card) { return suit(table, out, suit_of(card)).below(card & 15); };
        if (!table.on)
            return least(legal, [&](int card) {
                const int length = suit(table, out, suit_of(card)).length();
                return below(card) + 20.0 * (gone >> suit_of(card) & 1) + 0.5 * length;
            });
        if (suit_of(lowest(legal)) != table.led_suit())
            return least(legal, [&](int card) { return -below(card) - 15.0 * (gone >> suit_of(card) & 1); });
        const Cards under = legal & (bit(table.card_of[table.best]) - 1);
        if (table.seat_of[table.best] == asked_.soloist && under) return highest(under);
        return gone >> table.led_suit() & 1 ? highest(legal) : lowest(legal);
    }

    const Playouts& asked_;
    bool sooli_;
    Policy policy_;
    int active_ = 0;
    Habit lead_ = nullptr, second_ = nullptr, third_ = nullptr, low_ = nullptr;
};

inline void playouts(const Playouts& asked) { Thumb(asked).run(); }
inline void plans(const Plans& asked) { Thumb(asked.table).plan(asked); }

}  // namespace nousu::NOUSU_ISA
