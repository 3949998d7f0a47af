"""Whole evenings with five people at browsers: direction, two helpers, the door, a player's phone.

One for each kind of event. What once spoiled an evening happens in each of them where its kind allows it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from desk_driver import press
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office
from page_driver import DESK, PHONE, Served, expect_fits
from tools.tournament_oracle.comparison import differences

pytestmark = pytest.mark.browser

WALL = {"width": 1920, "height": 1080}
HERE = "import os; os.environ['NOUSU_NEW_EVENTS'] = 'here'"
PEOPLE = ("Jörg Groß", "Ada Åberg", "Cid Dahl", "Dag Eide", "Eva Öst", "Finn Lund", "Gro Moe", "Hei Niemi")
PAIRS = ("Jörg Groß & Ada Åberg", "Cid Dahl & Dag Eide", "Eva Öst & Finn Lund", "Gro Moe & Hei Niemi")


class Evening:
    """A server in a hall, five people, and the event that they hold."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.folder = folder
        self.browser = browser
        self.server = Served(folder, first=HERE)
        self.server.start()
        self.at = ""
        self.wrong: list[str] = []
        self.pages: list[Page] = []
        self.ellen = self.come()

    def come(self, size: dict[str, int] = DESK, **more: object) -> Page:
        """A browser of its own."""
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            locale="en-GB",
            reduced_motion="reduce",
            **more,  # type: ignore[arg-type]
        )
        page = context.new_page()
        page.set_default_timeout(90_000)  # a plan takes four seconds of a core, which others may need too
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.pages.append(page)
        return page

    @property
    def office(self) -> Office:
        return Office(next((self.folder / "tournaments").glob("*.nousu")))

    @property
    def state(self) -> Tournament:
        return self.office.open().tournament

    def begin(self, kind: str, options: dict[str, str]) -> None:
        """From the start page to the options; nobody else in the network can do so."""
        stranger = self.come(extra_http_headers={"x-forwarded-for": "192.168.1.9"})
        stranger.goto(f"{self.server.url}/tournaments")
        expect(stranger.locator("main")).to_contain_text("begun at the computer of the host")
        expect(stranger.locator("[name=name]")).to_have_count(0)
        ellen = self.ellen
        ellen.goto(f"{self.server.url}/tournaments")
        ellen.fill(".new-event:not([id]) >> nth=0 >> [name=name]", "Höfer-Pokal")
        ellen.fill(".new-event:not([id]) >> nth=0 >> [name=by]", "Ellen")
        ellen.check(f"[name=format][value={kind}]")
        press(ellen, "button:has-text('Begin the tournament')")
        self.at = re.sub(r"/\w+$", "", ellen.url)
        assert "/hoefer-pokal" in self.at or "/hofer-pokal" in self.at, self.at
        for name, value in options.items():
            field = ellen.locator(f"#format [name={name}]")
            if field.get_attribute("type") == "checkbox":
                field.set_checked(value == "yes")
            elif field.evaluate("one => one.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        press(ellen, "button[value=take]")

    def link(self, who: str, role: str = "entry", size: dict[str, int] = DESK) -> Page:
        """A helper with a link of their own; a second one for the same name is refused."""
        ellen = self.ellen
        ellen.goto(f"{self.at}/links")
        ellen.select_option("[name=role]", role)
        ellen.fill("[name=who]", who)
        press(ellen, "button:has-text('Make the link')")
        made = ellen.locator("#made code")
        shown = ellen.locator(f"li:has(b:text-is('{who}')) a")  # a screen's link may be seen by anybody
        address = (shown if role == "beamer" else made).inner_text()
        ellen.goto(f"{self.at}/links")
        ellen.select_option("[name=role]", role)
        ellen.fill("[name=who]", who.lower())
        press(ellen, "button:has-text('Make the link')")
        expect(ellen.locator(".wrong")).to_contain_text("already has such a link")
        page = self.come(size)
        page.goto(address)
        return page

    def enter_list(self, text: str, skipped: str) -> None:
        """The club's own list, with a title above the headings and a sum below."""
        ellen = self.ellen
        ellen.goto(f"{self.at}/people")
        ellen.set_input_files(
            "[name=file]", {"name": "liste.csv", "mimeType": "text/csv", "buffer": text.encode()}
        )
        press(ellen, "button[value=look]")
        expect(ellen.locator("#looked")).to_contain_text(skipped)
        press(ellen, "button[value=enter]")

    def check_in(self, tove: Page, absent: str) -> None:
        """The door ticks everybody but one; nothing reloads; draw and plan say who lacks."""
        assert tove.url.endswith("/door")
        loads: list[str] = []
        tove.on("load", lambda page: loads.append(page.url))
        tove.fill(".search input", "aberg")
        expect(tove.locator(".dr:visible")).to_have_count(1)
        tove.fill(".search input", "")
        rows = tove.locator("[data-group=absent] .dr")
        count = rows.count()
        for row in rows.all():
            if absent not in (row.get_attribute("data-name") or ""):
                row.locator(".dr-tick").click()
        expect(tove.locator("#door-count")).to_contain_text(f"{count - 1} of {count}")
        assert loads == []
        for path in ("/draw", "/plan"):
            self.ellen.goto(self.at + path)
            expect(self.ellen.locator("main")).to_contain_text(f"Not arrived yet: {absent}")

    def draw_and_plan(self) -> None:
        ellen = self.ellen
        ellen.goto(f"{self.at}/draw")
        ellen.fill("#by-seed [name=seed]", "ten of clubs")
        press(ellen, "button[value=seed]")
        ellen.goto(f"{self.at}/plan")
        press(ellen, "button[value=look]")
        press(ellen, "button[value=take]")

    def print_slips(self) -> None:
        """Slips of all rounds; the wall shows the first round before and after."""
        ellen = self.ellen
        ellen.goto(f"{self.at}/paper")
        for kind in ("slips", "sheets"):
            button = ellen.locator(f"button[name=kind][value={kind}]")
            if button.count():
                with ellen.expect_download():
                    button.click()
        assert any(slip.state == "printed" for slip in self.state.slips.values())

    def come_late(self, name: str) -> None:
        """Somebody comes after the paper is printed and before the first card, and is seated in round 1."""
        ellen = self.ellen
        ellen.goto(f"{self.at}/board")
        ellen.fill("#late-name", name)
        press(ellen, "button:has-text('Add')")
        number = self.state.find(name)
        ellen.goto(f"{self.at}/plan")
        if ellen.locator("button[value=add]").count():
            press(ellen, "button[value=add]")
        if number not in self.seated("1"):
            ellen.goto(f"{self.at}/plan")
            press(ellen, "button[value=look]")
            press(ellen, "button[value=take]")
        assert number in self.seated("1")

    def seated(self, label: str) -> set[int]:
        return {number for table in self.state.rounds[label].tables for number in table}

    def words(self, table: str) -> tuple[str, ...]:
        """A result that the table can have, different at each."""
        kind, at = self.state.format.name, int(table.partition(".")[2])
        if kind == "tuppen":
            order = "abcde"[: len(self.state.seats(table))]
            return (order[at % 3 :] + order[: at % 3], order[::-1])
        if kind == "tuppi":
            return tuple(("A8 " * 7 if at % 2 else "B8 " * 7).split())
        return (str(10 + at), str(2 * at))

    def type(self, page: Page, table: str, words: tuple[str, ...], send: bool = True) -> None:
        """A slip typed into the form on this page."""
        state = self.state
        for name, value in state.kind(table).slips.fields(state, table, words).items():
            field = page.locator(f"[data-slip] [name='{name}']").first
            if field.get_attribute("type") != "radio":
                field.fill(value)
        if send:
            press(page, "[data-send]")

    def settle(self, uwe: Page, ina: Page, tables: tuple[str, ...]) -> None:
        """Two helpers type the same slips, one after the other."""
        for table in tables:
            for page in (uwe, ina):
                page.goto(f"{self.at}/board?table={table}")
                self.type(page, table, self.words(table))
            assert self.state.slip(table).state == "confirmed", table

    def lose_connection(self, page: Page, table: str) -> None:
        """The server is gone while a slip is sent: it is kept, and sent once the server is back."""
        page.goto(f"{self.at}/board?table={table}")
        page.click("[data-send]")
        expect(page.locator("[data-check] .is-wrong")).to_contain_text("Not sent: ")
        self.type(page, table, self.words(table), send=False)
        self.server.kill()
        page.click("[data-send]")
        expect(page.locator("[data-unsent]:visible")).to_have_count(1)
        self.server.start()
        expect(page).to_have_url(re.compile(f"done={table}"))
        assert self.state.slip(table).state == "entered"

    def cheat(self, table: str) -> None:
        """One phone is both persons of a slip: it waits for another device or for the desk."""
        from nousu.tournament.links import slip_key

        state = self.state
        phone = self.come(PHONE)
        for number in state.seats(table)[:2]:
            phone.goto(f"{self.at}/slip/{table}?k={slip_key(state, table)}&me={number}")
            self.type(phone, table, self.words(table))
        assert self.state.slip(table).state == "entered" and self.state.slip(table).repeated
        expect(phone.locator("#slip")).to_contain_text("Both entries came from one device")
        assert "[TU" not in phone.inner_text("main"), "the hall reads no clause numbers"

    def look_at_the_wall(self, wall: Page, title: str) -> None:
        """The wall shows that page, inside its frame and without clause numbers."""
        expect(wall.locator("h1:visible")).to_have_text(title)
        assert wall.evaluate("document.documentElement.scrollHeight") <= WALL["height"]
        expect_fits(wall)
        assert "[TU" not in wall.inner_text("main")

    def publish(self) -> None:
        """Everything confirmed is accepted; the result is published with a time until which to contest it."""
        ellen = self.ellen
        ellen.goto(f"{self.at}/board")
        if ellen.locator("button:has-text('Accept all')").count():
            press(ellen, "button:has-text('Accept all')")
        ellen.fill("[name=contest]", "22:15")
        press(ellen, "button:has-text('Publish')")
        expect(ellen.locator("main")).to_contain_text("contested until 22:15")

    def correct_after_publishing(self, uwe: Page, table: str, words: tuple[str, ...]) -> None:
        """A correction waits for a second person, who sees table, reason, and from what to what."""
        ellen = self.ellen
        ellen.goto(f"{self.at}/board?table={table}")
        ellen.click("summary:has-text('Correct the slip')")
        self.type(ellen, table, words, send=False)
        ellen.fill("details[open] [name=reason]", "misread")
        press(ellen, "details[open] button.btn:has-text('Correct')")
        uwe.goto(f"{self.at}/board")
        asked = uwe.locator("#todo li", has=uwe.locator("button:has-text('Agree')"))
        expect(asked).to_contain_text(table)
        expect(asked).to_contain_text("misread")
        expect(asked).to_contain_text("→")
        press(uwe, "button:has-text('Agree')")

    def end(self) -> None:
        """The file says the same to a second program, and no page failed."""
        assert differences(self.office.log_bytes()) == ()
        assert self.wrong == []


@pytest.fixture
def evening(tmp_path: Path, browser: Browser) -> Iterator[Evening]:
    found = Evening(tmp_path, browser)
    yield found
    for page in found.pages:
        page.context.close()
    found.server.kill()


def club_list(names: tuple[str, ...], head: str) -> str:
    """A club's list: title rows, headings, numbered lines and a sum at the foot."""
    rows = [f"{at};{name};" for at, name in enumerate(names, 1)]
    return "\n".join(
        ["ZK Kerken;;", "Teilnehmer 2026;;", "", f"Nr;{head};Verein", *rows, f";Summe {len(rows)};", ""]
    )


def until_the_first_result(
    evening: Evening, names: tuple[str, ...], head: str, late: str
) -> tuple[Page, Page, Page]:
    """From the list to slips on the tables: both helpers and the wall."""
    evening.enter_list(club_list(names, head), f"Read as sums, not as people: lines {len(names) + 5}")
    assert len(evening.state.active()) == len(names)
    tove = evening.link("Tove", size=PHONE)
    evening.check_in(tove, names[2])
    evening.draw_and_plan()
    wall = evening.link("Wall", "beamer", WALL)
    unit = "series" if evening.state.format.called == "series" else "round"
    evening.look_at_the_wall(wall, f"Seating of {unit} 1")
    evening.print_slips()
    if late:
        evening.come_late(late)
    wall.reload()
    evening.look_at_the_wall(wall, f"Seating of {unit} 1")
    return evening.link("Uwe"), evening.link("Ina"), wall


def test_tuppen_evening_of_five_people(evening: Evening) -> None:
    evening.begin("tuppen", {"series": "2", "games": "2"})
    uwe, ina, wall = until_the_first_result(evening, PEOPLE, "Name", "Late Person")
    first, *rest = evening.state.rounds["1"].names()
    # A full form takes a new order over it.
    uwe.goto(f"{evening.at}/board?table={first}")
    evening.type(uwe, first, evening.words(first), send=False)
    boxes = uwe.locator(".put[data-game='1']")
    one, two = boxes.nth(0).input_value(), boxes.nth(1).input_value()
    for box, place in ((boxes.nth(0), two), (boxes.nth(1), one)):
        box.focus()
        uwe.keyboard.type(place)
    assert [boxes.nth(at).input_value() for at in (0, 1)] == [two, one]
    evening.lose_connection(uwe, first)
    ina.goto(f"{evening.at}/board?table={first}")
    evening.type(ina, first, evening.words(first))
    evening.look_at_the_wall(wall, "Standings")
    evening.settle(uwe, ina, tuple(rest))
    evening.look_at_the_wall(wall, "Seating of series 2")
    # Somebody leaves between the games of a series; the game that was played counts.
    leaver = evening.state.seats("2.1")[0]
    evening.ellen.goto(f"{evening.at}/board")
    evening.ellen.select_option("#gone-number", str(leaver))
    evening.ellen.fill("#gone-round", "2")
    evening.ellen.select_option("#gone-game", "2")
    press(evening.ellen, "button:has-text('Withdraw')")
    uwe.goto(f"{evening.at}/board?table=2.1")
    expect(uwe.locator(".put--gone")).to_have_count(1)
    order = "abcde"[: len(evening.state.seats("2.1"))]
    for page in (uwe, ina):
        page.goto(f"{evening.at}/board?table=2.1")
        evening.type(page, "2.1", (order, order[1:]))
    cells = next(
        row.cells
        for row in evening.state.format.standings(evening.state).sections[0].rows
        if row.number == leaver
    )
    assert cells[2] == evening.state.format.to_json()["place_points"][0], "first of the game that was played"
    evening.cheat("2.2")
    ina.goto(f"{evening.at}/board?table=2.2")
    evening.type(ina, "2.2", evening.words("2.2"))
    evening.settle(uwe, ina, tuple(t for t in evening.state.rounds["2"].names() if t not in ("2.1", "2.2")))
    ellen = evening.ellen
    ellen.goto(f"{evening.at}/board")
    press(ellen, "button:has-text('Accept all')")
    ellen.goto(f"{evening.at}/cup")
    if ellen.locator("button:has-text('Plan the Stechen')").count():
        press(ellen, "button:has-text('Plan the Stechen')")
        for page in (uwe, ina):
            page.goto(f"{evening.at}/board?table=S1.1")
            evening.type(page, "S1.1", ("abcdefgh"[: len(evening.state.seats("S1.1"))],))
    evening.publish()
    evening.correct_after_publishing(uwe, rest[0], tuple(word[::-1] for word in evening.words(rest[0])))
    evening.end()


@pytest.mark.slow
def test_tuppi_evening_of_five_people(evening: Evening) -> None:
    evening.begin("tuppi", {"through": "2"})
    uwe, ina, wall = until_the_first_result(evening, PAIRS, "Paar", "Late Person & Lone Person")
    first, *rest = [key for key, _ in evening.state.tables() if key.startswith("1.")]
    evening.lose_connection(uwe, first)
    ina.goto(f"{evening.at}/board?table={first}")
    evening.type(ina, first, evening.words(first))
    evening.look_at_the_wall(wall, "Standings")
    for table in rest:
        evening.cheat(table)
        ina.goto(f"{evening.at}/board?table={table}")
        evening.type(ina, table, evening.words(table))
    evening.look_at_the_wall(wall, "Seating of round 2")
    ellen = evening.ellen
    for _ in range(6):
        tables = tuple(evening.state.missing())
        evening.settle(uwe, ina, tables)
        ellen.goto(f"{evening.at}/board")
        if ellen.locator("button:has-text('Accept all')").count():
            press(ellen, "button:has-text('Accept all')")
        if not evening.state.format.unfinished(evening.state):
            break
        ellen.goto(f"{evening.at}/plan")
        press(ellen, "button[value=look]")
        press(ellen, "button[value=take]")
    assert "C1" in evening.state.rounds
    ellen.goto(f"{evening.at}/cup")
    expect(ellen.locator(".tree")).to_have_count(1)
    evening.publish()
    final = [key for key, _ in evening.state.tables()][-1]
    evening.correct_after_publishing(uwe, final, tuple(("B8 " * 7).split()))
    evening.end()


@pytest.mark.slow
def test_whist_drive_of_five_people(evening: Evening) -> None:
    evening.begin("drive", {"unit": "players", "rounds": "3", "preset": "minnesota", "lowest": "yes"})
    # Where the lowest wins, sitting out cannot be the best result.
    ellen = evening.ellen
    ellen.goto(f"{evening.at}/setup")
    ellen.select_option("#format [name=bye]", "zero")
    press(ellen, "button[value=take]")
    expect(ellen.locator(".wrong")).to_be_visible()
    assert evening.state.format.to_json()["bye"] == "mean"
    uwe, ina, wall = until_the_first_result(evening, PEOPLE, "Name", "Late Person")
    out = [table[0] for table in evening.state.rounds["1"].tables if len(table) == 1]
    assert out, "with nine people somebody sits out"
    first, *rest = [key for key, _ in evening.state.tables() if key.startswith("1.")]
    evening.lose_connection(uwe, first)
    ina.goto(f"{evening.at}/board?table={first}")
    evening.type(ina, first, evening.words(first))
    evening.look_at_the_wall(wall, "Standings")
    evening.settle(uwe, ina, tuple(rest))
    evening.look_at_the_wall(wall, "Seating of round 2")
    table = next(key for key in evening.state.missing() if key.startswith("2."))
    evening.cheat(table)
    ina.goto(f"{evening.at}/board?table={table}")
    evening.type(ina, table, evening.words(table))
    evening.settle(uwe, ina, tuple(evening.state.missing()))
    rows = evening.state.format.standings(evening.state).sections[0].rows
    points = [int(row.cells[0]) for row in rows]
    assert points == sorted(points), "the lowest wins"
    evening.publish()
    evening.correct_after_publishing(uwe, first, ("3", "20"))
    evening.end()
