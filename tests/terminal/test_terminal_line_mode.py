"""Line mode: whole matches of every family in sentences, and input typed in many ways."""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import Card, parse_card
from nousu.games import games
from nousu.i18n.reader import Reader
from nousu.terminal.choices import UnclearInput, cards_in, choices, parse_input
from nousu.terminal.line_mode import Ask, LineMode, PlayerLeft
from nousu.terminal.session import TerminalMatch
from nousu.terminal.text import word_choices

READER = Reader.of("en")


STYLES: list[Callable[[Card], str]] = [
    str,
    lambda card: str(card).lower(),
    lambda card: card.letter + str(card)[0],
]
"""Ways to type a card: ``H10``, ``h10``, ``10H``."""


class Person:
    """Types legal choices at random, as people do: cards short, words by number or name."""

    def __init__(self, session: TerminalMatch, seed: int = 1, most_questions: int = 100_000) -> None:
        self.session, self.rng, self.most_questions = session, Random(seed), most_questions
        self.asked: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.asked.append(prompt)
        if len(self.asked) > self.most_questions:
            raise EOFError
        if "next hand" in prompt:
            return "\n"
        view = self.session.view()
        if "Speak" in prompt:
            return self.rng.choice(["", "", "", str(view.legal[0])]) + "\n"
        action = self.rng.choice(view.legal)
        words = choices(view).words
        if action not in words:
            style = self.rng.choice(STYLES)
            return " ".join(style(card) for card in cards_in(action)) + "\n"
        number = str(words.index(action) + 1)
        numbered = not choices(view).numbers
        return (self.rng.choice([number, str(action)]) if numbered else str(action)) + "\n"


def match_lines(
    preset: str, seats: int = 0, seed: int = 1, ask: Ask = "trick"
) -> tuple[list[str], TerminalMatch, Person]:
    """A whole match: the lines, the session and the person."""
    session = TerminalMatch.begin(preset, "Maija", "random", seed, seats)
    person, lines = Person(session, seed), list[str]()
    LineMode(session, READER, person, lines.append, ask).play()
    return lines, session, person


def test_match_is_told_in_sentences(subtests: pytest.Subtests) -> None:
    for preset, seats in [
        ("tuppi", 0),
        ("norwegian_catsatcards", 0),
        ("norwegian_parlett", 0),
        ("tuppen_zk", 4),
        ("siebenschraem", 2),
    ]:
        with subtests.test(preset=preset, seats=seats):
            lines, session, _ = match_lines(preset, seats)
            assert session.is_over()
            text = "\n".join(lines)
            assert "\x1b" not in text and "{" not in text and "None" not in text and "??" not in text
            assert re.search(r"wins the match\.$", lines[-1])
            hands = len(session.match.played)
            assert sum(line == "The cards are dealt." for line in lines) == hands
            plays = sum(isinstance(a, Play) for p in session.match.played for _, a in p.hand.log)
            assert sum(bool(re.search(r" (leads|plays) (a?\w+ of|\d)", line)) for line in lines) >= plays
            tricks = sum(len(p.hand.view(None).tricks) for p in session.match.played)
            assert sum("takes the trick." in line for line in lines) == tricks


@pytest.mark.parametrize("preset", [preset for game in games().values() for preset in game.presets])
def test_line_mode_plays_every_preset(preset: str) -> None:
    session = TerminalMatch.begin(preset, "Maija", "random", 3)
    person, lines = Person(session, 3, most_questions=40), list[str]()
    try:
        LineMode(session, READER, person, lines.append, "card").play()
    except PlayerLeft:
        assert len(person.asked) == 41
    assert len(lines) > 40 and "{" not in "\n".join(lines)


def test_trick_completed_by_leaving_is_told() -> None:
    """With many raises tricks often end because the last player to come leaves."""
    for seed in range(8):
        lines, session, _ = match_lines("tuppen_zk", 4, seed, "card")
        tricks = sum(len(p.hand.view(None).tricks) for p in session.match.played)
        assert sum("takes the trick." in line for line in lines) == tricks


def test_events_are_told_exactly_once() -> None:
    lines, session, _ = match_lines("tuppi")
    shown = sum("shows" in line for line in lines)
    assert shown == sum(str(a).startswith("show") for p in session.match.played for _, a in p.hand.log)


