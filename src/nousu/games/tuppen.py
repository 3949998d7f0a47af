"""Tuppen and its relatives Siebenschräm and Toepen: keep your points, take the last trick.

Theory of operation
-------------------
Two to eight players, everybody alone, 32 cards ranked 10 9 8 7 A K Q J, four each, no trump, follow suit.
Who takes the last trick keeps his points; everybody else still in the hand loses the stake. A hand goes

    (blind?) → deal → pictures → (poor man's question) → four tricks → result

From the end of the questions on anybody still in the hand may *raise* the stake by one at any moment; the
others are asked in turn whether they hold or leave. Three oddities:

* Who leaves lays his cards down and pays the stake valid so far. A trick is judged over the players still
  in: the suit led, else the highest rank, else clubs, spades, hearts, diamonds (TU-ZK-III1d). All who leave
  on one question leave together when the last answer is in.
* Four cards may be laid down as "four pictures" for four new ones. Everybody may doubt the packet; it is
  then turned up and whoever was wrong loses a point at once.
* A match is a game from seven points each to one survivor. Players who die together play off their
  places, new poor men (one point left) a deciding hand: these hands belong to the match too, and the
  `Standing` (next file) says who plays the next hand and why. The dead keep their seats, without cards.

At a table with real cards (``conduct=director``) the seat DIRECTOR books penalties. One that comes before
the cards are dealt makes a hand of its own without cards.

Source: TU-ZK, resolutions A-U.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from nousu.engine import shown
from nousu.engine.actions import Action, Call, Deal, Entry, Give, Play, Show, check_action, hearing, plays
from nousu.engine.asking import Question
from nousu.engine.cards import DECK_32, TEN_HIGH, Card, CardSet, card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.facts import Loose
from nousu.engine.game import Dealing, Game, Result, Seating, Setup, View
from nousu.engine.notes import Note, sentence
from nousu.engine.options import check_values, option
from nousu.engine.seats import CHANCE, DIRECTOR, Seat, check_viewer, clockwise, left, parse_seat, seat_name
from nousu.engine.tricks import SUIT_LADDER, Duties, TrickPlay
from nousu.games.tuppen_standing import Kind, Standing, outcome, penalty_note, settlement

# ------------------------------------------------------------------------------------------- rules

PICTURES: CardSet = card_set(card for card in DECK_32 if card.rank >= 9)
"""Jacks, queens, kings and, in this game, aces (TU-ZK-II2b)."""
BATCHES = {"2x2": 2, "1x4": 4}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Every option of the family; the values of `tuppen_zk` are the defaults (RULES 3.3)."""

    # fmt: off
    start_points: int = option(
        7, group="points", low=1, high=20, clause="TU-ZK-II1a A-U-01 A-U-02",
        doc="Points everybody starts a game with.")
    deal_batches: Literal["2x2", "1x4"] = option(
        "2x2", group="deal", values=("2x2", "1x4"), clause="TU-ZK-II2d",
        doc="Cards are dealt in two rounds of two or in one round of four.")
    four_pictures: Literal["claim_challenge", "claim_honest", "redeal", "off"] = option(
        "claim_challenge", group="deal", values=("claim_challenge", "claim_honest", "redeal", "off"),
        clause="TU-ZK-II2b A-U-03 A-U-04 TU-ZK-IV9",
        doc="Any four cards may be laid down as four pictures and doubted, only true ones may, they demand "
        "a new deal, or nothing is done about them.")
    raise_timing: Literal["any_time", "own_turn"] = option(
        "any_time", group="raises", values=("any_time", "own_turn"), clause="TU-ZK-III2a A-U-08 A-U-27",
        doc="A raise is allowed at any moment or only before playing a card on one's own turn.")
    raise_cap: Literal["points_plus_one", "points", "none"] = option(
        "points_plus_one", group="raises", values=("points_plus_one", "points", "none"),
        clause="TU-ZK-III2f A-U-06 A-U-07",
        doc="The highest stake a player may raise to: one more than his points, his points, or any that "
        "somebody in the hand could still lose.")
    raiser_may_leave: bool = option(
        True, group="raises", clause="TU-ZK-V3 A-U-09",
        doc="A player who has raised may leave when another raises later.")
    blind_raise: bool = option(
        False, group="raises", clause="TU-ZK-V4",
        doc="Before the deal each player in turn may bind himself to raise unseen, with a cap one higher.")
    leave_cost: Literal["previous_stake", "one"] = option(
        "previous_stake", group="raises", values=("previous_stake", "one"), clause="TU-ZK-III2c A-U-05",
        doc="Who leaves on a raise pays the stake before it, or always one point.")
    voluntary_leave: bool = option(
        False, group="raises", clause="A-U-22 TU-ZK-IV8",
        doc="A player may leave without being asked, for the stake.")
    leaver_cards: Literal["excluded", "still_win"] = option(
        "excluded", group="raises", values=("excluded", "still_win"),
        clause="TU-ZK-III1d A-U-12 A-U-13",
        doc="Cards of players who have left win no trick, or still win any but the last.")
    poor_man: Literal["ask_two", "fixed_two", "per_poor", "off"] = option(
        "ask_two", group="poor man", values=("ask_two", "fixed_two", "per_poor", "off"),
        clause="TU-ZK-III3a A-U-15",
        doc="With a poor man in the hand the others are asked to play for two, all play for two, the stake "
        "grows by the number of poor men, or nothing changes.")
    poor_man_raises: Literal["allowed", "barred"] = option(
        "allowed", group="poor man", values=("allowed", "barred"), clause="A-U-15",
        doc="Whether raises are allowed while a poor man is in the hand.")
    poor_playoff: Literal["simultaneous", "any", "off"] = option(
        "simultaneous", group="poor man", values=("simultaneous", "any", "off"),
        clause="TU-ZK-III3b A-U-16 A-U-18",
        doc="Players who become poor in one hand, or all poor men whenever there are two, play a deciding "
        "hand that only its winner survives.")
    poor_man_leads_first: bool = option(
        False, group="poor man", clause="A-U-15",
        doc="The poor man who asks leads to the first trick when he is poor for the first time.")
    same_hand_deaths: Literal["together", "in_order"] = option(
        "together", group="places", values=("together", "in_order"), clause="TU-ZK-III4b A-U-29",
        doc="Players who die in one hand count as dying together, or a leaver without points takes the "
        "worst open place at once.")
    dead_playoff: bool = option(
        True, group="places", clause="TU-ZK-III4b A-U-17 A-U-18",
        doc="Players who die together play off their places; otherwise they share the best of them.")
    next_dealer: Literal["hand_winner", "rotate"] = option(
        "hand_winner", group="deal", values=("hand_winner", "rotate"), clause="TU-ZK-II2c A-U-19",
        doc="The winner of a hand deals the next one, or the deal moves round.")
    eight_card_endgame: bool = option(
        False, group="deal", clause="TU-ZK-V5",
        doc="The last two players get eight cards each and play eight tricks without questions or raises.")
    conduct: Literal["enforced", "director"] = option(
        "enforced", group="table", values=("enforced", "director"), clause="A-U-23 A-U-21 TU-ZK-IV1",
        doc="The software makes irregularities impossible, or a director books penalties by rule number.")
    penalty_points: int = option(
        1, group="table", low=1, high=10, clause="TU-ZK-IV1 TU-ZK-IV9",
        doc="Points lost by a penalty, a wrong claim or a wrong doubt.")
    # fmt: on

    def __post_init__(self) -> None:
        check_values(self)


