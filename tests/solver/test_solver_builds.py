"""Two builds of the core are linked together; the linker must not be able to choose between them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from nousu.solver import compiled

ROOT = Path(__file__).parents[2]


@pytest.mark.native
@pytest.mark.skipif(compiled() is None, reason="there is no compiled core")
@pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm")
def test_function_of_a_build_lives_in_its_own_namespace() -> None:
    """A weak function that both builds held would be taken from either: code for newer processors could then
    run on older ones. Data (what an exception is called) may be shared."""
    objects = sorted(ROOT.glob("build/*/CMakeFiles/core_*.dir/cpp/*/*.cpp.o"))
    if not objects:
        pytest.skip("the core was not built in this folder")
    for path in objects:
        isa = path.parts[-4].removeprefix("core_").removesuffix(".dir")
        result = subprocess.run(["nm", "-C", str(path)], capture_output=True, text=True, check=True).stdout
        weak = [line[19:] for line in result.splitlines() if line[17:18] in "Wu"]
        assert len(weak) > 10, "nm does not write what this test reads"
        assert [name for name in weak if f"nousu::{isa}::" not in name] == [], path
