"""People at the table: faces, backs of cards in hand, words at the seats."""

import re
from uuid import uuid4

from playwright.sync_api import Browser, expect

import states
from accessibility import look, serious
from nousu.server.table.view_builder import view_of
from page_driver import PHONE, SMALL, Served, end_timers, hold_timers, lobby, somebody, until

_FAN = ".seat--{} .fan i"


def test_face_is_chosen_and_everybody_sees_it(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser, viewport=PHONE, bypass_csp=True) as one, somebody(browser) as two:
        for page, number in ((one, person), (two, (person + 1) % 4)):
            page.context.add_cookies([{"name": "nousu", "value": states.token(number), "url": served.url}])
            page.goto(f"{served.url}/t/{id}")
            page.wait_for_selector("#hand")
        expect(two.locator(".seat .av")).to_have_count(0)  # everybody has a letter as long as nobody chooses
        one.locator(".hill-tap").first.focus()
        one.keyboard.press("Enter")
        assert one.locator(".faces .face").count() == 13
        one.locator(".faces [aria-label=owl]").click()
        expect(one.locator(".faces [aria-label=owl]")).to_have_attribute("aria-pressed", "true")
        assert serious(one) == []
        expect(two.locator(".seat .av")).to_have_count(1)
        seat = two.locator(".seat .av use").get_attribute("href") or ""
        assert seat.endswith("#owl")
        assert two.request.get(f"{served.url}{seat.partition('#')[0]}").ok


def test_face_is_chosen_while_friends_are_awaited(browser: Browser, served: Served) -> None:
    with somebody(browser, viewport=PHONE, bypass_csp=True) as page:
        lobby(page, served.url)
        page.locator(".faces [aria-label=owl]").click()
        expect(page.locator(".chair--s .av use")).to_have_attribute("href", re.compile("#owl$"))
        expect(page.locator(".faces [aria-label=owl]")).to_have_attribute("aria-pressed", "true")
        assert serious(page) == []
        lobby(page, served.url)  # at every table of this device
        expect(page.locator(".chair--s .av use")).to_have_attribute("href", re.compile("#owl$"))


_FLIGHTS = """window.flights = [];
addEventListener("animationstart", ({ target, animationName }) => {
  if (!["arrive", "leave"].includes(animationName)) return;
  const flight = target.getAnimations({ subtree: true }).find((one) => one.animationName === animationName);
  window.flights.push(flight.effect.getComputedTiming().duration);
}, true);"""
"""Notes how long each flight of a card takes, in milliseconds."""


def test_cards_fly_to_the_trick_and_to_its_winner_within_a_quarter_of_a_second(
    browser: Browser, served: Served
) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, reduced_motion="no-preference") as page:
        page.add_init_script(_FLIGHTS)
        look(page, served, at)
        page.goto(page.url)
        until(page, "flights.length > 0")
        assert all(duration <= 250 for duration in page.evaluate("flights"))
        card = page.locator("#hand .card[data-act]").first
        name = card.get_attribute("data-card")
        card.click(position={"x": 12, "y": 12})  # before the motion has ended
        card.click(position={"x": 12, "y": 12})
        expect(page.locator(f"#on-{name}")).to_be_visible()
    with somebody(browser) as page:
        page.add_init_script(_FLIGHTS)
        look(page, served, at)
        page.wait_for_selector("#trick .card", state="attached")
        assert page.evaluate("flights") == []  # none at all where motion is not wanted


def test_sounds_are_off_until_one_tap_wants_them(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, viewport=SMALL) as page:
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.resource_type))
        look(page, served, at)
        button = page.locator("#sound-button")
        expect(button).to_have_attribute("aria-pressed", "false")
        assert "sound" not in page.evaluate("({...document.documentElement.dataset})")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        page.reload()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("document.documentElement.dataset.sound") == "on"
        assert "media" not in loaded  # they are made in the page
        button.click()
        page.reload()
        expect(button).to_have_attribute("aria-pressed", "false")


