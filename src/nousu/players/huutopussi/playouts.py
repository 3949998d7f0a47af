"""Huutopussi played out by the rule-based player, thousands of hands a second, in the compiled core.

Every seat sees its own cards, those it gave away, the cards played and the words spoken, as at the table:
`cpp/playouts/huutopussi.h` plays card for card and word for word as `nousu.players.huutopussi.rules` does,
with the same weights; or with the cards of `nousu.players.huutopussi.policy`.
"""

from collections.abc import Sequence
from struct import unpack
from typing import NamedTuple

from nousu.engine.actions import Action, Call, Give, Play
from nousu.engine.cards import RANKS, CardSet, card_set
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.huutopussi import (
    AskFull,
    AskHalf,
    AskSuit,
    Attempt,
    Declare,
    Facts,
    No,
    Rules,
    Yes,
    marriage_values,
    rank_values,
    said,
)
from nousu.players.huutopussi import rules as thumb
from nousu.players.nets import UNIT
from nousu.players.worlds import World
from nousu.solver import native

__all__ = [
    "ANY",
    "HandEnd",
    "HuutopussiPlayouts",
    "HuutopussiTable",
    "play_out",
    "playout_hands",
    "public_table",
]

ANY = None
"""The first move that stands for the player's own choice."""
MOST = 40.0
"""Upper limit of the strangeness that one choice adds to a world, in points."""
POINTS = 10.0
"""The points that one unit of a rating of `policy` counts as."""
_ANY = 255
_DECLARE, _FULL, _KING, _QUEEN, _NAMED, _YES, _NO = 64, 68, 72, 76, 80, 84, 85
_IS_KING = RANKS.index("K")
_WEIGHTS = [
    thumb.KEEP_RANK,
    thumb.KEEP_TOP,
    thumb.KEEP_TOP_LATE,
    thumb.KEEP_TRUMP,
    thumb.KEEP_OWN,
    thumb.KEEP_BARRED,
    thumb.KEEP_HALF,
    thumb.DECLARE,
    thumb.LEAD_TEN,
    MOST,
    POINTS / UNIT,
]


class HuutopussiTable(NamedTuple):
    """The public state of the play."""

    rules: Rules
    leader: Seat
    """The leader of the first trick."""
    history: tuple[Action, ...] = ()
    """Cards, declarations, questions and answers so far, in order."""
    declarer: Seat | None = None
    contract: int = 0


class HandEnd(NamedTuple):
    """The end of the play of a world."""

    earned: tuple[int, int]
    """Points each side has earned in all: cards, marriages, last trick."""
    tricks: tuple[int, int]


class HuutopussiPlayouts(NamedTuple):
    """The worlds played out."""

    ended: tuple[tuple[HandEnd, ...], ...]
    """The end of each world, by first move."""
    deviations: tuple[float, ...]
    """Strangeness of each world: points by which the choices of the other seats fell short of the player's
    in that world."""


def public_table(view: View) -> HuutopussiTable:
    """The public state at the table of `view`; the tricks have begun."""
    heard = [(by, action) for by, action in view.heard if _in_play(action)]
    facts = Facts.of(view.facts)
    leader = heard[0][0] if heard else view.owed[0]
    history = tuple(action for _, action in heard)
    return HuutopussiTable(view.rules, leader, history, facts.declarer, facts.contract or 0)


def _in_play(action: Action) -> bool:
    if isinstance(action, Call):
        return isinstance(said(action), Attempt | Yes | No)
    return isinstance(action, Play)


def playout_hands(view: View, world: World) -> tuple[CardSet, ...]:
    """The cards that the seats hold in this world, followed by those that each gave to its partner."""
    gave = [0, 0, 0, 0]
    gifts = [by for by, action in view.heard if isinstance(action, Give)]
    for by, cards in zip(gifts, world.given, strict=True):
        gave[by] |= card_set(cards)
    return (*world.hands, *gave)


def play_out(
    table: HuutopussiTable,
    worlds: Sequence[Sequence[CardSet]],
    firsts: Sequence[Action | None] = (ANY,),
    viewer: Seat | None = None,
    nets: bytes = b"",
) -> HuutopussiPlayouts:
    """Play every world to its end after each of the first moves. Needs the compiled core.

    Args:
        table: The public state.
        worlds: For each world the cards of the four seats, then those that each gave to its partner.
        firsts: First moves of the seat on turn; `ANY` for its own choice.
        viewer: The seat whose earlier choices do not count as strange.
        nets: Weights of `policy`, by which all play their cards; empty for rules of thumb.
    """
    rules = table.rules
    hands = b"".join([cards.to_bytes(8, "little") for world in worlds for cards in world])
    facts = [
        *rank_values(rules),
        *marriage_values(rules),
        rules.last_trick,
        rules.declare_right == "won",
        rules.lockouts == "ladder",
        rules.answers == "truthful",
        rules.first_trick == "ace_or_spade",
        rules.attempts == "one_a_hand",
        not rules.half_requires_card,
        table.leader,
        -1 if viewer is None else viewer,
        -1 if table.declarer is None else table.declarer,
        table.contract,
    ]
    history = bytes(map(_code, table.history))
    first = bytes(_ANY if action is None else _code(action) for action in firsts)
    gained, deviations = native.core.playouts_huutopussi(_WEIGHTS, facts, history, first, hands, nets)
    many = len(firsts)
    numbers = unpack(f"={len(gained) // 2}h", gained)
    ended = [
        HandEnd((one, two), (tricks, 9 - tricks))
        for one, two, tricks in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    ]
    return HuutopussiPlayouts(tuple(tuple(ended[at::many]) for at in range(many)), tuple(deviations))


def _code(action: Action) -> int:
    """The number of a move in the core."""
    if isinstance(action, Play):
        return action.card
    assert isinstance(action, Call)
    match said(action):
        case Declare(suit):
            return _DECLARE + suit
        case AskSuit(suit):
            return _KING + suit
        case AskHalf(card):
            return (_KING if card.rank == _IS_KING else _QUEEN) + card.suit
        case AskFull():
            return _FULL
        case Yes(int(suit)):
            return _NAMED + suit
        case Yes():
            return _YES
    return _NO
