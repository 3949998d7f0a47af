"""A server in a process, and a person who plays by the page alone, with eyes, finger and keys."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, TimeoutError, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 320, "height": 568}
DESK: ViewportSize = {"width": 1280, "height": 800}
SUPPORT = str(Path(__file__).parent)


class Served:
    """A server process on a port of its own; it can be killed and started again on the same data."""

    def __init__(self, folder: Path, also: str = "", first: str = "") -> None:
        self._first = first
        """Code that the process runs before it serves."""
        self._path = {"PYTHONPATH": also} if also else {}
        """The path on which the server finds packages beside its own."""
        # The port stays bound here, so that no other program gets it while this server is down.
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        weakref.finalize(self, bound.close)
        self.port = bound.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self.database = folder / "tables.db"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        code = (
            f"import sys; sys.path.append({SUPPORT!r})\n"
            f"{self._first}\n"
            "from same_deals import fix_chance_of_process; fix_chance_of_process()\n"
            "from nousu.server.tournament import plan; plan.SECONDS = 0.5\n"
            "import uvicorn; from applications import app_on\n"
            "from nousu.server.http.rate_limits import DEFAULT_RATES\n"
            "rates = {name: '100000/minute' for name in DEFAULT_RATES}\n"
            f"app = app_on({str(self.database)!r}, pace=0, rates=rates)\n"
            f"uvicorn.run(app, port={self.port}, log_level='warning')"
        )
        log = (self._folder / "server.log").open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], stderr=log, stdout=log, env=os.environ | self._path
        )
        log.close()
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/static/mark.svg").close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError((self._folder / "server.log").read_text())

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill the server, like a power cut."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()


@contextmanager
def somebody(browser: Browser, **values: object) -> Iterator[Page]:
    """A person with a device of their own, whose page must not fail."""
    usual = {"viewport": PHONE, "locale": "en-GB", "reduced_motion": "reduce"}
    context = browser.new_context(**(usual | values))  # type: ignore[arg-type]
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


def until(page: Page, expression: str) -> None:
    """Wait for a value that `told`, an expression of the page's script, calls true.

    Asked from outside again and again: `wait_for_function` asks a second time by evaluating text inside the
    page, and the page's policy of contents forbids that.
    """
    for _ in range(2400):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never true: {expression}")


def wait_until(page: Page, condition: Callable[[], object]) -> None:
    """Wait for a condition that messages of the page make true."""
    for _ in range(2400):
        if condition():
            return
        page.wait_for_timeout(25)
    raise AssertionError("that never came to be")


def expect_fits(page: Page) -> None:
    """Expect that nothing of a page goes over its width, on the page that comes where one is under way."""
    assert page.viewport_size is not None
    expect(page.locator("html")).to_have_js_property("scrollWidth", page.viewport_size["width"])


def stop_clock(page: Page) -> None:
    """Let the clock that was installed in a page, and with it all timers, go a minute further and stop."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)


def hold_timers(page: Page) -> None:
    """Let no timer end by itself that the page's script sets from now on: this machine may be slow."""
    page.evaluate("() => { window.held = []; window.setTimeout = (work) => -window.held.push(work); }")


def end_timers(page: Page) -> None:
    """Let the timers end that were held."""
    page.evaluate("() => window.held.splice(0).forEach((work) => work())")


