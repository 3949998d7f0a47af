"""Small windows: the hand, the question and the possible answers are visible in every rare moment."""

import io

import pytest
from rich.console import Console

import states
from nousu.i18n.reader import Reader
from nousu.terminal.screen import ScreenMode
from nousu.terminal.session import TerminalMatch
from nousu.terminal.text import prompt

WINDOWS = ((80, 24), (60, 24))


def at_the_screen(name: str, wide: int, tall: int, language: str) -> tuple[ScreenMode, Console]:
    """The person of that moment before a window of that size."""
    reached, person = states.reach(states.STATES[name])
    table = reached.table
    seat = table.seats.seat_of(states.session(person))
    assert seat is not None
    session = TerminalMatch(reached.match, table.seats.names, seat, 1, "rules", reached.preset)
    console = Console(width=wide, height=tall, file=io.StringIO(), record=True)
    return ScreenMode(session, Reader.of(language), console=console), console


def test_screen_shows_the_question_in_a_small_window(subtests: pytest.Subtests) -> None:
    for language in ["de", "fi"]:
        for name in [
            "answer half",
            "declare",
            "return four",
            "sooli, return",
            "eight asked",
            "eight at the table",
            "bid",
        ]:
            with subtests.test(language=language, name=name):
                for wide, tall in WINDOWS:
                    screen, console = at_the_screen(name, wide, tall, language)
                    view = screen.session.view()
                    asked = prompt(view, screen.say)
                    console.print(screen._table(view, asked))
                    lines = console.export_text().rstrip("\n").split("\n")
                    assert len(lines) <= tall
                    assert all(len(line) <= wide for line in lines)
                    assert any(asked in line for line in lines)


def test_screen_says_sits_out_in_a_deciding_hand() -> None:
    screen, console = at_the_screen("poor men", 80, 24, "en")
    console.print(screen._table(screen.session.view()))
    text = console.export_text()
    assert "deciding hand of poor men" in text
    assert text.count("sits out") == 2 and "has left" not in text
