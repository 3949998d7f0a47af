"""What stands on the pages in short: spoken words on buttons, the rules of a table."""

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
    rules = seen.match.rules
    changed = tuple(differences(rules, find(seen.base_preset)[1]))
    shown = changed + tuple(name for name in KEY_OPTIONS.get(seen.match.game, ()) if name not in changed)
    return tuple((option_name(name, say), value_words(name, getattr(rules, name), say)) for name in shown)
