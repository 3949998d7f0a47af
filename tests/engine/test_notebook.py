"""Displays of hands, tricks and matches at a prompt and in notebooks: short, readable, no hidden cards."""

import re
from itertools import pairwise
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import nousu
from nousu.engine.cards import Card, cards_of, hand_text, parse_card
from nousu.engine.laws import random_match
from nousu.engine.match import Match
from nousu.engine.tricks import Trick
from nousu.notebook.html import SIGNS
from nousu.notebook.html import html as html_or_none
from nousu.solver import parse_deal

PRESETS = ["tuppi", "huutopussi", "tuppen_zk"]


def html(value: object) -> str:
    text = html_or_none(value)
    assert text is not None
    return text


def steps(preset: str) -> list[Match]:
    return [match for match, _ in random_match(*nousu.find(preset), 4, Random(3), hands=2)]


@pytest.mark.parametrize("preset", PRESETS)
def test_representations_fit_on_three_lines(preset: str) -> None:
    for match in steps(preset):
        shown = [match, match.hand, match.hand.view(0), match.hand.view(None), *match.played, match.game]
        for one in shown:
            assert len(repr(one)) <= 300 and "\n" not in repr(one), repr(one)
            assert repr(one).startswith("<") and not re.search(r"\d{6}", repr(one)), repr(one)


def test_match_says_where_it_stands() -> None:
    match = nousu.start("huutopussi", seed=1)
    assert repr(match) == "<Match huutopussi: hand 1, E to act, score 0 0>"
    assert repr(steps("tuppi")[0]) == "<Match tuppi: hand 1, to be dealt, score 0 0>"
    *_, (over, _) = random_match(*nousu.find("tuppi+target=4"), 4, Random(1))
    assert over.winner == (0,) and repr(over).startswith("<Match tuppi+target=4: won by N–S after ")


@pytest.mark.parametrize("preset", PRESETS)
def test_hand_shows_its_cards(preset: str) -> None:
    match = nousu.start(preset, seed=1)
    for seat in range(4):
        held = match.hand.view(seat).cards
        assert hand_text(held) in repr(match.hand)
        assert all(card.letter in html(match.hand) for card in held)


@pytest.mark.parametrize("preset", PRESETS)
def test_view_shows_nothing_its_seat_does_not_know(preset: str) -> None:
    """Two deals in which North holds the same cards and the others have changed theirs look the same."""
    for match in steps(preset):
        view = match.hand.view(0)
        known = {*view.cards, *(card for trick in (*view.tricks, view) for _, card in _plays(trick))}
        named = {parse_card(text) for text in re.findall(r"\b[SHDC](?:10|[2-9JQKA])\b", repr(view))}
        assert named <= known
        cells = re.sub(r"<[^>]*>|&nbsp;", " ", html(view))
        shown = sum(cells.count(sign) for sign in "♠♥♦♣")
        suits = len({card.suit for card in view.cards})
        assert shown == suits + sum(len(_plays(trick)) for trick in (*view.tricks, view))


def _plays(trick: object) -> tuple[tuple[int, nousu.engine.cards.Card], ...]:
    return trick.plays if isinstance(trick, Trick) else trick.trick  # type: ignore[attr-defined]


def test_trick_shows_its_winner() -> None:
    trick = Trick(0, ((0, parse_card("S10")), (1, parse_card("HA")), (2, parse_card("SJ"))), 2)
    text = html(trick)
    assert re.findall("<b>(.*?)</b>", text)[0].startswith("S&nbsp;") and text.count("<b>") == 1
    assert re.sub(r"<[^>]*>", "", text) == "N&nbsp;♠10 E&nbsp;♥A S&nbsp;♠J"


def test_position_is_written_with_its_cards() -> None:
    position = parse_deal("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q")
    assert repr(position).startswith("<Position N to play: N S:A H:K D:Q C:J / E ")
    assert hand_text(cards_of(position.hands[3])) in repr(position)


