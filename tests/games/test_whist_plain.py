"""What the API, records and programs are told of a hand stays the same, letter for letter.

The digests were made when facts were mappings; whoever changes one changes what others have built upon.
"""

import json
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from nousu.engine.actions import Call
from nousu.engine.match import Match
from nousu.engine.record import Record, write
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.players import Budget
from nousu.players.external import question
from nousu.server.api.shapes import hand_json, plain, view_json
from nousu.server.table.seats import FinishedHand

BUDGET = Budget(seconds=1.0)
SOOLI = Call("sooli")
PINNED = {
    "tuppi": "ea4cdc29c1bc5639",
    "tuppi_catsatcards": "2a330e17f70aaece",
    "tuppi_tournament": "ccc5f47bc863aaa7",
    "tuppi_tournament_catsatcards": "d70adf3f21717a0d",
    "minnesota": "2c0794ba2f695961",
    "minnesota_pagat": "2f656be1b1755b06",
    "norwegian_catsatcards": "968c7afde5b95f6f",
    "south_dakota": "81c1d761a14f237b",
    "norwegian_parlett": "b9f5a2fa490e5fc5",
    "norwegian_spoken": "ad6f8d2e1f811325",
    "swedish": "173973a64c76e080",
    "tuppi+sooli_exchange=receive_then_return": "cbbe6c3ecbe03881",
    "tuppi+bid_ranks=3-10,A": "a5130785c9b6f2a5",
    "tuppi+early_end=auto": "c7de22e5d5ceb135",
    "norwegian_short": "3d101ba8173ff1f2",
    "norwegian_set_bonus": "645b186b274589cc",
    "tuppi+sooli_stop=off": "031778786ae7144e",
}


def digest(text: str) -> str:
    """Three matches broken off after some hands: every view of somebody, every question, every result."""
    game, rules = find(text)
    found = sha256()

    def add(value: Any) -> None:
        found.update(json.dumps(value, ensure_ascii=False).encode() + b"\n")

    for seed in range(3):
        rng = Random(seed)
        match, done = Match.start(game, rules, 4, dealer=seed), 0
        while done < 3 and match.winner is None:
            hand = match.hand
            if hand.owed() == (CHANCE,):
                match = match.deal(rng)
                continue
            seat = rng.choice(hand.owed())
            legal = hand.legal(seat)
            add(view_json(hand.view(rng.choice((None, 0, 1, 2, 3)))))
            add(question(hand.view(seat), BUDGET, seed, done))
            bold = SOOLI in legal and rng.random() < 0.4
            match = match.apply(seat, SOOLI if bold else rng.choice(legal))
            if len(match.played) == done:
                continue
            last, done = match.played[-1], len(match.played)
            shown = hand_json(FinishedHand(last, done).summary)
            del shown["notes"]  # sentences may become better; test_whist_scoring.py has their clauses
            add(shown)
            add(view_json(last.hand.view(None)))
            add(plain(last.tally.plain()))
        add(write(Record(match, preset=text.split("+")[0])))
    return found.hexdigest()[:16]


def test_plain_forms_are_those_of_old(subtests: pytest.Subtests) -> None:
    for text in PINNED:
        with subtests.test(text=text):
            assert digest(text) == PINNED[text]


def test_preset_is_pinned() -> None:
    assert {text.split("+")[0] for text in PINNED} == set(games()["whist"].presets)


if __name__ == "__main__":
    more = ("tuppi+sooli_exchange=receive_then_return", "tuppi+bid_ranks=3-10,A", "tuppi+early_end=auto")
    for text in (*games()["whist"].presets, *more):
        print(f'    "{text}": "{digest(text)}",')
