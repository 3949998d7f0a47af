"""Steps still to do in an event, and the progress of every slip: for the command and for the pages."""

from collections.abc import Mapping
from dataclasses import dataclass

from nousu.engine.messages import Note, sentence
from nousu.tournament.messages import Todo
from nousu.tournament.model import Slip, Tournament, round_of
from nousu.tournament.people import name_key


@dataclass(frozen=True, slots=True)
class Square:
    """A table on the board."""

    table: str
    seats: tuple[int, ...]
    plan: int
    """The number of the plan that its slip must carry."""
    state: str
    """The state: missing (its round is played now, or was), later, entered, confirmed, accepted or void."""
    slip: Slip


def board(state: Tournament) -> Mapping[str, tuple[Square, ...]]:
    """The tables that play, by rounds."""
    void, current = state.format.void(state), state.current_round()
    begun = {label for label in state.rounds if state.has_begun(label)}
    rows: dict[str, list[Square]] = {label: [] for label in state.rounds}
    for key, seats in state.tables():
        label, slip = round_of(key), state.slip(key)
        how = slip.state
        if label in void:
            how = "void"
        elif how in ("open", "printed"):
            now = label in begun or (label == current and how == "printed")
            how = "missing" if now else "later"
        rows[label].append(Square(key, seats, state.plans.get(key, 0), how, slip))
    return {label: tuple(squares) for label, squares in rows.items()}


def to_confirm(state: Tournament, by: str) -> tuple[str, ...]:
    """The tables whose slip waits for a second person who may be `by`."""
    return tuple(key for key in state.waiting("entered") if name_key(state.slip(key).by) != name_key(by))


def stale(state: Tournament) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The first round not begun whose plan does not fit any more (empty if all do).

    With it the numbers that have gone and still sit there, and those that play and have no seat there.
    """
    if state.format.everybody_meets:
        return "", (), ()
    for label, played in state.rounds.items():
        if not label[0].isdigit() or state.has_begun(label):
            continue
        seated = {number for table in played.tables for number in table}
        gone = tuple(number for number in sorted(seated) if state.has_withdrawn(number, label))
        lost = tuple(number for number in state.playing(label) if number not in seated)
        if gone or lost:
            return label, gone, lost
    return "", (), ()


def todo(state: Tournament) -> tuple[Todo, ...]:
    """Steps still to do, in the order in which they should be done."""
    todos: list[Todo] = []
    if state.lone():
        names = ", ".join(person.name for person in state.lone())
        todos.append(Todo(Note("", "Without a partner: {names}", {"names": names}), "pair"))
    if not state.numbers and state.active():
        todos.append(Todo(Note("TU-ZK-I2", "The numbers have not been drawn yet."), "draw"))
    todos += _slips(state)
    for proposal in state.proposals.values():
        values: dict[str, int | str] = {"entry": proposal.entry, "by": proposal.by}
        note = Note("", "Entry {entry} by {by} waits for a second person.", values)
        todos.append(Todo(note, "second", entry=proposal.entry, blocks=False))
    unfinished = state.format.unfinished(state) if state.active() else ()
    label, gone, lost = stale(state)
    if label:
        values = {"round": label, "names": ", ".join(state.who(number) for number in (*gone, *lost))}
        note = Note(
            "", "The plan no longer fits from round {round} on ({names}); plan again from there.", values
        )
        blocks = any(task.action == "plan" for task in unfinished)
        todos.append(Todo(note, "plan", start=label, blocks=blocks))
        unfinished = tuple(task for task in unfinished if task.action != "plan")
    todos += unfinished
    return tuple(todos)


def _slips(state: Tournament) -> list[Todo]:
    """Steps still to do with slips."""
    todos = []
    squares = [square for row in board(state).values() for square in row]
    for how, message, action in (
        ("missing", sentence("Missing slips ({count}): {listed}"), "enter"),
        ("entered", sentence("Waiting for a second person ({count}): {listed}"), "confirm"),
        ("confirmed", sentence("Waiting to be accepted ({count}): {listed}"), "accept"),
    ):
        tables = tuple(square.table for square in squares if square.state == how)
        if tables:
            values: dict[str, int | str] = {"count": len(tables), "listed": ", ".join(tables)}
            todos.append(Todo(Note("", message, values), action, tables))
    if twice := [square.table for square in squares if square.state == "entered" and square.slip.repeated]:
        note = Note("", "Entered twice on one device: {listed}", {"listed": ", ".join(twice)})
        todos.append(Todo(note, "confirm", tuple(twice), blocks=False))
    later = [label for label, row in board(state).items() if any(square.state == "later" for square in row)]
    if later:
        values = {"count": len(later), "listed": ", ".join(later)}
        todos.append(Todo(Note("", "Rounds not begun ({count}): {listed}", values), "enter"))
    return todos


def blocking(state: Tournament) -> tuple[Todo, ...]:
    """Steps that must precede the publication of the result; none: it can be published."""
    return tuple(task for task in todo(state) if task.blocks)
