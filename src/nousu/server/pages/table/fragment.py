"""The HTML fragment of a table: the viewer's picture, rendered by the template of its family."""

import secrets
from dataclasses import replace

from nousu.i18n.reader import Reader
from nousu.server.pages.preferences import ordered_hand
from nousu.server.pages.site import TemplateContexts, render
from nousu.server.pages.table.chat import chat_panel, claim_line, pending_request
from nousu.server.pages.table.common import people
from nousu.server.pages.table.family import table_page
from nousu.server.pages.table.lobby import render_lobby
from nousu.server.pages.table.parts import Fragment, Reading, whole
from nousu.server.pages.table.picture import Button, Picture
from nousu.server.table.view import SeatView


def table_picture(seen: SeatView, reader: Reader, order: str = "") -> Picture:
    """The picture of a started table.

    Args:
        seen: The table as the viewer may see it.
        reader: The language.
        order: The viewer's preferred order of the cards; empty for the default.
    """
    picture = table_page(seen.view.game).table(seen, reader)
    picture.again = bool(seen.again)
    picture.evening = _matches_won(seen, reader)
    picture.talk = chat_panel(seen, reader)
    picture.asks = seen.asks
    picture.event = seen.event
    picture.asked = pending_request(seen, reader)
    picture.claimed = claim_line(seen, reader)
    picture.to_take = tuple([(seat, seen.names[seat]) for seat in seen.seats_to_take])
    if seen.rehearses:
        outcome = picture.outcome and replace(picture.outcome, match="", waits=False)
        title = reader.say("{title}: what if", title=picture.title)
        picture.title = title
        picture.outcome = outcome
        picture.rehearses = seen.rehearses
    if seen.hurries:
        picture.acts = (*picture.acts, Button(act="hurry", label=reader.say("Finish quickly")))
    if order:
        picture.hand = ordered_hand(picture.hand, order)
    return _without_actions(picture, reader) if seen.turns_up else picture


def _matches_won(seen: SeatView, reader: Reader) -> tuple[tuple[str, int], ...]:
    """Matches won by each side or player, from the second match on."""
    if not seen.evening:
        return ()
    who = people(seen)
    count = len(seen.evening)
    sides = range(who.sides) if who.sides else range(count)
    return tuple((who.side_name(number, reader), seen.evening[number]) for number in sides)


def _without_actions(picture: Picture, reader: Reader) -> Picture:
    """The picture while the table acts by itself: a line instead of buttons."""
    hand = tuple([card._replace(act="", choose=False) for card in picture.hand])
    line = reader.say("What you laid face down is turned up")
    picture.hand = hand
    picture.ask = None
    picture.acts = ()
    picture.bids = ()
    picture.many = None
    picture.more = None
    picture.hint = ""
    picture.line = line
    picture.line_suit = ""
    picture.my_turn = False
    return picture


def render_table(seen: SeatView, reader: Reader, origin: str = "", order: str = "") -> str:
    """The HTML fragment of a table for one viewer.

    Args:
        seen: The table as the viewer may see it.
        reader: The language.
        origin: The server as this viewer addresses it, for the link to send to friends.
        order: The preferred order of the cards.

    Returns:
        An element with the id ``table``.
    """
    if not seen.started:
        return render_lobby(seen, reader, origin)
    fragment = table_fragment(reader)
    try:
        return whole(fragment.printed(table_picture(seen, reader, order)))
    finally:
        fragment.forget()


def table_fragment(reader: Reader) -> Fragment:
    """The fragment of one viewer's pictures, rendered in pieces."""
    # The key makes the form without script safe against double sending; the script brings its own.
    values = {"key": secrets.token_hex(8)}
    contexts = TemplateContexts()

    def draw(table: Reading) -> str:
        return render(str(table.template), reader, {"table": table, **values}, contexts)

    return Fragment(reader.language, draw, contexts.clear)
