// Environment of the Tuppen family (Tuppen, Siebenschräm, Toepen): every option except a director's penalties. The
// Python rules (src/nousu/games/tuppen) are the authority; tests/env plays hands by both.
#pragma once
#include <algorithm>

#include "common/play_rules.h"
#include "env/lanes.h"

namespace nousu::NOUSU_ISA {

// clang-format off: it breaks this list again and again
#define NOUSU_TUPPEN_RULES(X) \
    X(start_points) X(deal_batches) X(four_pictures) X(raise_timing) X(raise_cap) X(raiser_may_leave) \
    X(blind_raise) X(leave_cost) X(voluntary_leave) X(leaver_cards) X(poor_man) X(poor_man_raises) \
    X(poor_playoff) X(poor_man_leads_first) X(same_hand_deaths) X(dead_playoff) X(next_dealer) \
    X(eight_card_endgame) X(penalty_points) X(white_wash) X(two_to_three) X(raise_in_answer) \
    X(poor_man_leads_always) X(last_jack) X(game_form)
// clang-format on

class Tuppen {
public:
    struct Rules {
#define X(name) std::int32_t name;
        NOUSU_TUPPEN_RULES(X)
#undef X
    };
    static constexpr int RANKS = 8, BLOCKS = 1, MOST = 8, PACKETS = 6;
    static constexpr int WORDS = 8 + PACKETS, PLANES = 13, SCALARS = 12 + 11 * MOST + 2 * PACKETS;

    void open(const Rules& rules, int seats, int dealer) {
        *this = Tuppen{};
        seats_ = seats;
        dealer_ = dealer;
        restart(rules);
    }

    // Begin a hand of the seats that take part; blind raises come before the cards (TU-ZK-V4).
    void deal(const Rules& rules, const std::uint8_t* pack) {
        const Standing standing = standing_;
        const int seats = seats_, dealer = dealer_;
        *this = Tuppen{};
        standing_ = standing;
        seats_ = seats;
        dealer_ = dealer;
        std::memcpy(pack_.data(), pack, pack_.size());
        kind_ = standing.eights ? EIGHT : standing.dead ? DEAD : standing.deciding ? DECIDING : REGULAR;
        const int special = standing.eights ? standing.eights : standing.dead ? standing.dead : standing.deciding;
        group_ = in_hand_ = special ? special : alive();
        eight_ =
            kind_ == EIGHT ? count(group_) <= 4 : rules.eight_card_endgame && kind_ == REGULAR && count(group_) == 2;
        for (int seat = 0; seat < seats; ++seat) points_[seat] = standing.points[seat];
        if (!rules.blind_raise || !ask_blind(rules)) give_out(rules);
        offer_interrupts(rules);
    }

    int seat() const { return seat_to_act_; }
    bool over() const { return ended_ != RUNNING; }

    LegalActions legal(const Rules& rules) const {
        LegalActions legal;
        const int seat = seat_to_act_;
        if (seat != owed()) {
            interrupts(rules, seat, legal);
            legal.add_word(SILENT);
            return legal;
        }
        switch (topic_) {
            case BLIND: legal.add_word(SAY_LOOK), legal.add_word(SAY_BLIND); break;
            case PICTURES:
                // A-U-03, A-U-30
                if (rules.four_pictures != COMPULSORY || !is_true_claim(rules, hand_[seat])) legal.add_word(KEEP);
                if (is_true_claim(rules, hand_[seat]) || may_bluff(rules)) legal.add_word(LAY);
                interrupts(rules, seat, legal);
                break;
            case POOR: legal.add_word(HOLD), legal.add_word(LEAVE); break;
            case RAISE:  // TU-ZK-III2f, A-U-07, A-U-09
                legal.add_word(HOLD);
                if (!must_hold(rules, seat)) legal.add_word(LEAVE);
                if (rules.raise_in_answer && may_raise_again(rules, seat)) legal.add_word(SAY_RAISE);
                break;
            default: {  // TU-ZK-II3
                const Cards same = trick_size_ ? hand_[seat] & lane(suit_of(trick_card_[0])) : 0;
                legal.cards = same ? same : hand_[seat];
                interrupts(rules, seat, legal);
            }
        }
        return legal;
    }

