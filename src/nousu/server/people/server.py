"""The parts of a running server that pages, API and tournaments use."""

import secrets

from sqlalchemy.engine import URL

from nousu.players import players
from nousu.server.live.reviews import Reviews
from nousu.server.live.tables import Tables
from nousu.server.live.workers import Workers
from nousu.server.people.actions import TableActions
from nousu.server.people.friends import Companions
from nousu.server.people.openings import Openings
from nousu.server.people.sessions import RequestLimits, Sessions
from nousu.server.people.views import TableViews
from nousu.server.storage.store import Store


class Server:
    """A running server: tables, sessions, and the actions of people.

    Args:
        url: The database.
        workers: Processes in which computer players think.
        limits: Limits on requests.
        pace: Seconds a computer player takes for a card; None: as each table says.
    """

    def __init__(self, url: URL, workers: Workers, limits: RequestLimits, pace: float | None) -> None:
        self.limits = limits
        self.tables = Tables(url, workers, pace)
        self.sessions = Sessions(self.tables, limits)
        self.openings = Openings(self.tables, self.sessions, limits)
        self.views = TableViews(self.tables, workers, limits)
        self.actions = TableActions(self.tables, self.sessions, self.openings, self.views, workers, limits)
        self.reviews = Reviews(workers.review, lambda: self.store.people)
        self.daily_secret = b""
        """The secret that orders the problems of the day; the same for all processes on the database."""
        self.companions = Companions(lambda: self.store.friends)
        self.tables.observers.append(self.companions.observe)
        self.players = tuple(players())
        """Names of the computer players that may be invited."""

    @property
    def store(self) -> Store:
        """The database; `Unavailable` until it is open."""
        return self.tables.store

    async def start(self) -> None:
        """Open the database and resume the tables in play; `BadDatabase` says what is wrong."""
        await self.tables.start()
        self.daily_secret = await self.store.subscriptions.key("daily", secrets.token_bytes(32))

    async def stop(self) -> None:
        """Stop reviews and tables; everything accepted is on disk already."""
        await self.reviews.stop()
        await self.companions.stop()
        await self.tables.stop()
