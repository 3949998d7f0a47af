"""What stands on the pages in short: spoken words on buttons, the rules of a table."""

from functools import lru_cache
from typing import Any

from nousu.engine.options import differences
from nousu.games import find
from nousu.server.seen import Seen
from nousu.words import Translate
from nousu.words.events import Voice
from nousu.words.options import option_name, value_words


def word(spoken: str, say: Translate) -> str:
    """A word of the table as it stands on a button, where it names nobody."""
    return Voice((), 0, None, say).word(spoken)


KEY_OPTIONS = {
    "whist": ("target", "high_points", "high_fail_points", "low_points", "sooli", "table_talk"),
    "huutopussi": ("target", "min_bid", "exchange_cards", "last_trick", "failed_contract", "answers"),
    "tuppen": ("start_points", "four_pictures", "raise_cap", "leave_cost", "poor_man", "blind_raise"),
}
"""The options a table always shows, by family; those that differ from the preset come on top."""


def table_rules(seen: Seen, say: Translate) -> tuple[tuple[str, str], ...]:
    """The rules of a table in short: what differs from its preset, then what matters most."""
    return _rules(seen.match.game, seen.match.rules, seen.base_preset, say)


@lru_cache(256)
def _rules(game: str, rules: Any, base: str, say: Translate) -> tuple[tuple[str, str], ...]:
    changed = tuple(differences(rules, find(base)[1]))
    shown = changed + tuple(name for name in KEY_OPTIONS.get(game, ()) if name not in changed)
    return tuple((option_name(name, say), value_words(name, getattr(rules, name), say)) for name in shown)
