"""The chat of a table: lines in the reader's language, phrases, requests, agreed signals of pairs."""

from collections.abc import Mapping
from functools import lru_cache

from nousu.engine.actions import Call, Play, Show, parse_action
from nousu.engine.messages import sentence
from nousu.extensions import Point, extension_module
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import card_words
from nousu.server.pages.table.common import people
from nousu.server.pages.table.seat_names import SeatNames, name_list
from nousu.server.pages.table.table_view import ChatLine, ChatPanel, PairCard, PendingRequest
from nousu.server.table.chat import GESTURES, REACTIONS, SENTENCES, SIGNALS
from nousu.server.table.view import ChatView, SeatView, SignalCard, TalkLine

_CLAIMS = (
    ("claim mine", sentence("The rest are mine"), sentence("Claim all the rest?")),
    ("claim theirs", sentence("You get the rest"), sentence("Give all the rest away?")),
)
_UNDO = ("undo", sentence("Take it back"), sentence("Ask to take it back?"))
_REQUESTS: Mapping[str, tuple[str, str, str]] = {
    "claim mine": (
        sentence("{name}: the rest are mine. That is certain."),
        sentence("{name}: the rest are mine. Do you agree?"),
        sentence("{name}: the rest are mine. The others are asked."),
    ),
    "claim theirs": (
        sentence("{name}: you get the rest. That is certain."),
        sentence("{name}: you get the rest. Do you agree?"),
        sentence("{name}: you get the rest. The others are asked."),
    ),
    "undo": (
        sentence("{name} takes the last action back."),
        sentence("{name} asks to take the last action back. Do you agree?"),
        sentence("{name} asks to take the last action back. The others are asked."),
    ),
}
"""Sentences about a request: when nobody has to agree, to those asked, and to the others."""


def pending_request(seen: SeatView, reader: Reader) -> PendingRequest | None:
    """The open request of the table for one viewer."""
    request = seen.request
    if request is None:
        return None
    mine = seen.seat in request.of
    agreed, asked, waits = _REQUESTS[request.what]
    text = asked if mine else waits if request.of else agreed
    return PendingRequest(text=reader.say(text, name=people(seen).name(request.seat)), mine=mine)


def claim_line(seen: SeatView, reader: Reader) -> str:
    """A sentence about the claim that ended the finished hand; empty if it was played out."""
    last = seen.claims[-1] if seen.claims else None
    if last is None or not (seen.waiting or seen.resting) or last.hand != len(seen.match.played):
        return ""
    name = people(seen).name(last.seat)
    if last.what == "claim mine":
        return reader.say("{name} claimed the rest; the cards were played out.", name=name)
    return reader.say("{name} gave the rest away; the cards were played out.", name=name)


def line_words(line: TalkLine, reader: Reader) -> str:
    """The words of a chat line."""
    say = reader.say
    if line.word == "undo":
        if not line.text:
            return say("The last action was taken back.")
        return say(
            "The last action was taken back: {action}. Everybody saw it.", action=_action(line.text, reader)
        )
    return say(SENTENCES[line.word]) if line.word in SENTENCES else line.text


def _action(text: str, reader: Reader) -> str:
    """An action that was taken back, in words."""
    action = parse_action(text)
    match action:
        case Play(card) | Show((card,)):
            return card_words(card, reader.say)
        case Call(spoken):
            return reader.voice.word(spoken)
    return text


def _asks(seen: SeatView, reader: Reader) -> tuple[tuple[str, str, str], ...]:
    """The requests that the viewer may make during a hand: id, words, question before sending."""
    if seen.seat is None or not seen.started or seen.over:
        return ()
    return _request_choices(seen.match.game, seen.takes_back, reader)


@lru_cache(256)
def _request_choices(game: str, takes_back: bool, reader: Reader) -> tuple[tuple[str, str, str], ...]:
    family = extension_module(Point.PLAYERS, game, "claims")
    offered = (*(_CLAIMS if family is not None else ()), *((_UNDO,) if takes_back else ()))
    return tuple((what, reader.say(text), reader.say(sure)) for what, text, sure in offered)


def chat_panel(seen: SeatView, reader: Reader) -> ChatPanel | None:
    """The chat of a table for one viewer; None if the viewer has nobody to talk to."""
    if seen.talk is None:
        return None
    return _talk(seen.talk, people(seen), _asks(seen, reader), reader)


@lru_cache(4096)
def _talk(
    found: ChatView, who: SeatNames, asks: tuple[tuple[str, str, str], ...], reader: Reader
) -> ChatPanel | None:
    """The chat, cached: hardly any event changes it."""
    say = reader.say
    sits = bool(found.mutable)
    cards = tuple(
        PairCard(
            title=name_list(
                [name for seat, name in enumerate(who.names) if seat % who.sides == side and name], reader
            )
            or say("free seats"),
            signals=tuple(say(SIGNALS[signal]) for signal in card.signals),
            own=card.own,
        )
        for side, card in enumerate(found.cards)
    )
    mine = found.cards[who.our_side()] if found.cards and found.agrees else SignalCard()
    note = ""
    if sits and not found.writes:
        note = say("During a hand only the ready-made phrases can be used here.")
    company = any(found.mutable) or bool(found.lines)
    if not company and not asks and not any(card.signals or card.own for card in found.cards):
        return None
    return ChatPanel(
        company=company,
        asks=asks,
        lines=tuple(
            ChatLine(
                number=line.number,
                name=line.name,
                words=line_words(line, reader),
                mine=bool(line.session),
                reported=line.reported,
                reports=sits and not line.session and not line.reported and line.word != "undo",
            )
            for line in found.lines
        ),
        says=tuple((word, say(text)) for word, text in REACTIONS.items()) if sits and company else (),
        gestures=tuple((word, say(GESTURES[word])) for word in found.gestures),
        writes=found.writes,
        sits=sits,
        people=tuple(
            (seat, who.names[seat], found.muted[seat]) for seat, may in enumerate(found.mutable) if may
        ),
        cards=cards,
        choices=tuple((signal, say(text), signal in mine.signals) for signal, text in SIGNALS.items())
        if found.agrees
        else (),
        own=mine.own,
        note=note,
    )
