"""Pages that follow a tournament, behind a forwarder that treats their connections badly."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from forwarder import Forwarder
from hosted_event import NINE
from nousu.i18n import translator
from nousu.server.tournament.links import create_links
from nousu.tournament.links import key_of, person_key, shown_link
from nousu.tournament.office import Office
from page_driver import DESK, Served, stop_clock
from tournament_fixtures import evening

pytestmark = pytest.mark.browser

SHOWN = "[...document.querySelectorAll('[data-live]')].map(part => part.textContent).join('|')"


class ServedEvent:
    """A server behind a forwarder, and four pages that follow its tournament."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        (folder / "tournaments").mkdir()
        self.office: Office = evening(folder / "tournaments" / "evening.nousu", NINE, series=2)
        self.server = Served(folder)
        self.server.start()
        self.forwarder = Forwarder(int(self.server.url.rpartition(":")[2]))
        self.at = f"http://127.0.0.1:{self.forwarder.port}/tournament/evening"
        self.hours = itertools.count(10)
        self.tables = iter(("1.1", "1.2", "1.3"))
        self.before: list[str] = []
        secret = create_links(self.office, "Ellen", translator("en"))
        state = self.office.open().tournament
        wall, readers = (shown_link(state, role) for role in ("beamer", "read"))
        assert wall is not None and readers is not None
        own = f"{self.at}/me/{person_key(state, (state.numbers[0], 0))}"
        self.pages: list[Page] = []
        for first, then in (
            (key_of(wall), f"{self.at}/beamer"),
            (key_of(readers), f"{self.at}/standings"),
            (secret, f"{self.at}/board"),
            ("", own),
        ):
            page = browser.new_context(viewport=DESK, locale="en-GB").new_page()
            if first:
                page.goto(f"{self.at}/in/{first}")
            page.goto(then)
            page.wait_for_timeout(300)
            self.pages.append(page)

    def announce(self) -> None:
        """Something happens that every page shows: a result, and when the next round begins."""
        self.before = [page.evaluate(SHOWN) for page in self.pages]
        table = next(self.tables)
        self.office.slip("Ellen", table, ["abc", "cba"])
        self.office.confirm("Uwe", table)
        self.office.act("Ellen", "starts", round="2", time=f"{next(self.hours)}:07")

    def wait(self, at: int, timeout: float = 30_000) -> None:
        """Until the page at that place shows the news."""
        changed = f"before => ({SHOWN}) !== before"
        self.pages[at].wait_for_function(changed, arg=self.before[at], timeout=timeout)


@pytest.fixture
def event(tmp_path: Path, browser: Browser) -> Iterator[ServedEvent]:
    """The evening."""
    found = ServedEvent(tmp_path, browser)
    yield found
    for page in found.pages:
        page.context.close()
    found.forwarder.close()
    found.server.kill()


@pytest.mark.parametrize("mode", ["502", "503", "429", "drop", "freeze"])
def test_news_after_a_connection_that_was_treated_badly(event: ServedEvent, mode: str) -> None:
    event.announce()
    for at, page in enumerate(event.pages):
        event.wait(at)
        expect(page.locator("#behind")).to_be_hidden()
    event.forwarder.be(mode)
    event.announce()
    for page in event.pages:
        expect(page.locator("#behind")).to_be_visible()
    event.forwarder.be("pass")
    for at, page in enumerate(event.pages):
        event.wait(at, 40_000)
        expect(page.locator("#behind")).to_be_hidden(timeout=40_000)


def test_news_after_connections_that_fell_silent(event: ServedEvent) -> None:
    event.forwarder.be("freeze")
    event.forwarder.mode = "pass"  # those made from now on are as they should be
    event.announce()
    expect(event.pages[0].locator("#behind")).to_be_visible()
    for at in range(len(event.pages)):
        event.wait(at)


def test_news_at_once_when_the_network_is_back(event: ServedEvent) -> None:
    page = event.pages[0]
    page.clock.install()
    page.reload()
    event.forwarder.be("drop")
    expect(page.locator("#behind")).to_be_visible()
    stop_clock(page)  # from now on it makes no attempt by itself
    event.announce()
    event.forwarder.be("pass")
    with page.expect_request("**/news"):
        page.evaluate("dispatchEvent(new Event('online'))")
    page.clock.resume()
    event.wait(0)


def test_news_are_asked_for_once(event: ServedEvent) -> None:
    page = event.pages[0]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    event.office.act("Ellen", "starts", round="1", time="20:15")
    expect(page.locator("body")).to_contain_text("20:15")
    page.wait_for_timeout(4_000)
    assert [url for url in asked if url.endswith("/beamer")] == [f"{event.at}/beamer"]
