"""Seats, sides and reasons in words: who sits where from the viewer's chair, and notes filled with names."""

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
class People:
    """Who sits at the table, as seen from one chair (a spectator sits down at seat 0)."""

    names: tuple[str, ...]
    seat: Seat | None
    sides: int
    """2 where partners play together, 0 where everybody is alone."""

    def name(self, seat: Seat) -> str:
        """The name at that seat."""
        return self.names[seat] if 0 <= seat < len(self.names) else "–"

    def place(self, seat: Seat) -> str:
        """s, w, n or e: where that seat is on the picture."""
        return _ROUND.get(len(self.names), "s" * len(self.names))[self.step(seat)]

    def step(self, seat: Seat) -> int:
        """How many chairs clockwise from the viewer."""
        return (seat - (self.seat or 0)) % len(self.names)

    def ours(self, seat: Seat) -> bool:
        """Whether that seat plays with the viewer."""
        base = self.seat or 0
        return side(seat) == side(base) if self.sides else seat == base

    def our_side(self) -> int:
        """The number of the viewer's side, or of the viewer's seat where there are no sides."""
        return side(self.seat or 0) if self.sides else self.seat or 0

    def side_name(self, number: int, reader: Reader) -> str:
        """A side (or a lone player) in a sentence."""
        return self.voice(reader).side(number)

    def side_short(self, number: int, reader: Reader) -> str:
        """A side on the hill and in the score sheet."""
        if not self.sides or self.seat is None:
            return self.side_name(number, reader)
        return reader.say("Us") if number == self.our_side() else reader.say("Them")

    def voice(self, reader: Reader) -> Voice:
        """Who tells the viewer what happens."""
        return Voice(self.names, self.sides, self.seat, reader.say)

    def note(self, note: Note, reader: Reader) -> str:
        """A reason of the rules as a sentence, with seats, sides and cards in words."""
        return self.voice(reader).note(note)


def name_list(names: Sequence[str], reader: Reader) -> str:
    """Names one after another: ``Aino, Eero and Kerttu``."""
    if len(names) < 2:
        return "".join(names)
    return reader.say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
