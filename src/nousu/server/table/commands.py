"""Commands of people at a table in play: actions, chat, claims, taking back.

A function returns the `Change` that the command makes, or the number of the event that made it before. It
raises `RequestError` (or `IllegalAction`) with a sentence for the person.

A claim that the claimer can prove (`nousu.players.claims`) is settled at once. One that is the worst for the
claimer's own side concedes the hand, and asks the partner alone, where that is a person. Otherwise all
opponents must agree; if it gives tricks away, everybody who loses by it. Computer players agree only to
proven claims, so that their answer reveals no cards. Nobody learns who refused.
"""

from collections.abc import Sequence

from nousu.engine.actions import Action, Entry, parse_action
from nousu.engine.messages import Explained, sentence
from nousu.engine.seats import Seat
from nousu.server.errors import RequestError, Stale
from nousu.server.table import events, shuffle
from nousu.server.table.chat import REACTIONS, SIGNALS
from nousu.server.table.display_names import visible_text
from nousu.server.table.table import Change, Table
from nousu.server.table.view import REQUESTS, SignalCard

MOST_CHAT_LINES = 1000
"""Greatest number of chat lines at one table."""
LONGEST_LINE = 140
"""Greatest number of letters of a line."""
_LONGEST_CARD = 200
"""Greatest number of letters of a pair's own words on its card."""


def act(table: Table, session: str, text: str, seq: int, key: str, now: float) -> Change | int:
    """Do an action of the game, or ask for the ``next`` hand.

    Args:
        table: The table as it is now.
        session: The person's session.
        text: The action as a record writes it, or ``next``.
        seq: The number of the table's event at which the person decided.
        key: Idempotency key of the request.
        now: Seconds on the table's clock.
    """
    seat = table.seats.seat_of_player(session)
    text = " ".join(text.split())
    mark = table.fingerprint(session, text, seq)
    if (number := table.event_of_key(key, mark)) is not None:
        return number
    if text == "next":
        if not table.between_hands or seat in table.ready:
            raise Stale("The next hand has already been requested.")
        return table.change(events.NextRequested(seat), now, key, mark)
    check_in_play(table)
    if table.requests.open is not None:
        raise Stale("Something is asked at the table; answer that first.")
    _check_fresh(table, seq)
    return table.change(events.ActionDone(seat, _parsed(text)), now, key, mark)


def check_in_play(table: Table) -> None:
    """Raise `Stale` before and after the match."""
    if table.match is None or table.over:
        raise Stale(sentence("The match is over.") if table.over else sentence("The match has not begun."))


def _check_fresh(table: Table, seq: int) -> None:
    if not table.fresh <= seq <= table.seq:
        raise Stale("The game has moved on; look again and choose.")


def _parsed(text: str) -> Action:
    try:
        return parse_action(text)
    except Explained as error:
        raise RequestError(error.note.message, error.note.values) from None


def open_share(table: Table, session: str, share: str, now: float) -> Change | int:
    """Open the share a person pledged, once all are pledged; no change if it is open already."""
    place = table.seats.place_of(session)
    if not shuffle.is_share(share):
        raise RequestError("A share of the shuffle is 32 to 64 hexadecimal digits.")
    pledged = (place, shuffle.pledge(share))
    if any((other.place, other.pledge) == pledged and other.text for other in table.shuffles.shares):
        return table.seq
    if table.seats.open_places():
        raise Stale("Shares are opened when everybody has promised theirs.")
    if not any((other.place, other.pledge) == pledged for other in table.closed_shares):
        raise Stale("This share was not promised, or it is too late to open it.")
    return table.change(events.ShareOpened(place, share), now)


# ---------------------------------------------------------------------------------------------- chat


def write_chat_line(
    table: Table, session: str, word: str, text: str, key: str | None, now: float
) -> Change | int:
    """Say the phrase of the id `word`, or, if it is empty, write a line."""
    place = table.seats.place_of(session)
    mark = table.fingerprint(session, f"say {word} {text}", 0) if key is not None else None
    if key is not None and mark is not None and (number := table.event_of_key(key, mark)) is not None:
        return number
    if table.chat.count >= MOST_CHAT_LINES:
        raise Stale("This table has reached its limit for talk; go on at the next one.")
    if word:
        gestures = table.chat.gestures(table.side_of(place), table.resting)
        if word not in REACTIONS and word not in gestures:
            raise RequestError("That cannot be said here now.")
        return table.change(events.ChatLineSaid(place, word=word), now, key, mark)
    line = visible_text(text)
    if not line:
        raise RequestError("Write something first.")
    check_length(line, LONGEST_LINE)
    if not table.chat.may_write(table.resting):
        raise Stale("During a hand only the ready-made phrases can be used at this table.")
    return table.change(events.ChatLineSaid(place, text=line), now, key, mark)


