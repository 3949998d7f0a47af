"""Every preset as a PettingZoo environment.

Importing this registers them: ``pettingzoo.make("aec", "nousu/tuppi-v0")``. Agents are ``seat_0`` (North) and
so on, clockwise. An observation is a dictionary of one row of numbers (planes before scalars,
docs/environments.md) and the mask of legal actions, which is empty for whoever does not act. Needs
``pip install 'nousu[rl]'``.
"""

from typing import Any, ClassVar

try:
    import pettingzoo
    from gymnasium import Space
    from pettingzoo.env_registry.registration import aec_registry, register
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install 'nousu[rl]'") from None

import numpy as np

from nousu.research.table import Episodes, Reward, names, spaces_of, text

__all__ = ["Nousu", "env"]


class Nousu(pettingzoo.AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A table at which one seat acts after another. An episode is one hand, or with `matches` a match; all
    agents end at the same time."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "name": "nousu",
    }

    def __init__(
        self,
        rules: str = "tuppi",
        *,
        seats: int = 0,
        matches: bool = False,
        reward: Reward = "points",
        render_mode: str | None = None,
    ) -> None:
        """Rules as `nousu.find` reads them; the rest as in `Episodes`."""
        super().__init__()
        self.table = Episodes(rules, seats=seats, matches=matches, reward=reward)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        both: dict[str, Any] = {agent: spaces_of(self.table.layout) for agent in self.possible_agents}
        self.observation_spaces: dict[str, Space[Any]] = {agent: pair[0] for agent, pair in both.items()}
        self.action_spaces: dict[str, Space[Any]] = {agent: pair[1] for agent, pair in both.items()}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> "Space[Any]":
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "Space[Any]":
        """What an agent may ever do; the mask tells what it may do now."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new episode. A seed decides all that chance does in it and in those after it."""
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
        """What an agent knows now; nothing after the end."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.table.observe(seat), "action_mask": self.table.mask(seat)}

    def step(self, action: int | None) -> None:
        """The action of the agent selected; None from those whose episode is over. ValueError if it is not
        legal; then nothing has happened."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act; None is for agents whose episode is over")
        self.table.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.table.rewards, strict=True))
        if self.table.over:
            self.terminations = dict.fromkeys(self.agents, True)
            at = self.agents.index(agent)
            self.agent_selection = self.agents[(at + 1) % len(self.agents)]
        else:
            self.agent_selection = self._agent()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The record of the episode so far, all cards open: returned (`ansi`) or printed (`human`)."""
        if self.render_mode is None:
            return None
        shown = text(self.table.walk())
        if self.render_mode == "ansi":
            return shown
        print(shown)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def __str__(self) -> str:
        return "nousu"

    def _agent(self) -> str:
        return self.possible_agents[self.table.seat]


def env(rules: str = "tuppi", **settings: Any) -> Nousu:
    """The environment by rules with options, as `Nousu` takes them: ``env("tuppi+sooli=off")``."""
    return Nousu(rules, **settings)


for _name, _preset in names().items():
    if _name not in aec_registry:
        register("aec", _name, entry_point=f"{__name__}:env", kwargs={"rules": _preset})