def meet(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two boxes share more than a rim."""
    (x, y, w, h), (a, b, c, d) = one, other
    return min(x + w, a + c) - max(x, a) > 3 and min(y + h, b + d) - max(y, b) > 3


def open_table(page: Page, url: str, rules: str, seats: int | None = None) -> None:
    """Choose rules on the form and sit down against computer players."""
    page.goto(f"{url}/new?rules={rules}")
    page.fill("[name=name]", "Sanni")
    if seats is not None:
        page.fill("[name=seats]", str(seats))
    page.click("#play")
    page.wait_for_selector("#table[data-seq]")


def lobby(page: Page, url: str) -> None:
    """Open a table for friends and wait for them."""
    page.goto(f"{url}/new")
    page.fill("[name=name]", "Sanni")
    page.select_option("[name=player]", "open")
    page.click("#play")
    page.wait_for_selector("#table[data-phase=lobby]")


_CARD = "#table[data-turn=yes] #hand .card[data-act]"
_CHOICE = "#hand .card[data-choose]"
_WANTED = (
    "#again",
    "#next",
    ".ask .btn--main",
    ".ask .btn",
    _CHOICE,
    ".bid:not([data-picks])",
    _CARD,
    "#table[data-turn=yes] .acts--table .btn",
)
"""Things to look for on the page, the first one first."""
_ASKED = f"""() => {{
  const found = {json.dumps(_WANTED)}.find((selector) => document.querySelector(selector));
  return found ? [document.getElementById("table").dataset.seq, found] : null;
}}"""


class Player:
    """A player that does the leftmost sensible action until the match is over."""

    def __init__(self, page: Page, keyboard: bool = False, touch: bool = False) -> None:
        self.page = page
        self.keyboard = keyboard
        self.touch = touch
        """True for a finger on a touch screen instead of a mouse."""
        self.phases: set[str] = set()
        self.hands = 0
        self.spoken: list[str] = []

    @property
    def seq(self) -> str:
        return self.page.get_attribute("#table", "data-seq") or ""

    def play(self, steps: int = 2000, until: str = "#again") -> int:
        """Act until `until` is on the page; return the number of actions."""
        for step in range(steps):
            if self.page.query_selector(until):
                return step
            self.act(until)
        raise AssertionError(f"no {until} after {steps} actions")

    def act(self, until: str = "#again") -> None:
        """Do one action of the viewer, once the page asks for it, and wait for the view after it.

        Nothing is done where `until` has come onto the page meanwhile.
        """
        page = self.page
        seq, asked = self._wait()
        if page.query_selector(until):
            return
        self.phases.add("result" if asked == "#next" else page.get_attribute("#table", "data-phase") or "")
        self.spoken.append(page.inner_text("#live"))
        if asked == "#next":
            self.hands += 1
        try:
            if asked == _CARD:
                self._card()
            elif asked == _CHOICE:
                self._choose()
            else:
                self._press(asked)
        except TimeoutError:  # the table did it by itself: a forced reveal
            assert self.seq != seq
        page.wait_for_selector(f"body:not([data-waits]) #table:not([data-seq='{seq}'])", state="attached")

    def _touch(self, place: Locator, **values: Any) -> None:
        """Click or tap there, unless the table has gone on by itself: then TimeoutError."""
        seq = self.seq
        for _ in range(20):
            try:
                return (place.tap if self.touch else place.click)(timeout=1500, **values)
            except TimeoutError:
                if self.seq != seq:
                    raise
        raise AssertionError(f"{place} cannot be clicked")

    def _wait(self) -> tuple[str, str]:
        """Wait for a view that asks for an action; return its number and the action."""
        for _ in range(2400):
            asked = self.page.evaluate(_ASKED)
            if asked is not None:
                return asked[0], asked[1]
            self.page.wait_for_timeout(25)
        raise AssertionError(f"nothing is asked: {self.page.inner_text('#table')}")

    def _press(self, selector: str) -> None:
        if not self.keyboard:
            self._touch(self.page.locator(selector).first)
            if self.page.query_selector(f"{selector}[data-asked]"):  # asked once more
                self._touch(self.page.locator(f"{selector}[data-asked]"))
            return
        for _ in range(80):
            if self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                self.page.keyboard.press("Enter")
                if self.page.query_selector(f"{selector}[data-asked]"):
                    self.page.keyboard.press("Enter")
                return
            if not self.page.query_selector(selector):
                raise TimeoutError("it has gone")
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def _card(self) -> None:
        card = self.page.locator("#hand .card[data-act]").first
        name = card.get_attribute("data-card") or ""
        lifted = self.page.locator(f"#card-{name}")
        if lifted.get_attribute("aria-pressed") != "true":  # it may be lifted since an earlier picture
            if self.keyboard:
                for key in name.replace("10", "t").lower():
                    self.page.keyboard.press(key)
            else:
                self._touch(card, position={"x": 18, "y": 20})
            try:
                expect(lifted).to_have_attribute("aria-pressed", "true")
            except AssertionError:
                if lifted.count() and lifted.get_attribute("data-act"):
                    raise
                raise TimeoutError("the table went on") from None
        if self.keyboard:
            self.page.keyboard.press("Enter")
        else:
            self._touch(lifted, position={"x": 18, "y": 20})

    def _choose(self) -> None:
        cards = self.page.locator("#hand .card[data-choose]")
        count = int(self.page.get_attribute("button[data-many]", "data-many") or 0)
        names = [cards.nth(index).get_attribute("data-card") for index in range(count)]
        for name in names:
            if self.keyboard:
                for key in (name or "").replace("10", "t").lower():
                    self.page.keyboard.press(key)
            else:
                self._touch(self.page.locator(f"#card-{name}"), position={"x": 18, "y": 20})
        self._press("button[data-many]")
