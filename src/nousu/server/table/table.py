"""The table as a value: seats, history, and the state that follows from it.

Theory of operation
-------------------
A table is one match. Its state is the fold of its events: `Table.after` adds one event, and a
restarted server folds the stored ones again. Persons and computer players take *places* in the order in
which they come; when all places are taken, ``start`` stores the shuffled pack that seats and first dealer
are drawn from, and every deal is stored like any action before anybody sees a card.

This module has no clock and no disk. A person's command becomes a `Change` (or a refusal) by the functions of
`nousu.server.table.seating` and `nousu.server.table.commands`: the event, and the table after it, so that
nothing is parsed or applied twice. The table's own steps are listed by `nousu.server.table.schedule`,
each with the earliest time. The time of a restart counts as the time of the last event, so nobody loses time
by it.
"""

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, assert_never

from nousu.engine.actions import Action, Entry
from nousu.engine.game import Game, View
from nousu.engine.match import Match
from nousu.engine.record import Finder
from nousu.engine.seats import CHANCE, Seat
from nousu.players import claims
from nousu.server.errors import KeyReused, RequestError
from nousu.server.table import events
from nousu.server.table.chat import Chat
from nousu.server.table.claims import Requests, UndoPoint, last_public_action
from nousu.server.table.options import TableOptions
from nousu.server.table.seats import FinishedHand, Place, Seats, has_forced_reveal, is_left_to_computers
from nousu.server.table.shuffle import Shuffles
from nousu.server.table.view import ChatLine, OpenShare, ShuffleShare, TableRequest

KEY_LENGTH = 64
_KEYS = 16
"""Number of idempotency keys that a table remembers; the disk knows all others."""
_PACE = 0.7
"""Default seconds that a computer player takes for a card."""


