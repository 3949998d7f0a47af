"""What the office of a tournament calls things: places of a refusal, columns, what was done to a slip."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from nousu.i18n import Translate, translator
from nousu.i18n.sentences import Voice
from nousu.tournament.model import Tournament
from nousu.tournament.print_language import Speech


def speech(language: str) -> Speech:
    """A language as paper needs it."""
    say = translator(language)
    return Speech(language, say, Voice((), 0, None, say).note, lambda name: column_words(name, say))


def where_words(where: str, say: Translate) -> str:
    """Where a refusal belongs, written ``line 3``, ``hand 12`` or ``reason``: in words."""
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


def column_words(column: str, say: Translate) -> str:
    """The heading of a column of the standings; rounds are called by their labels."""
    return {
        "rank": say("rank"),
        "no": say("No."),
        "entered": say("entry no"),
        "name": say("name"),
        "team": say("team"),
        "why": say("why"),
        "points": say("points"),
        "counted": say("counted"),
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
    """What was done to a slip."""
    return {
        "entered": say("entered"),
        "confirmed": say("confirmed"),
        "accepted": say("accepted"),
        "corrected": say("corrected"),
        "forfeited": say("forfeited"),
        "printed": say("printed"),
        "online": say("to be played at Nousu’s table"),
        "paper": say("to be played on paper"),
        "seated": say("begun at Nousu’s table"),
    }.get(what, what)


def local_time(at: str) -> str:
    """A time of the log as the clock on the wall shows it: date and time of day where this computer is."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def event_words(event: Mapping[str, Any], state: Tournament, say: Translate) -> str:
    """What an entry of the log did, in a sentence; `state` knows the names."""
    sentence_of = _EVENTS.get(str(event.get("do")))
    try:
        text = sentence_of(event, state, say) if sentence_of else str(event.get("do"))
    except (KeyError, TypeError, ValueError, IndexError, LookupError):
        text = str(event.get("do"))
    reason = str(event.get("reason") or "")
    return say("{what} (reason: {reason})", what=text, reason=reason) if reason else text


def _who(state: Tournament, number: int) -> str:
    return state.who(number) if 1 <= number <= len(state.numbers) else str(number)


def _names(event: Mapping[str, Any]) -> str:
    return ", ".join(" & ".join(one["members"]) for one in event["people"])


def _listed(event: Mapping[str, Any], state: Tournament) -> str:
    return ", ".join(state.entrants[number - 1].name for number in event["ids"])


Describe = Callable[[Mapping[str, Any], Tournament, Translate], str]

_EVENTS: Mapping[str, Describe] = {
    "opened": lambda e, s, say: say("opened the event {name}", name=e["name"]),
    "entered": lambda e, s, say: say("entered on the list: {names}", names=_names(e)),
    "lone": lambda e, s, say: say("entered, looking for a partner: {names}", names=_names(e)),
    "joined": lambda e, s, say: say("joined single players into pairs, seed {seed}", seed=e["seed"]),
    "renamed": lambda e, s, say: say(
        "renamed entry no {id} to {name}", id=e["id"], name=" & ".join(e["members"])
    ),
    "struck": lambda e, s, say: say("took {name} off the list", name=s.entrants[e["id"] - 1].name),
    "arrived": lambda e, s, say: (
        say("ticked at the door: {names}", names=_listed(e, s))
        if e["here"]
        else say("took the tick off: {names}", names=_listed(e, s))
    ),
    "drawn": lambda e, s, say: say("drew the numbers, seed {seed}", seed=e["seed"]),
    "numbered": lambda e, s, say: say("entered the numbers drawn with cards"),
    "apart": lambda e, s, say: (
        say("kept members of the same team apart: {how}", how=apart_words(e["how"], say))
        if e.get("teams")
        else say(
            "kept {name} and {other} apart: {how}",
            name=s.entrants[e["a"] - 1].name,
            other=s.entrants[e["b"] - 1].name,
            how=apart_words(e["how"], say),
        )
    ),
    "admitted": lambda e, s, say: say(
        "gave {name} a link: {role}", name=e["who"], role=role_words(e["role"], say)
    ),
    "revoked": lambda e, s, say: say("revoked the link of entry {entry}", entry=e["entry"]),
    "planned": lambda e, s, say: say(
        "put plan {number} into force for round {rounds}",
        number=e.get("plan", "–"),
        rounds=", ".join(e["rounds"]),
    ),
    "swapped": lambda e, s, say: say(
        "swapped {name} and {other} in round {round}",
        name=_who(s, e["a"]),
        other=_who(s, e["b"]),
        round=e["round"],
    ),
    "options": lambda e, s, say: say(
        "changed options: {options}",
        options=", ".join(f"{name}={value}" for name, value in e["options"].items()),
    ),
    "printed": lambda e, s, say: say("printed the slips of {tables}", tables=", ".join(e["tables"])),
    "online": lambda e, s, say: (
        say("moved {tables} to Nousu’s tables", tables=", ".join(e["tables"]))
        if e["on"]
        else say("moved {tables} to paper", tables=", ".join(e["tables"]))
    ),
    "starts": lambda e, s, say: (
        say("said that round {round} begins at {time}", round=e["round"], time=e["time"])
        if e["time"]
        else say("took back when round {round} begins", round=e["round"])
    ),
    "seated": lambda e, s, say: say("table {table} begins at Nousu’s table", table=e["table"]),
    "relinked": lambda e, s, say: say(
        "gave {name} a new personal link", name=s.entrants[e["id"] - 1].members[e["member"]]
    ),
    "slip": lambda e, s, say: (
        say("the slip of table {table} came from Nousu’s table", table=e["table"])
        if "online" in e
        else say("entered the slip of table {table}", table=e["table"])
    ),
    "confirmed": lambda e, s, say: say(
        "confirmed the slip of table {table}", table=", ".join(e.get("tables", [e.get("table", "–")]))
    ),
    "accepted": lambda e, s, say: say("accepted the slips of {tables}", tables=", ".join(e["tables"])),
    "corrected": lambda e, s, say: say("corrected the slip of table {table}", table=e["table"]),
    "forfeited": lambda e, s, say: say(
        "gave table {table} to the other side: {name} forfeits", table=e["table"], name=_who(s, e["loser"])
    ),
    "late": lambda e, s, say: say(
        "started the clock on {name} at table {table}", name=_who(s, e["number"]), table=e["table"]
    ),
    "penalty": lambda e, s, say: say(
        "booked {rule} against {name}", rule=e["rule"], name=_who(s, e["number"])
    ),
    "withdrawn": lambda e, s, say: say(
        "noted that {name} no longer plays from round {round} on", name=_who(s, e["number"]), round=e["round"]
    ),
    "published": lambda e, s, say: say("published the result"),
    "seconded": lambda e, s, say: say("confirmed entry {entry} as the second person", entry=e["entry"]),
    "undone": lambda e, s, say: say("took entry {entry} back", entry=e["entry"]),
}


def apart_words(how: str, say: Translate) -> str:
    """How two people are kept apart."""
    return {
        "must": say("they must not meet"),
        "rather": say("they should preferably not meet"),
        "free": say("they may meet"),
    }.get(how, how)


def role_words(role: str, say: Translate) -> str:
    """What a link is good for."""
    return {
        "direction": say("director"),
        "entry": say("entering slips"),
        "table": say("phones at the tables"),
        "beamer": say("the screen on the wall"),
        "read": say("reading only"),
    }.get(role, role)
