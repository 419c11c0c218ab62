"""Ladders on which every match has a deal of its own; on those before, all rotations of a block share one."""

import sqlalchemy as sa
from alembic import op

revision = "ladder_0003"
down_revision = "ladder_0002"


def upgrade() -> None:
    """Tell them apart."""
    op.add_column("ladders", sa.Column("own_deals", sa.Boolean, nullable=False, server_default=sa.false()))
