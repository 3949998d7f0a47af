"""The slip of a table as it is printed: who sits where, and room for the result. Plain lines of text."""

from nousu.tournament.formats.tuppen import LETTERS, TuppenSeries
from nousu.tournament.formats.tuppi import TuppiPairs
from nousu.tournament.model import Tournament
from nousu.tournament.sheet import whist_rules


def printed(state: Tournament, table: str) -> list[str]:
    """The lines of a slip."""
    seats, kind = state.seats(table), state.format
    lines = [f"{state.name}   table {table}"]
    if isinstance(kind, TuppenSeries):
        games = 1 if table[0] == "S" else kind.games
        heads = "".join(f"  game {game:<4}" for game in range(1, games + 1))
        lines.append(f"   seat  no  {'name':<30}{heads}")
        for letter, number in zip(LETTERS, seats, strict=False):
            name = state.who(number)[:30]
            lines.append(f"   {letter}    {number:>3}  {name:<30}" + "  ________ " * games)
        lines.append(
            f"   places by seat letter, winner first; points {'-'.join(map(str, kind.place_points))}"
        )
    elif isinstance(kind, TuppiPairs):
        rules = whist_rules(kind.preset)
        for side, number in zip("AB", seats, strict=True):
            lines.append(f"   {side}  {number:>3}  {state.who(number)}")
        for first in range(1, (rules.max_hands or 0) + 1, 8):
            hands = range(first, min(first + 8, (rules.max_hands or 0) + 1))
            lines.append("   " + "  ".join(f"{hand:>2} ____" for hand in hands))
        lines.append("   sums A ____ B ____   highest rises A ____ B ____   hands ____   winner ____")
    else:
        sides = [seats[0::2], seats[1::2]]
        for side, numbers in zip("AB", sides, strict=True):
            names = ", ".join(f"{number} {state.who(number)}" for number in numbers)
            lines.append(f"   {side}  {names:<50}  points ________")
    lines.append("   signed ______________________   ______________________")
    return lines
