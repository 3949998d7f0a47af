"""Pictures wait for their turn, and nobody who acts waits for pictures."""

import asyncio
from itertools import pairwise

from nousu.server.turns import Turns


def test_between_two_turns_everybody_else_comes() -> None:
    """However many wait, whoever is ready at that moment waits for one of them at most."""
    done: list[str] = []

    async def draws(turns: Turns, name: str) -> None:
        await turns.of(name)
        done.append(name)

    async def acts(count: int) -> None:
        for _ in range(count):
            await asyncio.sleep(0)
            done.append("acts")

    async def main() -> None:
        turns = Turns()
        async with asyncio.TaskGroup() as group:
            for name in "abcdef":
                group.create_task(draws(turns, name))
            group.create_task(acts(60))

    asyncio.run(main())
    pictures = [at for at, name in enumerate(done) if name != "acts"]
    assert [done[at] for at in pictures] == list("abcdef")
    assert all(later - earlier > 1 for earlier, later in pairwise(pictures)), done


def test_whoever_goes_while_they_wait_keeps_nobody_up() -> None:
    async def main() -> list[str]:
        turns, done = Turns(), []

        async def draws(name: str) -> None:
            await turns.of(name)
            done.append(name)

        waiting = [asyncio.create_task(draws(name)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await draws("d")
        return done

    assert asyncio.run(asyncio.wait_for(main(), 20)) == ["a", "c", "d"]


def test_all_who_wait_for_a_table_take_its_turn_together() -> None:
    """Nothing comes between the pictures of one table, even where another table came before the last."""
    done: list[str] = []

    async def draws(turns: Turns, table: str) -> None:
        await turns.of(table)
        done.append(table)

    async def acts(count: int) -> None:
        for _ in range(count):
            await asyncio.sleep(0)
            done.append("acts")

    async def main() -> None:
        turns = Turns()
        async with asyncio.TaskGroup() as group:
            for table in "aabab":
                group.create_task(draws(turns, table))
            group.create_task(acts(20))

    asyncio.run(main())
    written = "".join("-" if one == "acts" else one for one in done)
    assert [turn for turn in written.split("-") if turn] == ["aaa", "bb"], written
