"""Pages of results: standings with reasons for shared ranks, the cup, the published result, files."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from nousu.engine.messages import Note
from nousu.i18n.office import column_words, local_time
from nousu.server.errors import NoSuchTable, NotYours
from nousu.server.tournament.roles import EVERYBODY, LINK_HOLDERS
from nousu.server.tournament.visit import Page, Visit, download
from nousu.tournament.cup_tree import cup_tree, third_place
from nousu.tournament.export import to_csv, to_json, to_xlsx
from nousu.tournament.model import Section, StandingsRow, Tournament
from nousu.tournament.print_language import round_heading
from nousu.tournament.ties import ties
from nousu.tournament.todo import todo


@dataclass(frozen=True, slots=True)
class RankingLine:
    """A line of the standings as the templates show it."""

    rank: int | str
    """A dash where nothing has been played."""
    name: str
    team: str
    first: int | str
    """The figure that decides the rank."""
    rest: tuple[int | str, ...]
    why: tuple[str, ...]
    shared: bool
    """Whether another has the same rank."""
    opens: bool
    """True for the first of those who share the rank: the reason is shown here."""
    gone: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """A section of the standings as the templates show it."""

    title: str
    ranking: str
    columns: tuple[str, ...]
    lines: tuple[RankingLine, ...]

    def figures(self, line: RankingLine) -> str:
        """The further figures of a line in one row: ``7 · 5``, ``sum 212 · rises 4``; not played: nothing."""
        cells = zip(self.columns, line.rest, strict=True)
        return " · ".join(
            str(cell) if column.isdecimal() else f"{column} {cell}" for column, cell in cells if cell != ""
        )


def rankings(visit: Visit) -> tuple[Ranking, ...]:
    """Current standings, section by section."""
    standings = visit.standings()
    return tuple(_table(visit, section) for section in standings.sections)


def _table(visit: Visit, section: Section) -> Ranking:
    ranks = [row.rank for row in section.rows]
    shared = {rank for rank in ranks if ranks.count(rank) > 1}
    first: Mapping[int, StandingsRow] = {row.rank: row for row in reversed(section.rows)}
    is_played = bool(visit.state.rounds_with_results())
    lines = tuple(
        RankingLine(
            row.rank if is_played else "–",
            row.name,
            row.team,
            row.cells[0] if row.cells else "",
            tuple(row.cells[1:]),
            tuple(
                visit.text(note)
                for note in row.why
                if not _of_group(note) or (is_played and first[row.rank] is row)
            ),
            is_played and row.rank in shared,
            first[row.rank] is row,
            bool(row.number) and visit.state.has_withdrawn(row.number),
        )
        for row in section.rows
    )
    heads = [column_words(column, visit.say) for column in section.columns]
    title = visit.text(Note("", section.title.message, section.title.values))
    return Ranking(title, heads[0] if heads else "", tuple(heads[1:]), lines)


def _of_group(note: Note) -> bool:
    """Whether a reason concerns all who share a rank; it is shown once, at the first of them."""
    return {"rank", "others"} <= note.values.keys()


def standings(visit: Visit) -> Response:
    """Show the standings: ``/standings``."""

    def values() -> Mapping[str, object]:
        is_played = bool(visit.state.rounds_with_results())
        notes = [visit.text(note) for note in visit.standings().notes]
        if not is_played:
            notes.append(visit.say("Nothing has been played yet."))
        about = {
            "notes": notes,
            "cup": _has_cup(visit.state),
            "ties": tie_lines(visit) if is_played else [],
        }
        return {"tables": rankings(visit), **about}

    return visit.cached_page("standings.html", values)


def tie_lines(visit: Visit) -> list[tuple[str, list[str]]]:
    """Ties of the standings and their tie-breaks, in words."""
    return [
        (", ".join(f"{rank}. {name}" for rank, name in tie.names), [visit.text(note) for note in tie.notes])
        for tie in ties(visit.standings())
    ]


def _has_cup(state: Tournament) -> bool:
    """Whether a round of the cup or a Stechen is planned, or one is due."""
    planned = any(label[0] in "CS" for label in state.rounds)
    return planned or any(task.action == "stechen" for task in todo(state))


def tree_of(visit: Visit) -> Mapping[str, object] | None:
    """The cup as the template of its tree shows it; None where no cup is planned."""
    rounds = cup_tree(visit.state)
    if not rounds:
        return None
    return {
        "rounds": [(round_heading(visit.state, part.label, visit.say), part.matches) for part in rounds],
        "third": third_place(visit.state),
    }


def cup(visit: Visit) -> Response:
    """Show ``/cup``: ties at the top, and every round of the play-off or the cup with its results."""
    state = visit.state
    void = state.format.void(state)
    rounds = []
    for label, played in state.rounds.items():
        if label[0] not in "CS":
            continue
        matches = []
        for key, seats in zip(played.names(), played.tables, strict=True):
            slip = state.slip(key)
            counts = slip.result is not None and slip.state in ("confirmed", "accepted")
            matches.append(
                {
                    "table": key,
                    "names": [state.at_round(label).who(number) for number in seats],
                    "notes": [
                        visit.text(note) for note in state.kind(key).slips.describe(state, key, slip.result)
                    ]
                    if counts and slip.result is not None
                    else [],
                    "open": len(seats) > 1 and not counts,
                }
            )
        title = round_heading(state, label, visit.say)
        rounds.append({"label": label, "title": title, "void": label in void, "matches": matches})
    due = [visit.text(task.said) for task in todo(state) if task.action == "stechen"]
    notes = [visit.text(note) for note in visit.standings().notes]
    values = {"rounds": rounds, "due": due, "notes": [] if due else notes, "tree": tree_of(visit)}
    return visit.page("cup.html", values)


def results(visit: Visit) -> Response:
    """Show the published result: ``/results``. Open to everybody."""
    published = visit.state.publications
    values = {
        "published": published[-1] if published else None,
        "at_time": local_time(published[-1].at) if published else "",
        "tables": rankings(visit) if published else (),
        "ties": tie_lines(visit) if published else [],
        "notes": [visit.text(note) for note in visit.standings().notes] if published else [],
        "waiting": [visit.text(task.said) for task in todo(visit.state) if task.action == "second"],
        "head": visit.opened.log.short,
    }
    return visit.page("results.html", values)


async def file(visit: Visit) -> Response:
    """Download ``/file/{kind}``: the standings or, for the direction, the tournament file."""
    kind, state = visit.request.path_params["kind"], visit.state
    if kind in ("json", "nousu") and not visit.guest.directs:
        raise NotYours("Only the director can hand out the tournament file.")

    def made() -> bytes:
        if kind == "csv":
            return ("\ufeff" + to_csv(visit.standings())).encode()
        if kind == "xlsx":
            return to_xlsx(visit.standings())
        if kind == "json":
            return to_json(state, visit.opened.log).encode()
        return visit.hosted.path.read_bytes()

    if kind not in ("csv", "xlsx", "json", "nousu"):
        raise NoSuchTable("There is no such page.")
    data = await visit.render(visit.hosted.cached, visit.opened, ("file", kind), made)
    return download(data, f"{visit.hosted.name}.{kind}")


PAGES = (
    Page("/standings", standings, LINK_HOLDERS),
    Page("/cup", cup, LINK_HOLDERS),
    Page("/results", results, EVERYBODY),
    Page("/file/{kind}", file, LINK_HOLDERS),
)
