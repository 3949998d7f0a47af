"""A table is asked for anything: whatever people and the table itself do, and in whatever order (P11).

Hypothesis asks in the quick form, so that what fails is made small. Most of its time goes into its choices,
so the long form throws dice instead.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Protocol, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parser_fuzz
from nousu.engine.errors import IllegalAction
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import claims
from nousu.server.errors import RequestError
from nousu.server.table import commands, schedule, seating
from nousu.server.table.events import ActionDone, from_row, to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import DueStep, due_steps
from nousu.server.table.shuffle import pledge
from nousu.server.table.table import Change, Table
from soaking import report, times
from table_fixtures import share_of

PRESETS = ("tuppi", "minnesota", "huutopussi+target=100", "tuppen_zk", "toepen", "south_dakota+max_hands=2")
SESSIONS = [f"s{number}" for number in range(6)]
"""Two more than most tables seat."""
TEXTS = ["", "play", "play H99", "pass", "seal rami", "next", "deal N S:A", "🂡", "play H9 " * 40]
LONGEST = 100
"""Steps at one table."""
One = TypeVar("One")


class Pick(Protocol):
    """Chooses one of several things."""

    def __call__(self, many: Sequence[One], /) -> One: ...


def timed_answer(ask: Callable[[], Change | int]) -> tuple[float, Change | int | None]:
    """The seconds of processor that an answer took, and the answer; None where that was a refusal."""
    before = time.process_time()
    try:
        found = ask()
    except (RequestError, IllegalAction) as error:
        assert error.note.message, "a refusal says why"
        return time.process_time() - before, None
    return time.process_time() - before, found


def sitting(table: Table) -> set[str]:
    """The sessions of the people who have a place."""
    return {place.session for place in table.seats.places if place.session}


class AnyTable:
    """A table at which anything may be asked for; what is refused changes nothing."""

    def __init__(self, pick: Pick) -> None:
        self.pick = pick
        self.asked = 0
        """How often something was asked for."""
        self.slowest = 0.0
        """Seconds of processor that the slowest answer took."""
        preset = pick(PRESETS)
        game, _ = find(preset)
        seats = pick(list(game.seats_for(preset)))
        options = {
            "pace": "0",
            "undo": pick(["yes", "no"]),
            "seats": pick(["chosen", "drawn"]),
            "window": pick(["0", "1"]),
        }
        seed: int = pick(range(1 << 32))
        self.rng, self.now, self.keys = Random(seed), 100.0, 0
        self.empty = Table.new(
            "t", preset, seats, self.rng.randbytes(32), TableOptions.parse(options), find, self.now
        )
        self.table = self.empty
        self.rows: list[Any] = []
        self.used: list[tuple[str, str, int, str, int]] = []
        for session in SESSIONS[: pick([0, 1, 2, seats, seats, seats])]:
            self.joins(session, pick(["", pledge(share_of(session))]), None)
        for _ in range(pick(range(9))):
            self.is_filled()
        self.kinds = [pick([True, True, False]) for _ in self.steps_of_all_kinds()]
        """Which kinds of steps are taken here: others are only where nothing else can be done."""

    def does(self, ask: Callable[[], Change | int], leaving: str = "") -> int | None:
        """Ask for something; the number of its event, or None where it was refused. Somebody may be `leaving`
        by it."""
        before, seats = self.table, len(self.table.seats)
        self.asked += 1
        took, found = timed_answer(ask)
        for _ in range(2):  # the machine may have been busy with something else
            took = took if took <= parser_fuzz.SLOWEST else timed_answer(ask)[0]
        self.slowest = max(took, self.slowest)
        assert took <= parser_fuzz.SLOWEST
        if found is None:
            return None
        if isinstance(found, int):
            assert 0 <= found <= before.seq
            return found
        event, after = found
        assert event.seq == after.seq == before.seq + 1
        row = to_row(event, seats)
        assert from_row(row, seats) == event and before.after(from_row(row, seats), self.now) == after
        assert sitting(before) - sitting(after) <= {leaving}, "nobody else loses their place"
        self.rows.append(row)
        self.table = after
        self.now += self.rng.choice((0.0, 0.1, 3.0))
        return event.seq

    def session(self) -> str:
        """Mostly of somebody who sits here."""
        seated = [place.session for place in self.table.seats.places if place.session]
        return self.pick([*seated, *seated, "s5", "", "nobody"])

    def goes_on(self) -> None:
        """One step that can be taken now."""
        kinds = self.steps_of_all_kinds()
        able = [step for step, can in kinds if can]
        usual = [step for (step, can), kind in zip(kinds, self.kinds, strict=True) if can and kind]
        self.pick(usual or able)()

    def steps_of_all_kinds(self) -> list[tuple[Callable[[], None], bool]]:
        """Each with whether it can be taken now."""
        open_places = bool(self.table.seats.open_places())
        return [
            (self.comes, open_places),
            (self.is_filled, open_places),
            (self.sits_elsewhere, True),
            (self.is_played, True),
            (self.is_asked_for_anything, True),
            (self.is_told_again, bool(self.used)),
            (self.is_asked_what_may_be_asked, bool(self.askers())),
            (self.is_asked_something, True),
            (self.is_answered, True),
            (self.is_talked_at, True),
        ]

    def askers(self) -> list[int]:
        """Who may ask the others for something."""
        return [seat for seat in self.table.seats.persons() if self.table.possible_requests(seat)]

    # ----------------------------------------------------------------------------- coming and going

    def comes(self) -> None:
        session = self.pick(SESSIONS)
        at = self.pick([None, *range(len(self.table.seats))])
        self.joins(session, self.pick(["", pledge(share_of(session))]), at)

    def joins(self, session: str, share: str, at: int | None) -> None:
        self.does(lambda: seating.join(self.table, session, session.upper(), share, self.now, at))

    def is_filled(self) -> None:
        self.does(lambda: seating.invite(self.table, "random", self.now))

    def sits_elsewhere(self) -> None:
        """Somebody goes, comes back, or takes another place; so does the whole table."""
        session, place = self.session(), self.pick(range(len(self.table.seats)))
        at_place = self.table.seats.places[place].session
        asked: list[tuple[Callable[[], Change | int], str]] = [
            (lambda: seating.leave(self.table, session, "rules", self.now), session),
            (lambda: seating.come_back(self.table, session, self.now), ""),
            (lambda: seating.move(self.table, session, place, self.now), ""),
            (lambda: seating.remove(self.table, session, place, "rules", self.now), at_place),
            (lambda: seating.hand_over(self.table, session, f"new-{self.table.seq}", "N", self.now), session),
            (lambda: commands.open_share(self.table, session, share_of(session), self.now), ""),
        ]
        if self.table.over:
            asked.append((lambda: seating.announce_rematch(self.table, "elsewhere", self.now), ""))
        self.does(*self.pick(asked))

    # -------------------------------------------------------------------------------------- playing

    def is_played(self) -> None:
        """Run a table for a while: its automatic actions, and random ones of people."""
        for _ in range(self.pick(range(1, 41))):
            todo = due_steps(self.table)
            persons = [seat for seat in self.table.seats.persons() if self.may(seat)]
            if persons and (not todo or self.rng.random() < 0.7):
                self.acts(self.rng.choice(persons))
            elif todo:
                self.takes_step(min(todo, key=lambda one: one.at))
            else:
                return

    def may(self, seat: int) -> bool:
        table = self.table
        if table.match is None or table.over or table.requests.open is not None:
            return False
        return seat not in table.ready if table.between_hands else bool(table.match.hand.legal(seat))

    def acts(self, seat: int) -> None:
        table = self.table
        assert table.match is not None
        text = "next" if table.between_hands else str(self.rng.choice(table.match.hand.legal(seat)))
        self.keys += 1
        session, key, seq = table.seats.by_seat[seat].session, f"key-{self.keys:06}", table.seq
        number = self.does(lambda: commands.act(table, session, text, seq, key, self.now))
        assert number == seq + 1, "what is offered is accepted"
        self.used.append((session, text, seq, key, number))

    def takes_step(self, step: DueStep) -> None:
        table = self.table
        self.now = max(self.now, step.at)
        hand = table.match.hand if table.match is not None else None
        request = table.requests.open
        match step.what:
            case "start":
                done = self.does(lambda: schedule.start(table, self.now))
            case "deal":
                done = self.does(lambda: schedule.deal(table, self.now))
            case "turn up":
                done = self.does(lambda: schedule.turn_up(table, step.seat, self.now))
            case "lapse":
                done = self.does(lambda: commands.lapse(table, self.now))
            case "settle":
                assert hand is not None and request is not None
                kind: claims.Kind = "mine" if request.what == "claim mine" else "theirs"
                plays = () if request.what == "undo" else claims.play_out_claim(hand, request.seat, kind)
                done = self.does(lambda: commands.settle(table, plays, self.now))
            case _:
                assert hand is not None
                action = self.rng.choice(hand.legal(step.seat))
                done = self.does(lambda: table.change(ActionDone(step.seat, action), self.now))
        assert done == table.seq + 1, "what a table does by itself can be done"

    def is_asked_for_anything(self) -> None:
        session, seq, text = self.session(), self.pick(range(-1, self.table.seq + 2)), self.pick(TEXTS)
        self.does(lambda: commands.act(self.table, session, text, seq, f"odd-{self.table.seq:06}", self.now))

    def is_told_again(self) -> None:
        """The same key gives the same answer while the table knows it, and is no other action's."""
        session, text, seq, key, number = self.used[-1]
        if key not in {known for known, _, _ in self.table.keys} or self.table.seats.seat_of(session) is None:
            return
        again = self.does(lambda: commands.act(self.table, session, text, seq, key, self.now))
        assert again in (number, None)
        other = "play S2" if text != "play S2" else "play S3"
        assert self.does(lambda: commands.act(self.table, session, other, seq, key, self.now)) is None

    # --------------------------------------------------------------------------------- what is said

    def is_asked_something(self) -> None:
        self.is_asked(self.session(), self.pick(["undo", "claim mine", "claim theirs", "tea"]))

    def is_asked_what_may_be_asked(self) -> None:
        seat = self.pick(self.askers())
        self.is_asked(self.table.seats.by_seat[seat].session, self.pick(self.table.possible_requests(seat)))

    def is_asked(self, session: str, what: str) -> None:
        table, seat, proven = self.table, self.table.seats.seat_of(session), False
        if what.startswith("claim") and table.match is not None and what in table.possible_requests(seat):
            kind: claims.Kind = "mine" if what == "claim mine" else "theirs"
            proven = claims.is_proven(table.match.hand.view(seat), kind)
        self.does(lambda: commands.ask(table, session, what, table.seq, proven, self.now))

    def is_answered(self) -> None:
        request = self.table.requests.open
        asked = [self.table.seats.by_seat[seat].session for seat in request.of] if request is not None else []
        session, yes = self.pick([*asked, self.session()]), self.pick([False, True])
        self.does(lambda: commands.answer(self.table, session, yes, self.now))

    def is_talked_at(self) -> None:
        session, seat = self.session(), self.pick(range(-1, len(self.table.seats) + 1))
        text = self.pick(["", "hello", "x" * 400])
        number = self.pick(range(-1, self.table.seq + 2))
        off, key = self.pick([False, True]), f"say-{self.table.seq:06}"
        asked: list[Callable[[], Change | int]] = [
            lambda: commands.write_chat_line(self.table, session, "hello", "", key, self.now),
            lambda: commands.write_chat_line(self.table, session, "", text, key, self.now),
            lambda: commands.mute(self.table, session, seat, off, self.now),
            lambda: commands.report_chat_line(self.table, session, number, self.now),
            lambda: commands.set_signals(self.table, session, ["x"], text, self.now),
        ]
        self.does(self.pick(asked))

    # ---------------------------------------------------------------------------- what always holds

    def holds(self) -> None:
        """Somebody is waited for or the match is over, and each person sits once."""
        table = self.table
        assert len(sitting(table)) == sum(bool(place.session) for place in table.seats.places)
        if table.seats.open_places() or table.over:
            return
        waits = [seat for seat in table.seats.persons() if self.may(seat)]
        asked = table.requests.open.of if table.requests.open is not None else ()
        assert due_steps(table) or waits or asked, "nobody can go on"
        if table.match is not None:
            for seat in table.match.hand.owed():
                place = table.seats.by_seat[seat] if seat != CHANCE else None
                assert place is None or place.session or place.player, "nobody is waited for"

    def folds(self) -> None:
        """The stored events fold to the table as it is."""
        assert [row.seq for row in self.rows] == list(range(1, self.table.seq + 1))
        folded = self.empty
        for row in self.rows:
            folded = folded.after(from_row(row, len(self.empty.seats.places)), self.now)
        assert replace(folded, since=self.table.since) == self.table


