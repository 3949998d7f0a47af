"""Cards, problems of the day and dates that are the same in every run.

The cards of a table follow from a secret of its server and from the shares that browsers add to the shuffles;
the problem of the day follows from another secret and from the date. All of these are fixed here.
"""

import random
from collections.abc import Callable
from datetime import UTC, date, datetime, tzinfo
from types import SimpleNamespace
from typing import Any

import pytest

from nousu.server.table.shuffle import SECRET_BYTES


class Day(date):
    """A date; today is always the same one."""

    @classmethod
    def today(cls) -> "Day":
        """Return the 18th of March 2026, a Wednesday."""
        return cls(2026, 3, 18)


class Moment(datetime):
    """A date and time; now is always the same one."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Moment":
        """Return six in the evening of that day, by UTC."""
        return cls(2026, 3, 18, 18, tzinfo=UTC).astimezone(tz)


def fix_chance(patch: pytest.MonkeyPatch, secret: Callable[[], bytes]) -> None:
    """Let servers in this process take the secrets of shuffles from `secret`; fix today and its problem."""
    patch.setattr("nousu.server.table.shuffle.new_secret", secret)
    patch.setattr("nousu.server.people.server.secrets", SimpleNamespace(token_bytes=bytes))
    for module in ("today", "mistakes"):
        patch.setattr(f"nousu.server.pages.learn.{module}.date", Day)
    for module in ("people.weekly_tables", "pages.friends"):
        patch.setattr(f"nousu.server.{module}.datetime", Moment)


@pytest.fixture(autouse=True)
def same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix chance for a test whose server runs in this process."""
    dice = random.Random(1)
    fix_chance(monkeypatch, lambda: dice.randbytes(SECRET_BYTES))


def fix_chance_of_process() -> None:
    """Fix chance in the process of a server: its tables have one secret, in whatever order they open."""
    fix_chance(pytest.MonkeyPatch(), lambda: bytes(SECRET_BYTES))


_SHARE = "crypto.getRandomValues = (numbers) => numbers.fill(7);"


def with_share(create: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that creates contexts or pages, which give one share to all shuffles."""

    def created(**values: object) -> Any:
        found = create(**values)
        found.add_init_script(_SHARE)
        return found

    return created
