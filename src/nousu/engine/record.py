"""The written record of a match: plain text, one paragraph per hand, exact in both directions.

::

    nousu record 1
    game tuppi+sooli_points=12
    seats 4 Aino | Eero | Kaisa | Kerttu
    dealer N

    hand 1
    deal N S:AQ84 H:K72 … / E … / S … / W …
    E seal H7; S seal C8; W seal S9; N seal D5
    E show H7
    N play SA; E play S3; S play S4; W play S9
    score 0 12

State is always a replay: reading a record plays it through the rules and checks every ``score`` line.
Lines that begin with ``#`` are remarks. A match may stop anywhere.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from nousu.engine.actions import Action, Call, Deal, Entry, Play, Show, heard, parse_action
from nousu.engine.cards import Card, parse_card
from nousu.engine.errors import BadRecord, IllegalAction
from nousu.engine.game import Game, Hand
from nousu.engine.match import Match
from nousu.engine.messages import brief
from nousu.engine.seats import CHANCE, Seat, parse_seat, seat_name
from nousu.engine.text_lines import written

VERSION = 1

Finder = Callable[[str], tuple[Game, Any]]
"""A function from ``preset+option=value`` to a game and its rules: `nousu.games.find`."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match with the names of its players and the line on which each action was written."""

    match: Match
    names: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    """The line of each action, in order, over the whole match."""
    preset: str | None = None
    """The preset the rules were written from."""

    def __repr__(self) -> str:
        return f"<Record of {', '.join(self.names) or 'nobody named'}: {self.match!r}>"


def entry_text(entry: Entry, seats: int) -> str:
    """One log entry as the record writes it; a deal stands alone on its line."""
    seat, action = entry
    return str(action) if seat == CHANCE else f"{seat_name(seat, seats)} {action}"


def parse_entry(text: str, seats: int) -> Entry:
    """The log entry that `entry_text` wrote."""
    if text.startswith("deal "):
        return CHANCE, parse_action(text)
    name, _, action = text.strip().partition(" ")
    return parse_seat(name, seats), parse_action(action)


EVERYTHING: Final = "everything"
Reader = Seat | Literal["everything"] | None
"""The reader of a record: a seat, a spectator (None), or a reader from whom nothing is hidden."""


def hand_lines(hand: Hand, viewer: Reader = EVERYTHING) -> Iterator[str]:
    """The log of one hand in readable lines: the deal, each trick and each spoken word on its own line."""
    seats = hand.setup.seats
    tricks = iter([len(trick.plays) for trick in hand.view(None).tricks])
    line: list[str] = []
    kind: type[Action] | None = None
    room = missing = 0  # places left on the line; cards still to come to the trick, which a word may split
    for seat, action in hand.log:
        if line and (type(action) is not kind or room == 0):
            yield "; ".join(line)
            line = []
        if isinstance(action, Play):
            missing = missing or next(tricks, seats)
        if not line:
            alone = isinstance(action, Deal | Show | Call)
            room = 1 if alone else missing if isinstance(action, Play) else seats
        kind = type(action)
        shown = action if viewer == EVERYTHING else heard(viewer, action, seat)
        line.append(entry_text((seat, shown), seats))
        room -= 1
        missing -= isinstance(action, Play)
    if line:
        yield "; ".join(line)


def write(record: Record, viewer: Reader = EVERYTHING) -> str:
    """The text of a record.

    Args:
        record: The match and its players.
        viewer: EVERYTHING hides nothing. A seat (None: a spectator) reads what it heard, hidden cards as
            ``?13`` and ``??``; such a text is for people and cannot be replayed.
    """
    match = record.match
    seats = match.seats
    lines = [f"nousu record {VERSION}", f"game {match.game.name_of(match.rules, record.preset, seats)}"]
    names = [" ".join(name.replace("|", "/").split()) for name in record.names]
    lines.append(f"seats {seats} " + " | ".join(names) if names else f"seats {seats}")
    if match.seating is not None:
        lines.append("draw " + " ".join(map(str, match.drawn)))
        lines.append("places " + " ".join(seat_name(seat, seats) for seat in match.seating.places))
    lines.append(f"dealer {seat_name(match.dealer, seats)}")
    hands = [(played.hand, played.tally) for played in match.played]
    if match.hand.owed() and match.hand.log:
        hands.append((match.hand, match.tally))
    for index, (hand, tally) in enumerate(hands):
        lines += ["", f"hand {hand.setup.number}", *hand_lines(hand, viewer)]
        if index < len(match.played):
            lines.append("score " + " ".join(map(str, tally.score())))
    return "\n".join(lines) + "\n"


