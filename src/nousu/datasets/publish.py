"""Licence, checksums and description (Croissant 1.0, for data set search) of a folder of files."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import nousu

LICENCE: Final = """CC0-1.0: to the extent possible under law, whoever made this data set with Nousu has
waived all copyright and related rights to it. https://creativecommons.org/publicdomain/zero/1.0/legalcode
"""
SUMS: Final = "SHA256SUMS"
_FORMATS: Final = {".parquet": "application/x-parquet", ".csv": "text/csv", ".json": "application/json"}


class Column(NamedTuple):
    """A column of a file: its meaning, and whether it holds a text, a number or a list of numbers."""

    name: str
    meaning: str
    kind: str = "sc:Integer"
    repeated: bool = False


def publish(folder: Path, name: str, description: str, columns: Mapping[str, Sequence[Column]]) -> None:
    """Add licence, description and checksums to a folder of files.

    Args:
        folder: The folder.
        name: The name of the data set.
        description: A sentence about its content.
        columns: The columns of each file that is a table; empty for other files.
    """
    (folder / "LICENSE").write_text(LICENCE, "utf-8")
    (folder / "croissant.json").write_text(croissant(folder, name, description, columns), "utf-8")
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    (folder / SUMS).write_text("".join(f"{_sum(folder / file)}  {file}\n" for file in names), "utf-8")


def check_sums(folder: Path) -> None:
    """Compare the files of a folder with its checksums; ValueError names the first that differs."""
    try:
        sums = (folder / SUMS).read_text("utf-8").split()
    except OSError as error:
        raise ValueError(f"{folder} is no data set of nousu: {error.strerror} ({error.filename})") from None
    for wanted, name in zip(sums[::2], sums[1::2], strict=True):
        if not (folder / name).exists() or _sum(folder / name) != wanted:
            raise ValueError(f"{folder / name} is not the file that {SUMS} names")


def croissant(folder: Path, name: str, description: str, columns: Mapping[str, Sequence[Column]]) -> str:
    """The description of the files in a folder, as JSON-LD."""
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "license": "https://creativecommons.org/publicdomain/zero/1.0/",
        "version": nousu.__version__,
        "citeAs": f"The Nousu founders: Nousu, version {nousu.__version__}",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file,
                "name": file,
                "contentUrl": file,
                "encodingFormat": _FORMATS[Path(file).suffix],
                "sha256": _sum(folder / file),
            }
            for file in columns
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": (table := Path(file).stem),
                "name": table,
                "field": [_field(file, table, column) for column in table_columns],
            }
            for file, table_columns in columns.items()
            if table_columns
        ],
    }
    return json.dumps(described, indent=1, ensure_ascii=False) + "\n"


def _field(file: str, table: str, column: Column) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": column.kind,
        "repeated": column.repeated,
        "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
    }


def _sum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification of Croissant 1.0 gives."""
