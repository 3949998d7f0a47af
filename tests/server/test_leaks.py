"""P7: two worlds equal for the viewer give byte-identical output on every channel.

A history is played at random; then hidden cards change places in it so that the viewer cannot know
(`nousu.engine.laws.other_world`), and both worlds are shown to that viewer through every channel there is.
Twelve leaks are planted and each must be caught, so that a silent generator would be noticed.
"""

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nousu.engine import actions
from nousu.engine.actions import Action, Entry, Give, Seal, heard
from nousu.engine.errors import IllegalAction
from nousu.engine.game import View
from nousu.engine.laws import other_world
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find, whist
from nousu.games.whist import hand as whist_hand
from nousu.server import pages
from nousu.server import steps as by_itself
from nousu.server import table as table_module
from nousu.server.api import shapes
from nousu.server.api.shapes import hand_json, seen_json, view_json
from nousu.server.app import create_app
from nousu.server.events import Came, Did, Event, Muted, Row, Said, to_row
from nousu.server.refusals import Refused
from nousu.server.seen import Seen
from nousu.server.steps import steps
from nousu.server.store import SessionRow, Store, TableRow, database_url
from nousu.server.table import Change, Table
from nousu.words import translator
from seated import Sitting
from soaking import report, times

SAY = translator("en")
_FORM_KEY = re.compile(r'(name="key" value=")[0-9a-f]+')
"""The key of the form without script is random by design."""

Channel = Callable[[Table, str | None], str]


# --------------------------------------------------------------------------------------- two worlds


def worlds(
    preset: str, seed: int, tries: int = 25
) -> Iterator[tuple[Table, Table, str | None, list[Event], list[Event]]]:
    """Pairs of tables that a viewer (a session, or None) cannot tell apart, with their histories."""
    rng = random.Random(seed)
    sitting = Sitting(preset, persons=4, options={"pace": "1", "window": "0"})
    for _ in range(tries):
        sitting.played(rng, rng.randrange(1, 25))
        chatted(sitting, rng)
        if sitting.table.over or sitting.table.seq > 150:
            sitting = Sitting(preset, persons=4, options={"pace": "1", "window": "0"})
            continue
        viewer = rng.choice((*sitting.table.persons(), None))
        session = None if viewer is None else sitting.session(viewer)
        other = changed(sitting, viewer, rng)
        if other is not None:
            one = sitting.folded(0.0)
            yield one, folded(sitting, other), session, list(sitting.events), other


def chatted(sitting: Sitting, rng: random.Random) -> None:
    """Somebody says something, and somebody does not want to read somebody."""
    table, one, other = sitting.table, rng.randrange(4), rng.randrange(4)
    sitting.add(table.change(Said(one, word=rng.choice(("hello", "played"))), sitting.now))
    if one != other:
        sitting.add(sitting.table.change(Muted(one, other, rng.random() < 0.5), sitting.now))


def changed(sitting: Sitting, viewer: Seat | None, rng: random.Random) -> list[Event] | None:
    """The history with hidden cards of its last or last finished hand in other places."""
    match = sitting.match
    hand = match.hand if match.hand.log else match.played[-1].hand if match.played else None
    if hand is None:
        return None
    other = other_world(hand, lambda: match.game.start(match.rules, hand.setup), viewer, rng)
    if other is None or other.log == hand.log:
        return None
    entries = [event for event in sitting.events if isinstance(event.what, Did)]
    later = len(match.hand.log) if match.hand is not hand else 0
    mine = entries[len(entries) - later - len(hand.log) : len(entries) - later]
    others = {event.seq: Did(*entry) for event, entry in zip(mine, other.log, strict=True)}
    return [replace(event, what=others.get(event.seq, event.what)) for event in sitting.events]


def folded(sitting: Sitting, events: list[Event]) -> Table:
    table = Table.new("t", sitting.preset, 4, sitting.secret, sitting.options, find, 0.0)
    for event in events:
        table = table.after(event, 0.0)
    return table


# ----------------------------------------------------------------------------------------- channels