    void act(const Rules& rules, int action) {
        const int seat = seat_to_act_, word = action - BLOCKS * 32;
        if (word == SILENT) {
            silent_ |= 1 << seat;
            offer_interrupts(rules);
            return;
        }
        silent_ = 0;
        if (word < 0) {
            play(rules, seat, card_of<RANKS>(action));
            if (finished()) ended_ = WON;
            offer_interrupts(rules);
            return;
        }
        if (word >= CHALLENGE) {
            show_packet(rules, seat, word - CHALLENGE);
        } else if (word == LAY && rules.four_pictures == REDEAL) {
            ended_ = REDEALT;
            return;
        } else if (word == LAY) {
            lay_pictures(seat);
        } else if (word == SAY_RAISE && topic_ == RAISE) {
            raise_again(seat);
        } else if (word == SAY_RAISE) {
            ask_raise(seat);
        } else {
            if (topic_ != NO_QUESTION) answered_ |= 1 << seat;
            if (word == SAY_BLIND) {
                blind_ |= 1 << seat, blind_order_[blinds_++] = static_cast<std::int8_t>(seat);
                if (rules.two_to_three) asked_count_ = 0;  // A-U-35: only the first who says so
            }
            if (word == LEAVE) leave(rules, seat);
        }
        advance(rules);
        offer_interrupts(rules);
    }

    // Score the hand (TU-ZK-III3, TU-ZK-III4, A-U-16, A-U-17). Returns whether the match is over.
    bool settle(const Rules& rules, float* reward, std::int8_t* place) {
        Standing& s = standing_;
        if (ended_ == REDEALT) {  // the same dealer deals again
            for (int seat = 0; seat < seats_; ++seat) reward[seat] = 0;
            return false;
        }
        const std::array<std::int8_t, MOST> start = s.points;
        const int winner =
            count(in_hand_) == 1 ? lowest(in_hand_) : best(last_card_, last_seat_, last_plays_, in_hand_);
        const int cost = kind_ == REGULAR ? stake_ : kind_ == DECIDING ? 1 : 0;  // TU-ZK-II1b, A-U-17, TU-ZK-III3b
        for (int seat = 0; seat < seats_; ++seat) {
            if (in_hand_ >> seat & 1 && seat != winner)
                points_[seat] = static_cast<std::int8_t>(std::max(0, points_[seat] - cost));
            if (rules.last_jack && kind_ == REGULAR && seat == winner && has_last_jack(winner)) ++points_[seat];
            s.points[seat] = points_[seat];
            reward[seat] = static_cast<float>(points_[seat] - start[seat]);
        }
        if (rules.game_form == HALVES) {
            if (kills_) s.gone = killed_[0];
        } else {
            place_killed(s.places);
        }
        if (kind_ == EIGHT && rules.game_form == HALVES) {
            lose_game(lowest(s.eights & ~(1 << winner)));
        } else if (kind_ == EIGHT) {  // A-U-37
            s.places[winner] = s.best++;
            s.next_dealer = static_cast<std::int8_t>(winner);
            s.last_dealer = static_cast<std::int8_t>(dealer_);
        } else if (kind_ == DEAD) {
            if (rules.game_form != HALVES) s.places[winner] = s.best++;
            s.dead &= ~(1 << winner);
        } else {
            s.dead = 0;
            int placed = 0;
            for (int seat = 0; seat < seats_; ++seat) {
                if (s.places[seat])
                    ++placed;
                else if (!s.points[seat])
                    s.dead |= 1 << seat;
            }
            s.best = static_cast<std::int8_t>(seats_ - placed - count(s.dead) + 1);
            s.deciding = 0;
            if (kind_ == REGULAR) {
                s.were_poor |= poor_;
                s.before = start;
                s.seeks_poor_men = true;
                s.next_dealer = static_cast<std::int8_t>(winner);
                s.last_dealer = static_cast<std::int8_t>(dealer_);
            }
        }
        resolve(rules);
        const bool rotates = rules.next_dealer == 1 && !s.dead && !s.deciding && !s.eights;  // A-U-19
        const int first = rotates ? s.last_dealer + 1 : s.next_dealer;
        dealer_ = first % seats_;
        for (int step = 0; step < seats_; ++step)
            if (s.points[(first + step) % seats_]) {
                dealer_ = (first + step) % seats_;
                break;
            }
        for (int seat = 0; seat < seats_; ++seat)
            if (!s.places[seat]) return false;
        std::memcpy(place, s.places.data(), static_cast<std::size_t>(seats_));
        return true;
    }

