"""A tournament that a server directs, and people who come to it by links."""

from collections.abc import Sequence
from pathlib import Path

from starlette.testclient import TestClient

from applications import app_on
from nousu.i18n import translator
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.links import create_links
from nousu.tournament.links import key_of, shown_link
from nousu.tournament.office import Office
from tournament_fixtures import evening

NINE = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Greta", "Hugo", "Ida")
EVENING = "/tournament/evening"
ORIGIN = {"origin": "http://testserver"}


class Event:
    """A tournament of a server in this process."""

    def __init__(self, folder: Path, people: Sequence[str] = NINE, format: str = "tuppen", **options: object):
        self.path = folder / "evening.nousu"
        self.office: Office = evening(self.path, people, format, **options)
        self.tournaments = HostedTournaments(folder, self.path)
        self.app = app_on(str(folder / "tables.db"), pace=0, tournaments=self.tournaments)
        self.secret = create_links(self.office, "Ellen", translator("en"))

    def key(self, role: str, who: str = "Uwe") -> str:
        """The key of a link: a new one for a person, the one that may be shown for phones and screens."""
        if role in ("table", "beamer", "read"):
            link = shown_link(self.office.open().tournament, role)
            assert link is not None
            return key_of(link)
        return self.office.admit("Ellen", role, who)[1]

    def boxes(self, table: str, *games: str) -> dict[str, str]:
        """The form fields for places in seat order: ``boxes("1.1", "2134", "1234")``."""
        return {
            f"g{game}-{at}": place for game, places in enumerate(games, 1) for at, place in enumerate(places)
        }

    def state_of(self, table: str) -> str:
        """The state of a table's slip."""
        return self.office.open().tournament.slip(table).state

    def come(self, browser: TestClient, key: str = "") -> TestClient:
        """Open a second browser at the same server, with a link or without."""
        other = TestClient(self.app, base_url="http://testserver", headers=ORIGIN)
        other.portal = browser.portal  # the server runs only once
        if key:
            answer = other.get(f"{EVENING}/in/{key}", follow_redirects=False)
            assert answer.status_code == 303, answer.text
        return other
