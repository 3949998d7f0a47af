"""``nousu equity``: the chance of a side to win the match from a score."""

import json
from typing import Annotated

import typer

from nousu.about import made_by
from nousu.cli import fail


def register(app: typer.Typer) -> None:
    """Add ``equity``."""
    app.command("equity")(equity)


def equity(
    preset: Annotated[str, typer.Argument(help="A preset, as listed by nousu presets.")],
    score: Annotated[
        str,
        typer.Argument(
            help="Points of North–South and East–West: 48-0; in Tuppen, everybody's points: 7-5-3-2."
        ),
    ] = "",
    hands: Annotated[int, typer.Option(min=0, help="Hands played, where their number is limited.")] = 0,
    totals: Annotated[
        str, typer.Option(help="Points collected so far, where the number of hands is limited: 60-40.")
    ] = "",
    peaks: Annotated[
        str, typer.Option(help="The highest rises, where they decide at the limit: 24-12.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> None:
    """Print the chance of North–South to win the match from a score, if all play equally well.

    In Tuppen, print how many points for their place (5, 3, 2, 1, 0) all players may expect.
    """
    from nousu.engine.errors import BadRules
    from nousu.players.equity import MatchScore, equity_report

    try:
        points = _numbers(score) if score else ()
        report = equity_report(preset, MatchScore(points, _two(totals), _two(peaks), hands))
    except (BadRules, ValueError) as error:
        fail(error)
    if as_json:
        line = {"preset": preset, "score": report.points, "hands": hands, **report.figures}
        rows = [[*way, round(share, 6)] for way, share in report.ways]
        typer.echo(json.dumps(line | {"outcomes": rows, "measured": report.hands, "made_by": made_by()}))
        return
    ways = sorted(report.ways, key=lambda way: -way[1])
    shares = ", ".join(f"{':'.join(map(str, way))} {100 * share:.1f} %" for way, share in ways[:8])
    rest = 100 * sum(share for _, share in ways[8:])
    typer.echo(f"{preset}, {':'.join(map(str, report.points))}: {report.sentence}")
    typer.echo(f"a hand {report.verb:7} {shares}, otherwise {rest:.1f} %")
    typer.echo(f"measured by    {report.source} ({report.hands} hands of the level club)")


def _two(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    numbers = _numbers(text)
    if len(numbers) != 2:
        raise ValueError(f"{text[:40]!r} is no score: write the points of both sides, such as 48-0")
    return numbers[0], numbers[1]


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.replace(":", "-").split("-")
    if len(parts) < 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"{text[:40]!r} is no score: write the points of both sides, such as 48-0")
    return tuple(int(part) for part in parts)
