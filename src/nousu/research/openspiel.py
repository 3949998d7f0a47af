"""Hands of every family as an OpenSpiel game: numbers and observations are those of `nousu.env`.

Needs the extra ``pip install 'nousu[rl]'``. Importing this module registers ``python_nousu``:
``pyspiel.load_game("python_nousu", {"rules": "huutopussi", "seats": 4})``. In the name of a game OpenSpiel
reads no "=": an option is written ``tuppi+sooli:off`` there. A state is one hand from an empty score; chance
deals the pack card by card, then one seat after another acts."""

from typing import Any

try:
    import numpy as np
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install 'nousu[rl]'") from None

from nousu.engine.actions import heard
from nousu.engine.seats import CHANCE
from nousu.env import Walk
from nousu.games import find

_TYPE = pyspiel.GameType(
    short_name="python_nousu",
    long_name="Nousu: northern trick-taking games",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "tuppi", "seats": 0},
)


class HandGame(pyspiel.Game):  # type: ignore[misc]
    """One hand from an empty score; the utility of a seat is the points of its side, or its own, in that
    hand."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules = str(given.get("rules", "tuppi")).replace(":", "=")
        self.family, self.rules = find(rules)
        takes = self.family.seats_for(rules)
        seats = int(given.get("seats", 0)) or (4 if 4 in takes else takes.start)
        self.family.check_seats(rules, seats)
        self.walk = Walk.start(self.family, self.rules, seats)
        self.walk.family.own_codes(self.rules)  # refuses what no environment knows
        cards, planes, scalars, actions = self.walk.layout.size
        self.tensor_size = planes * cards + scalars
        low, high = self.walk.family.bounds(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=cards,
            num_players=seats,
            min_utility=float(low),
            max_utility=float(high),
            max_game_length=self.walk.family.LONGEST,
        )
        super().__init__(_TYPE, info, {"rules": rules.replace("=", ":"), "seats": seats})

    def new_initial_state(self) -> "HandState":
        """A state before the first card is dealt."""
        return HandState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What OpenSpiel asks for tensors and texts of what a player knows."""
        return Observer(self.tensor_size)


class _At:
    """Where a state stands: values only, so that a copy may share them. It is written as what has
    happened."""

    __slots__ = ("done", "pack", "walk")

    def __init__(self, walk: Walk, pack: tuple[int, ...] = (), done: tuple[int, ...] = ()) -> None:
        self.walk = walk
        self.pack = pack
        """The cards that chance has dealt."""
        self.done = done
        """Cards and actions, by number."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "_At":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        match = self.walk.match
        return _reached, (match.game.name_of(match.rules), match.seats, self.done)

    def after(self, number: int) -> "_At":
        """One card or action on."""
        walk, pack = self.walk, self.pack
        if walk.seat != CHANCE:
            walk = walk.act(number)
        else:
            pack = (*pack, number)
            if len(pack) == len(walk.layout.pack):
                walk = walk.deal(pack)
        return _At(walk, pack, (*self.done, number))


def _reached(rules: str, seats: int, done: tuple[int, ...]) -> _At:
    """Where these cards and actions lead."""
    game, chosen = find(rules)
    at = _At(Walk.start(game, chosen, seats))
    for number in done:
        at = at.after(number)
    return at


class HandState(pyspiel.State):  # type: ignore[misc]
    """A hand as OpenSpiel walks through it."""

    def __init__(self, game: HandGame) -> None:
        super().__init__(game)
        self.at = _At(game.walk)

    @property
    def walk(self) -> Walk:
        """The hand by the rules."""
        return self.at.walk

    def current_player(self) -> int:
        """Whose decision it is."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.walk.seat == CHANCE else self.walk.seat

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return bool(self.walk.match.played)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.walk.moves) if player == self.walk.seat and not self.is_terminal() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, each as likely."""
        left = [card for card in range(len(self.walk.layout.pack)) if card not in self.at.pack]
        return [(card, 1 / len(left)) for card in left]

    def _apply_action(self, number: int) -> None:
        self.at = self.at.after(number)

    def _action_to_string(self, player: int, number: int) -> str:
        layout = self.walk.layout
        return f"deal {layout.pack[number]}" if player == pyspiel.PlayerId.CHANCE else layout.label(number)

    def returns(self) -> list[float]:
        """Points of each player in the hand."""
        match = self.walk.match
        if not match.played:
            return [0.0] * match.seats
        points = match.played[0].result.points
        return [float(points[seat % 2 if match.game.sides else seat]) for seat in range(match.seats)]

    def information_state_string(self, player: int | None = None) -> str:
        """Everything this seat has heard, its own cards included, and whose turn it is."""
        walk = self.walk
        seat = walk.seat if player is None else player
        hand = walk.match.played[0].hand if walk.match.played else walk.match.hand
        said = [f"{by} {heard(seat, action, by)}" for by, action in hand.log]
        said.append(f"silent {sorted(walk.silent)}, turn {walk.seat}")
        if walk.part and seat == walk.seat:
            said.append("chosen " + " ".join(map(str, walk.part)))
        return f"{seat}: " + "; ".join(said)

    def __str__(self) -> str:
        hand = self.walk.match.played[0].hand if self.walk.match.played else self.walk.match.hand
        said = [f"{by} {action}" for by, action in hand.log]
        return "; ".join(
            [*said, " ".join(map(str, self.at.pack)), str(sorted(self.walk.silent)), str(self.walk.part)]
        )


class Observer:
    """An observation as one row of numbers, planes before scalars, and as a text."""

    def __init__(self, size: int) -> None:
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: HandState, player: int) -> None:
        """Fill the tensor with what this player knows; nothing before the cards and after the hand."""
        self.tensor[:] = 0
        if not state.is_terminal() and state.walk.seat != CHANCE:
            planes, scalars = state.walk.observe(player)
            self.tensor[:] = np.concatenate([planes.reshape(-1), scalars])

    def string_from(self, state: HandState, player: int) -> str:
        """The same as the information state: nobody forgets."""
        return state.information_state_string(player)


pyspiel.register_game(_TYPE, HandGame)
