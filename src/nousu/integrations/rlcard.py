"""Every preset as an RLCard environment: ``rlcard.make("nousu/tuppi-v0")`` once this is imported.

An episode is one hand from an empty score; `make` of this module takes rules with options. The observation
is one row of numbers, planes before scalars (docs/research/environments.md). Needs ``pip install
'nousu[rl]'``.
"""

from collections import OrderedDict
from copy import deepcopy
from typing import Any, NamedTuple, Self

try:
    from rlcard.envs.env import Env
    from rlcard.envs.registration import registry
except ImportError:
    raise ImportError("RLCard is not installed: pip install 'nousu[rl]'") from None

import numpy as np
from numpy.typing import NDArray

from nousu.integrations.single_table import Episodes, action_number, environment_names

__all__ = ["RLCardEnv", "make"]


class RLCardGame:
    """A table as RLCard's environments hold it."""

    allow_step_back = False
    np_random: np.random.RandomState

    def __init__(self, table: Episodes) -> None:
        self.table = table

    def init_game(self) -> tuple[int, int]:
        """Deal; return the first player's number, as state and as player."""
        high, low = (int(number) for number in self.np_random.randint(0, 2**31, 2))
        self.table.reset(high << 31 | low)
        return self.table.seat, self.table.seat

    def step(self, action: int) -> tuple[int, int]:
        """Do an action of the player on turn; return the next player's number, as state and as player."""
        self.table.step(action)
        return self.table.seat, self.table.seat

    def step_back(self) -> bool:
        """Take the last action back; return whether there was one."""
        return self.table.back()

    def get_state(self, player: int) -> int:
        """Return the player's number, from which the environment extracts the state."""
        return player

    def get_num_players(self) -> int:
        """Number of players at the table."""
        return self.table.seats

    def get_num_actions(self) -> int:
        """Number of actions in all."""
        return self.table.actions

    def get_player_id(self) -> int:
        """The seat to act."""
        return self.table.seat

    def is_over(self) -> bool:
        """Whether the hand is over."""
        return self.table.over


class RLCardEnv(Env):  # type: ignore[misc]
    """One hand after another. Payoffs are the points of each player in the hand."""

    def __init__(self, config: dict[str, Any], rules: str = "tuppi", seats: int = 0) -> None:
        """Set up with RLCard's own settings (`seed`, `allow_step_back`) and the rules."""
        self.name = f"nousu/{rules}"
        self.table = Episodes(rules, seats=seats)
        self.game = RLCardGame(self.table)
        super().__init__(config)
        self.state_shape = [[self.table.size]] * self.num_players
        self.action_shape: list[Any] = [None] * self.num_players

    def __copy__(self) -> Self:
        """An independent copy in mid-hand, like `copy.deepcopy` and pickle make one."""
        return deepcopy(self)

    def get_payoffs(self) -> NDArray[np.float64]:
        """The points of each player in the hand that is over."""
        return np.array(self.table.rewards)

    def get_perfect_information(self) -> dict[str, Any]:
        """The cards and actions so far, as a record, and the seat on turn."""
        from nousu.integrations.single_table import record_text

        return {"record": record_text(self.table.walk()), "current_player": self.get_player_id()}

    def _extract_state(self, player: int) -> dict[str, Any]:
        legal = self.table.legal() if player == self.table.seat else []
        labels = [self.table.layout.label(number) for number in legal]
        known = self.table.observe(player)
        return {
            "obs": known,
            "legal_actions": OrderedDict((number, None) for number in legal),
            "raw_obs": known,
            "raw_legal_actions": labels,
            "action_record": self.action_recorder,
        }

    def _decode_action(self, action_id: int) -> int:
        return action_number(action_id)

    def _get_legal_actions(self) -> list[int]:
        return self.table.legal()


def make(rules: str = "tuppi", config: dict[str, Any] | None = None, *, seats: int = 0) -> RLCardEnv:
    """The environment by rules as `nousu.find` reads them."""
    return RLCardEnv({"seed": None, "allow_step_back": False, **(config or {})}, rules, seats)


class _Spec(NamedTuple):
    """The entry of an environment in RLCard's registry."""

    rules: str

    def make(self, config: dict[str, Any]) -> RLCardEnv:
        return make(self.rules, config)


for _name, _preset in environment_names().items():
    registry.env_specs[_name] = _Spec(_preset)
