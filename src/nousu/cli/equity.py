"""``nousu equity``: how likely a side is to win the match from a score."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import typer

from nousu.about import made_by
from nousu.cli import complain


def register(app: typer.Typer) -> None:
    """Add ``equity``."""
    app.command("equity")(equity)


def equity(
    preset: Annotated[str, typer.Argument(help="A preset, such as tuppi, huutopussi or tuppen_zk.")],
    score: Annotated[
        str,
        typer.Argument(help="Points of North–South and East–West: 48-0; in Tuppen of everybody: 7-5-3-2."),
    ] = "",
    hands: Annotated[int, typer.Option(min=0, help="Hands played, where their number is limited.")] = 0,
    totals: Annotated[
        str, typer.Option(help="Points collected in all, where hands are limited: 60-40.")
    ] = "",
    peaks: Annotated[
        str, typer.Option(help="The highest rises, where they decide at the limit: 24-12.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> None:
    """Tell how often North–South win the match from a score when all play equally well; in Tuppen how many
    points for their place (5, 3, 2, 1, 0) all players may expect."""
    from nousu.engine.errors import BadRules
    from nousu.games import find

    try:
        game, rules = find(preset)
        if game.name == "tuppen":
            if totals or peaks or hands:
                raise ValueError("in Tuppen only the points of the players count: write 7-5-3-2")
            start = "-".join([str(rules.start_points)] * 4)
            report = _places(preset, _numbers(score or start))
        elif game.name == "huutopussi":
            if totals or peaks or hands:
                raise ValueError("in Huutopussi only the points of both sides count: write 400-250")
            report = _contracts(preset, _two(score or "0-0"))
        else:
            report = _tricks(preset, rules, _two(score or "0-0"), totals, peaks, hands)
    except (BadRules, ValueError) as error:
        complain(error)
    if as_json:
        found = {"preset": preset, "score": report.score, "hands": hands, **report.figures}
        ways = [[*way, round(share, 6)] for way, share in report.ways]
        typer.echo(json.dumps(found | {"outcomes": ways, "measured": report.hands, "made_by": made_by()}))
        return
    often = sorted(report.ways, key=lambda way: -way[1])
    shares = ", ".join(f"{':'.join(map(str, way))} {100 * share:.1f} %" for way, share in often[:8])
    rest = 100 * sum(share for _, share in often[8:])
    typer.echo(f"{preset}, {':'.join(map(str, report.score))}: {report.sentence}")
    typer.echo(f"a hand {report.verb:7} {shares}, otherwise {rest:.1f} %")
    typer.echo(f"measured by    {report.source} ({report.hands} hands of the level club)")


class _Report(NamedTuple):
    """What is printed about a score."""

    score: Sequence[int]
    figures: Mapping[str, object]
    sentence: str
    verb: str
    """What a hand does in the ways listed: it ends so, or costs so much."""
    ways: Sequence[tuple[Sequence[int], float]]
    hands: int
    source: str


def _tricks(preset: str, rules: Any, score: tuple[int, int], totals: str, peaks: str, hands: int) -> _Report:
    from nousu.players.equity import equity as chance
    from nousu.players.equity import outcomes

    ours, theirs = score
    measured = outcomes(preset)
    if rules.score_model == "single_riser":
        if ours and theirs:
            raise ValueError("only one side can be rising: write 48-0 or 0-48")
        riser = 0 if ours else 1 if theirs else None
        collected, highest = (_two(one) if one else score for one in (totals, peaks))
        won = chance(
            preset, measured, riser=riser, points=ours or theirs, totals=collected, peaks=highest, hands=hands
        )
    else:
        won = chance(preset, measured, totals=score)
    return _side(score, won, [(way.points, way.share) for way in measured.ways], measured)


def _contracts(preset: str, score: tuple[int, int]) -> _Report:
    from nousu.players.huutopussi.equity import equity as chance
    from nousu.players.huutopussi.equity import outcomes

    measured = outcomes(preset)
    ways = [(way.points, way.share) for way in measured.ways]
    return _side(score, chance(preset, measured, score), ways, measured)


def _side(
    score: Sequence[int], won: float, ways: Sequence[tuple[Sequence[int], float]], measured: Any
) -> _Report:
    sentence = f"North–South win {100 * won:.1f} % of the matches"
    return _Report(score, {"wins": round(won, 6)}, sentence, "ends", ways, measured.hands, measured.source)


def _places(preset: str, points: Sequence[int]) -> _Report:
    from nousu.players.tuppen.equity import equity as expected
    from nousu.players.tuppen.equity import outcomes

    measured, found = outcomes(preset), expected(preset, points)
    sentence = f"their places bring {', '.join(f'{one:.2f}' for one in found)} points on average"
    figures = {"expected": [round(one, 6) for one in found]}
    ways = measured.ways.get(sum(one > 0 for one in points), ())
    return _Report(points, figures, sentence, "costs", ways, measured.hands, measured.source)


def _two(text: str) -> tuple[int, int]:
    found = _numbers(text)
    if len(found) != 2:
        raise ValueError(f"{text[:40]!r} is no score: write the points of both sides, such as 48-0")
    return found[0], found[1]


def _numbers(text: str) -> list[int]:
    parts = text.replace(":", "-").split("-")
    if len(parts) < 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"{text[:40]!r} is no score: write points such as 48-0")
    return [int(part) for part in parts]
