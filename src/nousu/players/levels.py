"""Levels that people like to play with: the rule-based player with limited memory and inference.

A level makes the oversights of people and is as good in the first hand as in the last: the same position and
seed give the same card. As a partner no level throws a made hand away: in the last tricks, where a careful
count leaves few ways for the cards to lie, it plays a card that reaches the goal of the hand in each of them
if there is one (`MADE`). The distances between the levels are in docs/research/strength.md.
"""

from collections.abc import Mapping
from random import Random

from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.players import Budget, Choice, notice
from nousu.players.rules import RulesPlayer
from nousu.players.searcher import CertainSearcher, SearchEffort, searcher_extension
from nousu.players.skill import FULL, Attention
from nousu.solver.api import compiled

MADE = SearchEffort(worlds=20, nodes=200_000, cards=4)
"""The effort for a made hand: at most so many cards in a hand, and three times so many deals."""
MADE_PLAIN = SearchEffort(worlds=6, nodes=10_000, cards=2)
"""The effort for a made hand without the compiled core."""

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
"""Attention of each level by family; full attention in families that are not listed. Chosen so that each
level wins at least six matches of ten against the one before, with four at the table. In Tuppen all levels
mind earlier raises: a player that does not has wars of raises, and dies in the first hand of most games."""


class Level:
    """A player of one level."""

    def __init__(self, notices: Mapping[str, Attention]) -> None:
        self._rules = {game: RulesPlayer(attention) for game, attention in notices.items()}
        self._full = RulesPlayer(FULL)

    def notice(self, game: str) -> Note | None:
        """A warning that this family has no rules of thumb; None where it has some."""
        return notice(self._full, game)

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action by its rules of thumb, except that a made hand is not thrown away."""
        usual = self._rules.get(view.game, self._full).choose(view, budget, seed)
        if len(view.legal) == 1:
            return usual
        family = searcher_extension(CertainSearcher, view.game)
        if family is None:
            return usual
        effort = MADE if compiled() else MADE_PLAIN
        return family.sure_choice(view, effort, Random(seed), usual) or usual

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """The word of the rules of thumb out of turn; None for silence."""
        return self._rules.get(view.game, self._full).interrupt(view, budget, seed)


PLAYERS = {name: Level(notices) for name, notices in LEVELS.items()}
