"""A table for tests: persons sit down, time is a number, chance is a seed; no disk, no network."""

import random
from collections.abc import Mapping
from hashlib import sha256

from nousu.engine.actions import Action
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.games import find
from nousu.server.table import commands, schedule, seating
from nousu.server.table.events import ActionDone, Event, EventRow, from_row, to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import DueStep, due_steps
from nousu.server.table.seating import join
from nousu.server.table.shuffle import pledge
from nousu.server.table.table import Change, Table


def share_of(session: str) -> str:
    """The share of the shuffles that the person of a session gives."""
    return sha256(session.encode()).hexdigest()


class Sitting:
    """A `Table` with its history. Persons have the sessions ``p0``, ``p1`` … as they came; or else `named`
    gives sessions and names. They promise shares of the shuffles and (`opening`) open them."""

    def __init__(
        self,
        preset: str = "tuppi",
        persons: int = 4,
        computers: int = 0,
        options: Mapping[str, str] | None = None,
        secret: bytes = bytes(32),
        named: Mapping[str, str] | None = None,
        opening: bool = True,
    ) -> None:
        self.now = 100.0
        self.options = dict(options or {})
        self.preset = preset
        self.secret = secret
        self.events: list[Event] = []
        self.table = Table.new(
            "t", preset, persons + computers, secret, TableOptions.parse(self.options), find, self.now
        )
        self.keys = 0
        default = {f"p{number}": f"Person {number}" for number in range(persons)}
        for session, name in (named or default).items():
            self.add(join(self.table, session, name, pledge(share_of(session)), self.now))
        for _ in range(computers):
            self.add(seating.invite(self.table, "random", self.now))
        for session in named or default if opening else ():
            change = commands.open_share(self.table, session, share_of(session), self.now)
            assert isinstance(change, Change)
            self.add(change)

    def add(self, change: Change) -> None:
        """Add one more event."""
        event, self.table = change
        self.events.append(event)

    @property
    def rows(self) -> list[EventRow]:
        """The history as it is stored."""
        return [to_row(event, len(self.table.seats)) for event in self.events]

    def folded(self, now: float = 0.0) -> Table:
        """Make the table again from its stored history."""
        table = Table.new(
            "t", self.preset, len(self.table.seats), self.secret, TableOptions.parse(self.options), find, now
        )
        for row in self.rows:
            table = table.after(from_row(row, len(table.seats)), now)
        return table

    def key(self) -> str:
        """A new idempotency key."""
        self.keys += 1
        return f"key-{self.keys:06}"

    @property
    def match(self) -> Match:
        """The match, which must have begun."""
        assert self.table.match is not None
        return self.table.match

    def session(self, seat: int) -> str:
        """The session of the person at that seat."""
        return self.table.seats.by_seat[seat].session

    def view(self, seat: int) -> View:
        """The knowledge of that seat about the hand on the table."""
        return self.match.hand.view(seat)

    def does(self, seat: int, action: Action | str) -> None:
        """Let a person act at the present event number."""
        change = commands.act(
            self.table, self.session(seat), str(action), self.table.seq, self.key(), self.now
        )
        assert not isinstance(change, int)
        self.add(change)

    def self_done(self) -> bool:
        """Let the table take its first due step, at its time; computer players act at random."""
        todo = due_steps(self.table)
        if not todo:
            return False
        self.takes(min(todo, key=lambda one: one.at), random.Random(self.table.seq))
        return True

    def takes(self, step: DueStep, rng: random.Random) -> None:
        """Let the table take a step by itself, at its time; computer players act at random."""
        self.now = max(self.now, step.at)
        match step.what:
            case "start":
                self.add(schedule.start(self.table, self.now))
            case "deal":
                self.add(schedule.deal(self.table, self.now))
            case "turn up" | "sit down":
                self.add(schedule.take_step(self.table, step, None, self.now))
            case _:
                action = rng.choice(self.match.hand.legal(step.seat))
                self.add(self.table.change(ActionDone(step.seat, action), self.now))

    def until_asked(self) -> None:
        """Go on until persons have to decide."""
        while self.self_done():
            pass

    def played(self, rng: random.Random, events: int) -> "Sitting":
        """Play on at random for this many events, or until the match is over."""
        until = self.table.seq + events
        while self.table.seq < until and not self.table.over:
            unasked = [seat for seat in self.table.seats.persons() if seat not in self.table.ready]
            if self.table.between_hands and unasked:
                self.does(unasked[0], "next")
            elif not self.self_done():
                seat = rng.choice([seat for seat in self.match.hand.owed() if seat >= 0])
                self.does(seat, rng.choice(self.match.hand.legal(seat)))
        return self
