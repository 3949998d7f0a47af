"""P7: two worlds equal for the viewer give byte-identical output on every channel.

Evenings are played at random; then hidden cards change places in a hand so that the viewer cannot know
(`worlds.stretches`), and every world is shown to that viewer through every channel there is, step by step. A
leak is planted for each channel, and each must be caught, so that a silent generator would be noticed.
"""

import asyncio
import io
import json
import logging
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast, get_args

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from applications import app_on
from nousu.engine import actions
from nousu.engine.actions import Action, Entry, Give, Seal, heard
from nousu.engine.errors import IllegalAction
from nousu.engine.game import View
from nousu.engine.record import EVERYTHING
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find, whist
from nousu.games.huutopussi import facts as huutopussi_facts
from nousu.games.tuppen import facts as tuppen_facts
from nousu.games.whist import facts as whist_facts
from nousu.games.whist import hand as whist_hand
from nousu.i18n import translator
from nousu.i18n.reader import Reader
from nousu.review import QUICK, review_hand
from nousu.server.api import shapes
from nousu.server.api.shapes import hand_json, seen_json, view_json
from nousu.server.errors import RequestError
from nousu.server.live.presence import Presence
from nousu.server.live.reviews import ReviewKey, check_key
from nousu.server.notifications import schedule
from nousu.server.pages.history.hand_review import hand_review_page
from nousu.server.pages.history.replay import replay_page
from nousu.server.pages.table import live_view
from nousu.server.pages.table.live_view import LiveView, encode
from nousu.server.pages.table.page_view import Drawn, page_view
from nousu.server.pages.table.table_view import TableView
from nousu.server.people import history
from nousu.server.storage.store import SessionRow, Store, TableRow, database_url
from nousu.server.table import commands, view_builder
from nousu.server.table import record as table_record
from nousu.server.table import schedule as by_itself
from nousu.server.table.events import Event, EventRow, PersonJoined, to_row
from nousu.server.table.schedule import due_steps
from nousu.server.table.table import Change, Table
from nousu.server.table.view import SeatView
from nousu.server.table.view_builder import ViewBuilder
from nousu.server.tournament import my_page, online, slips
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.links import create_links
from nousu.server.tournament.routes import PAGES
from nousu.tournament.formats.drive import Drive
from nousu.tournament.formats.drive_slip import DriveSlips
from nousu.tournament.formats.tuppi import TuppiPairs
from nousu.tournament.links import key_of, person_key, shown_link, slip_key
from nousu.tournament.model import Seated
from nousu.tournament.office import SHOWN
from soaking import SOAKING, report, times
from tournament_fixtures import evening
from worlds import STRANGER, Moment, Stretch, stretches

Channel = Callable[[Moment], str | None]
"""Output of a channel to a viewer at a moment; None where the channel is silent."""


# ----------------------------------------------------------------------------------------- channels


def news(moment: Moment) -> str:
    """What the live line sends to a page that shows what it was sent last."""
    return moment.shown.message(moment.before, moment.seen.window)


def first(moment: Moment) -> str:
    """What the live line sends to a page that shows nothing yet: the whole view, and what is spoken."""
    return moment.shown.message(None, moment.seen.window)


def page(moment: Moment) -> str | None:
    """The view in a page that is asked for, made from nothing: at the end of each stretch, for it is what the
    live line sends, made in another way."""
    if not moment.last:
        return None
    seen = view_builder.view_of(moment.table, moment.session, moment.now, moment.lang)
    return encode(page_view(seen, Reader.of(moment.lang)))


def api(moment: Moment) -> str:
    """The table as programs read it, and the hand that is another one in each world once it is finished."""
    texts = [json.dumps(seen_json(moment.seen))]
    if moment.finished:
        hand = moment.seen.match.played[moment.number - 1]
        view = table_record.hand_view(moment.table, moment.session, moment.number)
        texts.append(json.dumps({**hand_json(hand), "view": view_json(view)}))
    return "\n".join(texts)


