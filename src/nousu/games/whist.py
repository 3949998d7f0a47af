"""The high/low no-trump family: Tuppi, Minnesota and Norwegian Whist and their relatives.

Theory of operation
-------------------
Four players, sides by seat parity, 13 cards each, no trump, follow suit (T-CAT-01, T-WIK-03, T-WIK-20,
NW-CAT-01, MW-WIK-01). A hand goes

    deal → bids → exposing → (sooli? → exchange) → 13 tricks → result

Everybody lays a bid face down: one colour says *high* (rami, grand: win tricks), the other *low* (nolo,
nullo: avoid them). Bids are turned up one by one until the first high one; four low ones make a low hand.
Some presets bid aloud instead. Three oddities:

* A sealed bid that need not be turned up stays secret for good, its colour too (A-T-25).
* *Sooli*: a defender of a rami plays alone against both opponents and must take no trick; the ace drops
  below the two, the partner sits out, the first trick the soloist wins ends the hand.
* In Tuppi only one side holds points (it is *nousussa*, rising); when the other side scores both stand at
  nothing. `Rise` cannot express anything else. The cousins add up both sides' points in `Totals`.

Sources: T-CAT, T-CATT, T-WIK, T-WIKT, NW-CAT, MW-WIK, resolutions A-T, A-N, A-M.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from nousu.engine import facts, shown
from nousu.engine.actions import (
    Action,
    Call,
    Deal,
    Entry,
    Give,
    Play,
    Seal,
    Show,
    check_action,
    hearing,
    plays,
)
from nousu.engine.asking import Question
from nousu.engine.cards import (
    ACE_HIGH,
    ACE_LOW,
    DECK_52,
    SUIT_SETS,
    Card,
    CardSet,
    card_set,
    cards_of,
)
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Dealing, Game, Result, Seating, Setup, View
from nousu.engine.notes import Note, sentence
from nousu.engine.options import check_values, clash, option
from nousu.engine.seats import CHANCE, Seat, check_viewer, clockwise, left, partner, right, side
from nousu.engine.tricks import Duties, TrickPlay
from nousu.engine.values import changed

# ------------------------------------------------------------------------------------------- rules

RED: CardSet = SUIT_SETS[1] | SUIT_SETS[2]
BLACK: CardSet = SUIT_SETS[0] | SUIT_SETS[3]
_RANKS_3_10 = card_set(card for card in DECK_52 if 1 <= card.rank <= 8)
_BID_RANKS = {
    "3-10": _RANKS_3_10,
    "3-10,A": _RANKS_3_10 | card_set(card for card in DECK_52 if card.rank == 12),
    "any": card_set(DECK_52),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Every option of the family; the values of `tuppi` are the defaults."""

    # fmt: off
    high_colour: Literal["red", "black"] = option(
        "red", group="bidding", values=("red", "black"),
        clause="T-CAT-13 T-CAT-12 T-WIK-05 NW-CAT-03 MW-WIK-05",
        doc="The colour of a bid card that means high; the other one means low.")
    bid_mode: Literal["hand_card", "bid_card", "spoken"] = option(
        "hand_card", group="bidding", values=("hand_card", "bid_card", "spoken"),
        clause="T-CAT-11 T-CATT-03 T-WIKT-05 MW-WIK-18 A-M-02",
        doc="Bids are cards of the hand, special bidding cards, or words spoken in turn.")
    bid_ranks: Literal["3-10", "3-10,A", "any"] = option(
        "3-10", group="bidding", values=("3-10", "3-10,A", "any"),
        clause="A-T-03 T-CAT-14 T-WIK-06 NW-CAT-03",
        doc="Which ranks of the hand may be laid as a bid.")
    spoken_bids: Literal["pass_grand", "pass_grand_nullo"] = option(
        "pass_grand", group="bidding", values=("pass_grand", "pass_grand_nullo"),
        clause="A-M-02 A-N-05 MW-WIK-18",
        doc="What may be said in a spoken auction: pass and grand, or nullo as well.")
    expose_start: Literal["left", "right"] = option(
        "left", group="bidding", values=("left", "right"),
        clause="A-T-02 A-N-02 T-CAT-16 NW-CAT-04 MW-WIK-06",
        doc="Which neighbour of the dealer turns up first; then clockwise.")
    single_colour_hand: Literal["verbal", "may_void", "forced"] = option(
        "verbal", group="bidding", values=("verbal", "may_void", "forced"),
        clause="A-N-04 A-T-04 NW-CAT-07 T-CAT-15 T-WIK-11",
        doc="Who holds no card for the wanted bid says it aloud, bids what he has, or may also show a hand "
        "of one colour and void the deal.")
    high_lead: Literal["right_of_bidder", "left_of_bidder", "forehand"] = option(
        "right_of_bidder", group="play", values=("right_of_bidder", "left_of_bidder", "forehand"),
        clause="A-M-04 T-CAT-23 T-WIK-13 NW-CAT-10 MW-WIK-10",
        doc="Who leads to the first trick of a high hand.")
    low_lead: Literal["forehand", "right_of_bidder_or_dealer"] = option(
        "forehand", group="play", values=("forehand", "right_of_bidder_or_dealer"),
        clause="T-CAT-21 T-WIK-14 NW-CAT-11 MW-WIK-10 A-N-05",
        doc="Who leads to the first trick of a low hand.")
    sooli: bool = option(
        True, group="sooli", clause="T-CAT-18 T-WIK-09 T-CATT-02 T-WIKT-01",
        doc="After a rami either defender may play sooli: alone, to take no trick.")
    sooli_exchange: Literal["none", "discard_then_receive", "receive_then_return"] = option(
        "discard_then_receive", group="sooli",
        values=("none", "discard_then_receive", "receive_then_return"), clause="A-T-07 T-WIK-10",
        doc="How the soloist changes one card with the partner.")
    sooli_order: Literal["always_last", "rotation"] = option(
        "always_last", group="sooli", values=("always_last", "rotation"),
        clause="A-T-09 T-WIK-16 T-CAT-29",
        doc="Whether the soloist plays last to every trick or only to the first.")
    sooli_points: int = option(
        24, group="sooli", low=0, high=500, clause="T-CAT-30 T-CAT-31 T-WIK-21 T-WIK-22",
        doc="Points for sooli, to whichever side wins it.")
    high_points: int = option(
        4, group="scoring", low=0, high=100, clause="T-CAT-24 T-WIK-17 NW-CAT-13 MW-WIK-15",
        doc="High hand: points of the bidding side for each trick over six.")
    high_fail_points: int = option(
        8, group="scoring", low=0, high=100, clause="A-T-05 T-CAT-25 T-WIK-18 NW-CAT-13 MW-WIK-16",
        doc="High hand: points of the other side for each trick over six.")
    high_fail_debit: int = option(
        0, group="scoring", low=0, high=100, clause="A-N-03",
        doc="High hand: points the bidding side loses for each trick under seven.")
    low_mode: Literal["credit_winner", "debit_loser"] = option(
        "credit_winner", group="scoring", values=("credit_winner", "debit_loser"),
        clause="A-N-03 A-M-01 NW-CAT-14 MW-WIK-14",
        doc="Low hand: the side with fewer tricks gains, or the side with more loses.")
    low_points: int = option(
        4, group="scoring", low=0, high=100, clause="A-T-06 T-CAT-22 T-WIK-19 NW-CAT-14 MW-WIK-14",
        doc="Low hand: points for each trick under seven (lost: for each over six).")
    score_model: Literal["single_riser", "cumulative"] = option(
        "single_riser", group="match", values=("single_riser", "cumulative"),
        clause="T-CAT-35 T-WIK-23 A-T-13 NW-CAT-15 MW-WIK-17",
        doc="Only one side at a time holds points, or both sides add up theirs.")
    target: int = option(
        52, group="match", low=1, high=1000, clause="T-CAT-36 T-WIK-25 NW-CAT-15 MW-WIK-17 A-T-14 A-M-05",
        doc="Points that win the match at the end of a hand.")
    max_hands: int | None = option(
        None, group="match", low=1, high=99, none=True, clause="A-T-18 T-CATT-04 T-WIKT-02",
        doc="The match ends after this many hands if nobody has won before.")
    extension: bool = option(
        False, group="match", clause="A-T-19 T-WIKT-04",
        doc="At the hand limit play goes on until the rising side loses a hand.")
    limit_criterion: Literal["sum", "peak"] = option(
        "sum", group="match", values=("sum", "peak"), clause="A-T-20 T-WIKT-03 T-CATT-05",
        doc="At the hand limit the winner has the larger sum of points collected while rising, or the "
        "higher peak.")
    limit_tiebreak: tuple[str, ...] = option(
        ("other_criterion", "extra_hands"), group="match",
        items=("other_criterion", "extra_hands", "draw"), clause="A-T-21",
        doc="What decides when the criterion is equal, step by step.")
    early_end: Literal["off", "offer", "auto"] = option(
        "offer", group="play", values=("off", "offer", "auto"), clause="A-T-15 T-WIK-24",
        doc="A hand the rising side can no longer score in may be broken off, or always is.")
    table_talk: Literal["free", "agreed_signals", "none"] = option(
        "agreed_signals", group="table", values=("free", "agreed_signals", "none"),
        clause="A-T-16 T-CAT-38 T-CATT-06 T-WIKT-06",
        doc="What partners may tell each other during a hand.")
    deal_start: Literal["left", "right"] = option(
        "left", group="table", values=("left", "right"), clause="A-T-01 T-CAT-09 MW-WIK-04",
        doc="Which neighbour of the dealer gets the first card; then clockwise.")
    first_dealer: Literal["draw_high", "first_jack", "random"] = option(
        "draw_high", group="table", values=("draw_high", "first_jack", "random"),
        clause="A-T-23 T-CAT-06 MW-WIK-03",
        doc="How the first dealer is found.")
    partners: Literal["preset", "drawn"] = option(
        "preset", group="table", values=("preset", "drawn"), clause="A-T-23 T-CAT-03 T-CAT-04 T-CAT-05",
        doc="Partners sit as they came, or are drawn: two highest against two lowest.")
    # fmt: on

    def __post_init__(self) -> None:
        check_values(self)
        rising = self.score_model == "single_riser"
        least = min(self.high_points, self.high_fail_points, self.low_points)
        whole = self.bid_ranks == "any" and self.bid_mode == "hand_card"
        pair, three = (
            sentence("{setting} needs {setting_2}"),
            sentence("{setting} needs {setting_2} and {setting_3}"),
        )
        riser, added = "score_model=single_riser", "score_model=cumulative"
        for wrong, message, *settings in (
            (rising and least < 1, sentence("with {setting} every score must be at least 1"), riser),
            (rising and self.high_fail_debit > 0, pair, f"high_fail_debit={self.high_fail_debit}", added),
            (rising and self.low_mode != "credit_winner", pair, f"low_mode={self.low_mode}", added),
            (rising and self.sooli and self.sooli_points < 1, pair, "sooli_points=0", "sooli=off"),
            (self.sooli and not rising, pair, "sooli=on", riser),
            (self.extension and not (rising and self.max_hands), three, "extension=on", "max_hands", riser),
            (self.limit_criterion == "peak" and not (rising and self.max_hands),
             three, "limit_criterion=peak", "max_hands", riser),
            (self.partners == "drawn" and self.first_dealer != "draw_high",
             pair, "partners=drawn", "first_dealer=draw_high"),
            (self.single_colour_hand == "may_void" and not whole,
             three, "single_colour_hand=may_void", "bid_ranks=any", "bid_mode=hand_card"),
            (self.single_colour_hand == "forced" and self.bid_ranks != "any",
             pair, "single_colour_hand=forced", "bid_ranks=any"),
        ):  # fmt: skip
            if wrong:
                raise clash(self, message, *settings)

    @property
    def words(self) -> tuple[str, str]:
        """What high and low are called at this table (T-CAT-12, T-CAT-13, NW-CAT-02, NW-CAT-08)."""
        return ("rami", "nolo") if self.score_model == "single_riser" else ("grand", "nullo")


