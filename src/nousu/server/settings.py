"""How tables are hosted: every setting once, whether it comes by a flag, the environment or a file.

A flag of the command counts before the environment, the environment before the file (TOML, named by
``--config`` or ``NOUSU_CONFIG``), the file before the default. The table of docs/host/hosting.md is printed
by ``python -m nousu.server.settings``.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from textwrap import fill
from typing import Any

from nousu.server.http.addresses import BadAddress, Network, Public, networks


class BadSetting(ValueError):
    """A setting is wrong; the text is a sentence that says which, where it stands and what would be right."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting."""

    name: str
    """What it is called in the file; with NOUSU\\_ before it and in capitals, in the environment."""
    read: Callable[[str], Any]
    """Makes its value of a text; `ValueError` with a sentence where it cannot."""
    default: str
    about: str
    otherwise: str
    """What holds without it, in words."""
    flag: str = ""
    """The option of ``nousu serve``; empty: there is none."""

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return f"NOUSU_{self.name.upper()}"


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ValueError(f"{text[:40]!r} is not a whole number from 0 to 65535")
    return int(text)


def _workers(text: str) -> int | None:
    if text and (not text.isdecimal() or int(text) > 1024):
        raise ValueError(f"{text[:40]!r} is not a whole number from 0 to 1024")
    return int(text) if text else None


def _pace(text: str) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        found = -1.0
    if found is not None and not 0 <= found <= 60:
        raise ValueError(f"{text[:40]!r} is not a number of seconds from 0 to 60")
    return found


def _public(text: str) -> Public | None:
    return Public.read(text) if text else None


def _networks(text: str) -> tuple[Network, ...]:
    return networks(text.replace(",", " ").split())


def _limits(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError(f"{text[:40]!r} is neither 'on' nor 'off'")
    return text == "on"


def _push(text: str) -> str:
    if text not in ("on", "off", "anywhere"):
        raise ValueError(f"{text[:40]!r} is neither 'on' nor 'off' nor 'anywhere'")
    return text


def _token(text: str) -> str:
    if text and (len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text):
        raise ValueError("write at least 16 plain characters without spaces")
    return text


SETTINGS = (
    Setting(
        "host",
        str,
        "127.0.0.1",
        "The address to listen on; 0.0.0.0 means all of them.",
        "`127.0.0.1`",
        "--host",
    ),
    Setting("port", _port, "8000", "The port to listen on; 0 takes any free one.", "`8000`", "--port"),
    Setting(
        "database",
        str,
        "",
        "A file, or postgresql://…",
        "`nousu/nousu.db` among the user's data",
        "--database",
    ),
    Setting(
        "public",
        _public,
        "",
        "The address that people use, https://cards.example: links, origins and Secure cookies follow it.",
        "whatever address a request names",
        "--public",
    ),
    Setting(
        "proxies",
        _networks,
        "",
        "Addresses of proxies whose X-Forwarded-For and -Proto are believed, separated by commas.",
        "nobody's",
        "--trusted-proxy",
    ),
    Setting(
        "workers",
        _workers,
        "",
        "Processes in which computer players think (0: a thread).",
        "all cores but one",
    ),
    Setting("pace", _pace, "", "Seconds a computer player takes for a card.", "0.7"),
    Setting("tournaments", str, "", "The folder of tournament files.", "`tournaments` beside the database"),
    Setting(
        "limits",
        _limits,
        "on",
        "`off` counts no requests (tests, measurements).",
        "`on`, see `nousu.server.http.rate_limits.DEFAULT`",
    ),
    Setting(
        "push",
        _push,
        "on",
        "`off` sends no notices to closed pages; `anywhere` sends them to every address, even within your"
        " own network and by http (tests).",
        "`on`",
    ),
    Setting(
        "metrics_token",
        _token,
        "",
        "Whoever sends it as `Authorization: Bearer …` may read /metrics.",
        "no token is accepted",
    ),
    Setting(
        "metrics_from",
        _networks,
        "",
        "Addresses that may read /metrics, separated by commas.",
        "no address may",
    ),
)
"""All settings, in the order of the documentation."""
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}
VARIABLE = "NOUSU_CONFIG"
"""Names the file in the environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """All settings as they hold."""

    host: str
    port: int
    database: str
    public: Public | None
    proxies: tuple[Network, ...]
    workers: int | None
    pace: float | None
    tournaments: str
    limits: bool
    push: str
    metrics_token: str
    metrics_from: tuple[Network, ...]
    sources: Mapping[str, str]
    """Where each setting comes from: its flag, its variable, the file; not those that are the default."""


def settled(
    flags: Mapping[str, str] | None = None,
    config: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Hosting:
    """The settings as they hold. `flags` are those given with the command, by name; `config` the file (None:
    the one named by the environment, if there is one). `BadSetting`."""
    given = os.environ if environment is None else environment
    if config is None and given.get(VARIABLE):
        config = Path(given[VARIABLE])
    written = _file(config) if config is not None else {}
    values, sources = {}, {}
    for setting in SETTINGS:
        if flags and setting.name in flags:
            text, source = flags[setting.name], setting.flag or setting.name
        elif given.get(setting.variable):
            text, source = given[setting.variable], setting.variable
        elif setting.name in written:
            text, source = written[setting.name], str(config)
        else:
            text, source = setting.default, ""
        try:
            values[setting.name] = setting.read(text)
        except BadAddress as error:
            raise BadSetting(f"{source}: {error}") from None
        except ValueError as error:
            raise BadSetting(f"{source}: {setting.name}: {error}") from None
        if source:
            sources[setting.name] = source
    return Hosting(**values, sources=sources)


def _file(path: Path) -> dict[str, str]:
    """The settings of a file, each as a text."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadSetting(f"{path}: this is no UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{path}: {error}") from None
    return {name: _text(path, name, value) for name, value in found.items()}


def _text(path: Path, name: str, value: object) -> str:
    if name not in BY_NAME:
        near = get_close_matches(name, BY_NAME, 1)
        hint = f"did you mean {near[0]}?" if near else "the settings are " + ", ".join(BY_NAME)
        raise BadSetting(f"{path}: there is no setting {name!r}; {hint}")
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    raise BadSetting(f"{path}: {name}: write a text, a number or a list of texts")


def table() -> str:
    """Render the list of settings of the documentation."""
    lines = []
    for setting in SETTINGS:
        names = ", ".join(f"`{name}`" for name in (setting.variable, setting.flag) if name)
        text = f"`{setting.name}` ({names}): {setting.about} Without it: {setting.otherwise}."
        lines.append(
            fill(
                text,
                119,
                initial_indent="- ",
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
