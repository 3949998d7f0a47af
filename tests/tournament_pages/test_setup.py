"""Setting an evening up on pages: format, people, door, draw, plan, paper."""

import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import openpyxl
import pytest
from pypdf import PdfReader
from starlette.testclient import TestClient

from applications import app_on
from hosted_event import EVENING, NINE, ORIGIN, Event
from nousu.i18n import translator
from nousu.server.http.middleware import BODY_LIMIT, LIST_LIMIT
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.links import create_links
from nousu.server.tournament.projector import surnames
from nousu.tournament.links import slip_key
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office, make_format


class Bare:
    """A tournament in which nothing is set up yet, and its direction's browser."""

    def __init__(self, folder: Path, format: str, **options: object) -> None:
        self.office = Office(folder / "evening.nousu")
        self.office.begin("ZK Tuppen", make_format(format, **options), "Ellen")
        secret = create_links(self.office, "Ellen", translator("en"))
        hosted = HostedTournaments(folder, self.office.path)
        app = app_on(folder / "tables.db", pace=0, tournaments=hosted)
        self.client = TestClient(app, base_url="http://testserver", headers=ORIGIN)
        self.key = secret

    @property
    def state(self) -> Tournament:
        return self.office.open().tournament

    def get(self, path: str) -> str:
        answer = self.client.get(EVENING + path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, path: str, status: int = 200, **data: str | list[str]) -> str:
        answer = self.client.post(EVENING + path, data=data)
        assert answer.status_code == status, answer.text
        return answer.text


def bare(folder: Path, format: str = "tuppen", **options: object) -> Iterator[Bare]:
    found = Bare(folder, format, **options)
    with found.client:
        assert found.client.get(f"{EVENING}/in/{found.key}").status_code == 200
        yield found


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Bare]:
    yield from bare(tmp_path)


@pytest.fixture
def championship(tmp_path: Path) -> Iterator[Bare]:
    yield from bare(tmp_path, "tuppi")


OPTIONS = {
    "preset": "tuppen_zk_tournament",
    "least": "3",
    "most": "5",
    "place_points": "5,3,2,1,0",
    "cup": "yes",
}


def test_options_preview_and_change(evening: Bare) -> None:
    sent = OPTIONS | {"series": "4", "games": "3", "teams": "0"}
    result = evening.post("/setup", do="look", people="31", **sent)
    assert "7 tables of 4, 1 table of 3." in result and "Everybody plays 12 games." in result
    assert "Slips in all: 32." in result
    assert evening.state.format.to_json()["series"] == 5, "looking changes nothing"
    evening.post("/setup", do="take", people="31", **sent)
    about = evening.state.format.to_json()
    assert (about["series"], about["games"], about["cup"], about["lowest"]) == (4, 3, True, False)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"series": "x"}, "x is not a whole number"),
        ({"series": "99"}, "series"),
        ({"least": "6", "most": "3"}, "most"),
        ({"place_points": "5,three"}, "three is not a whole number"),
        ({"preset": "bridge"}, "bridge"),
    ],
)
def test_options_refused_keep_the_typed_text(evening: Bare, wrong: dict[str, str], said: str) -> None:
    before = evening.office.path.read_bytes()
    sent = OPTIONS | {"series": "4", "games": "2", "teams": "0"} | wrong
    result = evening.post("/setup", 400, do="take", **sent)
    assert said in result and evening.office.path.read_bytes() == before
    if "preset" not in wrong:
        for name, value in wrong.items():
            assert re.search(rf'name="{name}" value="{value}"', result)


def test_options_hands_of_a_tuppi_match(championship: Bare) -> None:
    sent = {"preset": "tuppi_tournament", "hands": "20", "pools": "2", "legs": "1", "through": "2"}
    result = championship.post("/setup", do="look", people="11", **sent)
    assert "Pairs in the pools: 6, 5." in result and "Pairs in the cup: 4; rounds: 2." in result
    championship.post("/setup", do="take", **sent)
    assert championship.state.format.preset == "tuppi_tournament+max_hands=20"
    assert 'name="hands" value="20"' in championship.get("/setup")


def test_options_say_whether_a_cup_follows(championship: Bare) -> None:
    assert "No cup follows: the pools decide." in championship.get("/setup")
    sent = {"preset": "tuppi_tournament", "hands": "24", "pools": "1", "legs": "1", "through": "2"}
    page = championship.post("/setup", do="look", people="12", **sent)
    assert "Pairs in the cup: 2" in page and "No cup follows" not in page


def test_options_after_the_plan_need_a_reason(event: Event, ellen: TestClient) -> None:
    sent = OPTIONS | {"series": "4", "games": "2", "teams": "0"}
    assert ellen.post(f"{EVENING}/setup", data=sent | {"do": "take"}).status_code == 400
    answer = ellen.post(f"{EVENING}/setup", data=sent | {"do": "take", "reason": "last bus"})
    assert answer.status_code == 200
    assert "4" not in event.office.open().tournament.rounds or len(event.office.open().tournament.rounds) == 4


