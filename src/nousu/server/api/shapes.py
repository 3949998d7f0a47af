"""Responses of the API: views and rules as JSON, cards and actions in the notation of the record."""

from collections.abc import Mapping, Sequence
from typing import Any

from nousu.engine.cards import Card
from nousu.engine.game import Game, View
from nousu.engine.messages import Note
from nousu.engine.options import Option, options, value_text
from nousu.engine.question import Question
from nousu.engine.record import entry_text
from nousu.engine.seats import seat_name
from nousu.engine.tricks import Trick
from nousu.server.table.view import ChatView, HandSummary, SeatView


def seen_json(seen: SeatView) -> dict[str, Any]:
    """A table as one viewer may see it."""
    match = seen.match
    return {
        "table": seen.table_id,
        "seq": seen.seq,
        "preset": seen.preset,
        "game": match.game,
        "started": seen.started,
        "over": seen.over,
        "waiting": seen.waiting,
        "window": seen.window,
        "seat": seen.seat,
        "seats": [
            {"name": name, "computer": computer, "called": seat_name(seat, match.seats)}
            for seat, (name, computer) in enumerate(zip(seen.names, seen.computers, strict=True))
        ],
        "thinking": list(seen.thinking),
        "ready": list(seen.ready),
        "view": view_json(seen.view),
        "score": list(match.tally.score()),
        "standing": plain(match.tally.plain()),
        "winner": None if match.winner is None else list(match.winner),
        "hands": [hand_json(hand) for hand in match.played],
        "talk": None if seen.chat is None else _chat_json(seen.chat),
        "request": None
        if seen.request is None
        else {"seat": seen.request.seat, "what": seen.request.what, "of": list(seen.request.of)},
        "asks": list(seen.asks),
        "shuffle": {
            "commitment": seen.commitment,
            "secret": seen.secret,
            "shares": [
                {"place": share.place, "pledge": share.pledge, "share": share.text or None}
                for share in seen.shares
            ],
            "open": seen.opens,
        },
    }


def _chat_json(chat: ChatView) -> dict[str, Any]:
    """Chat of a table, without sessions, which are secret."""
    return {
        "lines": [
            {"number": line.number, "name": line.name, "word": line.word, "text": line.text}
            for line in chat.lines
        ],
        "muted": list(chat.muted),
        "writes": chat.writes,
        "gestures": list(chat.gestures),
        "cards": [{"signals": list(card.signals), "own": card.own} for card in chat.cards],
        "agrees": chat.agrees,
    }


def hand_json(hand: HandSummary) -> dict[str, Any]:
    """The result of a finished hand."""
    return {
        "index": hand.index,
        "number": hand.number,
        "dealer": hand.dealer,
        "void": hand.result.void,
        "points": list(hand.result.points),
        "score": list(hand.score),
        "facts": hand.result.outcome.plain(),
        "notes": [note_json(note) for note in (*hand.result.notes, *hand.tally.notes())],
    }


def note_json(note: Note) -> dict[str, Any]:
    """A reason: clause, message with named places, and their values."""
    return {"clause": note.clause, "message": note.message, "values": dict(note.values)}


def view_json(view: View) -> dict[str, Any]:
    """View of a seat of the current hand."""
    seats = view.setup.seats
    return {
        "hand": view.setup.number,
        "dealer": view.setup.dealer,
        "cards": [str(card) for card in view.cards],
        "counts": list(view.counts),
        "trick": _plays(view.trick),
        "tricks": [_trick(trick) for trick in view.tricks],
        "question": None if view.question is None else _question(view.question, seats),
        "facts": view.facts.plain(),
        "heard": [entry_text(entry, seats) for entry in view.heard],
        "owed": list(view.owed),
        "legal": [str(action) for action in view.legal],
    }


def _plays(plays: Sequence[tuple[int, Card]]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": str(card)} for seat, card in plays]


def _trick(trick: Trick) -> dict[str, Any]:
    return {"leader": trick.leader, "winner": trick.winner, "plays": _plays(trick.plays)}


def _question(question: Question, seats: int) -> dict[str, Any]:
    return {
        "topic": question.topic,
        "to": list(question.to),
        "at_once": question.at_once,
        "by": question.by,
        "answers": [entry_text(entry, seats) for entry in question.answers],
    }


def option_json(item: Option, value: Any) -> dict[str, Any]:
    """An option of a rule set with its value there."""
    return {
        "name": item.name,
        "value": value_text(value),
        "default": value_text(item.default),
        "values": None if item.values is None else [value_text(value) for value in item.values],
        "items": None if item.items is None else list(item.items),
        "low": item.low,
        "high": item.high,
        "none": item.none,
        "group": item.group,
        "clauses": list(item.clauses),
        "doc": item.doc,
    }


def rules_json(game: Game, rules: Any, name: str) -> dict[str, Any]:
    """A rule set with all its options."""
    return {
        **preset_json(game, name.split("+")[0]),
        "rules": game.name_of(rules, name.split("+")[0]),
        "options": [option_json(item, getattr(rules, item.name)) for item in options(rules)],
    }


def preset_json(game: Game, name: str) -> dict[str, Any]:
    """A preset in short."""
    takes = game.seats_for(name)
    return {
        "preset": name,
        "game": game.name,
        "seats": [takes.start, takes.stop - 1],
        "experimental": name in game.experimental,
    }


def plain(value: Any) -> Any:
    """Convert facts to JSON values: cards as text, mappings and sequences recursively."""
    match value:
        case Card():
            return str(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case str() | int() | float() | bool() | None:
            return value
        case Sequence() | frozenset() | set():
            return [plain(item) for item in value]
    return str(value)
