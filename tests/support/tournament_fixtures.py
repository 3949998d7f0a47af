"""Small events for the tests: an office over a real file, with people, numbers and a plan."""

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from nousu.tournament.messages import plain
from nousu.tournament.model import StandingsRow, Tournament
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text
from nousu.tournament.todo import todo


class Clock:
    """A clock that goes one minute further at every call."""

    def __init__(self) -> None:
        self.minutes = count()

    def __call__(self) -> str:
        at = next(self.minutes)
        return f"2026-11-21T{18 + at // 60 % 6:02d}:{at % 60:02d}:00+00:00"


def evening(
    path: Path, people: Iterable[str], format: str = "tuppen", *, plan: bool = True, **options: Any
) -> Office:
    """An event with these people, numbered in this order (a seed is sought that keeps it), and its plan."""
    office = Office(path, Clock())
    office.begin("Evening", make_format(format, **options), "Ellen")
    names = list(people)
    office.enter("Ellen", from_text("\n".join(names), pairs=office.open().tournament.format.pairs).given)
    office.draw("Ellen", "dice")
    if plan:
        office.plan("Ellen", seconds=0.2)
    return office


def number(state: Tournament, name: str) -> int:
    """The number of a person."""
    return state.find(name)


def settle(office: Office, table: str, *words: str) -> Tournament:
    """Enter, confirm and accept a slip."""
    office.slip("Ellen", table, words)
    office.confirm("Uwe", table)
    return office.act("Ellen", "accepted", tables=[table]).tournament


def settle_all(office: Office, word: str = "abcde") -> Tournament:
    """Settle every open Tuppen slip the same way."""
    state = office.open().tournament
    for table in state.missing():
        games = 1 if table[0] == "S" else state.format.games  # type: ignore[attr-defined]
        settle(office, table, *[word[: len(state.seats(table))]] * games)
    return office.open().tournament


def rows(state: Tournament, section: int = 0) -> tuple[StandingsRow, ...]:
    """The rows of one section of the standings."""
    return state.format.standings(state).sections[section].rows


def why(row: StandingsRow) -> str:
    """The sentences beside a rank."""
    return " ".join(map(plain, row.why))


def to_do(state: Tournament) -> list[str]:
    """Steps still to do, in plain sentences."""
    return [plain(task.said) for task in todo(state)]
