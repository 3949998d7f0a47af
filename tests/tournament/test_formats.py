"""Every format, found in the registry: its options, form fields, slips and paper."""

from pathlib import Path

import pytest

from nousu.i18n import translator
from nousu.i18n.office import speech
from nousu.tournament.formats import FORMATS, from_words, make
from nousu.tournament.model import Tournament
from nousu.tournament.office import Office
from nousu.tournament.paper import SLIPS, kinds, render_paper
from nousu.tournament.slip_text import slip_lines
from tools.tournament_oracle.event_generator import generate


def events(tmp_path: Path, name: str) -> list[Tournament]:
    """The states of some random events of a format, each after its last entry."""
    states = []
    for seed in range(8):
        path = tmp_path / f"{name}{seed}"
        path.write_bytes(generate(seed, name))
        states.append(Office(path).open().tournament)
    return states


@pytest.mark.parametrize("name", FORMATS)
def test_format_options_are_read_back_from_json_words_and_form(name: str) -> None:
    kind = make({"name": name})
    assert kind.name == name and make(kind.to_json()) == kind
    assert {field.name for field in kind.fields} <= set(kind.texts)
    assert kind.from_texts(kind.texts) == kind
    words = [f"{option}={text}" for option, text in kind.texts.items() if option in kind.to_json()]
    assert make({"name": name, **from_words(name, [word for word in words if word[:5] != "name="])}) == kind
    for language in ("en", "fi"):
        say = translator(language)
        assert say(kind.title) and say(kind.about) and all(say(field.label) for field in kind.fields)
        assert all(kind.facts(12, say))
    assert "I6" in kind.rules()
    kind.check_choice(None)


@pytest.mark.parametrize("name", FORMATS)
def test_format_slips_are_read_back_from_log_words_and_form(name: str, tmp_path: Path) -> None:
    """One frozen value: words, form and log say the same of it, and the check takes all three."""
    checked = 0
    for state in events(tmp_path, name):
        for key, _ in state.tables():
            slips, result = state.kind(key).slips, state.slip(key).result
            form = slips.form(state, key, {})
            assert len(form.seats) >= 2 and len(slip_lines(state, key)) > 3
            if result is None:
                continue
            assert slips.load(state, key, result.to_json()) == result
            assert slips.describe(state, key, result)
            if not result.words() or "forfeit" in result.to_json():
                continue
            try:
                again = slips.parse(state, key, result.words())
                typed = slips.parse(state, key, slips.typed_words(state, key, result.fields()))
            except ValueError:
                assert state.withdrawals  # who has gone since has a place on the slip all the same
                continue
            assert again == result and typed.figures() == result.figures()
            checked += 1
    assert checked > 10


@pytest.mark.parametrize("name", FORMATS)
def test_format_slips_are_printed(name: str, tmp_path: Path) -> None:
    state = next(state for state in events(tmp_path, name) if any(state.tables()))
    paper = state.format.slips.paper
    assert paper in SLIPS and paper in kinds(state)
    assert render_paper(state, paper, speech("en")).startswith(b"%PDF")
    columns, _ = state.format.slips.card_columns(translator("en"))
    assert columns
