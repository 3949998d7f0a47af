"""The first evening of somebody new: first table, a lesson of each game, a match with friends, the problem of
the day. With ``--pictures FOLDER`` the pages are kept to be looked at."""

from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from nousu.teaching.lessons import course, courses
from page_driver import PHONE, Player, Served, somebody

Keeper = Callable[[Page, str], None]
_ASKED = """() => Boolean(document.querySelector(
  "#next, #again, .ask .btn, #hand .card[data-choose], .bid:not([data-picks]), "
  + "#table[data-turn=yes] #hand .card[data-act], #table[data-turn=yes] .acts--table .btn"))"""


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Keeper:
    """Keep a picture of a page under a name, where somebody wants to look at them."""
    folder: Path | None = request.config.getoption("--pictures")
    numbers = count(1)

    def picture(page: Page, name: str) -> None:
        if folder is not None:
            page.wait_for_timeout(300)
            page.screenshot(path=folder / request.node.callspec.id / f"{next(numbers):02} {name}.png")

    return picture


def sit_down(host: Page, guests: list[Page]) -> None:
    """Let friends come by the link of the host, who waits in the lobby."""
    for page, name in zip(guests, ("Charlotte", "Väinö", "Maximiliane Winter"), strict=True):
        page.goto(host.url)
        page.fill("[name=name]", name)
        page.click("#sit")
        expect(page.locator("#table")).to_have_attribute("data-sits", "yes")


def play_together(players: list[Player], until: str) -> None:
    """Let each act who is asked, until something is on the page of the first."""
    for _ in range(2000):
        for player in players:
            if players[0].page.query_selector(until):
                return
            if player.page.evaluate(_ASKED):
                player.act()
        players[0].page.wait_for_timeout(20)
    raise AssertionError(f"no {until}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "theme"),
    [
        (PHONE, "light"),
        (PHONE, "dark"),
        ({"width": 1440, "height": 900}, "light"),
        ({"width": 1440, "height": 900}, "dark"),
    ],
    ids=["phone light", "phone dark", "desktop light", "desktop dark"],
)
def test_first_evening(
    browser: Browser, served: Served, keep: Keeper, size: ViewportSize, theme: str
) -> None:
    with ExitStack() as stack:
        page, *guests = (
            stack.enter_context(somebody(browser, viewport=size, color_scheme=theme)) for _ in range(4)
        )
        page.goto(served.url)
        keep(page, "start")
        page.get_by_role("button", name="Play now").click()
        for tip in range(3):
            expect(page.locator(f".tip[data-tip='{tip}']")).to_be_visible()
            keep(page, f"first table, tip {tip + 1}")
            page.click(".tip .btn")
        player = Player(page)
        player.play(until="#table[data-phase=play] #hand .card[data-act]")
        keep(page, "first card")
        page.click("#hint-button")
        expect(page.locator("#advice")).not_to_be_empty()
        keep(page, "hint")
        page.keyboard.press("Escape")
        player.play(until="#next")
        keep(page, "first hand over")
        page.goto(f"{served.url}/learn")
        keep(page, "learn")
        for name in courses():
            found = course(name)
            assert found is not None
            page.goto(f"{served.url}/learn/{name}/2")
            page.wait_for_selector("#hand")
            keep(page, f"lesson of {name}")
            page.goto(f"{served.url}/learn/{name}/2?act={found.lessons[1].right[0].replace(' ', '+')}")
            expect(page.locator("#answer")).to_contain_text("Right!")
            keep(page, f"lesson of {name}, answered")
        page.goto(f"{served.url}/new?rules=tuppi%2Btarget=4")
        page.fill("[name=name]", "Sanni")
        page.select_option("[name=player]", "open")
        keep(page, "new table")
        page.click("#play")
        page.wait_for_selector("#table[data-phase=lobby]")
        keep(page, "lobby")
        sit_down(page, guests)
        people = [Player(one) for one in (page, *guests)]
        for one in (page, *guests):
            one.wait_for_selector("#hand .card")
        keep(page, "bids with friends")
        play_together(people, "#table[data-phase=play] #hand .card[data-act]")
        guests[0].locator("#talk-open").click()
        guests[0].locator(".talk-word").first.click()
        expect(page.locator(".bubble")).to_be_visible()
        keep(page, "said at a seat")
        page.click("#talk-open")
        keep(page, "talk")
        page.click(".talk-close")
        page.locator(".hill-tap").focus()
        page.keyboard.press("Enter")
        keep(page, "score sheet")
        page.click(".side-close")
        play_together(people, "#again")
        keep(page, "match over")
        for guest in guests:
            expect(guest.locator("#again")).to_be_visible()


def test_first_table_of_somebody_new_is_a_learning_table(page: Page, served: Served) -> None:
    page.goto(served.url)
    page.click("#play")
    page.wait_for_selector("#table[data-seq]")
    expect(page.locator("#hint-button")).to_be_visible()
    page.goto(served.url)
    page.click("#play")
    page.wait_for_selector("#table[data-seq]")
    expect(page.locator("#hint-button")).to_have_count(0)


def test_daily_problem_is_answered_once_and_shared(page: Page, served: Served) -> None:
    page.goto(served.url)
    page.get_by_role("link", name="Problem of the day").click()
    page.wait_for_url("**/today")
    page.wait_for_selector("#table[data-turn=yes]")
    card = page.locator("#hand .card[data-act]").first
    if card.count():
        card.click(position={"x": 12, "y": 12})
        page.locator("#hand .card[aria-pressed=true]").click(position={"x": 12, "y": 12})
    else:
        page.locator("#table .btn[data-act]").first.click()
    expect(page.locator("#answer")).to_contain_text("1 day in a row.")
    expect(page.locator("#share")).to_be_visible()
    page.reload()
    expect(page.locator("#coach")).to_have_attribute("data-done", "")
    expect(page.locator("#hand [data-act]")).to_have_count(0)
    page.goto(served.url)
    expect(page.locator("a[href='/today']")).to_contain_text("1 day in a row.")
