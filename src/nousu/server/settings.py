"""Settings of a server, given by a flag, the environment or a file.

A flag overrides the environment, the environment overrides the file (TOML, named by ``--config`` or
``NOUSU_CONFIG``), the file overrides the default. ``python -m nousu.server.settings`` prints the table of
docs/host/hosting.md.
"""

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from nousu.engine.encodings import BadText, decode
from nousu.server.http.addresses import BadAddress, Network, PublicAddress, host_of, parse_networks

CONFIG_VARIABLE = "NOUSU_CONFIG"
"""Environment variable that names the file."""
_PREFIX = "NOUSU_"


class BadSetting(ValueError):
    """A wrong setting; the text is a sentence with its name, its source and the right form."""


def _parse_port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ValueError(f"{text[:40]!r} is not a whole number from 0 to 65535")
    return int(text)


def _parse_workers(text: str) -> int | None:
    if text and (not text.isdecimal() or int(text) > 1024):
        raise ValueError(f"{text[:40]!r} is not a whole number from 0 to 1024")
    return int(text) if text else None


def _parse_pace(text: str) -> float | None:
    try:
        seconds = float(text) if text else None
    except ValueError:
        seconds = -1.0
    if seconds is not None and not 0 <= seconds <= 60:
        raise ValueError(f"{text[:40]!r} is not a number of seconds from 0 to 60")
    return seconds


def _parse_public(text: str) -> PublicAddress | None:
    return PublicAddress.parse(text) if text else None


def _parse_networks(text: str) -> tuple[Network, ...]:
    return parse_networks(text.replace(",", " ").split())


