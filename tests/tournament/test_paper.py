"""Paper: everybody and every table stands on it, nothing outside it; the same event gives the same bytes."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import segno
from pypdf import PageObject, PdfReader
from reportlab.pdfbase.pdfmetrics import stringWidth

from nousu.i18n import LANGUAGES
from nousu.i18n.office import speech
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office
from nousu.tournament.paper import KINDS, kinds, render_paper, tables_of, undrawable_letters
from nousu.tournament.paper.canvas import (
    BOLD,
    LEAST,
    TITLE,
    drawable_text,
    fit,
    font_for,
    visual_order,
    width_of,
    wrap,
)
from nousu.tournament.paper.lookalikes import shape_of, with_distinct_names
from tournament_fixtures import evening, settle_all

LONG = "Maximiliane-Friederike Freifrau von Hohenstein-Schwarzenfels"
PEOPLE = (
    "Aino Lämsä|Jörg Weiß|Åse Bjørnstad|Märta Öhman|Siiri Näkkäläjärvi|Łukasz Żółć|"
    f"{LONG}|Ole|Иван Петров|WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW|ÆØÅ Čáhci"
).split("|")


def people(count: int) -> list[str]:
    """This many names, some of them very long."""
    return [*PEOPLE, *(f"Guest {number}" for number in range(len(PEOPLE), count))][:count]


def pairs(count: int) -> list[str]:
    """This many pairs."""
    return [f"{a} & {b}" for a, b in pairwise(people(2 * count))][::2]


def events(folder: Path) -> Iterator[tuple[str, Tournament]]:
    """An event of every kind, planned."""
    yield "tuppen", evening(folder / "a.nousu", people(11), series=2).open().tournament
    yield "tuppi", evening(folder / "b.nousu", pairs(5), "tuppi").open().tournament
    alone = evening(folder / "c.nousu", people(9), "drive", unit="players", rounds=2)
    yield "drive alone", alone.open().tournament
    hut = evening(folder / "d.nousu", pairs(5), "drive", preset="huutopussi", hands=0, rounds=2)
    yield "drive in pairs", hut.open().tournament


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tournament]:
    return dict(events(tmp_path_factory.mktemp("events")))


def pages(data: bytes) -> list[PageObject]:
    return list(PdfReader(io.BytesIO(data)).pages)


def text_of(data: bytes) -> str:
    """All text without its spaces: names may stand in two lines."""
    return "".join("".join(page.extract_text().split()) for page in pages(data))


def squeezed(text: str) -> str:
    return "".join(text.split())


def outside(page: PageObject) -> list[str]:
    """Texts of a page that reach over its edge."""
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    found = []

    def look(text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        if not text.strip():
            return
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        wide = width_of(text.strip(), BOLD, size) * 0.9 * (1 if cm[0] >= 0 else -1)
        if not (0 < x < width and 0 < y < height and 0 < x + wide < width):
            found.append(text)

    page.extract_text(visitor_text=look)
    return found


@pytest.mark.parametrize("kind", ["plan", "cards", "slips", "own", "results"])
def test_paper_holds_everybody_and_nothing_outside_it(every: dict[str, Tournament], kind: str) -> None:
    for (name, state), paper in zip(every.items(), ("letter", "a4", "letter", "a4"), strict=True):
        data = render_paper(
            state, kind, speech("fi"), paper=paper, address=lambda table: f"http://h/s/{table}"
        )
        text = text_of(data)
        for number in range(1, len(state.numbers) + 1):
            assert squeezed(state.who(number)) in text, (name, kind, state.who(number))
        for page in pages(data):
            assert outside(page) == [], (name, kind)
            width, height = (round(float(side)) for side in page.mediabox[2:])
            assert {width, height} == ({595, 842} if paper == "a4" else {612, 792})


def test_every_table_has_its_slip_with_round_plan_and_code(every: dict[str, Tournament]) -> None:
    say = speech("de").say
    for name, state in every.items():
        data = render_paper(state, "slips", speech("de"))
        text = text_of(data)
        for table, seats in state.tables():
            assert squeezed(say("Plan {plan} · slip {slip}", plan=1, slip=f"{table}/1")) in text, (
                name,
                table,
            )
            for number in seats:
                assert squeezed(state.who(number)) in text
    tables = list(every["tuppi"].tables())
    assert len(pages(render_paper(every["tuppi"], "slips", speech("de")))) == len(tables)
    one = render_paper(every["tuppen"], "slips", speech("de"), tables=["2.3"])
    assert "2.3/1" in text_of(one) and "2.2/1" not in text_of(one)


def test_a_score_sheet_has_a_line_for_every_hand_and_for_the_extension(every: dict[str, Tournament]) -> None:
    state = every["tuppi"]
    sheet = pages(render_paper(state, "sheets", speech("en"), tables=["1.1"]))[0].extract_text().split("\n")
    for hand in range(1, 25):
        assert str(hand) in sheet
    result = " ".join(sheet)
    assert "Extension: while a side is rising" in result and "The first to reach 52 wins" in result
    assert "rami failed, for the others 8 16 24 32 40 48 56" in result
    short = evening_without_extension(state)
    result = render_paper(short, "sheets", speech("en"), tables=["1.1"])
    assert "Extra hand, if everything is equal" in pages(result)[0].extract_text()


def evening_without_extension(state: Tournament) -> Tournament:
    from dataclasses import replace

    kind = state.format
    changed = replace(kind, preset="tuppi_tournament_catsatcards")  # type: ignore[type-var]
    return replace(state, format=changed)


def test_the_code_on_a_slip_is_the_address_of_its_table(every: dict[str, Tournament]) -> None:
    """Read back from the page: its dark modules are those of the code of the address."""
    state = every["tuppen"]
    address = "http://192.168.178.21:8000/tournament/evening/slip/1.1?k=0f3a9c"
    data = render_paper(state, "slips", speech("en"), tables=["1.1"], address=lambda table: address)
    page = pages(data)[0]
    wanted = segno.make_qr(address, error="m", boost_error=False)
    module, *_ = sorted({round(box[3], 3) for box in boxes(page)})
    dark = [box for box in boxes(page) if round(box[3], 3) == module]
    left, top = min(box[0] for box in dark), max(box[1] for box in dark)
    found = set()
    for x, y, width, _ in dark:
        for at in range(round(width / module)):
            found.add((round((top - y) / module), round((x - left) / module) + at))
    assert found == {
        (row, column) for row, line in enumerate(wanted.matrix) for column, dark in enumerate(line) if dark
    }


def boxes(page: PageObject) -> list[tuple[float, float, float, float]]:
    """The rectangles that are drawn on a page."""
    content: Any = page.get_contents()
    return [tuple(map(float, operands)) for operands, operator in content.operations if operator == b"re"]


def test_the_fonts_are_in_the_file_and_have_every_letter_and_suit(every: dict[str, Tournament]) -> None:
    for page in pages(render_paper(every["tuppen"], "slips", speech("fi"))):
        fonts: Any = page["/Resources"]["/Font"]
        used = [one.get_object() for one in fonts.values()]
        embedded = [one for one in used if "/FontDescriptor" in one]
        assert embedded and all("/FontFile2" in one["/FontDescriptor"] for one in embedded)
    width_of("x", BOLD, 10)
    from reportlab.pdfbase.pdfmetrics import getFont

    for font in ("NousuSans", "NousuSans-Bold", "NousuSerif-Bold"):
        known = getFont(font).face.charToGlyph
        assert all(ord(sign) in known for sign in "äöåßøæÄÖÅẞØÆšžčđŋŧŁ♠♥♦♣♤♡♢♧−–·×“”’„"), font


def test_the_same_event_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    office = evening(tmp_path / "a.nousu", people(9), series=2)
    kinds_of = ["results", "plan", "slips"]
    here = [render_paper(office.open().tournament, kind, speech("sv")) for kind in kinds_of]
    assert here == [render_paper(office.open().tournament, kind, speech("sv")) for kind in kinds_of]
    program = (
        "import sys; from pathlib import Path; from nousu.tournament.office import Office;"
        "from nousu.tournament.paper import render_paper; from nousu.i18n.office import speech;"
        f"state = Office(Path({str(office.path)!r})).open().tournament;"
        f"[sys.stdout.buffer.write(render_paper(state, kind, speech('sv'))) for kind in {kinds_of}]"
    )
    surroundings = {**os.environ, "PYTHONHASHSEED": "7"}
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, env=surroundings, check=True)
    assert there.stdout == b"".join(here)


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_speaks_every_language(every: dict[str, Tournament], language: str) -> None:
    said = speech(language)
    assert squeezed(said.say("Where everybody sits")) in text_of(render_paper(every["tuppen"], "plan", said))
    result = text_of(render_paper(every["tuppi"], "sheets", said, tables=["1.1"]))
    assert squeezed(said.say("collected while rising")) in result


def test_the_plan_on_the_wall_goes_by_the_alphabet_of_the_language(tmp_path: Path) -> None:
    names = ["Örn", "Otto", "Zoë", "Åke", "Anna", "Ärla"]
    state = evening(tmp_path / "a.nousu", names, series=1).open().tournament

    def order(language: str) -> list[str]:
        text = pages(render_paper(state, "plan", speech(language)))[0].extract_text()
        return sorted(names, key=lambda name: text.index(f"{name}\n"))

    assert order("sv") == ["Anna", "Otto", "Zoë", "Åke", "Ärla", "Örn"]
    assert order("de") == ["Åke", "Anna", "Ärla", "Örn", "Otto", "Zoë"]


def lines_of(data: bytes) -> list[str]:
    return [line for page in pages(data) for line in page.extract_text().split("\n")]


def test_wall_plan_and_door_list_go_by_surnames(tmp_path: Path) -> None:
    names = ["Åke Zorn", "Lukas Groß", "Charlotte von der Weyden", "Ada", "Eino Ålander", "Bo Groß"]
    state = evening(tmp_path / "a.nousu", names, series=1, least=3).open().tournament
    for kind in ("plan", "door"):
        lines = " ".join(lines_of(render_paper(state, kind, speech("fi"))))
        listed = ["Ada", "Groß, Bo", "Groß, Lukas", "von der Weyden, Charlotte", "Zorn, Åke", "Ålander, Eino"]
        assert [lines.index(name) for name in listed] == sorted(lines.index(name) for name in listed), kind


def test_wall_plan_of_pairs_is_found_by_both_partners(tmp_path: Path) -> None:
    names = ["Aino Virta & Zoe Berg", "Carl Dahl & Eino Kuu"]
    state = evening(tmp_path / "a.nousu", names, "tuppi").open().tournament
    lines = " ".join(lines_of(render_paper(state, "plan", speech("en"))))
    for name in ("Berg, Zoe (with Aino Virta)", "Virta, Aino (with Zoe Berg)", "Kuu, Eino (with Carl Dahl)"):
        assert name in lines


def test_door_list_fills_its_sheets(tmp_path: Path) -> None:
    state = evening(tmp_path / "a.nousu", people(31), series=1, plan=False).open().tournament
    [sheet] = pages(render_paper(state, "door", speech("de")))
    heights = []
    sheet.extract_text(
        visitor_text=lambda text, cm, tm, font, size: heights.append(tm[5]) if text.strip() else None
    )
    assert min(heights) < 0.2 * float(sheet.mediabox.height)


@pytest.mark.parametrize("count", [9, 31, 60])
def test_the_plan_of_many_people_needs_few_sheets(tmp_path: Path, count: int) -> None:
    state = evening(tmp_path / "a.nousu", people(count), series=2).open().tournament
    assert len(pages(render_paper(state, "plan", speech("en")))) == 2 + (2 if count > 36 else 1)
    tables = max(len(played.tables) for played in state.rounds.values())
    assert len(pages(render_paper(state, "cards", speech("en")))) == tables
    assert len(pages(render_paper(state, "own", speech("en")))) == -(-count // 4)


def published_event(office: Office) -> Office:
    """The event played out, with a Stechen, and published."""
    settle_all(office)
    while any("Stechen" in one or "play-off" in one for one in _open(office)):
        office.stechen("Ellen")
        settle_all(office)
    office.act("Ellen", "published")
    return office


def _open(office: Office) -> list[str]:
    from tournament_fixtures import to_do

    return to_do(office.open().tournament)


@pytest.mark.clause("TU-ZK-I3")
def test_certificates_name_the_best_and_who_has_the_cup(tmp_path: Path) -> None:
    office = evening(tmp_path / "a.nousu", people(9), series=1, games=1)
    with pytest.raises(Refusal, match="publish it first"):
        render_paper(office.open().tournament, "certificates", speech("en"))
    assert "Interimstandings" in text_of(render_paper(office.open().tournament, "results", speech("en")))
    state = published_event(office).open().tournament
    found = state.format.standings(state)
    sheets = [page.extract_text() for page in pages(render_paper(state, "certificates", speech("en")))]
    best = [row for row in found.sections[0].rows if row.rank <= 3]
    assert len(sheets) == len(best)
    for sheet, row in zip(sheets, best, strict=True):
        assert squeezed(row.name) in squeezed(sheet) and f"Place {row.rank}" in sheet
        assert ("Winner of the cup" in sheet) == (row.number in found.cup)
    assert sum("Winner of the cup" in sheet for sheet in sheets) == 1
    result = text_of(render_paper(state, "results", speech("en")))
    assert "Publishedon2026-11-2" in result and "Thecupgoesto" in result


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_of_the_result_list_are_whole_words(every: dict[str, Tournament], language: str) -> None:
    said = speech(language)
    for state in every.values():
        text = " ".join(pages(render_paper(state, "results", said))[0].extract_text().split())
        for section in state.format.standings(state).sections[:1]:
            for column in section.columns:
                assert all(word in text for word in said.column(column).split()), column


def test_paper_refuses_impossible_sheets_with_the_reason(
    every: dict[str, Tournament], tmp_path: Path
) -> None:
    state, words = every["tuppen"], speech("en")
    with pytest.raises(Refusal, match="no paper called flags; there are door, plan, cards"):
        render_paper(state, "flags", words)
    with pytest.raises(Refusal, match="no paper a3; choose a4, letter"):
        render_paper(state, "plan", words, paper="a3")
    with pytest.raises(Refusal, match="round 9 is not planned; planned: 1, 2"):
        render_paper(state, "slips", words, rounds=["9"])
    with pytest.raises(Refusal, match=r"there is no table 9\.9"):
        render_paper(state, "slips", words, tables=["9.9"])
    with pytest.raises(Refusal, match="score sheets are for Tuppi"):
        render_paper(state, "sheets", words)
    bare = evening(tmp_path / "a.nousu", people(9), plan=False).open().tournament
    for kind in ("plan", "cards", "slips", "own"):
        with pytest.raises(Refusal, match="Nothing is planned yet"):
            render_paper(bare, kind, words)


def test_every_kind_of_event_prints_its_own_kinds(every: dict[str, Tournament]) -> None:
    assert "sheets" in kinds(every["tuppi"]) and "slips" not in kinds(every["tuppi"])
    assert "sheets" not in kinds(every["tuppen"])
    assert {kind for state in every.values() for kind in kinds(state)} == set(KINDS)
    assert tables_of(every["tuppen"], ["2"]) == ("2.1", "2.2", "2.3")


def test_text_that_does_not_fit_is_made_smaller_or_broken_and_never_cut() -> None:
    for text in ("Ole", LONG, "W" * 60, f"{LONG} & {'W' * 60}"):
        for wide in (300.0, 90.0, 40.0):
            size, lines = fit(text, BOLD, 12, wide, 20)
            assert "".join(lines).replace(" ", "") == text.replace(" ", "")
            assert LEAST <= size <= 12
            assert all(stringWidth(line, BOLD, size) <= wide for line in lines)
    assert wrap("", BOLD, 10, 50) == [""]
    assert wrap("Oberländer-Groß", BOLD, 10, 66) == ["Oberländer-", "Groß"]


def test_a_very_long_evening_still_fits(tmp_path: Path) -> None:
    state = evening(tmp_path / "a.nousu", people(9), series=30, games=10, plan=False)
    state.plan("Ellen", seconds=0.05)
    for kind in ("plan", "slips", "own", "cards", "results"):
        rounds = ["1", "30"] if kind == "slips" else []
        for page in pages(render_paper(state.open().tournament, kind, speech("de"), rounds=rounds)):
            assert outside(page) == [], kind


def test_letters_that_paper_cannot_draw_are_question_marks_never_empty_boxes(tmp_path: Path) -> None:
    drawn = "Łukasz Żółć, Иван, Ελένη, Ἑλένη, Čáhci ß ö, Ju\u0327rgis, Q\u030c, דנה, Արամ, ნინო"
    assert undrawable_letters(drawn) == ""
    assert undrawable_letters("王小明 & 王 دانا") == "王小明دان"
    names = ["王小明", "דנה", "Ada", "Ben 🙂"]
    state = evening(tmp_path / "e.nousu", names, series=1, least=4).open().tournament
    for kind in ("door", "plan", "slips"):
        text = " ".join(page.extract_text() for page in pages(render_paper(state, kind, speech("en"))))
        assert "???" in text and "Ben ?" in text and "Ada" in text
        assert not set("王小明🙂") & set(text) and ("הנד" in text or "דנה" in text)


def test_hebrew_is_drawn_from_the_right() -> None:
    assert visual_order("דנה") == "הנד"
    assert visual_order("דנה כהן") == "ןהכ הנד"
    assert visual_order("7 דנה (12) כהן, Kemi") == "7 ןהכ (12) הנד, Kemi"
    assert visual_order("Ada") == "Ada"
    assert drawable_text("Jo\u0308rg") == "Jörg"
    assert font_for("דנה", TITLE) == BOLD and font_for("Ada", TITLE) == TITLE


def test_two_people_never_look_alike_on_paper(tmp_path: Path) -> None:
    names = ["Anna", "Аnna", "王小明", "李小龍", "Ada", "Uwe", "Inge", "Kai"]
    state = evening(tmp_path / "e.nousu", names, series=1, least=4).open().tournament
    shown = with_distinct_names(state)
    numbers = {entrant.id: number for number, entrant in enumerate(map(shown.entrant, range(1, 9)), 1)}
    for entrant, name in zip(shown.entrants, names, strict=True):
        assert entrant.name == (name if name in names[4:] else f"{name} ({numbers[entrant.id]})")
    assert len({shape_of(entrant.name) for entrant in shown.entrants}) == 8
    text = " ".join(page.extract_text() for page in pages(render_paper(state, "plan", speech("en"))))
    assert f"??? ({numbers[3]})" in text and f"??? ({numbers[4]})" in text
    undrawn = with_distinct_names(replace(state, numbers=()))
    assert [entrant.name for entrant in undrawn.entrants][:2] == ["Anna (1)", "Аnna (2)"]
