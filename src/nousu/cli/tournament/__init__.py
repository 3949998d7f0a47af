"""``nousu tournament``: a whole event from the first name to the cup, one command a step.

Every command that changes something says who does it (``--by NAME`` or the variable NOUSU_BY), writes one
line into the tournament file, and ends with what is still missing. With ``--json`` all answers are JSON.
"""

import sys
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli import LANG_HELP, language

if TYPE_CHECKING:
    from nousu.cli.tournament.show import Screen
    from nousu.tournament.office import Office

File = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file.")]
By = Annotated[str, typer.Option("--by", envvar="NOUSU_BY", help="Who does this.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.", show_default=False)]
Words = Annotated[list[str] | None, typer.Argument(metavar="RESULT...", show_default=False)]

WORDS = {"ignore_unknown_options": True}
"""Results may begin with a minus sign."""

app = typer.Typer(
    name="tournament",
    help="Direct a tournament: from the first name to the cup.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def register(parent: typer.Typer) -> None:
    """Add ``nousu tournament`` to the command."""
    parent.add_typer(app)


def _do(path: Path, as_json: bool, work: "Callable[[Office, Screen], None]") -> None:
    """Carry out `work`; what it refuses is said in one line each and ends with exit code 1."""
    from nousu.cli.tournament.show import Screen
    from nousu.tournament.notes import Refusal
    from nousu.tournament.office import Office

    screen = Screen(as_json, _spoken.get())
    try:
        work(Office(path), screen)
    except Refusal as refusal:
        screen.refuse(refusal)
        raise typer.Exit(1) from None
    finally:
        screen.close()


_spoken: ContextVar[str] = ContextVar("_spoken", default="en")
"""The language all commands answer in."""


@app.callback()
def tournament(
    lang: Annotated[str, typer.Option("--lang", envvar="NOUSU_LANG", help=LANG_HELP)] = "",
) -> None:
    """Direct a tournament: from the first name to the cup."""
    _spoken.set(language(lang))


@app.command()
def new(
    file: File,
    name: Annotated[str, typer.Option("--name", help="What the event is called.", show_default=False)] = "",
    format: Annotated[str, typer.Option("--format", help="tuppen, tuppi or drive.")] = "tuppen",
    options: Annotated[
        list[str] | None,
        typer.Option(
            "-o", "--option", metavar="NAME=VALUE", help="An option of the format; may be repeated."
        ),
    ] = None,
    origin: Annotated[
        Path | None, typer.Option("--from", help="Go on with an exported tournament.", show_default=False)
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Begin a tournament in a new file."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.formats import from_words, make

        if origin is not None:
            opened = office.restore(origin)
        else:
            kind = make({"name": format, **from_words(format, options or [])})
            opened = office.begin(name or file.stem, kind, by)
        screen.done(opened, "{name} is open in {path}.", name=opened.tournament.name, path=str(file))

    _do(file, as_json, work)


@app.command()
def players(
    file: File,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Names to add.", show_default=False)
    ] = None,
    paste: Annotated[bool, typer.Option("--paste", help="Read a list from standard input.")] = False,
    listed: Annotated[
        Path | None, typer.Option("--list", help="Read a CSV, XLSX or text file.", show_default=False)
    ] = None,
    strike: Annotated[str, typer.Option("--strike", help="Take off the list.", show_default=False)] = "",
    rename: Annotated[str, typer.Option("--rename", help="Whose name to change.", show_default=False)] = "",
    to: Annotated[str, typer.Option("--to", help="The new name.", show_default=False)] = "",
    team: Annotated[str, typer.Option("--team", help="The new team.", show_default=False)] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Show the list of people, or change it: add names, paste, read a file, strike, rename."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament import people
        from nousu.tournament.notes import Refusal

        opened = office.open()
        state = opened.tournament
        pairs = state.format.pairs
        found = None
        if listed is not None:
            found = people.from_file(listed, pairs=pairs)
        elif paste:
            found = people.from_bytes(sys.stdin.buffer.read(), pairs=pairs)
        elif names:
            found = people.from_text("\n".join(names), pairs=pairs)
        if found is not None:
            opened = office.enter(by, found.given)
            if found.heading:
                screen.say("Line {line} was read as a heading.", line=found.heading)
            if found.empty:
                screen.say("Empty lines passed over: {lines}", lines=", ".join(map(str, found.empty)))
            if found.encoding == "cp1252":
                screen.say("The file is not UTF-8; it was read as Windows-1252. Look at the umlauts.")
            screen.done(opened, "{count} entered.", count=len(found.given))
        elif strike:
            one = state.entrant(state.find(strike))
            opened = office.act(by, "struck", id=one.id)
            screen.done(opened, "{name} is off the list.", name=one.name)
        elif rename:
            one = state.entrant(state.find(rename))
            given = people.from_text(to or one.name, pairs=pairs).given
            if len(given) != 1:
                raise Refusal("give one new name: --to NAME", where="to")
            changed = team or one.team
            opened = office.act(by, "renamed", id=one.id, members=list(given[0].members), team=changed)
            screen.done(opened, "{old} is now {name}.", old=one.name, name=given[0].name)
        screen.people(opened.tournament)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def draw(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The tournament file.", show_default=False)
    ] = None,
    seed: Annotated[
        str,
        typer.Option("--seed", help="What the hall agrees on, e.g. dice just thrown.", show_default=False),
    ] = "",
    script: Annotated[bool, typer.Option("--script", help="Print the program that checks a draw.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Draw the numbers: by a seed from the hall, or by chance. The seed is shown; anybody can check it."""
    if script:
        import nousu.tournament.draw as checker

        typer.echo(Path(checker.__file__).read_text("utf-8"), nl=False)
        return
    if file is None:
        from nousu.words import translator

        say = translator(_spoken.get())
        typer.echo(say("say which tournament file, or --script"), err=True)
        raise typer.Exit(2)

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.draw(by, seed or None)
        screen.done(opened, "Drawn by the seed: {seed}", seed=opened.tournament.seed)
        screen.people(opened.tournament)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def plan(
    file: File,
    start: Annotated[
        str, typer.Option("--from", help="The first round to plan anew.", show_default=False)
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the search.")] = 1,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to search.")] = 4.0,
    show: Annotated[bool, typer.Option("--show", help="Only show the plan in force.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Plan the rounds that can be planned now: all series, the pools, the next cup round. After a late
    arrival or a withdrawal only rounds that have not begun are planned anew."""

    def work(office: "Office", screen: "Screen") -> None:
        if show:
            opened = office.open()
            labels = list(opened.tournament.rounds)
        else:
            before = office.open().tournament.rounds
            opened = office.plan(by, start=start, seed=seed, seconds=seconds)
            labels = [
                label for label, one in opened.tournament.rounds.items() if before.get(label) is not one
            ]
            labels = [label for label in labels if before.get(label) != opened.tournament.rounds[label]]
            screen.done(opened, "Planned: {rounds}", rounds=", ".join(labels) or "-")
        screen.plan(opened.tournament, labels)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def stechen(file: File, by: By = "", as_json: AsJson = False) -> None:
    """Plan the play-off of those who are level at the top: for the cup only."""

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.stechen(by)
        label = list(opened.tournament.rounds)[-1]
        screen.done(opened, "Planned: {rounds}", rounds=label)
        screen.plan(opened.tournament, [label])
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def slips(
    file: File,
    round: Annotated[str, typer.Option("--round", help="Only this round.", show_default=False)] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Print the slips of a round (or of all that are planned) and note that they are printed."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.notes import Refusal

        state = office.open().tournament
        wanted = [key for key, _ in state.tables() if not round or key.partition(".")[0] == round]
        if not wanted:
            raise Refusal("no table is planned for that", where="round")
        opened = office.act(by, "printed", tables=wanted)
        screen.slips(opened.tournament, wanted)
        screen.end(opened)

    _do(file, as_json, work)


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
        opened = office.slip(by, key, words)
        screen.done(opened, "stored {table}", table=key)
        screen.result(opened.tournament, key)
        if table:
            screen.end(opened)

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.notes import Refusal

        if table:
            one(office, screen, table, result or [])
            return
        failed = 0
        for number, line in enumerate(sys.stdin, 1):
            words = line.split()
            if not words:
                continue
            try:
                one(office, screen, words[0], words[1:])
            except Refusal as refusal:
                failed += 1
                screen.refuse(refusal, f"line {number}")
            screen.flush()
        screen.end(office.open())
        if failed:
            raise typer.Exit(1)

    _do(file, as_json, work)


@app.command(context_settings=WORDS)
def confirm(
    file: File,
    table: Annotated[str, typer.Argument(help="round.table", show_default=False)] = "",
    result: Words = None,
    entry: Annotated[
        int,
        typer.Option("--entry", help="A ruling after the freeze, by its entry number.", show_default=False),
    ] = 0,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Confirm a slip as second person; type the result once more to have both compared."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.notes import Refusal

        if entry:
            opened = office.act(by, "seconded", entry=entry)
            screen.done(opened, "Entry {entry} counts now.", entry=entry)
        elif table:
            opened = office.confirm(by, table, result or [])
            screen.done(opened, "confirmed {table}", table=table)
            screen.result(opened.tournament, table)
        else:
            raise Refusal("say which table (round.table) or which --entry")
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def accept(
    file: File,
    tables: Annotated[
        list[str] | None, typer.Argument(help="Tables; all confirmed ones if none.", show_default=False)
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Accept confirmed slips as direction."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.notes import Refusal

        wanted = tables or list(office.open().tournament.waiting("confirmed"))
        if not wanted:
            raise Refusal("no slip waits to be accepted")
        opened = office.act(by, "accepted", tables=wanted)
        screen.done(opened, "accepted: {tables}", tables=", ".join(wanted))
        screen.end(opened)

    _do(file, as_json, work)


@app.command(context_settings=WORDS)
def correct(
    file: File,
    table: Annotated[str, typer.Argument(help="round.table", show_default=False)],
    result: Words = None,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Replace the result of a slip and say why. A second person confirms it; after the freeze it counts
    only then."""

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.correct(by, table, result or [], reason)
        screen.ruling(opened, "corrected {table}", table=table)
        screen.result(opened.tournament, table)
        screen.end(opened)

    _do(file, as_json, work)


@app.command(context_settings=WORDS)
def penalty(
    file: File,
    player: Annotated[str, typer.Argument(help="Number or name.", show_default=False)],
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

    def work(office: "Office", screen: "Screen") -> None:
        state = office.open().tournament
        number = state.find(player)
        opened = office.act(
            by, "penalty", number=number, rule=rule, table=table, game=game, points=points, reason=reason
        )
        text = state.format.rules()[rule]
        screen.ruling(opened, "booked: {name}, {rule} ({text})", name=state.who(number), rule=rule, text=text)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def late(
    file: File,
    table: Annotated[str, typer.Argument(help="round.table", show_default=False)],
    player: Annotated[str, typer.Argument(help="Who has not come.", show_default=False)],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Start the clock on a side that has not come; after fifteen minutes the table may be forfeited."""

    def work(office: "Office", screen: "Screen") -> None:
        number = office.open().tournament.find(player)
        opened = office.act(by, "late", table=table, number=number)
        screen.done(opened, "The clock runs for {name}.", name=opened.tournament.who(number))
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def forfeit(
    file: File,
    table: Annotated[str, typer.Argument(help="round.table", show_default=False)],
    player: Annotated[str, typer.Argument(help="Who forfeits.", show_default=False)],
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Give a match to the other side: after fifteen minutes on the clock, or with a reason."""

    def work(office: "Office", screen: "Screen") -> None:
        number = office.open().tournament.find(player)
        opened = office.act(by, "forfeited", table=table, loser=number, reason=reason)
        screen.ruling(opened, "forfeited {table}", table=table)
        screen.result(opened.tournament, table)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def withdraw(
    file: File,
    player: Annotated[str, typer.Argument(help="Number or name.", show_default=False)],
    start: Annotated[
        str, typer.Option("--from", help="The first round without them.", show_default=False)
    ] = "",
    game: Annotated[int, typer.Option("--game", help="The first game without them, in that round.")] = 1,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take somebody out from a round on. Results stay; then plan again for those who play on."""

    def work(office: "Office", screen: "Screen") -> None:
        state = office.open().tournament
        number = state.find(player)
        label = start or state.next_round()
        opened = office.act(by, "withdrawn", number=number, round=label, game=game, reason=reason)
        screen.done(
            opened, "{name} plays no more from round {round} on.", name=state.who(number), round=label
        )
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def undo(
    file: File,
    entry: Annotated[int, typer.Argument(help="Entry number; the last one if none.", show_default=False)] = 0,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take an entry back. The undoing is an entry itself and can be undone."""

    def work(office: "Office", screen: "Screen") -> None:
        target = entry or len(office.open().log.events)
        opened = office.act(by, "undone", entry=target, reason=reason)
        screen.done(opened, "Entry {entry} is undone.", entry=target)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def standings(
    file: File,
    csv: Annotated[bool, typer.Option("--csv", help="As CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the standings; a sentence beside each rank that a tie concerns."""

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.open()
        if csv:
            from nousu.tournament.export import to_csv

            screen.raw(to_csv(opened.tournament.format.standings(opened.tournament)))
            return
        screen.standings(opened)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def table(
    file: File,
    name: Annotated[str, typer.Argument(metavar="TABLE", help="round.table", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Show one slip: who sits there, what it says and why, and what was done to it."""

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.open()
        screen.slip(opened.tournament, name)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def publish(file: File, by: By = "", as_json: AsJson = False) -> None:
    """Publish the final result and freeze it. Refused while anything is missing."""

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.act(by, "published")
        screen.done(opened, "Published. From now on two persons make every change.")
        screen.standings(opened)
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def export(
    file: File,
    to: Annotated[Path, typer.Option("--to", help="A .csv, .xlsx or .json file.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Write the standings (CSV, XLSX) or the whole tournament (JSON) to a file."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.export import write

        opened = office.open()
        write(to, opened)
        screen.done(opened, "Written: {path}", path=str(to))
        screen.end(opened)

    _do(file, as_json, work)


@app.command()
def verify(
    file: File,
    head: Annotated[
        str, typer.Option("--head", help="The state somebody wrote down earlier.", show_default=False)
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check every byte of the file, the draw, and that what was published is what the log gives."""

    def work(office: "Office", screen: "Screen") -> None:
        from nousu.tournament.checks import verify as check

        opened = office.open()
        screen.checks(opened, check(opened, head))

    _do(file, as_json, work)


@app.command()
def log(file: File, as_json: AsJson = False) -> None:
    """Show every entry: number, time, who, what."""

    def work(office: "Office", screen: "Screen") -> None:
        opened = office.open()
        screen.log(opened)

    _do(file, as_json, work)


@app.command()
def simulate(
    format: Annotated[str, typer.Argument(help="tuppen, tuppi or drive", show_default=False)],
    entrants: Annotated[int, typer.Option("--players", min=2, max=120, help="People (or pairs).")] = 16,
    runs: Annotated[int, typer.Option("--runs", min=1, help="How many events.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same events.")] = 1,
    strong: Annotated[
        str, typer.Option("--strong", help="The computer player that is the best one.")
    ] = "rules",
    others: Annotated[
        str, typer.Option("--others", help="The computer player that all others are.")
    ] = "random",
    options: Annotated[
        list[str] | None,
        typer.Option(
            "-o", "--option", metavar="NAME=VALUE", help="An option of the format; may be repeated."
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes.")] = 1,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw an SVG here.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Play whole events with computer players: how often the strongest wins, what seats and table sizes
    are worth, how many hands an evening takes."""
    from nousu.cli.tournament import simulating

    simulating.run(
        format=format,
        entrants=entrants,
        runs=runs,
        seed=seed,
        strong=strong,
        others=others,
        options=options or [],
        workers=workers,
        plot=plot,
        as_json=as_json,
    )
