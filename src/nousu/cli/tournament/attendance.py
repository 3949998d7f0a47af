"""``nousu tournament`` around the tables: arrivals, links, tables online, the beginning of a round."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from nousu.cli.tournament.common import Address, AsJson, By, File, answering, host_address

if TYPE_CHECKING:
    from nousu.cli.tournament.output import Screen
    from nousu.tournament.model import Chair, Tournament
    from nousu.tournament.office import Office, Opened

app = typer.Typer()


@app.command()
def door(
    file: File,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Who has arrived.", show_default=False)
    ] = None,
    absent: Annotated[bool, typer.Option("--not", help="They have not arrived after all.")] = False,
    strike: Annotated[
        bool, typer.Option("--strike", help="Take everybody who has not arrived off the list.")
    ] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Tick the people who have come, and show the missing; --strike takes those off the list."""
    with answering(file, as_json) as (office, screen):
        opened = office.open()
        if names:
            ids = [opened.tournament.person(name).id for name in names]
            opened = office.act(by, "arrived", ids=ids, here=not absent)
        gone = opened.tournament.absent()
        if strike:
            opened = office.strike_absent(by)
            screen.done(
                opened, "Taken off the list: {names}", names=_joined_names(person.name for person in gone)
            )
        else:
            screen.done(opened, "Not here yet: {names}", names=_joined_names(person.name for person in gone))
        screen.end(opened)


