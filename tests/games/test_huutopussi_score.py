"""Huutopussi: the score of a hand, and the end of the match by totals."""

from dataclasses import replace
from random import Random

import pytest

from nousu.engine.cards import card_set, parse_hand
from nousu.engine.game import Result, Setup
from nousu.engine.match import Match
from nousu.engine.record import parse_entry
from nousu.games import find
from nousu.games.huutopussi import GAME, PRESETS, PlayedHand, Totals, card_points, rounded, score

HP_440 = (
    "deal N S:AKQ H:AKQT D:A C:A / E S:98 H:98 D:J98 C:98 / S S:TJ H:J D:KQT C:KQT / W S:76 H:76 D:76 C:J76"
)


@pytest.mark.clause("HP-GR-13", "A-H-15")
@pytest.mark.parametrize(
    ("values", "spades", "pack"),
    [
        ("simple", (10, 10, 5, 5, 5), 140),
        ("classic", (11, 10, 4, 3, 2), 120),
        ("matrix", (10, 10, 5, 5, 0), 120),
    ],
)
def test_card_values(values: str, spades: tuple[int, ...], pack: int) -> None:
    found = tuple(card_points(1 << card, values) for card in parse_hand("S:ATKQJ9876"))
    assert sorted(found, reverse=True) == sorted(spades + (0,) * 4, reverse=True)
    for card, points in zip(("S:A", "S:T", "S:K", "S:Q", "S:J"), spades, strict=True):
        assert card_points(card_set(parse_hand(card)), values) == points
    assert card_points(card_set(GAME.deck), values) == pack


@pytest.mark.clause("HP-GR-14", "HP-GR-29")
@pytest.mark.parametrize(
    ("rules", "total"), [("huutopussi", 160), ("huutopussi_finnish", 130), ("huutopussi_illisoft", 140)]
)
def test_cards_and_last_trick_add_up(rules: str, total: int) -> None:
    chosen = find(rules)[1]
    assert card_points(card_set(GAME.deck), chosen.card_values) + chosen.last_trick == total
    assert total + 280 == chosen.total


CASES = [
    ("made", "huutopussi", 120, 120, (130, 70), (6, 3), (120, 70)),
    ("failed", "huutopussi", 150, 150, (110, 110), (5, 4), (-150, 110)),
    ("failed, literal", "huutopussi_gamerules_literal", 150, 150, (110, 110), (5, 4), (0, 110)),
    ("failed without a trick", "huutopussi", 80, 80, (0, 160), (0, 9), (-80, 160)),
    ("failed without a trick, illisoft", "huutopussi_illisoft", 80, 80, (0, 140), (0, 9), (-160, 140)),
    ("failed without a trick, literal", "huutopussi_gamerules_literal", 80, 80, (0, 160), (0, 9), (-80, 160)),
    ("defenders without a trick", "huutopussi", 80, 100, (160, 0), (9, 0), (100, 0)),
    ("defenders without a trick, illisoft", "huutopussi_illisoft", 80, 100, (140, 0), (9, 0), (100, -80)),
    ("A-H-03", "huutopussi+trickless_defenders=minus_contract", 80, 100, (160, 0), (9, 0), (100, -100)),
    (
        "A-H-03",
        "huutopussi+trickless_defenders=minus_double_contract",
        80,
        100,
        (160, 0),
        (9, 0),
        (100, -200),
    ),
    ("exactly", "huutopussi", 120, 120, (120, 40), (6, 3), (120, 40)),
    ("A-H-20", "huutopussi_finnish", 75, 75, (74, 56), (6, 3), (-75, 55)),
    ("A-H-20", "huutopussi_finnish", 70, 70, (72, 58), (6, 3), (70, 60)),
]


@pytest.mark.clause("HP-GR-30", "HP-GR-31", "HP-GR-32", "A-H-02", "A-H-03", "A-H-20", "A-H-22")
def test_scores(subtests: pytest.Subtests) -> None:
    for name, rules, bid, contract, earned, tricks, points in CASES:
        with subtests.test(
            name=name, rules=rules, bid=bid, contract=contract, earned=earned, tricks=tricks, points=points
        ):
            chosen = find(rules)[1]
            assert score(chosen, 0, bid, contract, earned, tricks) == points, name
            mirrored = score(chosen, 1, bid, contract, earned[::-1], tricks[::-1])
            assert mirrored == points[::-1], name


