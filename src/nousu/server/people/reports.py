"""Reports of people to the host of the server: a problem, or a play that looked silly.

A report holds only the person's own view: the record cut to their seat, their settings, and the
table as their page showed it. The host can find the secret of the shuffles by the table's id.
"""

import base64
import json
import secrets
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from nousu import __version__
from nousu.server.errors import RequestError
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session
from nousu.server.storage.people import ReportRow
from nousu.server.table.commands import check_length
from nousu.server.table.display_names import visible_text

KINDS = ("problem", "play")
"""Kinds of reports: a fault, or an action of a computer player."""
LETTERS = 1000
"""Greatest number of letters that a person may add."""
MOST = 2000
"""Greatest number of stored reports; more are refused until the host has deleted some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostReport:
    """A report as the host reads it."""

    id: str
    created: float
    """Seconds since 1970."""
    table: str
    kind: str
    text: str
    seq: int
    """The number of the table's last event."""
    seat: int | None
    rules: str
    lang: str
    settings: Mapping[str, str]
    browser: str
    version: str
    commitment: str
    """The commitment to the secret of the table's shuffles."""
    record: str
    page: str
    """The content of the page: the view of the table as JSON; in older reports HTML without its frame."""

    @classmethod
    def parse(cls, row: ReportRow) -> "HostReport":
        """The report of a row."""
        body = json.loads(row.body)
        body["page"] = zlib.decompress(base64.b64decode(body["page"])).decode()
        return cls(id=row.id, created=row.created, table=row.table_id, **body)


async def add_report(
    server: Server,
    session: Session,
    table: str,
    kind: str,
    text: str,
    *,
    page: str,
    settings: Mapping[str, str],
    browser: str,
) -> str:
    """Store a report with the `page` as the person sees it now; return its id."""
    await server.limits.hit("report", session.id)
    await server.limits.hit("reports", session.address)
    if kind not in KINDS:
        raise RequestError("A report is about a problem or about a play.")
    lines = "\n".join(visible_text(line) for line in text[: 4 * LETTERS].splitlines()).strip()
    check_length(lines, LETTERS)
    if (await server.store.people.count_reports()) >= MOST:
        raise RequestError("The host has more reports than can be read; try again another day.")
    view = await server.views.view(table, session)
    body = {
        "kind": kind,
        "text": lines,
        "seq": view.seq,
        "seat": view.seat,
        "rules": view.preset,
        "lang": session.lang,
        "settings": dict(settings),
        "browser": visible_text(browser)[:200],
        "version": __version__,
        "commitment": view.commitment,
        "record": await server.views.record(table, session),
        "page": base64.b64encode(zlib.compress(page.encode())).decode(),
    }
    id = secrets.token_hex(6)
    stored = json.dumps(body, ensure_ascii=False)
    await server.store.people.add_report(ReportRow(id, time.time(), table, session.id, stored))
    return id
