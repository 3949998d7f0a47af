"""Seats are numbered clockwise from 0; four of them are called N, E, S, W, other tables P1 … P8."""

from collections.abc import Iterable
from typing import Final

from nousu.engine.messages import Explained, Note, brief

Seat = int
CHANCE: Final = -1
"""The seat that shuffles and deals; it owes a `Deal` at the start of a hand."""
DIRECTOR: Final = -2
"""The seat of the person who books penalties at a table with real cards."""

COMPASS: Final = "NESW"


def left(seat: Seat, seats: int) -> Seat:
    """The next seat clockwise."""
    return (seat + 1) % seats


def right(seat: Seat, seats: int) -> Seat:
    """The seat before, anticlockwise."""
    return (seat - 1) % seats


def partner(seat: Seat) -> Seat:
    """The seat opposite at a table of four."""
    return (seat + 2) % 4


def side(seat: Seat) -> int:
    """The side of a seat at a table of four: 0 for N and S, 1 for E and W."""
    return seat % 2


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats once around the table, beginning with `first`."""
    return tuple((first + step) % seats for step in range(seats))


def seat_name(seat: Seat, seats: int = 4) -> str:
    """The name of a seat in records; `Explained` if the table has no such seat."""
    refuse_no_actor(seat, seats)
    if seat == CHANCE:
        return "chance"
    if seat == DIRECTOR:
        return "director"
    return COMPASS[seat] if seats == 4 else f"P{seat + 1}"


def parse_seat(text: str, seats: int = 4) -> Seat:
    """The seat of that name at a table of that many seats; `ValueError` lists the names."""
    names: dict[str, Seat] = {seat_name(seat, seats): seat for seat in (*range(seats), CHANCE, DIRECTOR)}
    seat: Seat | None = next((seat for name, seat in names.items() if name.lower() == text.lower()), None)
    if seat is None:
        raise _unknown_seat(text, list(names)[:seats])
    return seat


def check_seat(seat: Seat, seats: int) -> None:
    """Raise `Explained` unless a person sits there: seats are numbered from 0 up to the size of the table."""
    refuse_no_actor(seat, seats)
    if not 0 <= seat < seats:
        raise _unknown_seat(seat, range(seats))


def refuse_no_actor(seat: object, seats: int) -> None:
    """Raise `Explained` unless `seat` can act: it is a seat of the table, CHANCE or DIRECTOR."""
    if not isinstance(seat, int) or not DIRECTOR <= seat < seats:
        raise _unknown_seat(seat, range(seats))


def check_viewer(seat: Seat | None, seats: int) -> None:
    """Raise `Explained` unless `seat` is a seat of the table or None (a spectator).

    A game with a director admits the director before it calls this.
    """
    if seat is not None:
        check_seat(seat, seats)


def _unknown_seat(seat: object, known: Iterable[object]) -> Explained:
    values = {"text": brief(seat), "seats": " ".join(map(str, known))}
    return Explained(Note("", "‘{text}’ is not a seat; the seats are {seats}", values))
