// Environment of Huutopussi: every option except an auction without a highest bid. The cards of an exchange are chosen
// one by one. The Python rules (src/nousu/games/huutopussi) are the authority; tests/env plays hands by both.
#pragma once
#include <algorithm>

#include "common/play_rules.h"
#include "env/lanes.h"

namespace nousu::NOUSU_ISA {

// clang-format off: it breaks this list again and again
#define NOUSU_HUUTOPUSSI_RULES(X) \
    X(card_values) X(last_trick) X(marriage_values) X(min_bid) X(bid_step) X(ceiling) X(most) X(forced_opening) \
    X(all_pass) X(exchange_cards) X(contract_timing) X(redeal_rule) X(redeal_window) X(declare_right) X(attempts) \
    X(lockouts) X(half_requires_card) X(answers) X(first_trick) X(failed_contract) X(trickless_declarer) \
    X(trickless_defenders) X(kontra) X(kontra_trickless) X(defender_rounding) X(bid_ban) X(reopen_if_barred) \
    X(target) X(win_condition) X(both_reach) X(equal)
// clang-format on

class Huutopussi {
public:
    // `ceiling`: the highest bid; `most`: the highest contract; both in points.
    struct Rules {
#define X(name) std::int32_t name;
        NOUSU_HUUTOPUSSI_RULES(X)
#undef X
    };
    static constexpr int RANKS = 9, BLOCKS = 2, BIDS = 100, WORDS = 222, PLANES = 12, SCALARS = 59 + BIDS;

    void open(const Rules&, int, int dealer) {
        *this = Huutopussi{};
        dealer_ = dealer;
    }

    void deal(const Rules&, const std::uint8_t* pack) {
        const Score score = score_;
        const int dealer = dealer_;
        *this = Huutopussi{};
        score_ = score;
        dealer_ = dealer;
        bid_by_.fill(NONE);
        turn_ = (dealer + 1) & 3;
        for (int i = 0; i < 36; ++i) hand_[(turn_ + i) & 3] |= bit(card_of<RANKS>(pack[i]));  // HP-GR-03
    }

    int seat() const { return turn_; }
    bool over() const { return phase_ == OVER; }

    LegalActions legal(const Rules& rules) const {
        LegalActions legal;
        switch (phase_) {
            case AUCTION: bids(rules, legal); break;
            case GIVE:
            case RETURN:
                legal.cards = hand_[turn_] & ~chosen_;
                legal.block = 1;
                break;
            case CONTRACT:  // HP-GR-09, A-H-04
                for (int points = bid_; points <= std::max(rules.most, bid_); points += 5)
                    legal.add_word(NAME + points / 5 - 1);
                break;
            case PLAY: {
                legal.cards = cards(rules);
                add_calls(rules, legal);
                if (may_double(rules)) legal.add_word(REDEAL);
                return legal;
            }
            default: return answers(rules);
        }
        if (!chosen_) redeal_demands(rules, legal);
        return legal;
    }

    void act(const Rules& rules, int action) {
        const int word = action - BLOCKS * 36, seat = turn_;
        acted_ |= 1 << seat;
        if (action < 36) return play(rules, card_of<RANKS>(action));
        if (word < 0) return choose_gift(rules, bit(card_of<RANKS>(action - 36)));
        if (word < NAME) return bid_or_pass(rules, 5 * (word + 1));
        if (word < PASS) {  // A-H-05
            contract_ = 5 * (word - NAME + 1);
            if (given_times_ == 2) return start_play(seat);
            phase_ = RETURN;
            return;
        }
        switch (word) {
            case PASS: return bid_or_pass(rules, 0);
            case REDEAL:
                if (phase_ == PLAY) {  // kontra or re (HP-WU-10)
                    ++doublings_;
                    return;
                }
                return finish(true);  // HP-GR-11
            case SAY_SIXES:           // A-H-06
                sixes_ |= 1 << (seat & 1);
                if (!(SIXES & ~(hand_[seat] | hand_[seat ^ 2]))) finish(true);
                return;
            case NO: return end_question();
            case YES:
                if (rules.half_requires_card || reply_)
                    return declare(rules, suit_of(asked_), reply_ ? seat : seat ^ 2, HALF);
                reply_ = true;  // the player who asked says whether it has the other half (HP-WU-08)
                turn_ ^= 2;
                return;
            default: break;
        }
        if (word >= YES_SUIT) return declare(rules, word - YES_SUIT, seat ^ 2, FULL);
        if (word < ASK) return declare(rules, word - DECLARE_SUIT, seat, OWN);
        ask(rules, word);
    }

