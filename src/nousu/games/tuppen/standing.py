"""The score of Tuppen from hand to hand: losses, deaths, play-offs, and the next dealer.

A game lasts until one player is left. `Standing` holds points and places and derives the next hand:

    regular → (dead play off for places) → (new poor men play for survival → their dead play off) → regular

Penalties booked between two hands change it too; a revoke by the winner, found before the next deal, undoes
the last settlement and makes it again. `nousu.games.tuppen.hand` says how a hand is played.

Source: TU-ZK II1, III3, III4, IV, resolutions A-U-16 to A-U-29 (``nousu clauses``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from nousu.engine.game import Result, Setup, Tally
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import Seat, clockwise, left, right
from nousu.games.tuppen.facts import Booked, Kind, Outcome, Redealt, Won
from nousu.games.tuppen.rules import Rules, penalty_note


def score(
    kind: Kind, points: Sequence[int], ladder: Sequence[Seat], stake: int, jacks: Sequence[Seat] = ()
) -> tuple[int, ...]:
    """Points of each seat after a hand with these players still in, the winner first.

    A winner among those with a jack in the last trick gets a point back (A-U-33).

    >>> score("regular", (7, 7, 7), (1, 0, 2), stake=2)
    (5, 7, 5)
    """
    cost = {"regular": stake, "poor": 1}.get(kind, 0)  # TU-ZK-II1b, A-U-17, TU-ZK-III3b
    losers = ladder[1:]
    back = ladder[0] if ladder[0] in jacks and kind == "regular" else None
    return tuple(max(0, had - cost * (seat in losers)) + (seat == back) for seat, had in enumerate(points))


def result(start: Sequence[int], end: Sequence[int], notes: tuple[Note, ...], outcome: Outcome) -> Result:
    """The result that turns the points `start` into `end`."""
    change = tuple(after - had for had, after in zip(start, end, strict=True))
    return Result(points=change, notes=notes, outcome=outcome)


def settlement(start: Sequence[int], won: Won, notes: tuple[Note, ...] = ()) -> Result:
    """The result of a hand that was won, from the points `start`: the stake is paid now."""
    ladder, before = won.ladder, won.before
    end = score(won.kind, before, ladder, won.stake, won.jacks)
    winner = {"seat": ladder[0]}
    note = (
        Note("TU-ZK-III1c", "{seat} takes the last trick and wins the hand", winner)
        if len(ladder) > 1
        else Note("A-U-11", "{seat} is the last one in the hand and wins it", winner)
    )
    lost = tuple(
        Note("TU-ZK-II1b", "{seat} loses {points}", {"seat": seat, "points": before[seat] - end[seat]})
        for seat in ladder[1:]
        if before[seat] > end[seat]
    )
    back = sentence("{seat} took the last trick with a jack and gets a point back")
    jack = (Note("A-U-33", back, winner),) if end[ladder[0]] > before[ladder[0]] else ()
    return result(start, end, (*notes, note, *jack, *lost), won)


def penalty_paid(points: Sequence[int], seat: Seat, due: int) -> int:
    """The points a penalty takes from `seat`: no more than it has, none if nobody would be left alive.

    A penalty that would kill the sole survivor is only noted, for the game needs a winner; any other is paid.
    """
    kills = due >= points[seat]
    if kills and not any(had for other, had in enumerate(points) if other != seat):
        return 0
    return min(due, points[seat])


@dataclass(frozen=True, slots=True)
class Settled:
    """The last hand, kept until cards are dealt again: a revoke found late may undo it (A-U-21)."""

    before: "Standing"
    won: Won
    dealer: Seat
    later: tuple[tuple[str, Seat], ...] = ()
    """Penalties booked since."""
    revoked: tuple[Seat, ...] = ()

    def without_winner(self, penalty: int) -> tuple["Standing", Seat]:
        """The standing after a hand whose winner revoked (TU-ZK-IV7), and that player.

        The revoker pays penalty and stake, and the next of the ladder wins. A hand won because all others
        left keeps its winner.
        """
        won = self.won
        revoker, points = won.ladder[0], list(won.before)
        paid = penalty_paid(points, revoker, penalty + won.stake)
        points[revoker] -= paid
        killed = (*won.killed, revoker) if paid and points[revoker] == 0 else won.killed
        changed = replace(won, ladder=won.ladder[1:] or won.ladder, before=tuple(points), killed=killed)
        anew = settlement(self.before.points, changed)
        again = self.before.add(anew, Setup(len(points), self.dealer, self.before))
        if again.settled is None:  # it has ended a half
            return again, revoker
        settled = replace(again.settled, revoked=(*self.revoked, revoker))
        return replace(again, settled=settled), revoker


@dataclass(frozen=True, slots=True)
class Standing:
    """Points and places of all seats, and the group of the next hand: living, dead, or new poor."""

    rules: Rules
    points: tuple[int, ...]
    places: tuple[int, ...]
    """The place of each seat, 0 while it is open."""
    dead: tuple[Seat, ...] = ()
    """Seats that died together and still play off for places (A-U-17)."""
    best: int = 0
    """The best open place of the dead."""
    deciding: tuple[Seat, ...] = ()
    """New poor men who play a deciding hand (A-U-16)."""
    before: tuple[int, ...] | None = None
    """Points before the last regular hand, until the dead have their places and new poor men are sought."""
    host: Seat | None = None
    """The winner of the last regular hand, who deals the play-offs."""
    dealt: Seat | None = None
    """The dealer of the last regular hand."""
    been_poor: tuple[Seat, ...] = ()
    eights: tuple[Seat, ...] = ()
    """Seats that play eight cards without points (A-U-36, A-U-37)."""
    hung: tuple[Seat, ...] = ()
    """Seats that have lost a half, the first half first (A-U-36)."""
    gone: Seat | None = None
    """The seat that went out by a penalty in this half."""
    settled: Settled | None = None
    last: tuple[Note, ...] = ()

    @classmethod
    def of(cls, tally: Tally) -> "Standing":
        """The tally as Tuppen's own type; TypeError if it is another game's."""
        if not isinstance(tally, cls):
            raise TypeError(f"this is a {type(tally).__qualname__}, not the standing of a game of Tuppen")
        return tally

    @property
    def kind(self) -> Kind:
        """The kind of the next hand."""
        if self.eights:
            return "eight"
        return "dead" if self.dead else "poor" if self.deciding else "regular"

    @property
    def halves(self) -> bool:
        """Whether two halves are played, each for its loser (A-U-36)."""
        return self.rules.game_form == "halves"

    @property
    def alive(self) -> tuple[Seat, ...]:
        """Seats that are still in the game: those with points; the dead have none."""
        return tuple([seat for seat, points in enumerate(self.points) if points])

    @property
    def group(self) -> tuple[Seat, ...]:
        """Seats that play the next hand."""
        return self.eights or self.dead or self.deciding or self.alive

    def with_killed(self, killed: Sequence[Seat]) -> tuple[int, ...]:
        """The places when these seats got theirs one after another: each the worst still open (A-U-21)."""
        if self.halves:
            return self.places
        places = list(self.places)
        for seat in killed:
            open_ = sum(not place and other not in self.dead for other, place in enumerate(places))
            places[seat] = open_ + (self.best - 1 if self.eights else 0)
        return tuple(places)

    def late_revokers(self) -> tuple[Seat, ...]:
        """The players a revoke in the last hand may still be booked for.

        Each has played a card in it, and has won it or still has points to lose.
        """
        if self.settled is None:
            return ()
        done = {*self.settled.revoked, *(seat for rule, seat in self.settled.later if rule == "IV7")}
        winner = self.settled.won.ladder[0]
        open_ = [seat for seat in self.settled.won.played if seat == winner or self.points[seat]]
        return tuple(seat for seat in open_ if seat not in done)

    def add(self, result: Result, setup: Setup) -> "Standing":
        """The standing after a hand: deaths, play-offs, dealer (TU-ZK-III3b, TU-ZK-III4a)."""
        outcome = Outcome.of(result.outcome)
        if isinstance(outcome, Booked):
            return self._keep_dealer(setup).booked(outcome.rule, outcome.seat)
        assert isinstance(outcome, Won | Redealt)
        points = tuple(had + change for had, change in zip(self.points, result.points, strict=True))
        here = replace(self, points=points, last=())._place_killed(outcome.killed)
        if isinstance(outcome, Redealt):
            here = replace(here, settled=None)._keep_dealer(setup)
            return (here._reset_before() if any(result.points) else here)._resolve()
        here = replace(here, settled=Settled(replace(self, settled=None), outcome, setup.dealer))
        winner, kind = outcome.ladder[0], self.kind
        if kind == "eight" and self.halves:
            others = (seat for seat in self.eights if seat != winner)
            return here._lose_game(here.gone if here.gone is not None else next(others))
        if kind == "eight":
            here = replace(here, host=winner, dealt=setup.dealer)
            if here.places[winner]:  # a late revoke has killed him
                return here._resolve()
            return replace(here._place((winner,), self.best), best=self.best + 1)._resolve()
        if kind == "dead":
            placed = here if self.halves else here._place((winner,), self.best)
            rest = tuple(seat for seat in self.dead if seat != winner)
            return replace(placed, dead=rest, best=self.best + 1)._resolve()
        dead = tuple(seat for seat, had in enumerate(points) if not had and not here.places[seat])
        here = replace(here, dead=dead, best=len(here.places) - sum(map(bool, here.places)) - len(dead) + 1)
        if kind == "poor":
            return replace(here, deciding=())._resolve()
        poor = (*self.been_poor, *(seat for seat in outcome.poor if seat not in self.been_poor))
        here = replace(here, before=self.points, host=winner, dealt=setup.dealer, been_poor=poor)
        return here._resolve()

    def booked(self, rule: str, seat: Seat) -> "Standing":
        """The standing after a penalty booked between two hands (A-U-21)."""
        settled, penalty = self.settled, self.rules.penalty_points
        if rule == "IV7" and settled is not None and seat == settled.won.ladder[0]:
            again, revoker = settled.without_winner(penalty)
            for late in settled.later:  # a game or half that the revoke has decided is over before them
                over = again.winner() is not None or again.hung != self.hung
                again = again if over else again.booked(*late)
            note = Note("A-U-21", "{seat} had revoked: the hand is settled again", {"seat": revoker})
            return replace(again, last=(note, *again.last))
        safe = self.eights and seat not in self.eights  # with a place there is nothing to lose
        paid = 0 if safe else penalty_paid(self.points, seat, penalty)
        points = tuple(had - paid * (other == seat) for other, had in enumerate(self.points))
        note = penalty_note("TU-ZK-IV1", rule, seat)
        here = replace(self, points=points, last=(note,))
        if settled is not None:
            here = replace(here, settled=replace(settled, later=(*settled.later, (rule, seat))))
        if self.points[seat] and not points[seat]:
            here = here._place_killed((seat,))
        return (here._reset_before() if paid else here)._resolve()

    def _reset_before(self) -> "Standing":
        """Reset `before` by "any": a penalty may bring poor men together before the next regular hand."""
        meet = self.kind == "regular" and self.rules.poor_playoff == "any"
        return replace(self, before=self.points) if meet else self

    def _keep_dealer(self, setup: Setup) -> "Standing":
        """Keep the dealer until the first regular hand is over."""
        if self.host is not None:
            return self
        return replace(self, host=setup.dealer, dealt=right(setup.dealer, setup.seats))

    def _place_killed(self, seats: Sequence[Seat]) -> "Standing":
        """Give the worst open place to each of these seats, which died one after another."""
        if self.halves:
            return replace(self, gone=seats[0]) if seats and self.gone is None else self
        places = self.with_killed(seats)
        outs = tuple(_out(seat, places[seat], "A-U-21") for seat in seats)
        return replace(self, places=places, last=(*self.last, *outs))

    def _place(self, seats: Sequence[Seat], place: int) -> "Standing":
        """Give a place to these seats."""
        places = tuple(place if seat in seats else old for seat, old in enumerate(self.places))
        clause = "TU-ZK-III4a" if len(seats) == 1 else "A-U-17"
        return replace(self, places=places, last=(*self.last, *(_out(seat, place, clause) for seat in seats)))

    def _resolve(self) -> "Standing":
        """The standing with places filled where no points are left to play for.

        New poor players meet when the dead have their places (TU-ZK-III4b); the last player alive wins.
        """
        here = self._half() if self.halves else self._eights_left() if self.eights else self
        if here.winner() is not None or here.eights:
            return here
        if not self.halves and here.dead and (len(here.dead) == 1 or not self.rules.dead_playoff):
            here = replace(here._place(here.dead, here.best), dead=())
        alive = here.alive
        if len(alive) == 1 and not here.places[alive[0]] and not self.halves:
            won = Note("TU-ZK-II1c", "{seat} is the last one alive and wins the game", {"seat": alive[0]})
            places = tuple(1 if seat == alive[0] else place for seat, place in enumerate(here.places))
            here = replace(here, places=places, last=(*here.last, won))
        deciding = tuple(seat for seat in here.deciding if seat in alive)
        before = here.before
        if before is not None and not here.dead:
            deciding, before = here._new_poor(before), None
        here = replace(here, deciding=deciding if len(deciding) > 1 else (), before=before)
        if here.dead:
            note = Note("TU-ZK-III4b", "Players who are out play off their places before the game goes on")
        elif here.deciding:
            note = Note("TU-ZK-III3b", "The new poor men play a hand that only its winner survives")
        else:
            return here
        return replace(here, last=(*here.last, note))

    def _eights_left(self) -> "Standing":
        """The standing with those who still play eight cards; the last one gets the open place (A-U-37)."""
        left = tuple([seat for seat in self.eights if not self.places[seat]])
        if len(left) == 1:
            return replace(self._place(left, self.best), eights=())
        return replace(self, eights=left)

    def _half(self) -> "Standing":
        """The standing when somebody has lost the half: the next half, eight cards or the end (A-U-36)."""
        loser = self.gone if self.gone is not None else self.dead[0] if len(self.dead) == 1 else None
        if loser is None:
            return self
        if self.eights or loser in self.hung:
            return self._lose_game(loser)
        seats = len(self.points)
        note = Note("A-U-36", "{seat} is the first without points and loses the half", {"seat": loser})
        first = not self.hung
        host = right(loser, seats) if first else self.host
        again = tally(self.rules, seats)
        return replace(
            again,
            hung=(*self.hung, loser),
            eights=() if first else tuple(sorted((*self.hung, loser))),
            host=host,
            dealt=right(host, seats) if first and host is not None else self.dealt,
            last=(*self.last, note),
        )

    def _lose_game(self, loser: Seat) -> "Standing":
        """The end of a game of two halves: one has lost it, and all others share the first place."""
        seats = len(self.points)
        places = tuple([seats if seat == loser else 1 for seat in range(seats)])
        note = Note("A-U-36", "{seat} has lost the game", {"seat": loser})
        return replace(self, places=places, eights=(), dead=(), deciding=(), last=(*self.last, note))

    def _new_poor(self, before: tuple[int, ...]) -> tuple[Seat, ...]:
        """Seats at one point that have to play for survival (A-U-16)."""
        rules = self.rules
        if "off" in (rules.poor_man, rules.poor_playoff):
            return ()
        poor = tuple(seat for seat, points in enumerate(self.points) if points == 1)
        return poor if rules.poor_playoff == "any" else tuple(seat for seat in poor if before[seat] > 1)

    def dealer(self, setup: Setup) -> Seat:
        """The winner of the last regular hand, also for play-offs, or the next one round (A-U-19)."""
        first = self._keep_dealer(setup)
        assert first.host is not None and first.dealt is not None
        rotates = self.rules.next_dealer == "rotate" and self.kind == "regular"
        order = clockwise(left(first.dealt, setup.seats) if rotates else first.host, setup.seats)
        return next((seat for seat in order if self.points[seat]), order[0])

    def score(self) -> tuple[int, ...]:
        return self.points

    def winner(self) -> tuple[int, ...] | None:
        if not all(self.places):
            return None
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @classmethod
    def read(cls, rules: Rules, seats: int, plain: Mapping[str, Any]) -> "Standing":
        """The standing of a `plain` form, which leaves out the dealer and former poor players.

        Raises:
            KeyError: A field is missing.
            ValueError: A field has an impossible value.
        """
        group = tuple(plain["group"])
        places = tuple(plain["places"])
        hung = tuple(plain.get("hung", ()))
        standing = cls(rules, tuple(plain["points"]), places, host=plain["host"], hung=hung)
        match plain["kind"]:
            case "dead":
                best = next(place for place in count(len(standing.alive) + 1) if place not in places)
                return replace(standing, dead=group, best=best)
            case "poor":
                return replace(standing, deciding=group)
            case "eight":
                return replace(standing, eights=group, best=1 + sum(map(bool, places)))
        return standing

    def plain(self) -> Mapping[str, Any]:
        hung = {"hung": list(self.hung)} if self.halves else {}
        return hung | {
            "points": list(self.points),
            "places": list(self.places),
            "alive": list(self.alive),
            "kind": self.kind,
            "group": list(self.group),
            "host": self.host,
            "start_points": self.rules.start_points,
        }

    def notes(self) -> tuple[Note, ...]:
        return self.last


def tally(rules: Rules, seats: int) -> Standing:
    """The standing before the first hand: all points, no places."""
    standing = Standing(rules, (rules.start_points,) * seats, (0,) * seats)
    if rules.game_form != "eight_cards":
        return standing
    return replace(standing, eights=tuple(range(seats)), best=1)


def _out(seat: Seat, place: int, clause: str) -> Note:
    return Note(clause, "{seat} is out and takes place {place}", {"seat": seat, "place": place})
