"""The review of a finished hand: for whom, in which words, worked out beside the tables and once for all."""

import asyncio
import re
from dataclasses import replace
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import states
from nousu.engine.game import Hand
from nousu.engine.match import Match
from nousu.games import find
from nousu.players import find_player
from nousu.players.seat_loop import advance
from nousu.review import QUICK, HandReview, codec, review_hand
from nousu.server.errors import Unavailable
from nousu.server.live.reviews import WAITING, ReviewKey, Reviews, ReviewSubject
from nousu.server.live.workers import Workers
from nousu.server.pages.history.hand_review import APART, LEFT, RIGHT, curve
from nousu.server.storage.people import ReviewRow
from nousu.server.storage.store import Store, database_url
from waiting import settled

pytestmark = pytest.mark.native


def at_a_result(browser: TestClient, folder: Path, state: states.State) -> str:
    """The address of a table whose first hand is over, asked for by a person who sits there."""
    sitting, person = states.reach(state)
    browser.cookies.set("nousu", states.token(person))
    return f"/t/{states.put(folder / 'nousu.db', 'finished', sitting)}"


def finished(preset: str = "tuppi") -> Hand:
    """A hand of computer players."""
    match = Match.start(*find(preset), 4)
    while not match.played:
        after = advance(match, [find_player("rules")] * 4, 3)
        assert after is not None
        match = after
    return match.played[0].hand


async def opened(folder: Path) -> Store:
    """A database that may be there already."""
    return await Store.open(database_url(str(folder / "reviews.db")))


def test_review_is_computed_once_for_all(tmp_path: Path) -> None:
    done: list[bool] = []

    async def work(
        task: object, hand: Hand, seat: int, effort: object, seed: int, open_cards: bool
    ) -> HandReview:
        done.append(effort == QUICK)
        await asyncio.sleep(0)
        return review_hand(hand, seat, QUICK, seed, open_cards)

    async def ask() -> None:
        store = await opened(tmp_path)
        reviews, what = Reviews(work, lambda: store.people), ReviewSubject(finished(), "ann")
        asked = ReviewKey("t", 1, 0, True, False)
        assert not await reviews.is_ready(asked)
        one, other = await asyncio.gather(reviews.get(asked, what), reviews.get(asked, what))
        assert one is other and done == [True] and await reviews.is_ready(asked)
        full = await reviews.get(asked._replace(full=True), what)
        assert done == [True, False], "the full one was begun after the first answer, once"
        assert await reviews.get(asked._replace(full=True), what) is full
        await store.close()

    asyncio.run(ask())


def test_full_review_is_stored_until_its_user_is_deleted(
    tmp_path: Path,
) -> None:
    what, asked = ReviewSubject(finished(), "ann"), ReviewKey("t", 1, 0, True, True)

    async def work(
        task: object, hand: Hand, seat: int, effort: object, seed: int, open_cards: bool
    ) -> HandReview:
        return review_hand(hand, seat, QUICK, seed, open_cards)

    async def no_work(*_: object) -> HandReview:
        raise AssertionError("it was worked out before")

    async def ask() -> None:
        store = await opened(tmp_path)
        first = await Reviews(work, lambda: store.people).get(asked, what)
        await store.close()
        store = await opened(tmp_path)  # another process, later
        later = Reviews(no_work, lambda: store.people)
        assert await later.is_ready(asked) and await later.get(asked, what) == first
        assert not await later.is_ready(asked._replace(whole=False)), (
            "what speaks of all cards is another review"
        )
        assert [row.hand for row in await store.people.reviews("ann", codec.VERSION, 9)] == [1]
        await store.people.forget("ann", "Guest")
        assert await store.people.reviews("ann", codec.VERSION, 9) == []
        assert not await Reviews(no_work, lambda: store.people).is_ready(asked)
        await store.close()

    asyncio.run(ask())


def test_review_of_another_version_is_computed_again(tmp_path: Path) -> None:
    what, asked = ReviewSubject(finished(), ""), ReviewKey("t", 1, 0, True, True)

    async def work(
        task: object, hand: Hand, seat: int, effort: object, seed: int, open_cards: bool
    ) -> HandReview:
        return review_hand(hand, seat, QUICK, seed, open_cards)

    async def ask() -> None:
        store = await opened(tmp_path)
        for version, body in ((codec.VERSION - 1, "{}"), (codec.VERSION, "broken")):
            await store.people.add_review(ReviewRow("t", 1, 0, True, "", version, body, 0.0))
            reviews = Reviews(work, lambda: store.people)
            assert not await reviews.is_ready(asked)
            found = await reviews.get(asked, what)
            row = await store.people.review("t", 1, 0, True)
            assert row is not None and codec.decode(row.body) == found
        await store.close()

    asyncio.run(ask())


def test_review_comes_from_a_worker_in_every_family() -> None:
    """A reason that could not be sent between processes was an error on every server with workers."""
    hands = [finished(preset) for preset in ("tuppi", "huutopussi", "tuppen_zk")]

    async def ask() -> None:
        thinkers = Workers(1)
        try:
            for hand in hands:
                found = [
                    await thinkers.review(review_hand, hand, seat, QUICK, 5, True)
                    for seat in range(hand.setup.seats)
                ]
                assert found[0] == review_hand(hand, 0, QUICK, 5, True)
        finally:
            thinkers.close()

    asyncio.run(ask())


