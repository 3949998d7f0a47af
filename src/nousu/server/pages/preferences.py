"""Preferences of a device about the look and behaviour of pages, each in a cookie of its own.

Those that differ from the default stand on the root element (``data-four="on"``) for the stylesheet and the
scripts. The server itself lays out the order of the cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from starlette.requests import HTTPConnection

from nousu.i18n.reader import Reader
from nousu.server.pages.table.table_view import HandCard
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
"""The values of each preference, the default first. `nousu.server.people.cookies` lists the names, too."""
Preferences = Mapping[str, str]
"""The preferences that differ from the default, by name."""


def preferences_of(request: HTTPConnection) -> Preferences:
    """The preferences in the cookies of a request."""
    values_sent = cookies.parse(request.headers.getlist("cookie"))
    chosen = {name: values_sent.get(f"nousu_{name}", "") for name in VALUES}
    return {name: chosen[name] for name, values in VALUES.items() if chosen[name] in values[1:]}


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference on the settings page."""

    name: str
    label: str
    about: str
    values: tuple[tuple[str, str, bool], ...]
    """Value, words, and whether it is the present one."""


def preference_list(look: Preferences, reader: Reader) -> tuple[Preference, ...]:
    """The preferences with their present values."""
    say = reader.say
    words = {
        "theme": (say("Light"), "", (say("Auto"), say("Noon"), say("Evening"))),
        "four": (say("Colours"), "", (say("2 colours"), say("4 colours"))),
        "cards": (
            say("Signs on the cards"),
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
    rows = []
    for name, values in VALUES.items():
        label, about, texts = words[name]
        now = look.get(name, values[0])
        shown = tuple((value, text, value == now) for value, text in zip(values, texts, strict=True))
        rows.append(Preference(name, label, about, shown))
    return tuple(rows)


def ordered_hand(hand: Sequence[HandCard], look_order: str) -> tuple[HandCard, ...]:
    """The hand in the preferred order: suits stay in place, the cards of each are reversed for ``low``."""
    if look_order != "low":
        return tuple(hand)
    cards: list[HandCard] = []
    for _, group in groupby(hand, key=lambda card: card.card[0]):
        suit = list(group)
        cards += [
            replace(card, row=place.row, x=place.x, y=place.y)
            for place, card in zip(suit, reversed(suit), strict=True)
        ]
    return tuple(cards)
