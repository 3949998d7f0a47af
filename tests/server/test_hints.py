"""Hints at learning tables: only there, only from what the seat knows, and told to everybody at the table."""

import random
import re
import time
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from nousu.engine.actions import Call, Play, parse_action, single
from nousu.engine.cards import parse_card
from nousu.engine.game import Hand
from nousu.engine.laws import other_world
from nousu.engine.match import Match
from nousu.engine.record import read
from nousu.games import find, games
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.reader import Reader
from nousu.players import Budget, Choice, find_player
from nousu.review import compare_actions
from nousu.review.playouts import hand_before
from nousu.server.live.workers import advise, consider
from nousu.server.pages.table.hints import hint
from nousu.server.people.actions import asked_action
from nousu.server.table.options import TableOptions
from nousu.server.table.table import Table
from nousu.server.table.view import Advice, SeatView
from nousu.server.table.view_builder import view_of
from nousu.teaching.lessons import course

READER = Reader.of("en")
WASTED_ACE = Path(__file__).parent.parent / "review" / "wasted_ace.nousu"
"""In trick 4 North throws the ace of hearts under South's king, which had won the trick already."""


def _opened(client: TestClient, preset: str, **options: str) -> str:
    """A table against computer players, opened by its form; its address."""
    sent = {"preset": preset, "name": "Aino", "player": "rules", **options}
    answer = client.post("/new", data=sent, follow_redirects=False, headers={"origin": "http://testserver"})
    assert answer.status_code == 303, answer.text
    table = str(answer.headers["location"])
    for _ in range(600):  # until the table has started and asks for a bid
        if '"my_turn":true' in client.get(table).text:
            return table
        time.sleep(0.05)
    raise AssertionError("the table has not started")


def _seen(match: Match, seat: int) -> SeatView:
    """A learning table at which that match is played, as that seat sees it."""
    empty = Table.new("t", "tuppi", match.seats, b"x" * 32, TableOptions.parse({"learning": "yes"}), find)
    table = replace(empty, game=match.game, rules=match.rules, match=match)
    seen = view_of(table, None, 0.0, "en")
    names = ("Aino", "Eero", "Kaisa", "Kerttu")[: match.seats]
    return replace(seen, seat=seat, view=match.hand.view(seat), names=names)


def _played(preset: str, seed: int, actions: int) -> Match:
    """A match some actions old."""
    game, rules = find(preset)
    rng = random.Random(seed)
    match = Match.start(game, rules, 4).deal(rng)
    for _ in range(actions):
        if match.hand.owed() == (-1,):
            match = match.deal(rng)
        seat = match.hand.owed()[0]
        match = match.apply(seat, find_player("rules").choose(match.hand.view(seat), Budget(), 1).action)
    return match


def _other(match: Match, seat: int, seed: int) -> Hand | None:
    """Another world that the seat cannot tell from this one."""
    setup = match.hand.setup
    return other_world(match.hand, lambda: match.game.start(match.rules, setup), seat, random.Random(seed))


def _asked(seen: SeatView) -> list[Advice]:
    """A hint without a question, and about each of some choices, as the desk has them worked out."""
    budget = Budget(0.02, 3)
    found, _ = advise("searcher", seen.view, budget, None)
    asked = [asked_action(seen, card, "") for card in seen.view.cards[:2]]
    words = [action for action in seen.view.legal if isinstance(action, Call)][:1]
    return [
        Advice(seen, found),
        *(
            Advice(seen, found, single(one), one, advise("searcher", seen.view, budget, one)[1])
            for one in (*asked, *words)
            if one is not None
        ),
    ]


@pytest.mark.parametrize(
    ("preset", "seeds"), [("tuppi", 4), ("minnesota", 3), ("huutopussi", 1), ("tuppen_zk", 12)]
)
def test_hint_is_the_same_in_worlds_that_look_alike(preset: str, seeds: int) -> None:
    compared = measured = 0
    for seed in range(seeds):
        match = _played(preset, seed, (26, 3, 12, 20, 0, 8)[seed % 6])
        seat = next((one for one in match.hand.owed() if one >= 0), None)
        other = None if seat is None else _other(match, seat, seed)
        if seat is None or other is None:
            continue
        result = []
        for hand in (match.hand, other):
            advice = _asked(_seen(replace(match, hand=hand), seat))
            result.append("\n".join(repr(hint(one, Reader.of("en"))) for one in advice).encode())
            measured += sum(one.beside is not None and one.beside.deals > 0 for one in advice)
        assert result[0] == result[1]
        compared += 1
    assert compared and measured, "figures were among them"