_SIEBENSCHRAEM = Rules(
    four_pictures="off",
    raise_cap="points",
    blind_raise=True,
    poor_playoff="off",
    poor_man_leads_first=True,
    eight_card_endgame=True,
)
PRESETS: dict[str, Rules] = {
    "tuppen_zk": Rules(),
    "tuppen_zk_tournament": Rules(),
    "siebenschraem": _SIEBENSCHRAEM,
    "toepen": Rules(
        start_points=10, raise_cap="none", poor_man="off", poor_playoff="off", dead_playoff=False
    ),
}

# -------------------------------------------------------------------------------------------- hand

KEEP, HOLD, LEAVE, RAISE, LOOK, BLIND = map(Call, ("keep", "hold", "leave", "raise", "look", "blind"))


@dataclass(frozen=True, slots=True)
class Packet:
    """Four cards laid down as four pictures; they never come back (A-U-03)."""

    owner: Seat
    cards: CardSet
    shown: bool = False

    def seen(self) -> tuple[Card, ...]:
        """The cards, once the packet is open; their owner knows them from what he laid down."""
        return cards_of(self.cards) if self.shown else ()


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal among the seats of ``standing.group``. The phase follows from what is there."""

    rules: Rules
    setup: Setup
    in_hand: tuple[Seat, ...]
    """Who is still in the hand, in seat order."""
    fines: tuple[int, ...]
    """Penalty points each seat has paid in this hand; they stand even if the cards are dealt again."""
    costs: tuple[int, ...]
    """Points each seat has paid for leaving."""
    log: tuple[Entry, ...] = ()
    question: Question | None = None
    table: TrickPlay | None = None
    stock: tuple[Card, ...] = ()
    packets: tuple[Packet, ...] = ()
    doubt: tuple[Seat, int] | None = None
    """Who doubts which packet, until it is turned up."""
    stake: int = 1
    last_raiser: Seat | None = None
    raisers: tuple[Seat, ...] = ()
    poor: tuple[Seat, ...] = ()
    """Who stood at one point when the picture phase ended, clockwise from the dealer's left."""
    blind: tuple[Seat, ...] = ()
    """Seats bound to raise whose turn has not come yet."""
    killed: tuple[Seat, ...] = ()
    """Seats that got their place within this hand, in the order in which it happened (A-U-21)."""
    ended: Literal["won", "redealt", "booked"] | None = None
    __repr__, _repr_html_ = shown.hand, shown.hand_html

    @property
    def standing(self) -> "Standing":
        """The score this hand starts from."""
        assert isinstance(self.setup.tally, Standing)
        return self.setup.tally

    @property
    def kind(self) -> Kind:
        """What kind of hand this is."""
        return self.standing.kind

    @property
    def eight(self) -> bool:
        """Whether this is a hand of the eight-card end game."""
        return self.rules.eight_card_endgame and self.kind == "regular" and len(self.standing.group) == 2

    @property
    def points(self) -> tuple[int, ...]:
        """Everybody's points at this moment."""
        paid = zip(self.standing.points, self.fines, self.costs, strict=True)
        return tuple(points - fine - cost for points, fine, cost in paid)

    @property
    def phase(self) -> str:
        """blind, deal, pictures, poor, doubt, raise, play or over."""
        if self.ended is not None:
            return "over"
        if self.doubt is not None:
            return "doubt"
        if self.question is not None:
            return self.question.topic
        return "deal" if self.table is None else "play"

    def owed(self) -> tuple[Seat, ...]:
        if self.ended is not None:
            return ()
        if self.doubt is not None:
            return (self.packets[self.doubt[1]].owner,)
        if self.question is not None:
            return self.question.owed()
        return (CHANCE,) if self.table is None else (self.table.turn,)

    def dealing(self) -> Dealing:
        seats, size = self.setup.seats, 8 if self.eight else 4
        sizes = tuple(size if seat in self.in_hand else 0 for seat in range(seats))
        first = left(self.setup.dealer, seats)
        return Dealing(DECK_32, sizes, first, BATCHES[self.rules.deal_batches])

    def _clockwise(self, first: Seat) -> tuple[Seat, ...]:
        """Seats still in the hand in turn, from `first`."""
        return tuple(seat for seat in clockwise(first, self.setup.seats) if seat in self.in_hand)

    # ---- what is legal

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        if self.ended is not None or seat == CHANCE:
            return ()
        if seat == DIRECTOR:
            return self._bookable() if self.rules.conduct == "director" else ()
        if seat not in self.in_hand:
            return ()
        asked = self._owed_actions(seat) if seat in self.owed() else ()
        return asked + self._interrupts(seat)

    def _owed_actions(self, seat: Seat) -> tuple[Action, ...]:
        table = self.table
        match self.phase:
            case "blind":
                return LOOK, BLIND
            case "doubt":
                assert self.doubt is not None
                return (Show(cards_of(self.packets[self.doubt[1]].cards)),)
            case "pictures":
                assert table is not None
                return KEEP, *self._claims(table.hands[seat])
            case "poor":
                return HOLD, LEAVE
            case "raise":  # TU-ZK-III2f, A-U-07: going along is never limited
                return (HOLD,) if self._bound(seat) else (HOLD, LEAVE)
            case _:
                return plays(table.legal()) if table is not None else ()

    def _claims(self, cards: CardSet) -> tuple[Action, ...]:
        """Four cards laid down, or shown for a new deal; a bluff costs nothing to who has nothing left, so
        play-offs take true claims only (A-U-03)."""
        mode = self.rules.four_pictures
        if (cards & ~PICTURES) and not (mode == "claim_challenge" and self.kind == "regular"):
            return ()
        listed = cards_of(cards)
        return (Show(listed) if mode == "redeal" else Give(listed),)

    def _interrupts(self, seat: Seat) -> tuple[Action, ...]:
        """What may be done out of turn: raise, leave, doubt. Never while answers are awaited (TU-ZK-V2)."""
        found: list[Action] = []
        if self.phase == "play":
            if self._bar(seat) is None:
                found.append(RAISE)
            if self.rules.voluntary_leave and self.kind == "regular" and not self._bound(seat):
                found.append(LEAVE)
        if self.phase in ("play", "pictures"):
            found += self._doubts(seat)
        return tuple(found)

    def _bound(self, seat: Seat) -> bool:
        return not self.rules.raiser_may_leave and seat in self.raisers

    def _bar(self, seat: Seat, blind: bool = False) -> Note | None:
        """Why `seat` may not raise now, or None if it may."""
        rules = self.rules
        if self.kind != "regular":
            return Note("A-U-18", "nobody raises in a play-off")
        if self.eight:
            return Note("TU-ZK-V5", "nobody raises in the eight-card end game")
        if rules.poor_man_raises == "barred" and set(self.poor) & set(self.in_hand):
            return Note("A-U-15", "nobody raises against a poor man")
        if self.last_raiser == seat:
            return Note("TU-ZK-III2e", "nobody raises twice running")
        if self.stake + 1 > self._cap(seat) + blind:
            return Note("TU-ZK-III2f", "this player may not raise the stake so high")
        if rules.raise_timing == "own_turn" and not blind and self.owed() != (seat,):
            return Note("A-U-08", "raise on your own turn, before you play")
        return None

    def _cap(self, seat: Seat) -> int:
        """The highest stake `seat` may raise to. Without a cap raising ends where nobody could lose more."""
        points = self.points
        match self.rules.raise_cap:
            case "points_plus_one":
                return points[seat] + 1
            case "points":
                return points[seat]
            case _:
                return max(points[other] for other in self.in_hand)

    def _doubts(self, seat: Seat) -> dict[Action, int]:
        """The packets `seat` may have turned up, by what it says; numbered if an owner laid several."""
        doubtful = self.rules.four_pictures == "claim_challenge" and self.kind == "regular"
        if not doubtful or self.table is None or not self.table.hands[seat]:
            return {}
        owners = [packet.owner for packet in self.packets]
        found: dict[Action, int] = {}
        for index, packet in enumerate(self.packets):
            owner = packet.owner
            if owner != seat and owner in self.in_hand and not packet.shown:
                word = f"challenge {seat_name(owner, self.setup.seats)}"
                number = owners[: index + 1].count(owner)
                found[Call(f"{word} {number}" if owners.count(owner) > 1 else word)] = index
        return found

    def _bookable(self) -> tuple[Action, ...]:
        """The penalties a director may book now, each until its deadline (A-U-21)."""
        seats, table, points = range(self.setup.seats), self.table, self.points
        standing = self.standing
        alive = [seat for seat in seats if points[seat] > 0 and not standing.places[seat]]
        began = table is not None and bool(table.plays or table.done)
        # TU-ZK-IV2: until the next first lead; later only for what was paid in this hand
        full = [standing.points[seat] if began else self.rules.start_points for seat in seats]
        booked = [(rule, seat) for rule in ("II4", "IV3", "IV5", "IV6", "IV8") for seat in alive]
        booked += [("IV2", seat) for seat in alive if points[seat] < full[seat]]
        if table is None:
            booked += [("IV7", seat) for seat in standing.late_revokers()]
        elif began:
            with_cards = {seat for seat, _ in table.plays} | {s for t in table.done for s, _ in t.plays}
            booked += [("IV7", s) for s in sorted(with_cards) if s in self.in_hand or s in alive]
        elif self.setup.dealer in alive:
            booked.append(("IV4", self.setup.dealer))
        return tuple(Call(f"penalty {rule} {seat_name(seat, len(seats))}") for rule, seat in booked)

    def _bookings(self) -> tuple[tuple[str, Seat], ...]:
        """The penalties a director has booked in this hand: rule and seat."""
        words = (str(action).split() for by, action in self.log if by == DIRECTOR)
        return tuple((rule, parse_seat(name, self.setup.seats)) for _, rule, name in words)

    def apply(self, seat: Seat, action: Action) -> "Hand":
        table = self.table
        if type(action) is Play and table is not None and seat == table.turn and self.phase == "play":
            if action.card >= 0 and table.legal() >> action.card & 1:
                after = table.play(action.card)
                return replace(self, log=(*self.log, (seat, action)), table=after, ended=_ended(after))
        elif seat == CHANCE and self.owed() == (CHANCE,) and isinstance(action, Deal):
            return self._dealt(action)
        if action not in self.legal(seat):
            raise self._refusal(seat, action)
        here = replace(self, log=(*self.log, (seat, action)))
        if seat == DIRECTOR:
            return here._booked(*here._bookings()[-1])._onward()
        if isinstance(action, Give):
            return here._swapped(seat)._onward()
        if isinstance(action, Show):
            return here._shown()._onward() if self.doubt is not None else replace(here, ended="redealt")
        if action == RAISE:
            return here._raised(seat)._onward()
        if action in (doubts := self._doubts(seat)):
            return replace(here, doubt=(seat, doubts[action]))
        if here.question is not None:
            here = replace(here, question=here.question.answer(seat, action))
        if action == BLIND:
            here = replace(here, blind=(*here.blind, seat))
        return (here._left(seat) if action == LEAVE else here)._onward()

    def _refusal(self, seat: Seat, action: Action) -> IllegalAction:
        why = Note("TU-ZK-V6", "this is not allowed now")
        match check_action(action):
            case _ if seat == DIRECTOR:
                why = Note("A-U-21", "this penalty cannot be booked now")
            case _ if seat not in self.in_hand:
                why = Note("TU-ZK-III2c", "this player is not in the hand")
            case Play() if self.phase != "play":
                why = Note("TU-ZK-V2", "a question is open; no card is played meanwhile")
            case Play() if seat not in self.owed():  # not a ten either (TU-ZK-V1)
                why = Note("TU-ZK-IV8", "it is not this player's turn")
            case Play(card) if self.table is not None and card >= 0 and self.table.hands[seat] >> card & 1:
                why = Note("TU-ZK-II3", "follow suit: a card of the suit led is held")
            case Play():
                why = Note("TU-ZK-II3", "this card is not in the hand")
            case Call("raise") if self.phase != "play":
                why = Note("TU-ZK-V2", "nobody raises while a question is open")
            case Call("raise"):
                why = self._bar(seat) or why
            case Call("leave"):
                why = Note("A-U-22", "a player leaves when he is asked")
            case Call(word) if word.startswith("challenge"):
                why = Note("TU-ZK-IV9", "there is no such packet to doubt now")
            case Give() | Show():
                why = Note("TU-ZK-II2b", "these cards cannot be laid down now")
        return IllegalAction(why.clause, why.message, self.legal(seat))

    def _dealt(self, deal: Deal) -> "Hand":
        self.dealing().check(deal, "TU-ZK-II2a")
        order = self._clockwise(left(self.setup.dealer, self.setup.seats))
        duties = Duties(strength=TEN_HIGH, still_win=self.rules.leaver_cards == "still_win")
        # TU-ZK-III1a: left of the dealer leads; TU-ZK-III1b: then who took the trick
        table = TrickPlay(tuple(map(card_set, deal.hands)), self.in_hand, order[0], duties)
        mode = "off" if self.eight else self.rules.four_pictures
        asked = order if mode != "off" else ()  # a blind raiser has not looked at his cards
        question = Question("pictures", tuple(seat for seat in asked if seat not in self.blind))
        log = (*self.log, (CHANCE, deal))
        return replace(self, log=log, table=table, stock=deal.stock, question=question)._onward()

    def _swapped(self, seat: Seat) -> "Hand":
        """Four cards down as one packet, the top four of the stock up; the seat is asked again (A-U-03)."""
        table = self.table
        assert table is not None
        hands = list(table.hands)
        packets = (*self.packets, Packet(seat, hands[seat]))
        hands[seat] = card_set(self.stock[:4])
        return replace(self, table=replace(table, hands=tuple(hands)), packets=packets, stock=self.stock[4:])

    def _shown(self) -> "Hand":
        """A doubted packet is open: who was wrong pays, the new cards stay (TU-ZK-IV9, A-U-04)."""
        assert self.doubt is not None
        doubter, index = self.doubt
        packet = self.packets[index]
        packets = (*self.packets[:index], replace(packet, shown=True), *self.packets[index + 1 :])
        wrong = packet.owner if packet.cards & ~PICTURES else doubter
        return replace(self, packets=packets, doubt=None)._fined(wrong, self.rules.penalty_points)

    def _raised(self, seat: Seat) -> "Hand":
        """TU-ZK-III2b: the others are asked one after another, beginning on the raiser's left."""
        asked = self._clockwise(left(seat, self.setup.seats))
        question = Question("raise", tuple(other for other in asked if other != seat), by=seat)
        return replace(self, question=question, raisers=(*self.raisers, seat))

    def _left(self, seat: Seat) -> "Hand":
        """Leaving costs the stake so far, never more than one has (TU-ZK-III2c, A-U-05)."""
        one = self.rules.leave_cost == "one" and self.question is not None
        cost = min(self.points[seat], 1 if one else self.stake)
        costs = tuple(paid + cost * (other == seat) for other, paid in enumerate(self.costs))
        here = replace(self, costs=costs)._without(seat)
        if here.points[seat] == 0 and self.rules.same_hand_deaths == "in_order":
            return replace(here, killed=(*here.killed, seat))
        return here

    def _fined(self, seat: Seat, due: int) -> "Hand":
        """A penalty is paid at once; who has nothing left by it is dead and out (TU-ZK-IV1, A-U-21)."""
        paid = min(due, self.points[seat])
        fines = tuple(fine + paid * (other == seat) for other, fine in enumerate(self.fines))
        here = replace(self, fines=fines)
        if paid and here.points[seat] == 0:
            here = replace(here._without(seat), killed=(*here.killed, seat))
        return here

    def _without(self, seat: Seat) -> "Hand":
        """The seat leaves the hand unasked; a question to it is void, one it has put goes on (RULES 2.5)."""
        question, doubt = self.question, self.doubt
        if question is not None and seat not in dict(question.answers):
            question = replace(question, to=tuple(other for other in question.to if other != seat))
        if doubt is not None and self.packets[doubt[1]].owner == seat:
            doubt = None
        in_hand = tuple(other for other in self.in_hand if other != seat)
        return replace(self, question=question, doubt=doubt, in_hand=in_hand)

    def _booked(self, rule: str, seat: Seat) -> "Hand":
        """A director's penalty. Before the deal the standing takes it; a misdeal ends the hand (TU-ZK-IV4);
        a revoke costs the stake too and puts its player out of the hand (TU-ZK-IV7)."""
        if self.table is None:
            return replace(self, ended="booked")
        due = self.rules.penalty_points
        if rule == "IV4":
            return replace(self._fined(seat, due), ended="redealt")
        if rule == "IV7" and seat in self.in_hand:
            return self._fined(seat, due + self.stake)._without(seat)
        return self._fined(seat, due)

    def _onward(self) -> "Hand":
        """What follows by itself: ends of questions, of tricks and of the hand."""
        table, question = self.table, self.question
        if self.ended is not None or (table is None and question is None):
            return self
        if table is None:
            assert question is not None
            return self if question.owed() else replace(self, question=None)
        if len(self.in_hand) == 1:  # A-U-11: the last one in the hand has won it
            return replace(self, question=None, doubt=None, ended="won")
        if self.doubt is not None:
            return self
        if question is not None:
            swapping = question.topic == "pictures" and self.rules.four_pictures != "redeal"
            done = not question.owed() or (swapping and len(self.stock) < 4)
            return self._answered(question)._onward() if done else self
        if table.active != self.in_hand:  # A-U-12: the trick may be complete now
            table = table.without(*(seat for seat in table.active if seat not in self.in_hand))
        return replace(self, table=table, ended=_ended(table))

    def _answered(self, question: Question) -> "Hand":
        """All answers are in."""
        here = replace(self, question=None)
        if question.topic == "pictures":
            return here._poor_phase()
        stake = 2 if question.topic == "poor" else self.stake + 1  # TU-ZK-III2d
        here = replace(here, stake=stake, last_raiser=question.by)
        return here._blind_phase()

    def _poor_phase(self) -> "Hand":
        """Poor men and what they change (A-U-15); the asking one may lead when poor for the first time."""
        rules = self.rules
        seats = self._clockwise(left(self.setup.dealer, self.setup.seats))
        poor = tuple(seat for seat in seats if self.points[seat] == 1)
        if not poor or rules.poor_man == "off" or self.kind != "regular" or self.eight:
            return self._blind_phase()
        others = tuple(seat for seat in self._clockwise(left(poor[0], self.setup.seats)) if seat not in poor)
        here = replace(self, poor=poor)
        if rules.poor_man_leads_first and others and poor[0] not in self.standing.been_poor:
            assert self.table is not None
            here = replace(here, table=replace(self.table, turn=poor[0]))
        if rules.poor_man == "ask_two":  # TU-ZK-III3a; all poor: nobody is asked
            return replace(here, question=Question("poor", others, by=poor[0] if others else None))
        return replace(here, stake=2 if rules.poor_man == "fixed_two" else 1 + len(poor))._blind_phase()

    def _blind_phase(self) -> "Hand":
        """The next blind raise is put to the others; one that is no longer allowed lapses."""
        for index, seat in enumerate(self.blind):
            if seat in self.in_hand and self._bar(seat, blind=True) is None:
                return replace(self, blind=self.blind[index + 1 :])._raised(seat)
        return replace(self, blind=())

    # ---- what it comes to

    def ladder(self) -> tuple[Seat, ...]:
        """The seats still in the hand by their cards in the last trick, the winner first (TU-ZK-III1d)."""
        if len(self.in_hand) == 1 or self.table is None:
            return self.in_hand
        found: list[Seat] = []
        last = replace(self.table, plays=self.table.done[-1].plays)
        while last.active:
            found.append(last.winner())
            last = replace(last, active=tuple(seat for seat in last.active if seat != found[-1]))
        return tuple(found)

    def result(self) -> Result | None:
        if self.ended is None:
            return None
        start, points, killed = self.standing.points, self.points, self.killed
        booked = self._bookings()
        notes = [penalty_note(f"TU-ZK-{rule}", rule, seat) for rule, seat in booked]
        if self.ended == "booked":
            end = self.standing.booked(*booked[-1]).points
            return outcome(start, end, tuple(notes), {"booked": list(booked[-1])})
        fined = sentence("{seat} loses {points} by penalty")
        notes += [Note("TU-ZK-IV1", fined, {"seat": s, "points": n}) for s, n in enumerate(self.fines) if n]
        if self.ended == "redealt":  # what was paid for leaving comes back
            points = tuple(had - fine for had, fine in zip(start, self.fines, strict=True))
            killed = tuple(seat for seat in killed if points[seat] == 0)
            if self.log[-1][0] != DIRECTOR:
                notes.append(Note("A-U-03", "{seat} shows four pictures", {"seat": self.log[-1][0]}))
            notes.append(Note("A-U-21", "The same dealer deals again"))
            facts = {"redealt": True, "killed": list(killed)}
            late = self.standing.settled and self.rules.conduct == "director"  # too late for a revoke
            return replace(outcome(start, points, tuple(notes), facts), void=not (late or any(self.fines)))
        facts = {
            "kind": self.kind,
            "ladder": list(self.ladder()),
            "stake": self.stake,
            "left": [seat for seat, cost in enumerate(self.costs) if cost],
            "costs": list(self.costs),
            "fines": list(self.fines),
            "killed": list(killed),
            "poor": list(self.poor),
            "before": list(points),
        }
        went = sentence("{seat} left and loses {points}")
        notes += [Note("TU-ZK-III2c", went, {"seat": s, "points": n}) for s, n in enumerate(self.costs) if n]
        return settlement(start, facts, tuple(notes))

    def view(self, seat: Seat | None) -> View:
        check_viewer(seat, self.setup.seats)
        table, question, standing = self.table, self.question, self.standing
        hands = table.hands if table is not None else (0,) * self.setup.seats
        open_ = self.ended is None and self.kind == "regular" and not self.eight
        facts = {
            "phase": self.phase,
            "kind": self.kind,
            "group": list(standing.group),
            "stake": self.stake,
            "last_raiser": self.last_raiser,
            "raisers": list(self.raisers),
            "raise_cap": [self._cap(s) if open_ and s in self.in_hand else 0 for s in range(len(hands))],
            "points": list(self.points),
            "places": list(standing.with_killed(self.killed)),
            "alive": [s for s in standing.alive if s not in self.killed],
            "in_hand": list(self.in_hand),
            "turn": table.turn if table is not None and self.ended is None else None,
            "asked": [s for s in question.to if s not in dict(question.answers)] if question else [],
            "asker": question.by if question else None,
            "packets": [
                {"owner": packet.owner, "open": packet.shown, "cards": list(map(str, packet.seen()))}
                for packet in self.packets
            ],
            "poor": list(self.poor),
            "blind": list(self.blind),
            "stock": len(self.stock),
            "paid": [fine + cost for fine, cost in zip(self.fines, self.costs, strict=True)],
        }
        return View(
            game="tuppen",
            rules=self.rules,
            setup=self.setup,
            seat=seat,
            cards=cards_of(hands[seat]) if seat is not None and seat >= 0 else (),
            counts=tuple(hand.bit_count() for hand in hands),
            trick=table.plays if table is not None else (),
            tricks=table.done if table is not None else (),
            question=question,
            facts=Loose(facts),
            heard=hearing(seat, self.log),
            owed=self.owed(),
            legal=() if seat is None else self.legal(seat),
        )


