"""The rule-based player of Tuppen: its choices in plain situations, and its score against random."""

from random import Random
from statistics import mean

import pytest

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import parse_card, parse_hand
from nousu.engine.laws import random_match
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.tuppen import HOLD, Facts, Standing
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.seat_loop import advance, derive_seed
from nousu.players.tuppen.playouts import needed_to_hold, spite
from nousu.players.tuppen.rules import choose, honesty, interrupt
from tuppen_table import SWEEP, cards, match_at, said, table

PLACE_POINTS = (5, 3, 2, 1, 0, 0, 0, 0)
"""TU-ZK-I1b."""


def answers(hand, seat, times=40):
    """Choices under many seeds."""
    return [choose(hand.view(seat), seed).action for seed in range(times)]


def test_certain_hand_raises_and_hopeless_one_keeps_still():
    strong = table({0: SWEEP}, points=3)
    assert choose(strong.view(0), 1).action == Call("raise")
    assert interrupt(said(strong, "P1 play C10").view(0), 1).action == Call("raise")
    weak = table({1: "S:JQ H:J D:J"}, points=3)
    silent = [interrupt(weak.view(1), seed) for seed in range(60)]
    spoken = [choice for choice in silent if choice is not None]
    assert 0 < len(spoken) < 12, "a bluff now and then, decided by the seed"
    assert {choice.reason.message for choice in spoken} == {"A bluff"}


def test_good_hand_holds_and_bad_one_leaves():
    hand = said(table({0: SWEEP, 1: "S:JQ H:J D:J"}, points=3), "P3 raise")
    assert set(answers(hand, 0)) == {Call("hold")}
    assert set(answers(said(hand, "P1 hold"), 1)) == {Call("leave")}


def test_hand_holds_when_leaving_costs_as_much():
    hand = table({1: "S:JQ H:J D:J"}, "tuppen_zk+poor_man=off", points="5 1 5")
    assert set(answers(said(hand, "P1 raise"), 1)) == {Call("hold")}


def test_losses_of_the_other_count_in_full_between_two():
    """Leaving costs one; going along, two or two for the other: a chance of a quarter is enough."""
    needed = [
        needed_to_hold(1, 2, spite(Facts.of(match_at(points=seats).hand.view(0).facts))) for seats in (2, 3)
    ]
    assert needed == [1 / 4, pytest.approx(1 / 2.6)]


def test_player_with_nothing_left_to_lose_raises():
    hand = table({1: "S:JQ H:J D:J"}, "tuppen_zk+poor_man=off", points="5 1 5")
    assert interrupt(hand.view(1), 3).reason.message == "Nothing more can be lost by raising"


def test_last_trick_but_one_is_taken_to_lead_the_last():
    hand = table({0: "C:98 H:9 S:7", 1: "D:98 H:T7"}, points=2)
    hand = said(hand, "P2 raise; P1 hold; P1 play C9; P2 play D9; P1 play C8; P2 play D8; P1 play H9")
    played = {action for action in answers(hand, 1) if isinstance(action, Play)}
    assert played == {Play(parse_card("HT"))}


def test_pictures_are_changed_when_weak_and_good_cards_kept():
    match = match_at(points=4)
    hand = match.apply(CHANCE, cards(match, {0: "S:J H:J D:J C:Q"})).hand
    assert set(answers(hand, 0)) == {Give(parse_hand("S:J H:J D:J C:Q"))}
    hand = match.apply(CHANCE, cards(match, {0: SWEEP})).hand
    assert set(answers(hand, 0)) == {Call("keep")}


def test_second_packet_is_challenged_but_not_with_the_last_point():
    for points, challenged in (("5 5 5", True), ("5 1 5", False)):
        match = match_at(points=points)
        hand = match.apply(CHANCE, cards(match, {0: "S:J H:J D:J C:Q"})).hand
        hand = hand.apply(0, Give(hand.view(0).cards))
        hand = said(hand.apply(0, Give(hand.view(0).cards)), "P1 keep")
        assert (Call("challenge P1 2") in answers(hand, 1)) == challenged
    held = match_at(points=4).apply(CHANCE, cards(match_at(points=4), {0: "S:J H:J D:J C:Q", 1: SWEEP})).hand
    held = said(held.apply(0, Give(held.view(0).cards)), "N keep")
    assert not any("challenge" in str(action) for action in answers(held, 1)), "one packet may be true"


def test_packet_that_looks_honest_is_believed():
    match = match_at(points=4)
    hand = match.apply(CHANCE, cards(match, {0: "S:J H:J D:J C:Q"})).hand
    hand = said(hand.apply(0, Give(hand.view(0).cards)), "N keep")
    for seat in (1, 2, 3):
        asked = [interrupt(hand.view(seat), seed) for seed in range(20)]
        assert not any(choice and "challenge" in str(choice.action) for choice in asked)


