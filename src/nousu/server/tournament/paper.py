"""Paper page: PDFs that can be printed now. Printed slips are marked in the log."""

from collections.abc import Iterable
from pathlib import Path

from starlette.responses import Response

from nousu.engine.messages import sentence
from nousu.i18n import LANGUAGES, language_name
from nousu.i18n.office import speech
from nousu.players.processes import OutOfLimits
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.setup import step_page
from nousu.server.tournament.visit import Page, Visit, download
from nousu.tournament.letters import letter_notes, printed_texts
from nousu.tournament.links import key_of, shown_link, slip_key
from nousu.tournament.messages import Refusal
from nousu.tournament.model import order
from nousu.tournament.office import Office
from nousu.tournament.print_language import round_heading

KINDS: dict[str, tuple[str, str]] = {
    "door": (sentence("List for the door"), sentence("Everybody in alphabetical order, with a box to tick.")),
    "plan": (
        sentence("Plan for the wall"),
        sentence("Everybody’s tables by name, then each round by table."),
    ),
    "cards": (
        sentence("Table cards"),
        sentence("A tent for each table: its number on both sides, and who sits there when."),
    ),
    "slips": (sentence("Slips"), sentence("Half a sheet for each table, with a code that opens its form.")),
    "sheets": (
        sentence("Score sheets"),
        sentence("A sheet for each match, hand by hand, with lines for the extension."),
    ),
    "own": (
        sentence("Own cards"),
        sentence("A card for everybody with their tables and room for results; four to a sheet."),
    ),
    "cup": (sentence("The cup"), sentence("All matches as a tree, with the results so far.")),
    "results": (
        sentence("Result list"),
        sentence("The standings as they are, with the reason beside each shared rank."),
    ),
    "certificates": (sentence("Certificates"), sentence("For the first three places of a published result.")),
}
"""Name and purpose of each kind."""


def not_drawn(visit: Visit, texts: Iterable[str]) -> list[str]:
    """Sentences about names with letters that the font on paper lacks."""
    return [visit.text(note) for note in letter_notes(texts)]


_LONGEST = 60.0
"""Seconds after which a PDF is given up."""


def show(visit: Visit, wrong: list[str] | None = None) -> Response:
    """Show the paper page: ``/paper``; after a refusal with its reasons."""
    state, say = visit.state, visit.say
    try:
        from nousu.tournament.paper import kinds, ready
    except ImportError:
        wrong = [say("This needs more packages: pip install 'nousu[tournament]'")]
        return step_page(visit, "/paper", {"kinds": [], "wrong": wrong}, 503)
    values = {
        "kinds": [
            (
                kind,
                say(KINDS[kind][0]),
                say(KINDS[kind][1]),
                visit.text(why) if (why := ready(state, kind)) else "",
            )
            for kind in kinds(state)
        ],
        "papers": [("a4", "A4"), ("letter", say("US letter"))],
        "languages": [(code, language_name(code)) for code in LANGUAGES],
        "lang": visit.lang,
        "rounds": [(label, round_heading(state, label, say)) for label in sorted(state.rounds, key=order)],
        "local": not visit.tournaments.address,
        "strange": not_drawn(visit, printed_texts(state)),
        "wrong": wrong or [],
    }
    return step_page(visit, "/paper", values, 400 if wrong else 200)


def _render_pdf(
    path: Path,
    kind: str,
    lang: str,
    paper: str,
    rounds: list[str],
    tables: list[str],
    address: str,
    follow: str,
) -> bytes:
    """A PDF of a tournament file; runs in the process of a job."""
    from nousu.tournament.paper import render_paper

    state = Office(path).open().tournament
    return render_paper(
        state,
        kind,
        speech(lang),
        paper=paper,
        rounds=rounds,
        tables=tables,
        address=lambda table: f"{address}/slip/{table}?k={slip_key(state, table)}",
        follow=follow,
    )


async def make(visit: Visit) -> Response:
    """Send a PDF, and mark its slips as printed."""
    try:
        from nousu.tournament.paper import SLIPS, tables_of
    except ImportError:
        return await visit.render(show, visit)
    form = await visit.form()
    kind, paper, language, label, table = (
        str(form.get(name, ""))[:60] for name in ("kind", "paper", "language", "round", "table")
    )
    state = visit.state
    rounds = [label] if label else []
    tables = [table] if table else []
    readers = shown_link(state, "read")
    follow = visit.address(f"/in/{key_of(readers)}") if readers is not None else ""

    lang = language if language in LANGUAGES else visit.lang
    try:
        try:
            data = await visit.tournaments.jobs.run(
                visit.hosted.name, visit.guest.address, _LONGEST, _render_pdf,
                visit.hosted.path, kind, lang, paper or "a4", rounds, tables, visit.address(), follow,
            )  # fmt: skip
        except OutOfLimits:
            raise Refusal("this takes too long to print at once; print one round at a time") from None
        if kind in SLIPS:
            chosen = tables_of(state, rounds, tables)
            unprinted = [key for key in chosen if state.slip(key).state == "open"]
            if unprinted:
                await visit.act(lambda office, by: office.act(by, "printed", tables=unprinted))
    except Refusal as refusal:
        return await visit.render(show, visit, visit.refusal_lines(refusal))
    name = "-".join(filter(None, (visit.hosted.name, kind, label, table)))
    return download(data, f"{name}.pdf")


PAGES = (Page("/paper", show, DIRECTION), Page("/paper", make, DIRECTION, "POST"))