def whole(moment: Moment) -> str:
    """Every value that pages can print; a view's own `repr` leaves most of them out."""
    view = moment.seen.view
    return f"{moment.seen!r}\n{[getattr(view, one.name) for one in fields(view)]}"


def record(moment: Moment) -> str:
    """The written record, which is also part of a person's file of records."""
    return table_record.record(moment.table, moment.session)


def refusals(moment: Moment) -> str:
    """Answers to a person who tries various actions."""
    result = []
    for text in moment.tries:
        try:
            answer = commands.act(
                moment.table, moment.session or "", text, moment.table.seq, "0123456789", moment.now
            )
            result.append(f"{text}: {answer if isinstance(answer, int) else answer.event}")
        except IllegalAction as error:
            result.append(f"{text}: {error} {error.legal}")
        except (RequestError, ValueError) as error:
            result.append(f"{text}: {error}")
    return "\n".join(result)


def timing(moment: Moment) -> str:
    """When the table does something by itself: pushes happen then."""
    return str([(step.at, step.what, step.seat) for step in due_steps(moment.table)])


def elsewhere(moment: Moment) -> str:
    """What a person's own page says of the table, and who is called back to it by a notice."""
    table = moment.table
    calls = schedule.Absences().due(
        table, Presence(0.0), moment.now, {one.session for one in table.seats.places}
    )
    return f"{history._in_play(table, moment.session or '')} {list(calls)}"


def told(moment: Moment) -> str | None:
    """The replay of the hand once it is finished."""
    if not (moment.finished and moment.last):
        return None
    story = table_record.timeline(moment.table, moment.session, moment.number)
    hand, reader = moment.seen.match.played[moment.number - 1], Reader.of(moment.lang)
    return f"{story}\n{replay_page(moment.seen, hand, story, reader, story.last, None)}"


def direction(moment: Moment) -> str | None:
    """What the direction of a tournament, which has no seat, is told of a table that is played online: the
    slip so far, for whom computer players acted, and who deals next."""
    table, match = moment.table, moment.table.match
    if moment.session is not None or match is None:
        return None
    chairs = tuple((seat, 0) for seat in range(len(table.seats)))
    formats = (Drive, TuppiPairs)[: 1 + ("tournament" in table.preset)] if table.game.sides else ()
    seated: Mapping[int, Seated] = {1: (chairs, match)}
    slips = [one(preset=table.preset).slips.match_words(cast(Any, None), "1.1", seated) for one in formats]
    dealers = [played.tally.dealer(played.hand.setup) for played in match.played]
    stood_in = online._stood_in((online.OnlineGame(1, table.id, chairs, table),))
    return f"{slips} {stood_in} {dealers} {match.winner}"


CHANNELS: dict[str, Channel] = {
    one.__name__: one
    for one in (
        news,
        first,
        page,
        api,
        whole,
        record,
        refusals,
        timing,
        elsewhere,
        told,
        direction,
    )
}


@dataclass
class Counts:
    """What was compared. A pair is two worlds at one moment; of worlds that all look the same, each two are
    one."""

    stretches: int = 0
    moments: int = 0
    worlds: int = 0
    """This many outputs were made on each channel that said something."""
    by_channel: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    by_viewer: Counter[str] = field(default_factory=Counter)

    @property
    def pairs(self) -> int:
        """Pairs that were compared on the channels that always say something."""
        return self.by_kind.total()

    def __str__(self) -> str:
        always = sum(pairs == self.pairs for pairs in self.by_channel.values())
        rarely = {name: pairs for name, pairs in self.by_channel.items() if pairs != self.pairs}
        return (
            f"{self.pairs:,} pairs on {always} channels ({_list(rarely)}), none told apart: {self.worlds:,} "
            f"outputs on each, at {self.moments:,} moments of {self.stretches:,} stretches; by step: "
            f"{_list(self.by_kind)}; by viewer: {_list(self.by_viewer)}"
        )

    def compare(self, stretch: Stretch, channels: Mapping[str, Channel] = CHANNELS) -> None:
        """Compare all worlds of a stretch; `AssertionError` names the channel that told two apart."""
        self.stretches += 1
        for kind, moments in stretch.moments():
            pairs = len(moments) * (len(moments) - 1) // 2
            for name, channel in channels.items():
                first = channel(moments[0])
                for other in moments[1:]:
                    text = channel(other)
                    assert first == text, (
                        f"{name} tells {stretch.viewer} apart ({kind}):\n{_difference(first, text)}"
                    )
                self.by_channel[name] += pairs * (first is not None)
            self.moments += 1
            self.worlds += len(moments)
            self.by_kind[kind] += pairs
            self.by_viewer[stretch.viewer] += pairs


