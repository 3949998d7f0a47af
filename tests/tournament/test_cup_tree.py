"""The cup as a tree: played matches with scores, planned ones, and those to come."""

import io
from pathlib import Path

from pypdf import PdfReader

from nousu.i18n.office import speech
from nousu.tournament.cup_tree import cup_tree, third_place
from nousu.tournament.paper import render_paper
from tournament_fixtures import evening, settle

PAIRS = [f"A{number} & B{number}" for number in range(1, 7)]
WIN_A, WIN_B = ("52:0", "52:0", "4"), ("0:52", "0:52", "4")


def test_cup_tree_from_byes_to_the_final(tmp_path: Path) -> None:
    office = evening(tmp_path / "a.nousu", PAIRS, "tuppi", pools=0, third_place=True)
    state = office.open().tournament
    first, second, final = cup_tree(state)
    assert [len(part.matches) for part in (first, second, final)] == [4, 2, 1]
    byes = [match for match in first.matches if not match.sides[1].number]
    assert len(byes) == 2 and all(match.sides[0].won for match in byes)
    assert {side.number for match in second.matches for side in match.sides} == {
        0,
        *(match.sides[0].number for match in byes),
    }, "who needs not play is in the next round already"

    played = [match.table for match in first.matches if match not in byes]
    settle(office, played[0], *WIN_A)
    settle(office, played[1], *WIN_B)
    state = office.open().tournament
    first, second, _ = cup_tree(state)
    assert all(side.number for match in second.matches for side in match.sides)
    one = next(match for match in first.matches if match.table == played[1])
    assert [(side.score, side.won) for side in one.sides] == [("0", False), ("52", True)]
    assert third_place(state) is None

    for _ in range(2):
        office.plan("Ellen")
        for table in office.open().tournament.missing():
            settle(office, table, *WIN_A)
    state = office.open().tournament
    final = cup_tree(state)[-1].matches[0]
    third = third_place(state)
    assert final.sides[0].won and third is not None and third.sides[0].won
    [sheet] = PdfReader(io.BytesIO(render_paper(state, "cup", speech("fi")))).pages
    text = "".join(sheet.extract_text().split())
    for word in ("Puolivälierät", "Välierät", "Loppuottelu", "Pronssiottelu"):
        assert word in text
    assert all(name.replace(" ", "") in text for name in PAIRS)