    void observe(const Rules& rules, int seat, std::uint8_t* planes, std::int16_t* out) const {
        std::array<int, MOST> around{};  // the seats clockwise from the observer
        for (int step = 0; step < seats_; ++step) around[step] = wrap(seat + step);
        auto rel = [&](int other) {
            return static_cast<std::int16_t>(other == NONE ? 0 : 1 + wrap(other - seat + seats_));
        };
        std::memset(out, 0, sizeof(std::int16_t) * SCALARS);
        auto each = [&](auto value) {
            for (int step = 0; step < seats_; ++step) out[step] = static_cast<std::int16_t>(value(around[step]));
            out += MOST;
        };
        auto members = [&](int set) { each([=](int other) { return set >> other & 1; }); };
        planes = plane<RANKS>(hand_[seat], planes);
        for (int step = 0; step < MOST; ++step)
            planes = plane<RANKS>(step < seats_ ? played_[around[step]] : 0, planes);
        Cards trick = 0, laid = 0, open = 0;
        for (int i = 0; i < trick_size_; ++i) trick |= bit(trick_card_[i]);
        for (int i = 0; i < packets_; ++i) {
            if (owner_[i] == seat) laid |= packet_[i];
            if (shown_ >> i & 1) open |= packet_[i];
        }
        planes = plane<RANKS>(trick, planes);
        planes = plane<RANKS>(laid, planes);
        planes = plane<RANKS>(open, planes);
        std::memcpy(planes, play_order_.data(), play_order_.size());

        *out++ = topic_;
        *out++ = rel(seat_to_act_);
        *out++ = rel(dealer_);
        *out++ = static_cast<std::int16_t>(seats_);
        *out++ = kind_;
        *out++ = stake_;
        *out++ = rel(last_raiser_);
        *out++ = rel(topic_ == NO_QUESTION ? NONE : asker_);
        *out++ = rel(dealt_ && !over() ? turn_ : NONE);
        *out++ = rel(trick_size_ ? trick_seat_[0] : NONE);
        *out++ = static_cast<std::int16_t>(dealt_ ? 32 - dealt_count_ : 0);
        *out++ = tricks_;
        std::array<std::int8_t, MOST> placed = standing_.places;
        if (rules.game_form != HALVES) place_killed(placed);
        int waiting = 0;
        for (int i = 0; topic_ != NO_QUESTION && i < asked_count_; ++i) waiting |= 1 << asked_seats_[i];
        each([&](int other) { return points_[other]; });
        each([&](int other) { return placed[other]; });
        members(group_);
        members(in_hand_);
        each([&](int other) { return count(hand_[other]); });
        members(waiting & ~answered_);
        each([&](int other) { return raises_[other]; });
        members(poor_);
        members(blind_);
        each([&](int other) { return standing_.points[other] - points_[other]; });
        members(standing_.were_poor);
        for (int i = 0; i < PACKETS; ++i) *out++ = i < packets_ ? rel(owner_[i]) : std::int16_t{0};
        for (int i = 0; i < PACKETS; ++i) *out++ = static_cast<std::int16_t>(i < packets_ ? 1 + (shown_ >> i & 1) : 0);
    }

private:
    enum Topic : std::int8_t { BLIND, PICTURES, POOR, RAISE, NO_QUESTION };
    enum HandKind : std::int8_t { REGULAR, DEAD, DECIDING, EIGHT };
    enum Ended : std::int8_t { RUNNING, WON, REDEALT };
    enum Word { KEEP, LAY, HOLD, LEAVE, SAY_RAISE, SAY_LOOK, SAY_BLIND, SILENT, CHALLENGE };
    enum { CLAIM_CHALLENGE, CLAIM_HONEST, COMPULSORY, REDEAL, NO_PICTURES };  // four_pictures
    enum { SURVIVOR, HALVES, EIGHT_CARDS };                                   // game_form
    enum { ASK_TWO, FIXED_TWO, PER_POOR, NO_POOR_MAN };                       // poor_man
    enum { SIMULTANEOUS, ANY, NO_PLAYOFF };                                   // poor_playoff
    static constexpr Cards ALL_PICTURES = 0x000F000F000F000Full;              // jacks, queens, kings, aces (TU-ZK-II2b)
    static constexpr Cards ALL_SEVENS = 0x0010001000100010ull;

