"""The one interface: a hand that answers five questions, the view of a seat, and the game around it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain
from typing import Any, NamedTuple, Protocol, Self

from nousu.engine.actions import Action, Deal, Entry
from nousu.engine.cards import Card, hand_text
from nousu.engine.errors import BadRules, IllegalAction
from nousu.engine.facts import Facts, nothing
from nousu.engine.messages import Note, brief, sentence
from nousu.engine.options import differences, override, value_text
from nousu.engine.question import Question
from nousu.engine.seats import Seat, seat_name
from nousu.engine.tricks import Trick, cards_by_seat


class Dealing(NamedTuple):
    """The order form for chance: which pack, how many cards each seat gets; the rest is the stock."""

    deck: tuple[Card, ...]
    sizes: tuple[int, ...]
    start: Seat = 0
    """The receiver of the first card; it only matters for reproducing a deal from a shuffled pack."""
    batch: int = 1
    """Number of cards dealt at a time."""

    def dealt(self, pack: Sequence[Card]) -> Deal:
        """The deal that a shuffled pack (first card on top) makes when dealt clockwise in batches."""
        seats = len(self.sizes)
        if self.batch == 1 and len(set(self.sizes)) == 1:
            end = sum(self.sizes)
            slices = (pack[(seat - self.start) % seats : end : seats] for seat in range(seats))
            return Deal(tuple(map(tuple, slices)), tuple(pack[end:]))
        hands: list[list[Card]] = [[] for _ in self.sizes]
        at, seat = 0, self.start
        while any(len(hand) < size for hand, size in zip(hands, self.sizes, strict=True)):
            take = min(self.batch, self.sizes[seat] - len(hands[seat]))
            hands[seat] += pack[at : at + take]
            at += take
            seat = (seat + 1) % seats
        return Deal(tuple(tuple(hand) for hand in hands), tuple(pack[at:]))

    def check(self, deal: Deal, clause: str) -> None:
        """Raise `IllegalAction` by that clause of the deal unless `deal` fills this form."""
        if tuple(len(hand) for hand in deal.hands) != self.sizes:
            sizes = " ".join(map(str, self.sizes))
            raise IllegalAction(
                clause, "the hands must hold these numbers of cards: {sizes}", (), {"sizes": sizes}
            )
        dealt = [*chain.from_iterable(deal.hands), *deal.stock]
        if len(dealt) != len(self.deck) or set(dealt) != set(self.deck):
            twice = next((card for card in dealt if dealt.count(card) > 1), None)
            if twice is not None:
                raise IllegalAction(clause, "{card} is dealt twice", (), {"card": str(twice)})
            missing = next((card for card in self.deck if card not in dealt), None)
            foreign = next((card for card in dealt if card not in self.deck), None)
            message = (
                sentence("{card} is not in this pack") if missing is None else sentence("{card} is missing")
            )
            raise IllegalAction(clause, message, (), {"card": str(foreign if missing is None else missing)})


def unknown_preset(text: str, known: Iterable[str]) -> BadRules:
    """The error for an unknown preset: it suggests similar names, or lists all of them."""
    listed = list(known)
    likely = get_close_matches(text[:100], listed, 3)
    message = (
        sentence("there is no preset ‘{word}’; did you mean {presets}?")
        if likely
        else sentence("there is no preset ‘{word}’; the presets are {presets}")
    )
    return BadRules("preset", message, "", {"word": brief(text), "presets": ", ".join(likely or listed)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The worth of a finished hand, before the match decides its effect on the score."""

    points: tuple[int, ...]
    """Points won (or lost) in this hand: one number per side in games of two sides, otherwise one per
    seat."""
    notes: tuple[Note, ...] = ()
    """The reasons, clause by clause."""
    void: bool = False
    """True if the hand does not count: the same dealer deals again."""
    outcome: Facts = field(default_factory=Facts)
    """Facts for tally and score sheet beyond points (contract, tricks …): the game's own type."""


class Tally(Protocol):
    """The score between hands: a value in which no impossible score can be written."""

    def add(self, result: Result, setup: "Setup") -> Self:
        """The score after one more hand."""
        ...

    def dealer(self, setup: "Setup") -> Seat:
        """The dealer of the hand after `setup`; asked of the tally that already includes it."""
        ...

    def score(self) -> tuple[int, ...]:
        """The standing: one number per side in games of two sides, otherwise one per seat."""
        ...

    def winner(self) -> tuple[int, ...] | None:
        """The winning sides or seats, () for a draw; None while the match goes on."""
        ...

    def plain(self) -> Mapping[str, Any]:
        """The standing as plain JSON values: for the API, records and players outside Python."""
        ...

    def notes(self) -> tuple[Note, ...]:
        """Effects of the last hand on the standing and, at the end, the reason for the end of the match."""
        ...