def test_people_pasted_are_previewed_line_by_line(evening: Bare) -> None:
    bad = "Name;Verein;Telefon\nAda;Kemi;1\n\nAda;;2\n!!!;;3\nÅsa Öberg;;4\n"
    result = evening.post("/people", do="enter", text=bad)
    for said in (
        "Line 1 was read as a heading.",
        "Columns ignored: Telefon",
        "Empty lines ignored: 3",
    ):
        assert said in result
    assert "Ada is already in line 2" in result and "!!! is not a name" in result
    assert not evening.state.entrants and "Åsa Öberg" in result
    good = "Name;Verein\nAda;Kemi\nÅsa Öberg;\n"
    assert "Enter 2 lines" in evening.post("/people", do="look", text=good)
    evening.post("/people", do="enter", text=good)
    assert [(one.name, one.team) for one in evening.state.active()] == [("Ada", "Kemi"), ("Åsa Öberg", "")]
    assert "ada is already entered" in evening.post("/people", do="enter", text="ada\nBen")
    evening.post("/people", 400, do="look", text="  ")


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in (["Vorname", "Nachname", "Verein"], ["Jörg", "Weiß", "TV Kall"], ["Åse", "Bjørnstad", None]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("list.csv", "Name,Verein\nJörg Weiß,TV Kall\nÅse Bjørnstad,\n".encode(), ""),
        (
            "list.csv",
            "sep=;\nName;Verein\nJörg Weiß;TV Kall\nÅse Bjørnstad;\n".encode("cp1252"),
            "Windows-1252",
        ),
        ("list.txt", "Jörg Weiß\tTV Kall\nÅse Bjørnstad\n".encode("utf-16"), "UTF-16"),
        ("list.txt", "Jörg Weiß\tTV Kall\nÅse Bjørnstad\n".encode("mac_roman"), "Mac Roman"),
        ("list.xlsx", _workbook(), "Line 1 was read as a heading"),
    ],
)
def test_people_from_files(evening: Bare, name: str, data: bytes, said: str) -> None:
    answer = evening.client.post(
        f"{EVENING}/people", data={"text": "", "do": "look"}, files={"file": (name, data)}
    )
    assert answer.status_code == 200 and said in answer.text and "Enter 2 lines" in answer.text
    shown = re.search(r"<textarea[^>]*>(.*?)</textarea>", answer.text, re.S)
    assert shown is not None
    commas = {"commas": "yes"} if 'name="commas"' in answer.text else {}
    evening.post("/people", do="enter", text=shown[1], **commas)
    people = evening.state.active()
    assert [(one.name, one.team) for one in people] == [("Jörg Weiß", "TV Kall"), ("Åse Bjørnstad", "")]


def test_people_from_a_broken_workbook(evening: Bare) -> None:
    answer = evening.client.post(f"{EVENING}/people", data={"text": ""}, files={"file": ("x.xlsx", b"PK no")})
    assert answer.status_code == 400 and "is not a readable spreadsheet" in answer.text


def test_a_doubtful_list_can_be_read_in_another_way(evening: Bare) -> None:
    files = {"file": ("x.txt", "Jürgen\n".encode("cp850"))}
    answer = evening.client.post(f"{EVENING}/people", data={"text": "", "do": "look"}, files=files)
    assert 'value="mac_roman">mac_roman: JÅrgen<' in answer.text
    assert 'value="cp850">cp850: Jürgen<' in answer.text
    page = evening.post("/people", do="look", text="JÅrgen\n", encoding="mac_roman", reading="cp850")
    assert ">Jürgen\n</textarea>" in page
    evening.post("/people", do="enter", text="Jürgen\n", encoding="cp850", reading="cp850")
    assert [one.name for one in evening.state.active()] == ["Jürgen"]


def test_another_sheet_of_a_workbook_is_chosen_without_its_file(evening: Bare) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    sheets = {"May, old": "Guest of May", "June": "Guest of June"}
    for name, guest in sheets.items():
        sheet = book.create_sheet(name)
        sheet.append(["Name"])
        sheet.append([guest])
    book.save(out)
    files = {"file": ("x.xlsx", out.getvalue())}
    answer = evening.client.post(f"{EVENING}/people", data={"text": ""}, files=files)
    assert answer.status_code == 400 and "<option>May, old</option><option>June</option>" in answer.text
    carried: dict[str, str | list[str]] = {
        name: [unescape(one) for one in re.findall(f'name="{name}" value="(.*?)"', answer.text, re.DOTALL)]
        for name in ("sheet_name", "sheet_text")
    }
    page = evening.post("/people", do="look", text="", sheet="May, old", sheet_before="", **carried)
    assert ">Name\nGuest of May</textarea>" in page and "The sheet May, old was read." in page
    own = "Name\nMy guest"
    page = evening.post("/people", do="enter", text=own, sheet="June", sheet_before="May, old", **carried)
    assert "Guest of June" in page and not evening.state.entrants, "nobody has looked at it yet"
    evening.post("/people", do="enter", text=own, sheet="June", sheet_before="June", **carried)
    assert [one.name for one in evening.state.active()] == ["My guest"]


