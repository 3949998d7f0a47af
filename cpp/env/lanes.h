// Common part of all environments: lanes, masks, random actions, histories. A family provides a `Game` that plays one
// match: deal, legal actions, effect of an action, score, observation.
#pragma once
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "common/cards.h"
#include "common/random.h"
#include "env/environment.h"

namespace nousu::NOUSU_ISA {

// Legal actions of the seat to act: cards of one block of actions, and words, numbered behind the blocks.
struct LegalActions {
    Cards cards = 0;
    int block = 0;
    std::array<std::uint64_t, 4> words{};
    void add_word(int word) { words[word >> 6] |= std::uint64_t{1} << (word & 63); }
};

// Eight bits as eight bytes of 0 or 1.
constexpr auto SPREAD = [] {
    std::array<std::uint64_t, 256> bytes{};
    for (int bits = 0; bits < 256; ++bits)
        for (int at = 0; at < 8; ++at)
            if (bits >> at & 1)
                bytes[bits] |= std::uint64_t{1} << (std::endian::native == std::endian::little ? 8 * at : 56 - 8 * at);
    return bytes;
}();

inline void write_byte_bits(std::uint8_t* out, std::uint64_t bits) { std::memcpy(out, &SPREAD[bits & 255], 8); }

// Write a set of cards as a plane of bytes, RANKS per suit. Returns the end of the plane.
template <int RANKS>
inline std::uint8_t* plane(Cards cards, std::uint8_t* out) {
    for (int suit = 0; suit < SUITS; ++suit, out += RANKS, cards >>= LANE_BITS) {
        write_byte_bits(out, cards);
        if constexpr (RANKS == 9) out[8] = static_cast<std::uint8_t>(cards >> 8 & 1);
        if constexpr (RANKS > 9) write_byte_bits(out + RANKS - 8, cards >> (RANKS - 8));
    }
    return out;
}

// The first planes of a game of four: own hand, the cards played by each seat from the viewer on, the trick.
template <int RANKS>
inline std::uint8_t* card_planes(int viewer, const std::array<Cards, 4>& hand, const std::array<Cards, 4>& played,
                                 Cards trick, std::uint8_t* out) {
    out = plane<RANKS>(hand[viewer], out);
    for (int step = 0; step < 4; ++step) out = plane<RANKS>(played[(viewer + step) & 3], out);
    return plane<RANKS>(trick, out);
}

// A seat in a game of four as the viewer counts it: 1 the viewer, 2 left of it …; 0 for none.
constexpr std::int16_t relative_seat(int viewer, int seat) {
    return static_cast<std::int16_t>(seat == NONE ? 0 : 1 + ((seat - viewer) & 3));
}

// Number of a card in the pack to its bit, and back.
template <int RANKS>
constexpr int card_of(int number) {
    return number / RANKS * LANE_BITS + number % RANKS;
}
template <int RANKS>
constexpr int number_of(int card) {
    return suit_of(card) * RANKS + (card & 15);
}

constexpr std::int16_t clip_score(int value) {
    return static_cast<std::int16_t>(value > 32767 ? 32767 : value < -32767 ? -32767 : value);
}

// Result of a match between two sides: the side that won, or one of these.
constexpr int UNDECIDED = NONE, DRAWN = 2;

// Write the places of the seats of such a match. Returns whether it is over.
inline bool fill_places(int winner, std::int8_t* place) {
    if (winner == UNDECIDED) return false;
    for (int seat = 0; seat < 4; ++seat) place[seat] = winner == DRAWN || winner == (seat & 1) ? 1 : 2;
    return true;
}

template <class Game>
class Lanes final : public Environment {
public:
    Lanes(const std::int32_t* rules, int lanes, int seats, bool matches) : seats_(seats), matches_(matches) {
        std::memcpy(static_cast<void*>(&rules_), rules, sizeof rules_);
        lanes_.resize(static_cast<std::size_t>(lanes));
    }

    Shape shape() const override { return {seats_, PACK, Game::PLANES, Game::SCALARS, ACTIONS}; }

    Environment* copy() const override { return new Lanes(*this); }

    std::uint64_t& random_state(int lane) override { return lanes_[lane].dice.state; }

