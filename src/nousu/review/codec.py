"""A review as text that is stored with the record, and back again without loss."""

import json
from collections.abc import Mapping
from typing import Any

from nousu.engine.actions import Action, parse_action
from nousu.engine.cards import parse_card
from nousu.engine.messages import Counted, Note
from nousu.review.model import (
    ChoiceCost,
    CurvePoint,
    HandReview,
    Interval,
    JudgedChoice,
    KeyLayout,
    ReviewOption,
)

VERSION = 6
"""Format version; reviews of other versions are computed anew."""

FORMER_REASONS = {
    "Best: it is certain now who holds what, and this brings {points}": (
        "Best: it is now certain who holds what, and this scores {points}"
    ),
    "Four weak pictures are changed": "Four weak pictures are exchanged",
    "No rules of thumb are known for this game, so any legal action is chosen at random": (
        "There are no rules of thumb for this game, so a legal action is chosen at random"
    ),
    "No search is known for this game, so rules of thumb decide": (
        "There is no search for this game, so rules of thumb decide"
    ),
    "Safe: it is certain now who holds what": "Safe: it is now certain who holds what",
    "Such a card does best when many hands are played out": (
        "A card like this does best when many hands are played out"
    ),
    "Such a lead costs least in solved deals": "A lead like this costs least in solved deals",
    "The most dangerous card goes away": "Discard the most dangerous card",
    "The soloist is out of this suit: a high card goes": (
        "The soloist is void in this suit: get rid of a high card"
    ),
    "The trick is lost anyway: the highest card goes": (
        "The trick is lost anyway: get rid of the highest card"
    ),
    "Winning this trick brings the right to declare": "Winning this trick gives the right to declare",
}
"""New wordings of reasons that were stored in other words, so that they are read in every language."""


def encode(review: HandReview) -> str:
    """The review as a line of JSON."""
    plain = {name: getattr(review, name) for name in _ALIKE}
    plain |= {"void": review.void, "counted": review.counted}
    plain["curve"] = [list(item) for item in review.curve]
    plain["weighed"] = [list(item) for item in review.weighed]
    plain["judged"] = [_judged(item) for item in review.judged]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> HandReview:
    """The review in a line of JSON; KeyError, TypeError or ValueError where it is none."""
    plain = json.loads(text)
    return HandReview(
        **{name: plain[name] for name in _ALIKE},
        void=plain.get("void", False),  # absent from older reviews, like the next one
        counted=plain.get("counted", ""),
        curve=tuple(CurvePoint(*item) for item in plain["curve"]),
        weighed=tuple(ChoiceCost(*item) for item in plain["weighed"]),
        judged=tuple(_read(item) for item in plain["judged"]),
    )


_ALIKE = ("game", "number", "seat", "points", "unit", "choices", "refined", "par")
_JUDGED = ("step", "seat", "trick", "open_cost", "second", "verdict", "worlds", "effective")
_STORED = {"open_cost": "seen"}
"""Members of stored reviews that are not called like the field."""


def _judged(choice: JudgedChoice) -> dict[str, Any]:
    plain: dict[str, Any] = {_STORED.get(name, name): getattr(choice, name) for name in _JUDGED}
    for name in ("cost", "uniform", "match"):
        figures = getattr(choice, name)
        plain[name] = None if figures is None else list(figures)
    plain["table"] = [[seat, str(card)] for seat, card in choice.table]
    plain["cards"] = [str(card) for card in choice.cards]
    plain["line"] = [str(card) for card in choice.line]
    plain["action"], plain["best"] = _action(choice.action), _action(choice.best)
    plain["options"] = [[_action(option.action), option.value, option.wins] for option in choice.options]
    plain["layouts"] = [
        [row.seat, None if row.card is None else str(row.card), row.suit, row.void, row.share, row.cost]
        for row in choice.layouts
    ]
    plain["reason"] = None if choice.reason is None else _note(choice.reason)
    return plain


def _read(plain: Mapping[str, Any]) -> JudgedChoice:
    action = _acted(plain["action"])
    if action is None:
        raise ValueError("a choice without an action")
    return JudgedChoice(
        **{name: plain[_STORED.get(name, name)] for name in _JUDGED},
        cost=Interval(*plain["cost"]),
        uniform=Interval(*plain["uniform"]),
        match=None if plain["match"] is None else Interval(*plain["match"]),
        table=tuple((seat, parse_card(card)) for seat, card in plain["table"]),
        cards=tuple(map(parse_card, plain["cards"])),
        line=tuple(map(parse_card, plain["line"])),
        action=action,
        best=_acted(plain["best"]),
        options=tuple(ReviewOption(_acted(text), value, wins) for text, value, wins in plain["options"]),
        layouts=tuple(
            KeyLayout(seat, None if card is None else parse_card(card), suit, void, share, cost)
            for seat, card, suit, void, share, cost in plain["layouts"]
        ),
        reason=None if plain["reason"] is None else _noted(plain["reason"]),
    )


def _action(action: Action | None) -> str | None:
    return None if action is None else str(action)


def _acted(text: str | None) -> Action | None:
    return None if text is None else parse_action(text)


def _note(note: Note) -> list[Any]:
    many = note.message.many if isinstance(note.message, Counted) else ""
    values = {name: _note(value) if isinstance(value, Note) else value for name, value in note.values.items()}
    return [note.clause, str(note.message), many, values]


def _noted(plain: list[Any]) -> Note:
    clause, message, many, values = plain
    notes = {name: _noted(value) if isinstance(value, list) else value for name, value in values.items()}
    message = FORMER_REASONS.get(message, message)
    return Note(clause, Counted(message, many) if many else message, notes)
