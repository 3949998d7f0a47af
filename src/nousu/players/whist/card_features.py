"""The value of a card by habit: weighted features of the card and of the knowledge of its seat.

A habit is a list of features with a weight each (``card_features.toml``); the card with the highest sum is
played. The weights are fitted to deals solved with all cards seen: how many tricks each legal card kept,
averaged over thousands of hands, so that a habit knows what a lead *usually* costs without looking at a
hidden card. ``python -m bench.experiments.habit_weights`` makes them again and prints what they gain.
"""

import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import NamedTuple

from nousu.engine.cards import LANE, SUIT_SETS, Card, cards_of
from nousu.engine.game import View
from nousu.engine.seats import partner, side
from nousu.games.whist import BOOK, Facts
from nousu.players.skill import FULL, Attention
from nousu.players.whist.inference import WhistDeductions

Features = dict[str, float]
EARLY, LATE = 8, 5
"""Cards in a hand down to which a choice is an early one, and up to which it is a late one."""
ACE = 12
"""The rank of an ace."""


class SuitKnowledge(NamedTuple):
    """The knowledge of the seat on turn about one suit."""

    held: tuple[Card, ...]
    """The seat's own cards, the strongest first."""
    unseen: int
    """Number of cards of the suit in other hands."""
    above: tuple[int, ...]
    """Number of unseen cards that beat each held card."""
    below: tuple[int, ...]
    masters: int
    """Number of held cards that no unseen card of the suit beats."""
    partner_void: bool
    foes_void: int
    led_by_partner: bool
    led_by_foe: bool
    led_by_me: bool

    def sequence(self, card: Card) -> bool:
        """Whether `card` is the highest of touching cards, no more than three below the top."""
        at = self.held.index(card)
        touching = at + 1 < len(self.held) and self.above[at + 1] == self.above[at] <= 3
        return touching and (at == 0 or self.above[at - 1] != self.above[at])


class CardChoice(NamedTuple):
    """The choice of a card: the deductions of the seat, suit by suit."""

    table: WhistDeductions
    suits: tuple[SuitKnowledge, ...]
    left: int
    """Tricks still to be played, this one included."""
    needed: int
    """Tricks the side still needs for seven."""
    bidding: bool
    """Whether the side has bid."""
    masters: int
    """Number of held cards of all suits that no unseen card beats."""


def card_choice(view: View, table: WhistDeductions, attention: Attention = FULL) -> CardChoice:
    """The choice before the seat of `view`, whose deductions are `table`."""
    facts = Facts.of(view.facts)
    seat = table.seat
    friend = partner(seat)
    led: list[set[int]] = [set(), set(), set(), set()]
    for trick in view.tricks[max(0, len(view.tricks) - attention.tricks) :]:
        if attention.infers or trick.leader == friend:
            led[trick.plays[0][1].suit].add(trick.leader)
    suits = []
    for suit in range(4):
        unseen = table.unseen >> 16 * suit & LANE
        held = tuple(sorted(cards_of(table.hand & SUIT_SETS[suit]), reverse=True))
        above = tuple((unseen >> card.rank).bit_count() for card in held)
        void = [bool(table.voids.get(other, 0) & SUIT_SETS[suit]) for other in range(4)]
        suits.append(
            SuitKnowledge(
                held,
                unseen.bit_count(),
                above,
                tuple((unseen & (1 << card.rank) - 1).bit_count() for card in held),
                above.count(0),
                void[friend],
                void[(seat + 1) % 4] + void[(seat + 3) % 4],
                friend in led[suit],
                bool(led[suit] - {seat, friend}),
                seat in led[suit],
            )
        )
    ours = side(seat)
    return CardChoice(
        table,
        tuple(suits),
        max(view.counts),
        BOOK + 1 - facts.tricks[ours],
        facts.bidder is not None and side(facts.bidder) == ours,
        sum(suit.masters for suit in suits),
    )


