"""The table fragment: the picture of the viewer's table, printed by the template of its game."""

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
from nousu.server.table.view import Seen


def table_picture(seen: Seen, reader: Reader, order: str = "") -> Picture:
    """The table as the viewer's picture: by the family's own page, else plainly, from the view alone. `order`
    is the one of the cards that the viewer has chosen."""
    drawn = table_page(seen.view.game).table(seen, reader)
    drawn.again = bool(seen.again)
    drawn.evening = _matches_won(seen, reader)
    drawn.talk = chat_panel(seen, reader)
    drawn.asks = seen.asks
    drawn.event = seen.event
    drawn.asked = pending_request(seen, reader)
    drawn.claimed = claim_line(seen, reader)
    drawn.to_take = tuple([(seat, seen.names[seat]) for seat in seen.seats_to_take])
    if seen.rehearses:
        outcome = drawn.outcome and replace(drawn.outcome, match="", waits=False)
        title = reader.say("{title}: what if", title=drawn.title)
        drawn.title = title
        drawn.outcome = outcome
        drawn.rehearses = seen.rehearses
    if seen.hurries:
        drawn.acts = (*drawn.acts, Button(act="hurry", label=reader.say("Finish quickly")))
    if order:
        drawn.hand = ordered_hand(drawn.hand, order)
    return _without_actions(drawn, reader) if seen.turns_up else drawn


def _matches_won(seen: Seen, reader: Reader) -> tuple[tuple[str, int], ...]:
    """Matches won, once a second one is played or over."""
    if not seen.evening:
        return ()
    who = people(seen)
    count = len(seen.evening)
    sides = range(who.sides) if who.sides else range(count)
    return tuple((who.side_name(number, reader), seen.evening[number]) for number in sides)


def _without_actions(drawn: Picture, reader: Reader) -> Picture:
    """What happens by itself is told; it is not a button, for what lies there a moment later is another
    one."""
    hand = tuple([card._replace(act="", choose=False) for card in drawn.hand])
    line = reader.say("What you laid face down is turned up")
    drawn.hand = hand
    drawn.ask = None
    drawn.acts = ()
    drawn.bids = ()
    drawn.many = None
    drawn.more = None
    drawn.hint = ""
    drawn.line = line
    drawn.line_suit = ""
    drawn.my_turn = False
    return drawn


def render_table(seen: Seen, reader: Reader, origin: str = "", order: str = "") -> str:
    """The HTML fragment of a table for one viewer; its root element has the id ``table``. `origin` is the
    server as this viewer addresses it, for the link to be sent to friends; `order` that of the cards."""
    if not seen.started:
        return render_lobby(seen, reader, origin)
    found = table_fragment(reader)
    try:
        return whole(found.printed(table_picture(seen, reader, order)))
    finally:
        found.forget()


def table_fragment(reader: Reader) -> Fragment:
    """The fragment of one viewer's pictures, to be printed in pieces."""
    # The key makes the form without script safe against double sending; the script brings its own.
    values = {"key": secrets.token_hex(8)}
    contexts = TemplateContexts()

    def draw(table: Reading) -> str:
        return render(str(table.template), reader, {"table": table, **values}, contexts)

    return Fragment(reader.language, draw, contexts.forget)
