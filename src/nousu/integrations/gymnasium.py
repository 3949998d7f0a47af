"""Every preset as a Gymnasium environment for one seat, against named players.

    import gymnasium
    env = gymnasium.make("nousu.integrations.gymnasium:nousu/tuppi-v0", opponents="rules")

All other seats, the partner's too, are held by players of `nousu.players` (`random`, `rules`, `easy` …) or by
your own (``cmd:…``, ``py:…``), who see what a person there would see. Needs ``pip install 'nousu[rl]'``.
"""

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Self

try:
    import gymnasium
except ImportError:
    raise ImportError("Gymnasium is not installed: pip install 'nousu[rl]'") from None

import numpy as np
from numpy.typing import NDArray

import nousu
from nousu.engine.seats import CHANCE, Seat, check_seat
from nousu.env import Walk
from nousu.games import seats_of
from nousu.integrations.single_table import (
    Reward,
    action_number,
    environment_names,
    observation_row,
    player_action,
    render_record,
    row_size,
    spaces_of,
)
from nousu.players import Player, load_player
from nousu.players.seat_loop import derive_seed

if TYPE_CHECKING:
    from nousu.integrations.rewards import Chance

__all__ = ["GymnasiumEnv"]

Observation = dict[str, NDArray[Any]]


class GymnasiumEnv(gymnasium.Env[Observation, int]):
    """One seat of a table. An episode is one hand from an empty score, or with `matches` a match.

    The reward is, when a hand is over, the gain of one's own side over the other (where everybody plays
    alone: one's own points), or the change of the chance to win the match. An action that is not legal
    forfeits the episode: it ends with the worst that a hand can bring (`illegal="error"`: ValueError).
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(  # noqa: PLR0913 — settings by name
        self,
        rules: str = "tuppi",
        *,
        opponents: str = "rules",
        partner: str = "",
        seat: int = 0,
        seats: int = 0,
        matches: bool = False,
        reward: Reward = "points",
        illegal: Literal["forfeit", "error"] = "forfeit",
        render_mode: str | None = None,
    ) -> None:
        """Take a seat; the first dealer is drawn.

        Args:
            rules: A preset, or preset+option=value.
            opponents: The player of the other seats.
            partner: The player of the partner's seat; one of the opponents where empty.
            seat: The seat of the learner; 0 is North.
            seats: Number of seats; 0 for the usual one.
            matches: Whether an episode is a whole match.
            reward: Points, or the change of the chance to win the match (whole matches only).
            illegal: An illegal action forfeits the episode, or raises ValueError.
            render_mode: None, ``ansi`` or ``human``.

        Raises:
            BadRules: There are no such rules, or not for this many seats.
            ValueError: The seat or the reward is not possible.
            Explained: There is no such player.
        """
        self.game, self.rules = nousu.find(rules)
        self.seats = seats_of(rules, seats)
        check_seat(seat, self.seats)
        if reward == "equity" and not matches:
            raise ValueError("match equity is a reward of whole matches: matches=True")
        self.seat: Seat = seat
        self._names: dict[Seat, str] = {}
        self._players: dict[Seat, Player] = {}
        for other in range(self.seats):
            mate = bool(self.game.sides) and other % 2 == seat % 2
            self._names[other] = (mate and partner) or opponents
            self._players[other] = load_player(self._names[other])
        self.walk = Walk.start(self.game, self.rules, self.seats)
        self.walk.family.own_codes(self.rules)  # refuses rules that no environment knows
        self._equity = reward == "equity"
        self._chance = self._load_chance()
        self._matches, self._illegal = matches, illegal
        self.render_mode = render_mode
        self.observation_space, self.action_space = spaces_of(self.walk.layout)
        self.over = True

    def _load_chance(self) -> "Chance | None":
        """The chance to win by the score, where that is the reward."""
        if not self._equity:
            return None
        from nousu.integrations.rewards import chance_by_score

        return chance_by_score(self.game.name_of(self.rules))

    def __copy__(self) -> Self:
        """An independent copy in mid-hand; the other players, who keep nothing, are shared."""
        copy = object.__new__(type(self))
        vars(copy).update(vars(self) | {"_np_random": deepcopy(self._np_random)})
        if hasattr(self, "_rng"):
            copy._rng = deepcopy(self._rng)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy like `__copy__`: no changing part is shared."""
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """The state without what follows from the walk and from the names of the players."""
        derived = ("_players", "_chance", "game", "rules", "observation_space", "action_space")
        return {name: value for name, value in vars(self).items() if name not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a state over."""
        vars(self).update(state)
        self.game, self.rules = self.walk.match.game, self.walk.match.rules
        self._players = {seat: load_player(name) for seat, name in self._names.items()}
        self._chance = self._load_chance()
        self.observation_space, self.action_space = spaces_of(self.walk.layout)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new episode and play on to the first choice of this seat.

        The seed decides everything left to chance, and the seeds of the other players.
        """
        super().reset(seed=seed)
        while True:
            self._seed = int(self.np_random.integers(2**63))
            self._rng = Random(self._seed)
            self.walk = Walk.start(self.game, self.rules, self.seats, self._rng.randrange(self.seats))
            self.over, self._paid = False, 0
            self._north = 0.5 if self._chance is None else self._chance((0, 0), (0, 0), 0)
            self._play_on()
            if not self.over:  # else the hand ended before this seat had a choice
                return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out the action of this seat, and those of the others up to its next choice."""
        if self.over:
            raise ValueError("this is over: reset begins anew")
        number = action_number(action)
        if number not in self.walk.moves:
            if self._illegal == "error":
                label = self._label(number)
                raise ValueError(f"action {number} ({label}) is not legal; the mask tells what is")
            self.over = True
            info = self._info() | {"forfeit": self._label(number)}
            return self._observation(), self._worst(), True, False, info
        self.walk = self.walk.act(number)
        gained = self._play_on()
        if self.render_mode == "human":
            self.render()
        return self._observation(), gained, self.over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask under the name that learners with masked actions call."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """The record of the episode so far, all cards open: returned (`ansi`) or printed (`human`)."""
        return render_record(self.walk, self.render_mode)

    def _play_on(self) -> float:
        """Deal, and let the others act up to the next choice of this seat or the end; return the gain."""
        gained = self._booked()
        while not self.over and self.walk.seat != self.seat:
            if self.walk.seat == CHANCE:
                self.walk = self.walk.shuffled(self._rng)
            else:
                self.walk = self.walk.act(self._choice(self.walk.seat))
            gained += self._booked()
        return gained

    def _choice(self, seat: Seat) -> int:
        """The action of the player of another seat."""
        match = self.walk.match
        seed = derive_seed(self._seed, len(match.played), len(match.hand.log), seat)
        return player_action(self.walk, self._players[seat], seed)

    def _booked(self) -> float:
        """The reward of the hands that are over and have not been paid."""
        match = self.walk.match
        gained = 0.0
        while self._paid < len(match.played):
            points = match.played[self._paid].result.points
            self._paid += 1
            self.over = match.winner is not None if self._matches else True
            if self._chance is not None:
                gained += self._gain()
            elif match.game.sides:
                gained += points[self.seat % 2] - points[1 - self.seat % 2]
            else:
                gained += points[self.seat]
        return gained

    def _gain(self) -> float:
        """The change of one's own side's chance to win the match by the last hand."""
        match = self.walk.match
        if match.winner is not None:
            after = 0.5 + 0.5 * ((0 in match.winner) - (1 in match.winner))
        else:
            assert self._chance is not None
            tally: Any = match.tally
            total = getattr(tally, "total", (0, 0)) if match.rules.score_model == "single_riser" else (0, 0)
            after = self._chance(tally.score(), total, tally.hands)
        gained, self._north = after - self._north, after
        return gained if self.seat % 2 == 0 else -gained

    def _worst(self) -> float:
        low, high = self.walk.family.bounds(self.rules)
        if self._chance is not None:
            return -self._north if self.seat % 2 == 0 else self._north - 1
        return float(low - high) if self.game.sides else float(low)

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(self.walk.layout.size[3], np.int8)
        if not self.over:
            mask[list(self.walk.moves)] = 1
        return mask

    def _observation(self) -> Observation:
        size = row_size(self.walk.layout)
        known = np.zeros(size, np.int16) if self.over else observation_row(*self.walk.observe(self.seat))
        return {"observation": known, "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _label(self, number: int) -> str:
        known = 0 <= number < self.walk.layout.size[3]
        return self.walk.layout.label(number) if known else "there is no such action"


for _name, _preset in environment_names().items():
    if _name not in gymnasium.registry:
        gymnasium.register(_name, entry_point=f"{__name__}:GymnasiumEnv", kwargs={"rules": _preset})
