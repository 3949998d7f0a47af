"""An evening set up in the browser, from nothing to printed slips, by keyboard; and the pages it takes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from accessibility import serious
from hosted_event import NINE
from nousu.i18n import translator
from nousu.server.tournament.links import create_links
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text
from page_driver import DESK, PHONE, SMALL, Served, expect_fits
from tournament_fixtures import evening

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server with an empty folder of tournaments."""
    (tmp_path / "tournaments").mkdir()
    found = Served(tmp_path)
    found.start()
    yield found
    found.kill()


def comes(browser: Browser, size: dict[str, int], locale: str = "en-GB", **more: object) -> Page:
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        locale=locale,
        reduced_motion="reduce",
        bypass_csp=True,  # axe is put into the page by the test
        **more,  # type: ignore[arg-type]
    )
    return context.new_page()


def press(page: Page, name: str) -> None:
    """Go to a button by the Tab key and press it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    raise AssertionError(f"no way by Tab to {name}")


def test_setup_from_nothing_to_printed_slips_by_keyboard(
    browser: Browser, server: Served, tmp_path: Path
) -> None:
    page = comes(browser, DESK)
    page.goto(f"{server.url}/tournaments")
    page.focus("[name=name]")
    page.keyboard.type("Kesäilta")
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Ellen")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    # The format: two series; what it means is shown before it is taken.
    page.focus("[name=series]")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("2")
    page.focus("[name=people]")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("9")
    press(page, "Show only the effect")
    expect(page.locator(".facts")).to_contain_text("Everybody plays 4 games.")
    page.focus("[name=people]")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    # People: a bad line is named and put right, then all are entered.
    page.focus("textarea")
    page.keyboard.insert_text("\n".join((*NINE[:4], "Åsa Öberg;Kemi", "Ada", *NINE[4:7], "Jörg Weiß")))
    press(page, "Preview the list")
    expect(page.locator(".is-bad")).to_contain_text("Ada is already in line 1")
    text = page.locator("textarea").input_value()
    page.fill("textarea", text.replace("\nAda\n", "\n"))
    press(page, "Preview the list")
    expect(page.locator("#looked")).to_contain_text("Åsa Öberg")
    page.focus("textarea")
    press(page, "Enter 9 lines")
    expect(page.locator(".entered li")).to_have_count(9)

    # The draw, the plan, and two people swapped.
    press(page, "Next step")
    page.focus("#by-seed [name=seed]")
    page.keyboard.type("dice 3 5 1")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("#numbers li")).to_have_count(9)
    press(page, "Next step")
    press(page, "Make a plan")
    expect(page.locator("#worth")).to_contain_text("Repeated meetings: 0")
    press(page, "Put this plan into force")
    expect(page.locator(".rounds section")).to_have_count(2)
    file = next((tmp_path / "tournaments").glob("*.nousu"))
    before = Office(file).open().tournament
    a, b = before.rounds["2"].tables[0][0], before.rounds["2"].tables[1][0]
    page.select_option("#swap [name=round]", "2")
    page.select_option("#swap [name=one]", str(a))
    page.select_option("#swap [name=other]", str(b))
    press(page, "Swap")
    assert Office(file).open().tournament.rounds["2"].tables[0][0] == b

    # Paper: every slip of the first series with its names, the plan's number and a code.
    press(page, "Next step")
    page.select_option("[name=round]", "1")
    page.focus("button[name=kind][value=slips]")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    state = Office(file).open().tournament
    text = "".join(page.extract_text() for page in PdfReader(download.value.path()).pages)
    for table in state.rounds["1"].names():
        assert f"slip {table}/1" in text and state.slip(table).state == "printed"
    for number in range(1, 10):
        assert state.who(number) in text
    page.context.close()


@pytest.mark.parametrize(
    ("look", "size"),
    [pytest.param("light", DESK, marks=pytest.mark.slow), ("dark", PHONE)],
    ids=["desk", "phone"],
)
def test_axe_finds_nothing_serious_on_setup_pages(
    browser: Browser, server: Served, tmp_path: Path, look: str, size: dict[str, int]
) -> None:
    office = evening(tmp_path / "tournaments" / "evening.nousu", NINE, series=2)
    secret = create_links(office, "Ellen", translator("en"))
    at = f"{server.url}/tournament/evening"
    page = comes(browser, size, color_scheme=look)
    page.goto(f"{at}/in/{secret}")
    for path in ("/setup", "/people", "/draw", "/plan", "/paper", "/door"):
        page.goto(at + path)
        page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
        assert serious(page) == [], path
        expect_fits(page)
    page.goto(f"{at}/people")
    page.fill("textarea", "Name;Verein\nAda;Kemi\n!!!;\n")
    page.click("button[value=look]")
    expect(page.locator(".is-bad")).to_have_count(2)
    assert serious(page) == []
    page.goto(f"{at}/plan")
    page.click("button[value=look]")
    expect(page.locator("#worth")).to_contain_text("It is not in force yet.")
    assert serious(page) == []
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    for path in ("/setup", "/people", "/draw", "/plan", "/paper", "/door"):
        page.goto(at + path)
        page.evaluate("document.querySelector('.bar .quiet').textContent = 'Rovaniemen tuppimestaruus 2026'")
        expect_fits(page)
    page.context.close()


def test_check_in_by_thumb(browser: Browser, server: Served, tmp_path: Path) -> None:
    people = [f"Guest{letter} Äijä{number}" for number in range(4) for letter in "abcdefgh"]
    office = Office(tmp_path / "tournaments" / "evening.nousu")
    office.begin("Evening", make_format("tuppen"), "Ellen")
    office.enter("Ellen", from_text("\n".join(people)).given)
    page = comes(browser, PHONE)
    page.goto(f"{server.url}/tournament/evening/in/{office.admit('Ellen', 'entry', 'Uwe')[1]}")
    loads: list[str] = []
    page.on("load", lambda page: loads.append(page.url))
    row = page.locator(".dr", has_text="Guestd").nth(2)
    row.scroll_into_view_if_needed()
    tick, note = row.locator(".dr-tick"), row.locator(".dr-note button")
    place, at = tick.bounding_box(), page.evaluate("scrollY")
    tick.click()
    expect(tick).to_have_attribute("aria-checked", "true")
    expect(page.locator("#door-count")).to_contain_text("1 of 32")
    assert (tick.bounding_box(), page.evaluate("scrollY")) == (place, at), "the row stays under the thumb"
    # Fee and number open beside the name, each as large as the tick; the tick can be taken back at once.
    for target in (".dr-tick", ".dr-paid", ".dr-num"):
        box = row.locator(target).bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 56
    note.click()
    expect(page.locator("#door-count")).to_contain_text("0 of 32")
    expect(note).to_have_count(0)
    tick.click()
    row.locator(".dr-paid").click()
    expect(row.locator(".dr-paid")).to_have_attribute("title", re.compile("Uwe"))
    office.act("Ellen", "picked", id=2, number=7)
    row.locator(".dr-num").fill("7")
    row.locator(".dr-num").press("Enter")
    expect(page.locator("#door-wrong")).to_contain_text("both have number 7")
    expect(row.locator(".dr-num")).to_be_focused()
    row.locator(".dr-num").fill("8")
    row.locator(".dr-num").press("Enter")
    expect(page.locator("#door-foot")).to_contain_text("1 of 1")
    expect(page.locator("#door-wrong")).to_be_hidden()
    office.act("Ellen", "arrived", ids=[1], here=True)
    expect(page.locator("#door-count")).to_contain_text("2 of 32")
    assert page.locator("[data-group=here] .dr, [data-group=open] .dr").count() == 0
    page.fill(".search input", "aija3 guest")
    expect(page.locator(".dr:visible")).to_have_count(8)
    page.fill(".search input", "")
    expect(page.locator("[data-group=here] .dr")).to_have_count(1)
    expect(page.locator("[data-group=open] .dr")).to_have_count(1)
    server.kill()
    page.locator("[data-group=absent] .dr-tick").first.click()
    expect(page.locator("#door-wrong")).to_contain_text("was not saved")
    assert page.locator("[data-group=absent] .dr-tick[aria-checked=true]").count() == 0
    server.start()
    page.locator("[data-group=absent] .dr-tick").first.click()
    expect(page.locator("#door-count")).to_contain_text("3 of 32")
    assert loads == [] and serious(page) == []
    expect_fits(page)


def test_fold_outs_of_the_setup_have_arrows_and_the_steps_one_row(
    browser: Browser, server: Served, tmp_path: Path
) -> None:
    office = evening(tmp_path / "tournaments" / "evening.nousu", NINE)
    at = f"{server.url}/tournament/evening"
    secret = office.admit("Ellen", "direction", "Ellen")[1]
    for size in (DESK, PHONE):
        page = comes(browser, size, locale="de-DE")
        page.goto(f"{at}/in/{secret}")
        for path in ("/draw", "/plan", "/board"):
            page.goto(at + path)
            arrows = "all => all.map((one) => getComputedStyle(one, '::after').borderBottomWidth)"
            found = page.locator("details.panel > summary").evaluate_all(arrows)
            assert found and set(found) == {"2px"}, path
        for path in ("/people", "/paper"):
            page.goto(at + path)
            expect(page.locator(".tabs [aria-current]")).to_have_text("Vorbereiten")
            tops = page.locator(".steps-bar a").evaluate_all("all => all.map((one) => one.offsetTop)")
            assert len(tops) == 6 and len(set(tops)) == 1, path
        page.goto(f"{at}/board")
        expect(page.locator(".tabs [aria-current]")).to_have_count(1)
        page.context.close()
