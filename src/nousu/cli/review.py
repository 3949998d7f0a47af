"""``nousu review``: the cost of the choices in a record, by the knowledge of their players."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.about import made_by
from nousu.cli import LANG_HELP, fail, language, parse_record, read_input, refuse_pbn

if TYPE_CHECKING:
    from nousu.engine.match import Played
    from nousu.engine.record import Record
    from nousu.i18n.review import ChoiceWords
    from nousu.i18n.sentences import Voice
    from nousu.review import HandReview


def register(app: typer.Typer) -> None:
    """Add ``review``."""
    app.command("review")(review)


def review(
    file: Annotated[Path, typer.Argument(help="A record. - reads standard input.")],
    seat: Annotated[str, typer.Option("--seat", help="Only the choices of this seat: N, P3.")] = "",
    hand: Annotated[int, typer.Option("--hand", min=0, help="Only this finished hand, from 1.")] = 0,
    quick: Annotated[bool, typer.Option("--quick", help="A quick first answer from fewer deals.")] = False,
    seed: Annotated[int, typer.Option("--seed", help="Where the imagined deals come from.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON per hand and seat.")] = False,
    html: Annotated[
        bool, typer.Option("--html", help="A page of the whole record, to read or print.")
    ] = False,
    pbn: Annotated[
        bool, typer.Option("--pbn", help="PBN with remarks on the choices that mattered.")
    ] = False,
    lang: Annotated[str, typer.Option("--lang", help=LANG_HELP)] = "",
) -> None:
    """Weigh every choice of a record's finished hands by what its player knew then.

    Shows which choices mattered, what they cost in points with the 95 % interval, what a strong player would
    have done and which deals decide. The same record, options and seed give the same review.
    """
    if as_json + html + pbn > 1:
        fail("choose one of --json, --html and --pbn")
    code = language(lang)
    text = read_input(file)
    refuse_pbn(file, text, "a review needs a Nousu record, which says every bid and card; try nousu solve")
    record = parse_record(file, text)
    seats = _seats(seat, record.match.seats)
    hands = list(_finished(record, hand, file))
    reviews = _reviews(hands, seats, quick, seed)
    if as_json:
        for _, hand_review in reviews:
            typer.echo(json.dumps(hand_review.plain() | {"made_by": made_by()}, ensure_ascii=False))
    elif html:
        typer.echo(_page(record, list(reviews), code), nl=False)
    elif pbn:
        _write_pbn(file, record, list(reviews), code)
    else:
        counted = ""
        for played, hand_review in reviews:
            if hand_review.counted and hand_review.counted != counted:
                counted = hand_review.counted
                typer.echo(f"{_voice(record, code).say(counted)}\n")
            for line in _lines(record, played, hand_review, code):
                typer.echo(line)


def _seats(text: str, seats: int) -> tuple[int, ...]:
    from nousu.engine.seats import parse_seat

    if not text:
        return tuple(range(seats))
    try:
        seat = parse_seat(text, seats)
    except ValueError as error:
        fail(error)
    if seat < 0:
        fail(f"--seat {text}: nobody plays there")
    return (seat,)


def _finished(record: "Record", wanted: int, file: Path) -> Iterator["Played"]:
    """The wanted hand, or all finished hands for 0."""
    played = record.match.played
    if not played:
        fail(f"{file}: no hand is finished; only finished hands can be reviewed", code=1)
    if wanted > len(played):
        fail(f"{file}: there is no hand {wanted}; finished hands: {len(played)}", code=1)
    yield from played[wanted - 1 : wanted] if wanted else played


def _reviews(
    hands: "list[Played]", seats: tuple[int, ...], quick: bool, seed: int
) -> "Iterator[tuple[Played, HandReview]]":
    from nousu.review import FULL, QUICK, review_hand

    for played in hands:
        for seat in seats:
            yield played, review_hand(played.hand, seat, QUICK if quick else FULL, seed)


def _voice(record: "Record", code: str) -> "Voice":
    from nousu.engine.seats import seat_name
    from nousu.i18n import translator
    from nousu.i18n.sentences import Voice

    seats = record.match.seats
    places = tuple(seat_name(seat, seats) for seat in range(seats))
    names = record.names or places
    if len(set(names)) < seats:  # computer players of one kind differ only by seat
        names = tuple(f"{name} ({place})" for name, place in zip(names, places, strict=True))
    return Voice(names, record.match.game.sides, None, translator(code))


def _title(played: "Played", review: "HandReview", voice: "Voice", code: str) -> str:
    from nousu.i18n import signed_amount

    say, name = voice.say, voice.name(review.seat)
    if played.result.void:
        return say("Hand {number}, {name}: dealt again", number=review.number, name=name)
    points = signed_amount(review.points, code)
    return say("Hand {number}, {name}, points: {points}", number=review.number, name=name, points=points)


def _lines(record: "Record", played: "Played", review: "HandReview", code: str) -> Iterator[str]:
    from nousu.i18n.review import hand_words

    voice = _voice(record, code)
    words = hand_words(review, voice, code, record.match.rules)
    yield f"{_title(played, review, voice, code)}. {words.headline}"
    for choice in words.choices:
        yield f"  {_remark(choice)}"
        yield f"    {choice.why}"
        if choice.reason:
            yield f"    {choice.reason}"
        if choice.odds:
            shares = [voice.say("{percent}%", percent=row.percent) for row in choice.odds]
            rows = zip(choice.odds, shares, strict=True)
            yield "    " + " · ".join(f"{row.text} {share}: {row.cost}" for row, share in rows)
    for choice in words.praised:
        yield f"  {_remark(choice)}"
    yield ""


def _remark(choice: "ChoiceWords") -> str:
    amount = choice.amount + (f" ({choice.range})" if choice.range else "")
    amount += f", {choice.match}" if choice.match else ""
    return f"{choice.where}: {choice.did} – {choice.title} {amount}"


def _write_pbn(file: Path, record: "Record", reviews: "list[tuple[Played, HandReview]]", code: str) -> None:
    from nousu.engine.pbn import export_text, write_board
    from nousu.i18n.review import hand_words

    voice = _voice(record, code)
    boards: list[str] = []
    numbers = {id(played): at for at, played in enumerate(record.match.played, 1)}
    for played in {id(played): played for played, _ in reviews}.values():
        try:
            board = write_board(played.hand, numbers[id(played)], record.names)
        except ValueError as error:
            typer.echo(f"nousu: left out: {error}", err=True)
            continue
        remarks = [
            f"{{{voice.name(review.seat)}, {_remark(choice)}. {choice.why}}}".replace("\n", " ")
            for other, review in reviews
            if other is played
            for choice in hand_words(review, voice, code, record.match.rules).choices
        ]
        boards.append(board + "".join(f"{remark}\n" for remark in remarks))
    if not boards:
        fail(f"{file}: no finished hand fits into PBN", code=1)
    typer.echo(export_text(boards), nl=False)


_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 1.4rem 0 .3rem; } p { margin: .2rem 0; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; }
th, td { text-align: left; padding: .2rem .5rem; border-bottom: 1px solid #ccd5dd; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.why { color: #46555f; } section { break-inside: avoid; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } }
"""


