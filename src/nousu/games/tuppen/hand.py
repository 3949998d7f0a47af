"""One hand of Tuppen, from the shuffle to its result.

Source: TU-ZK II–V, resolutions A-U.
"""

from dataclasses import dataclass, replace
from operator import add
from typing import Literal, cast

from nousu.engine.actions import (
    Action,
    Call,
    Deal,
    Entry,
    Give,
    Play,
    Show,
    check_action,
    entry,
    hearing,
    plays,
)
from nousu.engine.cards import DECK_32, TEN_HIGH, Card, CardSet, card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Dealing, Result, Setup, View, hand_repr
from nousu.engine.messages import Note, sentence
from nousu.engine.question import Question
from nousu.engine.seats import CHANCE, DIRECTOR, Seat, check_viewer, clockwise, left, refuse_no_actor
from nousu.engine.tricks import Duties, TrickPlay
from nousu.games.tuppen import calls
from nousu.games.tuppen.facts import Booked, Facts, Kind, Laid, Phase, Redealt, Won
from nousu.games.tuppen.rules import (
    BATCHES,
    JACK,
    PENALTIES,
    Rules,
    eight_cards,
    is_true_claim,
    may_bluff,
    penalty_note,
)
from nousu.games.tuppen.standing import Standing, penalty_paid, result, settlement