@pytest.mark.parametrize("preset", PRESETS)
def test_picture_shows_what_the_line_says(preset: str) -> None:
    """A hand all its cards, a view those of its seat and of the trick and how many the others hold."""
    for match in steps(preset)[::9]:
        hand, view = svg_facts(match.hand), svg_facts(match.hand.view(0))
        held = [match.hand.view(seat).cards for seat in range(4)]
        assert svg_facts(match) == hand and hand["title"] == html(match.hand).split("<")[2][8:]
        trick = [f"{SIGNS[card.suit]}{card.letter}" for _, card in match.hand.view(None).trick]
        assert hand["trick"] == view["trick"] == sorted(trick)
        assert sorted(hand["cards"]) == sorted(card_named(card) for cards in held for card in cards)
        assert sorted(view["cards"]) == sorted(map(card_named, held[0]))
        assert view["counts"] == [len(cards) for cards in held[1:]]


def card_named(card: Card) -> str:
    return f"{SIGNS[card.suit]}{card.letter}"


def svg_facts(shown: object) -> dict[str, Any]:
    """What an SVG says, read as XML: its title, cards in hands and in the trick, numbers of hidden cards."""
    root = ElementTree.fromstring(nousu.svg(shown))  # type: ignore[arg-type]
    name = "{http://www.w3.org/2000/svg}"
    words = [one.text or "" for one in root.findall(f"{name}text")]
    cards, counts = [], []
    for sign, letters in pairwise(words):
        if sign and sign in SIGNS and letters != "–":
            cards += [f"{sign}{letter}" for letter in letters.split()]
    counts = [int(word.split()[0]) for word in words if re.fullmatch(r"\d+ cards?", word)]
    trick = ["".join(part.text or "" for part in one) for one in root.findall(f"{name}text") if len(one)]
    return {"title": root.findtext(f"{name}title"), "cards": cards, "counts": counts, "trick": sorted(trick)}


def test_tricks_and_positions_have_pictures() -> None:
    trick = Trick(0, ((0, parse_card("S10")), (1, parse_card("HA")), (2, parse_card("SJ"))), 2)
    assert svg_facts(trick) == {"title": "Won by S", "cards": [], "counts": [], "trick": ["♠10", "♠J", "♥A"]}
    assert re.search(
        r'font-weight="bold"><tspan fill="#111">♠</tspan><tspan fill="#111">J</tspan>', nousu.svg(trick)
    )
    position = parse_deal("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q")
    assert svg_facts(position)["title"] == "N to play" and len(svg_facts(position)["cards"]) == 16
    assert html(position).count("<tr>") == 4
    with pytest.raises(TypeError, match="no picture of a int"):
        nousu.svg(1)  # type: ignore[arg-type]


def test_names_are_no_html() -> None:
    record = nousu.read(nousu.write(nousu.start("minnesota"), ["<b>", "&", "C", "D"]))
    assert "<b>" not in html(record) and "<b>" in repr(record)


def test_names_must_be_as_many_as_seats() -> None:
    with pytest.raises(ValueError, match="2 names for 4 seats"):
        nousu.write(nousu.start("minnesota"), ["A", "B"])


def test_facade_says_what_is_wrong() -> None:
    for wrong, said in (
        (lambda: nousu.start("tarot"), "there is no preset ‘tarot’"),
        (lambda: nousu.start("toepen", seats=2), "toepen is for 3 to 8 players, not 2"),
        (lambda: nousu.start("tuppi", dealer=4), "‘4’ is not a seat"),
        (lambda: nousu.solve("N:A... K... Q... J...", "grand"), "'grand' is not a goal"),  # type: ignore[arg-type]
        (lambda: nousu.read("hello"), "line 1: expected 'nousu record 1', found 'hello'"),
    ):
        with pytest.raises(ValueError, match=said):
            wrong()


def test_ipython_shows_values_as_html_and_svg() -> None:
    from IPython.testing.globalipapp import start_ipython

    from nousu.notebook import register_displays

    session = start_ipython()
    session.display_formatter.active_types = ["text/plain", "text/html", "image/svg+xml"]
    assert register_displays(session)
    show = session.display_formatter.format
    match = nousu.start("tuppi", seed=1)
    trick = Trick(0, ((0, parse_card("S10")), (1, parse_card("HA"))), 0)
    for value in (
        match,
        match.hand,
        match.hand.view(0),
        trick,
        parse_deal("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q"),
    ):
        data, _ = show(value)
        assert data["text/html"] == html(value)
        assert data["image/svg+xml"] == nousu.svg(value)  # type: ignore[arg-type]
    data, _ = show(parse_card("H9"))
    assert "9" in data["text/html"] and "image/svg+xml" not in data
    assert set(show(1)[0]) == {"text/plain"}