    // Score the hand. Returns whether the match is over (HP-GR-34, A-H-17).
    bool settle(const Rules& rules, float* reward, std::int8_t* place) {
        for (int seat = 0; seat < 4; ++seat) reward[seat] = static_cast<float>(points_[seat & 1]);
        if (redealt_) return false;
        dealer_ = (dealer_ + 1) & 3;
        ++score_.hands;
        int reached = 0;
        for (int side = 0; side < 2; ++side) {
            score_.points[side] += points_[side];
            reached |= (score_.points[side] >= rules.target + rules.win_condition) << side;
        }
        if (reached < 3) return fill_places(reached ? reached - 1 : UNDECIDED, place);
        if (rules.both_reach == 1 && declarer() != NONE) return fill_places(declarer() & 1, place);
        if (score_.points[0] != score_.points[1]) return fill_places(score_.points[1] > score_.points[0], place);
        return fill_places(rules.equal == 1 ? DRAWN : UNDECIDED, place);
    }

    void observe(const Rules& rules, int seat, std::uint8_t* planes, std::int16_t* out) const {
        auto from = [&](int step) { return (seat + step) & 3; };
        auto rel = [&](int other) { return relative_seat(seat, other); };
        std::uint8_t* at = card_planes<RANKS>(seat, hand_, played_, trick_, planes);
        at = plane<RANKS>(seat == turn_ ? chosen_ : 0, at);
        at = plane<RANKS>(given_[seat], at);
        at = plane<RANKS>(received_[seat], at);
        std::memcpy(at, play_order_.data(), 36);
        at += 36;
        std::memset(at, 0, 2 * 36);
        for (int i = 0; halves_ && i < 8; ++i) {
            if (!(halves_ >> i & 1)) continue;
            const int card = number_of<RANKS>(i / 2 * LANE_BITS + (i & 1 ? KING : QUEEN));
            at[card] = static_cast<std::uint8_t>(rel(half_by_[i]));
            at[36 + card] = half_trick_[i];
        }

        *out++ = phase_;
        *out++ = rel(turn_);
        *out++ = rel(dealer_);
        *out++ = clip_score(bid_);
        *out++ = rel(bidder_);
        *out++ = rel(declarer());
        *out++ = clip_score(contract_);
        *out++ = static_cast<std::int16_t>(trump_ + 1);
        *out++ = static_cast<std::int16_t>(reopened_ + 2 * doublings_);
        for (int step = 0; step < 4; ++step) *out++ = passed_ >> from(step) & 1;
        for (int step = 0; step < 4; ++step) *out++ = is_barred(rules, from(step));
        for (int step = 0; step < 4; ++step) *out++ = passed_at_[from(step)];
        for (int suit = 0; suit < 4; ++suit) *out++ = marriage_kind_[suit] ? rel(marriage_by_[suit]) : std::int16_t{0};
        for (int suit = 0; suit < 4; ++suit) *out++ = marriage_kind_[suit];
        for (int suit = 0; suit < 4; ++suit) *out++ = marriage_trick_[suit];
        *out++ = may_declare(rules);
        for (int step = 0; step < 4; ++step) *out++ = own_ >> from(step) & 1;
        for (int step = 0; step < 4; ++step) *out++ = full_ >> from(step) & 1;
        *out++ = static_cast<std::int16_t>(asked_ >= 0 ? 1 + number_of<RANKS>(asked_) : 0);
        for (int step = 0; step < 4; ++step) *out++ = asked_full_[from(step)];
        for (const int side : {seat & 1, ~seat & 1}) *out++ = card_points_[side];
        for (const int side : {seat & 1, ~seat & 1}) *out++ = marriage_points_[side];
        for (const int side : {seat & 1, ~seat & 1}) *out++ = tricks_[side];
        *out++ = rel(led_ == NONE ? NONE : leader_);
        for (const int side : {seat & 1, ~seat & 1}) *out++ = sixes_ >> side & 1;
        for (const int side : {seat & 1, ~seat & 1}) *out++ = clip_score(score_.points[side]);
        *out++ = clip_score(score_.hands);
        for (int i = 0; i < BIDS; ++i) *out++ = rel(bid_by_[i]);
    }

private:
    enum Phase : std::int8_t { AUCTION, GIVE, CONTRACT, RETURN, PLAY, REPLY, OVER };
    enum MarriageKind : std::int8_t { NOBODY, OWN, FULL, HALF };
    // Words: bids and contracts in steps of five points, then all others.
    enum {
        NAME = BIDS,
        PASS = 2 * BIDS,
        REDEAL,
        SAY_SIXES,
        DECLARE_SUIT,
        ASK = DECLARE_SUIT + 4,
        ASK_HALF,                // + suit: holding the king
        ASK_LOW = ASK_HALF + 4,  // + suit: holding the queen
        YES = ASK_LOW + 4,
        YES_SUIT,
        NO = YES_SUIT + 4,
    };
    static_assert(NO + 1 == WORDS);
    static constexpr int QUEEN = 5, KING = 6;  // strengths: 6 7 8 9 J Q K 10 A (HP-GR-12)
    static constexpr Cards EACH = 0x0001000100010001ull;
    static constexpr Cards SIXES = EACH, ACES = EACH << 8, ABOVE_JACK = EACH * 0x1E0;  // Q K 10 A

