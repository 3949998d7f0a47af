"""``nousu tournament`` while cards are played: slips, rulings, late arrivals, departures, publishing."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli.tournament.common import WORDS, AsJson, By, File, Person, Reason, TableName, Words, answering
from nousu.engine.messages import sentence

if TYPE_CHECKING:
    from nousu.cli.tournament.output import Screen
    from nousu.tournament.office import Office, Opened

app = typer.Typer()


@app.command()
def slips(
    file: File,
    round: Annotated[str, typer.Option("--round", help="Only this round.", show_default=False)] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Print the slips of a round (or of all planned rounds) and note that they have been printed."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.messages import Refusal
        from nousu.tournament.model import round_of

        state = office.open().tournament
        wanted = [key for key, _ in state.tables() if not round or round_of(key) == round]
        if not wanted:
            raise Refusal("no table is planned for this round", where="round")
        opened = office.act(by, "printed", tables=wanted)
        screen.slips(opened.tournament, wanted)
        screen.end(opened)


@app.command(context_settings=WORDS)
def enter(
    file: File,
    table: Annotated[str, typer.Argument(help="round.table, for example 1.3", show_default=False)] = "",
    result: Words = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Enter a slip: ``1.3 bdac abdc``. Without a table, slips are read line by line from standard input."""

    def one(office: "Office", screen: "Screen", key: str, words: list[str]) -> None:
        _report(screen, office.slip(by, key, words), key, sentence("stored {table}"))

    with answering(file, as_json) as (office, screen):
        if table:
            one(office, screen, table, result or [])
            screen.end(office.open())
        else:
            _many(office, screen, one)


@app.command(context_settings=WORDS)
def confirm(
    file: File,
    table: TableName = "",
    result: Words = None,
    entry: Annotated[
        int,
        typer.Option(
            "--entry", help="A ruling made after publishing, by its entry number.", show_default=False
        ),
    ] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="All slips that somebody else has entered, unchanged.")
    ] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Confirm a slip as the second person; type the result once more to have the two compared.

    Without a table, slips are read line by line from standard input, like those of enter.
    """

    def one(office: "Office", screen: "Screen", key: str, words: list[str]) -> None:
        _report(screen, office.confirm(by, key, words), key, sentence("confirmed {table}"))

    with answering(file, as_json) as (office, screen):
        from nousu.tournament.todo import to_confirm

        if entry:
            opened = office.act(by, "seconded", entry=entry)
            screen.done(opened, "Entry {entry} counts now.", entry=entry)
        elif every:
            tables = to_confirm(office.open().tournament, by)
            opened = office.confirm_all(by, tables)
            screen.done(opened, "confirmed {table}", table=", ".join(tables))
        elif table:
            one(office, screen, table, result or [])
        else:
            _many(office, screen, one)
            return
        screen.end(office.open())


def _report(screen: "Screen", opened: "Opened", key: str, message: str) -> None:
    """Print the change of a slip, and its result."""
    from nousu.tournament.model import table_named

    table, _ = table_named(key)
    screen.done(opened, message, table=table)
    screen.result(opened.tournament, table)


def _many(
    office: "Office", screen: "Screen", act: "Callable[[Office, Screen, str, list[str]], None]"
) -> None:
    """Read one slip a line from standard input; a refused one is named by its line and stops no other."""
    from nousu.engine.encodings import BadText
    from nousu.terminal.streams import input_lines
    from nousu.tournament.messages import Refusal

    failed = read = 0
    for number, line in enumerate(input_lines(), 1):
        words = str(line).split()
        if not words:
            continue
        read += 1
        try:
            if isinstance(line, BadText):
                raise Refusal("this line is not UTF-8 text")
            act(office, screen, words[0], words[1:])
        except Refusal as refusal:
            failed += 1
            screen.refuse(refusal, f"line {number}")
        screen.flush()
    if not read:
        raise Refusal("no slip was given; write a table and its result on each line")
    screen.end(office.open())
    if failed:
        raise typer.Exit(1)


@app.command()
def accept(
    file: File,
    tables: Annotated[
        list[str] | None,
        typer.Argument(help="Tables; by default all that are confirmed.", show_default=False),
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Accept confirmed slips, as director."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.messages import Refusal

        wanted = tables or list(office.open().tournament.waiting("confirmed"))
        if not wanted:
            raise Refusal("no slip is waiting to be accepted")
        opened = office.act(by, "accepted", tables=wanted)
        screen.done(opened, "accepted: {tables}", tables=", ".join(wanted))
        screen.end(opened)


@app.command(context_settings=WORDS)
def correct(
    file: File,
    table: TableName,
    result: Words = None,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Replace the result of a slip and say why.

    A second person confirms it; after publishing it counts only then.
    """
    with answering(file, as_json) as (office, screen):
        opened = office.correct(by, table, result or [], reason)
        screen.ruling(opened, "corrected {table}", table=table)
        screen.result(opened.tournament, table)
        screen.end(opened)


