"""``nousu tournament``: a whole event from the first name to the cup, with one command for each step.

Every command that changes something says who does it (``--by NAME`` or the variable NOUSU_BY), writes one
line into the tournament file, and ends with what is still missing. With ``--json`` all answers are JSON.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli import LANG_HELP, language
from nousu.cli.tournament import attendance, direction, files, season
from nousu.cli.tournament.common import (
    AsJson,
    By,
    File,
    Manner,
    Options,
    Person,
    Reason,
    Seed,
    answering,
    manner,
)
from nousu.cli.tournament.desk import desk
from nousu.cli.tournament.lists import read_listed

if TYPE_CHECKING:
    from nousu.tournament.model import Tournament

app = typer.Typer(
    name="tournament",
    help="Direct a tournament: from the first name to the cup.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def register(parent: typer.Typer) -> None:
    """Add ``nousu tournament`` to the command."""
    parent.add_typer(app)


@app.callback()
def tournament(
    lang: Annotated[str, typer.Option("--lang", envvar="NOUSU_LANG", help=LANG_HELP)] = "",
    width: Annotated[
        int, typer.Option("--width", min=0, help="Width of tables in columns; 0: as wide as the terminal.")
    ] = 0,
    copy: Annotated[
        Path | None,
        typer.Option(
            "--copy",
            metavar="FOLDER",
            envvar="NOUSU_COPY",
            help="Keep a second copy here (on a memory stick, say), updated with every entry.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Direct a tournament: from the first name to the cup."""
    manner.set(Manner(language(lang), width, copy))


