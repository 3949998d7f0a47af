// The play of Huutopussi by rules of thumb, each seat seeing its own cards, those it gave away, what was played and
// what was said: the player of src/nousu/players/huutopussi/rules.py, card for card and word for word
// (tests/players/test_playouts_huutopussi.py), some thousand times as fast. With the weights of nets these decide about
// cards, and the rules of thumb about words.
#pragma once
#include <algorithm>
#include <cmath>

#include "playouts/huutopussi_policy.h"

namespace nousu::NOUSU_ISA {

// Cards are numbered as in Python, by rank and not by strength: chances are multiplied, and equal cards compared, in
// the order of the Python player's loops (suit by suit, each from the ace down), so that ties are ties there.
class ThumbHuutopussi {
public:
    explicit ThumbHuutopussi(const PlayoutsHuutopussi& asked) : asked_(asked), policy_(asked.policy) {}

    void run() const {
        for (std::size_t world = 0; world < asked_.worlds; ++world) {
            Table table = begun(asked_.hands + 8 * world);
            double strange = 0;
            for (int i = 0; i < asked_.heard; ++i) {
                if (table.turn != asked_.viewer) strange += strangeness(table, asked_.history[i]);
                apply(table, asked_.history[i]);
            }
            asked_.strange[world] = strange;
            for (int i = 0; i < asked_.firsts; ++i) {
                std::int16_t* gained = asked_.gained + 3 * (world * asked_.firsts + i);
                const Table end = played_out(table, asked_.first[i]);
                gained[0] = static_cast<std::int16_t>(end.earned[0]);
                gained[1] = static_cast<std::int16_t>(end.earned[1]);
                gained[2] = static_cast<std::int16_t>(end.tricks[0]);
            }
        }
    }

private:
    static constexpr int QUEEN = 10, KING = 11, TRICKS = 9;
    static constexpr Cards EACH = 0x0001000100010001ull;
    static constexpr Cards PACK = EACH * 0x1FF0, ACES = EACH << 12, ROYAL = EACH * (1 << QUEEN | 1 << KING);
    static constexpr int NOT_ASKED = -1, IN_FULL = 64;

    struct Table {
        Cards hand[4], gave[4];
        Cards played = 0;      // all cards, those of the trick included
        Cards barred[4] = {};  // what everybody knows a seat not to hold
        Cards shown[4] = {};   // what everybody knows a seat to have held
        int trick[4] = {}, on = 0, leader = 0, winner = 0, turn = 0;
        int trump = NONE, declared = 0, own = 15, full = 15;
        int led_by[SUITS] = {};  // the seats that led a suit in finished tricks, one bit each
        int asked = NOT_ASKED;   // the card named, or IN_FULL
        bool open = false;       // an attempt may be made
        int earned[2] = {}, tricks[2] = {};

        int led() const { return suit_of(trick[0]); }
        int best() const { return trick[(winner - leader) & 3]; }
    };

    static Cards higher(int card) {
        constexpr std::uint16_t HIGHER[16] = {0,      0,      0,      0,      0x1FE0, 0x1FC0, 0x1F80,
                                              0x1F00, 0x1000, 0x1D00, 0x1900, 0x1100, 0};
        return Cards{HIGHER[card & 15]} << (card & 48);
    }
    static Cards pair(int suit) { return lane(suit) & ROYAL; }
    static int other_half(int card) { return card ^ QUEEN ^ KING; }

    // Whether `card`, played after `other` was winning, takes over.
    static bool takes(int card, int other, int trump) {
        if (suit_of(card) == suit_of(other)) return TEN_BELOW_ACE[card & 15] > TEN_BELOW_ACE[other & 15];
        return suit_of(card) == trump;
    }

    Table begun(const Cards* sets) const {
        Table table;
        for (int seat = 0; seat < 4; ++seat) table.hand[seat] = sets[seat], table.gave[seat] = sets[4 + seat];
        table.turn = table.leader = asked_.leader;
        // The hands are those of now: what has been played is put back.
        Table walk = table;
        for (int i = 0; i < asked_.heard; ++i) {
            if (asked_.history[i] < DECLARE) table.hand[walk.turn] |= bit(asked_.history[i]);
            apply(walk, asked_.history[i]);
        }
        return table;
    }

