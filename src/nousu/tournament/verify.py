"""Checks of a tournament file: every byte, the draw, and published results against the log.

Also checks of a season file: every byte of it and of its evenings, and the sealed ranking of every entry.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nousu.engine.messages import Note, sentence
from nousu.tournament.history import publication_digest, tournament
from nousu.tournament.log_file import Body, heads, joined_lines, read
from nousu.tournament.messages import Refusal
from nousu.tournament.office import Opened
from nousu.tournament.season import SeasonEvening
from nousu.tournament.season_file import (
    EveningLog,
    OpenedSeason,
    held_entry,
    season_digest,
    season_states,
)

DIGITS = 12
"""Least number of digits of a state that mean one file."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a file, with its outcome."""

    good: bool
    said: Note


def verify(opened: Opened, head: str = "") -> tuple[Check, ...]:
    """Check a file: every byte, the draw, the published results.

    `head` is a state written down earlier (twelve digits at least); some line must have led to it.
    """
    state, log = opened.tournament, opened.log
    checks = [_check_lines(log.events, log.head)]
    if opened.damage is not None:
        checks.append(Check(False, opened.damage.note))
    if state.by_cards:
        note = Note("TU-ZK-I2", "the numbers were drawn with cards and typed in; no seed can prove them")
        checks.append(Check(True, note))
    elif state.numbers:
        note = Note("TU-ZK-I2", "the numbers are those that the seed gives: {seed}", {"seed": state.seed})
        checks.append(Check(True, note))
    for publication in state.publications:
        then = tournament(log.events[: publication.entry])
        values: dict[str, int | str] = {"revision": publication.revision}
        if publication_digest(then) == publication.digest:
            checks.append(Check(True, Note("", "revision {revision} is what the log gives", values)))
        else:
            checks.append(Check(False, Note("", "revision {revision} is not what the log gives", values)))
    return (*checks, *_check_head(log.events, head))


def _check_lines(events: Sequence[Body], head: str) -> Check:
    message = sentence(
        "{count} line is as it was written; state {head}",
        "{count} lines are as they were written; state {head}",
    )
    return Check(True, Note("", message, {"count": len(events), "head": head}))


def _check_head(events: Sequence[Body], head: str) -> tuple[Check, ...]:
    """Check whether a state written down earlier is in a file; none if no state is named."""
    if not head:
        return ()
    if not (len(head) >= DIGITS and set(head.lower()) <= set("0123456789abcdef")):
        raise Refusal(
            "a state has at least {digits} digits (0 to 9, a to f)", values={"digits": DIGITS}, where="head"
        )
    is_in = any(state.startswith(head.lower()) for state in heads(events))
    message = (
        sentence("the state {head} is in this file")
        if is_in
        else sentence("the state {head} is not in this file: lines were cut off, or it is another file")
    )
    return (Check(is_in, Note("", message, {"head": head})),)


def verify_season(
    opened: OpenedSeason, head: str = "", evenings: Sequence[EveningLog] = ()
) -> tuple[Check, ...]:
    """Check a season file: every byte, every evening, the ranking after every entry.

    Args:
        opened: The season.
        head: A state written down earlier, as for `verify`.
        evenings: Files of evenings; those in the season must be their beginning.
    """
    log, state = opened.log, opened.state
    checks = [_check_lines(log.events, log.head)]
    if opened.damage is not None:
        checks.append(Check(False, opened.damage.note))
    for evening in state.season.evenings:
        checks += _check_evening(evening, state.logs[evening.entry])
    wrong = [
        event["n"]
        for event, then in zip(log.events, season_states(log.events), strict=True)
        if event.get("digest") != season_digest(then.season)
    ]
    if wrong:
        values: dict[str, int | str] = {"entries": ", ".join(map(str, wrong))}
        checks.append(Check(False, Note("", "the ranking is not what the evenings give: {entries}", values)))
    else:
        checks.append(Check(True, Note("", "the ranking after every entry is what the evenings give")))
    for given in evenings:
        held = state.logs.get(held_entry(state, given.lines), ())
        values = {"name": given.name, "date": given.day}
        if held and given.lines[: len(held)] == held:
            same = sentence("{name} ({date}): the season has it as its file does")
            if len(given.lines) > len(held):
                same = sentence("{name} ({date}): the file was corrected since; add it again")
            checks.append(Check(len(given.lines) == len(held), Note("", same, values)))
        else:
            checks.append(Check(False, Note("", "{name} ({date}): this file is not in the season", values)))
    return (*checks, *_check_head(log.events, head))


def _check_evening(evening: SeasonEvening, lines: Sequence[str]) -> tuple[Check, ...]:
    """An evening inside a season, checked like a file of its own."""
    log = read(joined_lines(lines))
    checks = verify(Opened(tournament(log.events), log))
    values: dict[str, int | str] = {
        "date": evening.date,
        "name": evening.name,
        "revision": evening.revision,
        "head": log.short,
    }
    message = sentence("{date}, {name}: revision {revision} follows from its log; state {head}")
    good = all(check.good for check in checks)
    return (Check(good, Note("", message, values)), *(check for check in checks if not check.good))
