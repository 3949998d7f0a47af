"""A match in review, its mistakes as problems, and habits: by keys and taps, at every size, in every look."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

import states
from accessibility import serious_in_any_look
from hosted_event import EVENING, ORIGIN, Event
from nousu.server.table import shuffle
from page_driver import DESK, PHONE, SMALL, Served, expect_fits, until
from played_online import own_link, play_out, sit
from waiting import settled

pytestmark = [pytest.mark.browser, pytest.mark.native]
SIZES = (SMALL, {"width": 844, "height": 390}, DESK, PHONE)


def looked_at(page: Page) -> None:
    """The page is right at every size and in every look."""
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect_fits(page)
    assert serious_in_any_look(page) == [], page.url


def test_match_review_and_its_mistakes_as_problems(page: Page, served: Served) -> None:
    sitting, person = states.reach(states.STATES["whist over"])
    table = states.put(served.database, "learned in a browser", sitting, theirs=True)
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])

    # The match: the reviews come into the page by themselves, and every hand is a link.
    page.goto(f"{served.url}/t/{table}/review")
    until(page, "!document.getElementById('review').dataset.again")
    expect(page.locator("#refining")).not_to_contain_text("being worked out")
    expect(page.locator("#found")).to_contain_text("Costliest choice")
    assert "…" not in page.inner_text("#found")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    looked_at(page)
    page.locator(".evening-tops a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/review/\d+\?seat=\d#choice-\d+$"))
    expect(page.locator(".review-choices > section:target")).to_be_visible()

    # The mistakes, and a habit.
    costs = [0.0, 4.0, 0.0, 8.0, 0.0, 0.0] * 4
    other = states.put(served.database, "a habit in a browser", sitting)
    states.put_review(served.database, other, person, states.review_of_habit(person, costs))
    page.goto(f"{served.url}/mine/mistakes")
    expect(page.get_by_role("heading", name="Your habits")).to_be_visible()
    looked_at(page)
    while page.get_by_role("link", name="Look again").count():  # reviews are still being worked out
        page.goto(f"{served.url}/mine/mistakes")
    page.locator(".slips-again a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/mine/mistakes/[^/]+/\d+/\d+$"))

    # One of them as a problem: cards are buttons, the answer is told aloud, the solution on request.
    problem = page.url
    answer = page.locator("#answer")
    expect(answer).to_be_hidden()
    expect(answer).to_have_attribute("role", "status")
    looked_at(page)
    page.get_by_role("link", name="Show the solution").focus()
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("Then you chose")
    page.goto(problem)
    for choice in range(page.locator("#stage [data-act]").count()):  # cards, or the answers to a question
        page.goto(problem)
        chosen = page.locator("#stage [data-act]").nth(choice)
        twice = chosen.evaluate("(one) => Boolean(one.dataset.card || one.dataset.sure)")
        chosen.focus()
        page.keyboard.press("Enter")
        if twice:
            page.keyboard.press("Enter")
        expect(answer).to_be_visible()
        if "That is best." in answer.inner_text():
            break
    expect(answer).to_contain_text("That is best.")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/mine/mistakes$"))
    expect(
        page.locator(f'[data-lesson]:has(a[href="{problem.removeprefix(served.url)}"]) .done')
    ).to_be_visible()


def test_solved_mistake_is_marked_in_the_list(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/problems")
    first = page.locator(".problems li").first
    name = first.get_attribute("data-lesson")
    page.evaluate("(name) => localStorage.setItem('nousu-learn', JSON.stringify({ problems: [name] }))", name)
    page.reload()
    page.locator("details.group > summary").first.click()
    expect(first.locator(".done")).to_be_visible()
    expect(page.locator(".problems .is-done")).to_have_count(1)


def test_tournament_round_is_reviewed(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played at Nousu's tables by people at random; the whole event looks like a round."""
    # The same deals each time: in some, no choice at random costs anything.
    monkeypatch.setattr(shuffle, "new_secret", lambda: Random(1).randbytes(shuffle.SECRET_BYTES))
    quick = "tuppen_zk_tournament+start_points=2"
    event = Event(tmp_path, ("Ada", "Ben", "Cleo", "Dora"), "tuppen", preset=quick)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        ellen.post(f"{EVENING}/online", data={"do": "online", "table": "1.1"})
        numbers = event.office.open().tournament.seats("1.1")
        (id,) = {sit(event.come(ellen), own_link(event, one)) for one in numbers}
        play_out(ellen, event.app.state.server, id)
        settled(ellen, f"{EVENING}/review/1")
    (tmp_path / "tournaments").mkdir()
    event.path.rename(tmp_path / "tournaments" / event.path.name)
    served = Served(tmp_path)
    served.start()
    try:
        page.goto(f"{served.url}{EVENING}/in/{event.secret}")
        assert page.goto(f"{served.url}{EVENING}/standings").status == 200  # type: ignore[union-attr]
        page.get_by_role("link", name="What the cards cost").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"/review$"))
        page.locator(".review-whose a").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"/review/1$"))
        expect(page.get_by_role("button", name="Print")).to_be_visible()
        expect(page.locator("main")).to_contain_text("Luckiest hand")
        looked_at(page)
        page.get_by_role("link", name=re.compile("Costliest choice")).first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"/review/\d+\?seat=\d#choice-\d+$"))
        expect(page.locator(".review-choices > section:target")).to_be_visible()
    finally:
        served.kill()