@pytest.mark.native
def test_hint_tells_the_cost_of_another_card() -> None:
    (hand,) = [one.hand for one in read(WASTED_ACE.read_text("utf-8"), find).match.played]
    wasted = next(step for step, (by, action) in enumerate(hand.log) if by == 0 and str(action) == "play HA")
    here = hand_before(hand, wasted)
    match = Match.start(games()["whist"], hand.view(None).rules, 4)
    seen = _seen(replace(match, hand=here), 0)
    ace = asked_action(seen, parse_card("HA"), "")
    assert ace is not None
    beside = compare_actions(seen.view, ace, parse_action("play H7"))
    assert beside is not None and beside.clear == 1 and beside.cost is not None and beside.cost > 0.5
    assert compare_actions(seen.view, ace, parse_action("play H7")) == beside, (
        "the same position, the same answer"
    )
    choice = Choice(parse_action("play H7"))
    result = hint(Advice(seen, choice, None, ace, beside), Reader.of("en")).asked
    assert "The good player’s choice is better by " in " ".join(
        result
    ) and f"{beside.deals} deals" in " ".join(result)
    mirrored = compare_actions(seen.view, parse_action("play H7"), ace)
    assert mirrored is not None and mirrored.clear == -1
    assert mirrored.cost == pytest.approx(-beside.cost), "tried in the same deals"
    touching = compare_actions(seen.view, parse_action("play H7"), parse_action("play H8"))
    assert touching is not None and touching.alike
    result = hint(Advice(seen, choice, None, parse_action("play H8"), touching), Reader.of("en")).asked
    assert "It is as good as the good player’s choice." in result


@pytest.mark.native
def test_hint_imagines_likely_face_down_bids() -> None:
    match = _played("minnesota", 0, 3)
    (seat,) = match.hand.owed()
    view = match.hand.view(seat)
    high, low = (next(one for one in view.legal if str(one)[5] in suits) for suits in ("CS", "DH"))
    found = compare_actions(view, low, high)
    assert found is not None and found.ahead[0] != found.ahead[1], (
        "it is not always another one who says high"
    )


def test_hint_names_sure_cards_and_voids() -> None:
    found = course("tuppi")
    assert found is not None
    lesson = next(one for one in found.lessons if one.id == "long")
    match = replace(Match.start(found.game, find("tuppi")[1], 4), hand=lesson.hand)
    seen = _seen(match, lesson.seat)
    five = parse_card("D5")
    choice = consider("rules", seen.view, Budget(), 1)
    result = hint(Advice(seen, choice, five, asked_action(seen, five, "")), Reader.of("en"))
    assert "Highest of their suits now: ace of diamonds." in result.known
    assert "Aino has shown 9 of spades and still holds it." in result.known
    assert result.asked == ("6 higher cards of its suit are still out.",)
    match = _played("tuppi", 3, 50)
    seat = match.hand.owed()[0]
    seen = _seen(match, seat)
    out = {
        (by, trick.plays[0][1].suit)
        for trick in seen.view.tricks
        for by, card in trick.plays
        if by != seat and card.suit != trick.plays[0][1].suit
    }
    said = [text for text in hint(Advice(seen, None), Reader.of("en")).known if text.endswith(" left.")]
    assert len(said) == len(out) > 0


