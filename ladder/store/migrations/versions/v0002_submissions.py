"""Submissions: which players were handed in to play in every ladder, and which of them are retired."""

import sqlalchemy as sa
from alembic import op

revision = "ladder_0002"
down_revision = "ladder_0001"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "submissions",
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("submitted", sa.Double, nullable=False),
        sa.Column("retired", sa.Double),
    )
