"""People who have played together, standing tables with their answers, and answers to daily problems."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "friends",
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("last", sa.Float, nullable=False),
        sa.Column("preset", sa.Text, nullable=False),
        sa.Column("seen", sa.String(64), nullable=False),
    )
    op.create_index("whose_friend", "friends", ["other"])
    op.create_table("unlisted", sa.Column("session", sa.String(64), primary_key=True))
    op.create_table(
        "standing",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("preset", sa.Text, nullable=False),
        sa.Column("weekday", sa.Integer, nullable=False),
        sa.Column("minute", sa.Integer, nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("date", sa.String(10), nullable=False),
        sa.Column("reminded", sa.String(10), nullable=False),
    )
    op.create_table(
        "standing_people",
        sa.Column("standing", sa.String(32), primary_key=True),
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("sat", sa.Boolean, nullable=False),
        sa.Column("date", sa.String(10), nullable=False),
        sa.Column("answer", sa.String(8), nullable=False),
    )
    op.create_index("whose_standing", "standing_people", ["session"])
    op.create_table(
        "daily",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("act", sa.String(120), nullable=False),
        sa.Column("good", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("daily", "standing_people", "standing", "unlisted", "friends"):
        op.drop_table(name)
