"""The lessons as pages: without script, in every language, with an answer to whatever is sent."""

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from nousu.engine.actions import Deal, Play
from nousu.games import find, games
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.sentences import Voice
from nousu.teaching.lessons import Course, course, course_for, courses
from nousu.teaching.worked_hand import worked_example

COURSES = [found for name in courses() if (found := course(name)) is not None]


def _page(client: TestClient, address: str, act: str = "") -> str:
    """The page of a lesson after an action, sent as its form sends it."""
    params: dict[str, str | list[str]] = {"act": act}
    if act.startswith("give") and " to " in act:
        cards, _, to = act.removeprefix("give ").partition(" to ")
        params = {"act": f"give {{}} to {to}", "card": cards.split()}
    return unescape(client.get(address, params=params).text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("taught", COURSES, ids=lambda one: one.name)
def test_lesson_is_shown_and_answered(client: TestClient, taught: Course, language: str) -> None:
    client.headers["accept-language"] = language
    say = translator(language)
    listed = unescape(client.get(f"/learn/{taught.name}").text)
    assert f'href="/learn/{taught.name}"' in client.get("/learn").text
    for number, lesson in enumerate(taught.lessons, 1):
        address = f"/learn/{taught.name}/{number}"
        assert say(lesson.title) in listed
        page = _page(client, address)
        assert say(lesson.task) in page and "data-done" not in page
        right = lesson.right[0]
        offered = right if f'value="{right}"' in page else "give {} to"
        assert f'value="{offered}' in page
        good = _page(client, address, right)
        assert say(lesson.praise) in good and "data-done" in good
        legal = [str(action) for action in lesson.hand.legal(lesson.seat)]
        wrong = next(act for act in legal if act not in lesson.right)
        bad = _page(client, address, wrong)
        assert say(lesson.wrong.get(wrong, lesson.wrong["else"])) in bad and "data-done" not in bad


def test_rules_pages_lead_to_the_lessons_of_their_game(client: TestClient) -> None:
    for preset, name in (
        ("minnesota", "minnesota"),
        ("norwegian_catsatcards", "norwegian"),
        ("toepen", "tuppen"),
    ):
        assert f'href="/learn/{name}"' in client.get(f"/rules/{preset}").text
    assert course_for("swedish") == ""
    assert 'href="/learn/' not in client.get("/rules/swedish").text.partition('<article class="read">')[2]


def test_lesson_asks_again_for_too_few_cards(client: TestClient) -> None:
    page = client.get("/learn/huutopussi/2", params={"act": "give {} to N", "card": ["DK"]}).text
    assert "Choose 3 cards for your partner" in page and "data-done" not in page


def test_lesson_links_a_forbidden_card_to_its_clause(client: TestClient) -> None:
    page = client.get("/learn/tuppi/2?act=play+DA").text
    assert 'href="/rules/tuppi#T-CAT-33"' in page and "data-done" not in page


@pytest.mark.parametrize(
    "act", ["", "hop", "play ??", "play S1O", "deal N", "give to", "seal", "%00", "x" * 3000]
)
def test_lesson_answer_that_is_nonsense_is_refused_in_a_sentence(client: TestClient, act: str) -> None:
    assert client.get("/learn/tuppi/1", params={"act": act}).status_code == 200


@pytest.mark.parametrize("path", ["/learn/bridge", "/learn/tuppi/0", "/learn/tuppi/99", "/learn/tuppi/one"])
def test_lesson_that_does_not_exist_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


PRESETS = [preset for game in games().values() for preset in game.presets]


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_page_shows_every_event_of_its_worked_hand(client: TestClient, preset: str) -> None:
    """As many cards and sentences as the record has entries, in each language."""
    game, rules = find(preset)
    shown = worked_example(game, rules, preset)
    if shown is None:
        return
    log = [entry for entry in shown.played.hand.log if not isinstance(entry[1], Deal)]
    for language in LANGUAGES:
        client.headers["accept-language"] = language
        voice = Voice(shown.names, game.sides, None, translator(language))
        page = unescape(client.get(f"/rules/{preset}").text)
        hand = re.sub(r"\s+", " ", page.partition('id="slides"')[2].partition("</section>")[0])
        assert hand.count("<figcaption>") == sum(isinstance(action, Play) for _, action in log)
        at = 0
        for sentence in (voice.sentence(entry) for entry in log if not isinstance(entry[1], Play)):
            at = hand.index(sentence, at) + len(sentence)
        for note in (*shown.played.result.notes, *shown.played.tally.notes()):
            at = hand.index(voice.note(note), at)
