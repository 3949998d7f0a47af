"""What people report to whoever hosts the server: a problem, or a play that looked silly.

A report holds what that person saw and nothing more: the record cut to their seat, their settings, and the
page as the server prints it for them. Whoever hosts can find the secret of the shuffles by the table's id.
"""

import base64
import json
import secrets
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from nousu import __version__
from nousu.engine.messages import sentence
from nousu.server.errors import RequestError
from nousu.server.live.tables import Desk
from nousu.server.people.sessions import Session
from nousu.server.storage.people import ReportRow
from nousu.server.table.display_names import visible

KINDS = ("problem", "play")
"""What a report is about: something that does not work, or what a computer player did."""
LETTERS = 1000
"""Letters a person may add."""
MOST = 2000
"""So many reports are kept; more are refused until the host has deleted some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
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
    """The fingerprint of the secret that all shuffles of the table come from."""
    record: str
    page: str
    """The page as HTML, without its frame."""

    @classmethod
    def read(cls, row: ReportRow) -> "Report":
        """The report that is stored so."""
        body = json.loads(row.body)
        body["page"] = zlib.decompress(base64.b64decode(body["page"])).decode()
        return cls(id=row.id, created=row.created, table=row.table_id, **body)


async def report(
    desk: Desk,
    session: Session,
    table: str,
    kind: str,
    text: str,
    *,
    page: str,
    settings: Mapping[str, str],
    browser: str,
) -> str:
    """Store a report; its id. `page` is what this person is shown now."""
    await desk.limits.hit("report", session.id)
    if kind not in KINDS:
        raise RequestError("A report is about a problem or about a play.")
    said = "\n".join(visible(line) for line in text.splitlines()).strip()
    if len(said) > LETTERS:
        raise RequestError(
            sentence("Write at most {count} letter.", "Write at most {count} letters."), {"count": LETTERS}
        )
    if (await desk.store.mine.count_reports()) >= MOST:
        raise RequestError("The host has more reports than can be read; try again another day.")
    seen = await desk.seen(table, session)
    body = {
        "kind": kind,
        "text": said,
        "seq": seen.seq,
        "seat": seen.seat,
        "rules": seen.preset,
        "lang": session.lang,
        "settings": dict(settings),
        "browser": visible(browser)[:200],
        "version": __version__,
        "commitment": seen.commitment,
        "record": await desk.record(table, session),
        "page": base64.b64encode(zlib.compress(page.encode())).decode(),
    }
    id = secrets.token_hex(6)
    stored = json.dumps(body, ensure_ascii=False)
    await desk.store.mine.add_report(ReportRow(id, time.time(), table, session.id, stored))
    return id
