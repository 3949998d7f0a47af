"""The file of an event is saved and opened in the browser."""

import errno

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, Event


@pytest.mark.parametrize("kind", ["nousu", "json"])
def test_event_file_is_saved_and_opened_again(event: Event, ellen: TestClient, kind: str) -> None:
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    assert f"{EVENING}/file/{kind}" in ellen.get(f"{EVENING}/log").text
    data = ellen.get(f"{EVENING}/file/{kind}").content
    other = event.come(ellen)
    answer = other.post("/tournaments", data={"by": "Meri"}, files={"file": (f"evening.{kind}", data)})
    assert answer.status_code == 200 and answer.url.path.endswith("/board"), answer.text
    name = answer.url.path.split("/")[2]
    opened = event.tournaments.find(name)
    assert opened.path != event.path and opened.path.read_bytes().startswith(event.path.read_bytes())
    assert "Table 1, series 1: entered" in answer.text
    other.post(f"/tournament/{name}/confirm", data={"table": "1.1"})
    assert event.state_of("1.1") == "entered", "the file that was opened goes its own way"


def test_event_file_that_is_none_or_damaged_is_refused(event: Event, ellen: TestClient) -> None:
    data = event.path.read_bytes()
    at = data.index(b"Cleo")
    before = sorted(event.path.parent.rglob("*.nousu"))
    for sent in (b"", b"hello", b"\x00" * 500, data[:at] + b"K" + data[at + 1 :], b"{" * 100_000):
        answer = ellen.post("/tournaments", data={"by": "Meri"}, files={"file": ("a.nousu", sent)})
        assert answer.status_code == 400 and 'class="wrong"' in answer.text
    answer = ellen.post("/tournaments", data={"by": ""}, files={"file": ("a.nousu", data)})
    assert answer.status_code == 400
    assert sorted(event.path.parent.rglob("*.nousu")) == before


def test_visitors_are_told_the_name_of_a_file_and_not_where_it_lies(
    event: Event, ellen: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = str(event.path.parent)
    with monkeypatch.context() as patch:
        patch.setattr("nousu.tournament.log_file.os.fsync", fail)
        answer = ellen.post(f"{EVENING}/starts", data={"round": "1", "time": "20:07"})
        assert "the disk is full" in answer.text and "evening.nousu" in answer.text
        assert folder not in answer.text
    with event.path.open("ab") as file:
        file.write(b"half a li")
    assert folder not in ellen.post(f"{EVENING}/starts", data={"round": "1", "time": "20:08"}).text
    event.path.unlink()
    for path in ("/board", "/standings", "/log"):
        answer = ellen.get(EVENING + path)
        assert answer.status_code in (404, 409) and folder not in answer.text, answer.text
    event.path.mkdir()
    assert folder not in ellen.get(f"{EVENING}/board").text
