// Environment of the whist family (Tuppi, Minnesota, Norwegian and relatives): every option. The Python rules
// (src/nousu/games/whist) are the authority; tests/env plays hands by both.
#pragma once
#include <algorithm>

#include "common/play_rules.h"
#include "env/lanes.h"

namespace nousu::NOUSU_ISA {

// clang-format off: it breaks this list again and again
#define NOUSU_WHIST_RULES(X) \
    X(high_colour) X(bid_mode) X(bid_ranks) X(spoken_bids) X(expose_start) X(single_colour_hand) \
    X(high_lead) X(low_lead) X(sooli) X(sooli_exchange) X(sooli_order) X(sooli_stop) X(sooli_points) X(high_points) \
    X(high_fail_points) X(high_fail_debit) X(low_mode) X(low_points) X(score_model) X(target) X(max_hands) \
    X(extension) X(limit_criterion) X(limit_tiebreak) X(early_end) X(deal_start)
// clang-format on

class Whist {
public:
    // Value of an option: its index among the choices; 0 or 1 for a switch; the number itself for a number. No limit of
    // hands is 0. The steps of the tie-break are digits to the base 4.
    struct Rules {
#define X(name) std::int32_t name;
        NOUSU_WHIST_RULES(X)
#undef X
    };
    static constexpr int RANKS = 13, BLOCKS = 3, WORDS = 6, PLANES = 14, SCALARS = 31;

    void open(const Rules&, int, int dealer) {
        *this = Whist{};
        dealer_ = dealer;
    }

    void deal(const Rules& rules, const std::uint8_t* pack) {
        const Score score = score_;
        const int dealer = dealer_;
        *this = Whist{};
        score_ = score;
        dealer_ = dealer;
        const int first = dealer + (rules.deal_start == 0 ? 1 : 3);
        for (int i = 0; i < 52; ++i) hand_[(first + i) & 3] |= bit(card_of<RANKS>(pack[i]));
        phase_ = rules.bid_mode == SPOKEN ? AUCTION : BID;
        turn_ = (dealer + (rules.bid_mode == SPOKEN || rules.expose_start == 0 ? 1 : 3)) & 3;
    }

    int seat() const { return turn_; }
    bool over() const { return phase_ == OVER; }

    LegalActions legal(const Rules& rules) const {
        LegalActions legal;
        const Cards hand = hand_[turn_];
        switch (phase_) {
            case BID: bids(rules, hand, legal); break;
            case AUCTION:  // A-M-02, A-N-05
                legal.add_word(PASS), legal.add_word(HIGH_WORD);
                if (rules.spoken_bids == 1) legal.add_word(LOW_WORD);
                break;
            case SOOLI: legal.add_word(SAY_SOOLI), legal.add_word(PASS); break;
            case DISCARD:
            case GIVE:
            case RETURN:
                legal.cards = hand;
                legal.block = GIFTS;
                break;
            default: {  // T-CAT-33, T-WIK-15, NW-CAT-12, MW-WIK-11
                const Cards same = led_ == NONE ? 0 : hand & lane(led_);
                legal.cards = same ? same : hand;
                if (rules.early_end == OFFER && rising_side_has_lost()) legal.add_word(END);
            }
        }
        return legal;
    }

    void act(const Rules& rules, int action) {
        const int word = action - BLOCKS * 52, card = card_of<RANKS>(action % 52);
        switch (phase_) {
            case BID:
                if (word == SHOW) {  // NW-CAT-07
                    finish(true);
                    return;
                }
                bid_[turn_] = static_cast<std::int8_t>(word < 0 ? card : WORD_BID + word);
                turn_ = (turn_ + 1) & 3;
                if (bid_[turn_] != NONE) reveal_bids(rules);
                return;
            case AUCTION:
                spoken_[turn_] = static_cast<std::int8_t>(word == PASS        ? SAID_PASS
                                                          : word == HIGH_WORD ? SAID_HIGH
                                                                              : SAID_LOW);
                if (word != PASS) return end_auction(rules, word == HIGH_WORD ? HIGH : LOW, turn_);
                turn_ = (turn_ + 1) & 3;
                if (spoken_[turn_]) end_auction(rules, LOW, NONE);  // four passes (MW-WIK-18)
                return;
            case SOOLI:
                answer_[turn_] = static_cast<std::int8_t>(word == SAY_SOOLI ? 2 : 1);
                if (word == SAY_SOOLI) return start_sooli(rules);
                turn_ = (turn_ + 2) & 3;
                if (answer_[turn_]) start_play(rules);
                return;
            case DISCARD:
            case GIVE:
            case RETURN: pass_card(rules, bit(card)); return;
            default:
                if (word == END)
                    break_off();
                else
                    play(rules, card);
        }
    }

