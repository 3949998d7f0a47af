"""A game of Tuppen by clause: deaths, play-offs, places, dealers, director's penalties, invariants."""

from random import Random
from typing import Any

import pytest

from nousu.engine.actions import Call, Give
from nousu.engine.cards import TEN_HIGH, parse_card, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.laws import random_actor
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, DIRECTOR
from nousu.games import find
from nousu.games.tuppen import GAME, PRESETS, Laid, draw, score
from tuppen_table import SWEEP, cards, course, dealt, match_at, played_out, won_by


def facts(match: Match) -> Any:
    return match.tally.plain()


def booked(match: Match, rule: str, name: str) -> Match:
    return match.apply(DIRECTOR, Call(f"penalty {rule} {name}"))


def after_lead(match: Match) -> Match:
    """The match after the card of the seat to lead."""
    (seat,) = match.hand.owed()
    return match.apply(seat, match.hand.legal(seat)[0])


def bookable(match: Match) -> list[str]:
    return [str(action)[8:] for action in match.hand.legal(DIRECTOR)]


# ---- the score of a hand


@pytest.mark.clause("TU-ZK-II1b", "TU-ZK-III1c", "A-U-07", "A-U-17", "TU-ZK-III3b")
def test_score_of_a_hand(subtests: pytest.Subtests) -> None:
    for kind, points, ladder, stake, after in [
        ("regular", (7, 7, 7), (1, 0, 2), 1, (6, 7, 6)),
        ("regular", (7, 2, 5), (0, 1), 3, (7, 0, 5)),
        ("regular", (7, 2, 5), (0,), 3, (7, 2, 5)),
        ("dead", (0, 0, 5), (1, 0), 1, (0, 0, 5)),
        ("poor", (1, 1, 5), (1, 0), 1, (0, 1, 5)),
    ]:
        with subtests.test(kind=kind, points=points, ladder=ladder, stake=stake, after=after):
            assert score(kind, points, ladder, stake) == after


@pytest.mark.clause("TU-ZK-V6", "TU-ZK-V4", "TU-ZK-V5", "A-U-22", "TU-ZK-I1a")
def test_zk_tuppen_refuses_further_options() -> None:
    for preset in ("tuppen_zk", "tuppen_zk_tournament"):
        rules = PRESETS[preset]
        assert not (rules.blind_raise or rules.eight_card_endgame or rules.voluntary_leave)
        assert (rules.raise_timing, rules.raise_cap) == ("any_time", "points_plus_one")
        assert (rules.next_dealer, rules.deal_batches, rules.start_points) == ("hand_winner", "2x2", 7)
    match = dealt(match_at())
    with pytest.raises(IllegalAction, match="TU-ZK-V6"):
        course(match, "N double")


# ---- dealers


@pytest.mark.clause("TU-ZK-II2c", "A-U-20")
def test_highest_card_deals_first() -> None:
    pack = [parse_card(word) for word in ["SA", "H10", "C10", "D10", "S9"]]
    seating = draw(PRESETS["tuppen_zk"], 5, pack)
    assert (seating.dealer, seating.places) == (2, (0, 1, 2, 3, 4)), "ten is high, clubs before hearts"
    assert GAME.draw(PRESETS["toepen"], 2, pack[:1] + pack[4:5]).dealer == 1, "a nine beats an ace"


@pytest.mark.clause("TU-ZK-II2c", "A-U-19")
@pytest.mark.parametrize(("value", "dealers"), [("hand_winner", [2, 2, 1]), ("rotate", [4, 0, 1])])
def test_next_dealer(value: str, dealers: list[int]) -> None:
    match = match_at(f"tuppen_zk+next_dealer={value}", points=5, dealer=3)
    seen = []
    for winner in (2, 2, 1):
        match = won_by(match, winner)
        seen.append(match.hand.setup.dealer)
    assert seen == dealers


@pytest.mark.clause("TU-ZK-II1a", "TU-ZK-II1c", "A-U-01", "A-U-02")
def test_game_goes_from_seven_points_to_one_survivor() -> None:
    match = match_at(points=2)
    assert match.tally.score() == (7, 7)
    for hand in range(6):
        match = won_by(match, 1)
        assert match.tally.score() == (6 - hand, 7)
    match = won_by(match, 1)
    assert (match.winner, facts(match)["places"], match.tally.score()) == ((1,), [2, 1], (0, 7))


# ---- deaths and places


