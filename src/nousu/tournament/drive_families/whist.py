"""Minnesota and Norwegian Whist and their relatives: hands by tricks, and bounds of totals."""

import re
from dataclasses import replace

from nousu.engine.errors import BadRules
from nousu.engine.game import Result
from nousu.engine.messages import sentence
from nousu.engine.seats import side
from nousu.games.whist import TRICKS, Outcome, Rules, payoffs, score
from nousu.tournament.messages import Refusal

BY_TRICKS = re.compile(r"([rnhlg])([AB])(\d+)")
"""A hand as a word: its kind (r, h and g high, n and l low), a side and that side's tricks."""


def adds_up(rules: Rules) -> bool:
    """Whether both sides keep their points; in Tuppi one falls when the other scores."""
    return rules.score_model == "cumulative"


def of_hands(rules: Rules, hands: int) -> Rules | None:
    """The rules of a match that ends after this many hands and not before, drawn if both sides are level.

    Its target is out of reach. None where no target is high enough.
    """
    beyond = max(1, bounds(rules, hands)[1] + 1)
    try:
        return replace(rules, target=beyond, max_hands=hands, limit_tiebreak=("draw",))
    except BadRules:
        return None


def by_tricks(result: Result) -> str:
    """A hand that was played, as a word: gA9 A bid high and took 9, lA5 a low hand in which A took 5."""
    outcome = Outcome.of(result.outcome)
    if outcome.kind == "high":
        assert outcome.bidder is not None
        by = side(outcome.bidder)
        return f"g{'AB'[by]}{outcome.tricks[by]}"
    return f"lA{outcome.tricks[0]}"


def trick_points(rules: Rules, word: str, where: str) -> tuple[int, int]:
    """Points of A and B for a hand written by kind, side and tricks."""
    parts = BY_TRICKS.fullmatch(word)
    if parts is None or int(parts[3]) > TRICKS:
        raise Refusal(
            "{word} is not a hand; write rA9 (A bid high, 9 tricks) or nA5 (low, A took 5), 13 "
            "tricks at most",
            values={"word": word},
            where=where,
        )
    side, own = "AB".index(parts[2]), int(parts[3])
    tricks = (own, TRICKS - own) if side == 0 else (TRICKS - own, own)
    return score(rules, "high", side, tricks) if parts[1] in "rhg" else score(rules, "low", None, tricks)


def bounds(rules: Rules, hands: int) -> tuple[int, int, int, int]:
    """Bounds of the points in this many hands: least and most for one side, least and most for both."""
    singles = [points for both in payoffs(rules) for points in both]
    sums = [sum(both) for both in payoffs(rules)]
    return hands * min(singles), hands * max(singles), hands * min(sums), hands * max(sums)


def check(rules: Rules, preset: str, hands: int, scores: tuple[int, int]) -> None:
    """Raise `Refusal` unless this many hands (0: unknown) can make these totals."""
    if not hands:
        return
    a, b = scores
    low, high, sum_low, sum_high = bounds(rules, hands)
    for total in (a, b):
        if not low <= total <= high:
            raise Refusal(
                sentence(
                    "in {hands} hand nobody can score {score}; the range is {low} to {high}",
                    "in {hands} hands nobody can score {score}; the range is {low} to {high}",
                ),
                values={"score": total, "hands": hands, "low": low, "high": high},
                where="result",
            )
    if not sum_low <= a + b <= sum_high:
        raise Refusal(
            sentence(
                "{hands} hand scores {low} to {high} for both sides together, not {sum}",
                "{hands} hands score {low} to {high} for both sides together, not {sum}",
            ),
            values={"sum": a + b, "hands": hands, "low": sum_low, "high": sum_high},
            where="result",
        )
