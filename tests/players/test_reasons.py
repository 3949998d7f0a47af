"""Every reason that states a fact is true of the position, counted here plainly with all cards seen."""

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from nousu.engine.actions import Play
from nousu.engine.cards import Card
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.games import find, huutopussi, tuppen
from nousu.players import DEFAULT_BUDGET, Choice, find_player

ORDER = {"whist": "23456789TJQKA", "huutopussi": "6789JQKTA", "tuppen": "JQKA789T"}


def _height(view: View, card: Card) -> int:
    soloist = view.game == "whist" and getattr(view.facts, "soloist", None) is not None
    order = "A23456789TJQK" if soloist else ORDER[view.game]
    return order.index(str(card)[1:].replace("10", "T"))


def _beats(view: View, card: Card, other: Card) -> bool:
    return card.suit == other.suit and _height(view, card) > _height(view, other)


def _winning(view: View) -> tuple[int, Card]:
    best = view.trick[0]
    for play in view.trick[1:]:
        best = play if _beats(view, play[1], best[1]) else best
    return best


def _hands_now(hand: Hand, view: View) -> dict[int, tuple[Card, ...]]:
    """What each of the others really holds."""
    return {seat: hand.view(seat).cards for seat in range(len(view.counts)) if seat != view.seat}


def _card(choice: Choice) -> Card:
    assert isinstance(choice.action, Play)
    return choice.action.card


def _no_higher(hand: Hand, view: View, choice: Choice) -> bool:
    return not any(
        _beats(view, one, _card(choice)) for held in _hands_now(hand, view).values() for one in held
    )


def _takes(view: View, card: Card) -> bool:
    return not view.trick or _beats(view, card, _winning(view)[1])


def _plays(view: View) -> list[Card]:
    return [action.card for action in view.legal if isinstance(action, Play)]


def _highest_that_ducks(hand: Hand, view: View, choice: Choice) -> bool:
    lower = [card for card in _plays(view) if not _takes(view, card) and card.suit == _card(choice).suit]
    return not _takes(view, _card(choice)) and max(lower, key=lambda one: _height(view, one)) == _card(choice)


def _cheapest_winner(hand: Hand, view: View, choice: Choice) -> bool:
    """No lower card would have won, but for one that touches it: others hold none in between."""
    taking = [one for one in _plays(view) if _takes(view, one) and _beats(view, _card(choice), one)]
    others = [card for held in _hands_now(hand, view).values() for card in held]
    return _takes(view, _card(choice)) and all(
        not any(_beats(view, card, one) and _beats(view, _card(choice), card) for card in others)
        for one in taking
    )


def _longest(hand: Hand, view: View, choice: Choice) -> bool:
    lengths = Counter(card.suit for card in view.cards)
    return lengths[_card(choice).suit] == max(lengths.values())


def _partners_suit(hand: Hand, view: View, choice: Choice) -> bool:
    partner = ((view.seat or 0) + 2) % 4
    return any(
        trick.leader == partner and trick.plays[0][1].suit == _card(choice).suit for trick in view.tricks
    )


def _couple(hand: Hand, view: View, choice: Choice) -> bool:
    held = Counter(card.suit for card in view.cards if str(card)[1:] in "KQ")
    return 2 in held.values()


def _percent(hand: Hand, view: View, choice: Choice) -> bool:
    assert choice.reason is not None
    return 0 <= int(choice.reason.values["chance"]) <= 100  # type: ignore[arg-type]


def _costs_alike(hand: Hand, view: View, choice: Choice) -> bool:
    facts, me = tuppen.Facts.of(view.facts), view.seat or 0
    return tuppen.leaving_costs(view.rules, facts, me) >= tuppen.losing_costs(facts, me)


def _partner_wins(hand: Hand, view: View, choice: Choice) -> bool:
    return bool(view.trick) and _winning(view)[0] % 2 == (view.seat or 0) % 2


def _partner_bid(hand: Hand, view: View, choice: Choice) -> bool:
    auction = huutopussi.Facts.of(view.facts).auction
    by, _ = max(
        ((by, bid) for by, bid in auction if isinstance(bid, huutopussi.Bid)), key=lambda x: x[1].points
    )
    return by == ((view.seat or 0) + 2) % 4


FACTS: dict[str, Callable[[Hand, View, Choice], bool]] = {
    "This card is high now": _no_higher,
    "The highest card that does not win": _highest_that_ducks,
    "Won as cheaply as possible": _cheapest_winner,
    "A small card of the longest suit": _longest,
    "Back in the partner’s suit": _partners_suit,
    "Second hand plays low": lambda hand, view, choice: len(view.trick) == 1,
    "Third hand plays high": lambda hand, view, choice: len(view.trick) == 2,
    "The partner’s card is good enough": _partner_wins,
    "The partner wins this trick": _partner_wins,
    "A marriage in hand: {suit} are trumps": _couple,
    "The partner has the bid": _partner_bid,
    "The chance to win the hand is {chance}%": _percent,
    "Leaving costs as much as losing": _costs_alike,
}
"""Reasons that state a fact, and the fact."""


def _positions(preset: str, hands: int) -> Iterator[tuple[Hand, View, Choice]]:
    """Choices of players who mostly do as the rules of thumb say, and sometimes anything."""
    game, rules = find(preset)
    for seed in range(hands):
        rng = random.Random(seed)
        match = Match.start(game, rules, 4).deal(rng)
        while match.hand.owed() and not match.played:
            if match.hand.owed() == (-1,):
                match = match.deal(rng)
                continue
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            choice = find_player("rules").choose(view, DEFAULT_BUDGET, seed)
            yield match.hand, view, choice
            match = match.apply(seat, rng.choice(view.legal) if rng.random() < 0.25 else choice.action)


def test_reason_is_true_of_the_position(subtests: pytest.Subtests) -> None:
    for preset, least in [("tuppi", 8), ("minnesota", 8), ("huutopussi", 2), ("tuppen_zk", 1)]:
        with subtests.test(preset=preset, least=least):
            wrong, checked = [], Counter[str]()
            for hand, view, choice in _positions(preset, 20):
                message = choice.reason.message if choice.reason is not None else ""
                if message in FACTS:
                    checked[message] += 1
                    if not FACTS[message](hand, view, choice):
                        wrong.append(
                            f"{message}: {choice.action} of {view.cards} in {view.trick} ({view.facts})"[:400]
                        )
            assert wrong == []
            assert len(checked) >= least, checked
