"""Words of a tournament's office: places of a refusal, columns, steps in the trail of a slip."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from nousu.engine.messages import Note
from nousu.i18n import Translate, translator
from nousu.i18n.sentences import Voice
from nousu.tournament.events.slips import TRAIL_WORDS
from nousu.tournament.history import EVENTS
from nousu.tournament.messages import Speech
from nousu.tournament.model import APART_WORDS, ROLE_NAMES, Tournament


def speech(language: str) -> Speech:
    """A language as paper needs it."""
    say = translator(language)
    return Speech(language, say, Voice((), 0, None, say).note, lambda name: column_words(name, say))


def where_words(where: str, say: Translate) -> str:
    """The place of a refusal, written ``line 3``, ``hand 12`` or ``reason``, in words."""
    return ", ".join(_part(part, say) for part in where.split(", "))


def _part(part: str, say: Translate) -> str:
    word, _, number = part.partition(" ")
    if number:
        counted = {
            "line": say("line {number}", number=number),
            "hand": say("hand {number}", number=number),
            "game": say("game {number}", number=number),
            "table": say("table {number}", number=number),
        }
        return counted.get(word, part)
    return _fields(say).get(word, part)


def _fields(say: Translate) -> dict[str, str]:
    """The fields of slips and commands; options are called as they are written."""
    return {
        "by": say("who is doing it"),
        "entry": say("entry"),
        "game": say("game"),
        "head": say("state"),
        "how": say("how"),
        "kind": say("what to print"),
        "language": say("language"),
        "paper": say("paper"),
        "numbers": say("numbers"),
        "plan": say("plan"),
        "role": say("role"),
        "who": say("name"),
        "format": say("format"),
        "hands": say("hands"),
        "option": say("option"),
        "peaks": say("highest rises"),
        "player": say("player"),
        "points": say("points"),
        "preset": say("rule set"),
        "reason": say("reason"),
        "result": say("result"),
        "round": say("round"),
        "rule": say("rule"),
        "table": say("table"),
        "time": say("time"),
        "to": say("new name"),
        "totals": say("sums"),
        "winner": say("winner"),
    }


_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)((?: \(\d+\))?)")


def column_words(column: str, say: Translate) -> str:
    """The heading of a column of the standings; rounds are called by their labels, evenings by their days."""
    if evening := _DAY.fullmatch(column):
        return say("{month}-{day}", month=int(evening[2]), day=int(evening[3])) + evening[4]
    return {
        "rank": say("rank"),
        "no": say("No."),
        "entered": say("entry no"),
        "line": say("line"),
        "name": say("name"),
        "team": say("team"),
        "why": say("why"),
        "points": say("points"),
        "counted": say("counted"),
        "overall": say("place among all"),
        "rulings": say("rulings"),
        "match points": say("match points"),
        "played": say("played"),
        "won": say("wins"),
        "drawn": say("ties"),
        "lost": say("losses"),
        "sum": say("sum"),
        "rises": say("rises"),
        "rounds": say("rounds"),
        "table": say("table"),
        "seats": say("seats"),
        "entry": say("entry"),
        "time": say("time"),
        "by": say("by"),
        "what": say("what"),
    }.get(column, column)


def done_words(what: str, say: Translate) -> str:
    """The words for a step in the trail of a slip (`Change.what`)."""
    return say(TRAIL_WORDS.get(what, what))


def local_time(at: str) -> str:
    """A time of the log as local date and time of day."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def event_words(event: Mapping[str, Any], state: Tournament, say: Translate) -> str:
    """A sentence for an entry of the log; `state` knows the names."""
    kind = EVENTS.get(str(event.get("do")))
    try:
        state = state.before_entry(event["n"]) if "n" in event else state
        text = note_words(kind.describe(event, state), say) if kind else str(event.get("do"))
    except (KeyError, TypeError, ValueError, IndexError, LookupError):
        text = str(event.get("do"))
    reason = str(event.get("reason") or "")
    return say("{what} (reason: {reason})", what=text, reason=reason) if reason else text


def note_words(note: Note, say: Translate) -> str:
    """A note whose values are said as they are, or are notes themselves."""
    values = {
        name: note_words(value, say) if isinstance(value, Note) else value
        for name, value in note.values.items()
    }
    return say(note.message, **values)


def apart_words(how: str, say: Translate) -> str:
    """The words for the way in which two people are kept apart."""
    return say(APART_WORDS.get(how, how))


def role_words(role: str, say: Translate) -> str:
    """The words for the role of a link."""
    return say(ROLE_NAMES.get(role, role))