    // Four pictures, or three and a seven where that will do (A-U-31).
    static bool is_true_claim(const Rules& rules, Cards cards) {
        const Cards others = cards & ~ALL_PICTURES;
        return !others || (rules.white_wash && !(others & ~ALL_SEVENS) && !(others & (others - 1)));
    }

    // Whether the last trick was completed with a jack of this seat (A-U-33).
    bool has_last_jack(int seat) const {
        if (count(in_hand_) == 1) return false;
        for (int i = 0; i < last_plays_; ++i)
            if (last_seat_[i] == seat) return last_card_[i] % 16 == 0;
        return false;
    }

    // Points and places between hands, and the seats of the next hand (TU-ZK-III3b, TU-ZK-III4).
    struct Standing {
        std::array<std::int8_t, MOST> points{}, places{}, before{};
        int dead = 0, deciding = 0, were_poor = 0, eights = 0, hung = 0;
        int gone = NONE;  // seat that went out by a penalty in this half
        std::int8_t best = 0, next_dealer = 0, last_dealer = 0;
        bool seeks_poor_men = false;  // new poor men are due, compared with the points `before`
    };

    // Seats with points, one bit each.
    int alive() const {
        int result = 0;
        for (int seat = 0; seat < seats_; ++seat)
            if (standing_.points[seat]) result |= 1 << seat;
        return result;
    }

    // A seat killed within the hand gets the worst open place (A-U-21).
    void place_killed(std::array<std::int8_t, MOST>& places) const {
        for (int i = 0; i < kills_; ++i) {
            int open = 0;
            for (int seat = 0; seat < seats_; ++seat) open += !places[seat] && !(standing_.dead >> seat & 1);
            places[killed_[i]] = static_cast<std::int8_t>(open);
        }
    }

    // Begin a game: full points, no places.
    void restart(const Rules& rules) {
        standing_ = Standing{};
        for (int seat = 0; seat < seats_; ++seat) standing_.points[seat] = static_cast<std::int8_t>(rules.start_points);
        if (rules.game_form != EIGHT_CARDS) return;
        standing_.eights = (1 << seats_) - 1;
        standing_.best = 1;
    }

    // End a game of two halves: `loser` is last, all others share the first place (A-U-36).
    void lose_game(int loser) {
        for (int seat = 0; seat < seats_; ++seat)
            standing_.places[seat] = static_cast<std::int8_t>(seat == loser ? seats_ : 1);
        standing_.eights = standing_.dead = standing_.deciding = 0;
    }

    // Follow up a lost half: the next half, eight cards or the end (A-U-36).
    void end_half(const Rules& rules) {
        const Standing before = standing_;
        const int loser = before.gone != NONE ? before.gone : count(before.dead) == 1 ? lowest(before.dead) : NONE;
        if (loser == NONE) return;
        if (before.eights || before.hung >> loser & 1) return lose_game(loser);
        restart(rules);
        standing_.hung = before.hung | 1 << loser;
        if (before.hung) {
            standing_.eights = standing_.hung;
            standing_.next_dealer = before.next_dealer;
            standing_.last_dealer = before.last_dealer;
        } else {
            standing_.next_dealer = static_cast<std::int8_t>((loser + seats_ - 1) % seats_);
            standing_.last_dealer = static_cast<std::int8_t>((loser + 2 * seats_ - 2) % seats_);
        }
    }

    // Take seats with a place out of the eight-card hands; the last one gets the last open place (A-U-37).
    void leave_eights() {
        Standing& s = standing_;
        for (int seat = 0; seat < seats_; ++seat)
            if (s.places[seat]) s.eights &= ~(1 << seat);
        if (count(s.eights) != 1) return;
        s.places[lowest(s.eights)] = s.best;
        s.eights = 0;
    }

