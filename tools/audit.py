"""Audit of the product's parts: known faults of its packages, licences, and secrets left in files.

``python -m tools.audit`` prints a line for each part that is in order and for each fault, and ends with 1
where something is wrong. Packages are those of ``requirements.lock``, looked up by pip-audit; without
pip-audit or without a connection it says that nothing was looked up, and goes on.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
Finding = tuple[str, str]
"""ok, note or wrong, and a sentence."""

LICENCES = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software Foundation|MPL|Mozilla|ISC|0BSD|Zlib|Unlicense|LGPL|Lesser General",
    re.I,
)
"""Licences under which a package may be installed beside the product."""
SECRETS = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a key of a cloud": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a token of a code host": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20})\b",
    "a token of a package index": r"\bpypi-AgEIcHlwaS[A-Za-z0-9_-]{50,}",
    "a token of a chat": r"\bxox[abprs]-[A-Za-z0-9-]{20,}",
    "a signed token": r"\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "a password in an address": r"[a-z+]{3,}://[^\s/:@'\"{}…]+:[^\s/:@'\"{}…]{3,}@[a-z0-9.-]+\.[a-z]{2,}",
    "a secret written out": (
        r"(?i)\b(?:passw(?:or)?d|secret|api_?key|token)\b[\"']?\s*[:=]\s*"
        r"[\"'](?=[^\"']*\d)[A-Za-z0-9+/_=-]{20,}[\"']"
    ),
}
"""Patterns of secrets, which no file may hold."""
_VENDORED = ("vendor", "fonts")
"""Folders of files that others have written."""
_HEAD = re.compile(r"\d+\.\d+.*https://\S+.*licence", re.I)
"""The first line of a vendored script: version, address and licence."""
_MINIFIED = 2000
"""Characters of a line from which on a script counts as minified."""


def tracked_files(root: Path) -> list[Path]:
    """The files of a checkout; without git those of the folders that a checkout has."""
    if shutil.which("git") and (root / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
        return [root / name for name in listed.decode().split("\0") if name and (root / name).is_file()]
    folders = ("src", "tests", "tools", "bench", "cpp", "docs", "packaging")
    return [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]


def secrets_in(files: Sequence[Path], root: Path) -> Iterator[Finding]:
    """Look for secrets; a finding never shows them."""
    patterns = {name: re.compile(pattern) for name, pattern in SECRETS.items()}
    for path in files:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for name, pattern in patterns.items():
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield "wrong", f"{path.relative_to(root)}:{line} holds {name}"


def licences_of_files(files: Sequence[Path], root: Path) -> Iterator[Finding]:
    """Check that all files by others name their licence beside them."""
    for path in files:
        name = path.relative_to(root)
        is_vendored = any(folder in name.parts for folder in _VENDORED)
        if is_vendored and "LICENSE" not in path.name:
            stem = path.name.split(".")[0]
            beside = [path.with_name(f"{stem}-LICENSE.txt"), path.with_name("LICENSE.txt")]
            if not any(licence.exists() for licence in beside):
                yield "wrong", f"{name} has no licence beside it"
            if path.suffix == ".js" and not _HEAD.search(path.read_text("utf-8").partition("\n")[0]):
                yield (
                    "wrong",
                    f"{name} does not say in its first line what it is, where from and under which licence",
                )
        elif not is_vendored and path.suffix in (".ttf", ".otf", ".woff", ".woff2"):
            yield "wrong", f"{name} is a font outside a folder of fonts"
        elif not is_vendored and path.suffix in (".js", ".css") and _is_minified(path):
            yield "wrong", f"{name} is minified; what others have written stands in a folder named vendor"


def _is_minified(path: Path) -> bool:
    return any(len(line) > _MINIFIED for line in path.read_text("utf-8").splitlines())


def locked_packages(root: Path) -> list[str]:
    """Names of the packages that ``requirements.lock`` pins."""
    return re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==", (root / "requirements.lock").read_text(), re.M)


def licences_of_packages(names: Sequence[str]) -> Iterator[Finding]:
    """Check the licences of those packages that are installed here."""
    for name in names:
        try:
            about = metadata(name)
        except PackageNotFoundError:
            continue
        texts = [text for field in ("License-Expression", "License") for text in about.get_all(field, [])]
        licences = texts + [text for text in about.get_all("Classifier", []) if text.startswith("License")]
        if not any(LICENCES.search(text) for text in licences):
            yield (
                "wrong",
                f"{name} is installed under a licence that is not known to fit: {licences[:1]}",
            )


def known_faults(
    root: Path, command: Sequence[str] = (sys.executable, "-m", "pip_audit")
) -> Iterator[Finding]:
    """Look up the known faults of the pinned packages."""
    options = ("--disable-pip", "--progress-spinner=off", "--format=json", "--timeout=10")
    try:
        done = subprocess.run(
            [*command, "-r", str(root / "requirements.lock"), "--require-hashes", *options],
            capture_output=True,
            text=True,
            timeout=300,
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired) as error:
        yield "note", f"known faults were NOT looked up: {error}"
        return
    except (ValueError, KeyError):
        *_, reason = done.stderr.strip().splitlines() or ["pip-audit said nothing"]
        if "No module named pip_audit" in reason:
            reason = "pip-audit is not installed; make audit installs it where it can"
        yield "note", f"known faults were NOT looked up: {reason}"
        return
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    for package in packages:
        for fault in package.get("vulns", ()):
            mended = ", ".join(fault.get("fix_versions", ())) or "no version yet"
            yield "wrong", f"{package['name']} {package['version']}: {fault['id']}, mended in {mended}"
    if skipped:
        count = f"{len(skipped)} of {len(packages)} packages"
        yield (
            "note",
            f"known faults of {count} were NOT looked up: the list of faults cannot be reached from here",
        )


def audit(root: Path = ROOT) -> list[Finding]:
    """The findings of all parts; one that all is well for a part without any."""
    files, packages = tracked_files(root), locked_packages(root)
    parts = {
        f"no secrets in {len(files)} files": secrets_in(files, root),
        "everything written by others has its licence beside it": licences_of_files(files, root),
        f"licences of {len(packages)} packages fit": licences_of_packages(packages),
        f"no known faults of {len(packages)} packages": known_faults(root),
    }
    findings: list[Finding] = []
    for about, part in parts.items():
        faults = list(part)
        findings += faults or [("ok", about)]
    return findings


def main() -> int:
    """Print the findings; return 1 if one is wrong."""
    findings = audit()
    for state, sentence in findings:
        print(f"{state:5}  {sentence}")
    return int(any(state == "wrong" for state, _ in findings))


if __name__ == "__main__":
    sys.exit(main())
