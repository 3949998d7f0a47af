"""The table assistant: one phone at a table with real cards follows dice, stakes, raises, and fills the slip.

All that was said stands in the address, so nothing is lost when the phone sleeps or the server is away, and
the browser's own way back takes a tap back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from nousu.engine.messages import Note
from nousu.i18n.sentences import Voice
from nousu.server.tournament.roles import OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.assistant import Game, Hand, choices, follow, rules_named
from nousu.tournament.formats.tuppen_slip import PENALTIES
from nousu.tournament.messages import Refusal

LONGEST = 6_000
"""Letters of what was said at a table; two long games have some hundred words of two letters."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button: the word it says, as an address."""

    said: str
    href: str


@dataclass(frozen=True, slots=True)
class Chair:
    """One player as the phone shows them."""

    name: str
    points: int
    state: str
    """in, away, out, waits (not in this play-off)"""
    place: int
    deals: bool
    leads: bool
    raised: bool
    presses: tuple[Press, ...]


def show(visit: Visit) -> Response:
    """``/slip/{table}/assistant``"""
    table = visit.request.path_params["table"]
    state = visit.state
    kind, seats = state.kind(table), state.seats(table)
    if not kind.slips.has_assistant:
        raise Refusal("the assistant follows games of Tuppen", where="table")
    label = table.partition(".")[0]
    present = [
        [number for number in seats if not state.has_withdrawn(number, label, game)]
        for game in range(1, kind.slips.games_at(table) + 1)
    ]
    played = [(game, numbers) for game, numbers in enumerate(present, 1) if len(numbers) > 1]
    words = visit.request.query_params.get("said", "")[:LONGEST].split()
    games = follow(rules_named(kind.preset), [len(numbers) for _, numbers in played], words)
    at = next((at for at, game in enumerate(games) if not game.over), len(games) - 1)
    game, numbers = games[at], played[at][1]
    names = tuple(map(state.who, numbers))
    voice = Voice(names, 0, None, visit.say)
    boxes = {
        f"g{number}-{seats.index(there[seat])}": place
        for one, (number, there) in zip(games, played, strict=True)
        if one.over
        for seat, place in enumerate(one.standing.places)
    }
    for number, alone in enumerate(present, 1):
        if len(alone) == 1:
            boxes[f"g{number}-{seats.index(alone[0])}"] = 1
    values = {
        "table": table,
        "number": at + 1,
        "count": len(games),
        "game": game,
        "chairs": _chairs(visit, game, names, words),
        "asks": _asks(visit, game, names, words),
        "notes": [voice.note(note) for note in game.notes],
        "undo": _link(visit, words[:-1]) if words else "",
        "penalties": _penalties(visit, game, names),
        "words": " ".join(words),
        "key": visit.guest.key,
        "me": visit.guest.number,
        "boxes": boxes,
        "done": all(one.over for one in games),
    }
    return visit.page("assistant.html", values)


def _link(visit: Visit, words: Sequence[str]) -> str:
    about: dict[str, str | int] = {"said": " ".join(words)}
    if visit.guest.key:
        about |= {"k": visit.guest.key, "me": visit.guest.number}
    return "?" + urlencode(about)


def _chairs(visit: Visit, game: Game, names: Sequence[str], words: Sequence[str]) -> list[Chair]:
    hand, say = game.hand, visit.say
    known = choices(game)
    labels = {
        "d": say("deals first"),
        "t": say("takes the trick"),
        "w": say("wins the hand"),
        "+": say("raises"),
        "x": say("leaves"),
    }
    chairs = []
    for seat, name in enumerate(names):
        letter = "abcdefgh"[seat]
        offered = [sign for sign in "d+twx" if f"{sign}{letter}" in known]
        points = hand.points[seat] if hand is not None else game.standing.points[seat]
        chairs.append(
            Chair(
                name,
                points,
                _state(game, hand, seat),
                game.standing.places[seat],
                hand is not None and hand.dealer == seat,
                hand is not None and hand.leader == seat and hand.question is None,
                hand is not None and hand.raised == seat,
                tuple(Press(labels[sign], _link(visit, [*words, f"{sign}{letter}"])) for sign in offered),
            )
        )
    return chairs


def _state(game: Game, hand: Hand | None, seat: int) -> str:
    if game.standing.places[seat]:
        return "out"
    if hand is None or seat in hand.inside:
        return "in"
    return "away" if seat in game.standing.group else "waits"


def _asks(visit: Visit, game: Game, names: Sequence[str], words: Sequence[str]) -> dict[str, object]:
    """The question that is open: what is asked, of whom, and the two answers."""
    question = game.hand.question if game.hand is not None else None
    if question is None:
        return {}
    asked = question.waiting[0]
    letter, by = "abcdefgh"[asked], names[question.by]
    head = (
        visit.say("{name} is the poor man and asks who goes along", name=by)
        if question.poor
        else visit.say("{name} raises to {stake}", name=by, stake=question.stake)
    )
    return {
        "head": head,
        "who": names[asked],
        "yes": _link(visit, [*words, f"y{letter}"]),
        "no": _link(visit, [*words, f"n{letter}"]),
        "stake": question.stake,
        "cost": question.cost,
    }


def _penalties(visit: Visit, game: Game, names: Sequence[str]) -> list[tuple[str, str]]:
    """Every penalty that can be booked now: its word and what it says."""
    found = []
    for word in choices(game):
        if word[0] == "!":
            rule, seat = word[1:-1], "abcdefgh".index(word[-1])
            note = PENALTIES[rule]
            text = visit.text(Note("", note.message, note.values))
            found.append((word, f"{names[seat]} · {rule}: {text}"))
    return found


PAGES = (Page("/slip/{table}/assistant", show, OFFICE | {"table"}),)
