// The search for every goal: zero-window alpha-beta, fail-soft, with a transposition table of exact positions at the
// start of tricks. It knows marriages, duties, three-handed play and seats that leave. Rami and nolo without trump,
// sooli and Huutopussi have faster searches; the tests compare them with this one.
#pragma once
#include <cstring>
#include <memory>

#include "solver/search.h"

namespace nousu::NOUSU_ISA {

class GeneralSearch {
public:
    explicit GeneralSearch(int table_bits = 20) : mask_((std::size_t{1} << table_bits) - 1) {
        table_ = std::make_unique<Entry[]>(mask_ + 1);
    }

    // Start with `p`; all later probes must be of positions reached from it.
    void begin(const Position& p) {
        ++age_;
        if (age_ == 0) {
            std::memset(static_cast<void*>(table_.get()), 0, sizeof(Entry) * (mask_ + 1));
            age_ = 1;
        }
        std::memset(history_, 0, sizeof history_);
        for (int s = 0; s < p.seats; ++s) {
            weight_[s] = weight(p, s);
            maximise_[s] = maximises(p, s);
        }
        huutopussi_ = p.kind == Kind::huutopussi;
        trick_points_ = trick_points(p);
        last_points_ = last_trick_points(p);
        stop_at_first_ = p.kind == Kind::sooli;
        for (int s = 0; s < SUITS; ++s)
            for (int r = 0; r < 16; ++r) card_points_[s * 16 + r] = huutopussi_ ? p.value[r] : 0;
        // Worthless cards at the bottom of a suit: only their order matters.
        worthless_ = 0;
        for (int s = 0; huutopussi_ && s < SUITS; ++s)
            for (int r = 0; r < 16 && card_points_[16 * s + r] == 0 && r != p.king && r != p.queen; ++r)
                worthless_ |= bit(16 * s + r);
        value_edges_ = 0;
        for (int card = 0; card < 63; ++card)
            if (card_points_[card] != card_points_[card + 1]) value_edges_ |= bit(card);
        if (huutopussi_) owners_.assign(hands_before_trick(p));
        high_ = low_ = weight_[0];
        for (int s = 0; s < p.seats; ++s)
            if (p.active >> s & 1) {
                high_ = std::max(high_, weight_[s]);
                low_ = std::min(low_, weight_[s]);
            }
    }

    // First guess of the value.
    int guess(const Position& p) const {
        if (p.kind != Kind::huutopussi) return p.kind == Kind::rami || p.kind == Kind::nolo ? tricks_left(p) / 2 : 1;
        int points = p.last_trick;
        for (int s = 0; s < p.seats; ++s)
            for (Cards c = p.hand[s]; c; c &= c - 1) points += p.value[lowest(c) & 15];
        return p.difference ? 0 : points / 2;
    }

    static int least(const Position&) { return -VALUE_LIMIT; }
    static int most(const Position&) { return VALUE_LIMIT; }
    // The move that decided the last probe, if one did.
    int best() const { return best_; }

    // A bound on what `p` still adds to the value: a lower bound if it is >= beta, else an upper bound.
    int probe(const Position& p, int beta, Control& control) {
        control_ = &control;
        position_ = p;
        root_ = true;
        tricks_ = tricks_left(p);
        left_ = 0;
        for (int seat = 0; seat < p.seats; ++seat)
            if (p.active >> seat & 1)
                for (Cards c = p.hand[seat]; c; c &= c - 1) left_ += card_points_[lowest(c)];
        Trick t{trick_state(p), p.played ? p.trick_seat[0] : p.turn};
        for (int i = 0; i < p.played; ++i) t.points += card_points_[p.trick_card[i]];
        return p.played || p.asked ? search_move(t, beta) : trick_start(beta);
    }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t age = 0;
        std::int16_t low = 0, high = 0;
        std::uint8_t move = 0;
    };
    struct Trick : TrickState {
        int leader = 0, points = 0;
    };

    Cards cards_in_hand() const {
        Cards all = 0;
        for (int s = 0; s < position_.seats; ++s)
            if (position_.active >> s & 1) all |= position_.hand[s];
        return all;
    }

    // Points still to come from cards, tricks and the last trick.
    int remaining() const { return left_ + tricks_ * trick_points_ + (tricks_ ? last_points_ : 0); }

