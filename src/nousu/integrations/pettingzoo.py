"""Every preset as a PettingZoo environment.

Importing this registers them: ``pettingzoo.make("aec", "nousu/tuppi-v0")``. They are those of
`nousu.integrations.aec`, with spaces of Gymnasium. Needs ``pip install 'nousu[rl]'``.
"""

from typing import Any, ClassVar

try:
    import pettingzoo
    from gymnasium import Space
    from pettingzoo.env_registry.registration import aec_registry, register
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install 'nousu[rl]'") from None

from nousu.integrations.aec import Agents
from nousu.integrations.single_table import environment_names, spaces_of

__all__ = ["PettingZooEnv", "env"]


class PettingZooEnv(Agents, pettingzoo.AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """`nousu.integrations.aec.Agents` as PettingZoo takes them."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "name": "nousu",
    }

    def __init__(self, rules: str = "tuppi", **settings: Any) -> None:
        """Set up a table with rules and settings as in `Agents`."""
        super().__init__(rules, **settings)
        spaces: dict[str, Any] = {agent: spaces_of(self.table.layout) for agent in self.possible_agents}
        self.observation_spaces: dict[str, Space[Any]] = {agent: pair[0] for agent, pair in spaces.items()}
        self.action_spaces: dict[str, Space[Any]] = {agent: pair[1] for agent, pair in spaces.items()}

    def observation_space(self, agent: str) -> "Space[Any]":
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "Space[Any]":
        """The space of all actions of an agent; the mask tells which of them are legal now."""
        return self.action_spaces[agent]


def env(rules: str = "tuppi", **settings: Any) -> PettingZooEnv:
    """The environment by rules with options, as `PettingZooEnv` takes them: ``env("tuppi+sooli=off")``."""
    return PettingZooEnv(rules, **settings)


for _name, _preset in environment_names().items():
    if _name not in aec_registry:
        register("aec", _name, entry_point=f"{__name__}:env", kwargs={"rules": _preset})