    void reset(const std::uint64_t* seeds, const Arrays& out) override {
        for (int at = 0; at < size(); ++at) {
            Lane& lane = lanes_[at];
            lane.dice.state = seeds[at];
            lane.last.clear();
            open(lane);
            deal(lane);
        }
        write_all(out);
    }

    void write_all(const Arrays& out) const override {
        for (int at = 0; at < size(); ++at) {
            clear(at, out);
            out.done[at] = 0;
            write(lanes_[at], at, out);
        }
    }

    int step(const std::int32_t* actions, const Arrays& out) override {
        for (int at = 0; at < size(); ++at)
            if (!is_legal(lanes_[at].legal, actions[at])) return at;
        for (int at = 0; at < size(); ++at) {
            Lane& lane = lanes_[at];
            clear(at, out);
            out.done[at] =
                static_cast<std::uint8_t>(act(lane, actions[at], out.reward + at * seats_, out.place + at * seats_));
            if (out.done[at]) deal(lane);
            write(lane, at, out);
        }
        return NONE;
    }

    void choose_at_random(std::int32_t* actions) override {
        for (Lane& lane : lanes_) *actions++ = random_action(lane);
    }

    void observe(int lane, int seat, std::uint8_t* planes, std::int16_t* scalars) const override {
        lanes_[lane].game.observe(rules_, seat, planes, scalars);
    }

    int history(int lane, bool finished, std::uint16_t* out, int capacity) const override {
        const auto& log = finished ? lanes_[lane].last : lanes_[lane].log;
        const int length = static_cast<int>(log.size());
        if (length <= capacity)
            for (int i = 0; i < length; ++i) out[i] = log[i].value;
        return length;
    }

    int load(int at, const std::uint16_t* entries, int size) override {
        Lane& lane = lanes_[at];
        int used = 0;
        if (size < 1 || entries[0] >= seats_) return 0;
        begin(lane, entries[used++]);
        bool dealt = false;
        while (used < size) {
            if (!dealt) {
                std::array<std::uint8_t, PACK> pack;
                std::uint64_t cards_seen = 0;
                if (size - used < PACK) break;
                for (int i = 0; i < PACK && entries[used + i] < PACK; ++i) {
                    pack[i] = static_cast<std::uint8_t>(entries[used + i]);
                    cards_seen |= std::uint64_t{1} << pack[i];
                }
                if (std::popcount(cards_seen) != PACK) break;
                used += PACK;
                deal(lane, pack.data());
                dealt = true;
                continue;
            }
            if (!is_legal(lane.legal, entries[used])) break;
            float reward[8];
            std::int8_t place[8];
            const int done = act(lane, entries[used++], reward, place);
            if (done) dealt = false;
            if (done & MATCH_OVER || (done && !matches_)) break;
        }
        if (!dealt) deal(lane);
        return used;
    }

    std::int64_t count_lines(int lane, int depth, bool (*is_stopped)()) const override {
        Count count{is_stopped};
        add_lines(lanes_[lane].game, depth, count);
        return count.stopped ? NONE : count.lines;
    }

private:
    static constexpr int RANKS = Game::RANKS, PACK = SUITS * RANKS;
    static constexpr int FIRST_WORD = PACK * Game::BLOCKS, ACTIONS = FIRST_WORD + Game::WORDS;
    struct Entry {  // a type of this build, so that the linker does not share its vectors between builds
        std::uint16_t value;
    };
    struct Lane {
        Game game;
        LegalActions legal;
        Dice dice{0};
        std::vector<Entry> log, last;
    };
    struct Count {
        bool (*is_stopped)();
        std::int64_t lines = 0, positions = 0;
        bool stopped = false;
    };

    int size() const { return static_cast<int>(lanes_.size()); }

    void clear(int at, const Arrays& out) const {
        std::memset(out.reward + at * seats_, 0, sizeof(float) * seats_);
        std::memset(out.place + at * seats_, 0, seats_);
    }

    // Begin a match with a random dealer.
    void open(Lane& lane) { begin(lane, static_cast<int>(lane.dice.below(seats_))); }