_CATS: dict[str, Any] = {"high_fail_points": 6, "low_points": 1, "deal_start": "right", "partners": "drawn"}
_LIMIT: dict[str, Any] = {"sooli": False, "bid_mode": "bid_card", "max_hands": 16, "table_talk": "none"}
_CUMULATIVE: dict[str, Any] = {
    "score_model": "cumulative",
    "high_points": 1,
    "high_fail_points": 1,
    "low_points": 1,
    "sooli": False,
    "target": 13,
    "early_end": "off",
    "table_talk": "none",
}
_MINNESOTA: dict[str, Any] = _CUMULATIVE | {"high_colour": "black", "bid_ranks": "any"}

PRESETS: dict[str, Rules] = {
    "tuppi": Rules(),
    "tuppi_catsatcards": Rules(**_CATS, sooli_exchange="none", sooli_order="rotation", early_end="off"),
    "tuppi_tournament": Rules(**_LIMIT, extension=True, early_end="auto", first_dealer="first_jack"),
    "tuppi_tournament_catsatcards": Rules(**_CATS, **_LIMIT, limit_criterion="peak", early_end="off"),
    "minnesota": Rules(**_MINNESOTA | {"high_fail_points": 2}),
    "minnesota_pagat": Rules(**_MINNESOTA, low_mode="debit_loser"),
    "norwegian_catsatcards": Rules(
        **_MINNESOTA,
        expose_start="right",
        single_colour_hand="may_void",
        low_mode="debit_loser",
        deal_start="right",
        partners="drawn",
    ),
    "south_dakota": Rules(
        **_MINNESOTA | {"high_fail_points": 0, "target": 11}, high_fail_debit=1, low_mode="debit_loser"
    ),
    "norwegian_parlett": Rules(
        **_CUMULATIVE | {"high_points": 4, "high_fail_points": 8, "low_points": 2, "target": 50},
        bid_mode="spoken",
        spoken_bids="pass_grand_nullo",
        high_lead="left_of_bidder",
        low_lead="right_of_bidder_or_dealer",
    ),
    "norwegian_spoken": Rules(
        **_CUMULATIVE | {"high_fail_points": 2}, bid_mode="spoken", first_dealer="random"
    ),
    "swedish": Rules(
        **_CUMULATIVE,
        bid_ranks="any",
        single_colour_hand="forced",
        high_lead="forehand",
        first_dealer="random",
    ),
}
EXPERIMENTAL = frozenset({"norwegian_spoken", "swedish"})

