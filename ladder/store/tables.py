"""The tables of the ladder's database, as the newest migration leaves them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData()

ladders = Table(
    "ladders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # canonical JSON
    Column("seats", Integer),  # null: tables of any size
    Column("allowance_ms", Integer, nullable=False),
    Column("bank_ms", Integer, nullable=False),
    Column("level", Text, nullable=False),
    Column("seed", Text),  # of a practice ladder; a text, since it may be larger than any column
    Column("limits", Text, nullable=False),  # canonical JSON
    Column("own_deals", Boolean, nullable=False, server_default=false()),  # every match has its own
    Column("created", Double, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("anchor", Boolean, nullable=False),
    Column("author", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("first_seen", Double, nullable=False),
    UniqueConstraint("name", "sha256", "anchor"),
    UniqueConstraint("name", "version", "anchor"),
)

submissions = Table(
    "submissions",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("source", Text, nullable=False),  # sha256 of what was handed in, before it was built
    Column("author", Text, nullable=False),  # whom the name belongs to
    Column("description", Text, nullable=False),
    Column("games", Text, nullable=False),  # JSON list; "*" is every game
    Column("submitted", Double, nullable=False),
    Column("retired", Double),  # null: it plays, unless a newer version does
)

blocks = Table(
    "blocks",
    metadata,
    Column("ladder_id", ForeignKey("ladders.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("lineup", Text, nullable=False),  # JSON list of player ids, by seat of rotation 0
    Column("seats", Integer, nullable=False),
    Column("planned", Double, nullable=False),
    Column("complete", Boolean, nullable=False),  # every rotation has its result, or never will
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),  # short, for the seats; `match_id` is the match's name
    Column("match_id", Text, nullable=False, unique=True),
    Column("ladder_id", Integer, nullable=False),
    Column("block", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("ended", Double, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("level", Text, nullable=False),
    Column("faults", Integer, nullable=False),
    ForeignKeyConstraint(["ladder_id", "block"], ["blocks.ladder_id", "blocks.number"]),
    UniqueConstraint("ladder_id", "block", "rotation"),
    Index("matches_by_end", "ended"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", BigInteger, nullable=False),
    Column("fault_kind", Text),
    Column("fault_decision", Integer),
    Column("fault_sentence", Text),
    Column("micros", LargeBinary, nullable=False),  # little-endian uint32 for each own decision
    Index("seats_by_player", "player_id", "match", "seat", "place", "fault_kind"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("ladder_id", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("block", Integer, primary_key=True, autoincrement=False),
    Column("rotation", Integer, primary_key=True, autoincrement=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    ForeignKeyConstraint(
        ["ladder_id", "block", "rotation"], ["matches.ladder_id", "matches.block", "matches.rotation"]
    ),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("ladder_id", Integer, primary_key=True, autoincrement=False),
    Column("block", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    ForeignKeyConstraint(["ladder_id", "block"], ["blocks.ladder_id", "blocks.number"]),
)
