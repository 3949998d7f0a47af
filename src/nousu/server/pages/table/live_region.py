"""The text of the polite live region: events since the last announcement, then the viewer's task."""

from dataclasses import replace

from nousu.i18n.reader import Reader
from nousu.i18n.sentences import sentences
from nousu.server.pages.table.chat import chat_line_words, claim_line, pending_request
from nousu.server.pages.table.common import people, result_notes
from nousu.server.pages.table.page_view import page_view
from nousu.server.pages.table.table_view import TableView
from nousu.server.table.view import SeatView


def announcement(
    before: SeatView | None, after: SeatView, reader: Reader, drawn: TableView | None = None
) -> str:
    """Sentences about the events between two states of a table.

    Args:
        before: The state announced last; None for a viewer that has just come.
        after: The present state.
        reader: The language.
        drawn: The view of the present state if it is there already.
    """
    say = reader.say
    who = people(after)
    if not after.started:
        return " ".join(_new_chat_lines(before, after, reader))
    if before is None:  # nothing has happened for this viewer yet
        before = after
    view = after.view
    same = before.started and _hand(before) == _hand(after)
    start, done = (len(before.view.heard), len(before.view.tricks)) if same else (0, 0)
    sizes = [len(trick.plays) for trick in view.tricks]
    if len(after.claims) > len(before.claims):  # cards played out automatically are left out
        lines = [claim_line(after, reader)]
    else:
        lines = sentences(replace(who.voice(reader), direct=True), view.heard, sizes, start)
        for trick in view.tricks[done:]:
            own = trick.winner == after.seat
            taken = say("{name} takes the trick.", name=who.name(trick.winner))
            lines.append(say("You take the trick.") if own else taken)
    if after.request is not None and after.request != before.request:
        lines += [asked.text for asked in (pending_request(after, reader),) if asked is not None]
    for hand in after.match.played[len(before.match.played) :]:
        lines += [f"{who.note(note, reader)}." for note in result_notes(hand)]
    for seat in sorted({*after.away} - {*before.away}):
        lines.append(say("{name} has left; a computer player plays on.", name=who.name(seat)))
    for seat in sorted({*before.away} - {*after.away}):
        lines.append(say("{name} is back.", name=who.name(seat)))
    if not lines and before.chat != after.chat and before.waiting == after.waiting:
        return " ".join(
            _new_chat_lines(before, after, reader)
        )  # nothing happened in the game: the task is not repeated
    lines += _new_chat_lines(before, after, reader)
    if after.waiting:
        lines.append(say("Next hand?"))
    else:
        now = drawn or page_view(after, reader)
        if isinstance(now, TableView) and now.my_turn:
            lines.append(f"{now.ask.title if now.ask else now.line}.".replace("?.", "?"))
    return " ".join(lines)


def _new_chat_lines(before: SeatView | None, after: SeatView, reader: Reader) -> list[str]:
    """New chat lines of the others."""
    if before is None or before.chat is None or after.chat is None:
        return []
    new = (line for line in after.chat.lines if line.number > before.seq and not line.session)
    return [
        reader.say("{name} says: {words}", name=line.name, words=chat_line_words(line, reader))
        for line in new
    ]


def _hand(seen: SeatView) -> tuple[int, int]:
    """The deal on the table: its number, and the finished hands because a void hand keeps its number."""
    done = len(seen.match.played)
    return seen.view.setup.number, done - 1 if seen.finished else done
