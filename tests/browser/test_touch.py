"""A finger on glass: pulling a card up plays it, a slip does nothing that costs a match."""

import json
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, CDPSession, Page, WebSocketRoute, expect

import states
from page_driver import Player, Served, end_timers, hold_timers, open_table, somebody, until, wait_until

CARD = "#table[data-phase=play][data-turn=yes] #hand .card[data-act]"


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a real touch screen."""
    with somebody(browser, has_touch=True, is_mobile=True, reduced_motion="no-preference") as page:
        yield page


TABLES = count()


def pull(line: CDPSession, x: float, y: float, up: float) -> None:
    """Put a finger down, pull it up by this many pixels, and let go: as the screen itself reports it."""
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        points = [{"x": x, "y": y - up * step / 8}]
        line.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def sit(page: Page, served: Served, name: str) -> None:
    """Take the seat at which that rare moment is."""
    sitting, person = states.reach(states.STATES[name])
    id = states.put(served.database, f"{name} {next(TABLES)}", sitting)
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
    page.goto(f"{served.url}/t/{id}")
    page.wait_for_selector("#table[data-seq]")


Overheard = list[tuple[WebSocketRoute, str]]


def messages_of(page: Page) -> Overheard:
    """The messages of the page's live line, as they come, each with the line that brought it."""
    lines: Overheard = []

    def listen(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            lines.append((line, str(message)))
            line.send(message)

        server.on_message(pass_on)

    page.route_web_socket("**/live", listen)
    return lines


def first(page: Page, lines: Overheard) -> tuple[WebSocketRoute, str]:
    """The first message, as soon as it is there."""
    wait_until(page, lambda: lines)
    return lines[0]


def come_again(page: Page, line: WebSocketRoute, picture: str) -> None:
    """The same moment is sent once more, as it is when somebody joins or leaves."""
    other = json.loads(picture)
    other["view"]["title"] = "Once more"
    line.send(json.dumps(other))
    expect(page.locator(".hand-no")).to_contain_text("Once more")


def test_card_pulled_up_by_a_finger_is_played(phone: Page, served: Served) -> None:
    open_table(phone, served.url, "tuppi")
    player = Player(phone)
    for _ in range(30):
        player.act()
        if phone.locator(CARD).count():
            break
    card = phone.locator(CARD).first
    name, box = card.get_attribute("data-card"), card.bounding_box()
    assert box is not None
    line = phone.context.new_cdp_session(phone)
    pull(line, box["x"] + 15, box["y"] + 20, up=30)
    phone.wait_for_timeout(300)
    assert phone.locator(f"#card-{name}").count() == 1, "a short pull plays nothing"
    pull(line, box["x"] + 15, box["y"] + 20, up=180)
    expect(phone.locator(f"#card-{name}")).to_have_count(0)
    assert phone.evaluate("scrollY") == 0


def test_tapped_card_does_not_flash(phone: Page, served: Served) -> None:
    """The page shows itself what a finger did; Chromium's own blue flash says something else."""
    open_table(phone, served.url, "tuppi")
    flash = "(card) => getComputedStyle(card).getPropertyValue('-webkit-tap-highlight-color')"
    assert phone.locator("#hand .card").first.evaluate(flash) == "rgba(0, 0, 0, 0)"


def test_sooli_is_asked_once_more(phone: Page, served: Served) -> None:
    sit(phone, served, "sooli")
    button = phone.locator(".ask [data-act=sooli]")
    seq = phone.get_attribute("#table", "data-seq")
    hold_timers(phone)
    button.tap()
    expect(button).to_contain_text("Really sooli?")
    phone.wait_for_timeout(200)
    assert phone.get_attribute("#table", "data-seq") == seq
    button.tap()
    phone.wait_for_selector(f"#table:not([data-seq='{seq}'])", state="attached")


def test_question_survives_a_new_picture(phone: Page, served: Served) -> None:
    lines = messages_of(phone)
    sit(phone, served, "sooli")
    line, picture = first(phone, lines)
    button = phone.locator(".ask [data-act=sooli]")
    seq = phone.get_attribute("#table", "data-seq")
    was = button.inner_text()
    hold_timers(phone)
    button.tap()
    expect(button).to_contain_text("Really sooli?")
    come_again(phone, line, picture)
    expect(button).to_contain_text("Really sooli?")
    end_timers(phone)
    expect(button, "the question goes by itself").not_to_contain_text("Really sooli?")
    assert button.inner_text() == was
    button.tap()
    button.tap()
    phone.wait_for_selector(f"#table:not([data-seq='{seq}'])", state="attached")


def test_new_button_is_dead_where_another_one_was(phone: Page, served: Served) -> None:
    """The finger that meant *Show* does not say *Sooli*."""
    lines = messages_of(phone)
    sit(phone, served, "sooli")
    line, picture = first(phone, lines)
    sooli = phone.locator(".ask [data-act=sooli]")
    line.send(picture.replace('"act":"sooli"', '"act":"show S6"'))
    expect(sooli).to_have_count(0)
    hold_timers(phone)  # the moment in which it is dead lasts as long as this finger needs
    line.send(picture)
    expect(phone.locator(".ask [data-act=sooli][data-fresh]")).to_have_count(1)
    sooli.tap(force=True)
    assert sooli.get_attribute("data-asked") is None
    end_timers(phone)
    expect(phone.locator(".ask [data-act=sooli]:not([data-fresh])")).to_have_count(1)
    sooli.tap()
    expect(sooli).to_contain_text("Really sooli?")


def test_card_tapped_during_a_question_says_the_question(phone: Page, served: Served) -> None:
    lines = messages_of(phone)
    sit(phone, served, "raise asked")
    line, picture = first(phone, lines)
    phone.locator("#hand .card").first.tap(force=True)
    expect(phone.locator("#notice")).to_be_visible()
    assert phone.inner_text("#notice") == phone.inner_text("#ask-title")
    come_again(phone, line, picture)
    assert phone.locator("#notice").is_visible(), "it stays for as long as the moment does"


def test_notice_goes_with_its_picture(phone: Page, served: Served) -> None:
    open_table(phone, served.url, "tuppi")
    player = Player(phone)
    dim = "#table[data-phase=play][data-turn=yes] #hand .card[aria-disabled=true]"
    player.play(until=dim)
    phone.locator(dim).first.tap(position={"x": 15, "y": 15}, force=True)
    expect(phone.locator("#notice")).to_be_visible()
    player.act()
    expect(phone.locator("#notice")).to_be_hidden()


def test_start_page_leads_back_to_the_table(phone: Page, served: Served) -> None:
    phone.goto(served.url)
    expect(phone.locator("#seated")).to_be_hidden()
    open_table(phone, served.url, "tuppi")
    address = phone.url
    # The table's script, which notes where it is, runs after its picture.
    until(phone, "localStorage.getItem('nousu.table') !== null")
    phone.goto(served.url)
    phone.locator("#seated").tap()
    phone.wait_for_selector("#table[data-seq]")
    assert phone.url == address
