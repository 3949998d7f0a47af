"""``nousu review``: sentences, JSON, HTML and PBN with the same figures; refusals."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nousu.cli import app

RECORD = Path(__file__).parent.parent / "review" / "wasted_ace.nousu"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["review", *arguments])


@pytest.mark.native
def test_review_lists_choices_with_their_cost() -> None:
    result = run(str(RECORD), "--seat", "N", "--quick", "--lang", "en")
    assert result.exit_code == 0
    assert "Trick 4: ace of hearts – clear mistake −0." in result.output
    assert re.search(r"Jack of diamonds with W \d+%: −", result.output), "the layouts that decide"
    assert run(str(RECORD), "--seat", "N", "--quick", "--lang", "en").output == result.output, "repeatable"


@pytest.mark.native
def test_review_formats_points_and_percents_by_language() -> None:
    english = run(str(RECORD), "--seat", "N", "--quick", "--lang", "en").output
    assert re.search(r"points: [+−]?\d+\. ", english)
    assert re.search(r"\d%: ", english) and " %" not in english
    assert re.search(r"\d %: ", run(str(RECORD), "--seat", "N", "--quick", "--lang", "fi").output)


@pytest.mark.native
@pytest.mark.parametrize(
    ("code", "words"),
    [("fi", "selvä virhe −0,"), ("sv", "klart misstag"), ("nb", "klar feil"), ("de", "klarer Fehler")],
)
def test_review_in_every_language(code: str, words: str) -> None:
    assert words in run(str(RECORD), "--seat", "N", "--quick", "--lang", code).output


@pytest.mark.native
def test_review_as_json_html_and_pbn_has_the_same_figures() -> None:
    result = run(str(RECORD), "--seat", "N", "--quick", "--lang", "en").output
    amount = re.findall(r"clear mistake (−\d\.\d)", result)[0]
    (line,) = run(str(RECORD), "--seat", "N", "--quick", "--json").output.splitlines()
    found = json.loads(line)
    wasted = next(one for one in found["judged"] if one["action"] == "play HA")
    assert wasted["verdict"] == "mistake" and f"−{wasted['cost']['mean']:.1f}" == amount
    page = run(str(RECORD), "--seat", "N", "--quick", "--html", "--lang", "en").output
    assert page.startswith("<!doctype html>")
    assert f"{amount}</td>" in page and "Costliest choice: hand 1" in page
    pbn = run(str(RECORD), "--seat", "N", "--quick", "--pbn", "--lang", "en").output
    assert '[Deal "E:' in pbn and f"{{N, Trick 4: ace of hearts – clear mistake {amount}" in pbn


def test_review_of_tuppen_explains_its_count_and_numbers_equal_names(tmp_path: Path) -> None:
    """Once for all hands that are counted alike, in the terminal and on paper."""
    made = CliRunner().invoke(
        app,
        [
            "simulate",
            "tuppen_zk+start_points=2",
            "--player",
            "easy",
            "--seats",
            "2",
            "--hands",
            "6",
            "--records",
            str(tmp_path),
        ],
    )
    assert made.exit_code == 0
    record = next(path for path in sorted(tmp_path.iterdir()) if path.read_text().count("deal") > 1)
    text = run(str(record), "--quick", "--lang", "en").output
    assert text.startswith("What the opponent loses counts as won.\n") and text.count("counts as won") == 1
    assert "Hand 1, easy (P1), points" in text and "Hand 1, easy (P2), points" in text
    assert run(str(record), "--quick", "--html", "--lang", "en").output.count("counts as won") == 1


def test_review_refuses_what_cannot_be_reviewed(tmp_path: Path) -> None:
    assert run(str(RECORD), "--seat", "Q").exit_code == 2
    assert run(str(RECORD), "--json", "--html").exit_code == 2
    result = run(str(RECORD), "--hand", "7")
    assert result.exit_code == 1 and "there is no hand 7" in result.output
    begun = tmp_path / "begun.nousu"
    begun.write_text("nousu record 1\ngame tuppi\nseats 4\ndealer N\n")
    result = run(str(begun))
    assert result.exit_code == 1 and "only finished hands" in result.output
    begun.write_text("nousu record 1\ngame tuppi\nseats 9\n")
    assert run(str(begun)).exit_code == 1 and "line 3" in run(str(begun)).output
    assert run(str(tmp_path / "nowhere")).exit_code == 2