@app.command(context_settings=WORDS)
def penalty(
    file: File,
    player: Person,
    rule: Annotated[str, typer.Argument(help="Rule number, for example IV7.", show_default=False)],
    table: Annotated[str, typer.Option("--table", help="round.table", show_default=False)] = "",
    game: Annotated[int, typer.Option("--game", help="Which game of the slip.", show_default=False)] = 0,
    points: Annotated[
        int, typer.Option("--points", help="Change of tournament points (rulings only).", show_default=False)
    ] = 0,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Book a penalty by rule number."""
    with answering(file, as_json) as (office, screen):
        state = office.open().tournament
        number = state.find(player)
        opened = office.act(
            by, "penalty", number=number, rule=rule, table=table, game=game, points=points, reason=reason
        )
        text = state.format.rules()[rule]
        screen.ruling(opened, "booked: {name}, {rule} ({text})", name=state.who(number), rule=rule, text=text)
        screen.end(opened)


@app.command()
def late(
    file: File,
    table: TableName,
    player: Annotated[str, typer.Argument(help="Who has not turned up.", show_default=False)],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Start the clock on a side that has not turned up; after fifteen minutes the table may be forfeited."""
    with answering(file, as_json) as (office, screen):
        number = office.open().tournament.find(player)
        opened = office.act(by, "late", table=table, number=number)
        screen.done(opened, "The clock runs for {name}.", name=opened.tournament.who(number))
        screen.end(opened)


@app.command()
def forfeit(
    file: File,
    table: TableName,
    player: Annotated[str, typer.Argument(help="Who forfeits.", show_default=False)],
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Give a match to the other side: after fifteen minutes on the clock, or with a reason."""
    with answering(file, as_json) as (office, screen):
        number = office.open().tournament.find(player)
        opened = office.act(by, "forfeited", table=table, loser=number, reason=reason)
        screen.ruling(opened, "forfeited {table}", table=table)
        screen.result(opened.tournament, table)
        screen.end(opened)


@app.command()
def withdraw(
    file: File,
    player: Person,
    start: Annotated[
        str, typer.Option("--from", help="The first round without them.", show_default=False)
    ] = "",
    game: Annotated[int, typer.Option("--game", help="The first game without them, in that round.")] = 1,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take somebody out from a given round on. Their results stay; then plan again for those who play on."""
    with answering(file, as_json) as (office, screen):
        state = office.open().tournament
        number = state.find(player)
        opened = office.withdraw(by, number, start.upper(), game, reason)
        left = (
            opened.tournament.withdrawals[number].round if number in opened.tournament.withdrawals else start
        )
        screen.done(
            opened, "{name} no longer plays from round {round} on.", name=state.who(number), round=left
        )
        screen.end(opened)


@app.command()
def undo(
    file: File,
    entry: Annotated[
        int, typer.Argument(help="Entry number; by default the last one.", show_default=False)
    ] = 0,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take an entry back. The undoing is itself an entry and can be undone."""
    with answering(file, as_json) as (office, screen):
        opened = office.undo(by, entry, reason)
        screen.done(opened, "Entry {entry} is undone.", entry=int(opened.log.events[-1]["entry"]))
        screen.end(opened)


@app.command()
def publish(
    file: File,
    contest: Annotated[
        str,
        typer.Option(
            "--contest", metavar="TIME", help="Until when it can be contested: 22:15.", show_default=False
        ),
    ] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Publish the final result and freeze it. Refused while anything is missing."""
    with answering(file, as_json) as (office, screen):
        opened = office.act(by, "published", **({"contest": contest} if contest else {}))
        screen.done(opened, "Published. From now on every change needs two people.")
        if until := opened.tournament.publications[-1].contest:
            screen.say("The result can be contested until {time}.", time=until)
        screen.standings(opened)
        screen.end(opened)
