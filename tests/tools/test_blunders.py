"""Detectors of blunders: each finds its own in a position made for it, and nothing where a card is right."""

import pytest

from bench.blunders import GAMES, HUUTOPUSSI, WHIST, count_blunders, habit_name, occasions
from hands import bid, declined, exposed, go, table
from nousu.engine.actions import Call
from nousu.engine.cards import cards_of
from nousu.engine.game import Setup
from nousu.games import find
from nousu.games.huutopussi import Hand, Totals
from nousu.games.whist import SOOLI
from nousu.players import DEFAULT_BUDGET, find_player

BIDS = {"rami": "BRBB", "nolo": "BBBB", "sooli": "BRBB"}
"""East bids rami, or nobody does; North leads, and in a sooli of South West."""


def on_turn(kind, known, course):
    """The view of the seat on turn."""
    hand = table("tuppi+sooli_exchange=none", dict(zip(range(4), known, strict=False)), dealer=3)
    hand = exposed(bid(hand, BIDS[kind]))
    while hand.phase == "sooli" and kind == "sooli":
        seat = hand.owed()[0]
        hand = hand.apply(seat, SOOLI if seat == 2 else Call("pass"))
    hand = go(declined(hand), course)
    return hand.view(hand.owed()[0])


def blunders(view):
    """The blunders in a view, by habit."""
    return {name: " ".join(map(str, cards_of(cards))) for name, cards in occasions(view).items()}


