"""No page, in whatever state, says anything in English to somebody who reads another language."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from applications import app_on
from languages import untranslated
from nousu.engine.errors import IllegalAction
from nousu.games import games
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.reader import Reader
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.live_view import encode
from nousu.server.pages.table.page_view import page_view
from nousu.server.pages.table.words import page_words
from nousu.server.table import commands
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

OTHERS = [language for language in LANGUAGES if language != "en"]
PRESETS = [name for game in games().values() for name in game.presets]
ORIGIN = {"sec-fetch-site": "same-origin"}
ADDRESSES = (
    "/",
    "/new",
    "/new?rules=huutopussi",
    "/new?rules=tuppen_zk%2Btarget=1",
    "/new?rules=tuppi%2Bfoo=1",
    "/new?rules=tuppi%2Btarget=none",
    "/new?rules=minnesota%2Bsooli=on",
    "/new?rules=bridge",
    "/rules/tuppi",
    "/rules/minnesota",
    "/rules/huutopussi+target=300+max_bid=none",
    "/rules/tuppen_zk+poor_playoff=any",
    "/rules/bridge",
    "/t/nowhere",
    "/t/nowhere/check",
    "/t/nowhere/hand/1",
    "/nowhere",
)


class Words(HTMLParser):
    """All a page says: texts, labels, titles, values of buttons."""

    SAID = ("aria-label", "title", "placeholder", "alt", "label")
    MUTE = ("style", "script", "code", "svg")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.muted = 0
        self.foreign = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.muted += tag in self.MUTE
        self.said += [value for name, value in attrs if name in self.SAID and value]

    def handle_endtag(self, tag: str) -> None:
        self.muted -= tag in self.MUTE

    def handle_data(self, data: str) -> None:
        if not self.muted:
            self.said.append(data)


def left_in_english(html: str, language: str) -> list[str]:
    """English texts of a page that the catalogue translates."""
    return sorted(text for text in Words(html).said if text.strip() and untranslated(text, language))


@pytest.fixture
def client(tmp_path: object) -> Iterator[TestClient]:
    app = app_on(f"{tmp_path}/tables.db", pace=0)
    with TestClient(app, headers=ORIGIN, raise_server_exceptions=False) as found:
        yield found


def test_english_words_are_found() -> None:
    assert left_in_english("<p>Take a seat.</p><b title='Hand 3'>H9</b>", "fi") == ["Take a seat."]
    assert left_in_english("<p aria-label='Aino leads queen of hearts.'></p>", "de")


@pytest.mark.parametrize("language", OTHERS)
def test_pages_and_their_refusals(client: TestClient, language: str) -> None:
    client.headers["accept-language"] = language
    for address in ADDRESSES:
        page = client.get(address)
        assert f'<html lang="{language}"' in page.text, address
        assert left_in_english(page.text, language) == [], address
    foreign = client.post("/new", headers={"sec-fetch-site": "cross-site"}).text
    assert foreign and foreign == translator(language)("This must be sent from a page of this server itself.")


def _refusal(connection: WebSocketTestSession, act: str, language: str) -> list[str]:
    """English words left in the refusal of an action."""
    connection.send_json({"act": act, "seq": 1, "key": f"0123456789{act}"})
    while "error" not in (answer := connection.receive_json()):
        assert "ok" not in answer
    return [answer["error"]] if untranslated(answer["error"], language) else []


@pytest.mark.parametrize("language", OTHERS)
def test_a_table_from_the_lobby_on(client: TestClient, language: str) -> None:
    client.headers["accept-language"] = language
    form = {
        "preset": "tuppi",
        "shown": "tuppi",
        "name": "Sanni",
        "player": "open",
        "do": "play",
        "seats": "4",
    }
    lobby = client.post("/new", data=form)
    table = str(lobby.url.path)
    assert left_in_english(lobby.text, language) == []
    again = client.post(f"{table}/join", data={"name": "Sanni"})
    assert again.status_code == 403 and left_in_english(again.text, language) == []
    with client.websocket_connect(f"{table}/live") as connection:
        assert _refusal(connection, "play S1O", language) == []
        client.post(f"{table}/fill")
        for act in ("play S1O", "give to S", "play ??", "hop!", "seal C2", "abracadabra"):
            assert _refusal(connection, act, language) == [], act
    check = client.get(f"{table}/check")
    assert check.status_code == 200 and left_in_english(check.text, language) == []


CODES = (
    "act",
    "preset",
    "base",
    "shape",
    "ink",
    "place",
    "slot",
    "phase",
    "drawing",
    "mood",
    "icon",
    "side",
    "won",
)
"""Fields of a view that hold codes, not words."""
CODED = ("says", "gestures", "asks", "choices")
"""Fields whose rows begin with a code."""


def _english(value: object, language: str) -> Iterator[str]:
    """The texts of a view, or of the words of a page, that are left in English."""
    if isinstance(value, str):
        if untranslated(value, language):
            yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            if name not in CODES:
                rows = [row[1:] for row in part if isinstance(row, list)] if name in CODED else part
                yield from _english(rows, language)
    elif isinstance(value, list):
        for part in value:
            yield from _english(part, language)


@pytest.mark.parametrize("language", OTHERS)
def test_words_of_the_table_page(language: str) -> None:
    assert list(_english(page_words(Reader.of(language)), language)) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_tables_in_every_state(preset: str, language: str) -> None:
    sitting = Sitting(preset, persons=4)
    rng = random.Random(preset)
    reader = Reader.of(language)
    before = None
    for _ in range(12):
        sitting.played(rng, rng.randrange(3, 17))
        after = view_of(sitting.table, "p1", sitting.now, language)
        assert list(_english(json.loads(encode(page_view(after, reader))), language)) == []
        result = announcement(before, after, reader)
        assert [text for text in re.split(r"(?<=[.?]) ", result) if untranslated(text, language)] == []
        before = after
        try:
            commands.act(sitting.table, "p1", "play H9", sitting.table.seq, "0123456789", sitting.now)
        except (IllegalAction, ValueError):
            continue
