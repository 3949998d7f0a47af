"""Checking a tournament file: every byte, the draw, and that what was published follows from the log."""

from dataclasses import dataclass

from nousu.engine.messages import Note, sentence
from nousu.tournament.history import publication_digest, tournament
from nousu.tournament.log_file import heads
from nousu.tournament.messages import Refusal
from nousu.tournament.office import Opened

DIGITS = 12
"""How many digits of a state are enough to mean one file."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and whether it is as it should be."""

    good: bool
    said: Note


def verify(opened: Opened, head: str = "") -> tuple[Check, ...]:
    """All checks of a file: every byte, the draw, what was published.

    `head` is a state written down earlier (twelve digits at least); some line must have led to it.
    """
    state, log = opened.tournament, opened.log
    if head and not (len(head) >= DIGITS and set(head.lower()) <= set("0123456789abcdef")):
        raise Refusal(
            "a state has at least {digits} digits (0 to 9, a to f)", values={"digits": DIGITS}, where="head"
        )
    checks = [
        Check(
            True,
            Note(
                "",
                sentence(
                    "{count} line is as it was written; state {head}",
                    "{count} lines are as they were written; state {head}",
                ),
                {"count": len(log.events), "head": log.head},
            ),
        )
    ]
    if opened.damage is not None:
        checks.append(Check(False, opened.damage.note))
    if state.by_cards:
        said = Note("TU-ZK-I2", "the numbers were drawn with cards and typed in; no seed can prove them")
        checks.append(Check(True, said))
    elif state.numbers:
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