def seen_by(table: Table, session: str | None) -> Seen:
    return table.seen(session, 0.5, "en")


def fragment(table: Table, session: str | None) -> str:
    return _FORM_KEY.sub(r"\1", pages.render_table(seen_by(table, session), SAY, "en"))


def speech(table: Table, session: str | None) -> str:
    return pages.spoken(None, seen_by(table, session), SAY)


def api(table: Table, session: str | None) -> str:
    seen = seen_by(table, session)
    hands = [
        {**hand_json(hand), "view": view_json(table.hand_view(session, hand.index))}
        for hand in seen.match.played
    ]
    return json.dumps([seen_json(seen), hands])


def whole(table: Table, session: str | None) -> str:
    return repr(seen_by(table, session))


def record(table: Table, session: str | None) -> str:
    return table.record(session)


def refusals(table: Table, session: str | None) -> str:
    """What is said to somebody who tries what is not allowed."""
    result = []
    for text in ("play H9", "play S2", "seal C7", "sooli", "pass", "give H3 away", "show D4", "next"):
        try:
            answer = table.act(session or "", text, table.seq, "0123456789", 0.0)
            result.append(f"{text}: {answer if isinstance(answer, int) else answer.event}")
        except IllegalAction as error:
            result.append(f"{text}: {error} {error.legal}")
        except Refused as error:
            result.append(f"{text}: {error}")
    return "\n".join(result)


def timing(table: Table, session: str | None) -> str:
    """When the table does something by itself: pushes happen then."""
    return str([(step.at, step.what, step.seat) for step in steps(table)])


CHANNELS: dict[str, Channel] = {
    "fragment": fragment,
    "speech": speech,
    "api": api,
    "whole": whole,
    "record": record,
    "refusals": refusals,
    "timing": timing,
}


def compared(preset: str, seed: int, channels: dict[str, Channel] | None = None) -> int:
    """How many pairs were compared; `AssertionError` names the channel that told them apart."""
    pairs = 0
    for one, two, session, _, _ in worlds(preset, seed):
        for name, channel in (channels or CHANNELS).items():
            first, second = channel(one, session), channel(two, session)
            assert first == second, f"{name} tells {session} apart:\n{_difference(first, second)}"
        pairs += 1
    return pairs