@pytest.mark.clause("TU-ZK-III4a", "A-U-26", "TU-ZK-I1b")
def test_first_to_die_is_last() -> None:
    """Places follow the order of dying, the worst first."""
    match = won_by(match_at(points="7 1 2 5", game="tuppen_zk+poor_man=off"), 0)
    assert facts(match)["places"] == [0, 4, 0, 0]
    match = won_by(match, 0)
    assert (facts(match)["places"], match.winner) == ([0, 4, 3, 0], None)
    while match.winner is None:
        match = won_by(match, 3)
    assert (facts(match)["places"], match.winner) == ([2, 4, 3, 1], (3,))


@pytest.mark.clause("TU-ZK-III4b", "A-U-17", "A-U-18")
def test_two_dead_play_off_one_hand() -> None:
    """Four alive, two die: the winner is third, the loser fourth."""
    match = won_by(match_at(points="7 1 1 5", game="tuppen_zk+poor_man=off"), 0)
    assert (facts(match)["kind"], facts(match)["group"]) == ("dead", [1, 2])
    assert match.hand.setup.dealer == 0, "the winner of the regular hand deals"
    assert match.hand.dealing().sizes == (0, 4, 4, 0)
    match = dealt(match, {1: "C:J S:J H:J D:J", 2: SWEEP})
    assert (match.hand.owed(), match.hand.legal(0)) == ((1,), ()), "the first of them on his left leads"
    with pytest.raises(IllegalAction, match="A-U-18"):
        course(match, "E raise")
    match = played_out(course(match, "E play CJ"))
    assert facts(match)["places"] == [0, 4, 3, 0]
    assert match.tally.score() == (7, 0, 0, 4)
    assert (match.hand.setup.dealer, facts(match)["kind"]) == (0, "regular")


@pytest.mark.clause("A-U-17")
def test_three_dead_play_off_two_hands() -> None:
    match = won_by(match_at(points="7 1 1 1", game="tuppen_zk+poor_man=off"), 0)
    assert facts(match)["places"] == [1, 0, 0, 0], "the last one alive has won already"
    match = won_by(match, 2)
    assert (facts(match)["places"], facts(match)["group"]) == ([1, 0, 2, 0], [1, 3])
    assert match.winner is None
    match = won_by(match, 3)
    assert (facts(match)["places"], match.winner) == ([1, 4, 2, 3], (0,))


@pytest.mark.clause("A-U-17")
def test_best_place_is_shared_without_a_play_off() -> None:
    match = won_by(match_at("toepen", points="7 1 1 5"), 0)
    assert (facts(match)["places"], facts(match)["kind"]) == ([0, 3, 3, 0], "regular")


@pytest.mark.clause("A-U-29")
@pytest.mark.parametrize(("value", "places"), [("together", [0, 0, 0, 0]), ("in_order", [0, 4, 3, 0])])
def test_dying_together_or_in_order(value: str, places: list[int]) -> None:
    match = dealt(match_at(f"tuppen_zk+same_hand_deaths={value}+poor_man=off", points="7 1 1 5"), {0: SWEEP})
    match = course(match, "N raise; E leave; S hold; W hold")
    assert match.hand.view(None).facts.places == (0, 4 * (value == "in_order"), 0, 0)
    match = played_out(match)
    assert facts(match)["places"] == places
    assert facts(match)["kind"] == ("dead" if value == "together" else "regular")


@pytest.mark.clause("A-U-03", "A-U-18")
def test_play_offs_take_true_claims_only() -> None:
    match = won_by(match_at(points="7 1 1 5", game="tuppen_zk+poor_man=off"), 0)
    match = match.apply(CHANCE, cards(match, {1: "S:A H:K D:Q C:J", 2: "S:7 H:T97"}))
    give = Give(parse_hand("S:A H:K D:Q C:J"))
    assert match.hand.legal(1) == (Call("keep"), give)
    match = course(match.apply(1, give), "E keep")
    assert match.hand.legal(2) == (Call("keep"),), "no bluff, and no challenge either"


# ---- poor men who meet


@pytest.mark.clause("TU-ZK-III3b", "A-U-16")
def test_new_poor_men_play_a_deciding_hand() -> None:
    """P, poor before, stays; Y and Z became poor together."""
    match = course(dealt(match_at(points="1 3 2 2")), "E leave; S leave; W leave")
    assert match.tally.score() == (1, 2, 1, 1)
    assert (facts(match)["kind"], facts(match)["group"]) == ("poor", [2, 3])
    match = won_by(match, 3)
    assert (facts(match)["places"], match.tally.score()) == ([0, 0, 4, 0], (1, 2, 0, 1))
    assert match.hand.setup.dealer == 0
    hand: Any = dealt(match).hand
    assert (hand.question.by, hand.question.to) == (3, (1,)), "one joint question, to the only rich one"


