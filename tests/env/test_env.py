"""What the environments of the core promise beyond playing right: chance, histories, records, secrets,
counts."""

import random
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import nousu
from leaf_counts import FILES, Position, positions, reached
from nousu.engine.errors import BadRules
from nousu.engine.laws import known_cards
from nousu.engine.record import Record, write
from nousu.env import HAND_OVER, Lanes, Step, Walk, history_of, replayed
from nousu.env.layout import Layout
from nousu.games import find, games
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(bool(native.missing), reason="there is no compiled core"),
]
FAMILIES = ["whist", "huutopussi", "tuppen"]
PRESETS = [preset for family in FAMILIES for preset in games()[family].presets]


def snapshot(step: Step) -> list[bytes]:
    """All arrays of a step, byte by byte."""
    return [getattr(step, field.name).tobytes() for field in fields(step)]


@pytest.mark.parametrize("preset", PRESETS)
def test_seed_decides_all_that_chance_does(preset: str) -> None:
    result = []
    for _ in range(2):
        lanes = Lanes(preset, 3, matches=True)
        steps = [snapshot(lanes.reset([5, 6, 5]))]
        steps += [snapshot(lanes.step(lanes.choose())) for _ in range(300)]
        result.append(steps)
        assert lanes.history(0) == lanes.history(2) != lanes.history(1)
    assert result[0] == result[1]


def test_action_that_is_not_legal_is_refused_and_nothing_happens() -> None:
    lanes = Lanes("minnesota", 2)
    before = lanes.reset([1, 2])
    legal = lanes.choose().copy()
    wrong = int(np.flatnonzero(before.mask[1] == 0)[0])
    kept = [lanes.history(lane) for lane in (0, 1)]
    for action in (wrong, -1, 162):
        with pytest.raises(ValueError, match=rf"lane 1: action {action} is not legal"):
            lanes.step([legal[0], action])
    assert [lanes.history(lane) for lane in (0, 1)] == kept
    with pytest.raises(ValueError, match="actions: 2 numbers are wanted, not 3"):
        lanes.step([0, 0, 0])


MATCHES = {"tuppi": "", "huutopussi": "+max_bid=200+failed_contract=zero+target=60", "tuppen_zk": ""}
"""Presets whose matches are played out; random players of Huutopussi never come to 500."""


@pytest.mark.parametrize("preset", PRESETS)
def test_play_of_the_core_is_a_record_that_replays(preset: str) -> None:
    """The history of a finished hand or match, replayed by the Python rules, written, read, and loaded
    again."""
    lanes = Lanes(preset + MATCHES.get(preset, ""), 1, matches=preset in MATCHES)
    lanes.reset([11])
    while not lanes.history(0, finished=True):
        lanes.step(lanes.choose())
    history = lanes.history(0, finished=True)
    *_, walk = replayed(lanes.game, lanes.rules, lanes.seats, history)
    assert walk.match.played and (walk.match.winner is not None or preset not in MATCHES)
    text = write(Record(walk.match))
    assert nousu.read(text).match == walk.match
    again = history_of(walk.match)  # but for the order in which the cards came to a hand, which nobody sees
    assert len(again) == len(history)
    *_, second = replayed(lanes.game, lanes.rules, lanes.seats, again)
    assert second.match == walk.match
    lanes.load(0, again)


@pytest.mark.parametrize("wrong", ["no card", "a card twice"])
@pytest.mark.parametrize("preset", MATCHES)
def test_history_with_a_wrong_pack_is_refused_and_the_lane_plays_on(preset: str, wrong: str) -> None:
    lanes = Lanes(preset, 1, matches=True)
    lanes.reset([5])
    cards = len(lanes.layout.pack)
    history = lanes.history(0)
    history[cards] = 60_000 if wrong == "no card" else history[1]
    with pytest.raises(ValueError, match="entry 1 of the history"):
        lanes.load(0, history)
    assert len(lanes.history(0)) == 1 + cards, "cards are dealt there all the same"
    assert lanes.look().mask.any()
    lanes.step(lanes.choose())


def hands_in_progress(preset: str, seed: int, many: int) -> Iterator[tuple[Lanes, Walk, list[int], int]]:
    """Lanes somewhere in a hand, the walk to the same place, the history, and where its last pack stands."""
    lanes = Lanes(preset, 1, matches=True)
    step = lanes.reset([seed])
    rng = random.Random(seed)
    size = len(lanes.layout.pack)
    begin = 1
    for _ in range(many):
        for _ in range(rng.randrange(1, 12)):
            step = lanes.step(lanes.choose())
            if step.done[0]:
                begin = len(lanes.history(0)) - size
        history = lanes.history(0)
        *_, walk = replayed(lanes.game, lanes.rules, lanes.seats, history)
        yield lanes, walk, history, begin


