"""The connection of a table page: it comes back at once, asks for what it missed, gives cards back."""

import json
from itertools import count
from typing import Any

from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import states
from page_driver import Served, somebody, stop_clock, wait_until

TABLES = count()
CARD = "#table[data-turn=yes] #hand .card[data-act]"


def sit(page: Page, served: Served, name: str = "play, late") -> None:
    """Take the seat at which that moment is."""
    sitting, person = states.reach(states.STATES[name])
    table = states.put(served.database, f"connected {next(TABLES)}", sitting)
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
    page.goto(f"{served.url}/t/{table}")
    page.wait_for_selector(CARD)


class Line:
    """The connections of a page, the newest last; messages of the page can be kept from the server."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        self.ends: list[WebSocketRoute] = []
        self.keeps = False
        page.route_web_socket("**/live", self._open)

    def _open(self, end: WebSocketRoute) -> None:
        server = end.connect_to_server()
        self.ends.append(end)

        def to_server(text: str | bytes) -> None:
            if len(text) > 1:
                self.sent.append(json.loads(text))
            if len(text) == 1 or not self.keeps:
                server.send(text)

        def to_page(text: str | bytes) -> None:
            if len(text) > 1:
                self.received.append(json.loads(text))
            end.send(text)

        end.on_message(to_server)
        server.on_message(to_page)

    def tell(self, message: dict[str, Any]) -> None:
        """Send the page a message as the server would."""
        self.ends[-1].send(json.dumps(message))


def press_twice(page: Page) -> str:
    """Play the first card that may be played; its name."""
    card = page.locator(CARD).first
    name = card.get_attribute("data-card") or ""
    for _ in range(2):
        page.locator(f"#card-{name}").click(position={"x": 12, "y": 12})
    return name


def test_gap_asks_for_the_whole_view(browser: Browser, served: Served) -> None:
    with somebody(browser) as page:
        line = Line(page)
        sit(page, served)
        seq = int(page.get_attribute("#table", "data-seq") or 0)
        line.tell({"set": {"title": "A later moment"}, "seq": seq + 7, "after": seq + 6})
        expect(page.locator(".hand-no")).not_to_contain_text("A later moment")
        wait_until(page, lambda: sum("view" in message for message in line.received) == 2)
        assert {"whole": True} in line.sent
        line.tell({"set": {"title": "The next moment"}, "seq": seq, "after": seq})
        expect(page.locator(".hand-no")).to_contain_text("The next moment")


def test_played_card_leaves_at_once_and_comes_back_when_refused(browser: Browser, served: Served) -> None:
    with somebody(browser) as page:
        line = Line(page)
        sit(page, served)
        line.keeps = True
        at = page.locator(CARD).first.bounding_box()
        name = press_twice(page)
        card = page.locator(f"#card-{name}")
        assert card.get_attribute("data-way") == "on its way"
        trick, lies = page.locator("#trick").bounding_box(), card.bounding_box()
        assert at and trick and lies
        assert trick["y"] < lies["y"] < trick["y"] + trick["height"], "it lies at its place in the trick"
        assert abs(lies["x"] + lies["width"] / 2 - trick["x"] - trick["width"] / 2) < 12
        wait_until(page, lambda: line.sent)
        sent = line.sent[-1]
        line.tell({"error": "Not now.", "clause": "", "key": sent["key"], "seq": sent["seq"]})
        expect(page.locator("#notice")).to_have_text("Not now.")
        expect(card).not_to_have_attribute("data-way", "on its way")
        back = card.bounding_box()
        assert back and abs(back["x"] - at["x"]) < 2 and abs(back["y"] - at["y"]) < 30
        line.keeps = False
        press_twice(page)
        expect(card).to_have_count(0)


def test_page_reconnects_at_once_when_the_network_is_back(browser: Browser, served: Served) -> None:
    with somebody(browser) as page:
        line = Line(page)
        page.clock.install()
        sit(page, served)
        stop_clock(page)
        before = len(line.ends)
        page.evaluate("dispatchEvent(new Event('online'))")
        wait_until(page, lambda: len(line.ends) > before)
        page.clock.resume()
        name = press_twice(page)
        expect(page.locator(f"#card-{name}")).to_have_count(0)


def test_dead_connection_is_noticed_when_the_page_is_looked_at(browser: Browser, served: Served) -> None:
    """A phone in a pocket: its connection died meanwhile without any sign."""
    with somebody(browser) as page:
        dead: list[bool] = []
        heard: list[str | bytes] = []

        def deaf(end: WebSocketRoute) -> None:
            server = end.connect_to_server()
            number = len(dead)
            dead.append(False)

            def tell(text: str | bytes) -> None:
                if not dead[number]:
                    end.send(text)
                    heard.append(text)

            end.on_message(lambda text: None if dead[number] else server.send(text))
            server.on_message(tell)

        page.route_web_socket("**/live", deaf)
        page.clock.install()
        sit(page, served)
        # The table is drawn before the connection stands, and one that is yet to stand cannot be dead.
        wait_until(page, lambda: heard)
        stop_clock(page)
        dead[0] = True
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.clock.run_for(4000)
        wait_until(page, lambda: len(dead) > 1)
        page.clock.resume()
        name = press_twice(page)
        expect(page.locator(f"#card-{name}")).to_have_count(0)