    struct Score {
        std::int32_t points[2] = {0, 0}, hands = 0;
    };

    int declarer() const { return phase_ == AUCTION ? NONE : bidder_; }

    // -- auction and redeals

    // Whether the seat may not bid (HP-GR-33, A-H-07).
    bool is_barred(const Rules& rules, int seat) const {
        constexpr int BANS[] = {0, -1, -250, -500};
        if (!rules.bid_ban || reopened_) return false;
        const int ban = BANS[rules.bid_ban];
        return score_.points[seat & 1] <= ban &&
               !(rules.reopen_if_barred && std::max(score_.points[0], score_.points[1]) <= ban);
    }

    // Legal bids (HP-GR-04…06).
    void bids(const Rules& rules, LegalActions& legal) const {
        constexpr int STEPS[] = {5, 10, 20};
        const bool opening = rules.forced_opening && !bid_;
        if (!opening) legal.add_word(PASS);
        if (is_barred(rules, turn_)) {
            if (opening) legal.add_word(rules.min_bid / 5 - 1);
            return;
        }
        const int step = STEPS[rules.bid_step];
        for (int points = std::max(rules.min_bid, bid_ + step); points <= rules.ceiling; points += step)
            legal.add_word(points / 5 - 1);
    }

    // Legal demands of a redeal (HP-GR-11, A-H-06).
    void redeal_demands(const Rules& rules, LegalActions& legal) const {
        const bool now = phase_ == AUCTION ? rules.redeal_window != 0 || !(acted_ >> turn_ & 1)
                                           : rules.redeal_window == 2 && given_times_ < 2;
        if (!now) return;
        const Cards hand = hand_[turn_];
        if (rules.redeal_rule == 0 && (count(hand & SIXES) >= 3 || !(hand & ABOVE_JACK))) legal.add_word(REDEAL);
        if (rules.redeal_rule == 1 && !(sixes_ >> (turn_ & 1) & 1)) legal.add_word(SAY_SIXES);
    }

