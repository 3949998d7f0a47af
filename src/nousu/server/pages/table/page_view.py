"""The view of a table for one viewer: the family's, completed by the parts of all tables."""

from dataclasses import replace
from typing import NamedTuple

from nousu.i18n.reader import Reader
from nousu.server.pages.preferences import ordered_hand
from nousu.server.pages.table.chat import (
    chat_panel,
    claim_choices,
    claim_line,
    concession_choice,
    pending_request,
)
from nousu.server.pages.table.common import people
from nousu.server.pages.table.family import table_page
from nousu.server.pages.table.late import late_offer
from nousu.server.pages.table.lobby import LobbyView, lobby_view, removal
from nousu.server.pages.table.seat_names import name_list
from nousu.server.pages.table.table_view import Button, TableView
from nousu.server.table.view import SeatView


class Drawn(NamedTuple):
    """A view as its page draws it."""

    seen: SeatView
    view: TableView | LobbyView


def page_view(
    seen: SeatView, reader: Reader, origin: str = "", order: str = "", before: Drawn | None = None
) -> TableView | LobbyView:
    """The view of a table, or of its lobby.

    Args:
        seen: The table as the viewer may see it.
        reader: The language.
        origin: The server as this viewer addresses it, for the link to send to friends.
        order: The viewer's preferred order of the cards; empty for the default.
        before: An earlier view of the same viewer, of which the score sheet is kept while no hand ends.
    """
    if not seen.started:
        return lobby_view(seen, reader, origin)
    family = table_page(seen.view.game)
    view = family.table(seen, reader)
    if before and isinstance(before.view, TableView) and before.seen.match.played == seen.match.played:
        view.sheet = before.view.sheet
    else:
        view.sheet = family.score_sheet(seen, reader)
    view.again = bool(seen.again)
    view.evening = _matches_won(seen, reader)
    view.talk = chat_panel(seen, reader)
    view.asks = seen.asks
    view.claims = claim_choices(seen, reader)
    view.concession = concession_choice(seen, reader)
    view.tips = _tips(seen, view.tip, reader)
    view.removed = removal(seen, reader)
    view.waits_for = _waits_for(seen, reader)
    view.event = seen.event
    view.asked = pending_request(seen, reader)
    view.claimed = claim_line(seen, reader)
    view.to_take = tuple([(seat, seen.names[seat]) for seat in seen.seats_to_take])
    view.late = late_offer(seen, reader) if seen.seat is None else None
    if any(seen.heirs):
        next_is = {seat: reader.say("then {name}", name=name) for seat, name in enumerate(seen.heirs) if name}
        view.plates = tuple([replace(plate, heir=next_is.get(plate.seat, "")) for plate in view.plates])
    if seen.rehearses:
        view.outcome = view.outcome and replace(view.outcome, match="", waits=False)
        view.title = reader.say("{title}: what if", title=view.title)
        view.rehearses = seen.rehearses
    if seen.hurries:
        view.acts = (*view.acts, Button(act="hurry", label=reader.say("Finish quickly")))
    if order:
        view.hand = ordered_hand(view.hand, order)
    if seen.turns_up:
        _take_actions_away(view, reader)
    return view


def _tips(seen: SeatView, meaning: str, reader: Reader) -> tuple[str, ...]:
    """Three sentences for the first table; nothing once the viewer has played a card."""
    begun = seen.match.played or any([by == seen.seat for by, _ in seen.view.trick]) or seen.view.tricks
    if not seen.learning or seen.seat is None or begun:
        return ()
    say, who = reader.say, people(seen)
    if who.sides:
        partner = (seen.seat + 2) % len(seen.names)
        others = [name for seat, name in enumerate(seen.names) if not who.ours(seat)]
        company = say(
            "{name} is your partner: you two win and lose together. Against you: {names}.",
            name=seen.names[partner],
            names=name_list(others, reader),
        )
    else:
        company = say("Everybody plays alone here, and so do you.")
    tap = say("One tap lifts a card, a second tap lays it. To change your mind, tap another one.")
    return (company, meaning, tap)


def _waits_for(seen: SeatView, reader: Reader) -> str:
    """A sentence about those who have not asked for the next hand, once somebody has."""
    if not seen.ready or seen.over:
        return ""
    here = {*seen.ready, *seen.away}
    missing = [name for seat, name in enumerate(seen.names) if not seen.computers[seat] and seat not in here]
    return reader.say("Waiting for {names}", names=name_list(missing, reader)) if missing else ""


def _matches_won(seen: SeatView, reader: Reader) -> tuple[tuple[str, int], ...]:
    """Matches won by each side or player, from the second match on."""
    if not seen.evening:
        return ()
    who = people(seen)
    count = len(seen.evening)
    sides = range(who.sides) if who.sides else range(count)
    return tuple((who.side_name(number, reader), seen.evening[number]) for number in sides)


def _take_actions_away(view: TableView, reader: Reader) -> None:
    """Show a line instead of buttons while the table acts by itself."""
    view.hand = tuple([replace(card, act="", choose=False) for card in view.hand])
    view.ask = None
    view.acts = ()
    view.bids = ()
    view.many = None
    view.more = None
    view.hint = ""
    view.line = reader.say("What you laid face down is turned up")
    view.line_suit = ""
    view.my_turn = False