    // Score the hand. Returns whether the match is over.
    bool settle(const Rules& rules, float* reward, std::int8_t* place) {
        for (int seat = 0; seat < 4; ++seat) reward[seat] = static_cast<float>(points_[seat & 1]);
        if (redealt_) return false;   // the same dealer deals again
        dealer_ = (dealer_ + 1) & 3;  // T-CAT-07, MW-WIK-13
        return fill_places(rules.score_model == 0 ? score_rising(rules) : score_sum(rules), place);
    }

    void observe(const Rules& rules, int seat, std::uint8_t* planes, std::int16_t* out) const {
        auto from = [&](int step) { return (seat + step) & 3; };
        auto rel = [&](int other) { return relative_seat(seat, other); };
        std::uint8_t* at = card_planes<RANKS>(seat, hand_, played_, trick_, planes);
        if (shown_) {
            for (int step = 0; step < 4; ++step) {
                const int by = bid_[from(step)];
                at = plane<RANKS>(shown_ >> from(step) & 1 && by < WORD_BID ? bit(by) : 0, at);
            }
        } else {
            std::memset(at, 0, 4 * 52);
            at += 4 * 52;
        }
        const int own = bid_[seat];
        at = plane<RANKS>(own != NONE && own < WORD_BID ? bit(own) : 0, at);
        at = plane<RANKS>(given_[seat], at);
        at = plane<RANKS>(received_[seat], at);
        std::memcpy(at, play_order_.data(), 52);

        *out++ = phase_;
        *out++ = rel(turn_);
        *out++ = rel(dealer_);
        *out++ = kind_;
        *out++ = rel(bidder_);
        *out++ = rel(soloist_);
        for (int step = 0; step < 4; ++step) *out++ = bid_[from(step)] != NONE;
        for (int step = 0; step < 4; ++step) *out++ = spoken_[from(step)];
        *out++ = own == NONE ? 0 : high(rules, own) ? SAID_HIGH : SAID_LOW;
        for (int step = 0; step < 4; ++step) *out++ = answer_[from(step)];
        *out++ = tricks_[seat & 1];
        *out++ = tricks_[~seat & 1];
        *out++ = phase_ == PLAY && rules.early_end == OFFER && rising_side_has_lost();
        *out++ = rel(led_ == NONE ? NONE : leader_);
        for (const int side : {seat & 1, ~seat & 1}) *out++ = clip_score(score_.points[side]);
        for (const int side : {seat & 1, ~seat & 1}) *out++ = clip_score(score_.total[side]);
        for (const int side : {seat & 1, ~seat & 1}) *out++ = clip_score(score_.peak[side]);
        *out++ = clip_score(score_.hands);
        *out++ = score_.extra;
    }

private:
    enum Phase : std::int8_t { BID, AUCTION, SOOLI, DISCARD, GIVE, RETURN, PLAY, OVER };
    enum Kind : std::int8_t { OPEN, HIGH, LOW, ALONE };
    enum Word { HIGH_WORD, LOW_WORD, PASS, SAY_SOOLI, END, SHOW };
    enum Spoken { SAID_LOW = 1, SAID_HIGH = 2, SAID_PASS = 3 };
    enum { HAND_CARD, BID_CARD, SPOKEN };           // bid_mode
    enum { VERBAL, MAY_VOID, FORCED };              // single_colour_hand
    enum { DISCARD_THEN = 1, RECEIVE_THEN = 2 };    // sooli_exchange
    enum { OFFER = 1, AUTO = 2 };                   // early_end
    enum { OTHER_CRITERION = 1, EXTRA_HANDS = 2 };  // limit_tiebreak
    static constexpr int GIFTS = 2, WORD_BID = 64, BOOK = 6;
    static constexpr Cards RED = 0x1FFF1FFFull << 16, BLACK = 0x1FFF000000001FFFull;

