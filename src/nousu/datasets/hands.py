"""Hands by computer players as a data set: Parquet with a card, a licence and checksums.

``nousu data make tuppi --hands 1000 --out FOLDER`` makes one, ``nousu data check FOLDER`` replays all its
records by the rules, `load` reads it into arrays. A row is a hand; its turns are structs of the seat's
knowledge, its legal actions and the one it took, by the numbers of docs/research/environments.md. Needs ``pip
install 'nousu[data]'``.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise ImportError("PyArrow is not installed: pip install 'nousu[data]'") from None

from numpy.typing import NDArray

import nousu
from nousu.about import made_by
from nousu.datasets.publish import Column, check_sums, publish
from nousu.engine.errors import BadRecord
from nousu.engine.game import points_by_seat
from nousu.engine.seats import CHANCE, seat_name
from nousu.env import Walk
from nousu.extensions import Point, extension
from nousu.games import seats_of
from nousu.integrations.single_table import observation_row, player_action, row_size
from nousu.players import load_player
from nousu.players.seat_loop import derive_seed

HANDS = "hands.parquet"
_GROUP = 64
"""Hands per row group of a Parquet file."""


class HandArrays(NamedTuple):
    """The turns of a data set as arrays; rows with equal `hand` belong together, in order."""

    observation: NDArray[np.int16]
    """Observation of the seat: turns × numbers, planes before scalars."""
    legal: NDArray[np.bool_]
    """Actions open to the seat: turns × actions."""
    action: NDArray[np.int16]
    """The action taken."""
    seat: NDArray[np.int8]
    hand: NDArray[np.int64]
    """Number of the hand, from 0."""
    points: NDArray[np.int16]
    """Points of each seat: hands × seats."""
    par: NDArray[np.float32]
    """Tricks taken by North–South from the first lead with all hands open (of a sooli: 1 if it is made), in
    Huutopussi points less those of East–West; NaN where that was not solved: hands."""


class ParFamily(Protocol):
    """The interface of ``nousu/datasets/par/<family>.py``."""

    def par(self, walk: Walk) -> int | None:
        """The value of a hand under perfect play, from its first lead; None before it."""


def schema(walk: Walk) -> Any:
    """The columns of `HANDS`."""
    known = pa.list_(pa.int16(), row_size(walk.layout))
    turn = pa.struct({"seat": pa.int8(), "action": pa.int16(), "legal": pa.list_(pa.int16()), "known": known})
    return pa.schema(
        {
            "match": pa.int32(),
            "hand": pa.int32(),
            "dealer": pa.string(),
            "score": pa.list_(pa.int32()),
            "points": pa.list_(pa.int16()),
            "par": pa.int16(),
            "turns": pa.list_(turn),
            "record": pa.string(),
        }
    )


def hand_rows(rules: str, players: Sequence[str], seed: int, solved: bool) -> Iterator[dict[str, Any]]:
    """Play hand after hand, match after match, without end: the rows of `HANDS`."""
    game, chosen_rules = nousu.find(rules)
    seats = seats_of(rules)
    company = [load_player(players[seat % len(players)]) for seat in range(seats)]
    problem = extension(ParFamily, Point.PAR, game.name) if solved else None
    if solved and problem is None:
        raise ValueError(f"hands of {rules} are not solved: leave --solved out")
    number = 0
    while True:
        its_seed = derive_seed(seed, "match", number)
        rng = Random(its_seed)
        walk = Walk.start(game, chosen_rules, seats, rng.randrange(seats))
        turns: list[dict[str, Any]] = []
        par, done = None, 0
        while walk.match.winner is None or done < len(walk.match.played):
            if done < len(walk.match.played):
                yield _row(walk, done, number, turns, par)
                turns, par, done = [], None, done + 1
                continue
            if walk.seat == CHANCE:
                walk = walk.shuffled(rng)
                continue
            if problem is not None and par is None:
                par = problem.par(walk)
            seat = walk.seat
            move_seed = derive_seed(its_seed, len(walk.match.played), len(walk.match.hand.log), seat)
            action = player_action(walk, company[seat], move_seed)
            legal = sorted(walk.moves)
            turns.append(
                {
                    "seat": seat,
                    "action": action,
                    "legal": legal,
                    "known": observation_row(*walk.observe(seat)),
                }
            )
            walk = walk.act(action)
        number += 1


def _row(walk: Walk, at: int, match: int, turns: list[dict[str, Any]], par: int | None) -> dict[str, Any]:
    played, seats = walk.match.played[at], walk.match.seats
    return {
        "match": match,
        "hand": at,
        "dealer": seat_name(played.hand.setup.dealer, seats),
        "score": list(played.hand.setup.tally.score()),
        "points": points_by_seat(walk.match.game, played.result, seats),
        "par": par,
        "turns": turns,
        "record": nousu.write(walk.match),
    }


def make(
    rules: str,
    hands: int,
    folder: Path,
    *,
    players: Sequence[str] = ("rules",),
    seed: int = 1,
    solved: bool = False,
) -> dict[str, Any]:
    """Write a data set into a new folder.

    Args:
        rules: A preset, or preset+option=value.
        hands: Number of hands to play.
        folder: A folder that is empty or does not exist.
        players: Players by seat, repeated.
        seed: The same seed gives the same hands.
        solved: Whether each hand is solved from its first lead as well.

    Returns:
        The content of the set's card, as plain values.

    Raises:
        ValueError: The folder is not empty, or hands of these rules cannot be solved.
        BadRules: There are no such rules.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} holds something already: name a new folder")
    game, chosen_rules = nousu.find(rules)
    walk = Walk.start(game, chosen_rules, seats_of(rules))
    walk.family.own_codes(chosen_rules)
    rows = hand_rows(rules, players, seed, solved)
    batch = [next(rows) for _ in range(min(hands, _GROUP))]  # unplayable rules are refused here
    folder.mkdir(parents=True, exist_ok=True)
    turns = written = 0
    with pq.ParquetWriter(folder / HANDS, schema(walk), compression="zstd") as file:
        while batch:
            file.write_table(pa.Table.from_pylist(batch, schema(walk)))
            written += len(batch)
            turns += sum(len(row["turns"]) for row in batch)
            batch = [next(rows) for _ in range(min(hands - written, _GROUP))]
    about = {
        "rules": rules,
        "environment": f"nousu/{game.name}-{walk.layout.version}",
        "hands": hands,
        "turns": turns,
        "players": list(players),
        "seed": seed,
        "solved": solved,
        "planes": [walk.layout.size[1], walk.layout.size[0]],
        "scalars": walk.layout.size[2],
        "actions": walk.layout.size[3],
        "made_by": made_by(),
    }
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    (folder / "README.md").write_text(_card(about), "utf-8")
    described = f"{about['hands']} hands of {about['rules']} by {', '.join(players)}."
    publish(folder, f"nousu-{rules}-{hands}-{seed}", described, {HANDS: _COLUMNS})
    return about


