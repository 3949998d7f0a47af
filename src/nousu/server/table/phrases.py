"""What may be said at a table at a tap: each reader reads it in their own language."""

from collections.abc import Mapping

from nousu.engine.messages import sentence

REACTIONS: Mapping[str, str] = {
    "hello": sentence("Hello!"),
    "luck": sentence("Good luck!"),
    "played": sentence("Well played!"),
    "thanks": sentence("Thank you!"),
    "sorry": sentence("Sorry!"),
    "laugh": sentence("Ha ha!"),
    "moment": sentence("One moment, please."),
    "back": sentence("I am back."),
    "game": sentence("Good game!"),
    "more": sentence("One more match?"),
    "last": sentence("This is my last hand."),
    "bye": sentence("Goodbye!"),
}
"""Said at every table at any time; none of them is about cards."""
GESTURES: Mapping[str, str] = {
    "strong": sentence("I am strong."),
    "weak": sentence("I am weak."),
    "lead": sentence("Let me have the lead."),
    "mine": sentence("Leave this trick to me."),
    "same": sentence("Lead that suit again."),
}
"""Signals of an agreed card that are given by a tap during the hand."""
CONVENTIONS: Mapping[str, str] = {
    "low": sentence("A low card led: I hold a high card of that suit."),
    "top": sentence("A high card led: I hold nothing above it."),
    "like": sentence("My first discard shows the suit that I like."),
    "dislike": sentence("My first discard shows the suit that I do not like."),
    "even": sentence("A high card, then a low one: I hold an even number of that suit."),
}
"""Signals of an agreed card that are given by the cards one plays."""
SIGNALS: Mapping[str, str] = {**CONVENTIONS, **GESTURES}
SENTENCES: Mapping[str, str] = {**REACTIONS, **GESTURES}
"""All that a tap can say, by its id."""