def _list(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {counted[name]:,}" for name in sorted(counted, key=lambda one: -counted[one]))


def _difference(first: str | None, second: str | None) -> str:
    first, second = first or "", second or ""
    at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"{first[max(0, at - 80) : at + 80]!r}\n{second[max(0, at - 80) : at + 80]!r}"


# -------------------------------------------------------------------------------------- comparing

WORLDS = 16
"""At most this many worlds of one stretch: 120 pairs at each moment."""
ASKED, BETWEEN, NEXT = "something is asked", "between hands", "next hand"
"""A table waits for an answer to a claim or to who takes an action back; or a hand is over of which something
stays hidden, and the next one is waited for or played."""
_HIGH_LOW = ("bid", "expose", "play high", "play low", ASKED, BETWEEN, NEXT)
_HUUTOPUSSI = ("auction", "give", "contract", "return", "play", ASKED, NEXT)
_TUPPEN = ("raise", "play regular", ASKED, BETWEEN, NEXT)
KINDS = {
    "tuppi": (*_HIGH_LOW, "sooli", "discard", "give", "play sooli"),
    "tuppi_catsatcards+early_end=offer": (*_HIGH_LOW, "sooli", "play sooli"),
    "tuppi+sooli_exchange=receive_then_return": (*_HIGH_LOW, "sooli", "give", "return", "play sooli"),
    "tuppi_tournament": _HIGH_LOW,
    "minnesota": _HIGH_LOW,
    "norwegian_catsatcards": _HIGH_LOW,
    "norwegian_parlett": ("auction", "play high", "play low", ASKED),
    "huutopussi": _HUUTOPUSSI,
    "huutopussi_illisoft+answers=optional": (*_HUUTOPUSSI, "answer"),
    "tuppen_zk+start_points=3": (*_TUPPEN, "pictures", "doubt", "poor", "play dead", "play poor"),
    "siebenschraem": (*_TUPPEN, "poor", "play dead"),
    "toepen": (*_TUPPEN, "pictures", "doubt"),
    "toepen_netherlands+start_points=4": (*_TUPPEN, "pictures", "doubt", "poor"),
    "eight_card_letter": ("play eight", ASKED, BETWEEN, NEXT),
}
"""The kinds of steps that a long form must meet, by rules."""
_OPEN = {"deal", "over", "blind"}
"""The cards are not dealt yet, or the next hand is waited for."""
VIEWERS = ("seat 0", "seat 1", "seat 2", "seat 3", "stranger", "nobody")


@pytest.mark.parametrize("facts", [whist_facts, huutopussi_facts, tuppen_facts])
def test_long_form_must_meet_whatever_a_hand_can_wait_for(facts: ModuleType) -> None:
    family = facts.__name__.split(".")[-2]
    met = {kind for rules, kinds in KINDS.items() if find(rules)[0].name == family for kind in kinds}
    hands = [f"play {kind}" for kind in get_args(getattr(facts, "Kind", None))] or ["play"]
    assert {*get_args(facts.Phase), *hands} - {"play", *_OPEN}.difference(hands) <= met


@pytest.mark.promise("P7")
@pytest.mark.parametrize("preset", KINDS)
def test_worlds_alike_to_a_viewer_give_the_same_bytes(preset: str) -> None:
    counts, goal = Counts(), times(500, 420_000)
    every = (one for seed in count() for one in stretches(preset, seed, WORLDS))
    while counts.pairs < goal:
        counts.compare(next(every))
    report(f"P7: {preset}: {counts}")
    if SOAKING:
        silent = set() if NEXT in KINDS[preset] else {"told"}
        assert set(KINDS[preset]) <= counts.by_kind.keys()
        assert set(VIEWERS) <= counts.by_viewer.keys()
        assert set(CHANNELS) - silent <= {name for name, pairs in counts.by_channel.items() if pairs}


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
    own = commands.act

    def act(table: Table, session: str, text: str, seq: int, key: str, now: float) -> Change | int:
        try:
            return own(table, session, text, seq, key, now)
        except IllegalAction as error:
            assert table.match is not None
            holder = [hand for hand in getattr(table.match.hand, "hands", ()) if hand >> 23 & 1]
            raise IllegalAction(error.clause, f"{error.note.message} {holder}", error.legal) from None

    patch.setattr(commands, "act", act)


def record_in_full(patch: pytest.MonkeyPatch) -> None:
    own = table_record.write
    patch.setattr(table_record, "write", lambda record, viewer: own(record, True))


def finished_hand_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    own = table_record.hand_view

    def hand_view(table: Table, session: str | None, index: int) -> View:
        return own(table, table.seats.by_seat[1].session, index)

    patch.setattr(table_record, "hand_view", hand_view)


def length_of_a_comment(patch: pytest.MonkeyPatch) -> None:
    own = table_record.record

    def record(table: Table, session: str | None) -> str:
        hands = getattr(table.match.hand, "hands", ()) if table.match else ()
        return own(table, session) + " " * (hands[0] % 7 if hands else 0)

    patch.setattr(table_record, "record", record)


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


def _secret(table: Table) -> int:
    """A small number that depends on who holds what."""
    hands = getattr(table.match.hand, "hands", ()) if table.match is not None else ()
    return (hands[0] * 3 + hands[1]) % 7 if hands else 0


def space_in_the_view(patch: pytest.MonkeyPatch) -> None:
    own = live_view.ViewerGroup.live_view

    def spaced(self: live_view.ViewerGroup, table: Table, session: str | None, now: float) -> LiveView:
        found = own(self, table, session, now)
        seen, view = found.drawn
        if isinstance(view, TableView):
            view.hint = " " * _secret(table)
        found.drawn = Drawn(seen, view)
        return found

    patch.setattr(live_view.ViewerGroup, "live_view", spaced)


def seconds_left_by_cards(patch: pytest.MonkeyPatch) -> None:
    own = ViewBuilder.view

    def view(self: ViewBuilder, session: str | None, now: float, lang: str) -> SeatView:
        return replace(own(self, session, now, lang), window=_secret(self.table) + 1.0)

    patch.setattr(ViewBuilder, "view", view)


def page_of_another_table(patch: pytest.MonkeyPatch) -> None:
    own = view_builder.view_of

    def view_of(table: Table, session: str | None, now: float, lang: str) -> SeatView:
        return replace(own(table, session, now, lang), seq=table.seq + _secret(table))

    patch.setattr(view_builder, "view_of", view_of)


def called_back_by_cards(patch: pytest.MonkeyPatch) -> None:
    own = schedule.awaited_seats
    patch.setattr(schedule, "awaited_seats", lambda table: own(table)[_secret(table) % 2 :])


def told_in_full(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(table_record, "_reader", lambda table, session: EVERYTHING)


def word_on_a_slip(patch: pytest.MonkeyPatch) -> None:
    own = DriveSlips.match_words

    def match_words(self: DriveSlips, state: Any, name: str, games: Any) -> tuple[str, ...]:
        (_, match) = games[1]
        hands = getattr(match.hand, "hands", ())
        return (*own(self, state, name, games), *(("g",) if hands and hands[1] > hands[3] else ()))

    patch.setattr(DriveSlips, "match_words", match_words)


LEAKS: dict[Callable[[pytest.MonkeyPatch], None], str] = {
    sealed_card_heard: "whole",
    partner_sees_discards: "whole",
    deal_open_to_partner: "api",
    fact_of_the_next_hand: "whole",
    sorted_by_strength: "api",
    legal_by_others_cards: "api",
    refusal_names_who_holds_it: "refusals",
    record_in_full: "record",
    finished_hand_of_another_seat: "api",
    length_of_a_comment: "record",
    hesitation: "timing",
    api_lists_hands: "api",
    space_in_the_view: "first",
    seconds_left_by_cards: "news",
    page_of_another_table: "page",
    called_back_by_cards: "elsewhere",
    told_in_full: "told",
    word_on_a_slip: "direction",
}
"""Leaks, each with a channel by which it must be caught."""


@cache
def _stretches() -> list[Stretch]:
    """A few; some of them go on after the hand, and end where a server leaves the table as it is."""
    return [one for seed in range(25, 30) for one in stretches("tuppi", seed, 4)]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_planted_leak_is_caught(leak: Callable[[pytest.MonkeyPatch], None]) -> None:
    channel = LEAKS[leak]
    made = _stretches()  # before it is planted: which worlds there are depends on what a viewer knows
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        for stretch in made:
            try:
                Counts().compare(stretch, {channel: CHANNELS[channel]})
            except AssertionError as told:
                assert channel in str(told)
                return
    raise AssertionError(f"{leak.__name__} was not noticed")


def test_channels_catch_a_leak_of_their_own() -> None:
    assert set(LEAKS.values()) == set(CHANNELS)


# ------------------------------------------------------------------------------------------- reviews


def _reviews(stretch: Stretch, world: Iterable[Event]) -> list[str]:
    """The pages that the viewer can have of the hand, one for each seat's choices: the first answers."""
    table = stretch.before
    for event, now in zip(world, stretch.times, strict=True):
        table = table.after(event, now)
    reader, index = Reader.of("en"), stretch.number
    assert table.match is not None
    seen, story = (
        view_builder.view_of(table, stretch.session, 0.0, "en"),
        table_record.timeline(table, stretch.session, index),
    )
    found = []
    for seat in range(len(table.seats)):
        try:
            asked = check_key(ReviewKey(table.id, index, seat, False, False), seen, story)
        except RequestError as refusal:
            found.append(str(refusal))
            continue
        made = review_hand(table.match.played[index - 1].hand, asked.seat, QUICK, open_cards=asked.whole)
        found.append(str(hand_review_page(seen, story, made, index, False, reader)))
    return found


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.promise("P7")
@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "tuppen_zk"])
def test_worlds_alike_to_a_viewer_give_the_same_review(preset: str) -> None:
    """In a match that goes on. Reviews take long, so few are compared."""
    pairs, goal = 0, times(2, 50)
    every = (one for seed in count() for one in stretches(preset, seed, 2))
    while pairs < goal:
        stretch = next(every)
        if len(stretch.end.finished_hands) >= stretch.number:
            one, two = (_reviews(stretch, world) for world in stretch.worlds)
            assert one == two, stretch.viewer
            pairs += 1
    report(f"P7: {preset}: {pairs} pairs of worlds by the reviews of a hand, none told apart")


