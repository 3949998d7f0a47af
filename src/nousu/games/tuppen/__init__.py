"""Tuppen and its relatives Siebenschräm and Toepen: keep your points, take the last trick.

Theory of operation
-------------------
Two to eight players, everybody alone, 32 cards ranked 10 9 8 7 A K Q J, four each, no trump, follow suit.
The player who takes the last trick keeps all points; everybody else still in the hand loses the stake. A hand
goes

    (blind?) → deal → pictures → (poor man's question) → four tricks → result

From the end of the questions on anybody still in the hand may *raise* the stake by one at any moment; the
others are asked in turn whether they hold or leave. Three oddities:

* A player who leaves lays the cards down and pays the stake valid so far. A trick is judged over those still
  in: the suit led, else the highest rank, else clubs, spades, hearts, diamonds (TU-ZK-III1d). All who leave
  on one question leave together when the last answer is in.
* Four cards may be laid down as "four pictures" for four new ones. Everybody may challenge the packet; it is
  then turned up and whoever was wrong loses a point at once.
* A match is a game from seven points each to one survivor. Players who die together play off their
  places, new poor men (one point left) a deciding hand: these hands belong to the match too, and the
  `Standing` says who plays the next hand and why. The dead keep their seats, without cards.

At a table with real cards (``conduct=director``) the seat DIRECTOR books penalties. One that comes before
the cards are dealt makes a hand of its own without cards.

Source: TU-ZK, resolutions A-U.
"""

from collections.abc import Sequence

from nousu.engine.cards import DECK_32, TEN_HIGH, Card
from nousu.engine.game import Game, Seating
from nousu.engine.messages import Note
from nousu.engine.seats import Seat
from nousu.engine.tricks import SUIT_LADDER
from nousu.games.tuppen.calls import (
    BLIND,
    HOLD,
    KEEP,
    LEAVE,
    LOOK,
    RAISE,
    Blind,
    Challenge,
    Hold,
    Keep,
    Leave,
    Look,
    Penalty,
    Raise,
    Word,
    call_of,
    said,
)
from nousu.games.tuppen.facts import Booked, Facts, Kind, Laid, Outcome, Phase, Redealt, Won, outcome
from nousu.games.tuppen.hand import Hand, Packet, start
from nousu.games.tuppen.rules import (
    PENALTIES,
    PICTURES,
    PRESETS,
    SEVENS,
    WRONG_CLAIM,
    Offence,
    Rules,
    asked_stake,
    die_face,
    eight_cards,
    four_pictures,
    is_true_claim,
    leaving_costs,
    losing_costs,
    may_bluff,
    refusing_costs,
)
from nousu.games.tuppen.standing import Settled, Standing, score, tally

__all__ = [
    "BLIND",
    "GAME",
    "HOLD",
    "KEEP",
    "LEAVE",
    "LOOK",
    "PENALTIES",
    "PICTURES",
    "PRESETS",
    "RAISE",
    "SEVENS",
    "WRONG_CLAIM",
    "Blind",
    "Booked",
    "Challenge",
    "Facts",
    "Hand",
    "Hold",
    "Keep",
    "Kind",
    "Laid",
    "Leave",
    "Look",
    "Offence",
    "Outcome",
    "Packet",
    "Penalty",
    "Phase",
    "Raise",
    "Redealt",
    "Rules",
    "Settled",
    "Standing",
    "Won",
    "Word",
    "asked_stake",
    "call_of",
    "die_face",
    "draw",
    "eight_cards",
    "four_pictures",
    "is_true_claim",
    "leaving_costs",
    "losing_costs",
    "may_bluff",
    "outcome",
    "refusing_costs",
    "said",
    "score",
    "start",
    "tally",
]


def draw(rules: Rules, seats: int, pack: Sequence[Card], pick: Seat = 0) -> Seating:
    """Keep all places; the highest card deals, then the higher suit: no ties (TU-ZK-II2c, A-U-20)."""
    drawn = tuple(enumerate(pack[:seats]))
    dealer = max(drawn, key=lambda one: (TEN_HIGH[one[1].rank], SUIT_LADDER[one[1].suit]))[0]
    note = Note("TU-ZK-II2c", "{seat} drew the highest card and deals", {"seat": dealer})
    return Seating(tuple(range(seats)), dealer, (drawn,), (note,))


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
    key_options=("start_points", "four_pictures", "raise_cap", "leave_cost", "poor_man", "blind_raise"),
    window=2.0,
    outcome=outcome,
    facts=Facts.read,
    standing=Standing.read,
    draw=draw,
)
