"""``nousu tournament`` for looking up and keeping: standings, slips, exports, checks, log, simulations."""

from pathlib import Path
from typing import Annotated

import typer

from nousu.cli.tournament.common import AsJson, By, File, Options, answering, manner
from nousu.engine.messages import sentence

app = typer.Typer()


@app.command()
def standings(
    file: File,
    csv: Annotated[bool, typer.Option("--csv", help="As CSV.")] = False,
    ties: Annotated[bool, typer.Option("--ties", help="Only ties, and what decided them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the standings, with a sentence for each rank that a tie affects."""
    with answering(file, as_json) as (office, screen):
        opened = office.open()
        if csv:
            from nousu.tournament.export import to_csv

            screen.raw(to_csv(opened.tournament.format.standings(opened.tournament)))
            return
        if ties:
            screen.ties(opened.tournament)
        else:
            screen.standings(opened)
        screen.end(opened)


@app.command()
def table(
    file: File,
    name: Annotated[str, typer.Argument(metavar="TABLE", help="round.table", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Show one slip: who sits there, what it says and why, and what was done to it."""
    with answering(file, as_json) as (office, screen):
        opened = office.open()
        screen.slip(opened.tournament, name)
        screen.end(opened)


@app.command()
def export(
    file: File,
    to: Annotated[Path, typer.Option("--to", help="A .csv, .xlsx, .html or .json file.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Write the standings (CSV, XLSX, HTML) or the whole tournament (JSON) to a file."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.export import write

        opened = office.open()
        write(to, opened)
        screen.done(opened, "Written: {path}", path=str(to))
        screen.end(opened)


@app.command(name="print")
def print_(
    file: File,
    kind: Annotated[
        str,
        typer.Argument(help="plan, cards, slips, sheets, own, results or certificates.", show_default=False),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="The PDF to write.", show_default=False)],
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    language: Annotated[
        str,
        typer.Option(
            "--language", help="Language of the paper; otherwise that of the command.", show_default=False
        ),
    ] = "",
    round: Annotated[
        list[str] | None,
        typer.Option("--round", help="Only this round; may be repeated.", show_default=False),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", help="Only the slip of this table; may be repeated.", show_default=False),
    ] = None,
    address: Annotated[
        str,
        typer.Option(
            "--address",
            metavar="URL",
            help="Where the code on a slip leads; {table} stands for its table, {plan} for its plan.",
            show_default=False,
        ),
    ] = "",
    follow: Annotated[
        str,
        typer.Option(
            "--follow", metavar="URL", help="The address in the code on wall and tables.", show_default=False
        ),
    ] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Write paper as PDF.

    Papers are the plan for the wall (plan), table cards (cards), slips, score sheets of Tuppi (sheets), cards
    of single persons (own), the result list (results) and certificates. Printed slips are noted, as with the
    command slips.
    """
    with answering(file, as_json) as (office, screen):
        from nousu.i18n import LANGUAGES
        from nousu.i18n.office import speech
        from nousu.tournament.export import put
        from nousu.tournament.messages import Refusal
        from nousu.tournament.model import table_named
        from nousu.tournament.paper import SLIPS, render_paper, tables_of

        if language and language not in LANGUAGES:
            raise Refusal(
                "{language} is not one of our languages; choose one of {languages}",
                values={"language": language, "languages": ", ".join(LANGUAGES)},
                where="language",
            )
        opened = office.open()
        state = opened.tournament
        tables = [table_named(name)[0] for name in table or ()]
        rounds = [name.upper() for name in round or ()]

        def where(key: str) -> str:
            return address.replace("{table}", key).replace("{plan}", str(state.plans.get(key, 0)))

        data = render_paper(
            state,
            kind,
            speech(language or manner.get().language),
            paper=paper,
            rounds=rounds,
            tables=tables,
            address=where if address else None,
            follow=follow,
        )
        if kind in SLIPS:
            chosen = tables_of(state, rounds, tables)
            fresh = [name for name in chosen if state.slip(name).state == "open"]
            if fresh:
                opened = office.act(by, "printed", tables=fresh)
        put(out, data)
        screen.letters(state)
        screen.done(opened, "Written: {path}", path=str(out))
        screen.end(opened)


@app.command()
def verify(
    file: File,
    head: Annotated[
        str, typer.Option("--head", help="The state somebody wrote down earlier.", show_default=False)
    ] = "",
    evenings: Annotated[
        list[Path] | None,
        typer.Option(
            "--evening",
            help="Of a season: the file of an evening that must be in it; may be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every byte of the file, the draw, and that what was published follows from the log.

    Of a season every evening in it and every ranking.
    """
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.season_file import SeasonFile, evening_file, is_season
        from nousu.tournament.verify import verify as check
        from nousu.tournament.verify import verify_season

        if file.is_file() and is_season(file.read_bytes()):
            season = SeasonFile(file).open()
            given = [evening_file(evening) for evening in evenings or ()]
            screen.checks(season, verify_season(season, head, given))
            return
        opened = office.open()
        screen.checks(opened, check(opened, head))


@app.command()
def salvage(
    file: File,
    to: Annotated[Path, typer.Option("--to", help="The new file.", show_default=False)],
    copies: Annotated[
        list[Path] | None,
        typer.Option(
            "--from", help="Another copy, which may hold more; may be repeated.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy what can be proved from a damaged file into a new one, and list what must be entered again."""
    with answering(file, as_json) as (_office, screen):
        from nousu.tournament.backup import salvage as save
        from nousu.tournament.office import Office, Opened
        from nousu.tournament.season_file import SeasonFile, is_season

        rescue = save(file, to, tuple(copies or ()))
        opened = SeasonFile(to).open() if is_season(to.read_bytes()) else Office(to).open()
        screen.done(
            opened,
            sentence("{count} line is saved in {path}.", "{count} lines are saved in {path}."),
            count=rescue.saved,
            path=str(to),
        )
        if rescue.foreign:
            screen.say("Line ends or marks of another program were taken out.")
        if rescue.mended:
            lines = ", ".join(map(str, rescue.mended))
            screen.say("One changed byte was repaired in each of these lines: {lines}", lines=lines)
        screen.lost(rescue.lost, opened)
        if isinstance(opened, Opened):
            screen.end(opened)


@app.command()
def log(file: File, as_json: AsJson = False) -> None:
    """Show every entry: number, time, who, what."""
    with answering(file, as_json) as (office, screen):
        opened = office.open()
        screen.log(opened)


@app.command()
def simulate(
    format: Annotated[str, typer.Argument(help="tuppen, tuppi or drive", show_default=False)],
    entrants: Annotated[int, typer.Option("--players", min=2, max=120, help="People (or pairs).")] = 16,
    runs: Annotated[int, typer.Option("--runs", min=1, help="How many events.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same events.")] = 1,
    strong: Annotated[
        str, typer.Option("--strong", help="The computer player who is to be the strongest.")
    ] = "rules",
    others: Annotated[
        str, typer.Option("--others", help="The computer player for everybody else.")
    ] = "random",
    options: Options = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes.")] = 1,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw an SVG here.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Play whole events with computer players.

    It shows how often the strongest wins, what seats and table sizes are worth, and how many hands an evening
    takes.
    """
    from nousu.cli.tournament import simulation

    simulation.run(
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
