"""What the parts of the ladder share: players, blocks, finished matches and ratings, as plain immutable values.

A block is one deal, played once for each rotation of its line-up: everybody has had the same luck. (A ladder may
give every match a deal of its own instead; then a block only sees to it that everybody sits in every seat.) Blocks are
numbered from 0 in the order in which they are planned, which is also the order in which results are rated.
"""

from collections.abc import Sequence
from dataclasses import dataclass

PlayerId = int


@dataclass(frozen=True)
class Player:
    """One version of a bot on the ladders of a home; a changed bot is another player."""

    id: PlayerId
    name: str
    version: int  # counts the contents that this name has had here, from 1
    sha256: str  # of the content
    anchor: bool = False  # fills seats that nobody else could take; its rating never moves

    @property
    def key(self) -> tuple[str, str, bool]:
        """What orders players wherever an order is needed: the same in every home, as ids are not."""
        return self.name, self.sha256, self.anchor


@dataclass(frozen=True)
class Block:
    """One deal and who plays it; seat s of rotation r belongs to `lineup[(s + r) % seats]`."""

    number: int
    lineup: tuple[PlayerId, ...]  # by seat of rotation 0; nobody twice

    @property
    def rotations(self) -> range:
        """One match for each of them."""
        return range(len(self.lineup))

    def seated(self, rotation: int) -> tuple[PlayerId, ...]:
        """Who sits where in one of the matches, by seat."""
        return (*self.lineup[rotation:], *self.lineup[:rotation])


@dataclass(frozen=True)
class Finished:
    """One match of a block as the ratings see it."""

    block: int
    rotation: int
    players: tuple[PlayerId, ...]  # by seat
    places: tuple[int, ...]  # by seat; 1 is best, equals share a place; faulty seats share the last one
    faulty: tuple[int, ...] = ()  # seats


@dataclass(frozen=True)
class Rating:
    """What is known of a player's strength: the mean and the deviation of a normal distribution."""

    mu: float
    sigma: float

    @property
    def exposed(self) -> float:
        """The conservative score: a player is at least this strong, almost surely."""
        return self.mu - 3 * self.sigma


START = Rating(mu=25.0, sigma=25.0 / 3)  # of everybody, before the first match


def in_order(matches: Sequence[Finished]) -> list[Finished]:
    """Matches in the canonical order, in which they are rated: by block, then by rotation."""
    return sorted(matches, key=lambda match: (match.block, match.rotation))
