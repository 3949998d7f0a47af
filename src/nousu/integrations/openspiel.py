"""Hands of every family as an OpenSpiel game: numbers and observations are those of `nousu.env`.

Needs the extra ``pip install 'nousu[rl]'``. Importing this module registers ``python_nousu``:
``pyspiel.load_game("python_nousu", {"rules": "huutopussi", "seats": 4})``. In the name of a game OpenSpiel
reads no "=": an option is written ``tuppi+sooli:off`` there. A state is one hand from an empty score; chance
deals the pack card by card, then one seat after another acts.

OpenSpiel's own structs cannot be made outside C++; `Struct` has their methods. `resample_from_infostate`
draws a world that fits the player's knowledge, each equally likely, so that OpenSpiel's own search plays.
"""

import json
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

try:
    import numpy as np
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install 'nousu[rl]'") from None

from nousu.engine.actions import Action, Seal, heard
from nousu.engine.frozen import changed
from nousu.engine.game import Hand, View, points_by_seat
from nousu.engine.record import Record, write
from nousu.engine.seats import CHANCE, Seat, refuse_no_actor
from nousu.env import Walk
from nousu.env.layout import Layout
from nousu.env.walk import history_of
from nousu.games import find, seats_of
from nousu.integrations.llm import observation
from nousu.players.worlds import replay_world, worlds

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
    """One hand from an empty score; the utility of a seat is the points of its side, or its own."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules = str(given.get("rules", "tuppi")).replace(":", "=")
        self.family, self.rules = find(rules)
        seats = seats_of(rules, int(given.get("seats", 0)))
        self.walk = Walk.start(self.family, self.rules, seats)
        self.walk.family.own_codes(self.rules)  # refuses rules that no environment knows
        cards, _, _, actions = self.walk.layout.size
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
        """Make OpenSpiel's observer: tensors and texts of a player's knowledge, or of the public one."""
        private = iig_obs_type is None or iig_obs_type.private_info != pyspiel.PrivateInfoType.NONE
        return Observer(self.walk.layout, private)


class _PlaceInWalk:
    """The place of a state in its hand: values only, so that copies share them; pickled as its history."""

    __slots__ = ("done", "pack", "walk")

    def __init__(self, walk: Walk, pack: tuple[int, ...] = (), done: tuple[int, ...] = ()) -> None:
        self.walk = walk
        self.pack = pack
        """The cards that chance has dealt."""
        self.done = done
        """Cards and actions, by number."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "_PlaceInWalk":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        match = self.walk.match
        return _replay, (match.game.name_of(match.rules), match.seats, self.done)

    def after(self, number: int) -> "_PlaceInWalk":
        """The state after one more card or action."""
        walk, pack = self.walk, self.pack
        if walk.seat != CHANCE:
            walk = walk.act(number)
        else:
            pack = (*pack, number)
            if len(pack) == len(walk.layout.pack):
                walk = walk.deal(pack)
        return _PlaceInWalk(walk, pack, (*self.done, number))


def _replay(rules: str, seats: int, done: tuple[int, ...]) -> _PlaceInWalk:
    """The place to which these cards and actions lead."""
    game, chosen = find(rules)
    at = _PlaceInWalk(Walk.start(game, chosen, seats))
    for number in done:
        at = at.after(number)
    return at


