"""A nine-person evening at a server in this process, and its direction's browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hosted_event import ORIGIN, Event
from same_deals import same_deals as same_deals


@pytest.fixture
def event(tmp_path: Path) -> Event:
    """The evening."""
    return Event(tmp_path)


@pytest.fixture
def ellen(event: Event) -> Iterator[TestClient]:
    """The direction, let in by her link."""
    with TestClient(event.app, base_url="http://testserver", headers=ORIGIN) as client:
        assert client.get(f"/tournament/evening/in/{event.secret}").status_code == 200
        yield client