    Table played_out(Table table, int first) const {
        if (first != PlayoutsHuutopussi::ANY) apply(table, first);
        while (table.hand[table.turn] || table.asked != NOT_ASKED) apply(table, chosen(table));
        return table;
    }

    // -- the rules

    Cards legal(const Table& table) const {  // A-H-14, A-H-21
        const Cards hand = table.hand[table.turn];
        const bool bound = asked_.ace_or_spade && !(table.tricks[0] + table.tricks[1]);
        if (!table.on) {
            const Cards aces = hand & ACES, spades = hand & lane(0);
            return !bound ? hand : aces ? aces : spades ? spades : hand;
        }
        const int best = table.best();
        const auto beating = [&](Cards cards) {
            const Cards better = suit_of(best) == suit_of(lowest(cards)) ? cards & higher(best) : cards;
            return better ? better : cards;
        };
        const Cards same = hand & lane(table.led());
        const Cards trumps = table.trump == NONE ? 0 : hand & lane(table.trump);
        const Cards found = same ? beating(same) : trumps ? beating(trumps) : hand;
        const Cards ace = bound ? found & ACES & lane(table.led()) : 0;
        return ace ? ace : found;
    }

    void apply(Table& table, int move) const {
        if (move < DECLARE) return play(table, move);
        const int seat = table.turn, mate = seat ^ 2;
        if (move >= PlayoutsHuutopussi::YES) {
            const int card = table.asked;
            table.asked = NOT_ASKED;
            table.turn = mate;
            if (move == PlayoutsHuutopussi::YES && card >= 0 && card != IN_FULL) {
                table.shown[seat] |= bit(other_half(card));
                married(table, suit_of(card), mate);
            } else if (card >= 0 && card != IN_FULL && asked_.truthful) {
                table.barred[seat] |= bit(other_half(card));
            }
        } else if (move >= ANSWER) {
            table.asked = NOT_ASKED;
            table.turn = mate;
            table.shown[seat] |= pair(move - ANSWER);
            married(table, move - ANSWER, mate);
        } else if (move < ASK_FULL) {
            table.shown[seat] |= pair(move - DECLARE);
            married(table, move - DECLARE, seat);
        } else {  // A-H-12
            table.open = false;
            table.turn = mate;
            const bool half = move >= ASK_KING;
            if (asked_.lockouts) {
                table.own &= ~(1 << seat), table.full &= ~(1 << mate);
                if (half) table.own &= ~(1 << mate), table.full &= ~(1 << seat);
            }
            table.asked = IN_FULL;
            if (half) {
                table.asked = 16 * (move & 3) + (move >= ASK_QUEEN ? QUEEN : KING);
                table.shown[seat] |= bit(table.asked);
            }
        }
    }

    void married(Table& table, int suit, int by) const {
        table.open = false;
        table.trump = suit;
        table.declared |= 1 << suit;
        table.earned[by & 1] += asked_.marriage[suit];
    }

    void play(Table& table, int card) const {
        const int seat = table.turn;
        table.open = false;
        table.hand[seat] &= ~bit(card);
        table.played |= bit(card);
        if (!table.on) {
            table.leader = table.winner = seat;
        } else {
            learn(table, seat, card);
            if (takes(card, table.best(), table.trump)) table.winner = seat;
        }
        table.trick[table.on] = card;
        table.turn = (seat + 1) & 3;
        if (++table.on < 4) return;
        const int ours = table.winner & 1;
        for (const int one : table.trick) table.earned[ours] += asked_.value[one & 15];
        table.led_by[table.led()] |= 1 << table.leader;
        table.on = 0;
        table.turn = table.winner;
        ++table.tricks[ours];
        if (table.tricks[0] + table.tricks[1] == TRICKS)
            table.earned[ours] += asked_.last_trick;
        else
            table.open = asked_.any_winner_declares || table.leader == table.winner;
    }

