"""The application as tests run it: on a database of their own, thinking in a thread, without limits."""

from collections.abc import Mapping
from pathlib import Path

from starlette.applications import Starlette

from nousu.server.app import create_app
from nousu.server.settings import load_settings
from nousu.server.tournament.files import HostedTournaments


def app_on(
    database: str | Path,
    *,
    rates: Mapping[str, str] | None = None,
    tournaments: HostedTournaments | None = None,
    **flags: object,
) -> Starlette:
    """The application on a database, with limits only where `rates` are given, and further settings."""
    given = {"database": database, "workers": 0, **flags}
    settings = load_settings({name: str(value) for name, value in given.items()})
    return create_app(settings, rates=rates or {}, tournaments=tournaments)
