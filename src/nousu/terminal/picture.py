"""The table drawn with characters: people, trick, hand, and what each family shows of its score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games import part, tuppen, whist
from nousu.words import Translate, corner, numeral
from nousu.words.events import Voice

_SIGNS = "♠♥♦♣"
_COLOURS = ("bold bright_white", "bold red", "bold yellow", "bold green")
"""Four colours, so that no two suits are told apart by shape alone."""
_DICE = " ⚀⚁⚂⚃⚄⚅"


@dataclass(frozen=True, slots=True)
class Marked:
    """What is marked in the hand: the cursor, cards picked for an exchange, cards that may be used."""

    at: Card | None = None
    picked: frozenset[Card] = frozenset()
    usable: frozenset[Card] = frozenset()


def card_text(card: Card, language: str, style: str = "") -> Text:
    """One card: ``♥10``."""
    if card < 0:
        return Text("░░", style="dim")
    return Text(_SIGNS[card.suit] + corner(card.letter, language), style=style or _COLOURS[card.suit])


def hand_text(cards: Sequence[Card], marked: Marked, language: str) -> Text:
    """The own hand, suit by suit; unusable cards are dim, picked ones underlined, the cursor reversed."""
    line = Text()
    suit = -1
    for card in cards:
        if card >= 0 and card.suit != suit:
            line.append("  " if suit >= 0 else "")
            suit = card.suit
        style = "" if not marked.usable or card in marked.usable else "dim"
        style += " underline" if card in marked.picked else ""
        style += " reverse" if card == marked.at else ""
        piece = card_text(card, language, (_COLOURS[card.suit] if card >= 0 else "") + " " + style)
        line.append(" ")
        line.append_text(piece)
    return line


def table_lines(view: View, voice: Voice, language: str, wide: int = 66) -> Iterator[Text]:
    """The table, at most `wide` letters across: four around a trick, other numbers and Tuppen row by row."""
    plays = dict(view.trick)
    winner: Seat | None = None
    if not view.trick and view.tricks:
        plays, winner = dict(view.tricks[-1].plays), view.tricks[-1].winner
    if len(view.counts) == 4 and not isinstance(view.facts, tuppen.Facts):
        yield from _compass(view, voice, plays, winner, language, min(wide, 66))
    else:
        yield from _rows(view, voice, plays, winner, language)


def _shown(plays: dict[Seat, Card], seat: Seat, winner: Seat | None, language: str) -> Text:
    """The card of a seat in the trick; the one that took the last trick has a star."""
    if seat not in plays:
        return Text(" · ", style="dim")
    text = card_text(plays[seat], language)
    if winner is None:
        return text
    return Text.assemble(text, "★") if seat == winner else Text(text.plain, style="dim")


def _person(view: View, voice: Voice, seat: Seat) -> Text:
    """The name with its marks: on turn, dealer, bid, tricks, sitting out."""
    say, facts = voice.say, view.facts
    style = "bold reverse" if seat in view.owed else "bold"
    text = Text(voice.name(seat), style=style)
    marks = []
    if seat == view.setup.dealer:
        marks.append(say("dealer"))
    if isinstance(facts, whist.Facts):
        marks += _whist_marks(facts, voice, seat, bool(view.tricks))
    elif seat == facts.get("declarer"):
        marks.append(say("declarer"))
    taken = sum(trick.winner == seat for trick in view.tricks)
    if taken:
        marks.append(say("tricks {count}", count=taken))
    if marks:
        text.append(" " + ", ".join(marks), style="not bold not reverse dim")
    return text


def _whist_marks(facts: whist.Facts, voice: Voice, seat: Seat, begun: bool) -> Iterator[str]:
    """What a player bid, or that one lies there; who plays alone, who sits out."""
    say, bid = voice.say, facts.exposed.get(seat)
    if isinstance(bid, Card | whist.Bid) and not begun:
        yield _SIGNS[bid.suit] + bid.letter if isinstance(bid, Card) else voice.word(bid.name)
    elif seat in facts.committed and not begun and facts.phase in ("bid", "expose"):
        yield say("has bid")
    if seat == facts.soloist:
        yield say("alone")
    elif seat == facts.bidder and facts.kind == "high":
        yield say("bidder")
    if seat == facts.out:
        yield say("sits out")


def _compass(
    view: View, voice: Voice, plays: dict[Seat, Card], winner: Seat | None, language: str, wide: int
) -> Iterator[Text]:
    own = view.seat or 0
    west, north, east = ((own + step) % 4 for step in (1, 2, 3))
    card = {seat: _shown(plays, seat, winner, language) for seat in range(4)}
    yield _centred(_person(view, voice, north), wide)
    yield _centred(card[north], wide)
    yield _sides(_person(view, voice, west), _person(view, voice, east), wide)
    yield _centred(Text.assemble(card[west], "         ", card[east]), wide)
    yield _centred(card[own], wide)
    yield _centred(_person(view, voice, own), wide)


def _centred(text: Text, wide: int) -> Text:
    return Text.assemble(" " * max(0, (wide - text.cell_len) // 2), text)


def _sides(one: Text, two: Text, wide: int) -> Text:
    return Text.assemble(one, " " * max(2, wide - one.cell_len - two.cell_len), two)


def _rows(
    view: View, voice: Voice, plays: dict[Seat, Card], winner: Seat | None, language: str
) -> Iterator[Text]:
    count, own = len(view.counts), view.seat or 0
    facts = view.facts
    people = {seat: _person(view, voice, seat) for seat in range(count)}
    column = min(34, max(person.cell_len for person in people.values()) + 2)
    for step in range(1, count + 1):
        seat = (own + step) % count
        line = people[seat]
        line.append(" " * max(1, column - line.cell_len))
        if isinstance(facts, tuppen.Facts):
            line.append_text(_die(facts.points[seat]))
        line.append_text(_shown(plays, seat, winner, language))
        if isinstance(facts, tuppen.Facts):
            line.append("  " + _where(facts, view.counts[seat], voice, seat), style="dim")
        else:
            line.append("  " + voice.say("cards {count}", count=view.counts[seat]), style="dim")
        yield line


def _die(points: int) -> Text:
    """The die before a player; its one stands for seven too."""
    face = _DICE[tuppen.die_face(points)] if tuppen.die_face(points) else "✗"
    return Text(f"{face} {points}  ", style="bold" if points > 1 else "bold red")


def _where(facts: tuppen.Facts, cards: int, voice: Voice, seat: Seat) -> str:
    """Out of the game, out of the hand, poor, or how many cards."""
    say = voice.say
    if seat not in facts.alive:
        return say("out")
    if seat not in facts.group:
        return say("sits out")
    if seat not in facts.in_hand:
        return say("away: cards down, die on top")
    told = [say("cards {count}", count=cards)]
    if seat in facts.poor:
        told.append(say("poor man"))
    laid = sum(packet.owner == seat for packet in facts.packets)
    if laid:
        told.append(say("pictures laid down {count}", count=laid))
    return ", ".join(told)


# ------------------------------------------------------------------------------------------- score


def status_lines(view: View, voice: Voice) -> Iterator[Text]:
    """What is being played and how it stands, in the family's own picture."""
    own = part("nousu.terminal", view.game)
    if own is not None:
        yield from own.status_lines(view, voice)
        return
    family = {"whist": _whist, "tuppen": _tuppen}.get(view.game)
    if family is not None:
        yield from family(view, voice)
        return
    score = view.setup.tally.score()
    yield Text("   ".join(f"{voice.side(at)} {numeral(points)}" for at, points in enumerate(score)))


