"""Large events: their pages are quick, calculated once a state, and have limits."""

import asyncio
import re
import time
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient
from starlette.testclient import TestClient

from hosted_event import EVENING, ORIGIN, Event
from loop_steps import timed_steps
from nousu.tournament import tournament_file
from nousu.tournament.formats.tuppen import TuppenSeries
from nousu.tournament.links import person_keys
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Round
from nousu.tournament.office import MOST_LINKS, MOST_PEOPLE, MOST_ROUNDS, MOST_SHOWN, Office
from nousu.tournament.people import Given

PAGES = (
    *("standings", "board", "people", "door", "beamer", "paper", "draw", "setup", "cup", "online", "plan"),
    *("log", "file/xlsx"),
)


@pytest.fixture
def crowd(tmp_path: Path) -> Event:
    """As many people as a tournament takes, with numbers."""
    return Event(tmp_path, [f"Given{number} Family{number}" for number in range(MOST_PEOPLE)])


def test_pages_of_a_large_event_keep_the_loop_free(crowd: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, plain = [], TuppenSeries.standings

    def standings(self: TuppenSeries, state: object) -> object:
        calls.append(1)
        return plain(self, state)  # type: ignore[arg-type]

    monkeypatch.setattr(TuppenSeries, "standings", standings)
    steps: list[float] = []

    async def visits() -> None:
        async with crowd.app.router.lifespan_context(crowd.app):
            transport = ASGITransport(crowd.app)
            async with AsyncClient(transport=transport, base_url="http://testserver", headers=ORIGIN) as ada:
                await ada.get(f"{EVENING}/in/{crowd.secret}")
                with timed_steps(steps):
                    for page in PAGES:
                        answer = await ada.get(f"{EVENING}/{page}")
                        assert answer.status_code == 200, page
                    await asyncio.gather(*(ada.get(f"{EVENING}/standings") for _ in range(20)))

    asyncio.run(visits())
    assert len(calls) == 1
    assert sorted(steps)[-3] < 0.25, sorted(steps)[-5:]


def test_people_have_a_limit(crowd: Event) -> None:
    with pytest.raises(Refusal, match=f"at most {MOST_PEOPLE} entries"):
        crowd.office.enter("Ellen", [Given(1, ("One More",))])


def test_links_have_a_limit(tmp_path: Path) -> None:
    office = Event(tmp_path).office
    with pytest.raises(Refusal, match=f"at most {MOST_SHOWN} such links"):
        for _ in range(MOST_SHOWN + 1):
            office.admit("Ellen", "table", "hall")
    with pytest.raises(Refusal, match=f"at most {MOST_LINKS} such links"):
        for _ in range(MOST_LINKS + 1):
            office.admit("Ellen", "entry", "Uwe")


def test_rounds_have_a_limit(tmp_path: Path) -> None:
    office = Event(tmp_path).office
    rounds = [Round(str(at), ((1, 2, 3), (4, 5, 6), (7, 8, 9))) for at in range(1, MOST_ROUNDS + 2)]
    with pytest.raises(Refusal, match=f"at most {MOST_ROUNDS} rounds"):
        office.seat("Ellen", rounds)


def test_long_log_is_shown_in_parts(event: Event, ellen: TestClient) -> None:
    count = 700
    event.office.act_each(
        "Ellen", "starts", lambda _: [{"round": "1", "time": f"19:{at % 60:02}"} for at in range(count)]
    )
    last, seen, path = len(event.office.open().log.events), [], f"{EVENING}/log"
    while path:
        page = ellen.get(path).text
        seen += [int(number) for number in re.findall(r"<b>(\d+) ·", page)]
        earlier = re.search(r'href="([^"]*/log\?before=\d+)"', page)
        path = earlier[1] if earlier else ""
    assert seen == list(range(last, 0, -1))
    for before in ("1", "-5", "99999", "x"):
        assert ellen.get(f"{EVENING}/log?before={before}").status_code == 200


def test_long_log_takes_another_entry_at_once(tmp_path: Path) -> None:
    office = Event(tmp_path).office
    office.act_each("Ellen", "starts", lambda _: [{"round": "1", "time": "19:45"} for _ in range(8000)])
    office.open()
    began = time.process_time()
    for number in range(5):
        office.act("Ellen", "starts", round="1", time=f"20:0{number}")
        assert office.open().tournament.starts["1"] == f"20:0{number}"
    assert time.process_time() - began < 0.5, "what was read before is not played again"
    assert Office(office.path).open() == office.open()
    office.undo("Ellen")
    assert Office(office.path).open().tournament.starts["1"] == "20:03"
    with office.path.open("ab") as file:
        file.write(b"{}\n")
    assert office.open().damage is not None


def test_entries_taken_back_have_a_limit(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_file, "MOST_UNDONE", 2)
    for minute in range(3):
        event.office.act("Ellen", "starts", round="1", time=f"19:0{minute}")
    for _ in range(2):
        event.office.undo("Ellen")
    with pytest.raises(Refusal, match="no more can be"):
        event.office.undo("Ellen")


def test_personal_links_are_found_at_once(crowd: Event) -> None:
    for _ in range(MOST_SHOWN - 1):
        crowd.office.admit("Ellen", "table", "hall")
    state = crowd.office.open().tournament
    keys = person_keys(state)
    assert len(keys) >= MOST_SHOWN * MOST_PEOPLE, "every link is good for all, also as once printed"
    began = time.process_time()
    person_keys(state)
    assert time.process_time() - began < 0.05


@pytest.mark.parametrize("digits", ["9" * 5000, "9" * 30, "²", "-1"])
def test_numbers_of_forms_have_a_length(event: Event, ellen: TestClient, digits: str) -> None:
    forms = {
        "links/revoke": {"entry": digits},
        "setup": {"do": "look", "people": digits},
        "plan": {"seed": digits},
        "plan/swap": {"round": digits, "one": digits, "other": digits},
        "draw": {"do": "cards", "n1": digits},
        "draw/apart": {"how": "must", "one": digits, "other": digits},
        "people/change": {"id": digits},
        "door": {"id": digits},
        "withdraw": {"player": digits, "round": digits, "game": digits},
        "late": {"player": digits, "round": digits},
        "clock": {"table": digits, "player": digits},
        "forfeit": {"table": digits, "player": digits},
        "length": {"rounds": digits, "series": digits},
        "starts": {"round": digits, "time": digits},
        "penalty": {"player": digits, "points": digits, "rule": digits},
        "second": {"entry": digits},
        "undo": {"entry": digits},
        "online/link": {"id": digits, "member": "0"},
        "slip/1.1": {"g1-0": digits, "g1-1": digits, "me": digits},
    }
    for path, form in forms.items():
        assert ellen.post(f"{EVENING}/{path}", data=form).status_code < 500, path
    for begin in ("slip/", "slip/1.", "review/", "me/", "board?table="):
        path = begin + digits
        assert ellen.get(f"{EVENING}/{path}").status_code < 500, path