@pytest.mark.clause("A-U-16", "A-U-17")
def test_three_new_poor_men_first_the_survivor_then_the_places() -> None:
    match = won_by(match_at(points="7 2 2 2"), 0)
    assert facts(match)["group"] == [1, 2, 3]
    match = won_by(match, 2)
    assert (facts(match)["kind"], facts(match)["group"], match.tally.score()) == (
        "dead",
        [1, 3],
        (7, 0, 1, 0),
    )
    match = won_by(match, 1)
    assert facts(match)["places"] == [0, 3, 0, 4]
    assert facts(match)["kind"] == "regular"


@pytest.mark.clause("A-U-16")
@pytest.mark.parametrize(
    ("value", "group"), [("any", [1, 2]), ("simultaneous", [0, 1, 2, 3]), ("off", [0, 1, 2, 3])]
)
def test_old_and_a_new_poor_man(value: str, group: list[int]) -> None:
    match = dealt(
        match_at(f"tuppen_zk+poor_playoff={value}", points="7 1 2 5"), {1: SWEEP, 0: "C:J S:J H:J D:J"}
    )
    match = course(match, "S leave; W leave; N leave")
    assert match.tally.score() == (6, 1, 1, 4)
    assert facts(match)["group"] == group


@pytest.mark.clause("A-U-16")
def test_deciding_hand_needs_poor_men() -> None:
    match = won_by(match_at("tuppen_zk+poor_man=off", points="7 2 2 5"), 0)
    assert facts(match)["kind"] == "regular"


@pytest.mark.clause("TU-ZK-III4b", "TU-ZK-III3b")
def test_first_the_dead_then_the_poor() -> None:
    match = won_by(match_at("tuppen_zk+poor_man=fixed_two", points="7 1 1 3 3"), 0)
    assert (facts(match)["kind"], facts(match)["group"]) == ("dead", [1, 2])
    match = won_by(match, 1)
    assert (facts(match)["kind"], facts(match)["group"]) == ("poor", [3, 4])
    match = won_by(match, 4)
    assert (facts(match)["places"], facts(match)["kind"]) == ([0, 4, 5, 3, 0], "regular")


@pytest.mark.clause("TU-ZK-IV9", "A-U-21")
def test_lost_challenge_may_kill_at_once() -> None:
    match = match_at(points="1 5 5")
    match = match.apply(CHANCE, cards(match, {1: "S:AKQJ"}))
    match = course(match, "P1 keep").apply(1, Give(parse_hand("S:AKQJ")))
    match = course(match, "P1 challenge P2; P2 show SA SK SQ SJ")
    here = match.hand.view(None).facts
    assert (here.points, here.places, here.in_hand) == ((0, 5, 5), (3, 0, 0), (1, 2))
    match = course(match, "P2 keep; P3 keep")
    assert match.hand.owed() == (1,), "the dead man's lead passes on"


# ---- the director


@pytest.mark.clause("A-U-23", "TU-ZK-IV1")
def test_penalties_are_for_the_director_only() -> None:
    assert match_at().hand.legal(DIRECTOR) == ()
    match = dealt(match_at("tuppen_zk+conduct=director"))
    with pytest.raises(IllegalAction):
        match.apply(0, Call("penalty IV6 E"))
    match = booked(match, "IV6", "E")
    assert match.hand.view(None).facts.points == (7, 6, 7, 7)
    with pytest.raises(IllegalAction, match="A-U-21"):
        booked(match, "IV9", "E")
    view = match.hand.view(DIRECTOR)
    assert (view.cards, view.legal) == ((), match.hand.legal(DIRECTOR))
    assert str(view.heard[0][1]).count("?4") == 4, "he sees no cards"


@pytest.mark.clause("TU-ZK-IV7", "A-U-21")
def test_revoke_costs_the_stake_and_the_hand() -> None:
    """At stake 3 four points."""
    match = dealt(match_at("tuppen_zk+conduct=director", points=3), {0: SWEEP})
    assert "IV7 P2" not in bookable(match)
    match = course(match, "P1 raise; P2 hold; P3 hold; P2 raise; P3 hold; P1 hold; P1 play C10")
    seat_two = match.hand.legal(1)[0]
    match = booked(match.apply(1, seat_two), "IV7", "P2")
    here = match.hand.view(None).facts
    assert (here.points, here.in_hand, here.stake) == ((7, 3, 7), (0, 2), 3)
    assert played_out(match).tally.score() == (7, 3, 4)