    // Who did not follow has none of the suit, who did not beat could not.
    static void learn(Table& table, int seat, int card) {
        const int best = table.best();
        if (suit_of(card) != table.led()) {
            table.barred[seat] |= lane(table.led());
            if (table.trump != NONE && suit_of(card) != table.trump) table.barred[seat] |= lane(table.trump);
        }
        if (suit_of(card) == suit_of(best) && !takes(card, best, table.trump)) table.barred[seat] |= higher(best);
    }

    // -- what the seat on turn knows

    struct Deduced {
        Cards unseen, possible[4], known[4], placed;
        int room[4], rooms[16];

        explicit Deduced(const Table& table) {
            const int me = table.turn;
            unseen = PACK & ~(table.hand[me] | table.played);
            placed = 0;
            for (int seat = 0; seat < 4; ++seat) {
                possible[seat] = seat == me ? 0 : unseen & ~table.barred[seat];
                known[seat] = table.shown[seat];
                if (seat == (me ^ 2)) known[seat] |= table.gave[me];
                known[seat] &= possible[seat];
                placed |= known[seat];
            }
            for (int seat = 0; seat < 4; ++seat) {
                possible[seat] &= ~(placed & ~known[seat]);
                room[seat] = seat == me ? 0 : count(table.hand[seat]) - count(known[seat]);
            }
            rooms[0] = 0;
            for (int set = 1; set < 16; ++set)
                rooms[set] = rooms[set & (set - 1)] + room[std::countr_zero(static_cast<unsigned>(set))];
        }

        // About how likely a seat holds an unseen card.
        double holds(int seat, int card) const {
            if (known[seat] >> card & 1) return 1.0;
            if (!(possible[seat] >> card & 1) || placed >> card & 1 || room[seat] <= 0) return 0.0;
            int seats = 0;
            for (int other = 0; other < 4; ++other) seats |= static_cast<int>(possible[other] >> card & 1) << other;
            return static_cast<double>(room[seat]) / rooms[seats];
        }

        // The same of at least one of these cards of a suit.
        double any_of(int seat, Cards cards) const {
            double none = 1.0;
            for (cards &= possible[seat]; cards; cards ^= bit(highest(cards)))
                none *= 1.0 - holds(seat, highest(cards));
            return 1.0 - none;
        }
    };

    // How likely a seat that plays later takes the trick from `best`: it must if it can.
    static double danger(const Table& table, const Deduced& seen, int seat, int best, int led) {
        const double follow = seen.any_of(seat, suit_of(best) == led ? higher(best) : 0);
        if (table.trump == NONE || led == table.trump) return follow;
        const double empty = 1.0 - seen.any_of(seat, lane(led));
        const Cards over = suit_of(best) != table.trump ? lane(table.trump) : higher(best);
        return std::min(1.0, follow + empty * seen.any_of(seat, over));
    }

    struct Home {
        double ours, itself;
    };

    // How likely this card's trick is won by the side, and by the card itself.
    static Home comes_home(const Table& table, const Deduced& seen, int card) {
        const int me = table.turn, led = table.on ? table.led() : suit_of(card);
        int best = card, by = me;
        if (table.on && !takes(card, table.best(), table.trump)) best = table.best(), by = table.winner;
        double ours = (by & 1) == (me & 1), itself = by == me;
        for (int step = 1; step < 4 - table.on; ++step) {
            const int seat = (me + step) & 3;
            const double taken = danger(table, seen, seat, best, led);
            itself *= 1.0 - taken;
            ours = seat == (me ^ 2) ? ours + (1.0 - ours) * taken : ours * (1.0 - taken);
        }
        return {ours, itself};
    }

    int points(Cards cards) const {
        int sum = 0;
        for (; cards; cards &= cards - 1) sum += asked_.value[lowest(cards) & 15];
        return sum;
    }

    double at_stake(const Table& table, const Deduced& seen, int card, double rest) const {
        int laid = asked_.value[card & 15];
        for (int at = 0; at < table.on; ++at) laid += asked_.value[table.trick[at] & 15];
        const bool last = !(table.hand[table.turn] & (table.hand[table.turn] - 1));
        return laid + rest * (3 - table.on) + (last ? asked_.last_trick : 0);
    }