@app.command()
def pick(
    file: File,
    who: Annotated[str, typer.Argument(help="Name.", show_default=False)] = "",
    number: Annotated[int, typer.Argument(min=0, help="0: take it back.", show_default=False)] = 0,
    use: Annotated[bool, typer.Option("--use", help="Put all these numbers into force.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Note the number that somebody has drawn at the door, one by one as people come."""
    with answering(file, as_json) as (office, screen):
        opened = office.open()
        if use:
            opened = office.number_from_door(by)
            screen.done(opened, "The numbers drawn with cards are entered.")
        elif who:
            opened = office.act(by, "picked", id=opened.tournament.person(who).id, number=number)
            screen.done(opened, "{name}: number {number}.", name=who, number=number)
        state = opened.tournament
        free = [entrant.name for entrant in state.active() if entrant.id not in state.picked]
        if not state.numbers:
            screen.say("Without a number: {names}", names=_joined_names(free))
        screen.end(opened)


@app.command()
def paid(
    file: File,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Who has paid.", show_default=False)
    ] = None,
    unpaid: Annotated[bool, typer.Option("--not", help="They have not paid after all.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Note who has paid, and show who has not."""
    with answering(file, as_json) as (office, screen):
        opened = office.open()
        if names:
            ids = [opened.tournament.person(name).id for name in names]
            opened = office.act(by, "paid", ids=ids, paid=not unpaid)
        state = opened.tournament
        owing = [entrant.name for entrant in state.active() if entrant.id not in state.paid]
        screen.done(opened, "Not paid yet: {names}", names=_joined_names(owing))
        screen.end(opened)


@app.command()
def column(
    file: File,
    who: Annotated[str, typer.Argument(help="Name or number.", show_default=False)],
    name: Annotated[str, typer.Argument(metavar="COLUMN", help="A column of the list.", show_default=False)],
    text: Annotated[str, typer.Argument(help="What it says; empty: nothing.", show_default=False)] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Write a cell of a further column of the list: an age group, a member number."""
    with answering(file, as_json) as (office, screen):
        entrant = office.open().tournament.person(who)
        opened = office.act(by, "noted", id=entrant.id, column=name, text=text)
        screen.ruling(opened, "{column} of {name}: {text}", column=name, name=entrant.name, text=text or "–")
        screen.end(opened)


@app.command()
def prizes(
    file: File,
    groups: Annotated[
        list[str] | None,
        typer.Argument(metavar="COLUMN=VALUE...", help="For example Group=Newcomer.", show_default=False),
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Rank prize groups of their own, by a column of the list; without groups there are none any more."""
    with answering(file, as_json) as (office, screen):
        parts = [group.partition("=") for group in groups or ()]
        named = [[head.strip(), value.strip()] for head, _, value in parts]
        opened = office.act(by, "prizes", groups=named)
        screen.done(opened, "Prize groups: {names}", names=_joined_names(groups or ()))
        screen.end(opened)


@app.command("start-time")
@app.command("starts", hidden=True)
def start_time(
    file: File,
    round: Annotated[str, typer.Argument(help="Which round.", show_default=False)],
    time: Annotated[
        str, typer.Argument(help="For example 19:45; leave it out if no longer known.", show_default=False)
    ] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Say when a round begins: the projector and everybody's own page show it."""
    with answering(file, as_json) as (office, screen):
        label = round.upper()
        opened = office.act(by, "starts", round=label, time=time)
        if time:
            screen.done(opened, "Round {round} begins at {time}.", round=label, time=time)
        else:
            screen.done(opened, "No time is set for round {round}.", round=label)
        screen.end(opened)


@app.command()
def programme(
    file: File,
    lines: Annotated[
        list[str] | None,
        typer.Argument(metavar="LINE...", help="For example '19:30 Series 1'.", show_default=False),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="There is no programme any more.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Set the programme of the evening, a time and what happens then, or show it."""
    with answering(file, as_json) as (office, screen):
        from nousu.tournament.events.plans import programme_lines

        opened = office.open()
        if lines or clear:
            opened = office.act(by, "programme", lines=programme_lines("\n".join(lines or ())))
        listed = ", ".join(" ".join(line) for line in opened.tournament.programme)
        screen.done(opened, "Programme of the evening: {lines}", lines=listed or "–")
        screen.end(opened)


@app.command("begin-round")
@app.command("begin", hidden=True)
def begin_round(
    file: File,
    round: Annotated[str, typer.Argument(help="Which round.", show_default=False)],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Say that the cards of a round are dealt: later plans move nobody in it."""
    with answering(file, as_json) as (office, screen):
        label = round.upper()
        opened = office.act(by, "begun", round=label)
        screen.done(opened, "Round {round} has begun.", round=label)
        screen.end(opened)


@app.command()
def online(
    file: File,
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE...", help="round.table", show_default=False)
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Play these tables with cards again. Their slips stay empty.")
    ] = False,
    renew: Annotated[
        str, typer.Option("--renew", metavar="NAME", help="Who gets a new link.", show_default=False)
    ] = "",
    address: Address = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Play tables of the plan at Nousu's own tables, and show everybody's own link to their seat."""
    with answering(file, as_json) as (office, screen):
        from nousu.i18n.office import role_words
        from nousu.tournament.links import shown_link

        opened = office.open()
        if tables and paper:
            opened = office.play_on_paper(by, tables)
            screen.done(opened, "Played with cards again: {tables}", tables=", ".join(tables))
        elif tables:
            opened = office.play_online(by, tables)
            screen.done(opened, "Played at Nousu’s tables: {tables}", tables=", ".join(tables))
            if shown_link(opened.tournament, "table") is None:
                opened, _ = office.admit(by, "table", role_words("table", screen.words))
        if renew:
            person_id, member = _person(opened.tournament, renew)
            opened = office.act(by, "relinked", id=person_id, member=member)
            screen.done(opened, "{name} has a new link; the old one no longer works.", name=renew)
        _show_online(screen, opened, office, address)
        screen.end(opened)


def _show_online(screen: "Screen", opened: "Opened", office: "Office", address: str) -> None:
    from nousu.tournament.links import person_key, shown_link

    state = opened.tournament
    here = _pages_address(office, address)
    listed = [
        (name, f"{here}/me/{person_key(state, (person.id, member))}")
        for person in (state.active() if shown_link(state, "table") is not None else ())
        for member, name in enumerate(person.members)
    ]
    screen.online([table for table in state.online if state.is_online(table)], listed)


@app.command()
def link(
    file: File,
    role: Annotated[
        str, typer.Argument(help="direction, entry, table, projector or read.", show_default=False)
    ] = "",
    who: Annotated[str, typer.Option("--for", help="Who it is for.", show_default=False)] = "",
    revoke: Annotated[
        int, typer.Option("--revoke", metavar="ENTRY", help="Revoke this link.", show_default=False)
    ] = 0,
    address: Address = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Make a link for a helper or a screen, revoke one, or show those in force."""
    with answering(file, as_json) as (office, screen):
        from nousu.i18n.office import role_words
        from nousu.tournament.links import key_of
        from nousu.tournament.model import PROJECTOR
        from nousu.tournament.office import SHOWN

        opened, here = office.open(), _pages_address(office, address)
        if revoke:
            opened = office.act(by, "revoked", entry=revoke)
            screen.done(opened, "Link {entry} no longer works.", entry=revoke)
        elif role:
            role = PROJECTOR if role == "projector" else role
            called = who or (role_words(role, screen.words) if role in SHOWN else "")
            opened, secret = office.admit(by, role, called)
            if role not in SHOWN:
                screen.done(opened, "Shown only once: {address}", address=f"{here}/in/{secret}")
        shown = [
            (
                entry.entry,
                entry.role,
                entry.who,
                f"{here}/in/{key_of(entry)}" if entry.role in SHOWN[1:] else "",
            )
            for entry in opened.tournament.links.values()
        ]
        screen.links(shown)
        screen.end(opened)


def _joined_names(names: "Iterable[str]") -> str:
    return ", ".join(names) or "–"


def _person(state: "Tournament", text: str) -> "Chair":
    """The person of a text: a single name, or the first of a pair by its number or name."""
    from nousu.tournament.people import name_key

    person = state.person(text)
    names = [name_key(name) for name in person.members]
    return person.id, names.index(name_key(text)) if name_key(text) in names else 0


def _pages_address(office: "Office", address: str) -> str:
    """The address of a tournament's pages, for people in the same network."""
    from nousu.server.tournament.files import slug_of
    from nousu.server.tournament.roles import path_of

    return host_address(address) + path_of(slug_of(office.path))