# -------------------------------------------------------------------------------------------- hand

Kind = Literal["high", "low", "sooli"]
Phase = Literal["deal", "bid", "auction", "expose", "sooli", "discard", "give", "return", "play", "over"]


@dataclass(frozen=True, slots=True)
class Facts(facts.Facts):
    """What a seat may know of a hand besides its cards."""

    phase: Phase
    kind: Kind | None
    """What is played, once the bids have decided it."""
    bidder: Seat | None
    """Whose bid fixed the game; None in a low hand that nobody bid for."""
    soloist: Seat | None
    out: Seat | None
    """The soloist's partner, who sits out."""
    committed: tuple[Seat, ...]
    """Who has laid a bid face down."""
    exposed: Mapping[Seat, str]
    """The bids turned up or spoken: a card, or a word."""
    own_bid: str | None
    """What the viewer laid face down."""
    tricks: tuple[int, int]
    """Tricks of each side so far."""
    may_end: bool
    """Whether the hand may be broken off (A-T-15)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(facts.Facts):
    """How a hand ended; a void one has none."""

    kind: Kind | None = None
    bidder: Seat | None = None
    soloist: Seat | None = None
    tricks: tuple[int, int] = (0, 0)
    scorer: int | None = None
    """The side that scored, also where it only toppled the other; None where points were only lost."""
    ended_early: bool = False
    """Broken off because the rising side could score no more (A-T-15)."""

    def plain(self) -> dict[str, Any]:
        """The fields as JSON values; ``ended_early`` only where it is so."""
        told = super(Outcome, self).plain()
        if not self.ended_early:
            del told["ended_early"]
        return told

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "Outcome":
        """The outcome whose `plain` form is `told`."""
        ours, theirs = told["tricks"]
        return cls(**{**told, "tricks": (ours, theirs)})


_ONE = tuple((seat,) for seat in range(4))
_END = Call("end")
_SEALED = {card: Seal(card) for card in DECK_52}


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal. Its phase follows from what is there: hands, open question, exposed bids, table, outcome."""

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
    """Whose bid fixed the game: the declarer of a high hand, the nullo bidder of a spoken auction."""
    soloist: Seat | None = None
    table: TrickPlay | None = None
    outcome: Result | None = None

    __repr__, _repr_html_ = shown.hand, shown.hand_html

    @property
    def phase(self) -> Phase:
        """What the hand waits for."""
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
        table = self.table
        if seat < 0 or self.outcome is not None or not self.hands:
            return ()
        if table is not None:
            cards: tuple[Action, ...] = plays(table.legal()) if seat == table.turn else ()
            return (*cards, _END) if self._may_end() else cards
        if seat not in self.owed():
            return ()
        if self.question is None:
            bid = self.bids[self.exposed][1]
            assert isinstance(bid, Seal)
            return (Call(bid.bid) if isinstance(bid.bid, str) else Show((bid.bid,)),)
        return self._answers(seat)

    def _answers(self, seat: Seat) -> tuple[Action, ...]:
        hand = self.hands[seat]
        match self.phase:
            case "bid":
                return self._bids(hand)
            case "auction":
                words = ["pass", *self.rules.words][: 2 if self.rules.spoken_bids == "pass_grand" else 3]
                return tuple(map(Call, words))
            case "sooli":
                return Call("sooli"), Call("pass")
            case "discard":
                return tuple(Give((card,)) for card in cards_of(hand))
            case _:
                return tuple(Give((card,), partner(seat)) for card in cards_of(hand))

    def _bids(self, hand: CardSet) -> tuple[Action, ...]:
        """Usable cards; the word for a colour of which none is held (A-T-04); the whole hand (NW-CAT-07)."""
        rules = self.rules
        if rules.bid_mode == "bid_card":
            return tuple(map(Seal, rules.words))
        usable = hand & _BID_RANKS[rules.bid_ranks]
        sealed: tuple[Action, ...] = tuple([_SEALED[card] for card in cards_of(usable)])
        if rules.single_colour_hand == "verbal":
            colours = (RED, BLACK) if rules.high_colour == "red" else (BLACK, RED)
            spoken = zip(colours, rules.words, strict=True)
            return sealed + tuple(Seal(word) for colour, word in spoken if not usable & colour)
        if rules.single_colour_hand == "may_void" and not (hand & RED and hand & BLACK):
            return (*sealed, Show(cards_of(hand)))
        return sealed

    def apply(self, seat: Seat, action: Action) -> "Hand":
        table = self.table
        if table is not None and seat == table.turn and type(action) is Play and self.outcome is None:
            card = action.card
            if card >= 0 and table.legal() >> card & 1:
                return self._played(table.play(card), (*self.log, (seat, action)))
        if seat == CHANCE and not self.hands and isinstance(action, Deal):
            return self._dealt(action)
        legal = self.legal(seat)
        if action not in legal:
            raise self._refusal(seat, action, legal)
        log = (*self.log, (seat, action))
        if action == _END and table is not None:
            return changed(self, log=log, outcome=_broken_off(self))
        if self.question is None:
            return self._turned_up(seat, log)
        return self._answered(seat, action, log)

    def _refusal(self, seat: Seat, action: Action, legal: tuple[Action, ...]) -> IllegalAction:
        check_action(action)
        table = self.table
        if table is not None and isinstance(action, Play) and legal and seat == table.turn:
            if action.card < 0 or not table.hands[seat] >> action.card & 1:
                return IllegalAction("T-CAT-32", "this card is not in the hand", legal)
            return IllegalAction("T-CAT-33", "follow suit: a card of the suit led is held", legal)
        wanted = _WANTED[self.phase]
        away = not legal and self.phase not in ("deal", "over")
        return IllegalAction(
            wanted.clause, sentence("it is not this seat's turn") if away else wanted.message, legal
        )

    def _dealt(self, deal: Deal) -> "Hand":
        self.dealing().check(deal, "T-CAT-09")
        rules, dealer = self.rules, self.setup.dealer
        first = left(dealer, 4) if rules.expose_start == "left" else right(dealer, 4)
        if rules.bid_mode == "spoken":
            question = Question("auction", clockwise(left(dealer, 4), 4))
        else:
            question = Question("bid", clockwise(first, 4), at_once=True)
        hands = tuple(map(card_set, deal.hands))
        return changed(self, log=((CHANCE, deal),), hands=hands, question=question)

    def _answered(self, seat: Seat, action: Action, log: tuple[Entry, ...]) -> "Hand":
        question = self.question
        assert question is not None
        if isinstance(action, Show):  # NW-CAT-07: a hand of one colour is shown and voids the deal
            notes = (
                Note("NW-CAT-07", "{seat} showed a hand of one colour: the deal is void", {"seat": seat}),
            )
            return changed(self, log=log, outcome=Result(points=(0, 0), notes=notes, void=True))
        if isinstance(action, Give):
            return self._given(seat, action, log)
        asked = question.answer(seat, action)
        here = changed(self, log=log, question=asked)
        match action:
            case Call("sooli"):
                return here._soloist(seat)
            case Call(word) if question.topic == "auction" and word != "pass":
                kind: Kind = "high" if word == self.rules.words[0] else "low"
                return here._game(kind, seat)
        if asked.owed():
            return here
        if question.topic == "sooli":
            return here._lead("high")
        if question.topic == "auction":  # four passes make a low hand (MW-WIK-18)
            return here._game("low", None)
        return changed(here, question=None, bids=asked.answers)

    def _turned_up(self, seat: Seat, log: tuple[Entry, ...]) -> "Hand":
        """One more bid is public; the first high one ends the exposing (T-CAT-17, T-WIK-07, NW-CAT-05,
        MW-WIK-07). Sealed cards never left their hands: they "return" (T-CAT-20, T-WIK-12, NW-CAT-09)."""
        bid = self.bids[self.exposed][1]
        here = changed(self, log=log, exposed=self.exposed + 1)
        assert isinstance(bid, Seal)
        if self._is_high(bid.bid):  # T-WIK-08, MW-WIK-08
            return here._game("high", seat)
        if here.exposed == 4:  # T-CAT-19, T-WIK-08, MW-WIK-09; NW-CAT-06 reads four *red* ones (A-N-01)
            return here._game("low", None)
        return here

    def _is_high(self, bid: Card | str) -> bool:
        if isinstance(bid, str):
            return bid == self.rules.words[0]
        return bool((RED if self.rules.high_colour == "red" else BLACK) >> bid & 1)

    def _game(self, kind: Kind, bidder: Seat | None) -> "Hand":
        """The auction is over. After a rami the defenders are asked for sooli (A-T-08)."""
        here = changed(self, question=None, kind=kind, bidder=bidder)
        if kind == "high" and self.rules.sooli and bidder is not None:
            first = left(bidder, 4)
            return changed(here, question=Question("sooli", (first, partner(first))))
        return here._lead(kind)

    def _lead(self, kind: Kind) -> "Hand":
        """High: by `high_lead` from the bidder (T-CAT-23, T-WIK-13); low: by `low_lead` (T-CAT-21)."""
        dealer, bidder = self.setup.dealer, self.bidder
        forehand = left(dealer, 4)
        if kind == "high":
            assert bidder is not None
            by_rule = {
                "right_of_bidder": right(bidder, 4),
                "left_of_bidder": left(bidder, 4),
                "forehand": forehand,
            }[self.rules.high_lead]
        elif self.rules.low_lead == "forehand":
            by_rule = forehand
        else:
            by_rule = right(dealer if bidder is None else bidder, 4)
        table = TrickPlay(self.hands, (0, 1, 2, 3), by_rule, _WHIST)
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

    def _given(self, seat: Seat, gift: Give, log: tuple[Entry, ...]) -> "Hand":
        """A card of the sooli exchange moves: T-WIK-10 aside, then from the partner; or there and back."""
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
        """Aces low, partner out (T-CAT-26, T-CAT-28), left of the soloist leads (T-CAT-29, A-T-10). The
        soloist wants no trick (T-CAT-27)."""
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
        lost = self.soloist is not None and done[-1].winner == self.soloist  # T-CAT-31, A-T-11
        if lost or len(done) == 13:
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

    def _public_bids(self) -> dict[Seat, str]:
        """Bids turned up (A-T-25), or spoken up to the first that is no pass; sooli is no bid."""
        if self.rules.bid_mode != "spoken":
            return {by: str(bid)[5:] for by, bid in self.bids[: self.exposed]}
        found: dict[Seat, str] = {}
        for by, action in self.log[1:]:
            if not isinstance(action, Call) or self.bidder in found:
                break
            found[by] = action.word
        return found

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
            counts=tuple(hand.bit_count() for hand in hands) or (0, 0, 0, 0),
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
                next((str(bid)[5:] for by, bid in laid if by == seat), None),
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

