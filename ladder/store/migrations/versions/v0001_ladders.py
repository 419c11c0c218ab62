"""The first tables: ladders, players, blocks, matches with their seats, ratings and checkpoints."""

import sqlalchemy as sa
from alembic import op

revision = "ladder_0001"
down_revision = None


def upgrade() -> None:
    """Make them all."""
    _who_plays_what()
    _results()
    _derived()


def _who_plays_what() -> None:
    op.create_table(
        "ladders",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer),
        sa.Column("allowance_ms", sa.Integer, nullable=False),
        sa.Column("bank_ms", sa.Integer, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("seed", sa.Text),
        sa.Column("limits", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("anchor", sa.Boolean, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("first_seen", sa.Double, nullable=False),
        sa.UniqueConstraint("name", "sha256", "anchor"),
        sa.UniqueConstraint("name", "version", "anchor"),
    )
    op.create_table(
        "blocks",
        sa.Column("ladder_id", sa.Integer, sa.ForeignKey("ladders.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("lineup", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("planned", sa.Double, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
    )


def _results() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Text, nullable=False, unique=True),
        sa.Column("ladder_id", sa.Integer, nullable=False),
        sa.Column("block", sa.Integer, nullable=False),
        sa.Column("rotation", sa.Integer, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ladder_id", "block"], ["blocks.ladder_id", "blocks.number"]),
        sa.UniqueConstraint("ladder_id", "block", "rotation"),
    )
    op.create_index("matches_by_end", "matches", ["ended"])
    op.create_table(
        "seats",
        sa.Column("match", sa.Integer, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("score", sa.BigInteger, nullable=False),
        sa.Column("fault_kind", sa.Text),
        sa.Column("fault_decision", sa.Integer),
        sa.Column("fault_sentence", sa.Text),
        sa.Column("micros", sa.LargeBinary, nullable=False),
    )
    op.create_index("seats_by_player", "seats", ["player_id", "match", "seat", "place", "fault_kind"])


def _derived() -> None:
    op.create_table(
        "ratings",
        sa.Column("ladder_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("block", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("rotation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["ladder_id", "block", "rotation"], ["matches.ladder_id", "matches.block", "matches.rotation"]
        ),
    )
    op.create_table(
        "checkpoints",
        sa.Column("ladder_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("block", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["ladder_id", "block"], ["blocks.ladder_id", "blocks.number"]),
    )
