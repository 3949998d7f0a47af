"""What a person learns from: the own mistakes as problems, the own habits beside computer players."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import states
from nousu.review import HandReview
from nousu.server.people import progress
from nousu.server.people.sessions import hash_token
from nousu.server.storage.daily import DailyRow
from same_deals import Day
from waiting import settled

pytestmark = pytest.mark.native


def person_at_table(browser: TestClient, folder: Path, name: str) -> None:
    """A person who sits at a table in that state, and is known to have come to it."""
    sitting, person = states.reach(states.STATES[name])
    browser.cookies.set("nousu", states.token(person))
    states.put(folder / "nousu.db", "learned", sitting, theirs=True)


def test_mistakes_come_back_as_problems_of_their_player(browser: TestClient, tmp_path: Path) -> None:
    person_at_table(browser, tmp_path, "whist over")
    page = settled(browser, "/mine/mistakes")
    address = re.findall(r'href="(/mine/mistakes/learned/\d+/\d+)"', page)[0]
    assert "Minnesota Whist with house rules · Hand 1" in page, "hands of all games stand in one list"
    assert "Your habits" not in page, "a dozen choices of a kind are too few for a habit"
    costs = [float(cost) for cost in re.findall(r"[−-](\d+\.\d)</span>", page)]
    assert costs and costs == sorted(costs, reverse=True), "the costliest first"
    problem = browser.get(address).text
    assert "What do you do?" in problem and "That is best" not in problem
    assert "Then you chose" not in problem, "the solution is not told before it is asked for"
    result = browser.get(f"{address}?act=answer").text
    assert "Then you chose" in result and "/t/learned/review/" in result
    buttons = re.findall(r'"act":"([^"]+)"', problem)
    answers = [browser.get(address, params={"act": act}).text for act in buttons]
    right = ["That is best." in text for text in answers]
    wrong = ["Something else is better." in text for text in answers]
    assert any(right) and any(wrong) and all(one != two for one, two in zip(right, wrong, strict=True))
    assert "That cannot be done now." in browser.get(f"{address}?act=play+XX").text
    assert browser.get("/mine/mistakes/learned/1/9999").status_code == 404
    other = TestClient(browser.app, base_url="http://testserver")
    assert other.get(address).status_code == 403
    other.cookies.set("nousu", states.token(3))
    assert other.get(address).status_code in (403, 404), "nobody is shown the mistakes of another"


def test_mistakes_of_a_running_match_are_not_listed(browser: TestClient, tmp_path: Path) -> None:
    person_at_table(browser, tmp_path, "whist result")
    assert "No clear mistake has been found" in settled(browser, "/mine/mistakes")


def test_habits_have_intervals_and_stand_beside_levels_that_were_measured(
    browser: TestClient, tmp_path: Path
) -> None:
    costs = [0.0, 4.0, 0.0, 8.0, 0.0, 0.0] * 4
    many, few = states.review_of_habit(0, costs), states.review_of_habit(0, costs[:6])
    assert progress.habits_of([few]) == (), "too few choices"
    assert progress.habits_of([states.review_of_habit(0, [0.0] * 39 + [4.0])]) == (), "not clear of zero"
    (habit,) = progress.habits_of([many])
    assert (habit.kind, habit.times, habit.mean) == ("hold", 24, 0.5)
    assert 0.25 < habit.half < 0.5
    assert "beginner" in {level.name for level in habit.levels}
    person_at_table(browser, tmp_path, "whist over")
    settled(browser, "/mine/mistakes")
    person = states.reach(states.STATES["whist over"])[1]
    states.put_review(tmp_path / "nousu.db", "learned", person, many)
    assert "Your habits" in browser.get("/mine/mistakes").text


def test_changes_are_told_when_they_are_clear() -> None:
    def reviews(costs: list[float]) -> list[HandReview]:
        return [states.review_of_habit(0, costs[at : at + 20]) for at in range(0, len(costs), 20)]

    assert progress.changes_of(reviews([0.0, 0.5] * 10)) == (), "nothing to compare with"
    assert progress.changes_of(reviews([0.0, 0.5] * 20)) == ()
    (better,) = progress.changes_of(reviews([0.0] * 18 + [0.5] * 2 + [0.0, 4.0] * 10))
    assert better.now < better.before
    (worse,) = progress.changes_of(reviews([0.0, 4.0] * 10 + [0.0] * 18 + [0.5] * 2))
    assert worse.now > worse.before


def test_lately_says_how_many_daily_problems_were_found(browser: TestClient, tmp_path: Path) -> None:
    person_at_table(browser, tmp_path, "whist over")
    server = browser.app.state.server  # type: ignore[attr-defined]
    session = hash_token(browser.cookies["nousu"])
    for days in range(4):
        row = DailyRow((Day.today() - timedelta(days=days)).isoformat(), "play HA", days > 0)
        browser.portal.call(server.store.daily.add, session, row)  # type: ignore[union-attr]
    assert "Of your last 4 problems of the day you found 3." in settled(browser, "/mine/mistakes")