def rami_lead(spot: CardChoice, card: Card) -> Features:
    """The features of a lead where tricks are to be won."""
    suit = spot.suits[card.suit]
    at = suit.held.index(card)
    length = len(suit.held)
    early = spot.left / 13
    if suit.above[at] == 0:
        return {
            "master": 1,
            "master_early": early,
            "master_of_two": suit.masters >= 2,
            "master_of_three": suit.masters >= 3,
            "master_alone_in_long_suit": suit.masters == 1 and length >= 3,
            "masters_suffice": spot.masters >= spot.needed,
            "master_foes_void": suit.foes_void,
            "master_of_partners_suit": suit.led_by_partner,
            "bare_ace": card.rank == ACE and spot.left >= EARLY and spot.table.unseen >> card - 1 & 1,
        }
    above = suit.above[at]
    guarded = suit.above[0] == 0
    late = spot.left <= LATE
    return {
        "length_early": length * early / 5,
        "singleton": length == 1,
        "lowest_of_four": at == length - 1 >= 3,
        "bidder": spot.bidding,
        "partners_suit": suit.led_by_partner,
        "foes_suit": suit.led_by_foe,
        "own_suit": suit.led_by_me,
        "own_suit_under_a_master": suit.led_by_me and guarded,
        "partner_void": suit.partner_void,
        "foes_void": suit.foes_void,
        "sequence": suit.sequence(card),
        "sequence_under_one": above == 1 and suit.sequence(card),
        "under_a_master": guarded,
        "under_two_masters": suit.masters >= 2,
        "bare_top_under_one": at == 0 and above == 1,
        "above": above / 6,
        "below": suit.below[at] / 6,
        "unseen": suit.unseen / 9,
        "few_unseen": suit.unseen <= 3,
        "masters_elsewhere_late": late and spot.masters > 0,
        "lowest_late": late and at == length - 1,
    }


def nolo_lead(spot: CardChoice, card: Card) -> Features:
    """The features of a lead where tricks are to be lost."""
    suit = spot.suits[card.suit]
    at = suit.held.index(card)
    above, below, length = suit.above[at], suit.below[at], len(suit.held)
    early = spot.left / 13
    share = below / suit.unseen if suit.unseen else 1.0
    lowest, highest = at == length - 1, at == 0
    return {
        "certain_to_win": above == 0,
        "below_share": share,
        "below_share_squared": share * share,
        "below_share_early": share * early,
        "below": below / 6,
        "above": above / 6,
        "below_early": below * early / 6,
        "above_early": above * early / 6,
        "length": length / 5,
        "length_early": length * early / 5,
        "partner_void": suit.partner_void,
        "foes_void": suit.foes_void,
        "foes_void_share": suit.foes_void * share,
        "highest": highest,
        "highest_share": highest * share,
        "lowest_share": lowest * share,
        "between": not (lowest or highest),
        "exit_below": suit.below[-1] / 6,
        "highest_is_master": highest and above == 0,
    }


def rami_following(spot: CardChoice, card: Card) -> Features:
    """The features of a card of second or third hand that follows suit where tricks are to be won."""
    table = spot.table
    suit = spot.suits[card.suit]
    at = suit.held.index(card)
    above, length = suit.above[at], len(suit.held)
    by, best = table.best or (table.seat, card)
    honour = best.rank >= 8
    partners = by in table.friends
    unblocks = partners and above == 0 and length == 2 and suit.unseen > 1 and suit.foes_void == 2
    if table.beats(card):
        cheapest = not any(table.beats(lower) for lower in suit.held[at + 1 :])
        over = table.above(best) if partners else -1
        safe = over == 0 or (partners and table.voids.get(table.waiting[0], 0) >> card & 1)
        return {
            "beats": 1,
            "beats_rank": card.rank / 12,
            "beats_honour": honour,
            "cheapest": cheapest,
            "sure": above == 0,
            "sure_short": above == 0 and length <= 2,
            "sure_late": above == 0 and spot.left <= LATE,
            "sure_with_another": above == 0 and suit.masters >= 2,
            "under_one": above == 1,
            "under_many": above >= 3,
            "over_partner": partners,
            "over_partners_master": over == 0,
            "over_partners_next": over == 1,
            "over_partners_honour": partners and honour,
            "over_partners_winner": safe and length > 2 and suit.unseen > 1 and spot.left > LATE,
            "master_kept": above > 0 and suit.masters > 0,
            "unblocks": unblocks,
        }
    return {
        "unblocks": unblocks,
        "loses_rank": card.rank / 12,
        "loses_lowest": at == length - 1,
        "loses_highest": at == 0 and length > 1,
        "bares_master": suit.above[0] == 0 and length == 2,
        "keeps_master": suit.above[0] == 0,
        "bares_next": suit.above[0] == 1 and length == 2,
        "keeps_next": suit.above[0] == 1,
    }


HABITS: Mapping[str, Callable[[CardChoice, Card], Features]] = {
    "rami_lead": rami_lead,
    "rami_second_hand": rami_following,
    "rami_third_hand": rami_following,
    "nolo_lead": nolo_lead,
}
"""The features of each habit, by the name of its weights."""

WEIGHTS: Mapping[str, Mapping[str, float]] = tomllib.loads(
    files(__package__).joinpath("card_features.toml").read_text(encoding="utf-8")
)


def rating(habit: str, spot: CardChoice, card: Card) -> float:
    """The rating of `card` by that habit; only differences between cards of one choice mean something."""
    weights = WEIGHTS[habit]
    total = (
        0.0  # one after the other, as the compiled core adds; `sum` does it more exactly since Python 3.12
    )
    for name, value in HABITS[habit](spot, card).items():
        total += weights[name] * value
    return total
