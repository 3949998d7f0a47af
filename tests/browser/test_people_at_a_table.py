"""Several people at one table: presence, absence, and the choices of the others."""

import os
import random
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, count
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import states
from accessibility import look, serious
from nousu.players.whist.signals import CARD
from page_driver import PHONE, SMALL, Player, Served, expect_fits, hold_timers, lobby, meet, somebody
from table_fixtures import Sitting

TABLES = count()


@contextmanager
def friends(browser: Browser, served: Served) -> Iterator[tuple[Page, Page]]:
    """Two friends, Sanni and Väinö, who are asked for their bids; computer players with them."""
    with somebody(browser) as one, somebody(browser) as two:
        lobby(one, served.url)
        two.goto(one.url)
        two.fill("[name=name]", "Väinö")
        two.click("#sit")
        one.click("#fill")
        for page in (one, two):
            page.wait_for_selector("#table[data-turn=yes]")
        yield one, two


def test_disconnected_friend_is_marked_and_comes_back(browser: Browser, served: Served) -> None:
    with friends(browser, served) as (one, two):
        address = two.url
        expect(one.locator("[data-lost]")).to_have_count(0)
        two.goto("about:blank")
        expect(one.locator("[data-lost]")).to_contain_text("Väinö")
        expect(one.locator("#lost")).to_contain_text("Väinö has lost the connection. The computer plays in")
        expect(one.locator("#live")).to_contain_text("Väinö has lost the connection.")
        two.goto(address)
        expect(one.locator("[data-lost]")).to_have_count(0)
        expect(one.locator("#lost")).to_be_hidden()
        # A page that falls silent while its line stands: a telephone that was put away.
        silent: list[bool] = []
        two.route_web_socket("**/live", lambda line: _deaf(line, silent))
        two.reload()
        two.wait_for_timeout(1200)
        silent.append(True)
        expect(one.locator("[data-lost]")).to_have_count(1)


def _deaf(line: WebSocketRoute, silent: list[bool]) -> None:
    server = line.connect_to_server()
    line.on_message(lambda message: None if silent else server.send(message))


@pytest.mark.slow
def test_computer_takes_over_on_request(browser: Browser, served: Served) -> None:
    with friends(browser, served) as (one, two):
        address, away = two.url, time.monotonic()
        two.goto("about:blank")
        button = one.locator("#lost button")
        expect(button).to_have_text("Let the computer play")
        assert time.monotonic() - away > 9
        button.click()
        expect(one.locator(".is-away")).to_contain_text("Väinö")
        two.goto(address)
        expect(one.locator(".is-away")).to_have_count(0)
        expect(two.locator("#table")).to_have_attribute("data-sits", "yes")


@pytest.mark.slow
def test_computer_takes_over_after_the_grace_period(browser: Browser, served: Served) -> None:
    with friends(browser, served) as (one, two):
        two.goto("about:blank")
        expect(one.locator("#lost")).to_contain_text("computer plays in 1")
        expect(one.locator(".is-away")).to_contain_text("Väinö", timeout=60_000)
        expect(one.locator("#lost")).to_be_hidden()