def check(folder: Path) -> dict[str, Any]:
    """Compare a data set with its checksums, and replay every record by the rules.

    Returns the content of its card; ValueError names the first fault.
    """
    check_sums(folder)
    about = _read_about(folder)
    hands = 0
    for group in pq.ParquetFile(folder / HANDS).iter_batches(_GROUP, columns=["hand", "points", "record"]):
        for row in group.to_pylist():
            try:
                match = nousu.read(row["record"]).match
            except BadRecord as error:
                raise ValueError(f"hand {hands}: its record does not replay: {error}") from None
            by_seat = points_by_seat(match.game, match.played[row["hand"]].result, match.seats)
            if by_seat != row["points"]:
                raise ValueError(
                    f"hand {hands}: the record gives {by_seat} points, the row says {row['points']}"
                )
            hands += 1
    if hands != about["hands"]:
        raise ValueError(f"{folder} holds {hands} hands, and its card says {about['hands']}")
    return about


def load(folder: Path | str) -> HandArrays:
    """Load the data set in a folder as arrays.

    ValueError if it is not a data set, or was numbered by a different table of observations.
    """
    folder = Path(folder)
    about = _read_about(folder)
    game, rules = nousu.find(about["rules"])
    layout = Walk.start(game, rules, seats_of(about["rules"])).layout
    if (own := f"nousu/{game.name}-{layout.version}") != about["environment"]:
        raise ValueError(f"{folder} was numbered by {about['environment']}, and this version is {own}")
    table = pq.read_table(folder / HANDS, columns=["points", "par", "turns"]).combine_chunks()
    lists = table["turns"].combine_chunks()
    lists = lists.chunk(0) if isinstance(lists, pa.ChunkedArray) else lists
    turns = lists.flatten()
    size, actions = row_size(layout), layout.size[3]
    numbers = turns.field("legal")
    legal = np.zeros((len(turns), actions), np.bool_)
    legal[np.repeat(np.arange(len(turns)), np.diff(numbers.offsets)), numbers.flatten().to_numpy()] = True
    return HandArrays(
        observation=turns.field("known").flatten().to_numpy().reshape(-1, size),
        legal=legal,
        action=turns.field("action").to_numpy(),
        seat=turns.field("seat").to_numpy(),
        hand=np.repeat(np.arange(len(table)), np.diff(lists.offsets)),
        points=np.array(table["points"].to_pylist(), np.int16),
        par=np.array([np.nan if value is None else value for value in table["par"].to_pylist()], np.float32),
    )


