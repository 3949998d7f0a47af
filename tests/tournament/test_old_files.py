"""Tournament files written by commit 4bbe4a6 open and give the same standings, exports and checks."""

import hashlib
from pathlib import Path

import pytest

from nousu.tournament.export import to_json
from nousu.tournament.formats import digest
from nousu.tournament.office import Office
from nousu.tournament.verify import verify

DATA = Path(__file__).parent / "data"
STANDINGS = {
    "tuppen": "e6580c079b18f9026e0f3c6fb195dea3986287d9efd5443806c7e12047b2963d",
    "tuppi": "dff1a6d64ed6fc0d0800b1cb6e9d4a9172f1b4160b5aed788d25e69061403182",
    "drive": "d01142403e6cc858a976e05093a8f097c95da11fa70fae4afdb3e75670949d49",
}
EXPORTS = {
    "tuppen": "afdf2fed5d10c5cefd8cda87aed4a640b0f3e7ff5e3ddfc1a8abad1bf1b6dbec",
    "tuppi": "ee4169e682be6024e5c02a1ecd9ef10adb18c8a9cd9edb6aed58f398008b1683",
    "drive": "94fe21d428362bfa9b11b550f17cd4a00a197031ed5cd0f17e358f7c943edec6",
}


@pytest.mark.parametrize("name", STANDINGS)
def test_old_files_open_and_give_the_same_standings(name: str) -> None:
    opened = Office(DATA / f"{name}.nousu").open()
    state = opened.tournament
    assert digest(state.format.standings(state)) == STANDINGS[name]
    assert state.publications and all(check.good for check in verify(opened))
    export = to_json(state, opened.log)
    assert hashlib.sha256(export.encode()).hexdigest() == EXPORTS[name]


@pytest.mark.parametrize("name", STANDINGS)
def test_old_files_are_written_byte_for_byte_alike(name: str, tmp_path: Path) -> None:
    data = (DATA / f"{name}.nousu").read_bytes()
    opened = Office(DATA / f"{name}.nousu").open()
    office = Office(tmp_path / "again")
    office.take(opened.log.events)
    assert office.log_bytes() == data