    // Settle the places that are certain, and the seats of the next hand.
    void resolve(const Rules& rules) {
        Standing& s = standing_;
        const bool halves = rules.game_form == HALVES;
        if (halves)
            end_half(rules);
        else if (s.eights)
            leave_eights();
        if (s.eights || std::all_of(s.places.begin(), s.places.begin() + seats_, [](int place) { return place; }))
            return;
        if (!halves && s.dead && (count(s.dead) == 1 || !rules.dead_playoff)) {  // A-U-17
            for (int seat = 0; seat < seats_; ++seat)
                if (s.dead >> seat & 1) s.places[seat] = s.best;
            s.dead = 0;
        }
        const int living = alive();
        if (!halves && count(living) == 1 && !s.places[lowest(living)]) s.places[lowest(living)] = 1;  // TU-ZK-II1c
        s.deciding &= living;
        if (s.seeks_poor_men && !s.dead) {  // A-U-16
            s.seeks_poor_men = false;
            s.deciding = 0;
            for (int seat = 0; rules.poor_man != NO_POOR_MAN && rules.poor_playoff != NO_PLAYOFF && seat < seats_;
                 ++seat)
                if (s.points[seat] == 1 && (rules.poor_playoff == ANY || s.before[seat] > 1)) s.deciding |= 1 << seat;
        }
        if (count(s.deciding) < 2) s.deciding = 0;
    }

    // -- questions

    // A seat number beyond the last one, at most once around. A modulo would take most of the time of a step.
    int wrap(int seat) const { return seat < seats_ ? seat : seat - seats_; }

    // Call `each` for the seats of a set, clockwise from `first`.
    template <class Do>
    void clockwise(int first, int set, Do&& each) const {
        for (int step = 0, seat = wrap(first); step < seats_; ++step, seat = wrap(seat + 1))
            if (set >> seat & 1) each(seat);
    }

    // The seat that the table waits for; NONE when a question has been answered.
    int owed() const {
        if (topic_ == NO_QUESTION) return turn_;
        for (int i = 0; i < asked_count_; ++i)
            if (!(answered_ >> asked_seats_[i] & 1)) return asked_seats_[i];
        return NONE;
    }

    void ask(Topic topic, int first, int set, int by) {
        topic_ = topic;
        asker_ = static_cast<std::int8_t>(by);
        answered_ = 0;
        asked_count_ = 0;
        clockwise(first, set, [&](int seat) { asked_seats_[asked_count_++] = static_cast<std::int8_t>(seat); });
    }

    // Offer the turn first to seats that may interrupt, once after each action (A-U-08).
    void offer_interrupts(const Rules& rules) {
        if (over()) return;
        const int turn = owed();
        seat_to_act_ = turn;
        if (topic_ != NO_QUESTION && topic_ != PICTURES) return;
        if (!may_interrupt(rules)) return;
        for (int step = 1, seat = wrap(turn + 1); step < seats_; ++step, seat = wrap(seat + 1)) {
            if (!(in_hand_ >> seat & 1) || silent_ >> seat & 1) continue;
            LegalActions result;
            interrupts(rules, seat, result);
            if (result.words[0]) {
                seat_to_act_ = seat;
                return;
            }
        }
    }

    // Whether any seat could interrupt.
    bool may_interrupt(const Rules& rules) const {
        if (may_bluff(rules) && packets_) return true;
        if (topic_ != NO_QUESTION || kind_ != REGULAR) return false;
        if (rules.voluntary_leave) return true;
        return rules.raise_timing == 0 && !eight_ && !(rules.poor_man_raises == 1 && poor_ & in_hand_);
    }

    void interrupts(const Rules& rules, int seat, LegalActions& legal) const {
        if (topic_ == NO_QUESTION) {
            if (may_raise(rules, seat, false)) legal.add_word(SAY_RAISE);
            if (rules.voluntary_leave && kind_ == REGULAR && !must_hold(rules, seat)) legal.add_word(LEAVE);  // A-U-22
        }
        if (!may_bluff(rules) || !hand_[seat]) return;
        for (int i = 0; i < packets_; ++i)  // TU-ZK-IV9, A-U-04
            if (owner_[i] != seat && in_hand_ >> owner_[i] & 1 && !(shown_ >> i & 1)) legal.add_word(CHALLENGE + i);
    }

    bool must_hold(const Rules& rules, int seat) const { return !rules.raiser_may_leave && raises_[seat]; }

    bool may_bluff(const Rules& rules) const { return rules.four_pictures == CLAIM_CHALLENGE && kind_ == REGULAR; }