@pytest.mark.clause("A-U-21", "TU-ZK-IV7", "A-U-17")
def test_penalty_death_comes_before_the_deaths_of_the_hand() -> None:
    match = dealt(match_at("tuppen_zk+conduct=director", points="7 5 2 2 2"), {0: SWEEP})
    match = course(match, "P1 raise; P2 hold; P3 hold; P4 hold; P5 hold; P1 play C10")
    for seat in (1, 2, 3, 4):
        match = match.apply(seat, match.hand.legal(seat)[0])
    match = booked(match, "IV7", "P5")
    assert match.hand.view(None).facts.places == (0, 0, 0, 0, 5)
    match = played_out(match)
    assert match.tally.score() == (7, 3, 0, 0, 0)
    assert (facts(match)["kind"], facts(match)["group"]) == ("dead", [2, 3])
    match = won_by(match, 3)
    assert facts(match)["places"] == [0, 0, 4, 3, 5]


@pytest.mark.clause("TU-ZK-IV4", "A-U-21")
def test_misdeal_is_dealt_again_by_the_same_dealer() -> None:
    match = dealt(match_at("tuppen_zk+conduct=director"))
    assert [word for word in bookable(match) if word.startswith("IV4")] == ["IV4 W"]
    again = booked(course(match, "N raise; E leave; S hold; W hold"), "IV4", "W")
    assert again.tally.score() == (7, 7, 7, 6), "what E paid for leaving comes back"
    assert (again.hand.setup.dealer, again.hand.owed()) == (3, (CHANCE,))
    assert "IV4 W" not in bookable(match.apply(0, match.hand.legal(0)[0])), "only before the first lead"


@pytest.mark.clause("TU-ZK-IV2")
def test_die_must_be_right_by_the_next_first_lead() -> None:
    """Until then its owner has time; from then on until the hand is settled the penalty may be booked."""
    match = won_by(match_at("tuppen_zk+conduct=director", points=3), 0)
    dealt_now = dealt(match)
    for early in (match, dealt_now):
        assert not any(word.startswith("IV2") for word in bookable(early))
        with pytest.raises(IllegalAction, match="A-U-21"):
            booked(early, "IV2", "P2")
    leader = dealt_now.hand.owed()[0]
    led = dealt_now.apply(leader, next(a for a in dealt_now.hand.legal(leader) if str(a).startswith("play")))
    assert [word for word in bookable(led) if word.startswith("IV2")] == ["IV2 P2", "IV2 P3"]
    found = booked(led, "IV2", "P2")
    assert found.hand.view(None).facts.points == (7, 5, 6)
    raised = course(led, "P1 raise; P2 hold; P3 leave")
    assert "IV2 P1" not in bookable(raised), "nothing was to be turned down before this hand"
    assert not any(word.startswith("IV2") for word in bookable(played_out(raised))), "settled"


@pytest.mark.clause("TU-ZK-IV3", "TU-ZK-IV5", "TU-ZK-IV8", "TU-ZK-II4", "A-U-21")
def test_penalties_between_two_hands() -> None:
    match = won_by(match_at("tuppen_zk+conduct=director", points="3 2 2 5"), 0)
    assert facts(match)["group"] == [1, 2]
    assert {"IV3 N", "IV5 N", "IV8 N", "II4 N", "II4 S"} <= set(bookable(match))
    match = booked(match, "IV5", "S")
    assert facts(match)["places"] == [0, 0, 4, 0]
    assert facts(match)["kind"] == "regular", "one poor man alone has nobody to play with"
    assert match.played[-1].hand.log == ((DIRECTOR, Call("penalty IV5 S")),)


@pytest.mark.clause("A-U-21", "TU-ZK-IV7")
def test_late_revoke_of_the_winner_settles_the_hand_anew() -> None:
    match = dealt(match_at("tuppen_zk+conduct=director", points="7 1 3", dealer=2), {0: SWEEP, 1: "D:T987"})
    match = course(match, "P3 hold; P1 hold")
    match = played_out(match)
    assert (match.tally.score(), facts(match)["places"]) == ((7, 0, 1), [0, 3, 0])
    match = booked(match, "IV7", "P1")
    assert match.tally.score()[0] == 4, "penalty and stake"
    assert match.tally.score()[1:] in ((1, 1), (0, 3)), "the next of the ladder has won"
    ladder = match.played[0].result.outcome.ladder
    assert match.hand.setup.dealer == ladder[1]
    assert "IV7 P1" not in bookable(match)
    assert match.tally.notes()[0].clause == "A-U-21"


