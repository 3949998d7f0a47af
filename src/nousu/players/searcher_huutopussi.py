"""Searching in Huutopussi: cards, declarations and answers by solved worlds; the rest by rules of thumb.

Each imagined world is solved twice: is the contract made, and (with few cards left) by how much does one side
outscore the other? A contract made or missed counts double its points, everything else by the difference.
"""

from collections.abc import Mapping
from random import Random

from nousu.engine.actions import Action, Call, Play
from nousu.engine.cards import RANKS, SUITS, TEN_BELOW_ACE, parse_card
from nousu.engine.game import View
from nousu.engine.seats import side
from nousu.players import Choice
from nousu.players.searcher import Effort, best_on_average, imagined, reasoned, solved
from nousu.players.worlds import World
from nousu.solver.position import Goal, Huutopussi, Marriages, Move, Position, Say, Solution

DIFFERENCE_CARDS = 7
"""Up to so many cards in a hand the difference of points is solved as well as the contract; it takes ten
times as long."""
LEANING = 1.0
"""By how many points another move must be better than the rule-based player's."""
_KING = RANKS.index("K")


def choose(view: View, effort: Effort, seed: int, usual: Choice) -> Choice:
    """The action of a searching player; `usual` is the rule-based one's."""
    playing = view.facts["phase"] in ("play", "answer")
    if not playing or max(view.counts) > effort.cards or Call("no") in view.legal:
        return usual
    moves = {action: move_of(action) for action in view.legal}
    drawn = imagined(view, effort.worlds, Random(seed))
    made: list[Solution] = []
    if view.facts["contract"] is not None:
        made = solved([(position_of(view, world), _goal(view, True)) for world in drawn], effort)
    differences: list[Solution] = []
    if max(view.counts) <= DIFFERENCE_CARDS:
        differences = solved([(position_of(view, world), _goal(view, False)) for world in drawn], effort)
    if max(len(made), len(differences)) < 2:
        return usual
    actions = list(moves)
    rows = [_values(view, moves[action], differences, made) for action in actions]
    action, mean = best_on_average(actions, rows, usual.action, LEANING)
    return reasoned(
        action,
        "Best in {worlds} imagined deals: {points} points on average",
        worlds=max(len(made), len(differences)),
        points=f"{mean:+.0f}",
    )


def _values(view: View, move: Move, differences: list[Solution], made: list[Solution]) -> list[float]:
    """What a move is worth to the viewer's side: half the difference, and the contract twice."""
    assert view.seat is not None
    value = 0.0
    if differences:
        value += sum(answer.moves[move] for answer in differences) / len(differences) / 2
    if made:
        declaring = side(view.facts["declarer"]) == side(view.seat)
        share = sum(answer.moves[move] for answer in made) / len(made)
        stake = view.facts["contract"] * (2 if view.rules.failed_contract == "minus_contract" else 1)
        value += stake * (share if declaring else -share)
    return [value]


def move_of(action: Action) -> Move:
    """The solver's name for an action of the play."""
    if isinstance(action, Play):
        return action.card
    assert isinstance(action, Call)
    match action.word.split():
        case ["marriage", suit]:
            return Say("marriage", 16 * SUITS.index(suit) + _KING)
        case ["ask", "half", card]:
            return Say("half", parse_card(card))
        case ["yes", suit]:
            return Say("answer", 16 * SUITS.index(suit) + _KING)
    return Say("full")


def position_of(view: View, world: World) -> Position:
    """The position on the table in this world, with the rights to declare that are left."""
    facts = view.facts
    assert view.seat is not None
    points: Mapping[int, int] = {one: facts["cards"][one] + facts["marriage_points"][one] for one in (0, 1)}
    asked = facts["phase"] == "answer"
    rights = Marriages(
        declared=frozenset(SUITS.index(one["suit"]) for one in facts["marriages"]),
        own=tuple(facts["may_declare_own"]),
        full=tuple(facts["may_ask_full"]),
        open=facts["may_declare"] and not asked,
        asked=asked,
    )
    return Position(
        hands=world.hands,
        turn=view.seat,
        trick=view.trick,
        trump=None if facts["trump"] is None else SUITS.index(facts["trump"]),
        strength=TEN_BELOW_ACE,
        won=(points[0], points[1]),
        marriages=rights,
    )


def _goal(view: View, contract: bool) -> Goal:
    """Whether the contract is made, or by how much the viewer's side is ahead."""
    rules, facts = view.rules, view.facts
    assert view.seat is not None
    return Huutopussi(
        side=side(facts["declarer"]) if contract else side(view.seat),
        aim="points" if contract else "difference",
        contract=facts["contract"] if contract else None,
        card_values=rules.card_values,
        last_trick=rules.last_trick,
        marriage_values=rules.marriage_values,
        declare_right=rules.declare_right,
    )