# ---------------------------------------------------------------------------------- over the network

_TOKENS = {f"p{number}": f"{number}" * 22 for number in range(4)} | {STRANGER: "9" * 22}
_METRICS = "figures-for-a-test"
_ALIKE = re.compile(r"nousu_(requests_total|tables|live_lines)")
"""Figures that do not tell of time and memory."""


def _stored(path: Path, stretch: Stretch, world: Iterable[Event], table: str = "t", event: str = "") -> None:
    """A database with the table in that world in it, its persons having sessions.

    Args:
        path: the file.
        stretch: the stretch that the world is one of.
        world: the events of the stretch in that world.
        table: its id.
        event: the table's option of that name, for one of a tournament.
    """
    sessions = {name: sha256(token.encode()).hexdigest() for name, token in _TOKENS.items()}

    def of(event: Event) -> EventRow:
        what = event.what
        if isinstance(what, PersonJoined):
            what = replace(what, session=sessions[what.session])
        return to_row(replace(event, what=what), 4)

    async def store() -> None:
        opened = await Store.open(database_url(str(path)))
        for name, hashed in sessions.items():
            await opened.add_session(SessionRow(hashed, name, "en", bytes(32)))
            if name != STRANGER:
                await opened.people.add_table(hashed, table)
        options = {**stretch.options, "pace": "60"} | ({"event": event} if event else {})
        row = TableRow(table, stretch.end.preset, 4, json.dumps(options), stretch.secret, False)
        await opened.add_table(row, list(map(of, (*stretch.earlier, *world))))
        await opened.close()

    asyncio.run(store())