@pytest.mark.clause("A-U-21")
def test_late_revoke_of_a_loser_costs_the_penalty_only() -> None:
    match = won_by(match_at("tuppen_zk+conduct=director", points=3), 0)
    match = booked(booked(match, "IV8", "P3"), "IV7", "P2")
    assert match.tally.score() == (7, 5, 5)
    match = booked(match, "IV7", "P1")
    assert match.tally.score() == (5, 5, 6), "only P3 has not revoked: he has won, less his other penalty"
    assert "IV7 P1" not in bookable(dealt(match)), "not after the next deal"


@pytest.mark.clause("A-U-21", "A-U-11")
def test_win_by_leaving_is_not_undone() -> None:
    match = after_lead(dealt(match_at("tuppen_zk+conduct=director", points=3, dealer=2)))
    match = booked(course(match, "P1 raise; P2 leave; P3 leave"), "IV7", "P1")
    assert match.tally.score() == (5, 6, 6)
    assert match.hand.setup.dealer == 0


@pytest.mark.clause("A-U-18", "A-U-21")
def test_penalties_in_play_offs() -> None:
    poor = dealt(won_by(match_at("tuppen_zk+conduct=director", points="7 2 2 5"), 0))
    dead = booked(poor, "IV6", "E")
    assert facts(dead)["places"] == [0, 4, 0, 0], "a penalised poor man is dead at once"
    assert facts(dead)["kind"] == "regular"
    match = won_by(match_at("tuppen_zk+conduct=director+poor_man=off", points="7 1 1 5"), 0)
    match = dealt(match)
    assert not any(word.endswith((" E", " S")) for word in bookable(match)), "nothing left to lose"
    match = match.apply(1, match.hand.legal(1)[0])
    assert "IV7 E" in bookable(match)
    match = booked(match, "IV7", "E")
    assert facts(match)["places"] == [0, 4, 3, 0], "a revoke ends the hand for him"


@pytest.mark.clause("A-U-21")
def test_question_goes_on_when_its_asker_dies() -> None:
    match = dealt(match_at("tuppen_zk+conduct=director", points="1 5 5 5"))
    match = booked(course(match, "E hold"), "IV6", "N")
    assert match.hand.owed() == (2,)
    match = course(match, "S hold; W hold")
    here = match.hand.view(None).facts
    assert (here.stake, here.in_hand, here.places) == (2, (1, 2, 3), (4, 0, 0, 0))
    match = booked(course(match, "E raise"), "IV6", "S")
    assert match.hand.view(None).facts.points == (0, 5, 4, 5)


@pytest.mark.clause("A-U-21", "A-U-11")
def test_penalties_may_leave_one_in_the_hand() -> None:
    match = dealt(match_at("tuppen_zk+conduct=director+penalty_points=3", points="3 5 5"))
    match = booked(course(match, "P2 raise; P3 leave"), "IV6", "P1")
    assert match.tally.score() == (0, 5, 4)
    assert facts(match)["places"] == [3, 0, 0]


@pytest.mark.clause("A-U-04", "A-U-21")
def test_challenge_of_a_player_who_dies_meanwhile_is_void() -> None:
    match = match_at("tuppen_zk+conduct=director", points="1 5 5")
    match = match.apply(CHANCE, cards(match, {0: "S:AKQJ"})).apply(0, Give(parse_hand("S:AKQJ")))
    match = booked(course(match, "P1 keep; P2 challenge P1"), "IV6", "P1")
    here = match.hand.view(None).facts
    assert (here.points, here.phase, here.asked) == ((0, 5, 5), "pictures", (1, 2))
    assert here.packets == (Laid(0, False, ()),)


@pytest.mark.clause("A-U-04", "A-U-21", "TU-ZK-IV9")
def test_challenge_once_made_is_settled_even_if_the_challenger_dies() -> None:
    match = match_at("tuppen_zk+conduct=director", points="5 1 5")
    match = match.apply(CHANCE, cards(match, {0: "S:T987"})).apply(0, Give(parse_hand("S:T987")))
    match = booked(course(match, "P1 keep; P2 challenge P1"), "IV6", "P2")
    match = course(match, "P1 show S10 S9 S8 S7")
    assert match.hand.view(None).facts.points == (4, 0, 5), "it was no four pictures: its owner pays"


@pytest.mark.clause("A-U-15", "A-U-21")
def test_misdealt_hand_does_not_count_as_having_been_poor() -> None:
    match = match_at("siebenschraem+conduct=director", points="3 1 3")
    poor = course(dealt(course(match, "P1 look; P3 look")), "P3 hold; P1 hold")
    assert poor.hand.owed() == (1,), "the poor man leads the first time"
    again = booked(dealt(course(match, "P1 look; P3 look")), "IV4", "P3")
    assert again.tally.been_poor == ()  # type: ignore[attr-defined]
    again = course(dealt(course(again, "P1 look; P3 look")), "P3 hold; P1 hold")
    assert again.hand.owed() == (1,), "so that he leads now"


