"""A real server, a real Chromium, and somebody who plays by what is on the page."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from at_the_page import PHONE, Served

expect.set_options(timeout=20_000)  # a busy machine may take its time; what is expected comes at all or never


def _chromium() -> str | None:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    return found or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a file; without one they say so and are skipped.

    Playwright keeps an event loop running as long as it lives: it must be gone before tests elsewhere in this
    process start loops of their own.
    """
    path = _chromium()
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium, or name one in CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


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
