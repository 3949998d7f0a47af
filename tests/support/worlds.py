"""Stretches of a hand in several worlds that one viewer cannot tell apart, as events of a table.

People and computer players do random legal actions (`Evening`). Of each hand one viewer is taken,
and a moment in it or soon after it. Until then cards that this viewer never saw change places, or a hidden
choice is another one that the viewer hears alike. What remains possible under the rules is another world
(`stretches`). `Stretch.moments` folds all worlds step by step and yields the same moment of each.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from nousu.engine.actions import Action, Deal, Entry, heard
from nousu.engine.cards import Card
from nousu.engine.game import Hand
from nousu.engine.laws import known_cards, swap_cards
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find
from nousu.i18n import LANGUAGES
from nousu.players import claims
from nousu.server.errors import RequestError
from nousu.server.pages.table.live_view import LiveView, ViewerClass, ViewerGroup
from nousu.server.table import commands, seating
from nousu.server.table.events import ActionDone, ChatLineSaid, ClaimSettled, Event, Happening, PersonMuted
from nousu.server.table.schedule import due_steps
from nousu.server.table.table import Change, Table
from nousu.server.table.view import SeatView
from nousu.server.table.view_builder import ViewBuilder
from table_fixtures import Sitting

Asking = Callable[[Table], Change]
STRANGER = "stranger"
"""The session of a watcher without a seat; None is no session at all."""
_LONGEST = 240
"""Events after which an evening is broken off."""
_TRIES = 5
"""Number of attempts for each world that is wanted."""


class Evening(Sitting):
    """A sitting with every table it came to. Persons also speak, interrupt, claim, take back and go away."""

    def __init__(self, preset: str, rng: random.Random) -> None:
        self.rng = rng
        self.lang = rng.choice(LANGUAGES)
        """The language of the viewers."""
        self.tables: list[Table] = []
        """The table after each event."""
        self.times: list[float] = []
        """The time of each event."""
        takes = find(preset)[0].seats_for(preset)
        seats = rng.choice([count for count in takes if count <= 5])
        persons = rng.choice((seats, seats, seats - 1, 1))
        options = {
            "pace": "1",
            "window": rng.choice(("0", "3")),
            "undo": "no" if "tournament" in preset else rng.choice(("yes", "no")),
            "learning": rng.choice(("yes", "no")),
            "seats": rng.choice(("chosen", "drawn")),
        }
        super().__init__(preset, persons, seats - persons, options, secret=rng.randbytes(32))

    def add(self, change: Change) -> None:
        super().add(change)
        self.tables.append(self.table)
        self.times.append(self.now)

    def go_on(self) -> None:
        """Let one more event happen."""
        rng, table = self.rng, self.table
        if rng.random() < 0.06:
            self._aside()
        elif table.requests.open is not None:
            self._answer()
        elif table.match is None or table.resting:
            self._next_hand()
        else:
            self._play(table.match.hand)

    def _aside(self) -> None:
        """Let a person say something, mute a reader, go away or come back."""
        rng, places = self.rng, self.table.seats.places
        place = rng.choice([at for at, place in enumerate(places) if place.session])
        other = rng.randrange(len(places))
        match rng.randrange(4):
            case 0:
                self._happens(ChatLineSaid(place, word=rng.choice(("hello", "played"))))
            case 1 if other != place and places[other].session:
                self._happens(PersonMuted(place, other, rng.random() < 0.5))
            case 2 if self.table.seats.persons():
                self._tries(lambda table: seating.leave(table, places[place].session, "random", self.now))
            case 3:
                self._tries(lambda table: seating.come_back(table, places[place].session, self.now))

    def _happens(self, what: Happening) -> None:
        self.add(self.table.change(what, self.now))

    def _tries(self, asked: Asking) -> bool:
        """Try a change; return whether it was allowed."""
        with suppress(RequestError):
            self.add(asked(self.table))
            return True
        return False

    def _answer(self) -> None:
        """Let an asked person answer, and do what all agree to."""
        request, match = self.table.requests.open, self.match
        assert request is not None
        if request.of:
            session, yes = self.session(self.rng.choice(request.of)), self.rng.random() < 0.7
            if self.rng.random() < 0.1 or not self._tries(
                lambda table: commands.answer(table, session, yes, self.now)
            ):
                self.add(commands.lapse(self.table, self.now))
            return
        plays: tuple[Entry, ...] = ()
        if request.what != "undo":
            kind: claims.Kind = "mine" if request.what == "claim mine" else "theirs"
            plays = claims.play_out_claim(match.hand, request.seat, kind)
        self.add(commands.settle(self.table, plays, self.now))

    def _next_hand(self) -> None:
        unasked = [seat for seat in self.table.seats.persons() if seat not in self.table.ready]
        if self.table.between_hands and unasked:
            self.does(self.rng.choice(unasked), "next")
        else:
            self._by_itself()

    def _play(self, hand: Hand) -> None:
        rng, persons, owed = self.rng, self.table.seats.persons(), hand.owed()
        asked = [seat for seat in persons if seat in owed]
        free = [seat for seat in persons if seat not in owed and hand.legal(seat)]
        if rng.random() < 0.03 and self._asks():
            return
        if free and rng.random() < 0.15:
            self._acts(rng.choice(free))
        elif asked and (rng.random() < 0.5 or not due_steps(self.table)):
            self._acts(rng.choice(asked))
        else:
            self._by_itself()

    def _asks(self) -> bool:
        """Let a person ask the others, if possible; return whether one did."""
        for seat in self.table.seats.persons():
            for what in self.table.possible_requests(seat):
                # A claim plays out the rest of the hand: few of them, so that hands are played to their end.
                if what == "undo" or self.rng.random() < 0.2:
                    session, seq = self.session(seat), self.table.seq
                    return self._tries(
                        lambda table, session=session, what=what, seq=seq: commands.ask(  # type: ignore[misc]
                            table, session, what, seq, False, self.now
                        )
                    )
        return False

    def _acts(self, seat: Seat) -> None:
        self.does(seat, self.rng.choice(self.match.hand.legal(seat)))

    def _by_itself(self) -> None:
        """Let the table take one of its first due steps."""
        todo = due_steps(self.table)
        soonest = min(step.at for step in todo)
        self.takes(self.rng.choice([step for step in todo if step.at == soonest]), self.rng)


class Moment:
    """The table after some event of a stretch in one of its worlds, for the stretch's viewer."""

    def __init__(
        self, stretch: "Stretch", step: int, table: Table, group: ViewerGroup, before: LiveView | None
    ):
        self.table = table
        self.session = stretch.session
        self.lang = group.viewers.lang
        self.now = stretch.times[step] + 0.5
        self.tries = stretch.tries[step]
        """Texts of actions that the viewer may try."""
        self.number = stretch.number
        """The hand that is another one in each world, by its place from 1 among the finished ones, where it
        is finished."""
        self.finished = len(table.finished_hands) >= stretch.number
        self.last = step == max(stretch.looked)
        """True if nothing of the stretch is looked at after it."""
        self.shown = group.live_view(table, self.session, self.now)
        """The view on a live page of the viewer."""
        self.before = before
        """The view there when the stretch was looked at last."""

    @property
    def seen(self) -> SeatView:
        """The table as the viewer may see it."""
        return self.shown.drawn.seen


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Part of an evening in several worlds that one viewer cannot tell apart; the first is what happened."""

    before: Table
    """The table before the hand began that is another one in each world."""
    earlier: tuple[Event, ...]
    """The events before it."""
    options: Mapping[str, str]
    """The options of the table."""
    secret: bytes
    """The secret from which its shuffles come."""
    end: Table
    """The table as it really was at the end of the stretch."""
    number: int
    """The place of that hand among the hands of the match, from 1."""
    session: str | None
    """The viewer's session; `STRANGER`, or None for nobody."""
    worlds: tuple[tuple[Event, ...], ...]
    times: tuple[float, ...]
    looked: frozenset[int]
    """Events of the stretch, counted from 0, after which the worlds are compared."""
    tries: tuple[tuple[str, ...], ...]
    lang: str

    @property
    def viewer(self) -> str:
        """The viewer: a seat, a stranger or nobody."""
        seat = self.before.seats.seat_of(self.session)
        return f"seat {seat}" if seat is not None else self.session or "nobody"

    @cached_property
    def paths(self) -> list[list[int]]:
        """A number for each world after each step: the same in two worlds that are one so far."""
        known: dict[tuple[int, Happening], int] = {}

        def path(world: tuple[Event, ...]) -> Iterator[int]:
            at = 0
            for event in world:
                at = known.setdefault((at, event.what), len(known) + 1)
                yield at

        return [list(path(world)) for world in self.worlds]

    def moments(self) -> Iterator[tuple[str, list[Moment]]]:
        """Each step looked at, by its kind, with its moment in all worlds that differ by then: two or
        more. All are folded anew."""
        count = len(self.worlds)
        tables = [self.before] * count
        seat = self.before.seats.seat_of(self.session)
        groups = [ViewerGroup(ViewerClass(seat, self.lang, ""), ViewBuilder) for _ in range(count)]
        before: list[LiveView | None] = [None] * count
        for step, now in enumerate(self.times):
            tables = [table.after(world[step], now) for table, world in zip(tables, self.worlds, strict=True)]
            if step not in self.looked:
                continue
            moments = [Moment(self, step, *parts) for parts in zip(tables, groups, before, strict=True)]
            before = [moment.shown for moment in moments]
            apart = {path[step]: moment for path, moment in zip(self.paths, moments, strict=True)}
            if len(apart) > 1:
                yield kind(tables[0], self.number), list(apart.values())


