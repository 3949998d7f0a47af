"""What the one polite live region says: the events since the viewer was last told, then what to do now."""

from nousu.i18n import Translate
from nousu.i18n.sentences import sentences
from nousu.server.pages.table.chat import asked_of, claimed, words_of
from nousu.server.pages.table.common import people
from nousu.server.pages.table.fragment import picture
from nousu.server.pages.table.picture import Picture
from nousu.server.table.view import SeatView


def spoken(before: SeatView | None, after: SeatView, say: Translate, drawn: Picture | None = None) -> str:
    """The sentences for what happened between two views of a table; all of it is on the picture too, which
    may be given where it is `drawn` already."""
    who = people(after)
    if not after.started:
        return " ".join(_said(before, after, say))
    if before is None:  # somebody has just come (back): only where things stand
        before = after
    view = after.view
    same = before.started and _hand(before) == _hand(after)
    start, done = (len(before.view.heard), len(before.view.tricks)) if same else (0, 0)
    sizes = [len(trick.plays) for trick in view.tricks]
    if len(after.claims) > len(before.claims):  # nobody wants to hear the cards that were played out
        lines = [claimed(after, say)]
    else:
        lines = sentences(who.voice(say), view.heard, sizes, start)
        lines += [say("{name} takes the trick.", name=who.name(trick.winner)) for trick in view.tricks[done:]]
    if after.request is not None and after.request != before.request:
        lines += [asked.text for asked in (asked_of(after, say),) if asked is not None]
    for hand in after.match.played[len(before.match.played) :]:
        notes = hand.result.notes if hand.result.void else (*hand.result.notes, *hand.tally.notes())
        lines += [f"{who.note(note, say)}." for note in notes]
    for seat in sorted({*after.away} - {*before.away}):
        lines.append(say("{name} has left; a computer player plays on.", name=who.name(seat)))
    for seat in sorted({*before.away} - {*after.away}):
        lines.append(say("{name} is back.", name=who.name(seat)))
    if not lines and before.talk != after.talk and before.waiting == after.waiting:
        return " ".join(_said(before, after, say))  # nothing happened in the game: nobody is asked anew
    lines += _said(before, after, say)
    if after.waiting:
        lines.append(say("Next hand?"))
    else:
        now = drawn or picture(after, say, after.lang)
        if now.my_turn:
            lines.append(f"{now.ask.title if now.ask else now.line}.".replace("?.", "?"))
    return " ".join(lines)


def _said(before: SeatView | None, after: SeatView, say: Translate) -> list[str]:
    """What others have said since."""
    if before is None or before.talk is None or after.talk is None:
        return []
    new = (line for line in after.talk.lines if line.number > before.seq and not line.session)
    return [say("{name} says: {words}", name=line.name, words=words_of(line, say)) for line in new]


def _hand(seen: SeatView) -> tuple[int, int]:
    """Which deal is on the table: a void hand keeps its number, so the finished ones count too."""
    done = len(seen.match.played)
    return seen.view.setup.number, done - 1 if seen.finished else done
