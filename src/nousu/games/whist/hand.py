"""A hand, from the deal through bids, exposing and sooli to the last trick."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

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
from nousu.engine.cards import ACE_HIGH, ACE_LOW, DECK_52, Card, CardSet, card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.frozen import changed
from nousu.engine.game import Dealing, Result, Setup, View, hand_repr
from nousu.engine.messages import Note, sentence
from nousu.engine.question import Question
from nousu.engine.seats import CHANCE, Seat, check_viewer, left, partner, refuse_no_actor, right, side
from nousu.engine.tricks import Duties, TrickPlay
from nousu.games.whist.calls import END, PASS, SOOLI, Bid, Pass, bid_in, call_of, said
from nousu.games.whist.facts import Facts, Kind, Outcome, Phase
from nousu.games.whist.rules import (
    BLACK,
    BOOK,
    RED,
    TRICKS,
    Rules,
    bid_order,
    bids_for,
    clause,
    first_lead,
    means_high,
    pay_clause,
    sooli_scores,
    spoken_bids,
)
from nousu.games.whist.standing import Rise, score

_ONE = tuple((seat,) for seat in range(4))


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal. Its phase is derived from its fields: hands, open question, exposed bids, table, outcome."""

    rules: Rules
    setup: Setup
    log: tuple[Entry, ...] = ()
    hands: tuple[CardSet, ...] = ()
    question: Question | None = None
    bids: tuple[Entry, ...] = ()
    """Sealed bids in the order in which they are turned up."""
    exposed: int = 0
    kind: Kind | None = None
    bidder: Seat | None = None
    """The seat whose bid fixed the game: declarer of a high hand, nullo bidder of a spoken auction."""
    soloist: Seat | None = None
    table: TrickPlay | None = None
    outcome: Result | None = None

    __repr__ = hand_repr

    @property
    def phase(self) -> Phase:
        """The phase, by the action awaited."""
        if self.outcome is not None:
            return "over"
        if self.table is not None:
            return "play"
        if not self.hands:
            return "deal"
        if self.question is not None:
            return cast(Phase, self.question.topic)
        return "expose"

    def owed(self) -> tuple[Seat, ...]:
        if self.outcome is not None:
            return ()
        if self.table is not None:
            return _ONE[self.table.turn]
        if self.question is not None:
            return self.question.owed()
        if self.hands:
            return _ONE[self.bids[self.exposed][0]]
        return (CHANCE,)

    def dealing(self) -> Dealing:
        dealer = self.setup.dealer
        first = left(dealer, 4) if self.rules.deal_start == "left" else right(dealer, 4)
        # A shuffled and cut pack is one random permutation (T-CAT-08); 13 cards each (T-WIK-04), and only
        # then does anybody look (T-CAT-10).
        return Dealing(DECK_52, (13, 13, 13, 13), first)

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        refuse_no_actor(seat, 4)
        table = self.table
        if seat < 0 or self.outcome is not None or not self.hands:
            return ()
        if table is not None:
            cards: tuple[Action, ...] = plays(table.legal()) if seat == table.turn else ()
            return (*cards, END) if self._may_end() else cards
        if seat not in self.owed():
            return ()
        if self.question is None:
            bid = bid_in(self.bids[self.exposed][1])
            return (call_of(bid) if isinstance(bid, Bid) else Show((bid,)),) if bid is not None else ()
        return self._answers(seat)

    def _answers(self, seat: Seat) -> tuple[Action, ...]:
        hand = self.hands[seat]
        match self.phase:
            case "bid":
                return self._bids(hand)
            case "auction":
                return spoken_bids(self.rules)
            case "sooli":
                return SOOLI, PASS
            case "discard":
                return tuple(Give((card,)) for card in cards_of(hand))
            case _:
                return tuple(Give((card,), partner(seat)) for card in cards_of(hand))

    def _bids(self, hand: CardSet) -> tuple[Action, ...]:
        """Bids of a hand, and showing a whole hand of one colour (NW-CAT-07)."""
        bids = bids_for(hand, self.rules)
        if self.rules.single_colour_hand == "may_void" and not (hand & RED and hand & BLACK):
            return (*bids, Show(cards_of(hand)))
        return bids

    def apply(self, seat: Seat, action: Action) -> "Hand":
        table = self.table
        if table is not None and seat == table.turn and type(action) is Play and self.outcome is None:
            card = action.card
            if card >= 0 and table.legal() >> card & 1:
                return self._played(table.play(card), (*self.log, entry(seat, action)))
        if seat == CHANCE and not self.hands and isinstance(action, Deal):
            return self._deal(action)
        legal = self.legal(seat)
        if action not in legal:
            raise self._refusal(seat, action, legal)
        log = (*self.log, entry(seat, action))
        if action == END and table is not None:
            return changed(self, log=log, outcome=_broken_off(self))
        if self.question is None:
            return self._reveal_bids(seat, log)
        return self._after_answer(seat, action, log)

    def _refusal(self, seat: Seat, action: Action, legal: tuple[Action, ...]) -> IllegalAction:
        """The reason for a refusal: first the turn, then what is wrong with the action itself."""
        check_action(action)
        rules, table, phase = self.rules, self.table, self.phase
        about, message = _WANTED[phase]
        if isinstance(action, Deal) and phase != "deal":
            about, message = "deal", sentence("the cards have already been dealt")
        elif phase not in ("deal", "over") and seat not in self.owed():
            about, message = _TURN.get(phase, about), sentence("it is not this seat’s turn")
            if phase == "bid":
                message = sentence("this bid has already been laid")
        elif table is not None and isinstance(action, Play) and phase == "play":
            if action.card >= 0 and table.hands[seat] >> action.card & 1:
                about, message = "suit", sentence("follow suit: you hold a card of the suit led")
            else:
                message = sentence("this card is not in the hand")
        elif phase == "bid" and rules.bid_mode == "bid_card":
            about, message = "cards", sentence("lay down one of the two bidding cards")
        elif phase == "bid" and rules.single_colour_hand != "verbal":
            message = sentence("lay down a card that may be a bid")
        return IllegalAction(about if "-" in about else clause(rules, about), message, legal)

    def _deal(self, deal: Deal) -> "Hand":
        self.dealing().check(deal, clause(self.rules, "deal"))
        order = bid_order(self.rules, self.setup.dealer)
        spoken = self.rules.bid_mode == "spoken"
        question = Question("auction", order) if spoken else Question("bid", order, at_once=True)
        hands = tuple(map(card_set, deal.hands))
        return changed(self, log=((CHANCE, deal),), hands=hands, question=question)

    def _after_answer(self, seat: Seat, action: Action, log: tuple[Entry, ...]) -> "Hand":
        question = self.question
        assert question is not None
        if isinstance(action, Show):  # NW-CAT-07: a hand of one colour is shown and voids the deal
            notes = (
                Note("NW-CAT-07", "{seat} showed a hand of one colour: the deal is void", {"seat": seat}),
            )
            return changed(self, log=log, outcome=Result(points=(0, 0), notes=notes, void=True))
        if isinstance(action, Give):
            return self._pass_card(seat, action, log)
        asked = question.answer(seat, action)
        here = changed(self, log=log, question=asked)
        if action == SOOLI:
            return here._soloist(seat)
        bid = bid_in(action) if question.topic == "auction" else None
        if isinstance(bid, Bid):
            return here._game("high" if bid.high else "low", seat)
        if asked.owed():
            return here
        if question.topic == "sooli":
            return here._lead("high")
        if question.topic == "auction":  # four passes make a low hand (MW-WIK-18)
            return here._game("low", None)
        return changed(here, question=None, bids=asked.answers)

    def _reveal_bids(self, seat: Seat, log: tuple[Entry, ...]) -> "Hand":
        """The hand after one more bid is turned up.

        The first high bid ends the exposing (T-CAT-17, T-WIK-07, NW-CAT-05, MW-WIK-07). Sealed cards never
        left their hands: they "return" (T-CAT-20, T-WIK-12, NW-CAT-09).
        """
        bid = bid_in(self.bids[self.exposed][1])
        here = changed(self, log=log, exposed=self.exposed + 1)
        assert bid is not None
        if means_high(bid, self.rules):  # T-WIK-08, MW-WIK-08
            return here._game("high", seat)
        if here.exposed == 4:  # T-CAT-19, T-WIK-08, MW-WIK-09; NW-CAT-06 reads four *red* ones (A-N-01)
            return here._game("low", None)
        return here

    def _game(self, kind: Kind, bidder: Seat | None) -> "Hand":
        """End the auction. After a rami the defenders are asked for sooli (A-T-08)."""
        here = changed(self, question=None, kind=kind, bidder=bidder)
        if kind == "high" and self.rules.sooli and bidder is not None:
            first = left(bidder, 4)
            return changed(here, question=Question("sooli", (first, partner(first))))
        return here._lead(kind)

    def _lead(self, kind: Kind) -> "Hand":
        """Begin the tricks."""
        leader = first_lead(self.rules, kind == "high", self.setup.dealer, self.bidder)
        table = TrickPlay(self.hands, (0, 1, 2, 3), leader, _WHIST)
        return changed(self, question=None, table=table)

    def _soloist(self, seat: Seat) -> "Hand":
        """Sooli: exchange by `sooli_exchange` (A-T-07), then the seat on the soloist's left leads."""
        here = changed(self, kind="sooli", soloist=seat)
        match self.rules.sooli_exchange:
            case "discard_then_receive":
                return changed(here, question=Question("discard", (seat,)))
            case "receive_then_return":
                return changed(here, question=Question("give", (partner(seat),)))
        return here._sooli_lead()

    def _pass_card(self, seat: Seat, gift: Give, log: tuple[Entry, ...]) -> "Hand":
        """Move a card of the sooli exchange: aside, then from the partner (T-WIK-10); or there and back."""
        bit = card_set(gift.cards)
        hands = list(self.hands)
        hands[seat] &= ~bit
        if gift.to is not None:
            hands[gift.to] |= bit
        here = changed(self, log=log, hands=tuple(hands))
        soloist = self.soloist
        assert soloist is not None
        if self.phase == "discard":
            return changed(here, question=Question("give", (partner(soloist),)))
        if self.phase == "give" and self.rules.sooli_exchange == "receive_then_return":
            return changed(here, question=Question("return", (soloist,)))
        return here._sooli_lead()

    def _sooli_lead(self) -> "Hand":
        """The play of a sooli: aces low, the partner out (T-CAT-26, T-CAT-28).

        The seat left of the soloist leads (T-CAT-29, A-T-10); the soloist wants no trick (T-CAT-27).
        """
        soloist = self.soloist
        assert soloist is not None
        active = tuple(seat for seat in range(4) if seat != partner(soloist))
        duties = Duties(ACE_LOW, soloist if self.rules.sooli_order == "always_last" else None)
        table = TrickPlay(self.hands, active, left(soloist, 4), duties)
        return changed(self, question=None, table=table)

    def _played(self, table: TrickPlay, log: tuple[Entry, ...]) -> "Hand":
        here = Hand(
            self.rules, self.setup, log, self.hands, None, self.bids, self.exposed, self.kind,
            self.bidder, self.soloist, table, None,
        )  # fmt: skip
        if table.plays:
            return here
        done = table.done
        lost = self.soloist is not None and table.won(self.soloist) > 0
        if (lost and self.rules.sooli_stop) or len(done) == TRICKS:  # T-CAT-31, A-T-11
            outcome = _sooli_outcome(here, not lost) if self.soloist is not None else _outcome(here)
        elif self.rules.early_end == "auto" and here._riser_has_lost():
            outcome = _broken_off(here)
        else:
            return here
        return changed(here, outcome=outcome)

    def _riser_has_lost(self) -> bool:
        """Whether the rising side can no longer score: public trick counts decide (A-T-15, T-WIK-24)."""
        tally = self.setup.tally
        if self.table is None or self.soloist is not None or len(self.table.done) < 7:
            return False
        if not isinstance(tally, Rise) or tally.riser is None:
            return False
        rising = sum(side(trick.winner) == tally.riser for trick in self.table.done)
        return rising >= 7 if self.kind == "low" else len(self.table.done) - rising >= 7

    def _may_end(self) -> bool:
        return self.rules.early_end == "offer" and self._riser_has_lost()

    def tricks(self) -> tuple[int, int]:
        """Tricks taken by each side so far: partners pool theirs (MW-WIK-02, MW-WIK-12)."""
        done = self.table.done if self.table is not None else ()
        odd = sum(side(trick.winner) for trick in done)
        return len(done) - odd, odd

    def result(self) -> Result | None:
        return self.outcome

    def _public_bids(self) -> dict[Seat, Card | Bid | Pass]:
        """Bids turned up (A-T-25), or spoken up to the first that is not a pass; sooli is not a bid."""
        bids: dict[Seat, Card | Bid | Pass] = {}
        if self.rules.bid_mode != "spoken":
            for by, seal in self.bids[: self.exposed]:
                bid = bid_in(seal)
                if bid is not None:
                    bids[by] = bid
            return bids
        for by, action in self.log[1:]:
            word = said(action) if isinstance(action, Call) else None
            if not isinstance(word, Bid | Pass) or self.bidder in bids:
                break
            bids[by] = word
        return bids

    def view(self, seat: Seat | None) -> View:
        check_viewer(seat, self.setup.seats)
        table = self.table
        hands = table.hands if table is not None else self.hands
        laid = self.bids or (self.question.answers if self.question and self.phase == "bid" else ())
        return View(
            game="whist",
            rules=self.rules,
            setup=self.setup,
            seat=seat,
            cards=cards_of(hands[seat]) if hands and seat is not None else (),
            counts=tuple([hand.bit_count() for hand in hands]) or (0, 0, 0, 0),
            trick=table.plays if table is not None else (),
            tricks=table.done if table is not None else (),
            question=self.question.seen_by(seat) if self.question is not None else None,
            facts=Facts(
                self.phase,
                self.kind,
                self.bidder,
                self.soloist,
                partner(self.soloist) if self.soloist is not None else None,
                tuple([by for by, _ in laid]),
                self._public_bids(),
                next((bid_in(seal) for by, seal in laid if by == seat), None),
                self.tricks(),
                self._may_end(),
            ),
            heard=hearing(seat, self.log),
            owed=self.owed(),
            legal=() if seat is None else self.legal(seat),
        )


