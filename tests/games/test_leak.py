"""Leaks planted on purpose: each must be caught by the laws, and the honest wrapper by none of them."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from broken_game import Bent, Legal
from nousu.engine import laws
from nousu.engine.actions import Action, Deal, Entry, Give, Play, Seal
from nousu.engine.cards import Card
from nousu.engine.game import Game, Hand, View
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find, tuppen


def leaking(preset: str, **leak: Any) -> tuple[Game, Any]:
    """The game of a preset with that leak in every hand."""
    game, rules = find(preset)
    return replace(game, start=lambda rules, setup: Bent(game.start(rules, setup), **leak)), rules


def secret_of(hand: Hand, seat: Seat) -> tuple[Card, ...]:
    """The cards of a seat: the secret that leaks."""
    return hand.view(seat).cards


def neighbour(seat: Seat | None) -> Seat:
    return 0 if seat is None else (seat + 1) % 4


def sealed(hand: Hand) -> list[Entry]:
    return [(by, action) for by, action in hand.log if isinstance(action, Seal)]


def a_card_in_cards(hand: Hand, view: View) -> View:
    return replace(view, cards=view.cards + secret_of(hand, neighbour(view.seat))[:1])


def a_spectator_sees_a_hand(hand: Hand, view: View) -> View:
    return view if view.seat is not None else replace(view, cards=secret_of(hand, 0))


def the_deal_in_heard(hand: Hand, view: View) -> View:
    return replace(view, heard=tuple((CHANCE, a) if isinstance(a, Deal) else (by, a) for by, a in hand.log))


def the_bid_in_heard(hand: Hand, view: View) -> View:
    pairs = zip(hand.log, view.heard, strict=True)
    return replace(view, heard=tuple(true if isinstance(true[1], Seal) else cut for true, cut in pairs))


def the_exchange_in_heard(hand: Hand, view: View) -> View:
    pairs = zip(hand.log, view.heard, strict=True)
    return replace(view, heard=tuple(true if isinstance(true[1], Give) else cut for true, cut in pairs))


def aces_in_facts(hand: Hand, view: View) -> View:
    aces = sum(card.rank == 12 for card in secret_of(hand, neighbour(view.seat)))
    return replace(view, facts={**view.facts.plain(), "aces": aces})


def bid_colour_in_facts(hand: Hand, view: View) -> View:
    bids = [str(action)[5] in "HD" for _, action in sealed(hand)]
    return replace(view, facts={**view.facts.plain(), "red": bids})


def answers_in_question(hand: Hand, view: View) -> View:
    if view.question is None or not sealed(hand):
        return view
    return replace(view, question=replace(view.question, answers=tuple(sealed(hand))))


def arrival_in_question(hand: Hand, view: View) -> View:
    """Nothing but the order in which the bids arrived."""
    if view.question is None or len(view.question.answers) < 2:
        return view
    order = [by for by, _ in sealed(hand)]
    answers = tuple(sorted(view.question.answers, key=lambda one: order.index(one[0])))
    return replace(view, question=replace(view.question, answers=answers))


def red_cards_in_counts(hand: Hand, view: View) -> View:
    red = [sum(card.suit in (1, 2) for card in secret_of(hand, seat)) for seat in range(4)]
    return replace(view, counts=tuple(red))


def the_next_card_in_trick(hand: Hand, view: View) -> View:
    seat = hand.owed()[0] if hand.owed() else 0
    legal = hand.legal(seat) if seat >= 0 else ()
    first = [(seat, action.card) for action in legal[:1] if isinstance(action, Play)]
    return replace(view, trick=(*view.trick, *first))


def order_of_legal(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    """The ace of spades on the left turns the list round."""
    return legal[::-1] if "SA" in map(str, secret_of(hand, neighbour(seat))) else legal


def a_card_less_in_legal(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    """One card may not be played as long as the next player has more spades."""
    more = sum(card.suit == 0 for card in secret_of(hand, neighbour(seat))) > 3
    return legal[1:] if more and len(legal) > 1 and isinstance(legal[0], Play) else legal


def order_of_owed(hand: Hand, owed: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Of seats waited for at once, those with the ace of spades come first."""
    return tuple(sorted(owed, key=lambda seat: seat >= 0 and "SA" not in map(str, secret_of(hand, seat))))