KONTRA = [
    ("no kontra", 0, 150, (160, 60), (6, 3), (150, 60)),
    ("kontra, re", 2, 150, (160, 60), (6, 3), (600, 60)),
    ("kontra, re, and the others without a trick", 2, 150, (220, 0), (9, 0), (600, -300)),
    ("kontra, missed", 1, 145, (140, 69), (5, 4), (-290, 70)),
    ("no trick", 0, 150, (0, 140), (0, 9), (-300, 140)),
    ("kontra, no trick", 1, 150, (0, 140), (0, 9), (-600, 140)),
    ("the others without a trick, missed", 0, 240, (220, 0), (9, 0), (-240, 0)),
    ("the same with kontra", 1, 240, (220, 0), (9, 0), (-240, 0)),
    ("the same with kontra and re", 2, 240, (220, 0), (9, 0), (-480, 0)),
]


@pytest.mark.clause("HP-WU-02", "HP-WU-11", "HP-WU-12", "HP-WU-13", "HP-WU-14", "HP-WU-15", "A-H-24")
def test_kontra_and_re_double_what_the_declarers_book(subtests: pytest.Subtests) -> None:
    rules = PRESETS["huutopussi_erlangen"]
    for name, doublings, contract, earned, tricks, points in KONTRA:
        with subtests.test(name=name):
            assert score(rules, 0, 120, contract, earned, tricks, doublings) == points
            mirrored = score(rules, 1, 120, contract, earned[::-1], tricks[::-1], doublings)
            assert mirrored == points[::-1]
    plain = replace(rules, kontra_trickless="plain")
    assert score(plain, 0, 120, 150, (0, 140), (0, 9), 1) == (-300, 140)
    assert score(plain, 0, 120, 150, (100, 40), (5, 4), 1) == (-300, 40)


@pytest.mark.clause("HP-WU-11", "HP-WU-12", "HP-WU-14")
def test_score_sheet_of_the_source_adds_up() -> None:
    """Four games of the sheet that the text prints: contract, kontra, declaring side, earned, totals."""
    rules, totals = PRESETS["huutopussi_erlangen"], [0, 0]
    for contract, doublings, ours, earned, tricks, after in (
        (240, 0, 0, (243, 37), (6, 3), [240, 35]),
        (165, 0, 0, (240, 0), (9, 0), [405, -295]),
        (145, 1, 1, (69, 151), (4, 5), [475, -5]),
        (205, 0, 0, (204, 91), (6, 3), [270, 85]),
    ):
        points = score(rules, ours, contract, contract, earned, tricks, doublings)
        totals = [had + more for had, more in zip(totals, points, strict=True)]
        assert totals == after


@pytest.mark.clause("A-H-20")
def test_rounding_to_the_nearest_five() -> None:
    rules = PRESETS["huutopussi_finnish"]
    assert [rounded(rules, points) for points in (0, 2, 3, 57, 58, 62, 63)] == [0, 0, 5, 55, 60, 60, 65]
    assert rounded(PRESETS["huutopussi"], 57) == 57


@pytest.mark.clause("A-H-19", "A-H-20")
def test_hand_without_a_contract_scores_what_both_sides_earned() -> None:
    rules = PRESETS["huutopussi_illisoft"]
    assert score(rules, None, 0, 0, (83, 57), (5, 4)) == (85, 55)
    assert score(rules, None, 0, 0, (140, 0), (9, 0)) == (140, 0)


