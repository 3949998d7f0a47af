"""What people and programs send to a table, read."""

import hashlib
import json
from collections.abc import Mapping

from nousu.engine.actions import Action, parse_action
from nousu.engine.messages import Explained
from nousu.server.errors import RequestError


def fingerprint(*parts: object) -> str:
    """A hash of all that came with an idempotency key."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def seconds(options: Mapping[str, str], name: str, default: float) -> float:
    """An option in seconds, from 0 to 60; `RequestError`."""
    text = options.get(name, "")
    if not text:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise RequestError("{text} is not allowed; write seconds from 0 to 60", {"text": f"{name}={text}"})
    return seconds


def parsed(text: str) -> Action:
    """An action as it is written; `RequestError`."""
    try:
        return parse_action(text)
    except Explained as error:
        raise RequestError(error.note.message, error.note.values) from None
