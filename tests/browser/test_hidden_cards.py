"""Hidden cards are in no byte that reaches the browser; nothing is lost by reloading, leaving or a crash."""

import gzip
import re
import sqlite3
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request, Response, Route, WebSocket

from page_driver import PHONE, Player, Served, open_table, somebody, wait_until

pytestmark = pytest.mark.browser

_CARD = re.compile(r"(?:\b(?:card|on|li)-|\b(?:play|seal|give|show) |\")([SHDC](?:10|[2-9AKQJ]))\b")
_WORDS = re.compile(r'"words": *\{"corners": *\{[^{}]*\}, *"cards": *\{[^{}]*\}')
"""The names of all cards, which every page brings."""
_ID = re.compile(r"/t/([\w-]{16})")
"""The id of a table, which may look like a card."""
_SPOKEN = re.compile(r"\b(ace|king|queen|jack|10|[2-9]) of (spades|hearts|diamonds|clubs)\b")
_RECONNECTED = 120_000
"""Milliseconds: tries to come back lie up to 13 s apart, and a busy machine may miss some of them."""
_RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}


class Wire:
    """Every byte the browser was sent, until it is asked which cards were in them."""

    def __init__(self, page: Page) -> None:
        self.received: list[str] = []
        page.on("response", self._response)
        page.on("websocket", self._socket)

    def _response(self, response: Response) -> None:
        if "/static/" not in response.url and response.status == 200:
            self.received.append(_WORDS.sub("", response.text()))

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.received.append(str(text)))

    def cards(self) -> set[str]:
        """The cards named so far, by their text, their label or an action."""
        text = "\n".join(self.received)
        for id in set(_ID.findall(text)):
            text = text.replace(id, "")
        found = set(_CARD.findall(text))
        for rank, suit in _SPOKEN.findall(text):
            found.add(suit[0].upper() + _RANKS.get(rank, rank))
        return found


def on_the_table(page: Page) -> set[str]:
    """The cards this person may know: own ones and those lying open."""
    return set(
        page.evaluate(
            "[...document.querySelectorAll('#hand .card')].map((card) => card.dataset.card)"
            ".concat([...document.querySelectorAll('#trick .card, #lays .card, .last-cards .card')]"
            ".map((card) => card.ariaLabel))"
        )
    )


def test_hidden_cards_are_in_no_byte(page: Page, served: Served) -> None:
    wire = Wire(page)
    open_table(page, served.url, "tuppi")
    player = Player(page)
    page.wait_for_selector("#hand .card")
    mine = {card for card in on_the_table(page) if len(card) < 4}
    assert len(mine) == 13
    named = wire.cards()
    # Before anybody has turned up a bid or played, the thirteen own cards are all there is to know.
    if page.get_attribute("#table", "data-phase") == "bid":
        assert named == mine
    hands = player.hands
    while player.hands == hands and len(page.query_selector_all("#hand .card")) > 6:
        player.act()
        if page.query_selector("#next"):
            break
        known = wire.cards()
        open_cards = mine | _open_cards(served, page)
        assert known <= open_cards, known - open_cards
    assert len(wire.cards()) > 13


def _open_cards(served: Served, page: Page) -> set[str]:
    """Everything laid open at this table so far, from the server's own events."""
    table = page.url.rsplit("/", 1)[-1].partition("#")[0]
    with sqlite3.connect(served.database) as store:
        lines = [str(row[0]) for row in store.execute("select body from events where table_id = ?", (table,))]
    found: set[str] = set()
    for line in lines:
        if re.match(r"^[A-Z]?\d?:?\s*(play|show)|.*\b(play|show) ", line) and "deal " not in line:
            found.update(re.findall(r"\b[SHDC](?:10|[2-9AKQJ])\b", line))
    return found