@app.command()
def new(
    file: File,
    name: Annotated[str, typer.Option("--name", help="What the event is called.", show_default=False)] = "",
    format: Annotated[str, typer.Option("--format", help="tuppen, tuppi or drive.")] = "tuppen",
    options: Options = None,
    origin: Annotated[
        Path | None, typer.Option("--from", help="Continue an exported tournament.", show_default=False)
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Begin a tournament in a new file."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.formats import from_words, make

        if origin is not None:
            opened = office.restore(origin)
        else:
            kind = make({"name": format, **from_words(format, options or [])})
            opened = office.begin(name or file.stem, kind, by)
        screen.done(opened, "{name} is open in {path}.", name=opened.tournament.name, path=str(file))


@app.command()
def players(
    file: File,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Names to add.", show_default=False)
    ] = None,
    paste: Annotated[bool, typer.Option("--paste", help="Read a list from standard input.")] = False,
    listed: Annotated[
        Path | None,
        typer.Option("--list", help="Read a CSV, XLSX, XLS, ODS or text file.", show_default=False),
    ] = None,
    sheet: Annotated[
        str, typer.Option("--sheet", help="The sheet, if the file has several.", show_default=False)
    ] = "",
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            help="How to read a list that is not UTF-8: cp1252, mac_roman, cp850 or cp1250.",
            show_default=False,
        ),
    ] = "",
    look: Annotated[bool, typer.Option("--look", help="Only show what would be entered.")] = False,
    strike: Annotated[str, typer.Option("--strike", help="Take off the list.", show_default=False)] = "",
    rename: Annotated[
        str, typer.Option("--rename", help="The person whose name changes.", show_default=False)
    ] = "",
    to: Annotated[str, typer.Option("--to", help="The new name.", show_default=False)] = "",
    team: Annotated[str, typer.Option("--team", help="The new team.", show_default=False)] = "",
    lone: Annotated[bool, typer.Option("--lone", help="The people added have no partner yet.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Show the list of people, or change it: add names, paste, read a file, strike, rename."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament import people
        from nousu.tournament.list_files import Source
        from nousu.tournament.messages import Refusal

        opened = office.open()
        state = opened.tournament
        pairs = state.format.pairs and not lone
        taken = [member for entrant in state.entrants if not entrant.struck for member in entrant.members]
        read_list = None
        if listed is not None or paste:
            source = read_listed(listed, sheet, encoding)
            commas = listed is not None and people.has_commas(listed)
            read_list = people.preview(source, pairs=pairs, taken=taken, commas=commas)
            screen.read(read_list)
        elif names:
            read_list = people.preview(Source("\n".join(names)), pairs=pairs, taken=taken)
            for note in read_list.notes():
                screen.note(note)
        if read_list is not None:
            read_list.all_right()
            if look:
                return
            if not read_list.given:
                raise Refusal("the list is empty")
            opened = office.enter(by, read_list.given, lone=lone)
            screen.done(opened, "{count} entered.", count=len(read_list.given))
        elif strike:
            person = state.person(strike)
            opened = office.act(by, "struck", id=person.id)
            screen.done(opened, "{name} is off the list.", name=person.name)
        elif rename:
            person = state.person(rename)
            given = people.from_text(to or person.name, pairs=len(person.members) == 2).given
            if len(given) != 1:
                raise Refusal("give one new name", where="to")
            changed = team or person.team
            opened = office.act(by, "renamed", id=person.id, members=list(given[0].members), team=changed)
            screen.done(opened, "{old} is now {name}.", old=person.name, name=given[0].name)
        screen.people(opened.tournament)
        screen.letters(opened.tournament)
        screen.end(opened)


@app.command()
def draw(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The tournament file.", show_default=False)
    ] = None,
    seed: Seed = "",
    numbers: Annotated[
        str,
        typer.Option(
            "--numbers",
            help="The numbers people drew with cards, in the order of the list.",
            show_default=False,
        ),
    ] = "",
    script: Annotated[bool, typer.Option("--script", help="Print the program that checks a draw.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Draw the numbers, from a seed chosen in the hall or at random.

    The seed is shown, so anybody can check the draw.
    """
    if script:
        import nousu.tournament.draw as checker

        typer.echo(Path(checker.__file__).read_text("utf-8"), nl=False)
        return
    if file is None:
        from nousu.i18n import translator

        say = translator(manner.get().language)
        typer.echo("nousu: " + say("say which tournament file, or --script"), err=True)
        raise typer.Exit(2)

    with answering(file, as_json) as (office, screen):
        if numbers:
            opened = office.number(by, _by_entrant(office.open().tournament, numbers))
            screen.done(opened, "The numbers drawn with cards are entered.")
        else:
            opened = office.draw(by, seed or None)
            screen.done(opened, "Drawn by the seed: {seed}", seed=opened.tournament.seed)
        screen.people(opened.tournament)
        screen.end(opened)


def _by_entrant(state: "Tournament", numbers: str) -> dict[int, int]:
    """The number of every entrant, from numbers written in the order of the list."""
    from nousu.tournament.messages import Refusal

    words = numbers.replace(",", " ").split()
    people = state.active()
    if len(words) != len(people) or not all(word.isdecimal() for word in words):
        raise Refusal(
            "write {count} numbers, one for each person in the order of the list",
            values={"count": len(people)},
            where="numbers",
        )
    return {person.id: int(word) for person, word in zip(people, words, strict=True)}


@app.command()
def pair(
    file: File,
    seed: Seed = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Draw partners for all players who have none."""
    with answering(file, as_json) as (office, screen):
        opened = office.pair_up(by, seed or None)
        used = str(opened.log.events[-1]["seed"])
        screen.done(opened, "Drawn by the seed: {seed}", seed=used)
        screen.people(opened.tournament)
        screen.end(opened)


@app.command()
def apart(
    file: File,
    how: Annotated[str, typer.Argument(help="must, rather or free", show_default=False)],
    one: Person = "",
    other: Person = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Keep two people (a family, say), or without names all members of each team, at different tables.

    They must not meet, or preferably should not.
    """
    with answering(file, as_json) as (office, screen):
        opened = office.keep_apart(by, how, one, other)
        screen.done(opened, "Noted; it applies to every plan from now on.")
        screen.end(opened)


@app.command()
def change(
    file: File,
    options: Options = None,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Change options of a running event (shorten, lengthen …) for rounds that have not begun."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.formats import from_words

        before = office.open().tournament
        opened = office.change(by, from_words(before.format.name, options or []), reason)
        screen.done(opened, "Changed; rounds that have begun are finished as they began.")
        dropped = [label for label in before.rounds if label not in opened.tournament.rounds]
        if dropped:
            screen.say("No longer planned: {rounds}", rounds=", ".join(dropped))
        screen.end(opened)


@app.command()
def swap(
    file: File,
    one: Person,
    other: Person,
    round: Annotated[str, typer.Option("--round", help="In which round.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Let two people change seats in one round, as long as neither table has a slip."""
    with answering(file, as_json) as (office, screen):
        opened = office.swap(by, round, one, other)
        screen.done(opened, "Swapped; slips printed for these tables are void.")
        screen.plan(opened.tournament, [round])
        screen.end(opened)


@app.command()
def seat(
    file: File,
    people: Annotated[list[str], typer.Argument(metavar="PERSON...", help="Number or name.")],
    round: Annotated[str, typer.Option("--round", help="In which round.")],
    table: Annotated[int, typer.Option("--table", min=0, help="At which table; 0: at a new one.")] = 0,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Seat people who came late in one round, also if it has begun; all other tables stay as they are."""
    with answering(file, as_json) as (office, screen):
        opened = office.add_to_round(by, round, people, table)
        screen.done(opened, "Seated in round {round}; a slip printed for that table is void.", round=round)
        screen.plan(opened.tournament, [round])
        screen.end(opened)


@app.command()
def substitute(
    file: File,
    person: Person,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who plays on.", show_default=False)],
    round: Annotated[
        str, typer.Option("--round", help="From which round on; empty: the one played now.")
    ] = "",
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Let another person play on for somebody. The seat keeps its number, its tables and its points."""
    with answering(file, as_json) as (office, screen):
        opened = office.substitute(by, person, name, round.upper(), reason)
        label = opened.log.events[-1]["round"]
        screen.done(opened, "{name} plays from round {round} on.", name=name, round=label)
        screen.end(opened)


@app.command()
def plan(
    file: File,
    start: Annotated[
        str, typer.Option("--from", help="The first round to plan again.", show_default=False)
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the search.")] = 1,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to search.")] = 4.0,
    listed: Annotated[
        Path | None,
        typer.Option("--list", help="Read a plan made by hand: one line per table.", show_default=False),
    ] = None,
    add: Annotated[
        bool, typer.Option("--add", help="Seat late arrivals at the smallest tables; the others stay.")
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show the plan in force.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Plan the rounds that can be planned now: all series, the pools, the next cup round.

    After a late arrival or a withdrawal, only rounds that have not begun are planned again.
    """
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.seating.text import from_text

        if show:
            opened = office.open()
            labels = list(opened.tournament.rounds)
        else:
            state = office.open().tournament
            before = state.rounds
            if listed is not None:
                opened = office.seat(by, from_text(read_listed(listed).text, state))
            elif add:
                opened = office.seat_newcomers(by)
            else:
                opened = office.plan(by, start=start, seed=seed, seconds=seconds)
            rounds = opened.tournament.rounds
            labels = [label for label in rounds if before.get(label) != rounds[label]]
            screen.done(opened, "Planned: {rounds}", rounds=", ".join(labels) or "-")
        screen.plan(opened.tournament, labels)
        screen.end(opened)


@app.command()
def stechen(file: File, by: By = "", as_json: AsJson = False) -> None:
    """Plan the play-off among those who are level at the top; it decides only the cup."""
    with answering(file, as_json) as (office, screen):
        opened = office.stechen(by)
        label = list(opened.tournament.rounds)[-1]
        screen.done(opened, "Planned: {rounds}", rounds=label)
        screen.plan(opened.tournament, [label])
        screen.end(opened)


app.command()(desk)
for part in (attendance, direction, files):
    app.registered_commands += part.app.registered_commands
app.add_typer(season.app)
