"""tools/audit: secrets, licences and known faults are found where they are planted, and nowhere else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools import audit

KEY = "-----BEGIN " + "RSA PRIVATE KEY-----"
PLANTED = (
    KEY,
    "key = AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a1" * 18,
    "postgresql://nousu:" + "hunter22@db.example/nousu",
    'token = "' + "a1b2c3d4e5f6g7h8i9j0k1" + '"',
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout in which all is well."""
    (tmp_path / "src" / "vendor").mkdir(parents=True)
    (tmp_path / "src" / "a.py").write_text("token = os.environ['TOKEN']\n")
    script = "/* thing 1.2, https://thing.example, licence MIT */\n" + "x" * 5000
    (tmp_path / "src" / "vendor" / "thing.min.js").write_text(script)
    (tmp_path / "src" / "vendor" / "thing-LICENSE.txt").write_text("MIT\n")
    (tmp_path / "requirements.lock").write_text("starlette==1.0\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def faults_of(checkout: Path) -> list[str]:
    """Faults of the files of a checkout."""
    subprocess.run(["git", "add", "."], cwd=checkout, check=True)
    files = audit.tracked_files(checkout)
    lines = [*audit.secrets_in(files, checkout), *audit.licences_of_files(files, checkout)]
    return [sentence for _, sentence in lines]


def test_audit_finds_nothing_in_this_tree() -> None:
    files = audit.tracked_files(audit.ROOT)
    assert len(files) > 500
    assert [*audit.secrets_in(files, audit.ROOT), *audit.licences_of_files(files, audit.ROOT)] == []
    assert [*audit.licences_of_packages(audit.locked_packages(audit.ROOT))] == []


@pytest.mark.parametrize("secret", PLANTED)
def test_planted_secret_is_found_and_not_shown(checkout: Path, secret: str) -> None:
    assert faults_of(checkout) == []
    (checkout / "src" / "notes.txt").write_text(f"one\n{secret}\n")
    (sentence,) = faults_of(checkout)
    assert sentence.startswith("src/notes.txt:2 holds a") and secret not in sentence


def test_file_of_others_without_its_licence_is_found(checkout: Path) -> None:
    (checkout / "src" / "vendor" / "other.js").write_text("export {};\n")
    (checkout / "src" / "table.js").write_text("x" * 5000)
    (checkout / "src" / "letters.woff2").write_bytes(b"\xff")
    assert [sentence.partition(" ")[0] for sentence in sorted(faults_of(checkout))] == [
        "src/letters.woff2",
        "src/table.js",
        "src/vendor/other.js",
        "src/vendor/other.js",
    ]


def answering(folder: Path, answer: str) -> tuple[str, ...]:
    """A program that says what pip-audit says."""
    (folder / "answer.py").write_text(f"print({answer!r})")
    return sys.executable, str(folder / "answer.py")


def test_known_faults_are_told_with_the_version_that_mends_them(checkout: Path) -> None:
    fault = {"id": "CVE-2026-1", "fix_versions": ["1.1"], "aliases": [], "description": ""}
    packages = [{"name": "starlette", "version": "1.0", "vulns": [fault]}]
    command = answering(checkout, json.dumps({"dependencies": packages, "fixes": []}))
    assert list(audit.known_faults(checkout, command)) == [
        ("wrong", "starlette 1.0: CVE-2026-1, mended in 1.1")
    ]


@pytest.mark.parametrize(
    "answer",
    ["", "no connection", '{"dependencies": [{"name": "starlette", "skip_reason": "not found"}]}'],
)
def test_audit_without_a_connection_says_what_was_not_looked_up(checkout: Path, answer: str) -> None:
    ((state, sentence),) = audit.known_faults(checkout, answering(checkout, answer))
    assert state == "note" and "NOT looked up" in sentence


def test_audit_without_its_tool_says_so(checkout: Path) -> None:
    ((state, sentence),) = audit.known_faults(checkout, (sys.executable, "-S", "-m", "pip_audit"))
    assert (state, sentence) == (
        "note",
        "known faults were NOT looked up: pip-audit is not installed; make audit installs it where it can",
    )
    ((state, sentence),) = audit.known_faults(checkout, ("no-such-program",))
    assert state == "note" and "no-such-program" in sentence


def test_audit_is_pinned_with_all_that_it_needs() -> None:
    pinned = (audit.ROOT / "constraints.txt").read_text().split()
    assert any(line.startswith("pip-audit==") for line in pinned)