def test_hand_is_conceded_from_the_sheet(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser) as one, somebody(browser) as two:
        for page, number in ((one, person), (two, (person + 2) % 4)):
            page.context.add_cookies([{"name": "nousu", "value": states.token(number), "url": served.url}])
            page.goto(f"{served.url}/t/{id}")
            page.wait_for_selector("#hand")
        one.locator(".hill-tap").first.focus()
        one.keyboard.press("Enter")
        one.locator("[data-concedes]").click()
        expect(one.locator("[data-concedes]")).to_have_text("Give up all the rest of it?")
        one.locator("[data-concedes]").click()
        for page in (one, two):
            expect(page.locator("#asked")).to_be_visible()
        seats = [str(place.session) for place in sitting.table.seats.by_seat]
        partner = (seats.index(states.session(person)) + 2) % 4 == seats.index(
            states.session((person + 2) % 4)
        )
        assert (two.locator("#asked .btn--main").count() == 1) == partner
        if partner:
            two.locator("#asked .btn--main").click()  # accepted by one tap
            expect(one.locator("#outcome")).to_be_visible()


def test_backs_are_as_many_as_the_cards_and_words_stand_at_the_seat(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser) as one, somebody(browser) as two:
        for page, number in ((one, person), (two, (person + 1) % 4)):
            page.context.add_cookies([{"name": "nousu", "value": states.token(number), "url": served.url}])
            page.goto(f"{served.url}/t/{id}")
            page.wait_for_selector("#hand")
        held = one.locator("#hand .card").count()
        for place in "wne":
            expect(one.locator(_FAN.format(place))).to_have_count(held)
        card = one.locator("#hand .card[data-act]").first
        card.click(position={"x": 12, "y": 12})
        card.click(position={"x": 12, "y": 12})
        seat = one.get_attribute(".seat--s", "id") if one.locator(".seat--s").count() else None
        expect(one.locator("#hand .card")).to_have_count(held - 1)
        expect(two.locator(".fan i")).to_have_count(3 * held - 1)
        fans = two.evaluate("[...document.querySelectorAll('.fan')].map((one) => one.children.length)")
        assert sorted(fans) == [held - 1, held, held]
        expect(
            two.locator(".seat-note", has_text="thinking").or_(two.locator("#table[data-turn=yes]"))
        ).to_have_count(1)
        hold_timers(two)
        one.click("#talk-open")
        one.locator(".talk-word", has_text="Ha ha!").click()
        expect(two.locator(".bubble")).to_have_text("Ha ha!")
        assert seat is None or two.locator(f"#{seat} .bubble").count() == 1
        end_timers(two)
        expect(two.locator(".bubble")).to_have_count(0)
        one.click("#talk-open")
        one.get_by_role("button", name="Well played!").click()
        expect(two.locator(".react-on, .bubble--drawn")).to_have_count(
            1
        )  # a picture, on the card just played
        expect(two.locator("#live")).to_contain_text("Well played!")
        end_timers(two)
        expect(two.locator(".react-on, .bubble--drawn")).to_have_count(0)


def test_pile_of_either_side_shows_the_last_trick(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(states.STATES["play, late"])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, viewport=PHONE) as page:
        look(page, served, at)
        seen = view_of(sitting.table, states.session(person), 0.0, "en")
        assert seen.seat is not None
        ours = sum((trick.winner - seen.seat) % 2 == 0 for trick in seen.view.tricks)
        expect(page.locator(".own-pile b")).to_have_text(str(ours))
        expect(page.locator(".own-pile .heap i")).to_have_count(min(ours, 6))
        expect(page.locator("#last .heap i")).to_have_count(min(len(seen.view.tricks) - ours, 6))
        for pile in ("#last > summary", ".own-pile"):
            page.click(pile)
            expect(page.locator(".last-box .card")).to_have_count(4)
            expect(page.locator(".last-box")).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.locator(".last-box")).to_be_hidden()
