"""How fast a table goes: a hand left to computers is finished at once, a card without a choice by itself."""

from dataclasses import replace
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

import states
from page_driver import Player, Served, open_table, somebody, until, wait_until

pytestmark = pytest.mark.browser
TABLES = count(1)


def test_computers_finish_quickly_after_a_fold(browser: Browser, served: Served) -> None:
    """At this table a computer takes a minute for a card."""
    sitting, person = states.reach(replace(states.STATES["out"], options={"pace": "60"}))
    table = states.put(served.database, f"hurried {next(TABLES)}", sitting)
    for other in range(len(sitting.table.seats)):
        if other != person:
            with somebody(browser) as page:
                sit_down(page, served, other)
                # A line that opens after they have left would bring them back to the table.
                with page.expect_websocket() as line:
                    page.goto(f"{served.url}/t/{table}")
                line.value.wait_for_event("framereceived")
                assert page.evaluate("fetch(location.pathname + '/leave', {method: 'POST'}).then(r => r.ok)")
    with somebody(browser) as page:
        sit_down(page, served, person)
        page.goto(f"{served.url}/t/{table}")
        before = page.inner_text(".hand-no")
        page.get_by_role("button", name="Finish quickly").click()
        title = "document.querySelector('.hand-no')?.innerText"
        until(page, f"document.querySelector('#deck-result, #again') || {title} !== {before!r}")


def sit_down(page: Page, served: Served, person: int) -> None:
    """Be that person of a state."""
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])


def test_hand_of_a_person_is_not_hurried(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppen_zk")
    Player(page).act()
    assert page.get_by_role("button", name="Finish quickly").count() == 0


def test_heartbeat_asks_only_after_silence(page: Page, served: Served) -> None:
    """It sends a heartbeat every three seconds; after an action the picture is the answer."""
    said: list[str | bytes] = []
    answers: list[str | bytes] = []

    def listen(line: WebSocket) -> None:
        line.on("framesent", lambda text: said.append(text))
        line.on("framereceived", lambda text: answers.append(text) if text == "b" else None)

    page.on("websocket", listen)
    open_table(page, served.url, "minnesota")
    player = Player(page)
    player.act()
    wait_until(page, lambda: "h" in said)
    wait_until(page, lambda: said[-2:] == ["b", "b"])  # the table has waited for us for a while
    assert 0 <= said.count("b") - len(answers) <= 1


def test_spectator_sends_no_heartbeat_while_pictures_come(browser: Browser, served: Served) -> None:
    """But asks the server for an answer where nothing has come for three seconds."""
    said: list[str | bytes] = []
    with somebody(browser) as plays, somebody(browser) as watches:
        watches.on("websocket", lambda line: line.on("framesent", lambda text: said.append(text)))
        open_table(plays, served.url, "minnesota")
        watches.goto(plays.url)
        player, turn = Player(plays), watches.locator("#table").get_attribute
        seen = turn("data-seq")
        player.act()
        until(watches, f"document.querySelector('#table').dataset.seq > {seen}")
        said.clear()
        wait_until(watches, lambda: said)
        assert said == ["b"]


def test_forced_card_is_played_if_preferred(page: Page, served: Served) -> None:
    page.context.add_cookies([{"name": "nousu_forced", "value": "last", "url": served.url}])
    open_table(page, served.url, "minnesota")
    player = Player(page)
    cards = page.locator("#hand .card")
    player.play(until="#hand[style*='--n:1;'], #hand[style='--n:1']")
    expect(cards).to_have_count(0)  # without a tap
    expect(page.locator("#deck-result")).to_be_visible()
