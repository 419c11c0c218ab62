"""Everything the ladder keeps on disk."""

from ladder.store.errors import StoreError
from ladder.store.exporting import Exported, export_ladders
from ladder.store.importing import Imported, import_ladders
from ladder.store.lock import Lock, LockError
from ladder.store.rows import (
    Checkpoint,
    Kept,
    Ladder,
    LadderSpec,
    Played,
    PlayerRow,
    Rated,
    Unfinished,
    match_id,
)
from ladder.store.store import Store
from ladder.store.submissions import Offer, Submission, Submitted, check_name, newest, retire, submit, submitted
from ladder.store.views import (
    FaultRow,
    MatchRow,
    RatingPoint,
    SeatRow,
    Standing,
    Tally,
    Versus,
    Views,
    Wanted,
)

__all__ = [
    "Checkpoint",
    "Exported",
    "FaultRow",
    "Imported",
    "Kept",
    "Ladder",
    "LadderSpec",
    "Lock",
    "LockError",
    "MatchRow",
    "Offer",
    "Played",
    "PlayerRow",
    "Rated",
    "RatingPoint",
    "SeatRow",
    "Standing",
    "Store",
    "StoreError",
    "Submission",
    "Submitted",
    "Tally",
    "Unfinished",
    "Versus",
    "Views",
    "Wanted",
    "check_name",
    "export_ladders",
    "import_ladders",
    "match_id",
    "newest",
    "retire",
    "submit",
    "submitted",
]
