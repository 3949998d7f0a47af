"""Hands of Tuppen played out by three rules of thumb, without or with more raises to come.

The rules: low cards early, the best card that wins in the last trick but one, and the last card at the end.
There are no alliances to solve against, and in most deals some line wins, only never the same one: the value
of a hand shows when all play as people do. The compiled core plays some million hands a second
(`cpp/playouts/tuppen.h`); without it Python plays the same ones, card for card.

With more raises to come, a seat that thinks its hand good enough raises before each card, and one that thinks
it too poor leaves, by the chances from which the rule-based player does so. A poor hand that goes along is
then driven out before it could win, and pays more than one that left at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nousu.engine.cards import DECK_32, SUIT_SETS, TEN_HIGH, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.seats import Seat, clockwise
from nousu.engine.tricks import SUIT_LADDER
from nousu.games.tuppen import Facts, refusing_costs
from nousu.players.seat_loop import derive_seed
from nousu.players.worlds import played_by
from nousu.solver import native

ANY = None
"""The first card that stands for the one by the rules of thumb."""
TIMES = 16
"""Imagined ways for the other cards to lie, for each estimate of a chance."""
RAISE_FROM = 0.5
"""Chance to win from which the stake is raised first."""
RAISE_AGAIN = 0.15
"""Additional chance demanded by each earlier raise of the hand: seats that raised or went along hold good
cards, which the imagined hands do not know."""
SPITE = 0.3
"""The worth, in stakes, of the others' losing theirs, where there are several."""
SEATS = 8
_ANY = 255
_STRENGTH = {int(card): 4 * TEN_HIGH[card.rank] + SUIT_LADDER[card.suit] for card in DECK_32}
_PLACES = bytes(_STRENGTH.get(card, _ANY) for card in range(64))
_PACK = card_set(DECK_32)
_WEAKEST_FIRST = sorted(_STRENGTH, key=_STRENGTH.__getitem__)
_WORD = (1 << 64) - 1
_Plays = tuple[tuple[Seat, int], ...]


class Moment(NamedTuple):
    """The public state from which a hand is played out."""

    playing: tuple[Seat, ...]
    """The seats in the hand, ascending."""
    turn: Seat
    """The seat whose card comes next, one of `playing`."""
    trick: _Plays = ()


def moment_of(
    facts: Facts, trick: Sequence[tuple[Seat, int]], playing: Sequence[Seat] | None = None
) -> Moment:
    """The public state, with the seats `playing` in the hand; None for those in it now."""
    players = facts.in_hand if playing is None else tuple(playing)
    turn = facts.turn
    assert turn is not None
    if turn not in players:
        turn = next((seat for seat in players if seat > turn), players[0])
    return Moment(players, turn, tuple((seat, int(card)) for seat, card in trick))


def last_trick_winners(
    moment: Moment, worlds: Sequence[Sequence[CardSet]], firsts: Sequence[int | None] = (ANY,)
) -> list[list[Seat]]:
    """The winner of the last trick: for each first card of the seat on turn, a seat for each world."""
    if native.core is None:
        return [
            [
                last_trick_winner(list(hands), moment.playing, moment.turn, moment.trick, first)
                for hands in worlds
            ]
            for first in firsts
        ]
    hands = bytearray()
    for world in worlds:
        for seat in range(SEATS):
            hands += (world[seat] if seat < len(world) else 0).to_bytes(8, "little")
    cards = bytes(_ANY if card is None else card for card in firsts)
    winners = native.core.last_takers(_PLACES, *_plain(moment), cards, bytes(hands))
    return [list(winners[at :: len(firsts)]) for at in range(len(firsts))]


def count_wins(
    moment: Moment,
    seat: Seat,
    seen_cards: CardSet,
    counts: Sequence[int],
    held: Sequence[CardSet],
    times: int,
    seed: int,
) -> list[int]:
    """Count the imagined deals in which a seat wins the last trick, for each of these hands.

    Args:
        moment: The public state.
        seat: The seat.
        seen_cards: The cards it has seen beside its hand; the others are dealt from the rest.
        counts: Number of cards of each seat.
        held: The hands to try.
        times: Imagined deals for each hand.
        seed: The seed of these deals.
    """
    many = bytes(counts[other] if other < len(counts) else 0 for other in range(SEATS))
    if native.core is None:
        return [
            _taken(moment, seat, seen_cards, many, hand, times, seed + number * 0xD1342543DE82EF95)
            for number, hand in enumerate(held)
        ]
    hands = b"".join([hand.to_bytes(8, "little") for hand in held])
    wins = native.core.last_trick_wins(
        _PLACES, *_plain(moment), seat, seen_cards, many, hands, times, seed & _WORD
    )
    return list(wins)