    // Undeclared suits that a side may still declare, one bit each.
    int possible_marriages(int side) const {
        const Cards hands = position_.hand[side] | position_.hand[side + 2];
        int suits = 0;
        for (int s = 0; s < SUITS; ++s) {
            const Cards both = (bit(position_.king) | bit(position_.queen)) << LANE_BITS * s;
            if (!(position_.declared >> s & 1) && (hands & both) == both) suits |= 1 << s;
        }
        return suits;
    }

    int trick_start(int beta) {
        int points = remaining();
        int most = points * high_, least = points * low_;
        if (stop_at_first_) most = 1;
        std::uint64_t state =
            static_cast<std::uint64_t>(position_.turn) | static_cast<std::uint64_t>(position_.trump + 1) << 3;
        if (huutopussi_) {
            int possible = 0, seats = 0;  // rights that can no longer be used make no difference
            for (int side = 0; side < 2; ++side) {
                const int suits = possible_marriages(side);
                possible |= suits;
                if (suits) seats |= 5 << side;
                for (int s = 0; s < SUITS; ++s)
                    if (suits >> s & 1) (weight_[side] > 0 ? most : least) += position_.marriage[s] * weight_[side];
            }
            state |= static_cast<std::uint64_t>(position_.declared | (~possible & 15)) << 6;
            state |= static_cast<std::uint64_t>(position_.own & seats) << 10;
            state |= static_cast<std::uint64_t>(position_.full & seats) << 14;
            state |= static_cast<std::uint64_t>(position_.open && (seats >> position_.turn & 1)) << 18;
            state |= static_cast<std::uint64_t>(~position_.half & seats) << 19;
        }
        bool root = root_;
        root_ = false;
        if (tricks_ == 0) return 0;
        if (!root && least >= beta) return least;
        if (!root && most < beta) return most;

        Cards left = cards_in_hand();
        if (huutopussi_) {
            Cards worthless = left & worthless_;
            std::uint64_t shape = 0;
            for (int s = 0; s < SUITS; ++s) shape = shape << 4 | static_cast<unsigned>(count(worthless & lane(s)));
            const Owners owners = owners_.of(worthless);
            left = (left & ~worthless_) ^ hash_bits((shape << 32 | owners.word[0]) ^ hash_bits(owners.word[1]));
        }
        std::uint64_t key = hash_bits(left ^ state * 0x9E3779B97F4A7C15ull) | 1;
        Entry& e = table_[(key ^ key >> 40) & mask_];
        bool known = e.key == key && e.age == age_;
        if (known && !root) {
            if (e.low >= beta) return e.low;
            if (e.high < beta) return e.high;
        }
        table_move_ = known ? e.move : 255;
        int value = search_move({{}, position_.turn}, beta);
        if (e.key != key || e.age != age_)
            e = Entry{key, age_, static_cast<std::int16_t>(least), static_cast<std::int16_t>(most), 255};
        if (value >= beta) {
            e.low = std::max<std::int16_t>(e.low, static_cast<std::int16_t>(value));
            e.move = static_cast<std::uint8_t>(best_);
        } else {
            e.high = std::min<std::int16_t>(e.high, static_cast<std::int16_t>(value));
        }
        return value;
    }

    // One of each group of equivalent cards: neighbours in one hand among the cards in play, with equal points. King
    // and queen of an open marriage are not equivalent to other cards.
    Cards without_equivalents(Cards cards, int seat, int best) const {
        Cards present = cards | (best == NONE ? 0 : bit(best)), edges = value_edges_;
        for (int s = 0; s < position_.seats; ++s)
            if (s != seat && (position_.active >> s & 1)) present |= position_.hand[s];
        for (int suit = 0; huutopussi_ && suit < SUITS; ++suit)
            if (!(position_.declared >> suit & 1))
                edges |= (bit(position_.king) | bit(position_.queen - 1)) << LANE_BITS * suit;
        return run_tops(cards, present, edges);
    }

    // Points expected from the trick with this card; only for the order of moves.
    int expected_points(const Trick& t, int seat, int card) const {
        if (!huutopussi_) return 0;
        if (t.led == NONE) return card_points_[card] ? 0 : 2;
        int points = t.points + card_points_[card];
        if (beats(card, t.best, t.led, position_.trump)) return points - card_points_[card] / 2;
        return (t.winner ^ seat) & 1 ? -card_points_[card] : card_points_[card];
    }

