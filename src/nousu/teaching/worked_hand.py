"""The worked hand of a rules page: a record in the package, replayed by the rules in force.

``records/<preset>.nousu`` holds one hand for each preset. The engine replays it for every page, so its tricks
and its score cannot be wrong. Where a table's own rules do not allow the hand, it is shown by the rules of
the preset.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from nousu.engine.actions import Call, Deal
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Game
from nousu.engine.match import Match, Played
from nousu.engine.messages import Note
from nousu.engine.record import Record, read
from nousu.extensions import Point, extension
from nousu.games import find, games

RECORDS = Path(__file__).parent / "records"

Comments = Mapping[tuple[int, str, str], Note]
"""The teacher's remark on a trick, by its number, the card led and the card that takes it."""


class HandComments(Protocol):
    """A family's module at `Point.TEACHING` that comments on its worked hands."""

    COMMENTS: Comments


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A finished hand with the names of its players."""

    names: tuple[str, ...]
    played: Played
    rules: Any
    by_own_rules: bool
    """Whether it was replayed by the rules in force; otherwise by those of their preset."""

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """The cards as they were dealt, by seat."""
        return next(action.hands for _, action in self.played.hand.log if isinstance(action, Deal))


def worked_example(game: Game, rules: Any, preset: str) -> WorkedExample | None:
    """The worked hand of these rules; None for a preset without a record."""
    return _worked_example(game.name, rules, preset)


@lru_cache(64)
def _worked_example(family: str, rules: Any, preset: str) -> WorkedExample | None:
    path = RECORDS / f"{preset}.nousu"
    if not path.exists():
        return None
    record = read(path.read_text(encoding="utf-8"), find)
    played = _replay(games()[family], rules, record)
    if played is not None:
        return WorkedExample(record.names, played, rules, True)
    return WorkedExample(record.names, record.match.played[0], record.match.rules, False)


def _replay(game: Game, rules: Any, record: Record) -> Played | None:
    """Replay the recorded hand by other rules, without the calls that they do not ask for.

    Returns:
        The hand; None if a card or bid is not allowed, or the hand does not end.
    """
    match = Match.start(game, rules, record.match.seats, record.match.dealer)
    for seat, action in record.match.played[0].hand.log:
        try:
            match = match.apply(seat, action)
        except IllegalAction:
            if not isinstance(action, Call):
                return None
        if match.played:
            return match.played[0]
    return None


def comment(game: Game, number: int, led: Card, best: Card) -> Note | None:
    """The teacher's remark on a trick; None where the family has none."""
    family = extension(HandComments, Point.TEACHING, game.name)
    return None if family is None else family.COMMENTS.get((number, str(led), str(best)))
