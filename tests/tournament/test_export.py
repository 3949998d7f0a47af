"""Exports: numbers stay numbers, text is never a formula, and a file opened elsewhere says the same."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.engine.messages import Note
from nousu.tournament.export import safe, standings_json, to_csv, to_json, to_xlsx, write
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.model import Section, Standings, StandingsRow
from nousu.tournament.office import Office
from nousu.tournament.slip_text import slip_lines
from tournament_fixtures import evening, rows, settle, settle_all

NAMES = ["=HYPERLINK(1)", "+49 Uwe", "-Minus", "@Aino", "Ärnst, Groß", "Åsa", 'Kalle "K" Öhr', "Uwe | cmd"]


def _sheet(data: bytes) -> list[tuple[object, ...]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    sheet = book.worksheets[0]
    for line in sheet.iter_rows():
        assert all(cell.data_type in ("s", "n", "inlineStr") for cell in line)
    return [tuple(cell.value for cell in line) for line in sheet.iter_rows()]


def test_names_are_never_formulas(tmp_path: Path) -> None:
    """CSV gets an apostrophe, XLSX marks them as text; both read back with the figures as numbers."""
    office = evening(tmp_path / "t", NAMES, series=1)
    settle_all(office)
    standings = office.open().tournament.format.standings(office.open().tournament)
    lines = list(csv.reader(io.StringIO(to_csv(standings)), delimiter=";"))
    assert lines[0][:5] == ["rank", "number", "name", "team", "points"]
    names = {line[2] for line in lines[1:]}
    assert {"'=HYPERLINK(1)", "'+49 Uwe", "'-Minus", "'@Aino", "Ärnst, Groß", "Uwe | cmd"} <= names
    table = _sheet(to_xlsx(standings))
    assert {line[2] for line in table[1:]} == set(NAMES)
    assert all(isinstance(line[0], int) and isinstance(line[4], int) for line in table[1:])


def test_negative_numbers_stay_numbers(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", ["A & B", "C & D"], "drive", preset="norwegian_catsatcards", rounds=1)
    settle(office, "1.1", "-5", "12")
    standings = office.open().tournament.format.standings(office.open().tournament)
    assert ";-5;-5;" in to_csv(standings)
    assert _sheet(to_xlsx(standings))[2][4] == -5
    assert (
        json.loads(to_json(office.open().tournament, office.open().log))["standings"]["sections"][0]["rows"][
            1
        ]["cells"]["points"]
        == -5
    )


@given(st.text(max_size=20) | st.integers())
def test_no_text_cell_begins_like_a_formula(cell: int | str) -> None:
    """OWASP's list of dangerous beginnings; integers pass untouched."""
    made = safe(cell)
    if isinstance(cell, int):
        assert made == cell and isinstance(made, int)
    else:
        assert str(made)[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
        assert str(made).removeprefix("'") == cell or made == cell


@pytest.mark.parametrize("ending", ["csv", "json", "log"])
def test_a_file_opened_elsewhere_says_the_same_byte_for_byte(tmp_path: Path, ending: str) -> None:
    """The log itself, its JSON export, and a tournament made again out of the export."""
    office = evening(tmp_path / "t", NAMES, series=2, teams=2)
    settle(office, "1.1", "abcd", "bacd")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if ending == "log":
        (elsewhere / "u").write_bytes(office.path.read_bytes())
        other = Office(elsewhere / "u")
    else:
        write(elsewhere / "u.json", office.open())
        other = Office(elsewhere / "u.json")
        if ending == "csv":
            Office(elsewhere / "v").restore(elsewhere / "u.json")
            other = Office(elsewhere / "v")
            assert other.path.read_bytes() == office.path.read_bytes()
    mine, theirs = office.open(), other.open()
    for form in (to_csv, to_xlsx):
        first, second = (form(one.tournament.format.standings(one.tournament)) for one in (mine, theirs))
        if form is to_csv:
            assert first == second
    assert to_json(mine.tournament, mine.log) == to_json(theirs.tournament, theirs.log)
    result = standings_json(
        theirs.tournament, theirs.tournament.format.standings(theirs.tournament), theirs.log
    )
    assert json.dumps(result) == json.dumps(
        standings_json(mine.tournament, mine.tournament.format.standings(mine.tournament), mine.log)
    )


def test_an_export_is_for_looking_and_for_going_on(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES, series=1)
    write(tmp_path / "t.json", office.open())
    with pytest.raises(Refusal, match="is an export, for reading only"):
        Office(tmp_path / "t.json").slip("Ellen", "1.1", ("abcd", "abcd"))
    again = Office(tmp_path / "u")
    again.restore(tmp_path / "t.json")
    settle(again, "1.1", "abcd", "abcd")
    with pytest.raises(Refusal, match="already exists"):
        again.restore(tmp_path / "t.json")
    with pytest.raises(Refusal, match="there is no tournament file"):
        Office(tmp_path / "w").restore(tmp_path / "nothing.json")


def test_a_damaged_export_names_its_line(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES, series=1)
    write(tmp_path / "t.json", office.open())
    text = (tmp_path / "t.json").read_text("utf-8")
    (tmp_path / "t.json").write_text(text.replace("Åsa", "Äsa"), "utf-8")
    opened = Office(tmp_path / "t.json").open()
    assert opened.damage is not None and opened.damage.line == 2 and len(opened.log.events) == 1
    with pytest.raises(Damaged, match="line 2"):
        Office(tmp_path / "s").restore(tmp_path / "t.json")
    (tmp_path / "t.json").write_text(text[: len(text) // 2], "utf-8")
    with pytest.raises(Refusal, match="is not a complete export"):
        Office(tmp_path / "t.json").open()


def test_export_refuses_what_cannot_be_written(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES, series=1)
    with pytest.raises(Refusal, match=r"an export is a \.csv, \.xlsx, \.html or \.json file, not list\.pdf"):
        write(tmp_path / "list.pdf", office.open())
    with pytest.raises(Refusal, match="cannot be written"):
        write(tmp_path / "nowhere" / "list.csv", office.open())
    write(tmp_path / "list.csv", office.open())
    assert (tmp_path / "list.csv").read_bytes().startswith(b"\xef\xbb\xbfrank;number;name")
    write(tmp_path / "list.xlsx", office.open())
    assert len(_sheet((tmp_path / "list.xlsx").read_bytes())) == 9
    assert not list(tmp_path.glob("*.part"))


def test_several_sections_have_titles_and_sheets(tmp_path: Path) -> None:
    pairs = [f"{name}1 & {name}2" for name in "ABCDEF"]
    office = evening(tmp_path / "t", pairs, "tuppi", pools=2)
    state = office.open().tournament
    standings = state.format.standings(state)
    assert "Pool A [5.1]" in to_csv(standings) and "Pool B [5.1]" in to_csv(standings)
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(standings)))
    assert book.sheetnames == ["Pool A", "Pool B"]
    assert len(rows(state, 1)) == 3
    twice = Section(Note("", "Same: name?"), ("points",), (StandingsRow(1, 0, "X", "", (1,)),))
    assert len(openpyxl.load_workbook(io.BytesIO(to_xlsx(Standings((twice, twice))))).sheetnames) == 2
    assert openpyxl.load_workbook(io.BytesIO(to_xlsx(Standings(())))).sheetnames == ["Standings"]


def test_a_page_of_results_holds_every_row_and_no_markup_of_names(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", ["Ada <b>", "Åsa & Co", "Cid", "Dag"], series=1, games=1)
    settle(office, "1.1", "abcd")
    write(tmp_path / "t.html", office.open())
    text = (tmp_path / "t.html").read_text("utf-8")
    assert "Ada &lt;b&gt;" in text and "Åsa &amp; Co" in text and "<b>" not in text
    assert text.count("<tr>") == 5 and "The cup goes to" in text and '<td class="n">5</td>' in text


def test_slips_carry_the_number_of_their_plan(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES[:4], series=1)
    assert slip_lines(office.open().tournament, "1.1")[0].endswith("slip 1.1/1")
    one, other = office.open().tournament.seats("1.1")[:2]
    office.swap("Ellen", "1", str(one), str(other))
    assert slip_lines(office.open().tournament, "1.1")[0].endswith("slip 1.1/2")
