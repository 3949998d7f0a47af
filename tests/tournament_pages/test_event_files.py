"""The file of an event is saved and opened in the browser."""

import pytest
from starlette.testclient import TestClient

from halls import AT, Event


@pytest.mark.parametrize("kind", ["nousu", "json"])
def test_event_file_is_saved_and_opened_again(event: Event, ellen: TestClient, kind: str) -> None:
    event.office.slip("Uwe", "1.1", ["abc", "abc"])
    assert f"{AT}/file/{kind}" in ellen.get(f"{AT}/log").text
    data = ellen.get(f"{AT}/file/{kind}").content
    other = event.come(ellen)
    answer = other.post("/tournaments", data={"by": "Meri"}, files={"file": (f"evening.{kind}", data)})
    assert answer.status_code == 200 and answer.url.path.endswith("/board"), answer.text
    name = answer.url.path.split("/")[2]
    opened = event.halls.hall(name)
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
