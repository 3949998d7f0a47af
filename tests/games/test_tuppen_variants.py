"""Tuppen beyond the ZK sheet by clause: Toepen of the Netherlands, blind raises, halves, eight cards."""

import pytest

from nousu.engine.actions import Call
from nousu.engine.cards import card_set, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.tuppen import PRESETS, is_true_claim
from tuppen_table import SWEEP, cards, course, dealt, match_at, played_out, won_by


def texts(match: Match, seat: int) -> list[str]:
    """Legal actions of a seat."""
    return [str(action) for action in match.hand.legal(seat)]


def clauses(match: Match) -> list[str]:
    """The clauses of the notes of the last hand and of the standing after it."""
    return [note.clause for note in (*match.played[-1].result.notes, *match.tally.notes())]


# ---- what may be, or must be, laid down


@pytest.mark.clause("A-U-30")
def test_four_pictures_may_be_compulsory() -> None:
    match = match_at("tuppen_zk+four_pictures=compulsory", points=3)
    match = match.apply(-1, cards(match, {0: "S:AKQJ", 1: "S:T H:AKQ"}))
    assert texts(match, 0) == ["give SA SK SQ SJ away"], "there is no keeping them"
    match = match.apply(0, match.hand.legal(0)[0])
    assert "keep" in texts(match, 0), "nobody challenges, and the new cards are good"
    match = match.apply(0, Call("keep"))
    assert texts(match, 1) == ["keep"], "three pictures are no claim"


@pytest.mark.clause("A-U-31")
@pytest.mark.parametrize(
    ("hand", "plain", "white"),
    [
        ("S:AKQJ", True, True),
        ("S:KQJ H:7", False, True),
        ("S:KQ H:7 D:7", False, False),
        ("S:KQJ H:8", False, False),
    ],
)
def test_three_pictures_and_a_seven_may_be_laid_down_too(hand: str, plain: bool, white: bool) -> None:
    held = card_set(parse_hand(hand))
    assert is_true_claim(PRESETS["toepen"], held) == plain
    assert is_true_claim(PRESETS["toepen_netherlands"], held) == white


@pytest.mark.clause("A-U-31", "A-U-04")
@pytest.mark.parametrize(("hand", "points"), [("S:KQJ H:7", (15, 14, 15)), ("S:KQJ H:8", (14, 15, 15))])
def test_challenged_wash_costs_the_side_that_was_wrong(hand: str, points: tuple[int, ...]) -> None:
    match = match_at("toepen_netherlands", points=3)
    match = match.apply(-1, cards(match, {0: hand}))
    match = match.apply(0, next(action for action in match.hand.legal(0) if str(action)[:4] == "give"))
    match = match.apply(1, Call("challenge P1"))
    match = match.apply(0, match.hand.legal(0)[0])
    assert match.hand.view(None).facts.points == points  # type: ignore[attr-defined]


# ---- the poor man and the jack


@pytest.mark.clause("A-U-32", "A-U-15")
def test_player_in_pelt_asks_and_leads_every_time() -> None:
    match = match_at("toepen_netherlands", points="5 5 1", dealer=2)
    for _ in range(2):
        match = dealt(match, {2: SWEEP})
        assert match.hand.owed() == (0,), "the others are asked, from his left"
        match = course(match, "P1 hold; P2 hold")
        assert (match.hand.owed(), match.hand.view(None).facts.stake) == ((2,), 2)  # type: ignore[attr-defined]
        match = played_out(match)
    assert match.tally.score() == (1, 1, 1)


@pytest.mark.clause("A-U-32", "A-U-06")
def test_player_in_pelt_does_not_raise() -> None:
    match = course(dealt(match_at("toepen_netherlands", points="5 2 1", dealer=2)), "P1 hold; P2 hold")
    assert "raise" not in texts(match, 2), "from one point nobody raises"
    assert "raise" not in texts(match, 1), "and from two points not to three"
    assert "raise" in texts(match, 0)


JACKS = {0: "C:J S:J H:J D:J", 1: "S:T987", 2: "H:T987"}


