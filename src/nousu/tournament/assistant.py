"""A Tuppen game at a table with real cards, followed without seeing any: dice, stakes, players, leads.

The game is a list of words, seats being a, b, c …, and nothing else is stored: to take a word away is to
take the step back:

* ``da`` — a deals the first hand of a game;
* ``+b`` — b raises; ``yc`` c goes along, ``nc`` c leaves (also the answers to the poor man);
* ``xc`` — c leaves without being asked (A-U-22);
* ``ta`` — a takes the trick (the fourth wins the hand), ``wa`` — a wins the hand;
* ``!IV8b`` — a penalty for b, by the number of its rule.

Points, places, play-offs and dealers are the game's own (`nousu.games.tuppen.standing`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from nousu.engine.game import Setup
from nousu.engine.messages import Note
from nousu.engine.seats import clockwise, left
from nousu.games import tuppen
from nousu.games.tuppen.facts import Won
from nousu.games.tuppen.rules import Rules
from nousu.games.tuppen.standing import Standing, settlement
from nousu.tournament.form_fields import LETTERS
from nousu.tournament.messages import Refusal

TRICKS = 4
_BETWEEN = ("IV2", "IV3", "IV4", "IV5")
"""Penalties that belong between two hands: a die not turned, a misdeal; the cards are dealt again."""
_WITHIN = ("II4", "IV6", "IV7", "IV8", "IV9")


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question to others whether they go along."""

    by: int
    waiting: tuple[int, ...]
    """Seats that have not answered yet, the next one first."""
    cost: int
    """The cost of leaving, in points."""
    stake: int
    """The stake of those who go along."""
    poor: bool
    """True if the poor man asks, before the first card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHand:
    """A hand at the table."""

    dealer: int
    inside: tuple[int, ...]
    points: tuple[int, ...]
    """Points with leaving and penalties paid."""
    leader: int
    stake: int = 1
    raised: int | None = None
    """The seat that raised last."""
    question: TableQuestion | None = None
    tricks: int = 0
    begun: bool = False
    away: tuple[int, ...] = ()
    killed: tuple[int, ...] = ()
    poor: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A game at one moment; `hand` is None before its first dealer is named and after its end."""

    rules: Rules
    standing: Standing
    hand: TableHand | None = None
    number: int = 0
    notes: tuple[Note, ...] = field(default=())

    @property
    def over(self) -> bool:
        """Whether all places are known."""
        return self.standing.winner() is not None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats by their places, the winner first."""
        return tuple(sorted(range(len(self.standing.places)), key=self.standing.places.__getitem__))

    @property
    def kind(self) -> str:
        """The kind of the hand: regular, or a play-off of the dead or the new poor men."""
        return self.standing.kind


def begin(rules: Rules, seats: int) -> TableGame:
    """A game before its first dealer is named."""
    standing = Standing(rules, (rules.start_points,) * seats, (0,) * seats)
    return TableGame(rules=rules, standing=standing)


def follow(rules: Rules, seats: Sequence[int], words: Iterable[str]) -> tuple[TableGame, ...]:
    """The games of these words, one for each number of players in `seats`, as far as they go.

    `Refusal` names the impossible word.
    """
    games = [begin(rules, count) for count in seats]
    at = 0
    for number, word in enumerate(words, 1):
        while at < len(games) and games[at].over:
            at += 1
        if at == len(games):
            raise Refusal("all games of this table are over", where=f"word {number}")
        if word not in choices(games[at]):
            raise Refusal("{word} is not possible now", values={"word": word}, where=f"word {number}")
        games[at] = after(games[at], word)
    return tuple(games)


def choices(game: TableGame) -> tuple[str, ...]:
    """The words that can be said now."""
    hand, standing = game.hand, game.standing
    if game.over:
        return ()
    if hand is None:
        return tuple(f"d{LETTERS[seat]}" for seat in range(len(standing.points)))
    fined = _BETWEEN if not hand.begun else _WITHIN
    fines = [f"!{rule}{LETTERS[seat]}" for rule in fined for seat in standing.alive if hand.points[seat]]
    if hand.question is not None:
        asked = hand.question.waiting[0]
        return (f"y{LETTERS[asked]}", f"n{LETTERS[asked]}", *fines)
    words = [f"{sign}{LETTERS[seat]}" for seat in hand.inside for sign in "tw"]
    if game.kind == "regular":
        words += [f"+{LETTERS[seat]}" for seat in hand.inside if may_raise(hand, seat)]
        words += [f"x{LETTERS[seat]}" for seat in hand.inside if seat != hand.raised]
        words += fines
    return tuple(words)


def may_raise(hand: TableHand, seat: int) -> bool:
    """Whether a seat may raise the stake now (TU-ZK-III2e, III2f)."""
    return hand.raised != seat and hand.stake <= hand.points[seat]


def after(game: TableGame, word: str) -> TableGame:
    """The game after one more word, which is one of its `choices`."""
    sign, seat = word[0], LETTERS.index(word[-1])
    hand = game.hand
    if hand is None:
        return _dealt(replace(game, notes=()), seat)
    game = replace(game, notes=())
    if sign == "!":
        return _pay_penalty(game, hand, word[1:-1], seat)
    hand = replace(hand, begun=True)
    if sign == "w" or (sign == "t" and hand.tricks + 1 == TRICKS):
        return _end_hand(game, hand, seat)
    if sign == "t":
        return replace(game, hand=replace(hand, tricks=hand.tricks + 1, leader=seat))
    if sign == "+":
        rest = tuple(one for one in clockwise(left(seat, len(hand.points)), len(hand.points)) if one != seat)
        waiting = tuple(one for one in rest if one in hand.inside)
        question = TableQuestion(seat, waiting, hand.stake, hand.stake + 1, poor=False)
        return replace(game, hand=replace(hand, question=question))
    if sign == "x":
        return _advance(game, _leave(hand, seat, hand.stake))
    return _answer(game, hand, seat, sign == "y")


def _dealt(game: TableGame, dealer: int) -> TableGame:
    """The next hand, with the poor man's question before the first card (TU-ZK-III3a, A-U-15)."""
    standing, count = game.standing, len(game.standing.points)
    inside = standing.group
    first = next(seat for seat in clockwise(left(dealer, count), count) if seat in inside)
    hand = TableHand(dealer=dealer, inside=inside, points=standing.points, leader=first)
    if standing.kind == "regular" and game.rules.poor_man == "ask_two":
        around = clockwise(left(dealer, count), count)
        poor = tuple(seat for seat in around if seat in inside and standing.points[seat] == 1)
        if poor:
            order = clockwise(left(poor[0], count), count)
            waiting = tuple(seat for seat in order if seat in inside and seat not in poor)
            question = TableQuestion(poor[0], waiting, 1, 2, poor=True) if waiting else None
            stake = 1 if waiting else 2
            hand = replace(hand, poor=poor, question=question, stake=stake, raised=poor[0])
    return replace(game, hand=hand, number=game.number + 1)


