"""Language models at the table: their prompts, parsing of answers, and bad answers."""

import json
import random
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import nousu
from nousu.engine.actions import Deal, Play
from nousu.engine.cards import parse_card
from nousu.engine.laws import known_cards
from nousu.engine.seats import CHANCE
from nousu.games import games
from nousu.integrations.llm import (
    Forfeit,
    LanguagePlayer,
    Message,
    UnreadableAnswer,
    observation,
    parse_answer,
    prompt,
    rule_book,
)
from nousu.players import DEFAULT_BUDGET, load_player
from nousu.players.external import PlayerFailed

PRESETS = [preset for game in games().values() for preset in game.presets]


@pytest.mark.parametrize("preset", PRESETS)
def test_model_plays_on_what_its_seat_knows(preset: str) -> None:
    """The answer is played; the prompt holds no card that its seat has not seen."""

    def ask(messages: list[Message]) -> str:
        result = json.loads(messages[-1]["content"])
        for entry in result["heard"]:
            assert not entry.startswith("deal") or "?" in entry
        return f'Let me see.\n{{"action": "{rng.choice(result["legal"])}"}}'

    rng = random.Random(3)
    player, match = LanguagePlayer(ask), nousu.start(preset)
    for _ in range(60):
        seat = match.hand.owed()[0]
        if seat == CHANCE:
            match = match.deal(rng)
            continue
        view = match.hand.view(seat)
        result = observation(view)
        unseen = {str(card) for card in set(match.game.deck) - set(known_cards(view))}
        assert not [card for card in unseen if f'"{card}"' in json.dumps([result["cards"], result["tricks"]])]
        match = match.apply(seat, player.choose(view, DEFAULT_BUDGET, 1).action)
    assert player.choices > 3 and player.refused == 0


def test_hidden_cards_change_no_letter() -> None:
    match = nousu.start("tuppi")
    deal = nousu.start("tuppi", seed=5).hand.log[0][1]
    assert isinstance(deal, Deal)
    north, east, south, west = deal.hands
    result = [
        prompt(match.apply(CHANCE, Deal(hands)).hand.view(0))
        for hands in ((north, east, south, west), (north, south, west, east))
    ]
    assert result[0] == result[1]


def test_rule_book_is_the_page_that_teaches_the_rules() -> None:
    book = rule_book("tuppi")
    assert "Two pairs climb out of the same valley." in book and "<small>" not in book
    assert "sooli" in book and "call sooli" not in rule_book("tuppi+sooli=off")


LEGAL = (Play(parse_card("SA")), Play(parse_card("H10")))


def test_answers_that_name_an_action(subtests: pytest.Subtests) -> None:
    for text in [
        '{"action": "play H10"}',
        "play H10",
        "`Play h10`.",
        'I think {"action": "play SA"} no: {"action":"PLAY H10"}',
    ]:
        with subtests.test(text=text):
            assert parse_answer(text, LEGAL) == LEGAL[1]


def test_answers_that_name_none_are_refused_with_the_reason(subtests: pytest.Subtests) -> None:
    for text, why in [
        ("", 'the answer is empty: end it with one line such as {"action": "play SA"}'),
        ("Hmm, " * 30, "no action is named: end the answer with one line"),
        ('{"action": "play S2"}', "'play S2' is not legal now; legal: play SA, play H10"),
        ("play XY", "'play XY' is no action"),
    ]:
        with subtests.test(text=text, why=why):
            with pytest.raises(UnreadableAnswer) as refused:
                parse_answer(text, LEGAL)
            assert why in str(refused.value)


def test_model_is_told_why_and_forfeits_in_the_end() -> None:
    view = nousu.start("minnesota", seed=1).hand.view(1)
    said: list[list[Message]] = []

    def ask(messages: list[Message]) -> str:
        said.append(list(messages))
        return "fold"

    with pytest.raises(Forfeit, match="2 answers named no legal action; the last one: 'fold' is not legal"):
        LanguagePlayer(ask, tries=2).choose(view, DEFAULT_BUDGET, 1)
    assert [len(messages) for messages in said] == [2, 4]
    assert "is not legal now" in said[1][-1]["content"]
    calm = LanguagePlayer(ask, tries=1, forfeit="random")
    assert calm.choose(view, DEFAULT_BUDGET, 1).action in view.legal
    assert (calm.choices, calm.refused, calm.forfeits) == (1, 1, 1)


class Chat(BaseHTTPRequestHandler):
    """A server for chats whose model takes the last legal action."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert (self.path, asked["model"]) == ("/v1/chat/completions", "clever")
        assert self.headers["Authorization"] == "Bearer sesame"
        legal = json.loads(asked["messages"][-1]["content"])["legal"]
        body = json.dumps({"choices": [{"message": {"content": json.dumps({"action": legal[-1]})}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *words: object) -> None:
        pass


@pytest.mark.usefixtures("fresh_player_modules")
def test_model_behind_a_server_sits_as_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    with HTTPServer(("127.0.0.1", 0), Chat) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("NOUSU_MODEL_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("NOUSU_MODEL", "clever")
        monkeypatch.setenv("NOUSU_MODEL_KEY", "sesame")
        player = load_player("py:nousu.integrations.llm:served")
        view = nousu.start("tuppi", seed=1).hand.view(1)
        assert player.choose(view, DEFAULT_BUDGET, 1).action == view.legal[-1]
        server.shutdown()
    with pytest.raises(PlayerFailed, match=r"127\.0\.0\.1"):
        player.choose(view, DEFAULT_BUDGET, 1)


@pytest.mark.usefixtures("fresh_player_modules")
def test_model_without_an_address_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUSU_MODEL_URL", raising=False)
    monkeypatch.delenv("NOUSU_MODEL", raising=False)
    with pytest.raises(ValueError, match="set NOUSU_MODEL_URL"):
        load_player("py:nousu.integrations.llm:served")
