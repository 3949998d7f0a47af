"""What a score of a match is worth: the question, the answer, and who reckons it (`<family>/equity.py`).

from nousu.players.equity import Asked, reckoned
reckoned("tuppi", Asked((48, 0))).sentence
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nousu.games import find, part

__all__ = ["Asked", "Reckoned", "reckoned", "side_wins"]


class Asked(NamedTuple):
    """A score between two hands."""

    points: tuple[int, ...] = ()
    """Points of both sides, or of everybody where each plays for himself; empty: as a match begins."""
    totals: tuple[int, int] | None = None
    """Points collected in all, where the number of hands is limited."""
    peaks: tuple[int, int] | None = None
    """The highest rises, where they decide at that limit."""
    hands: int = 0
    """Hands played, where their number is limited."""


class Reckoned(NamedTuple):
    """What the score is worth, and what that rests on."""

    points: Sequence[int]
    figures: Mapping[str, object]
    """The worth by name, for programs."""
    sentence: str
    verb: str
    """What a hand does in the ways listed: it ends so, or costs so much."""
    ways: Sequence[tuple[Sequence[int], float]]
    """How hands were seen to end, with their shares."""
    hands: int
    """Hands played to see it."""
    source: str
    """The command that measured it."""


def reckoned(preset: str, asked: Asked) -> Reckoned:
    """What a score of these rules is worth when all play equally well.

    BadRules for a preset that does not exist; ValueError, with what would be right, where no hands of it were
    measured or its matches have no such score.
    """
    game, _ = find(preset)
    family = part("nousu.players", game.name, "equity")
    if family is None:
        raise ValueError(f"no hands of {preset} were measured")
    found: Reckoned = family.reckoned(preset, asked)
    return found


def side_wins(
    points: Sequence[int], won: float, ways: Sequence[tuple[Sequence[int], float]], hands: int, source: str
) -> Reckoned:
    """The answer where two sides play: the chance of North–South."""
    sentence = f"North–South win {100 * won:.1f} % of the matches"
    return Reckoned(points, {"wins": round(won, 6)}, sentence, "ends", ways, hands, source)
