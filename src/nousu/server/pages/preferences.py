"""How a person wants pages to look and to behave: settings of a device, each kept in a cookie of its own.

All of them come from one table. What differs from the usual stands on the page's root element
(``data-four="on"``), where the stylesheet and the scripts read it; the order of the cards is laid out by the
server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from starlette.requests import HTTPConnection

from nousu.i18n import Translate
from nousu.server.pages.table.picture import HandCard
from nousu.server.people import cookies

VALUES: Mapping[str, tuple[str, ...]] = {
    "theme": ("auto", "light", "dark"),
    "four": ("off", "on"),
    "cards": ("normal", "large"),
    "order": ("high", "low"),
    "taps": ("two", "one"),
    "forced": ("off", "last", "all"),
    "motion": ("short", "none"),
    "sound": ("off", "on"),
    "buzz": ("on", "off"),
}
"""What each setting may be, the usual value first. `nousu.server.people.cookies` knows their names, too."""
Look = Mapping[str, str]
"""The settings that differ from the usual, by name."""


def look_of(request: HTTPConnection) -> Look:
    """The settings in the cookies of a request."""
    found = cookies.parse(request.headers.getlist("cookie"))
    chosen = {name: found.get(f"nousu_{name}", "") for name in VALUES}
    return {name: chosen[name] for name, values in VALUES.items() if chosen[name] in values[1:]}


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting as a person chooses it."""

    name: str
    label: str
    about: str
    values: tuple[tuple[str, str, bool], ...]
    """Value, words, and whether it is chosen."""


def choices(look: Look, say: Translate) -> tuple[Choice, ...]:
    """All settings with what is chosen now."""
    words = {
        "theme": (say("Light"), "", (say("Auto"), say("Noon"), say("Evening"))),
        "four": (say("Colours"), "", (say("2 colours"), say("4 colours"))),
        "cards": (
            say("Figures on the cards"),
            say("Large ones are easier to read."),
            (say("Normal"), say("Large")),
        ),
        "order": (
            say("Order within a suit"),
            "",
            (say("High cards on the left"), say("Low cards on the left")),
        ),
        "taps": (
            say("Playing a card"),
            say("With two taps the first one lifts the card, so that a slip of the finger plays nothing."),
            (say("Two taps"), say("One tap")),
        ),
        "forced": (
            say("A forced card"),
            say("It takes as long as your choices usually do, so nobody sees that you had none."),
            (say("I play it"), say("The last card, automatically"), say("Every one, automatically")),
        ),
        "motion": (say("Motion"), "", (say("Short"), say("None"))),
        "sound": (
            say("Sounds"),
            say("When it is your turn, and when a card falls."),
            (say("Off"), say("On")),
        ),
        "buzz": (
            say("Vibration"),
            say("When it is your turn, on devices that can."),
            (say("On"), say("Off")),
        ),
    }
    found = []
    for name, values in VALUES.items():
        label, about, texts = words[name]
        now = look.get(name, values[0])
        shown = tuple((value, text, value == now) for value, text in zip(values, texts, strict=True))
        found.append(Choice(name, label, about, shown))
    return tuple(found)


def in_order(hand: Sequence[HandCard], look_order: str) -> tuple[HandCard, ...]:
    """The hand in the order asked for: the suits stay where they are, within each the cards change places."""
    if look_order != "low":
        return tuple(hand)
    found: list[HandCard] = []
    for _, group in groupby(hand, key=lambda card: card.face.suit):
        suit = list(group)
        found += [
            card._replace(row=place.row, x=place.x, y=place.y)
            for place, card in zip(suit, reversed(suit), strict=True)
        ]
    return tuple(found)
