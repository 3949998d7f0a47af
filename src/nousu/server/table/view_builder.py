"""A table as it is shown: what all may see of it, worked out once, and what each viewer sees besides.

Several people look at every state of a table. Most of what they are shown is the same for all of them.
"""

from typing import TYPE_CHECKING, Any

from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.server.table.seats import computers, turns_up
from nousu.server.table.view import MatchSeen, Seen, TalkSeen

if TYPE_CHECKING:
    from nousu.server.table.table import Table


class Sight:
    """One state of a table, as `Table.seen` shows it to one viewer after another. What it shows as the state
    `before` did is that state's."""

    def __init__(self, table: "Table", before: "Sight | None" = None) -> None:
        self.table = table
        places = table.by_seat
        match = table.match or Match.start(table.game, table.rules, len(table.places))
        self._match = match
        self._sessions = tuple([place.session for place in places])
        self._over, self._between, self._resting = table.over, table.between_hands, table.resting
        self._finished = bool(table.finished) and (self._between or self._over)
        self._owed = match.hand.owed()
        self._computers = computers(places)
        self._opening, self._windowed = bool(table.closed_shares), bool(table.window)
        said: tuple[Any, ...] = (table.talk, self._sessions, self._resting, table.match is None)
        self._talks: dict[str | None, TalkSeen] = {}
        if before is not None and said[0] is before._said[0] and said[1:] == before._said[1:]:
            self._talks = before._talks
        self._said: tuple[Any, ...] = said
        """All that what somebody reads and may say follows from."""
        self._played_by = tuple([bool(place.played_by) for place in places])
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
            "commitment": table.commitment,
            "secret": table.secret,
            "chances": table.shuffles.chances,
            "shares": table.shuffles.shares,
            "learning": table.learning,
            "chosen": table.chosen,
            "kept": tuple([bool(place.kept) for place in places]),
            "again": table.again,
            "rehearses": table.rehearses.path if table.rehearses is not None else "",
            "evening": table.won,
            "request": table.requests.open,
            "claims": table.requests.claims,
            "takes_back": table.takes_back,
            "event": table.event.partition(" ")[0],
            "finished": self._finished,
            "match": MatchSeen(
                game=table.game.name,
                rules=table.rules,
                seats=match.seats,
                dealer=match.dealer,
                number=match.hand.setup.number,
                played=tuple([one.seen for one in table.finished]),
                tally=match.tally,
                winner=match.winner,
                seating=match.seating,
                drawn=match.drawn,
            ),
        }

    def seen(self, session: str | None, now: float, lang: str) -> Seen:
        """The table as this session may see it."""
        table, hand, resting = self.table, self._match.hand, self._resting
        seat = self._sessions.index(session) if session and session in self._sessions else None
        own = None if table.match is None else seat
        view = self._match.played[-1].hand.view(own) if self._finished else hand.view(own)
        return Seen(
            **self._public,
            view=view,
            seat=seat,
            waiting=self._between and seat is not None and seat not in table.ready,
            window=table.window_of(seat, now) if self._windowed else None,
            lang=lang,
            thinking=tuple([at for at in view.owed if at >= 0 and self._played_by[at]]),
            opens=self._opening and table.opens(session),
            host=bool(session) and session == table.host,
            turns_up=own is not None and own in self._owed and turns_up(own, hand),
            asks=() if own is None or resting else table.asks_with(own, view),
            hurries=seat is not None and not resting and table.left_alone(view),
            seats_to_take=self._computers if seat is None and self._between else (),
            talk=self._talk(session, seat),
        )

    def _talk(self, session: str | None, seat: Seat | None) -> TalkSeen:
        found = self._talks.get(session)
        if found is None:
            table = self.table
            side = None if seat is None or session is None else table.side_of(table.place_of(session))
            found = table.talk.seen(session, self._sessions, seat, side, self._resting)
            self._talks[session] = found
        return found
