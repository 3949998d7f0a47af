"""Lists of people: pasted, CSV, XLSX; umlauts, semicolons, headings; an error for every bad line."""

import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.worksheet.worksheet import Worksheet

from nousu.tournament.list_files import Source, check_encoding, check_sheet, read_file, read_source, reread
from nousu.tournament.messages import Refusal
from nousu.tournament.people import People, clean, from_bytes, from_text, has_commas, name_key, preview


def from_file(path: Path, *, pairs: bool = False, sheet: str = "", encoding: str = "") -> People:
    """The list in a file, as the command reads it."""
    source = read_source(str(path), read_file(path), sheet=sheet, encoding=encoding)
    check_encoding(source, encoding)
    check_sheet(source)
    return preview(source, pairs=pairs, commas=has_commas(path)).all_right()


def _names(text: str, **how: bool) -> list[str]:
    return [one.name for one in from_text(text, **how).given]


def test_a_pasted_list_is_one_name_a_line() -> None:
    assert _names("Aino Virtanen\r\nÅsa Öberg\n  Jürgen   Groß \nO'Hara, Kalle\n") == [
        "Aino Virtanen", "Åsa Öberg", "Jürgen Groß", "O'Hara, Kalle",
    ]  # fmt: skip


def test_columns_after_semicolons_tabs_and_commas() -> None:
    for text, commas in (
        ("Aino;Kemi\nEino\n", False),
        ("Aino\tKemi\nEino\t\n", False),
        ("Aino,Kemi\nEino,\n", True),
    ):
        people = from_text(text, commas=commas).given
        assert [(one.name, one.team) for one in people] == [("Aino", "Kemi"), ("Eino", "")]


def test_headings_in_four_languages() -> None:
    for text in (
        "Nr;Vorname;Nachname;Verein\n1;Uwe;Groß;ZK\n",
        "nimi;seura\nUwe Groß;ZK\n",
        "Team;Name\nZK;Uwe Groß\n",
        "etternavn;fornavn;klubb\nGroß;Uwe;ZK\n",
    ):
        (one,) = from_text(text).given
        assert (one.name, one.team, one.line) == ("Uwe Groß", "ZK", 2)


def test_people_whose_names_are_column_names() -> None:
    """Par, A and Given are people; Name alone is a heading, and the list says so."""
    assert _names("Par\nUwe\n") == ["Par", "Uwe"]
    assert _names("A\nB\n") == ["A", "B"]
    assert _names("Given\nLast\n") == ["Given", "Last"]
    people = from_text("Name\nUwe\n")
    assert (people.heading, len(people.given)) == (1, 1)
    assert from_text("Uwe\nName\n").heading == 0
    assert from_text("pari\nA & B\n", pairs=True).heading == 1


def test_pairs_in_one_column_or_two() -> None:
    text = "Aino & Eino\nVäinö / Ilma;Kemi\nOlli ja Olga\nPaavo + Paula\nJussi;Jaana\nKalle;Kaisa;Salla\n"
    people = from_text(text, pairs=True).given
    assert people[0].members == ("Aino", "Eino")
    assert people[2].members == ("Olli", "Olga")
    assert people[4].members == ("Jussi", "Jaana")
    assert (people[5].members, people[5].team) == (("Kalle", "Kaisa"), "Salla")
    assert from_text("player 1;player 2;club\nA B;C-D;E\n", pairs=True).given[0].team == "E"


def test_headings_that_name_two_people(subtests: pytest.Subtests) -> None:
    """In an event of pairs they are the two; elsewhere nobody guesses, and nothing of the list is lost."""
    for text in (
        "Name;Name;Verein\nUwe Groß;Inge Bär;ZK\n",
        "Spieler;Partner;Verein\nUwe Groß;Inge Bär;ZK\n",
        "Vorname;Nachname;Vorname;Nachname;Verein\nUwe;Groß;Inge;Bär;ZK\n",
        "Name;Verein;Name;Verein\nUwe Groß;ZK;Inge Bär;TV\n",
    ):
        with subtests.test(text):
            (pair,) = from_text(text, pairs=True).given
            assert (pair.members, pair.team) == (("Uwe Groß", "Inge Bär"), "ZK")
    twice = "line 1: the heading has the column Name twice; call them first name and last name"
    two = "line 1: the heading names two people in a line, and this event is for single people"
    for text, reason in (
        ("Name;Name;Verein\nGroß;Uwe;ZK\nBär;Inge;TV\n", twice),
        ("Name;Name\nGroß;Uwe\n", twice),
        ("Spieler 1;Spieler 2\nUwe;Inge\n", two),
        ("Paar;Verein\nUwe & Inge;ZK\n", two),
    ):
        with subtests.test(text):
            with pytest.raises(Refusal) as raised:
                from_text(text)
            assert str(raised.value).startswith(reason) and "\n" not in str(raised.value)
    (one,) = from_text("Name;Partner;Verein\nUwe;Inge;ZK\n").given
    assert (one.name, one.team, one.columns) == ("Uwe", "ZK", {"Partner": "Inge"})
    (one,) = from_text("Vorname;Name;Nachname\nUwe;Uwe Groß;Groß\n").given
    assert (one.name, one.columns) == ("Uwe Groß", {"Vorname": "Uwe", "Nachname": "Groß"})


