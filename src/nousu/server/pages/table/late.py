"""The offer to somebody who comes while a hand is played."""

import math

from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.i18n.reader import Reader
from nousu.server.pages.table.table_view import LateOffer
from nousu.server.table.view import SeatView

_TRICK = 12.0
"""Seconds of a trick, as long as none of this hand was played."""


def late_offer(seen: SeatView, reader: Reader) -> LateOffer | None:
    """The offer to a spectator during a hand; None where there is no chair to take."""
    if seen.chair is None and (not seen.seats_to_keep or seen.barred):
        return None
    say = reader.say
    done, left = len(seen.view.tricks), _tricks_left(seen.view)
    kept = "" if seen.chair is None else seen.names[seen.chair]
    if kept:
        title = say("Your chair is kept")
        text = say(
            "You sit down in place of {name} as soon as this hand ends. Until then nobody’s cards are shown.",
            name=kept,
        )
    else:
        title = say("You are just in time")
        number = seen.view.setup.number
        text = (
            say(
                "{name} plays here, hand {number}. Take a computer’s place when it ends.",
                name=seen.host_name,
                number=number,
            )
            if seen.host_name
            else say("Hand {number} is being played. Take a computer’s place when it ends.", number=number)
        )
    return LateOffer(
        title=title,
        text=text,
        progress=say("Trick {number} of {total}", number=done + 1, total=done + left) if left else "",
        done=done,
        tricks=done + left,
        wait=_wait(left * (seen.trick_time or _TRICK), reader),
        chairs=()
        if kept
        else tuple(
            [
                (seat, seen.names[seat], say("Keep the chair of {name} for me", name=seen.names[seat]))
                for seat in seen.seats_to_keep
            ]
        ),
    )


def _tricks_left(view: View) -> int:
    """The tricks still to play, of which one may have begun; somebody who sits out may hold more cards."""
    playing = [seat for seat, _ in view.tricks[-1].plays] if view.tricks else range(len(view.counts))
    return max(view.counts[seat] for seat in playing)


def _wait(seconds: float, reader: Reader) -> str:
    """A number of seconds in words, rounded up to half minutes."""
    if seconds <= 30:
        return reader.say("less than half a minute")
    minutes = math.ceil(seconds / 60)
    return reader.say(sentence("about {count} minute", "about {count} minutes"), count=minutes)
