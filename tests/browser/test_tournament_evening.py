"""An evening in a hall, played in the browser: the direction, a helper, phones at a table, the beamer."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from accessibility import serious
from desk_driver import correct_on_page, press, type_slip
from hosted_event import NINE
from nousu.i18n import translator
from nousu.server.tournament.links import create_links
from nousu.tournament.links import key_of, person_key, shown_link, slip_key
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office
from page_driver import DESK, PHONE, SMALL, Served, expect_fits
from tournament_fixtures import evening

pytestmark = pytest.mark.browser


class ServedEvent:
    """A server that directs one evening, its file, and people who come to it."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        (folder / "tournaments").mkdir()
        self.office: Office = evening(folder / "tournaments" / "evening.nousu", NINE, series=2)
        self.browser = browser
        self.server = Served(folder)
        self.server.start()
        self.at = f"{self.server.url}/tournament/evening"
        self.pages: list[Page] = []
        self.wrong: list[str] = []

    def come(self, key: str = "", size: dict[str, int] = DESK, **more: object) -> Page:
        """A browser of its own, let in by a link."""
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            locale="en-GB",
            reduced_motion="reduce",
            bypass_csp=True,
            **more,  # type: ignore[arg-type]
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.pages.append(page)
        if key:
            page.goto(f"{self.at}/in/{key}")
        return page

    def slip_address(self, table: str) -> str:
        """The text in the code on a slip."""
        return f"{self.at}/slip/{table}?k={slip_key(self.office.open().tournament, table)}"

    def state(self, table: str) -> str:
        """How far a slip has come, in the file."""
        return self.office.open().tournament.slip(table).state


def own_link(state: Tournament, number: int) -> str:
    """Where somebody's own page stands."""
    return f"/me/{person_key(state, (state.numbers[number - 1], 0))}"


@pytest.fixture
def event(tmp_path: Path, browser: Browser) -> Iterator[ServedEvent]:
    """The evening; no page may have raised an error at its end."""
    found = ServedEvent(tmp_path, browser)
    yield found
    for page in found.pages:
        page.context.close()
    found.server.kill()
    assert found.wrong == []