    // Whether the seat may raise (TU-ZK-III2a, TU-ZK-III2e, TU-ZK-III2f, A-U-06, A-U-08, A-U-15, A-U-18, TU-ZK-V5).
    bool may_raise(const Rules& rules, int seat, bool blind) const {
        if (kind_ != REGULAR || eight_) return false;
        if (rules.poor_man_raises == 1 && poor_ & in_hand_) return false;
        if (last_raiser_ == seat) return false;
        return stake_ + 1 <= cap_of(rules, seat) + blind && (blind || rules.raise_timing == 0 || owed() == seat);
    }

    int cap_of(const Rules& rules, int seat) const {
        int cap = points_[seat] + (rules.raise_cap == 0);
        if (rules.raise_cap == 2) {
            cap = 0;
            for (int other = 0; other < seats_; ++other)
                if (in_hand_ >> other & 1) cap = std::max<int>(cap, points_[other]);
        }
        return seat == dared_ ? std::max(cap, 3) : cap;  // A-U-35
    }

    // Whether a seat that is asked may raise at once, as if all had gone along (A-U-34).
    bool may_raise_again(const Rules& rules, int seat) const {
        Tuppen later = *this;
        ++later.stake_;
        later.last_raiser_ = asker_;
        return later.may_raise(rules, seat, false);
    }

    // -- before the tricks

    // The poor men of a set of seats, and the first of them from the dealer's left.
    struct PoorMen {
        int seats = 0, first = NONE;
    };
    PoorMen poor_men(const Rules& rules, int set) const {
        PoorMen poor;
        if (rules.poor_man == NO_POOR_MAN) return poor;
        clockwise(dealer_ + 1, set, [&](int seat) {
            if (points_[seat] != 1) return;
            if (!poor.seats) poor.first = seat;
            poor.seats |= 1 << seat;
        });
        return poor;
    }

    // Ask the seats that may raise blind. Returns whether there are any.
    bool ask_blind(const Rules& rules) {
        const PoorMen poor = poor_men(rules, group_);
        Tuppen opened = *this;
        if (poor.seats) {
            opened.stake_ = static_cast<std::int8_t>(rules.poor_man == PER_POOR ? 1 + count(poor.seats) : 2);
            if (rules.poor_man == ASK_TWO && poor.seats != group_)
                opened.last_raiser_ = static_cast<std::int8_t>(poor.first);
            opened.poor_ = 1 << poor.first;
        }
        if (rules.two_to_three && opened.stake_ > 1) return false;
        int raisers = 0;
        for (int seat = 0; seat < seats_; ++seat)
            if (group_ >> seat & 1 && opened.may_raise(rules, seat, true)) raisers |= 1 << seat;
        if (raisers) ask(BLIND, dealer_ + 1, raisers, NONE);
        return raisers != 0;
    }

    void give_out(const Rules& rules) {  // TU-ZK-II2a, TU-ZK-II2d
        const int size = eight_ ? 8 : 4, batch = rules.deal_batches == 0 ? 2 : 4, forehand = (dealer_ + 1) % seats_;
        for (int round = 0; round < size; round += batch)
            clockwise(forehand, in_hand_, [&](int seat) {
                for (int i = 0; i < batch; ++i) hand_[seat] |= bit(card_of<RANKS>(pack_[dealt_count_++]));
            });
        dealt_ = true;
        active_ = in_hand_;
        turn_ = next_seat(in_hand_, 0, dealer_, NONE);  // TU-ZK-III1a
        const int unseen = rules.two_to_three ? 0 : blind_;
        const int asked = eight_ || kind_ == EIGHT || rules.four_pictures == NO_PICTURES ? 0 : in_hand_ & ~unseen;
        ask(PICTURES, forehand, asked, NONE);
        advance(rules);
    }

    void lay_pictures(int seat) {
        packet_[packets_] = hand_[seat];
        owner_[packets_++] = static_cast<std::int8_t>(seat);
        hand_[seat] = 0;
        for (int i = 0; i < 4; ++i) hand_[seat] |= bit(card_of<RANKS>(pack_[dealt_count_++]));
    }

    // Turn up a challenged packet; the seat that was wrong pays (TU-ZK-IV9, A-U-04).
    void show_packet(const Rules& rules, int challenger, int index) {
        shown_ |= 1 << index;
        const int wrong = is_true_claim(rules, packet_[index]) ? challenger : owner_[index];
        const int paid = std::min<int>(rules.penalty_points, points_[wrong]);
        points_[wrong] = static_cast<std::int8_t>(points_[wrong] - paid);
        if (paid && !points_[wrong]) {
            drop_seat(wrong);
            killed_[kills_++] = static_cast<std::int8_t>(wrong);
        }
    }