def _whist(view: View, voice: Voice) -> Iterator[Text]:
    facts, tally, say = whist.Facts.of(view.facts), view.setup.tally, voice.say
    own = (view.seat or 0) % 2
    rising = isinstance(tally, whist.Rise)
    if isinstance(tally, whist.Rise):
        yield hill(tally.riser, tally.points, view.rules.target, own, say)
    else:
        score = tally.score()
        line = say(
            "Us {ours}, them {theirs}; to {target}",
            ours=score[own],
            theirs=score[1 - own],
            target=view.rules.target,
        )
        yield Text(line, style="bold")
    told = ""
    if facts.soloist is not None:
        name = voice.name(facts.soloist)
        told = say("Sooli by {name}: no trick to be taken; the ace is low", name=name)
    elif facts.kind == "high" and facts.bidder is not None:
        name = voice.name(facts.bidder)
        told = say("Rami by {name}", name=name) if rising else say("Grand by {name}", name=name)
    elif facts.kind == "low":
        told = say("Nolo: few tricks are wanted") if rising else say("Nullo: few tricks are wanted")
    if told:
        us, them = facts.tricks[own], facts.tricks[1 - own]
        told += "   " + say("Tricks: us {us}, them {them}", us=us, them=them)
    yield Text(told)


def hill(riser: int | None, points: int, target: int, own: int, say: Translate) -> Text:
    """Only one side can hold points, so one marker climbs: our slope to the left, theirs to the right."""
    reach = 20
    steps = min(reach, round(reach * points / target)) if riser is not None else 0
    at = reach if riser is None else reach - steps if riser == own else reach + steps
    slope = ["─"] * (2 * reach + 1)
    slope[reach] = "┴"
    slope[at] = "●"
    line = Text(say("Us") + f" {target} ", style="dim")
    line.append("".join(slope[:at]), style="dim")
    line.append("●", style="bold bright_cyan")
    line.append("".join(slope[at + 1 :]), style="dim")
    line.append(f" {target} " + say("Them"), style="dim")
    if riser is not None:
        said = (
            say("We are rising with {points}", points=points)
            if riser == own
            else say("They are rising with {points}", points=points)
        )
        line.append("  " + said, style="bold")
    return line


def _tuppen(view: View, voice: Voice) -> Iterator[Text]:
    facts, say = tuppen.Facts.of(view.facts), voice.say
    line = Text(say("Stake {stake}", stake=facts.stake), style="bold")
    if facts.last_raiser is not None:
        name = voice.name(facts.last_raiser)
        line.append("   " + say("last raised by {name}", name=name), style="not bold")
    special = {"dead": say("play-off for places"), "poor": say("deciding hand of poor men")}
    if facts.kind in special:
        line.append("   " + special[facts.kind], style="bold red")
    yield line
    if facts.asked:
        asked = ", ".join(voice.name(seat) for seat in facts.asked)
        yield Text(say("Still to answer: {names}", names=asked))
