"""The ``nousu`` command with a pipe that is closed early."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "buffered"),
    [
        (["clauses"], True),
        (["clauses"], False),
        (["presets", "--json"], True),
        (["simulate", "tuppi", "--hands", "3"], True),
        (["tournament", "log", "evening.nousu"], False),
        (["tournament", "log", "evening.nousu", "--json"], True),
        (["play", "--plain", "--seed", "1", "--pace", "0"], True),
        (["play", "--plain", "--seed", "1", "--pace", "0"], False),
    ],
)
def test_closed_pipe_is_no_error(tmp_path: Path, words: list[str], buffered: bool) -> None:
    surroundings = os.environ | {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path), "NOUSU_LANG": "en"}
    surroundings.pop("PYTHONUNBUFFERED", None)
    if not buffered:
        surroundings["PYTHONUNBUFFERED"] = "1"
    nousu = [sys.executable, "-m", "nousu"]
    if words[0] == "tournament":
        new = [*nousu, "tournament", "new", words[2], "--by", "me"]
        subprocess.run(new, cwd=tmp_path, env=surroundings, check=True, capture_output=True)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = subprocess.run(
            [*nousu, *words],
            cwd=tmp_path,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (1, "")