@pytest.mark.clause("A-U-15")
def test_usual_leader_leads_when_all_in_the_hand_are_poor() -> None:
    match = dealt(match_at("siebenschraem", points="1 1 1", dealer=0))
    assert (match.hand.view(None).facts.poor, match.hand.owed()) == ((1, 2, 0), (1,))
    assert dealt(match_at("siebenschraem", points="1 1 1", dealer=1)).hand.owed() == (2,)


@pytest.mark.clause("A-U-03")
def test_four_pictures_for_a_new_deal_need_no_stock() -> None:
    match = match_at("tuppen_zk+four_pictures=redeal", points=8)
    deal = cards(match, {0: "S:A H:K D:Q C:J"})
    assert deal.stock == ()
    again = course(match.apply(CHANCE, deal), "P1 show SA HK DQ CJ")
    assert again.hand.owed() == (CHANCE,)


@pytest.mark.clause("A-U-21", "A-U-17")
def test_penalty_that_would_kill_the_sole_survivor_is_noted_while_the_dead_play_off() -> None:
    """The sole survivor keeps first place, and the play-off goes on."""
    match = won_by(match_at("tuppen_zk+conduct=director+poor_man=off", points="1 1 1"), 0)
    assert (facts(match)["kind"], facts(match)["places"]) == ("dead", [1, 0, 0])
    match = booked(match, "IV6", "P1")
    assert [note.clause for note in match.played[-1].result.notes] == ["TU-ZK-IV6"]
    assert "IV6 P2" not in bookable(match) and "IV7 P1" in bookable(match)
    match = booked(booked(dealt(match), "IV8", "P1"), "IV4", "P1")
    assert facts(match)["kind"] == "dead"
    assert facts(match)["points"] == facts(match)["places"] == [1, 0, 0]
    assert match.hand.owed() == (CHANCE,), "cards that were dealt wrongly are dealt again"
    match = won_by(match, 1)
    assert (facts(match)["places"], match.winner) == ([1, 2, 3], (0,))


@pytest.mark.clause("A-U-21", "TU-ZK-IV1")
@pytest.mark.parametrize("cards_lie", [False, True])
def test_penalty_that_leaves_the_sole_survivor_points_is_paid(cards_lie: bool) -> None:
    """The sole survivor pays every penalty but one that would kill."""
    match = won_by(match_at("tuppen_zk+conduct=director+poor_man=off", points="3 1 1"), 0)
    assert (facts(match)["kind"], facts(match)["places"]) == ("dead", [1, 0, 0])
    match = dealt(match, {1: SWEEP}) if cards_lie else match
    for left_over in (2, 1, 1):
        match = booked(match, "IV6", "P1")
        assert match.hand.view(None).facts.points == (left_over, 0, 0)
    match = played_out(match) if cards_lie else won_by(match, 1)
    assert (match.tally.score(), facts(match)["places"], match.winner) == ((1, 0, 0), [1, 2, 3], (0,))


@pytest.mark.clause("A-U-21")
def test_penalty_of_two_points_that_kills_the_sole_survivor_costs_nothing_at_all() -> None:
    rules = "tuppen_zk+conduct=director+poor_man=off+penalty_points=2"
    match = won_by(match_at(rules, points="5 1 1"), 0)
    for left_over in (3, 1, 1):
        match = booked(match, "IV5", "P1")
        assert match.hand.view(None).facts.points == (left_over, 0, 0)


@pytest.mark.clause("A-U-21")
def test_survivor_alone_since_a_penalty_within_the_play_off_keeps_the_points() -> None:
    """Two live while two dead play off; a penalty kills one of the two before the cards are played."""
    match = won_by(match_at("tuppen_zk+conduct=director+poor_man=off", points="2 2 1 1"), 0)
    assert (facts(match)["kind"], match.tally.score()) == ("dead", (2, 1, 0, 0))
    match = booked(dealt(match, {2: SWEEP}), "IV6", "E")
    assert match.hand.view(None).facts.points == (2, 0, 0, 0)
    match = booked(match, "IV6", "N")
    match = booked(match, "IV8", "N")
    assert match.hand.view(None).facts.points == (1, 0, 0, 0), "paid while it does not kill"
    match = played_out(match)
    assert (match.tally.score(), facts(match)["places"]) == ((1, 0, 0, 0), [1, 2, 3, 4])