    // -- what the player does

    struct Attempts {
        int size = 0;
        int move[5];
        double points[5];
        // The dearest first, of equals the one found first.
        void add(int word, double worth) {
            int at = size++;
            for (; at && points[at - 1] < worth; --at) move[at] = move[at - 1], points[at] = points[at - 1];
            move[at] = word, points[at] = worth;
        }
    };

    Attempts attempts(const Table& table, const Deduced& seen) const {
        const int me = table.turn, mate = me ^ 2;
        Attempts found;
        double full = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (table.declared >> suit & 1) continue;
            const Cards mine = table.hand[me] & pair(suit);
            const double worth = asked_.marriage[suit];
            const int queen = 16 * suit + QUEEN, king = 16 * suit + KING;
            if (mine == pair(suit)) {
                if (table.own >> me & 1) found.add(DECLARE + suit, worth);
            } else if (mine) {
                const bool low = mine >> queen & 1;
                found.add((low ? ASK_QUEEN : ASK_KING) + suit, worth * seen.holds(mate, low ? king : queen));
            } else {
                const double both = seen.holds(mate, queen) * seen.holds(mate, king);
                full = full + (1.0 - full / 280) * worth * both;
            }
        }
        if (table.full >> me & 1 && full > 0) found.add(ASK_FULL, full);
        return found;
    }

    // The attempt to make now, NONE for none: from hand before asking.
    static int attempt(const Attempts& ranked) {
        for (int at = 0; at < ranked.size; ++at)
            if (ranked.move[at] < ASK_FULL && ranked.points[at] > 1) return ranked.move[at];
        return ranked.size && ranked.points[0] > 1 ? ranked.move[0] : NONE;
    }

    int answer(const Table& table) const {
        const Cards hand = table.hand[table.turn];
        if (table.asked != IN_FULL)
            return hand >> other_half(table.asked) & 1 ? PlayoutsHuutopussi::YES : PlayoutsHuutopussi::NO;
        int best = NONE;
        for (int suit = 0; suit < SUITS; ++suit)
            if (!(table.declared >> suit & 1) && !(pair(suit) & ~hand) &&
                (best == NONE || asked_.marriage[suit] > asked_.marriage[best]))
                best = suit;
        return best == NONE ? int{PlayoutsHuutopussi::NO} : ANSWER + best;
    }

    // What a card is still good for, in points.
    double keep(const Table& table, const Deduced& seen, int card) const {
        const Cards hand = table.hand[table.turn];
        const int suit = suit_of(card), left = count(hand);
        const PlayoutsHuutopussi::Weights& w = asked_.weights;
        double value = w.keep_rank * TEN_BELOW_ACE[card & 15];
        if (!(seen.unseen & higher(card))) value += left > 2 ? w.keep_top : w.keep_top_late;
        if (table.trump == suit) value += w.keep_trump;
        if (bit(card) & ROYAL && left > 2 && !(table.declared >> suit & 1)) {
            const int other = other_half(card);
            if (hand >> other & 1)
                value += asked_.marriage[suit] * (table.own >> table.turn & 1 ? w.keep_own : w.keep_barred);
            else if (seen.unseen >> other & 1)
                value += w.keep_half * asked_.marriage[suit] * seen.holds(table.turn ^ 2, other);
        }
        return value;
    }

    static bool needs(int word, int card) {
        return word != ASK_FULL && bit(card) & ROYAL && (word & 3) == suit_of(card);
    }

    // The value of each legal card, by its number.
    void weigh(const Table& table, const Deduced& seen, const Attempts& later, Cards cards, double* values) const {
        const double rest = static_cast<double>(points(seen.unseen)) / std::max(1, count(seen.unseen));
        for (; cards; cards &= cards - 1) {
            const int card = lowest(cards);
            const Home home = comes_home(table, seen, card);
            const double value = (2 * home.ours - 1) * at_stake(table, seen, card, rest) - keep(table, seen, card);
            double right = 0;
            if (!table.on || asked_.any_winner_declares)
                for (int at = 0; at < later.size; ++at)
                    if (!needs(later.move[at], card)) {
                        right = home.itself * later.points[at];
                        break;
                    }
            values[card] = value + asked_.weights.declare * right;
        }
    }

