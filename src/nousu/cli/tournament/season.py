"""``nousu tournament season``: the ranking over several evenings, one command for each step."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.cli.tournament.common import Address, AsJson, By, answering, host_address, manner
from nousu.engine.messages import sentence

if TYPE_CHECKING:
    from nousu.cli.tournament.output import Screen
    from nousu.tournament.season_file import OpenedSeason, SeasonFile

app = typer.Typer(
    name="season",
    help="Rank people over several evenings.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Season = Annotated[Path, typer.Argument(metavar="FILE", help="The season file.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME...", help="Names as in the evenings’ lists.")]
Entry = Annotated[int, typer.Argument(metavar="ENTRY", help="The number of an entry of the season’s log.")]
Counts = Annotated[str, typer.Option("--counts", help="What an evening is worth: points, place or beaten.")]
Best = Annotated[int, typer.Option("--best", min=0, help="How many evenings count, the best; 0: all.")]
Evenings = Annotated[
    int, typer.Option("--evenings", min=0, help="How many evenings there will be; 0: not known.")
]
Scale = Annotated[
    str,
    typer.Option(
        "--scale", help="Figures by place, the last for all further places: 20,17,15 …", show_default=False
    ),
]
Guests = Annotated[str, typer.Option("--guests", help="ranked: like members; apart: in a list of their own.")]


@contextmanager
def _season(path: Path, as_json: bool) -> "Iterator[tuple[SeasonFile, Screen]]":
    """A context with the season of a file and the screen for answers."""
    with answering(path, as_json) as (_office, screen):
        from nousu.tournament.season_file import SeasonFile

        yield SeasonFile(path, copy=manner.get().copy), screen


def _rule(before: dict[str, Any], typed: dict[str, Any], scale: str) -> dict[str, Any]:
    """The rule with the typed changes."""
    from nousu.tournament.messages import Refusal

    rule = {**before, **{name: value for name, value in typed.items() if value is not None}}
    if scale:
        figures = scale.replace(",", " ").split()
        if not all(figure.isascii() and figure.isdecimal() for figure in figures):
            raise Refusal("the figures by place are whole numbers that do not rise", where="option")
        rule["scale"] = [int(figure) for figure in figures]
    return rule


def _show(screen: "Screen", opened: "OpenedSeason") -> None:
    """Print the ranking and the names that may be one person."""
    from nousu.tournament.messages import plain
    from nousu.tournament.season import doubts, figure, season_json, season_standings

    for notice in opened.notices:
        screen.note(notice)
    if screen.as_json:
        screen.answer |= {"entries": len(opened.log.events), "head": opened.log.head}
        screen.answer["season"] = season_json(opened.season, plain)
    elif opened.season.evenings:
        screen.results(season_standings(opened.season))
    for doubt in doubts(opened.season):
        screen.say(
            "{name} and {other} may be one person: together place {rank}, total {points}.",
            name=doubt.one,
            other=doubt.other,
            points=figure(doubt.together.total),
            rank=doubt.together.rank,
        )


@app.command()
def new(
    file: Season,
    name: Annotated[str, typer.Option("--name", help="What the season is called.", show_default=False)] = "",
    counts: Counts = "points",
    best: Best = 0,
    evenings: Evenings = 0,
    scale: Scale = "",
    guests: Guests = "ranked",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Begin a season in a new file."""
    with _season(file, as_json) as (season, screen):
        from nousu.tournament.season import SeasonRule

        typed = {"counts": counts, "best": best, "evenings": evenings, "guests": guests}
        opened = season.begin(name or file.stem, SeasonRule.from_json(_rule({}, typed, scale)), by)
        screen.done(opened, "{name} is open in {path}.", name=opened.season.name, path=str(file))


