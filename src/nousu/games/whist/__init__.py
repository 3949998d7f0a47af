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

from collections.abc import Mapping
from typing import Any

from nousu.engine.cards import DECK_52
from nousu.engine.game import Game
from nousu.games.whist.calls import (
    END,
    PASS,
    SOOLI,
    WORDS,
    Bid,
    BreakOff,
    Pass,
    Sooli,
    Word,
    bid_in,
    call_of,
    said,
    sealed,
)
from nousu.games.whist.facts import Facts, Kind, Outcome, Phase
from nousu.games.whist.hand import Hand
from nousu.games.whist.rules import (
    BOOK,
    EXPERIMENTAL,
    PRESETS,
    TRICKS,
    Rules,
    bid_cards,
    bid_order,
    bids_for,
    colour,
    draw,
    first_lead,
    ink,
    means_high,
    never_drawn,
    of_a_tournament,
    sooli_scores,
    spoken_bids,
    target_clause,
)
from nousu.games.whist.standing import Rise, Totals, payoffs, score

__all__ = [
    "BOOK",
    "END",
    "GAME",
    "PASS",
    "PRESETS",
    "SOOLI",
    "TRICKS",
    "WORDS",
    "Bid",
    "BreakOff",
    "Facts",
    "Hand",
    "Kind",
    "Outcome",
    "Pass",
    "Phase",
    "Rise",
    "Rules",
    "Sooli",
    "Totals",
    "Word",
    "bid_cards",
    "bid_in",
    "bid_order",
    "bids_for",
    "call_of",
    "colour",
    "draw",
    "first_lead",
    "ink",
    "means_high",
    "never_drawn",
    "of_a_tournament",
    "payoffs",
    "said",
    "score",
    "sealed",
    "sooli_scores",
    "spoken_bids",
    "target_clause",
]


def _tally(rules: Rules, seats: int) -> Rise | Totals:
    return Rise(rules) if rules.score_model == "single_riser" else Totals(rules)


def _standing(rules: Rules, seats: int, plain: Mapping[str, Any]) -> Rise | Totals:
    return (Rise if rules.score_model == "single_riser" else Totals).read(rules, plain)


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
    facts=Facts.read,
    standing=_standing,
    key_options=("target", "high_points", "high_fail_points", "low_points", "sooli", "table_talk"),
    draw=draw,
)