@pytest.mark.clause("A-H-01", "HP-GR-29", "HP-GR-31")
def test_hp_440_against_any_defence() -> None:
    """All 440 points there are, however E and W defend."""
    for seed in range(60):
        rng = Random(seed)
        match = Match.start(GAME, PRESETS["huutopussi"], 4, 3)
        exchange = ("N 440", "S give SJ ST HJ to N", "N contract 440", "N give SJ ST HJ to S")
        for entry in (HP_440, *exchange):
            match = match.apply(*parse_entry(entry, 4))
        plan = {
            0: ["play HA", "marriage H", "play SA", "marriage S", "play DA", "ask full", "play CA",
                "ask full", "play SQ", "play HT", "play HQ", "play HK", "play SK"],
            2: ["play HJ", "play SJ", "play DT", "yes D", "play CT", "yes C", "play ST", "play CK", "play CQ",
                "play DK", "play DQ"],
        }  # fmt: skip
        mine = {seat: iter(words) for seat, words in plan.items()}
        while not match.played:
            seat = match.hand.owed()[0]
            if seat in mine:
                action = parse_entry("N " + next(mine[seat]), 4)[1]
            else:
                action = rng.choice(match.hand.legal(seat))
            match = match.apply(seat, action)
        result = match.played[0].result
        assert result.points == (440, 0)
        outcome = PlayedHand.of(result.outcome)
        assert outcome.earned == (440, 0)
        assert outcome.cards == (140, 0)
        assert outcome.trumps == (1, 0, 2, 3)
        assert [note.clause for note in result.notes] == ["HP-GR-31", "A-H-03"]


def totals_after(
    rules: str, before: tuple[int, int], points: tuple[int, int], declarer: int | None = 0
) -> Totals:
    """The totals after one more hand."""
    chosen = find(rules)[1]
    tally = Totals(chosen, before)
    played = PlayedHand(
        declarer=declarer, bid=100, contract=100, made=True, cards=(0, 0), marriages=(0, 0), last_trick=0,
        earned=(0, 0), tricks=(5, 4), trumps=(),
    )  # fmt: skip
    return tally.add(Result(points=points, outcome=played), Setup(4, 0, tally))


@pytest.mark.clause("HP-GR-34", "A-H-17")
def test_end_of_the_match(subtests: pytest.Subtests) -> None:
    for name, rules, before, points, declarer, winner in [
        ("reached", "huutopussi", (400, 300), (100, 40), 0, (0,)),
        ("not reached", "huutopussi", (400, 300), (95, 40), 0, None),
        ("both reached: higher", "huutopussi", (405, 400), (100, 130), 0, (1,)),
        ("both reached: equal", "huutopussi", (420, 400), (100, 120), 0, None),
        ("equal, drawn", "huutopussi_gamerules_literal", (420, 400), (100, 120), 0, ()),
        ("equal is decided by the next hand", "huutopussi", (520, 520), (-80, 70), 0, (1,)),
        ("even below the target", "huutopussi", (520, 520), (-80, 0), 0, (1,)),
        ("both fall below", "huutopussi+trickless_defenders=minus_contract", (500, 500), (-80, -80), 0, None),
        ("must exceed", "huutopussi_illisoft", (400, 300), (100, 40), 0, None),
        ("exceeded", "huutopussi_illisoft", (400, 300), (105, 40), 0, (0,)),
        ("declarer first", "huutopussi_illisoft", (405, 400), (100, 130), 2, (0,)),
        ("declarer first", "huutopussi_illisoft", (405, 400), (100, 130), 1, (1,)),
        ("no declarer: higher", "huutopussi_illisoft", (450, 440), (60, 80), None, (1,)),
        ("no declarer: equal", "huutopussi_illisoft", (450, 440), (70, 80), None, None),
        ("another target", "huutopussi+target=250", (200, 0), (50, 0), 0, (0,)),
    ]:
        with subtests.test(
            name=name, rules=rules, before=before, points=points, declarer=declarer, winner=winner
        ):
            assert totals_after(rules, before, points, declarer).winner() == winner, name


@pytest.mark.clause("HP-GR-33")
def test_totals_may_be_negative_and_the_ban_is_announced() -> None:
    tally = totals_after("huutopussi", (-400, 100), (-100, 60))
    assert (tally.score(), tally.winner()) == ((-500, 160), None)
    assert [(note.clause, note.values["side"]) for note in tally.notes()] == [("HP-GR-33", 0)]
    assert totals_after("huutopussi+bid_ban=off", (-400, 100), (-100, 60)).notes() == ()
    assert tally.plain() == {"score": [-500, 160], "hands": 1, "target": 500}