class Change(NamedTuple):
    """A possible next event, and the table after it."""

    event: events.Event
    table: "Table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table after `seq` events. Make one with `Table.new`, go on with `after`."""

    id: str
    preset: str
    game: Game
    rules: Any
    written: str = ""
    """The rules as ``preset+option=value``."""
    options: TableOptions
    pace: float
    """Seconds a computer player takes for a card, and a bid card lies before the next is turned up."""
    window: float
    """Seconds after each action in which interrupts are waited for before the table goes on by itself."""
    shuffles: Shuffles
    seats: Seats
    chat: Chat
    requests: Requests = field(default_factory=Requests)
    match: Match | None = None
    again: str = ""
    """The id of the table for the rematch."""
    seq: int = 0
    fresh: int = 0
    """Number of the last event that made older decisions stale. Answers to a question asked of several at
    once do not, nor do shares: they do not affect decisions made meanwhile."""
    unanswered: tuple[Seat, ...] = ()
    """Seats that still owe their answer to a question asked of several at once, after the first answer."""
    deals: int = 0
    """Number of deals so far."""
    ready: tuple[Seat, ...] = ()
    """Seats that asked for the next hand."""
    since: float = 0.0
    """Time of the last event of the game, on the caller's clock."""
    dealt: float = field(default=0.0, compare=False)
    """Time of the last deal, on the same clock."""
    finished_hands: tuple[FinishedHand, ...] = field(default=(), compare=False)
    """The finished hands as they are shown; they follow from `match`."""
    keys: tuple[tuple[str, str, int], ...] = ()
    """The last idempotency keys, each with the fingerprint of its request and the event's number."""

    @classmethod
    def new(
        cls,
        id: str,
        preset: str,
        seats: int,
        secret: bytes,
        options: TableOptions,
        find: Finder,
        now: float = 0.0,
    ) -> "Table":
        """An empty table.

        Args:
            id: The table's id.
            preset: The rules as ``preset+option=value``.
            seats: The number of seats.
            secret: The secret of its shuffles.
            options: The table's own options.
            find: Finds game and rules of a preset.
            now: Seconds on the caller's clock.

        Raises:
            BadRules: A wrong preset, rule option or number of seats.
        """
        game, rules = find(preset)
        game.check_seats(preset, seats)
        return cls(
            id=id,
            preset=preset,
            game=game,
            rules=rules,
            written=game.name_of(rules, preset.split("+")[0]),
            options=options,
            pace=_PACE if options.pace is None else options.pace,
            window=game.window if options.window is None else options.window,
            shuffles=Shuffles(secret),
            seats=Seats(places=(Place(),) * seats),
            chat=Chat.new(game, rules),
            since=now,
        )

    # ------------------------------------------------------------------------------------- the fold

    def after(self, event: events.Event, now: float) -> "Table":
        """The table after one more event, at `now`; `ValueError` or `IllegalAction` if it cannot follow."""
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} cannot follow event {self.seq}")
        keys = self.keys
        if event.key is not None and event.print is not None:
            keys = (*keys[1 - _KEYS :], (event.key, event.print, event.seq))
        what, changes = event.what, self._changes(event.what)
        if "seats" in changes and self.match is not None:
            changes["seats"] = changes["seats"].with_previous(self.seats, self.match)
        aside = isinstance(what, events.ASIDE)
        if changes.get("deals"):
            changes["dealt"] = now
        return replace(
            self,
            seq=event.seq,
            fresh=self.fresh if aside or changes.get("unanswered") else event.seq,
            since=self.since if aside else now,
            keys=keys,
            **changes,
        )

    def change(
        self, what: events.Happening, now: float, key: str | None = None, mark: str | None = None
    ) -> Change:
        """The change by a next event of this content."""
        event = events.Event(self.seq + 1, what, key, mark)
        return Change(event, self.after(event, now))

    def _changes(self, what: events.Happening) -> dict[str, Any]:
        """The fields that an event gives new values to."""
        match what:
            case events.ActionDone(seat, action):
                return self._after_action(seat, action)
            case events.NextRequested(seat):
                return {"ready": (*self.ready, seat)}
            case (
                events.ChatLineSaid()
                | events.PersonMuted()
                | events.ChatLineReported()
                | events.SignalsAgreed()
            ):
                side = self.side_of(what.place)
                return {"chat": self.chat.after(what, self.seq + 1, self.seats.places, side)}
            case (
                events.RequestMade()
                | events.RequestAnswered()
                | events.RequestLapsed()
                | events.ClaimSettled()
                | events.ActionUndone()
            ):
                return self._after_request(what)
            case events.ChanceAdded() | events.ShareOpened():
                return {"shuffles": self._after_share(what)}
            case events.PackDrawn() | events.MatchBegan():
                return self._after_start(what)
            case events.RematchOpened(table):
                return {"again": table}
            case _:
                return self._after_seating(what)

    def _after_start(self, what: events.PackDrawn | events.MatchBegan) -> dict[str, Any]:
        seats, branch = len(self.seats), self.options.branch
        if isinstance(what, events.PackDrawn):
            match = Match.draw(self.game, self.rules, seats, what.pack)
            order = None if match.seating is None else match.seating.places
            return {"match": match, "seats": replace(self.seats, order=order)}
        if branch is not None:
            return {"match": branch.match(self.game, self.rules, seats)}
        return {"match": Match.start(self.game, self.rules, seats, what.dealer)}

    def _after_share(self, what: events.ChanceAdded | events.ShareOpened) -> Shuffles:
        if isinstance(what, events.ShareOpened):
            return self.shuffles.with_share_opened(what.place, what.share)
        return self._with_chance(what.place, what.chance, what.own)

    def _after_request(
        self,
        what: events.RequestMade
        | events.RequestAnswered
        | events.RequestLapsed
        | events.ClaimSettled
        | events.ActionUndone,
    ) -> dict[str, Any]:
        match what:
            case events.RequestMade(seat, asked, of):
                return {"requests": replace(self.requests, open=TableRequest(seat, asked, of))}
            case events.RequestAnswered(seat, yes):
                return {"requests": self.requests.after_answer(seat, yes, self.tricks)}
            case events.RequestLapsed():
                return {"requests": self.requests.after_refusal(self.tricks)}
            case events.ClaimSettled(plays):
                return self._after_claim(plays)
            case events.ActionUndone():
                return self._after_undo()
        assert_never(what)

    def _after_seating(
        self,
        what: events.PersonJoined
        | events.ComputerJoined
        | events.PlaceReserved
        | events.ChairKept
        | events.FaceChosen
        | events.PersonMoved
        | events.PersonRemoved
        | events.PersonLeft
        | events.PersonReturned,
    ) -> dict[str, Any]:
        seats, place = self.seats, what.place
        old = seats.places[place]
        match what:
            case events.PersonJoined(_, name, session):
                if not seats.host and not self.options.event:
                    seats = replace(seats, host=session)
                shuffles = self.shuffles
                if what.chance is not None:
                    shuffles = self._with_chance(place, what.chance, what.own)
                elif what.pledge:
                    shuffles = shuffles.with_pledge(ShuffleShare(place, what.pledge))
                return {"seats": seats.with_place(place, Place(name, session=session)), "shuffles": shuffles}
            case events.ComputerJoined(_, name, player):
                return {"seats": seats.with_place(place, Place(name, player=player))}
            case events.PlaceReserved(_, name, session):
                return {"seats": seats.with_place(place, Place(name, reserved=session))}
            case events.ChairKept(_, name, session):
                return {"seats": seats.with_place(place, replace(old, heir=session, heir_name=name))}
            case events.FaceChosen(_, face):
                return {"seats": seats.with_place(place, replace(old, face=face))}
            case events.PersonMoved(_, to):
                seats = seats.with_place(place, seats.places[to]).with_place(to, old)
                return {"seats": seats, "shuffles": self.shuffles.with_share_moved(place, to)}
            case events.PersonRemoved(_, name, player):
                shuffles = self.shuffles
                if self.match is None:
                    shuffles = shuffles.with_share_moved(place, None)
                seats = replace(seats, barred=seats.barred | {old.session})
                return {"seats": seats.with_place(place, Place(name, player=player)), "shuffles": shuffles}
            case events.PersonLeft(_, player):
                return {"seats": seats.with_place(place, replace(old, stand_in=player))}
            case events.PersonReturned():
                return {"seats": seats.with_place(place, replace(old, stand_in=""))}
        assert_never(what)

    def _with_chance(self, place: int, text: str, own: bool) -> Shuffles:
        shuffle = 0 if self.match is None else self.deals + 1
        return self.shuffles.with_open_share(OpenShare(shuffle, place, text, own))

    def _after_action(self, seat: Seat, action: Action) -> dict[str, Any]:
        if self.match is None:
            raise ValueError("the match has not begun")
        match = self.match.apply(seat, action)
        requests = replace(self.requests, undo=None)
        changes: dict[str, Any] = {"match": match, "requests": requests, "unanswered": ()}
        if seat == CHANCE:
            return changes | {"ready": (), "deals": self.deals + 1, "requests": requests.after_deal()}
        if self.seats.by_seat[seat].stand_in:
            changes["seats"] = self.seats.with_stand_in_at(seat, len(self.match.played) + 1)
        if len(match.played) > len(self.match.played):
            finished = FinishedHand(match.played[-1], len(match.played))
            return changes | {"finished_hands": (*self.finished_hands, finished), "ready": ()}
        before, owed = self.match.hand.owed(), match.hand.owed()
        if len(before) > 1 and seat in before and set(owed) == {*before} - {seat}:
            changes["unanswered"] = owed
        if (
            self.options.undo
            and seat in self.seats.persons()
            and not has_forced_reveal(seat, self.match.hand)
        ):
            changes["requests"] = replace(requests, undo=UndoPoint(seat, self.match, self.unanswered))
        return changes

    def _after_claim(self, plays: tuple[Entry, ...]) -> dict[str, Any]:
        requests, table = self.requests.after_claim(len(self.finished_hands) + 1, self.tricks), self
        changes: dict[str, Any] = {}
        for seat, action in plays:
            changes |= table._after_action(seat, action)
            table = replace(table, **changes)
        return {**changes, "requests": requests}

    def _after_undo(self) -> dict[str, Any]:
        point = self.requests.undo
        if point is None:
            raise ValueError("nothing can be taken back")
        action = last_public_action(self.match)
        line = ChatLine(self.seq + 1, "", self.seats.names[point.seat], "undo", action)
        requests = replace(self.requests, open=None, undo=None)
        back = {"match": point.match, "unanswered": point.unanswered}
        return {**back, "requests": requests, "chat": self.chat.with_line(line)}

    # ------------------------------------------------------------------------- questions about its state

    @property
    def over(self) -> bool:
        """True if the match is over, or the hand that was played on from a branch point."""
        if self.match is None:
            return False
        return self.match.winner is not None or (self.options.branch is not None and bool(self.match.played))

    @property
    def between_hands(self) -> bool:
        """True if a hand is finished and the next one is not dealt yet."""
        if self.match is None or self.over or not self.finished_hands or self.match.hand.log:
            return False
        # A hand that begins with a question (TU-ZK-V4) begins as soon as everybody has asked for it.
        return self.match.hand.owed() == (CHANCE,) or not set(self.seats.persons()) <= set(self.ready)

    @property
    def resting(self) -> bool:
        """True if no hand is being played."""
        return self.match is None or self.over or self.between_hands

    @property
    def left_to_computers(self) -> bool:
        """True if computer players play the rest of this hand, two tricks or more, among themselves."""
        return (
            self.match is not None
            and not self.resting
            and self.leaves_to_computers(self.match.hand.view(None))
        )

    def leaves_to_computers(self, view: View) -> bool:
        """Whether `left_to_computers` holds during a hand, of which any view will do."""
        persons = self.seats.persons()
        return bool(persons) and max(view.counts) > 1 and is_left_to_computers(view, persons)

    @property
    def tricks(self) -> int:
        """Tricks played in the hand on the table."""
        return 0 if self.match is None else len(self.match.hand.view(None).tricks)

    @property
    def closed_shares(self) -> tuple[ShuffleShare, ...]:
        """The shares that may now be opened and are not yet: all are pledged, and nothing is drawn."""
        if self.match is not None or self.seats.open_places():
            return ()
        return tuple(share for share in self.shuffles.shares if not share.text)

    def may_open_share(self, session: str | None) -> bool:
        """Whether the share that this person pledged is to be opened now."""
        return any(self.seats.is_at(session, share.place) for share in self.closed_shares)

    @property
    def secret(self) -> str | None:
        """The secret of the shuffles in hex, once the match is over."""
        return self.shuffles.secret.hex() if self.over else None

    @property
    def wins(self) -> tuple[int, ...]:
        """Matches won on this evening, this one included once it is over, by place; empty in the first."""
        before, winner = self.options.evening, self.match.winner if self.match is not None else None
        if not before or not winner:
            return before
        sides = self.game.sides or len(before)
        return tuple(count + (seat % sides in winner) for seat, count in enumerate(before))

    @property
    def chairs(self) -> tuple[int, ...]:
        """The places of computer players that somebody may take now, or when the hand ends."""
        if self.match is None or self.over or self.options.event or self.options.branch is not None:
            return ()
        return tuple([place for place in self.seats.computers if not self.seats.places[place].heir])

    def side_of(self, place: int) -> int | None:
        """The side of a place; None in games without sides, and before seats are drawn."""
        sides, order = self.game.sides, self.seats.order
        if not sides or (self.match is None and not self.options.chosen):
            return None
        return (place if order is None else order[place]) % sides

    def possible_requests(self, seat: Seat | None, view: View | None = None) -> tuple[str, ...]:
        """The `REQUESTS` that a seat may make now; give its `view` of the hand where that is at hand."""
        if seat is None or self.match is None or (view is None and self.resting):
            return ()
        view = view or self.match.hand.view(seat)
        kinds = [f"claim {kind}" for kind in claims.kinds(view)]
        return self.requests.possible(seat, len(view.tricks), kinds)

    def window_of(self, seat: Seat | None, now: float) -> float | None:
        """Seconds left in which that seat may interrupt before the table goes on; None: no such window."""
        if not self.window or seat is None or self.match is None or self.between_hands or self.over:
            return None
        hand = self.match.hand
        if seat in hand.owed() or not hand.legal(seat):
            return None
        return round(max(0.0, self.since + self.window - now), 1) or None

    # ------------------------------------------------------------------------------------ idempotency

    def fingerprint(self, session: str, text: str, seq: int) -> str:
        """A hash of an action request, which must be the same when its key comes again."""
        text = " ".join(text.split())
        parts = (self.seats.seat_of(session), text, None if text == "next" else seq)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def event_of_key(self, key: str, mark: str) -> int | None:
        """The number of the event that came with a key, if the table remembers it.

        Raises:
            RequestError: The text is no key.
            KeyReused: The key came with a request of another fingerprint.
        """
        if not 8 <= len(key) <= KEY_LENGTH or not key.isascii() or not key.isprintable():
            raise RequestError("An action needs a key of its own: 8 to 64 plain characters.")
        for known, before, number in self.keys:
            if known == key:
                if before != mark:
                    raise KeyReused("This key already belongs to another action; use a new one.")
                return number
        return None
