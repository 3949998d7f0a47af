"""Names and titles in letters that paper cannot draw: a sentence for each, for every surface that prints."""

from collections.abc import Iterable, Iterator

from nousu.engine.messages import Note, sentence
from nousu.tournament.model import Tournament


def letter_notes(texts: Iterable[str]) -> Iterator[Note]:
    """Name the texts with letters that the font on paper lacks; none if paper cannot be made at all."""
    try:
        from nousu.tournament.paper import undrawable_letters
    except ImportError:
        return
    message = sentence(
        "{name}: the printed font has no {letters} and prints ? instead; write the name in other letters "
        "if you can."
    )
    for text in dict.fromkeys(texts):
        if letters := undrawable_letters(text):
            yield Note("", message, {"name": text, "letters": " ".join(letters)})


def printed_texts(state: Tournament) -> Iterator[str]:
    """Texts on the paper of an event: its name, and the names and teams of its people."""
    yield state.name
    for entrant in (*state.active(), *state.lone()):
        yield entrant.name
        yield entrant.team