def somebody_else_owed(hand: Hand, view: View) -> View:
    return replace(view, owed=tuple(seat for seat in range(4) if "SA" in map(str, secret_of(hand, seat))))


VIEW_LEAKS = [
    a_card_in_cards,
    a_spectator_sees_a_hand,
    the_deal_in_heard,
    the_bid_in_heard,
    aces_in_facts,
    bid_colour_in_facts,
    answers_in_question,
    red_cards_in_counts,
    the_next_card_in_trick,
    somebody_else_owed,
    arrival_in_question,
]


LAWS = {
    "a_card_in_cards": {"view"},
    "a_spectator_sees_a_hand": {"view"},
    "the_deal_in_heard": {"view"},
    "the_bid_in_heard": {"view"},
    "somebody_else_owed": {"view"},
    "red_cards_in_counts": {"view"},
    "arrival_in_question": {"commute"},
    "bid_colour_in_facts": {"commute", "leak"},
    "answers_in_question": {"commute", "leak"},
}
"""Which laws may catch a leak of a view; the leak law where nothing stands here."""


def law_that_catches(game: Game, rules: Any, attempts: int = 20) -> str | None:
    """The law that catches a game within this many random hands, if one does."""
    for seed in range(attempts):
        try:
            laws.check(game, rules, 4, Random(seed), hands=1, worlds=0.5)
        except laws.LawBroken as broken:
            return broken.law
    return None


def test_honest_wrapper_is_not_accused() -> None:
    assert law_that_catches(*leaking("tuppi"), attempts=4) is None


def test_leaking_view_is_caught(subtests: pytest.Subtests) -> None:
    for leak in VIEW_LEAKS:
        with subtests.test(leak=leak):
            assert law_that_catches(*leaking("tuppi", see=leak)) in LAWS.get(leak.__name__, {"leak"})


def given_cards_in_facts(hand: Hand, view: View) -> View:
    given = [list(map(str, action.cards)) for _, action in hand.log if isinstance(action, Give)]
    return replace(view, facts={**view.facts.plain(), "given": given})


def the_stock_in_facts(hand: Hand, view: View) -> View:
    """The lowest card of the stock, whatever else is known."""
    stock = next((action.stock for _, action in hand.log if isinstance(action, Deal)), ())
    return replace(view, facts={**view.facts.plain(), "stock_has": str(min(stock, default=None))})


def laid_down_hands_in_facts(hand: Hand, view: View) -> View:
    """What those hold who have left the hand."""
    gone = set(range(len(view.counts))) - set(tuppen.Facts.of(view.facts).in_hand)
    laid = {seat: list(map(str, secret_of(hand, seat))) for seat in sorted(gone)}
    return replace(view, facts={**view.facts.plain(), "laid": laid})


def test_exchanges_packets_stock_and_laid_down_hands_stay_secret(subtests: pytest.Subtests) -> None:
    """Cards of a sooli or Huutopussi exchange, packets of pictures, the stock, hands of those who left."""
    for preset, leak, law in [
        ("tuppi", the_exchange_in_heard, "view"),
        ("tuppi", given_cards_in_facts, "leak"),
        ("huutopussi", the_exchange_in_heard, "view"),
        ("huutopussi", given_cards_in_facts, "leak"),
        ("tuppen_zk", the_exchange_in_heard, "view"),
        ("tuppen_zk", given_cards_in_facts, "leak"),
        ("tuppen_zk", the_stock_in_facts, "leak"),
        ("toepen", laid_down_hands_in_facts, "leak"),
    ]:
        with subtests.test(preset=preset, leak=leak, law=law):
            assert law_that_catches(*leaking(preset, see=leak), attempts=80) == law


@pytest.mark.parametrize("preset", ["huutopussi", "tuppen_zk", "toepen"])
def test_honest_hands_of_the_others_are_not_accused(preset: str) -> None:
    assert law_that_catches(*leaking(preset), attempts=5) is None


@pytest.mark.parametrize("leak", [order_of_legal, a_card_less_in_legal])
def test_legal_set_that_knows_too_much_is_caught(leak: Legal) -> None:
    assert law_that_catches(*leaking("tuppi", may=leak)) in {"leak", "refusal", "only legal"}


def test_owed_list_that_knows_too_much_is_caught() -> None:
    assert law_that_catches(*leaking("tuppi", due=order_of_owed)) == "leak"
