"""The bench for another release's Python: whoever plays among its like gets a fair share."""

import sys

from bench.experiments.release_duels import InterruptingProgram, trick_difference, tuppen_share
from nousu.players import find_player


def test_program_among_its_like_gets_a_fair_share() -> None:
    """It is asked out of turn as the others are, or its games would take another course."""
    program = InterruptingProgram(f"{sys.executable} -m nousu player rules")
    try:
        assert tuppen_share(program, find_player("rules"), seed=1, number=0) == 1
        assert trick_difference("low", program, find_player("rules"), seed=1, number=0) == 0
    finally:
        program.close()


def test_tricks_are_avoided_in_nolo_and_sought_in_rami() -> None:
    for contract in ("low", "high"):
        rules, chance = find_player("rules"), find_player("random")
        assert sum(trick_difference(contract, rules, chance, 1, number) for number in range(4)) > 4
