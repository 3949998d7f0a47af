"""The pages of problems: without script, in every language, with an answer to whatever is tried."""

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from nousu.i18n import LANGUAGES, translator
from nousu.server.pages.learn.problems import OPEN_FIGURES
from nousu.teaching.problems import THEMES, count, problem


def test_problem_of_each_theme_is_shown_and_answered(client: TestClient, subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            client.headers["accept-language"] = language
            say = translator(language)
            shown = unescape(client.get("/problems").text)
            for at, theme in enumerate(THEMES):
                assert say(THEMES[theme].title) in shown
                number = (7 * at) % count(theme) + 1
                one = problem(theme, number)
                assert one is not None
                address = f"/problems/{theme}/{number}"
                page = unescape(client.get(address).text)
                assert say(THEMES[theme].task) in page and "data-done" not in page
                for other in (hand for seat, hand in enumerate(one.hand.log[0][1].hands) if seat != one.seat):  # type: ignore[union-attr]
                    assert not all(f'value="play {card}"' in page for card in other)
                good = unescape(client.get(address, params={"act": one.right[0]}).text)
                assert "data-done" in good and say("That is best.") in good
                bad = unescape(client.get(address, params={"act": one.second}).text)
                assert "data-done" not in bad and say("Something else is better. Try again.") in bad
                result = unescape(client.get(address, params={"act": "answer"}).text)
                assert "data-done" not in result and say("Next problem") in result
                assert ("%" in result) if theme == "fold" else (say(OPEN_FIGURES) in result)


def test_problems_page_lists_all_and_the_daily_one(client: TestClient) -> None:
    page = client.get("/problems").text
    assert page.count("data-lesson=") == sum(map(count, THEMES))
    assert 'href="/today"' in page and 'href="/today"' in client.get("/").text
    assert 'href="/problems"' in client.get("/today").text


@pytest.mark.parametrize("path", ["/problems/bridge/1", "/problems/nolo/0", "/problems/nolo/9999"])
def test_problem_that_does_not_exist_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_problem_answer_that_is_nonsense_is_refused_in_a_sentence(
    client: TestClient, subtests: pytest.Subtests
) -> None:
    for act in ["hop", "play ??", "deal N", "%00", "play S2"]:
        with subtests.test(act=act):
            assert client.get("/problems/nolo/1", params={"act": act}).status_code == 200


def test_problem_of_a_raise_shows_the_chance_it_needs(client: TestClient, subtests: pytest.Subtests) -> None:
    for number in range(1, count("fold") + 1, 5):
        with subtests.test(number=number):
            one = problem("fold", number)
            page = unescape(client.get(f"/problems/fold/{number}", params={"act": "answer"}).text)
            found = re.search(r"needs a chance of (\d+)% to win; these cards have (-?\d+)%", page)
            assert one is not None and found is not None
            assert (int(found[2]) > int(found[1])) == ("hold" in one.right)
