"""A real server, a real Chromium, and a player that reads the page."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from page_driver import PHONE, Served
from same_deals import same_deals as same_deals
from same_deals import with_share

expect.set_options(timeout=20_000)  # a busy machine may take its time; what is expected comes at all or never

WHOLE = ("chromium", "chromium-browser", "google-chrome")
# Without windows it takes a fifth less processor time, and shows no notices.
BARE = ("chromium-headless-shell", *WHOLE)


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """What starts browsers.

    It keeps an event loop running as long as it lives: it must be gone before tests elsewhere in this process
    start loops of their own.
    """
    with sync_playwright() as started:
        yield started


def _launch(playwright: Playwright, programs: tuple[str, ...]) -> Browser:
    """A Chromium; where there is none the tests say so and are skipped."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium, or name one in CHROMIUM")
    chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    chromium.new_context = with_share(chromium.new_context)  # type: ignore[method-assign]
    chromium.new_page = with_share(chromium.new_page)  # type: ignore[method-assign]
    return chromium


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for the tests of a file."""
    with _launch(playwright, BARE) as chromium:
        yield chromium


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium that shows what lies outside a page, too."""
    with _launch(playwright, WHOLE) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server all tests share."""
    server = Served(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh person's page; the viewport and language come from the test's parameters."""
    size = getattr(request, "param", PHONE)
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")
    shown = context.new_page()
    wrong: list[str] = []
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield shown
    context.close()
    result = [text for text in wrong if "WebSocket" not in text and "Failed to load resource" not in text]
    assert result == []
