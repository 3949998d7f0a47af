"""Inference from actions at the table makes the true deal likelier."""

from random import Random
from statistics import mean

import pytest

from bench.experiments.inference_likelihood import GAMES, gains, positions
from nousu.players import find_player


@pytest.mark.native
@pytest.mark.parametrize(
    ("game", "least"),
    [
        ("tuppi", {"bids": 0.1, "bids and cards": 0.8}),
        ("huutopussi", {"the exchange": 0.1, "exchange, bids and cards": 0.4}),
    ],
)
def test_inference_from_each_action_makes_the_true_deal_likelier(game: str, least: dict[str, float]) -> None:
    """In nats, on average over positions of hands that nothing was fitted to."""
    rng, asked = Random(3), GAMES[game]
    found = [positions(asked, find_player("rules"), deal) for deal in range(40)]
    rows = [gains(asked, rng.choice(one), rng) for one in found if one]
    assert len(rows) > 30
    for told, nats in least.items():
        assert mean(row[told] for row in rows) > nats, told
