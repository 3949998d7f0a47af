"""The tables that the sanitizers and the fuzzer play are presets as the environments encode them."""

import re
from pathlib import Path

import pytest

from nousu.env.layout import encode_options
from nousu.env.walk import family_of
from nousu.games import find
from nousu.solver import native

HEADER = Path(__file__).parents[2] / "cpp" / "tests" / "environment_check.h"
PRESETS = (
    "tuppi",
    "tuppi_catsatcards+sooli_stop=off",
    "tuppi_tournament",
    "norwegian_catsatcards",
    "norwegian_parlett",
    "huutopussi",
    "huutopussi_erlangen",
    "tuppen_zk",
    "siebenschraem",
    "toepen",
    "toepen_netherlands",
    "siebenschraem_halves",
    "eight_card_letter",
    "tuppen_blind",
)


@pytest.mark.skipif(native.core is None, reason="needs the compiled core")
def test_checks_of_the_core_play_presets() -> None:
    rows = re.findall(r'\{"(\w+)", \d, \{([\d,\s]*)\}\}', HEADER.read_text("utf-8"))
    tables = [(name, [int(code) for code in codes.split(",")]) for name, codes in rows]
    encoded = []
    for preset in PRESETS:
        game, rules = find(preset)
        codes = encode_options(rules, native.core.RULES[game.name], family_of(game).own_codes(rules))
        encoded.append((game.name, codes))
    assert tables == encoded