def _read_about(folder: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((folder / "about.json").read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{folder} is no data set of nousu: {error.strerror} ({error.filename})") from None
    return about


def _command(about: dict[str, Any]) -> str:
    solved = " --solved" if about["solved"] else ""
    players = ",".join(about["players"])
    return (
        f'nousu data make "{about["rules"]}" --hands {about["hands"]} --players {players} '
        f"--seed {about['seed']}{solved} --out FOLDER"
    )


_COLUMNS = (
    Column("match", "the match, from 0"),
    Column("hand", "the number of the hand in its match, from 0"),
    Column("dealer", "who dealt", "sc:Text"),
    Column("score", "the score before the hand, a side or a seat", repeated=True),
    Column("points", "what the hand brought to each seat", repeated=True),
    Column(
        "par",
        "what North–South take from the first lead when all see all cards: tricks (of a sooli: 1 if it is "
        "made), in Huutopussi points less those of East–West; null where it was not solved",
    ),
    Column("record", "the match up to the end of this hand: replay it with `nousu replay`", "sc:Text"),
)
_TURNS = "seat, action, legal actions, and what the seat knew (planes before scalars), in order"


def _card(about: dict[str, Any]) -> str:
    described = [(column.name, column.meaning) for column in _COLUMNS]
    columns = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in [*described, ("turns", _TURNS)])
    made, planes = about["made_by"], about["planes"]
    return f"""# {about["hands"]:,} hands of {about["rules"]}

{about["turns"]:,} turns in `{HANDS}`, played match after match by {", ".join(about["players"])}
(seat by seat, repeated). Made by

    {_command(about)}

with nousu {made["nousu"]} (rules {made["rules"]}); the same command makes the same rows. Observations and
actions are numbered by `{about["environment"]}`: {planes[0]} planes of {planes[1]} cards,
{about["scalars"]} scalars, {about["actions"]} actions.

| column | |
|---|---|
{columns}

Read it with `nousu.datasets.hands.load("FOLDER")` or any reader of Parquet; `nousu data check FOLDER`
compares the checksums and replays every record. Cards are dealt at random and no person took part. It shows
how these computer players play, not how people do, and its choices are as good as theirs.

Licence: CC0 1.0.
"""