@pytest.mark.clause("A-U-21", "TU-ZK-IV7")
def test_late_revoke_that_would_kill_the_sole_survivor_is_noted() -> None:
    """All others left and died together: the one left has won, and nobody else is alive."""
    match = after_lead(dealt(match_at("tuppen_zk+conduct=director+poor_man=off", points="2 1 1", dealer=2)))
    match = course(match, "P1 raise; P2 leave; P3 leave")
    assert (facts(match)["kind"], facts(match)["places"]) == ("dead", [1, 0, 0])
    match = booked(match, "IV7", "P1")
    assert (match.tally.score(), facts(match)["places"]) == ((2, 0, 0), [1, 0, 0])
    assert "IV7 P1" not in bookable(match)


@pytest.mark.clause("TU-ZK-IV7", "A-U-21")
def test_late_revoke_is_bookable_only_on_a_player_who_has_played_a_card() -> None:
    match = after_lead(dealt(match_at("tuppen_zk+conduct=director", points=4, dealer=3)))
    match = course(match, "N raise; E leave; S leave; W leave")
    assert [word for word in bookable(match) if word.startswith("IV7")] == ["IV7 N"]
    nobody = course(dealt(match_at("tuppen_zk+conduct=director", points=3)), "P1 raise; P2 leave; P3 leave")
    assert not any(word.startswith("IV7") for word in bookable(nobody))


@pytest.mark.clause("A-U-21", "TU-ZK-IV7")
def test_late_revoke_may_kill_the_winner() -> None:
    match = won_by(match_at("tuppen_zk+conduct=director+poor_man=off", points="2 7 7"), 0)
    match = booked(match, "IV7", "P1")
    assert facts(match)["places"] == [3, 0, 0]
    assert sorted(match.tally.score()) == [0, 6, 7]
    assert match.hand.setup.dealer == match.tally.score().index(7)


@pytest.mark.clause("A-U-21")
def test_game_that_a_late_revoke_decides_is_over_before_later_penalties() -> None:
    """N wins by leaving; W dies by a penalty; then N's revoke is found, and W was the last one alive."""
    match = after_lead(dealt(match_at("tuppen_zk+conduct=director+poor_man=off", points="1 1 1 2", dealer=3)))
    match = booked(course(match, "N raise; E leave; S leave; W leave"), "IV8", "W")
    assert (facts(match)["places"], facts(match)["group"]) == ([1, 0, 0, 2], [1, 2])
    match = booked(match, "IV7", "N")
    assert (facts(match)["places"], facts(match)["group"]) == ([4, 0, 0, 1], [1, 2])
    match = won_by(match, 2)
    assert (facts(match)["places"], match.winner) == ([4, 3, 2, 1], (3,))


@pytest.mark.clause("A-U-21")
def test_penalty_booked_before_a_late_revoke_that_ends_the_game_is_void() -> None:
    match = after_lead(dealt(match_at("tuppen_zk+conduct=director+poor_man=off", points="2 3")))
    match = booked(course(match, "P1 raise; P2 leave"), "IV8", "P2")
    assert match.tally.score() == (2, 1)
    match = booked(match, "IV7", "P1")
    assert (match.tally.score(), facts(match)["places"], match.winner) == ((0, 2), [2, 1], (1,))


@pytest.mark.clause("A-U-16", "A-U-21")
def test_poor_men_meet_after_a_penalty_but_not_after_cards_dealt_again_without_one() -> None:
    rules = "tuppen_zk+start_points=1+four_pictures=redeal+poor_playoff=any"
    match = match_at(rules, points=3)
    match = match.apply(CHANCE, cards(match, {0: "S:A H:K D:Q C:J"}))
    assert facts(course(match, "P1 show SA HK DQ CJ"))["kind"] == "regular"


@pytest.mark.clause("A-U-21")
def test_no_revoke_is_booked_once_cards_were_dealt_even_if_they_are_dealt_again() -> None:
    match = won_by(match_at("tuppen_zk+conduct=director+four_pictures=redeal", points=3, dealer=2), 0)
    assert "IV7 P1" in bookable(match)
    match = match.apply(CHANCE, cards(match, {1: "S:A H:K D:Q C:J"}))
    again = course(match, "P2 show SA HK DQ CJ")
    assert (again.hand.owed(), again.hand.setup.dealer) == ((CHANCE,), 0)
    assert "IV7 P1" not in bookable(again)