def kind(table: Table, number: int) -> str:
    """The state of a table, when the hand of that place is the one that differs; of cards that are played
    also in what kind of hand, where the game has several."""
    assert table.match is not None
    if table.requests.open is not None:
        return "something is asked"
    if len(table.match.played) >= number:
        return "between hands" if table.between_hands else "next hand"
    view = table.match.hand.view(None)
    return f"play {getattr(view.facts, 'kind', '')}".strip() if view.phase == "play" else view.phase


def stretches(preset: str, seed: int, count: int) -> Iterator[Stretch]:
    """Stretches of an evening, one of each hand, in up to `count` worlds."""
    rng = random.Random(f"{preset} {seed}")
    evening = Evening(preset, rng)
    while not evening.table.over and evening.table.seq < _LONGEST:
        evening.go_on()
    match = evening.match
    for number in range(1, len(match.played) + 2):
        stretch = _stretch(evening, number, count)
        if stretch is not None:
            yield stretch


def _hand(table: Table, number: int) -> Hand | None:
    """The hand of that place, from 1, as it is now; None before it began or once the next is finished."""
    match = table.match
    if match is None or table.over or not number - 1 <= len(match.played) <= number:
        return None
    hand = match.hand if len(match.played) < number else match.played[number - 1].hand
    return hand if hand.log else None


