"""Levels that people like to play with: rules of thumb by somebody who notices so much and no more.

A level overlooks what people overlook and is as good in the first hand as in the last: the same position and
seed give the same card. As a partner none throws a made hand away: in the last tricks, where a careful count
of what everybody has seen leaves few ways for the cards to lie, it plays a card that reaches the goal of the
hand in each of them if there is one (`MADE`). How far apart the levels stand is in docs/research/strength.md.
"""

from collections.abc import Mapping
from random import Random

from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.games import part
from nousu.players import Budget, Choice, notice
from nousu.players.rules import RulesPlayer
from nousu.players.searcher import Effort
from nousu.players.skill import FULL, Attention
from nousu.solver.api import compiled

MADE = Effort(worlds=20, nodes=200_000, cards=4)
"""How far a made hand is looked after: so many cards left in a hand, at most three times so many deals."""
MADE_PLAIN = Effort(worlds=6, nodes=10_000, cards=2)
"""The same without the compiled core."""

_ALL = Attention(tricks=0, infers=False, weighs=False, bids=False)
LEVELS: Mapping[str, Mapping[str, Attention]] = {
    "beginner": {
        "whist": _ALL._replace(high=11),
        "huutopussi": _ALL,
        "tuppen": _ALL._replace(infers=True, along=1),
    },
    "easy": {
        "whist": Attention(tricks=4, infers=False),
        "huutopussi": Attention(tricks=4, infers=False, weighs=False),
        "tuppen": Attention(bids=False, along=2, ahead=False),
    },
    "club": {"tuppen": Attention(bids=False, along=3)},
}
"""What each level notices in each family; all of it where nothing stands. Chosen so that each wins at least
six matches of ten against the one before, with four at the table. In Tuppen all mind who has raised: who does
not has wars of raises, and somebody dies in the first hand of most games."""


class Level:
    """A player of one level."""

    def __init__(self, notices: Mapping[str, Attention]) -> None:
        self._rules = {game: RulesPlayer(attention) for game, attention in notices.items()}
        self._full = RulesPlayer(FULL)

    def notice(self, game: str) -> Note | None:
        """That this family has no rules of thumb, if so."""
        return notice(self._full, game)

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """What its rules of thumb say, except that a made hand is not thrown away."""
        usual = self._rules.get(view.game, self._full).choose(view, budget, seed)
        if len(view.legal) == 1:
            return usual
        sure = getattr(part("nousu.players", view.game, "searcher"), "sure", None)
        if sure is None:
            return usual
        found: Choice | None = sure(view, MADE if compiled() else MADE_PLAIN, Random(seed), usual)
        return found or usual

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """What its rules of thumb say out of turn."""
        return self._rules.get(view.game, self._full).interrupt(view, budget, seed)


PLAYERS = {name: Level(notices) for name, notices in LEVELS.items()}
