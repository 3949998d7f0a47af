"""The worked hand of a rules page: a record in the package, replayed by the rules in force.

``records/<preset>.nousu`` holds one hand for each preset. The engine replays it for every page, so its tricks
and its score cannot be wrong. Where a table's own rules do not allow the hand, it is shown by the rules of
the preset.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, Protocol

from nousu.engine.actions import Call, Deal, Entry, Play
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Game
from nousu.engine.match import Match, Played
from nousu.engine.messages import Note
from nousu.engine.record import Record, read
from nousu.engine.tricks import Trick
from nousu.extensions import Point, extension
from nousu.games import find, games

RECORDS = Path(__file__).parent / "records"

Comments = Mapping[tuple[int, str, str], Note]
"""The teacher's remark on a trick, by its number, the card led and the card that takes it."""


class HandComments(Protocol):
    """A family's module at `Point.TEACHING` that comments on its worked hands."""

    COMMENTS: Comments


Part = tuple[tuple[Entry, ...], tuple[Entry, ...]]
"""Words or shown cards in a row, and the cards that are played after them."""


@dataclass(frozen=True, slots=True)
class ExampleTrick:
    """A trick with the words said in it."""

    parts: tuple[Part, ...]
    """The course of the hand, in order."""
    trick: Trick | None
    """The trick, if it was completed."""


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

    @property
    def before(self) -> tuple[Entry, ...]:
        """The entries before the first card is played, the deal apart."""
        return self._course()[: next(iter(self._plays()), None)]

    @property
    def steps(self) -> tuple[ExampleTrick, ...]:
        """The rest of the hand trick by trick; words between two tricks belong to the second."""
        course, places = self._course(), self._plays()
        tricks: tuple[Trick | None, ...] = self.played.hand.view(None).tricks
        ends = list(accumulate((len(trick.plays) for trick in tricks if trick), initial=0))
        if ends[-1] < len(places):  # the hand ended within a trick
            tricks, ends = (*tricks, None), [*ends, len(places)]
        cuts = [places[0] if places else len(course), *(places[end - 1] + 1 for end in ends[1:])]
        cuts[-1] = len(course)
        return tuple(
            ExampleTrick(_parts(course[start:stop]), trick)
            for trick, start, stop in zip(tricks, cuts, cuts[1:], strict=False)
        )

    def _course(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.played.hand.log if not isinstance(entry[1], Deal))

    def _plays(self) -> list[int]:
        """The places of played cards in the course."""
        return [place for place, (_, action) in enumerate(self._course()) if isinstance(action, Play)]


def _parts(entries: Sequence[Entry]) -> tuple[Part, ...]:
    """Entries cut before each run of words that follows a card."""
    parts: list[Part] = []
    for is_play, run in groupby(entries, key=lambda entry: isinstance(entry[1], Play)):
        if not is_play:
            parts.append((tuple(run), ()))
        elif parts:
            parts[-1] = (parts[-1][0], tuple(run))
        else:
            parts.append(((), tuple(run)))
    return tuple(parts)


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