def test_reviews_are_limited_and_retried_after_a_failure(tmp_path: Path) -> None:
    async def ask() -> None:
        gate = asyncio.Event()

        async def work(*_: object) -> HandReview:
            await gate.wait()
            raise RuntimeError("the worker died")

        store = await opened(tmp_path)
        reviews, what = Reviews(work, lambda: store.people), ReviewSubject(finished(), "")
        waiting = [
            asyncio.create_task(reviews.get(ReviewKey("t", at, 0, True, False), what))
            for at in range(WAITING)
        ]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await reviews.get(ReviewKey("t", 99, 0, True, False), what)
        gate.set()
        failed = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(one, RuntimeError) for one in failed)
        assert not await reviews.is_ready(ReviewKey("t", 1, 0, True, False))
        await store.close()

    asyncio.run(ask())


def test_full_reviews_of_others_leave_room_for_first_answers(tmp_path: Path) -> None:
    """Progress pages of 24 sessions, which are free, shut the reviews of everybody for hours."""

    async def ask() -> None:
        gate = asyncio.Event()
        answer = review_hand(finished(), 0, QUICK, 0, True)

        async def work(_: object, hand: object, seat: object, effort: object, *rest: object) -> HandReview:
            if effort != QUICK:
                await gate.wait()
            return answer

        store = await opened(tmp_path)
        reviews, what = Reviews(work, lambda: store.people), ReviewSubject(finished(), "")
        for at in range(2 * WAITING):
            await reviews.ready({ReviewKey(f"t{at}", 1, 0, True, True): what}, f"person {at}")
        full = asyncio.create_task(reviews.get(ReviewKey("mine", 1, 0, True, True), what))
        assert await reviews.get(ReviewKey("theirs", 1, 0, True, False), what) == answer
        await asyncio.sleep(0.1)
        assert not full.done(), "it waits, and is not refused"
        await reviews.stop()
        await asyncio.gather(full, return_exceptions=True)
        await store.close()

    asyncio.run(ask())


def test_review_of_the_hand_that_is_shown(browser: TestClient, tmp_path: Path) -> None:
    address = at_a_result(browser, tmp_path, states.STATES["whist result"])
    index = re.search(r'"outcome":\{"index":(\d+)', browser.get(address).text)
    assert index is not None
    review = f"{address}/review/{index[1]}"
    page = browser.get(review)
    assert page.status_code == 200 and "What the hand was worth" in page.text
    assert "A first answer" in page.text and "data-refine" in page.text
    full = browser.get(review + "?full")
    assert "A first answer" not in full.text and "data-refine" not in full.text
    assert browser.get(review).text == full.text, "the full answer stays"


def test_review_reveals_no_secret_of_others(browser: TestClient, tmp_path: Path) -> None:
    """Until all cards of the hand are known to everybody, choices are weighed for who made them alone."""
    address = at_a_result(browser, tmp_path, states.STATES["tuppen result"])
    assert browser.get(f"{address}/review/1").status_code == 200
    other = next(
        seat for seat in range(2) if f"?seat={seat}&amp;full" not in browser.get(f"{address}/review/1").text
    )
    assert browser.get(f"{address}/review/1?seat={other}").status_code == 403
    assert browser.get(f"{address}/review/9").status_code == 404
    assert browser.get(f"{address}/review/1?seat=77").status_code == 404
    stranger = TestClient(browser.app, base_url="http://testserver")
    assert stranger.get(f"{address}/review/1").status_code == 403


def test_review_page_in_every_language(browser: TestClient, tmp_path: Path) -> None:
    address = at_a_result(browser, tmp_path, states.STATES["whist result"])
    for code in ("fi", "sv", "nb", "de", "en"):
        browser.post("/look", data={"lang": code, "back": "/"})
        page = browser.get(f"{address}/review/1").text
        assert f'<html lang="{code}"' in page
        assert ("What mattered" in page) == (code == "en")


def test_review_can_be_shared_when_all_cards_are_public(browser: TestClient, tmp_path: Path) -> None:
    """The link names the seat, so that everybody sees the same choices."""
    address = at_a_result(browser, tmp_path, states.STATES["whist over"])
    page = browser.get(f"{address}/review/1?seat=1&full").text
    assert 'id="share"' in page and 'data-seat="1"' in page
    stranger = TestClient(browser.app, base_url="http://testserver", headers={"accept-language": "en"})
    shared = stranger.get(f"{address}/review/1?seat=1")
    assert shared.status_code == 200 and "Whose choices" in shared.text
    assert re.findall("verdict--[a-z]+", shared.text) == re.findall("verdict--[a-z]+", page)


