"""The atlas: random deals of 52 cards solved as rami and as nolo, as tables of figures.

``python -m tools.atlas make FOLDER`` solves deals and counts them (`make atlas` does it for the page); an
interrupted run continues with the same command. The tables of docs/research/atlas.md are kept here:

>>> atlas = tables()
>>> sum(atlas["rami"]["par"].values()) == 4 * atlas["deals"]["rami"]
True
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

__all__ = ["tables"]

TABLES = "tables.json"


def tables(folder: Path | str | None = None) -> dict[str, Any]:
    """The tables kept here, or those of a folder that ``python -m tools.atlas make`` has written.

    A row of figures is ``[count, mean, half]``: the number of leads or deals behind it, their mean, and half
    of its 95 % interval (None for fewer than thirty). docs/research/atlas.md says what each table counts.
    ValueError if the folder holds none.
    """
    source = files(__name__) / TABLES if folder is None else Path(folder) / TABLES
    try:
        counts: dict[str, Any] = json.loads(source.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{folder} holds no atlas: {error.strerror} ({error.filename})") from None
    return counts
