// Playouts of Huutopussi by the rule-based player of src/nousu/players/huutopussi/rules.py, card for card and call for
// call (tests/players/test_playouts_huutopussi.py), about a thousand times as fast. Every seat sees its own cards, its
// gifts, and what was played and called. With nets, these choose the cards and the rules only the calls.
#pragma once
#include <algorithm>
#include <cmath>

#include "playouts/huutopussi_policy.h"

namespace nousu::NOUSU_ISA {

// Cards are numbered as in Python, by rank and not by strength. Chances are multiplied and equal cards compared in the
// order of the Python player's loops (suit by suit, each from the ace down), so that ties are the same.
class HuutopussiPlayouts {
public:
    explicit HuutopussiPlayouts(const HuutopussiRequest& request) : request_(request), policy_(request.policy) {}

    void run() const {
        for (std::size_t world = 0; world < request_.worlds; ++world) {
            Table table = first_table(request_.hands + 8 * world);
            double total = 0;
            for (int i = 0; i < request_.played; ++i) {
                if (table.turn != request_.viewer) total += strangeness(table, request_.history[i]);
                apply(table, request_.history[i]);
            }
            request_.strangeness[world] = total;
            for (int i = 0; i < request_.first_count; ++i) {
                std::int16_t* results = request_.results + 3 * (world * request_.first_count + i);
                const Table end = play_out(table, request_.first[i]);
                results[0] = static_cast<std::int16_t>(end.earned[0]);
                results[1] = static_cast<std::int16_t>(end.earned[1]);
                results[2] = static_cast<std::int16_t>(end.tricks[0]);
            }
        }
    }

private:
    static constexpr int TEN = 8, QUEEN = 10, KING = 11, TRICKS = 9;
    static constexpr Cards EACH = 0x0001000100010001ull;
    static constexpr Cards PACK = EACH * 0x1FF0, ACES = EACH << 12, ROYAL = EACH * (1 << QUEEN | 1 << KING);
    static constexpr int NOT_ASKED = -1, IN_FULL = 64;

    struct Table {
        Cards hand[4], gave[4];
        Cards played = 0;          // all cards, with those of the trick
        Cards excluded[4] = {};    // per seat: cards that it cannot hold, as all seats know
        Cards known_held[4] = {};  // per seat: cards that it held, as all seats know
        int trick[4] = {}, trick_size = 0, leader = 0, winner = 0, turn = 0;
        int trump = NONE, declared = 0, own = 15, full = 15;
        int led_by[SUITS] = {};    // per suit: the seats that led it in finished tricks, one bit each
        int half = 15;             // per seat: may ask for half a marriage
        int question = NOT_ASKED;  // the card named (the king where only a suit is), or IN_FULL
        bool reply = false;        // the partner has said yes to a suit: now the player who asked answers
        bool open = false;         // the leader may declare or ask
        int earned[2] = {}, tricks[2] = {};

        int led() const { return suit_of(trick[0]); }
        int best() const { return trick[(winner - leader) & 3]; }
    };

    // The stronger cards of the suit.
    static Cards higher(int card) {
        constexpr std::uint16_t HIGHER[16] = {0,      0,      0,      0,      0x1FE0, 0x1FC0, 0x1F80,
                                              0x1F00, 0x1000, 0x1D00, 0x1900, 0x1100, 0};
        return Cards{HIGHER[card & 15]} << (card & 48);
    }
    static Cards pair(int suit) { return lane(suit) & ROYAL; }
    static int other_half(int card) { return card ^ QUEEN ^ KING; }

    // Whether `card` beats `other`, the best card so far.
    static bool beats(int card, int other, int trump) {
        if (suit_of(card) == suit_of(other)) return HUUTOPUSSI_STRENGTH[card & 15] > HUUTOPUSSI_STRENGTH[other & 15];
        return suit_of(card) == trump;
    }

    Table first_table(const Cards* hands) const {
        Table table;
        for (int seat = 0; seat < 4; ++seat) table.hand[seat] = hands[seat], table.gave[seat] = hands[4 + seat];
        table.turn = table.leader = request_.leader;
        // The hands are those of now: put back what has been played.
        Table walk = table;
        for (int i = 0; i < request_.played; ++i) {
            if (request_.history[i] < DECLARE) table.hand[walk.turn] |= bit(request_.history[i]);
            apply(walk, request_.history[i]);
        }
        return table;
    }