    // A bid in points, or 0 for a pass (HP-GR-06, HP-GR-07).
    void bid_or_pass(const Rules& rules, int points) {
        if (points) {
            bid_ = points;
            bidder_ = static_cast<std::int8_t>(turn_);
            bid_by_[points / 5 - 1] = static_cast<std::int8_t>(turn_);
        } else {
            passed_ |= 1 << turn_;
            passed_at_[turn_] = clip_score(bid_);
        }
        if (bidder_ != NONE && (count(15 & ~passed_) == 1 || bid_ == rules.ceiling)) {
            phase_ = GIVE;  // HP-GR-08
            turn_ = bidder_ ^ 2;
            return;
        }
        if (passed_ != 15) {
            turn_ = next_seat(15, passed_, turn_, NONE);
            return;
        }
        const int forehand = (dealer_ + 1) & 3;
        if (rules.reopen_if_barred) {  // A-H-07
            int again = 0;
            for (int seat = 0; seat < 4; ++seat) again |= is_barred(rules, seat) << seat;
            if (again) {
                passed_ = 15 & ~again;
                reopened_ = true;
                turn_ = again >> forehand & 1 ? forehand : next_seat(again, 0, forehand, NONE);
                return;
            }
        }
        if (rules.all_pass == 1) return finish(true);  // A-H-19
        start_play(forehand);
    }

    // -- exchange

    void choose_gift(const Rules& rules, Cards card) {
        chosen_ |= card;
        if (count(chosen_) < 3 + rules.exchange_cards) return;
        const int to = turn_ ^ 2;
        hand_[turn_] ^= chosen_;
        given_[turn_] |= chosen_;
        hand_[to] |= chosen_;
        received_[to] |= chosen_;
        chosen_ = 0;
        if (++given_times_ == 1) {  // HP-GR-09, HP-GR-10, A-H-05
            turn_ = to;
            phase_ = rules.contract_timing == 0 ? CONTRACT : RETURN;
        } else if (contract_) {
            start_play(turn_);
        } else {
            phase_ = CONTRACT;
        }
    }

    void start_play(int leader) {  // HP-GR-15
        turn_ = leader;
        phase_ = PLAY;
    }

    // -- tricks

    Cards cards(const Rules& rules) const {  // A-H-14, A-H-21
        const Cards legal = legal_cards(hand_[turn_], led_, best_, trump_, true);
        if (rules.first_trick == 0 || tricks_[0] + tricks_[1]) return legal;
        const Cards aces = legal & ACES;
        if (led_ != NONE) return aces & lane(led_) ? aces & lane(led_) : legal;
        return aces ? aces : legal & lane(0) ? legal & lane(0) : legal;
    }

    void play(const Rules& rules, int card) {
        const int seat = turn_;
        hand_[seat] ^= bit(card);
        played_[seat] |= bit(card);
        trick_ |= bit(card);
        play_order_[number_of<RANKS>(card)] = ++cards_played_;
        attempted_ = false;
        trick_points_ = static_cast<std::int16_t>(trick_points_ + value(rules, card & 15));
        if (led_ == NONE) {
            led_ = static_cast<std::int8_t>(suit_of(card));
            leader_ = winner_ = static_cast<std::int8_t>(seat);
            best_ = static_cast<std::int8_t>(card);
        } else if (beats(card, best_, led_, trump_)) {  // HP-GR-20
            best_ = static_cast<std::int8_t>(card);
            winner_ = static_cast<std::int8_t>(seat);
        }
        turn_ = (seat + 1) & 3;
        if (turn_ != leader_) return;
        turn_ = winner_;
        led_ = NONE;
        trick_ = 0;
        card_points_[turn_ & 1] = static_cast<std::int16_t>(card_points_[turn_ & 1] + trick_points_);
        trick_points_ = 0;
        ++tricks_[turn_ & 1];
        if (tricks_[0] + tricks_[1] == 9) score_hand(rules);
    }

    static int value(const Rules& rules, int strength) {  // HP-GR-13, A-H-15
        constexpr std::int8_t WORTH[3][9] = {
            {0, 0, 0, 0, 5, 5, 5, 10, 10}, {0, 0, 0, 0, 2, 3, 4, 10, 11}, {0, 0, 0, 0, 0, 5, 5, 10, 10}};
        return WORTH[rules.card_values][strength];
    }