def _ended(table: TrickPlay) -> Literal["won"] | None:
    """Whether all cards of those still in the hand are played."""
    return "won" if not table.plays and not any(table.hands[seat] for seat in table.active) else None


# -------------------------------------------------------------------------------------------- game


def start(rules: Rules, setup: Setup) -> Hand:
    """A hand waiting for its cards, or for who wants to raise blind (TU-ZK-V4): before anybody has seen
    them, in turn from the dealer's left, who could still raise the opening stake."""
    nothing = (0,) * setup.seats
    assert isinstance(setup.tally, Standing)
    hand = Hand(rules, setup, setup.tally.group, nothing, nothing)
    if not rules.blind_raise:
        return hand
    order = hand._clockwise(left(setup.dealer, setup.seats))
    poor = sum(hand.points[seat] == 1 for seat in order) if rules.poor_man != "off" else 0
    opening = (1 + poor if rules.poor_man == "per_poor" else 2) if poor else 1
    first = next((seat for seat in order if hand.points[seat] == 1), None) if poor else None
    asker = first if rules.poor_man == "ask_two" and poor < len(order) else None
    opened = replace(hand, stake=opening, last_raiser=asker, poor=(first,) if first is not None else ())
    bold = tuple(seat for seat in order if opened._bar(seat, blind=True) is None)
    return replace(hand, question=Question("blind", bold)) if bold else hand


def draw(rules: Rules, seats: int, pack: Sequence[Card], pick: Seat = 0) -> Seating:
    """Everybody keeps his place; the highest card deals, ranks as in play, then suits: never a tie
    (TU-ZK-II2c, A-U-20)."""
    drawn = tuple(enumerate(pack[:seats]))
    dealer = max(drawn, key=lambda one: (TEN_HIGH[one[1].rank], SUIT_LADDER[one[1].suit]))[0]
    note = Note("TU-ZK-II2c", "{seat} drew the highest card and deals", {"seat": dealer})
    return Seating(tuple(range(seats)), dealer, (drawn,), (note,))


def tally(rules: Rules, seats: int) -> Standing:
    """Everybody has all points, nobody a place."""
    return Standing(rules, (rules.start_points,) * seats, (0,) * seats)


GAME = Game(
    name="tuppen",
    seats=range(2, 9),
    fewest={"toepen": 3},
    sides=0,
    deck=DECK_32,
    rules=Rules,
    presets=PRESETS,
    start=start,
    tally=tally,
    draw=draw,
)