    Table play_out(Table table, int first) const {
        if (first != HuutopussiRequest::ANY) apply(table, first);
        while (table.hand[table.turn] || table.question != NOT_ASKED) apply(table, choice(table));
        return table;
    }

    // -- the rules

    Cards legal(const Table& table) const {  // A-H-14, A-H-21
        const Cards hand = table.hand[table.turn];
        const bool bound = request_.ace_or_spade && !(table.tricks[0] + table.tricks[1]);
        if (!table.trick_size) {
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
        const Cards cards = same ? beating(same) : trumps ? beating(trumps) : hand;
        const Cards ace = bound ? cards & ACES & lane(table.led()) : 0;
        return ace ? ace : cards;
    }

    void apply(Table& table, int move) const {
        if (move < DECLARE) return play(table, move);
        const int seat = table.turn, mate = seat ^ 2;
        if (move >= HuutopussiRequest::YES && request_.by_suit && table.question != IN_FULL)
            return answer_for_suit(table, move == HuutopussiRequest::YES);
        if (move >= DECLARE && move < ANSWER && request_.once)  // A-H-09
            for (int* rights : {&table.own, &table.full, &table.half}) *rights &= ~(1 << seat);
        if (move >= HuutopussiRequest::YES) {
            const int card = table.question;
            table.question = NOT_ASKED;
            table.turn = mate;
            if (move == HuutopussiRequest::YES && card >= 0 && card != IN_FULL) {
                table.known_held[seat] |= bit(other_half(card));
                declare_marriage(table, suit_of(card), mate);
            } else if (card >= 0 && card != IN_FULL && request_.truthful) {
                table.excluded[seat] |= bit(other_half(card));
            }
        } else if (move >= ANSWER) {
            table.question = NOT_ASKED;
            table.turn = mate;
            table.known_held[seat] |= pair(move - ANSWER);
            declare_marriage(table, move - ANSWER, mate);
        } else if (move < ASK_FULL) {
            table.known_held[seat] |= pair(move - DECLARE);
            declare_marriage(table, move - DECLARE, seat);
        } else {  // A-H-12
            table.open = false;
            table.turn = mate;
            const bool half = move >= ASK_KING;
            if (request_.lockouts) {
                table.own &= ~(1 << seat), table.full &= ~(1 << mate);
                if (half) table.own &= ~(1 << mate), table.full &= ~(1 << seat);
            }
            table.question = IN_FULL;
            if (half) {
                table.question = 16 * (move & 3) + (move >= ASK_QUEEN ? QUEEN : KING);
                if (!request_.by_suit) table.known_held[seat] |= bit(table.question);
            }
        }
    }

    // The partner says whether it holds half of the suit; if so, the player who asked says it of the other half.
    void answer_for_suit(Table& table, bool yes) const {
        const int seat = table.turn, suit = suit_of(table.question);
        if (!yes && request_.truthful) table.excluded[seat] |= pair(suit);
        if (yes && !table.reply) {
            table.reply = true;
            table.turn = seat ^ 2;
            return;
        }
        if (yes) declare_marriage(table, suit, seat);
        if (!table.reply) table.turn = seat ^ 2;
        table.question = NOT_ASKED;
        table.reply = false;
    }

    void declare_marriage(Table& table, int suit, int by) const {
        table.open = false;
        table.trump = suit;
        table.declared |= 1 << suit;
        table.earned[by & 1] += request_.marriage[suit];
    }

    void play(Table& table, int card) const {
        const int seat = table.turn;
        table.open = false;
        table.hand[seat] &= ~bit(card);
        table.played |= bit(card);
        if (!table.trick_size) {
            table.leader = table.winner = seat;
        } else {
            note_play(table, seat, card);
            if (beats(card, table.best(), table.trump)) table.winner = seat;
        }
        table.trick[table.trick_size] = card;
        table.turn = (seat + 1) & 3;
        if (++table.trick_size < 4) return;
        const int ours = table.winner & 1;
        for (const int played : table.trick) table.earned[ours] += request_.value[played & 15];
        table.led_by[table.led()] |= 1 << table.leader;
        table.trick_size = 0;
        table.turn = table.winner;
        ++table.tricks[ours];
        if (table.tricks[0] + table.tricks[1] == TRICKS)
            table.earned[ours] += request_.last_trick;
        else
            table.open = may_call(table, table.turn) && (request_.any_winner_declares || table.leader == table.winner);
    }

    // Whether a seat has a right left to declare or to ask.
    static bool may_call(const Table& table, int seat) { return (table.own | table.full | table.half) >> seat & 1; }

    // A seat that did not follow is void, and one that did not beat the best card could not.
    static void note_play(Table& table, int seat, int card) {
        const int best = table.best();
        if (suit_of(card) != table.led()) {
            table.excluded[seat] |= lane(table.led());
            if (table.trump != NONE && suit_of(card) != table.trump) table.excluded[seat] |= lane(table.trump);
        }
        if (suit_of(card) == suit_of(best) && !beats(card, best, table.trump)) table.excluded[seat] |= higher(best);
    }

    // -- knowledge of the seat to act

    // Where the unseen cards may be; `placed`: those known to be in a hand.
    struct Inference {
        Cards unseen, possible[4], known[4], placed;
        int room[4], rooms[16];  // number of unknown cards of each seat, and of each set of seats

        explicit Inference(const Table& table) {
            const int me = table.turn;
            unseen = PACK & ~(table.hand[me] | table.played);
            placed = 0;
            for (int seat = 0; seat < 4; ++seat) {
                possible[seat] = seat == me ? 0 : unseen & ~table.excluded[seat];
                known[seat] = table.known_held[seat];
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

        // Estimated probability that a seat holds an unseen card.
        double holds_chance(int seat, int card) const {
            if (known[seat] >> card & 1) return 1.0;
            if (!(possible[seat] >> card & 1) || placed >> card & 1 || room[seat] <= 0) return 0.0;
            int seats = 0;
            for (int other = 0; other < 4; ++other) seats |= static_cast<int>(possible[other] >> card & 1) << other;
            return static_cast<double>(room[seat]) / rooms[seats];
        }

        // The same for at least one of these cards of a suit.
        double any_chance(int seat, Cards cards) const {
            double none = 1.0;
            for (cards &= possible[seat]; cards; cards ^= bit(highest(cards)))
                none *= 1.0 - holds_chance(seat, highest(cards));
            return 1.0 - none;
        }
    };

    // Probability that a later seat beats `best`; it must if it can.
    static double capture_chance(const Table& table, const Inference& inference, int seat, int best, int led) {
        const double follow = inference.any_chance(seat, suit_of(best) == led ? higher(best) : 0);
        if (table.trump == NONE || led == table.trump) return follow;
        const double empty = 1.0 - inference.any_chance(seat, lane(led));
        const Cards over = suit_of(best) != table.trump ? lane(table.trump) : higher(best);
        return std::min(1.0, follow + empty * inference.any_chance(seat, over));
    }

    struct TrickChance {
        double ours, itself;
    };

    // Probability that the trick is won by the own side, and by the card itself.
    static TrickChance trick_chance(const Table& table, const Inference& inference, int card) {
        const int me = table.turn, led = table.trick_size ? table.led() : suit_of(card);
        int best = card, best_seat = me;
        if (table.trick_size && !beats(card, table.best(), table.trump)) best = table.best(), best_seat = table.winner;
        double ours = (best_seat & 1) == (me & 1), itself = best_seat == me;
        for (int step = 1; step < 4 - table.trick_size; ++step) {
            const int seat = (me + step) & 3;
            const double taken = capture_chance(table, inference, seat, best, led);
            itself *= 1.0 - taken;
            ours = seat == (me ^ 2) ? ours + (1.0 - ours) * taken : ours * (1.0 - taken);
        }
        return {ours, itself};
    }

    int points(Cards cards) const {
        int sum = 0;
        for (; cards; cards &= cards - 1) sum += request_.value[lowest(cards) & 15];
        return sum;
    }

    double points_at_stake(const Table& table, int card, double rest) const {
        int trick_points = request_.value[card & 15];
        for (int at = 0; at < table.trick_size; ++at) trick_points += request_.value[table.trick[at] & 15];
        const bool last = !(table.hand[table.turn] & (table.hand[table.turn] - 1));
        return trick_points + rest * (3 - table.trick_size) + (last ? request_.last_trick : 0);
    }

    // -- choice of the player

    struct CallOptions {
        int size = 0;
        int move[5];
        double points[5];
        // Sorted by points, descending; equal ones in the order of insertion.
        void add(int call, double worth) {
            int at = size++;
            for (; at && points[at - 1] < worth; --at) move[at] = move[at - 1], points[at] = points[at - 1];
            move[at] = call, points[at] = worth;
        }
    };

    CallOptions call_options(const Table& table, const Inference& inference) const {
        const int me = table.turn, mate = me ^ 2;
        CallOptions options;
        double full = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (table.declared >> suit & 1) continue;
            const Cards mine = table.hand[me] & pair(suit);
            const double worth = request_.marriage[suit];
            const int queen = 16 * suit + QUEEN, king = 16 * suit + KING;
            if (mine == pair(suit)) {
                if (table.own >> me & 1) options.add(DECLARE + suit, worth);
            } else if (mine) {
                const bool low = mine >> queen & 1;
                if (!(table.half >> me & 1)) continue;
                options.add((low && !request_.by_suit ? ASK_QUEEN : ASK_KING) + suit,
                            worth * inference.holds_chance(mate, low ? king : queen));
            } else {
                const double both = inference.holds_chance(mate, queen) * inference.holds_chance(mate, king);
                full = full + (1.0 - full / 280) * worth * both;
            }
        }
        if (table.full >> me & 1 && full > 0) options.add(ASK_FULL, full);
        return options;
    }

    // The call to make now, NONE for none: declarations from hand before questions.
    static int best_call(const CallOptions& ranked) {
        for (int at = 0; at < ranked.size; ++at)
            if (ranked.move[at] < ASK_FULL && ranked.points[at] > 1) return ranked.move[at];
        return ranked.size && ranked.points[0] > 1 ? ranked.move[0] : NONE;
    }

    int answer_move(const Table& table) const {
        const Cards hand = table.hand[table.turn];
        if (request_.by_suit && table.question != IN_FULL)
            return hand & pair(suit_of(table.question)) ? HuutopussiRequest::YES : HuutopussiRequest::NO;
        if (table.question != IN_FULL)
            return hand >> other_half(table.question) & 1 ? HuutopussiRequest::YES : HuutopussiRequest::NO;
        int best = NONE;
        for (int suit = 0; suit < SUITS; ++suit)
            if (!(table.declared >> suit & 1) && !(pair(suit) & ~hand) &&
                (best == NONE || request_.marriage[suit] > request_.marriage[best]))
                best = suit;
        return best == NONE ? int{HuutopussiRequest::NO} : ANSWER + best;
    }

    // Points that a card is still good for in later tricks.
    double keep_value(const Table& table, const Inference& inference, int card) const {
        const Cards hand = table.hand[table.turn];
        const int suit = suit_of(card), left = count(hand);
        const HuutopussiRequest::Weights& w = request_.weights;
        double value = w.keep_rank * HUUTOPUSSI_STRENGTH[card & 15];
        if (!(inference.unseen & higher(card))) value += left > 2 ? w.keep_top : w.keep_top_late;
        if (table.trump == suit) value += w.keep_trump;
        if (bit(card) & ROYAL && left > 2 && !(table.declared >> suit & 1)) {
            const int other = other_half(card);
            if (hand >> other & 1)
                value += request_.marriage[suit] * (table.own >> table.turn & 1 ? w.keep_own : w.keep_barred);
            else if (inference.unseen >> other & 1)
                value += w.keep_half * request_.marriage[suit] * inference.holds_chance(table.turn ^ 2, other);
        }
        return value;
    }

    // Whether playing the card spoils the call.
    static bool needs_card(int call, int card) {
        return call != ASK_FULL && bit(card) & ROYAL && (call & 3) == suit_of(card);
    }

    // Write the value of each legal card by the rules, at its number.
    void rule_values(const Table& table, const Inference& inference, const CallOptions& options, Cards cards,
                     double* values) const {
        const double rest = static_cast<double>(points(inference.unseen)) / std::max(1, count(inference.unseen));
        const int me = table.turn;
        const Cards foes = inference.possible[(me + 1) & 3] | inference.possible[(me + 3) & 3];
        for (; cards; cards &= cards - 1) {
            const int card = lowest(cards);
            const TrickChance chance = trick_chance(table, inference, card);
            double value =
                (2 * chance.ours - 1) * points_at_stake(table, card, rest) - keep_value(table, inference, card);
            if (!table.trick_size && (card & 15) == TEN && foes & higher(card)) value -= request_.weights.lead_ten;
            double right = 0;
            if (!table.trick_size || request_.any_winner_declares)
                for (int at = 0; at < options.size; ++at)
                    if (!needs_card(options.move[at], card)) {
                        right = chance.itself * options.points[at];
                        break;
                    }
            values[card] = value + request_.weights.declare * right;
        }
    }

    int choice(const Table& table) const {
        if (table.question != NOT_ASKED) return answer_move(table);
        const Cards cards = legal(table);
        const bool forced = !(cards & (cards - 1));
        if (forced && !table.open) return lowest(cards);
        const Inference inference(table);
        const CallOptions options = table.open || !request_.policy ? call_options(table, inference) : CallOptions{};
        if (const int call = table.open ? best_call(options) : NONE; call != NONE) return call;
        if (forced) return lowest(cards);
        double values[64];
        rate_cards(table, inference, options, cards, values);
        return request_.policy ? best_rated_card(cards, values) : best_card(cards, values);
    }

    // Write the value of each legal card, at its number: in points, by nets or by rules.
    void rate_cards(const Table& table, const Inference& inference, const CallOptions& options, Cards cards,
                    double* values) const {
        if (!request_.policy) return rule_values(table, inference, options, cards, values);
        policy_.rate(decision(table, inference, cards), cards,
                     [&](int card, int rating) { values[card] = request_.weights.rating * rating; });
    }

    HuutopussiDecision decision(const Table& table, const Inference& inference, Cards cards) const {
        HuutopussiDecision input{};
        input.hand = table.hand[table.turn], input.unseen = inference.unseen;
        std::copy_n(inference.possible, 4, input.possible);
        std::copy_n(inference.known, 4, input.known);
        std::copy_n(table.led_by, 4, input.led);
        input.turn = table.turn, input.declarer = request_.declarer;
        if (request_.declarer != NONE) input.needed = request_.contract - table.earned[request_.declarer & 1];
        for (int at = 0; at < table.trick_size; ++at) input.trick_points += request_.value[table.trick[at] & 15];
        input.points_left = points(inference.unseen) + points(input.hand) + input.trick_points + request_.last_trick;
        input.trump = table.trump, input.declared = table.declared, input.own = table.own, input.full = table.full;
        input.marriage = request_.marriage, input.trick_size = table.trick_size;
        if (table.trick_size) {
            input.best = table.best(), input.best_seat = table.winner, input.led_suit = table.led();
            input.may_beat = beats(lowest(cards), input.best, table.trump);
        }
        return input;
    }

    // The lowest number among equals, as in the Python nets.
    static int best_rated_card(Cards cards, const double* values) {
        int best = lowest(cards);
        for (; cards; cards &= cards - 1)
            if (values[lowest(cards)] > values[best]) best = lowest(cards);
        return best;
    }

    // The first among equals in the order of the Python player's loops.
    static int best_card(Cards cards, const double* values) {
        int best = NONE;
        for (int suit = 0; suit < SUITS; ++suit)
            for (Cards rest = cards & lane(suit); rest; rest ^= bit(highest(rest)))
                if (best == NONE || values[highest(rest)] > values[best]) best = highest(rest);
        return best;
    }

    // Points (at most `max_strangeness`) by which the player rates another card higher; `max_strangeness` for another
    // call.
    double strangeness(const Table& table, int move) const {
        if (table.question != NOT_ASKED) return 0;  // answers are true
        const Cards cards = legal(table);
        const bool forced = !(cards & (cards - 1));
        if (forced && !table.open) return 0;
        const Inference inference(table);
        const CallOptions options = table.open || !request_.policy ? call_options(table, inference) : CallOptions{};
        const int call = table.open ? best_call(options) : NONE;
        if (call != NONE || move >= DECLARE) return call == move ? 0 : request_.weights.max_strangeness;
        double values[64];
        rate_cards(table, inference, options, cards, values);
        return std::min(request_.weights.max_strangeness, values[best_card(cards, values)] - values[move]);
    }

    const HuutopussiRequest& request_;
    HuutopussiPolicy policy_;
};

inline void playouts_huutopussi(const HuutopussiRequest& request) { HuutopussiPlayouts(request).run(); }

}  // namespace nousu::NOUSU_ISA
