"""Huutopussi: bid, exchange, take tricks, and make trumps while playing.

Theory of operation
-------------------
Four players, sides by seat parity, 36 cards (A 10 K Q J 9 8 7 6), nine each. A hand goes

    deal → auction → give → (contract) → return → (contract) → 9 tricks → result

The highest bidder is the *declarer*: the partner pushes over three or four cards, the declarer names the
points the side must reach and pushes as many back (`contract_timing` says in which order). Three oddities:

* There is no trump at first. A player who led to a trick and won it may, before leading again, make one
  attempt: name a marriage (K and Q of a suit), ask the partner for one, or for the other half of one. An
  answer is a question's answer, and by default a true one. Each suit once; the latest declared is trump;
  all score. Where a half is asked for by its suit alone, the player who asked answers last.
* Asking costs rights for the rest of the hand (A-H-12): two flags a seat, `own` and `full`.
* One must follow, beat what is winning (the partner too), and trump: `Duties` of the trick play.

`legal` knows no more than its seat. Under `four_sixes_pair` anybody may therefore say that the own pair
holds the four sixes, once a pair; whether it does is found out then, and if not, the hand goes on.

Source: HP-GR and resolutions A-H (``nousu clauses``); docs/play/rules/huutopussi.md lists the presets.
"""

from nousu.engine.cards import DECK_36
from nousu.engine.game import Game
from nousu.games.huutopussi.calls import (
    Ask,
    AskFull,
    AskHalf,
    AskSuit,
    Attempt,
    Bid,
    Contract,
    Declare,
    Doubling,
    Kontra,
    No,
    Pass,
    Re,
    Redeal,
    Sixes,
    Word,
    Yes,
    call_of,
    said,
)
from nousu.games.huutopussi.facts import Facts, Marriage, Outcome, PlayedHand, Void, outcome
from nousu.games.huutopussi.hand import DUTIES, OTHER_HALF, Auction, Hand, may_ask_half
from nousu.games.huutopussi.rules import (
    ACES,
    PAIR,
    PRESETS,
    SIXES,
    Rules,
    card_points,
    card_values,
    marriage_values,
    may_redeal,
    other_half,
    rank_values,
)
from nousu.games.huutopussi.standing import Totals, rounded, score

__all__ = [
    "ACES",
    "DUTIES",
    "GAME",
    "OTHER_HALF",
    "PAIR",
    "PRESETS",
    "SIXES",
    "Ask",
    "AskFull",
    "AskHalf",
    "AskSuit",
    "Attempt",
    "Auction",
    "Bid",
    "Contract",
    "Declare",
    "Doubling",
    "Facts",
    "Hand",
    "Kontra",
    "Marriage",
    "No",
    "Outcome",
    "Pass",
    "PlayedHand",
    "Re",
    "Redeal",
    "Rules",
    "Sixes",
    "Totals",
    "Void",
    "Word",
    "Yes",
    "call_of",
    "card_points",
    "card_values",
    "marriage_values",
    "may_ask_half",
    "may_redeal",
    "other_half",
    "outcome",
    "rank_values",
    "rounded",
    "said",
    "score",
]


def _tally(rules: Rules, seats: int) -> Totals:
    return Totals(rules)


GAME = Game(
    name="huutopussi",
    seats=range(4, 5),
    sides=2,  # HP-GR-01, HP-WU-01
    deck=DECK_36,
    rules=Rules,
    presets=PRESETS,
    start=Hand,
    tally=_tally,
    outcome=outcome,
    facts=Facts.read,
    standing=Totals.read,
    key_options=("target", "min_bid", "exchange_cards", "last_trick", "failed_contract", "answers"),
)
