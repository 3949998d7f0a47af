"""Every preset with the interface of PettingZoo's AEC environments, using only NumPy: agents act one by one.

``env("nousu/tuppi-v0")`` is reset, asked for its ``last()`` and stepped as environments of PettingZoo are,
without that package; `nousu.integrations.pettingzoo` makes them environments of PettingZoo, with spaces
and registered names. Agents are ``seat_0`` (North) and so on, clockwise. An observation is a dictionary of
one row of numbers (planes before scalars, docs/research/environments.md) and the mask of legal actions,
which is empty for agents that are not to act.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Self

import numpy as np

from nousu.integrations.single_table import Episodes, Reward, environment_names, render_record

__all__ = ["Agents", "env"]

_MADE_BY_RESET = {"agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"}


class Agents:
    """A table at which one seat acts after another.

    An episode is one hand, or with `matches` a match; all agents end at the same time.

    >>> table = Agents("tuppi")
    >>> table.reset(seed=1)
    >>> seen, reward, ended, cut_off, info = table.last()
    >>> table.step(int(seen["action_mask"].argmax()))
    >>> reward, ended
    (0.0, False)
    """

    def __init__(
        self,
        rules: str = "tuppi",
        *,
        seats: int = 0,
        matches: bool = False,
        reward: Reward = "points",
        render_mode: str | None = None,
    ) -> None:
        """Set up a table with rules as `nousu.find` reads them; the rest as in `Episodes`."""
        self.table = Episodes(rules, seats=seats, matches=matches, reward=reward)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        """Agents that have still to act, or to learn that the episode is over."""
        self._seeds = np.random.default_rng()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new episode. A seed decides everything left to chance in it and in later ones."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.table.reset(int(self._seeds.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent()

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation and the mask of an agent; all 0 after the end."""
        seat = self.seat_of(agent)
        return {"observation": self.table.observe(seat), "action_mask": self.table.mask(seat)}

    def seat_of(self, agent: str) -> int:
        """The seat of an agent; `ValueError` names the agents."""
        if agent not in self.possible_agents:
            raise ValueError(f"{agent!r} is no agent; the agents are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """The state of the agent to act.

        Returns:
            Its observation, its reward since it last acted, whether the episode is over, whether it was cut
            off (never), and further information (none).
        """
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they act, until all know that the episode is over.

        Call `step` for each.
        """
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def step(self, action: int | None) -> None:
        """Carry out the action of the selected agent; None for agents whose episode is over.

        ValueError if it is not legal; then the state is unchanged.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act; None is for agents whose episode is over")
        self.table.step(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.table.rewards, strict=True))
        for other, won in self.rewards.items():
            self._cumulative_rewards[other] += won
        if self.table.over:
            self.terminations = dict.fromkeys(self.agents, True)
            at = self.agents.index(agent)
            self.agent_selection = self.agents[(at + 1) % len(self.agents)]
        else:
            self.agent_selection = self._agent()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The record of the episode so far, all cards open: returned (`ansi`) or printed (`human`)."""
        return render_record(self.table.walk(), self.render_mode) if self.render_mode else None

    def __getattr__(self, name: str) -> Any:
        """Refuse attributes that only `reset` makes."""
        if name in _MADE_BY_RESET:
            raise AttributeError(f"there is no {name.strip('_')} yet: reset begins an episode")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __copy__(self) -> Self:
        """An independent copy in mid-hand, like `copy.deepcopy` and pickle make one."""
        return deepcopy(self)

    def close(self) -> None:
        """Do nothing: no resource is held open."""

    def __str__(self) -> str:
        return "nousu"

    def _agent(self) -> str:
        return self.possible_agents[self.table.seat]

    def _leave(self, agent: str, action: int | None) -> None:
        """Note that an agent has learned that the episode is over."""
        if action is not None:
            raise ValueError(f"the episode of {agent} is over, which takes None and no action {action}")
        self.agents.remove(agent)
        for by_agent in (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        ):
            del by_agent[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]


def env(rules: str = "tuppi", **settings: Any) -> Agents:
    """The environment of a versioned name (``nousu/tuppi-v0``) or of rules (``tuppi+sooli=off``).

    Settings are those of `Agents`.
    """
    return Agents(environment_names().get(rules, rules), **settings)
