"""Hypothesis drives a table: whatever people and the table itself do, and in whatever order (P11)."""

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from bench import fuzz
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from nousu.engine.errors import IllegalAction
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import claims
from nousu.server import asking, seating, talking
from nousu.server.dealing import pledge
from nousu.server.events import from_row, to_row
from nousu.server.refusals import Refused
from nousu.server.steps import Step, steps
from nousu.server.table import Change, Table
from seated import share_of
from soaking import report, times

PRESETS = ("tuppi", "minnesota", "huutopussi+target=100", "tuppen_zk", "toepen", "south_dakota+max_hands=2")
SESSIONS = [f"s{number}" for number in range(6)]
"""Two more than most tables seat."""
TEXTS = ["", "play", "play H99", "pass", "seal rami", "next", "deal N S:A", "🂡", "play H9 " * 40]


def answered(ask: Callable[[], Change | int]) -> tuple[float, Change | int | None]:
    """The seconds of processor that an answer took, and the answer; None where that was a refusal."""
    before = time.process_time()
    try:
        found = ask()
    except (Refused, IllegalAction) as error:
        assert error.note.message, "a refusal says why"
        return time.process_time() - before, None
    return time.process_time() - before, found


class AnyTable(RuleBasedStateMachine):
    """A table at which anything may be asked for; what is refused changes nothing."""

    asked = 0
    """How often something was asked for, at all tables of a part."""
    slowest = 0.0
    """Seconds of processor that the slowest answer took."""

    @initialize(data=st.data(), seed=st.integers(0, 2**32))
    def open(self, data: Any, seed: int) -> None:
        preset = data.draw(st.sampled_from(PRESETS))
        game, _ = find(preset)
        seats = data.draw(st.sampled_from(list(game.seats_for(preset))))
        options = {
            "pace": "0",
            "undo": data.draw(st.sampled_from(["yes", "no"])),
            "seats": data.draw(st.sampled_from(["chosen", "drawn"])),
            "window": data.draw(st.sampled_from(["0", "1"])),
        }
        self.rng, self.now, self.keys = Random(seed), 100.0, 0
        self.empty = Table.new("t", preset, seats, self.rng.randbytes(32), options, find, self.now)
        self.table = self.empty
        self.rows: list[Any] = []
        self.used: list[tuple[str, str, int, str, int]] = []
        for session in SESSIONS[: data.draw(st.sampled_from([0, 1, 2, seats, seats, seats]))]:
            share = data.draw(st.sampled_from(["", pledge(share_of(session))]))
            self.joins(session, share, None)
        while self.table.open_places() and data.draw(st.integers(0, 4)):
            self.does(lambda: self.table.invite("random", self.now))

    def does(self, ask: Callable[[], Change | int]) -> int | None:
        """Ask for something; the number of its event, or None where it was refused."""
        before, seats = self.table, len(self.table.places)
        AnyTable.asked += 1
        took, found = answered(ask)
        for _ in range(2):  # the machine may have been busy with something else
            took = took if took <= fuzz.SLOWEST else answered(ask)[0]
        AnyTable.slowest = max(took, AnyTable.slowest)
        assert took <= fuzz.SLOWEST
        if found is None:
            return None
        if isinstance(found, int):
            assert 0 <= found <= before.seq
            return found
        event, after = found
        assert event.seq == after.seq == before.seq + 1
        row = to_row(event, seats)
        assert from_row(row, seats) == event and before.after(from_row(row, seats), self.now) == after
        self.rows.append(row)
        self.table = after
        self.now += self.rng.choice((0.0, 0.1, 3.0))
        return event.seq

    def session(self, data: Any) -> str:
        """Mostly of somebody who sits here."""
        seated = [place.session for place in self.table.places if place.session]
        return str(data.draw(st.sampled_from([*seated, *seated, "s5", "", "nobody"])))

    # ----------------------------------------------------------------------------- coming and going

    @precondition(lambda self: self.table.open_places())
    @rule(data=st.data())
    def comes(self, data: Any) -> None:
        session = data.draw(st.sampled_from(SESSIONS))
        at = data.draw(st.none() | st.integers(0, len(self.table.places) - 1))
        share = data.draw(st.sampled_from(["", pledge(share_of(session))]))
        self.joins(session, share, at)

    def joins(self, session: str, share: str, at: int | None) -> None:
        self.does(lambda: seating.join(self.table, session, session.upper(), share, self.now, at))

    @precondition(lambda self: self.table.open_places())
    @rule()
    def is_filled(self) -> None:
        self.does(lambda: self.table.invite("random", self.now))

    @rule(data=st.data())
    def goes_and_comes(self, data: Any) -> None:
        session = self.session(data)
        what = data.draw(st.sampled_from(["away", "back", "move", "remove", "hand over", "open", "again"]))
        place = data.draw(st.integers(0, len(self.table.places) - 1))
        asked: dict[str, Callable[[], Change | int]] = {
            "away": lambda: self.table.away(session, "rules", self.now),
            "back": lambda: self.table.back(session, self.now),
            "move": lambda: seating.move(self.table, session, place, self.now),
            "remove": lambda: seating.remove(self.table, session, place, "rules", self.now),
            "hand over": lambda: seating.hand_over(
                self.table, session, f"new-{self.table.seq}", "N", self.now
            ),
            "open": lambda: self.table.open_share(session, share_of(session), self.now),
            "again": lambda: seating.met_again(self.table, "elsewhere", self.now),
        }
        if what != "again" or self.table.over:
            self.does(asked[what])

    # -------------------------------------------------------------------------------------- playing

    @rule(data=st.data(), many=st.integers(1, 40))
    def goes_on(self, data: Any, many: int) -> None:
        """The table does what it does by itself, and people what they may, for a while."""
        for _ in range(many):
            todo = steps(self.table)
            persons = [seat for seat in self.table.persons() if self.may(seat)]
            if persons and (not todo or self.rng.random() < 0.7):
                self.acts(self.rng.choice(persons))
            elif todo:
                self.steps(min(todo, key=lambda one: one.at))
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
        session, key, seq = table.by_seat[seat].session, f"key-{self.keys:06}", table.seq
        number = self.does(lambda: table.act(session, text, seq, key, self.now))
        assert number == seq + 1, "what is offered is accepted"
        self.used.append((session, text, seq, key, number))

    def steps(self, step: Step) -> None:
        table = self.table
        self.now = max(self.now, step.at)
        hand = table.match.hand if table.match is not None else None
        request = table.requests.open
        match step.what:
            case "start":
                done = self.does(lambda: table.started(self.now))
            case "deal":
                done = self.does(lambda: table.deal(self.now))
            case "turn up":
                done = self.does(lambda: table.turned_up(step.seat, self.now))
            case "lapse":
                done = self.does(lambda: asking.lapse(table, self.now))
            case "settle":
                assert hand is not None and request is not None
                kind: claims.Kind = "mine" if request.what == "claim mine" else "theirs"
                plays = () if request.what == "undo" else claims.played_out(hand, request.seat, kind)
                done = self.does(lambda: asking.settle(table, plays, self.now))
            case _:
                assert hand is not None
                action = self.rng.choice(hand.legal(step.seat))
                done = self.does(lambda: table.entry(step.seat, action, self.now))
        assert done == table.seq + 1, "what a table does by itself can be done"

    @rule(data=st.data())
    def asks_for_anything(self, data: Any) -> None:
        session, seq = self.session(data), data.draw(st.integers(-1, self.table.seq + 1))
        text = data.draw(st.sampled_from(TEXTS))
        self.does(lambda: self.table.act(session, text, seq, f"odd-{self.table.seq:06}", self.now))

    @precondition(lambda self: self.used)
    @rule(data=st.data())
    def says_it_again(self, data: Any) -> None:
        """The same key gives the same answer while the table knows it, and is no other action's."""
        session, text, seq, key, number = self.used[-1]
        if key not in {known for known, _, _ in self.table.keys} or self.table.seat_of(session) is None:
            return
        again = self.does(lambda: self.table.act(session, text, seq, key, self.now))
        assert again in (number, None)
        other = "play S2" if text != "play S2" else "play S3"
        assert self.does(lambda: self.table.act(session, other, seq, key, self.now)) is None

    # --------------------------------------------------------------------------------- what is said

    @precondition(lambda self: any(self.table.asks_of(seat) for seat in self.table.persons()))
    @rule(data=st.data())
    def asks_what_may_be_asked(self, data: Any) -> None:
        table = self.table
        seat = data.draw(st.sampled_from([seat for seat in table.persons() if table.asks_of(seat)]))
        self.asks_others(table.by_seat[seat].session, data.draw(st.sampled_from(table.asks_of(seat))))

    @rule(data=st.data(), what=st.sampled_from(["undo", "claim mine", "claim theirs", "tea"]))
    def asks_something(self, data: Any, what: str) -> None:
        self.asks_others(self.session(data), what)

    def asks_others(self, session: str, what: str) -> None:
        table, seat, proven = self.table, self.table.seat_of(session), False
        if what.startswith("claim") and table.match is not None and what in table.asks_of(seat):
            kind: claims.Kind = "mine" if what == "claim mine" else "theirs"
            proven = claims.proven(table.match.hand.view(seat), kind)
        self.does(lambda: asking.ask(table, session, what, table.seq, proven, self.now))

    @rule(data=st.data(), yes=st.booleans())
    def answers(self, data: Any, yes: bool) -> None:
        request = self.table.requests.open
        asked = [self.table.by_seat[seat].session for seat in request.of] if request is not None else []
        session = data.draw(st.sampled_from([*asked, self.session(data)]))
        self.does(lambda: asking.answer(self.table, session, yes, self.now))

    @rule(data=st.data())
    def talks(self, data: Any) -> None:
        session, seat = self.session(data), data.draw(st.integers(-1, len(self.table.places)))
        text = data.draw(st.sampled_from(["", "hello", "x" * 400]))
        number = data.draw(st.integers(-1, self.table.seq + 1))
        off, key = data.draw(st.booleans()), f"say-{self.table.seq:06}"
        asked: list[Callable[[], Change | int]] = [
            lambda: talking.say(self.table, session, "hello", "", key, self.now),
            lambda: talking.say(self.table, session, "", text, key, self.now),
            lambda: talking.mute(self.table, session, seat, off, self.now),
            lambda: talking.report(self.table, session, number, self.now),
            lambda: talking.agree(self.table, session, ["x"], text, self.now),
        ]
        self.does(data.draw(st.sampled_from(asked)))

    # ------------------------------------------------------------------------------------ invariants

    @invariant()
    def somebody_is_waited_for_or_the_match_is_over(self) -> None:
        if not hasattr(self, "table"):
            return
        table = self.table
        if table.open_places() or table.over:
            return
        waits = [seat for seat in table.persons() if self.may(seat)]
        asked = table.requests.open.of if table.requests.open is not None else ()
        assert steps(table) or waits or asked, "nobody can go on"
        if table.match is not None:
            for seat in table.match.hand.owed():
                place = table.by_seat[seat] if seat != CHANCE else None
                assert place is None or place.session or place.player, "nobody is waited for"

    @invariant()
    def each_person_sits_once(self) -> None:
        if hasattr(self, "table"):
            sessions = [place.session for place in self.table.places if place.session]
            assert len(sessions) == len(set(sessions))

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        assert [row.seq for row in self.rows] == list(range(1, self.table.seq + 1))
        folded = self.empty
        for row in self.rows:
            folded = folded.after(from_row(row, len(self.empty.places)), self.now)
        assert replace(folded, since=self.table.since) == self.table


@pytest.mark.promise("P11")
@pytest.mark.parametrize("part", range(times(1, 10)))
def test_any_table(part: int) -> None:
    """Steps by anybody in any order; in the long form ten million things are asked for, a million a part."""
    AnyTable.asked, AnyTable.slowest = 0, 0.0
    while AnyTable.asked < times(1, 1_000_000):
        run_state_machine_as_test(
            AnyTable,
            settings=settings(
                max_examples=times(8, 500),
                stateful_step_count=times(15, 100),
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    report(
        f"P11: {AnyTable.asked} things asked for at tables, the slowest answered in "
        f"{AnyTable.slowest * 1000:.1f} ms; every invariant held (part {part})"
    )
