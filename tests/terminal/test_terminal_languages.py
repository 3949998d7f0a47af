"""Translation of line mode: no English in matches, commands and refusals of other languages."""

import contextlib
import re
from random import Random

import pytest

from languages import untranslated
from nousu.i18n import LANGUAGES
from nousu.i18n.reader import Reader
from nousu.terminal.choices import cards_in
from nousu.terminal.line_mode import LineMode, PlayerLeft
from nousu.terminal.session import TerminalMatch

STRAY = ("?", "hint", "score", "cards", "last", "ck", "9", "nonsense", "give s9")


@pytest.mark.parametrize("preset", ["tuppi", "norwegian_spoken", "huutopussi", "tuppen_zk", "toepen"])
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_line_mode_is_translated_completely(preset: str, language: str) -> None:
    session = TerminalMatch.begin(preset, "Maija", "random", 2)
    rng = Random(2)
    lines: list[str] = []
    asked = 0

    def read(prompt: str) -> str:
        nonlocal asked
        lines.append(prompt)
        asked += 1
        view = session.view()
        if asked > 90:
            return "quit"
        if asked <= len(STRAY) or not view.legal or asked % 7 == 0:
            return STRAY[asked % len(STRAY)] if view.legal else ""
        action = rng.choice(view.legal)
        return " ".join(map(str, cards_in(action))) or str(action)

    with contextlib.suppress(PlayerLeft):
        LineMode(session, Reader.of(language), read, lines.append, "card").play()
    assert asked > 30 and "{" not in "".join(lines)
    parts = {part for line in lines for part in (line, *re.split(r"(?<=[.?]) |\s\(", line))}
    assert sorted(part for part in parts if untranslated(part, language)) == []