def test_evening_from_the_first_slip_to_a_correction(event: ServedEvent) -> None:
    ellen = event.come(create_links(event.office, "Ellen", translator("en")))
    state = event.office.open().tournament
    uwe = event.come(event.office.admit("Ellen", "entry", "Uwe")[1])
    link = shown_link(state, "beamer")
    beamer = event.come(key_of(event.office.open().tournament.links[link.entry]) if link else "")
    expect(beamer.locator(".seating li")).to_have_count(3)

    # A slip by the number keys; what cannot be is refused while it is typed.
    ellen.goto(f"{event.at}/board?table=1.1")
    ellen.keyboard.type("22")
    expect(ellen.locator("[data-check] .is-wrong")).to_contain_text("already has 2")
    ellen.keyboard.type("9")
    expect(ellen.locator("[data-check] .is-wrong")).to_contain_text("here; the possible values are 1, 3")
    ellen.keyboard.type("1")
    assert [box.input_value() for box in ellen.locator(".put[data-game='1']").all()] == ["2", "1", "3"]
    ellen.keyboard.type("12")
    assert ellen.locator(".made").all_inner_texts() == ["8", "8", "4"]

    # The power goes before it is sent, and comes back: what stands in the form is stored.
    event.server.kill()
    event.server.start()
    with ellen.expect_navigation():
        ellen.keyboard.press("Enter")
    assert event.state("1.1") == "entered"

    # The helper types it blind, wrongly at first.
    type_slip(uwe, event.at, "1.1", ("123", "123"))
    expect(uwe.locator(".unlike tbody tr")).to_have_count(2)
    for box in uwe.locator(".put[data-game='1']").all():
        box.fill("")
    uwe.locator(".put[data-game='1']").first.focus()
    uwe.keyboard.type("21")
    press(uwe, "[data-send]")
    assert event.state("1.1") == "confirmed"
    expect(beamer.locator(".missing i")).to_have_text(["2", "3"])

    # Table 2 by phone: one player enters, another confirms.
    seats = event.office.open().tournament.seats("1.2")
    for number in seats[:2]:
        phone = event.come(size=PHONE)
        phone.goto(event.slip_address("1.2"))
        press(phone, f"a[href$='me={number}']")
        phone.locator(".put").first.focus()
        phone.keyboard.type("3112")
        press(phone, "[data-send]")
        expect_fits(phone)
    assert event.state("1.2") == "confirmed"

    # A wrong slip is corrected with a reason; the other one confirms; a penalty is booked by its number.
    type_slip(uwe, event.at, "1.3", ("321", "321"))
    correct_on_page(uwe, event.at, "1.3", ("132", "321"), "mixed up")
    type_slip(ellen, event.at, "1.3", ("132", "321"))
    assert event.state("1.3") == "confirmed"
    ellen.goto(f"{event.at}/board?table=1.3")
    ellen.click("summary:has-text('Penalty')")
    ellen.select_option("details[open] [name=rule]", "IV8")
    whom = ellen.locator("details[open] [name=number]")
    assert whom.evaluate("one => one.value === '' && one.required"), "nobody is chosen beforehand"
    whom.select_option(index=1)
    press(ellen, "button:has-text('Book the penalty')")
    assert [one.rule for one in event.office.open().tournament.penalties] == ["IV8"]
    press(ellen, "button:has-text('Accept all')")
    expect(beamer.locator(".top10 li.is-tied")).not_to_have_count(0)
    assert beamer.locator(".top10 li > b:first-child").all_text_contents()[:2] == ["1", "1"]

    # Somebody comes late, somebody goes; the board says from where the plan must be made again.
    ellen.fill("#late-name", "Jörg Späth")
    press(ellen, "button:has-text('Add')")
    ellen.select_option("#gone-number", label="5 · " + event.office.open().tournament.who(5))
    ellen.fill("#gone-why", "last bus")
    press(ellen, "button:has-text('Withdraw')")
    expect(ellen.locator("#todo")).to_contain_text("plan again from there")
    expect(beamer.locator(".far-foot")).to_contain_text("Gone:")
    event.office.plan("Ellen", seconds=0.2)

    # The last series; then a ruling makes two level at the top, and a Stechen decides the cup.
    for table in event.office.open().tournament.rounds["2"].names():
        places = "123"[: len(event.office.open().tournament.seats(table))]
        type_slip(ellen, event.at, table, (places, places))
        type_slip(uwe, event.at, table, (places, places))
    ellen.goto(f"{event.at}/board")
    expect(ellen.locator("[aria-disabled]:has-text('Publish')")).to_have_count(1)
    press(ellen, "button:has-text('Accept all')")
    rows = event.office.open().tournament.format.standings(event.office.open().tournament).sections[0].rows
    gap = int(rows[0].cells[0]) - int(rows[1].cells[0])
    if gap:
        ellen.goto(f"{event.at}/rulings")
        ellen.select_option("[name=number]", str(rows[0].number))
        ellen.fill("[name=points]", str(-gap))
        ellen.fill("form.panel:has([name=points]) [name=reason]", "third warning")
        with ellen.expect_navigation():
            ellen.click("button:has-text('Make the ruling')")
    ellen.goto(f"{event.at}/cup")
    press(ellen, "button:has-text('Plan the Stechen')")
    stechen = event.office.open().tournament.seats("S1.1")
    order = "".join(str(at) for at in range(1, len(stechen) + 1))
    type_slip(ellen, event.at, "S1.1", (order,))
    type_slip(uwe, event.at, "S1.1", (order,))
    ellen.goto(f"{event.at}/board")
    press(ellen, "button:has-text('Accept all')")
    winner = event.office.open().tournament.who(stechen[0])

    # Published, for everybody; and a correction after it needs the second person.
    press(ellen, "button:has-text('Publish')")
    expect(ellen.locator("main")).to_contain_text(f"The cup goes to {winner}.")
    stranger = event.come(size=SMALL)
    stranger.goto(f"{event.at}/results")
    expect(stranger.locator("main")).to_contain_text("revision 1")
    expect_fits(stranger)
    correct_on_page(ellen, event.at, "1.2", ("312", "213"), "a and b were mixed up")
    assert len(event.office.open().tournament.publications) == 1
    expect(ellen.locator("button:has-text('Agree')")).to_have_count(0)
    uwe.goto(f"{event.at}/board")
    press(uwe, "button:has-text('Agree')")
    assert len(event.office.open().tournament.publications) == 2
    expect(stranger.locator("main")).to_contain_text("revision 1")
    stranger.reload()
    expect(stranger.locator("main")).to_contain_text("revision 2")


