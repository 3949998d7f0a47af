"""Slip of a table as plain lines of text: its seats, and room for the result."""

from collections.abc import Callable

from nousu.tournament.model import Tournament


def slip_lines(state: Tournament, table: str, say: Callable[..., str] = str.format) -> list[str]:
    """The lines of a slip, its words translated by `say` (without it in English)."""
    slip = f"{table}/{state.plans.get(table, 0)}"
    head = state.name + "   " + say("table {number}", number=table) + "   " + say("slip {slip}", slip=slip)
    foot = "   " + say("signed") + " ______________________" * 2
    return [head, *state.kind(table).slips.text_lines(state, table, say), foot]