def test_match_review_shows_all_seats_once_over(browser: TestClient, tmp_path: Path) -> None:
    """The reviews that are not there yet come into it by and by. All hands and the best line stand behind a
    second click in the review of a hand."""
    address = at_a_result(browser, tmp_path, states.STATES["whist over"])
    first = browser.get(f"{address}/review?seat=all").text
    assert "0.0" not in first.partition("<tfoot>")[2], "nothing is known yet of those who are not reviewed"
    assert "reviews are being worked out" in first and first.count('<th scope="col"') == 8
    page = settled(browser, f"{address}/review?seat=2")
    assert 'href="' + f"{address}/review/1?seat=2" in page and "…" not in page
    assert page.count('<th scope="col">') == 5 and "Total" in page and "Costliest choice" in page
    stranger = TestClient(browser.app, base_url="http://testserver", headers={"accept-language": "en"})
    assert stranger.get(f"{address}/review?seat=2").text.count("<tr>") == page.count("<tr>")
    assert browser.get(f"{address}/review?seat=9").status_code == 404
    hand = browser.get(f"{address}/review/1?seat=2").text
    before, _, folded = hand.partition("Show all hands")
    assert "holding" not in before and "Best line" not in before
    assert folded.count("holding--n") >= 1 and "Best line with all hands open" in folded
    assert "Try another card from here" in hand


def test_void_hand_has_no_choices(browser: TestClient, tmp_path: Path) -> None:
    again = states.State(
        rules="huutopussi",
        when=lambda seen: states.resting(seen) and seen.match.played[-1].result.void,
        seed=5,
        eager=("redeal",),
    )
    page = browser.get(f"{at_a_result(browser, tmp_path, again)}/review/1").text
    assert "This hand was dealt again." in page and "Nothing better was found" not in page


def test_match_curve_is_shown_and_told(browser: TestClient, tmp_path: Path) -> None:
    page = browser.get(f"{at_a_result(browser, tmp_path, states.STATES['whist result'])}/review").text
    assert 'class="curve"' in page
    (label,) = re.findall(r"in percent, at the start and after each hand: ([\d, ]+)\.", page)
    assert label.startswith("50, ")


def test_match_review_without_par_says_why(browser: TestClient, tmp_path: Path) -> None:
    address = at_a_result(browser, tmp_path, states.STATES["tuppen result"])
    page = browser.get(f"{address}/review").text
    assert '<th scope="col">Par</th>' not in page and "who raises and who leaves" in page


def test_curve_dots_do_not_overlap() -> None:
    """A raise and the card after it, in Tuppen, belong to the same trick."""
    review = review_hand(finished(), 0, QUICK)
    late = replace(review.judged[0], step=review.curve[-1].step)
    drawn = curve(review.curve, [late, late, late], "en")
    assert drawn is not None
    for first, second in combinations(drawn.dots, 2):
        assert hypot(first.x - second.x, first.y - second.y) >= APART
    assert all(LEFT < dot.x <= RIGHT for dot in drawn.dots)


def test_tuppen_says_how_it_counts(browser: TestClient, tmp_path: Path) -> None:
    page = browser.get(f"{at_a_result(browser, tmp_path, states.STATES['tuppen result'])}/review/1").text
    assert "Three tenths of what the others lose on average are counted as won." in page


def test_review_omits_players_out_of_the_hand(browser: TestClient, tmp_path: Path) -> None:
    """Eight had a link to their choices, and a place among all hands, though two were still playing. Whoever
    goes to that address all the same reads that there was nothing to choose, and nothing of choices."""
    sitting, person = states.reach(states.STATES["tuppen over"])
    browser.cookies.set("nousu", states.token(person))
    address = f"/t/{states.put(tmp_path / 'nousu.db', 'finished', sitting)}"
    assert sitting.table.match is not None
    shown: list[int] = []
    for number, played in enumerate(sitting.table.match.played, 1):
        counts = played.hand.log[0][1].hands
        dealt = {seat for seat, cards in enumerate(counts) if cards}
        for seat in dealt:
            page = browser.get(f"{address}/review/{number}?seat={seat}").text
            *_, whose = page.partition('class="review-whose"')
            assert set(map(int, re.findall(r"\?seat=(\d)", whose.partition("</nav>")[0]))) == dealt
            shown += (page.count('class="holding'), page.count("Show all hands") * len(dealt))
    assert len(dealt) == 2 and any(shown) and shown[::2] == shown[1::2]
    page = browser.get(f"{address}/review/{number}?seat={min(set(range(8)) - dealt)}").text
    assert "There was nothing to choose in this hand." in page and "Nothing better was found" not in page


def test_choices_of_others_are_hidden_during_a_match(browser: TestClient, tmp_path: Path) -> None:
    """Nor the cards of others that were not played, not even in the review of the own choices."""
    address = at_a_result(browser, tmp_path, states.STATES["whist result"])
    own = browser.get(f"{address}/review").text
    assert "Whose choices" not in own and own.count('<th scope="col">') == 5
    assert browser.get(f"{address}/review?seat=all").status_code == 403
    assert "holding" not in browser.get(f"{address}/review/1").text
    stranger = TestClient(browser.app, base_url="http://testserver")
    assert stranger.get(f"{address}/review").status_code == 403
    assert stranger.get(f"{address}/review?seat=0").status_code == 403