_WANTED: Mapping[str, Note] = {
    "deal": Note("T-CAT-09", "the cards have not been dealt"),
    "bid": Note("T-CAT-14", "lay down a card that may be a bid; who holds none says the bid aloud"),
    "auction": Note("MW-WIK-18", "say one of the bids that may be spoken"),
    "expose": Note("T-CAT-16", "turn up the bid that was laid"),
    "sooli": Note("T-CAT-18", "say sooli or pass"),
    "discard": Note("T-WIK-10", "lay one card of the hand aside"),
    "give": Note("T-WIK-10", "give the soloist one card of the hand"),
    "return": Note("T-WIK-10", "give one card of the hand back"),
    "play": Note("T-CAT-32", "play a card of the hand"),
    "over": Note("T-CAT-34", "the hand is over"),
}
"""What a phase waits for, with the clause."""

# ------------------------------------------------------------------------------------------- score


def score(rules: Rules, kind: str, bidder: int | None, tricks: tuple[int, int]) -> tuple[int, int]:
    """Points of both sides for a hand played out: `kind` high or low, the bidding side, tricks a side.

    >>> score(PRESETS["tuppi"], "high", 0, (9, 4))
    (12, 0)
    >>> score(PRESETS["minnesota"], "high", 0, (5, 8))
    (0, 4)
    """
    more = 0 if tricks[0] > 6 else 1
    over = tricks[more] - 6
    points = [0, 0]
    if kind == "high":
        if more == bidder:
            points[more] = rules.high_points * over
        else:
            points[more] = rules.high_fail_points * over
            points[1 - more] = -rules.high_fail_debit * over
    elif rules.low_mode == "credit_winner":
        points[1 - more] = rules.low_points * over
    else:
        points[more] = -rules.low_points * over
    return points[0], points[1]


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
    assert hand.kind is not None
    points = score(rules, hand.kind, bidder, tricks)
    rising = rules.score_model == "single_riser"
    more = 0 if tricks[0] > 6 else 1
    if hand.kind == "high" and more == bidder:
        clause = "T-WIK-17" if rising else "MW-WIK-15"
        message = sentence(
            "{side} bid high and took {tricks} tricks: {points} points, {each} for each over six"
        )
        told, each = more, rules.high_points
    elif hand.kind == "high" and rules.high_fail_points == 0 and rules.high_fail_debit:
        clause, message = "A-N-03", sentence("{side} bid high but took only {tricks} tricks: {points} points")
        told, each = 1 - more, rules.high_fail_debit
    elif hand.kind == "high":
        clause = "T-WIK-18" if rising else "MW-WIK-16"
        message = sentence(
            "{side} defended and took {tricks} tricks: {points} points, {each} for each over six"
        )
        told, each = more, rules.high_fail_points
    elif rules.low_mode == "credit_winner":
        clause = "T-WIK-19" if rising else "MW-WIK-14"
        message = sentence(
            "Low hand: {side} took only {tricks} tricks: {points} points, {each} for each under seven"
        )
        told, each = 1 - more, rules.low_points
    else:
        clause = "NW-CAT-14"
        message = sentence(
            "Low hand: {side} took {tricks} tricks: {points} points, {each} lost for each over six"
        )
        told, each = more, rules.low_points
    values = {"side": told, "tricks": tricks[told], "points": points[told], "each": each}
    scorer = next((one for one in (0, 1) if points[one] > 0), None)
    return Result(points=points, notes=(Note(clause, message, values),), outcome=_ended(hand, scorer))


