"""What all formats say about their rounds: which have begun, who can still join, who has no seat."""

from nousu.engine.messages import Note
from nousu.tournament.messages import Refusal, Todo
from nousu.tournament.model import Tournament, order


def enough_rounds(tournament: Tournament, rounds: int) -> None:
    """`Refusal` if more rounds of the plan than these have begun."""
    for label in tournament.rounds:
        if label[0].isdigit() and order(label)[1] > rounds and tournament.begun(label):
            raise Refusal(
                "round {round} has begun; the event cannot end before it",
                values={"round": label},
                where="option",
            )


def first_round(tournament: Tournament, start: str, last: int, message: str) -> int:
    """The round a plan begins with: `start`, or the first one not begun. `Refusal` (`message` names the
    {round} and the {last} one there is) if it is no round of the plan."""
    start = start or tournament.next_round()
    order(start)
    first = int(start) if start.isdecimal() else 0
    if not 1 <= first <= last:
        raise Refusal(message, values={"round": start, "last": last}, where="round")
    return first


def all_begun(tournament: Tournament, rounds: int) -> Note | None:
    """Why nobody can join any more: no round is left that has not begun."""
    if int(tournament.next_round()) <= rounds:
        return None
    return Note("", "all rounds have begun; a newcomer can join only if the event is made longer")


def unseated(tournament: Tournament) -> list[Todo]:
    """Everybody who plays and sits in no round."""
    start = tournament.next_round()
    return [
        Todo(
            Note("", "{name} is in no round yet; plan again", {"name": tournament.who(number)}),
            "plan",
            start=start,
        )
        for number in tournament.unseated()
    ]
