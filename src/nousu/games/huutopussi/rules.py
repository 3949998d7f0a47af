"""The options and presets of Huutopussi, and their answers: the worth of cards, marriages and bids."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from nousu.engine.cards import CARDS, DECK_36, RANKS, SUIT_SETS, Card, CardSet, card_set
from nousu.engine.messages import sentence
from nousu.engine.options import check_values, clash, option


def _ranks(letters: str) -> CardSet:
    return card_set(card for card in DECK_36 if str(card)[1] in letters)


_WORTH: Mapping[str, tuple[tuple[CardSet, int], ...]] = {
    "simple": ((_ranks("A1"), 10), (_ranks("KQJ"), 5)),
    "classic": ((_ranks("A"), 11), (_ranks("1"), 10), (_ranks("K"), 4), (_ranks("Q"), 3), (_ranks("J"), 2)),
    "matrix": ((_ranks("A1"), 10), (_ranks("KQ"), 5)),
}
"""Points of the cards by `card_values`: sets of ranks with the points of each card (HP-GR-13)."""
_MARRIAGES = {"hearts_high": (40, 100, 80, 60), "spades_high": (100, 80, 60, 40)}
"""Points of a marriage by suit number, spades hearts diamonds clubs (HP-GR-28, A-H-16)."""
SIXES, ACES, _HIGH = _ranks("6"), _ranks("A"), _ranks("A1KQ")
PAIR: tuple[CardSet, ...] = tuple(lane & _ranks("KQ") for lane in SUIT_SETS)
"""King and queen of each suit."""
_ALL = card_set(DECK_36)


def card_points(cards: CardSet, values: str) -> int:
    """Points of a set of cards by `card_values` (HP-GR-13); the whole pack counts 140 or 120.

    >>> card_points(_ALL, "simple")
    140
    """
    return sum((cards & ranks).bit_count() * points for ranks, points in _WORTH[values])


@cache
def card_values(values: str) -> tuple[int, ...]:
    """The points of every card by its number, by the option `card_values` (HP-GR-13)."""
    return tuple(card_points(1 << card, values) for card in range(64))


def rank_values(rules: "Rules") -> tuple[int, ...]:
    """Points of a card by its rank from the two to the ace (HP-GR-13)."""
    return card_values(rules.card_values)[: len(RANKS)]


def marriage_values(rules: "Rules") -> tuple[int, int, int, int]:
    """Points of a marriage by suit number (HP-GR-28, A-H-16)."""
    return _MARRIAGES[rules.marriage_values]


def may_redeal(cards: CardSet) -> bool:
    """Whether a hand of these cards is dealt again if its owner wishes (HP-GR-11)."""
    return (cards & SIXES).bit_count() >= 3 or not cards & _HIGH


def other_half(card: int) -> Card:
    """The queen to a king and the king to a queen.

    >>> other_half(CARDS[27])
    HQ
    """
    return CARDS[(PAIR[card >> 4] & ~(1 << card)).bit_length() - 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Every option of the game; the values of `huutopussi` are the defaults."""

    # fmt: off
    card_values: Literal["simple", "classic", "matrix"] = option(
        "simple", group="scoring", values=("simple", "classic", "matrix"), clause="HP-GR-13 A-H-15",
        doc="Points for A 10 K Q J: 10 10 5 5 5, or 11 10 4 3 2, or 10 10 5 5 0.")
    last_trick: int = option(
        20, group="scoring", low=0, high=50, clause="HP-GR-14 A-H-15",
        doc="Points for winning the last trick.")
    marriage_values: Literal["hearts_high", "spades_high"] = option(
        "hearts_high", group="scoring", values=("hearts_high", "spades_high"), clause="HP-GR-28 A-H-16",
        doc="Whether marriages count 40 60 80 100 in the order spades clubs diamonds hearts, or clubs "
            "diamonds hearts spades.")
    min_bid: int = option(
        50, group="auction", low=5, high=200, clause="HP-GR-04",
        doc="The lowest bid; a multiple of the bid step.")
    bid_step: int = option(
        5, group="auction", values=(5, 10, 20), clause="HP-GR-05",
        doc="Bids are multiples of this.")
    max_bid: int | Literal["auto"] | None = option(
        "auto", group="auction", values=("auto", None, *range(200, 501, 10)), clause="HP-GR-07 A-H-01",
        doc="A bid of this size ends the auction at once: the most points there are (auto), another "
            "number, or none.")
    forced_opening: bool = option(
        True, group="auction", clause="HP-GR-04 A-H-07",
        doc="The player on the dealer’s left must open the auction with a bid.")
    all_pass: Literal["no_contract", "redeal"] = option(
        "no_contract", group="auction", values=("no_contract", "redeal"), clause="A-H-19",
        doc="Whether, if nobody bids, the hand is played without a contract, or dealt again by the same "
            "dealer.")
    exchange_cards: int = option(
        3, group="exchange", values=(3, 4), clause="HP-GR-08 HP-GR-10 A-H-18",
        doc="How many cards declarer and partner exchange.")
    contract_timing: Literal["before_return", "after_return"] = option(
        "before_return", group="exchange", values=("before_return", "after_return"),
        clause="HP-GR-09 HP-GR-10 A-H-05",
        doc="Whether the declarer names the contract before or after giving cards back.")
    redeal_rule: Literal["three_sixes_or_none_above_jack", "four_sixes_pair", "off"] = option(
        "three_sixes_or_none_above_jack", group="auction",
        values=("three_sixes_or_none_above_jack", "four_sixes_pair", "off"), clause="HP-GR-11 A-H-06",
        doc="Which hand entitles a player to a new deal: three sixes or nothing above a jack; all "
            "four sixes between partners; none.")
    redeal_window: Literal["first_turn", "any_turn", "bid_and_exchange"] = option(
        "first_turn", group="auction", values=("first_turn", "any_turn", "bid_and_exchange"),
        clause="HP-GR-11 A-H-06",
        doc="When a new deal may be demanded: on the first turn to bid, on any, or in the exchange as well.")
    declare_right: Literal["led_and_won", "won"] = option(
        "led_and_won", group="trumps", values=("led_and_won", "won"), clause="HP-GR-21 A-H-08",
        doc="Who may declare trumps before leading: a player who both led to and won the last trick, or "
            "any player who won it.")
    lockouts: Literal["ladder", "none"] = option(
        "ladder", group="trumps", values=("ladder", "none"), clause="HP-GR-24 HP-GR-25 A-H-12",
        doc="Whether asking the partner for marriages takes away rights to declare and to ask.")
    half_requires_card: bool = option(
        True, group="trumps", values=(True,), clause="HP-GR-25 A-H-11",
        doc="A player who asks for half a marriage must hold the king or queen named.")
    answers: Literal["truthful", "optional"] = option(
        "truthful", group="trumps", values=("truthful", "optional"), clause="HP-GR-24 HP-GR-25 A-H-10",
        doc="Whether a partner who is asked for a marriage must announce it or may say no.")
    first_trick: Literal["free", "ace_or_spade"] = option(
        "free", group="play", values=("free", "ace_or_spade"), clause="HP-GR-15 A-H-21",
        doc="Whether the first lead is free, or must be an ace (else a spade), and then the ace of the "
            "suit led must be played.")
    failed_contract: Literal["minus_contract", "zero"] = option(
        "minus_contract", group="scoring", values=("minus_contract", "zero"), clause="HP-GR-31 A-H-02 A-H-22",
        doc="What declarers who took a trick but missed the contract score.")
    trickless_declarer: Literal["minus_contract", "minus_double_contract"] = option(
        "minus_contract", group="scoring", values=("minus_contract", "minus_double_contract"),
        clause="HP-GR-32 A-H-02",
        doc="What declarers without a trick score.")
    trickless_defenders: Literal["zero", "minus_bid", "minus_contract", "minus_double_contract"] = option(
        "zero", group="scoring", values=("zero", "minus_bid", "minus_contract", "minus_double_contract"),
        clause="HP-GR-30 A-H-03",
        doc="What defenders without a trick score.")
    defender_rounding: Literal["none", "nearest5"] = option(
        "none", group="scoring", values=("none", "nearest5"), clause="HP-GR-30 A-H-20",
        doc="Whether points that are not a contract are rounded to the nearest five.")
    bid_ban: int | Literal["off"] = option(
        -500, group="auction", values=("off", -1, -250, -500), clause="HP-GR-33 A-H-07",
        doc="A side whose total is this or less may not bid, except the compulsory opening.")
    reopen_if_barred: bool = option(
        False, group="auction", clause="A-H-07",
        doc="When everybody who may bid has passed, the barred side may bid after all.")
    target: int = option(
        500, group="match", low=50, high=5000, clause="HP-GR-01 HP-GR-34", doc="Points that end the match.")
    win_condition: Literal["reach", "exceed"] = option(
        "reach", group="match", values=("reach", "exceed"), clause="HP-GR-34 A-H-17",
        doc="Whether the target must be reached or exceeded.")
    both_reach: Literal["higher", "declarer_first"] = option(
        "higher", group="match", values=("higher", "declarer_first"), clause="HP-GR-34 A-H-17",
        doc="Whether the higher total or the declarer’s side wins if both sides reach the target in the "
            "same hand.")
    equal: Literal["play_on", "draw"] = option(
        "play_on", group="match", values=("play_on", "draw"), clause="HP-GR-34 A-H-17",
        doc="Whether equal totals at the end are decided by another hand, or the match is drawn.")
    # fmt: on

    def __post_init__(self) -> None:
        check_values(self)
        banned, open_start = self.bid_ban != "off", not self.forced_opening
        for wrong, message, *settings in (
            (self.min_bid % self.bid_step, sentence("{setting} is not a multiple of {setting_2}"),
             f"min_bid={self.min_bid}", f"bid_step={self.bid_step}"),
            (self.reopen_if_barred and self.forced_opening,
             sentence("{setting} needs {setting_2}: a forced opening is never passed"),
             "reopen_if_barred=on", "forced_opening=off"),
            (self.all_pass == "redeal" and open_start and banned and not self.reopen_if_barred,
             sentence("{setting} with {setting_2} needs {setting_3} or {setting_4}: otherwise two barred "
                      "sides would deal for ever"),
             "all_pass=redeal", f"bid_ban={self.bid_ban}", "forced_opening=on", "reopen_if_barred=on"),
        ):  # fmt: skip
            if wrong:
                raise clash(self, message, *settings)

    @property
    def total(self) -> int:
        """Points of a whole hand: cards, last trick, four marriages (440 in `huutopussi`, A-H-01)."""
        return card_points(_ALL, self.card_values) + self.last_trick + 280

    @property
    def in_fives(self) -> bool:
        """Whether every hand pays multiples of five: by its cards (HP-GR-13), or rounded (A-H-20)."""
        return self.card_values == "simple" or self.defender_rounding == "nearest5"

    @property
    def ceiling(self) -> int | None:
        """The highest bid, which ends the auction at once (HP-GR-07, A-H-01)."""
        return None if self.max_bid is None else self.most // self.bid_step * self.bid_step

    @property
    def most(self) -> int:
        """The highest contract (A-H-04), unless the bid was higher still."""
        return self.max_bid if isinstance(self.max_bid, int) else self.total


_FINNISH: dict[str, Any] = {
    "card_values": "classic",
    "declare_right": "won",
    "trickless_declarer": "minus_double_contract",
    "trickless_defenders": "minus_bid",
    "defender_rounding": "nearest5",
}
PRESETS: dict[str, Rules] = {
    "huutopussi": Rules(),
    "huutopussi_gamerules_literal": Rules(
        max_bid=440, redeal_window="any_turn", answers="optional", failed_contract="zero", equal="draw"
    ),
    "huutopussi_finnish": Rules(**_FINNISH, last_trick=10),
    "huutopussi_illisoft": Rules(
        **_FINNISH,
        min_bid=60,
        max_bid=420,
        forced_opening=False,
        exchange_cards=4,
        contract_timing="after_return",
        redeal_rule="four_sixes_pair",
        redeal_window="bid_and_exchange",
        first_trick="ace_or_spade",
        bid_ban=-1,
        reopen_if_barred=True,
        win_condition="exceed",
        both_reach="declarer_first",
    ),
}
