"""The reader of a page: a language, the function that says sentences in it, and a voice without a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from nousu.engine.messages import Note
from nousu.engine.seats import Seat
from nousu.i18n import Translate, translator
from nousu.i18n.sentences import Voice, note_with_clause


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """The language of a reader, and its functions.

    `Reader.of` makes one object for each language, so readers are compared and hashed by identity: they are
    keys of caches.

    Attributes:
        language: The code of the language: ``fi``.
        say: Translates a message: ``say("{name} leads", name="Aino")``.
        voice: Speaks where no player is named.
    """

    language: str
    say: Translate
    voice: Voice

    @staticmethod
    @cache
    def of(language: str) -> "Reader":
        """The reader of a language; one without a catalogue is read in English.

        >>> Reader.of("sv").say("Deal")
        'Giv'
        """
        say = translator(language)
        return Reader(language, say, Voice((), 0, None, say))

    def voice_at(self, names: Sequence[str], sides: int, listener: Seat | None) -> Voice:
        """The voice that tells one listener of a table what happens there.

        Args:
            names: The players by seat.
            sides: 2 where partners play together, 0 where everybody plays alone.
            listener: The seat of the listener; None for a spectator.
        """
        return Voice(tuple(names), sides, listener, self.say)

    def explanation(self, note: Note) -> str:
        """A note that names no player, with its clause in brackets."""
        return note_with_clause(note, self.say)