def test_leaving_saves_the_match_and_resuming_continues_it(tmp_path: Path) -> None:
    path = tmp_path / "tuppi.nousu"
    session = TerminalMatch.begin("tuppi", "Maija", "random", 4, path=path)
    with pytest.raises(PlayerLeft):
        LineMode(session, READER, Person(session, 4, most_questions=30), lambda _: None).play()
    again = TerminalMatch.resume(path)
    lines: list[str] = []
    person = Person(again, 5)
    LineMode(again, READER, person, lines.append).play()
    assert again.is_over() and lines[-1].endswith("wins the match.")
    assert any(line.startswith("Hand ") for line in lines[:6])


def script(preset: str, *typed: str, seed: int = 3) -> list[str]:
    """Output after these lines of input, until the input ends."""
    session = TerminalMatch.begin(preset, "Maija", "rules", seed)
    lines: list[str] = []
    feed = iter(typed)

    def read(_: str) -> str:
        try:
            return next(feed)
        except StopIteration:
            raise EOFError from None

    with pytest.raises(PlayerLeft):
        LineMode(session, READER, read, lines.append).play()
    return lines


def test_commands_are_answered() -> None:
    lines = script("tuppi", "?", "cards", "score", "hint", "last", "")
    text = "\n".join(lines)
    assert "Type a card (h9)" in text and "T-WIK-17 Rami won by the declarer" in text
    assert sum(line.startswith("Your cards: ") for line in lines) == 2
    assert "Our side 0, their side 0." in lines
    assert any(line.startswith("I would choose: ") for line in lines)


def test_refusal_has_a_reason_and_possible_actions() -> None:
    lines = script("tuppi", "sa", "nonsense", "99")
    assert any("(T-CAT-14). Possible: " in line for line in lines)
    assert "nonsense means nothing here." in lines
    assert "There is no choice number 99." in lines


def test_rules_list_the_options_that_differ() -> None:
    lines = script("tuppi+high_fail_points=6", "?")
    assert "Different at this table from the clauses below:" in lines
    assert any(
        line.startswith("  High hand failed, defenders per trick: 6 (high_fail_points=6), instead of 8.")
        for line in lines
    )
    assert any(line.startswith("  T-WIK-18 (changed here) ") for line in lines)


def test_ask_option_sets_how_often_a_player_may_interrupt() -> None:
    def asked(ask: Ask) -> float:
        """So often in four matches, by hand played."""
        matches = [match_lines("tuppen_zk", 4, seed, ask) for seed in range(4)]
        hands = sum(len(session.match.played) for _, session, _ in matches)
        return sum("Speak" in prompt for *_, person in matches for prompt in person.asked) / hands

    never, trick, card = asked("never"), asked("trick"), asked("card")
    assert never == 0 < trick < card


def test_input_of_words_numbers_and_cards_is_parsed() -> None:
    session = TerminalMatch.begin("tuppi", "Maija", "random", 3)
    while session.advance():
        pass
    view, voice = session.view(), session.voice(READER)
    card = next(card for card in view.cards if any(cards_in(a) == (card,) for a in view.legal))
    for text in (str(card), str(card).lower(), card.letter + str(card)[0], f"seal {card}"):
        assert str(parse_input(text, view, voice)) == f"seal {card}"
    with pytest.raises(UnclearInput, match="means nothing here"):
        parse_input("hello", view, voice)


def test_input_of_court_cards_in_any_language(subtests: pytest.Subtests) -> None:
    for typed, card in [("hb", "HJ"), ("Hkn", "HJ"), ("sE", "SA"), ("cd", "CQ"), ("dk", "DK")]:
        with subtests.test(typed=typed, card=card):
            session = TerminalMatch.begin("minnesota", "Maija", "random", 3)
            while session.advance():
                pass
            assert str(parse_input(typed, session.view(), session.voice(READER))) == f"seal {card}"


def test_input_of_beginnings_of_words() -> None:
    for seed in range(20):
        session = TerminalMatch.begin("norwegian_parlett", "Maija", "random", seed)
        while session.advance():
            pass
        view, voice = session.view(), session.voice(READER)
        if view.facts.phase == "auction":
            break
    assert [str(action) for action in view.legal] == ["pass", "grand", "nullo"]
    assert parse_input("gr", view, voice) == Call("grand")
    assert parse_input("2", view, voice) == view.legal[1]
    assert parse_input("Nullo", view, voice) == Call("nullo")