def test_slip_keeps_input_from_before_its_script(event: ServedEvent) -> None:
    create_links(event.office, "Ellen", translator("en"))
    phone = event.come(size=PHONE)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    phone.route("**/js/slip.js*", hold)
    seat = event.office.open().tournament.seats("1.2")[0]
    phone.goto(event.slip_address("1.2") + f"&me={seat}", wait_until="commit")
    first = phone.locator(".put").first
    first.focus()
    phone.keyboard.type("31")
    expect(first).to_have_value("31")
    while not held:
        phone.wait_for_timeout(20)
    held[0].continue_()
    expect(phone.locator(".put[data-game='1']").last).to_have_value("2")
    assert [box.input_value() for box in phone.locator(".put[data-game='1']").all()] == ["3", "1", "2"]
    phone.keyboard.type("12")
    press(phone, "[data-send]")
    assert event.state("1.2") == "entered"


def test_slip_waits_for_a_server_that_is_gone(event: ServedEvent) -> None:
    ellen = event.come(create_links(event.office, "Ellen", translator("en")))
    ellen.goto(f"{event.at}/board?table=1.1")
    ellen.locator(".put").first.focus()
    ellen.locator("[data-send]").click()
    expect(ellen.locator("[data-check] .is-wrong")).to_contain_text("Not sent: ")
    event.server.kill()
    ellen.locator(".put").first.focus()
    ellen.keyboard.type("2112")
    ellen.keyboard.press("Enter")
    expect(ellen.locator("[data-unsent]:visible")).to_contain_text("kept on this device")
    assert ellen.locator(".put").first.input_value() == "2"
    event.server.start()
    ellen.wait_for_url("**/board?done=1.1")
    assert event.state("1.1") == "entered"

    # The page is closed while the server is away; the next time it is opened, the slip is sent.
    phone = event.come(size=PHONE)
    seat = event.office.open().tournament.seats("1.2")[0]
    phone.goto(event.slip_address("1.2") + f"&me={seat}")
    event.server.kill()
    phone.locator(".put").first.focus()
    phone.keyboard.type("3112")
    phone.locator("[data-send]").click()
    expect(phone.locator("[data-unsent]:visible")).to_have_count(1)
    phone.goto("about:blank")
    event.server.start()
    phone.goto(event.slip_address("1.2") + f"&me={seat}")
    expect(phone.locator("#slip")).to_contain_text("a second person confirms it")
    assert event.state("1.2") == "entered"


def test_slip_form_takes_a_new_order_over_a_full_one(event: ServedEvent) -> None:
    ellen = event.come(create_links(event.office, "Ellen", translator("en")))
    ellen.goto(f"{event.at}/board?table=1.1")
    ellen.keyboard.type("2112")

    def places() -> str:
        games = [ellen.locator(f".put[data-game='{game}']").all() for game in "12"]
        return "".join(box.input_value() for boxes in games for box in boxes)

    assert places() == "213123"
    ellen.locator(".put[data-game='1']").first.focus()
    ellen.keyboard.type("132312")
    assert places() == "132312"
    ellen.locator(".put[data-game='2']").nth(1).focus()
    ellen.keyboard.type("2")
    assert places() == "132321", "two change places"
    expect(ellen.locator("[data-check] .is-wrong")).to_have_count(0)