def test_a_quoted_semicolon_belongs_to_the_name() -> None:
    assert _names('"Groß; Uwe";ZK\nEino;ZK\n') == ["Groß; Uwe", "Eino"]


def test_empty_lines_are_passed_over_and_named() -> None:
    people = from_text("Aino\n\nEino\n;;\nUwe\n\n\n")
    assert [one.name for one in people.given] == ["Aino", "Eino", "Uwe"]
    assert people.empty == (2, 4)


def test_every_bad_line_is_listed_with_its_number() -> None:
    with pytest.raises(Refusal) as raised:
        from_text("Aino\nEino;a;b\nAINO\nUwe\u202eevil\n---\n;Kemi\n" + "x" * 61 + "\n")
    assert str(raised.value).splitlines() == [
        "line 2: columns: 3, of which only 2 can be recognised; give them headings",
        "line 3: AINO is already in line 1",
        "line 4: the name holds an invisible character (U+202E)",
        "line 5: --- is not a name",
        "line 6: a name is missing",
        "line 7: a name has at most 60 characters, this one 61",
    ]


def test_the_same_person_in_two_pairs_is_found() -> None:
    with pytest.raises(Refusal, match="line 2: Eino is already in line 1"):
        from_text("Aino & Eino\nEino & Olga\n", pairs=True)
    with pytest.raises(Refusal, match="line 1: a pair is two names"):
        from_text("Aino\n", pairs=True)


