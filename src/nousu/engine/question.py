"""A question put to seats; the hand waits until it is answered and nobody else acts meanwhile."""

from dataclasses import dataclass

from nousu.engine.actions import Action, Entry, heard
from nousu.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Question:
    """Put to seats in turn, or to all at once (face-down bids: the order of answers must not matter)."""

    topic: str
    to: tuple[Seat, ...]
    at_once: bool = False
    by: Seat | None = None
    """The asking seat, if a seat asks."""
    answers: tuple[Entry, ...] = ()

    def owed(self) -> tuple[Seat, ...]:
        """Seats that have to answer now."""
        if not self.answers:
            return self.to if self.at_once else self.to[:1]
        done = {seat for seat, _ in self.answers}
        waiting = tuple(seat for seat in self.to if seat not in done)
        return waiting if self.at_once else waiting[:1]

    def answer(self, seat: Seat, action: Action) -> "Question":
        """The question with one more answer, in asking order: the order of arrival leaves no trace."""
        given = dict(self.answers) | {seat: action}
        answers = tuple((asked, given[asked]) for asked in self.to if asked in given)
        return Question(self.topic, self.to, self.at_once, self.by, answers)

    def seen_by(self, viewer: Seat | None) -> "Question":
        """The question as `viewer` may see it: sealed answers are removed."""
        answers = tuple((seat, heard(viewer, action, seat)) for seat, action in self.answers)
        return Question(self.topic, self.to, self.at_once, self.by, answers)