@pytest.mark.clause("A-U-33")
def test_jack_that_takes_the_last_trick_brings_a_point_back() -> None:
    hands = {0: "C:TJ S:A H:A", 1: "S:T987", 2: "H:T987"}
    match = course(
        dealt(match_at("toepen_netherlands", points="4 4 4"), hands), "P1 play C10; P2 play S7; P3 play H7"
    )
    match = course(match, "P1 play SA; P2 play S8; P3 play H8; P2 play S9; P3 play H9; P1 play HA")
    match = course(match, "P2 play S10; P3 play H10; P1 play CJ")
    assert (match.tally.score(), "A-U-33" in clauses(match)) == ((3, 4, 3), False), "the jack did not win"
    hands = {0: "C:TJ S:T H:T", 1: "S:987 H:9", 2: "H:87AK"}
    match = dealt(match_at("toepen_netherlands", points="4 4 4"), hands)
    match = course(match, "P1 play C10; P2 play S7; P3 play H7; P1 play S10; P2 play S8; P3 play HK")
    match = course(match, "P1 play H10; P2 play H9; P3 play H8; P1 play CJ; P2 play S9; P3 play HA")
    assert (match.tally.score(), "A-U-33" in clauses(match)) == ((5, 3, 3), True)


@pytest.mark.clause("A-U-33", "A-U-11")
def test_no_trick_is_taken_where_all_others_have_left() -> None:
    match = course(dealt(match_at("toepen_netherlands", points=3), JACKS), "P1 raise; P2 leave; P3 leave")
    assert match.tally.score() == (15, 14, 14)


# ---- raising in answer


@pytest.mark.clause("A-U-34", "A-U-10")
def test_raise_in_answer_asks_all_the_others_anew() -> None:
    match = dealt(match_at("toepen_netherlands", points="9 9 9 9"))
    match = course(match, "N raise")
    assert texts(match, 1) == ["hold", "leave", "raise"]
    match = course(match, "E raise")
    facts = match.hand.view(None).facts
    assert (facts.stake, facts.asker, facts.asked) == (2, 1, (2, 3, 0))  # type: ignore[attr-defined]
    match = course(match, "S leave; W hold; N leave")
    assert match.hand.view(None).facts.points == (7, 9, 8, 9), (  # type: ignore[attr-defined]
        "who had not answered pays one, who had raised to two pays two"
    )
    assert match.hand.view(None).facts.stake == 3  # type: ignore[attr-defined]


@pytest.mark.clause("A-U-34")
def test_raiser_may_answer_a_raise_in_answer_with_another() -> None:
    match = course(
        dealt(match_at("toepen_netherlands", points="9 9 9")), "P1 raise; P2 raise; P3 hold; P1 raise"
    )
    facts = match.hand.view(None).facts
    assert (facts.stake, facts.asked, facts.raisers) == (3, (1, 2), (0, 1, 0))  # type: ignore[attr-defined]
    with pytest.raises(IllegalAction, match="TU-ZK-V2"):
        course(dealt(match_at("toepen", points="9 9 9")), "P1 raise; P2 raise")


@pytest.mark.clause("A-U-34", "A-U-06")
def test_raise_in_answer_keeps_to_the_cap() -> None:
    match = course(dealt(match_at("toepen_netherlands", points="9 2 3")), "P1 raise")
    assert texts(match, 1) == ["hold", "leave"], "three is more than two points"
    assert texts(course(match, "P2 hold"), 2) == ["hold", "leave", "raise"]
    asked = course(dealt(match_at("toepen_netherlands", points="9 9 1", dealer=2)), "P1 hold")
    assert texts(asked, 1) == ["hold", "leave"], "the poor man is not answered with a raise"


# ---- two to three


@pytest.mark.clause("A-U-35")
def test_blind_raise_to_two_asks_nobody_and_may_go_to_three() -> None:
    match = course(match_at("tuppen_blind", points="2 5 5"), "P1 look; P2 blind")
    assert match.hand.owed() == (-1,), "only the first who says so"
    match = dealt(match)
    facts = match.hand.view(None).facts
    assert (facts.stake, facts.asked, facts.last_raiser) == (2, (), None)  # type: ignore[attr-defined]
    assert "raise" not in texts(match, 0), "two points do not reach three"
    match = course(dealt(course(match_at("tuppen_blind", points="2 5 5"), "P1 blind")), "P1 raise")
    assert match.hand.view(None).facts.asked == (1, 2)  # type: ignore[attr-defined]