@pytest.mark.slow
def test_planned_table_is_played_on_phones(event: ServedEvent) -> None:
    ellen = event.come(create_links(event.office, "Ellen", translator("en")))
    ellen.goto(f"{event.at}/online")
    ellen.check("[name=table][value='1.1']")
    press(ellen, "button[value=online]")
    state = event.office.open().tournament
    phones = []
    for number in state.seats("1.1"):
        phone = event.come(size=SMALL)
        phone.goto(event.at + own_link(state, number))
        press(phone, "#sit")
        phones.append(phone)
    for phone in phones:
        expect(phone.locator("#hand .card")).to_have_count(4)
        expect_fits(phone)
    ellen.goto(f"{event.at}/board?table=1.1")
    expect(ellen.locator("#online")).to_contain_text("being played")
    press(ellen, "button:has-text('Continue on paper')")
    expect(ellen.locator(".slip-form .put").first).to_be_visible()
    phones[0].goto(event.at + own_link(state, state.seats("1.1")[0]))
    expect(phones[0].locator("#me")).to_contain_text("Your tables")
    assert phones[0].locator("#sit").count() == 0


@pytest.mark.parametrize(
    ("look", "size"),
    [pytest.param("light", DESK, marks=pytest.mark.slow), ("dark", PHONE)],
    ids=["desk", "phone"],
)
def test_axe_finds_nothing_serious_on_tournament_pages(
    event: ServedEvent, look: str, size: dict[str, int]
) -> None:
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    event.office.slip("Ellen", "1.2", ["abc", "abc"])
    event.office.confirm("Uwe", "1.2")
    event.office.act("Ellen", "penalty", number=1, rule="I6", points=-1, reason="third warning")
    secret = create_links(event.office, "Ellen", translator("en"))
    page = event.come(secret, size, color_scheme=look)
    first = ("/board", "/board?table=1.1", "/board?table=1.2", "/slip/1.3", "/confirm", "/standings", "/cup")
    state = event.office.play_online("Ellen", ["1.3"]).tournament
    own = own_link(state, state.seats("1.3")[0])
    for path in (*first, "/rulings", "/log", "/links", "/online", own, "/beamer", "/results"):
        page.goto(event.at + path)
        assert serious(page) == [], path
        expect_fits(page)
        for table in page.locator(".wide:has(.ranking)").all():
            assert table.evaluate("one => one.scrollWidth <= one.clientWidth"), "no column is out of sight"
    event.office.play_on_paper("Ellen", ["1.3"])
    page.goto(f"{event.at}/board")
    for cell in page.locator(".board-panel a.cell").all():
        box = cell.bounding_box()
        assert box is not None and box["width"] >= 44, "nothing squeezes the board"
    page.goto(f"{event.server.url}/tournaments")
    assert serious(page) == []
    phone = event.come(size=SMALL, color_scheme=look)
    phone.goto(event.slip_address("1.3"))
    assert serious(phone) == []
    press(phone, "a[href*='me=']")
    assert serious(phone) == []
    expect_fits(phone)
    page.goto(f"{event.at}/slip/1.3/assistant?said=da+%2Bb+nc")
    assert serious(page) == []


FIRST = ("Aino", "Marlies", "Yrjö", "Käthe", "Øystein", "Łucja", "Hans-Jürgen", "Änne", "Bärbel", "Raimo")
LAST = ("Höfer", "Särkelä", "Groß", "Åberg", "Oberländer-Groß", "Jääskeläinen", "Öst", "Lück", "Vogt", "Ek")
CROWD = [f"{first} {last}" for last in LAST for first in FIRST]
CROWD += [f"{first} von {last}" for last in LAST for first in FIRST]