@pytest.mark.clause("A-U-16", "A-U-21")
def test_penalty_may_make_poor_men_meet() -> None:
    match = match_at("tuppen_zk+conduct=director+poor_playoff=any", points="7 2 1")
    match = booked(match, "IV3", "P2")
    assert (facts(match)["kind"], facts(match)["group"]) == ("poor", [1, 2])
    apart = match_at("tuppen_zk+conduct=director", points="7 2 1")
    assert facts(booked(apart, "IV3", "P2"))["kind"] == "regular", "not in the same hand"
    misdealt = dealt(match_at("tuppen_zk+conduct=director+poor_playoff=any", points="7 1 2"))
    misdealt = booked(misdealt, "IV4", "P3")
    assert (facts(misdealt)["kind"], facts(misdealt)["group"]) == ("poor", [1, 2])


@pytest.mark.clause("TU-ZK-III2c", "TU-ZK-IV9", "TU-ZK-II2b")
@pytest.mark.parametrize(
    ("entry", "clause"),
    [("P3 hold", "TU-ZK-III2c"), ("P1 challenge P2", "TU-ZK-IV9"), ("P1 give S10 away", "TU-ZK-II2b")],
)
def test_refusals_name_their_clause(entry: str, clause: str) -> None:
    match = course(dealt(match_at(points=3), {0: "S:T987"}), "P2 raise; P3 leave; P1 hold")
    with pytest.raises(IllegalAction) as refused:
        course(match, entry)
    assert refused.value.clause == clause


@pytest.mark.clause("A-U-21")
def test_record_with_penalties_reads_back() -> None:
    from nousu.engine.record import Record, read, write

    match = won_by(match_at("tuppen_zk+conduct=director", points=3), 0)
    match = booked(booked(match, "IV8", "P3"), "IV7", "P1")
    text = write(Record(match))
    assert "director penalty IV7 P1" in text
    assert read(text, find).match.tally == match.tally


def test_raise_within_a_trick_splits_its_line_but_joins_no_two_tricks() -> None:
    from nousu.engine.record import hand_lines

    hands = {0: "C:T98 H:T", 1: "D:T98 H:9", 2: "D:KQJ S:T"}
    match = course(dealt(match_at(points=3), hands), "P1 play C10; P2 play D10; P2 raise; P3 hold; P1 hold")
    match = course(match, "P3 play DK; P1 play C9; P2 play D9; P3 play DQ")
    assert list(hand_lines(match.hand))[-6:] == [
        "P1 play C10; P2 play D10",
        "P2 raise",
        "P3 hold",
        "P1 hold",
        "P3 play DK",
        "P1 play C9; P2 play D9; P3 play DQ",
    ]


# ---- invariants


@pytest.mark.clause("A-U-26", "TU-ZK-II1c", "TU-ZK-III2f")
def test_invariants_of_whole_games(subtests: pytest.Subtests) -> None:
    """Points never rise, somebody survives, and the places are 1 to n."""
    for seats in range(2, 9):
        for preset in ["tuppen_zk", "siebenschraem", "toepen", "tuppen_zk+conduct=director"]:
            with subtests.test(seats=seats, preset=preset):
                game, rules = find(preset)
                for seed in range(6):
                    rng = Random(f"{preset} {seats} {seed}")
                    match = Match.start(game, rules, seats, rng.choice(range(seats)))
                    while match.winner is None:
                        before = match
                        seat, action = random_actor(match.hand, seats, rng)
                        here = match.hand.view(None).facts
                        if action == Call("raise") and rules.raise_cap == "points_plus_one":
                            assert here.stake + 1 <= here.points[seat] + 1
                        match = match.apply(seat, action)
                        if len(match.played) > len(before.played):
                            anew = seat == DIRECTOR and "IV7" in str(action)
                            assert sum(match.tally.score()) <= sum(before.tally.score()) or anew
                            assert any(match.tally.score()) or anew or rules.conduct == "director"
                    places = facts(match)["places"]
                    if rules.dead_playoff:
                        assert sorted(places) == list(range(1, seats + 1))
                    assert match.winner == tuple(seat for seat, place in enumerate(places) if place == 1)


def test_rank_order_of_play() -> None:
    order = sorted("789TJQKA", key=lambda rank: TEN_HIGH[parse_card(f"S{rank}").rank], reverse=True)
    assert "".join(order) == "T987AKQJ"


def test_standing_that_was_never_played_has_no_dealer_of_its_own() -> None:
    match = match_at("tuppen_zk+conduct=director+next_dealer=rotate", points="7 7 2", dealer=1)
    match = booked(match, "IV5", "P3")
    assert (match.hand.setup.dealer, match.tally.score()) == (1, (7, 7, 1))
    lost = booked(match, "IV5", "P3")
    assert (lost.hand.setup.dealer, facts(lost)["places"]) == (1, [0, 0, 3])
