"""The Tuppen family as an environment: its table of observations and actions, and what a seat observes.

Anybody in the hand may raise or challenge at any moment. Here everybody who may do so is asked once after
every action, in turn from the left of the seat to act, before that seat acts: a *silent* turn.
"""

from collections.abc import Callable, Mapping

from nousu.engine.actions import Action, Call, Give, Play, Show
from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import Seat, clockwise, left
from nousu.env.layout import Layout, Planes, Row, Scalars, unknown
from nousu.games.tuppen import Facts, Rules, Standing, calls

_PHASES = ("blind", "pictures", "poor", "raise", "play", "deal", "over")
_KINDS = ("regular", "dead", "poor", "eight")
"""Kinds of hands by their number; 3, eight cards without points, came without a change of the layout."""
_MOST, _PACKETS = 8, 6
_AROUND = "me, left, and so on clockwise"

LAYOUT = Layout(
    family="tuppen",
    ranks="JQKA789T",
    planes=(
        Row("hand", 1, "the cards held"),
        Row("played", 8, f"cards played in this hand by {_AROUND}"),
        Row("trick", 1, "the cards of the trick on the table"),
        Row("laid", 1, "cards I laid down as four pictures"),
        Row("open", 1, "cards of packets that were doubted and turned up"),
        Row("when", 1, "not 0 or 1: its place among the cards played in the hand, from 1"),
    ),
    scalars=(
        Row("phase", 1, "what is waited for: 0 blind raises, 1 four pictures, 2 the poor man’s "
            "question, 3 a raise, 4 a card"),
        Row("turn", 1, "who acts: 1 I, 2 left, and so on"),
        Row("dealer", 1, "who deals"),
        Row("seats", 1, "how many sit at the table"),
        Row("kind", 1, "0 a regular hand, 1 a play-off of the dead, 2 of new poor men"),
        Row("stake", 1, "the stake"),
        Row("last raiser", 1, "who may not raise, 0 nobody"),
        Row("asker", 1, "whose question is open, 0 nobody’s"),
        Row("card due", 1, "whose card comes next"),
        Row("leader", 1, "who led to the trick on the table, 0 nobody"),
        Row("stock", 1, "cards in the stock"),
        Row("tricks", 1, "tricks that are complete"),
        Row("points", 8, f"points of {_AROUND}"),
        Row("places", 8, "the place of each, 0 while it is open"),
        Row("group", 8, "1 for each who plays this hand"),
        Row("in hand", 8, "1 for each who is still in it"),
        Row("cards", 8, "how many cards each holds"),
        Row("asked", 8, "1 for each who has still to answer"),
        Row("raises", 8, "how often each has raised"),
        Row("poor", 8, "1 for each poor man of this hand"),
        Row("bound", 8, "1 for each who is bound to raise blind"),
        Row("paid", 8, "what leaving and penalties have cost each in this hand"),
        Row("been poor", 8, "1 for each who was poor before in this game"),
        Row("owner", 6, "who laid each packet down, in order, 0 where there is none"),
        Row("packet", 6, "1 face down, 2 turned up"),
    ),
    blocks=(Row("play", 1, "play the card"),),
    words=(
        Row("keep", 1, "lay no four pictures down"),
        Row("lay", 1, "lay all four cards down as pictures, or show them for a new deal"),
        Row("hold", 1, "go along"),
        Row("leave", 1, "leave the hand"),
        Row("raise", 1, "raise the stake"),
        Row("look", 1, "look at the cards, no blind raise"),
        Row("raise blind", 1, "raise before the cards are seen"),
        Row("silent", 1, "say nothing out of turn"),
        Row("doubt", 6, "doubt this packet"),
    ),
)  # fmt: skip
VERSION = 0
"""The number in the names of the environments (``nousu/…-v0``): a changed `LAYOUT` takes the next one."""
FORCED = frozenset({"doubt"})
"""Phases without a choice: a packet that is challenged is turned up."""
_WORDS = {
    calls.KEEP: "keep",
    calls.HOLD: "hold",
    calls.LEAVE: "leave",
    calls.RAISE: "raise",
    calls.LOOK: "look",
    calls.BLIND: "raise blind",
}

