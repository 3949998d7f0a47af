"""Talk on the page: what was said in the reader's language, what a tap says, what pairs have agreed on."""

from collections.abc import Mapping
from functools import lru_cache

from nousu.engine.actions import Call, Play, Show, parse_action
from nousu.engine.messages import sentence
from nousu.games import part
from nousu.i18n import Translate
from nousu.i18n.sentences import card_words
from nousu.server.pages.table.common import people
from nousu.server.pages.table.picture import Asked, PairCard, Spoken, Talk
from nousu.server.pages.table.seat_names import People, listed
from nousu.server.pages.words import word
from nousu.server.table.chat import GESTURES, REACTIONS, SENTENCES, SIGNALS
from nousu.server.table.view import ChatLine, ChatView, SeatView, SignalCard

_CLAIMS = (
    ("claim mine", sentence("The rest are mine"), sentence("Claim all the rest?")),
    ("claim theirs", sentence("You get the rest"), sentence("Give all the rest away?")),
)
_UNDO = ("undo", sentence("Take it back"), sentence("Ask to take it back?"))
_ASKED: Mapping[str, tuple[str, str, str]] = {
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
"""What is said of a request where nobody has to agree (any more), to those who are asked, and to others."""


def asked_of(seen: SeatView, say: Translate) -> Asked | None:
    """What somebody at the table asks of others, as the viewer reads it."""
    request = seen.request
    if request is None:
        return None
    mine = seen.seat in request.of
    agreed, asked, waits = _ASKED[request.what]
    text = asked if mine else waits if request.of else agreed
    return Asked(text=say(text, name=people(seen).name(request.seat)), mine=mine)


def claimed(seen: SeatView, say: Translate) -> str:
    """By whose claim the hand looked at ended; empty where it was played."""
    last = seen.claims[-1] if seen.claims else None
    if last is None or not (seen.waiting or seen.resting) or last.hand != len(seen.match.played):
        return ""
    name = people(seen).name(last.seat)
    if last.what == "claim mine":
        return say("{name} claimed the rest; the cards were played out.", name=name)
    return say("{name} gave the rest away; the cards were played out.", name=name)


def words_of(line: ChatLine, say: Translate) -> str:
    """What a line says to this reader."""
    if line.word == "undo":
        if not line.text:
            return say("The last action was taken back.")
        return say(
            "The last action was taken back: {action}. Everybody saw it.", action=_action(line.text, say)
        )
    return say(SENTENCES[line.word]) if line.word in SENTENCES else line.text


def _action(text: str, say: Translate) -> str:
    """An action that was shown, in words."""
    action = parse_action(text)
    match action:
        case Play(card) | Show((card,)):
            return card_words(card, say)
        case Call(spoken):
            return word(spoken, say)
    return text


def _asks(seen: SeatView, say: Translate) -> tuple[tuple[str, str, str], ...]:
    """What the viewer may ask of the others, now or at another moment of a hand."""
    if seen.seat is None or not seen.started or seen.over:
        return ()
    return _asked_in(seen.match.game, seen.takes_back, say)


@lru_cache(256)
def _asked_in(game: str, takes_back: bool, say: Translate) -> tuple[tuple[str, str, str], ...]:
    family = part("nousu.players", game, "claims")
    found = (*(_CLAIMS if family is not None else ()), *((_UNDO,) if takes_back else ()))
    return tuple((what, say(text), say(sure)) for what, text, sure in found)


def talk_of(seen: SeatView, say: Translate) -> Talk | None:
    """The talk of a table as one viewer sees it; None where nobody is there to talk to."""
    if seen.talk is None:
        return None
    return _talk(seen.talk, people(seen), _asks(seen, say), say)


@lru_cache(4096)
def _talk(
    found: ChatView, who: People, asks: tuple[tuple[str, str, str], ...], say: Translate
) -> Talk | None:
    """Made once, also for all tables where nobody has spoken: hardly any event is about it."""
    sits = bool(found.mutable)
    cards = tuple(
        PairCard(
            title=listed(
                [name for seat, name in enumerate(who.names) if seat % who.sides == side and name], say
            )
            or say("free seats"),
            signals=tuple(say(SIGNALS[one]) for one in card.signals),
            own=card.own,
        )
        for side, card in enumerate(found.cards)
    )
    mine = found.cards[who.our_side()] if found.cards and found.agrees else SignalCard()
    note = ""
    if sits and not found.writes:
        note = say("During a hand, only the ready-made phrases are used here.")
    company = any(found.mutable) or bool(found.lines)
    if not company and not asks and not any(card.signals or card.own for card in found.cards):
        return None
    return Talk(
        company=company,
        asks=asks,
        lines=tuple(
            Spoken(
                number=line.number,
                name=line.name,
                words=words_of(line, say),
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
        choices=tuple((one, say(text), one in mine.signals) for one, text in SIGNALS.items())
        if found.agrees
        else (),
        own=mine.own,
        note=note,
    )
