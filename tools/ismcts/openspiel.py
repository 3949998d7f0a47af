"""The whist family as an OpenSpiel game, and OpenSpiel's information-set search as a player of ours.

Needs the extra ``pip install 'nousu[rl]'``. Importing this module registers ``python_nousu_whist`` with
OpenSpiel; ``pyspiel.load_game("python_nousu_whist", {"rules": "tuppi+sooli=off"})`` loads it with other rules
(in the name of the game OpenSpiel can read back a preset, but no option). A state deals 52 cards one at a
time, then asks one seat after another; forced actions are carried out automatically, and breaking a hand off
early is not offered.

`IsmctsPlayer` gives our own sampler of worlds to OpenSpiel's ``ISMCTSBot`` (the one in Python), so that both
search the same worlds and only the search differs. It walks through `light` states, and its random playouts
run in the compiled core where there is one.
In the arena it is called ``py:tools.ismcts.openspiel:one_second`` (or ``ten_thousand``).
"""

import math
from random import Random
from time import thread_time
from typing import Any

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import ismcts
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install 'nousu[rl]'") from None

from nousu.engine.actions import Deal, heard
from nousu.engine.cards import DECK_52, Card
from nousu.engine.game import Setup, View
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.games.whist import Hand, Rules, payoffs
from nousu.players import Budget, Choice
from nousu.players.worlds import worlds
from tools.ismcts.light import ACTIONS, NUMBER, LightState

_TYPE = pyspiel.GameType(
    short_name="python_nousu_whist",
    long_name="Nousu: Tuppi and its relatives",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"rules": "tuppi"},
)


def _info(rules: Rules) -> Any:
    """OpenSpiel's information on a game: the utility is bounded by what these rules pay."""
    most = float(max(rules.sooli_points, *(abs(ours - theirs) for ours, theirs in payoffs(rules))))
    return pyspiel.GameInfo(
        num_distinct_actions=len(ACTIONS),
        max_chance_outcomes=52,
        num_players=4,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=72,
    )


class WhistGame(pyspiel.Game):  # type: ignore[misc]
    """One hand from an empty score; the utility is the points of one's side less those of the other."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        preset = (params or {}).get("rules", "tuppi")
        family, self.rules = find(preset)
        if family is not games()["whist"]:
            raise ValueError(f"{preset} is not of the whist family")
        super().__init__(_TYPE, _info(self.rules), params or {})

    def new_initial_state(self) -> "WhistState":
        """A state before the first card is dealt."""
        family = games()["whist"]
        return WhistState(self, _Dealt(Hand(self.rules, Setup(4, 0, family.tally(self.rules, 4)))))

    def state_of(self, hand: Hand) -> "WhistState":
        """The state of a hand in progress, all cards seen."""
        return WhistState(self, _Dealt(hand))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Words":
        """The knowledge of a player as a text; `nousu.integrations.openspiel` has tensors."""
        return _Words()


class _Words:
    """An observer as OpenSpiel asks for one, without a tensor."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: "WhistState", player: int) -> None:
        """Fill nothing: there is no tensor."""

    def string_from(self, state: "WhistState", player: int) -> str:
        """The information state: nobody forgets."""
        return state.information_state_string(player)


class _Dealt:
    """The values of a state, and values only, so that a copy may share them."""

    __slots__ = ("hand", "pack")

    def __init__(self, hand: Hand, pack: tuple[Card, ...] = ()) -> None:
        self.hand = hand
        self.pack = pack

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Dealt":
        return self


