"""Migration of a database to the present schema, by Alembic (``migrations/versions``)."""

from functools import cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from nousu.server.storage.sqlite import BadDatabase

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x6E6F757375


class TooNew(BadDatabase):
    """A database written by a newer program."""


@cache
def newest_revision() -> str:
    """The last revision: files are named by theirs."""
    return max(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*.py"))


def migrate(connection: Connection) -> None:
    """Run the missing migrations within the transaction of a connection; `TooNew`."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    if _revision(connection) == newest_revision():
        return  # Alembic takes longer to load than all else that opening a database needs
    import alembic.command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        alembic.command.upgrade(config, "head")
    except CommandError as error:
        raise TooNew(str(error)) from None


def _revision(connection: Connection) -> str | None:
    """The revision of the database; None where it has none yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if revision is None else str(revision)
