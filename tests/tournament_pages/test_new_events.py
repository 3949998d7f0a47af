"""New events: permission to begin one, their number, and removal of old ones."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, Event
from nousu.server.app import create_app
from nousu.server.http import middleware
from nousu.server.http.rate_limits import DEFAULT_RATES
from nousu.server.settings import BadSetting, load_settings
from nousu.server.tournament import files
from nousu.server.tournament.files import EMPTY_DAYS, HostedTournaments
from nousu.tournament import log_file
from nousu.tournament.messages import Refusal
from nousu.tournament.people import Given

FORM = {"name": "Summer", "by": "Åsa", "format": "tuppi"}
ELSEWHERE, SELF = ("192.0.2.7", 50000), ("127.0.0.1", 50000)


def come(folder: Path, policy: str, client: tuple[str, int] = ELSEWHERE, public: str = "") -> TestClient:
    """A browser at a server whose host has said who may begin an event."""
    flags = {"database": str(folder / "tables.db"), "workers": "0", "new_events": policy, "public": public}
    app = create_app(load_settings({name: value for name, value in flags.items() if value}))
    base = f"http://{'127.0.0.1:8000' if client is SELF else 'testserver'}"
    return TestClient(app, base_url=base, headers={"origin": public or base}, client=client)


@pytest.fixture
def tournaments(tmp_path: Path) -> Iterator[HostedTournaments]:
    """The tournaments of a server that runs for a short time only."""
    hosted = HostedTournaments(tmp_path)
    yield hosted
    hosted.close()


def test_anybody_begins_an_event_where_the_host_lets_them(tmp_path: Path) -> None:
    with come(tmp_path, "anybody") as guest:
        assert guest.post("/tournaments", data=FORM, follow_redirects=False).status_code == 303


def test_event_begun_with_the_code_of_the_host_only(tmp_path: Path) -> None:
    with come(tmp_path, "code:grand-ouvert") as guest:
        assert 'name="code"' in guest.get("/tournaments").text
        for code in ("", "grand", "grand-ouvert!", "\udcff"):
            sent = FORM | {"code": code.encode("utf-8", "surrogateescape").decode("latin-1")}
            answer = guest.post("/tournaments", data=sent, follow_redirects=False)
            assert answer.status_code == 400 and "code" in answer.text
        assert not list(tmp_path.glob("tournaments/*"))
        sent = FORM | {"code": " grand-ouvert "}
        assert guest.post("/tournaments", data=sent, follow_redirects=False).status_code == 303


def test_codes_of_the_host_cannot_be_guessed_quickly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "DELAY", 0.0)
    with come(tmp_path, "code:grand-ouvert") as guest:
        codes = [guest.post("/tournaments", data=FORM | {"code": str(at)}).status_code for at in range(40)]
    assert codes[0] == 400 and codes[-1] == 429


@pytest.mark.parametrize(
    ("client", "public", "headers", "status"),
    [
        (SELF, "", {}, 303),
        (ELSEWHERE, "", {}, 403),
        (SELF, "https://cards.example", {}, 403),
        (SELF, "", {"x-forwarded-for": "192.0.2.7"}, 403),
        (SELF, "", {"host": "cards.example", "origin": "http://cards.example"}, 403),
    ],
)
def test_event_begun_at_this_computer_only(
    tmp_path: Path, client: tuple[str, int], public: str, headers: dict[str, str], status: int
) -> None:
    with come(tmp_path, "here", client, public) as guest:
        answer = guest.post("/tournaments", data=FORM, headers=headers, follow_redirects=False)
        assert answer.status_code == status, answer.text
        page = guest.get("/tournaments", headers=headers).text
        assert ("nousu tournament new" in page) == (status == 403)


def test_setting_of_new_events_is_checked() -> None:
    for wrong in ("nobody", "code:", "code:short", "code:has blank"):
        with pytest.raises(BadSetting, match="new_events"):
            load_settings({"new_events": wrong})


def test_address_begins_so_many_events_an_hour(tmp_path: Path) -> None:
    most = int(DEFAULT_RATES["event"].split("/")[0])
    with come(tmp_path, "anybody") as guest:
        codes = [
            guest.post("/tournaments", data=FORM, follow_redirects=False).status_code for _ in range(most + 1)
        ]
    assert codes == [303] * most + [429]


def test_server_holds_so_many_events(
    event: Event, ellen: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_EVENTS", 2)
    answers = [ellen.post("/tournaments", data=FORM, follow_redirects=False) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 400]
    assert "no room" in answers[2].text


def test_empty_event_makes_room_in_a_full_folder(
    tmp_path: Path, event: Event, ellen: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hundred empty ones, from a few addresses, shut the door to everybody for a week."""
    monkeypatch.setattr(files, "MOST_EVENTS", 3)
    begun = []
    for minutes in (70, 90, 80):
        path = (
            ellen.post("/tournaments", data=FORM, follow_redirects=False)
            .headers["location"]
            .rpartition("/")[0]
        )
        begun.append(tmp_path / f"{path.split('/')[2]}.nousu")
        if minutes == 90:
            event.tournaments.find(begun[-1].stem)._office.enter("Åsa", [Given(1, ("Ada", "Ben"))])
        at = time.time() - minutes * 60
        os.utime(begun[-1], (at, at))
    for gone in (begun[2], begun[0]):
        assert ellen.post("/tournaments", data=FORM, follow_redirects=False).status_code == 303
        assert not gone.exists() and ellen.get(f"/tournament/{gone.stem}").status_code == 404
    refused = ellen.post("/tournaments", data=FORM, follow_redirects=False)
    assert refused.status_code == 400 and "no room" in refused.text
    assert begun[1].exists(), "people are on its list, however old it is"