_WHIST = Duties(ACE_HIGH)
"""Follow suit, nothing else; the highest card of the suit led wins and leads (T-WIK-15, NW-CAT-12,
MW-WIK-11)."""

_WANTED: Mapping[Phase, tuple[str, str]] = {
    "deal": ("deal", sentence("the cards have not been dealt")),
    "bid": ("ranks", sentence("lay down a card that may be a bid; if you hold none, say the bid aloud")),
    "auction": ("auction", sentence("say one of the bids that may be spoken")),
    "expose": ("expose", sentence("turn up the bid that was laid")),
    "sooli": ("T-CAT-18", sentence("say sooli or pass")),
    "discard": ("T-WIK-10", sentence("lay one card of your hand aside")),
    "give": ("T-WIK-10", sentence("give the soloist one card from your hand")),
    "return": ("A-T-07", sentence("give one card from your hand back")),
    "play": ("turn", sentence("play a card from your hand")),
    "over": ("over", sentence("the hand is over")),
}
"""For each phase, its clause (or the subject of the clause in force) and its sentence."""
_TURN: Mapping[Phase, str] = {"bid": "bid", "sooli": "A-T-08"}
"""Clauses on the turn in phases that have one of their own."""

# ------------------------------------------------------------------------------------------ result


def _ended(hand: Hand, scorer: int | None, ended_early: bool = False) -> Outcome:
    return Outcome(
        kind=hand.kind,
        bidder=hand.bidder,
        soloist=hand.soloist,
        tricks=hand.tricks(),
        scorer=scorer,
        ended_early=ended_early,
    )


