"""What the office of a tournament calls things: places of a refusal, columns, what was done to a slip."""

from nousu.words import Translate


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
        "by": say("who does it"),
        "entry": say("entry"),
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
    }.get(what, what)
