"""What the one polite live region says: the events since the viewer was last told, then what to do now."""

from nousu.engine.actions import Call, Entry, Give, Play, Seal, Show
from nousu.engine.seats import CHANCE
from nousu.server.pages.common import people
from nousu.server.pages.faces import card_words
from nousu.server.pages.names import word
from nousu.server.pages.people import People
from nousu.server.pages.table import picture
from nousu.server.seen import Seen
from nousu.words import Translate


def spoken(before: Seen | None, after: Seen, say: Translate) -> str:
    """The sentences for what happened between two views of a table; all of it is on the picture too."""
    who = people(after)
    if not after.started:
        return ""
    if before is None:  # somebody has just come (back): only where things stand
        before = after
    same = before.started and _hand(before) == _hand(after)
    done = len(before.view.tricks) if same else 0
    start = len(before.view.heard) if same else 0
    told = [_event(entry, who, after, say) for entry in after.view.heard[start:]]
    told += [say("Trick to {name}.", name=who.name(trick.winner)) for trick in after.view.tricks[done:]]
    finished = len(before.match.played)
    for hand in after.match.played[finished:]:
        notes = hand.result.notes if hand.result.void else (*hand.result.notes, *hand.tally.notes())
        told += [f"{who.note(note, say)}." for note in notes]
    if after.waiting:
        told.append(say("Next hand?"))
    else:
        now = picture(after, say, after.lang)
        if now.my_turn:
            told.append(f"{now.ask.title if now.ask else now.line}.".replace("?.", "?"))
    return " ".join(part for part in told if part)


def _hand(seen: Seen) -> tuple[int, int]:
    """Which deal is on the table: a void hand keeps its number, so the finished ones count too."""
    done = len(seen.match.played)
    between = bool(seen.match.played) and seen.match.played[-1].view.heard == seen.view.heard
    return seen.view.setup.number, done - 1 if between else done


def _event(entry: Entry, who: People, seen: Seen, say: Translate) -> str:
    by, action = entry
    if by == CHANCE:
        return say("Hand {number} is dealt.", number=seen.view.setup.number)
    name = who.name(by)
    match action:
        case Play(card):
            return say("{name}: {card}.", name=name, card=card_words(card, say))
        case Call(said):
            return say("{name}: {card}.", name=name, card=word(said, say))
        case Show(cards):
            shown = ", ".join(card_words(card, say) for card in cards)
            return say("{name} shows {cards}.", name=name, cards=shown)
        case Seal():
            return say("{name} has bid.", name=name)
        case Give():
            return say("{name} lays cards face down.", name=name)
    return ""