def _sooli_outcome(hand: Hand, made: bool) -> Result:
    """24 points to the soloist's side for no trick, else to the opponents (T-CAT-30, T-CAT-31)."""
    soloist = hand.soloist
    assert soloist is not None
    scorer = side(soloist) if made else 1 - side(soloist)
    points = tuple(hand.rules.sooli_points if one == scorer else 0 for one in (0, 1))
    clause, message = (
        ("T-WIK-21", sentence("{seat} played sooli and took no trick: {points} points for {side}"))
        if made
        else ("T-WIK-22", sentence("{seat} played sooli and took a trick: {points} points for {side}"))
    )
    values = {"seat": soloist, "side": scorer, "points": hand.rules.sooli_points}
    return Result(points=points, notes=(Note(clause, message, values),), outcome=_ended(hand, scorer))


def _broken_off(hand: Hand) -> Result:
    """Booked as a topple without points, never as a scoring hand (A-T-15)."""
    tally = hand.setup.tally
    assert isinstance(tally, Rise) and tally.riser is not None
    message = sentence("{side} can no longer score: the hand was broken off")
    note = Note("T-WIK-24", message, {"side": tally.riser})
    return Result(points=(0, 0), notes=(note,), outcome=_ended(hand, 1 - tally.riser, ended_early=True))


