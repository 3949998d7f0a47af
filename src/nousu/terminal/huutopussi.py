"""Huutopussi in the terminal: the score, the contract with the points taken, trumps and their history."""

from collections.abc import Iterator

from rich.text import Text

from nousu.engine.actions import Call
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.huutopussi import Bid, Contract, Facts, said
from nousu.i18n.sentences import Voice, suit_words
from nousu.terminal.drawing import SIGNS


def number_in(call: Call) -> int | None:
    """The points of a bid or a contract."""
    meaning = said(call)
    return meaning.points if isinstance(meaning, Bid | Contract) else None


def marks(view: View, voice: Voice, seat: Seat) -> Iterator[str]:
    """Mark the player of the contract."""
    if seat == Facts.of(view.facts).declarer:
        yield voice.say("declarer")


def status_lines(view: View, voice: Voice) -> Iterator[Text]:
    """The score, the contract with a bar of the points taken, and the history of trumps."""
    facts, say = Facts.of(view.facts), voice.say
    own = (view.seat or 0) % 2
    score = view.setup.tally.score()
    yield Text(
        say(
            "Us {ours}, them {theirs}; to {target}",
            ours=score[own],
            theirs=score[1 - own],
            target=view.rules.target,
        ),
        style="bold",
    )
    declarer, contract = facts.declarer, facts.contract
    if declarer is None:
        bid, bidder = facts.bid, facts.bidder
        if bid and bidder is not None:
            yield Text(say("{name} has bid {points}", name=voice.name(bidder), points=bid))
        return
    parts = [say("{name} plays", name=voice.name(declarer))]
    if contract:
        parts = [say("{name} has named a contract of {points}", name=voice.name(declarer), points=contract)]
    taken = facts.taken
    line = Text(parts[0] + "   ")
    if contract:
        line.append_text(_bar(taken[declarer % 2], contract))
    line.append("  " + say("points won: us {us}, them {them}", us=taken[own], them=taken[1 - own]))
    yield line
    history = [f"{SIGNS[row.suit]} {voice.name(row.by)} +{row.points}" for row in facts.marriages]
    trump = facts.trump
    trumps = say("No trumps yet") if trump is None else say("Trump: {suit}", suit=suit_words(trump, say))
    yield Text(trumps + ("   " + " → ".join(history) if history else ""))


def _bar(made: int, contract: int) -> Text:
    """A bar of twenty steps: the points made of those of the contract."""
    full = min(20, 20 * made // contract) if contract else 0
    return Text.assemble(("█" * full, "#008a00"), ("░" * (20 - full), "dim"), f" {made}/{contract}")