def test_look_alikes_count_as_one_name() -> None:
    assert name_key("ÅSA  Öberg") == name_key("Åsa öberg") == name_key("A\u030asa O\u0308berg")
    assert clean("A\u030asa") == "Åsa"
    assert name_key("Ｕｗｅ") == name_key("uwe") and name_key("GROSS") == name_key("Groß")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_as_spreadsheets_write_them(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes("Name,Verein\r\nÄrnst Groß,ZK\r\nÅsa Öberg,\r\n".encode(encoding))
    people = from_file(path)
    assert [one.name for one in people.given] == ["Ärnst Groß", "Åsa Öberg"]
    assert (people.encoding == "cp1252") == (encoding == "cp1252")


def test_a_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    for row in (["Nimi", "Seura"], ["Väinö Mäki", "Kemi"], [None, None], ["Åsa", None], ["=Uwe", None]):
        sheet.append(row)
    sheet["A5"].data_type = "s"
    book.save(tmp_path / "list.xlsx")
    people = from_file(tmp_path / "list.xlsx")
    assert [(one.line, one.name, one.team) for one in people.given][:2] == [
        (2, "Väinö Mäki", "Kemi"),
        (4, "Åsa", ""),
    ]
    assert people.empty == (3,)


def test_list_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.xlsx").write_bytes(b"no zip at all")
    with pytest.raises(Refusal, match="not a readable spreadsheet"):
        from_file(tmp_path / "list.xlsx")
    with pytest.raises(Refusal, match="cannot be read"):
        from_file(tmp_path / "missing.csv")
    with pytest.raises(Refusal, match="more than 2000 lines"):
        from_text("a\n" * 2001)
    with pytest.raises(Refusal, match="line 2: the quotation marks"):
        from_text('Aino;Kemi\n"Eino;Kemi\n')


@given(st.binary(max_size=200), st.booleans(), st.booleans())
def test_any_bytes_give_names_or_a_refusal(data: bytes, pairs: bool, commas: bool) -> None:
    try:
        people = from_bytes(data, pairs=pairs, commas=commas)
    except Refusal as refusal:
        assert str(refusal)
    else:
        names = [member for one in people.given for member in one.members]
        assert len({name_key(name) for name in names}) == len(names)
        assert all(clean(name) == name for name in names)


def test_a_pair_and_its_team_in_one_line() -> None:
    found = from_text("Aino & Arvi;Kemi\nBea;Boris;ZK\nCid;Dag", pairs=True).given
    assert [(one.members, one.team) for one in found] == [
        (("Aino", "Arvi"), "Kemi"),
        (("Bea", "Boris"), "ZK"),
        (("Cid", "Dag"), ""),
    ]
    with pytest.raises(Refusal, match="line 1: there are two pairs in one line"):
        from_text("Aino & Arvi;Bea & Boris", pairs=True)


def test_list_with_the_mark_of_excel_and_unknown_columns() -> None:
    found = from_text("sep=;\nName;E-Mail;Verein\nAda;a@example.org;ZK\nBea;;\n")
    assert [(one.name, one.team, one.line) for one in found.given] == [("Ada", "ZK", 3), ("Bea", "", 4)]
    assert found.heading == 2 and found.ignored == ("E-Mail",)
    found = from_text("sep=,\nName,Verein\nAda,ZK\n")
    assert (found.given[0].name, found.given[0].team) == ("Ada", "ZK")


def test_a_preview_names_every_wrong_line_and_who_is_entered_already() -> None:
    data = "Name;Verein\nÄrnst;ZK\n\n!?;ZK\nUwe;TV\närnst;TV\n".encode("cp1252")
    found = preview(read_source("list.csv", data), taken=["UWE"], commas=True)
    assert found.encoding == "cp1252" and [one.name for one in found.given] == ["Ärnst", "Uwe"]
    assert [str(one) for one in found.wrong] == [
        "line 4: !? is not a name",
        "line 6: ärnst is already in line 2",
        "line 5: Uwe is already entered",
    ]
    with pytest.raises(Refusal, match="line 4: !\\? is not a name"):
        found.all_right()
    with pytest.raises(Refusal, match="is not a readable spreadsheet"):
        read_source("list.xlsx", b"no workbook")


def test_spellings_of_one_name_are_a_question_and_no_refusal() -> None:
    """Karl-Heinz and Karl Heinz Groß stood on one list, and nobody was told."""
    text = "Karl-Heinz Groß\nJörg Weiß\nAda Öst\nKARL HEINZ GROSS\nJoerg Weiss\nJan Groß\nKarlheinz Groß\n"
    found = preview(Source(text), taken=["Ada Oest", "Jan Weiß"])
    assert len(found.given) == 7 and not found.wrong
    assert [note.english for note in found.notes()] == [
        "Ada Öst in line 3 may be the same person as Ada Oest.",
        "KARL HEINZ GROSS in line 4 may be the same person as Karl-Heinz Groß.",
        "Joerg Weiss in line 5 may be the same person as Jörg Weiß.",
        "Karlheinz Groß in line 7 may be the same person as Karl-Heinz Groß.",
    ]


def test_lines_typed_below_a_copied_table_keep_their_teams() -> None:
    given = from_text("Ada Groß\tTV\nBen Öst;Oulu\nCleo\n").given
    assert [(one.name, one.team) for one in given] == [("Ada Groß", "TV"), ("Ben Öst", "Oulu"), ("Cleo", "")]


PEOPLE = "Uwe;A\nInge;B\nKai;A\n"


def test_a_heading_among_the_first_rows_in_many_languages(subtests: pytest.Subtests) -> None:
    for heading in [
        "Club evening 12 December\n\nName;Verein\n",
        "Tuppen 2026;;Stand: 1.12.\n\nTeilnehmer;Verein\n",
        "Teilnehmer;Verein\n",
        "Deltagare;Klubb\n",
        "Deltaker:;Lag\n",
        "Osallistuja;Seura\n",
        "Participant;Club\n",
        "Deelnemer;Vereniging\n",
        "Spieler (Vor- und Nachname);Mannschaft\n",
    ]:
        with subtests.test(heading=heading):
            people = from_text(heading + PEOPLE)
            assert [(one.name, one.team) for one in people.given] == [
                ("Uwe", "A"),
                ("Inge", "B"),
                ("Kai", "A"),
            ]
            assert people.heading == heading.count("\n")
            assert people.above == ((1,) if people.heading > 1 else ())


def test_columns_beside_names() -> None:
    text = (
        "Startnr;Name;Vorname;Klub;Bezahlt;\n1;Groß;Uwe;ZK;ja;\n2;Öst;Ben;;;x\n3;;;;;\n4;;;;;\n5;Aas;Ada;;;\n"
    )
    people = from_text(text)
    assert [one.name for one in people.given] == ["Uwe Groß", "Ben Öst", "Ada Aas"]
    assert people.kept == ("Bezahlt",) and people.ignored == ("6",)
    assert [(dict(one.columns), one.paid) for one in people.given] == [
        ({"Bezahlt": "ja"}, True), ({}, False), ({}, False),
    ]  # fmt: skip
    assert people.empty == (4, 5)
    with pytest.raises(Refusal, match="line 3: this is a heading in the middle of the list"):
        from_text("Name;Verein\nUwe;A\nName;Verein\nKai;B\n")


MISPLACED = (
    "stands in the column of the numbers; write a number there, or nothing, and the name in its own column"
)


def test_names_below_the_heading_of_numbers_are_not_passed_over() -> None:
    text = (
        "Nr;Name;Verein\n1;Uwe Groß;ZK\n2;;\nKarl-Heinz Aas\nAda Öst;Kemi\nErsatz;Kai;ZK\n?;Inge;\n12a;Ben;\n"
    )
    found = preview(Source(text))
    assert [one.name for one in found.given] == ["Uwe Groß", "Kai", "Inge", "Ben"] and found.empty == (3,)
    assert [str(one) for one in found.wrong] == [
        f"line 4: Karl-Heinz Aas {MISPLACED}",
        f"line 5: Ada Öst {MISPLACED}",
    ]


@pytest.mark.parametrize("row", ["Bernd;Köln;Gast", "Bo;Kemi;Gast", "Bernd;;Köln"])
def test_rows_that_do_not_fit_the_heading_are_refused(row: str) -> None:
    """Bernd was passed over, and a person called Köln entered."""
    found = preview(Source(f"Nr;Name;Verein\n1;Uwe;ZK\n{row}\n"))
    assert [one.name for one in found.given] == ["Uwe"]
    assert [str(one) for one in found.wrong] == [f"line 3: {row.partition(';')[0]} {MISPLACED}"]


def test_member_numbers_with_letters_are_numbers() -> None:
    found = preview(Source("Nr;Name;Verein\nMGL0042;Uwe;ZK\nTV-7;Kai;ZK\n"))
    assert [one.name for one in found.given] == ["Uwe", "Kai"] and not found.wrong


def test_numbered_lists(subtests: pytest.Subtests) -> None:
    for text in [
        "1;Uwe\n2;Inge\n3;Kai\n",
        "1. Uwe\n2. Inge\n3.Kai\n",
        "1) Uwe\n\n2) Inge\n3) Kai\n4)\n5)\n",
        "1\tUwe\n2\tInge\n4\tKai",
        "1. Uwe\n3. Inge\n3. Kai\n",
        "1. Uwe\nInge\n2. Kai\n",
    ]:
        with subtests.test(text=text):
            people = from_text(text)
            assert [one.name for one in people.given] == ["Uwe", "Inge", "Kai"]
            assert people.numbered


def test_numbers_that_belong_to_names(subtests: pytest.Subtests) -> None:
    for text in ["1. FC Kemi\nUwe\nInge\n", "3 Muskettiers\n2 Clowns\n", "1\n2. \n"]:
        with subtests.test(text=text):
            assert not preview(Source(text)).numbered


def test_digits_alone_are_nobody() -> None:
    for text in ("1\n2\n3\n", "1;Uwe\n7\n2;Kai\n", "Name\n1\n"):
        assert preview(Source(text)).wrong
    assert _names("7 Zwerge\nUwe\n") == ["7 Zwerge", "Uwe"]


def test_sums_at_the_foot_are_said_and_not_entered() -> None:
    for foot in ("Summe;8\n", "\nTotal: 3\n", "3 Teilnehmer\n", "Yhteensä;;3\n"):
        people = from_text("Name;Club;Paid\nUwe;A;5\nInge;B;5\nKai;A;5\n" + foot)
        assert len(people.given) == 3, foot
        assert len(people.sums) == 1
    assert _names("Uwe\nTotal\n") == ["Uwe", "Total"]


def test_invisible_marks_are_taken_off_and_told() -> None:
    people = from_text("\u2068Uwe Berg\u2069\n\u200eInge\nKai\u202c\nRo\u00adlf\nAda\n")
    assert [one.name for one in people.given] == ["Uwe Berg", "Inge", "Kai", "Rolf", "Ada"]
    assert people.marked == (1, 2, 3, 4)
    notes = [note.english for note in people.notes()]
    assert notes == ["Invisible marks, as chat programs put them, were taken off in lines: 1–4"]


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp850"])
def test_older_encodings_are_told_apart(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "list.csv").write_bytes("Name;Verein\nJürgen Groß;TV\nÅsa Öberg;IF\n".encode(encoding))
    people = from_file(tmp_path / "list.csv")
    assert ([one.name for one in people.given], people.encoding) == (["Jürgen Groß", "Åsa Öberg"], encoding)


def test_a_doubtful_encoding_is_a_question(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes("Jürgen\n".encode("cp850"))
    with pytest.raises(Refusal, match=r"encoding: .* mac_roman \(JÅrgen\), cp850 \(Jürgen\)"):
        from_file(path)
    assert from_file(path, encoding="cp850").given[0].name == "Jürgen"
    assert reread("JÅrgen", "mac_roman", "cp850").text == "Jürgen"
    assert reread("JÅrgen Ł", "mac_roman", "cp850").text == "JÅrgen Ł"


def _book(path: Path, **sheets: list[Any]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_sheets_of_a_workbook(tmp_path: Path) -> None:
    people = [["Name", "Club"], ["Uwe", "A"], [None, None], ['"Ada" \n Groß', "B"]]
    path = _book(tmp_path / "list.xlsx", Notes=[["Please use sheet 2"]], List=people, Empty=[])
    found = from_file(path)
    assert ([one.name for one in found.given], found.sheet) == (["Uwe", '"Ada" Groß'], "List")
    path = _book(tmp_path / "two.xlsx", May=people, June=people)
    with pytest.raises(
        Refusal, match="sheet: the workbook has several sheets; say which one is meant: May, June"
    ):
        from_file(path)
    assert from_file(path, sheet="June").sheet == "June"
    with pytest.raises(Refusal, match="there is no sheet July; the sheets are: May, June"):
        from_file(path, sheet="July")
    pairs = [["Player 1", "Player 2"], ["Uwe", "Ada"], ["Eeva", "Inge"]]
    path = _book(tmp_path / "pairs.xlsx", Notes=[["Please use sheet 2"]], Pairs=pairs)
    assert from_file(path, pairs=True).sheet == "Pairs"
    numbers = [
        ["No", "Name", "Club"],
        *([at, f"Guest {at}" if at < 9 else None, None] for at in range(1, 31)),
    ]
    found = from_file(_book(tmp_path / "numbers.xlsx", List=numbers))
    assert [one.name for one in found.given] == [f"Guest {at}" for at in range(1, 9)]
    title = [["Tuppen 2026"], [], [None, "Name", "Club"], [1, "Uwe", "A"], [2, "Inge", "A"]]
    found = from_file(_book(tmp_path / "title.xlsx", List=title))
    assert ([one.name for one in found.given], found.heading, found.ignored) == (["Uwe", "Inge"], 3, ())


def test_files_of_other_programs_are_one_sentence(tmp_path: Path) -> None:
    for name, data in (("list.ods", b"PK\x03\x04" + bytes(3000)), ("list.txt", b"PK\x03\x04" + bytes(99))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Refusal, match="is not a readable spreadsheet"):
            from_file(tmp_path / name)
    (tmp_path / "list.pdf").write_bytes(b"%PDF-1.4")
    with pytest.raises(Refusal, match="neither a text nor a spreadsheet"):
        from_file(tmp_path / "list.pdf")


def test_an_open_document_sheet(tmp_path: Path) -> None:
    """The least that a sheet of LibreOffice consists of."""
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = [["Nimi", "Seura"], ["Väinö Mäki", "Kemi"], ["Åsa", "Oulu"]]
    body = "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="L">{body}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(tmp_path / "list.ods", "w") as file:
        file.writestr("mimetype", kind)
        file.writestr("content.xml", content)
        space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        file.writestr("META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{space}"/>')
    people = from_file(tmp_path / "list.ods")
    assert [(one.name, one.team) for one in people.given] == [("Väinö Mäki", "Kemi"), ("Åsa", "Oulu")]


def test_lists_as_other_programs_report_them(tmp_path: Path) -> None:
    """A remark above the heading, an Id, letters that were read twice in the wrong encoding."""
    source = '# Made by a club program; format 1.1; plain\n"Name","Club"\n"Uwe","A"\n"Inge","B"\n'
    people = from_text(source, commas=True)
    assert [(one.name, one.team) for one in people.given] == [("Uwe", "A"), ("Inge", "B")]
    assert people.above == (1,)
    people = from_text("Table 1\t\nId\tName\n1\tUwe\n2\tInge\n")
    assert [one.name for one in people.given] == ["Uwe", "Inge"] and people.heading == 2
    twice = "Bjørn\nJürgen\nAda\nJoão\nŽofia Åžko\n".encode().decode("cp1252", "replace")
    found = preview(Source(twice))
    assert found.garbled[:2] == (1, 2) and 3 not in found.garbled
    assert "Letters are garbled in lines" in " ".join(note.english for note in found.notes())
    assert not preview(Source("JOÃO\nÅsa\nÄrnst Bär\nÂnia\n")).garbled
