"""Belongings of a person: tables sat at, devices, codes for another device, reports."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables, and note the seats of all people so far."""
    seats = op.create_table(
        "seats",
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "codes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    came = sa.text("SELECT table_id, body, at FROM events WHERE kind = 'person' ORDER BY at")
    found: dict[tuple[str, str], float] = {}
    for table, body, at in op.get_bind().execute(came):
        found.setdefault((json.loads(body)["session"], table), at)
    rows = [
        {"session": session, "table_id": table, "since": at, "result": ""}
        for (session, table), at in found.items()
        if session
    ]
    if rows:
        op.bulk_insert(seats, rows)


def downgrade() -> None:
    """Drop them."""
    for name in ("reports", "codes", "devices", "seats"):
        op.drop_table(name)
