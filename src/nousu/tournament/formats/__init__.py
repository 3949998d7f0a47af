"""The kinds of event, by name, and their common parts."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from nousu.tournament.formats.drive import Drive
from nousu.tournament.formats.tuppen import TuppenSeries
from nousu.tournament.formats.tuppi import TuppiPairs
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Called, Format, Json, Standings

FORMATS: dict[str, type[TuppenSeries] | type[TuppiPairs] | type[Drive]] = {
    "tuppen": TuppenSeries,
    "tuppi": TuppiPairs,
    "drive": Drive,
}


def make(about: Json) -> Format:
    """A format from its name and options; `Refusal` names the option that does not fit."""
    options = dict(about)
    name = str(options.pop("name", ""))
    if name not in FORMATS:
        raise Refusal(
            "there is no format {name}; the formats are {formats}",
            values={"name": name, "formats": ", ".join(FORMATS)},
            where="format",
        )
    return FORMATS[name].from_json(options)


def called_in(first: bytes) -> Called:
    """Name of the rounds of an event, by the first line of its file; ``round`` if it says nothing."""
    try:
        return FORMATS[json.loads(first)["format"]["name"]].called
    except (ValueError, LookupError, TypeError):
        return "round"


def from_words(name: str, words: Sequence[str]) -> dict[str, Any]:
    """Options written ``series=5``, ``place_points=5,3,2,1,0`` or ``lowest=yes``, as values."""
    known = {field.name: field.default for field in fields(FORMATS[name])} if name in FORMATS else {}
    values: dict[str, Any] = {}
    for word in words:
        option, equals, text = word.partition("=")
        default = known.get(option)
        if not equals or default is None:
            raise Refusal(
                "there is no option {word} here; write one of {known} as name=value",
                values={"word": word, "known": ", ".join(known)},
                where="option",
            )
        values[option] = _value(option, text.strip(), default)
    return values


def _value(option: str, text: str, default: Any) -> Any:
    """The meaning of `text` for an option with that default."""
    try:
        if isinstance(default, bool):
            return {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}[
                text.lower()
            ]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, tuple):
            return [int(part) for part in text.split(",")]
    except (ValueError, KeyError):
        shown = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
        shown = "yes" if isinstance(default, bool) else shown
        raise Refusal(
            "{name} cannot be {text}; it is written like {example}",
            values={"name": option, "text": text or "-", "example": shown},
            where="option",
        ) from None
    return text


def digest(standings: Standings) -> str:
    """A fingerprint of ranks and figures."""
    text = json.dumps(standings.core(), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