# ------------------------------------------------------------------------------------------- tally

End = tuple[tuple[int, ...], Note]
"""Who has won, and why."""


@dataclass(frozen=True, slots=True)
class Rise:
    """Only one side holds points and is *nousussa* (T-CAT-35, T-CAT-37, T-WIK-01, T-WIK-23)."""

    rules: Rules
    riser: int | None = None
    points: int = 0
    total: tuple[int, int] = (0, 0)
    """All points each side collected while rising."""
    peak: tuple[int, int] = (0, 0)
    """The highest score each side reached while rising."""
    hands: int = 0
    extra: bool = False
    """Extra hands from 0–0 decide; sums and peaks are frozen."""
    end: End | None = None
    last: tuple[Note, ...] = ()

    def add(self, result: Result, setup: Setup) -> "Rise":
        """The score after a hand: the side that scored in it rises, or topples the other."""
        scorer, points = Outcome.of(result.outcome).scorer, max(result.points)
        assert scorer is not None, "where one side rises every hand is somebody's"
        hands = self.hands + 1
        if self.extra:
            end = ((scorer,), Note("A-T-21", "{side} won the extra hand", {"side": scorer}))
            return replace(self, hands=hands, end=end, last=(end[1],))
        if self.riser == 1 - scorer:
            fallen = {"side": 1 - scorer}
            note = Note("T-WIK-23", "{side} falls: the score is back at nothing", fallen)
            return replace(self, riser=None, points=0, hands=hands, last=(note,))._limited()
        now = self.points + points
        totals = tuple(t + points if one == scorer else t for one, t in enumerate(self.total))
        peaks = tuple(max(p, now) if one == scorer else p for one, p in enumerate(self.peak))
        note = Note("T-WIK-23", "{side} is rising with {points}", {"side": scorer, "points": now})
        after = Rise(
            self.rules, scorer, now, (totals[0], totals[1]), (peaks[0], peaks[1]), hands, last=(note,)
        )
        if now >= self.rules.target:
            won = Note("T-WIK-25", "{side} wins with {points} points", {"side": scorer, "points": now})
            return replace(after, end=((scorer,), won), last=(note, won))
        return after._limited()

    def _limited(self) -> "Rise":
        """At the hand limit: extension while somebody rises (T-WIKT-04), else the criterion decides."""
        rules = self.rules
        if rules.max_hands is None or self.hands < rules.max_hands:
            return self
        if rules.extension and self.riser is not None:
            note = Note(
                "T-WIKT-04", "Hand limit: play goes on until {side} loses a hand", {"side": self.riser}
            )
            return replace(self, last=(*self.last, note))
        return self._decided()

    def _decided(self) -> "Rise":
        rules = self.rules
        figures = {"sum": (self.total, "T-WIKT-03"), "peak": (self.peak, "T-CATT-05")}
        other = "peak" if rules.limit_criterion == "sum" else "sum"
        for step in ("criterion", *rules.limit_tiebreak):
            if step in ("criterion", "other_criterion"):
                criterion = rules.limit_criterion if step == "criterion" else other
                key, clause = figures[criterion]
                message = (
                    sentence("{side} wins: {points} points collected, against {other}")
                    if criterion == "sum"
                    else sentence("{side} wins: highest rise {points}, against {other}")
                )
                if key[0] != key[1]:
                    best = 0 if key[0] > key[1] else 1
                    values = {"side": best, "points": key[best], "other": key[1 - best]}
                    note = Note(clause, message, values)
                    return replace(self, end=((best,), note), last=(*self.last, note))
            elif step == "extra_hands":
                note = Note("A-T-21", "Hand limit and all equal: an extra hand decides")
                return replace(self, riser=None, points=0, extra=True, last=(*self.last, note))
            else:
                break
        drawn = Note("A-T-21", "Hand limit and all equal: the match is drawn")
        return replace(self, end=((), drawn), last=(*self.last, drawn))

    def dealer(self, setup: Setup) -> Seat:
        """The deal moves one seat left (T-CAT-07)."""
        return left(setup.dealer, 4)

    def score(self) -> tuple[int, ...]:
        return tuple(self.points if one == self.riser else 0 for one in (0, 1))

    def winner(self) -> tuple[int, ...] | None:
        return None if self.end is None else self.end[0]

    def plain(self) -> Mapping[str, Any]:
        return {
            "model": "single_riser",
            "riser": self.riser,
            "points": self.points,
            "score": list(self.score()),
            "total": list(self.total),
            "peak": list(self.peak),
            "hands": self.hands,
            "target": self.rules.target,
            "extra": self.extra,
        }

    def notes(self) -> tuple[Note, ...]:
        return self.last