def test_hints_of_a_learning_table_are_announced(client: TestClient) -> None:
    table = _opened(client, "tuppi", learning="yes")
    page = client.get(table).text
    assert f'href="{table}/hint"' in page and "hints may be asked for" in page
    for language in LANGUAGES:
        client.post("/look", data={"lang": language}, headers={"origin": "http://testserver"})
        answer = client.get(f"{table}/hint")
        assert answer.status_code == 200
        assert translator(language)("A good player would consider:") in unescape(answer.text)
    part = client.get(f"{table}/hint?script&card=H2").json()
    assert part["choice"] and set(part) == {"choice", "reason", "asked", "known", "others"}
    client.post("/look", data={"lang": "en"}, headers={"origin": "http://testserver"})
    ways = unescape(client.get(f"{table}/hint").text).split("hint?act=")[1:]
    assert ways
    for way in ways[:2]:
        answer = unescape(client.get(f"{table}/hint?act=" + way.partition('"')[0]).text)
        assert "that fit what you know" in answer or "comes to the same" in answer
    stranger = TestClient(client.app)
    watching = stranger.get(table).text
    assert "hints may be asked for" in watching and f"{table}/hint" not in watching
    assert stranger.get(f"{table}/hint").status_code == 403


def test_hint_is_refused_outside_learning_tables(client: TestClient) -> None:
    table = _opened(client, "tuppi")
    assert "/hint" not in client.get(table).text
    answer = client.get(f"{table}/hint")
    assert answer.status_code == 400 and "not opened for learning" in unescape(answer.text)


def test_hint_request_that_is_nonsense_is_refused_in_a_sentence(client: TestClient) -> None:
    table = _opened(client, "tuppi", learning="yes")
    assert "This is not a card." in client.get(f"{table}/hint?card=X9").text
    assert client.get("/t/none/hint").status_code == 404


def test_refusal_links_to_its_rule(client: TestClient) -> None:
    table = _opened(client, "tuppi")
    with client.websocket_connect(f"{table}/live", headers={"origin": "http://testserver"}) as connection:
        while "view" not in (message := connection.receive_json()):
            pass
        held = message["view"]["hand"][0]["card"]
        connection.send_json({"act": f"play {held}", "seq": message["seq"], "key": "key-of-its-own"})
        while "error" not in (answer := connection.receive_json()):
            pass
    clause = answer["clause"]
    assert clause.startswith("T-") and f'id="{clause}"' in client.get("/rules/tuppi").text


ORDER = {"tuppi": "23456789TJQKA", "huutopussi": "6789JQKTA", "tuppen_zk": "JQKA789T"}


@pytest.mark.parametrize("preset", ORDER)
def test_hint_statements_about_cards_are_true(preset: str) -> None:
    """Counted plainly: by the cards that are really out, and by what the others really hold."""

    def above(one: str, other: str) -> bool:
        height = [ORDER[preset].index(card[1:].replace("10", "T")) for card in (one, other)]
        return one[0] == other[0] and height[0] > height[1]

    checked = 0
    for seed in range(16):
        match = _played(preset, seed, 5 + seed)
        owed = match.hand.owed()
        if not owed or owed[0] < 0 or getattr(match.hand.view(None).facts, "soloist", None) is not None:
            continue
        seen = _seen(match, owed[0])
        view = seen.view
        held = {
            name: match.hand.view(seat).cards for seat, name in enumerate(seen.names) if seat != view.seat
        }
        pack = [str(card) for card in match.game.deck]
        gone = {str(card) for trick in view.tricks for _, card in trick.plays}
        out = [card for card in pack if card not in gone | set(map(str, view.cards))]
        out = [card for card in out if card not in {str(one) for _, one in view.trick}]
        for text in hint(Advice(seen, None), Reader.of("en")).known:
            if void := re.fullmatch(r"(\w+) has no (\w+) left\.", text):
                assert not any(str(card)[0] == void[2][0].upper() for card in held[void[1]])
                checked += 1
            if text.startswith("Highest of their suits now: "):
                tops = [card for card in view.cards if not any(above(one, str(card)) for one in out)]
                assert text.count(",") + 1 == len(tops)
                checked += 1
        for action in view.legal if view.phase == "play" else ():
            card = single(action)
            if card is None or not isinstance(action, Play):
                continue
            result = " ".join(hint(Advice(seen, None, card, action), Reader.of("en")).asked)
            higher = sum(above(one, str(card)) for one in out)
            assert (f"{higher} higher card" in result) == (higher > 0)
            assert ("is the highest of its suit now" in result) == (higher == 0)
            checked += 1
    assert checked > 20