    struct Score {
        std::int32_t points[2] = {0, 0}, total[2] = {0, 0}, peak[2] = {0, 0}, hands = 0;
        std::int8_t rising_side = NONE;
        bool extra = false;
    };

    // -- bids

    static Cards colour(const Rules& rules, bool high) { return (rules.high_colour == 0) == high ? RED : BLACK; }
    static bool high(const Rules& rules, int bid) {
        return bid >= WORD_BID ? bid == WORD_BID + HIGH_WORD : colour(rules, true) >> bid & 1;
    }

    // Legal bids (T-CAT-14, A-T-03, A-T-04; NW-CAT-07).
    static void bids(const Rules& rules, Cards hand, LegalActions& legal) {
        if (rules.bid_mode == BID_CARD) {  // T-CATT-03, T-WIKT-05
            legal.add_word(HIGH_WORD), legal.add_word(LOW_WORD);
            return;
        }
        constexpr Cards lanes = 0x0001000100010001ull;
        const Cards usable = hand & (rules.bid_ranks == 0   ? 0x1FE * lanes
                                     : rules.bid_ranks == 1 ? 0x11FE * lanes
                                                            : ~Cards{0});
        legal.cards = usable;
        legal.block = 1;
        if (rules.single_colour_hand == VERBAL) {  // T-CAT-15, T-WIK-11
            if (!(usable & colour(rules, true))) legal.add_word(HIGH_WORD);
            if (!(usable & colour(rules, false))) legal.add_word(LOW_WORD);
        }
        if (rules.single_colour_hand == MAY_VOID && !(hand & RED && hand & BLACK)) legal.add_word(SHOW);
    }

    // Reveal the bids one by one up to the first high one (T-CAT-16, T-CAT-17, NW-CAT-05, MW-WIK-07).
    void reveal_bids(const Rules& rules) {
        for (int step = 0; step < 4; ++step) {
            const int by = (turn_ + step) & 3;
            const bool rises = high(rules, bid_[by]);
            shown_ |= static_cast<std::int8_t>(1 << by);
            spoken_[by] = rises ? SAID_HIGH : SAID_LOW;
            if (rises) return end_auction(rules, HIGH, by);
        }
        end_auction(rules, LOW, NONE);  // T-CAT-19, MW-WIK-09, A-N-01
    }

    // End the auction; the defenders of a rami are asked for sooli (T-CAT-18, A-T-08).
    void end_auction(const Rules& rules, Kind kind, int bidder) {
        kind_ = kind;
        bidder_ = static_cast<std::int8_t>(bidder);
        if (kind == HIGH && rules.sooli) {
            phase_ = SOOLI;
            turn_ = (bidder + 1) & 3;
        } else {
            start_play(rules);
        }
    }

    void start_play(const Rules& rules) {
        const int forehand = dealer_ + 1;
        if (kind_ == HIGH)  // T-CAT-23, T-WIK-13, MW-WIK-10, A-M-04
            turn_ = (rules.high_lead == 0 ? bidder_ + 3 : rules.high_lead == 1 ? bidder_ + 1 : forehand) & 3;
        else  // T-CAT-21, T-WIK-14, NW-CAT-11, A-N-05
            turn_ = (rules.low_lead == 0 ? forehand : (bidder_ == NONE ? dealer_ : bidder_) + 3) & 3;
        phase_ = PLAY;
    }

    // -- sooli

    void start_sooli(const Rules& rules) {
        kind_ = ALONE;
        soloist_ = static_cast<std::int8_t>(turn_);
        if (rules.sooli_exchange == DISCARD_THEN) {
            phase_ = DISCARD;
        } else if (rules.sooli_exchange == RECEIVE_THEN) {
            phase_ = GIVE;
            turn_ = (turn_ + 2) & 3;
        } else {
            start_sooli_play(rules);
        }
    }

    // Give a card away or to the partner (T-WIK-10, A-T-07).
    void pass_card(const Rules& rules, Cards card) {
        const int to = (turn_ + 2) & 3;
        hand_[turn_] ^= card;
        given_[turn_] |= card;
        if (phase_ != DISCARD) {
            hand_[to] |= card;
            received_[to] |= card;
        }
        if (phase_ == RETURN || (phase_ == GIVE && rules.sooli_exchange == DISCARD_THEN))
            return start_sooli_play(rules);
        phase_ = phase_ == DISCARD ? GIVE : RETURN;
        turn_ = to;
    }

