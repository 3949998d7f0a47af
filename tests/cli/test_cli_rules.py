"""``nousu clauses`` and ``nousu presets``."""

import json

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.engine.options import options
from nousu.games import games
from nousu.teaching import clauses
from nousu.teaching.clauses import Trace

run = CliRunner().invoke


def test_clauses_have_code_and_tests() -> None:
    result = run(app, ["clauses", "t-cat-14"])
    assert result.exit_code == 0
    assert "T-CAT-14  rule  Neither a two" in result.stdout
    assert "    code  games/whist/rules.py Rules.bid_ranks" in result.stdout
    assert "    test  games/test_whist_bidding.py " in result.stdout
    assert result.stdout.endswith("1 clause: 1 rule; each rule has code and test\n")


def test_clauses_as_json() -> None:
    result = json.loads(run(app, ["clauses", "MW-WIK", "--json"]).stdout)
    assert [row["id"] for row in result["clauses"]] == [f"MW-WIK-{number:02}" for number in range(1, 19)]
    assert result["lacking"] == {}
    assert {"id", "kind", "phase", "source", "text", "code", "tests"} == set(result["clauses"][0])


def test_clauses_without_a_test_end_the_command_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = clauses.load_trace()
    monkeypatch.setattr(clauses, "load_trace", lambda: {**whole, "T-CAT-14": Trace(("somewhere",), ())})
    result = run(app, ["clauses", "T-CAT-1"])
    assert result.exit_code == 1
    assert result.stderr == "nousu: 1 clauses lack something: T-CAT-14 (test)\n"
    assert run(app, ["clauses", "T-CAT-2"]).exit_code == 0


def test_clauses_that_are_unknown_are_refused_with_the_sources() -> None:
    result = run(app, ["clauses", "ZZ"])
    assert result.exit_code == 2
    assert "no clause begins with 'ZZ'; the sources are" in result.stderr and "T-CAT" in result.stderr


def test_resolution_has_its_options() -> None:
    text = run(app, ["clauses", "a-h-02"]).stdout
    assert text.startswith("A-H-02  resolution  failed contract")
    assert "    option  failed_contract (huutopussi): " in text and "zero" in text
    result = json.loads(run(app, ["clauses", "A-T-", "--json"]).stdout)["resolutions"]
    assert len(result) > 20 and "high_fail_points" in next(
        one["options"] for one in result if one["id"] == "A-T-05"
    )
    unknown = run(app, ["clauses", "A-X"])
    assert unknown.exit_code != 0 and "A-T, A-N, A-M, A-H, A-U" in unknown.stderr


def test_presets_are_all_listed() -> None:
    lines = run(app, ["presets"]).stdout.splitlines()
    listed = {line.split()[0]: line for line in lines}
    assert list(listed) == [preset for game in games().values() for preset in game.presets]
    assert "experimental" in listed["swedish"] and "experimental" not in listed["tuppi"]
    rows = json.loads(run(app, ["presets", "--json"]).stdout)
    assert [row["preset"] for row in rows] == list(listed)


def test_preset_explains_every_option() -> None:
    for game in games().values():
        for preset in game.presets:
            text = run(app, ["presets", preset]).stdout
            result = json.loads(run(app, ["presets", preset, "--json"]).stdout)
            assert result["rules"] == preset and result["differences"] == {}
            for item, row in zip(options(game.rules), result["options"], strict=True):
                assert item.doc in text and f"  {item.name} = " in text and item.clauses[0] in text
                assert row["name"] == item.name and row["allowed"]


def test_preset_differences_are_listed() -> None:
    text = run(app, ["presets", "tuppi+high_fail_points=6+sooli=off"]).stdout
    assert "Different from tuppi:\n" in text
    assert "    high_fail_points = 6 rather than 8\n" in text
    assert "    sooli = off rather than on\n" in text
    result = json.loads(run(app, ["presets", "tuppi+sooli=off", "--json"]).stdout)
    assert result["differences"] == {"sooli": {"value": False, "usual": True}}


def test_preset_that_is_wrong_is_refused_in_a_sentence(subtests: pytest.Subtests) -> None:
    for name, said in [
        ("tarot", "there is no preset ‘tarot’; the presets are"),
        ("tuppi+target=0", "target=0 is not allowed; write a whole number from 1 to 1000"),
        ("tuppi+colour=red", "there is no option colour; did you mean high_colour"),
        ("minnesota+sooli=on", "sooli=on needs score_model=single_riser"),
    ]:
        with subtests.test(name=name, said=said):
            result = run(app, ["presets", name])
            assert result.exit_code == 2
            assert said in result.stderr and result.stderr.count("\n") == 1 and result.stdout == ""
