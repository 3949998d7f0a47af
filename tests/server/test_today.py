"""The problem of the day: one try, a streak, how others answered, and nothing before the own answer."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from types import MappingProxyType

import pytest
from starlette.testclient import TestClient

from applications import app_on
from nousu.server.people import daily
from nousu.server.people.server import Server
from nousu.server.storage.daily import DailyRow
from nousu.teaching.problems import SolvedProblem
from same_deals import Day

HERE = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(app_on(f"{tmp_path}/tables.db", pace=0), headers=HERE) as found:
        yield found


def task_of(client: TestClient) -> SolvedProblem:
    """The problem of today."""
    server: Server = client.app.state.server  # type: ignore[attr-defined]
    assert client.portal is not None
    visitor = client.portal.call(server.sessions.visitor, _Request())
    return client.portal.call(daily.daily_problem, server, visitor, Day.today()).task


class _Request:
    """A request without a session."""

    headers: Mapping[str, str] = MappingProxyType({})
    client = None

    class state:
        token = ""


def page(client: TestClient) -> str:
    """The page as it reads."""
    return re.sub(r"\s+", " ", unescape(client.get("/today").text))


def others(client: TestClient, act: str, count: int) -> None:
    """This many others answer that."""
    server: Server = client.app.state.server  # type: ignore[attr-defined]
    row = DailyRow(Day.today().isoformat(), act, act in task_of(client).right)
    for number in range(count):
        client.portal.call(server.store.daily.add, f"{act} {number}", row)  # type: ignore[union-attr]


def test_daily_problem_takes_the_first_answer_alone(client: TestClient) -> None:
    task = task_of(client)
    wrong = next(str(one) for one in task.hand.legal(task.seat) if str(one) not in task.right)
    before = page(client)
    assert "data-done" not in before and "Best:" not in before and "0 people have answered." in before
    assert "That cannot be done now." in unescape(client.post("/today", data={"act": "deal N"}).text)
    assert "0 people have answered." in page(client), "what the rules forbid does not count"
    client.post("/today", data={"act": wrong})
    after = page(client)
    assert "data-done" in after and "Not this time. 1 day in a row." in after and "Best:" in after
    client.post("/today", data={"act": task.right[0]})
    assert "Not this time." in page(client), "there is one try"
    assert "✗ · 1 day in a row." in after and "/today" in after
    assert "Today you did not find it. 1 day in a row." in unescape(client.get("/").text)


def test_daily_problem_tells_of_others_after_the_own_answer_and_from_twenty_on(client: TestClient) -> None:
    task = task_of(client)
    wrong = next(str(one) for one in task.hand.legal(task.seat) if str(one) not in task.right)
    others(client, task.right[0], 15)
    others(client, wrong, 4)
    client.post("/today", data={"act": task.right[0]})
    assert "of the others found it" not in page(client) and "once twenty have" in page(client)
    others(client, wrong, 5)
    told = page(client)
    assert "75% of the others found it." in told and "21 people have answered." in told
    client.cookies.clear()
    fresh = page(client)
    assert "21 people have answered." in fresh and "of the others" not in fresh and "Best:" not in fresh


def test_daily_problem_opens_its_seal_afterwards(client: TestClient) -> None:
    task = task_of(client)
    assert "<code>" not in client.get("/today").text
    client.post("/today", data={"act": task.right[0]})
    line, seal, _ = re.findall(r"<code>([^<]+)</code>", client.get("/today").text)
    assert hashlib.sha256(line.encode()).hexdigest() == seal
    assert line.startswith(f"{Day.today()} {task.theme} {task.number} ")


@pytest.mark.parametrize(
    ("ago", "count"),
    [((), 0), ((0,), 1), ((1,), 1), ((0, 1, 2), 3), ((1, 2, 4), 2), ((2, 3), 0), ((0, 2), 1)],
)
def test_streak_counts_days_in_a_row(ago: tuple[int, ...], count: int) -> None:
    today = date(2026, 3, 1)
    rows = [DailyRow((today - timedelta(days=days)).isoformat(), "play HA", True) for days in ago]
    assert daily.streak(rows, today) == count


def test_daily_answers_go_with_their_person(client: TestClient) -> None:
    task = task_of(client)
    client.post("/today", data={"act": task.right[0]})
    assert "1 person has answered." in page(client)
    client.post("/forget")
    client.cookies.clear()
    assert "0 people have answered." in page(client)
