"""Checking a tournament file: every byte, the draw, and that what was published is what the log gives."""

from dataclasses import dataclass

from nousu.engine.notes import Note, sentence
from nousu.tournament.chain import heads
from nousu.tournament.history import publication_digest, tournament
from nousu.tournament.office import Opened


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and whether it is as it should be."""

    good: bool
    said: Note


def verify(opened: Opened, head: str = "") -> tuple[Check, ...]:
    """All checks of a file that could be opened: a changed byte or a draw that its seed does not give stops
    it from being opened at all. `head` is a state written down earlier; some line must have led to it."""
    state, log = opened.tournament, opened.log
    checks = [
        Check(
            True,
            Note(
                "",
                "{count} lines are as they were written; state {head}",
                {"count": len(log.events), "head": log.head},
            ),
        )
    ]
    if state.numbers:
        said = Note("TU-ZK-I2", "the numbers are those that the seed gives: {seed}", {"seed": state.seed})
        checks.append(Check(True, said))
    for publication in state.publications:
        then = tournament(log.events[: publication.entry])
        values: dict[str, int | str] = {"revision": publication.revision}
        if publication_digest(then) == publication.digest:
            checks.append(Check(True, Note("", "revision {revision} is what the log gives", values)))
        else:
            checks.append(Check(False, Note("", "revision {revision} is not what the log gives", values)))
    if head:
        found = any(one.startswith(head.lower()) for one in heads(log.events))
        message = (
            sentence("the state {head} is in this file")
            if found
            else sentence("the state {head} is not in this file: lines were cut off, or it is another file")
        )
        checks.append(Check(found, Note("", message, {"head": head})))
    return tuple(checks)
