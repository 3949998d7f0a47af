"""Lessons and problems in a browser: a real table, one thing to do, an answer in words."""

from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page, expect

from nousu.teaching.lessons import course, courses
from page_driver import DESK, PHONE, Served, meet, somebody, until


@pytest.mark.parametrize("page", [PHONE, DESK], indirect=True, ids=["phone", "desk"])
def test_lesson_is_a_real_table_with_an_aim(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/learn/tuppi/2")
    expect(page.locator("#table .seat")).to_have_count(4)
    expect(page.locator("#trick .card")).to_have_count(1)
    expect(page.locator("#hand .card")).to_have_count(13)
    expect(page.locator(".round .chip")).to_have_text("Rami")
    expect(page.locator(".hill")).to_be_visible()
    expect(page.locator(".coach-aim")).to_contain_text("Seven of the thirteen tricks, or more.")
    assert page.evaluate("document.documentElement.scrollHeight") <= page.evaluate("innerHeight")


LANGUAGES = pytest.mark.parametrize(
    "language", ["de-DE", *(pytest.param(one, marks=pytest.mark.slow) for one in ("en", "fi", "sv", "nb"))]
)


def lesson_paths() -> list[str]:
    """The addresses of all lessons."""
    found = {name: course(name) for name in courses()}
    return [f"/learn/{name}/{at + 1}" for name, one in found.items() if one for at in range(len(one.lessons))]


@LANGUAGES
def test_lessons_fit_a_telephone(browser: Browser, served: Served, language: str) -> None:
    with somebody(browser, locale=language) as page:
        high = {}
        for path in lesson_paths():
            page.goto(served.url + path)
            page.wait_for_selector("#hand")
            high[path] = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        assert len(high) > 20
        assert {path: over for path, over in high.items() if over > 0} == {}


def test_lesson_answers_a_barred_card_and_a_poor_one_at_the_table(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/learn/tuppi/2")
    answer = page.locator("#answer")
    page.locator("#card-DA").click(position={"x": 12, "y": 12}, force=True)  # it is said to be disabled
    expect(answer).to_contain_text("clubs were led, and you hold some")
    for _ in range(2):
        page.locator("#card-C10").click(position={"x": 12, "y": 12})
    expect(answer).to_contain_text("the king stays highest")
    expect(page.locator("#hand .card")).to_have_count(13)
    for _ in range(2):
        page.locator("#card-CA").click(position={"x": 12, "y": 12})
    expect(answer).to_contain_text("The ace beats the king")
    expect(page.locator("#on-CA")).to_be_visible()
    expect(page.locator("#hand [data-act]")).to_have_count(0)
    assert page.url.endswith("/learn/tuppi/2")


def test_lesson_by_keyboard_is_remembered(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/learn/tuppi/2")
    for card, text in (("10 of clubs", "the king stays highest"), ("ace of clubs", "The ace beats the king")):
        page.get_by_role("button", name=card).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.locator("#answer").get_by_text(text).wait_for()
    until(page, "document.activeElement?.id === 'next'")
    page.goto(f"{served.url}/learn/tuppi")
    assert page.locator("[data-lesson=follow] .done").is_visible()
    assert not page.locator("[data-lesson=rami] .done").is_visible()
    assert page.locator("#begin").get_attribute("href") == "/learn/tuppi/1"


def test_lesson_is_done_by_buttons_lists_and_chosen_cards(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/learn/huutopussi/2")
    for card in ("DK", "DQ", "CA"):
        page.locator(f"#card-{card}").click(position={"x": 12, "y": 12})
    page.click("#table [data-many]")
    expect(page.locator("#coach")).to_have_attribute("data-done", "")
    page.goto(f"{served.url}/learn/huutopussi/3")
    page.select_option("#more-choices", "contract 180")
    page.click("[data-from]")
    expect(page.locator("#next")).to_be_visible()
    page.goto(f"{served.url}/learn/tuppen/5")
    page.click("#table [data-act=raise]")
    expect(page.locator("#next")).to_be_visible()


def test_problem_is_solved_at_the_same_table(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/problems/rami/1")
    page.locator("#card-HQ").click(position={"x": 12, "y": 12})
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("Something else is better")
    page.get_by_role("link", name="Show the solution").click()
    expect(page.locator("#answer")).to_contain_text("Best: 6 of hearts")


@pytest.mark.parametrize("number", [4, 5, 16])
def test_task_lies_over_nobody_at_a_round_table(browser: Browser, served: Served, number: int) -> None:
    with somebody(browser, locale="de-DE") as page:
        page.goto(f"{served.url}/problems/fold/{number}")
        expect(page.locator("#hand .card").first).to_be_visible()
        box = "({ x, y, width, height }) => [x, y, width, height]"
        boxes = page.evaluate(
            f"""() => [...document.querySelectorAll(".coach-box, .mat .who-name, .mat .pts, .mat .die")]
            .map((one) => one.getBoundingClientRect()).map({box})"""
        )
        assert len(boxes) > 4
        assert not [other for other in boxes[1:] if meet(boxes[0], other)]


_GROUPS = """() => [
  ".coach-box, .coach-way",
  ".desk .btn, .bid, .say, .ask, .me > *",
  ".round .face, .seat-name, .trick .card, .trick .slot, .mat > *, .stake, .pile, #hand .card",
].map((group) => [...document.querySelectorAll(group)]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height]))"""
_CUT = "({ scrollHeight, clientHeight }) => scrollHeight - clientHeight"


@LANGUAGES
def test_task_stands_whole_beside_the_table_on_a_telephone_lying_down(
    browser: Browser, served: Served, language: str
) -> None:
    wrong: dict[str, list[object]] = {}
    with somebody(browser, viewport={"width": 844, "height": 390}, locale=language) as page:
        for path in (*lesson_paths(), "/problems/rami/1", "/problems/marriages/6", "/problems/fold/4"):
            page.goto(f"{served.url}{path}")
            page.wait_for_selector("#hand .card")
            groups = page.evaluate(_GROUPS)
            assert len(groups[-1]) > 4
            faults: list[object] = [
                (a, b) for one, other in combinations(groups, 2) for a in one for b in other if meet(a, b)
            ]
            for x, y, width, height in (box for group in groups for box in group):
                if x < 0 or x + width > 844 or y + min(height, 44) > 390:
                    faults.append(("out of sight", x, y, width, height))
            if faults or page.locator(".coach-box").evaluate(_CUT) > 1:
                wrong[path] = faults
    assert wrong == {}
