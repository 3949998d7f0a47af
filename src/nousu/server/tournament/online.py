"""Tables of a plan played on Nousu: seats follow the plan, results become slips.

Every game is a match at a table of its own. The table id is the key in the tournament log plus the number
of the game, so that a restarted server finds every table again. A table on Nousu knows its tournament, table,
game and seats by its option ``event``.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nousu.server.errors import NoSuchTable, RequestError, safe_traceback
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session
from nousu.server.table.options import TableOptions
from nousu.server.table.table import Table
from nousu.server.tournament.files import HostedTournament, HostedTournaments
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Chair, Seated, Tournament

_LOG = logging.getLogger(__name__)
SIGNED = "Nousu"
"""Name that signs slips from tables on Nousu; a person confirms them."""
_LOOK = 1.0
"""Seconds between two checks for finished matches."""


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A game of a table of the plan, with its table on Nousu."""

    number: int
    id: str
    chairs: tuple[Chair, ...]
    table: Table | None
    """Its table on Nousu; None until the first player sits down."""

    @property
    def over(self) -> bool:
        """Whether its match is finished."""
        return self.table is not None and self.table.over


def id_of(state: Tournament, table: str, game: int) -> str:
    """Id of the table on Nousu for a game of a table of the plan."""
    return f"{state.online[table].key}-{game}"


def event_of(name: str, table: str, game: int, chairs: Sequence[Chair]) -> str:
    """Value of the option ``event`` of a table on Nousu."""
    return f"{name} {table} {game} {','.join(f'{number}.{member}' for number, member in chairs)}"


def chairs_in(table: Table) -> tuple[Chair, ...]:
    """People at the seats of a table on Nousu, by the plan that opened it."""
    written = table.options.event.split(" ")[-1]
    pairs = [pair.partition(".") for pair in written.split(",")]
    return tuple((int(number), int(member)) for number, _, member in pairs)


def games_at_hand(server: Server, state: Tournament, table: str) -> tuple[OnlineGame, ...]:
    """Games of an online table that are in memory; `watch` keeps them there."""
    kind, games = state.kind(table), []
    for game in range(1, kind.slips.games_at(table) + 1):
        id = id_of(state, table, game)
        at_hand = server.tables.in_memory(id)
        chairs = chairs_in(at_hand) if at_hand is not None else kind.slips.chairs(state, table, game)
        if chairs:
            games.append(OnlineGame(game, id, chairs, at_hand))
    return tuple(games)


async def games(server: Server, state: Tournament, table: str) -> tuple[OnlineGame, ...]:
    """Games of an online table, loaded where necessary."""
    if table in state.seated:
        for game in range(1, state.kind(table).slips.games_at(table) + 1):
            try:
                room = await server.tables.room(id_of(state, table, game))
            except NoSuchTable:
                continue
            if not room.table.over:
                break
    return games_at_hand(server, state, table)


def current(found: Sequence[OnlineGame]) -> OnlineGame | None:
    """First unfinished game; None where all are finished."""
    return next((game for game in found if not game.over), None)


def words(state: Tournament, table: str, found: Sequence[OnlineGame]) -> tuple[str, ...]:
    """Words of the slip of a table, as far as it has been played."""
    matches: Mapping[int, Seated] = {
        game.number: (game.chairs, game.table.match)
        for game in found
        if game.table is not None and game.table.match is not None
    }
    return state.kind(table).slips.match_words(state, table, matches)


async def sit(
    server: Server, hosted: HostedTournament, session: Session, number: int, member: int, pledge: str
) -> str:
    """Seat a person at their current table on Nousu and return its id. `Refusal` where they have none."""
    state = (await hosted.opened()).tournament
    table = online_now(state, number)
    game = current(await games(server, state, table)) if table else None
    if game is None or (number, member) not in game.chairs:
        raise Refusal("you are not playing at any of Nousu’s tables now", where="table")
    if table not in state.seated:
        await hosted.act(lambda office: office.act(SIGNED, "seated", table=table))
    if game.table is None:
        await _open(server, hosted, state, table, game)
    await server.actions.join_by_plan(game.id, session, game.chairs.index((number, member)), pledge)
    return game.id


