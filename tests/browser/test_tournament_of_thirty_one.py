"""A whole evening of thirty-one people, from the first name to a correction after it, by the pages alone."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from desk_driver import correct_on_page, press, type_slip
from nousu.tournament.office import Office
from page_driver import DESK, Served
from tools.tournament_oracle.comparison import differences

pytestmark = pytest.mark.browser

PEOPLE = [f"{first} {last}" for last in ("Höfer", "Särkelä", "Groß", "Åberg") for first in "ABCDEFGH"][:31]


@pytest.mark.slow
def test_thirty_one_people_from_the_first_name_to_a_correction_after_publishing(
    tmp_path: Path, browser: Browser
) -> None:
    rng = random.Random(31)
    server = Served(tmp_path)
    server.start()

    def come() -> Page:
        return browser.new_context(viewport=DESK, locale="en-GB", reduced_motion="reduce").new_page()  # type: ignore[arg-type]

    ellen, uwe = come(), come()
    try:
        # From the start page: the event, thirty-one names, the draw, the plan.
        ellen.goto(server.url)
        ellen.click("a[href='/tournaments']")
        ellen.fill("[name=name]", "ZK Tuppen 5 × 2")
        ellen.fill("[name=by]", "Ellen")
        with ellen.expect_navigation():
            ellen.click("button:has-text('Begin the tournament')")
        at = re.sub(r"/\w+$", "", ellen.url)
        office = Office(next((tmp_path / "tournaments").glob("*.nousu")))
        ellen.goto(f"{at}/people")
        ellen.fill("[name=text]", "\n".join(PEOPLE))
        press(ellen, "button[value=look]")
        press(ellen, "button[value=enter]")
        ellen.goto(f"{at}/draw")
        ellen.fill("#by-seed [name=seed]", "ten of clubs")
        press(ellen, "button[value=seed]")
        plan(ellen, at)
        assert len(office.open().tournament.rounds) == 5
        ellen.goto(f"{at}/links")
        ellen.fill("[name=who]", "Uwe")
        press(ellen, "button:has-text('Make the link')")
        uwe.goto(ellen.inner_text("#made code"))

        def series(label: str) -> None:
            for table in office.open().tournament.rounds[label].names():
                if office.open().tournament.slip(table).result is None:
                    games = slip(table)
                    type_slip(ellen, at, table, games)
                    type_slip(uwe, at, table, games)

        def slip(table: str) -> tuple[str, ...]:
            seats = office.open().tournament.seats(table)
            return tuple("".join(rng.sample("12345"[: len(seats)], len(seats))) for _ in range(2))

        series("1")
        # A wrong slip, confirmed; later it is corrected with a reason, and confirmed anew.
        correct_on_page(uwe, at, "1.2", slip("1.2"), "mixed up")
        expect(ellen.locator("body")).to_be_visible()
        typed = office.open().tournament.slip("1.2")
        assert typed.state == "entered" and typed.by == "Uwe"
        ellen.goto(f"{at}/confirm")
        ellen.click("summary:has-text('Compare with the paper')")
        ellen.check("[name=table]")
        press(ellen, "button:has-text('Confirm those ticked')")

        # The power goes while a slip is being typed.
        games = slip("2.1")
        ellen.goto(f"{at}/board?table=2.1")
        for places in games:
            ellen.keyboard.type(places[:-1])
        server.kill()
        server.start()
        press(ellen, "[data-send]")
        type_slip(uwe, at, "2.1", games)
        series("2")
        series("3")

        # Late, gone, a penalty; the plan is made again from series 4 on, and only from there.
        before = {label: office.open().tournament.rounds[label] for label in "123"}
        ellen.goto(f"{at}/board?table=3.1")
        ellen.click("summary:has-text('Penalty')")
        ellen.select_option("details[open] [name=rule]", "IV7")
        ellen.select_option("details[open] [name=number]", index=1)
        press(ellen, "button:has-text('Book the penalty')")
        ellen.fill("#late-name", "Sanna Korpi")
        press(ellen, "button:has-text('Add')")
        ellen.select_option("#gone-number", "7")
        press(ellen, "button:has-text('Withdraw')")
        with ellen.expect_navigation():
            ellen.click("#todo a[href*='/plan?start=4']")
        plan(ellen, "")
        state = office.open().tournament
        assert {label: state.rounds[label] for label in "123"} == before
        seated = {number for table in state.rounds["4"].tables for number in table}
        assert 32 in seated and 7 not in seated
        series("4")
        series("5")

        # The cup: a ruling makes two level at the top, a Stechen decides.
        ellen.goto(f"{at}/board")
        press(ellen, "button:has-text('Accept all')")
        state = office.open().tournament
        rows = state.format.standings(state).sections[0].rows
        if gap := int(rows[0].cells[0]) - int(rows[1].cells[0]):
            ellen.goto(f"{at}/rulings")
            ellen.select_option("[name=number]", str(rows[0].number))
            ellen.fill("[name=points]", str(-gap))
            ellen.fill("form.panel:has([name=points]) [name=reason]", "third warning")
            press(ellen, "button:has-text('Make the ruling')")
        ellen.goto(f"{at}/cup")
        press(ellen, "button:has-text('Plan the Stechen')")
        order = "12345678"[: len(office.open().tournament.seats("S1.1"))]
        type_slip(ellen, at, "S1.1", (order,))
        type_slip(uwe, at, "S1.1", (order,))
        ellen.goto(f"{at}/board")
        press(ellen, "button:has-text('Accept all')")
        press(ellen, "button:has-text('Publish')")
        expect(ellen.locator("main")).to_contain_text("revision 1")

        # A correction after it, by two persons; then the file says the same to a second program.
        correct_on_page(ellen, at, "5.1", slip("5.1"), "a and b were mixed up")
        uwe.goto(f"{at}/board")
        press(uwe, "button:has-text('Agree')")
        assert len(office.open().tournament.publications) == 2
        assert differences(office.log_bytes()) == ()
    finally:
        for page in (ellen, uwe):
            page.context.close()
        server.kill()


def plan(page: Page, at: str) -> None:
    """Propose a plan and put it into force."""
    if at:
        page.goto(f"{at}/plan")
    press(page, "button[value=look]")
    press(page, "button[value=take]")
