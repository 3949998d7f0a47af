"""Paper for a tournament: for the wall, for the tables, and to take home.

`render_paper` makes a PDF of a tournament at one moment: black on white, with its own fonts, on A4 or letter.
Nothing is stored; printed slips are an entry of their own (event ``printed``).
"""

from collections.abc import Sequence

from nousu.engine.messages import Note
from nousu.tournament.messages import Address, Refusal, Speech
from nousu.tournament.model import Tournament, order, round_of
from nousu.tournament.paper.canvas import PAPERS, undrawable_letters
from nousu.tournament.paper.cards import score_cards, table_cards
from nousu.tournament.paper.lookalikes import with_distinct_names
from nousu.tournament.paper.posters import cup, door, plan
from nousu.tournament.paper.results import certificates, results
from nousu.tournament.paper.slips import slip_name

KINDS = ("door", "plan", "cards", "slips", "sheets", "own", "cup", "results", "certificates")
"""Printed papers: the list for the door, the plan for the wall, cards that stand on tables, slips, score
sheets of Tuppi, own cards of people, the cup as a tree, the result list, certificates."""
SLIPS = ("slips", "sheets")
"""Papers that a table fills in: noted as printed."""

__all__ = (
    "KINDS",
    "PAPERS",
    "SLIPS",
    "Address",
    "Speech",
    "kinds",
    "ready",
    "render_paper",
    "slip_name",
    "tables_of",
    "undrawable_letters",
)


def kinds(state: Tournament) -> tuple[str, ...]:
    """Papers that can be printed of an event of this kind."""
    return tuple(
        kind
        for kind in KINDS
        if (kind not in SLIPS or kind == state.format.slips.paper)
        and (kind != "cup" or state.format.slips.paper == "sheets")
    )


def ready(state: Tournament, kind: str) -> Note | None:
    """The reason why a paper cannot be printed yet; None if it can."""
    if kind == "door":
        return None if state.active() or state.lone() else Note("", "nobody has been entered yet")
    if kind == "results":
        return None if state.numbers else Note("", "The numbers have not been drawn yet.")
    if kind == "cup":
        return None if "C1" in state.rounds else Note("", "The cup is not planned yet.")
    if kind == "certificates":
        return None if state.publications else Note("", "The result is not published yet.")
    return None if state.rounds else Note("", "Nothing is planned yet.")


def render_paper(
    state: Tournament,
    kind: str,
    speech: Speech,
    *,
    paper: str = "a4",
    rounds: Sequence[str] = (),
    tables: Sequence[str] = (),
    address: Address | None = None,
    follow: str = "",
) -> bytes:
    """Render one of `KINDS` as a PDF.

    It is for all planned rounds or only those named (slips and sheets also for single `tables`). The code on
    a slip leads to the `address` of its table, that on the wall and on table cards to `follow`. People whose
    names look alike on paper bear their numbers. `Refusal` says what cannot be printed.
    """
    if kind not in KINDS:
        raise Refusal(
            "there is no paper called {kind}; there are {kinds}",
            values={"kind": kind, "kinds": ", ".join(kinds(state))},
            where="kind",
        )
    state = with_distinct_names(state)
    if kind == "door":
        return door(state, speech, paper)
    if kind == "results":
        return results(state, speech, paper)
    if kind == "certificates":
        return certificates(state, speech, paper)
    if kind == "cup":
        return cup(state, speech, paper)
    labels = _labels(state, rounds)
    if kind == "plan":
        return plan(state, labels, speech, paper, follow)
    if kind == "cards":
        return table_cards(state, labels, speech, paper, follow)
    if kind == "own":
        return score_cards(state, labels, speech, paper)
    if kind == "sheets" and state.format.slips.paper != "sheets":
        raise Refusal("score sheets are for Tuppi; print slips", where="kind")
    return state.format.slips.pdf(state, tables_of(state, rounds, tables), speech, paper, address)


def tables_of(state: Tournament, rounds: Sequence[str] = (), tables: Sequence[str] = ()) -> tuple[str, ...]:
    """The tables whose slips `render_paper` prints for the same rounds and tables."""
    labels = _labels(state, rounds)
    keys = [key for key, _ in state.tables() if round_of(key) in labels]
    for table in tables:
        state.seats(table)
    chosen = tuple(key for key in keys if not tables or key in tables)
    if not chosen:
        raise Refusal("no table is planned for this round", where="round")
    return chosen


def _labels(state: Tournament, rounds: Sequence[str]) -> tuple[str, ...]:
    """The rounds to print, in the order of play."""
    if not state.rounds:
        raise Refusal("Nothing is planned yet.", remedy="plan")
    for label in rounds:
        if label not in state.rounds:
            raise Refusal(
                "round {round} is not planned; planned: {planned}",
                values={"round": label, "planned": ", ".join(state.rounds)},
                where="round",
            )
    return tuple(sorted(rounds or state.rounds, key=order))