def test_silent_server_is_reported_with_the_card_on_its_way(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    id = states.put(served.database, f"silent {next(TABLES)}", sitting)
    with somebody(browser) as page:
        page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
        page.goto(f"{served.url}/t/{id}")
        card = page.locator("#table[data-turn=yes] #hand .card[data-act]").first
        card.wait_for()
        page.wait_for_timeout(1100)
        os.kill(served.pid, signal.SIGSTOP)
        try:
            name = card.get_attribute("data-card")
            card.click(position={"x": 12, "y": 12})
            card.click(position={"x": 12, "y": 12})
            expect(page.locator(f"#card-{name}[data-way='on its way']")).to_be_visible()
            expect(page.locator("#net")).to_be_visible()
            expect(page.locator("#live")).to_have_text("No connection. Trying again; nothing is lost.")
            other = page.locator("#hand .card[data-act]").nth(1)
            assert other.evaluate("one => getComputedStyle(one).pointerEvents") == "none"
        finally:
            os.kill(served.pid, signal.SIGCONT)
        expect(page.locator(f"#card-{name}")).to_have_count(0)
        expect(page.locator("#net")).to_be_hidden()


def test_friends_choose_their_chairs(browser: Browser, served: Served) -> None:
    with somebody(browser) as one, somebody(browser, viewport=SMALL) as two:
        lobby(one, served.url)
        code = one.locator(".qr")
        expect(code).to_have_js_property("complete", value=True)
        assert code.evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
        assert "free seats for Tuppi" in (
            one.get_attribute("meta[property='og:description']", "content") or ""
        )
        two.goto(one.url)
        two.fill("[name=name]", "Väinö")
        two.click("#sit")
        expect(one.locator(".chair--w")).to_contain_text("Väinö")
        expect(two.locator("#watching")).to_be_hidden()
        two.locator(".chair--n .chair-sit").click()
        expect(one.locator(".chair--e")).to_contain_text("Väinö")
        expect_fits(two)
        one.locator(".chair--e .chair-goes").click()
        expect(one.locator(".chair--e")).not_to_contain_text("Väinö")
        expect(two.locator(".late")).to_contain_text("The host has asked you to leave this table.")
        expect(two.locator("#sit")).to_have_count(0)
        expect(one.locator("#watching")).to_have_text("1 watching")
        with somebody(browser) as three, somebody(browser) as four:
            # Somebody else comes meanwhile: a new picture does not take what is half written.
            for page in (three, four):
                page.goto(one.url)
                page.fill("[name=name]", "Ai")
            three.click("#sit")
            expect(four.locator(".board")).to_contain_text("Ai")
            expect(four.locator("[name=name]")).to_have_value("Ai")


def test_rematch_of_the_same_people(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["whist over"])
    id = states.put(served.database, f"again {next(TABLES)}", sitting)
    with somebody(browser) as one, somebody(browser) as two:
        for page, number in ((one, person), (two, (person + 1) % 4)):
            page.context.add_cookies([{"name": "nousu", "value": states.token(number), "url": served.url}])
            page.goto(f"{served.url}/t/{id}")
        expect(one.locator("#again")).to_contain_text("Rematch")
        one.click("#again")
        expect(one.locator("#table[data-phase=lobby]")).to_have_attribute("data-sits", "yes")
        expect(one.locator(".chair", has_text="kept")).to_have_count(3)
        expect(two.locator("#again")).to_contain_text("Come to the rematch")
        two.click("#again")
        expect(one.locator(".chair", has_text="kept")).to_have_count(2)
        one.click("#fill")
        expect(one.locator("#table")).not_to_have_attribute("data-phase", "lobby")
        assert two.url == one.url


_COVERED = """() => {
  const box = document.getElementById("talk").getBoundingClientRect();
  const cards = [...document.querySelectorAll("#hand .card, #trick .card, .mat .card")];
  return cards.map((card) => card.getBoundingClientRect()).filter(({ left, right, top, bottom, width }) =>
    width && left < box.right && right > box.left && top < box.bottom && bottom > box.top).length;
}"""


def test_chat_in_different_languages(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    id = states.put(served.database, f"talk {next(TABLES)}", sitting)
    with somebody(browser, viewport=SMALL, bypass_csp=True) as one, somebody(browser, locale="fi-FI") as two:
        for page, number in ((one, person), (two, (person + 1) % 4)):
            page.context.add_cookies([{"name": "nousu", "value": states.token(number), "url": served.url}])
            page.goto(f"{served.url}/t/{id}")
            page.wait_for_selector("#hand")
        expect(one.locator("#talk")).to_be_hidden()
        one.click("#talk-open")
        for size in (SMALL, {"width": 844, "height": 390}, PHONE):
            one.set_viewport_size(size)
            assert one.evaluate(_COVERED) == 0, size
            expect_fits(one)
        assert serious(one) == []
        hold_timers(two)
        one.locator(".talk-word", has_text="Good game!").click()
        expect(one.locator("#talk")).to_be_hidden()
        expect(two.locator(".bubble")).to_contain_text("Hyvä peli!")
        expect(two.locator("#live")).to_contain_text("Hyvä peli!")
        expect(two.locator("#talk-open[data-unread]")).to_be_visible()
        two.click("#talk-open")
        two.locator(".talk-report").first.click()
        two.locator(".talk-report[data-asked]").click()
        expect(two.locator(".talk-lines")).to_contain_text("näytetty ylläpidolle")
        # Where words of one's own are allowed only between hands, the field is not there during one.
        expect(two.locator(".talk-write")).to_be_hidden()


def test_card_of_signals_of_computers_is_read_beside_the_table(browser: Browser, served: Served) -> None:
    for preset, lines in (("tuppi", len(CARD)), ("tuppi+table_talk=none", 0)):
        sitting = Sitting(preset, persons=1, computers=3)
        sitting.until_asked()
        id = states.put(served.database, f"signals {next(TABLES)}", sitting)
        with somebody(browser, locale="fi-FI", viewport=PHONE, bypass_csp=True) as page:
            page.context.add_cookies([{"name": "nousu", "value": states.token(0), "url": served.url}])
            page.goto(f"{served.url}/t/{id}#side")
            expect(page.locator("#side")).to_be_visible()
            expect(page.locator("#code li")).to_have_count(lines)
            if lines:
                expect(page.locator("#code li").first).to_contain_text("Rami, parisi on lyönyt")
                expect_fits(page)
                assert serious(page) == []


def test_claims_and_undo_are_asked_at_the_table(browser: Browser, served: Served) -> None:
    late = replace(states.STATES["play, late"], options={"undo": "yes", "clock": "relaxed"})
    sitting, person = states.reach(late)
    id = states.put(served.database, f"asked {next(TABLES)}", sitting)
    with (
        somebody(browser, viewport=SMALL, bypass_csp=True) as one,
        somebody(browser) as two,
        somebody(browser) as three,
        somebody(browser) as four,
    ):
        people = (one, two, three, four)
        for number, page in enumerate(people):
            session = {"name": "nousu", "value": states.token((person + number) % 4), "url": served.url}
            page.context.add_cookies([session])
            page.goto(f"{served.url}/t/{id}")
            page.wait_for_selector("#hand")
        # A card is played by mistake, and its player asks to have it back before anybody acts.
        turn = next(page for page in people if page.query_selector("#table[data-turn=yes]"))
        for page in people:  # whose time runs, everybody sees
            expect(page.locator("#why[data-clock]")).to_be_visible()
        card = turn.locator("#hand .card[data-act]").first
        name = card.get_attribute("data-card")
        card.click(position={"x": 12, "y": 12})
        card.click(position={"x": 12, "y": 12})
        expect(turn.locator(f"#card-{name}")).to_have_count(0)
        turn.click("#talk-open")
        undo = turn.locator(".talk-word--ask", has_text="Take it back")
        undo.click()
        turn.locator(".talk-word--ask[data-asked]").click()
        for page in people:
            expect(page.locator("#asked")).to_contain_text("asks to take the last action back")
        others = [page for page in people if page is not turn]
        assert serious(one) == []
        for page in others:
            page.locator("#asked .btn--main").click()
        expect(turn.locator(f"#card-{name}")).to_have_count(1)
        for page in others:
            expect(page.locator("#asked")).to_be_hidden()
        # What is not certain is claimed; one of the others does not agree, and nobody is told who.
        turn.locator(".claims .btn", has_text="The rest are mine").click()
        turn.locator(".claims .btn[data-asked]").click()
        expect(turn.locator("#asked")).to_contain_text("The others are asked")
        asked = next(page for page in others if page.locator("#asked .btn").count())
        asked.locator("#asked .btn", has_text="No").click()
        for page in people:
            expect(page.locator("#asked")).to_be_hidden()
        expect(turn.locator("#hand .card[data-act]").first).to_be_visible()


def test_friend_replaces_a_computer_between_hands(browser: Browser, served: Served) -> None:
    sitting = Sitting("tuppi", persons=1, computers=3, named={states.session(0): "Sanni"})
    rng = random.Random(3)
    while not sitting.table.between_hands:
        sitting.played(rng, 1)
    id = states.put(served.database, f"late {next(TABLES)}", sitting)
    with somebody(browser) as one, somebody(browser, viewport=SMALL) as two:
        one.context.add_cookies([{"name": "nousu", "value": states.token(0), "url": served.url}])
        one.goto(f"{served.url}/t/{id}")
        two.goto(f"{served.url}/t/{id}")
        expect(one.locator(".take")).to_have_count(0)
        two.fill(".take [name=name]", "Kaisa")
        expect_fits(two)
        two.locator(".take .btn").first.click()
        expect(two.locator("#table")).to_have_attribute("data-sits", "yes")
        for page in (one, two):
            page.click("#next")
        expect(one.locator("#table")).to_contain_text("Kaisa")
        expect(two.locator("#hand .card").first).to_be_visible()


_BESIDE_LATE = """() => [...document.querySelectorAll(`#watching, .sound-open, .menu summary, .hand-no, .late,
    .face, .hill-side strong, .seat--e .seat-name, .corner b`)]
  .map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 1)
  .map(({ x, y, width, height }) => [x, y, width, height])"""
"""Boxes of what is beside the panel of somebody who comes late."""


def test_late_friend_keeps_a_computers_chair_until_the_hand_ends(browser: Browser, served: Served) -> None:
    sitting = Sitting("tuppi", persons=1, computers=3, named={states.session(0): "Sanni-Maria Ylä-Hännilä"})
    rng = random.Random(3)
    while sitting.table.match is None or not sitting.view(0).tricks or sitting.table.between_hands:
        sitting.played(rng, 1)
    id = states.put(served.database, uuid4().hex, sitting)
    with (
        somebody(browser) as one,
        somebody(browser, viewport=SMALL, bypass_csp=True) as two,
        somebody(browser) as three,
    ):
        one.context.add_cookies([{"name": "nousu", "value": states.token(0), "url": served.url}])
        for page in (one, two, three):
            page.goto(f"{served.url}/t/{id}")
        expect(two.locator(".late")).to_contain_text("Sanni-Maria Ylä-Hännilä plays here, hand 1.")
        expect(two.locator(".late-when")).to_contain_text("of 13")
        for size in (SMALL, PHONE, {"width": 844, "height": 390}, {"width": 1280, "height": 800}):
            two.set_viewport_size(size)
            expect_fits(two)
            expect(two.locator(".late .btn--main")).to_be_in_viewport(ratio=1)
            places = two.evaluate(_BESIDE_LATE)
            assert [pair for pair in combinations(places, 2) if meet(*pair)] == [], size
        assert serious(two) == []
        two.fill(".late [name=name]", "Charlotte")
        two.locator(".late .btn").first.click()
        expect(two.locator(".late")).to_contain_text("Your chair is kept")
        expect(two.locator(".late .btn")).to_have_text("Rather just watch")
        expect(one.locator(".seat-heir")).to_have_text("then Charlotte")
        expect(three.locator(".late [name=seat]")).to_have_count(2)
        assert two.locator("#hand .card").count() == 0
        Player(one).play(until="#next")
        expect(two.locator("#table")).to_have_attribute("data-sits", "yes")
        for page in (one, two):
            page.click("#next")
        expect(two.locator("#hand .card").first).to_be_visible()
        expect(one.locator("#table")).to_contain_text("Charlotte")


def test_waiting_names_those_who_are_missing_and_counts_down(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["whist result"])
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser, viewport=SMALL) as one, somebody(browser) as two:
        for page, number in ((one, person), (two, (person + 1) % 4)):
            page.context.add_cookies([{"name": "nousu", "value": states.token(number), "url": served.url}])
            page.goto(f"{served.url}/t/{id}")
        one.click("#next")
        others = [name[:24].strip() for at, name in enumerate(states.NAMES[:4]) if at != person]
        for name in others:
            expect(one.locator(".result [role=status]")).to_contain_text(name)
        for page in (one, two):
            expect(page.locator("#next-in")).to_have_text(re.compile(r"^The next hand is dealt in \d+ s\.$"))
        two.click("#next")
        expect(one.locator(".result [role=status]")).not_to_contain_text(states.NAMES[(person + 1) % 4])
        one.reload()
        expect(one.locator("#next-in")).to_have_text(re.compile(r"\d+ s\.$"))


_LINES = """(text) => {
  const notice = document.getElementById('notice');
  notice.textContent = text;
  notice.hidden = false;
  const high = notice.getBoundingClientRect().height;
  notice.hidden = true;
  return Math.round((high - 16) / 19.6);
}"""


def test_notices_take_two_lines_at_most_on_small_telephones(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, viewport=SMALL) as page:
        look(page, served, at)
        for text in (
            "Something is asked at the table; answer that first.",
            "The game has moved on; look again and choose.",
            "No connection. Trying again; nothing is lost.",
            "Follow suit: spades were led, and you hold some. Why?",
        ):
            assert page.evaluate(_LINES, text) <= 2, text