def exchanged(history: list[int], begin: int, layout: Layout, swap: dict[int, int]) -> list[int]:
    """The history of a hand whose pack begins there, with two cards in each other's place: in the pack, and
    in what was done with them."""
    cards = len(layout.pack)
    blocks, dealt = len(layout.blocks) * cards, begin + cards
    pack = [swap.get(card, card) for card in history[begin:dealt]]
    actions = [
        one - one % cards + swap.get(one % cards, one % cards) if one < blocks else one
        for one in history[dealt:]
    ]
    return [*history[:begin], *pack, *actions]


@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_cards_change_no_byte(preset: str) -> None:
    """Cards that a seat has never seen change places, also in what others did with them unseen: what it
    observes stays the same to the byte, and so does its mask."""
    rng = random.Random(3)
    compared = 0
    other = Lanes(preset, 1, matches=True)
    for lanes, walk, history, begin in hands_in_progress(preset, 5, 14):
        layout, mask = lanes.layout, lanes.look().mask.tobytes()
        for viewer in range(lanes.seats):
            known = known_cards(walk.match.hand.view(viewer))
            hidden = [at for at, card in enumerate(layout.pack) if card not in known]
            for _ in range(4 if len(hidden) > 1 else 0):
                one = rng.choice(hidden)
                mates = [
                    at for at in hidden if at != one and at // len(layout.ranks) == one // len(layout.ranks)
                ]
                two = rng.choice(mates or hidden)
                changed = exchanged(history, begin, layout, {one: two, two: one})
                try:
                    other.load(0, changed)
                except ValueError:  # somebody could not have done that with the other card
                    continue
                if other.history(0) != changed:  # the hand is over there
                    continue
                here = [array.tobytes() for array in lanes.observe(0, viewer)]
                assert [array.tobytes() for array in other.observe(0, viewer)] == here
                if walk.seat == viewer:
                    assert snapshot(other.look())[:3] == [*here, mask]
                compared += one != two
    assert compared > 20


CASES = [
    (path.stem, position, depth, count)
    for path in FILES
    if path.stem in FAMILIES
    for position in positions(path)
    if int(position.fields.get("seats", "4"))
    in find(position.fields["game"])[0].seats_for(position.fields["game"])
    for depth, count in position.counts
]


def same_tree(walk: Walk) -> bool:
    """Whether the environment asks exactly who may act: no bids at once, no forced turning up, no silent
    turns."""
    return walk.match.hand.view(None).phase == "play" and None not in walk.moves.values()


@pytest.mark.parametrize("file", FAMILIES)
def test_tree_has_as_many_leaves_in_the_core(file: str, subtests: pytest.Subtests) -> None:
    for stem, position, depth, count in CASES:
        if stem == file:
            with subtests.test(position=position.name, depth=depth):
                check_leaves(position, depth, count)


def check_leaves(position: Position, depth: int, count: int) -> None:
    match = reached(position)
    lanes = Lanes(position.fields["game"], 1, seats=match.seats)
    lanes.load(0, history_of(match))
    *_, walk = replayed(match.game, match.rules, match.seats, history_of(match))
    assert sorted(map(str, walk.match.hand.log)) == sorted(map(str, match.hand.log))
    if same_tree(walk):
        assert lanes.leaves(0, depth) == count
    assert lanes.leaves(0, 2) == sum(max(1, len(walk.act(number).moves)) for number in walk.moves)


def test_hands_go_on_by_themselves_and_pay_at_their_end() -> None:
    lanes = Lanes("tuppi+sooli=off", 64)
    lanes.reset(range(64))
    paid = 0
    for _ in range(120):
        step = lanes.step(lanes.choose())
        over = (step.done & HAND_OVER).astype(bool)
        assert not step.reward[~over].any()
        assert (step.mask.sum(axis=1) > 0).all()
        points = step.reward[over]
        assert (points[:, 0] == points[:, 2]).all() and (points.max(axis=1) >= 4).all()
        paid += int(over.sum())
    assert paid == 2 * 64  # four bids and 52 cards make a hand


PAGE = (Path(__file__).parents[2] / "docs" / "research" / "environments.md").read_text("utf-8")


def test_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(example, "environments.md", "exec"), {})
    result = capsys.readouterr().out
    assert "hands, points a seat" in result and "nousu record 1" in result


@pytest.mark.parametrize("rules", ["tuppen_zk+conduct=director", "huutopussi+max_bid=none"])
def test_environments_refuse_unknown_options_by_name(rules: str) -> None:
    option = rules.partition("+")[2]
    with pytest.raises(BadRules, match=f"the environments do not know {option}"):
        Lanes(rules, 1)


def test_arrays_are_shared_and_not_copied() -> None:
    lanes = Lanes("tuppi", 2)
    step = lanes.reset([1, 2])
    shared = np.from_dlpack(step.mask)
    lanes.step(lanes.choose())
    assert np.shares_memory(shared, step.mask) and (shared == step.mask).all()
