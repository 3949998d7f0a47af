"""Words on paper for tables, rounds and days; the translations come from the caller."""

from collections.abc import Callable
from datetime import datetime

from nousu.engine.messages import sentence
from nousu.tournament.model import Tournament, order


def heading(state: Tournament, table: str, say: Callable[..., str]) -> str:
    """The name of a table in large letters: ``Table 4 · series 3``."""
    label, _, at = table.partition(".")
    stage, number = order(label)
    if stage == 1:
        third = cup_matches(state, label) == 1 and at == "2"
        name = say("Third-place match") if third else cup_name(state, label, say)
        return say("Table {table} · {round}", table=at, round=name)
    if stage == 2:
        return say("Table {table} · play-off (Stechen) {round}", table=at, round=number)
    if state.format.called == "series":
        return say("Table {table} · series {round}", table=at, round=number)
    return say("Table {table} · round {round}", table=at, round=number)


_CUP_NAMES = {1: sentence("Final"), 2: sentence("Semifinals"), 4: sentence("Quarterfinals")}
"""Names of cup rounds by the number of their matches."""


def cup_matches(state: Tournament, label: str) -> int:
    """Matches of a cup round, that for third place apart; 0 where no cup is planned."""
    first = state.rounds.get("C1")
    return len(first.tables) >> (order(label)[1] - 1) if first else 0


def cup_name(state: Tournament, label: str, say: Callable[..., str]) -> str:
    """The name of a cup round."""
    name = _CUP_NAMES.get(cup_matches(state, label))
    return say(name) if name else say("Cup round {round}", round=order(label)[1])


def round_heading(state: Tournament, label: str, say: Callable[..., str]) -> str:
    """The name of a round."""
    stage, number = order(label)
    if stage == 1:
        return cup_name(state, label, say)
    if stage == 2:
        return say("Play-off (Stechen) {round}", round=number)
    if state.format.called == "series":
        return say("Series {round}", round=number)
    return say("Round {round}", round=label)


def short_label(state: Tournament, label: str, say: Callable[..., str]) -> str:
    """The name of a round at the head of a column."""
    stage, number = order(label)
    if stage:
        return label
    if state.format.called == "series":
        return say("series {round}", round=number)
    return say("round {round}", round=number)


def day(at: str, say: Callable[..., str]) -> str:
    """A day as people write it, from a time of the log; local to this computer."""
    date = datetime.fromisoformat(at).astimezone()
    return say("{year}-{month}-{day}", year=date.year, month=f"{date.month:02d}", day=f"{date.day:02d}")
