"""Table assistant: one phone at a table with real cards follows dice, stakes and raises, and fills the slip.

Every tap is stored in the address. No tap is lost when the phone sleeps or the server is down, and the
browser's Back button undoes one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from nousu.engine.messages import Note
from nousu.i18n.sentences import Voice
from nousu.server.tournament.roles import OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.assistant import TableGame, TableHand, choices, follow, rules_named
from nousu.tournament.formats.tuppen_slip import PENALTIES
from nousu.tournament.messages import Refusal

MAX_LENGTH = 6_000
"""Characters of the ``said`` parameter that are read; two long games take some hundred words of two."""


@dataclass(frozen=True, slots=True)
class PhoneButton:
    """A button: its label and its address."""

    said: str
    href: str


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player as the phone shows them: points, state and buttons."""

    name: str
    points: int
    state: str
    """in: plays this hand; away: has left this hand; out: has a final place; waits: not in this play-off."""
    place: int
    deals: bool
    leads: bool
    raised: bool
    presses: tuple[PhoneButton, ...]


def show(visit: Visit) -> Response:
    """Show the assistant: ``/slip/{table}/assistant``."""
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
    words = visit.request.query_params.get("said", "")[:MAX_LENGTH].split()
    games = follow(rules_named(kind.preset), [len(numbers) for _, numbers in played], words)
    at = next((at for at, game in enumerate(games) if not game.over), len(games) - 1)
    game, numbers = games[at], played[at][1]
    names = tuple(map(state.who, numbers))
    voice = Voice(names, 0, None, visit.say)
    boxes = {
        f"g{number}-{seats.index(there[seat])}": place
        for played_game, (number, there) in zip(games, played, strict=True)
        if played_game.over
        for seat, place in enumerate(played_game.standing.places)
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
        "asks": _open_question(visit, game, names, words),
        "notes": [voice.note(note) for note in game.notes],
        "undo": _link(visit, words[:-1]) if words else "",
        "penalties": _penalties(visit, game, names),
        "words": " ".join(words),
        "key": visit.guest.key,
        "me": visit.guest.number,
        "boxes": boxes,
        "done": all(played_game.over for played_game in games),
    }
    return visit.page("assistant.html", values)


def _link(visit: Visit, words: Sequence[str]) -> str:
    about: dict[str, str | int] = {"said": " ".join(words)}
    if visit.guest.key:
        about |= {"k": visit.guest.key, "me": visit.guest.number}
    return "?" + urlencode(about)


def _chairs(visit: Visit, game: TableGame, names: Sequence[str], words: Sequence[str]) -> list[PlayerCard]:
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
            PlayerCard(
                name,
                points,
                _state(game, hand, seat),
                game.standing.places[seat],
                hand is not None and hand.dealer == seat,
                hand is not None and hand.leader == seat and hand.question is None,
                hand is not None and hand.raised == seat,
                tuple(
                    PhoneButton(labels[sign], _link(visit, [*words, f"{sign}{letter}"])) for sign in offered
                ),
            )
        )
    return chairs


def _state(game: TableGame, hand: TableHand | None, seat: int) -> str:
    if game.standing.places[seat]:
        return "out"
    if hand is None or seat in hand.inside:
        return "in"
    return "away" if seat in game.standing.group else "waits"


def _open_question(
    visit: Visit, game: TableGame, names: Sequence[str], words: Sequence[str]
) -> dict[str, object]:
    """The open question, the player who answers it, and the two answers; empty where there is none."""
    question = game.hand.question if game.hand is not None else None
    if question is None:
        return {}
    seat = question.waiting[0]
    letter, by = "abcdefgh"[seat], names[question.by]
    head = (
        visit.say("{name} is the poor man and asks who goes along", name=by)
        if question.poor
        else visit.say("{name} raises to {stake}", name=by, stake=question.stake)
    )
    return {
        "head": head,
        "who": names[seat],
        "yes": _link(visit, [*words, f"y{letter}"]),
        "no": _link(visit, [*words, f"n{letter}"]),
        "stake": question.stake,
        "cost": question.cost,
    }


def _penalties(visit: Visit, game: TableGame, names: Sequence[str]) -> list[tuple[str, str]]:
    """Penalties that can be booked now: the word of each and its text."""
    penalties = []
    for word in choices(game):
        if word[0] == "!":
            rule, seat = word[1:-1], "abcdefgh".index(word[-1])
            note = PENALTIES[rule]
            text = visit.text(Note("", note.message, note.values))
            penalties.append((word, f"{names[seat]} · {rule}: {text}"))
    return penalties


PAGES = (Page("/slip/{table}/assistant", show, OFFICE | {"table"}),)
