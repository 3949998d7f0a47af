"""The options and presets of the family, and their answers: bids, leads, pay, the clause in force."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from nousu.engine.actions import Call, Seal
from nousu.engine.cards import DECK_52, SUIT_SETS, Card, CardSet, card_set, cards_of
from nousu.engine.game import Seating
from nousu.engine.messages import Note, sentence
from nousu.engine.options import check_values, clash, option
from nousu.engine.seats import Seat, clockwise, left, partner, right, side
from nousu.games.whist.calls import GRAND, NOLO, NULLO, PASS, RAMI, Bid, call_of, sealed

RED: CardSet = SUIT_SETS[1] | SUIT_SETS[2]
BLACK: CardSet = SUIT_SETS[0] | SUIT_SETS[3]
BOOK = 6
"""Tricks a side needs before any counts: seven win a high hand."""
TRICKS = 13


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
        doc="How bids are made: with cards of the hand, with special bidding cards, or in words, in turn.")
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
        doc="A player with no card for the bid they want says it aloud, bids what they have, or may also "
            "show a one-coloured hand and void the deal.")
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
        doc="How the soloist exchanges a card with the partner.")
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
        doc="Whether in a low hand the side with fewer tricks gains, or the side with more loses.")
    low_points: int = option(
        4, group="scoring", low=0, high=100, clause="A-T-06 T-CAT-22 T-WIK-19 NW-CAT-14 MW-WIK-14",
        doc="Low hand: points for each trick under seven (lost: for each over six).")
    score_model: Literal["single_riser", "cumulative"] = option(
        "single_riser", group="match", values=("single_riser", "cumulative"),
        clause="T-CAT-35 T-WIK-23 A-T-13 NW-CAT-15 MW-WIK-17",
        doc="Whether only one side at a time holds points, or both sides add up theirs.")
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
        doc="Whether the winner at the hand limit is the side with the larger sum of points collected "
        "while rising, or with the higher peak.")
    limit_tiebreak: tuple[str, ...] = option(
        ("other_criterion", "extra_hands"), group="match",
        items=("other_criterion", "extra_hands", "draw"), clause="A-T-21",
        doc="What breaks a tie on that criterion, step by step.")
    early_end: Literal["off", "offer", "auto"] = option(
        "offer", group="play", values=("off", "offer", "auto"), clause="A-T-15 T-WIK-24",
        doc="Whether a hand in which the rising side can no longer score may be broken off, or always is.")
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
        doc="Whether partners sit as they came, or are drawn: the two highest cards against the two lowest.")
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
    def words(self) -> tuple[Bid, Bid]:
        """The words for high and low at this table (T-CAT-12, T-CAT-13, NW-CAT-02, NW-CAT-08)."""
        return _TUPPI if self.score_model == "single_riser" else _COUSINS


_TUPPI, _COUSINS = (RAMI, NOLO), (GRAND, NULLO)


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

# ----------------------------------------------------------------------------------------- bidding

_RANKS = {
    "3-10": card_set(card for card in DECK_52 if 1 <= card.rank <= 8),
    "3-10,A": card_set(card for card in DECK_52 if 1 <= card.rank <= 8 or card.rank == 12),
    "any": card_set(DECK_52),
}


def bid_cards(rules: Rules) -> CardSet:
    """The cards of the pack that may be laid as a bid (T-CAT-14, A-T-03)."""
    return _RANKS[rules.bid_ranks]


def ink(high: bool, rules: Rules) -> Literal["red", "black"]:
    """The colour that says high, or low (T-CAT-12, T-CAT-13, NW-CAT-03)."""
    return "red" if high == (rules.high_colour == "red") else "black"


def colour(high: bool, rules: Rules) -> CardSet:
    """Cards of the colour that says high, or low."""
    return RED if ink(high, rules) == "red" else BLACK


def means_high(bid: Card | Bid, rules: Rules) -> bool:
    """Whether a bid, a card or a word, says high.

    >>> means_high(DECK_52[13], PRESETS["tuppi"])
    True
    """
    return bid.high if isinstance(bid, Bid) else bool(colour(True, rules) >> bid & 1)


def bids_for(hand: CardSet, rules: Rules) -> tuple[Seal, ...]:
    """The bids that may be laid face down with these cards.

    Usable cards, and the word for a colour of which the hand holds none (T-CAT-15, T-WIK-11, A-T-04). With
    bidding cards, both of them (T-CATT-03, T-WIKT-05).
    """
    if rules.bid_mode == "bid_card":
        return tuple(map(sealed, rules.words))
    usable = hand & bid_cards(rules)
    cards = tuple([_SEALED[card] for card in cards_of(usable)])
    if rules.single_colour_hand != "verbal" or (usable & RED and usable & BLACK):
        return cards
    spoken = [sealed(word) for word in rules.words if not usable & colour(word.high, rules)]
    return (*cards, *spoken)


_SEALED = {card: Seal(card) for card in DECK_52}


def spoken_bids(rules: Rules) -> tuple[Call, ...]:
    """Calls of a spoken auction (A-M-02, A-N-05)."""
    high, low = map(call_of, rules.words)
    return (PASS, high) if rules.spoken_bids == "pass_grand" else (PASS, high, low)


def bid_order(rules: Rules, dealer: Seat) -> tuple[Seat, ...]:
    """The order in which bids are turned up (T-CAT-16, NW-CAT-04, MW-WIK-06) or spoken (A-M-02)."""
    from_left = rules.bid_mode == "spoken" or rules.expose_start == "left"
    return clockwise(left(dealer, 4) if from_left else right(dealer, 4), 4)


# -------------------------------------------------------------------------------------------- play


def first_lead(rules: Rules, high: bool, dealer: Seat, bidder: Seat | None) -> Seat:
    """The seat that leads.

    To a high hand by `high_lead` from the bidder (T-CAT-23, T-WIK-13), to a low one by `low_lead` (T-CAT-21).
    """
    forehand = left(dealer, 4)
    if high and bidder is not None:
        match rules.high_lead:
            case "right_of_bidder":
                return right(bidder, 4)
            case "left_of_bidder":
                return left(bidder, 4)
        return forehand
    if rules.low_lead == "forehand":
        return forehand
    return right(dealer if bidder is None else bidder, 4)


def sooli_scores(rules: Rules, soloist: Seat, made: bool) -> tuple[int, int]:
    """Points of both sides: to the soloist's for no trick, else to the opponents (T-CAT-30, T-CAT-31)."""
    scorer = side(soloist) if made else 1 - side(soloist)
    return (rules.sooli_points, 0) if scorer == 0 else (0, rules.sooli_points)