def _parse_limits(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError(f"{text[:40]!r} is neither 'on' nor 'off'")
    return text == "on"


def _parse_push(text: str) -> str:
    if text not in ("on", "off", "anywhere"):
        raise ValueError(f"{text[:40]!r} is neither 'on' nor 'off' nor 'anywhere'")
    return text


def _parse_new_events(text: str) -> str:
    kind, colon, code = text.partition(":")
    if text not in ("anybody", "here") and not (colon and kind == "code"):
        raise ValueError(f"{text[:40]!r} is neither 'anybody' nor 'here' nor 'code:' with a code")
    if colon and (len(code) < 8 or not code.isascii() or not code.isprintable() or " " in code):
        raise ValueError("write a code of at least 8 plain characters without spaces")
    return text


def _parse_token(text: str) -> str:
    if text and (len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text):
        raise ValueError("write at least 16 plain characters without spaces")
    return text


def _setting(default: object, about: str, without: str, flag: str = "") -> Any:
    """A setting: its meaning, its default, and its option of ``nousu serve``, if there is one."""
    return Field(default, description=about, json_schema_extra={"without": without, "flag": flag})


class Settings(BaseSettings):
    """The settings, in the order of the documentation.

    A name is that of the file; the variable of the environment is in capitals, with the prefix ``NOUSU_``.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, env_ignore_empty=True, enable_decoding=False, extra="forbid", frozen=True,
        validate_default=False,
    )  # fmt: skip

    host: Annotated[str, BeforeValidator(host_of)] = _setting(
        "127.0.0.1", "The address to listen on; 0.0.0.0 means all of them.", "`127.0.0.1`", "--host"
    )
    port: Annotated[int, BeforeValidator(_parse_port)] = _setting(
        8000, "The port to listen on; 0 takes any free one.", "`8000`", "--port"
    )
    database: str = _setting(
        "", "A file, or postgresql://…", "`nousu/nousu.db` among the user's data", "--database"
    )
    public: Annotated[PublicAddress | None, BeforeValidator(_parse_public)] = _setting(
        None,
        "The address that people use, https://cards.example: links, origins and Secure cookies follow it.",
        "whatever address a request names",
        "--public",
    )
    proxies: Annotated[tuple[Network, ...], BeforeValidator(_parse_networks)] = _setting(
        (),
        "Addresses of proxies whose X-Forwarded-For and -Proto are believed, separated by commas.",
        "nobody's",
        "--trusted-proxy",
    )
    workers: Annotated[int | None, BeforeValidator(_parse_workers)] = _setting(
        None, "Processes in which computer players think (0: a thread).", "all cores but one"
    )
    pace: Annotated[float | None, BeforeValidator(_parse_pace)] = _setting(
        None, "Seconds a computer player takes for a card.", "0.7"
    )
    tournaments: str = _setting("", "The folder of tournament files.", "`tournaments` beside the database")
    new_events: Annotated[str, BeforeValidator(_parse_new_events)] = _setting(
        "anybody",
        "Who may begin a tournament by the pages: `anybody`, `code:…` with that code, `here` a browser on"
        " this computer only.",
        "`anybody`, but `here` for `nousu tournament desk`",
    )
    limits: Annotated[bool, BeforeValidator(_parse_limits)] = _setting(
        True,
        "`off` counts no requests (tests, measurements).",
        "`on`, see `nousu.server.http.rate_limits.DEFAULT_RATES`",
    )
    push: Annotated[Literal["on", "off", "anywhere"], BeforeValidator(_parse_push)] = _setting(
        "on",
        "`off` sends no notices to closed pages; `anywhere` sends them to every address, even within your"
        " own network and by http (tests).",
        "`on`",
    )
    metrics_token: Annotated[str, BeforeValidator(_parse_token)] = _setting(
        "", "Whoever sends it as `Authorization: Bearer …` may read /metrics.", "no token is accepted"
    )
    metrics_from: Annotated[tuple[Network, ...], BeforeValidator(_parse_networks)] = _setting(
        (), "Addresses that may read /metrics, separated by commas.", "no address may"
    )
    _sources: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @property
    def sources(self) -> Mapping[str, str]:
        """The source of each setting that is not the default: its flag, its variable or the file."""
        return self._sources

    @field_validator("*", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> str:
        """A value of the file as it would be written in the environment."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, str | int | float):
            return str(value)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return ",".join(value)
        raise ValueError("write a text, a number or a list of texts")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the environment, then the file of ``toml_file``."""
        return init_settings, env_settings, _File(settings_cls)


class _File(TomlConfigSettingsSource):
    """The settings of a file, in any Unicode with or without a byte order mark."""

    def _read_file(self, file_path: Path | Traversable) -> dict[str, Any]:
        return tomllib.loads(decode(file_path.read_bytes()))


def load_settings(flags: Mapping[str, str] | None = None, config: Path | None = None) -> Settings:
    """The settings that apply.

    Args:
        flags: those given with the command, by name of the setting.
        config: the file; None for the one that the environment names, if it names any.

    Raises:
        BadSetting: one is wrong, or the file cannot be read.
    """
    values: dict[str, Any] = dict(flags or {})
    if config is None and os.environ.get(CONFIG_VARIABLE):
        config = Path(os.environ[CONFIG_VARIABLE])

    class Loaded(Settings):
        model_config = SettingsConfigDict(toml_file=config)

        def model_post_init(self, context: object) -> None:
            given = [name for name in Settings.model_fields if name in self.model_fields_set]
            self._sources = {name: _source(name, values, config) for name in given}

    try:
        if config is not None:
            config.open("rb").close()  # pydantic-settings passes over a file that is missing
        return Loaded(**values)
    except OSError as error:
        raise BadSetting(f"{config}: {error.strerror}") from None
    except BadText as error:
        raise BadSetting(f"{config}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{config}: {error}") from None
    except ValidationError as error:
        raise BadSetting(_sentence(error, values, config)) from None


def option(name: str) -> tuple[str, str]:
    """The flag of a setting, empty if there is none, and its meaning."""
    field = Settings.model_fields[name]
    return _extra(name)["flag"], field.description or ""


def variable(name: str) -> str:
    """The variable of a setting in the environment."""
    return _PREFIX + name.upper()


def table() -> str:
    """Render the list of settings of the documentation."""
    lines = []
    for name in Settings.model_fields:
        flag, about = option(name)
        names = ", ".join(f"`{word}`" for word in (variable(name), flag) if word)
        text = f"`{name}` ({names}): {about} Without it: {_extra(name)['without']}."
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


def _extra(name: str) -> dict[str, str]:
    extra = Settings.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    return {key: str(value) for key, value in extra.items()}


def _source(name: str, flags: Mapping[str, str], config: Path | None) -> str:
    if name in flags:
        return option(name)[0] or name
    return variable(name) if config is None or os.environ.get(variable(name)) else str(config)


def _sentence(error: ValidationError, flags: Mapping[str, str], config: Path | None) -> str:
    """The first mistake of several."""
    first = error.errors()[0]
    name = str(first["loc"][0])
    if name not in Settings.model_fields:
        near = get_close_matches(name, Settings.model_fields, 1)
        hint = f"did you mean {near[0]}?" if near else "the settings are " + ", ".join(Settings.model_fields)
        return f"{config}: there is no setting {name!r}; {hint}"
    why = first["ctx"]["error"]
    label = "" if isinstance(why, BadAddress) else f"{name}: "
    return f"{_source(name, flags, config)}: {label}{why}"


if __name__ == "__main__":
    print(table())