def _page(record: "Record", reviews: "list[tuple[Played, HandReview]]", code: str) -> str:
    """The whole record as one page: the costliest choice and the luckiest hand, then hand by hand."""
    from nousu.i18n.names import preset_name
    from nousu.i18n.review import hand_words, par_words
    from nousu.review import no_par_reason

    voice, rules = _voice(record, code), record.match.rules
    say, parless = voice.say, no_par_reason(record.match.game.name)
    title = preset_name(record.match.game.name_of(rules, record.preset, record.match.seats), say)
    heading = escape(f"{title} · " + say("Review"))
    parts = [f"<h1>{heading}</h1>", *_highlights(record, reviews, code)]
    counted = ""
    for played, review in reviews:
        if review.counted and review.counted != counted:
            counted = review.counted
            parts.append(f"<p>{escape(say(counted))}</p>")
        words = hand_words(review, voice, code, rules)
        if not words.choices:
            continue
        par = "" if review.par is None else f" {par_words(review, voice, code)}"
        rows = "".join(_row(choice) for choice in words.choices)
        above = escape(_title(played, review, voice, code))
        headline = escape(words.headline + par)
        parts.append(f"<section><h2>{above}</h2><p>{headline}</p><table>{rows}</table></section>")
    if parless is not None:
        parts.append(f"<p>{escape(voice.note(parless))}</p>")
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>{heading}</title><style>{_STYLE}</style>"
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="{code}"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def _row(choice: "ChoiceWords") -> str:
    why = " ".join(filter(None, (choice.why, choice.reason)))
    return (
        f"<tr><td>{escape(choice.where)}</td><td>{escape(choice.did)}<br>"
        f'<span class="why">{escape(why)}</span></td><td>{escape(choice.title)}</td>'
        f'<td class="n">{escape(choice.amount)}</td></tr>'
    )


def _highlights(record: "Record", reviews: "list[tuple[Played, HandReview]]", code: str) -> Iterator[str]:
    """Points given away by each player, the costliest choice, and the luckiest hand."""
    from nousu.i18n import decimal
    from nousu.i18n.review import costliest_choice, costliest_words, luckiest_hand, luckiest_words

    voice, rules = _voice(record, code), record.match.rules
    say = voice.say
    given: dict[int, float] = {}
    for _, review in reviews:
        given[review.seat] = given.get(review.seat, 0.0) + review.given_away
    ranked = sorted(given.items(), key=lambda item: item[1])
    amounts = [(escape(voice.name(seat)), decimal(points, code, signed=False)) for seat, points in ranked]
    cells = "".join(f'<tr><td>{name}</td><td class="n">{amount}</td></tr>' for name, amount in amounts)
    player, given_away = escape(say("Player")), escape(say("Points given away"))
    yield f"<table><tr><th>{player}</th><th>{given_away}</th></tr>{cells}</table>"
    costliest = costliest_choice(review for _, review in reviews)
    if costliest is not None:
        yield f"<p>{escape(costliest_words(*costliest, voice, code, rules))}</p>"
    lucky = luckiest_hand(review for _, review in reviews)
    if lucky is not None:
        yield f"<p>{escape(luckiest_words(*lucky, voice, code))}</p>"