def _stretch(evening: Evening, number: int, count: int) -> Stretch | None:
    """Some moments of a hand, or soon after it, for one viewer."""
    rng, tables = evening.rng, evening.tables
    hands = {at: hand for at, table in enumerate(tables) if (hand := _hand(table, number)) is not None}
    dealt = [at for at, hand in hands.items() if any(isinstance(action, Deal) for _, action in hand.log)]
    if not dealt:
        return None
    first = min(hands)
    playing = [at for at in dealt if len(tables[at].finished_hands) < number]
    end = rng.choice(playing if playing and rng.random() < 0.7 else dealt)
    stretch = range(first, end + 1)
    session = rng.choice((*(one.session for one in tables[end].seats.places if one.session), STRANGER, None))
    seat = tables[end].seats.seat_of(session)
    known: set[Card] = set()
    for at in stretch:  # a card that was taken back is in the hand again, but was seen
        if at in hands:
            known |= known_cards(hands[at].view(seat))
    until = sum(len(tables[at - 1].finished_hands) < number for at in stretch)
    worlds = _Worlds(evening, stretch, until, seat, known)
    ways = worlds.found(count)
    if len(ways) < 2:
        return None
    looked = {at for at in range(len(stretch)) if rng.random() < 0.2} | {len(stretch) - 1}
    return Stretch(
        before=tables[first - 1],
        earlier=tuple(evening.events[:first]),
        options=evening.options,
        secret=evening.secret,
        end=tables[end],
        number=number,
        session=session,
        worlds=tuple(ways),
        times=tuple(evening.times[first : end + 1]),
        looked=frozenset(looked),
        tries=tuple(_tries(evening, rng) for _ in stretch),
        lang=evening.lang,
    )


