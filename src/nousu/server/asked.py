"""What is asked of a new table and of whoever sits down: whether it can be."""

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from nousu.engine.errors import BadRecord
from nousu.engine.notes import Explained
from nousu.games import find
from nousu.players import named
from nousu.server import dealing
from nousu.server.refusals import Refused


def known_player(name: str) -> None:
    """`Refused` if no computer player has that name."""
    try:
        named(name)
    except Explained as error:
        raise Refused(error.note.message, error.note.values) from None


def check_options(options: Mapping[str, str], preset: str) -> None:
    """`Refused` names the option a table does not have, or cannot have so under the rules of that name."""
    unknown = sorted(set(options) - {"window", "pace", "seats", "public", "learning", "undo", "clock"})
    if unknown:
        raise Refused(
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
            raise Refused(
                "{text} is not allowed; write {values}",
                {"text": f"{name}={options[name]}"[:60], "values": " / ".join(values)},
            )
    if options.get("undo") == "yes" and "tournament" in preset.partition("+")[0]:
        raise Refused("Nothing is taken back where tournament rules are played.")


def check_pledge(pledge: str) -> None:
    """`Refused` if a promise of a share of the shuffle cannot be one; none at all is good."""
    if pledge and not dealing.is_pledge(pledge):
        raise Refused("A share of the shuffle is promised by its SHA-256: 64 hexadecimal digits.")


def verdict(record: str) -> dealing.Verdict | tuple[int, str]:
    """What `dealing.verify` finds; line and reason where it is not a record."""
    try:
        return dealing.verify(record, find)
    except BadRecord as error:
        return error.line, error.message


def address(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return request.client.host if request.client is not None else "unknown"
