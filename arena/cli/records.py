"""Which record a user means, and whether it may be shown yet."""

from pathlib import Path

from arena import record
from arena.errors import UserError
from arena.home import Home


def find(home: Home, reference: str) -> Path:
    """The record of a match id, a path or `last`; one whose deal is still being played would give the cards away."""
    path = record.find(home, reference)
    if home.ladders.exists() and path.is_relative_to(home.path) and _is_secret(home, path.stem):
        raise UserError(
            f"expected a match that may be shown, got {path.stem}: its deal is still being played in other seats"
        )
    return path


def _is_secret(home: Home, match_id: str) -> bool:
    from ladder.store import Views  # noqa: PLC0415 - the database is for homes that have one

    with Views.open(home) as views:
        return views.published(match_id) is False
