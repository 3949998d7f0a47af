"""``nousu equity``: how likely a side is to win the match from a score."""

import json
from typing import Annotated

import typer

from nousu.about import made_by
from nousu.cli import complain


def register(app: typer.Typer) -> None:
    """Add ``equity``."""
    app.command("equity")(equity)


def equity(
    preset: Annotated[str, typer.Argument(help="A preset of the whist family, such as tuppi or minnesota.")],
    score: Annotated[str, typer.Argument(help="Points of North–South and East–West: 48-0, 7-12.")] = "0-0",
    hands: Annotated[int, typer.Option(min=0, help="Hands played, where their number is limited.")] = 0,
    totals: Annotated[
        str, typer.Option(help="Points collected in all, where hands are limited: 60-40.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> None:
    """Tell how often North–South win the match from a score, both sides playing equally well."""
    from nousu.engine.errors import BadRules
    from nousu.games import find
    from nousu.players.equity import equity as chance
    from nousu.players.equity import outcomes

    try:
        _, rules = find(preset)
        ours, theirs = _two(score)
        rising = getattr(rules, "score_model", "") == "single_riser"
        if rising and ours and theirs:
            raise ValueError("only one side can be rising: write 48-0 or 0-48")
        measured = outcomes(preset)
        if rising:
            riser = 0 if ours else 1 if theirs else None
            collected = _two(totals) if totals else (ours, theirs)
            won = chance(preset, measured, riser=riser, points=ours or theirs, totals=collected, hands=hands)
        else:
            won = chance(preset, measured, totals=(ours, theirs))
    except (BadRules, ValueError) as error:
        complain(error)
    ways = sorted(measured.ways, key=lambda way: -way.share)
    if as_json:
        found = {"preset": preset, "score": [ours, theirs], "hands": hands, "wins": round(won, 6)}
        rows = [[*way.points, round(way.share, 6)] for way in ways]
        typer.echo(json.dumps(found | {"outcomes": rows, "measured": measured.hands, "made_by": made_by()}))
        return
    shares = ", ".join(f"{one}:{two} {100 * share:.1f} %" for (one, two), _, share in ways[:8])
    rest = 100 * sum(way.share for way in ways[8:])
    typer.echo(f"{preset}, {ours}:{theirs}: North–South win {100 * won:.1f} % of the matches")
    typer.echo(f"a hand ends    {shares}, otherwise {rest:.1f} %")
    typer.echo(f"measured by    {measured.source} ({measured.hands} hands of the level club)")


def _two(text: str) -> tuple[int, int]:
    ours, dash, theirs = text.partition(":" if ":" in text else "-")
    if not dash or not ours.strip().isdecimal() or not theirs.strip().isdecimal():
        raise ValueError(f"{text[:40]!r} is no score: write the points of both sides, such as 48-0")
    return int(ours), int(theirs)