    int search_move(const Trick& t, int beta) {
        root_ = false;
        int seat = position_.turn;
        int table_move = table_move_;
        table_move_ = 255;
        ScoredMove list[40];
        int n = 0;
        if (position_.asked) {
            n = marriage_answers(position_, list);
        } else {
            if (huutopussi_ && t.led == NONE && position_.open) n = helpful_calls(position_, seat, list);
            Cards legal = legal_cards(position_.hand[seat], t.led, t.best, position_.trump, huutopussi_);
            if (legal & (legal - 1)) legal = without_equivalents(legal, seat, t.best);
            for (Cards c = legal; c; c &= c - 1) {
                int card = lowest(c);
                list[n++] = {card, history_[seat][t.led == NONE ? 1 : 0][card] + 10 * expected_points(t, seat, card)};
            }
        }
        for (int i = 0; i < n; ++i)
            if (list[i].move == table_move) list[i].score = 1 << 30;

        bool maximise = maximise_[seat];
        int result = maximise ? -30000 : 30000;
        for (int i = 0; i < n; ++i) {
            const int move = pick_best(list, i, n);
            int value = move < 64 ? play_card(t, move, beta) : make_call(move, beta);
            if (maximise ? value > result : value < result) result = value;
            if (maximise ? result >= beta : result < beta) {
                best_ = move;
                if (move < 64) {
                    int& h = history_[seat][t.led == NONE ? 1 : 0][move];
                    h += tricks_ * tricks_;
                    if (h > 1 << 20)
                        for (auto& row : history_)
                            for (auto& column : row)
                                for (int& value : column) value /= 2;
                }
                return result;
            }
        }
        best_ = n ? list[0].move : 255;
        return result;
    }

    int make_call(int move, int beta) {
        count_node(*control_);
        const Position before = position_;
        const int gain = apply(position_, move);
        const int value =
            gain + (position_.asked ? search_move({{}, before.turn}, beta - gain) : trick_start(beta - gain));
        position_ = before;
        return value;
    }

    int play_card(const Trick& t, int card, int beta) {
        count_node(*control_);
        int seat = position_.turn;
        bool open = position_.open;
        position_.hand[seat] ^= bit(card);
        left_ -= card_points_[card];
        Trick after = t;
        if (t.led == NONE) {
            after.led = suit_of(card);
            after.leader = seat;
        }
        after.seats |= 1 << seat;
        after.points += card_points_[card];
        if (t.best == NONE || beats(card, t.best, after.led, position_.trump)) {
            after.best = card;
            after.winner = seat;
        }
        int next = next_seat(position_.active, after.seats, seat, position_.last);
        int value;
        if (next != NONE) {
            position_.turn = next;
            value = search_move(after, beta);
        } else {
            --tricks_;
            int points = after.points + trick_points_ + (tricks_ ? 0 : last_points_);
            int gain = points * weight_[after.winner];
            if (stop_at_first_ && gain) {
                value = gain;
            } else {
                position_.turn = after.winner;
                position_.open =
                    huutopussi_ && tricks_ && (position_.any_winner_declares || after.leader == after.winner);
                value = gain + trick_start(beta - gain);
            }
            ++tricks_;
        }
        position_.turn = seat;
        position_.open = open;
        position_.hand[seat] ^= bit(card);
        left_ += card_points_[card];
        return value;
    }

    std::unique_ptr<Entry[]> table_;
    std::size_t mask_;
    std::uint32_t age_ = 0;
    Control* control_ = nullptr;
    Position position_;
    int tricks_ = 0, left_ = 0, best_ = 255, table_move_ = 255;
    bool root_ = false;
    int weight_[MAX_SEATS]{};
    bool maximise_[MAX_SEATS]{};
    int card_points_[64]{};
    int trick_points_ = 0, last_points_ = 0, high_ = 1, low_ = 0;
    bool huutopussi_ = false, stop_at_first_ = false;
    int history_[MAX_SEATS][2][64]{};
    Cards worthless_ = 0, value_edges_ = 0;
    Owners owners_;
};

}  // namespace nousu::NOUSU_ISA
