"""English left in a text although its reader's catalogue has the sentence."""

import re
from functools import cache

from nousu.engine.messages import sentence
from nousu.i18n import translator
from tools import collect_messages


@cache
def english(language: str) -> tuple[frozenset[str], tuple[tuple[str, ...], ...]]:
    """The messages that read differently in that language, in small letters: those without places, and the
    fixed parts of the others."""
    say = translator(language)
    # One letter (D for the dealer) may be the corner of a card in another language.
    used = {forms[-1]: say(sentence(*forms)) for forms in collect_messages.said() if len(forms[0]) > 1}
    messages = [message for message, ours in used.items() if ours.casefold() != message.casefold()]
    forms = []
    for message in messages:
        parts = tuple(re.split(r"\{\w+\}", message.casefold()))
        if len(parts) > 1 and sum(len(re.findall(r"[a-z]{2,}", part)) for part in parts) > 1:
            forms.append(parts)
    plain = {message.rstrip(".:").casefold() for message in messages if "{" not in message}
    ours = {ours.rstrip(".:").casefold() for ours in used.values()}  # words that both languages have
    return frozenset(plain - ours), tuple(forms)


def _filled(parts: tuple[str, ...], text: str) -> bool:
    """Whether a text is that message with its places filled."""
    if not (text.startswith(parts[0]) and text.endswith(parts[-1])):
        return False
    at = len(parts[0])
    for part in parts[1:-1]:
        at = text.find(part, at + 1)
        if at < 0:
            return False
        at += len(part)
    return at < len(text) - len(parts[-1])


@cache
def untranslated(text: str, language: str) -> bool:
    """Whether a whole text is an English message that the catalogue translates."""
    plain, forms = english(language)
    shown = " ".join(text.split()).casefold()
    if shown.rstrip(".:") in plain:
        return True
    shorter = shown[:-1] if shown.endswith((".", ":")) else shown
    return any(_filled(parts, words) for words in {shown, shorter} for parts in forms)
