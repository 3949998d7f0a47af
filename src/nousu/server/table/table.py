"""The table as a value: who sits where, what happened, what it does next by itself and when.

Theory of operation
-------------------
A table is one match. Its state is the fold of its events, nothing else: `Table.after` adds one event, and a
restarted server folds the stored ones again. Persons and computer players take *places* in the order in
which they come; when all places are taken, ``start`` stores the shuffled pack that seats and first dealer
are drawn from, and every deal is stored like any action before anybody sees a card.

Nothing here knows a clock or a disk. What a person asks for becomes a `Change` (or a refusal) by `act`,
`join`, `open_share` …: the event, and the table after it, so that nothing is parsed or applied twice. What
the table does by itself is listed by `nousu.server.table.schedule`, each with the earliest time.
The time of a restart counts as the time of the last event, so nobody loses time by it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, assert_never

from nousu.engine.actions import Action, Entry
from nousu.engine.game import Game, View
from nousu.engine.match import Match
from nousu.engine.messages import sentence
from nousu.engine.record import EVERYTHING, Finder, Reader, Record, write
from nousu.engine.seats import CHANCE, Seat, seat_name
from nousu.engine.timeline import Story
from nousu.players import claims
from nousu.server.errors import KeyReused, NotYours, RequestError, Stale
from nousu.server.table import shuffle as shuffle_module
from nousu.server.table.branch_point import Position
from nousu.server.table.chat import Talk
from nousu.server.table.claims import Before, Requests, shown
from nousu.server.table.display_names import skeleton
from nousu.server.table.events import (
    ASIDE,
    AddedChance,
    Again,
    Agreed,
    Answered,
    Asked,
    AskedNext,
    Began,
    Came,
    CameBack,
    Did,
    Drawn,
    Event,
    Happening,
    Invited,
    Kept,
    Lapsed,
    Left,
    Moved,
    Muted,
    Opened,
    Removed,
    Reported,
    Said,
    Settled,
    TakenBack,
)
from nousu.server.table.inputs import fingerprint, parsed, seconds
from nousu.server.table.seats import NAMES, Finished, Held, Place, alone, turns_up
from nousu.server.table.shuffle import Shuffles
from nousu.server.table.view import ChanceSeen, HandSeen, Line, MatchSeen, Request, Seen, ShareSeen
from nousu.server.table.view_builder import Sight

__all__ = ["ChanceSeen", "Change", "HandSeen", "MatchSeen", "Place", "Seen", "Table"]

KEY_LENGTH = 64
_KEYS = 16
"""Idempotency keys that a table remembers; the disk knows all others."""


class Change(NamedTuple):
    """An event that may follow, and the table after it."""

    event: Event
    table: "Table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table after `seq` events. Make one with `Table.new`, go on with `after`."""

    id: str
    preset: str
    game: Game
    rules: Any
    shuffles: Shuffles
    places: tuple[Place, ...]
    talk: Talk
    written: str = ""
    """The rules as ``preset+option=value``."""
    pace: float = 0.7
    """Seconds a computer player takes for a card, and a bid card lies before the next is turned up."""
    window: float = 0.0
    """Seconds after each action in which interrupts are waited for before the table goes on by itself."""
    public: bool = False
    """Strangers find this table on the start page while places are open."""
    learning: bool = False
    """Whoever sits here may ask for hints."""
    chosen: bool = False
    """People sit where they like; else seats are drawn as the rules say."""
    dealer: Seat | None = None
    """Who deals first, where that is known from the match before."""
    clock: str = ""
    """How fast people have to act: ``relaxed``, ``quick``, or as they like."""
    takes_back: bool = False
    """People may take a mis-click back, if nobody has acted on it and the others agree."""
    evening: tuple[int, ...] = ()
    """Matches won before at this place, by place."""
    rehearses: Position | None = None
    """The moment of another table's hand from which one person plays on; it counts for nothing."""
    event: str = ""
    """The tournament that seats people here, and where in it this table stands, as that tournament writes
    it (`nousu.server.tournament.online`); empty at all other tables."""
    match: Match | None = None
    host: str = ""
    """Session of whoever came first."""
    barred: frozenset[str] = frozenset()
    """Sessions that the host has asked to leave."""
    again: str = ""
    """The table at which its people meet again."""
    seq: int = 0
    settled: int = 0
    """Number of the last event that made older decisions stale. Answers to a question asked of several at
    once do not, nor do shares: what they change concerns nobody who decides meanwhile."""
    among: tuple[Seat, ...] = ()
    """Seats that still owe their answer to a question asked of several at once, after one of them has given
    theirs."""
    requests: Requests = field(default_factory=Requests)
    dealt: int = 0
    """How many times cards were dealt."""
    stood_in: tuple[tuple[Seat, int], ...] = ()
    """The seats for which a computer player stood in, each with the place of the hand (from 1), once."""
    held: tuple[Held, ...] = ()
    """Who had a seat before those who have it now, in order."""
    ready: tuple[Seat, ...] = ()
    """Seats that asked for the next hand."""
    since: float = 0.0
    """When the last event happened, on the caller's clock."""
    finished: tuple["Finished", ...] = field(default=(), compare=False)
    """The finished hands as they are shown; what they are is in `match`."""
    keys: tuple[tuple[str, str, int], ...] = ()
    """The last idempotency keys, each with the fingerprint of its event and the event's number."""

    @classmethod
    def new(
        cls,
        id: str,
        preset: str,
        seats: int,
        secret: bytes,
        options: Mapping[str, str],
        find: Finder,
        now: float = 0.0,
    ) -> "Table":
        """An empty table. `options` may hold ``window`` and ``pace`` in seconds. `RequestError` names a wrong
        preset, rule option, table option or number of seats. ``seats`` may be ``chosen``; ``dealer`` and
        ``evening`` come from the match before, ``event`` from a tournament."""
        game, rules = find(preset)
        game.check_seats(preset, seats)
        return cls(
            id=id,
            preset=preset,
            game=game,
            rules=rules,
            written=game.name_of(rules, preset.split("+")[0]),
            shuffles=Shuffles(secret),
            places=(Place(),) * seats,
            talk=Talk.new(game, rules),
            pace=seconds(options, "pace", 0.7),
            window=seconds(options, "window", game.window),
            public=options.get("public") == "yes",
            learning=options.get("learning") == "yes",
            clock=options.get("clock", ""),
            takes_back=options.get("undo") == "yes",
            chosen=options.get("seats") == "chosen",
            dealer=int(options["dealer"]) if "dealer" in options else None,
            evening=tuple(map(int, options.get("evening", "").split())),
            rehearses=Position.read(options["position"]) if "position" in options else None,
            event=options.get("event", ""),
            since=now,
        )

    # ------------------------------------------------------------------------------------- the fold

    def after(self, event: Event, now: float) -> "Table":
        """The table after one more event, which happened at `now`. `ValueError` (an `IllegalAction` where the
        rules forbid it) if the event cannot follow this table."""
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} cannot follow event {self.seq}")
        keys = self.keys
        if event.key is not None and event.print is not None:
            keys = (*keys[1 - _KEYS :], (event.key, event.print, event.seq))
        what, changes = event.what, self._changes(event.what)
        if "places" in changes and self.match is not None:
            changes["held"] = (*self.held, *self._left_by(replace(self, places=changes["places"])))
        aside = isinstance(what, ASIDE)
        return replace(
            self,
            seq=event.seq,
            settled=self.settled if aside or changes.get("among") else event.seq,
            since=self.since if aside else now,
            keys=keys,
            **changes,
        )

    def _changes(self, what: Happening) -> dict[str, Any]:
        """The fields that a happening gives new values to."""
        match what:
            case Did(seat, action):
                return self._done(seat, action)
            case AskedNext(seat):
                return {"ready": (*self.ready, seat)}
            case Drawn(pack):
                return {"match": Match.draw(self.game, self.rules, len(self.places), pack)}
            case Came(place, name, session, pledge, chance, own):
                shuffles = self.shuffles
                if chance is not None:
                    shuffles = self._with_chance(place, chance, own)
                elif pledge:
                    shuffles = shuffles.promised(ShareSeen(place, pledge))
                host = {} if self.host or self.event else {"host": session}
                places = self._seated(place, Place(name, session=session))
                return {"places": places, "shuffles": shuffles, **host}
            case Kept(place, name, session):
                return {"places": self._seated(place, Place(name, kept=session))}
            case Moved(place, to):
                places = self._seated(place, self.places[to])
                places = (*places[:to], self.places[place], *places[to + 1 :])
                return {"places": places, "shuffles": self.shuffles.moved(place, to)}
            case Removed(place, name, player):
                barred = self.barred | {self.places[place].session}
                shuffles = self.shuffles.moved(place, None) if self.match is None else self.shuffles
                places = self._seated(place, Place(name, player=player))
                return {"places": places, "barred": barred, "shuffles": shuffles}
            case Began(dealer):
                seats, rehearsed = len(self.places), self.rehearses
                if rehearsed is not None:
                    return {"match": rehearsed.match(self.game, self.rules, seats)}
                return {"match": Match.start(self.game, self.rules, seats, dealer)}
            case Again(table):
                return {"again": table}
            case Invited(place, name, player):
                return {"places": self._seated(place, Place(name, player=player))}
            case Left(place, player):
                return {"places": self._seated(place, replace(self.places[place], stand_in=player))}
            case CameBack(place):
                return {"places": self._seated(place, replace(self.places[place], stand_in=""))}
            case AddedChance(place, chance, own):
                return {"shuffles": self._with_chance(place, chance, own)}
            case Opened(place, share):
                return {"shuffles": self.shuffles.opened(place, share)}
            case Said() | Muted() | Reported() | Agreed():
                side = self.side_of(what.place)
                return {"talk": self.talk.after(what, self.seq + 1, self.places, side)}
            case Asked(seat, asked, of):
                return {"requests": self.requests.asked(Request(seat, asked, of))}
            case Answered(seat, yes):
                return {"requests": self.requests.answered(seat, yes, self.tricks)}
            case Lapsed():
                return {"requests": self.requests.refused(self.tricks)}
            case Settled(plays):
                return self._settled(plays)
            case TakenBack():
                return self._taken_back()
        assert_never(what)

    def _left_by(self, after: "Table") -> Iterator[Held]:
        """Who has lost a seat to somebody else, as the table is `after` it."""
        assert self.match is not None
        for seat, (one, next_) in enumerate(zip(self.by_seat, after.by_seat, strict=True)):
            if (one.session, one.player) != (next_.session, next_.player):
                begun = any(by == seat for by, _ in self.match.hand.log)
                yield Held(seat, one.session, one.name, len(self.match.played) + 1, begun)

    def _settled(self, plays: tuple[Entry, ...]) -> dict[str, Any]:
        requests, table = self.requests.settled(len(self.finished) + 1, self.tricks), self
        changes: dict[str, Any] = {}
        for seat, action in plays:
            changes |= table._done(seat, action)
            table = replace(table, **changes)
        return {**changes, "requests": requests}

    def _taken_back(self) -> dict[str, Any]:
        before = self.requests.before
        if before is None:
            raise ValueError("nothing can be taken back")
        line = Line(self.seq + 1, "", self.names[before.seat], "undo", shown(self.match))
        requests = replace(self.requests, open=None, before=None)
        back = {"match": before.match, "among": before.among}
        return {**back, "requests": requests, "talk": self.talk.said(line)}

    def _seated(self, place: int, who: Place) -> tuple[Place, ...]:
        return (*self.places[:place], who, *self.places[place + 1 :])

    def _with_chance(self, place: int, text: str, own: bool) -> Shuffles:
        shuffle = 0 if self.match is None else self.dealt + 1
        return self.shuffles.added(ChanceSeen(shuffle, place, text, own))

    def _done(self, seat: Seat, action: Action) -> dict[str, Any]:
        if self.match is None:
            raise ValueError("the match has not begun")
        match = self.match.apply(seat, action)
        if seat != CHANCE and self.by_seat[seat].stand_in:
            here = (seat, len(self.match.played) + 1)
            kept = self.stood_in if here in self.stood_in else (*self.stood_in, here)
            return {**self._moved_on(match, seat), "stood_in": kept}
        return self._moved_on(match, seat)

    def _moved_on(self, match: Match, seat: Seat) -> dict[str, Any]:
        assert self.match is not None
        requests = replace(self.requests, before=None)
        if seat == CHANCE:
            dealt: dict[str, Any] = {"dealt": self.dealt + 1, "requests": requests.dealt()}
            return {"match": match, "ready": (), "among": (), **dealt}
        if len(match.played) > len(self.match.played):
            finished = (*self.finished, Finished(match.played[-1], len(match.played)))
            return {"match": match, "finished": finished, "ready": (), "among": (), "requests": requests}
        before, owed = self.match.hand.owed(), match.hand.owed()
        several = len(before) > 1 and seat in before and set(owed) == {*before} - {seat}
        if self.takes_back and seat in self.persons() and not turns_up(seat, self.match.hand):
            requests = replace(requests, before=Before(seat, self.match, self.among))
        return {"match": match, "among": owed if several else (), "requests": requests}

    # ------------------------------------------------------------------------- what is the case now

    @property
    def over(self) -> bool:
        """The match is over, or the hand that is rehearsed."""
        if self.match is None:
            return False
        return self.match.winner is not None or (self.rehearses is not None and bool(self.match.played))

    @property
    def between_hands(self) -> bool:
        """A hand is finished and the next one is not dealt yet."""
        if self.match is None or self.over or not self.finished or self.match.hand.log:
            return False
        # A hand that begins with a question (TU-ZK-V4) is on as soon as everybody has asked for it.
        return self.match.hand.owed() == (CHANCE,) or not set(self.persons()) <= set(self.ready)

    @property
    def left_to_computers(self) -> bool:
        """Computer players play the rest of this hand, two tricks or more, among themselves."""
        return self.match is not None and not self.resting and self.left_alone(self.match.hand.view(None))

    def left_alone(self, view: View) -> bool:
        """The same during a hand, of which anybody's view will do."""
        persons = self.persons()
        return bool(persons) and max(view.counts) > 1 and alone(view, persons)

    @property
    def resting(self) -> bool:
        """No hand is being played."""
        return self.match is None or self.over or self.between_hands

    @property
    def closed_shares(self) -> tuple[ShareSeen, ...]:
        """The shares that may now be opened and are not yet: all are promised, and nothing is drawn."""
        if self.match is not None or self.open_places():
            return ()
        return tuple(one for one in self.shuffles.shares if not one.text)

    @property
    def by_seat(self) -> tuple[Place, ...]:
        """Who sits at each seat; before the draw in the order in which they came."""
        if self.match is None or self.match.seating is None:
            return self.places
        return _by_seat(self.match.seating.places)(self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(place.name for place in self.by_seat)

    def opens(self, session: str | None) -> bool:
        """Whether the share that this person promised is to be opened now."""
        return any(self._is(session, one.place) for one in self.closed_shares)

    @property
    def won(self) -> tuple[int, ...]:
        """Matches won this evening by place where seats are chosen, this one included once it is over; empty
        while there is none but this."""
        before, winner = self.evening, self.match.winner if self.match is not None else None
        if not before or not winner:
            return before
        sides = self.game.sides or len(before)
        return tuple(count + (seat % sides in winner) for seat, count in enumerate(before))

    @property
    def commitment(self) -> str:
        """What is public of the secret of the shuffles from the beginning."""
        return shuffle_module.commitment(self.shuffles.secret)

    @property
    def secret(self) -> str | None:
        """The secret of the shuffles, once the match is over."""
        return self.shuffles.secret.hex() if self.over else None

    def seat_of(self, session: str | None) -> Seat | None:
        """The seat of a session, before seats are drawn its place; None for a spectator."""
        if not session:
            return None
        for seat, place in enumerate(self.by_seat):
            if place.session == session:
                return seat
        return None

    @property
    def tricks(self) -> int:
        """Tricks played in the hand on the table."""
        return 0 if self.match is None else len(self.match.hand.view(None).tricks)

    def side_of(self, place: int) -> int | None:
        """The side of a place; None where there are no sides, or the seats are not drawn yet."""
        match, sides = self.match, self.game.sides
        if not sides or (match is None and not self.chosen):
            return None
        return (place if match is None or match.seating is None else match.seating.places[place]) % sides

    def persons(self) -> tuple[Seat, ...]:
        """The seats of persons who play themselves."""
        return tuple(seat for seat, place in enumerate(self.by_seat) if place.session and not place.stand_in)

    def is_away(self, session: str) -> bool:
        """Whether a computer player plays for the person of that session."""
        return any(place.session == session and place.stand_in for place in self.places)

    def holders(self, seat: Seat, hand: int) -> tuple[str, ...]:
        """The sessions that acted at a seat in a hand, by its place from 1, one after the other; empty for a
        computer player."""
        before = [one for one in self.held if one.seat == seat and one.until >= hand]
        whole = next((one.session for one in before if one.until > hand), self.by_seat[seat].session)
        return (*(one.session for one in before if one.until == hand and one.begun), whole)

    def name_at(self, session: str) -> str:
        """What the person of a session is called at this table; empty where they do not sit here."""
        return next((place.name for place in self.places if place.session == session), "")

    def open_places(self) -> tuple[int, ...]:
        """Places nobody has taken."""
        return tuple(at for at, place in enumerate(self.places) if not (place.session or place.player))

    # -------------------------------------------------------------------------------------- requests

    def change(self, what: Happening, now: float, key: str | None = None, mark: str | None = None) -> Change:
        """The happening as the next event, and the table after it."""
        event = Event(self.seq + 1, what, key, mark)
        return Change(event, self.after(event, now))

    def invite(self, player: str, now: float) -> Change:
        """A computer player takes the first open place."""
        free = self.open_places()
        if not free:
            raise NotYours("All places at this table are taken.")
        taken = {skeleton(place.name) for place in self.places}
        name = next((name for name in NAMES if skeleton(name) not in taken), NAMES[0])
        return self.change(Invited(free[0], name, player), now)

    def away(self, session: str, player: str, now: float) -> Change:
        """A computer player plays on for a person who has left; the seat stays the person's."""
        place = self.place_of(session)
        if self.match is None or self.over:
            raise Stale(sentence("The match is over.") if self.over else sentence("The match has not begun."))
        if self.places[place].stand_in:
            raise Stale("A computer player is already playing for you.")
        return self.change(Left(place, player), now)

    def back(self, session: str, now: float) -> Change:
        """A person who was away plays on."""
        place = self.place_of(session)
        if not self.places[place].stand_in:
            raise Stale("Nobody plays for you.")
        return self.change(CameBack(place), now)

    def _is(self, session: str | None, place: int) -> bool:
        return bool(session) and self.places[place].session == session

    def place_of(self, session: str) -> int:
        """The place of somebody who sits here; `NotYours` for everybody else."""
        place = next((at for at in range(len(self.places)) if self._is(session, at)), None)
        if place is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        return place

    def open_share(self, session: str, share: str, now: float) -> Change | int:
        """A person opens the share they promised, when all promises are in. Once more is answered by the
        number of the last event."""
        place = self.place_of(session)
        if not shuffle_module.is_chance(share):
            raise RequestError("A contribution to the shuffle is 32 to 64 hexadecimal digits.")
        promised = (place, shuffle_module.pledge(share))
        if any((one.place, one.pledge) == promised and one.text for one in self.shuffles.shares):
            return self.seq
        if self.open_places():
            raise Stale("Shares are opened when everybody has promised theirs.")
        if not any((one.place, one.pledge) == promised for one in self.closed_shares):
            raise Stale("This share was not promised, or it is too late to open it.")
        return self.change(Opened(place, share), now)

    def mark(self, session: str, text: str, seq: int) -> str:
        """The fingerprint of an action asked for: what must be the same when its key comes again."""
        text = " ".join(text.split())
        return fingerprint(self.seat_of(session), text, None if text == "next" else seq)

    def done_before(self, key: str, mark: str) -> int | None:
        """The number of the event that came with this key, if the table remembers it; the key must be one and
        be used for nothing else."""
        if not 8 <= len(key) <= KEY_LENGTH or not key.isascii() or not key.isprintable():
            raise RequestError("An action needs a key of its own: 8 to 64 plain characters.")
        for known, before, number in self.keys:
            if known == key:
                if before != mark:
                    raise KeyReused("This key was used for another action; take a new one.")
                return number
        return None

    def act(self, session: str, text: str, seq: int, key: str, now: float) -> Change | int:
        """What a person asks for: an action, or ``next``. The `Change` it makes; or, when this key has made
        one before, the number of its event. Raises `RequestError` or `IllegalAction`."""
        seat = self.seat_of(session)
        if seat is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        text = " ".join(text.split())
        mark = self.mark(session, text, seq)
        if (number := self.done_before(key, mark)) is not None:
            return number
        if text == "next":
            if not self.between_hands or seat in self.ready:
                raise Stale("The next hand has already been asked for.")
            return self.change(AskedNext(seat), now, key, mark)
        if self.match is None or self.over:
            raise Stale(sentence("The match is over.") if self.over else sentence("The match has not begun."))
        if self.requests.open is not None:
            raise Stale("Something is asked at the table; answer that first.")
        if not self.settled <= seq <= self.seq:
            raise Stale("The game has moved on; look again and choose.")
        return self.change(Did(seat, parsed(text)), now, key, mark)

    # -------------------------------------------------------------------- what the table does itself

    def started(self, now: float) -> Change:
        """The draw for seats and first dealer, as far as they are not chosen and known."""
        if self.chosen:
            dealer = self.shuffles.first_dealer(len(self.places)) if self.dealer is None else self.dealer
            return self.change(Began(dealer), now)
        return self.change(Drawn(self.shuffles.pack(self.game)), now)

    def deal(self, now: float) -> Change:
        """The cards of the next hand."""
        assert self.match is not None
        return self.entry(CHANCE, self.shuffles.deal(self.match.hand.dealing(), self.dealt + 1), now)

    def entry(self, seat: Seat, action: Action, now: float) -> Change:
        """An action of a computer player, of chance, or one that is forced. `IllegalAction` if the rules
        forbid it."""
        return self.change(Did(seat, action), now)

    def turned_up(self, seat: Seat, now: float) -> Change:
        """The one action this seat can do."""
        assert self.match is not None
        return self.entry(seat, self.match.hand.legal(seat)[0], now)

    # --------------------------------------------------------------------------------- what is shown

    def seen(self, session: str | None, now: float, lang: str) -> Seen:
        """The table as this session may see it."""
        return Sight(self).seen(session, now, lang)

    def asks_of(self, seat: Seat | None) -> tuple[str, ...]:
        """What a seat may ask of the others now."""
        if seat is None or self.match is None or self.resting:
            return ()
        return self.asks_with(seat, self.match.hand.view(seat))

    def asks_with(self, seat: Seat, view: View) -> tuple[str, ...]:
        """The same where its view is known, during a hand."""
        return self.requests.may(seat, len(view.tricks), [f"claim {kind}" for kind in claims.kinds(view)])

    def window_of(self, seat: Seat | None, now: float) -> float | None:
        """Seconds left in which that seat may interrupt before the table goes on; None: no such window."""
        if not self.window or seat is None or self.match is None or self.between_hands or self.over:
            return None
        hand = self.match.hand
        if seat in hand.owed() or not hand.legal(seat):
            return None
        return round(max(0.0, self.since + self.window - now), 1) or None

    def hand_view(self, session: str | None, index: int) -> View:
        """What this session heard of a finished hand (from 1): its own cards as dealt, all tricks, what was
        turned up. What the rules keep secret stays secret here, even when the match is over (A-T-25)."""
        assert self.match is not None, "a hand is finished"
        return self.match.played[index - 1].hand.view(self.seat_of(session))

    def story(self, session: str | None, index: int) -> Story:
        """A finished hand (from 1) told moment by moment: all of it when the match is over, else what this
        session may know (A-T-25)."""
        return self.finished[index - 1].story(self.game, self.rules, self._reader(session))

    def _reader(self, session: str | None) -> Reader:
        return EVERYTHING if self.over else self.seat_of(session)

    def record(self, session: str | None) -> str:
        """The written record with what is needed to check the shuffles. While the match goes on it is cut
        to what this session may know."""
        match = self.match or Match.start(self.game, self.rules, len(self.places))
        names = self.names if all(self.names) else ()
        text = write(Record(match, names, (), self.preset.split("+")[0]), self._reader(session))
        if self.rehearses is not None:
            return f"{text}\n# played on from {self.rehearses.path}; this is not a match\n"
        claims = self.requests.remarks(len(self.places)) + self._held_remarks()
        return f"{text}{claims}\n{shuffle_module.remarks(self.shuffles, open=self.over)}"

    def _held_remarks(self) -> str:
        """Who had a seat before, as lines of a record."""
        lines = []
        for one in self.held:
            last = one.until if one.begun else one.until - 1
            if last and self.match is not None:
                hands = [*(played.hand for played in self.match.played), self.match.hand]
                number = hands[last - 1].setup.number
                middle = "the middle of " if one.begun else ""
                seat = seat_name(one.seat, len(self.places))
                lines.append(f"\n# {seat} was {one.name} up to {middle}hand {number}")
        return "".join(lines)


@lru_cache(1024)
def _by_seat(seats: tuple[Seat, ...]) -> Callable[[tuple[Place, ...]], tuple[Place, ...]]:
    """What puts places into the order of seats; `seats` are theirs."""
    return itemgetter(*[seats.index(seat) for seat in range(len(seats))])