    int chosen(const Table& table) const {
        if (table.asked != NOT_ASKED) return answer(table);
        const Cards cards = legal(table);
        const bool one = !(cards & (cards - 1));
        if (one && !table.open) return lowest(cards);
        const Deduced seen(table);
        const Attempts later = table.open || !asked_.policy ? attempts(table, seen) : Attempts{};
        if (const int word = table.open ? attempt(later) : NONE; word != NONE) return word;
        if (one) return lowest(cards);
        double values[64];
        value(table, seen, later, cards, values);
        return asked_.policy ? highest_rated(cards, values) : dearest(cards, values);
    }

    // What each legal card is worth, by its number: in points, by nets or by rules of thumb.
    void value(const Table& table, const Deduced& seen, const Attempts& later, Cards cards, double* values) const {
        if (!asked_.policy) return weigh(table, seen, later, cards, values);
        policy_.rate(due(table, seen, cards), cards,
                     [&](int card, int rating) { values[card] = asked_.weights.rating * rating; });
    }

    DueHuutopussi due(const Table& table, const Deduced& seen, Cards cards) const {
        DueHuutopussi found{};
        found.hand = table.hand[table.turn], found.unseen = seen.unseen;
        std::copy_n(seen.possible, 4, found.possible);
        std::copy_n(seen.known, 4, found.known);
        std::copy_n(table.led_by, 4, found.led);
        found.turn = table.turn, found.declarer = asked_.declarer;
        if (asked_.declarer != NONE) found.needed = asked_.contract - table.earned[asked_.declarer & 1];
        for (int at = 0; at < table.on; ++at) found.laid += asked_.value[table.trick[at] & 15];
        found.lasting = points(seen.unseen) + points(found.hand) + found.laid + asked_.last_trick;
        found.trump = table.trump, found.declared = table.declared, found.own = table.own, found.full = table.full;
        found.marriage = asked_.marriage, found.on = table.on;
        if (table.on) {
            found.best = table.best(), found.best_by = table.winner, found.led_suit = table.led();
            found.beats = takes(lowest(cards), found.best, table.trump);
        }
        return found;
    }

    // Of equals the one with the lowest number, as the Python nets have it.
    static int highest_rated(Cards cards, const double* values) {
        int best = lowest(cards);
        for (; cards; cards &= cards - 1)
            if (values[lowest(cards)] > values[best]) best = lowest(cards);
        return best;
    }

    static int dearest(Cards cards, const double* values) {
        int best = NONE;
        for (int suit = 0; suit < SUITS; ++suit)
            for (Cards rest = cards & lane(suit); rest; rest ^= bit(highest(rest)))
                if (best == NONE || values[highest(rest)] > values[best]) best = highest(rest);
        return best;
    }

    // By how many points (at most `most`) the player would have rated another card higher; `most` for other words.
    double strangeness(const Table& table, int move) const {
        if (table.asked != NOT_ASKED) return 0;  // answers are true
        const Cards cards = legal(table);
        const bool one = !(cards & (cards - 1));
        if (one && !table.open) return 0;
        const Deduced seen(table);
        const Attempts later = table.open || !asked_.policy ? attempts(table, seen) : Attempts{};
        const int word = table.open ? attempt(later) : NONE;
        if (word != NONE || move >= DECLARE) return word == move ? 0 : asked_.weights.most;
        double values[64];
        value(table, seen, later, cards, values);
        return std::min(asked_.weights.most, values[dearest(cards, values)] - values[move]);
    }

    const PlayoutsHuutopussi& asked_;
    PolicyHuutopussi policy_;
};

inline void playouts_huutopussi(const PlayoutsHuutopussi& asked) { ThumbHuutopussi(asked).run(); }

}  // namespace nousu::NOUSU_ISA