def test_spectator_sees_no_hand(page: Page, browser: Browser, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    page.wait_for_selector("#hand .card")
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    other = context.new_page()
    wire = Wire(other)
    other.goto(page.url)
    other.wait_for_selector("#table")
    other.wait_for_timeout(300)
    assert other.query_selector("#hand") is None
    assert wire.cards() <= _open_cards(served, page)
    context.close()


def test_table_survives_reload_second_tab_and_a_killed_server(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi%2Bsooli=off")  # in a sooli of the partner one holds no cards
    player = Player(page)
    for _ in range(30):
        player.act()
        if page.get_attribute("#table", "data-phase") == "play" and not page.query_selector("#next"):
            break
    player.act()
    page.wait_for_timeout(400)
    before = page.locator("#hand .card").evaluate_all("(all) => all.map((card) => card.dataset.card)")
    page.reload()
    page.wait_for_selector("#hand .card")
    assert page.locator("#hand .card").evaluate_all("(all) => all.map((card) => card.dataset.card)") == before
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector("#hand .card")
    served.kill()
    page.wait_for_selector("#net:not([hidden])")
    served.start()
    page.wait_for_selector("#net[hidden]", state="attached", timeout=_RECONNECTED)
    assert page.locator("#hand .card").evaluate_all("(all) => all.map((card) => card.dataset.card)") == before
    player.act()
    page.wait_for_timeout(300)
    left = page.locator("#hand .card").evaluate_all("(all) => all.map((card) => card.dataset.card)")
    assert len(left) < len(before) or page.query_selector("#next")
    # Computers play on meanwhile, so both numbers are read anew.
    wait_until(page, lambda: second.get_attribute("#table", "data-seq") == player.seq)


def test_action_sent_offline_arrives_once(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    player = Player(page)
    for _ in range(30):
        player.act()
        if page.query_selector("#table[data-phase=play][data-turn=yes] #hand .card[data-act]"):
            break
    page.wait_for_timeout(300)
    held = page.locator("#hand .card").count()
    card = page.locator("#hand .card[data-act]").first
    name = card.get_attribute("data-card")
    served.kill()
    page.wait_for_timeout(200)
    for _ in range(2):
        page.locator(f"#card-{name}").click(position={"x": 15, "y": 15})
    assert page.query_selector("body[data-waits]")
    served.start()
    page.wait_for_selector("body:not([data-waits])", timeout=_RECONNECTED)
    assert page.locator(f"#card-{name}").count() == 0 or page.query_selector("#next")
    assert page.locator("#hand .card").count() <= held


def test_first_load_is_light(page: Page, served: Served) -> None:
    """Everything a first visit to a table loads, compressed as a server in front would: at most 80 KB, before
    what is drawn for joy (faces).
    """
    sent: dict[str, bytes] = {}

    def keep(request: Request) -> None:
        response = request.response()
        if response is not None and response.status == 200:
            sent[request.url] = response.body()

    page.on("requestfinished", keep)
    open_table(page, served.url, "tuppi")
    page.wait_for_selector("#hand .card")
    page.wait_for_timeout(300)
    weight = sum(len(gzip.compress(body)) for url, body in sent.items() if "/faces.svg" not in url)
    assert 20_000 < weight < 80_000, weight
    assert all(url.startswith(served.url) for url in sent)


def test_page_without_script_says_where_else_to_play(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-GB", java_script_enabled=False)
    page = context.new_page()
    page.goto(served.url)
    page.fill("[name=name]", "Sanni")
    page.click("#play")
    assert "nousu play" in page.locator("noscript").inner_text()
    context.close()


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A page without its service worker, which would fetch pages past the route of the test."""
    with somebody(browser, service_workers="block") as page:
        yield page


def test_browser_verifies_every_deal(plain: Page, served: Served) -> None:
    page = plain
    open_table(page, served.url, "tuppi%2Btarget=4")
    table = page.url
    page.goto(f"{table}/check")
    assert page.locator("#proof").count() == 0  # the secret is not out yet
    page.goto(table)
    player = Player(page)
    player.play()
    page.click("#check")
    page.wait_for_selector("#proof li")
    # The secret, the person's own share, what this device saw, the draw, and every deal.
    assert page.locator("#proof li").count() == player.hands + 5
    assert page.locator("#proof li[data-good=false]").count() == 0

    # A server that lies about one share, or about the secret, is found out.
    proof = page.get_attribute("#proof", "data-proof") or ""
    share = re.search(r'"share": "([0-9a-f])([0-9a-f]{63})"', proof)
    assert share is not None, "the page has opened its share"
    whole, changed = share[1] + share[2], ("0" if share[1] != "0" else "1") + share[2]

    def forged(route: Route) -> None:
        body = route.fetch().text()
        route.fulfill(body=body.replace(whole, changed), content_type="text/html")

    page.route("**/check", forged)
    page.reload()
    page.wait_for_selector("#proof li")
    assert page.locator("#proof li[data-good=false]").count() == player.hands + 4