def test_raise_demands_more_of_the_next_one():
    """No war of raises before a card is played: three high clubs raise first, but not after three raises."""
    hand = table({0: "C:T98 H:K"}, points=3)
    assert choose(hand.view(0), 1).action == Call("raise")
    hand = said(hand, "P2 raise; P3 hold; P1 hold; P3 raise; P1 hold; P2 hold; P2 raise; P3 hold; P1 hold")
    assert not any(choose(hand.view(0), seed).action == Call("raise") for seed in range(10))


def reached(level, hand, seat, seed=1):
    return find_player(level).choose(hand.view(seat), DEFAULT_BUDGET, seed)


def test_levels_between_two_count_cards_above_a_king_to_raise():
    """One for a beginner, two for `easy` and `club`, one more for each earlier raise; nobody bluffs."""
    levels = ("beginner", "easy", "club")
    enough = {"S:A H:KQJ": levels[:1], "S:A H:TQJ": levels, "S:K H:KQJ": ()}
    for held, raising in enough.items():
        hand = table({0: held}, points=2)
        for level in levels:
            raised = [reached(level, hand, 0, seed).action == Call("raise") for seed in range(20)]
            assert raised == [level in raising] * 20, (held, level)
    for held, again in {"S:A H:KQJ": False, "S:AT H:QJ": True}.items():
        hand = said(table({0: held}, points=2), "P2 raise; P1 hold")
        assert (reached("beginner", hand, 0).action == Call("raise")) == again


def goes_along(level, hand, seat):
    choice = reached(level, hand, seat)
    assert choice.action in (HOLD, Call("leave"))
    return choice.action == HOLD


def test_levels_between_two_go_along_with_three_cards_above_a_king():
    """`easy` and `club` with all that are left if they hold fewer; a beginner wants three then, too, and one
    more for each raise after the first. Whoever holds fewer leaves, whatever the chance is."""
    levels = ("beginner", "easy", "club")
    for held, along in {"S:A H:A D:A C:J": True, "S:78 H:K D:K": False}.items():
        hand = said(table({0: held, 1: "H:T987"}, points=2), "P2 raise")
        assert [goes_along(level, hand, 0) for level in levels] == [along] * 3, held
    hand = said(table({0: "S:A H:A D:A C:J", 1: "H:T987"}, points=2), "P1 raise; P2 hold; P2 raise")
    assert [goes_along(level, hand, 0) for level in levels] == [False, True, True]
    late = table({0: "C:98 H:9 S:7", 1: "D:98 H:T7"}, points=2)
    late = said(late, "P1 play C9; P2 play D9; P1 play C8; P2 play D8; P1 raise")
    assert [goes_along(level, late, 1) for level in levels] == [False, True, True]


def test_raise_is_answered_with_a_raise_by_strong_cards_only():
    for held, word in [("S:T H:T D:T C:T", "raise"), ("S:J H:J D:J C:Q", "leave")]:
        hand = said(table({1: held}, "toepen_netherlands", points=3), "P1 raise")
        assert str(choose(hand.view(1), 1).action) == word


def test_white_wash_makes_a_packet_more_likely_to_be_honest():
    assert honesty(0, 1, True) > 1.2 * honesty(0, 1)


def test_three_weak_pictures_and_a_seven_are_exchanged():
    match = match_at("toepen_netherlands", points=4)
    match = match.apply(CHANCE, cards(match, {0: "S:J H:J D:J C:7", 1: "S:T9", 2: "H:T9", 3: "D:T9 C:T9"}))
    chosen = choose(match.hand.view(0), 1)
    assert isinstance(chosen.action, Give)


def test_beginner_changes_no_pictures():
    match = match_at(points=4)
    hand = match.apply(CHANCE, cards(match, {0: "S:J H:J D:J C:Q"})).hand
    assert reached("beginner", hand, 0).action == Call("keep")
    assert reached("easy", hand, 0).action == Give(parse_hand("S:J H:J D:J C:Q"))


def test_levels_among_more_go_along_with_so_many_cards_above_a_king():
    """A beginner does with one, `easy` with two and `club` with three, however small the chance is."""
    levels = ("beginner", "easy", "club", "rules")
    enough = {"S:A H:KQ D:J": levels[:1], "S:A H:A D:KJ": levels[:2], "S:A H:A D:A C:J": levels[:3]}
    for held, along in enough.items():
        hand = said(table({0: held, 1: "H:T987"}, points=4), "E raise; S hold; W hold")
        assert [goes_along(level, hand, 0) for level in levels] == [level in along for level in levels], held


def test_easy_between_two_wins_tricks_that_do_not_count():
    """`club` throws its low cards first and keeps the best for the last tricks."""
    hand = table({0: "C:JQ H:J S:7", 1: "D:98 H:T7"}, points=2)
    assert reached("club", hand, 0).action == Play(parse_card("HJ"))
    highest = reached("easy", hand, 0)
    assert highest.action == Play(parse_card("S7"))
    assert "The highest card first" in highest.reason.message


