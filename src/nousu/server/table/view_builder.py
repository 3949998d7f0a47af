"""Views of a table: the part that all viewers share, made once for a state, and each viewer's own.

Several people look at every state of a table, and most of it is the same for all of them.
"""

from typing import Any

from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.server.table.seats import has_forced_reveal
from nousu.server.table.shuffle import commitment
from nousu.server.table.table import Table
from nousu.server.table.view import ChatView, MatchView, SeatView


def view_of(table: Table, session: str | None, now: float, lang: str) -> SeatView:
    """The table as the person of a session may see it (None: a spectator)."""
    return ViewBuilder(table).view(session, now, lang)


class ViewBuilder:
    """The views of one state of a table; parts that are as in the state `before` are taken from there."""

    def __init__(self, table: Table, before: "ViewBuilder | None" = None) -> None:
        self.table = table
        seats = table.seats
        places = seats.by_seat
        match = table.match or Match.start(table.game, table.rules, len(seats))
        self._match = match
        self._sessions = tuple([place.session for place in places])
        self._over, self._between, self._resting = table.over, table.between_hands, table.resting
        self._finished = bool(table.finished_hands) and (self._between or self._over)
        self._owed = match.hand.owed()
        self._free = tuple([at for at, place in enumerate(places) if seats.place_at(at) in table.chairs])
        self._opening, self._windowed = bool(table.closed_shares), bool(table.window)
        key: tuple[Any, ...] = (table.chat, self._sessions, self._resting, table.match is None)
        self._chats: dict[str | None, ChatView] = {}
        if before is not None and key[0] is before._chat_key[0] and key[1:] == before._chat_key[1:]:
            self._chats = before._chats
        self._chat_key: tuple[Any, ...] = key
        """The key of the chat view: everything it depends on."""
        self._played_by = tuple([bool(place.played_by) for place in places])
        options = table.options
        self._public: dict[str, Any] = {
            "table_id": table.id,
            "seq": table.seq,
            "names": tuple([place.name for place in places]),
            "computers": tuple([bool(place.player) for place in places]),
            "preset": table.written,
            "base_preset": table.preset.split("+")[0],
            "over": self._over,
            "away": tuple([at for at, place in enumerate(places) if place.stand_in]),
            "started": table.match is not None,
            "ready": table.ready,
            "commitment": commitment(table.shuffles.secret),
            "secret": table.secret,
            "chances": table.shuffles.open_shares,
            "shares": table.shuffles.shares,
            "learning": options.learning,
            "chosen": options.chosen,
            "kept": tuple([bool(place.reserved) for place in places]),
            "heirs": tuple([place.heir_name for place in places]),
            "faces": tuple([place.face for place in places]),
            "host_name": seats.name_of(seats.host) if seats.host else "",
            "again": table.again,
            "rehearses": options.branch.path if options.branch is not None else "",
            "evening": table.wins,
            "request": table.requests.open,
            "claims": table.requests.claims,
            "takes_back": options.undo,
            "event": options.event.partition(" ")[0],
            "finished": self._finished,
            "match": MatchView(
                game=table.game.name,
                rules=table.rules,
                seats=match.seats,
                dealer=match.dealer,
                number=match.hand.setup.number,
                played=tuple([hand.summary for hand in table.finished_hands]),
                tally=match.tally,
                winner=match.winner,
                seating=match.seating,
                drawn=match.drawn,
            ),
        }

    def view(self, session: str | None, now: float, lang: str) -> SeatView:
        """The table as the person of a session may see it.

        Args:
            session: Hash of their session's token; None: a spectator.
            now: Seconds on the table's clock.
            lang: The language the view is for.
        """
        table, seats, hand, resting = self.table, self.table.seats, self._match.hand, self._resting
        seat = self._sessions.index(session) if session and session in self._sessions else None
        own = None if table.match is None else seat
        view = self._match.played[-1].hand.view(own) if self._finished else hand.view(own)
        return SeatView(
            **self._public,
            view=view,
            seat=seat,
            waiting=self._between and seat is not None and seat not in table.ready,
            window=table.window_of(seat, now) if self._windowed else None,
            lang=lang,
            thinking=tuple([at for at in view.owed if at >= 0 and self._played_by[at]]),
            opens=self._opening and table.may_open_share(session),
            host=bool(session) and session == table.seats.host,
            turns_up=own is not None and own in self._owed and has_forced_reveal(own, hand),
            asks=() if own is None or resting else table.possible_requests(own, view),
            hurries=seat is not None and not resting and table.leaves_to_computers(view),
            seats_to_take=self._free if seat is None and self._between else (),
            seats_to_keep=self._free if seat is None and not resting else (),
            chair=seats.chair_of(session) if seat is None and not self._over else None,
            trick_time=(table.since - table.dealt) / len(view.tricks) if view.tricks else 0.0,
            barred=session in seats.barred,
            chat=self._chat(session, seat),
        )

    def _chat(self, session: str | None, seat: Seat | None) -> ChatView:
        chat = self._chats.get(session)
        if chat is None:
            table = self.table
            side = None if seat is None or session is None else table.side_of(table.seats.place_of(session))
            chat = table.chat.view(session, self._sessions, seat, side, self._resting)
            self._chats[session] = chat
        return chat
