"""Pictures wait for their turn, and nobody who acts waits for pictures."""

import asyncio
from itertools import pairwise
from typing import NamedTuple

from nousu.server.live.turns import Turns


class Page(NamedTuple):
    """A page that writes down what it does."""

    name: str
    done: list[str]

    def notify(self) -> None: ...

    def render(self) -> None:
        self.done.append(self.name)

    async def send(self) -> None:
        self.done.append(self.name.upper())


def _written(tables: str, later: str = "") -> list[str]:
    """What is done, in order, where pages of these tables ask for a turn, and some later; ``-`` where
    somebody acts."""
    done: list[str] = []

    async def acts(count: int) -> None:
        for _ in range(count):
            await asyncio.sleep(0)
            done.append("-")

    async def main() -> None:
        turns = Turns()
        for table in tables:
            turns.request(table, Page(table, done), plays=True)
        await acts(10 * len(tables))
        for table in later:
            turns.request(table, Page(table, done), plays=True)
        await acts(10 * len(later))

    asyncio.run(main())
    return done


def test_between_two_turns_everybody_else_comes() -> None:
    """However many wait, whoever is ready at that moment waits for one of them at most."""
    done = _written("abcdef")
    drawn = [at for at, one in enumerate(done) if one.islower()]
    assert "".join(done[at] for at in drawn) == "abcdef"
    assert all(later - earlier > 2 for earlier, later in pairwise(drawn)), done


def test_all_pages_of_a_table_take_its_turn_together() -> None:
    """Nothing comes between the pictures of one table, even where another table came before the last; all are
    drawn before the first is sent."""
    done = _written("aabab", later="bc")
    assert [turn for turn in "".join(done).split("-") if turn] == ["aaaAAA", "bbBB", "bB", "cC"], done


class Drawn(Page):
    """A page that writes down only that it is drawn."""

    async def send(self) -> None:
        pass


def _order(asked: str, later: str = "") -> str:
    """In which order pages are drawn whose tables ask at once, and some more after the first turn; in
    capitals those of people who only watch."""
    done: list[str] = []

    def ask(turns: Turns, pages: str) -> None:
        for page in pages:
            turns.request(page.lower(), Drawn(page, done), plays=page.islower())

    async def main() -> None:
        turns = Turns()
        ask(turns, asked)
        await asyncio.sleep(0)
        ask(turns, later)
        for _ in range(10 * len(asked + later)):
            await asyncio.sleep(0)

    asyncio.run(main())
    return "".join(done)


def test_players_come_before_those_who_watch() -> None:
    """Also those who ask later, at other tables; who watches the table of the last is shown it with them."""
    assert _order("ABab", "cd") == "abcdAB"
    assert _order("ABab", "ca") == "abcaAB"
    assert _order("Cc") == "cC"


def test_those_who_watch_are_never_left_out() -> None:
    """However many play: of five turns one is theirs. What they ask for again meanwhile is shown with it."""
    assert _order("ABabcdefghijk", "Al") == "abcdAAefghBijkl"