def read_pages(page: Page, size: dict[str, int]) -> str:
    """All words on the pages of the wall in turn; nothing runs out of one, and none is half empty."""
    read = []
    view = page.locator("[data-page]:visible").get_attribute("data-view")
    for _ in range(page.locator(f"[data-page][data-view={view}]").count()):
        assert page.evaluate("document.documentElement.scrollHeight") <= size["height"]
        shown = page.locator("[data-page]:visible")
        assert shown.count() == 1
        cut = shown.evaluate(
            """page => [page, ...page.querySelectorAll("li")].filter(one =>
              one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1
              || one.getBoundingClientRect().bottom > page.getBoundingClientRect().bottom + 1
            ).map(one => one.textContent)"""
        )
        assert cut == []
        lines = shown.locator("li").count()
        foot, bottom = shown.evaluate(
            """page => [page.getBoundingClientRect().bottom,
              Math.max(...[...page.querySelectorAll("li")].map(one => one.getBoundingClientRect().bottom))]"""
        )
        assert lines < 7 or bottom > 0.85 * foot, "the page is filled"
        read.append(" ".join(shown.inner_text().split()))
        page.keyboard.press("ArrowRight")
    return " ".join(read)


@pytest.mark.parametrize(
    ("count", "kind", "options"),
    [
        (12, "tuppen", {"series": 1}),
        (31, "tuppen", {"series": 1}),
        pytest.param(60, "tuppen", {"series": 1}, marks=pytest.mark.slow),
        (200, "drive", {"unit": "players", "rounds": 1}),
        (32, "tuppi", {"pools": 4}),
    ],
)
def test_projector_has_room_for_every_event(
    event: ServedEvent, count: int, kind: str, options: dict[str, Any]
) -> None:
    people = CROWD[:count]
    entered = (
        [f"{a} & {b}" for a, b in zip(people[::2], people[1::2], strict=True)] if kind == "tuppi" else people
    )
    office = evening(event.office.path.parent / "many.nousu", entered, kind, **options)
    secret = create_links(office, "Ellen", translator("en"))
    office.act("Ellen", "starts", round="1", time="19:45")
    page = event.come()
    page.goto(f"{event.at.replace('evening', 'many')}/in/{secret}")
    for size in ({"width": 1920, "height": 1080}, {"width": 1024, "height": 768}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(f"{event.at.replace('evening', 'many')}/beamer")
        expect(page.locator(".starts")).to_contain_text("begins at 19:45")
        page.keyboard.press("Space")
        for view in ("Seating of", "Standings"):
            expect(page.locator("h1:visible")).to_contain_text(view)
            read = read_pages(page, size)
            for name in people:
                first, last = name.split()[0], name.split(" ", 1)[1]
                assert name in read or f"{last} {first}" in read, (view, name)
            page.keyboard.press("s")


def test_projector_counts_down_and_strikes(event: ServedEvent) -> None:
    page = event.come(create_links(event.office, "Ellen", translator("en")))
    page.clock.install(time=datetime(2026, 11, 21, 19, 30))
    event.office.act("Ellen", "starts", round="1", time="19:45")
    event.office.act(
        "Ellen", "programme", lines=[["19:00", "Welcome"], ["20:30", "Pizza"], ["20:15", "Break"]]
    )
    page.goto(f"{event.at}/beamer")
    expect(page.locator("#far-next")).to_have_text("Then: Break at 20:15")
    page.clock.pause_at(datetime(2026, 11, 21, 19, 39, 50))
    page.evaluate(
        """() => {
          const of = BaseAudioContext.prototype, make = of.createOscillator;
          window.struck = 0;
          of.createOscillator = function () { window.struck += 1; return make.call(this); };
        }"""
    )
    expect(page.locator("#far-count")).to_have_text("5:10")
    page.locator("#far-sound").click()
    heard = page.evaluate("window.struck")
    assert heard > 0, "the first touch lets it be heard"
    page.clock.run_for(5 * 60_000)
    expect(page.locator("#far-count")).to_have_text("0:10")
    assert page.evaluate("window.struck") == heard
    page.clock.run_for(12_000)
    expect(page.locator("#far-count")).to_have_text("Go!")
    assert page.evaluate("window.struck") == 2 * heard
    page.clock.run_for(60_000)
    expect(page.locator("#far-count")).to_contain_text("+1:0")