def _answers(path: Path, session: str | None, hand: int, log: pytest.LogCaptureFixture) -> list[str]:
    """Everything a viewer can fetch of a table and of one of its hands, with headers, what the live line says
    first, the figures afterwards, and what was written to the log."""
    log.clear()
    app = app_on(path)
    found = []
    # Uncompressed: the random key of the form would show in the length of a compressed page.
    headers = {"origin": "http://testserver", "accept-encoding": "identity"}
    with TestClient(app, headers=headers) as browser:
        if session is not None:
            browser.cookies.set("nousu", _TOKENS[session])
        api = ("/api/v1/tables/t", f"/api/v1/tables/t/hands/{hand}", "/api/v1/tables/t/record")
        hands = (f"/t/t/hand/{hand}", f"/t/t/review/{hand}", "/t/t/check", "/t/t/hint")
        own = ("/mine", "/mine/records.zip") if session is not None else ()
        for address in ("/t/t", "/t/t/record", *api, *hands, *own):
            answer = browser.get(address)
            sent = sorted((name, value) for name, value in answer.headers.items() if name != "set-cookie")
            found.append(f"{address}: {answer.status_code} {sent}\n{_text(answer)}")
        with browser.websocket_connect("/t/t/live") as connection:
            found.append(connection.receive_text())
            connection.send_text(json.dumps({"act": "play H9", "seq": 1, "key": "0123456789"}))
            # Twice a second the table looks who is there, and may say so before that.
            texts = iter(connection.receive_text, None)
            found.append(next(text for text in texts if json.loads(text).get("key") == "0123456789"))
        figures = browser.get("/metrics", headers={"authorization": f"Bearer {_METRICS}"}).text
        found.append("\n".join(filter(_ALIKE.match, figures.splitlines())))
    found.append("\n".join(one.getMessage() for one in log.records if one.name.startswith("nousu")))
    return found


