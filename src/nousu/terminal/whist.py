"""Tuppi and its cousins in the terminal: bids beside the names, the hill or the totals, the contract."""

from collections.abc import Iterator

from rich.text import Text

from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.whist import Bid, Facts, Rise
from nousu.i18n import Translate
from nousu.i18n.sentences import Voice
from nousu.terminal.drawing import SIGNS


def marks(view: View, voice: Voice, seat: Seat) -> Iterator[str]:
    """Mark a bid, turned up or face down, the soloist, the bidder, and a player who sits out."""
    say, facts, begun = voice.say, Facts.of(view.facts), bool(view.tricks)
    bid = facts.exposed.get(seat)
    if isinstance(bid, Card | Bid) and not begun:
        yield SIGNS[bid.suit] + bid.letter if isinstance(bid, Card) else voice.word(bid.name)
    elif seat in facts.committed and not begun and facts.phase in ("bid", "expose"):
        yield say("has bid")
    if seat == facts.soloist:
        yield say("alone")
    elif seat == facts.bidder and facts.kind == "high":
        yield say("bidder")
    if seat == facts.out:
        yield say("sits out")


def status_lines(view: View, voice: Voice) -> Iterator[Text]:
    """The score as a hill or as totals, and the contract with the tricks of both sides."""
    facts, tally, say = Facts.of(view.facts), view.setup.tally, voice.say
    own = (view.seat or 0) % 2
    rising = isinstance(tally, Rise)
    if isinstance(tally, Rise):
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
    contract = ""
    if facts.soloist is not None:
        name = voice.name(facts.soloist)
        contract = say("Sooli by {name}: no trick to be taken; the ace is low", name=name)
        if facts.caught:
            contract = say("{name} has taken a trick: the sooli is lost.", name=name)
    elif facts.kind == "high" and facts.bidder is not None:
        name = voice.name(facts.bidder)
        contract = say("Rami by {name}", name=name) if rising else say("Grand by {name}", name=name)
    elif facts.kind == "low":
        contract = say("Nolo: few tricks are wanted") if rising else say("Nullo: few tricks are wanted")
    if contract:
        us, them = facts.tricks[own], facts.tricks[1 - own]
        contract += "   " + say("Tricks: us {us}, them {them}", us=us, them=them)
    yield Text(contract)


def hill(riser: int | None, points: int, target: int, own: int, say: Translate) -> Text:
    """A hill with one marker, as only one side can hold points: our slope is left, theirs is right.

    Args:
        riser: The side that holds points.
        points: Its points.
        target: The points that win the match, at both ends of the hill.
        own: The side of the reader.
        say: Translates messages.
    """
    reach = 20
    steps = min(reach, round(reach * points / target)) if riser is not None else 0
    at = reach if riser is None else reach - steps if riser == own else reach + steps
    slope = ["─"] * (2 * reach + 1)
    slope[reach] = "┴"
    slope[at] = "●"
    line = Text(say("Us") + f" {target} ", style="dim")
    line.append("".join(slope[:at]), style="dim")
    line.append("●", style="bold")
    line.append("".join(slope[at + 1 :]), style="dim")
    line.append(f" {target} " + say("Them"), style="dim")
    if riser is not None:
        text = (
            say("We are rising with {points}", points=points)
            if riser == own
            else say("They are rising with {points}", points=points)
        )
        line.append("  " + text, style="bold")
    return line