    // -- marriages

    // Whether the leader may declare or ask now (HP-GR-21, HP-GR-22, A-H-08, A-H-09).
    bool may_declare(const Rules& rules) const {
        if (phase_ != PLAY || led_ != NONE || !cards_played_ || attempted_) return false;
        if (rules.attempts == 1 && attempts_ >> turn_ & 1) return false;
        return rules.declare_right == 1 || leader_ == winner_;
    }

    static Cards pair(int suit) { return (bit(KING) | bit(QUEEN)) << LANE_BITS * suit; }

    void add_calls(const Rules& rules, LegalActions& legal) const {  // HP-GR-23…27, A-H-11
        if (!may_declare(rules)) return;
        const Cards hand = hand_[turn_];
        bool any = false;
        for (int suit = 0; suit < 4; ++suit) {
            if (marriage_kind_[suit]) continue;
            any = true;
            if (own_ >> turn_ & 1 && !(pair(suit) & ~hand)) legal.add_word(DECLARE_SUIT + suit);
            const bool suits = !rules.half_requires_card;  // HP-WU-07: a suit is named by its king
            if (suits || hand >> (LANE_BITS * suit + KING) & 1) legal.add_word(ASK_HALF + suit);
            if (!suits && hand >> (LANE_BITS * suit + QUEEN) & 1) legal.add_word(ASK_LOW + suit);
        }
        if (any && full_ >> turn_ & 1) legal.add_word(ASK);
    }

    // Whether the seat on turn may say kontra, or re (HP-WU-10, A-H-23).
    bool may_double(const Rules& rules) const {
        if (bidder_ == NONE || doublings_ >= rules.kontra) return false;
        return ((turn_ ^ bidder_) & 1) == !(doublings_ & 1) && count(hand_[turn_]) >= 9 - doublings_;
    }

    // The seat has declared or asked before this lead, or for the whole hand (A-H-09).
    void spend_attempt(const Rules& rules, int seat) {
        attempted_ = true;
        if (rules.attempts == 0) return;
        attempts_ |= 1 << seat;
        own_ &= ~(1 << seat), full_ &= ~(1 << seat);
    }

    // Ask the partner for a marriage (HP-GR-24, HP-GR-25, A-H-12).
    void ask(const Rules& rules, int word) {
        const int seat = turn_, mate = seat ^ 2;
        const auto trick = static_cast<std::int8_t>(tricks_[0] + tricks_[1] + 1);
        const bool half = word != ASK;
        spend_attempt(rules, seat);
        if (rules.lockouts == 0) {
            own_ &= ~(1 << seat);
            full_ &= ~(1 << mate);
            if (half) own_ &= ~(1 << mate), full_ &= ~(1 << seat);
        }
        if (half) {
            const bool king = word < ASK_LOW;
            const int suit = word - (king ? ASK_HALF : ASK_LOW), place = 2 * suit + king;
            asked_ = static_cast<std::int8_t>(LANE_BITS * suit + (king ? KING : QUEEN));
            halves_ |= 1 << place;
            half_by_[place] = static_cast<std::int8_t>(seat);
            half_trick_[place] = static_cast<std::uint8_t>(trick);
        } else {
            asked_full_[seat] = trick;
        }
        phase_ = REPLY;
        turn_ = mate;
    }

    LegalActions answers(const Rules& rules) const {  // A-H-10
        LegalActions legal;
        const Cards hand = hand_[turn_];
        bool yes = false;
        if (asked_ >= 0) {
            yes = pair(suit_of(asked_)) & (rules.half_requires_card ? ~bit(asked_) : ~Cards{0}) & hand;
            if (yes) legal.add_word(YES);
        } else {
            for (int suit = 0; suit < 4; ++suit)
                if (!marriage_kind_[suit] && !(pair(suit) & ~hand)) legal.add_word(YES_SUIT + suit), yes = true;
        }
        if (!yes || rules.answers == 1) legal.add_word(NO);
        return legal;
    }

    void end_question() {
        asked_ = NONE;
        phase_ = PLAY;
        if (!reply_) turn_ ^= 2;
        reply_ = false;
    }