def random_table(pick: Pick, longest: int) -> AnyTable:
    """A table after this many steps or fewer, each checked."""
    found = AnyTable(pick)
    for _ in range(pick(range(longest + 1))):
        found.goes_on()
        found.holds()
    found.folds()
    return found


@pytest.mark.promise("P11")
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_invariants_of_any_table(data: Any) -> None:
    """Steps by anybody in any order."""
    random_table(lambda many: data.draw(st.sampled_from(many)), 15)


@pytest.mark.promise("P11")
@pytest.mark.parametrize("part", range(times(1, 10)))
def test_invariants_of_any_table_by_dice(part: int) -> None:
    """The same without shrinking what fails; in the long form ten million things are asked for, a million a
    part."""
    asked, slowest, tables = 0, 0.0, 0
    while asked < times(1_000, 1_000_000):
        seed = tables * 10 + part
        try:
            table = random_table(Random(seed).choice, LONGEST)
        except Exception as error:
            error.add_note(f"at the table of seed {seed}")
            raise
        asked, slowest, tables = asked + table.asked, max(slowest, table.slowest), tables + 1
    report(
        f"P11: {asked} things asked for at {tables} tables, the slowest answered in "
        f"{slowest * 1000:.1f} ms; every invariant held (part {part})"
    )
