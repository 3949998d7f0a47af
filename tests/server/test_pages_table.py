"""The view of a table in every game: each legal action has its place, and nothing hidden is named."""

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

import states
from nousu.engine.actions import Action, Give, Show
from nousu.engine.cards import Card
from nousu.engine.laws import known_cards
from nousu.extensions import Point, extension
from nousu.games import games
from nousu.i18n import LANGUAGES
from nousu.i18n.reader import Reader
from nousu.server.pages.table import fallback
from nousu.server.pages.table.cards import ROW_LENGTH, hand_layout, suit_order
from nousu.server.pages.table.family import HandNotes, TablePage, hand_notes, table_page
from nousu.server.pages.table.huutopussi import HuutopussiView
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.live_view import encode
from nousu.server.pages.table.lobby import LobbyView
from nousu.server.pages.table.page_view import page_view
from nousu.server.pages.table.table_view import TableView
from nousu.server.pages.table.tuppen import TuppenView
from nousu.server.table.view import SeatView
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

PRESETS = [name for game in games().values() for name in game.presets]
READER = Reader.of("en")


class Offers:
    """Actions that a view offers, and the cards that it names."""

    def __init__(self, view: TableView | LobbyView) -> None:
        self.texts = list(_texts(json.loads(encode(view))))
        self.acts: set[str] = set()
        self.choose: set[str] = set()
        self.many: dict[str, int] = {}
        if isinstance(view, LobbyView):
            return
        self.acts |= {card.act for card in view.hand if card.act}
        self.acts |= {button.act for button in (*view.bids, *view.acts)}
        self.acts |= {button.act for button in (view.ask.presses if view.ask else ())}
        self.acts |= {act for act, _ in (view.more.choices if view.more else ())}
        self.choose |= {card.card for card in view.hand if card.choose}
        self.many |= {view.many.act: view.many.many} if view.many else {}

    def offers(self, action: Action) -> bool:
        """Whether this action can be done on the page."""
        if str(action) in self.acts:
            return True
        if not isinstance(action, Give | Show):
            return False
        cards = " ".join(map(str, action.cards))
        count = self.many.get(str(action).replace(cards, "{}"))
        return count == len(action.cards) and set(cards.split()) <= self.choose

    @property
    def cards(self) -> set[Card]:
        """Every card that the view shows: as a code, or in words at the beginning of a text."""
        codes = {str(card): card for card in games()["whist"].deck}
        found = {codes[text] for text in self.texts if text in codes}
        for card in codes.values():
            suit = ("spades", "hearts", "diamonds", "clubs")[card.suit]
            rank = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}.get(card.letter, card.letter)
            if any(text.startswith(f"{rank} of {suit}") for text in self.texts):
                found.add(card)
        return found


def _texts(value: object) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def seen_by(sitting: Sitting, session: str | None) -> SeatView:
    return view_of(sitting.table, session, sitting.now, "en")


