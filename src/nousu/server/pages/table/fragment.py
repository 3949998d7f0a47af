"""The table fragment: the picture of the viewer's table, printed by the template of its game."""

import secrets
from dataclasses import replace

from nousu.games import part
from nousu.i18n import Translate
from nousu.server.pages.preferences import in_order
from nousu.server.pages.site import Contexts, render
from nousu.server.pages.table.chat import asked_of, claimed, talk_of
from nousu.server.pages.table.common import people
from nousu.server.pages.table.fallback import plain
from nousu.server.pages.table.lobby import render_lobby
from nousu.server.pages.table.parts import Fragment, Reading, whole
from nousu.server.pages.table.picture import Picture, Press
from nousu.server.table.view import SeatView


def picture(seen: SeatView, say: Translate, lang: str, order: str = "") -> Picture:
    """The table as the viewer's picture: by the family's own page, else plainly, from the view alone. `order`
    is the one of the cards that the viewer has chosen."""
    own = part("nousu.server.pages.table", seen.view.game)
    drawn: Picture = plain(seen, say, lang) if own is None else own.table(seen, say, lang)
    drawn = drawn.filled(
        again=bool(seen.again),
        evening=_evening(seen, say),
        talk=talk_of(seen, say),
        asks=seen.asks,
        event=seen.event,
        asked=asked_of(seen, say),
        claimed=claimed(seen, say),
        to_take=tuple([(seat, seen.names[seat]) for seat in seen.seats_to_take]),
    )
    if seen.rehearses:
        outcome = drawn.outcome and replace(drawn.outcome, match="", waits=False)
        title = say("{title}: what if", title=drawn.title)
        drawn.filled(title=title, outcome=outcome, rehearses=seen.rehearses)
    if seen.hurries:
        drawn.filled(acts=(*drawn.acts, Press(act="hurry", label=say("Finish quickly"))))
    if order:
        drawn.filled(hand=in_order(drawn.hand, order))
    return _by_itself(drawn, say) if seen.turns_up else drawn


def _evening(seen: SeatView, say: Translate) -> tuple[tuple[str, int], ...]:
    """Matches won, once a second one is played or over."""
    if not seen.evening:
        return ()
    who = people(seen)
    count = len(seen.evening)
    sides = range(who.sides) if who.sides else range(count)
    return tuple((who.side_name(number, say), seen.evening[number]) for number in sides)


def _by_itself(drawn: Picture, say: Translate) -> Picture:
    """What happens by itself is told; it is not a button, for what lies there a moment later is another
    one."""
    hand = tuple([card._replace(act="", choose=False) for card in drawn.hand])
    line = say("What you laid face down is turned up")
    return drawn.filled(
        hand=hand,
        ask=None,
        acts=(),
        bids=(),
        many=None,
        more=None,
        hint="",
        line=line,
        line_suit="",
        my_turn=False,
    )


def render_table(seen: SeatView, say: Translate, lang: str, origin: str = "", order: str = "") -> str:
    """The HTML fragment of a table for one viewer; its root element has the id ``table``. `origin` is the
    server as this viewer addresses it, for the link to be sent to friends; `order` that of the cards."""
    if not seen.started:
        return render_lobby(seen, say, lang, origin)
    found = fragment(say, lang)
    try:
        return whole(found.printed(picture(seen, say, lang, order)))
    finally:
        found.forget()


def fragment(say: Translate, lang: str) -> Fragment:
    """The fragment of one viewer's pictures, to be printed in pieces."""
    # The key makes the form without script safe against double sending; the script brings its own.
    values = {"key": secrets.token_hex(8)}
    contexts = Contexts()

    def draw(table: Reading) -> str:
        return render(str(table.template), say, lang, {"table": table, **values}, contexts)

    return Fragment(lang, draw, contexts.forget)
