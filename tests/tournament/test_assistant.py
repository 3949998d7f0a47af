"""The table assistant: stakes, dice, seats in the hand and dealers, without seeing cards."""

import random

import pytest

from nousu.tournament.assistant import after, begin, choices, follow, rules_named
from nousu.tournament.messages import Refusal

ZK = rules_named("tuppen_zk_tournament")


def points_after(seats: int, words: str) -> tuple[int, ...]:
    """Everybody's points after these words."""
    return follow(ZK, [seats], words.split())[0].standing.points


def test_five_players_no_raise() -> None:
    assert points_after(5, "da wa") == (7, 6, 6, 6, 6)


def test_raises_are_answered_in_turn_and_leaving_costs_the_stake_before() -> None:
    """B raises to 2, C leaves; D raises to 3, E leaves; A takes the last trick."""
    words = "de +b nc yd ye ya +d ne ya yb ta ta ta ta"
    assert points_after(5, words) == (7, 4, 6, 4, 5)


def test_raise_twice_running_or_beyond_one_more_than_the_die_is_refused() -> None:
    game = follow(ZK, [3], ["da", "+b", "yc", "ya"])[0]
    assert "+b" not in choices(game) and {"+a", "+c"} <= set(choices(game))
    low = follow(ZK, [3], ["da", "wa", "wa", "wa", "wa"])[0]  # a 7, b and c 3
    assert low.standing.points == (7, 3, 3)
    for word in ["+b", "yc", "ya", "+c", "ya", "yb", "+b", "yc", "ya"]:
        low = after(low, word)
    assert low.hand is not None and low.hand.stake == 4 and "+c" not in choices(low)


def test_the_poor_man_asks_and_is_played_against_for_two() -> None:
    poor = "da wa wa wa wa +b yc ya wa"  # b and c at 1: they play off; the winner stays poor
    game = follow(ZK, [3], poor.split())[0]
    assert game.kind == "poor" and game.standing.points == (7, 1, 1)
    game = after(game, "wb")
    assert game.standing.places == (0, 0, 3) and game.standing.points == (7, 1, 0)
    assert set(choices(game)) >= {"ya", "na"}, "b asks a before the first card"
    refused = after(game, "na")
    assert refused.standing.points == (6, 1, 0)
    along = after(after(game, "ya"), "wb")
    assert along.standing.points == (5, 1, 0)
    assert after(after(game, "ya"), "wa").order == (0, 1, 2)


def test_all_others_leave_and_nobody_plays_on() -> None:
    assert points_after(4, "da ta +b nc nd na") == (6, 7, 6, 6)


def test_a_revoke_costs_the_stake_too_and_ends_the_hand_for_its_player() -> None:
    """Stake 3, the revoker loses four and is out."""
    game = follow(ZK, [4], ["da", "+b", "yc", "yd", "ya", "+c", "yd", "ya", "yb", "!IV7d", "wa"])[0]
    assert game.standing.points == (7, 4, 4, 3)


def test_two_who_die_together_play_off_their_places() -> None:
    """The winner of the play-off has the better place, and nobody's points change."""
    game = begin(ZK, 3)
    for word in ["da", "wa", "wa", "wa", "wa", "wa", "+b", "yc", "ya"]:  # a 7, b and c 2, the stake 2
        game = after(game, word)
    assert game.standing.points == (7, 2, 2)
    game = after(game, "wa")
    assert game.kind == "dead" and not game.over
    game = after(game, "wc")
    assert game.over and game.order == (0, 2, 1)


def test_a_penalty_between_hands_is_paid_at_once() -> None:
    game = follow(ZK, [3], ["da", "wb", "!IV2c"])[0]
    assert game.standing.points == (6, 7, 5)
    assert game.hand is not None and game.hand.dealer == 1


def test_words_that_cannot_be_are_refused() -> None:
    for words in ("wa", "da yb", "da +b +c", "da wd", "da da", "da +b wb"):
        with pytest.raises(Refusal):
            follow(ZK, [3], words.split())


def test_two_games_follow_one_another() -> None:
    rng, words = random.Random(1), []
    while True:
        games = follow(ZK, [3, 3], words)
        open_ = [game for game in games if not game.over]
        if not open_:
            break
        words.append(rng.choice(choices(open_[0])))
    assert [sorted(game.order) for game in games] == [[0, 1, 2]] * 2
    with pytest.raises(Refusal):
        follow(ZK, [3, 3], [*words, "da"])


def test_every_game_ends_and_its_places_are_a_permutation(subtests: pytest.Subtests) -> None:
    """Points never rise (but by a settlement made anew), somebody survives, places are 1 to n."""
    for seed in range(60):
        with subtests.test(seed=seed):
            rng = random.Random(seed)
            game = begin(ZK, rng.choice([2, 3, 4, 5]))
            for _ in range(2_000):
                if game.over:
                    break
                before = sum(game.standing.points)
                word = rng.choice(choices(game))
                game = after(game, word)
                assert word.startswith("!IV7") or sum(game.standing.points) <= before
                assert any(game.standing.points)
            assert sorted(game.standing.places) == list(range(1, len(game.standing.places) + 1))