# ----------------------------------------------------------------------------------------- clauses

Book = Literal["T-WIK", "T-CAT", "MW-WIK", "NW-CAT"]


def book(rules: Rules) -> Book:
    """The text that a table's rules follow most closely: its clauses are cited."""
    if rules.score_model == "single_riser":
        return "T-CAT" if (rules.high_fail_points, rules.low_points) == (6, 1) else "T-WIK"
    return "NW-CAT" if rules.low_mode == "debit_loser" else "MW-WIK"


_PAY: Mapping[str, tuple[tuple[Book, str, int], ...]] = {
    "high": (("T-WIK", "17", 4), ("T-CAT", "24", 4), ("MW-WIK", "15", 1), ("NW-CAT", "13", 1)),
    "failed": (("T-WIK", "18", 8), ("T-CAT", "25", 6), ("MW-WIK", "16", 2), ("NW-CAT", "13", 1)),
    "low": (("T-WIK", "19", 4), ("T-CAT", "22", 1), ("MW-WIK", "14", 1)),
    "lost": (("NW-CAT", "14", 1),),
    "debit": (),
    "made": (("T-WIK", "21", 24), ("T-CAT", "30", 24)),
    "caught": (("T-WIK", "22", 24), ("T-CAT", "31", 24)),
}
"""Payments by text: for a high hand won by its bidders, or not; for a low hand to the winners, or from
the losers; from the bidders of a high hand that failed; for a sooli made, or not."""
_OWN_PAY = {"high": "A-T-26", "failed": "A-T-05", "low": "A-T-06", "made": "A-T-28", "caught": "A-T-28"}
"""The resolutions for a Tuppi table that pays points which no text names."""


