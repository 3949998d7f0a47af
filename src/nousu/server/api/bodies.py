"""Request bodies of the API, validated by pydantic."""

from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from nousu.server.table.chat import SENTENCES, SIGNALS
from nousu.server.table.commands import LONGEST_LINE
from nousu.server.table.view import REQUESTS

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="A table's id")]
Name = Annotated[str, Field(max_length=100, description="What the person is called")]
Pledge = Annotated[
    str,
    Field(
        pattern=r"^([0-9a-f]{64})?$",
        description="SHA-256 (hexadecimal) of the digits of your share of the shuffle; empty: you give none",
    ),
]

Key = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[!-~]+$")]


class Strict(BaseModel):
    """Body without additional fields."""

    model_config = ConfigDict(extra="forbid")


class NewSession(Strict):
    """Your name and language."""

    name: Name = ""
    lang: Annotated[str, Field(pattern="^(fi|en|sv|nb|de)$")] = "en"


class NewTable(Strict):
    """A table to open; you sit down first."""

    preset: Annotated[str, Field(max_length=1000, examples=["tuppi", "tuppi+high_fail_points=6"])]
    players: Annotated[
        list[Annotated[str, Field(max_length=40)]],
        Field(max_length=15, description="The other places: a computer player's name, or open"),
    ]
    name: Name = ""
    options: Annotated[
        dict[Annotated[str, Field(max_length=20)], Annotated[str, Field(max_length=20)]],
        Field(max_length=7, description="window and pace, in seconds; seats, public, learning, undo, clock"),
    ] = {}
    pledge: Pledge = ""


class Act(Strict):
    """An action, with the number of the table's last event you knew and a key of its own."""

    act: Annotated[str, Field(min_length=1, max_length=400, examples=["play H9", "seal S7", "pass"])]
    seq: Annotated[int, Field(ge=0, le=2**31 - 1)]
    key: Key


class Next(Strict):
    """A request for the next hand."""

    key: Key


class Seat(Strict):
    """A request for an open place."""

    name: Name = ""
    pledge: Pledge = ""


class Fill(Strict):
    """A request to give all open places to a computer player."""

    player: Annotated[str, Field(max_length=40)] = "rules"


class Share(Strict):
    """The share of the shuffles that was promised, to be opened."""

    share: Annotated[str, Field(pattern=r"^[0-9a-f]{32,64}$")]


class Problem(BaseModel):
    """The reason for a refused request."""

    error: str
    clause: str = ""
    legal: list[str] | None = None
    view: dict[str, Any] | None = None


class Say(Strict):
    """A phrase, which every reader has in their own language, or a text of your own."""

    word: Annotated[str, Field(pattern=f"^({'|'.join(SENTENCES)})?$")] = ""
    text: Annotated[str, Field(max_length=LONGEST_LINE)] = ""
    key: Key


class Mute(Strict):
    """A request to mute the person of a seat, or with `off` to unmute them."""

    seat: Annotated[int, Field(ge=0, le=15)]
    off: bool = False


class Report(Strict):
    """The number of a chat line that the host of the server is to see."""

    line: Annotated[int, Field(ge=0, le=2**31 - 1)]


class Signals(Strict):
    """The agreements of your pair, open to all."""

    signals: Annotated[
        list[Annotated[str, Field(pattern=f"^({'|'.join(SIGNALS)})$")]], Field(max_length=len(SIGNALS))
    ] = []
    own: Annotated[str, Field(max_length=200)] = ""


class Ask(Strict):
    """A claim, or a request to take your last action back, with the last event number you knew."""

    what: Annotated[str, Field(pattern=f"^({'|'.join(REQUESTS)})$")]
    seq: Annotated[int, Field(ge=0, le=2**31 - 1)]


class Answer(Strict):
    """Whether you agree to what is asked at the table."""

    agree: bool


class At(Strict):
    """A seat."""

    seat: Annotated[int, Field(ge=0, le=15)]


class Rematch(Strict):
    """A request to meet again after the match."""

    pledge: Pledge = ""
