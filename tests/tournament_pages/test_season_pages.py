"""Pages of a season: begun in the browser, evenings sent, names joined, corrections followed, paper."""

import io
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader
from starlette.testclient import TestClient

from applications import app_on
from hosted_event import ORIGIN
from nousu.server.http.middleware import EVENING_LIMIT
from nousu.server.tournament import files, season_files
from nousu.server.tournament.files import EMPTY_DAYS, HostedTournaments
from nousu.server.tournament.season import SEASON_PAGES
from nousu.server.tournament.season_files import _MOST_HELD
from nousu.tournament.office import Office
from nousu.tournament.season import SeasonRule, ranking
from nousu.tournament.season_file import OpenedSeason, SeasonFile
from tournament_fixtures import evening, settle_all

ONE = ["Jörg Müller", "Ada Berg", "Cid Dahl", "Dag Eide"]
TWO = ["Joerg M.", "Ada Berg", "Cid Dahl", "Eve Fors"]


class Club:
    """A server, the direction's browser, and evenings on its disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        app = app_on(str(folder / "t.db"), pace=0, tournaments=HostedTournaments(folder))
        self.client = TestClient(app, base_url="http://testserver", headers=ORIGIN)
        self.app = app
        self.at = ""

    def evening(self, name: str, people: list[str], word: str = "abcd") -> Office:
        """A published evening."""
        office = evening(self.folder / f"{name}.nousu", people, series=1, games=1, cup=False, plan=False)
        office.draw("Ellen", name)
        office.plan("Ellen", seconds=0.1)
        settle_all(office, word)
        office.act("Ellen", "published")
        return office

    def begin(self) -> None:
        answer = self.client.post("/seasons", data={"name": "ZK 2026", "by": "Ellen"}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        self.at = answer.headers["location"].removesuffix("/direction")

    def send(self, office: Office, date: str = "", status: int = 200) -> str:
        files = {"file": (office.path.name, office.log_bytes())}
        answer = self.client.post(f"{self.at}/evenings", data={"date": date}, files=files)
        assert answer.status_code == status, answer.text
        return answer.text

    def change(self, status: int = 200, **data: str | list[str]) -> str:
        answer = self.client.post(f"{self.at}/change", data=data)
        assert answer.status_code == status, answer.text
        return answer.text

    def get(self, path: str = "", status: int = 200) -> str:
        answer = self.client.get(self.at + path)
        assert answer.status_code == status, answer.text
        return answer.text

    @property
    def opened(self) -> OpenedSeason:
        return SeasonFile(self.folder / f"{self.at.rpartition('/')[2]}.season").open()

    def stranger(self) -> TestClient:
        other = TestClient(self.app, base_url="http://testserver", headers=ORIGIN)
        other.portal = self.client.portal  # the server runs once
        return other


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    found = Club(tmp_path)
    with found.client:
        found.begin()
        yield found


def test_season_grows_from_files_of_evenings(club: Club) -> None:
    assert "No evening has been added yet." in club.get()
    said = club.send(club.evening("one", ONE), "2026-10-10")
    assert "Evening is in the season, with 4 people." in said
    club.send(club.evening("two", TWO), "2026-11-07")
    page = club.get()
    assert "All evenings count." in page and "10-10" in page and "Ada Berg" in page
    assert [entry.date for entry in club.opened.season.evenings] == ["2026-10-10", "2026-11-07"]
    assert all(event["by"] == "Ellen" for event in club.opened.log.events)


def test_season_refuses_files_in_a_sentence(club: Club, tmp_path: Path) -> None:
    office = club.evening("one", ONE)
    club.send(office)
    assert "already in the season" in club.send(office, status=400)
    raw = evening(tmp_path / "raw.nousu", ONE, series=1, games=1)
    assert "is not published yet" in club.send(raw, status=400)
    files = {"file": ("x.nousu", b"hello")}
    answer = club.client.post(f"{club.at}/evenings", files=files)
    assert answer.status_code == 400 and "The file is empty" in answer.text
    answer = club.client.post(f"{club.at}/evenings", data={"date": ""})
    assert answer.status_code == 400 and "Choose the file of an evening first" in answer.text
    files = {"file": ("x.nousu", b"x" * (EVENING_LIMIT + 1))}
    assert club.client.post(f"{club.at}/evenings", files=files).status_code == 413
    assert len(club.opened.season.evenings) == 1


def test_season_asks_whether_two_names_are_one_person_and_remembers(club: Club) -> None:
    club.send(club.evening("one", ONE), "2026-10-10")
    club.send(club.evening("two", TWO), "2026-11-07")
    page = club.get("/direction")
    assert "Is this the same person?" in page
    points = sum(row.total for row in ranking(club.opened.season) if row.name in ("Jörg Müller", "Joerg M."))
    assert f"total {points}." in page
    page = club.change(do="join", name=["Jörg Müller", "Joerg M."], keep="other", other="Jörg  Müller")
    assert "Is this the same person?" not in page and "Separate" in page
    assert "Joerg M." not in re.sub(r"<option.*?</option>", "", club.get())
    assert "Written at the evenings as: Jörg Müller, Joerg M." in club.get("/person?name=Joerg+M.")
    entry = str(club.opened.season.joins[0].entry)
    assert "Is this the same person?" in club.change(do="separate", entry=entry)
    page = club.change(do="different", name=["Jörg Müller", "Joerg M."])
    assert "Is this the same person?" not in page
    assert len(ranking(club.opened.season)) == 6


def test_season_follows_corrections_of_an_evening_on_this_server(club: Club) -> None:
    office = club.evening("one", ONE)
    club.send(office, "2026-10-10")
    assert "Corrected since" not in club.get("/direction")
    office.correct("Uwe", "1.1", ("dcba",), "misread")
    assert "Corrected since" not in club.get("/direction"), "nobody has agreed yet"
    office.act("Ellen", "seconded", entry=len(office.open().log.events))
    assert "Corrected since: Evening" in club.get("/direction")
    before = [row.name for row in ranking(club.opened.season)]
    assert club.client.post(f"{club.at}/follow").status_code == 200
    assert [row.name for row in ranking(club.opened.season)] == before[::-1]
    assert club.opened.season.evenings[0].revision == 2
    assert "Corrected since" not in club.get("/direction")


def test_corrections_are_read_away_from_the_tables(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty copies of a long evening, each with an entry more, took a minute at every look."""
    office = club.evening("one", ONE)
    club.send(office)
    copy = club.folder / "copy.nousu"
    copy.write_bytes(office.log_bytes())
    office.correct("Uwe", "1.1", ("dcba",), "misread")
    office.act("Ellen", "seconded", entry=len(office.open().log.events))
    for _ in range(2):
        Office(copy).admit("Ellen", "entry", f"Uwe {len(Office(copy).open().log.events)}")

    def never(path: Path) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(season_files, "evening_file", never)
    assert "Corrected since: Evening" in club.get("/direction")
    monkeypatch.setattr(season_files, "SECONDS", 0.0)
    assert "Corrected since" not in club.get("/direction"), "what takes too long is not offered"


