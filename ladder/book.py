"""What a ladder knows while it runs: the blocks that are planned, the results so far, and the ratings they make.

All of it follows from the store: a ladder that was killed opens its book again and goes on as if nothing had been.
A block is planned with the ratings after the block WINDOW before it, whatever has been rated since.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from arena.engine.rng import Rng
from arena.match import Entrant, MatchSpec
from ladder.model import Block, Finished, Player, PlayerId, Rating
from ladder.ratings import Fold
from ladder.schedule import WINDOW, Schedule
from ladder.store import Checkpoint, Ladder, Played, Rated, Store, match_id

CHECKPOINT_BLOCKS = 16  # a state of the fold is stored whenever so many more blocks are rated

Ratings = dict[PlayerId, Rating]


@dataclass(frozen=True)
class Due:
    """One match that is to be played."""

    block: Block
    rotation: int


@dataclass(frozen=True)
class Field:
    """Who plays on a ladder now, and at tables of which sizes."""

    bots: tuple[Player, ...]
    anchors: tuple[Player, ...]  # for seats that bots are too few for
    seats: range


class Book:
    """One ladder's plan and results; for one thread at a time. Whatever it has answered is on the disk."""

    def __init__(self, store: Store, ladder: Ladder, field: Field, at_hand: Collection[PlayerId]) -> None:
        """Opens the book where it was left; blocks that need somebody who is not at hand any more are given up."""
        self.ladder = ladder
        self._store = store
        self._field = field
        root = Rng(int(store.secret(ladder), 16))
        self._deals = root.fork("deals")
        self._schedule = Schedule(root.fork("schedule"), field.seats, field.anchors)
        self._changes: dict[int, Ratings] = {}  # by block: what it did to ratings, until the plan has caught up
        self._unstored: list[Rated] = []
        self.given_up = self._give_up(at_hand)  # the numbers of blocks
        self._open = {one.block.number: one.block for one in store.unfinished(ladder)}
        self._resume()

    @property
    def planned(self) -> int:
        """How many blocks are planned."""
        return self._schedule.blocks

    @property
    def rated(self) -> int:
        """How many blocks are rated, which are the first ones."""
        return self._next

    def unfinished(self) -> list[Due]:
        """Matches that were planned and have no result: the first to be played."""
        left = self._store.unfinished(self.ladder)
        return [Due(one.block, rotation) for one in left for rotation in one.missing]

    def plan(self, matches: int, *, now: float) -> list[Due]:
        """Plan blocks for at least so many matches, or as many as the window allows, and store them."""
        blocks: list[Block] = []
        while sum(len(block.lineup) for block in blocks) < matches and self._next > self.planned - WINDOW:
            self._lagging.update(self._changes.pop(self.planned - WINDOW, {}))
            block = self._schedule.plan(self._field.bots, self._lagging)
            self._schedule.add(block)
            blocks.append(block)
        self._store.plan(self.ladder, blocks, now=now)
        self._open |= {block.number: block for block in blocks}
        return [Due(block, rotation) for block in blocks for rotation in block.rotations]

    def keep(self, played: Sequence[Played]) -> None:
        """Rate what can be rated now, and store results and ratings together."""
        for one in played:
            block = self._open[one.block]
            results = self._waiting.setdefault(block.number, {})
            results[one.rotation] = _finished(one, block)
            if len(results) == len(block.lineup):
                del self._open[block.number]
        before = self._next // CHECKPOINT_BLOCKS
        self._rate_complete_blocks()
        passed = self._next // CHECKPOINT_BLOCKS > before
        checkpoint = Checkpoint(self._next - 1, json.dumps(self._fold.dump())) if passed else None
        self._store.keep(self.ladder, played, rated=self._unstored, checkpoint=checkpoint)
        self._unstored = []

    def spec(self, due: Due, entrants: Iterable[Entrant]) -> MatchSpec:
        """The match, with a deal that nobody can foresee, and that its block's other matches share if they are to."""
        spec, block = self.ladder.spec, due.block.number
        deal = self._deals.fork(f"{block} {due.rotation}" if spec.own_deals else str(block)).key
        name = match_id(spec, block, due.rotation)
        return MatchSpec(name, spec.game, spec.options, tuple(entrants), deal, spec.time)

    # Inside

    def _give_up(self, at_hand: Collection[PlayerId]) -> list[int]:
        left = [one.block for one in self._store.unfinished(self.ladder)]
        hopeless = [block.number for block in left if not set(block.lineup) <= set(at_hand)]
        self._store.give_up(self.ladder, hopeless)
        return hopeless

    def _resume(self) -> None:
        for block in self._store.blocks(self.ladder):
            self._schedule.add(block)
        seen = self.planned - 1 - WINDOW  # the last block whose ratings a plan has seen
        stored = self._store.checkpoint(self.ladder, up_to=seen)
        self._fold = Fold.load(json.loads(stored.state)) if stored else Fold()
        self._fold.add(self._store.players().values())
        self._lagging: Ratings = dict(self._fold.ratings)
        self._next = stored.block + 1 if stored else 0
        self._waiting: dict[int, dict[int, Finished]] = {}  # by block and rotation: results that are not rated yet
        for finished in self._store.finished(self.ladder, from_block=self._next):
            self._waiting.setdefault(finished.block, {})[finished.rotation] = finished
        self._rate_complete_blocks()
        for number in [number for number in self._changes if number <= seen]:
            self._lagging.update(self._changes.pop(number))

    def _rate_complete_blocks(self) -> None:
        """Rate the next blocks, in their order, as far as nothing of them is still to come."""
        while self._next < self.planned and self._next not in self._open:
            changes: Ratings = {}
            for _, match in sorted(self._waiting.pop(self._next, {}).items()):
                rated = _rated(self._fold, match)
                self._unstored += rated
                changes |= {one.player: one.after for one in rated}
            self._changes[self._next] = changes
            self._next += 1


def refold(store: Store, ladder: Ladder) -> list[Rated]:
    """What all stored results do to ratings, from the first one on, as far as they have been rated."""
    fold = Fold()
    fold.add(store.players().values())
    stored = store.rated(ladder)
    last = max(((one.block, one.rotation) for one in stored), default=(-1, -1))
    rated: list[Rated] = []
    for match in store.finished(ladder):
        if (match.block, match.rotation) <= last:
            rated += _rated(fold, match)
    return sorted(rated, key=lambda one: (one.block, one.rotation, one.player))


def _rated(fold: Fold, match: Finished) -> list[Rated]:
    """What a match does to ratings; anchors do not move, and are left out."""
    before = [fold.ratings[player] for player in match.players]
    rows = zip(match.players, before, fold.rate(match), strict=True)
    return [Rated(match.block, match.rotation, player, old, new) for player, old, new in rows if old != new]


def _finished(played: Played, block: Block) -> Finished:
    result = played.result
    return Finished(
        played.block,
        played.rotation,
        players=block.seated(played.rotation),
        places=result.places,
        faulty=tuple(sorted(fault.seat for fault in result.faults)),
    )