    void ask_raise(int seat) {  // TU-ZK-III2b
        ask(RAISE, seat + 1, in_hand_ & ~(1 << seat), seat);
        ++raises_[seat];
    }

    // The seat that is asked goes along and raises; all others are asked anew for that (A-U-34).
    void raise_again(int seat) {
        int waiting = 0;
        for (int i = 0; i < asked_count_; ++i) waiting |= 1 << asked_seats_[i];
        waiting &= ~answered_ & ~(1 << seat);
        for (int other = 0; other < seats_; ++other)
            behind_[other] = static_cast<std::int8_t>(waiting >> other & 1 ? behind_[other] + 1 : 0);
        ++stake_;
        last_raiser_ = asker_;
        ask_raise(seat);
    }

    void leave(const Rules& rules, int seat) {  // TU-ZK-III2c, A-U-05, A-U-29
        const int along = stake_ - behind_[seat];
        const bool costs_one = rules.leave_cost == 1 && topic_ != NO_QUESTION;
        points_[seat] = static_cast<std::int8_t>(points_[seat] - std::min<int>(points_[seat], costs_one ? 1 : along));
        drop_seat(seat);
        if (!points_[seat] && rules.same_hand_deaths == 1) killed_[kills_++] = static_cast<std::int8_t>(seat);
    }

    void drop_seat(int seat) {
        in_hand_ &= ~(1 << seat);
        if (topic_ == NO_QUESTION || answered_ >> seat & 1) return;
        int size = 0;
        for (int i = 0; i < asked_count_; ++i)
            if (asked_seats_[i] != seat) asked_seats_[size++] = asked_seats_[i];
        asked_count_ = static_cast<std::int8_t>(size);
    }

    // Go on without an action: end of a question, of a trick and of the hand.
    void advance(const Rules& rules) {
        while (!over()) {
            if (!dealt_) {
                if (owed() != NONE) return;
                give_out(rules);
                return;
            }
            if (count(in_hand_) == 1) {  // A-U-11
                topic_ = NO_QUESTION;
                ended_ = WON;
                return;
            }
            if (topic_ != NO_QUESTION) {
                const bool bare = topic_ == PICTURES && rules.four_pictures != REDEAL && dealt_count_ > 28;
                if (owed() != NONE && !bare) return;
                close_question(rules);
                continue;
            }
            if (active_ != in_hand_) remove_leavers(rules);  // A-U-12
            if (finished()) ended_ = WON;
            return;
        }
    }

    void close_question(const Rules& rules) {
        const Topic topic = topic_;
        topic_ = NO_QUESTION;
        if (topic == PICTURES) return set_poor_men(rules);
        stake_ = static_cast<std::int8_t>(topic == POOR ? 2 : stake_ + 1);  // TU-ZK-III2d, TU-ZK-III3a
        last_raiser_ = asker_;
        behind_ = {};
        ask_next_blind_raise(rules);
    }

    void set_poor_men(const Rules& rules) {  // TU-ZK-III3a, A-U-15
        const auto [poor, first] = kind_ == REGULAR ? poor_men(rules, in_hand_) : PoorMen{};
        if (!poor) return ask_next_blind_raise(rules);
        poor_ = poor;
        if (eight_) {
            stake_ = 2;
            return ask_next_blind_raise(rules);
        }
        const int others = in_hand_ & ~poor;
        const bool leads = rules.poor_man_leads_first && !(standing_.were_poor >> first & 1);
        if (others && (leads || rules.poor_man_leads_always)) turn_ = first;
        if (rules.poor_man == ASK_TWO) return ask(POOR, first + 1, others, others ? first : NONE);
        stake_ = static_cast<std::int8_t>(rules.poor_man == FIXED_TWO ? 2 : 1 + count(poor));
        ask_next_blind_raise(rules);
    }