class _Worlds:
    """The search for other worlds of a stretch."""

    def __init__(self, evening: Evening, stretch: range, until: int, seat: Seat | None, known: set[Card]):
        self._rng = evening.rng
        self._before = evening.tables[stretch[0] - 1]
        self._until = until
        """Number of events before the end of the hand that is to be another one."""
        self._real = tuple(evening.events[at] for at in stretch)
        self._times = [evening.times[at] for at in stretch]
        self._after = evening.tables[stretch[-1]]
        self._seat = seat
        pack = next(
            [*(card for hand in event.what.action.hands for card in hand), *event.what.action.stock]
            for event in self._real
            if isinstance(event.what, ActionDone) and isinstance(event.what.action, Deal)
        )
        self._unknown = [card for card in pack if card not in known]
        self._hidden = [
            at
            for at, event in enumerate(self._real[:until])
            if isinstance(event.what, ActionDone)
            and event.what.seat != CHANCE
            and heard(seat, event.what.action, event.what.seat) != event.what.action
        ]
        """Actions that the viewer did not hear."""

    def found(self, count: int) -> list[tuple[Event, ...]]:
        """Make up to `count` worlds, the real one first. Each is made from one that was found before."""
        ways = [self._real]
        known = {self._real}
        for _ in range(_TRIES * count if self._hidden or len(self._unknown) > 1 else 0):
            world = self._possible(self._rng.choice(ways))
            if world is not None and world not in known:
                known.add(world)
                ways.append(world)
                if len(ways) == count:
                    break
        return ways

    def _possible(self, world: tuple[Event, ...]) -> tuple[Event, ...] | None:
        """A change of a world, unless the rules forbid it."""
        rng, swap, other = self._rng, self._swap(), -1
        if self._hidden and (not swap or rng.random() < 0.3):
            swap, other = {}, rng.choice(self._hidden)
        table, events = self._before, []
        for step, event in enumerate(world):
            what = event.what
            if step >= self._until:
                pass  # of the next hand
            elif isinstance(what, ActionDone):
                action = swap_cards(what.action, swap)
                if step == other:
                    action = self._alike(table, what.seat, action)
                what = ActionDone(what.seat, action)
            elif isinstance(what, ClaimSettled):
                what = ClaimSettled(tuple((seat, swap_cards(action, swap)) for seat, action in what.plays))
            event = event if what == event.what else replace(event, what=what)
            try:
                table = table.after(event, self._times[step])
            except ValueError:
                return None
            events.append(event)
        return tuple(events) if _public(table) == _public(self._after) else None

    def _alike(self, table: Table, seat: Seat, action: Action) -> Action:
        """Other actions of this seat that the viewer hears alike."""
        assert table.match is not None
        told = heard(self._seat, action, seat)
        legal = table.match.hand.legal(seat)
        return self._rng.choice([one for one in legal if heard(self._seat, one, seat) == told] or [action])

    def _swap(self) -> dict[Card, Card]:
        """Exchange cards that the viewer never saw: all of them, those of one suit (which breaks no rule of
        following suit), or two."""
        rng, unknown = self._rng, self._unknown
        if len(unknown) < 2:
            return {}
        first = rng.choice(unknown)
        mates = [card for card in unknown if card.suit == first.suit]
        match rng.randrange(4):
            case 0:
                cards = unknown
            case 1 if len(mates) > 1:
                cards = mates
            case 2 if len(mates) > 1:
                cards = rng.sample(mates, 2)
            case _:
                cards = rng.sample(unknown, 2)
        return dict(zip(cards, rng.sample(cards, len(cards)), strict=True))


def _public(table: Table) -> tuple[object, ...]:
    """The public part of a match's course: a claim that the rules check may end a hand."""
    assert table.match is not None
    return len(table.match.played), table.match.winner, table.resting, table.match.hand.owed()


def _tries(evening: Evening, rng: random.Random) -> tuple[str, ...]:
    """Attempts of a person, allowed or not."""
    pack = evening.table.game.deck
    one, two, three = rng.sample(pack, 3)
    seat = rng.choice("NESW")
    words = ("sooli", "pass", "next", "rami", "raise", "keep", "leave", "declare H", "ask", "yes", "nonsense")
    return (
        f"play {one}",
        f"play {two}",
        rng.choice((f"seal {one}", f"show {two}", f"show {one} {two} {three}")),
        rng.choice((f"give {one} away", f"give {one} {two} {three} to {seat}")),
        *rng.sample(words, 2),
    )