def exchange() -> TerminalMatch:
    """A Huutopussi match where the person gives three cards."""
    for seed in range(200):
        session = TerminalMatch.begin("huutopussi", "Maija", "random", seed)
        rng = Random(seed)
        for _ in range(40):
            if not session.advance():
                if isinstance(session.view().legal[0], Give):
                    return session
                session.act(rng.choice(session.view().legal))
    raise AssertionError("nobody gave cards")


def test_input_of_several_cards_in_any_order() -> None:
    session = exchange()
    view, voice = session.view(), session.voice(READER)
    found = choices(view)
    assert found.size == 3
    cards: list[Card] = list(view.cards[:3])
    action = parse_input(" ".join(str(card) for card in reversed(cards)), view, voice)
    assert action in view.legal and set(cards_in(action)) == set(cards)
    short = parse_input(str(cards[0]), view, voice)
    assert isinstance(short, Give) and short not in view.legal


def asked_for_numbers(preset: str) -> Iterator[TerminalMatch]:
    """Matches at the moments when the person names a bid or a contract."""
    for seed in range(40):
        session = TerminalMatch.begin(preset, "Maija", "random", seed)
        rng = Random(seed)
        while not session.match.played:
            if session.advance():
                continue
            found = choices(session.view())
            if found.numbers:
                yield session
            lowest = found.numbers.get(min(found.numbers, default=0))
            session.act(lowest or rng.choice(session.view().legal))


def test_input_of_a_number_is_that_number_or_a_refusal(subtests: pytest.Subtests) -> None:
    """Where bids or contracts are named, every number from 0 to 999 means itself or nothing."""
    for preset in [name for name in games()["huutopussi"].presets]:
        with subtests.test(preset=preset):
            phases = set()
            for session in asked_for_numbers(preset):
                view, voice = session.view(), session.voice(READER)
                found = choices(view)
                if view.phase in phases and len(found.numbers) > 3:
                    continue
                phases.add(view.phase)
                for number in range(1000):
                    action = parse_input(str(number), view, voice)
                    assert isinstance(action, Call) and re.findall(r"\d+", action.word) == [str(number)]
                    assert (action in view.legal) == (number in found.numbers)
                    with contextlib.suppress(UnclearInput):
                        typed = parse_input(f"contract {number}", view, voice)
                        assert re.findall(r"\d+", str(typed)) == [str(number)]
                labels = word_choices(found, voice)
                assert len(labels) == 1 + len(found.words) - len(found.numbers)
                assert not any(re.match(r"\d+ \D", label) for label in labels[1:]), (
                    "nothing else bears a number"
                )
                low, high = min(found.numbers), max(found.numbers)
                if low < high:
                    assert labels[0].startswith(f"{low} to {high} by ")
            assert phases >= {"auction", "contract"}


def test_input_of_a_number_far_above_the_lowest_is_confirmed() -> None:
    session = next(at for at in asked_for_numbers("huutopussi") if min(choices(at.view()).numbers) < 100)
    lines: list[str] = []
    table = LineMode(session, READER, lambda prompt: "", lines.append)
    low = min(choices(session.view()).numbers)
    assert not table._do(str(low + 200)) and lines == [f"{low + 200}: once more to confirm."]
    assert not table._do(str(low + 250)) and lines[-1] == f"{low + 250}: once more to confirm."
    assert not table._do(str(low + 1)) and "Possible: " in lines[-1]
    assert not table._do(str(low + 250)), "a refusal in between starts anew"
    assert table._do(str(low + 250))
    assert session.match.hand.view(session.me).heard[-1] == (session.me, Call(str(low + 250)))


def test_refusal_of_an_exchange_is_short() -> None:
    session = exchange()
    lines: list[str] = []
    table = LineMode(session, READER, lambda prompt: "", lines.append)
    card = session.view().cards[0]
    assert not table._do(str(card))
    assert lines[-1].endswith("Possible: Name 3 cards.") and len(lines[-1]) < 200


def test_command_of_one_sign_is_the_hint() -> None:
    session = exchange()
    lines: list[str] = []
    table = LineMode(session, READER, lambda prompt: "", lines.append)
    assert table._command("!") and lines[-1].startswith(("I would", "Nothing else"))


def test_input_of_a_card_not_held_is_an_action_like_the_legal_ones() -> None:
    session = TerminalMatch.begin("tuppi", "Maija", "random", 3)
    while session.advance():
        pass
    view = session.view()
    foreign = next(card for card in map(parse_card, ("SA", "SK", "HA", "HK")) if card not in view.cards)
    assert str(parse_input(str(foreign), view, session.voice(READER))) == f"seal {foreign}"