@dataclass(frozen=True, slots=True)
class Totals:
    """Both sides add up their points (NW-CAT-15, MW-WIK-17); totals may be negative (NW-CAT-14)."""

    rules: Rules
    points: tuple[int, int] = (0, 0)
    hands: int = 0
    extra: bool = False
    end: End | None = None
    last: tuple[Note, ...] = ()

    def add(self, result: Result, setup: Setup) -> "Totals":
        """The totals after a hand."""
        now = (self.points[0] + result.points[0], self.points[1] + result.points[1])
        after = replace(self, points=now, hands=self.hands + 1, last=())
        best = 0 if now[0] > now[1] else 1
        values = {"side": best, "points": now[best], "other": now[1 - best]}
        if max(now) >= self.rules.target:
            note = Note("MW-WIK-17", "{side} wins with {points} points against {other}", values)
            return replace(after, end=((best,), note), last=(note,))
        limit = self.rules.max_hands
        if limit is None or after.hands < limit:
            return after
        if now[0] != now[1]:
            note = Note("A-T-18", "Hand limit: {side} wins with {points} points against {other}", values)
            return replace(after, end=((best,), note), last=(note,))
        steps = [step for step in self.rules.limit_tiebreak if step != "other_criterion"]
        if steps[:1] == ["extra_hands"]:
            note = Note("A-T-21", "Hand limit and all equal: an extra hand decides")
            return replace(after, extra=True, last=(note,))
        drawn = Note("A-T-21", "Hand limit and all equal: the match is drawn")
        return replace(after, end=((), drawn), last=(drawn,))

    def dealer(self, setup: Setup) -> Seat:
        """The deal moves one seat left (MW-WIK-13)."""
        return left(setup.dealer, 4)

    def score(self) -> tuple[int, ...]:
        return self.points

    def winner(self) -> tuple[int, ...] | None:
        return None if self.end is None else self.end[0]

    def plain(self) -> Mapping[str, Any]:
        return {
            "model": "cumulative",
            "score": list(self.points),
            "hands": self.hands,
            "target": self.rules.target,
            "extra": self.extra,
        }

    def notes(self) -> tuple[Note, ...]:
        return self.last


