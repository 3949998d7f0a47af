"""What expert says in Tuppen for two, and how it was learnt."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from itertools import product
from random import Random
from shutil import which

import pytest
from ortools.linear_solver import pywraplp

from bench.experiments import tuppen_odds
from nousu.engine.actions import Call, Give, Play
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.tuppen import HOLD, KEEP, LEAVE, RAISE
from nousu.players import DEFAULT_BUDGET, Choice, find_player
from nousu.players.seat_loop import advance
from nousu.players.tuppen import policy

compiles = pytest.mark.skipif(which("c++") is None, reason="no C++ compiler")


def views(hands: int = 12) -> Iterator[View]:
    """Views in hands for two of players that raise and lay pictures down."""
    for number in range(hands):
        match = Match.start(*find("tuppen_zk"), 2, dealer=number % 2)
        while not match.played:
            for seat in (0, 1):
                if match.hand.legal(seat):
                    yield match.hand.view(seat)
            after = advance(match, [find_player("rules")] * 2, number)
            assert after is not None
            match = after


def value_by_linear_programme() -> float:
    """Value of the small game to the leader, by linear programming over sequences of answers."""
    solver = pywraplp.Solver.CreateSolver("GLOP")
    deals = tuppen_odds.small_deals()
    # How likely seat 0 answers so far as to come to a place; what the best answers of seat 1 leave it there.
    likely: dict[tuple[str, str], pywraplp.Variable] = {}
    worth: dict[tuple[str, str], pywraplp.Variable] = {}
    sums: dict[tuple[str, str], list[pywraplp.LinearExpr]] = {}
    one = solver.NumVar(1, 1, "")
    whole = solver.NumVar(-solver.infinity(), solver.infinity(), "")
    asked: dict[tuple[str, str], set[str]] = {("", ""): set()}

    def follow(state: tuppen_odds.State, mine: object, theirs: tuple[str, str]) -> None:
        if state.gain is not None:
            sums.setdefault(theirs, []).append(mine * (state.gain / len(deals)))
            return
        key = state.key
        if state.seat == 0:
            if (key, "y") not in likely:
                likely[key, "y"], likely[key, "n"] = (solver.NumVar(0, 1, "") for _ in "yn")
                solver.Add(likely[key, "y"] + likely[key, "n"] == mine)
            follow(state.after(True), likely[key, "y"], theirs)
            follow(state.after(False), likely[key, "n"], theirs)
            return
        asked.setdefault(theirs, set()).add(key)
        for answer in "yn":
            asked.setdefault((key, answer), set())
            follow(state.after(answer == "y"), mine, (key, answer))

    for deal in deals:
        follow(deal, one, ("", ""))
    for keys in asked.values():
        for key in keys:
            worth[key, ""] = solver.NumVar(-solver.infinity(), solver.infinity(), "")
    for place, keys in asked.items():
        value = solver.Sum([*sums.get(place, []), *(worth[key, ""] for key in keys)])
        solver.Add((worth[place[0], ""] if place[0] else whole) <= value)
    solver.Maximize(whole)
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    return float(solver.Objective().Value())


@compiles
def test_small_game_is_solved() -> None:
    """The best answers to the odds win the value of the game, calculated in another way, and hardly more."""
    first, second = tuppen_odds.best_answers(tuppen_odds.small_odds(300).__getitem__)
    assert (first + second) / 2 < tuppen_odds.GOAL
    assert -second <= value_by_linear_programme() <= first


def test_best_answers_win_from_a_player_who_never_goes_along() -> None:
    """Who always leaves loses a point a hand."""
    assert tuppen_odds.best_answers(lambda key: 0.0) == pytest.approx((1, 1))


@compiles
def test_same_deals_and_seed_teach_the_same_odds() -> None:
    """On every machine, so the odds in the package can be made again from the line at their head."""
    few = tuppen_odds.run_program("hands", 300, 7)
    assert len(few) == policy.SITUATIONS
    assert sha256(few).hexdigest()[:16] == "7ac77fb459d5f7f8"


@compiles
def test_odds_from_several_seeds_are_their_mean() -> None:
    one, other = (tuppen_odds.learn_mean("20", [seed]) for seed in "12")
    both = tuppen_odds.learn_mean("20", ["1", "2"])
    assert len(both) == policy.SITUATIONS and one != other
    for mean, *taught in zip(both, one, other, strict=True):
        assert abs(2 * mean - sum(taught)) <= 1


def test_odds_tell_how_they_were_made() -> None:
    head = files(policy.__package__).joinpath("policy.txt").read_text("ascii").splitlines()[0]
    arguments = f"learn {tuppen_odds.DEALS} {' '.join(tuppen_odds.SEEDS)}"
    assert head == f"# python -m bench.experiments.tuppen_odds {arguments}"


@pytest.mark.native
def test_odds_fit_the_situations() -> None:
    """Odds that stand in the wrong places, or were learnt from too few deals, would say such things."""
    always = ("answer", 0, False, policy.CHANCES - 1, 0, 0, 0, 0), ("lay", 0, True, 0, False)
    folded, silent = ("answer", 2, False, 0, 0, 0, 0, 0), ("raise", 2, False, 4, 1, 0, 0, 0)
    never = folded, silent, ("lay", 8, False, 0, True)
    for expected, situations in ((255, always), (0, never)):
        for question, *values in situations:
            number = policy.situation(question, *map(int, values)).number
            assert abs(policy.odds()[question][number] - expected) < 13, (question, values)


def test_situations_differ_by_the_tricks_since_the_last_raise() -> None:
    match = Match.start(*find("tuppen_zk"), 2, dealer=0).deal(Random(5))
    hand, seen = match.hand, []
    for word in ["1 keep", "0 keep", "1 raise", "0 hold"]:
        hand = hand.apply(int(word[0]), Call(word[2:]))
    while hand.owed() and len(seen) < 5:
        asked = [one.situation for one in policy.speech_decisions(hand.view(0), 1) if one.yes == RAISE]
        assert asked, "who held may raise"
        seen.append(asked[0].number // 4 % policy.SINCE)
        seat = hand.owed()[0]
        hand = hand.apply(seat, next(one for one in hand.legal(seat) if isinstance(one, Play)))
    assert seen == [0, 1, 1, 2, 2]


@pytest.mark.native
def test_situations_differ_by_changed_cards(subtests: pytest.Subtests) -> None:
    """Four pictures are worth less than most hands, so who has changed them probably holds better cards."""
    for changed, number in [((), 0), ((0,), 1), ((1,), 2), ((0, 1), 3)]:
        with subtests.test(changed=changed, number=number):
            hand = Match.start(*find("tuppen_zk"), 2, dealer=0).deal(Random(5)).hand
            waiting = set(changed)
            while KEEP in hand.legal(seat := hand.owed()[0]):
                lays = next(one for one in hand.legal(seat) if isinstance(one, Give))
                hand = hand.apply(seat, lays if seat in waiting else KEEP)
                waiting.discard(seat)
            for question, spoken in (("raise", hand), ("answer", hand.apply(1, RAISE))):
                asked = [one.situation for one in policy.speech_decisions(spoken.view(0), 1)]
                assert [one.number % 4 for one in asked if one.question == question] == [number]


@pytest.mark.native
def test_situations_have_odds_of_their_own() -> None:
    for question, sizes in policy.SIZES.items():
        numbers = [policy.situation(question, *values).number for values in product(*map(range, sizes))]
        assert numbers == list(range(len(policy.odds()[question])))


@pytest.mark.native
def test_expert_says_as_much_as_its_odds_are() -> None:
    """Over many seeds; and the same with the same seed."""
    player, seen = find_player("expert"), 0
    for view in views():
        if RAISE not in view.legal or not policy.is_covered(view):
            continue
        asked = [one for one in policy.speech_decisions(view, 1) if one.yes == RAISE]
        share = policy.odds()["raise"][asked[0].situation.number] / 255
        if not 0.2 < share < 0.8:
            continue
        said = Counter(policy.choose_words(view, seed) == RAISE for seed in range(200))
        assert said[True] > 10
        seen += 1
        if view.seat in view.owed:
            choices = [player.choose(view, DEFAULT_BUDGET, 5) for _ in range(2)]
            assert choices[0] == choices[1]
    assert seen


@pytest.mark.native
@pytest.mark.parametrize("name", ["expert", "strong", "rules"])
def test_packets_are_challenged_now_and_then(name: str) -> None:
    """Somebody who lays every hand down is not believed for ever."""

    class Liar:
        def choose(self, view, budget, seed):
            laid = [one for one in view.legal if isinstance(one, Give)]
            return Choice(laid[0] if laid else KEEP if KEEP in view.legal else view.legal[-1])

    challenged = 0
    for number in range(8):
        match = Match.start(*find("tuppen_zk"), 2, dealer=0)
        while not match.played:
            after = advance(match, [find_player(name), Liar()], number)
            assert after is not None
            match = after
        challenged += any("challenge" in str(action) for _, action in match.played[0].hand.log)
    assert challenged > 4


@pytest.mark.native
def test_frequency_of_a_call_is_its_share_of_the_odds() -> None:
    words, seen = (HOLD, LEAVE, RAISE), Counter[str]()
    for view in views():
        if not policy.is_covered(view):
            assert policy.action_share(view, RAISE, 1) is None
            continue
        for action in view.legal:
            word = action if action in words else None
            if word is None and not isinstance(action, Play):
                continue
            seeds = range(60)
            told = [policy.action_share(view, action, seed) for seed in seeds]
            assert all(one is not None for one in told)
            said = sum(policy.choose_words(view, seed) == word for seed in seeds) / 60
            assert abs(sum(one or 0 for one in told) / 60 - said) < 0.2
            seen[str(word)] += 1
    assert all(seen[str(word)] > 2 for word in (*words, None)), seen


@pytest.mark.native
def test_going_along_and_leaving_are_the_only_answers() -> None:
    for view in views():
        if policy.is_covered(view) and {HOLD, LEAVE} <= set(view.legal) and len(view.legal) == 2:
            both = [policy.action_share(view, action, 1) for action in (HOLD, LEAVE)]
            assert sum(one or 0 for one in both) == pytest.approx(1)
            return
    raise AssertionError("nobody was asked")
