"""The time of the last use of a session."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the time; earlier sessions get the time at which they were made."""
    op.add_column("sessions", sa.Column("used", sa.Float, nullable=False, server_default="0"))
    op.execute("UPDATE sessions SET used = created")


def downgrade() -> None:
    """Drop it."""
    op.drop_column("sessions", "used")