    void begin(Lane& lane, int dealer) {
        lane.game.open(rules_, seats_, dealer);
        lane.log.clear();
        lane.log.push_back({static_cast<std::uint16_t>(dealer)});
    }

    // Shuffle and deal.
    void deal(Lane& lane) {
        std::array<std::uint8_t, PACK> pack;
        for (int i = 0; i < PACK; ++i) pack[i] = static_cast<std::uint8_t>(i);
        for (int left = PACK; left > 1; --left) {
            const unsigned other = lane.dice.below(left);
            const std::uint8_t card = pack[other];
            pack[other] = pack[left - 1];
            pack[left - 1] = card;
        }
        deal(lane, pack.data());
    }

    void deal(Lane& lane, const std::uint8_t* pack) {
        for (int i = 0; i < PACK; ++i) lane.log.push_back({pack[i]});
        lane.game.deal(rules_, pack);
        lane.legal = lane.game.legal(rules_);
    }

    // Take an action. At the end of a hand, score it and begin a new match where one is due.
    int act(Lane& lane, int action, float* reward, std::int8_t* place) {
        lane.log.push_back({static_cast<std::uint16_t>(action)});
        lane.game.act(rules_, action);
        if (!lane.game.over()) {
            lane.legal = lane.game.legal(rules_);
            return 0;
        }
        const bool won = lane.game.settle(rules_, reward, place);
        if (won || !matches_) {
            lane.last.swap(lane.log);
            open(lane);
        }
        return won ? HAND_OVER | MATCH_OVER : HAND_OVER;
    }

    static bool is_legal(const LegalActions& legal, int action) {
        if (action < 0 || action >= ACTIONS) return false;
        if (action >= FIRST_WORD) return legal.words[(action - FIRST_WORD) >> 6] >> ((action - FIRST_WORD) & 63) & 1;
        return action / PACK == legal.block && legal.cards >> card_of<RANKS>(action % PACK) & 1;
    }

    static int random_action(Lane& lane) {
        const LegalActions& legal = lane.legal;
        const int cards = count(legal.cards);
        int all = cards;
        for (int i = 0; 64 * i < Game::WORDS; ++i) all += count(legal.words[i]);
        int at = static_cast<int>(lane.dice.below(all));
        if (at < cards)
            return legal.block * PACK + number_of<RANKS>(lowest(nth_card(legal.cards, static_cast<unsigned>(at))));
        at -= cards;
        int word = 0;
        for (; at >= count(legal.words[word]); ++word) at -= count(legal.words[word]);
        return FIRST_WORD + 64 * word + lowest(nth_card(legal.words[word], static_cast<unsigned>(at)));
    }

    static void mask(const LegalActions& legal, std::uint8_t* out) {
        std::memset(out, 0, ACTIONS);
        if (legal.cards) plane<RANKS>(legal.cards, out + legal.block * PACK);
        out += FIRST_WORD;
        for (int i = 0; 64 * i < Game::WORDS; ++i)
            for (std::uint64_t words = legal.words[i]; words; words &= words - 1) out[64 * i + lowest(words)] = 1;
    }

    void write(const Lane& lane, int at, const Arrays& out) const {
        const std::int64_t row = at;
        const int seat = lane.game.seat();
        out.seat[at] = static_cast<std::int8_t>(seat);
        lane.game.observe(rules_, seat, out.planes + row * Game::PLANES * PACK, out.scalars + row * Game::SCALARS);
        mask(lane.legal, out.mask + row * ACTIONS);
    }

    void add_lines(const Game& game, int depth, Count& count) const {
        if (depth == 0 || game.over()) {
            ++count.lines;
            return;
        }
        if ((++count.positions & 0xFFFF) == 0 && count.is_stopped()) count.stopped = true;
        const LegalActions legal = game.legal(rules_);
        for (int action = 0; action < ACTIONS && !count.stopped; ++action) {
            if (!is_legal(legal, action)) continue;
            Game after = game;
            after.act(rules_, action);
            add_lines(after, depth - 1, count);
        }
    }

    int seats_;
    bool matches_;
    typename Game::Rules rules_;
    std::vector<Lane> lanes_;
};

}  // namespace nousu::NOUSU_ISA