@pytest.mark.parametrize("looks", [18, pytest.param(45, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", PRESETS)
def test_table_shows_legal_actions_and_nothing_hidden(preset: str, looks: int) -> None:
    sitting = Sitting(preset, persons=4)
    rng = random.Random(preset)
    offered = 0
    for _ in range(looks):
        sitting.played(rng, rng.randrange(1, 9))
        for session in ("p0", "p1", "p2", "p3", None):
            seen = seen_by(sitting, session)
            if not seen.started:
                continue
            page = Offers(page_view(seen, READER))
            for action in seen.view.legal:
                assert page.offers(action) != seen.turns_up, (preset, seen.view.facts.phase, str(action))
                offered += 1
            known = known_cards(seen.view)
            assert page.cards <= known, (preset, page.cards - known)
            assert not any("{" in text and "{}" not in text for text in page.texts)
        if sitting.table.over:
            break
    assert offered > looks or sitting.table.over


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi", "huutopussi_erlangen", "tuppen_zk"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_table_renders_whole_matches_in_every_language(preset: str, language: str) -> None:
    sitting = Sitting(preset, persons=4)
    rng = random.Random(5)
    reader = Reader.of(language)
    before = None
    for _ in range(20):
        sitting.played(rng, 11)
        after = view_of(sitting.table, "p1", sitting.now, language)
        assert json.loads(encode(page_view(after, reader)))["seq"] == after.seq
        text = announcement(before, after, reader)
        assert "{" not in text and "??" not in text
        before = after


def test_kontra_asks_once_and_shows_how_often_the_contract_counts() -> None:
    sitting, rng = Sitting("huutopussi_erlangen", persons=4), random.Random(3)
    sure, counted = set(), set()
    for _ in range(600):
        sitting.played(rng, 1)
        for person in ("p1", "p2", "p3", "p4"):
            page = page_view(view_of(sitting.table, person, sitting.now, "en"), READER)
            if isinstance(page, HuutopussiView):
                sure |= {press.sure for press in page.acts if press.act in ("kontra", "re")}
                counted |= {page.progress.times} if page.progress else set()
    assert sure == {"Really double the contract?"}
    assert {1, 2, 4} <= counted


def test_fallback_page_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fallback: every family played with the plain picture alone."""
    monkeypatch.setattr("nousu.server.pages.table.page_view.table_page", lambda game: fallback)
    for preset in ("tuppi", "huutopussi", "toepen"):
        sitting = Sitting(preset, persons=4)
        rng = random.Random(1)
        for _ in range(25):
            sitting.played(rng, 4)
            for session in ("p0", "p2"):
                seen = seen_by(sitting, session)
                page = Offers(page_view(seen, READER))
                for action in seen.view.legal:
                    assert page.offers(action) != seen.turns_up, (preset, str(action))


def test_table_of_eight_players() -> None:
    sitting = Sitting("toepen", persons=8)
    sitting.until_asked()
    view = page_view(seen_by(sitting, "p5"), READER)
    assert isinstance(view, TuppenView)
    assert len(view.mats) == 7 and view.crowded
    assert {(mat.column, mat.row) for mat in view.mats} == {
        *((1, row) for row in range(1, 5)),
        *((3, row) for row in range(1, 4)),
    }


def test_announcement_covers_everything_since_the_last() -> None:
    sitting = Sitting("tuppi", persons=1, computers=3)
    sitting.until_asked()
    seen = seen_by(sitting, "p0")
    assert announcement(None, seen, READER).endswith("Choose your bid.")
    rng = random.Random(2)
    while not seen.waiting:
        seat = seen.seat
        assert seat is not None
        sitting.does(seat, rng.choice(seen.view.legal))
        sitting.until_asked()
        before, seen = seen, seen_by(sitting, "p0")
        result = announcement(before, seen, READER)
        for by, action in seen.view.heard[len(before.view.heard) :]:
            assert ("You " if by == seen.seat else seen.names[by]) in result, (str(action), result)
    assert "Next hand?" in result
    assert announcement(seen, seen, READER) == "Next hand?"


@pytest.mark.parametrize("name", [name for name, state in states.STATES.items() if state.when is states.over])
def test_decisive_hand_is_the_one_that_moved_the_lead_most(name: str) -> None:
    sitting, person = states.reach(states.STATES[name])
    for viewer in (states.session(person), None):
        seen = view_of(sitting.table, viewer, sitting.now, "en")
        view = page_view(seen, READER)
        assert isinstance(view, TableView) and view.outcome is not None
        winner = seen.match.winner or ()
        assert view.outcome.winners or not winner
        if len(winner) != 1 or not view.outcome.decided:
            assert len(winner) != 1 or seen.match.rules.max_hands is not None
            continue
        start = (getattr(seen.match.rules, "start_points", 0),) * len(seen.match.tally.score())
        scores = [start, *[hand.score for hand in seen.match.played]]
        if seen.match.game == "tuppen":  # a half at its end sets the points anew
            scores = [start, *[tuple(map(int, row[1:])) for row in view.sheet.rows]] if view.sheet else []

        def lead(score: tuple[int, ...], winner: int = winner[0]) -> int:
            return score[winner] - max(points for side, points in enumerate(score) if side != winner)

        said = re.fullmatch(
            r"Hand (\d+) decided: "
            r"(?:(−?\d+) \+ (\d+) = (−?\d+) for .+?|.+? fell from (−?\d+) to (−?\d+))\..*",
            view.outcome.decided,
        )
        assert said is not None, view.outcome.decided
        number, *figures = [int(part.replace("−", "-")) for part in said.groups() if part is not None]
        at = max(at for at, hand in enumerate(seen.match.played) if hand.number == number)
        before, after = scores[at], scores[at + 1]
        growth = [lead(two) - lead(one) for one, two in pairwise(scores)]
        assert growth[at] == max(growth) > 0
        if len(figures) == 3:
            assert figures[0] + figures[1] == figures[2]
        assert (figures[0], figures[-1]) in list(zip(before, after, strict=True))


def test_suits_alternate_and_the_row_breaks_between_two_suits() -> None:
    rng = random.Random(4)
    deck = list(games()["whist"].deck)
    for _ in range(300):
        rng.shuffle(deck)
        hand = tuple(deck[: rng.randrange(1, 15)])
        held = [suit for suit in suit_order(hand) if any(card.suit == suit for card in hand)]
        red = [suit in (1, 2) for suit in held]
        if len(held) == 4 or (len(held) == 3 and sum(red) in (1, 2)):
            assert all(one != other for one, other in pairwise(red))
        spots = hand_layout(hand, hand)
        assert sorted(spot.card for spot in spots) == sorted(hand)
        rows = [sum(spot.row == row for spot in spots) for row in (0, 1)]
        assert max(rows) <= ROW_LENGTH and (len(hand) > ROW_LENGTH) == (rows[1] > 0)


def test_playing_a_card_does_not_reorder_the_suits() -> None:
    hand = tuple(games()["whist"].deck)[::4]
    order = [spot.card for spot in hand_layout(hand, hand)]
    for gone in hand:
        left = tuple(card for card in hand if card != gone)
        assert [spot.card for spot in hand_layout(left, hand)] == [card for card in order if card != gone]


def test_forced_reveal_is_no_button() -> None:
    """A moment later another button would lie under the finger."""
    sitting = Sitting("tuppi", 4, 0)
    while not any(seen_by(sitting, f"p{at}").turns_up for at in range(4)):
        seat = next(iter(sitting.match.hand.owed())) if sitting.table.match is not None else -1
        if seat < 0 or not sitting.match.hand.legal(seat):
            sitting.self_done()
        else:
            sitting.does(seat, sitting.view(seat).legal[0])
    person = next(f"p{at}" for at in range(4) if seen_by(sitting, f"p{at}").turns_up)
    view = page_view(seen_by(sitting, person), READER)
    assert isinstance(view, TableView)
    assert view.line == "What you laid face down is turned up"
    assert not Offers(view).acts and not view.many


def test_the_winner_of_a_hand_of_tuppen_is_not_spoken_of_by_name() -> None:
    sitting, _ = states.reach(states.STATES["tuppen over"])
    views = [
        page_view(view_of(sitting.table, states.session(person), sitting.now, "en"), READER)
        for person in (0, 1)
    ]
    titles = [view.outcome.title for view in views if isinstance(view, TableView) and view.outcome]
    assert titles == ["You win the hand:", "Sanni wins the hand"]


def test_lost_match_has_no_winning_colour() -> None:
    sitting, _ = states.reach(states.STATES["whist over"])
    winners = sitting.match.winner
    assert winners is not None
    for person in range(4):
        seen = view_of(sitting.table, states.session(person), sitting.now, "en")
        view = page_view(seen, READER)
        assert isinstance(view, TableView) and seen.seat is not None
        assert view.lost == (seen.seat % 2 not in winners), person


def test_families_follow_the_protocols_of_the_table_page() -> None:
    for family in games():
        assert extension(TablePage, Point.PAGES, family) is table_page(family)
        assert extension(HandNotes, Point.PAGES, family) is hand_notes(family)
    assert table_page("another") is hand_notes("another") is fallback
