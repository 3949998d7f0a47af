"""What of a text is English although its reader's catalogue has the sentence."""

import re
from functools import cache

from nousu.engine.notes import sentence
from nousu.words import collect, translator


@cache
def english(language: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """The messages that read differently in that language: those without places, and the others as a
    pattern."""
    say = translator(language)
    # One letter (D for the dealer) may be the corner of a card in another language.
    used = {forms[-1]: say(sentence(*forms)) for forms in collect.said() if len(forms[0]) > 1}
    found = [message for message, ours in used.items() if ours.casefold() != message.casefold()]
    forms = []
    for message in found:
        parts = re.split(r"\{\w+\}", message)
        if len(parts) > 1 and sum(len(re.findall(r"[A-Za-z]{2,}", part)) for part in parts) > 1:
            forms.append(".+".join(map(re.escape, parts)))
    plain = {message.rstrip(".:").casefold() for message in found if "{" not in message}
    ours = {ours.rstrip(".:").casefold() for ours in used.values()}  # words that both languages have
    return frozenset(plain - ours), re.compile("|".join(f"(?:{form}[.:]?)" for form in forms), re.IGNORECASE)


def untranslated(text: str, language: str) -> bool:
    """Whether a whole text is an English message that the catalogue says otherwise."""
    plain, forms = english(language)
    shown = " ".join(text.split())
    return shown.rstrip(".:").casefold() in plain or forms.fullmatch(shown) is not None