def test_people_list_may_be_longer_than_other_forms(evening: Bare) -> None:
    long = "x" * (BODY_LIMIT + 10)
    assert evening.client.post(f"{EVENING}/plan", data={"text": long}).status_code == 413
    assert evening.client.post(f"{EVENING}/people", data={"text": long}).status_code != 413
    assert evening.client.post(f"{EVENING}/people", data={"text": "x" * LIST_LIMIT}).status_code == 413


def test_pairs_are_drawn_from_single_players(championship: Bare) -> None:
    championship.post("/people", do="enter", text="Aino & Eino;Kemi\nIlma & Kalle")
    championship.post("/people", do="enter", text="Uwe\nMeri", lone="yes")
    assert len(championship.state.lone()) == 2
    assert "Draw the pairs" in championship.get("/draw")
    championship.post("/draw", do="pair", seed="dice 3 5")
    assert len(championship.state.active()) == 3 and not championship.state.lone()


def test_latecomer_of_pools_is_named_until_the_plan_is_made_again(championship: Bare) -> None:
    championship.post("/people", do="enter", text="Aino & Eino\nIlma & Kalle\nUwe & Meri\nEeva & Inge")
    championship.post("/draw", do="seed", seed="dice 3 5")
    championship.office.plan("Ellen")
    said = "They play once the plan is made again."
    assert said not in championship.get("/plan") and said in championship.get("/board")
    championship.post("/late", name="Lasse & Meeri")
    page = championship.get("/plan")
    assert "Without a seat: Lasse &amp; Meeri" in page and said in page and 'value="add"' not in page
    championship.office.plan("Ellen")
    assert "Without a seat" not in championship.get("/plan")


def test_people_are_edited_and_ticked_at_the_door(evening: Bare) -> None:
    evening.post("/people", do="enter", text="Ada\nBen\nCleo\nDora")
    evening.post("/people/change", id="2", name="Benno", team="Kemi")
    evening.post("/people/change", id="3", do="strike")
    assert [(one.name, one.team) for one in evening.state.active()] == [
        ("Ada", ""),
        ("Benno", "Kemi"),
        ("Dora", ""),
    ]
    evening.post("/people/change", 400, id="1", name="Benno", team="")
    evening.post("/people/change", 400, id="99", name="Nobody", team="")
    assert "0 of 3 have arrived" in evening.get("/door")
    evening.post("/door", id="1", here="yes")
    evening.post("/door", id="2", here="yes")
    evening.post("/door", id="2", here="")
    assert evening.state.arrived == {1} and "1 of 3 have arrived" in evening.get("/door")
    assert "Not arrived yet: Benno, Dora" in evening.get("/people")
    evening.post("/people/absent")
    assert [one.name for one in evening.state.active()] == ["Ada"]


def test_door_list_is_open_to_helpers(event: Event, ellen: TestClient) -> None:
    helper = event.come(ellen, event.key("entry", "Uwe"))
    assert helper.post(f"{EVENING}/door", data={"id": "1", "here": "yes"}).status_code == 200
    assert event.office.open().tournament.arrived == {1}
    assert helper.get(f"{EVENING}/people").status_code == 403


@pytest.mark.clause("TU-ZK-I2")
def test_draw_by_seed_or_by_cards(evening: Bare) -> None:
    evening.post("/people", do="enter", text="\n".join(NINE[:4]))
    evening.post("/draw", do="seed", seed="ten of clubs")
    assert evening.state.seed == "ten of clubs" and "Drawn by the seed: ten of clubs" in evening.get("/draw")
    result = evening.post("/draw", 400, do="cards", n1="2", n2="2", n3="1", n4="4")
    assert "Ada and Ben both have number 2" in result and 'value="4"' in result
    result = evening.post("/draw", 400, do="cards", n1="2", n2="x", n3="1", n4="4")
    assert "Ben: x is not a number" in result
    assert "have no number yet" in evening.post("/draw", 400, do="cards", n1="2")
    evening.post("/draw", do="cards", n1="2", n2="3", n3="1", n4="4")
    assert [evening.state.who(number) for number in (1, 2, 3, 4)] == ["Cleo", "Ada", "Ben", "Dora"]
    assert "Drawn with cards." in evening.get("/draw")


