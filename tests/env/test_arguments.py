"""Wrong arguments are refused with the right exception and one sentence, and nothing hangs."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import nousu
from nousu.engine.actions import Play
from nousu.engine.cards import parse_card
from nousu.engine.errors import BadRecord
from nousu.engine.messages import Explained
from nousu.engine.seats import seat_name
from nousu.env import Lanes, Walk, replayed
from nousu.games import whist
from nousu.games.tuppen import Rules
from nousu.integrations.aec import Agents
from nousu.integrations.single_table import Episodes
from nousu.solver import native

needs_core = [
    pytest.mark.native,
    pytest.mark.skipif(bool(native.missing), reason="there is no compiled core"),
]
MATCH = nousu.start("tuppi", seed=1)
VIEW = MATCH.hand.view(0)
Call = Callable[[], Any]


def lanes(reset: bool = True) -> Lanes:
    made = Lanes("tuppi", 2)
    if reset:
        made.reset([1, 2])
    return made


def test_lanes_refuse_in_one_sentence(subtests: pytest.Subtests) -> None:
    for call, error, message in [
        (lambda: lanes(False).choose(), RuntimeError, "reset begins them in all lanes"),
        (lambda: lanes(False).step([0, 0]), RuntimeError, "reset begins them in all lanes"),
        (lambda: lanes(False).look(), RuntimeError, "reset begins them in all lanes"),
        (lambda: lanes(False).observe(0, 0), RuntimeError, "reset begins them in all lanes"),
        (lambda: lanes(False).leaves(0, 1), RuntimeError, "reset begins them in all lanes"),
        (lambda: lanes().step([155.0, 155.7]), TypeError, "actions are whole numbers"),
        (lambda: lanes().step(np.array([1.0, 2.0])), TypeError, "actions are whole numbers"),
        (lambda: lanes().step("ab"), TypeError, "actions are whole numbers"),
        (lambda: lanes().step([2**32, 2**40]), ValueError, "lane 0: action 162 is not legal"),
        (lambda: lanes().step([2**90, 0]), ValueError, "lane 0: action 162 is not legal"),
        (lambda: lanes().reset(5), ValueError, "seeds are 2 numbers, one per lane, not one number"),
        (lambda: lanes().reset([5]), ValueError, "seeds are 2 numbers, one per lane"),
        (lambda: lanes().reset([-1, 5]), ValueError, "seeds are from 0 to"),
        (lambda: lanes().reset([2**64, 5]), ValueError, "seeds are from 0 to"),
        (lambda: lanes().reset([1.5, 5]), TypeError, "seeds are whole numbers"),
        (lambda: lanes().reset(None), TypeError, "seeds are whole numbers, not None"),
        (lambda: lanes().leaves(0, -1), ValueError, "a depth is a number from 0"),
        (lambda: lanes().leaves(0, 1.0), TypeError, "a depth is a whole number"),
        (lambda: lanes().leaves(7, 1), ValueError, "a lane is a number from 0 to 1, not 7"),
        (lambda: lanes().observe(0, 4), ValueError, "a seat is a number from 0 to 3, not 4"),
        (lambda: lanes().history(-1), ValueError, "a lane is a number from 0 to 1"),
        (lambda: lanes().load(0, []), ValueError, "entry 0 of the history"),
        (lambda: lanes().load(0, [-1]), ValueError, "entry 0 of the history"),
        (lambda: lanes().load(0, [2**20]), ValueError, "entry 0 of the history"),
        (lambda: lanes().load(0, "abc"), TypeError, "whole numbers"),
        (lambda: Lanes("tuppi", 0), ValueError, "from 1 to 1000000, not 0"),
        (lambda: Lanes("tuppi", 2**40), ValueError, "from 1 to 1000000"),
        (lambda: Lanes("tuppi", 1.5), TypeError, "the number of lanes is a whole number"),
        (lambda: list(replayed(MATCH.game, MATCH.rules, 4, [])), ValueError, "the history is empty"),
    ]:
        with subtests.test(call=call, error=error, message=message):
            if native.missing:
                pytest.skip("there is no compiled core")
            with pytest.raises(error, match=message) as refusal:
                call()
            assert "_native" not in str(refusal.value) and "\n" not in str(refusal.value)


def test_functions_refuse_in_one_sentence(subtests: pytest.Subtests) -> None:
    for call, error, message in [
        (lambda: nousu.read("game.nousu"), BadRecord, r"read\(Path\('game.nousu'\)\)"),
        (lambda: nousu.read(b"nousu record 1"), TypeError, "the text of a record or a Path"),
        (lambda: nousu.read(Path("nowhere.nousu")), FileNotFoundError, "nowhere.nousu"),
        (lambda: nousu.solve(MATCH), TypeError, "not a Match; nousu.position_of"),
        (lambda: nousu.worlds(MATCH), TypeError, "the view of a seat is wanted"),
        (lambda: nousu.worlds(VIEW).sample(3), TypeError, "a source of chance is wanted"),
        (lambda: nousu.goal_of(MATCH.hand), TypeError, "the view of a seat is wanted"),
        (lambda: nousu.position_of(VIEW, None), TypeError, "a world of nousu.worlds"),
        (lambda: nousu.write(VIEW), TypeError, "a match is wanted, not a View"),
        (lambda: nousu.find(3), TypeError, "rules are a text"),
        (lambda: nousu.find("tuppi", Rules), TypeError, "which are no nousu.games.tuppen.rules.Rules"),
        (lambda: MATCH.apply(9, VIEW.legal[0]), Explained, "‘9’ is not a seat; the seats are 0 1 2 3"),
        (lambda: MATCH.apply("N", VIEW.legal[0]), Explained, "‘N’ is not a seat"),
        (lambda: MATCH.apply(-5, VIEW.legal[0]), Explained, "‘-5’ is not a seat"),
        (lambda: MATCH.apply(0, "rami"), TypeError, r"parse_action\('rami'\) reads one"),
        (lambda: nousu.start("tuppi").deal(3), TypeError, "a source of chance"),
    ]:
        with subtests.test(call=call, error=error, message=message):
            with pytest.raises(error, match=message) as refusal:
                call()
            assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("preset", ["tuppi", "huutopussi", "tuppen_zk"])
@pytest.mark.parametrize("seat", [9, 4, -3, 2**70, "N", 1.5])
def test_seats_where_nobody_sits_are_refused(preset: str, seat: Any, subtests: pytest.Subtests) -> None:
    dealt = nousu.start(preset, seats=4, seed=1)
    played = dealt
    while getattr(played.hand, "table", None) is None:
        at = played.hand.owed()[0]
        played = played.apply(at, played.hand.legal(at)[0])
    matches = nousu.start(preset, seats=4), dealt, played
    action = Play(parse_card("SA"))
    for call in (
        *(match.hand.legal for match in matches),
        *(match.hand.view for match in matches),
        *(partial(match.hand.apply, action=action) for match in matches),
        *(partial(match.apply, action=action) for match in matches),
        lambda seat: nousu.start(preset, seats=4, dealer=seat),
        Walk(dealt).observe,
        seat_name,
    ):
        with subtests.test(call=call), pytest.raises(Explained, match="not a seat; the seats are 0 1 2 3"):
            call(seat)


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_core)])
def test_environments_refuse_seats_where_nobody_sits(mark: None, subtests: pytest.Subtests) -> None:
    table, agents = Episodes("tuppi"), Agents("tuppi")
    table.reset(1), agents.reset(1)
    for call, message in (
        (lambda: table.mask(9), "‘9’ is not a seat"),
        (lambda: table.observe(-1), "‘-1’ is not a seat"),
        (lambda: agents.observe("seat_9"), "'seat_9' is no agent; the agents are seat_0, seat_1, seat_2"),
    ):
        with subtests.test(call=call), pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_core)])
def test_lanes_say_what_they_are(mark: None) -> None:
    assert repr(lanes(False)) == "<Lanes tuppi: 2 lanes of hands with 4 seats, to be reset>"
    assert repr(lanes()) == "<Lanes tuppi: 2 lanes of hands with 4 seats>"


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int64, np.uint64, object])
@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_core)])
def test_actions_of_any_whole_type_are_taken(kind: Any, mark: None) -> None:
    one, other = Lanes("minnesota", 1), Lanes("minnesota", 1)
    one.reset([3]), other.reset([3])
    for _ in range(4):
        one.step(other.choose())
        other.step([int(other.choose()[0])])
    cards = one.choose()
    assert cards[0] < 52
    assert one.step(cards.astype(kind)).mask.any()


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_core)])
def test_seeds_of_all_sixty_four_bits_are_taken(mark: None) -> None:
    made = lanes()
    first = made.reset([2**64 - 1, 1]).planes.copy()
    assert (made.reset(np.array([2**64 - 1, 1], np.uint64)).planes == first).all()
    assert (made.reset(range(2)).planes != first).any()


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_core)])
def test_loaded_lanes_have_begun_when_all_are_loaded(mark: None) -> None:
    source, made = lanes(), lanes(False)
    made.load(0, source.history(0))
    assert made.leaves(0, 1) == source.leaves(0, 1)
    with pytest.raises(RuntimeError):
        made.choose()
    made.load(1, source.history(1))
    assert (made.look().seat == source.last_step.seat).all() and made.choose().size == 2


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_core)])
def test_an_interrupt_ends_a_count_without_end(mark: None) -> None:
    made = lanes()
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        made.leaves(0, 60)
    assert time.process_time() - begun < 3
    assert made.leaves(0, 2) > 0


def test_the_rules_of_a_family_are_typed() -> None:
    game, rules = nousu.find("tuppi+high_fail_points=6", whist.Rules)
    assert rules.high_fail_points == 6 and game.rules is whist.Rules
    assert nousu.worlds(VIEW).sample(Random(1)).hands


def test_lanes_say_that_the_compiled_core_is_missing(tmp_path: Path) -> None:
    """As after an installation without a compiler: not the name of a module."""
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['nousu._native'] = None\n")
    script = "from nousu.env import Lanes; Lanes('tuppi', 1)"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    last = run.stderr.strip().splitlines()[-1]
    assert re.fullmatch(r"ImportError: Lanes need the compiled core: nousu was installed without .*", last)