class HandState(pyspiel.State):  # type: ignore[misc]
    """A hand as OpenSpiel walks through it."""

    def __init__(self, game: HandGame) -> None:
        super().__init__(game)
        self.at = _PlaceInWalk(game.walk)

    @property
    def walk(self) -> Walk:
        """The hand by the rules."""
        return self.at.walk

    def current_player(self) -> int:
        """The seat to decide."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.walk.seat == CHANCE else self.walk.seat

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return bool(self.walk.match.played)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.walk.moves) if player == self.walk.seat and not self.is_terminal() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, all equally likely."""
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
        return list(map(float, points_by_seat(match.game, match.played[0].result, match.seats)))

    def information_state_string(self, player: int | None = None) -> str:
        """The log as this seat heard it, its own cards included, and the seat on turn."""
        seat = self.walk.seat if player is None else player
        return f"{seat}: {self.transcript(seat)}"

    def transcript(self, seat: Seat | None) -> str:
        """The log as this seat, or a spectator (None), has heard it."""
        if seat is not None:
            refuse_no_actor(seat, self.walk.match.seats)
        walk = self.walk
        words = [_entry(seat, by, action) for by, action in self.hand.log]
        words.append(f"silent {sorted(walk.silent)}, turn {walk.seat}")
        if walk.part and seat == walk.seat:
            words.append("chosen " + " ".join(map(str, walk.part)))
        return "; ".join(words)

    @property
    def hand(self) -> Hand:
        """The hand on the table, or the one that is over."""
        match = self.walk.match
        return match.played[0].hand if match.played else match.hand

    def __str__(self) -> str:
        words = [_entry(by, by, action) for by, action in self.hand.log]
        if self.hand.log:
            words[0] = " ".join(map(str, self.hand.log[0]))
        return "; ".join(
            [*words, " ".join(map(str, self.at.pack)), str(sorted(self.walk.silent)), str(self.walk.part)]
        )

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "HandState":
        """A state that this player cannot tell from this one, each world of its knowledge equally likely.

        Bids face down, and the cards of a packet that another player is choosing, are drawn from the legal
        ones. Before the deal the state is returned as it is.
        """
        walk = self.walk
        if not self.hand.log:
            return self.clone()  # type: ignore[no-any-return]
        rng = Random(int(sampler() * 2**53))
        view = self.hand.view(player)

        def bid(view: View) -> Action:
            return rng.choice([action for action in view.legal if isinstance(action, Seal)])

        hand = replay_world(view, worlds(view).sample(rng), bid)
        done = history_of(changed(walk.match, hand=hand, played=()))
        size = len(walk.layout.pack)
        pack, actions = done[1 : size + 1], done[size + 1 :]
        state = HandState(self.get_game())
        while pack or actions:  # the cards may come after words said before them
            state.apply_action((pack if state.is_chance_node() else actions).pop(0))
        for _ in walk.silent:
            state.apply_action(next(number for number, move in state.walk.moves.items() if move is None))
        for card in walk.part:
            known = walk.seat == player
            choices = [number for number, move in state.walk.moves.items() if not known or move == card]
            state.apply_action(rng.choice(choices))
        return state

    def to_struct(self) -> "Struct":
        """The whole hand: rules, readable record, seat to act, cards and actions by number."""
        match = self.walk.match
        return Struct(
            rules=match.game.name_of(match.rules),
            seats=match.seats,
            current_player=self.current_player(),
            history=list(self.at.done),
            record=write(Record(match)),
        )

    def to_observation_struct(self, player: int | None = None) -> "Struct":
        """The knowledge and actions of a player, as for programs and language models; no hidden card."""
        return Struct(**observation(self.hand.view(self.current_player() if player is None else player)))

    def to_dict(self) -> dict[str, Any]:
        """`to_struct` in plain values."""
        return self.to_struct().to_dict()

    def to_json(self) -> str:
        """`to_struct` as JSON."""
        return self.to_struct().to_json()

    def action_to_struct(self, player: int, number: int) -> "Struct":
        """An action with its number and its name."""
        return Struct(player=player, number=number, action=self._action_to_string(player, number))

    def struct_to_actions(self, struct: "Struct") -> list[int]:
        """The number of the action in such a struct, by its name; ValueError if it is not legal here."""
        named = {self.action_to_string(number): number for number in self.legal_actions()}
        if struct.action not in named:
            raise ValueError(f"{struct.action!r} is not legal; what is: {', '.join(named)}")
        return [named[struct.action]]

    def apply_action_struct(self, struct: "Struct") -> None:
        """Do the action in such a struct."""
        for number in self.struct_to_actions(struct):
            self.apply_action(number)


class Struct:
    """Fields by name, as OpenSpiel's structs have them."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)

    def to_dict(self) -> dict[str, Any]:
        """The fields in plain values."""
        return dict(vars(self))

    def to_json(self) -> str:
        """The fields as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no field {name!r}; there are {', '.join(vars(self))}")

    def __repr__(self) -> str:
        return f"Struct({self.to_json()})"


@lru_cache(8192)
def _entry(seat: Seat | None, by: Seat, action: Action) -> str:
    """An entry as a seat hears it, in words. The same is asked again after every action."""
    return f"{by} {heard(seat, action, by)}"


class Observer:
    """An observation as numbers and as a text; the public observation is a text alone.

    ``dict`` holds a view into the tensor for each row of the table in docs/research/environments.md:
    ``dict["hand"]``, ``dict["trump"]`` …"""

    def __init__(self, layout: Layout, private: bool = True) -> None:
        cards, planes, scalars, _ = layout.size
        self._private = private
        self.tensor = np.zeros(planes * cards + scalars if private else 0, np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for rows, each in ((layout.planes, cards), (layout.scalars, 1)) if private else ():
            for row in rows:
                shape = (row.width, each) if each > 1 else (row.width,)
                self.dict[row.name] = self.tensor[at : at + row.width * each].reshape(shape)
                at += row.width * each

    def set_from(self, state: HandState, player: int) -> None:
        """Fill the tensor with the player's knowledge; it stays empty before the cards and after the hand."""
        self.tensor[:] = 0
        if self._private and not state.is_terminal() and state.walk.seat != CHANCE:
            planes, scalars = state.walk.observe(player)
            self.tensor[:] = np.concatenate([planes.reshape(-1), scalars])

    def string_from(self, state: HandState, player: int) -> str:
        """The information state (all players have perfect recall), or the public log."""
        return state.information_state_string(player) if self._private else state.transcript(None)


pyspiel.register_game(_TYPE, HandGame)
