"""The slip of a table as it is printed: who sits where, and room for the result. Plain lines of text."""

from collections.abc import Callable

from nousu.tournament.formats.tuppen import LETTERS
from nousu.tournament.model import Tournament


def printed(state: Tournament, table: str, say: Callable[..., str] = str.format) -> list[str]:
    """The lines of a slip, its words said by `say` (a translator; else in English)."""
    seats, kind = state.seats(table), state.kind(table)
    slip = f"{table}/{state.plans.get(table, 0)}"
    lines = [state.name + "   " + say("table {number}", number=table) + "   " + say("slip {slip}", slip=slip)]
    if kind.slip == "places":
        games = kind.games_at(table)
        heads = [say("game {number}", number=game) for game in range(1, games + 1)]
        seat, no, called = say("seat"), say("No."), say("name")
        lines.append(f"   {seat:<5} {no:>3}  {called:<30}" + "".join(f"  {head:<9}" for head in heads))
        for letter, number in zip(LETTERS, seats, strict=False):
            name = state.who(number)[:30]
            lines.append(f"   {letter:<5} {number:>3}  {name:<30}" + "  ________ " * games)
        points = "-".join(map(str, kind.place_points))
        lines.append("   " + say("places by seat letter, winner first; points {points}", points=points))
    elif kind.slip == "hands":
        for side, number in zip("AB", seats, strict=True):
            lines.append(f"   {side}  {number:>3}  {state.who(number)}")
        for first in range(1, kind.lines_at(table) + 1, 8):
            hands = range(first, min(first + 8, kind.lines_at(table) + 1))
            lines.append("   " + "  ".join(f"{hand:>2} ____" for hand in hands))
        gaps = {"sums": "A ____ B ____", "rises": "A ____ B ____", "gap": "____"}
        lines.append("   " + say("sums {sums}   highest rises {rises}   hands {gap}   winner {gap}", **gaps))
    else:
        sides = [seats[0::2], seats[1::2]]
        points = say("points")
        for side, numbers in zip("AB", sides, strict=True):
            names = ", ".join(f"{number} {state.who(number)}" for number in numbers)
            lines.append(f"   {side}  {names:<50}  {points} ________")
    lines.append("   " + say("signed") + " ______________________" * 2)
    return lines
