"""Messages of an event whose rounds are called series, in place of those that speak of rounds."""

from collections.abc import Mapping
from functools import cache

from nousu.engine.messages import sentence
from nousu.i18n import Translate, translator

SERIES: Mapping[str, str] = {
    "Changed; rounds that have begun are finished as they began.": sentence(
        "Changed; series that have begun are finished as they began."
    ),
    "No time is set for round {round}.": sentence("No time is set for series {round}."),
    "Round {round}": sentence("Series {round}"),
    "Round {round} begins at {time}.": sentence("Series {round} begins at {time}."),
    "Round {round} has begun.": sentence("Series {round} has begun."),
    "Seated in round {round}; a slip printed for that table is void.": sentence(
        "Seated in series {round}; a slip printed for that table is void."
    ),
    "withdrawn from round {round} on": sentence("withdrawn from series {round} on"),
    "{name} no longer plays from round {round} on.": sentence(
        "{name} no longer plays from series {round} on."
    ),
    "{name} plays from round {round} on.": sentence("{name} plays from series {round} on."),
    "A round begins with its first slip. Say so earlier if nobody is to be moved any more.": sentence(
        "A series begins with its first slip. Say so earlier if nobody is to be moved any more."
    ),
    "Also in a round that has begun. All other tables stay as they are.": sentence(
        "Also in a series that has begun. All other tables stay as they are."
    ),
    "Before the first round": sentence("Before the first series"),
    "Everybody’s tables by name, then each round by table.": sentence(
        "Everybody’s tables by name, then each series by table."
    ),
    "From which round on": sentence("From which series on"),
    "In which round": sentence("In which series"),
    "Plan again from round {round}": sentence("Plan again from series {round}"),
    (
        "Plays from round {round} on: seat them at the smallest tables, or plan again from there. Slips "
        "printed for tables that change are void."
    ): sentence(
        "Plays from series {round} on: seat them at the smallest tables, or plan again from there. Slips "
        "printed for tables that change are void."
    ),
    "Round and table, then numbers or names in seat order: 1.2; 4; 9; 2; 7": sentence(
        "Series and table, then numbers or names in seat order: 1.2; 4; 9; 2; 7"
    ),
    "Round to announce": sentence("Series to announce"),
    "Rounds": sentence("All series"),
    "Rounds not begun ({count}): {listed}": sentence("Series not begun ({count}): {listed}"),
    "Seat latecomers in one round by hand": sentence("Seat latecomers in one series by hand"),
    "Table {table}, round {round}: {state}": sentence("Table {table}, series {round}: {state}"),
    "The plan no longer fits from round {round} on ({names}); plan again from there.": sentence(
        "The plan no longer fits from series {round} on ({names}); plan again from there."
    ),
    "There is a plan already; rounds that have begun are finished as they began.": sentence(
        "There is a plan already; series that have begun are finished as they began."
    ),
    "Which rounds": sentence("Which series"),
    "all rounds have begun; a newcomer can join only if the event is made longer": sentence(
        "all series have begun; a newcomer can join only if the event is made longer"
    ),
    "from round": sentence("from series"),
    "has withdrawn from round {round} on": sentence("has withdrawn from series {round} on"),
    "has withdrawn from round {round}, game {game} on": sentence(
        "has withdrawn from series {round}, game {game} on"
    ),
    "noted that {name} no longer plays from round {round} on": sentence(
        "noted that {name} no longer plays from series {round} on"
    ),
    "noted that {name} no longer plays from round {round}, game {game} on": sentence(
        "noted that {name} no longer plays from series {round}, game {game} on"
    ),
    "noted that {other} takes over the seat of {name} from round {round} on": sentence(
        "noted that {other} takes over the seat of {name} from series {round} on"
    ),
    "put plan {number} into force for round {rounds}": sentence(
        "put plan {number} into force for series {rounds}"
    ),
    "round {round} already has slips; only later rounds can be planned again": sentence(
        "series {round} already has slips; only later series can be planned again"
    ),
    "round {round} has begun; the event cannot end before it": sentence(
        "series {round} has begun; the event cannot end before it"
    ),
    "round {round} is not planned": sentence("series {round} is not planned"),
    "said that round {round} begins at {time}": sentence("said that series {round} begins at {time}"),
    "said that the cards of round {round} are out": sentence("said that the cards of series {round} are out"),
    "took back when round {round} begins": sentence("took back when series {round} begins"),
    "seated {names} at a new table in round {round}": sentence(
        "seated {names} at a new table in series {round}"
    ),
    "swapped {name} and {other} in round {round}": sentence("swapped {name} and {other} in series {round}"),
    "{name} is in no round yet; plan again": sentence("{name} is in no series yet; plan again"),
    "{name} has no seat in round {round}": sentence("{name} has no seat in series {round}"),
    "{name} sits out in round {round}": sentence("{name} sits out in series {round}"),
}


@cache
def series_translator(language: str) -> Translate:
    """The function that translates the messages of such an event into a language."""
    say = translator(language)

    def series_say(message: str, /, **values: object) -> str:
        play_off = str(values.get("round", ""))[:1] in ("C", "S")
        return say(message if play_off else SERIES.get(message, message), **values)

    return series_say
