"""The chat of a table: lines in the reader's language, phrases, requests, agreed signals of pairs."""

from collections.abc import Mapping
from functools import lru_cache

from nousu.engine.actions import Call, Play, Show, parse_action
from nousu.engine.messages import sentence
from nousu.games import games
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import card_words
from nousu.players.claims import concession, promising
from nousu.players.whist.signals import card_of_signals
from nousu.server.pages.table.common import people
from nousu.server.pages.table.seat_names import SeatNames, name_list
from nousu.server.pages.table.table_view import ChatPanel, ChatRow, PairCard, PendingRequest
from nousu.server.table.chat import GESTURES, PICTURES, REACTIONS, SENTENCES, SIGNALS
from nousu.server.table.view import ChatLine, ChatView, SeatView, SignalCard

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
        text = sentence("{name} claimed the last {count} trick.", "{name} claimed the last {count} tricks.")
    else:
        text = sentence(
            "{name} gave the last {count} trick away.", "{name} gave the last {count} tricks away."
        )
    return reader.say(text, name=name, count=len(seen.view.tricks) - last.tricks)


def chat_line_words(line: ChatLine, reader: Reader) -> str:
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


def _request_choices(seen: SeatView, reader: Reader) -> tuple[tuple[str, str, str], ...]:
    """The requests to the others that stand in the chat: id, words, question before sending."""
    asks = seen.seat is not None and seen.started and not seen.over and seen.takes_back
    return _in_words((_UNDO,) if asks else (), reader)


def claim_choices(seen: SeatView, reader: Reader) -> tuple[tuple[str, str, str], ...]:
    """The claims that could be true now: id, words, question before sending."""
    if seen.seat is None or not any([what.startswith("claim") for what in seen.asks]):
        return ()
    sides, count = games()[seen.view.game].sides, len(seen.names)
    opponents = [
        seat for seat in range(count) if (seat % sides != seen.seat % sides if sides else seat != seen.seat)
    ]
    agreeing = not any([seen.computers[seat] or seat in seen.away for seat in opponents])
    kinds = {f"claim {kind}" for kind in promising(seen.view, agreeing)} & set(seen.asks)
    return _in_words(tuple([claim for claim in _CLAIMS if claim[0] in kinds]), reader)


def concession_choice(seen: SeatView, reader: Reader) -> tuple[str, str, str] | None:
    """The claim that concedes the hand: id, words, question before sending; None where there is none now."""
    if seen.seat is None or not any([what.startswith("claim") for what in seen.asks]):
        return None
    what = f"claim {concession(seen.view)}"
    say = reader.say
    return (what, say("Concede this hand"), say("Give up all the rest of it?")) if what in seen.asks else None


@lru_cache(256)
def _in_words(offered: tuple[tuple[str, str, str], ...], reader: Reader) -> tuple[tuple[str, str, str], ...]:
    return tuple((what, reader.say(text), reader.say(sure)) for what, text, sure in offered)


def chat_panel(seen: SeatView, reader: Reader) -> ChatPanel | None:
    """The chat of a table for one viewer; None if the viewer has nobody to talk to."""
    if seen.chat is None:
        return None
    code = card_of_signals(seen.match.rules)
    return _chat_panel(seen.chat, people(seen), _request_choices(seen, reader), code, reader)


@lru_cache(4096)
def _chat_panel(
    found: ChatView,
    who: SeatNames,
    asks: tuple[tuple[str, str, str], ...],
    code: tuple[str, ...],
    reader: Reader,
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
    if not company and not asks and not code and not any(card.signals or card.own for card in found.cards):
        return None
    return ChatPanel(
        company=company,
        asks=asks,
        lines=tuple(
            ChatRow(
                number=line.number,
                name=line.name,
                words=chat_line_words(line, reader),
                picture=PICTURES.get(line.word, ""),
                mine=bool(line.session),
                reported=line.reported,
                seat=who.names.index(line.name) if line.name in who.names else None,
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
        code=tuple(map(say, code)),
        choices=tuple((signal, say(text), signal in mine.signals) for signal, text in SIGNALS.items())
        if found.agrees
        else (),
        own=mine.own,
        note=note,
    )
