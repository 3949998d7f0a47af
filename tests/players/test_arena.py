"""The arena: the same figures with any number of workers, contests that go on, luck that cancels."""

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from nousu.about import made_by
from nousu.players import Budget
from nousu.players.arena import Contest, PairResult, contest_result, play_contest, play_pair, play_pairs

CONTEST = Contest(a="rules", b="random", game="tuppi", pairs=6, seed=7)


def figures(standing):
    """A standing without the times, which no seed fixes."""
    return replace(standing, ms_per_move={}, ms_median={}, ms_p99={})


def test_player_against_itself_scores_nothing():
    """With seats exchanged the same player twice is exactly even on every deal it plays by rule."""
    even = play_contest(Contest(a="rules", b="rules", game="tuppi", pairs=8, seed=3))
    assert even.mean == 0
    assert even.pairs == 8 and even.hands == 16


@pytest.mark.parametrize(
    ("player", "game", "seats"), [("random", "tuppi", 4), ("club", "tuppi", 4), ("random", "tuppen_zk", 4)]
)
def test_luck_of_a_player_against_itself_cancels_too(player, game, seats):
    """Both tables of a pair have the same seeds, so players that choose by chance are even as well."""
    even = play_contest(
        Contest(a=player, b=player, game=game, pairs=3, seed=3, seats=seats, budget=Budget(30, 4))
    )
    assert (even.mean, even.low, even.high) == (0, 0, 0)


def test_team_holds_its_seats_in_turn():
    """With an unfamiliar partner the better player wins only by its own seat."""
    alone = play_contest(Contest(a="rules", b="random", pairs=12, seed=5))
    beside = play_contest(Contest(a="rules+random", b="random", pairs=12, seed=5))
    assert 0 < beside.mean < alone.mean
    assert play_contest(Contest(a="random+random", b="random", pairs=3, seed=5)).mean == 0
    four = Contest(a="rules+random", b="random+rules", game="tuppen_zk", pairs=3, seed=5)
    assert play_contest(four).mean == -play_contest(replace(four, a=four.b, b=four.a)).mean


def test_worker_processes_change_nothing():
    alone = play_contest(CONTEST)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        spread = play_contest(CONTEST, pool)
    assert figures(alone) == figures(spread)
    assert alone.low <= alone.mean <= alone.high


@pytest.mark.slow
def test_dask_cluster_changes_nothing():
    from distributed import Client, LocalCluster
    from typer.testing import CliRunner

    from nousu.cli import app

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        spread = play_contest(CONTEST, client.get_executor())
        address = cluster.scheduler_address.removeprefix("tcp://")
        words = ["arena", "rules", "random", "--pairs", "6", "--seed", "7", "--json"]
        typed = CliRunner().invoke(app, [*words, "--executor", f"dask://{address}"])
    alone = play_contest(CONTEST)
    assert figures(alone) == figures(spread)
    assert json.loads(typed.stdout)["mean"] == alone.mean


def test_interrupted_contest_goes_on(tmp_path):
    file = tmp_path / "pairs.jsonl"
    play_contest(replace(CONTEST, pairs=3), resume=file)
    with file.open("a", encoding="utf-8") as kept:
        kept.write("[3, 2, 1")  # cut off while writing
    seen = []
    whole = play_contest(CONTEST, resume=file, watch=lambda done, total: seen.append(done))
    assert seen[0] == 3
    assert figures(whole) == figures(play_contest(CONTEST))
    assert len(file.read_text(encoding="utf-8").splitlines()) == 7


def test_last_line_without_its_end_is_not_written_on(tmp_path):
    """Cut off between a pair and the end of its line: the next pair must not land on the same one."""
    file = tmp_path / "pairs.jsonl"
    play_contest(replace(CONTEST, pairs=2), resume=file)
    file.write_bytes(file.read_bytes()[:-1])
    play_contest(replace(CONTEST, pairs=3), resume=file)
    assert figures(play_contest(CONTEST, resume=file)) == figures(play_contest(CONTEST))
    assert len(file.read_text(encoding="utf-8").splitlines()) == 7


@pytest.mark.parametrize("line", ["{}", "[]", '["x", 2, 1, [0, 0], [], [[], []]]', "[0, 2, 1, 0, 0, 0]", "x"])
def test_damaged_line_is_named(tmp_path, line):
    file = tmp_path / "pairs.jsonl"
    play_contest(replace(CONTEST, pairs=2), resume=file)
    heading, first, second = file.read_text(encoding="utf-8").splitlines()
    file.write_text(f"{heading}\n{first}\n{line}\n{second}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 3 is no finished pair"):
        play_contest(CONTEST, resume=file)


def test_file_of_something_else_is_refused(tmp_path):
    file = tmp_path / "picture.png"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"picture\.png is no file of finished pairs"):
        play_contest(CONTEST, resume=file)
    assert file.read_bytes() == b"\xff\xfe\x00"


