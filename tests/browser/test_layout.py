"""Fixed places: nothing moves from one phase to the next, nothing overlaps, cards are as large as can be."""

from dataclasses import replace
from itertools import combinations, count
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

import states
from accessibility import look, serious
from page_driver import PHONE, SMALL, Served, lobby, meet, somebody, until

TABLES = count()
SIZES = ((320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
_PLACES = """() => {
  const box = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  };
  const all = (selector) => [...document.querySelectorAll(selector)].map(box).filter((one) => one[2] > 0);
  const root = document.documentElement;
  return {
    faces: all(".round .seat .face"), mats: all(".mat"), round: all(".round, .mats")[0],
    buttons: all(".desk button"), said: all(".say"), cards: all("#hand .card"), trick: all("#trick .card"),
    stake: all(".stake"), over: [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight],
  };
}"""


def positions_at(
    page: Page,
    served: Served,
    table: tuple[str, int],
    sizes: tuple[tuple[int, int], ...],
    script: str = _PLACES,
) -> dict[tuple[int, int], Any]:
    """Where everything is at that table, in windows of these sizes."""
    id, person = table
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
    page.goto(f"{served.url}/t/{id}")
    page.wait_for_selector("#hand")
    found = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        found[width, height] = page.evaluate(script)
    return found


PHASES = (
    ("bid", "sooli", "play, late"),
    ("ask half", "trump history"),
    ("raise asked", "away"),
    ("eight asked",),
)
"""Moments of a game that follow one another."""


def faults(found: dict[str, Any], height: int) -> list[object]:
    """Faults of one layout."""
    things = [*found["faces"], *found["buttons"], *found["said"], *found["stake"]]
    wrong: list[object] = [(one, other) for one, other in combinations(things, 2) if meet(one, other)]
    wrong += [one for one in found["cards"] if any(meet(one, other) for other in found["buttons"])]
    wrong += [("out of sight", one) for one in found["cards"] if one[1] + 50 > height]
    return wrong + [("scrolls", over) for over in found["over"] if over > 0]


def test_places_are_fixed_and_nothing_overlaps(browser: Browser, served: Served) -> None:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    pictures = {}
    for name in (name for names in PHASES for name in names):
        sitting, person = states.reach(states.STATES[name])
        id = states.put(served.database, f"places {name} {next(TABLES)}", sitting)
        pictures[name] = positions_at(page, served, (id, person), SIZES)
    wrong: list[object] = []
    for width, height in SIZES:
        for names in PHASES:
            seen = {name: pictures[name][width, height] for name in names}
            wrong += [(name, width, one) for name, found in seen.items() for one in faults(found, height)]
            rounds = {tuple(found["round"]) for found in seen.values()}
            if len(rounds) > 1 and names[0] != "raise asked":
                wrong.append((names, width, "the table moves", rounds))
            trick = seen["ask half"]["trick"] if "ask half" in seen else []
            wrong += [("small", width, card) for card in trick if card[2] < (40 if width < 390 else 60)]
    context.close()
    assert not wrong, "\n".join(map(str, wrong))


_WORDS = """() => {
  const box = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  };
  const all = (selector) => [...document.querySelectorAll(selector)].map(box).filter((one) => one[2] > 1);
  return { names: all(".seat-name, .seat-note"), buttons: all(".desk button") };
}"""


def test_long_words_stay_clear_of_buttons_on_small_telephones(browser: Browser, served: Served) -> None:
    context = browser.new_context(locale="de-DE", reduced_motion="reduce")
    page = context.new_page()
    for name in ("auction, may pass", "bid"):
        sitting, person = states.reach(states.STATES[name])
        at = states.put(served.database, f"words {name} {next(TABLES)}", sitting), person
        for (width, _), found in positions_at(page, served, at, SIZES[:2], _WORDS).items():
            assert found["names"] and found["buttons"]
            wrong = [(one, two) for one in found["names"] for two in found["buttons"] if meet(one, two)]
            assert not wrong, (name, width)
    context.close()


_SHEET = """() => {
  const sheet = document.querySelector(".side .sheet");
  return sheet.getBoundingClientRect().width - sheet.parentElement.clientWidth;
}"""
_CUT = """[...document.querySelectorAll(".seat-name")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""


_ROWS = """() => [true, false].map((open) => {
  document.getElementById("table").toggleAttribute("data-open", open);
  const rows = [...document.querySelectorAll(".acts.raise .btn")].map((one) => one.offsetTop);
  return [getComputedStyle(document.querySelector(".ring")).display, rows];
})"""


def test_score_sheet_shows_every_column(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["trump history"])
    at = states.put(served.database, f"sheet {next(TABLES)}", sitting), person
    with somebody(browser) as page:
        positions_at(page, served, at, ())
        page.goto(f"{page.url}#side")
        for width, height in (SIZES[0], SIZES[1], SIZES[4]):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator(".side .sheet")).to_be_visible()
            assert page.evaluate(_SHEET) <= 0.5, width
        assert page.evaluate(_CUT) == []


def test_buttons_stay_in_place_after_the_raise_window(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["packets, doubting"])
    at = states.put(served.database, f"rows {next(TABLES)}", sitting), person
    with somebody(browser, locale="fi-FI") as page:
        positions_at(page, served, at, ())
        (ring, during), (gone, after) = page.evaluate(_ROWS)
    assert (ring, gone) == ("block", "none")
    assert len(during) == 2 and after == during


_HILL = """() => {
  const seen = (one) => one.getClientRects().length && getComputedStyle(one).opacity !== "0";
  const box = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { x, y, width, height } = range.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  };
  const words = ".hand-no, .hill-side strong, .hill-side span, .hill-top";
  return [
    box(document.querySelector(".hill-mark b")), [...document.querySelectorAll(words)].filter(seen).map(box),
  ];
}"""


def test_score_near_the_top_covers_no_words(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])  # 48 of 52
    at = states.put(served.database, f"hill {next(TABLES)}", sitting), person
    with somebody(browser, locale="fi-FI") as page:
        found = positions_at(page, served, at, (SIZES[0], SIZES[1], SIZES[4]), _HILL)
    for size, (score, words) in found.items():
        assert len(words) >= 5
        assert [one for one in words if meet(score, one)] == [], (size, score)


_LEFT = "document.documentElement.scrollHeight - innerHeight - scrollY"


def test_landscape_phone_reaches_the_end_of_every_page(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["whist result"])
    id = states.put(served.database, f"on its side {next(TABLES)}", sitting)
    wide = {"width": 844, "height": 390}
    with somebody(browser) as host, somebody(browser, viewport=wide) as page:
        for path in ("/settings", "/new?rules=tuppi", "/rules/tuppi", f"/t/{id}"):
            if path.endswith(id):
                token = {"name": "nousu", "value": states.token(person), "url": served.url}
                page.context.add_cookies([token])  # type: ignore[list-item]
            page.goto(f"{served.url}{path}")
            assert page.evaluate(_LEFT) > 0, path
            for turn in range(400):  # the page may grow after a turn
                # Chromium takes turns close together at one place for one, which had reached the end.
                page.mouse.move(400 + 40 * (turn % 2), 200)
                page.mouse.wheel(0, 100_000)
                if page.evaluate(_LEFT) <= 1:
                    break
                page.wait_for_timeout(50)
            assert page.evaluate(_LEFT) <= 1, path
        page.context.clear_cookies()
        lobby(host, served.url)
        page.goto(host.url)
        page.fill("[name=name]", "Eero")
        west, north, east = (page.locator(f".chair--{one}").bounding_box() for one in "wne")
        assert west and north and east
        between = north["x"] + north["width"] / 2
        assert abs((between - west["x"]) - (east["x"] + east["width"] - between)) < 4, "around the table"
        page.click("#sit")
        expect(page.locator("#table")).to_have_attribute("data-sits", "yes")


def test_landscape_phone_has_nothing_under_the_chat_button(browser: Browser, served: Served) -> None:
    with somebody(browser, viewport={"width": 844, "height": 390}) as page:
        for name in ("auction", "whist over", "bid"):  # persons alone have somebody to talk to
            sitting, person = states.reach(states.STATES[name])
            look(page, served, (states.put(served.database, uuid4().hex, sitting), person))
            boxes = (
                "['.fell, .hill, .bars', '#talk-open']"
                ".map((one) => document.querySelector(one).getBoundingClientRect())"
            )
            until(page, f"{boxes}.every((one) => one.width > 0)")
            until(page, f"(([score, button]) => score.right <= button.left)({boxes})")


_BROKEN_NAMES = """() => [...document.querySelectorAll('.seat-name > bdi, .who-name > bdi')]
  .flatMap((name) => {
  const text = [...name.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  return [...text.data.matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word);
})"""
_SCROLLED = """() => [...document.querySelectorAll('#deck, .round, .mats, .hill, .fell')].filter((box) => {
  if (!['hidden', 'clip'].includes(getComputedStyle(box).overflowY)) return false;
  box.scrollTop = 40;
  return box.scrollTop > 0;
}).map(({ className }) => className)"""


@pytest.mark.parametrize("page", [SMALL, PHONE, {"width": 844, "height": 390}], indirect=True)
@pytest.mark.parametrize("name", ["bid", "play, late", "trump history", "raise asked", "eight at the table"])
def test_no_name_is_broken_and_nothing_clipped_scrolls(page: Page, served: Served, name: str) -> None:
    sitting, person = states.reach(states.STATES[name])
    look(page, served, (states.put(served.database, uuid4().hex, sitting), person))
    assert page.evaluate(_BROKEN_NAMES) == []
    assert page.evaluate(_SCROLLED) == []


_NAMES = ("Sanni", "Charlotte Ek", "Maximiliane Wintersteller", "محمد الفاسي ٤٢", "Wilhelmiina")
_CUT_NAMES = """() => {
  const box = (one) => one.getBoundingClientRect();
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  const near = ".trick .card, .trick .slot, .nth, .mat .card, .mark, .claims .btn, .heap";
  const over = document.querySelectorAll(near);
  const wrong = [];
  for (const name of document.querySelectorAll(".round .seat-name > bdi, .who-name > bdi")) {
    const say = (...words) => wrong.push([...words, name.textContent]);
    const text = [...name.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
    if (name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 4) say("cut");
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) {
      if (line.left < 0 || line.right > innerWidth) say("off the window");
      for (const one of over) if (meet(line, box(one))) say("covered", one.className);
    }
  }
  return wrong;
}"""


@pytest.mark.parametrize("name", ["bid", "play, late", "trump history", "raise asked"])
def test_long_names_are_whole_on_telephones(
    browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(states, "NAMES", _NAMES)
    people = 5 if name == "raise asked" else 4
    sitting, person = states.reach(replace(states.STATES[name], seats=people))
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser) as page:
        for seat in range(people):
            found = positions_at(
                page, served, (id, (person + seat) % people), ((390, 844), (360, 740), (844, 390)), _CUT_NAMES
            )
            assert not any(found.values()), (seat, found)


_EIGHT = (
    *("Anna-Katharina Schmidt", "Maximiliane Wintersteller", "Maximilian Winter", "Hans-Christian Andersen"),
    *("Wilhelmiina", "Aino-Kaarina Ylä-Hännilä", "Bartholomäus Vogelsang", "Charlotte Ek"),
)
_LETTERS = """() => {
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  const near = [...document.querySelectorAll(".mats :is(.card, .die, .pts, .mark, .stake, .state > span)")]
    .map((one) => [one.className, one.getBoundingClientRect()]).filter(([, { width }]) => width > 1);
  return [...document.querySelectorAll(".mats .who-name > bdi")].map((name) => {
    const box = name.getBoundingClientRect();
    const text = [...name.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
    const letters = [...text.data].map((letter, at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect();
    });
    // a line that is too long ends in dots, which take the room of a letter and a half
    const cut = (top) => letters.some((one) => one.top === top && one.right > box.right + 1);
    const seen = letters.filter(({ top, right, bottom }) => bottom < box.bottom + 4
      && right <= box.right + 1 - (cut(top) ? 14 : 0));
    const covered = near.filter(([, other]) => seen.some((letter) => meet(letter, other)));
    const outside = seen.some(({ left, right }) => left < 0 || right > innerWidth);
    return [text.data, seen.length, covered.map(([what]) => what), outside];
  });
}"""


@pytest.mark.parametrize("name", ["eight at the table", "eight asked"])
def test_eight_people_are_told_apart_on_telephones(
    browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(states, "NAMES", _EIGHT)
    sitting, person = states.reach(states.STATES[name])
    id = states.put(served.database, uuid4().hex, sitting)
    sizes = ((390, 844), (360, 740), (360, 640))
    with somebody(browser) as page:
        for seat in range(0, 8, 3):
            found = positions_at(page, served, (id, (person + seat) % 8), sizes, _LETTERS)
            for size, names in found.items():
                assert len(names) == 7
                assert [one for one in names if one[1] < 8 or one[2] or one[3]] == [], (seat, size)


def test_ring_on_the_fell_shows_where_a_made_contract_leads(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["trump history"])
    with somebody(browser, locale="fi-FI") as page:
        look(page, served, (states.put(served.database, f"ring {next(TABLES)}", sitting), person))
        ring = page.locator(".fell-may")
        expect(ring).to_be_visible()
        contract, target = (
            int(page.locator(one).inner_text().strip(" /")) for one in (".contract small", ".fell-top")
        )
        us = page.locator(".contract.is-us").count()
        scores = page.locator(".fell-mark.is-us" if us else ".fell-mark:not(.is-us)").inner_text()
        share = (int(scores) + contract) / target
        assert 0 < share < 0.94
        expect(ring).to_have_attribute("style", f"--share:{share:.3f}")
        boxes = [page.locator(one).first.bounding_box() for one in (".fell-may", ".fell-top", ".fell-side")]
        assert not [
            pair for pair in combinations([list(box.values()) for box in boxes if box], 2) if meet(*pair)
        ]


_CARD_WIDTHS = """() => [document.querySelector("#trick .card").offsetWidth,
  [...document.querySelectorAll("#hand .card")].filter((one) => {
    const { left, right, top } = one.getBoundingClientRect();
    const seen = document.elementFromPoint(left + 12, top + 20);
    return right > innerWidth || !one.contains(seen);
  }).length]"""


def test_desktop_shows_large_cards_and_drawers_beside_the_live_table(
    browser: Browser, served: Served
) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, bypass_csp=True) as page:
        widths = positions_at(page, served, at, ((1280, 800), (1440, 900), (1920, 1080)), _CARD_WIDTHS)
        cards = [card for card, covered in widths.values() if not covered]
        assert cards == sorted(cards) and len(cards) == 3
        assert all(card > 0.12 * height for card, (_, height) in zip(cards, widths, strict=True))
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.locator(".dock tr")).to_have_count(min(3, len(sitting.match.played)))
        for opens, drawer in ((".dock .btn", "#side"), ("#talk-open", "#talk")):
            expect(page.locator(f"{drawer} .title").first).to_be_hidden()
            page.click(opens)
            expect(page.locator(f"{drawer} .title").first).to_be_visible()
            card, covered = page.evaluate(_CARD_WIDTHS)
            assert card > 90 and covered == 0, "the table goes on beside it"
            assert serious(page) == []
            page.click(f"{drawer} [href='#stage']")
            expect(page.locator(f"{drawer} .title").first).to_be_hidden()


@pytest.mark.parametrize("size", [(844, 390), (740, 360), (390, 844), (360, 740), (1440, 900), (1280, 720)])
def test_the_way_to_begin_covers_nothing_in_the_lobby(
    browser: Browser, served: Served, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with somebody(browser, viewport=viewport, locale="de-DE") as page:
        lobby(page, served.url)
        boxes = page.evaluate(
            """() => [...document.querySelectorAll("#fill, .chair, .invite, .lobby-rules .small")]
            .map((one) => one.getBoundingClientRect())
            .map(({ x, y, width, height }) => [x, y, width, height])"""
        )
        assert len(boxes) >= 7
        assert [pair for pair in combinations(boxes, 2) if meet(*pair)] == []


@pytest.mark.parametrize("calm", ["off", "on"])
@pytest.mark.parametrize("locale", ["fi-FI", "de-DE"])
@pytest.mark.parametrize("size", [(360, 740), (390, 844)])
def test_word_of_the_own_bid_crosses_no_line(
    browser: Browser, served: Served, locale: str, size: tuple[int, int], calm: str
) -> None:
    sitting, person = states.reach(states.STATES["bid"])
    id = states.put(served.database, f"own bid {next(TABLES)}", sitting)
    viewport = {"width": size[0], "height": size[1]}
    with somebody(browser, viewport=viewport, locale=locale, bypass_csp=True) as page:
        look(page, served, (id, person))
        page.evaluate(f"document.documentElement.dataset.calm = '{calm}'")
        found = page.evaluate(
            """() => [".trick-s .slot > span", ".trick-s .slot", ".bids"].map((one) => {
              const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
              return [x, y, width, height];
            })"""
        )
        assert found[0][2] > 20
        assert [pair for pair in combinations(found, 2) if meet(*pair)] == []


_BIDS = """() => [
  ".trick--bids .lay",
  ".lay .chip, .trick-s .slot > span",
  ".seat .face, .seat-name, .desk .btn, .bid, #hand",
].map((group) => [...document.querySelectorAll(group)].map((one) => one.getBoundingClientRect())
    .filter(({ width }) => width > 1).map(({ x, y, width, height }) => [x, y, width, height]))"""


@pytest.mark.parametrize("name", ["bid", "expose", "sooli"])
def test_bids_lie_clear_of_each_other_on_a_telephone_lying_down(
    browser: Browser, served: Served, name: str
) -> None:
    sitting, person = states.reach(states.STATES[name])
    id = states.put(served.database, f"bids {name} {next(TABLES)}", sitting)
    sizes = ((640, 400), (667, 375), (740, 360), (844, 390))  # the first is a window of 1280×800 at 200 %
    with somebody(browser, locale="fi-FI") as page:
        found = positions_at(page, served, (id, person), sizes, _BIDS)
    for size, (lays, words, others) in found.items():
        assert len(lays) == 4
        wrong = [pair for pair in combinations(lays, 2) if meet(*pair)]
        wrong += [(one, other) for one in (*lays, *words) for other in others if meet(one, other)]
        wrong += [pair for pair in combinations(words, 2) if meet(*pair)]
        assert wrong == [], size


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (1440, 900)])
def test_own_long_name_in_tuppen_is_whole(browser: Browser, served: Served, size: tuple[int, int]) -> None:
    with somebody(browser, viewport={"width": size[0], "height": size[1]}) as page:
        page.goto(f"{served.url}/new?rules=tuppen_zk")
        page.fill("[name=name]", "Aino-Kaarina Ylä-Hännilä")
        page.click("#play")
        name = page.locator(".me .who-name bdi")
        expect(name).to_have_text("Aino-Kaarina Ylä-Hännilä")
        assert name.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
