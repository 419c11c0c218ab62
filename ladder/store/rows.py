"""What goes into the ladder's store and comes out of it, as plain immutable values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from arena.limits import Limits
from arena.match import MatchResult, TimeControl
from ladder.model import Block, Player, PlayerId, Rating

Options = Mapping[str, str | int | bool]

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32, as in all match ids
BLOCKS_IN_A_FOLDER = 64  # records of neighbouring blocks lie together, so that a batch touches few folders


@dataclass(frozen=True)
class LadderSpec:
    """What makes a ladder the one it is: whatever differs in any of this is another ladder."""

    game: str
    options: Options  # all of the game's options
    seats: int | None = None  # None: tables of any size
    time: TimeControl = field(default_factory=TimeControl)
    level: str = "none"  # the sandbox level
    seed: int | None = None  # of a practice ladder: it gives the secret away
    limits: Limits = field(default_factory=Limits)  # what an agent may use; bots may ask for less
    own_deals: bool = False  # every match has its own, else all rotations of a block share one

    @property
    def key(self) -> str:
        """All of it as one text, the same for equal specs."""
        parts = [
            self.game,
            canonical(self.options),
            f"seats:{'any' if self.seats is None else self.seats}",
            f"time:{self.time.allowance_ms}+{self.time.bank_ms}",
            f"sandbox:{self.level}",
            *([] if self.seed is None else [f"practice:{self.seed}"]),
            *([] if self.limits == Limits() else [f"limits:{canonical(self.limits.plain())}"]),
            *(["deals:own"] if self.own_deals else []),
        ]
        return " ".join(parts)


@dataclass(frozen=True)
class Ladder:
    """A ladder of this home."""

    id: int
    spec: LadderSpec
    created: float  # UTC seconds, as all times here

    @property
    def practice(self) -> bool:
        """Whether its deals can be foreseen."""
        return self.spec.seed is not None


@dataclass(frozen=True)
class Unfinished:
    """A block with rotations that have no result."""

    block: Block
    missing: tuple[int, ...]  # rotations


@dataclass(frozen=True)
class Played:
    """A match of a block that has ended, to be kept."""

    result: MatchResult
    block: int
    rotation: int
    ended: float
    attempts: int = 1  # how often it was started before it came to a result


@dataclass(frozen=True)
class Rated:
    """What one match did to one player's rating."""

    block: int
    rotation: int
    player: PlayerId
    before: Rating
    after: Rating


@dataclass(frozen=True)
class Checkpoint:
    """The state of the ratings' fold after all blocks up to and including this one; opaque to the store."""

    block: int
    state: str


@dataclass(frozen=True)
class Kept:
    """What came of a batch: everything named here is on the disk."""

    new: tuple[str, ...]  # match ids
    known: tuple[str, ...] = ()  # match ids that were stored before, and were left as they are


@dataclass(frozen=True)
class PlayerRow:
    """A player with what people want to read about it."""

    player: Player
    author: str
    description: str
    first_seen: float


def canonical(options: Options) -> str:
    """Options as JSON, the same text for equal options."""
    return json.dumps(dict(options), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def match_id(spec: LadderSpec, block: int, rotation: int) -> str:
    """The name of a match: known before it is played, and the same whenever it is played again."""
    folder = _letters(f"{spec.key} folder {block // BLOCKS_IN_A_FOLDER}", 2)
    return folder + _letters(f"{spec.key} block {block} rotation {rotation}", 10)


def _letters(text: str, count: int) -> str:
    number = int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "little")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(count))
