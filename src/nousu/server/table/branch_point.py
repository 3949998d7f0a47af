"""Where a table begins that plays on from a moment of another table's hand."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from nousu.engine.game import Game, Setup
from nousu.engine.match import Match
from nousu.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Position:
    """Where a rehearsal begins, as its table keeps it among its options."""

    table: str
    """The table it comes from."""
    hand: int
    """The place of the hand among the finished ones there, from 1."""
    at: int
    """The moment: after so many entries of the hand's log."""
    seat: Seat
    """Where the person sits."""
    number: int
    """The number of the hand in its match."""
    dealer: Seat
    standing: Mapping[str, Any]
    """The score before the hand, in plain form."""

    @classmethod
    def read(cls, text: str) -> "Position":
        """The position that `text` wrote."""
        return cls(**json.loads(text))

    @property
    def text(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self))

    @property
    def path(self) -> str:
        """The address of the moment on the replay's page."""
        return f"/t/{self.table}/hand/{self.hand}?at={self.at}&eyes={self.seat}"

    def match(self, game: Game, rules: Any, seats: int) -> Match:
        """The match at the beginning of that hand, waiting for the cards."""
        match = Match.start(game, rules, seats, self.dealer)
        tally = match.tally if game.standing is None else game.standing(rules, seats, self.standing)
        hand = game.start(rules, Setup(seats, self.dealer, tally, self.number))
        return replace(match, hand=hand, tally=tally)