def _outcome(hand: Hand) -> Result:
    """A high or low hand played out, with the clause that pays."""
    rules, tricks = hand.rules, hand.tricks()
    bidder = None if hand.bidder is None else side(hand.bidder)
    high = hand.kind == "high"
    points = score(rules, "high" if high else "low", bidder, tricks)
    more = 0 if tricks[0] > BOOK else 1
    if high and more == bidder:
        paid, named, each = "high", more, rules.high_points
        message = sentence(
            "{side} bid high and took {tricks} trick: {points} in all, {each} for each over six",
            "{side} bid high and took {tricks} tricks: {points} in all, {each} for each over six",
        )
    elif high and rules.high_fail_points == 0 and rules.high_fail_debit:
        paid, named, each = "debit", 1 - more, rules.high_fail_debit
        message = sentence(
            "{side} bid high but took only {tricks} trick: {points}",
            "{side} bid high but took only {tricks} tricks: {points}",
        )
    elif high:
        paid, named, each = "failed", more, rules.high_fail_points
        message = sentence(
            "{side} defended and took {tricks} trick: {points} in all, {each} for each over six",
            "{side} defended and took {tricks} tricks: {points} in all, {each} for each over six",
        )
    elif rules.low_mode == "credit_winner":
        paid, named, each = "low", 1 - more, rules.low_points
        message = sentence(
            "Low hand: {side} took only {tricks} trick: {points} in all, {each} for each under seven",
            "Low hand: {side} took only {tricks} tricks: {points} in all, {each} for each under seven",
        )
    else:
        paid, named, each = "lost", more, rules.low_points
        message = sentence(
            "Low hand: {side} took {tricks} trick: {points} in all, {each} lost for each over six",
            "Low hand: {side} took {tricks} tricks: {points} in all, {each} lost for each over six",
        )
    values = {"side": named, "tricks": tricks[named], "points": points[named], "each": each}
    scorer = next((team for team in (0, 1) if points[team] > 0), None)
    note = Note(pay_clause(rules, paid, each), message, values)
    return Result(points=points, notes=(note,), outcome=_ended(hand, scorer))