    // The partner sits out; left of the soloist leads (T-CAT-26, T-CAT-29, A-T-09, A-T-10).
    void start_sooli_play(const Rules& rules) {
        active_ = static_cast<std::int8_t>(15 & ~(1 << ((soloist_ + 2) & 3)));
        last_ = rules.sooli_order == 0 ? soloist_ : static_cast<std::int8_t>(NONE);
        turn_ = (soloist_ + 1) & 3;
        phase_ = PLAY;
    }

    // -- play

    // Strength of a card; aces are low in a sooli (T-CAT-28).
    int strength(int card) const { return kind_ == ALONE && (card & 15) == 12 ? -1 : card & 15; }

    void play(const Rules& rules, int card) {
        const int seat = turn_;
        hand_[seat] ^= bit(card);
        played_[seat] |= bit(card);
        trick_ |= bit(card);
        play_order_[number_of<RANKS>(card)] = ++cards_played_;
        const bool first = led_ == NONE;
        if (first) led_ = static_cast<std::int8_t>(suit_of(card)), leader_ = static_cast<std::int8_t>(seat);
        if (first || (suit_of(card) == led_ && strength(card) > best_)) {
            best_ = static_cast<std::int8_t>(strength(card));
            winner_ = static_cast<std::int8_t>(seat);
        }
        trick_seats_ |= static_cast<std::int8_t>(1 << seat);
        if (kind_ != ALONE && trick_seats_ != 15) {
            turn_ = (seat + 1) & 3;
            return;
        }
        if (trick_seats_ != 15) {
            const int next = next_seat(active_, trick_seats_, seat, last_);
            if (next != NONE) {
                turn_ = next;
                return;
            }
        }
        turn_ = winner_;  // T-CAT-34
        led_ = static_cast<std::int8_t>(NONE);
        trick_ = 0;
        trick_seats_ = 0;
        ++tricks_[turn_ & 1];
        const bool caught = kind_ == ALONE && tricks_[soloist_ & 1];
        if (caught && rules.sooli_stop) return score_sooli(rules, false);  // T-CAT-31, A-T-11
        if (tricks_[0] + tricks_[1] < 13) {
            if (rules.early_end == AUTO && rising_side_has_lost()) break_off();
            return;
        }
        if (kind_ == ALONE) return score_sooli(rules, !caught);
        score_hand(rules);
    }

    // Whether the rising side can no longer score (A-T-15, T-WIK-24).
    bool rising_side_has_lost() const {
        if (score_.rising_side == NONE || kind_ == ALONE) return false;
        return tricks_[kind_ == LOW ? score_.rising_side : 1 - score_.rising_side] >= 7;
    }

    // -- result

    void finish(bool redealt = false) {
        phase_ = OVER;
        redealt_ = redealt;
    }

    void break_off() {
        scorer_ = static_cast<std::int8_t>(1 - score_.rising_side);
        finish();
    }

    void score_sooli(const Rules& rules, bool made) {  // T-CAT-30, T-CAT-31, T-WIK-21, T-WIK-22
        scorer_ = static_cast<std::int8_t>(made ? soloist_ & 1 : ~soloist_ & 1);
        points_[scorer_] = rules.sooli_points;
        finish();
    }

    // Points of both sides (T-CAT-22, T-CAT-24, T-CAT-25, T-WIK-17…19, NW-CAT-13, NW-CAT-14, MW-WIK-14…16, A-N-03).
    void score_hand(const Rules& rules) {
        const int leading_side = tricks_[0] > BOOK ? 0 : 1, over = tricks_[leading_side] - BOOK;
        if (kind_ == HIGH && leading_side == (bidder_ & 1)) {
            points_[leading_side] = rules.high_points * over;
        } else if (kind_ == HIGH) {
            points_[leading_side] = rules.high_fail_points * over;
            points_[1 - leading_side] = -rules.high_fail_debit * over;
        } else if (rules.low_mode == 0) {
            points_[1 - leading_side] = rules.low_points * over;
        } else {
            points_[leading_side] = -rules.low_points * over;
        }
        scorer_ = static_cast<std::int8_t>(points_[0] > 0 ? 0 : points_[1] > 0 ? 1 : NONE);
        finish();
    }

