"""The package as a stranger installs it, in clean environments: with and without the compiled core."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from orphan_processes import started
from test_tasks import NUMPY_ALONE, first_code

ROOT = Path(__file__).parents[2]
DEALS = "N:AK3.Q.. QJT.K.. 9876... 542.A..\n"
BASE = {"nousu", "typer", "rich"}

Run = subprocess.CompletedProcess[str]


def run(*words: object, within: Path, check: bool = True, **surroundings: str) -> Run:
    """A command in a folder where the repository cannot be imported."""
    clean = {key: text for key, text in os.environ.items() if not key.startswith(("PYTHON", "NOUSU"))}
    clean |= {"PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    clean |= {"HOME": str(within), **surroundings}
    command = list(map(str, words))
    result = subprocess.run(command, cwd=within, env=clean, capture_output=True, text=True, check=False)
    if check:
        assert result.returncode == 0, (
            f"{' '.join(command)}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}"
        )
    return result


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the repository as it stands."""
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT]
    build = run(*command, within=folder, check=False)
    if build.returncode and re.search(r"No matching distribution|ConnectionError|resolution", build.stdout):
        pytest.skip("no package index can be reached: nothing can be built or installed")
    assert build.returncode == 0, build.stdout[-3000:] + build.stderr[-3000:]
    return next(folder.glob("nousu-*.tar.gz"))


def without_compiler(folder: Path) -> str:
    """A PATH on which there is Python and no compiler."""
    folder.mkdir(exist_ok=True)
    (folder / "python3").symlink_to(sys.executable)
    return str(folder)


def wheel(sdist: Path, folder: Path, *options: object, **surroundings: str) -> Path:
    """The wheel that pip makes of the sdist."""
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, *options, sdist]
    run(*pip, within=folder, **surroundings)
    return next(folder.glob("nousu-*.whl"))


class Installed:
    """A clean virtual environment with the package in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=True)
        self.python = folder / "env" / "bin" / "python"

    def pip(self, *words: object, **surroundings: str) -> Run:
        return run(self.python, "-m", "pip", *words, within=self.folder, **surroundings)

    def nousu(self, *words: object, check: bool = True, **surroundings: str) -> Run:
        script = self.folder / "env" / "bin" / "nousu"
        return run(script, *words, within=self.folder, check=check, **surroundings)

    def packages(self) -> set[str]:
        listed = json.loads(self.pip("list", "--format=json").stdout)
        return {one["name"].lower() for one in listed}


def plays(here: Installed, compiled: bool) -> None:
    """Rules, records, solver and simulation work in a bare installation, and say what they are made by."""
    (here.folder / "deals.txt").write_text(DEALS)
    simulated = here.nousu("simulate", "tuppi", "--hands", 3, "--json", "--records", "kept")
    made = json.loads(simulated.stdout)["made_by"]
    version = here.nousu("--version").stdout
    assert (made["core"] is not None) == compiled
    assert made["nousu"] in version and made["rules"] in version
    assert ("no compiled core" in version) != compiled
    solved = here.nousu("solve", "--kind", "nolo", "--json", "deals.txt")
    answer = json.loads(solved.stdout)
    assert answer["leaders"]["N"]["value"] == 2 and answer["made_by"] == made
    assert ("SLOW: nousu was installed without a C++ compiler" in solved.stderr) != compiled
    record = next((here.folder / "kept").glob("*.nousu"))
    assert json.loads(here.nousu("replay", "--json", record).stdout)["made_by"] == made
    arena = here.nousu("arena", "rules", "random", "--pairs", 1, "--json", "--workers", 1)
    assert json.loads(arena.stdout)["made_by"] == made
    finnish = here.nousu("play", "tuppi", "--lang", "fi", "--plain", "--seed", 1, "--pace", 0)
    assert "Kortit on jaettu." in finnish.stdout
    facade = """import nousu
match = nousu.start('tuppi', seed=1)
assert nousu.read(nousu.write(match)).match == match
print(match)"""
    assert run(here.python, "-I", "-c", facade, within=here.folder).stdout.startswith("<Match tuppi: hand 1")


def researches(here: Installed) -> None:
    """With NumPy and no other package: the tasks that need no more, from their pages."""
    here.pip("install", "numpy")
    assert here.packages() - {"pip", "setuptools", "wheel"} >= {*BASE, "numpy"}
    for name in NUMPY_ALONE:
        code = first_code(name, quick=False)
        assert run(here.python, "-I", "-c", code, within=here.folder).stdout.strip(), name


def serves(here: Installed) -> None:
    """The server starts on a free port, shows its first page and stops when it is told to."""
    script = here.folder / "env" / "bin" / "nousu"
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(here.folder), "PYTHONUNBUFFERED": "1"}
    with started(
        [str(script), "serve", "--port", "0", "--database", str(here.folder / "tables.db")],
        cwd=here.folder,
        env=surroundings,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert found, said
            page = _first_page(found[0])
            assert "Nousu" in page and "<html" in page
        finally:
            server.terminate()
            server.wait(30)


def _first_page(address: str) -> str:
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nobody answers at {address}")


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)  # environments are large


@pytest.mark.slow
def test_package_without_a_compiler_says_so(sdist: Path, bare: Path) -> None:
    path = without_compiler(bare / "bin")
    pure = wheel(sdist, bare, PATH=path)
    assert re.fullmatch(r"nousu-[\d.]+-0uncompiled-py3-none-any\.whl", pure.name)
    here = Installed(bare)
    here.pip("install", pure)
    closure = here.packages() - {"pip", "setuptools", "wheel"}
    assert closure >= BASE
    assert not closure & {"starlette", "sqlalchemy", "numpy", "reportlab", "openpyxl", "babel"}, closure
    plays(here, compiled=False)
    result = here.nousu("serve", "--port", 0, check=False)
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "this needs more packages; install them with: pip install 'nousu[server]'" in result.stderr
    with_compiler = here.nousu("doctor", check=False, PATH=f"{path}:{bare / 'compiler'}").stderr
    (bare / "compiler").mkdir()
    (bare / "compiler" / "g++").write_text("#!/bin/sh\n")
    (bare / "compiler" / "g++").chmod(0o755)
    after = here.nousu("doctor", check=False, PATH=f"{path}:{bare / 'compiler'}").stderr
    assert "install a C++ compiler" in with_compiler and "there is a compiler now (g++)" in after


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_package_with_a_compiler_is_compiled_whatever_pip_has_kept(sdist: Path, bare: Path) -> None:
    """pip keeps the wheel it built without a compiler and takes it again later: the command says so and
    names the cure, which works."""
    path = without_compiler(bare / "bin")
    kept = {"PIP_CACHE_DIR": str(bare / "kept")}
    here = Installed(bare)
    nousu = f"nousu @ {sdist.as_uri()}"  # pip looks among its wheels for what has a name
    here.pip("install", nousu, PATH=path, **kept)
    here.pip("uninstall", "-y", "nousu")
    here.pip("install", nousu, **kept)
    result = here.nousu("simulate", "tuppi", "--hands", 1).stderr
    cure = re.search(r"there is a compiler now .*: pip (install .*) nousu\n", result)
    assert cure, result
    here.pip(*cure[1].split(), nousu, **kept)
    plays(here, compiled=True)
    researches(here)
    here.pip("install", "nousu[server,tournament]")
    serves(here)
    result = next(here.folder.glob("env/lib/*/site-packages/nousu-*.dist-info/WHEEL")).read_text()
    assert re.search(r"^Tag: cp3\d+-(cp3\d+|abi3)-\w+$", result, re.MULTILINE) and "Build:" not in result
