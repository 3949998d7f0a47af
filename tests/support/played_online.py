"""Tables of a tournament at Nousu's tables, played to the end by random legal actions."""

import asyncio
import random
import re

from starlette.testclient import TestClient

from hosted_event import EVENING, Event
from nousu.engine.seats import CHANCE
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.server.people.server import Server
from nousu.server.table.events import ActionDone, NextRequested
from nousu.tournament.links import person_key


def own_link(event: Event, number: int, member: int = 0) -> str:
    """The address of a person's own page."""
    state = event.office.open().tournament
    return f"{EVENING}/me/{person_key(state, (state.numbers[number - 1], member))}"


def sit(browser: TestClient, link: str) -> str:
    """Sit down by a personal link; return the id of Nousu's table."""
    answer = browser.post(link, data={"do": "sit"}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    address = re.fullmatch(r"/t/([\w-]+)", answer.headers["location"])
    assert address is not None, answer.headers["location"]
    return address[1]


def play_out(
    browser: TestClient, server: Server, table: str, seed: int = 1, most: int = 100_000, player: str = ""
) -> None:
    """Play a table until its match is over, or `most` actions are done: random legal ones, or those of a
    `player`."""
    browser.portal.call(_play_out, server, table, random.Random(seed), most, player)  # type: ignore[union-attr]


async def _play_out(server: Server, id: str, rng: random.Random, most: int, player: str) -> None:
    room = await server.tables.room(id)
    done = 0
    while done < most:
        table = room.table
        if table.over:
            return
        asked = (
            [seat for seat in table.seats.persons() if seat not in table.ready] if table.between_hands else []
        )
        owed = table.match.hand.owed() if table.match is not None else (CHANCE,)
        if asked:
            done += 1
            await room.commit(lambda now, at, seat=asked[0]: now.change(NextRequested(seat), at))  # type: ignore[misc]
        elif not table.between_hands and owed and owed != (CHANCE,):
            done += 1
            seat = owed[0]
            assert table.match is not None
            legal = table.match.hand.legal(seat)
            if player:
                action = find_player(player).choose(table.match.hand.view(seat), DEFAULT_BUDGET, done).action
            else:
                action = legal[0] if rng.random() < 0.5 else rng.choice(legal)
            await room.commit(
                lambda now, at, seat=seat, action=action, was=table: (  # type: ignore[misc]
                    now.change(ActionDone(seat, action), at) if now is was else now.seq
                )
            )
        else:
            await asyncio.sleep(0.001)  # cards are dealt