def online_now(state: Tournament, number: int) -> str:
    """Table at which a number plays online now; empty where there is none."""
    void = state.format.void(state)
    for table, seats in state.tables():
        label = table.partition(".")[0]
        if number in seats and state.is_online(table) and label not in void:
            return "" if state.has_withdrawn(number, label) else table
    return ""


async def _open(
    server: Server, hosted: HostedTournament, state: Tournament, table: str, game: OnlineGame
) -> None:
    """Open the table for a game. The winner of the last hand of the previous game deals first (A-U-19)."""
    event = event_of(hosted.name, table, game.number, game.chairs)
    options = TableOptions(chosen=True, event=event, dealer=_next_dealer(server, state, table, game))
    names = [state.members(number)[member] for number, member in game.chairs]
    await server.openings.open_planned(game.id, state.kind(table).slips.table_rules(table), names, options)


def _next_dealer(server: Server, state: Tournament, table: str, game: OnlineGame) -> int | None:
    """Seat of the first dealer in a game after the first; None where it is drawn."""
    before = [past for past in games_at_hand(server, state, table) if past.number < game.number and past.over]
    if not before or before[-1].table is None or before[-1].table.match is None:
        return None
    chairs, last = before[-1].chairs, before[-1].table.match.played[-1]
    first = last.tally.dealer(last.hand.setup)
    around = [*chairs[first:], *chairs[:first]]
    return next((game.chairs.index(chair) for chair in around if chair in game.chairs), None)


async def collect(server: Server, hosted: HostedTournament) -> None:
    """Enter the slips of tables whose games are finished."""
    async with hosted.collecting:
        await _collect_results(server, hosted)


async def _collect_results(server: Server, hosted: HostedTournament) -> None:
    state = (await hosted.opened()).tournament
    for table in state.online:
        if not state.is_online(table) or table not in state.seated:
            continue
        played = await games(server, state, table)
        if current(played) is None:
            await _enter(hosted, state, table, played)


async def _enter(
    hosted: HostedTournament, state: Tournament, table: str, found: Sequence[OnlineGame]
) -> None:
    source = {"tables": [game.id for game in found], "stood_in": _stood_in(found)}
    slip = f"{table}/{state.plans.get(table, 0)}"
    try:
        entered = words(state, table, found)
        await hosted.act(lambda office: office.slip(SIGNED, slip, entered, source))
    except Refusal as refusal:
        # A ruling in between (a withdrawal, say) contradicts the result: the direction sees why, and moves
        # the table to paper.
        hosted.unfit[table] = refusal.note


def _stood_in(found: Sequence[OnlineGame]) -> list[dict[str, int]]:
    """Stand-ins by computer players: person, game and number of hands."""
    counted = Counter(
        (game.number, *game.chairs[seat])
        for game in found
        if game.table
        for seat, _ in game.table.seats.substituted
    )
    return [
        {"game": game, "number": number, "member": member, "hands": hands}
        for (game, number, member), hands in sorted(counted.items())
    ]


async def watch(server: Server, tournaments: HostedTournaments) -> None:
    """Collect results of online tables until cancelled."""
    while True:
        await asyncio.sleep(_LOOK)
        of_tables = {room.table.options.event.partition(" ")[0] for room in server.tables.rooms()}
        for name in {*tournaments.names(), *of_tables} - {""}:
            try:
                await collect(server, tournaments.find(name))
            except (Refusal, RequestError) as error:
                _LOG.debug("tournament %s: %s", name, safe_traceback(error))
            except Exception as error:
                _LOG.error("tournament %s: %s", name, safe_traceback(error))
