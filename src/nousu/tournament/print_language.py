"""The language of the paper. The words themselves are a floor higher; the caller that prints supplies
them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from nousu.engine.messages import Note
from nousu.tournament.model import Tournament, order


@dataclass(frozen=True, slots=True)
class Speech:
    """A language as paper needs it."""

    language: str
    """Its code, for programs that read the paper aloud."""
    say: Callable[..., str]
    """Says a message with its values."""
    note: Callable[[Note], str]
    """Says a reason: of a rank, of a result."""
    column: Callable[[str], str]
    """The heading of a column of the standings."""


def heading(state: Tournament, table: str, say: Callable[..., str]) -> str:
    """What a table is called in large letters: ``Table 4 · series 3``."""
    label, _, at = table.partition(".")
    stage, number = order(label)
    if stage == 1:
        return say("Table {table} · cup round {round}", table=at, round=number)
    if stage == 2:
        return say("Table {table} · play-off (Stechen) {round}", table=at, round=number)
    if state.format.called == "series":
        return say("Table {table} · series {round}", table=at, round=number)
    return say("Table {table} · round {round}", table=at, round=number)


def round_heading(state: Tournament, label: str, say: Callable[..., str]) -> str:
    """What a round is called."""
    stage, number = order(label)
    if stage == 1:
        return say("Cup round {round}", round=number)
    if stage == 2:
        return say("Play-off (Stechen) {round}", round=number)
    if state.format.called == "series":
        return say("Series {round}", round=number)
    return say("Round {round}", round=label)


def short_label(state: Tournament, label: str, say: Callable[..., str]) -> str:
    """What a round is called at the head of a column."""
    stage, number = order(label)
    if stage:
        return label
    if state.format.called == "series":
        return say("series {round}", round=number)
    return say("round {round}", round=number)


def day(at: str, say: Callable[..., str]) -> str:
    """A day as people write it, from a time of the log; as this computer's clock has it."""
    found = datetime.fromisoformat(at).astimezone()
    return say("{year}-{month}-{day}", year=found.year, month=f"{found.month:02d}", day=f"{found.day:02d}")