class WhistState(pyspiel.State):  # type: ignore[misc]
    """A hand as OpenSpiel walks through it."""

    def __init__(self, game: WhistGame, dealt: _Dealt) -> None:
        super().__init__(game)
        self.dealt = dealt

    @property
    def hand(self) -> Hand:
        """The hand on the table."""
        return self.dealt.hand

    def current_player(self) -> int:
        """The seat to decide."""
        owed = self.hand.owed()
        if not owed:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if owed == (CHANCE,) else owed[0]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(NUMBER[action] for action in self.hand.legal(player) if action in NUMBER)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, all equally likely."""
        left = [card for card in DECK_52 if card not in self.dealt.pack]
        return [(DECK_52.index(card), 1 / len(left)) for card in left]

    def _apply_action(self, number: int) -> None:
        hand, pack = self.hand, self.dealt.pack
        if hand.owed() == (CHANCE,):
            pack = (*pack, DECK_52[number])
            if len(pack) == 52:
                hand = hand.apply(CHANCE, Deal(tuple(pack[seat * 13 : seat * 13 + 13] for seat in range(4))))
        else:
            hand = hand.apply(hand.owed()[0], ACTIONS[number])
        self.dealt = _Dealt(forced(hand), pack)

    def _action_to_string(self, player: int, number: int) -> str:
        return str(DECK_52[number]) if player == pyspiel.PlayerId.CHANCE else str(ACTIONS[number])

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.hand.result() is not None

    def returns(self) -> list[float]:
        """Points of each player's side less those of the other side."""
        result = self.hand.result()
        if result is None:
            return [0.0] * 4
        lead = float(result.points[0] - result.points[1])
        return [lead, -lead, lead, -lead]

    def information_state_string(self, player: int | None = None) -> str:
        """The log as this seat heard it, its own cards included."""
        seat = self.current_player() if player is None else player
        words = (f"{by} {heard(seat, action, by)}" for by, action in self.hand.log)
        return f"{seat}: " + "; ".join(words)

    def __str__(self) -> str:
        return "; ".join(f"{by} {action}" for by, action in self.hand.log) or " ".join(
            map(str, self.dealt.pack)
        )


def forced(hand: Hand) -> Hand:
    """The hand after all forced actions."""
    while hand.owed() and hand.owed() != (CHANCE,):
        seat = hand.owed()[0]
        legal = [action for action in hand.legal(seat) if action in NUMBER or len(hand.legal(seat)) == 1]
        if len(legal) != 1:
            break
        hand = hand.apply(seat, legal[0])
    return hand


pyspiel.register_game(_TYPE, WhistGame)


class Playouts:
    """OpenSpiel's evaluator: one random playout, every action equally likely."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def evaluate(self, state: LightState) -> list[float]:
        """The returns of a random playout from here; `state` is a simulation's own and is used up."""
        state.play_out(self._rng)
        return state.returns()

    def prior(self, state: LightState) -> list[tuple[int, float]]:
        """Equal weights: no action is preferred."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


class _Bot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's search, stopped after a time if one is given.

    The time is the seconds this thread had a core, so that a busy machine costs it nothing.
    """

    seconds: float | None = None

    def _select_candidate_actions(self, node: Any) -> list[int]:
        """OpenSpiel's UCT rule, each value calculated once and without NumPy.

        NumPy's functions of single numbers took a third of a simulation.
        """
        visits = math.log(node.total_visits)
        values = [
            (child.return_sum / child.visits + self._uct_c * math.sqrt(visits / child.visits), action)
            for action, child in node.child_info.items()
        ]
        least = max(values)[0] - ismcts.TIE_TOLERANCE
        return [action for value, action in values if value > least]

    def run_search(self, state: LightState) -> Any:
        if self.seconds is None:
            return super().run_search(state)
        self.reset()
        self._root_node = self.create_new_node(state)
        end = thread_time() + self.seconds
        while thread_time() < end:
            self.run_simulation(self.sample_root_state(state))
        return self.get_final_policy(state, self._root_node)


class IsmctsPlayer:
    """OpenSpiel's ISMCTS over our worlds: by seconds on a core or by a number of simulations a move.

    The search is ``open_spiel.python.algorithms.ismcts.ISMCTSBot`` as it is; ours are the states
    (`LightState`), the worlds and the playouts. Every hand is played as from an empty score.
    """

    def __init__(self, seconds: float | None = None, simulations: int = 1000, uct: float = 12.0) -> None:
        self._seconds = seconds
        self._simulations = simulations
        self._uct = uct
        """Exploration, in points; a rami is usually worth 4 to 24."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The most visited action."""
        legal = [action for action in view.legal if action in NUMBER]
        if len(legal) < 2:
            return Choice(legal[0] if legal else view.legal[0])
        rng = Random(seed)
        possible, known = worlds(view), LightState(view, WhistGame())

        def drawn(*_: Any) -> LightState:
            return known.filled(possible.sample(rng), rng)

        bot = _Bot(
            known.get_game(),
            Playouts(rng.getrandbits(64)),
            self._uct,
            self._simulations,
            random_state=np.random.RandomState(rng.getrandbits(32)),
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        bot.seconds = self._seconds
        bot.set_resampler(drawn)
        return Choice(ACTIONS[bot.step(drawn())])


def one_second() -> IsmctsPlayer:
    """ISMCTS with a second a move."""
    return IsmctsPlayer(seconds=1.0)


def ten_thousand() -> IsmctsPlayer:
    """ISMCTS with 10,000 simulations a move."""
    return IsmctsPlayer(simulations=10_000)
