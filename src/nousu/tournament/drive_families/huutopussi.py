"""Huutopussi: totals in fives, where the cards or the rounding make them so."""

from nousu.games.huutopussi import Rules
from nousu.tournament.messages import Refusal


def check(rules: Rules, preset: str, hands: int, scores: tuple[int, int]) -> None:
    """Raise `Refusal` unless these totals can be: nearly all rules pay in fives for every hand."""
    if not rules.in_fives or not any(score % 5 for score in scores):
        return
    raise Refusal(
        "all points of {preset} are multiples of five, not {a} and {b}",
        values={"preset": preset, "a": scores[0], "b": scores[1]},
        where="result",
        clause="HP-GR-13",
    )