def test_easy_among_more_weighs_its_cards_as_club_does():
    hand = table({0: "C:98 H:9 S:7", 1: "D:98 H:T7", 2: "S:98 D:JQ"}, points=3)
    hand = said(
        hand,
        "P2 raise; P3 hold; P1 hold; P1 play C9; P2 play D9; P3 play S9;"
        "P1 play C8; P2 play D8; P3 play S8; P1 play H9",
    )
    assert reached("easy", hand, 1).action == reached("club", hand, 1).action == Play(parse_card("HT"))


def deaths(text: str, seats: int, count: int, player: str = "rules") -> list[int]:
    """In which hand the first player died, game by game, where all are players of that name."""
    game, rules = find(text)
    company, found = [find_player(player)] * seats, []
    for number in range(count):
        match = Match.start(game, rules, seats, number % seats)
        while (after := advance(match, company, derive_seed(text, number))) is not None:
            match = after
        points = [Standing.of(played.tally).points for played in match.played]
        found.append(next(at for at, held in enumerate(points, 1) if 0 in held))
    return found


@pytest.mark.parametrize(
    ("text", "seats", "count"),
    [
        ("tuppen_zk", 4, 12),
        pytest.param("tuppen_zk", 3, 40, marks=pytest.mark.slow),
        pytest.param("tuppen_zk", 4, 100, marks=pytest.mark.slow),
        pytest.param("siebenschraem", 4, 40, marks=pytest.mark.slow),
        pytest.param("toepen", 4, 40, marks=pytest.mark.slow),
    ],
)
def test_first_hand_ends_hardly_any_life(text, seats, count):
    """The bound is one game in twenty; in 100 games none was seen."""
    assert deaths(text, seats, count).count(1) <= count / 20


@pytest.mark.parametrize("count", [6, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("level", ["beginner", "easy", "club"])
def test_levels_have_no_wars_of_raises(level, seats, count):
    assert deaths("tuppen_zk", seats, count, level).count(1) <= 1


def test_seed_decides_the_choice():
    view = table({}, points=4).view(0)
    assert choose(view, 5) == choose(view, 5)


def test_choices_are_legal_everywhere(subtests: pytest.Subtests):
    for preset in ["tuppen_zk", "siebenschraem", "toepen", "tuppen_zk+conduct=director"]:
        with subtests.test(preset=preset):
            game, rules = find(preset)
            rng = Random(preset)
            asked = 0
            for seats in (2, 3, 5, 8):
                for _, hand in random_match(game, rules, seats, rng, hands=12):
                    for seat in range(seats):
                        view = hand.view(seat)
                        if not view.legal or rng.random() < 0.6:
                            continue
                        choice = choose(view, asked) if seat in view.owed else interrupt(view, asked)
                        assert choice is None or choice.action in view.legal
                        asked += 1
            assert asked > 100


def places(text: str, seats: int, number: int, heroes: tuple[int, ...]) -> list[int]:
    """One game: rules players in these seats, random ones elsewhere, hand n dealt by (number, n)."""
    game, rules = find(text)
    match = Match.start(game, rules, seats, number % seats)
    players = [find_player("rules" if seat in heroes else "random") for seat in range(seats)]
    hands = moves = 0
    while match.winner is None:
        seat = match.hand.owed()[0]
        if seat == CHANCE:
            hands += 1
            match = match.deal(Random(derive_seed(number, hands)))
            continue
        moves += 1
        seed = derive_seed(number, heroes, moves)
        match = match.apply(seat, players[seat].choose(match.hand.view(seat), DEFAULT_BUDGET, seed).action)
    return list(match.tally.plain()["places"])


def duplicates(text: str, seats: int, count: int) -> tuple[int, float, float]:
    """Duplicate matches of one rules player against random ones: the same shuffles once with each seat.
    How many it won on average of places, and the mean place points of rules and of random."""
    won, ours, theirs = 0, [], []
    for number in range(count):
        mine, others = [], []
        for hero in range(seats):
            for seat, place in enumerate(places(text, seats, number, (hero,))):
                (mine if seat == hero else others).append(PLACE_POINTS[place - 1])
        won += mean(mine) > mean(others)
        ours += mine
        theirs += others
    return won, mean(ours), mean(theirs)


@pytest.mark.parametrize(
    ("text", "seats", "count"),
    [
        ("tuppen_zk", 4, 20),
        pytest.param("tuppen_zk", 4, 100, marks=pytest.mark.slow),
        pytest.param("siebenschraem", 4, 40, marks=pytest.mark.slow),
        pytest.param("toepen", 4, 40, marks=pytest.mark.slow),
    ],
)
def test_rules_player_beats_random(text, seats, count, capsys):
    won, ours, theirs = duplicates(text, seats, count)
    with capsys.disabled():
        print(
            f"\n{text}, {seats} seats, {count} duplicate matches: {won} won; "
            f"mean place points {ours:.2f} against {theirs:.2f}, ratio {ours / theirs:.2f}"
        )
    assert won >= 0.95 * count
    assert ours >= 1.6 * theirs


def test_table_of_rules_players_comes_to_an_end():
    assert sorted(places("tuppen_zk", 4, 1, (0, 1, 2, 3))) == [1, 2, 3, 4]
