"""The lessons as pages: in every language, with an answer to whatever is sent."""

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from nousu.engine.actions import Deal, Play
from nousu.games import find, games
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.sentences import Voice
from nousu.teaching.lessons import course, course_for, courses
from nousu.teaching.worked_hand import worked_example

COURSES = [found for name in courses() if (found := course(name)) is not None]


def _page(client: TestClient, address: str, act: str = "") -> str:
    """The page of a lesson after an action, sent as its form sends it."""
    params: dict[str, str | list[str]] = {"act": act}
    if act.startswith("give") and " to " in act:
        cards, _, to = act.removeprefix("give ").partition(" to ")
        params = {"act": f"give {{}} to {to}", "card": cards.split()}
    return unescape(client.get(address, params=params).text)


def test_lesson_is_shown_and_answered(client: TestClient, subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        for taught in COURSES:
            with subtests.test(language=language, taught=taught):
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
                    offered = "give {}" if right.startswith("give") and " to " in right else right
                    assert say(lesson.aim) in page and f'"{offered}' in page, right
                    good = _page(client, address, right)
                    assert say(lesson.praise) in good and "data-done" in good
                    legal = [str(action) for action in lesson.hand.legal(lesson.seat)]
                    wrong = next(act for act in legal if act not in lesson.right)
                    bad = _page(client, address, wrong)
                    assert (
                        say(lesson.wrong.get(wrong, lesson.wrong["else"])) in bad and "data-done" not in bad
                    )


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
    assert "Choose exactly 3 cards." in page and "data-done" not in page


@pytest.mark.parametrize(
    ("lesson", "act", "why"),
    [
        ("tuppi/2", "play DA", "The ace of diamonds would not follow: clubs were led, and you hold some."),
        ("tuppi/2", "play DA", "You may play: ace of clubs, 10 of clubs, 4 of clubs."),
        ("tuppi/1", "seal SK", "The king of spades cannot be laid as a bid. These cards can: 10 of hearts"),
        ("huutopussi/8", "play HK", "You hold no diamonds, and whoever has a trump must play it then."),
        ("huutopussi/6", "marriage S", "That cannot be done now."),
        ("tuppi/6", "play SA", "That cannot be done now. This can: Sooli, Pass."),
    ],
)
def test_lesson_answers_what_is_forbidden_in_words_about_the_cards(
    client: TestClient, lesson: str, act: str, why: str
) -> None:
    page = unescape(client.get(f"/learn/{lesson}", params={"act": act}).text)
    answer = re.sub(r"\s+", " ", page.partition('id="answer"')[2].partition("</div>")[0])
    assert why in answer and "data-done" not in page
    assert "#" not in answer and not re.search(r"[A-Z]+-[A-Z]+-\d", answer), "a clause is no answer"


def test_lessons_of_huutopussi_have_enough_cards_to_mean_something() -> None:
    taught = next(found for found in COURSES if found.name == "huutopussi")
    assert min(len(lesson.hand.view(lesson.seat).cards) for lesson in taught.lessons) >= 8


def test_lesson_answer_that_is_nonsense_is_refused_in_a_sentence(
    client: TestClient, subtests: pytest.Subtests
) -> None:
    for act in ["", "hop", "play ??", "play S1O", "deal N", "give to", "seal", "%00", "x" * 3000]:
        with subtests.test(act=act):
            assert client.get("/learn/tuppi/1", params={"act": act}).status_code == 200


def test_lesson_that_does_not_exist_is_not_found(client: TestClient, subtests: pytest.Subtests) -> None:
    for path in ["/learn/bridge", "/learn/tuppi/0", "/learn/tuppi/99", "/learn/tuppi/one"]:
        with subtests.test(path=path):
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