def mute(table: Table, session: str, seat: Seat, off: bool, now: float) -> Change | int:
    """Mute the person of a seat, or unmute them (`off`)."""
    place = table.seats.place_of(session)
    seats = table.seats.by_seat
    other = seats[seat].session if 0 <= seat < len(seats) else ""
    if not other or other == session:
        raise RequestError("Nobody sits there whom you could mute.")
    if ((session, other) in table.chat.mutes) != off:
        return table.seq
    return table.change(events.PersonMuted(place, table.seats.place_of(other), off), now)


def report_chat_line(table: Table, session: str, number: int, now: float) -> Change | int:
    """Report another person's line, by the number of its event, to the host of the server."""
    place = table.seats.place_of(session)
    line = next((line for line in table.chat.lines if line.number == number), None)
    if line is None or line.session == session:
        raise Stale("That is not on the table any more.")
    return table.seq if line.reported else table.change(events.ChatLineReported(place, number), now)


def set_signals(table: Table, session: str, signals: Sequence[str], own: str, now: float) -> Change | int:
    """Rewrite the card of a pair: ids of ready-made signals, and its own words."""
    place = table.seats.place_of(session)
    side = table.side_of(place)
    if side is None or not table.chat.may_agree(side, table.resting):
        raise Stale("Signals are agreed on before a hand, where the rules of the table allow them.")
    card = SignalCard(tuple(signal for signal in SIGNALS if signal in signals), visible_text(own))
    check_length(card.own, _LONGEST_CARD)
    if table.chat.signals[side] == card:
        return table.seq
    return table.change(events.SignalsAgreed(place, card.signals, card.own), now)


def check_length(text: str, most: int) -> None:
    """Raise `RequestError` for more than this many letters."""
    if len(text) > most:
        raise RequestError(
            sentence("Write at most {count} letter.", "Write at most {count} letters."), {"count": most}
        )


# --------------------------------------------------------------------------------- claims, taking back


def ask(
    table: Table, session: str, what: str, seq: int, proven: bool, now: float, concedes: bool = False
) -> Change:
    """Make a claim, or ask to take an action back.

    Args:
        table: The table as it is now.
        session: The person's session.
        what: One of `nousu.server.table.view.REQUESTS`.
        seq: The number of the table's event at which the person decided.
        proven: The claim is certain for the person's seat.
        now: Seconds on the table's clock.
        concedes: The claim is the worst for the person's own side, which alone has to agree.
    """
    seat = table.seats.seat_of_player(session)
    if what not in REQUESTS:
        raise RequestError("That cannot be asked for.")
    _check_fresh(table, seq)
    if what not in table.possible_requests(seat):
        raise Stale("You cannot ask for that now.")
    if proven and what != "undo":
        return table.change(events.RequestMade(seat, what), now)
    persons = table.seats.persons()
    others = [other for other in range(len(table.seats)) if other != seat]
    if what == "undo":
        return table.change(
            events.RequestMade(seat, what, tuple(other for other in others if other in persons)), now
        )
    opponents = [other for other in others if _are_opponents(table, seat, other)]
    if concedes:
        mates = tuple([other for other in others if other in persons and other not in opponents])
        return table.change(events.RequestMade(seat, what, mates), now)
    if not set(opponents) <= set(persons):
        raise RequestError(
            "That is not certain from what you can see; computer players agree to nothing else."
        )
    asked = opponents if what == "claim mine" else [other for other in others if other in persons]
    return table.change(events.RequestMade(seat, what, tuple(asked)), now)


def _are_opponents(table: Table, seat: Seat, other: Seat) -> bool:
    sides = table.game.sides
    return seat % sides != other % sides if sides else True


def answer(table: Table, session: str, yes: bool, now: float) -> Change:
    """Agree to the open request, or do not."""
    seat = table.seats.seat_of_player(session)
    if table.requests.open is None or seat not in table.requests.open.of:
        raise Stale("You are not being asked anything now.")
    return table.change(events.RequestAnswered(seat, yes), now)


def lapse(table: Table, now: float) -> Change:
    """End the open request without an answer."""
    return table.change(events.RequestLapsed(), now)


def settle(table: Table, plays: tuple[Entry, ...], now: float) -> Change:
    """Carry out the request all agreed to: play the cards of a claim, or take the last action back."""
    assert table.requests.open is not None
    if table.requests.open.what == "undo":
        return table.change(events.ActionUndone(table.requests.open.seat), now)
    return table.change(events.ClaimSettled(plays), now)