@dataclass(frozen=True, slots=True)
class Packet:
    """Four cards laid down as four pictures; they never come back (A-U-03)."""

    owner: Seat
    cards: CardSet
    shown: bool = False

    def seen(self) -> tuple[Card, ...]:
        """The cards, once the packet is open; their owner knows them from laying them down."""
        return cards_of(self.cards) if self.shown else ()


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal among the seats of ``standing.group``. The phase is derived from the fields."""

    rules: Rules
    setup: Setup
    in_hand: tuple[Seat, ...]
    """Seats that are still in the hand, in seat order."""
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
    """The open challenge: its seat, and the number of the packet that is to be turned up."""
    stake: int = 1
    last_raiser: Seat | None = None
    raisers: tuple[Seat, ...] = ()
    poor: tuple[Seat, ...] = ()
    """Seats that stood at one point when the picture phase ended, clockwise from the dealer's left."""
    blind: tuple[Seat, ...] = ()
    """Seats bound to raise whose turn has not come yet."""
    dared: Seat | None = None
    """The seat that raised to two before the cards were seen, and may go to three (A-U-35)."""
    behind: tuple[int, ...] = ()
    """Steps by which each seat has yet to go along up to the stake; empty where none has (A-U-34)."""
    killed: tuple[Seat, ...] = ()
    """Seats that lost their last point within this hand, in order; each got its place at once (A-U-21)."""
    ended: Literal["won", "redealt", "booked"] | None = None
    __repr__ = hand_repr

    @property
    def standing(self) -> Standing:
        """The score this hand starts from."""
        return Standing.of(self.setup.tally)

    @property
    def kind(self) -> Kind:
        """The kind of this hand."""
        return self.standing.kind

    @property
    def eight(self) -> bool:
        """Whether eight cards are dealt."""
        rules, standing = self.rules, self.standing
        if not (rules.eight_card_endgame or standing.eights):
            return False
        return eight_cards(rules, standing.kind, len(standing.group))

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each seat at this moment."""
        start = self.standing.points
        if not any(self.fines) and not any(self.costs):
            return start
        paid = zip(start, self.fines, self.costs, strict=True)
        return tuple([points - fine - cost for points, fine, cost in paid])

    @property
    def phase(self) -> Phase:
        """The phase, by the action awaited."""
        if self.ended is not None:
            return "over"
        if self.doubt is not None:
            return "doubt"
        if self.question is not None:
            return cast(Phase, self.question.topic)
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
        refuse_no_actor(seat, self.setup.seats)
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
                return calls.LOOK, calls.BLIND
            case "doubt":
                assert self.doubt is not None
                return (Show(cards_of(self.packets[self.doubt[1]].cards)),)
            case "pictures":
                assert table is not None
                claims = self._claims(table.hands[seat])
                must = claims and self.rules.four_pictures == "compulsory"
                return claims if must else (calls.KEEP, *claims)
            case "poor":
                return calls.HOLD, calls.LEAVE
            case "raise":  # TU-ZK-III2f, A-U-07: going along is never limited
                answers = (calls.HOLD,) if self._must_hold(seat) else (calls.HOLD, calls.LEAVE)
                again = self.rules.raise_in_answer and self._raise_refusal(seat, answering=True) is None
                return (*answers, calls.RAISE) if again else answers
            case _:
                return plays(table.legal()) if table is not None else ()

    def _claims(self, cards: CardSet) -> tuple[Action, ...]:
        """Four cards laid down, or shown for a new deal (A-U-03)."""
        if not (is_true_claim(self.rules, cards) or may_bluff(self.rules, self.kind)):
            return ()
        listed = cards_of(cards)
        return (Show(listed) if self.rules.four_pictures == "redeal" else Give(listed),)

    def _interrupts(self, seat: Seat) -> tuple[Action, ...]:
        """Actions out of turn: raise, leave, challenge. None while answers are awaited (TU-ZK-V2)."""
        actions: list[Action] = []
        if self.phase == "play":
            if self._raise_refusal(seat) is None:
                actions.append(calls.RAISE)
            if self.rules.voluntary_leave and self.kind == "regular" and not self._must_hold(seat):
                actions.append(calls.LEAVE)
        if self.phase in ("play", "pictures"):
            actions += self._challenges(seat)
        return tuple(actions)

    def _must_hold(self, seat: Seat) -> bool:
        return not self.rules.raiser_may_leave and seat in self.raisers

    def _raise_refusal(self, seat: Seat, blind: bool = False, answering: bool = False) -> Note | None:
        """The reason for which `seat` may not raise now, or in answer to a raise; None if it may."""
        rules, question = self.rules, self.question
        if self.kind == "eight":
            return Note("A-U-37", "nobody raises where no points count")
        if self.kind != "regular":
            return Note("A-U-18", "nobody raises in a play-off")
        if self.eight:
            return Note("TU-ZK-V5", "nobody raises in the eight-card end game")
        if rules.poor_man_raises == "barred" and set(self.poor) & set(self.in_hand):
            return Note("A-U-15", "nobody raises against a poor man")
        if (question.by if answering and question is not None else self.last_raiser) == seat:
            return Note("TU-ZK-III2e", "nobody raises twice running")
        if self.stake + 1 + answering > self._caps(self.points)[seat] + blind:
            return Note("TU-ZK-III2f", "this player may not raise the stake that high")
        if rules.raise_timing == "own_turn" and not blind and self.owed() != (seat,):
            return Note("A-U-08", "raise on your own turn, before you play")
        return None

    def _caps(self, points: tuple[int, ...]) -> tuple[int, ...]:
        """The highest stake each seat may raise to: without a cap, the one at which no seat can lose more."""
        match self.rules.raise_cap:
            case "points_plus_one":
                caps = tuple([own + 1 for own in points])
            case "points":
                caps = points
            case _:
                caps = (max([points[seat] for seat in self.in_hand]),) * len(points)
        if self.dared is None:
            return caps
        return tuple([max(cap, 3) if seat == self.dared else cap for seat, cap in enumerate(caps)])

    def _challenges(self, seat: Seat) -> dict[Action, int]:
        """Indices of the packets that `seat` may challenge, by the call, numbered if an owner laid more."""
        table = self.table
        if table is None or not table.hands[seat] or not may_bluff(self.rules, self.kind):
            return {}
        owners = [packet.owner for packet in self.packets]
        challenges: dict[Action, int] = {}
        for index, packet in enumerate(self.packets):
            owner = packet.owner
            if owner != seat and owner in self.in_hand and not packet.shown:
                number = owners[: index + 1].count(owner) if owners.count(owner) > 1 else None
                challenges[calls.call_of(calls.Challenge(owner, number), self.setup.seats)] = index
        return challenges

    def _bookable(self) -> tuple[Action, ...]:
        """The penalties a director may book now, each until its deadline (A-U-21).

        The sole survivor may be penalised too, while the others play off for their places.
        """
        seats, table, points = range(self.setup.seats), self.table, self.points
        standing = self.standing
        alive = [s for s in seats if points[s] > 0 and (not standing.eights or s in standing.eights)]
        began = table is not None and bool(table.plays or table.done)
        booked = [(rule, seat) for rule in ("II4", "IV3", "IV5", "IV6", "IV8") for seat in alive]
        if began:  # TU-ZK-IV2: points lost before this hand must show on the die by its first lead
            full = self.rules.start_points
            booked += [("IV2", seat) for seat in alive if standing.points[seat] < full]
        if table is None:
            booked += [("IV7", seat) for seat in standing.late_revokers()]
        elif began:
            booked += [("IV7", s) for s in self._played() if s in self.in_hand or s in alive]
        elif self.setup.dealer in alive:
            booked.append(("IV4", self.setup.dealer))
        return tuple(calls.call_of(calls.Penalty(rule, seat), len(seats)) for rule, seat in booked)

    def _played(self) -> tuple[Seat, ...]:
        """The seats that have played a card in this hand."""
        if self.table is None:
            return ()
        plays = (*self.table.plays, *(play for trick in self.table.done for play in trick.plays))
        return tuple(sorted({seat for seat, _ in plays}))

    def _bookings(self) -> tuple[tuple[str, Seat], ...]:
        """The penalties a director has booked in this hand: rule and seat."""
        booked = (action for by, action in self.log if by == DIRECTOR and isinstance(action, Call))
        words = (calls.said(call, self.setup.seats) for call in booked)
        return tuple((word.rule, word.seat) for word in words if isinstance(word, calls.Penalty))

    def apply(self, seat: Seat, action: Action) -> "Hand":
        table = self.table
        if type(action) is Play and table is not None and seat == table.turn and self.phase == "play":
            if action.card >= 0 and table.legal() >> action.card & 1:
                after = table.play(action.card)
                return replace(self, log=(*self.log, entry(seat, action)), table=after, ended=_end_of(after))
        elif seat == CHANCE and self.owed() == (CHANCE,) and isinstance(action, Deal):
            return self._deal(action)
        if action not in self.legal(seat):
            raise self._refusal(seat, action)
        here = replace(self, log=(*self.log, entry(seat, action)))
        if seat == DIRECTOR:
            return here._book(*here._bookings()[-1])._advance()
        if isinstance(action, Give):
            return here._lay_pictures(seat)._advance()
        if isinstance(action, Show):
            return (
                here._show_packet()._advance() if self.doubt is not None else replace(here, ended="redealt")
            )
        if action == calls.RAISE:
            return (here._ask_raise(seat) if here.question is None else here._raise_again(seat))._advance()
        if action in (challenges := self._challenges(seat)):
            return replace(here, doubt=(seat, challenges[action]))
        if here.question is not None:
            here = replace(here, question=here.question.answer(seat, action))
        if action == calls.HOLD and here.behind:
            here = replace(here, behind=tuple([lag * (by != seat) for by, lag in enumerate(here.behind)]))
        if action == calls.BLIND:
            here = replace(here, blind=(*here.blind, seat))
            if self.rules.two_to_three:  # A-U-35: only the first who says so
                here = replace(here, question=None)
        return (here._leave(seat) if action == calls.LEAVE else here)._advance()

    def _refusal(self, seat: Seat, action: Action) -> IllegalAction:
        why = Note("TU-ZK-V6", "this is not allowed now")
        match check_action(action):
            case _ if self.ended is not None:
                why = Note("TU-ZK-III1c", "the hand is over")
            case _ if seat == DIRECTOR and self.rules.conduct != "director":
                why = Note("A-U-23", "nobody books penalties at this table")
            case _ if seat == DIRECTOR:
                why = Note("A-U-21", "this penalty cannot be booked now")
            case _ if seat == CHANCE and self.phase == "blind":
                why = Note(
                    "TU-ZK-II2a", "first everybody who may raise blind is asked, then the cards are dealt"
                )
            case _ if seat == CHANCE:
                why = Note("TU-ZK-II2a", "the cards have already been dealt")
            case _ if seat not in self.in_hand:
                why = Note("TU-ZK-III2c", "this player is not in the hand")
            case _ if self.phase == "deal":
                why = Note("TU-ZK-II2a", "the cards have not been dealt")
            case Play() if self.phase != "play":
                why = Note("TU-ZK-V2", "a question is open; no card is played meanwhile")
            case Play() if seat not in self.owed():  # not a ten either (TU-ZK-V1)
                why = Note("TU-ZK-IV8", "it is not this player’s turn")
            case Play(card) if self.table is not None and card >= 0 and self.table.hands[seat] >> card & 1:
                why = Note("TU-ZK-II3", "follow suit: you hold a card of the suit led")
            case Play():
                why = Note("TU-ZK-II3", "this card is not in the hand")
            case Call() as call:
                why = self._call_refusal(seat, call) or why
            case Give() | Show():
                why = Note("TU-ZK-II2b", "these cards cannot be laid down now")
        return IllegalAction(why.clause, why.message, self.legal(seat))

    def _call_refusal(self, seat: Seat, call: Call) -> Note | None:
        """The reason for which this call is not legal now; None where the general one will do."""
        match calls.said(call, self.setup.seats):
            case calls.Raise() if self.phase == "raise" and self.rules.raise_in_answer:
                return self._raise_refusal(seat, answering=True) if seat in self.owed() else None
            case calls.Raise() if self.phase != "play":
                return Note("TU-ZK-V2", "nobody raises while a question is open")
            case calls.Raise():
                return self._raise_refusal(seat)
            case calls.Leave() if self._must_hold(seat):
                return Note("TU-ZK-V3", "a player who has raised stays in the hand")
            case calls.Leave():
                return Note("A-U-22", "a player may leave only when asked")
            case calls.Challenge():
                return Note("TU-ZK-IV9", "there is no such packet to challenge now")
            case calls.Keep() | calls.Hold() | calls.Look() | calls.Blind() as answer:
                return Note(_QUESTION_CLAUSES[type(answer)], "nobody has asked this player that")
        return None

    def _deal(self, deal: Deal) -> "Hand":
        self.dealing().check(deal, "TU-ZK-II2a")
        order = self._clockwise(left(self.setup.dealer, self.setup.seats))
        duties = Duties(strength=TEN_HIGH, still_win=self.rules.leaver_cards == "still_win")
        # TU-ZK-III1a: left of the dealer leads; TU-ZK-III1b: then the winner of the trick
        table = TrickPlay(tuple(map(card_set, deal.hands)), self.in_hand, order[0], duties)
        mode = "off" if self.eight or self.kind == "eight" else self.rules.four_pictures
        asked = order if mode != "off" else ()  # the blind raiser does not know the cards
        unseen = () if self.rules.two_to_three else self.blind
        question = Question("pictures", tuple(seat for seat in asked if seat not in unseen))
        log = (*self.log, (CHANCE, deal))
        return replace(self, log=log, table=table, stock=deal.stock, question=question)._advance()

    def _lay_pictures(self, seat: Seat) -> "Hand":
        """Four cards down as one packet, the top four of the stock up; the seat is asked again (A-U-03)."""
        table = self.table
        assert table is not None
        hands = list(table.hands)
        packets = (*self.packets, Packet(seat, hands[seat]))
        hands[seat] = card_set(self.stock[:4])
        return replace(self, table=replace(table, hands=tuple(hands)), packets=packets, stock=self.stock[4:])

    def _show_packet(self) -> "Hand":
        """Open a challenged packet: the seat that was wrong pays, the new cards stay (TU-ZK-IV9, A-U-04)."""
        assert self.doubt is not None
        challenger, index = self.doubt
        packet = self.packets[index]
        packets = (*self.packets[:index], replace(packet, shown=True), *self.packets[index + 1 :])
        wrong = challenger if is_true_claim(self.rules, packet.cards) else packet.owner
        return replace(self, packets=packets, doubt=None)._pay_penalty(wrong, self.rules.penalty_points)

    def _ask_raise(self, seat: Seat) -> "Hand":
        """Ask the others one after another, beginning on the raiser's left (TU-ZK-III2b)."""
        asked = self._clockwise(left(seat, self.setup.seats))
        question = Question("raise", tuple(other for other in asked if other != seat), by=seat)
        return replace(self, question=question, raisers=(*self.raisers, seat))

    def _raise_again(self, seat: Seat) -> "Hand":
        """Let the seat that is asked go along and raise; all others are asked anew for that (A-U-34)."""
        question, behind = self.question, self.behind or (0,) * self.setup.seats
        assert question is not None
        waiting = [other for other in question.to if other not in dict(question.answers) and other != seat]
        lag = tuple([(steps + 1) * (other in waiting) for other, steps in enumerate(behind)])
        return replace(self, stake=self.stake + 1, last_raiser=question.by, behind=lag)._ask_raise(seat)

    def _held_stake(self, seat: Seat) -> int:
        """The stake that the seat has gone along with."""
        return self.stake - (self.behind[seat] if self.behind else 0)

    def _leave(self, seat: Seat) -> "Hand":
        """Let a seat pay the stake so far for leaving, never more than it has (TU-ZK-III2c, A-U-05)."""
        is_cheap = self.rules.leave_cost == "one" and self.question is not None
        cost = min(self.points[seat], 1 if is_cheap else self._held_stake(seat))
        costs = tuple(paid + cost * (other == seat) for other, paid in enumerate(self.costs))
        here = replace(self, costs=costs)._drop_seat(seat)
        if here.points[seat] == 0 and self.rules.same_hand_deaths == "in_order":
            return replace(here, killed=(*here.killed, seat))
        return here

    def _pay_penalty(self, seat: Seat, due: int) -> "Hand":
        """Let a seat pay a penalty at once; one with no points left is dead and out (TU-ZK-IV1, A-U-21)."""
        paid = penalty_paid(self.points, seat, due)
        fines = tuple(fine + paid * (other == seat) for other, fine in enumerate(self.fines))
        here = replace(self, fines=fines)
        if paid and here.points[seat] == 0:
            here = replace(here._drop_seat(seat), killed=(*here.killed, seat))
        return here

    def _drop_seat(self, seat: Seat) -> "Hand":
        """Take a seat out unasked: a question to it is void, one that it has put goes on."""
        question, doubt = self.question, self.doubt
        if question is not None and seat not in dict(question.answers):
            question = replace(question, to=tuple(other for other in question.to if other != seat))
        if doubt is not None and self.packets[doubt[1]].owner == seat:
            doubt = None
        in_hand = tuple(other for other in self.in_hand if other != seat)
        return replace(self, question=question, doubt=doubt, in_hand=in_hand)

    def _book(self, rule: str, seat: Seat) -> "Hand":
        """The hand after a director's penalty.

        Before the deal the standing takes it. A misdeal ends the hand (TU-ZK-IV4). A revoke costs the stake
        too and puts its player out of the hand (TU-ZK-IV7).
        """
        if self.table is None:
            return replace(self, ended="booked")
        due = self.rules.penalty_points
        if rule == "IV4":
            return replace(self._pay_penalty(seat, due), ended="redealt")
        if rule == "IV7" and seat in self.in_hand:
            return self._pay_penalty(seat, due + self._held_stake(seat))._drop_seat(seat)
        return self._pay_penalty(seat, due)

    def _advance(self) -> "Hand":
        """Let the consequences follow: ends of questions, of tricks and of the hand."""
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
            return self._after_answer(question)._advance() if done else self
        if table.active != self.in_hand:  # A-U-12: the trick may be complete now
            table = table.without(*(seat for seat in table.active if seat not in self.in_hand))
        return replace(self, table=table, ended=_end_of(table))

    def _after_answer(self, question: Question) -> "Hand":
        """Go on after the last answer."""
        here = replace(self, question=None)
        if question.topic == "pictures":
            return here._poor_phase()
        stake = 2 if question.topic == "poor" else self.stake + 1  # TU-ZK-III2d
        here = replace(here, stake=stake, last_raiser=question.by, behind=())
        return here._blind_phase()

    def _poor_phase(self) -> "Hand":
        """Poor men and what they change (A-U-15); the asking one may lead when poor for the first time."""
        rules = self.rules
        seats = self._clockwise(left(self.setup.dealer, self.setup.seats))
        poor = tuple(seat for seat in seats if self.points[seat] == 1)
        if not poor or rules.poor_man == "off" or self.kind != "regular":
            return self._blind_phase()
        if self.eight:  # TU-ZK-III3a: always for two, and nobody is asked
            return replace(self, poor=poor, stake=2)._blind_phase()
        others = tuple(seat for seat in self._clockwise(left(poor[0], self.setup.seats)) if seat not in poor)
        here = replace(self, poor=poor)
        first = rules.poor_man_leads_first and poor[0] not in self.standing.been_poor
        if others and (first or rules.poor_man_leads_always):
            assert self.table is not None
            here = replace(here, table=replace(self.table, turn=poor[0]))
        if rules.poor_man == "ask_two":  # TU-ZK-III3a; all poor: nobody is asked
            return replace(here, question=Question("poor", others, by=poor[0] if others else None))
        return replace(here, stake=2 if rules.poor_man == "fixed_two" else 1 + len(poor))._blind_phase()

    def _blind_phase(self) -> "Hand":
        """Put the next blind raise to the others; one that is no longer allowed lapses."""
        for index, seat in enumerate(self.blind):
            if seat in self.in_hand and self._raise_refusal(seat, blind=True) is None:
                if not self.rules.two_to_three:
                    return replace(self, blind=self.blind[index + 1 :])._ask_raise(seat)
                if self.stake == 1:  # A-U-35: all play for two, unasked
                    return replace(self, blind=(), stake=2, raisers=(*self.raisers, seat), dared=seat)
        return replace(self, blind=())

    # ---- what it comes to

    def ladder(self) -> tuple[Seat, ...]:
        """The seats still in the hand by their cards in the last trick, the winner first (TU-ZK-III1d)."""
        if len(self.in_hand) == 1 or self.table is None:
            return self.in_hand
        seats: list[Seat] = []
        last = replace(self.table, plays=self.table.done[-1].plays)
        while last.active:
            seats.append(last.winner())
            last = replace(last, active=tuple(seat for seat in last.active if seat != seats[-1]))
        return tuple(seats)

    def _jacks(self) -> tuple[Seat, ...]:
        """The seats with a jack in the last trick, where it brings a point (A-U-33)."""
        if not self.rules.last_jack or len(self.in_hand) == 1 or self.table is None:
            return ()
        return tuple(sorted([seat for seat, card in self.table.done[-1].plays if card.rank == JACK]))

    def result(self) -> Result | None:
        if self.ended is None:
            return None
        start, points, killed = self.standing.points, self.points, self.killed
        booked = self._bookings()
        notes = [penalty_note(PENALTIES[rule].clause, rule, seat) for rule, seat in booked]
        if self.ended == "booked":
            end = self.standing.booked(*booked[-1]).points
            return result(start, end, tuple(notes), Booked(*booked[-1]))
        fined = sentence("{seat} loses {points} by penalty")
        notes += [Note("TU-ZK-IV1", fined, {"seat": s, "points": n}) for s, n in enumerate(self.fines) if n]
        if self.ended == "redealt":  # what was paid for leaving comes back
            points = tuple(had - fine for had, fine in zip(start, self.fines, strict=True))
            if self.log[-1][0] != DIRECTOR:
                notes.append(Note("A-U-03", "{seat} shows four pictures", {"seat": self.log[-1][0]}))
            notes.append(Note("A-U-21", "The same dealer deals again"))
            again = Redealt(tuple(seat for seat in killed if points[seat] == 0))
            late = self.standing.settled and self.rules.conduct == "director"  # too late for a revoke
            void = not (late or any(self.fines))
            return replace(result(start, points, tuple(notes), again), void=void)
        went = sentence("{seat} left and loses {points}")
        notes += [Note("TU-ZK-III2c", went, {"seat": s, "points": n}) for s, n in enumerate(self.costs) if n]
        won = Won(
            kind=self.kind,
            ladder=self.ladder(),
            stake=self.stake,
            played=self._played(),
            jacks=self._jacks(),
            left=tuple(seat for seat, cost in enumerate(self.costs) if cost),
            costs=self.costs,
            fines=self.fines,
            killed=killed,
            poor=self.poor,
            before=points,
        )
        return settlement(start, won, tuple(notes))

    def facts(self) -> Facts:
        """The public facts of the hand."""
        table, question, standing, in_hand = self.table, self.question, self.standing, self.in_hand
        kind, points = standing.kind, self.points
        open_ = self.ended is None and kind == "regular" and not self.eight
        caps = self._caps(points) if open_ else (0,) * self.setup.seats
        answered = dict(question.answers) if question is not None else {}
        return Facts(
            phase=self.phase,
            kind=kind,
            group=standing.group,
            stake=self.stake,
            last_raiser=self.last_raiser,
            raisers=self.raisers,
            raise_cap=tuple([caps[s] if s in in_hand else 0 for s in range(len(caps))]),
            points=points,
            places=standing.with_killed(self.killed) if self.killed else standing.places,
            alive=tuple([s for s in standing.alive if s not in self.killed]),
            in_hand=in_hand,
            turn=table.turn if table is not None and self.ended is None else None,
            asked=tuple([s for s in question.to if s not in answered]) if question is not None else (),
            asker=question.by if question is not None else None,
            packets=tuple([Laid(packet.owner, packet.shown, packet.seen()) for packet in self.packets]),
            poor=self.poor,
            blind=self.blind,
            stock=len(self.stock),
            paid=tuple(map(add, self.fines, self.costs)),
            behind=self.behind,
        )

    def view(self, seat: Seat | None) -> View:
        if seat != DIRECTOR:
            check_viewer(seat, self.setup.seats)
        table = self.table
        hands = table.hands if table is not None else (0,) * self.setup.seats
        return View(
            game="tuppen",
            rules=self.rules,
            setup=self.setup,
            seat=seat,
            cards=cards_of(hands[seat]) if seat is not None and seat >= 0 else (),
            counts=tuple([hand.bit_count() for hand in hands]),
            trick=table.plays if table is not None else (),
            tricks=table.done if table is not None else (),
            question=self.question,
            facts=self.facts(),
            heard=hearing(seat, self.log),
            owed=self.owed(),
            legal=() if seat is None else self.legal(seat),
        )


