"""The atlas: broken off it goes on, its rows are perfect play, its page says what its tables hold."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
from typer.testing import CliRunner

import nousu
from nousu.solver import parse_deal
from test_house import ROOT
from tools.atlas import tables
from tools.atlas.__main__ import app
from tools.atlas.counting import aces, longest, lows, points
from tools.atlas.page import page, pictures
from tools.atlas.solving import cards, play_hidden, read_deals, rows

pytestmark = pytest.mark.native
RUN = CliRunner()
SMALL = ("--rami", "6", "--nolo", "2", "--hidden", "2", "--seed", "5", "--player", "rules")


def atlas(folder: Path, *words: str) -> str:
    result = RUN.invoke(app, ["make", str(folder), *words])
    return f"{result.exit_code} {result.output}"


def refused(folder: Path, *words: str) -> str:
    result = atlas(folder, *words)
    assert result.startswith("2 ")
    return result


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("atlas") / "small"
    assert atlas(folder, *SMALL).startswith("0 ")
    return folder


def test_broken_off_it_goes_on_to_the_same_files(small: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    page = tmp_path / "not yet" / "there" / "atlas.md"
    few = ("--rami", "2", "--nolo", "1", "--hidden", "1", *SMALL[6:], "--page", str(page))
    assert atlas(broken, *few).startswith("0 ") and page.is_file()
    for file in broken.glob("*.csv"):
        file.write_text(file.read_text()[:-9])  # the last row is cut in two
    assert atlas(broken, *SMALL).startswith("0 ")
    for file in small.iterdir():
        assert (broken / file.name).read_bytes() == file.read_bytes(), file.name


def test_rows_are_perfect_play_and_hidden_cards_never_gain_against_it(small: Path) -> None:
    for _, deal, *values in rows(small / "rami.csv"):
        leaders = [replace(parse_deal(deal), turn=leader) for leader in range(4)]
        assert [int(value) for value in values] == [nousu.solve(position).value for position in leaders]
    for number, deal, value in rows(small / "nolo.csv"):
        assert int(value) == nousu.solve(deal, "nolo").value, number
    for _, _, kind, _, par, _, ns, ew in rows(small / "hidden.csv"):
        assert kind == "rami" and int(ns) <= int(par) <= int(ew)
    _, _, kind, _, nolo, _, fewer, more = play_hidden(24, 1, "rules")
    assert kind == "nolo" and int(fewer) >= int(nolo) >= int(more)


def test_tables_count_what_the_rows_say(small: Path) -> None:
    result = tables(small)
    solved = list(read_deals(small, "rami"))
    assert result["deals"] == {"rami": 6, "nolo": 2, "hidden": 2}
    assert sum(result["rami"]["par"].values()) == 24
    gains = [(one.values[0] + one.values[2] - one.values[1] - one.values[3]) / 2 for one in solved]
    assert result["rami"]["lead"] == [6, round(fmean(gains), 4), None]
    strength = result["rami"]["side"]["points"]["tricks"]
    sides = [points(one.hands[side] | one.hands[side + 2]) for one in solved for side in (0, 1)]
    assert {key: row[0] for key, row in strength.items()} == {str(key): sides.count(key) for key in sides}
    assert sum(result["nolo"]["par"].values()) == 2


def test_measures_of_a_hand() -> None:
    hand = nousu.start("tuppi", seed=1).hand.view(0).cards  # SK SQ S10 S8 HJ H9 H5 H3 D6 D3 CA C9 C2
    held = sum(1 << int(card) for card in hand)
    assert (points(held), aces(held), lows(held), longest(held)) == (10, 1, 4, 4)


def test_deal_depends_on_seed_and_number_alone() -> None:
    assert cards(1, 5) == cards(1, 5)
    assert len({cards(1, 5), cards(1, 6), cards(2, 5)}) == 3
    assert len({card for hand in cards(1, 5) for card in hand}) == 52


def test_atlas_check_names_damage(small: Path, tmp_path: Path) -> None:
    result = RUN.invoke(app, ["check", str(small)])
    assert result.exit_code == 0 and "6 deals as rami" in result.output
    described = json.loads((small / "croissant.json").read_text())
    assert {one["name"] for one in described["recordSet"]} == {"rami", "nolo", "hidden"}
    forged = tmp_path / "forged"
    forged.mkdir()
    for file in small.iterdir():
        (forged / file.name).write_bytes(file.read_bytes())
    line = (forged / "rami.csv").read_text().splitlines()[1]
    wrong = line[: line.rindex(",")] + (",13" if not line.endswith(",13") else ",0")
    (forged / "rami.csv").write_text((forged / "rami.csv").read_text().replace(line, wrong))
    result = RUN.invoke(app, ["check", str(forged)])
    assert result.exit_code == 1 and "rami.csv is not the file that SHA256SUMS names" in result.output
    assert atlas(forged, *SMALL).startswith("0 ")  # the command trusts what it holds, the check does not
    result = RUN.invoke(app, ["check", str(forged)])
    assert result.exit_code == 1 and "rami.csv, line 2: solved again it is" in result.output


def test_atlas_that_cannot_go_on_is_refused_and_loses_nothing(small: Path, tmp_path: Path) -> None:
    kept = {file.name: file.read_bytes() for file in small.iterdir()}
    assert "was begun with seed 5, not 4" in refused(small, "--seed", "4", "--player", "rules")
    assert "was begun with player rules" in refused(small, "--seed", "5")
    assert "nolos are some of the ramis" in refused(small, "--rami", "1", "--nolo", "2")
    assert {file.name: file.read_bytes() for file in small.iterdir()} == kept
    (tmp_path / "mine.txt").write_text("mine")
    assert "holds something that is no atlas" in refused(tmp_path, *SMALL)
    assert "there is no player" in refused(tmp_path / "new", "--player", "nobody")
    assert not (tmp_path / "new").exists()
    broken = tmp_path / "broken"
    broken.mkdir()
    for name, data in kept.items():
        (broken / name).write_bytes(data)
    text = (broken / "nolo.csv").read_text()
    (broken / "nolo.csv").write_text(text.replace("\n1,", "\n7,"))
    assert "nolo.csv, line 3" in refused(broken, *SMALL)


def test_page_is_made_of_the_tables_of_the_package() -> None:
    result = tables()
    assert page(result).startswith("# Atlas of solved deals")
    for name, picture in pictures(result).items():
        assert (ROOT / "docs" / "img" / name).read_text("utf-8") == picture
    with pytest.raises(ValueError, match="holds no atlas"):
        tables(ROOT)
