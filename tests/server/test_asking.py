"""Claims settled or refused, mis-clicks taken back: by consent, by the rules, and without telling a card."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from applications import app_on
from nousu.engine.actions import Action, Play, Show
from nousu.games import find
from nousu.i18n.reader import Reader
from nousu.players import claims
from nousu.server.errors import NotYours, RequestError, Stale
from nousu.server.http.rate_limits import TooManyRequests
from nousu.server.live.workers import Workers
from nousu.server.pages.table.chat import chat_panel
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.page_view import page_view
from nousu.server.pages.table.table_view import TableView
from nousu.server.people.commands import MakeRequest
from nousu.server.people.sessions import Session
from nousu.server.table import commands, record
from nousu.server.table.events import from_row, to_row
from nousu.server.table.schedule import ANSWER_WAIT, due_steps
from nousu.server.table.shuffle import verify
from nousu.server.table.table import Change, Table
from nousu.server.table.view import TableRequest
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

READER = Reader.of("en")


def add(sitting: Sitting, change: Change | int) -> None:
    """One more event, which is the same when it comes back from the disk."""
    assert isinstance(change, Change)
    assert from_row(to_row(change.event, 4), 4) == change.event
    sitting.add(change)


def late(when: Callable[[Table, int], bool], computers: int = 0, **options: str) -> tuple[Sitting, int]:
    """A hand in which somebody who may claim is on turn, and that seat."""
    for seed in range(40):
        rng = random.Random(seed)
        sitting = Sitting("tuppi", persons=4 - computers, computers=computers, options=options)
        for _ in range(150):
            sitting.played(rng, 1)
            table = sitting.table
            if table.over or table.match is None or table.between_hands:
                continue
            owed = table.match.hand.owed()
            asks = len(owed) == 1 and owed[0] in table.seats.persons() and table.possible_requests(owed[0])
            if asks and when(table, owed[0]):
                return sitting, owed[0]
    raise AssertionError("no such moment")


def certain(table: Table, seat: int) -> bool:
    """Whether the seat can prove that the rest are its own, with some tricks left."""
    assert table.match is not None
    return table.tricks >= 10 and claims.is_proven(table.match.hand.view(seat), "mine")


def doubtful(table: Table, seat: int) -> bool:
    """Whether nothing can be proven, and some tricks are left."""
    assert table.match is not None
    return table.tricks in (7, 8) and not claims.is_proven(table.match.hand.view(seat), "mine")


def opened(sitting: Sitting) -> TableRequest:
    """What is asked."""
    assert sitting.table.requests.open is not None
    return sitting.table.requests.open


def carry_out(sitting: Sitting) -> None:
    """What was agreed to is done, as a room does it."""
    table, request = sitting.table, opened(sitting)
    assert table.match is not None and not request.of
    (step,) = due_steps(table)
    assert step.what == "settle"
    plays = claims.play_out_claim(table.match.hand, request.seat, "mine") if request.what != "undo" else ()
    add(sitting, commands.settle(table, plays, step.at))


def ask(sitting: Sitting, seat: int, what: str, proven: bool = False) -> None:
    """Somebody asks at the present number."""
    add(
        sitting,
        commands.ask(sitting.table, sitting.session(seat), what, sitting.table.seq, proven, sitting.now),
    )


def agree_all(sitting: Sitting) -> None:
    """All who are asked agree, and it is done."""
    while opened(sitting).of:
        add(
            sitting,
            commands.answer(sitting.table, sitting.session(opened(sitting).of[0]), True, sitting.now),
        )
    carry_out(sitting)


def test_claim_that_is_certain_is_settled_at_once_and_the_record_stays_one_of_legal_cards() -> None:
    sitting, seat = late(certain)
    before = sitting.table
    ask(sitting, seat, "claim mine", proven=True)
    with pytest.raises(Stale, match="answer that first"):
        sitting.does(seat, sitting.match.hand.legal(seat)[0])
    carry_out(sitting)
    table = sitting.table
    assert table.between_hands or table.over
    claim = table.requests.claims[-1]
    assert (claim.seat, claim.what, claim.tricks) == (seat, "claim mine", before.tricks)
    assert f"after trick {before.tricks}" in record.record(table, sitting.session(seat))
    assert sitting.folded().finished_hands[-1].summary.result == table.finished_hands[-1].summary.result
    other = sitting.session((seat + 1) % 4)
    view = page_view(view_of(table, other, 0.0, "en"), READER)
    assert isinstance(view, TableView) and "claimed the last 3 tricks" in view.claimed
    heard = announcement(view_of(before, other, 0.0, "en"), view_of(table, other, 0.0, "en"), READER)
    assert "claimed the last 3 tricks" in heard and "takes the trick" not in heard


def test_record_of_a_match_with_claims_verifies() -> None:
    sitting, rng = Sitting("minnesota+target=3"), random.Random(5)
    while not sitting.table.over:
        sitting.played(rng, 1)
        table = sitting.table
        owed = sitting.table.match.hand.owed() if sitting.table.match is not None else ()
        if len(owed) == 1 and owed[0] >= 0 and table.possible_requests(owed[0]) and certain(table, owed[0]):
            ask(sitting, owed[0], "claim mine", proven=True)
            carry_out(sitting)
    assert sitting.table.requests.claims
    assert verify(record.record(sitting.table, None), find).problems == ()


def test_claim_that_is_not_certain_needs_every_opponent_and_a_refusal_names_nobody() -> None:
    sitting, seat = late(doubtful)
    left, right = (seat + 1) % 4, (seat + 3) % 4
    ask(sitting, seat, "claim mine")
    assert set(opened(sitting).of) == {left, right}
    with pytest.raises(Stale, match="not being asked anything"):
        commands.answer(sitting.table, sitting.session((seat + 2) % 4), True, 0.0)
    views = set()
    for who in (left, right):  # whoever refuses, the others see the same
        refused = commands.answer(sitting.table, sitting.session(who), False, 0.0).table
        views.add(repr(view_of(refused, sitting.session(seat), 0.0, "en")))
        assert refused.possible_requests(seat) == ()
    assert len(views) == 1
    agree_all(sitting)
    assert sitting.table.between_hands or sitting.table.over


def test_question_without_an_answer_lapses() -> None:
    sitting, seat = late(doubtful)
    ask(sitting, seat, "claim mine")
    (step,) = due_steps(sitting.table)
    assert (step.what, step.at) == ("lapse", sitting.now + ANSWER_WAIT)
    add(sitting, commands.lapse(sitting.table, step.at))
    assert sitting.table.requests.open is None


def test_computer_players_agree_to_no_uncertain_claim() -> None:
    sitting, seat = late(doubtful, computers=3)
    with pytest.raises(RequestError, match="computer players agree to nothing else"):
        ask(sitting, seat, "claim mine")


def test_concession_needs_the_partner_alone_and_computers_take_it() -> None:
    sitting, seat = late(doubtful, computers=3)
    view = sitting.view(seat)
    kind = claims.concession(view)
    assert kind == ("theirs" if view.facts.plain()["kind"] == "high" else "mine")
    session, seq = sitting.session(seat), sitting.table.seq
    add(sitting, commands.ask(sitting.table, session, f"claim {kind}", seq, False, 0.0, concedes=True))
    assert opened(sitting).of == ()
    assert sitting.match.hand.view(seat) == view  # nothing has been played, and nobody's cards were looked at
    four, seat = late(doubtful)
    session, seq = four.session(seat), four.table.seq
    what = f"claim {claims.concession(four.view(seat))}"
    add(four, commands.ask(four.table, session, what, seq, False, 0.0, concedes=True))
    assert opened(four).of == ((seat + 2) % 4,)
    assert claims.concession(four.view((seat + 1) % 4)) is None


def test_claim_is_open_to_the_seat_on_turn_at_the_present_moment_alone() -> None:
    sitting, seat = late(doubtful)
    table = sitting.table
    for session, what, seq in (
        (sitting.session((seat + 1) % 4), "claim mine", table.seq),
        (sitting.session(seat), "claim mine", 1),
        (sitting.session(seat), "undo", table.seq),
    ):
        with pytest.raises(Stale):
            commands.ask(table, session, what, seq, False, 0.0)
    with pytest.raises(NotYours):
        commands.ask(table, "nobody", "claim mine", table.seq, False, 0.0)
    with pytest.raises(RequestError):
        commands.ask(table, sitting.session(seat), "the moon", table.seq, False, 0.0)


def test_claim_is_examined_away_from_the_table_by_the_view_alone() -> None:
    sitting, seat = late(certain)
    thinkers = Workers(0)
    try:
        assert asyncio.run(thinkers.is_proven(sitting.view(seat), "mine"))
        assert not asyncio.run(thinkers.is_proven(sitting.view(seat), "theirs"))
    finally:
        thinkers.close()


def test_address_claims_so_often(tmp_path: Path) -> None:
    """One process examines and plays out the claims of all tables, and sessions are free."""
    app = app_on(tmp_path / "n.db", rates={"claims": "2/hour"})
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        body = {"preset": "tuppi", "players": ["open"] * 3, "name": "Aino"}
        client.post("/look", data={"lang": "en"})
        table = client.post("/api/v1/tables", json=body).json()["table"]
        assert client.portal is not None
        refused = []
        for what in ("claim mine", "claim theirs", "undo", "claim mine"):
            session = Session(str(len(refused)), "", "en", "", "192.0.2.1")
            with pytest.raises(RequestError) as refusal:
                client.portal.call(app.state.server.actions.do, table, session, MakeRequest(what, 1))
            refused.append(refusal.type)
    assert refused == [NotYours, NotYours, NotYours, TooManyRequests]


def played(sitting: Sitting) -> tuple[int, Action]:
    """Somebody plays a card; the seat and the card."""
    while True:
        sitting.until_asked()
        seat = sitting.match.hand.owed()[0]
        action = sitting.view(seat).legal[0]
        sitting.does(seat, action)
        if isinstance(action, Play):
            return seat, action


def test_undo_of_a_mis_click_needs_all_to_agree_when_the_card_was_seen() -> None:
    sitting = Sitting("tuppi", options={"undo": "yes"})
    seat, action = played(sitting)
    assert "undo" in sitting.table.possible_requests(seat)
    assert all("undo" not in sitting.table.possible_requests(other) for other in range(4) if other != seat)
    ask(sitting, seat, "undo")
    assert set(opened(sitting).of) == {0, 1, 2, 3} - {seat}
    agree_all(sitting)
    assert sitting.match.hand.owed() == (seat,)
    assert action in sitting.match.hand.legal(seat)
    assert str(action) not in record.record(sitting.table, sitting.session(seat))
    talk = chat_panel(view_of(sitting.table, None, 0.0, "en"), READER)
    assert talk is not None and "Everybody saw it" in talk.lines[-1].words
    assert sitting.folded().match == sitting.table.match
    sitting.does(seat, next(one for one in sitting.match.hand.legal(seat) if one != action))


@pytest.mark.parametrize(("options", "more"), [({"undo": "yes"}, 1), ({}, 0)])
def test_undo_is_refused_once_somebody_acted_or_where_it_is_not_allowed(
    options: dict[str, str], more: int
) -> None:
    sitting = Sitting("tuppi", options=options)
    seat, _ = played(sitting)
    for _ in range(more):
        played(sitting)
    assert "undo" not in sitting.table.possible_requests(seat)


def test_undo_of_a_face_down_bid_is_granted_and_of_one_turned_up_is_not() -> None:
    sitting = Sitting("tuppi", options={"undo": "yes"})
    sitting.until_asked()
    seat = sitting.match.hand.owed()[0]
    sitting.does(seat, sitting.view(seat).legal[0])
    ask(sitting, seat, "undo")
    agree_all(sitting)
    assert sitting.table.chat.lines[-1].text == ""
    assert len(sitting.match.hand.owed()) == 4
    while not isinstance(sitting.match.hand.log[-1][1], Show):
        if not sitting.self_done():
            seat = sitting.match.hand.owed()[0]
            sitting.does(seat, sitting.view(seat).legal[0])
    assert all("undo" not in sitting.table.possible_requests(one) for one in range(4))