    // Ask the others about the next blind raise; one that is no longer allowed lapses (TU-ZK-V4).
    void ask_next_blind_raise(const Rules& rules) {
        while (next_blind_ < blinds_) {
            const int seat = blind_order_[next_blind_++];
            blind_ &= ~(1 << seat);
            if (!(in_hand_ >> seat & 1) || !may_raise(rules, seat, true)) continue;
            if (!rules.two_to_three) return ask_raise(seat);
            if (stake_ == 1) {  // A-U-35: all play for two, unasked
                stake_ = 2;
                dared_ = static_cast<std::int8_t>(seat);
                ++raises_[seat];
            }
        }
    }

    // -- tricks

    void play(const Rules& rules, int seat, int card) {
        hand_[seat] ^= bit(card);
        played_[seat] |= bit(card);
        play_order_[number_of<RANKS>(card)] = ++cards_played_;
        trick_seat_[trick_size_] = static_cast<std::int8_t>(seat);
        trick_card_[trick_size_++] = static_cast<std::int8_t>(card);
        trick_seats_ |= 1 << seat;
        const int next = next_seat(active_, trick_seats_, seat, NONE);
        if (next == NONE)
            gather(rules);
        else
            turn_ = next;
    }

    // The seat with the best card: suit led, then rank, then the order of suits (TU-ZK-III1d). Only `over` seats count.
    static int best(const std::array<std::int8_t, MOST>& card, const std::array<std::int8_t, MOST>& seat, int plays,
                    int over) {
        int result = NONE, top = NONE;
        for (int i = 0; i < plays; ++i) {
            if (!(over >> seat[i] & 1)) continue;
            if (result == NONE || beats(card[i], top, suit_of(card[0]), NONE)) top = card[i], result = seat[i];
        }
        return result;
    }

    void gather(const Rules& rules) {
        const int winner = best(trick_card_, trick_seat_, trick_size_, rules.leaver_cards == 1 ? ~0 : active_);
        last_card_ = trick_card_;
        last_seat_ = trick_seat_;
        last_plays_ = trick_size_;
        trick_size_ = 0;
        trick_seats_ = 0;
        ++tricks_;
        turn_ = active_ >> winner & 1 ? winner : next_seat(active_, 0, winner, NONE);
    }

    // Remove the seats that have left from the trick (A-U-12, A-U-13).
    void remove_leavers(const Rules& rules) {
        active_ = in_hand_;
        if (trick_size_) {
            const int next = next_seat(active_, trick_seats_, turn_, NONE);
            if (next == NONE)
                gather(rules);
            else if (!(active_ >> turn_ & 1))
                turn_ = next;
        } else if (!(active_ >> turn_ & 1)) {
            const bool ladder = tricks_ && rules.leaver_cards == 0;
            turn_ = ladder ? best(last_card_, last_seat_, last_plays_, active_) : next_seat(active_, 0, turn_, NONE);
        }
    }

    bool finished() const {
        if (trick_size_) return false;
        for (int seat = 0; seat < seats_; ++seat)
            if (active_ >> seat & 1 && hand_[seat]) return false;
        return true;
    }

    Standing standing_;
    std::array<Cards, MOST> hand_{}, played_{};
    std::array<Cards, PACKETS> packet_{};
    std::array<std::uint8_t, 32> pack_{}, play_order_{};
    std::array<std::int8_t, MOST> points_{}, asked_seats_{}, raises_{}, blind_order_{}, killed_{}, behind_{};
    std::array<std::int8_t, MOST> trick_seat_{}, trick_card_{}, last_seat_{}, last_card_{};
    std::array<std::int8_t, PACKETS> owner_{};
    int seats_ = 0, dealer_ = 0, seat_to_act_ = 0, turn_ = 0;
    int group_ = 0, in_hand_ = 0, active_ = 0, trick_seats_ = 0, answered_ = 0, silent_ = 0, poor_ = 0, blind_ = 0,
        shown_ = 0;
    std::uint8_t cards_played_ = 0, dealt_count_ = 0;  // cards played; cards dealt from the pack
    std::int8_t asked_count_ = 0, trick_size_ = 0, last_plays_ = 0, tricks_ = 0, packets_ = 0, kills_ = 0, blinds_ = 0,
                next_blind_ = 0;
    std::int8_t stake_ = 1, last_raiser_ = NONE, asker_ = NONE, dared_ = NONE;
    Topic topic_ = NO_QUESTION;
    HandKind kind_ = REGULAR;
    Ended ended_ = RUNNING;
    bool eight_ = false, dealt_ = false;
};

}  // namespace nousu::NOUSU_ISA
