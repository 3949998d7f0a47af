from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from nousu.server.pages.template_cache import bytecode_cache


class Counting(Environment):
    """Counts what it compiles."""

    compiled = 0

    def compile(self, *args, **named):
        self.compiled += 1
        return super().compile(*args, **named)


def printed(folder: Path) -> tuple[str, int]:
    """What a new start prints, and how many templates it compiled."""
    found = Counting(loader=FileSystemLoader(folder), bytecode_cache=bytecode_cache(folder))
    return found.get_template("page.html").render(name="Aino"), found.compiled


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    (tmp_path / "page.html").write_text("Hello {{ name }}")
    return tmp_path


def test_bytecode_is_read_at_the_second_start(folder):
    assert printed(folder) == ("Hello Aino", 1)
    assert printed(folder) == ("Hello Aino", 0)


def test_changed_template_is_compiled_again(folder):
    printed(folder)
    (folder / "page.html").write_text("Goodbye {{ name }}")
    assert printed(folder) == ("Goodbye Aino", 1)


def test_bytecode_of_another_jinja_is_compiled_again(folder, monkeypatch):
    printed(folder)
    monkeypatch.setattr("jinja2.__version__", "99.0")
    assert printed(folder) == ("Hello Aino", 1)


@pytest.mark.parametrize("left", [0, 10, 30, 100])
def test_bytecode_cut_short_is_written_again(folder, left):
    printed(folder)
    (kept,) = (folder / "__pycache__").iterdir()
    kept.write_bytes(kept.read_bytes()[:left])
    assert printed(folder) == ("Hello Aino", 1)
    assert printed(folder) == ("Hello Aino", 0)


def test_templates_are_compiled_without_a_cache(folder):
    (folder / "__pycache__").write_text("in the way")
    assert printed(folder) == ("Hello Aino", 1)
    assert printed(folder) == ("Hello Aino", 1)
