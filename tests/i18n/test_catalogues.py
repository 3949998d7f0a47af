"""Message catalogues: the collector finds every message, and every catalogue has it in all its forms."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from nousu.i18n import CATALOGUES, LANGUAGES, catalogue, compile_catalogue, languages
from tools import collect_messages

OTHERS = [language for language in LANGUAGES if language != "en"]
PLACE = re.compile(r"\{([a-z_0-9]*)\}")


def test_collector_finds_messages_in_python_templates_notes_tables_and_options() -> None:
    used = collect_messages.used()
    assert used["Take a seat."] == ["server/templates/home.html"]
    assert "server/pages/table/whist.py" in used["Do you play sooli?"]
    assert "games/whist/standing.py" in used["{side} is rising with {points}"]
    assert "games/tuppen/rules.py" in used["{seat} revoked"]
    assert "games/whist/rules.py" in used["Points for sooli, to whichever side wins it."]


def test_collector_finds_contexts_in_python_and_templates() -> None:
    found = {(message.id, message.context): message.auto_comments for message in collect_messages.template()}
    assert found["drawn", "result of a match"] == ["server/templates/my_tables.html"]
    assert found["Deal", "action"] == ["i18n/sentences.py"]
    assert found["drawn", None] == ["games/whist/sources.toml"]


def uncollected_calls(tree: ast.AST, known: set[str]) -> Iterator[str]:
    """The calls of a module that say a message which nobody collects: put together, computed, chosen on the
    spot without the mark `sentence`, or hidden in an f-string, where it looks only from Python 3.12 on."""
    framed = {inner for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        keyword = collect_messages.KEYWORDS.get(name)
        if keyword is None or name == "pgettext":
            continue
        place = keyword[0] if isinstance(keyword, tuple) else 1
        for argument in node.args[place - 1 : 2 if name == "sentence" else place]:
            written = argument.value if isinstance(argument, ast.Constant) else None
            if isinstance(written, str) and (not written or written in known) and node not in framed:
                continue
            if isinstance(written, str) or any(bare(argument)):
                yield f"{node.lineno}: {ast.unparse(node)}"


def bare(node: ast.AST) -> Iterator[bool]:
    """Whether each part of an expression is text without a mark."""
    match node:
        case ast.Call():
            return
        case ast.Subscript(value=value):  # what it is looked up by is no message
            yield from bare(value)
        case ast.IfExp(body=body, orelse=other):
            yield from bare(body)
            yield from bare(other)
        case _:
            yield isinstance(node, ast.JoinedStr | ast.BinOp | ast.Constant)
            for child in ast.iter_child_nodes(node):
                yield from bare(child)


def test_uncollected_message_is_named(subtests: pytest.Subtests) -> None:
    for code in [
        'raise RequestError(f"{name} is no option")',
        'raise IllegalAction("X-1", "Take" + b)',
        'raise BadRules("target", "Take a seat" " or two")',
        'say("Take a seat." if x else "Deal")',
        'say("Take a seat." if x else sentence("Deal"))',
        'say("nobody collected this")',
        "f'{one}, {say(\"Take a seat.\")}'",
        'sentence("{n} potato", "{n} potatoes")',
    ]:
        with subtests.test(code=code):
            assert list(uncollected_calls(ast.parse(code), set(collect_messages.used())))


def test_collector_finds_every_message_of_the_program() -> None:
    known = set(collect_messages.used())
    for path in sorted(collect_messages.ROOT.rglob("*.py")):
        found = list(uncollected_calls(ast.parse(path.read_text("utf-8")), known))
        assert found == [], path.relative_to(collect_messages.ROOT)


def test_catalogue_is_complete_without_guesses(subtests: pytest.Subtests) -> None:
    for language in OTHERS:
        with subtests.test(language=language):
            assert collect_messages.missing(language) == []


def test_catalogue_is_as_the_collector_writes_it(subtests: pytest.Subtests) -> None:
    """Otherwise ``make words`` was forgotten: a message is unused, or in the wrong place."""
    for language in OTHERS:
        with subtests.test(language=language):
            assert (CATALOGUES / f"{language}.po").read_bytes() == collect_messages.updated(language)


def test_catalogue_has_the_places_of_each_message(subtests: pytest.Subtests) -> None:
    """Every form has the places of the message; a singular may say its number in a word."""
    for language in OTHERS:
        with subtests.test(language=language):
            for entry in collect_messages.read(language):
                forms = entry.string if isinstance(entry.string, tuple) else (entry.string,)
                places = set(PLACE.findall(collect_messages.english(entry)[-1]))
                for form in forms if entry.id else ():
                    lacking = places - set(PLACE.findall(form))
                    assert not set(PLACE.findall(form)) - places, form
                    assert not lacking or (form is forms[0] and len(forms) > 1 and len(lacking) == 1), form


def test_catalogue_repeats_no_place_and_no_text(subtests: pytest.Subtests) -> None:
    """A place stands as often as in the message, and no translation was pasted again behind itself."""
    for language in OTHERS:
        with subtests.test(language=language):
            for entry in collect_messages.read(language):
                forms = entry.string if isinstance(entry.string, tuple) else (entry.string,)
                said = [Counter(PLACE.findall(message)) for message in collect_messages.english(entry)]
                for form in forms if entry.id else ():
                    assert not Counter(PLACE.findall(form)) - (said[0] | said[-1]), form
                    assert not re.fullmatch(r"(.{12,}?)\1+", form, re.DOTALL), form


def test_language_is_any_catalogue_in_the_folder(tmp_path: Path) -> None:
    for name in ("sv.po", "fi.mo", "fi.po", "se.po", "fi.1234"):
        (tmp_path / name).touch()
    assert languages(tmp_path) == ("fi", "en", "sv", "se")


def test_catalogue_is_compiled_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nousu.i18n.CATALOGUES", tmp_path)
    written, read = tmp_path / "se.po", catalogue.__wrapped__
    assert read("se").gettext("Deal") == "Deal"
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    forms = '"Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);\\n"\n\n'
    counted = 'msgid "{n} a"\nmsgid_plural "{n} b"\nmsgstr[0] "{n} x"\nmsgstr[1] "{n} y"\nmsgstr[2] "{n} z"\n'
    written.write_text(header + forms + counted, "utf-8")
    assert [read("se").ngettext("{n} a", "{n} b", n) for n in (1, 2, 3)] == ["{n} x", "{n} y", "{n} z"]
    assert {path.name for path in tmp_path.iterdir()} == {"se.po", "se.mo"}
    written.unlink()  # as in an installed package
    assert read("se").ngettext("{n} a", "{n} b", 2) == "{n} y"


def test_catalogue_in_a_read_only_folder_is_not_stored(tmp_path: Path) -> None:
    written = tmp_path / "se.po"
    written.write_text('msgid "Deal"\nmsgstr "Juoge"\n', "utf-8")
    (tmp_path / "se.mo").mkdir()
    assert b"Juoge" in compile_catalogue(written)
    assert {path.name for path in tmp_path.iterdir()} == {"se.po", "se.mo"}
