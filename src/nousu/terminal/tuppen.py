"""Tuppen in the terminal: dice, players in the hand, the stake."""

from collections.abc import Iterator

from rich.text import Text

from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.tuppen import Facts, die_face
from nousu.i18n.sentences import Voice

_DICE = " ⚀⚁⚂⚃⚄⚅"


def points_text(view: View, seat: Seat) -> Text:
    """The die of a player; its one stands for seven too."""
    points = Facts.of(view.facts).points[seat]
    face = _DICE[die_face(points)] if die_face(points) else "✗"
    return Text(f"{face} {points}  ", style="bold" if points > 1 else "bold #eb0000")


def state(view: View, voice: Voice, seat: Seat) -> str:
    """The state of a player: out of the game, out of the hand, poor, or the number of cards."""
    facts, say = Facts.of(view.facts), voice.say
    if seat not in facts.alive or (facts.kind == "eight" and facts.places[seat]):
        return say("out")
    if seat not in facts.group:
        return say("sits out")
    if seat not in facts.in_hand:
        return say("has left: cards face down, die on top")
    parts = [say("cards {count}", count=view.counts[seat])]
    if seat in facts.poor:
        parts.append(say("poor man"))
    laid = sum(packet.owner == seat for packet in facts.packets)
    if laid:
        parts.append(say("pictures laid down {count}", count=laid))
    return ", ".join(parts)


def status_lines(view: View, voice: Voice) -> Iterator[Text]:
    """The stake with the last raiser, the kind of a special hand, and the players still to answer."""
    facts, say = Facts.of(view.facts), voice.say
    line = Text(say("Stake {stake}", stake=facts.stake), style="bold")
    if facts.last_raiser is not None:
        name = voice.name(facts.last_raiser)
        line.append("   " + say("last raised by {name}", name=name), style="not bold")
    special = {
        "dead": say("play-off for places"),
        "poor": say("deciding hand of poor men"),
        "eight": say("eight cards without points"),
    }
    if facts.kind in special:
        line.append("   " + special[facts.kind], style="bold #eb0000")
    yield line
    if facts.asked:
        asked = ", ".join(voice.name(seat) for seat in facts.asked)
        yield Text(say("Still to answer: {names}", names=asked))
