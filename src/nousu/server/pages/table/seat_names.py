"""Seats and sides as seen from the viewer's chair: places, names, notes with names filled in."""

from collections.abc import Sequence
from dataclasses import dataclass

from nousu.engine.messages import Note
from nousu.engine.seats import Seat, side
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice

_ROUND = {
    2: "sn",
    3: "swe",
    4: "swne",
}
"""Places clockwise from the viewer's own chair, by number of players; larger tables use mats."""


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The players of a table as seen from one chair; a spectator sees it from seat 0."""

    names: tuple[str, ...]
    seat: Seat | None
    sides: int
    """2 if partners play together, 0 if everybody is alone."""

    def name(self, seat: Seat) -> str:
        """The name at that seat."""
        return self.names[seat] if 0 <= seat < len(self.names) else "–"

    def place(self, seat: Seat) -> str:
        """The place of a seat in the picture: s, w, n or e."""
        return _ROUND.get(len(self.names), "s" * len(self.names))[self.step(seat)]

    def step(self, seat: Seat) -> int:
        """The number of chairs clockwise from the viewer."""
        return (seat - (self.seat or 0)) % len(self.names)

    def ours(self, seat: Seat) -> bool:
        """Whether a seat plays on the viewer's side."""
        base = self.seat or 0
        return side(seat) == side(base) if self.sides else seat == base

    def our_side(self) -> int:
        """The number of the viewer's side; the viewer's seat in games without sides."""
        return side(self.seat or 0) if self.sides else self.seat or 0

    def side_name(self, number: int, reader: Reader) -> str:
        """A side, or a player in games without sides, within a sentence."""
        return self.voice(reader).side(number)

    def side_short(self, number: int, reader: Reader) -> str:
        """A side on the hill and in the score sheet: ``Us``."""
        if not self.sides or self.seat is None:
            return self.side_name(number, reader)
        return reader.say("Us") if number == self.our_side() else reader.say("Them")

    def voice(self, reader: Reader) -> Voice:
        """The voice that tells the viewer what happens."""
        return Voice(self.names, self.sides, self.seat, reader.say)

    def note(self, note: Note, reader: Reader) -> str:
        """A reason of the rules as a sentence, with seats, sides and cards in words."""
        return self.voice(reader).note(note)


def name_list(names: Sequence[str], reader: Reader) -> str:
    """A list of names: ``Aino, Eero and Kerttu``."""
    if len(names) < 2:
        return "".join(names)
    return reader.say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
