"""``nousu clauses`` and ``nousu presets``: clauses with code and tests, presets with their options."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.cli import fail

if TYPE_CHECKING:
    from nousu.engine.game import Game
    from nousu.engine.options import Option


def register(app: typer.Typer) -> None:
    """Add ``clauses`` and ``presets``."""
    app.command("clauses")(clauses)
    app.command("presets")(presets)


def clauses(
    beginning: Annotated[str, typer.Argument(help="Only ids that begin like this: T-CAT, HP-GR.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List every clause of the sources with its kind, its code and its tests.

    For an id like A-H-02, print how an open question is settled, and the options that settle it differently.
    If a binding clause lacks code or a test, it is listed and the exit code is not 0.
    """
    from nousu.engine.messages import brief
    from nousu.teaching import clauses as book

    if beginning.upper().startswith("A-"):
        _resolutions(beginning, as_json)
        return
    chosen = [clause for clause in book.clauses().values() if clause.id.startswith(beginning.upper())]
    if not chosen:
        fail(f"no clause begins with {brief(beginning)!r}; the sources are {', '.join(_beginnings())}")
    trace = book.load_trace()
    gaps = {clause.id: gap for clause in chosen if (gap := book.missing_evidence(clause, trace[clause.id]))}
    if as_json:
        rows = [
            {
                "id": clause.id,
                "kind": clause.kind,
                "phase": clause.phase,
                "source": book.sources()[clause.source],
                "text": clause.text,
                "code": trace[clause.id].code,
                "tests": trace[clause.id].tests,
            }
            for clause in chosen
        ]
        typer.echo(json.dumps({"clauses": rows, "lacking": gaps}, indent=1, ensure_ascii=False))
    else:
        for clause in chosen:
            typer.echo(f"{clause.id}  {clause.kind}  {clause.text}")
            for word, places in (("code", trace[clause.id].code), ("test", trace[clause.id].tests)):
                for place in places:
                    typer.echo(f"    {word}  {place}")
        typer.echo(_summary(len(chosen), [clause.kind for clause in chosen], gaps))
    if gaps:
        listed = ", ".join(f"{id} ({lack})" for id, lack in gaps.items())
        fail(f"{len(gaps)} clauses lack something: {listed}", code=1)


def _resolutions(beginning: str, as_json: bool) -> None:
    """Print the resolutions of open questions, each with the options that belong to it."""
    from nousu.engine.messages import brief
    from nousu.engine.options import options
    from nousu.games import games
    from nousu.teaching import clauses as book

    resolutions = book.clauses_in(book.RESOLUTIONS)
    chosen = [clause for clause in resolutions if clause.id.startswith(beginning.upper())]
    if not chosen:
        known = ", ".join(dict.fromkeys(clause.id.rsplit("-", 1)[0] for clause in resolutions))
        fail(f"no resolution begins with {brief(beginning)!r}; there are {known}")
    bearing = {
        clause.id: [
            (item.name, item.allowed(), game.name)
            for game in games().values()
            for item in options(game.rules)
            if clause.id in item.clauses
        ]
        for clause in chosen
    }
    if as_json:
        rows = [
            {"id": clause.id, "text": clause.text, "options": [name for name, _, _ in bearing[clause.id]]}
            for clause in chosen
        ]
        typer.echo(json.dumps({"resolutions": rows}, indent=1, ensure_ascii=False))
        return
    for clause in chosen:
        typer.echo(f"{clause.id}  resolution  {clause.text}")
        for name, allowed, family in bearing[clause.id]:
            typer.echo(f"    option  {name} ({family}): {allowed}")


def _beginnings() -> list[str]:
    from nousu.teaching.clauses import clauses as known

    return list(dict.fromkeys(id.rsplit("-", 1)[0] for id in known()))


def _summary(count: int, kinds: list[str], gaps: dict[str, str]) -> str:
    parts = [f"{kinds.count(kind)} {kind}" for kind in ("rule", "tournament", "flavour") if kind in kinds]
    end = "each rule has code and test" if not gaps else f"{len(gaps)} lack code or test"
    return f"{count} {'clause' if count == 1 else 'clauses'}: {', '.join(parts)}; {end}"


def presets(
    name: Annotated[str, typer.Argument(help="A preset, or preset+option=value+…")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List all presets, or show one rule set with every option, its clauses and its allowed values."""
    from nousu.engine.errors import BadRules
    from nousu.games import find, games

    if not name:
        rows = [_row(game, preset) for game in games().values() for preset in game.presets]
        if as_json:
            typer.echo(json.dumps(rows, indent=1))
            return
        width = max(len(row["preset"]) for row in rows)
        for row in rows:
            mark = "  experimental" if row["experimental"] else ""
            typer.echo(
                f"{row['preset']:{width}}  {row['game']:10}  {_players(row['seats']):12}{mark}".rstrip()
            )
        return
    try:
        game, rules = find(name)
    except BadRules as error:
        fail(error)
    base = name.split("+")[0]
    if as_json:
        typer.echo(json.dumps(_preset_json(game, rules, base), indent=1))
    else:
        for line in _lines(game, rules, base):
            typer.echo(line)


def _row(game: "Game", preset: str) -> dict[str, Any]:
    return {
        "preset": preset,
        "game": game.name,
        "seats": list(game.seats_for(preset)),
        "experimental": preset in game.experimental,
    }


def _players(seats: list[int]) -> str:
    return f"{seats[0]} players" if len(seats) == 1 else f"{seats[0]}–{seats[-1]} players"


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    return list(value) if isinstance(value, tuple) else value


def _preset_json(game: "Game", rules: Any, base: str) -> dict[str, Any]:
    from nousu.engine.options import differences, options

    changed = differences(rules, game.presets[base])
    return {
        **_row(game, base),
        "rules": game.name_of(rules, base),
        "differences": {
            option: {"value": _plain(value), "usual": _plain(getattr(game.presets[base], option))}
            for option, value in changed.items()
        },
        "options": [
            {
                "name": item.name,
                "value": _plain(getattr(rules, item.name)),
                "group": item.group,
                "clauses": list(item.clauses),
                "doc": item.doc,
                "allowed": _allowed_values(item),
            }
            for item in options(rules)
        ],
    }


def _allowed_values(item: "Option") -> dict[str, Any]:
    if item.items is not None:
        return {"list_of": list(item.items)}
    if item.values is not None:
        return {"values": [_plain(value) for value in item.values]}
    return {"low": item.low, "high": item.high, "none": item.none}


def _lines(game: "Game", rules: Any, base: str) -> list[str]:
    from nousu.engine.options import differences, options, value_text

    mark = " (experimental: some of its values stand in no source)" if base in game.experimental else ""
    lines = [f"{game.name_of(rules, base)}: {game.name}, {_players(list(game.seats_for(base)))}{mark}"]
    changed = differences(rules, game.presets[base])
    if changed:
        lines.append(f"Different from {base}:")
        for option, value in changed.items():
            usual = value_text(getattr(game.presets[base], option))
            lines.append(f"    {option} = {value_text(value)} rather than {usual}")
    group = ""
    for item in sorted(options(rules), key=_group_order(rules)):
        if item.group != group:
            group = item.group
            lines += ["", group.capitalize()]
        lines.append(f"  {item.name} = {value_text(getattr(rules, item.name))}")
        lines.append(f"      {item.doc}")
        lines.append(f"      {item.allowed()}  [{', '.join(item.clauses)}]")
    return lines


def _group_order(rules: Any) -> Any:
    from nousu.engine.options import options

    order = list(dict.fromkeys(item.group for item in options(rules)))
    return lambda item: order.index(item.group)