@app.command()
def add(
    file: Season,
    evenings: Annotated[
        list[Path], typer.Argument(metavar="EVENING...", help="Tournament files or exported ones.")
    ],
    date: Annotated[
        str,
        typer.Option("--date", help="Its day, if not that of its first slip: 2026-11-07", show_default=False),
    ] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Add evenings whose results are published.

    Of those in the season already, what two people have corrected since.
    """
    with _season(file, as_json) as (season, screen):
        from nousu.tournament.season_file import evening_file, held_entry

        opened = season.open()
        for path in evenings:
            evening = evening_file(path)
            again = held_entry(opened.state, evening.lines)
            opened = season.add(by, evening, date)
            message = (
                sentence("The corrections of {name} are followed.")
                if again
                else sentence(
                    "{name} is in the season, with {count} person.",
                    "{name} is in the season, with {count} people.",
                )
            )
            screen.done(opened, message, name=evening.name, count=evening.people)
        _show(screen, opened)


@app.command()
def show(
    file: Season,
    csv: Annotated[bool, typer.Option("--csv", help="As CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the ranking, why it is so, and names that may be one person."""
    with _season(file, as_json) as (season, screen):
        opened = season.open()
        if csv:
            from nousu.tournament.export import to_csv
            from nousu.tournament.season import season_standings

            screen.raw(to_csv(season_standings(opened.season)))
            return
        _show(screen, opened)


@app.command()
def remove(file: Season, entry: Entry, by: By = "", as_json: AsJson = False) -> None:
    """Take an evening out of the season; ENTRY is the one that added it."""
    with _season(file, as_json) as (season, screen):
        opened = season.act(by, "removed", entry=entry)
        screen.done(opened, "The evening is out of the season.")
        _show(screen, opened)


@app.command()
def rule(
    file: Season,
    counts: Annotated[str | None, typer.Option("--counts", show_default=False)] = None,
    best: Annotated[int | None, typer.Option("--best", min=0, show_default=False)] = None,
    evenings: Annotated[int | None, typer.Option("--evenings", min=0, show_default=False)] = None,
    scale: Scale = "",
    guests: Annotated[str | None, typer.Option("--guests", show_default=False)] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Change what counts; see `new`."""
    with _season(file, as_json) as (season, screen):
        typed = {"counts": counts, "best": best, "evenings": evenings, "guests": guests}
        opened = season.act_on(
            by, "rule", lambda state: {"rule": _rule(dict(state.season.rule.to_json()), typed, scale)}
        )
        screen.done(opened, "Changed; all evenings are counted anew.")
        _show(screen, opened)


@app.command()
def join(
    file: Season,
    names: Names,
    called: Annotated[str, typer.Option("--as", help="How the person is called.", show_default=False)] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Join spellings of one person; the files of the evenings stay as they are."""
    with _season(file, as_json) as (season, screen):
        opened = season.act(by, "joined", name=called or names[-1], spellings=names)
        screen.done(opened, "{name} is one person now.", name=called or names[-1])
        _show(screen, opened)


@app.command()
def separate(file: Season, entry: Entry, by: By = "", as_json: AsJson = False) -> None:
    """Separate names again; ENTRY is the one that joined them."""
    with _season(file, as_json) as (season, screen):
        opened = season.act(by, "separated", entry=entry)
        screen.done(opened, "These names are people of their own again.")
        _show(screen, opened)


@app.command()
def different(
    file: Season,
    one: Annotated[str, typer.Argument(metavar="NAME")],
    other: Annotated[str, typer.Argument(metavar="NAME")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Note that two similar names are two people, so that the question is closed."""
    with _season(file, as_json) as (season, screen):
        opened = season.act(by, "different", names=[one, other])
        screen.done(opened, "{name} and {other} are two people.", name=one, other=other)
        _show(screen, opened)


@app.command()
def guest(
    file: Season,
    names: Names,
    member: Annotated[bool, typer.Option("--not", help="They are members after all.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Mark people as guests."""
    with _season(file, as_json) as (season, screen):
        opened = season.act(by, "guests", names=names, on=not member)
        message = sentence("Members: {names}") if member else sentence("Guests: {names}")
        screen.done(opened, message, names=", ".join(names))
        _show(screen, opened)


@app.command()
def link(
    file: Season,
    who: Annotated[str, typer.Option("--for", help="Who directs the season too.", show_default=False)] = "",
    revoke: Annotated[
        int, typer.Option("--revoke", metavar="ENTRY", help="Revoke this link.", show_default=False)
    ] = 0,
    address: Address = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Make a link for another director of the season, revoke one, or show those in force."""
    with _season(file, as_json) as (season, screen):
        opened = season.open()
        if revoke:
            opened = season.act(by, "revoked", entry=revoke)
            screen.done(opened, "Link {entry} no longer works.", entry=revoke)
        elif who:
            opened, secret = season.admit(by, who)
            way = f"{host_address(address)}/season/{file.name.removesuffix('.season')}/in/{secret}"
            screen.done(opened, "Shown only once: {address}", address=way)
        screen.links([(one.entry, one.role, one.who, "") for one in opened.state.links.values()])


@app.command(name="print")
def print_(
    file: Season,
    out: Annotated[Path, typer.Option("-o", "--out", help="The PDF to write.", show_default=False)],
    kind: Annotated[str, typer.Argument(help="ranking or certificates.")] = "ranking",
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    as_json: AsJson = False,
) -> None:
    """Write the ranking list, with the rule below it, or certificates as PDF."""
    with _season(file, as_json) as (season, screen):
        from nousu.i18n.office import speech
        from nousu.tournament.export import put
        from nousu.tournament.paper.season import season_paper

        opened = season.open()
        put(out, season_paper(opened.season, kind, speech(manner.get().language), paper))
        screen.done(opened, "Written: {path}", path=str(out))


@app.command()
def export(
    file: Season,
    to: Annotated[Path, typer.Option("--to", help="A .csv, .xlsx or .json file.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Write the ranking to a file. The season itself, with all its evenings, is the season file."""
    with _season(file, as_json) as (season, screen):
        from nousu.tournament.export import write_season

        opened = season.open()
        write_season(to, opened)
        screen.done(opened, "Written: {path}", path=str(to))


@app.command()
def log(file: Season, as_json: AsJson = False) -> None:
    """Show every entry: number, time, who, what."""
    with _season(file, as_json) as (season, screen):
        opened = season.open()
        screen.season_log(opened)
