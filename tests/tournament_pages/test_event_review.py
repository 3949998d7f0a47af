"""Hands of a tournament in review: of a round and of the whole event, as far as cards are known."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hosted_event import EVENING, ORIGIN, Event
from played_online import own_link, play_out, sit
from waiting import settled

pytestmark = pytest.mark.native


def test_event_review_of_a_round(tmp_path: Path) -> None:
    """Dearest choice, luckiest hand and par; nothing of matches in play, nothing of tables in the hall."""
    quick = "tuppen_zk_tournament+start_points=2"
    event = Event(tmp_path, ("Ada", "Ben", "Cleo", "Dora"), "tuppen", preset=quick, series=2)
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as ellen:
        ellen.get(f"{EVENING}/in/{event.secret}")
        assert "What the cards cost" not in ellen.get(f"{EVENING}/standings").text, "no cards are known yet"
        assert "Nothing has been played yet." in ellen.get(f"{EVENING}/review/1").text
        ellen.post(f"{EVENING}/online", data={"do": "online", "table": "1.1"})
        numbers = event.office.open().tournament.seats("1.1")
        people, links = [event.come(ellen) for _ in numbers], [own_link(event, one) for one in numbers]
        ids = []
        for game in (1, 2):
            (id,) = {sit(one, link) for one, link in zip(people, links, strict=True)}
            ids.append(id)
            page = ellen.get(f"{EVENING}/review/1").text
            assert "Still being played" in page and f"/t/{id}/" not in page
            play_out(ellen, event.app.state.server, id, game)
        assert f'href="{EVENING}/review"' in ellen.get(f"{EVENING}/standings").text
        page = settled(ellen, f"{EVENING}/review/1")
        assert (
            page.count('<table class="sheet') == 2 and "game 2" in page and "Still being played" not in page
        )
        assert "…" not in re.sub("<style.*?</style>", "", page, flags=re.S)
        (costliest,) = re.findall(r'<a href="([^"]+)">[^<]*Costliest choice: hand', page)
        assert re.match(rf"/t/({'|'.join(ids)})/review/\d+\?seat=\d#choice-\d+", costliest)
        assert "Luckiest hand" in page
        assert ellen.get(costliest.partition("#")[0]).status_code == 200
        whole = settled(ellen, f"{EVENING}/review")
        assert whole.count('<table class="sheet') == 2 and "The whole event" in whole
        ellen.post(f"{EVENING}/slip/2.1", data=event.boxes("2.1", "1234", "2134"))
        assert (
            "only the results of these tables are kept, not the cards: 1."
            in ellen.get(f"{EVENING}/review/2").text
        )
        assert ellen.get(f"{EVENING}/review/9").status_code == 404
        assert event.come(ellen).get(f"{EVENING}/review/1").status_code == 403, (
            "a link is needed, as for standings"
        )
        assert people[0].get(f"{EVENING}/review/1").status_code == 403
        assert event.come(ellen, event.key("read")).get(f"{EVENING}/review/1").status_code == 200