def test_season_forms_with_missing_or_needless_fields_are_refused(club: Club) -> None:
    club.send(club.evening("one", ONE))
    for do in ("join", "separate", "different", "guest", "remove", "revoke", "rule", "", "other"):
        for names in ([], [ONE[0]], ["none"], [*ONE[:2], "none"]):
            data = {"do": do, "name": names, "keep": "other", "entry": "9", "scale": "1, 2, 3", "other": ""}
            assert club.client.post(f"{club.at}/change", data=data).status_code in (200, 400, 404), data


def test_season_rule_guests_and_evenings_change_on_the_page(club: Club) -> None:
    club.send(club.evening("one", ONE), "2026-10-10")
    rule = {
        "do": "rule",
        "counts": "place",
        "best": "1",
        "evenings": "2",
        "scale": "9, 5, 2",
        "guests": "apart",
    }
    club.change(**rule)
    club.change(do="guest", name="Ada Berg", on="yes")
    page = club.get()
    assert "The best 1 of 2 evenings counts." in page and "9, 5, 2" in page and "Guests" in page
    assert [row.guest for row in ranking(club.opened.season)] == [False, False, False, True]
    assert "whole numbers that do not rise" in club.change(400, **{**rule, "scale": "1, 5"})
    assert "already in force" in club.change(400, **rule)
    club.change(do="guest", name="Ada Berg", on="")
    club.change(do="remove", entry=str(club.opened.season.evenings[0].entry))
    assert not club.opened.season.evenings
    club.change(404, do="dance")


def test_season_is_read_by_everybody_and_changed_by_the_direction_alone(club: Club) -> None:
    club.send(club.evening("one", ONE))
    stranger = club.stranger()
    for path, method, _, closed in SEASON_PAGES:
        address = club.at + path.replace("{kind}", "ranking" if "print" in path else "csv")
        answer = stranger.request(method, address)
        assert answer.status_code == (403 if closed else 200), address
    assert stranger.get(f"{club.at}/file/season").status_code == 403
    assert stranger.get(f"{club.at}/in/wrong").status_code == 403
    assert stranger.get(f"{club.at}/person?name=Nobody").status_code == 404
    assert stranger.get(f"{club.at}/file/pdf").status_code == 404
    for name in ("nothing", "..%2Fone", "one"):
        assert stranger.get(f"/season/{name}").status_code == 404
    assert ">Direction<" not in stranger.get(club.at).text


def test_season_link_of_the_direction_opens_another_browser(club: Club) -> None:
    path = club.folder / f"{club.at.rpartition('/')[2]}.season"
    _, secret = SeasonFile(path).admit("Ellen", "Uwe")
    other = club.stranger()
    assert "Add an evening" in other.get(f"{club.at}/in/{secret}").text
    assert secret.encode() not in path.read_bytes()


