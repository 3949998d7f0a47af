"""requirements.lock: what `make run` installs comes by hashes, and by the versions of constraints.txt."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_packages_that_run_are_pinned_with_hashes() -> None:
    text = (ROOT / "requirements.lock").read_text()
    entry = r"^([A-Za-z0-9._-]+(?:\[[a-z,]+\])?)==(\S+)(.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)*)"
    entries = re.findall(entry, text, re.M)
    assert len(entries) > 30
    pinned = {_plain(line.partition("==")[0]): line.partition("==")[2] for line in _constraints()}
    for name, version, rest in entries:
        assert "--hash=sha256:" in rest, name
        assert pinned.get(_plain(name)) == version, f"{name} {version}: constraints.txt says otherwise"
    names = {_plain(name) for name, _, _ in entries}
    wanted = re.search(r"^server = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.M | re.S)
    assert wanted is not None
    for declared in re.findall(r'"([A-Za-z0-9_-]+)', wanted[1]):
        assert _plain(declared) in names, (
            f"{declared} is declared and not locked: make requirements.lock again"
        )


def _constraints() -> list[str]:
    return (ROOT / "constraints.txt").read_text().split()


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.partition("[")[0]).lower()