    // The suit becomes trump; earlier marriages keep their points (HP-GR-23, HP-GR-28, A-H-13, A-H-16).
    void declare(const Rules& rules, int suit, int by, MarriageKind kind) {
        constexpr std::int16_t VALUES[2][4] = {{40, 100, 80, 60}, {100, 80, 60, 40}};
        if (phase_ == REPLY) end_question();
        if (kind == OWN) spend_attempt(rules, by);
        trump_ = static_cast<std::int8_t>(suit);
        marriage_kind_[suit] = kind;
        marriage_by_[suit] = static_cast<std::int8_t>(by);
        marriage_trick_[suit] = static_cast<std::int8_t>(tricks_[0] + tricks_[1] + 1);
        marriage_points_[by & 1] =
            static_cast<std::int16_t>(marriage_points_[by & 1] + VALUES[rules.marriage_values][suit]);
    }

    // -- result

    void finish(bool redealt) {
        phase_ = OVER;
        redealt_ = redealt;
    }

    static int rounded(const Rules& rules, int earned) {
        return rules.defender_rounding ? (earned + 2) / 5 * 5 : earned;
    }

    // Points of both sides (HP-GR-14, HP-GR-29…32, A-H-02, A-H-03, A-H-19, A-H-20).
    void score_hand(const Rules& rules) {
        int earned[2];
        for (int side = 0; side < 2; ++side)
            earned[side] = card_points_[side] + marriage_points_[side] + (side == (turn_ & 1) ? rules.last_trick : 0);
        finish(false);
        if (bidder_ == NONE) {
            for (int side = 0; side < 2; ++side) points_[side] = rounded(rules, earned[side]);
            return;
        }
        const int side = bidder_ & 1, other = 1 - side;
        const bool made = earned[side] >= contract_;
        if (made)
            points_[side] = contract_;
        else if (!tricks_[side])
            points_[side] = -contract_ * (1 + rules.trickless_declarer);
        else
            points_[side] = rules.failed_contract == 0 ? -contract_ : 0;
        if (tricks_[side] || rules.kontra_trickless == 0)  // HP-WU-11, HP-WU-12, A-H-24
            points_[side] *= 1 << (doublings_ - (doublings_ && !made && !tricks_[other]));
        const int loss[] = {0, bid_, contract_, 2 * contract_, made ? 2 * contract_ : 0};
        points_[other] = tricks_[other] ? rounded(rules, earned[other]) : -loss[rules.trickless_defenders];
    }

    std::array<Cards, 4> hand_{}, played_{}, given_{}, received_{};
    Cards trick_ = 0, chosen_ = 0;
    std::array<std::uint8_t, 36> play_order_{};
    std::array<std::int8_t, BIDS> bid_by_{};
    std::array<std::uint8_t, 8> half_trick_{};
    std::array<std::int8_t, 8> half_by_{};
    std::array<std::int16_t, 4> passed_at_{};
    std::array<std::int8_t, 4> marriage_kind_{}, marriage_by_{}, marriage_trick_{}, asked_full_{};
    std::int16_t card_points_[2] = {0, 0}, marriage_points_[2] = {0, 0}, trick_points_ = 0;
    std::int8_t tricks_[2] = {0, 0};
    std::uint8_t cards_played_ = 0;
    Phase phase_ = AUCTION;
    std::int8_t bidder_ = NONE, trump_ = NONE, asked_ = NONE;
    std::int8_t led_ = NONE, leader_ = 0, winner_ = 0, best_ = NONE;
    std::int8_t given_times_ = 0, doublings_ = 0;
    int passed_ = 0, acted_ = 0, sixes_ = 0, own_ = 15, full_ = 15, halves_ = 0, attempts_ = 0;
    bool reopened_ = false, attempted_ = false, redealt_ = false, reply_ = false;
    std::int32_t bid_ = 0, contract_ = 0, points_[2] = {0, 0};
    int turn_ = 0, dealer_ = 0;
    Score score_;
};

}  // namespace nousu::NOUSU_ISA