def _sooli_outcome(hand: Hand, made: bool) -> Result:
    """A sooli made, or broken by a trick (T-CAT-30, T-CAT-31, A-T-11)."""
    rules, soloist = hand.rules, hand.soloist
    assert soloist is not None
    points = sooli_scores(rules, soloist, made)
    scorer = side(soloist) if made else 1 - side(soloist)
    message = (
        sentence(
            "{seat} played sooli and took no trick: {points} point for {side}",
            "{seat} played sooli and took no trick: {points} points for {side}",
        )
        if made
        else sentence(
            "{seat} played sooli and took a trick: {points} point for {side}",
            "{seat} played sooli and took a trick: {points} points for {side}",
        )
    )
    values = {"seat": soloist, "side": scorer, "points": rules.sooli_points}
    note = Note(pay_clause(rules, "made" if made else "caught", rules.sooli_points), message, values)
    return Result(points=points, notes=(note,), outcome=_ended(hand, scorer))


def _broken_off(hand: Hand) -> Result:
    """The outcome of a hand broken off: a topple without points, never a scoring hand (A-T-15)."""
    tally = hand.setup.tally
    assert isinstance(tally, Rise) and tally.riser is not None
    message = sentence("{side} can no longer score: the hand was broken off")
    note = Note("T-WIK-24", message, {"side": tally.riser})
    return Result(points=(0, 0), notes=(note,), outcome=_ended(hand, 1 - tally.riser, ended_early=True))