    // Only one side holds points (T-CAT-35, T-WIK-23). Returns the winner of the match.
    int score_rising(const Rules& rules) {
        Score& s = score_;
        ++s.hands;
        if (s.extra) return scorer_;
        if (s.rising_side == 1 - scorer_) {
            s.rising_side = NONE;
            s.points[0] = s.points[1] = 0;
            return hand_limit_result(rules);
        }
        const int points = std::max(points_[0], points_[1]);
        s.rising_side = scorer_;
        s.points[scorer_] += points;
        s.total[scorer_] += points;
        s.peak[scorer_] = std::max(s.peak[scorer_], s.points[scorer_]);
        return s.points[scorer_] >= rules.target ? scorer_ : hand_limit_result(rules);  // T-CAT-36, T-WIK-25
    }

    int hand_limit_result(const Rules& rules) {
        Score& s = score_;
        if (!rules.max_hands || s.hands < rules.max_hands) return UNDECIDED;
        if (rules.extension && s.rising_side != NONE) return UNDECIDED;  // T-WIKT-04
        const int sums = leading_side(s.total), peaks = leading_side(s.peak);
        if (const int first = rules.limit_criterion == 0 ? sums : peaks; first != DRAWN) return first;
        const int other = rules.limit_criterion == 0 ? peaks : sums;  // T-WIKT-03, T-CATT-05
        for (int steps = rules.limit_tiebreak; steps; steps /= 4) {   // A-T-21
            if (steps % 4 == OTHER_CRITERION && other != DRAWN) return other;
            if (steps % 4 == EXTRA_HANDS) {
                s.rising_side = NONE;
                s.points[0] = s.points[1] = 0;
                s.extra = true;
                return UNDECIDED;
            }
            if (steps % 4 > EXTRA_HANDS) break;
        }
        return DRAWN;
    }

    // The side with more points.
    static int leading_side(const std::int32_t (&points)[2]) {
        return points[0] == points[1] ? DRAWN : points[0] > points[1] ? 0 : 1;
    }

    // Both sides add up points (NW-CAT-15, MW-WIK-17, A-T-18, A-T-21). Returns the winner of the match.
    int score_sum(const Rules& rules) {
        Score& s = score_;
        for (int side = 0; side < 2; ++side) s.points[side] += points_[side];
        ++s.hands;
        const int best = leading_side(s.points);
        if (std::max(s.points[0], s.points[1]) >= rules.target) return best == DRAWN ? 1 : best;
        if (!rules.max_hands || s.hands < rules.max_hands) return UNDECIDED;
        if (best != DRAWN) return best;
        int steps = rules.limit_tiebreak;
        while (steps % 4 == OTHER_CRITERION) steps /= 4;
        s.extra = steps % 4 == EXTRA_HANDS;
        return s.extra ? UNDECIDED : DRAWN;
    }

    std::array<Cards, 4> hand_{}, played_{}, given_{}, received_{};
    Cards trick_ = 0;
    std::array<std::uint8_t, 52>
        play_order_{};  // place of each card in the order of play of the hand, from 1; 0: not played
    std::uint8_t cards_played_ = 0;
    Phase phase_ = BID;
    Kind kind_ = OPEN;
    std::array<std::int8_t, 4> bid_{NONE, NONE, NONE, NONE};  // a card, or WORD_BID + a word
    std::array<std::int8_t, 4> spoken_{}, answer_{};
    std::int8_t shown_ = 0;  // seats with a revealed bid, one bit each
    std::int8_t bidder_ = NONE, soloist_ = NONE, last_ = NONE, active_ = 15;
    std::int8_t led_ = NONE, leader_ = 0, best_ = 0, winner_ = 0, trick_seats_ = 0;
    std::int8_t tricks_[2] = {0, 0};
    std::int8_t scorer_ = NONE;
    bool redealt_ = false;
    int turn_ = 0, dealer_ = 0;
    std::int32_t points_[2] = {0, 0};
    Score score_;
};

}  // namespace nousu::NOUSU_ISA
