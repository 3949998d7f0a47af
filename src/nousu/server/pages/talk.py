"""Talk on the page: what was said in the reader's language, what a tap says, what pairs have agreed on."""

from nousu.server.pages.common import people
from nousu.server.pages.model import PairCard, Spoken, Talk
from nousu.server.pages.people import listed
from nousu.server.phrases import GESTURES, REACTIONS, SENTENCES, SIGNALS
from nousu.server.seen import Line, Seen, SignalCard
from nousu.words import Translate


def words_of(line: Line, say: Translate) -> str:
    """What a line says to this reader."""
    return say(SENTENCES[line.word]) if line.word in SENTENCES else line.text


def talk_of(seen: Seen, say: Translate) -> Talk | None:
    """The talk of a table as one viewer sees it; None where nobody is there to talk to."""
    found = seen.talk
    if found is None:
        return None
    sits = bool(found.mutable)
    who = people(seen)
    cards = tuple(
        PairCard(
            title=listed(
                [name for seat, name in enumerate(seen.names) if seat % who.sides == side and name], say
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
        note = say("While a hand is played only the ready words are said here.")
    company = any(found.mutable) or bool(found.lines)
    if not company and not any(card.signals or card.own for card in found.cards):
        return None
    return Talk(
        id=seen.table_id,
        company=company,
        lines=tuple(
            Spoken(
                number=line.number,
                name=line.name,
                words=words_of(line, say),
                mine=bool(line.session),
                reported=line.reported,
                reports=sits and not line.session and not line.reported,
            )
            for line in found.lines
        ),
        says=tuple((word, say(text)) for word, text in REACTIONS.items()) if sits else (),
        gestures=tuple((word, say(GESTURES[word])) for word in found.gestures),
        writes=found.writes,
        sits=sits,
        people=tuple(
            (seat, seen.names[seat], found.muted[seat]) for seat, may in enumerate(found.mutable) if may
        ),
        cards=cards,
        choices=tuple((one, say(text), one in mine.signals) for one, text in SIGNALS.items())
        if found.agrees
        else (),
        own=mine.own,
        note=note,
    )
