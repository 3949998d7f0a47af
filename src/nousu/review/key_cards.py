"""The layouts that decide between two actions: the most telling single fact about the hidden cards."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import NormalDist

from nousu.engine.cards import CARDS, SUIT_SETS, CardSet, cards_of
from nousu.engine.seats import Seat
from nousu.review.model import KeyLayout
from nousu.review.statistics import effective

RARE = 0.05
"""The smallest share of the deals for which a layout is named."""
CHANCE = 0.01
"""The probability, at most, that layouts are named where the costs have nothing to do with them."""
_Key = tuple[Seat, int | None, int, bool]


def key_layouts(
    hands: Sequence[Sequence[CardSet]], known: CardSet, costs: Sequence[float], weights: Sequence[float]
) -> tuple[KeyLayout, ...]:
    """The two or three layouts of hidden cards that differ most in the cost of an action, costliest first.

    Args:
        hands: The cards of each seat in every deal.
        known: The cards that the seat knows.
        costs: The cost of the action in every deal, in points.
        weights: The weight of every deal.

    Returns:
        The layouts; none if they differ no more than by chance.
    """
    total = sum(weights)
    if total <= 0 or len(hands) < 2:
        return ()
    mean = sum(cost * weight for cost, weight in zip(costs, weights, strict=True)) / total
    best: tuple[float, list[tuple[float, float, _Key]]] = (1e-9 * total, [])  # a smaller spread is rounding
    questions = list(_questions(hands, known))
    for question in questions:
        sums: dict[_Key, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for key, cost, weight in zip(question, costs, weights, strict=True):
            if key is not None:
                sums[key][0] += weight
                sums[key][1] += weight * cost
        groups = [(one, two / one, key) for key, (one, two) in sums.items() if one > 0]
        explained = sum(share * (cost - mean) ** 2 for share, cost, _ in groups)
        if len(groups) > 1 and explained > best[0] * 1.0001:
            best = explained, groups
    spread = sum(weight * (cost - mean) ** 2 for cost, weight in zip(costs, weights, strict=True))
    groups = best[1]
    deals = effective(weights) - len(groups)
    if not groups or best[0] / spread * deals < _bound(len(groups) - 1, len(questions)):
        return ()
    rows = sorted(groups, key=lambda group: -abs(group[1]))
    layouts = tuple(
        KeyLayout(key[0], None if key[1] is None else CARDS[key[1]], key[2], key[3], share / total, cost)
        for share, cost, key in rows
        if share / total >= RARE
    )[:3]
    return layouts if len(layouts) > 1 else ()


def _bound(free: int, questions: int) -> float:
    """The chance bound of the share of the spread that groups explain, times the number of deals.

    It is exceeded with probability `CHANCE` when the best of `asked` questions is taken: a quantile of
    chi-squared with `free` degrees of freedom, by the approximation of Wilson and Hilferty.
    """
    ninth = 2 / (9 * free)
    return float(free * (1 - ninth + NormalDist().inv_cdf(1 - CHANCE / questions) * sqrt(ninth)) ** 3)


def _questions(hands: Sequence[Sequence[CardSet]], known: CardSet) -> Iterator[list[_Key | None]]:
    """Answers for every deal to each question: who holds this card? is that seat out of this suit?"""
    seats = range(len(hands[0]))
    everything = 0
    for deal in hands:
        for held in deal:
            everything |= held
    for card in cards_of(everything & ~known):
        yield [
            next(((seat, int(card), card.suit, False) for seat in seats if deal[seat] >> card & 1), None)
            for deal in hands
        ]
    for suit, cards in enumerate(SUIT_SETS):
        for seat in seats:
            holding = [bool(deal[seat] & cards & ~known) for deal in hands]
            if any(holding) and not all(holding):
                yield [(seat, None, suit, not held_some) for held_some in holding]