def read(text: str, find: Finder) -> Record:
    r"""Replay a record. `BadRecord` names the first line that is wrong and what was expected there.

    >>> from nousu.games import find
    >>> read("nousu record 1\ngame tuppi\nseats 4\ndealer N\n", find).match.hand.owed()
    (-1,)
    """
    at = _lines(text)
    number, line = next(at)
    if line != f"nousu record {VERSION}":
        raise BadRecord(number, f"expected 'nousu record {VERSION}', found {brief(line)!r}")
    try:
        number, line = next(at)
        name = _after(number, line, "game")
        game, rules = find(name)
        number, line = next(at)
        count, _, who = _after(number, line, "seats").partition(" ")
        if not _COUNT.fullmatch(count):
            raise BadRecord(number, f"expected 'seats 4', found {brief(line)!r}")
        seats = int(count)
        game.check_seats(name, seats)
        names = tuple(name.strip() for name in who.split("|")) if who else ()
        if names and len(names) != seats:
            raise BadRecord(number, f"{len(names)} names for {seats} seats")
        number, line = next(at)
        match = None
        if line.startswith("draw "):
            drawn = tuple(parse_card(word) for word in line.split()[1:])
            number, line = next(at)
            places = tuple(parse_seat(word, seats) for word in _after(number, line, "places").split())
            match = _match_by_draw(game, rules, seats, drawn, places, number)
            number, line = next(at)
        dealer = parse_seat(_after(number, line, "dealer"), seats)
        if match is None:
            match = Match.start(game, rules, seats, dealer)
        elif match.dealer != dealer:
            raise BadRecord(number, f"by the draw {seat_name(match.dealer, seats)} deals first")
        number, line = next(at)
    except ValueError as error:
        raise error if isinstance(error, BadRecord) else BadRecord(number, str(error)) from None
    match, where = _replay(match, number, line, at)
    return Record(match, names, where, name.split("+")[0])


_COUNT = re.compile("[0-9]{1,2}")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not remarks, and an empty one after them."""
    last = 0
    for number, line in written(text):
        if not line.startswith("#"):
            last = number
            yield number, line
    yield last + 1, ""


def _match_by_draw(
    game: Game, rules: Any, seats: int, drawn: tuple[Card, ...], places: tuple[Seat, ...], number: int
) -> Match:
    rest = tuple(card for card in game.deck if card not in drawn)
    twice = len(drawn) + len(rest) != len(game.deck)
    for pick in range(0 if twice else seats):
        try:
            match = Match.draw(game, rules, seats, drawn + rest, pick)
        except (IndexError, ValueError):
            break
        if match.drawn == drawn and match.seating is not None and match.seating.places == places:
            return match
    raise BadRecord(number, "these cards do not draw these places")


def _replay(
    match: Match, number: int, line: str, at: Iterator[tuple[int, str]]
) -> tuple[Match, tuple[int, ...]]:
    where: list[int] = []
    expected = "hand"
    while line:
        word, _, rest = line.partition(" ")
        if word == "hand":
            if expected != "hand" or rest != str(match.hand.setup.number) or match.winner is not None:
                raise BadRecord(number, _mismatch_message(match, expected, line))
            expected = "entry"
        elif word == "score":
            score = " ".join(map(str, match.tally.score()))
            if expected != "score":
                raise BadRecord(number, _mismatch_message(match, expected, line))
            if rest != score:
                raise BadRecord(number, f"the score is {score}, not {brief(rest)}")
            expected = "hand"
        elif expected != "entry":
            raise BadRecord(number, _mismatch_message(match, expected, line))
        else:
            finished = len(match.played)
            for part in line.split(";"):
                if len(match.played) != finished:
                    raise BadRecord(number, f"the hand was over before {brief(part)!r}")
                match = _apply(match, number, part.strip())
                where.append(number)
            if len(match.played) != finished:
                expected = "score"
        number, line = next(at)
    return match, tuple(where)


def _mismatch_message(match: Match, expected: str, line: str) -> str:
    wanted = {
        "hand": "the match is over"
        if match.winner is not None
        else f"expected 'hand {match.hand.setup.number}'",
        "score": "expected 'score " + " ".join(map(str, match.tally.score())) + "'",
        "entry": "expected an action of hand " + str(match.hand.setup.number),
    }
    return f"{wanted[expected]}, found {brief(line)!r}"


_NAMED = 12
"""Maximum number of legal actions listed in an error."""


def _apply(match: Match, number: int, part: str) -> Match:
    if "?" in part:
        raise BadRecord(number, "hidden cards: this is what one seat saw, which cannot be replayed")
    try:
        seat, action = parse_entry(part, match.seats)
        return match.apply(seat, action)
    except IllegalAction as error:
        legal = ", ".join(map(str, error.legal[:_NAMED]))
        if len(error.legal) > _NAMED:
            legal += f", … ({len(error.legal)} in all)"
        message = f"{brief(part)!r}: {error}" + (f"; legal: {legal}" if legal else "")
        raise BadRecord(number, message) from None
    except ValueError as error:
        raise BadRecord(number, str(error)) from None


def _after(number: int, line: str, word: str) -> str:
    first, _, rest = line.partition(" ")
    if first != word or not rest.strip():
        raise BadRecord(number, f"expected '{word} …', found {brief(line)!r}")
    return rest.strip()