@dataclass(frozen=True, slots=True)
class Setup:
    """The starting point of a hand."""

    seats: int
    dealer: Seat
    tally: Tally
    number: int = 1
    """The hand's number in the match, from 1; a void hand is dealt again under the same number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The knowledge of one seat (or a spectator, seat None). Built by listing what is known."""

    game: str
    rules: Any
    setup: Setup
    seat: Seat | None
    cards: tuple[Card, ...]
    """The viewer's own hand."""
    counts: tuple[int, ...]
    """Number of cards in each hand, by seat."""
    trick: tuple[tuple[Seat, Card], ...]
    """The trick on the table."""
    tricks: tuple[Trick, ...]
    """The finished tricks."""
    question: Question | None
    facts: Facts
    """The state of this hand (phase, contract …): the game's own type."""
    heard: tuple[Entry, ...]
    """The log of this hand as this seat heard it."""
    owed: tuple[Seat, ...]
    legal: tuple[Action, ...]

    @property
    def phase(self) -> str:
        """The phase of the hand, named as in the facts of its game; empty where a game names no phases."""
        return str(getattr(self.facts, "phase", ""))

    def __repr__(self) -> str:
        seats = self.setup.seats
        viewer = "a spectator" if self.seat is None else seat_name(self.seat, seats)
        trick = " ".join(f"{seat_name(seat, seats)} {card}" for seat, card in self.trick)
        state = f"{self.game} hand {self.setup.number} seen by {viewer}, {state_text(self.owed, seats)}"
        return f"<View {state}: {hand_text(self.cards)}" + (f" | {trick}>" if trick else ">")


def state_text(owed: Iterable[Seat], seats: int) -> str:
    """The state of a hand in words: ``E, S to act``, ``to be dealt`` or ``over``."""
    names = ", ".join(seat_name(seat, seats) for seat in owed)
    return {"": "over", "chance": "to be dealt"}.get(names, f"{names} to act")


def hand_repr(hand: "Hand") -> str:
    """The `repr` of a hand in one line: its number, the seats to act, all cards."""
    setup = hand.setup
    cards = cards_by_seat((hand.view(seat).cards for seat in range(setup.seats)), setup.seats)
    return f"<Hand {setup.number}, {state_text(hand.owed(), setup.seats)}: {cards}>"


class Hand(Protocol):
    """One deal, from the shuffle to its result; a frozen value."""

    @property
    def setup(self) -> Setup:
        """The starting point of the hand."""
        ...

    @property
    def log(self) -> tuple[Entry, ...]:
        """The complete log, with nothing removed. Replaying it gives this hand."""
        ...

    def owed(self) -> tuple[Seat, ...]:
        """The seats the table is waiting for; () = over; (CHANCE,) = cards to be dealt."""
        ...

    def dealing(self) -> Dealing:
        """The order form for chance, meaningful while a deal is owed."""
        ...

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        """Actions open to the seat now, owed or not. Depends only on what the seat knows. () for CHANCE."""
        ...

    def apply(self, seat: Seat, action: Action) -> Self:
        """The hand after it, or `IllegalAction` naming the clause and the legal set."""
        ...

    def view(self, seat: Seat | None) -> View:
        """The knowledge of a seat; None = a spectator."""
        ...

    def result(self) -> Result | None:
        """The result; None until the hand is over."""
        ...


class Seating(NamedTuple):
    """The outcome of drawing for partners, seats and the first dealer."""

    places: tuple[Seat, ...]
    """The seat of each person, persons being numbered as they came."""
    dealer: Seat
    rounds: tuple[tuple[tuple[int, Card], ...], ...] = ()
    """The cards drawn, round by round: (person, card). Later rounds are redraws of ties."""
    notes: tuple[Note, ...] = ()


def keep_places(rules: Any, seats: int, pack: Sequence[Card], pick: Seat = 0) -> Seating:
    """The simplest draw: everybody keeps their place, and the highest card in the natural order deals."""
    drawn = tuple(enumerate(pack[:seats]))
    highest = max(drawn, key=lambda one: (one[1].rank, -one[1].suit))[0]
    return Seating(tuple(range(seats)), highest, (drawn,))


