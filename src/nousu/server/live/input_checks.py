"""What is asked of a new table, of whoever sits down and of a hint: whether it can be."""

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from nousu.engine.actions import Action, single
from nousu.engine.cards import Card
from nousu.engine.errors import BadRecord
from nousu.engine.messages import Explained, sentence
from nousu.games import find
from nousu.players import named
from nousu.server.errors import NotYours, RequestError, Stale
from nousu.server.table import shuffle
from nousu.server.table.view import Seen


def known_player(name: str) -> None:
    """`RequestError` if no computer player has that name."""
    try:
        named(name)
    except Explained as error:
        raise RequestError(error.note.message, error.note.values) from None


def check_options(options: Mapping[str, str], preset: str) -> None:
    """`RequestError` names an option that a table does not have, or cannot have under these rules."""
    unknown = sorted(set(options) - {"window", "pace", "seats", "public", "learning", "undo", "clock"})
    if unknown:
        raise RequestError(
            "A table has no option {word}; it has window, pace, seats, public, learning, undo and clock.",
            {"word": unknown[0]},
        )
    for name, values in (
        ("seats", ("drawn", "chosen")),
        ("public", ("no", "yes")),
        ("learning", ("no", "yes")),
        ("undo", ("no", "yes")),
        ("clock", ("off", "relaxed", "quick")),
    ):
        if options.get(name, values[0]) not in values:
            raise RequestError(
                "{text} is not allowed; write {values}",
                {"text": f"{name}={options[name]}"[:60], "values": " / ".join(values)},
            )
    if options.get("undo") == "yes" and "tournament" in preset.partition("+")[0]:
        raise RequestError("Nothing can be taken back under tournament rules.")


def check_pledge(pledge: str) -> None:
    """`RequestError` if a promise of a share of the shuffle cannot be one; none at all is good."""
    if pledge and not shuffle.is_pledge(pledge):
        raise RequestError("A share of the shuffle is promised by its SHA-256: 64 hexadecimal digits.")


def verdict(record: str) -> shuffle.Verdict | tuple[int, str]:
    """What `dealing.verify` finds; line and reason where it is not a record."""
    try:
        return shuffle.verify(record, find)
    except BadRecord as error:
        return error.line, error.message


def address(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return request.client.host if request.client is not None else "unknown"


def asked_about(seen: Seen, card: Card | None, act: str) -> Action | None:
    """What may be done at this table now and is asked about: with that card, or the action as records write
    it; None where nothing legal is. `RequestError` where no hint is given now, or at all."""
    if not seen.learning:
        raise RequestError(sentence("There are no hints at this table: it was not opened for learning."))
    if seen.seat is None:
        raise NotYours("You are watching; only those who sit at the table may act.")
    legal = seen.view.legal
    if not seen.started or seen.resting or not legal:
        raise Stale("Hints appear when it is your turn.")
    if act:
        return next((action for action in legal if str(action) == act), None)
    return None if card is None else next((action for action in legal if single(action) == card), None)