@pytest.mark.clause("A-U-35")
def test_nobody_raises_blind_where_a_poor_man_plays() -> None:
    assert match_at("tuppen_blind", points="1 5 5").hand.owed() == (-1,)
    assert match_at("tuppen_blind", points="2 5 5").hand.owed() == (0,)


# ---- two halves


def half(match: Match, winner: int) -> Match:
    """The match after a hand won by this seat, whatever is asked before."""
    while match.hand.phase == "blind":  # type: ignore[attr-defined]
        match = match.apply(match.hand.owed()[0], Call("look"))
    return won_by(match, winner)


GAME_OF_HALVES = "siebenschraem_halves+start_points=2+poor_man=off"


@pytest.mark.clause("A-U-36")
def test_losers_of_two_halves_play_eight_cards() -> None:
    match = half(match_at(GAME_OF_HALVES, points="2 1 2 2"), 3)
    assert (match.tally.score(), match.tally.plain()["hung"]) == ((2, 2, 2, 2), [1])
    assert match.hand.setup.dealer == 0, "so that the loser leads"
    match = half(match, 3)
    assert match.tally.score() == (1, 1, 1, 2)
    match = half(match, 0)
    assert match.tally.plain()["group"] == [1, 2], "two without points play off"
    match = half(match, 1)
    assert (match.tally.plain()["kind"], match.tally.plain()["hung"]) == ("eight", [1, 2])
    assert match.hand.dealing().sizes == (0, 8, 8, 0)
    assert match.hand.setup.dealer == 0, "the winner of the last hand deals"
    match = match.apply(-1, cards(match, {1: "C:T987AKQJ"}))
    assert len(texts(match, 1)) == 8, "the first of them on his left leads"
    match = played_out(match)
    assert (match.winner, match.tally.plain()["places"]) == ((0, 1, 3), [1, 1, 4, 1])


@pytest.mark.clause("A-U-36")
def test_player_who_loses_both_halves_has_lost() -> None:
    match = half(match_at("siebenschraem_halves+start_points=1+poor_man=off", points="1 1"), 0)
    assert (match.tally.plain()["hung"], match.winner) == ([1], None)
    match = half(match, 0)
    assert (match.winner, match.tally.plain()["places"]) == ((0,), [1, 2])


@pytest.mark.clause("A-U-36", "A-U-17")
def test_several_without_points_play_off_who_loses_the_half() -> None:
    match = half(match_at(GAME_OF_HALVES, points="2 1 1"), 0)
    assert (match.hand.kind, match.tally.plain()["group"]) == ("dead", [1, 2])  # type: ignore[attr-defined]
    match = half(match, 1)
    assert (match.tally.plain()["hung"], match.tally.score()) == ([2], (2, 2, 2))


# ---- the eight-card letter


@pytest.mark.clause("A-U-37")
def test_winner_of_eight_cards_drops_out_and_deals() -> None:
    match = match_at("eight_card_letter", points=4)
    assert match.hand.dealing().sizes == (8, 8, 8, 8)
    match = match.apply(-1, cards(match, {1: "C:T987AKQJ", 0: "S:T987AKQJ"}))
    assert texts(match, 1) == [], "nobody raises, nothing is asked"
    with pytest.raises(IllegalAction, match="A-U-37"):
        match.apply(1, Call("raise"))
    match = played_out(match)
    winner = match.tally.plain()["places"].index(1)
    assert match.hand.setup.dealer == winner
    assert match.hand.dealing().sizes == tuple(8 * (seat != winner) for seat in range(4))
    for _ in range(2):
        match = played_out(match.apply(-1, cards(match)))
    assert sorted(match.tally.plain()["places"]) == [1, 2, 3, 4]
    assert match.tally.score() == (7, 7, 7, 7)


@pytest.mark.clause("A-U-37")
def test_more_than_four_get_four_cards() -> None:
    assert match_at("eight_card_letter", points=5).hand.dealing().sizes == (4,) * 5


def test_standing_of_halves_and_of_the_letter_comes_back_from_its_plain_form() -> None:
    for match in (half(match_at(GAME_OF_HALVES, points="2 1 2"), 0), match_at("eight_card_letter", points=3)):
        family, rules = find(match.game.name_of(match.rules))
        plain = match.tally.plain()
        assert family.standing(rules, match.seats, plain).plain() == plain