def test_events_nobody_looks_at_leave_the_memory(
    event: Event, ellen: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert event.tournaments.names() == ("evening",)
    event.tournaments.release()
    assert event.tournaments.names() == ("evening",), "it was looked at a moment ago"
    monkeypatch.setattr(files, "IDLE", 0.0)
    hosted = event.tournaments.find("evening")
    hosted.followers = 1
    event.tournaments.release()
    assert event.tournaments.names() == ("evening",)
    hosted.followers = 0
    event.tournaments.release()
    assert event.tournaments.names() == ()
    assert ellen.get(f"{EVENING}/board").status_code == 200


def test_events_in_memory_are_bounded(
    event: Event, ellen: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [
        ellen.post("/tournaments", data=FORM, follow_redirects=False).headers["location"] for _ in range(4)
    ]
    monkeypatch.setattr(files, "IDLE", 0.0)
    event.tournaments.release()
    monkeypatch.setattr(files, "MOST_OPEN", 2)
    for path in paths:
        assert ellen.get(path).status_code == 200
    assert len(event.tournaments.names()) == 2
    monkeypatch.setattr(files, "MOST_OPEN", 100)
    monkeypatch.setattr(files, "MOST_BYTES_OPEN", 2500)
    event.tournaments.release()
    for path in paths:
        assert ellen.get(path).status_code == 200
    assert len(event.tournaments.names()) in (2, 3), "each takes some 1000 bytes"


@pytest.mark.parametrize("named", [True, False], ids=["with people", "empty"])
def test_old_empty_events_are_tidied_away(
    tmp_path: Path, event: Event, ellen: TestClient, named: bool
) -> None:
    path = ellen.post("/tournaments", data=FORM, follow_redirects=False).headers["location"]
    name = path.split("/")[2]
    file = tmp_path / f"{name}.nousu"
    if named:
        event.tournaments.find(name)._office.enter("Åsa", [Given(1, ("Ada", "Ben"))])
    now = time.time()
    event.tournaments.tidy(now + 86400.0)
    assert file.exists()
    event.tournaments.tidy(now + (EMPTY_DAYS + 1) * 86400.0)
    assert file.exists() == named
    assert event.path.exists(), "the file of the command line is nobody's to delete"
    assert ellen.get(path).status_code == (200 if named else 404)


def test_files_of_the_folder_are_kept_whatever_they_hold(
    tmp_path: Path, tournaments: HostedTournaments
) -> None:
    names = ("own", "summer-2026-01-02", "summer-2026-01-02-0123abcd")
    for name in names:
        path = tmp_path / f"{name}.nousu"
        path.write_text("Dear diary\n")
        os.utime(path, (0, 0))
    tournaments.tidy(time.time())
    assert all((tmp_path / f"{name}.nousu").exists() for name in names)


def test_file_of_an_event_has_a_size(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "MOST_BYTES", event.path.stat().st_size + 400)
    event.office.admit("Ellen", "entry", "Uwe")
    before = event.path.read_bytes()
    with pytest.raises(Refusal, match="as large as"):
        event.office.admit("Ellen", "entry", "U" * 60)
    assert event.path.read_bytes() == before


def test_desk_begins_events_only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nousu.cli import serve
    from nousu.server.settings import Settings

    begun: list[Settings] = []
    monkeypatch.setattr(serve, "serve_as", lambda settings, *_: begun.append(settings))
    tournaments = HostedTournaments(tmp_path)
    serve.host_at("127.0.0.1", 0, str(tmp_path / "tables.db"), tournaments=tournaments)
    monkeypatch.setenv("NOUSU_NEW_EVENTS", "anybody")
    serve.host_at("127.0.0.1", 0, str(tmp_path / "tables.db"), tournaments=tournaments)
    serve.host_at("127.0.0.1", 0, str(tmp_path / "tables.db"))
    tournaments.close()
    assert [settings.new_events for settings in begun] == ["here", "anybody", "anybody"]