def _text(answer: Response) -> str:
    """What an answer says; of records in a file their texts, for a file also says when it was packed."""
    if answer.headers["content-type"] != "application/zip":
        return answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        return "\n".join(f"{name}\n{packed.read(name).decode()}" for name in packed.namelist())


def _at_rest(stretch: Stretch) -> bool:
    """Whether the table waits for persons alone when the stretch ends: a server leaves it as it is."""
    table = stretch.end
    return len(table.seats) == 4 and all(one.session for one in table.seats.places) and not due_steps(table)


@pytest.mark.parametrize(("number", "after"), [(3, 0), pytest.param(6, 2, marks=pytest.mark.slow)])
def test_worlds_alike_to_a_viewer_give_the_same_bytes_over_the_network(
    number: int, after: int, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of the stretches (`after`, for their reviews take long) go on when the hand is over."""
    monkeypatch.setenv("NOUSU_METRICS_TOKEN", _METRICS)
    caplog.set_level(logging.DEBUG, "nousu")
    resting = [one for one in _stretches() if _at_rest(one)]
    over = [one for one in resting if len(one.end.finished_hands) >= one.number]
    found = [*over[:after], *(one for one in resting if one not in over)][:number]
    assert len(over) >= after and len(found) == number
    for at, stretch in enumerate(found):
        answers: list[list[str]] = []
        for world in stretch.worlds[:2]:
            path = tmp_path / f"{at}-{len(answers)}.db"
            _stored(path, stretch, world)
            answers.append(_answers(path, stretch.session, stretch.number, caplog))
        assert answers[0] == answers[1]


# -------------------------------------------------------------------------------- tournament's pages

_EVENING = "/tournament/evening"
_VERSION = re.compile(r"[0-9a-f]+-[0-9a-f]+-[0-9a-f]+")
"""A version of the tournament's file says when it was written."""


class _Evening:
    """A tournament with one table of the plan, which is played at a table of Nousu's."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "evening.nousu"
        self.office = evening(self.path, ("Ada", "Ben", "Cleo", "Dora"), "drive", unit="players", rounds=1)
        self.office.play_online("Ellen", ["1.1"])
        state = self.office.act("Nousu", "seated", table="1.1").tournament
        self.table = online.id_of(state, "1.1", 1)
        chairs = state.kind("1.1").slips.chairs(state, "1.1", 1)
        self.event = online.event_of("evening", "1.1", 1, chairs)
        direction = create_links(self.office, "Ellen", translator("en"))
        state = self.office.open().tournament
        shown = {role: key_of(link) for role in SHOWN if (link := shown_link(state, role)) is not None}
        self.keys = {"direction": direction, "entry": self.office.admit("Ellen", "entry", "Uwe")[1], **shown}
        self.keys["nobody"] = ""
        state = self.office.open().tournament
        self.own = [f"/me/{person_key(state, (state.numbers[number - 1], 0))}" for number, _ in chairs]
        self.slip = f"/slip/1.1?k={slip_key(state, '1.1')}&me=1"
        self.log = self.path.read_bytes()

    def answers(self, path: Path, session: str | None, part: str) -> dict[str, str]:
        """What every role is told on every page with that part in its name, in the browser of the viewer; and
        at the board after the table has moved to paper."""
        self.path.write_bytes(self.log)
        tournaments = HostedTournaments(path.parent, self.path)
        app = app_on(path, tournaments=tournaments)
        found = {}
        headers = {"origin": "http://testserver", "accept-encoding": "identity"}
        with TestClient(app, headers=headers) as browser:
            assert browser.get(f"/t/{self.table}").status_code == 200, "it is in memory, so pages tell of it"
            for role, key in self.keys.items():
                browser.cookies.clear()
                if session is not None:
                    browser.cookies.set("nousu", _TOKENS[session])
                if key:
                    browser.get(f"{_EVENING}/in/{key}")
                known = {page.path for page in PAGES if page.method == "GET"} - {"/news", "/me/{person}/news"}
                paths = {address.replace("{table}", "1.1").replace("{round}", "1") for address in known}
                paths |= {f"/from/{self.table}", "/review/1", "/board?table=1.1", self.slip, *self.own}
                for address in sorted(path for path in paths if part in f"{role} {path}"):
                    answer = browser.get(_EVENING + address.replace("{id}", self.table))
                    sent = sorted((name, value) for name, value in answer.headers.items())
                    text = answer.text
                    found[f"{role} {address}"] = _VERSION.sub("", f"{answer.status_code} {sent}\n{text}")
            browser.cookies.clear()
            browser.get(f"{_EVENING}/in/{self.keys['direction']}")
            browser.post(f"{_EVENING}/online", data={"do": "paper", "table": "1.1"})
            text = browser.get(f"{_EVENING}/board?table=1.1").text
            found["moved to paper"] = _VERSION.sub("", text)
        return found

    def compare(self, folder: Path, stretch: Stretch, part: str = "") -> int:
        """Compare two worlds of a stretch; `AssertionError` names the page that told them apart."""
        answers = []
        now = datetime(2026, 3, 18, 19, 30, tzinfo=UTC)  # pages show the minute
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("nousu.tournament.tournament_file.datetime", SimpleNamespace(now=lambda _: now))
            for number, world in enumerate(stretch.worlds[:2]):
                path = folder / f"{number}.db"
                for old in folder.glob(f"{path.name}*"):
                    old.unlink()
                _stored(path, stretch, world, self.table, self.event)
                answers.append(self.answers(path, stretch.session, part))
        assert answers[0].keys() == answers[1].keys()
        for name, text in answers[0].items():
            other = answers[1][name]
            assert text == other, f"{name} tells {stretch.viewer} apart:\n{_difference(text, other)}"
        return len(answers[0])


def _resting() -> Iterator[Stretch]:
    """Stretches of the game of the drive after which the table waits for its persons."""
    every = (one for seed in count(25) for one in stretches("minnesota", seed, 2))
    return (one for one in every if _at_rest(one) and not one.end.over)


@pytest.mark.promise("P7")
def test_tournament_pages_are_the_same_in_two_worlds(tmp_path: Path) -> None:
    event = _Evening(tmp_path)
    goal = times(1, 40)
    pages = [event.compare(tmp_path, stretch) for stretch in islice(_resting(), goal)]
    assert min(pages) > 150
    report(f"P7: {sum(pages)} pairs of pages of a tournament with a table at Nousu's, none told apart")


def _hands(table: Table | None) -> tuple[int, ...]:
    return getattr(table.match.hand, "hands", ()) if table is not None and table.match is not None else ()


def names_by_cards(patch: pytest.MonkeyPatch) -> None:
    """The board says for whom a table waits, in an order that depends on hidden cards."""
    own = slips._online

    def shown(visit: Any, table: str) -> tuple[tuple[int, str, str], ...]:
        games = online.games_at_hand(visit.server, visit.state, table)
        return tuple(
            (number, address, f"{said} {_hands(game.table)}")
            for (number, address, said), game in zip(own(visit, table), games, strict=True)
        )

    patch.setattr(slips, "_online", shown)


def own_page_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    own = my_page._come

    def come(game: online.OnlineGame | None) -> tuple[str, ...]:
        cards = [f"{hand:x}" for hand in _hands(game.table)] if game is not None else []
        return (*own(game), *cards)

    patch.setattr(my_page, "_come", come)


def word_at_the_desk(patch: pytest.MonkeyPatch) -> None:
    own = online.words

    def words(state: Any, table: str, found: Any) -> tuple[str, ...]:
        hands = _hands(found[0].table)
        return (*own(state, table, found), *f"r{sum(hands[:2]) % 13}")

    patch.setattr(online, "words", words)


PAGE_LEAKS = {
    names_by_cards: "direction /board",
    own_page_of_another_seat: "/me/",
    word_at_the_desk: "moved to paper",
}
"""Leaks of the tournament's pages, each with a page by which it must be caught."""


@pytest.mark.parametrize("leak", PAGE_LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_of_the_tournament_is_caught(
    leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path
) -> None:
    event, found = _Evening(tmp_path), [*islice(_resting(), 4)]
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        for stretch in found:
            try:
                event.compare(tmp_path, stretch, PAGE_LEAKS[leak])
            except AssertionError as told:
                assert PAGE_LEAKS[leak] in str(told)
                return
    raise AssertionError(f"{leak.__name__} was not noticed")
