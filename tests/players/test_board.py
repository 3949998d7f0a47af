"""The board: the sets of deals are what they were, results of anything else are refused, the page is what the
command makes of the results that are kept."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.players.arena import Contest, deals_hash, play_contest
from nousu.players.leaderboard import SETS, read_rows, render_board

DOCS = Path(__file__).parents[2] / "docs"
RESULT: dict[str, Any] = {
    "a": "mine",
    "b": "rules",
    "game": "tuppi",
    "seed": 2026,
    "pairs": 200,
    "deals": SETS["tuppi"].deals,
    "mean": 0.25,
    "low": -0.5,
    "high": 1.0,
    "ms_per_move": {"a": 2.0, "b": 1.0},
    "made_by": {"nousu": "0.1.0", "core": "bmi2", "rules": "0123456789ab"},
}


def test_deal_set_stays_the_same(subtests: pytest.Subtests) -> None:
    for name in SETS:
        with subtests.test(name=name):
            assert deals_hash(SETS[name].contest("rules", "random")) == SETS[name].deals


def test_hash_tells_deals_apart() -> None:
    contest = Contest(a="rules", b="random", pairs=3, seed=1)
    assert deals_hash(contest) == play_contest(contest).deals
    others = [Contest(a="x", b="y", pairs=3, seed=2), Contest(a="x", b="y", pairs=4, seed=1)]
    assert len({deals_hash(one) for one in (contest, *others)}) == 3


def test_result_of_another_deal_set_is_refused(subtests: pytest.Subtests) -> None:
    for change, said in [
        ({"deals": "0000"}, "line 2: deals 0000, the set has"),
        ({"pairs": 100}, "pairs 100, the set has 200; play it by --board tuppi"),
        ({"game": "toepen"}, "there is no set of deals for toepen; there are tuppi,"),
        ({"made_by": {"nousu": "0.1.0", "core": None, "rules": "1"}}, "without the compiled core"),
        ({"mean": None}, "line 2: expected a result of"),
    ]:
        with subtests.test(change=change, said=said):
            lines = [json.dumps(RESULT), json.dumps(RESULT | change)]
            with pytest.raises(ValueError, match=said):
                list(read_rows(lines, "results.jsonl"))
            with pytest.raises(ValueError, match="line 1: expected a result"):
                list(read_rows(["hello"], "results.jsonl"))


def test_best_player_stands_first_and_none_twice() -> None:
    better = RESULT | {"a": "better", "mean": 0.5}
    over_random = RESULT | {"a": "rules", "b": "random", "mean": 9.0}
    found = list(
        read_rows(map(json.dumps, [RESULT, better, over_random, RESULT | {"a": "worse", "mean": -1}]), "x")
    )
    lines = [line for line in render_board(found).splitlines() if line.startswith("| `")]
    assert [line.split("`")[1] for line in lines] == ["better", "mine", "rules", "worse"]
    assert lines[1] == "| `mine` |  | +0.25 (−0.50 … +1.00) | 2.0 |"
    assert "; all played by nousu 0.1.0, rules 0123456789ab." in render_board(found)
    again = replace(found[0], where="y, line 7")
    with pytest.raises(ValueError, match=r"y, line 7: mine has played rules twice at tuppi; .* of x, line 1"):
        render_board([*found, again])


@pytest.mark.parametrize("change", [{"nousu": "0.2.0"}, {"rules": "ba9876543210"}])
def test_results_of_different_versions_or_rules_are_not_mixed(change: dict[str, str]) -> None:
    """Within a table; the refusal names both lines, and the command that makes it right."""
    made = {"nousu": "0.1.0", "core": "plain", "rules": "0123456789ab"}
    same = RESULT | {"a": "cmd:python3 bot.py", "b": "random", "made_by": made}  # any compiled core
    other = same | {"made_by": made | change}
    kept = list(read_rows([json.dumps(RESULT)], "kept.jsonl"))
    assert render_board([*kept, *read_rows([json.dumps(same)], "new.jsonl")])
    with pytest.raises(
        ValueError, match=r"new\.jsonl, line 2: played by .* but kept\.jsonl, line 1 by"
    ) as result:
        render_board([*kept, *read_rows(["", json.dumps(other)], "new.jsonl")])
    assert "nousu arena 'cmd:python3 bot.py' random --board tuppi --json" in str(result.value)
    elsewhere = SETS["minnesota"]
    apart = other | {"game": elsewhere.game, "deals": elsewhere.deals}
    assert render_board([*kept, *read_rows([json.dumps(apart)], "new.jsonl")])


def test_arena_plays_a_set_and_the_command_reads_it(tmp_path: Path) -> None:
    """The whole set at the quickest game, by two players that take no time."""
    run = CliRunner().invoke(
        app, ["arena", "random", "random", "--board", "tuppen_zk", "--json", "--workers", "1"]
    )
    assert run.exit_code == 0, run.output
    (tmp_path / "mine.jsonl").write_text(run.stdout)
    page = tmp_path / "page.md"
    page.write_text("# Board\n\n<!-- tables: nousu leaderboard -->\nold\n")
    result = CliRunner().invoke(app, ["leaderboard", str(tmp_path / "mine.jsonl"), "--out", str(page)])
    assert result.exit_code == 0, result.output
    assert "| `random` | +0.00 (+0.00 … +0.00) |" in page.read_text() and "old" not in page.read_text()
    wrong = CliRunner().invoke(app, ["arena", "random", "random", "--board", "chess"])
    assert wrong.exit_code == 1 and "there is no set of deals for chess; there are tuppi, " in wrong.stderr
    page.write_text("nothing")
    result = CliRunner().invoke(app, ["leaderboard", str(tmp_path / "mine.jsonl"), "--out", str(page)])
    assert result.exit_code != 0 and "has no line" in result.stderr and page.read_text() == "nothing"


def test_page_is_what_the_command_makes_of_the_results() -> None:
    """Anew: ``nousu leaderboard docs/results/leaderboard/*.jsonl --out docs/research/leaderboard.md``."""
    kept = sorted((DOCS / "results" / "leaderboard").glob("*.jsonl"))
    found = [row for path in kept for row in read_rows(path.read_text("utf-8").splitlines(), path.name)]
    assert len({row.game for row in found}) == len(SETS)
    page = (DOCS / "research" / "leaderboard.md").read_text("utf-8")
    assert page.partition("<!-- tables: nousu leaderboard -->\n")[2] == "\n" + render_board(found)
