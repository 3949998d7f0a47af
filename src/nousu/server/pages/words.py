"""What stands on the pages in short: spoken words on buttons, the rules of a table."""

from functools import lru_cache
from typing import Any

from nousu.engine.options import differences
from nousu.games import find
from nousu.i18n import Translate
from nousu.i18n.names import option_name, value_words
from nousu.i18n.sentences import Voice
from nousu.server.table.view import SeatView


def word(spoken: str, say: Translate) -> str:
    """A word of the table as it stands on a button, where it names nobody."""
    return Voice((), 0, None, say).word(spoken)


def table_rules(seen: SeatView, say: Translate) -> tuple[tuple[str, str], ...]:
    """The rules of a table in short: what differs from its preset, then what matters most."""
    found = _rules(seen.match.rules, seen.base_preset, say)
    return (*found, (say("Learning table"), say("hints may be asked for"))) if seen.learning else found


@lru_cache(256)
def _rules(rules: Any, base: str, say: Translate) -> tuple[tuple[str, str], ...]:
    game, usual = find(base)
    changed = tuple(differences(rules, usual))
    shown = changed + tuple(name for name in game.key_options if name not in changed)
    return tuple((option_name(name, say), value_words(name, getattr(rules, name), say)) for name in shown)
