"""What a score of a match is worth: the question, the answer, and who reckons it (`<family>/equity.py`).

from nousu.players.equity import Asked, reckoned
reckoned("tuppi", Asked((48, 0))).sentence
"""

import json
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, NamedTuple

from nousu.games import find, part

__all__ = ["Asked", "MeasuredHands", "Reckoned", "Seen", "reckoned", "side_wins"]


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


class Seen(NamedTuple):
    """How hands of a preset were seen to end."""

    ways: Sequence[Sequence[Any]]
    """A way for a hand to end, as the family writes it, and last how often it was seen."""
    hands: int
    source: str
    """The command that measured it."""


class MeasuredHands:
    """What `outcomes.json` of a family's package keeps: how its hands were seen to end, by preset."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def _kept(self) -> Mapping[str, Mapping[str, Any]]:
        text = files(self._package).joinpath("outcomes.json").read_text(encoding="utf-8")
        found: Mapping[str, Mapping[str, Any]] = json.loads(text)
        return found

    @cached_property
    def presets(self) -> tuple[str, ...]:
        """The presets for which hands were measured."""
        return tuple(self._kept)

    @cached_property
    def _named(self) -> Mapping[object, str]:
        return {find(name)[1]: name for name in reversed(self.presets)}

    def seen(self, preset: str) -> Seen:
        """The measured hands of that preset; ValueError names the presets that have some."""
        if preset not in self.presets:
            raise ValueError(f"no hands of {preset} were measured; there are {', '.join(self.presets)}")
        return Seen(**self._kept[preset])

    def preset_of(self, rules: Hashable) -> str | None:
        """The measured preset that has exactly these rules; None where there is none."""
        return self._named.get(rules)


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