def wrong_seats(preset: str, takes: range, seats: int) -> BadRules:
    """The error for rules (or a family) that are not for that many players."""
    values: dict[str, int | str] = {"preset": preset}
    values |= {"least": takes.start, "most": takes.stop - 1, "seats": seats}
    message = (
        sentence("{preset} is for {least} to {most} players, not {seats}")
        if len(takes) > 1
        else sentence(
            "{preset} is for {least} player, not {seats}", "{preset} is for {least} players, not {seats}"
        )
    )
    return BadRules("seats", message, "", values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game family: everything the table, the record and the laws need to know about it."""

    name: str
    """The family: ``whist``, ``huutopussi``, ``tuppen``."""
    seats: range
    """Numbers of players for which the game has rules."""
    sides: int
    """2 where partners play together (seat parity), 0 where everybody plays alone."""
    deck: tuple[Card, ...]
    """The pack from which seats and first dealer are drawn."""
    rules: type
    presets: Mapping[str, Any]
    experimental: frozenset[str] = frozenset()
    """Presets with values that no source gives."""
    start: Callable[[Any, Setup], Hand]
    tally: Callable[[Any, int], Tally]
    """The empty score for that many seats."""
    fewest: Mapping[str, int] = field(default_factory=dict)
    """Presets that need more players than the family does."""
    key_options: tuple[str, ...] = ()
    """The most important options: a table shows them beside those that were changed."""
    window: float = 0.0
    """Seconds that a table waits before it goes on, so that players have time to speak out of turn."""
    outcome: Callable[[Mapping[str, Any]], Facts] = nothing
    """The `Result.outcome` whose `plain` form is given: for results read from a file."""
    facts: Callable[[Mapping[str, Any]], Facts] = nothing
    """The `View.facts` whose `plain` form is given: for questions that come as text."""
    standing: Callable[[Any, int, Mapping[str, Any]], Tally] | None = None
    """(rules, seats, plain form) → the score it describes; without it every hand starts from an empty
    score."""
    draw: Callable[[Any, int, Sequence[Card], Seat], Seating] = keep_places
    """(rules, seats, shuffled pack, seat the highest drawer picks) → seats and first dealer."""

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self.presets)}>"

    def seats_for(self, text: str) -> range:
        """Numbers of players allowed by rules written ``preset+option=value+…``."""
        return range(self.fewest.get(text.split("+")[0], self.seats.start), self.seats.stop)

    def check_seats(self, text: str, seats: int) -> None:
        """Raise `BadRules` if these rules are not for that many players."""
        takes = self.seats_for(text)
        if seats not in takes:
            raise wrong_seats(text.split("+")[0], takes, seats)

    def rules_named(self, text: str) -> Any:
        """The rules written ``preset+option=value+…``; `BadRules` names what is wrong."""
        preset, *changes = text.split("+")
        if preset not in self.presets:
            raise unknown_preset(preset, self.presets)
        pairs = {}
        for change in changes:
            name, equals, value = change.partition("=")
            name = name.strip()
            if not equals:
                raise BadRules(name, "‘{word}’: write an option as name=value", "", {"word": brief(change)})
            if name in pairs:
                raise BadRules(name, "{word} is given twice", "", {"word": brief(name)})
            pairs[name] = value.strip()
        return override(self.presets[preset], pairs)

    def name_of(self, rules: Any, base: str | None = None, seats: int | None = None) -> str:
        """The shortest ``preset+option=value`` text for `rules`.

        Args:
            rules: The rules of a match.
            base: The preset to start from; None for the nearest one.
            seats: A number of players that the preset must allow; None for any.
        """
        bases = [base] if base is not None else list(self.presets)
        if seats is not None:
            fitting = (name for name in (*bases, *self.presets) if seats in self.seats_for(name))
            bases = list(fitting)[: len(bases)] or bases
        texts = []
        for preset in bases:
            changed = differences(rules, self.presets[preset])
            parts = (f"+{name}={value_text(value)}" for name, value in changed.items())
            texts.append(preset + "".join(parts))
        return min(texts, key=lambda text: text.count("+"))


def points_by_seat(game: Game, result: Result, seats: int) -> list[int]:
    """The points of a hand, seat by seat: those of its side where partners play together."""
    return [result.points[seat % 2 if game.sides else seat] for seat in range(seats)]