def test_season_is_taken_along_in_one_file_and_printed(club: Club) -> None:
    club.send(club.evening("one", ONE))
    data = club.client.get(f"{club.at}/file/season").content
    (club.folder / "copy.season").write_bytes(data)
    assert ranking(SeasonFile(club.folder / "copy.season").open().season) == ranking(club.opened.season)
    for kind, pages in (("ranking", 1), ("certificates", 3)):
        answer = club.client.get(f"{club.at}/print/{kind}?paper=letter")
        assert answer.headers["content-type"] == "application/pdf"
        assert len(PdfReader(io.BytesIO(answer.content)).pages) == pages
    assert club.client.get(f"{club.at}/print/posters").status_code == 409
    assert club.client.get(f"{club.at}/file/csv").text.count("\n") == 5
    assert club.client.get(f"{club.at}/file/json").json()["rows"][0]["rank"] == 1


def test_season_wall_shows_everybody_in_pages(club: Club) -> None:
    club.send(club.evening("one", [f"Name{at} Number{at}" for at in range(40)], "abcd"))
    page = club.get("/wall")
    assert page.count("data-page") == 2 and page.count('class="nm"') == 40
    assert "after 1 evening" in page


def test_a_damaged_season_is_shown_up_to_the_damage(club: Club) -> None:
    club.send(club.evening("one", ONE), "2026-10-10")
    club.send(club.evening("two", TWO), "2026-11-07")
    path = club.folder / f"{club.at.rpartition('/')[2]}.season"
    data = path.read_bytes()
    at = data.rindex(b"2026-11-07")
    path.write_bytes(data[:at] + b"2027" + data[at + 4 :])
    assert "line 4 is not as it was written" in club.get()
    assert "This line is not as it was written" in club.change(400, do="guest", name="Ada Berg", on="yes")


def test_seasons_leave_the_memory_and_are_read_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    plain = SeasonFile.open

    def counted(self: SeasonFile) -> OpenedSeason:
        read.append(self.path)
        return plain(self)

    monkeypatch.setattr(SeasonFile, "open", counted)
    addresses = []
    for _ in range(_MOST_HELD + 2):
        club.begin()
        addresses.append(club.at)
    for _ in range(2):
        for club.at in addresses[:_MOST_HELD]:
            club.get()
    assert len(read) == len(set(read)) == _MOST_HELD
    for club.at in addresses:
        club.get()
    club.at = addresses[0]
    club.get()
    assert len(read) > len(addresses), "what nobody has looked at is read again"


def test_seasons_of_a_server_have_room_for_so_much(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.begin()
    monkeypatch.setattr(season_files, "MOST_BYTES_OF_ALL", 10)
    answer = club.send(club.evening("one", ONE), status=400)
    assert "There is no room for more tournaments here" in answer and not club.opened.state.logs


def test_empty_season_makes_room_in_a_full_folder(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_EVENTS", 1)
    first = club.folder / f"{club.at.rpartition('/')[2]}.season"
    refused = club.client.post("/seasons", data={"name": "Second", "by": "Ellen"})
    assert refused.status_code == 400 and "no room" in refused.text and first.exists()
    hours = time.time() - 2 * 3600
    os.utime(first, (hours, hours))
    club.begin()
    assert not first.exists() and len(list(club.folder.glob("*.season"))) == 1


@pytest.mark.parametrize("empty", [True, False])
def test_old_empty_seasons_are_tidied_away(club: Club, empty: bool) -> None:
    if not empty:
        club.send(club.evening("one", ONE))
        club.change(do="remove", entry=str(club.opened.season.evenings[0].entry))
    file = club.folder / f"{club.at.rpartition('/')[2]}.season"
    own = SeasonFile(club.folder / "own.season")
    own.begin("Own", SeasonRule(), "Ellen")
    tournaments, now = HostedTournaments(club.folder), time.time()
    tournaments.tidy(now + 86400.0)
    assert file.exists()
    tournaments.tidy(now + (EMPTY_DAYS + 1) * 86400.0)
    assert file.exists() != empty, "what was added and removed is a history"
    assert own.path.exists(), "the file of the command line is nobody's to delete"
    tournaments.close()
    club.get(status=404 if empty else 200)


def test_second_director_comes_by_a_link(club: Club) -> None:
    page = club.client.post(f"{club.at}/links", data={"who": "Uwe"}).text
    found = re.search(r"/in/[\w-]+", page)
    assert found is not None
    uwe = club.stranger()
    assert uwe.get(f"{club.at}/direction").status_code == 403
    assert uwe.get(club.at + found[0]).url.path == f"{club.at}/direction"
    assert found[0] not in club.get("/direction"), "shown once"
    answer = club.client.post(f"{club.at}/links", data={"who": "uwe"})
    assert answer.status_code == 400 and "already has such a link" in answer.text
    assert uwe.post(f"{club.at}/change", data={"do": "rule", "counts": "place", "guests": "apart"}).is_success
    assert club.opened.log.events[-1]["by"] == "Uwe"
    entry = next(one.entry for one in club.opened.state.links.values() if one.who == "Uwe")
    club.change(do="revoke", entry=str(entry))
    assert uwe.get(f"{club.at}/direction").status_code == 403
    assert uwe.post(f"{club.at}/links", data={"who": "Ina"}).status_code == 403