def _plain(moment: Moment) -> tuple[int, int, bytes]:
    plays = bytes(number for play in moment.trick for number in play)
    return sum(1 << seat for seat in moment.playing), moment.turn, plays


def _taken(
    moment: Moment,
    seat: Seat,
    seen_cards: CardSet,
    counts: Sequence[int],
    hand: CardSet,
    times: int,
    state: int,
) -> int:
    hidden = _PACK & ~(seen_cards | hand)
    unseen = [card for card in _WEAKEST_FIRST if hidden >> card & 1]
    wins = 0
    for _ in range(times):
        hands, dealt = [0] * SEATS, 0
        for other in moment.playing:
            if other == seat:
                continue
            for _card in range(min(counts[other], len(unseen) - dealt)):
                state = state + 0x9E3779B97F4A7C15 & _WORD
                at = dealt + (_mixed(state) * (len(unseen) - dealt) >> 32)
                unseen[at], unseen[dealt] = unseen[dealt], unseen[at]
                hands[other] |= 1 << unseen[dealt]
                dealt += 1
        hands[seat] = hand
        wins += last_trick_winner(hands, moment.playing, moment.turn, moment.trick, None) == seat
    return wins


def _mixed(z: int) -> int:
    """The upper half of SplitMix64's output for its state: the core's dice."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return (z ^ z >> 31) >> 32


def last_trick_winner(
    hands: list[CardSet], playing: Sequence[Seat], turn: Seat, trick: _Plays, first: int | None
) -> Seat:
    """The winner of the last trick if the seat on turn plays `first` and all then play on by rule.

    Where others have left, another seat may be on turn, or the trick complete without their cards.
    """
    turn, trick = next_turn(playing, turn, trick)
    while trick or hands[turn]:
        card, after, trick = next_card(hands, playing, turn, trick, first)
        hands[turn] &= ~(1 << card)
        turn, first = after, None
    return turn


def next_card(
    hands: Sequence[CardSet], playing: Sequence[Seat], turn: Seat, trick: _Plays, first: int | None = ANY
) -> tuple[int, Seat, _Plays]:
    """The card of the seat on turn (`first`, or by rule), then the next seat on turn and the trick so far."""
    card = _maxim_card(hands[turn], trick, playing) if first is None else first
    return card, *next_turn(playing, turn, (*trick, (turn, card)))


def next_turn(playing: Sequence[Seat], turn: Seat, trick: _Plays) -> tuple[Seat, _Plays]:
    """The seat on turn and the trick, where the one on turn may have played or left.

    A trick to which nobody owes a card is taken.
    """
    done = {seat for seat, _ in trick}
    waiting = [seat for seat in playing if seat not in done]
    if not waiting:
        return _taker(trick, playing), ()
    if turn in waiting:
        return turn, trick
    return next((seat for seat in waiting if seat > turn), waiting[0]), trick


def _taker(trick: _Plays, playing: Sequence[Seat]) -> Seat:
    """The seat, of those still in the hand, whose card wins a complete trick."""
    suit = trick[0][1] >> 4
    valid = [play for play in trick if play[0] in playing]
    return max(valid, key=lambda play: (play[1] >> 4 == suit, _STRENGTH[play[1]]))[0]


def _able(hand: CardSet, trick: _Plays) -> CardSet:
    """The cards that may be played: the suit led, if held."""
    return (hand & SUIT_SETS[trick[0][1] >> 4]) or hand if trick else hand


def _maxim_card(hand: CardSet, trick: _Plays, playing: Sequence[Seat]) -> int:
    able = cards_of(_able(hand, trick))
    if len(able) == 1:
        return able[0]
    two = hand.bit_count() == 2
    if not trick:
        return (max if two else min)(able, key=_STRENGTH.__getitem__)
    suit = trick[0][1] >> 4
    if two and able[0] >> 4 == suit:
        best = max((_STRENGTH[c] for s, c in trick if c >> 4 == suit and s in playing), default=-1)
        high = max(able, key=_STRENGTH.__getitem__)
        if _STRENGTH[high] > best:
            return high
    return min(able, key=_STRENGTH.__getitem__)


# ------------------------------------------------------ when the rule-based player raises and goes along


def needed_to_raise(raises: int) -> float:
    """The chance to win from which the stake is raised after so many raises in the hand."""
    return RAISE_FROM + RAISE_AGAIN * raises


def spite(facts: Facts) -> float:
    """The value, in stakes, of the others' losses: as much as one's own between two."""
    return 1.0 if is_between_two(facts) else SPITE


def is_between_two(facts: Facts) -> bool:
    """Whether only two players are left."""
    return len(facts.group) == 2


def needed_to_hold(leaving: int, losing: int, spite: float) -> float:
    """The chance to win from which going along costs less than leaving; 0 where leaving costs as much.

    The others' loss counts as far as `spite`.
    """
    return (losing - leaving) / (losing * (1 + spite)) if losing > leaving else 0.0


# ------------------------------------------------------------------------------ hands with more raises


class _RaisedHand:
    """A hand being played out."""

    def __init__(self, view: View, hands: Sequence[CardSet], seed: int) -> None:
        self._facts = Facts.of(view.facts)
        self._rules = view.rules
        self._hands = list(hands)
        self._counts = list(view.counts)
        self._seen = sum(played_by(view))
        self._seed = seed
        self._estimates = 0
        self._stake = self._facts.stake
        self._raises = len(self._facts.raisers) - (self._facts.phase == "raise")
        self._raiser = self._facts.last_raiser if self._facts.asker is None else self._facts.asker
        self._moment = moment_of(self._facts, view.trick)
        self.lost: dict[Seat, int] = {}
        """Points paid by the seats that left."""

    def ask(self, seats: Iterable[Seat], leaves: Seat | None = None) -> None:
        """Raise the stake by one; each of these seats goes along or leaves.

        The seat `leaves` leaves with any cards.
        """
        points = self._facts.points
        refusing = refusing_costs(self._rules, self._stake)
        for seat in seats:
            leaving, losing = min(points[seat], refusing), min(points[seat], self._stake + 1)
            if seat == leaves or self._chance(seat) < needed_to_hold(leaving, losing, spite(self._facts)):
                self.lost[seat] = leaving
        self._stake += 1
        self._raises += 1
        playing, turn, trick = self._moment
        playing = tuple(seat for seat in playing if seat not in self.lost)
        self._moment = Moment(playing, *next_turn(playing, turn, trick))

    def rise(self, raiser: Seat) -> None:
        """Raise for that seat."""
        self._raiser = raiser
        self.ask(seat for seat in self._around(raiser) if seat != raiser)

    def finish(self) -> Mapping[Seat, int]:
        """Play to the end; return the losses of all seats but the winner."""
        while len(self._moment.playing) > 1 and self._hands[self._moment.turn]:
            raiser = next(filter(self._raises_now, self._who_may_raise()), None)
            if raiser is None:
                self.play()
            else:
                self.rise(raiser)
        winner = self._moment.turn
        for seat in self._moment.playing:
            if seat != winner:
                self.lost[seat] = min(self._facts.points[seat], self._stake)
        return self.lost

    def _around(self, first: Seat) -> list[Seat]:
        return [seat for seat in clockwise(first, len(self._hands)) if seat in self._moment.playing]

    def _who_may_raise(self) -> list[Seat]:
        points, cap = self._facts.points, self._facts.raise_cap
        turn = self._moment.turn
        seats = self._around(turn) if self._rules.raise_timing == "any_time" else [turn]
        return [seat for seat in seats if seat != self._raiser and self._stake < min(points[seat], cap[seat])]

    def _raises_now(self, seat: Seat) -> bool:
        return self._chance(seat) >= needed_to_raise(self._raises)

    def _chance(self, seat: Seat) -> float:
        self._estimates += 1
        seed = derive_seed(self._seed, self._estimates)
        hand = [self._hands[seat]]
        return count_wins(self._moment, seat, self._seen, self._counts, hand, TIMES, seed)[0] / TIMES

    def play(self, first: int | None = ANY) -> None:
        """Play that card for the seat on turn, or the one by the rules of thumb."""
        playing, seat, trick = self._moment
        card, turn, trick = next_card(self._hands, playing, seat, trick, first)
        self._hands[seat] &= ~(1 << card)
        self._counts[seat] -= 1
        self._seen |= 1 << card
        self._moment = Moment(playing, turn, trick)


def losses_if_holding(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[Seat, int]:
    """The loss of each seat in the hand but the winner if that of `view` goes along with the raise.

    Others that are still to answer do so first. `hands` are the cards of all seats.
    """
    facts = Facts.of(view.facts)
    table = _RaisedHand(view, hands, seed)
    table.ask(seat for seat in facts.asked if seat != view.seat)
    return table.finish()


def losses_if_leaving(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[Seat, int]:
    """The loss of each seat if that of `view` leaves; its own loss is the cost of leaving."""
    facts = Facts.of(view.facts)
    table = _RaisedHand(view, hands, seed)
    table.ask(facts.asked, leaves=view.seat)
    return table.finish()


def losses_if_raising(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[Seat, int]:
    """The loss of each seat if that of `view` raises."""
    table = _RaisedHand(view, hands, seed)
    assert view.seat is not None
    table.rise(view.seat)
    return table.finish()


def losses_if_silent(
    view: View, hands: Sequence[CardSet], seed: int, first: int | None
) -> Mapping[Seat, int]:
    """The loss of each seat if nobody raises before the next card: `first`, or one by the rules of thumb."""
    table = _RaisedHand(view, hands, seed)
    table.play(first)
    return table.finish()