def pay_clause(rules: Rules, reason: str, each: int) -> str:
    """The clause that pays so much; a resolution where no text says so. It never cites another figure."""
    ours = book(rules)
    rising = rules.score_model == "single_riser"
    clauses = [
        (text == ours, f"{text}-{number}")
        for text, number, points in _PAY[reason]
        if points == each and (text in ("T-WIK", "T-CAT")) == rising
    ]
    if clauses:
        return max(clauses)[1]
    if rising:
        return _OWN_PAY[reason]
    return "A-N-05" if rules.bid_mode == "spoken" else "A-N-03"


_CLAUSES: Mapping[str, Mapping[Book, str]] = {
    "deal": {"T-WIK": "T-WIK-04", "T-CAT": "T-CAT-09", "MW-WIK": "MW-WIK-04", "NW-CAT": "NW-CAT-01"},
    "bid": {"T-WIK": "T-CAT-11", "T-CAT": "T-CAT-11", "MW-WIK": "MW-WIK-05", "NW-CAT": "NW-CAT-03"},
    "ranks": {"T-WIK": "T-CAT-14", "T-CAT": "T-CAT-14", "MW-WIK": "MW-WIK-05", "NW-CAT": "NW-CAT-03"},
    "cards": {"T-WIK": "T-WIKT-05", "T-CAT": "T-CATT-03", "MW-WIK": "T-CATT-03", "NW-CAT": "T-CATT-03"},
    "auction": {"T-WIK": "MW-WIK-18", "T-CAT": "MW-WIK-18", "MW-WIK": "MW-WIK-18", "NW-CAT": "MW-WIK-18"},
    "expose": {"T-WIK": "T-CAT-16", "T-CAT": "T-CAT-16", "MW-WIK": "MW-WIK-06", "NW-CAT": "NW-CAT-04"},
    "turn": {"T-WIK": "T-CAT-32", "T-CAT": "T-CAT-32", "MW-WIK": "MW-WIK-11", "NW-CAT": "NW-CAT-12"},
    "suit": {"T-WIK": "T-CAT-33", "T-CAT": "T-CAT-33", "MW-WIK": "MW-WIK-11", "NW-CAT": "NW-CAT-12"},
    "over": {"T-WIK": "T-CAT-34", "T-CAT": "T-CAT-34", "MW-WIK": "MW-WIK-12", "NW-CAT": "NW-CAT-12"},
    "rise": {"T-WIK": "T-WIK-23", "T-CAT": "T-CAT-35"},
}


def clause(rules: Rules, about: str) -> str:
    """The clause in force about one subject, such as ``deal``, ``bid`` or ``suit``."""
    return _CLAUSES[about][book(rules)]


def of_a_tournament(rules: Rules) -> bool:
    """Whether these are rules of a Tuppi tournament (T-WIKT-01, T-WIKT-02).

    One side rises, no sooli, and a limit on the number of hands.
    """
    return rules.score_model == "single_riser" and rules.max_hands is not None and not rules.sooli


def never_drawn(rules: Rules) -> Rules:
    """The rules with extra hands if they can leave a draw (A-T-21)."""
    if "extra_hands" in rules.limit_tiebreak:
        return rules
    steps = [step for step in rules.limit_tiebreak if step != "draw"]
    return replace(rules, limit_tiebreak=(*steps, "extra_hands"))


def target_clause(rules: Rules) -> str:
    """The clause that ends a match: it says this target, or none."""
    rising = rules.score_model == "single_riser"
    if rising and rules.target == 52:
        return "T-CAT-36" if book(rules) == "T-CAT" else "T-WIK-25"
    if book(rules) == "NW-CAT" and rules.target == 13:
        return "NW-CAT-15"
    return "A-T-14" if rising else "MW-WIK-17"


# -------------------------------------------------------------------------------------------- draw


def draw(rules: Rules, seats: int, pack: Sequence[Card], pick: Seat = 0) -> Seating:
    """Seats and first dealer from a shuffled pack by `first_dealer` and `partners`.

    Where ranks are equal all draw again from the rest of the pack until four differ (T-CAT-03, A-T-24,
    A-M-06). With drawn partners the highest takes seat `pick`, the second sits opposite (T-CAT-04, T-CAT-05).
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
