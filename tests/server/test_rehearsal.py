"""Playing on from a moment of a finished hand: the position as it was, and nothing that was hidden."""

import random
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import states
from nousu.engine.record import EVERYTHING
from nousu.engine.seats import CHANCE
from nousu.engine.timeline import story
from nousu.games import find
from nousu.server.errors import Stale
from nousu.server.table import record
from nousu.server.table.branch_point import BranchPoint
from nousu.server.table.events import ActionDone, from_row, to_row
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import due_steps
from nousu.server.table.table import Table
from nousu.server.table.what_if import branch_point, first_events

_NAMES = ("whist result", "whist over", "huutopussi over", "tuppen over", "tuppen result")


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {name: states.reach(states.STATES[name])[0].table for name in _NAMES}


@pytest.mark.parametrize("name", _NAMES)
def test_what_if_position_is_that_of_the_hand_and_ends_with_it(tables: dict[str, Table], name: str) -> None:
    old = tables[name]
    for index in (1, len(old.finished_hands)):
        result = record.timeline(old, None, index)
        hand = old.match.played[index - 1].hand if old.match is not None else None
        assert hand is not None
        if not result.whole:
            with pytest.raises(Stale, match="secret"):
                branch_point(old, result, index, 9, 0, "p")
            continue
        for at in (result.first, (result.first + result.last) // 2, result.last + 50):
            where = branch_point(old, result, index, at, 1, "p")
            assert BranchPoint.parse(where.format()) == where
            options = {"seats": "chosen", "position": where.format()}
            table = Table.new(
                "new", old.preset, len(old.seats.places), bytes(32), TableOptions.parse(options), find
            )
            changes = first_events(table, where, result, "p", "Sanni", "random")
            for change in changes:  # the stored rows say the same
                table = table.after(
                    from_row(to_row(change.event, len(old.seats.places)), len(old.seats.places)), 0.0
                )
            assert table.match is not None and not table.over
            before = old.game.start(old.rules, hand.setup)
            for seat, action in hand.log[: where.at]:
                before = before.apply(seat, action)
            was, now = before.view(1), table.match.hand.view(1)
            assert (was.trick, was.tricks, was.cards) == (now.trick, now.tricks, now.cards)
            assert before.owed() == table.match.hand.owed()
            assert table.seats.seat_of("p") == 1 and table.seats.persons() == (1,)
            table = _played_out(table)
            assert table.over and len(table.finished_hands) == 1 and due_steps(table) == ()


def _played_out(table: Table) -> Table:
    rng = random.Random(4)
    while not table.over:
        assert table.match is not None
        seat = table.match.hand.owed()[0]
        assert seat != CHANCE
        table = table.change(ActionDone(seat, rng.choice(table.match.hand.legal(seat))), 0.0).table
    return table


def test_what_if_table_is_opened_marked_and_leads_back(browser: TestClient, tmp_path: Path) -> None:
    sitting, person = states.reach(states.STATES["whist over"])
    address = f"/t/{states.put(tmp_path / 'nousu.db', 'old', sitting)}"
    browser.cookies.set("nousu", states.token(person))
    replay = browser.get(f"{address}/hand/1?at=20").text
    assert 'id="play-on"' in replay
    answer = browser.post(f"{address}/hand/1/play", data={"at": "20", "eyes": ""})
    assert answer.status_code == 200 and answer.url.path != address
    assert "what if" in answer.text and f"{answer.url.path}/check" not in answer.text
    assert browser.get(f"{answer.url.path}/check").status_code == 404
    assert browser.post(f"{answer.url.path}/again").status_code == 409
    assert "played on from" in browser.get(f"/api/v1/tables/{answer.url.path[3:]}/record").text
    for wrong in ("0", "99", "x"):
        assert browser.post(f"{address}/hand/{wrong}/play", data={"at": "3"}).status_code == 404


def test_cards_are_all_known_once_the_match_is_over(tables: dict[str, Table]) -> None:
    old = tables["tuppen over"]
    assert old.match is not None
    full = story(old.game, old.rules, old.match.played[0].hand, EVERYTHING)
    assert record.timeline(old, None, 1) == full and full.whole