BLOCKED = (
    "S:KQJT98765 H:23 D:23",
    "H:AKQJT9 D:AKQJT9 C:2",
    "S:A432 H:654 D:654 C:654",
    "H:87 D:87 C:AKQJT9873",
)
SPADES = "S:KQJT9876 H:54 D:32 C:2"
CASES = {
    "higher card on partner’s sure trick": (
        "rami", ("S:K4", "S:2", "S:A53 H:T98 D:T98 C:T987"), "N play SK; E play S2", "SA",
        ("S:K4", "S:2", "S:A53 H:A98 D:T98 C:T987"), "N play SK; E play S2",
    ),
    "bare ace led": (
        "rami", ("S:A53 H:QJT98 D:862 C:75",), "", "SA",
        ("S:AK3 H:QJT98 D:862 C:75",), "",
    ),
    "partner’s suit not returned": (
        "rami", ("S:J4", "S:2", "S:K5 H:JT98 D:JT98 C:T97", "S:3"),
        "N play S4; E play S2; S play SK; W play S3",
        "HJ H10 H9 H8 DJ D10 D9 D8 C10 C9 C7",
        ("S:J4", "S:2", "S:K5 H:AT98 D:JT98 C:T97", "S:3"),
        "N play S4; E play S2; S play SK; W play S3",
    ),
    "high card where a low one does": (
        "rami", ("S:4", "S:3", "S:J", "S:AQ2"), "N play S4; E play S3; S play SJ", "SA",
        ("S:4", "S:3", "S:J", "S:AK2"), "N play S4; E play S3; S play SJ",
    ),
    "trick left that only now is won": (
        "rami", ("S:4", "S:3", "S:9", "S:T2"), "N play S4; E play S3; S play S9", "S2",
        ("S:4", "S:3", "S:9", "S:A2"), "N play S4; E play S3; S play S9",
    ),
    "low third hand": (
        "rami", ("S:4", "S:J", "S:Q52 H:T98 D:T987 C:T98"), "N play S4; E play SJ", "S5 S2",
        ("S:4", "S:3", "S:Q52 H:T98 D:T987 C:T98"), "N play S4; E play S3",
    ),
    "partner’s long suit blocked": (
        "rami", BLOCKED,
        "N play SK; E play C2; S play S2; W play C3; N play SQ; E play H9; S play S3; W play C7; "
        "N play S10; E play D9", "S4",
        BLOCKED, "N play SK; E play C2; S play S2; W play C3; N play SQ; E play H9",
    ),
    "trick taken over a card that stays under": (
        "nolo", ("S:9", "S:3", "S:2", "S:J5"), "N play S9; E play S3; S play S2", "SJ",
        ("S:3", "S:9", "S:2", "S:J5"), "N play S3; E play S9; S play S2",
    ),
    "dangerous card kept": (
        "nolo", ("S:9", "S:3", "S:2", "S:85"), "N play S9; E play S3; S play S2", "S5",
        ("S:9", "S:3", "S:2", "S:87"), "N play S9; E play S3; S play S2",
    ),
    "safe card thrown": (
        "nolo", ("S:9", "S:3", "S:2", "H:AK94 D:2 C:KQJT9876"), "N play S9; E play S3; S play S2", "D2",
        ("S:9", "S:3", "S:2", "H:AK92 D:2 C:KQJT9876"), "N play S9; E play S3; S play S2",
    ),
    "last exit led first": (
        "nolo", ("S:A2 H:A4 D:AQ6 C:KQJT98",), "", "S2",
        ("S:A2 H:A2 D:AQ6 C:KQJT98",), "",
    ),
    "suit led that both foes are out of": (
        "nolo", (SPADES, "H:AKQJT D:AKQJ C:AKQJ", "S:A5432 H:987 D:987 C:98", "H:632 D:T654 C:T76543"),
        "N play S6; E play HA; S play S2; W play H6", "SK SQ SJ S10 S9 S8 S7",
        (SPADES, "S:5 H:KQJT D:AKQJ C:AKQJ", "S:A432 H:987 D:987 C:983", "H:A632 D:T654 C:T7654"),
        "N play S6; E play S5; S play S2; W play H6",
    ),
    "suit led that the soloist is out of": (
        "sooli", ("", "S:J92", "H:A2345 D:A234 C:A234", "S:T4 H:KQJT D:KQJT C:KQJ"),
        "W play S10; E play S2; S play H5", "S4",
        ("", "S:J92", "S:3 H:A234 D:A234 C:A234", "S:T4 H:KQJT D:KQJT C:KQJ"),
        "W play S10; E play S2; S play S3",
    ),
    "card over which the soloist slips under": (
        "sooli", ("", "S:73 H:KQJT D:KQJT C:KQJ", "S:A", "S:4"), "W play S4", "S7",
        ("", "S:78 H:KQJT D:KQJT C:KQJ", "S:A", "S:4"), "W play S4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("habit", CASES)
def test_blunder_is_found_and_a_right_card_is_not(habit):
    kind, known, course, cards, other, other_course = CASES[habit]
    assert blunders(on_turn(kind, known, course))[habit] == cards
    assert habit not in blunders(on_turn(kind, other, other_course))


@pytest.mark.parametrize("habit", CASES)
def test_club_does_not_make_the_blunder(habit):
    kind, known, course, cards, *_ = CASES[habit]
    choice = find_player("club").choose(on_turn(kind, known, course), DEFAULT_BUDGET, 1)
    assert str(choice.action.card) not in cards.split()


SPADE = "N S:A987 H:A6 D:76 C:6 / E S:KQJT6 H:T D:8 C:87 / S H:KQ987 D:A9 C:A9 / W H:J D:KQJT C:KQJT"
MARRIAGE = "N S:AT98 H:KQ D:76 C:6 / E S:KQJ76 H:T D:8 C:87 / S H:A9876 D:A9 C:A9 / W H:J D:KQJT C:KQJT"
EXCHANGE = "N 440; S give D9 C9 H8 to N; N contract 440; N give D9 C9 H8 to S"
TENS = {"D:A9 C:A9": "D:AT C:AT", "KQJT C:KQJT": "KQJ9 C:KQJ9"}
HUUTOPUSSI_CASES = {
    "marriage broken": (
        SPADE, "N play SA; E play S6", "HK HQ", {"KQ987": "KJ987", "W H:J": "W H:Q"}, "N play SA; E play S6"
    ),
    "points thrown away": (
        SPADE, "N play SA; E play S6; S play H7", "D10 C10", TENS, "N play SA; E play S6; S play H7"
    ),
    "ten withheld from partner": (
        SPADE, "N play S7; E play S10; S play H7", "HJ DK DQ DJ CK CQ CJ", TENS,
        "N play S7; E play S10; S play H7",
    ),
    "bare ten led": (
        SPADE.replace("A987", "T987").replace("KQJT6", "AKQJ6"), "", "S10",
        {"T987": "A987", "AKQJ6": "KQJT6"}, "",
    ),
    "points led into a void": (
        MARRIAGE, "N play SA; E play S6; S play H6; W play HJ; N marriage H", "S10", {},
        "N play SA; E play S6; S play H6; W play HJ",
    ),
}  # fmt: skip


def on_turn_in_huutopussi(deal, course):
    """The view of the seat on turn after the exchange and so many cards."""
    swap = EXCHANGE.replace("D9 C9", "D10 C10") if "D:AT" in deal else EXCHANGE
    _, rules = find("huutopussi")
    hand = go(Hand(rules, Setup(4, 3, Totals(rules, (0, 0)))), f"deal {deal}; {swap}; {course}")
    return hand.view(hand.owed()[0])


@pytest.mark.parametrize("habit", HUUTOPUSSI_CASES)
def test_blunder_in_huutopussi_is_found_and_a_right_card_is_not(habit):
    deal, course, cards, changes, other_course = HUUTOPUSSI_CASES[habit]
    view = on_turn_in_huutopussi(deal, course)
    assert blunders(view)[habit] == cards
    choice = find_player("club").choose(view, DEFAULT_BUDGET, 1)
    assert str(choice.action).removeprefix("play ") not in cards.split()
    for old, new in changes.items():
        assert old in deal
        deal = deal.replace(old, new)
    assert habit not in blunders(on_turn_in_huutopussi(deal, other_course))


def test_every_detector_has_a_case():
    assert [*map(habit_name, WHIST)] == [*CASES]
    assert [*map(habit_name, HUUTOPUSSI)] == [*HUUTOPUSSI_CASES]


ALLOWED = {
    "beginner": {
        "higher card on partner’s sure trick": 0.4,
        "bare ace led": 1.0,
        "partner’s suit not returned": 0.7,
        "partner’s long suit blocked": 1.0,
        "dangerous card kept": 1.0,
        "safe card thrown": 0.2,
        "last exit led first": 1.0,
        "suit led that both foes are out of": 1.0,
        "suit led that the soloist is out of": 0.6,
        "marriage broken": 0.15,
        "ten withheld from partner": 1.0,
        "points led into a void": 0.1,
    },
    "easy": {
        "bare ace led": 0.1,
        "partner’s suit not returned": 0.45,
        "partner’s long suit blocked": 1.0,
        "safe card thrown": 0.1,
        "last exit led first": 0.05,
        "suit led that both foes are out of": 1.0,
        "suit led that the soloist is out of": 0.6,
        "ten withheld from partner": 1.0,
        "points led into a void": 0.1,
    },
    "club": {
        "bare ace led": 0.05,
        "partner’s suit not returned": 0.4,
        "partner’s long suit blocked": 0.5,
        "points thrown away": 0.08,
        "bare ten led": 0.1,
        "points led into a void": 0.15,
    },
}
"""Most of the occasions that a level may use; of others one in fifty."""


def test_agreed_signal_is_no_blunder():
    """South holds an honour of its partner's suit and says so by a higher small card."""
    view = on_turn("rami", ("S:3", "S:A", "S:Q852"), "N play S3; E play SA")
    assert blunders(view)["high card where a low one does"] == "SQ"
    view = on_turn("rami", ("S:3", "S:A", "S:T852"), "N play S3; E play SA")
    assert blunders(view)["high card where a low one does"] == "S10 S8"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", ALLOWED)
def test_level_makes_only_the_blunders_of_a_person_of_that_level(level, game):
    counts = count_blunders(game, level, 500)
    assert sum(count.of for count in counts.values()) > 500
    for habit, count in counts.items():
        assert count.made <= max(2, ALLOWED[level].get(habit, 0.02) * count.of), (habit, count)
