"""The moment of another table's hand at which a table begins that plays on from there."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from nousu.engine.game import Game, Setup
from nousu.engine.match import Match
from nousu.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """A moment of a finished hand, as the table that plays on from it stores it among its options."""

    table: str
    """The id of the table the hand was played at."""
    hand: int
    """The index of the hand among the finished ones there, from 1."""
    at: int
    """Number of entries of the hand's log before the moment."""
    seat: Seat
    """The seat of the person who plays on."""
    number: int
    """The number of the hand in its match."""
    dealer: Seat
    standing: Mapping[str, Any]
    """The score before the hand, in plain form."""

    @classmethod
    def parse(cls, text: str) -> "BranchPoint":
        """The branch point in the text that `format` wrote."""
        return cls(**json.loads(text))

    def format(self) -> str:
        """The text that is stored."""
        return json.dumps(asdict(self))

    @property
    def path(self) -> str:
        """The address of the moment on the replay's page."""
        return f"/t/{self.table}/hand/{self.hand}?at={self.at}&eyes={self.seat}"

    def match(self, game: Game, rules: Any, seats: int) -> Match:
        """The match at the beginning of that hand, before the deal."""
        match = Match.start(game, rules, seats, self.dealer)
        tally = match.tally if game.standing is None else game.standing(rules, seats, self.standing)
        hand = game.start(rules, Setup(seats, self.dealer, tally, self.number))
        return replace(match, hand=hand, tally=tally)