def _leave(hand: TableHand, seat: int, cost: int) -> TableHand:
    """Let a seat leave and pay; the debt is capped at its points."""
    points = tuple(max(0, had - cost * (other == seat)) for other, had in enumerate(hand.points))
    question = hand.question
    if question is not None:
        question = replace(question, waiting=tuple(other for other in question.waiting if other != seat))
    inside = tuple(other for other in hand.inside if other != seat)
    return replace(hand, points=points, inside=inside, away=(*hand.away, seat), question=question)


def _answer(game: TableGame, hand: TableHand, seat: int, goes: bool) -> TableGame:
    """Let the next seat asked go along or leave."""
    question = hand.question
    assert question is not None
    if not goes:
        hand = _leave(hand, seat, question.cost)
    else:
        hand = replace(hand, question=replace(question, waiting=question.waiting[1:]))
    return _advance(game, hand)


def _advance(game: TableGame, hand: TableHand) -> TableGame:
    """Go on after an answer or a departure: the last one in has won (A-U-11)."""
    if len(hand.inside) == 1:
        return _end_hand(game, replace(hand, question=None), hand.inside[0])
    question = hand.question
    if question is not None and not question.waiting:
        hand = replace(hand, question=None, stake=question.stake, raised=question.by)
    if hand.leader not in hand.inside:
        count = len(hand.points)
        follows = next(seat for seat in clockwise(hand.leader, count) if seat in hand.inside)
        hand = replace(hand, leader=follows)
    return replace(game, hand=hand)


def _pay_penalty(game: TableGame, hand: TableHand, rule: str, seat: int) -> TableGame:
    """Let a seat pay a penalty: a point, for a revoke the stake too and the hand (TU-ZK-IV7, A-U-21)."""
    count = len(hand.points)
    if not hand.begun:
        standing = game.standing.booked(rule, seat)
        notes = standing.last
        game = replace(game, standing=standing, notes=notes)
        if game.over:
            return replace(game, hand=None)
        dealer = hand.dealer if hand.points[hand.dealer] and standing.points[hand.dealer] else None
        if dealer is None:
            dealer = next(other for other in clockwise(hand.dealer, count) if standing.points[other])
        return replace(_dealt(game, dealer), notes=notes, number=game.number)
    cost = game.rules.penalty_points + (hand.stake if rule == "IV7" else 0)
    points = tuple(max(0, had - cost * (other == seat)) for other, had in enumerate(hand.points))
    dead = not points[seat]
    out = (dead or rule == "IV7") and seat in hand.inside
    hand = _leave(replace(hand, points=points), seat, 0) if out else replace(hand, points=points)
    if dead:
        hand = replace(hand, killed=(*hand.killed, seat))
    return _advance(game, hand)


def _end_hand(game: TableGame, hand: TableHand, winner: int) -> TableGame:
    """End a hand with a winner: the stake is paid, places are given, the winner deals (TU-ZK-III4a)."""
    standing, count = game.standing, len(hand.points)
    others = tuple(seat for seat in hand.inside if seat != winner)
    nothing = (0,) * count
    won = Won(
        kind=standing.kind,
        ladder=(winner, *others),
        stake=hand.stake,
        left=hand.away,
        costs=nothing,
        fines=nothing,
        killed=hand.killed,
        poor=hand.poor,
        before=hand.points,
    )
    setup = Setup(count, hand.dealer, standing, game.number)
    result = settlement(standing.points, won)
    here = standing.add(result, setup)
    game = replace(game, standing=here, hand=None, notes=(*result.notes, *here.last))
    if game.over:
        return game
    return replace(_dealt(game, here.dealer(setup)), notes=game.notes)


def rules_named(preset: str) -> Rules:
    """Tuppen rules by the name of a preset."""
    rules: Rules = tuppen.GAME.rules_named(preset)
    return rules
