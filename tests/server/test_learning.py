"""The lessons as pages: without script, in every language, with an answer to whatever is sent."""

from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from nousu.server.app import create_app
from nousu.words import LANGUAGES, translator
from nousu.words.teach.lessons import course

TUPPI = course("tuppi")
assert TUPPI is not None


@pytest.fixture
def client(tmp_path: object) -> Iterator[TestClient]:
    app = create_app(f"{tmp_path}/tables.db", pace=0, workers=0, rates={})
    with TestClient(app, raise_server_exceptions=False) as found:
        yield found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_is_told_and_answered(client: TestClient, language: str) -> None:
    client.headers["accept-language"] = language
    say = translator(language)
    listed = unescape(client.get("/learn/tuppi").text)
    for number, lesson in enumerate(TUPPI.lessons, 1):
        assert say(lesson.title) in listed
        page = unescape(client.get(f"/learn/tuppi/{number}").text)
        assert say(lesson.task) in page and "data-done" not in page
        good = unescape(client.get(f"/learn/tuppi/{number}?act={quote(lesson.right[0])}").text)
        assert say(lesson.praise) in good and "data-done" in good
        legal = [str(action) for action in lesson.hand.legal(lesson.seat)]
        wrong = next(act for act in legal if act not in lesson.right)
        bad = unescape(client.get(f"/learn/tuppi/{number}?act={quote(wrong)}").text)
        assert say(lesson.wrong.get(wrong, lesson.wrong["else"])) in bad and "data-done" not in bad
        assert f'value="{lesson.right[0]}"' in bad


def test_a_forbidden_card_links_to_its_clause(client: TestClient) -> None:
    page = client.get("/learn/tuppi/2?act=play+DA").text
    assert 'href="/rules/tuppi#T-CAT-33"' in page and "data-done" not in page


@pytest.mark.parametrize(
    "act", ["", "hop", "play ??", "play S1O", "deal N", "give to", "seal", "%00", "x" * 3000]
)
def test_nonsense_is_answered_in_a_sentence(client: TestClient, act: str) -> None:
    assert client.get("/learn/tuppi/1", params={"act": act}).status_code == 200


@pytest.mark.parametrize("path", ["/learn/bridge", "/learn/tuppi/0", "/learn/tuppi/99", "/learn/tuppi/one"])
def test_what_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404