def _difference(first: str, second: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"{first[max(0, at - 80) : at + 80]!r}\n{second[max(0, at - 80) : at + 80]!r}"


@pytest.mark.promise("P7")
@pytest.mark.parametrize(
    "preset",
    [
        "tuppi",
        "tuppi_catsatcards+early_end=offer",
        "minnesota",
        "norwegian_catsatcards",
        "huutopussi",
        "tuppen_zk",
    ],
)
def test_nobody_can_tell_two_worlds_apart(preset: str) -> None:
    pairs = sum(compared(preset, seed) for seed in range(times(2, 1000)))
    assert pairs > 10
    report(f"P7: {pairs} pairs of worlds of {preset} on {len(CHANNELS)} channels, none told apart")


# ------------------------------------------------------------------------------------ planted leaks


def _plant_heard(patch: pytest.MonkeyPatch, leak: Callable[[Seat | None, Action, Seat], Action]) -> None:
    def hearing(viewer: Seat | None, log: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return tuple((by, leak(viewer, act, by)) for by, act in log)

    patch.setattr(actions, "heard", leak)
    patch.setattr(whist_hand, "hearing", hearing)


def _view_with(patch: pytest.MonkeyPatch, change: Callable[[Any, View], View]) -> None:
    own = whist.Hand.view

    def view(self: Any, seat: Seat | None) -> View:
        return change(self, own(self, seat))

    patch.setattr(whist.Hand, "view", view)


def sealed_card_heard(patch: pytest.MonkeyPatch) -> None:
    _plant_heard(patch, lambda to, act, by: act if isinstance(act, Seal) else heard(to, act, by))


def partner_sees_discards(patch: pytest.MonkeyPatch) -> None:
    _plant_heard(patch, lambda to, act, by: act if isinstance(act, Give) else heard(to, act, by))


def deal_open_to_partner(patch: pytest.MonkeyPatch) -> None:
    def leak(to: Seat | None, act: Action, by: Seat) -> Action:
        return act if by == CHANCE and to == 2 else heard(to, act, by)

    _plant_heard(patch, leak)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakyFacts(whist.Facts):
    """The facts of a hand and one more, or in another order."""

    more: object = None
    turned: bool = False

    def plain(self) -> dict[str, Any]:
        result = super(LeakyFacts, self).plain()
        names = [name for name in result if name != "turned" and (name != "more" or self.more is not None)]
        return {name: result[name] for name in (reversed(names) if self.turned else names)}


def leaky(view: View, **more: Any) -> LeakyFacts:
    known = {one.name: getattr(view.facts, one.name) for one in fields(view.facts)}
    return LeakyFacts(**{**known, **more})


def fact_of_the_next_hand(patch: pytest.MonkeyPatch) -> None:
    _view_with(
        patch,
        lambda hand, view: replace(view, facts=leaky(view, more=sum(hand.hands[1:2]) & 0xFFF)),
    )


def sorted_by_strength(patch: pytest.MonkeyPatch) -> None:
    """Nothing but an order that depends on hidden cards."""
    _view_with(
        patch,
        lambda hand, view: replace(
            view, facts=leaky(view, turned=bool(hand.hands) and hand.hands[1] > hand.hands[3])
        ),
    )


def legal_by_others_cards(patch: pytest.MonkeyPatch) -> None:
    own = whist.Hand.legal

    def legal(self: Any, seat: Seat) -> tuple[Action, ...]:
        found = own(self, seat)
        return found[::-1] if self.hands and self.hands[(seat + 1) % 4] & 0x1000 else found

    patch.setattr(whist.Hand, "legal", legal)


def refusal_names_who_holds_it(patch: pytest.MonkeyPatch) -> None:
    own = Table.act

    def act(self: Table, session: str, text: str, seq: int, key: str, now: float) -> Change | int:
        try:
            return own(self, session, text, seq, key, now)
        except IllegalAction as error:
            assert self.match is not None
            holder = [hand for hand in getattr(self.match.hand, "hands", ()) if hand >> 23 & 1]
            raise IllegalAction(error.clause, f"{error.note.message} {holder}", error.legal) from None

    patch.setattr(Table, "act", act)


def record_in_full(patch: pytest.MonkeyPatch) -> None:
    own = table_module.write
    patch.setattr(table_module, "write", lambda record, viewer: own(record, True))


def finished_hand_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    own = Table.hand_view

    def hand_view(self: Table, session: str | None, index: int) -> View:
        return own(self, self.by_seat[1].session, index)

    patch.setattr(Table, "hand_view", hand_view)


def length_of_a_comment(patch: pytest.MonkeyPatch) -> None:
    own = Table.record

    def record(self: Table, session: str | None) -> str:
        hands = getattr(self.match.hand, "hands", ()) if self.match else ()
        return own(self, session) + " " * (hands[0] % 7 if hands else 0)

    patch.setattr(Table, "record", record)


def hesitation(patch: pytest.MonkeyPatch) -> None:
    """The table waits a little longer before what depends on hidden cards."""
    own = by_itself._pause

    def pause(table: Table) -> float:
        assert table.match is not None
        hands = getattr(table.match.hand, "hands", ())
        return own(table) + (hands[2] % 5 / 10 if hands else 0)

    patch.setattr(by_itself, "_pause", pause)


def api_lists_hands(patch: pytest.MonkeyPatch) -> None:
    own = shapes.view_json

    def view(seen: View) -> dict[str, Any]:
        return {**own(seen), "debug": getattr(seen.facts, "more", None)}

    patch.setattr(shapes, "view_json", view)
    _view_with(
        patch,
        lambda hand, seen: replace(seen, facts=leaky(seen, more=[hex(one) for one in hand.hands])),
    )


LEAKS = (
    sealed_card_heard,
    partner_sees_discards,
    deal_open_to_partner,
    fact_of_the_next_hand,
    sorted_by_strength,
    legal_by_others_cards,
    refusal_names_who_holds_it,
    record_in_full,
    finished_hand_of_another_seat,
    length_of_a_comment,
    hesitation,
    api_lists_hands,
)


@cache
def _pairs() -> list[tuple[Table, Table, str | None, list[Event], list[Event]]]:
    return [pair for seed in range(6) for pair in worlds("tuppi", seed)]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(leak: Callable[[pytest.MonkeyPatch], None]) -> None:
    pairs = _pairs()
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        caught = 0
        for _, _, session, events, other in pairs:
            one, two = _again(events), _again(other)
            if any(channel(one, session) != channel(two, session) for channel in CHANNELS.values()):
                caught += 1
                break
    assert caught, f"{leak.__name__} was not noticed in {len(pairs)} pairs"


def _again(events: list[Event]) -> Table:
    table = Table.new("t", "tuppi", 4, bytes(32), {"pace": "1", "window": "0"}, find, 0.0)
    for event in events:
        table = table.after(event, 0.0)
    return table


# ---------------------------------------------------------------------------------- over the network

_TOKENS = {f"p{number}": f"{number}" * 22 for number in range(4)}


def _stored(path: Path, events: list[Event]) -> None:
    """A database with this table in it, its persons having sessions."""
    sessions = {name: sha256(token.encode()).hexdigest() for name, token in _TOKENS.items()}

    def of(event: Event) -> Row:
        what = event.what
        if isinstance(what, Came):
            what = replace(what, session=sessions[what.session])
        return to_row(replace(event, what=what), 4)

    async def store() -> None:
        opened = await Store.open(database_url(str(path)))
        for name, hashed in sessions.items():
            await opened.add_session(SessionRow(hashed, name, "en", bytes(32)))
        options = json.dumps({"pace": "60", "window": "0"})
        await opened.add_table(TableRow("t", "tuppi", 4, options, bytes(32), False), list(map(of, events)))
        await opened.close()

    asyncio.run(store())


def _answers(path: Path, session: str | None) -> list[str]:
    """Everything a viewer can fetch of a table, with headers, and what the live line says first."""
    app = create_app(str(path), workers=0, rates={})
    found = []
    # Uncompressed: the random key of the form would show in the length of a compressed page.
    headers = {"origin": "http://testserver", "accept-encoding": "identity"}
    with TestClient(app, headers=headers) as browser:
        if session is not None:
            browser.cookies.set("nousu", _TOKENS[session])
        hands = ("/t/t/hand/1", "/api/v1/tables/t/hands/1", "/t/t/review/1")
        for address in ("/t/t", "/api/v1/tables/t", "/t/t/record", *hands):
            answer = browser.get(address)
            headers = sorted((name, value) for name, value in answer.headers.items() if name != "set-cookie")
            found.append(f"{address}: {answer.status_code} {headers}\n{_FORM_KEY.sub('', answer.text)}")
        assert (session is None) == ('"seat":null' in found[1])
        with browser.websocket_connect("/t/t/live") as line:
            found.append(_FORM_KEY.sub("", line.receive_text().replace('\\"', '"')))
            line.send_text(json.dumps({"act": "play H9", "seq": 1, "key": "0123456789"}))
            found.append(line.receive_text())
    return found


@pytest.mark.parametrize("count", [3, pytest.param(6, marks=pytest.mark.slow)])
def test_nobody_can_tell_two_worlds_apart_over_the_network(count: int, tmp_path: Path) -> None:
    pairs = [pair for pair in worlds("tuppi", 5) if not steps(pair[0])][:count]
    assert len(pairs) == count
    for number, (_, _, session, events, other) in enumerate(pairs):
        answers = []
        for name, history in (("one", events), ("two", other)):
            path = tmp_path / f"{number}-{name}.db"
            _stored(path, history)
            answers.append(_answers(path, session))
        assert answers[0] == answers[1]