LONGEST = 2000
"""Upper bound of the number of actions in a hand, silent turns counted."""


def bounds(rules: Rules) -> tuple[int, int]:
    """The smallest and the largest gain of a player in a hand."""
    return -rules.start_points, int(rules.last_jack)


def own_codes(rules: Rules) -> Mapping[str, int]:
    """Return no codes of its own; `BadRules` if a director books penalties."""
    if rules.conduct != "enforced":
        raise unknown(rules, "conduct")
    return {}


def turn(match: Match, silent: frozenset[Seat]) -> Seat:
    """The seat to act: one that may speak out of turn and has not kept silent, else the one on turn."""
    hand = match.hand
    (owed,) = hand.owed()
    if getattr(hand, "phase", "") in ("pictures", "play"):
        for seat in clockwise(left(owed, match.seats), match.seats)[:-1]:
            if seat not in silent and hand.legal(seat):
                return seat
    return owed


def moves(view: View, part: tuple[Card, ...]) -> dict[int, Action | None]:
    """Moves of the seat by number; out of turn, silence (None) too."""
    owners = [packet.owner for packet in Facts.of(view.facts).packets]
    numbered: dict[int, Action | None] = {
        number(action, owners, len(view.counts)): action for action in view.legal
    }
    if view.seat not in view.owed:
        numbered[LAYOUT.start["silent"]] = None
    return numbered


def number(action: Action, owners: list[Seat], seats: int) -> int:
    """The number of an action, where these seats have laid packets down."""
    start = LAYOUT.start
    match action:
        case Play(card):
            return start["play"] + LAYOUT.number[card]
        case Give() | Show():
            return start["lay"]
        case Call() as call if call in _WORDS:
            return start[_WORDS[call]]
        case Call() as call:
            word = calls.said(call, seats)
            if isinstance(word, calls.Challenge):
                packets = [index for index, owner in enumerate(owners) if owner == word.owner]
                return start["doubt"] + packets[(word.number or 1) - 1]
    raise ValueError(f"{action} is no action of an environment")


def observe(view: View, turn: Seat, part: tuple[Card, ...] = ()) -> tuple[Planes, Scalars]:
    """Observation of the viewing seat, as planes and scalars in the order of `LAYOUT`."""
    facts, seat, seats = Facts.of(view.facts), view.seat, view.setup.seats
    assert seat is not None
    standing = Standing.of(view.setup.tally)
    at = LAYOUT.start
    planes, scalars = LAYOUT.begun(view)
    for by, action in view.heard:
        if isinstance(action, Give) and by == seat:
            LAYOUT.mark(planes[at["laid"]], action.cards)
    for packet in facts.packets:
        LAYOUT.mark(planes[at["open"]], packet.cards)

    def relative(other: Seat | None) -> int:
        return 0 if other is None else 1 + (other - seat) % seats

    around = clockwise(seat, seats)

    def each(value: Callable[[Seat], int]) -> list[int]:
        return [value(other) for other in around] + [0] * (_MOST - seats)

    def padded(values: list[int]) -> list[int]:
        return values + [0] * (_PACKETS - len(values))

    scalars[:] = (
        _PHASES.index(facts.phase),
        relative(turn),
        relative(view.setup.dealer),
        seats,
        _KINDS.index(facts.kind),
        facts.stake,
        relative(facts.last_raiser),
        relative(facts.asker),
        relative(facts.turn),
        relative(view.trick[0][0] if view.trick else None),
        facts.stock,
        len(view.tricks),
        *each(facts.points.__getitem__),
        *each(facts.places.__getitem__),
        *each(facts.group.__contains__),
        *each(facts.in_hand.__contains__),
        *each(view.counts.__getitem__),
        *each(facts.asked.__contains__),
        *each(facts.raisers.count),
        *each(facts.poor.__contains__),
        *each(facts.blind.__contains__),
        *each(facts.paid.__getitem__),
        *each(standing.been_poor.__contains__),
        *padded([relative(packet.owner) for packet in facts.packets]),
        *padded([1 + packet.open for packet in facts.packets]),
    )
    return planes, scalars