_QUESTION_CLAUSES = {
    calls.Keep: "TU-ZK-II2b",
    calls.Hold: "TU-ZK-III2b",
    calls.Look: "TU-ZK-V4",
    calls.Blind: "TU-ZK-V4",
}
"""The clause of the question that each answer belongs to."""


def _end_of(table: TrickPlay) -> Literal["won"] | None:
    """The end of the hand once all cards of those still in it are played; None before."""
    return "won" if not table.plays and not any(table.hands[seat] for seat in table.active) else None


def start(rules: Rules, setup: Setup) -> Hand:
    """A hand that waits for its cards, or for seats that may raise blind (TU-ZK-V4).

    Before anybody has seen cards, the seats that can still raise the opening stake are asked in turn from the
    dealer's left.
    """
    nothing = (0,) * setup.seats
    hand = Hand(rules, setup, Standing.of(setup.tally).group, nothing, nothing)
    if not rules.blind_raise:
        return hand
    order = hand._clockwise(left(setup.dealer, setup.seats))
    poor = sum(hand.points[seat] == 1 for seat in order) if rules.poor_man != "off" else 0
    opening = (1 + poor if rules.poor_man == "per_poor" else 2) if poor else 1
    first = next((seat for seat in order if hand.points[seat] == 1), None) if poor else None
    if rules.two_to_three and opening > 1:
        return hand
    asker = first if rules.poor_man == "ask_two" and poor < len(order) else None
    opened = replace(hand, stake=opening, last_raiser=asker, poor=(first,) if first is not None else ())
    bold = tuple(seat for seat in order if opened._raise_refusal(seat, blind=True) is None)
    return replace(hand, question=Question("blind", bold)) if bold else hand
