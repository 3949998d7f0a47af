"""Folded tables beside their events."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of snapshots."""
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    """Drop it; tables are then folded from their events."""
    op.drop_table("snapshots")