def test_file_of_another_contest_is_refused(tmp_path):
    file = tmp_path / "pairs.jsonl"
    play_contest(replace(CONTEST, pairs=1), resume=file)
    with pytest.raises(ValueError, match="belongs to another contest"):
        play_contest(replace(CONTEST, seed=8), resume=file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": "000000000000"}, "begun by another nousu: rules 000000000000, here "),
        ({"nousu": "0.0.1"}, r"nousu 0\.0\.1, here "),
        ({"core": None}, "no compiled core, here compiled core"),
    ],
)
def test_pairs_of_another_version_core_or_rules_are_not_mixed_in(tmp_path, change, said):
    file = tmp_path / "pairs.jsonl"
    play_contest(replace(CONTEST, pairs=2), resume=file)
    heading, rest = file.read_text(encoding="utf-8").split("\n", 1)
    begun = json.loads(heading)
    if begun["made_by"]["core"] is None and "core" in change:
        pytest.skip("there is no compiled core")
    kept = json.dumps(begun | {"made_by": begun["made_by"] | change}) + "\n" + rest
    file.write_text(kept, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        play_contest(CONTEST, resume=file)
    assert file.read_text(encoding="utf-8") == kept


def test_file_that_does_not_say_what_made_it_is_refused(tmp_path):
    file = tmp_path / "pairs.jsonl"
    play_contest(replace(CONTEST, pairs=1), resume=file)
    heading, rest = file.read_text(encoding="utf-8").split("\n", 1)
    begun = {key: value for key, value in json.loads(heading).items() if key != "made_by"}
    file.write_text(json.dumps(begun) + "\n" + rest, encoding="utf-8")
    with pytest.raises(ValueError, match="does not say by which version and rules"):
        play_contest(CONTEST, resume=file)


def test_worker_with_another_installation_refuses_the_work():
    made = made_by()
    assert len(play_pairs(CONTEST, [0], made)) == 1
    with pytest.raises(ValueError, match="a worker's nousu is another one: rules 000000000000, here "):
        play_pairs(CONTEST, [0], made | {"rules": "000000000000"})


@pytest.mark.parametrize(("game", "seats"), [("huutopussi", 4), ("tuppen_zk", 3), ("tuppen_zk", 5)])
def test_families_can_all_contend(game, seats):
    rules = play_contest(Contest(a="rules", b="random", game=game, pairs=10, seed=2, seats=seats))
    assert rules.mean > 0


@pytest.mark.parametrize(("game", "seats"), [("toepen", 2), ("tuppi", 5), ("huutopussi", 3)])
def test_player_that_a_preset_cannot_seat_is_refused(game, seats):
    with pytest.raises(ValueError, match=f"{game} is for .* players, not {seats}"):
        play_contest(Contest(a="rules", b="random", game=game, pairs=1, seats=seats))


def test_matches_are_counted_whole():
    whole = play_contest(Contest(a="rules", b="random", game="tuppen_zk", pairs=4, seats=4, whole=True))
    assert sum(whole.matches.values()) == 8


def test_interval_is_that_of_the_mean_over_pairs():
    """Differences 2, 4, 6 over two hands each: mean 2 a hand, standard error 1 / √3, Student's t 4.303."""
    results = (((4, 0), (("scorer", 0), ("tricks", (6, 7)))),) * 2
    pairs = [PairResult(at, 2, 2.0 * (at + 1), (0, 0), results, ((), ())) for at in range(3)]
    shown = contest_result(replace(CONTEST, pairs=3), pairs)
    assert shown.mean == 2
    assert shown.high == pytest.approx(2 + 4.303 / 3**0.5, abs=1e-3)


def test_interval_of_few_pairs_is_wider(subtests: pytest.Subtests):
    """97.5 % points of Student's t as printed in tables, for pairs - 1 degrees of freedom."""
    for pairs, point in [(2, 12.706), (5, 2.776), (10, 2.262), (31, 2.042), (1001, 1.962)]:
        with subtests.test(pairs=pairs, point=point):
            results = (((0, 4), (("scorer", 0), ("tricks", (6, 7)))),) * 2
            played = [PairResult(at, 2, 2.0 * (at % 2), (0, 0), results, ((), ())) for at in range(pairs)]
            shown = contest_result(replace(CONTEST, pairs=pairs), played)
            ones = sum(at % 2 for at in range(pairs)) / pairs
            error = (ones * (1 - ones) / (pairs - 1)) ** 0.5
            assert shown.high - shown.mean == pytest.approx(point * error, rel=1e-3, abs=1e-4)


def test_pairs_survive_json():
    pair = play_pair(CONTEST, 0)
    assert json.loads(json.dumps(pair))[0] == 0
