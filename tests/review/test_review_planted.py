"""Clear mistakes in everything that is chosen beside a card: each planted in a hand of the rules of thumb."""

from collections.abc import Callable

import pytest

from nousu.engine.actions import Action, Call, Give, Seal
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.games import find, huutopussi
from nousu.games.whist import Facts, bid_in, means_high
from nousu.players import find_player
from nousu.players.seat_loop import advance
from nousu.review import QUICK, JudgedChoice, review_hand

Pick = Callable[[View], Action | None]
TEN, QUEEN, KING, ACE = 8, 10, 11, 12
"""Ranks."""


def _with(view: View, word: type) -> list[Call]:
    return [one for one in view.legal if isinstance(one, Call) and isinstance(huutopussi.said(one), word)]


def _gifts(view: View) -> list[Give]:
    return [one for one in view.legal if isinstance(one, Give)]


def sooli_with_court_cards(view: View) -> Action | None:
    """Five cards from the queen up: one of them takes a trick."""
    high = sum(card.rank >= QUEEN for card in view.cards)
    return Call("sooli") if high >= 5 and Call("sooli") in view.legal else None


def two_laid_aside_in_sooli(view: View) -> Action | None:
    """The lowest card is the last to be laid aside; the queens stay."""
    if Facts.of(view.facts).soloist != view.seat or all(card.rank < QUEEN for card in view.cards):
        return None
    return next((one for one in _gifts(view) if one.cards[0].rank == 0), None)


def rami_on_small_cards(view: View) -> Action | None:
    """One card above the ten."""
    if sum(card.rank > TEN for card in view.cards) > 1:
        return None
    bids = {one: bid_in(one) for one in view.legal if isinstance(one, Seal)}
    return next((one for one, bid in bids.items() if bid is not None and means_high(bid, view.rules)), None)


def nolo_on_court_cards(view: View) -> Action | None:
    """Six cards from the queen up."""
    if sum(card.rank >= QUEEN for card in view.cards) < 6:
        return None
    bids = {one: bid_in(one) for one in view.legal if isinstance(one, Seal)}
    return next(
        (one for one, bid in bids.items() if bid is not None and not means_high(bid, view.rules)), None
    )


def highest_bid(view: View) -> Action | None:
    """All points and all marriages."""
    return max(_with(view, huutopussi.Bid), key=lambda one: int(one.word), default=None)


def highest_contract(view: View) -> Action | None:
    """All points and all marriages, once the bid is won."""
    return max(_with(view, huutopussi.Contract), key=lambda one: int(one.word.split()[1]), default=None)


def worst_packet(view: View) -> Action | None:
    """The partner of the declarer gives no ace, king or ten."""

    def points(gift: Give) -> int:
        return sum(card.rank in (TEN, KING, ACE) for card in gift.cards)

    return min(_gifts(view), key=points, default=None)


def question_instead_of_a_marriage(view: View) -> Action | None:
    """Asking for a marriage with one in hand: the attempt of this lead is lost if there is none."""
    return next(iter(_with(view, huutopussi.AskFull)), None) if _with(view, huutopussi.Declare) else None


MISTAKES: tuple[tuple[str, Pick, int], ...] = (
    ("tuppi", sooli_with_court_cards, 1),
    ("tuppi", two_laid_aside_in_sooli, 1),
    ("tuppi", rami_on_small_cards, 5),  # before, the others are sure to have a rami
    ("tuppi", nolo_on_court_cards, 1),
    ("huutopussi", highest_bid, 1),
    ("huutopussi", highest_contract, 1),
    ("huutopussi", worst_packet, 1),
    ("huutopussi", question_instead_of_a_marriage, 1),
)
"""Rules, what is planted, and the seed of the match."""


def review_of_planted(preset: str, pick: Pick, seed: int) -> JudgedChoice:
    """What is thought of the first choice that `pick` makes worse, everything else being played by the rules
    of thumb."""
    match, company = Match.start(*find(preset), 4), [find_player("rules")] * 4
    place: tuple[int, int, int] | None = None
    while place is None or len(match.played) == place[0]:
        seat = next(iter(match.hand.owed()), -1)
        view = match.hand.view(seat if seat >= 0 else None)
        worse = pick(view) if place is None and view.legal else None
        if worse is not None:
            place = len(match.played), len(match.hand.log), seat
            match = match.apply(seat, worse)
            continue
        after = advance(match, company, seed)
        if after is None:
            return review_of_planted(preset, pick, seed + 1)  # it never came up in that match
        match = after
    number, step, seat = place
    (found,) = review_hand(match.played[number].hand, seat, QUICK, only=[step]).judged
    return found


@pytest.mark.native
@pytest.mark.parametrize(
    ("preset", "pick", "seed"), [pytest.param(*row, id=row[1].__name__) for row in MISTAKES]
)
def test_planted_fault_is_called_a_mistake(preset: str, pick: Pick, seed: int) -> None:
    found = review_of_planted(preset, pick, seed)
    assert found.verdict in ("mistake", "lucky"), found
    assert found.best != found.action and found.cost.low > 0
    assert found.options[-1].value < found.options[0].value
