"""People whose names look alike on paper get the number of their entry behind the name there.

Two names look alike where their letters have the same shapes: Cyrillic and Greek letters drawn as Latin ones,
and letters that the fonts lack, each of which is printed as a question mark.
"""

from collections import Counter
from dataclasses import replace

from nousu.engine.normal_forms import normal_form
from nousu.tournament.model import Tournament
from nousu.tournament.paper.canvas import drawable_text

_SAME_SHAPES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιIl1|0",
    "ABESIJKMHOPCTYXaesijopcyxdqwABEZHIKMNOPTYXovillllO",
)
"""Letters of other scripts, and signs, by the Latin letter that has the same shape in the fonts of paper."""


def shape_of(name: str) -> str:
    """The key under which two names look alike on paper."""
    shapes = normal_form("NFKC", drawable_text(name)).translate(_SAME_SHAPES)
    return " ".join(shapes.split())


def with_distinct_names(state: Tournament) -> Tournament:
    """The tournament with a number behind names that look alike; before the draw it is that of the entry."""
    entered = [entrant for entrant in state.entrants if not entrant.struck]
    count = Counter(shape_of(name) for entrant in entered for name in entrant.members)
    if not any(times > 1 for times in count.values()):
        return state
    numbers = {id: number for number, id in enumerate(state.numbers, 1)}
    return replace(
        state,
        entrants=tuple(
            replace(
                entrant,
                members=tuple(
                    f"{name} ({numbers.get(entrant.id, entrant.id)})" if count[shape_of(name)] > 1 else name
                    for name in entrant.members
                ),
            )
            for entrant in state.entrants
        ),
    )
