"""The review of Huutopussi: solved deals find the choices that may matter, playouts measure them."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Call, Give, Play
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.games.huutopussi import Ask, Doubling, Facts, Pass, call_of, said
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.huutopussi import searcher
from nousu.players.huutopussi.inference import bid_likelihoods
from nousu.players.worlds import World
from nousu.review.model import ReviewEffort
from nousu.review.playouts import play_out_slowly
from nousu.solver.api import compiled, solve_many
from nousu.solver.views.huutopussi import goal_of, position_of

TRICK = 20.0
"""The value of a trick, in points: nine of them share 160 and the marriages."""
NO_PAR = Note(
    "", "Hands have no par here: the best play for the contract is not the best play for other points."
)
_DIFFERENCE_CARDS = 7
"""Greatest number of cards in a hand at which the points beside the contract are solved too."""


def slow(view: View) -> bool:
    """Return True: a world costs milliseconds."""
    return True


def unit(view: View) -> float:
    """The value of a trick, in points."""
    return TRICK


def options(view: View, taken: Action) -> list[Action]:
    """The actions to compare: in the play every card, declaration and hopeful question.

    Before it the action taken, those of the rules of thumb and of the searching player, and to pass.
    """
    if _solvable(view) and not _doubles(taken):
        hopeful = [
            choice for choice in view.legal if choice == taken or not (_asks(choice) or _doubles(choice))
        ]
        return hopeful + [choice for choice in view.legal if choice != taken and _asks(choice)][:2]
    ways = [taken]
    for name in ("rules", "searcher"):
        action = find_player(name).choose(view, DEFAULT_BUDGET, 0).action
        if action not in ways:
            ways.append(action)
    given_up = call_of(Pass())
    if given_up in view.legal and given_up not in ways:
        ways.append(given_up)
    return ways


def same(view: View, one: Action, other: Action) -> bool:
    """Whether two actions mean the same: only if they are the same."""
    return one == other


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether two actions can be played out beside each other: all of them."""
    return True


def kind(view: View, action: Action) -> str:
    """A bid, kontra, the exchange, the contract, a marriage or question, or a card by its turn."""
    phase = Facts.of(view.facts).phase
    if isinstance(action, Give):
        return "exchange"
    if _doubles(action):
        return "bid"
    if not isinstance(action, Play):
        return {"auction": "bid", "contract": "contract"}.get(phase, "marriage")
    return "follow" if view.trick else "lead"


def _asks(action: Action) -> bool:
    return isinstance(action, Call) and isinstance(said(action), Ask)


def _doubles(action: Action) -> bool:
    return isinstance(action, Call) and isinstance(said(action), Doubling)


def _solvable(view: View) -> bool:
    return Facts.of(view.facts).phase in ("play", "answer")


measure = play_out_slowly


def first_values(
    view: View, actions: Sequence[Action], worlds: Sequence[World], seed: int
) -> list[list[float]] | None:
    """The value of each action in solved worlds; None before the play."""
    return _solved(view, actions, worlds, 200_000)


weights = bid_likelihoods


def solved(
    view: View, actions: Sequence[Action], worlds: Sequence[World], effort: ReviewEffort
) -> list[list[float]] | None:
    """Values with all cards open in each world; None where that cannot be told."""
    return _solved(view, actions, worlds, effort.nodes)


def _solved(
    view: View, actions: Sequence[Action], worlds: Sequence[World], nodes: int
) -> list[list[float]] | None:
    facts = Facts.of(view.facts)
    if compiled() is None or not _solvable(view):
        return None
    moves = [move for action in actions if (move := searcher.solver_move(view, action)) is not None]
    if len(moves) < len(actions):
        return None
    rows: list[list[float]] = [[] for _ in actions]
    for world in worlds:
        position = position_of(view, world.hands)
        values = [0.0] * len(moves)
        contract = facts.contract is not None
        for aim in (True, False):
            if not (contract if aim else max(view.counts) <= _DIFFERENCE_CARDS):
                continue
            (answer,) = solve_many([(position, goal_of(view, aim))], want="all", nodes=nodes)
            if answer is None or any(move not in answer.moves for move in moves):
                return None
            factor = searcher.contract_stake(view) if aim else 0.5
            for at, move in enumerate(moves):
                values[at] += factor * answer.moves[move]
        for row, value in zip(rows, values, strict=True):
            row.append(value)
    return rows
