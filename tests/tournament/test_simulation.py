"""Simulated events: the same seed, the same evening; every format to its end; intervals; the picture."""

import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from nousu.cli.tournament.computer_tables import play
from nousu.tournament.chart import svg
from nousu.tournament.messages import Refusal
from nousu.tournament.office import make_format
from nousu.tournament.simulation import (
    Job,
    SimulatedEvent,
    SimulatedResult,
    SimulationSetup,
    figure,
    run_event,
    run_events,
    share,
    summary,
    with_plan,
)


def lots(job: Job) -> SimulatedResult:
    """A table where pure chance decides, without cards; the strong one wins whatever he can."""
    chance = Random(job.seed)
    strong = [seat for seat, name in enumerate(job.seats) if name == "rules"]
    if job.kind == "tuppen":
        games = []
        for _ in range(job.games):
            order = list(range(len(job.seats)))
            chance.shuffle(order)
            placed = strong + [seat for seat in order if seat not in strong]
            games.append("".join("abcdefgh"[seat] for seat in placed))
        return SimulatedResult(tuple(games), (5,) * job.games)
    if job.kind == "tuppi":
        side = strong[0] if strong else chance.randrange(2)
        return SimulatedResult(("AB"[side] + "28",) * 2, (2,))
    return SimulatedResult(("9", "5") if chance.random() < 0.5 else ("4", "12"), (8,))


@pytest.mark.parametrize(
    ("format", "entrants", "options"),
    [
        ("tuppen", 13, {}),
        ("tuppi", 9, {"pools": 2, "through": 2}),
        ("tuppi", 6, {"pools": 0}),
        ("drive", 7, {"rounds": 3}),
        ("drive", 9, {"rounds": 3, "unit": "players", "preset": "norwegian_catsatcards", "hands": 0}),
    ],
)
def test_every_format_is_played_to_its_end(format: str, entrants: int, options: dict[str, Any]) -> None:
    setup = with_plan(SimulationSetup(format=make_format(format, **options), entrants=entrants), 0.1)
    events = list(run_events(setup, 4, lots))
    found = summary(setup, events)
    assert found.runs == 4 and sum(found.ranks.values()) == 4
    assert all(1 <= event.rank <= entrants for event in events)
    if format != "drive":
        assert found.wins.part == 1.0 and found.ranks == {1: 4}
    assert found.longest.mean > 0 and found.hands.count == sum(len(event.hands) for event in events)


def test_the_same_seed_gives_the_same_events_on_any_executor() -> None:
    setup = with_plan(SimulationSetup(format=make_format("tuppen", series=2), entrants=8, seed=3), 0.1)
    alone = sorted(run_events(setup, 6, lots), key=lambda event: event.number)
    with ThreadPoolExecutor(3) as executor:
        spread = sorted(run_events(setup, 6, lots, executor), key=lambda event: event.number)
    assert alone == spread
    assert summary(setup, alone) == summary(setup, spread[::-1])
    assert run_event(setup, 2, lots) == alone[1]
    other = SimulationSetup(format=setup.format, entrants=8, seed=4, rounds=setup.rounds)
    assert list(run_events(other, 6, lots)) != alone


def test_simulation_without_a_plan_plays_nothing() -> None:
    with pytest.raises(Refusal, match="plan the event first"):
        list(run_events(SimulationSetup(format=make_format("tuppen"), entrants=8), 1, lots))


@pytest.mark.parametrize(
    ("kind", "preset", "seats", "games"),
    [
        ("tuppen", "tuppen_zk_tournament", ("rules", "random", "random"), 2),
        ("tuppi", "tuppi_tournament", ("rules", "random"), 1),
        ("drive", "minnesota", ("random", "random"), 20),
        ("drive", "huutopussi", ("random",) * 4, 2),
    ],
)
def test_computer_players_play_real_tables(
    kind: str, preset: str, seats: tuple[str, ...], games: int
) -> None:
    """The cards are dealt and played; the result is one that the office takes; the seed fixes it."""
    job = Job(kind, preset, seats, games, games, False, "7/1/1.1")
    outcome = play(job)
    assert play(job) == outcome
    if kind == "tuppen":
        assert all(sorted(order) == ["a", "b", "c"] for order in outcome.words) and len(outcome.hands) == 2
    elif kind == "tuppi":
        kind_ = make_format("tuppi")
        from nousu.tournament.score_sheet import play_sheet, whist_rules

        _, match = play_sheet(whist_rules(kind_.preset), outcome.words)
        assert match.winner in (0, 1)
    else:
        assert len(outcome.words) == 2 and outcome.hands == (games,)


def test_figures() -> None:
    """Mean and half interval by hand: 1, 2, 3 have variance 1; Wilson for 6 of 6 begins at 61 %."""
    found = figure([1.0, 2.0, 3.0])
    assert found.mean == 2 and abs(found.half - 1.96 / 3**0.5) < 1e-12
    assert figure([]).count == 0 and figure([4.0]).half == float("inf")
    six = share([1.0] * 6)
    assert (six.part, round(six.low, 2), round(six.high, 9)) == (1.0, 0.61, 1.0)
    assert (share([]).low, share([]).high) == (0.0, 1.0)


def test_the_picture_is_an_svg_with_a_bar_for_every_figure() -> None:
    setup = SimulationSetup(format=make_format("tuppen"), entrants=4)
    events = [
        SimulatedEvent(1, 1, 1.0, ((4, 0, 5), (4, 1, -3)), (7,), 7),
        SimulatedEvent(2, 3, 0.0, ((4, 0, 2), (4, 1, 1)), (9,), 9),
    ]
    root = ET.fromstring(svg("Simulation <&>", summary(setup, events)))
    bars = root.findall("{http://www.w3.org/2000/svg}rect")
    assert len(bars) == 1 + 4 + 2 + 2  # the ground, four ranks, two seats, two lengths
    assert all(float(bar.get("height", "1").rstrip("%")) >= 0 for bar in bars)
    texts = [text.text for text in root.findall("{http://www.w3.org/2000/svg}text")]
    assert "Simulation <&>" in texts and "4: b" in texts
    assert svg("empty", summary(setup, [])).startswith("<svg")
