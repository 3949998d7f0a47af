"""A folder of the atlas completed: tables, page, pictures, licence and description."""

from pathlib import Path
from typing import Any

from nousu.datasets.publish import Column, publish
from tools.atlas.counting import write
from tools.atlas.page import command, page, pictures
from tools.atlas.solving import COLUMNS

_MEANINGS = {
    "deal": Column("deal", "the number of the deal; the seed and it decide the cards"),
    "cards": Column("cards", "the hands as PBN writes them", "sc:Text"),
    "kind": Column("kind", "rami or nolo, by the bids", "sc:Text"),
    "leader": Column("leader", "who led to the first trick", "sc:Text"),
    "par": Column("par", "what North–South take by perfect play"),
    "both": Column("both", "what they took when nobody saw more than the own cards"),
    "ns": Column("ns", "what they took when East–West saw all cards and never erred"),
    "ew": Column("ew", "what they took when they saw all cards and never erred, and East–West did not"),
} | {seat: Column(seat, f"what North–South take when {seat} leads") for seat in "NESW"}


def finish(folder: Path, page_file: Path | None = None) -> dict[str, Any]:
    """Count the deals of a folder and write tables, licence, description and checksums; returns the tables.

    With `page_file` the page too, and its pictures in ``img`` beside it.
    """
    atlas = write(folder)
    deals = atlas["deals"]
    (folder / "README.md").write_text(_card(atlas), "utf-8")
    files = {f"{kind}.csv": [_MEANINGS[name] for name in COLUMNS[kind]] for kind in COLUMNS if deals[kind]}
    about = (
        f"{deals['rami']} random deals of 52 cards solved with all cards seen as rami for four leaders, "
        f"{deals['nolo']} as nolo, {deals['hidden']} played with hidden cards."
    )
    publish(folder, f"nousu-atlas-{atlas['seed']}", about, files | {"tables.json": []})
    if page_file is not None:
        page_file.write_text(page(atlas), "utf-8")
        images = page_file.parent / "img"
        images.mkdir(exist_ok=True)
        for name, picture in pictures(atlas).items():
            (images / name).write_text(picture, "utf-8")
    return atlas


def _card(atlas: dict[str, Any]) -> str:
    deals, made = atlas["deals"], atlas["made_by"]
    columns = "\n".join(f"| `{column.name}` | {column.meaning} |" for column in _MEANINGS.values())
    return f"""# Random deals of 52 cards, solved

`rami.csv`: {deals["rami"]:,} deals for four leaders; `nolo.csv`: {deals["nolo"]:,} with North to lead;
`hidden.csv`: {deals["hidden"]:,} played by `{atlas["player"]}`; `tables.json`: what they say. Made by

    {command(atlas)}

with nousu {made["nousu"]} (rules {made["rules"]}). The same command goes on if it was broken off, and with
larger numbers adds deals. `python -m tools.atlas check FOLDER` compares checksums and deals and solves some
again.

| column | |
|---|---|
{columns}

Licence: CC0 1.0.
"""