def test_draw_keeps_people_apart(evening: Bare) -> None:
    evening.post("/people", do="enter", text="\n".join(f"{name};Kemi" for name in NINE))
    evening.post("/draw/apart", one="Ada", other="Ben", how="must")
    assert evening.state.apart == {(1, 2): "must"} and "Ada – Ben: they must not meet" in evening.get("/draw")
    evening.post("/draw/apart", how="rather", do="teams")
    assert evening.state.apart_teams == "rather"
    evening.post("/draw/apart", 400, one="Ada", other="", how="must")


def test_plan_is_previewed_put_into_force_and_changed(evening: Bare) -> None:
    assert "numbers have not been drawn yet" in evening.post("/plan", 400, do="look")
    evening.post("/people", do="enter", text="\n".join(NINE))
    evening.post("/draw", do="seed", seed="dice")
    result = evening.post("/plan", do="look", seed="7")
    assert "Repeated meetings:" in result and "It is not in force yet." in result and not evening.state.rounds
    rounds = re.search(r'name="rounds" value="([^"]*)"', result)
    assert rounds is not None
    evening.post("/plan", do="take", rounds=rounds[1].replace("&#34;", '"'), seed="7")
    assert len(evening.state.rounds) == 5 and evening.state.plan_seed == 7
    a, b = evening.state.rounds["2"].tables[0][0], evening.state.rounds["2"].tables[1][0]
    evening.post("/plan/swap", round="2", one=str(a), other=str(b))
    assert evening.state.rounds["2"].tables[0][0] == b and evening.state.plan == 2
    assert "ame two people to swap" in evening.post("/plan/swap", 400, round="2", one="1", other="")
    evening.post("/plan", 400, do="take", rounds="[[", seed="7")
    result = evening.post("/plan", 400, do="hand", text="1.1; 1; 2; 99\n")
    assert "line 1" in result and "here is no number 99" in result and "1.1; 1; 2; 99" in result
    own = "".join(
        f"{series}.{at + 1}; {3 * at + 1}; {3 * at + 2}; {3 * at + 3}\n"
        for series in range(1, 6)
        for at in range(3)
    )
    evening.post("/plan", do="hand", text=own)
    assert evening.state.rounds["5"].tables == ((1, 2, 3), (4, 5, 6), (7, 8, 9))


def test_paper_of_every_kind(event: Event, ellen: TestClient) -> None:
    result = ellen.get(f"{EVENING}/paper").text
    assert "Plan for the wall" in result and "The result is not published yet." in result
    for kind in ("door", "plan", "cards", "own", "results"):
        answer = ellen.post(f"{EVENING}/paper", data={"kind": kind, "paper": "letter", "language": "fi"})
        assert answer.headers["content-type"] == "application/pdf"
        assert (
            answer.content.startswith(b"%PDF-")
            and f"evening-{kind}.pdf" in answer.headers["content-disposition"]
        )
    entries = len(event.office.open().log.events)
    answer = ellen.post(f"{EVENING}/paper", data={"kind": "slips", "round": "1"})
    state = event.office.open().tournament
    assert [one["do"] for one in event.office.open().log.events[entries:]] == ["printed"]
    result = PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    assert "slip 1.1/1" in result and slip_key(state, "1.1")
    for wrong in (
        {"kind": "flags"},
        {"kind": "slips", "round": "9"},
        {"kind": "certificates"},
        {"kind": "plan", "paper": "a3"},
    ):
        assert ellen.post(f"{EVENING}/paper", data=wrong).status_code == 400


def test_paper_door_list_before_the_draw(evening: Bare) -> None:
    evening.post("/people", do="enter", text="Zoë\nÅke\nAda")
    answer = evening.client.post(f"{EVENING}/paper", data={"kind": "door", "language": "sv"})
    text = PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    assert text.index("Ada") < text.index("Zoë") < text.index("Åke")
    evening.client.post(f"{EVENING}/paper", data={"kind": "plan"})
    assert "Nothing is planned yet." in evening.post("/paper", 400, kind="plan")


def test_paper_missing_letters_are_reported_in_the_preview(evening: Bare) -> None:
    page = evening.post("/people", do="look", text="Ada\n王小明")
    assert "王小明: the printed font has no 王 小 明 and prints ? instead" in page
    evening.post("/people", do="enter", text="Ada\n王小明")
    assert "the printed font has no" in evening.get("/paper")


def test_surnames_are_unique() -> None:
    names = (
        "Günther Öst",
        "Gerda Öst",
        "Dora Groß",
        "Emil Groß",
        "Uwe",
        "Ada Lahti & Ben Öst",
        "Bo von Lo",
    )
    called = surnames(names)
    assert list(called.values()) == [
        "Günther Öst", "Gerda Öst", "D. Groß", "E. Groß", "Uwe", "Lahti & B. Öst", "von Lo"
    ]  # fmt: skip