# -------------------------------------------------------------------------------------------- draw


def draw(rules: Rules, seats: int, pack: Sequence[Card], pick: Seat = 0) -> Seating:
    """Seats and first dealer from a shuffled pack by `first_dealer` and `partners`.

    Of equal ranks all draw again from the rest of the pack until four differ (T-CAT-03, A-T-24, A-M-06).
    With drawn partners the highest takes seat `pick`, the second sits opposite (T-CAT-04, T-CAT-05).
    """
    if rules.first_dealer == "first_jack":
        at = next(index for index, card in enumerate(pack) if card.rank == 9)
        rounds = tuple(((index % 4, card),) for index, card in enumerate(pack[: at + 1]))
        note = Note("A-T-23", "{seat} got the first jack and deals", {"seat": at % 4})
        return Seating((0, 1, 2, 3), at % 4, rounds, (note,))
    drawn: dict[int, Card] = {}
    shown: list[tuple[tuple[int, Card], ...]] = []
    tied = [0, 1, 2, 3]
    rest = list(pack)
    while tied:
        if len(rest) < len(tied):
            raise ValueError("the pack is too short for this draw")
        shown.append(tuple((person, rest.pop(0)) for person in tied))
        drawn |= dict(shown[-1])
        if rules.first_dealer == "random":
            break
        ranks = [card.rank for card in drawn.values()]
        tied = [person for person in range(4) if ranks.count(drawn[person].rank) > 1]
    order = sorted(drawn, key=lambda person: (-drawn[person].rank, drawn[person].suit))  # T-CAT-02
    if rules.partners == "drawn":
        seat_of = {order[0]: pick, order[1]: partner(pick), order[2]: left(pick, 4), order[3]: right(pick, 4)}
        places = tuple(seat_of[person] for person in range(4))
    else:
        places = (0, 1, 2, 3)
    dealer = places[order[0]]
    note = Note("T-CAT-06", "{seat} drew the highest card and deals", {"seat": dealer})
    return Seating(places, dealer, tuple(shown), (note,))


def _tally(rules: Rules, seats: int) -> Rise | Totals:
    return Rise(rules) if rules.score_model == "single_riser" else Totals(rules)


GAME = Game(
    name="whist",
    seats=range(4, 5),
    sides=2,
    deck=DECK_52,
    rules=Rules,
    presets=PRESETS,
    experimental=EXPERIMENTAL,
    start=Hand,
    tally=_tally,
    outcome=Outcome.read,
    key_options=("target", "high_points", "high_fail_points", "low_points", "sooli", "table_talk"),
    draw=draw,
)
