"""Who plays the next block: fair first, then half of the opponents by luck and half near in rating.

A plan follows from the ladder's key, the bots, the blocks planned before and the ratings WINDOW blocks ago. So it
is the same whatever the order in which matches finish, and however many run at once.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from arena.engine.rng import Rng
from ladder.model import START, Block, Player, PlayerId, Rating

# Block k is planned with the ratings after block k - WINDOW: so many blocks may be under way at once.
WINDOW = 64

NEAREST = 8  # near in rating: one of so many, or of the nearer half where bots are few
TRIES = 8  # to find a table that was not played too often
REPEATS = 2  # a table may be played so many times as often as when all were played equally, and once more


class Schedule:
    """The blocks so far, counted; told of each in order, and asked for the next one."""

    def __init__(self, rng: Rng, seats: range, anchors: Sequence[Player] = ()) -> None:
        """Tables have as many seats as the range says; anchors take the seats for which there are no bots."""
        if not seats or seats.step != 1 or seats.start < 2:
            raise ValueError(f"expected numbers of seats from 2 on, got {seats}")
        self._rng = rng
        self._seats = seats
        self._anchors = [anchor.id for anchor in sorted(anchors, key=lambda anchor: anchor.key)]
        self._blocks = 0
        self._opponents = 0  # seats given to bots beside the first of each table
        self._games: Counter[PlayerId] = Counter()
        self._tables: Counter[tuple[PlayerId, ...]] = Counter()
        self._tables_of_size: Counter[int] = Counter()

    @property
    def blocks(self) -> int:
        """How many have been planned, which is the number of the next one."""
        return self._blocks

    def games(self, player: PlayerId) -> int:
        """In all blocks planned so far; each gives its players one game for every rotation."""
        return self._games[player]

    def add(self, block: Block) -> None:
        """Count a block that was planned; to be told of every one, in order."""
        if block.number != self._blocks:
            raise ValueError(f"expected block {self._blocks}, got block {block.number}")
        bots = self._bots_of(block.lineup)
        self._blocks += 1
        self._opponents += max(len(bots) - 1, 0)
        self._tables[bots] += 1
        self._tables_of_size[len(bots)] += 1
        for player in block.lineup:
            self._games[player] += len(block.lineup)

    def plan(self, bots: Sequence[Player], ratings: Mapping[PlayerId, Rating]) -> Block:
        """The next block, which is counted only when it is added; those without a rating are taken for average."""
        candidates = [bot.id for bot in sorted(set(bots), key=lambda bot: bot.key) if bot.id not in self._anchors]
        if len(candidates) < 2:
            raise ValueError(f"expected at least two bots, got {len(candidates)}")
        luck = self._rng.fork(f"block {self._blocks}")
        luck.shuffle(candidates)  # from here on the first of equals is one by luck
        size = self._size(len(candidates), luck)
        lineup = self._bots(candidates, min(size, len(candidates)), ratings, luck)
        lineup += self._fillers(size - len(lineup), luck)
        luck.shuffle(lineup)
        return Block(self._blocks, tuple(lineup))

    def _bots_of(self, lineup: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
        return tuple(sorted(player for player in lineup if player not in self._anchors))

    def _size(self, bots: int, luck: Rng) -> int:
        """One of the sizes that the bots can fill by themselves, or the smallest if they can fill none."""
        most = min(self._seats[-1], bots)
        least = self._seats.start
        return least if most <= least else least + luck.below(most - least + 1)

    def _fillers(self, count: int, luck: Rng) -> list[PlayerId]:
        if count > len(self._anchors):
            raise ValueError(f"expected at least {count} anchors to fill a table, got {len(self._anchors)}")
        anchors = list(self._anchors)
        luck.shuffle(anchors)
        return anchors[:count]

    def _bots(self, bots: list[PlayerId], size: int, ratings: Mapping[PlayerId, Rating], luck: Rng) -> list[PlayerId]:
        """The bots of the table, in no order: first the one with the fewest games, then its opponents."""
        first = min(bots, key=self._games.__getitem__)
        others = [bot for bot in bots if bot != first]
        if len(others) < size:
            return bots
        mu = _mean(first, ratings)
        by_distance = sorted(others, key=lambda bot: abs(_mean(bot, ratings) - mu))
        fewest, chosen = math.inf, bots
        allowed = 1 + REPEATS * self._tables_of_size[size] / math.comb(len(bots), size)
        for attempt in range(TRIES):
            table = self._table(first, others, by_distance, size, attempt, luck)
            repeats = self._tables[tuple(sorted(table))]
            if repeats < fewest:
                fewest, chosen = repeats, table
            if fewest + 1 <= allowed:
                break
        return chosen

    def _table(
        self,
        first: PlayerId,
        others: list[PlayerId],
        by_distance: list[PlayerId],
        size: int,
        attempt: int,
        luck: Rng,
    ) -> list[PlayerId]:
        """One draw of opponents; every further attempt looks for near ones among more."""
        table = [first]
        near_seats = sum(self._is_near(seat) for seat in range(size - 1))
        few = max(near_seats + 1, min(NEAREST, len(others) // 2)) * (attempt + 1)
        for seat in range(size - 1):
            pool = by_distance[: few + seat] if self._is_near(seat) else others
            table.append(self._drawn([bot for bot in pool if bot not in table], luck))
        return table

    def _is_near(self, seat: int) -> bool:
        """Opponents of all tables, counted through, are by luck and near in turn."""
        return (self._opponents + seat) % 2 == 1

    def _drawn(self, pool: list[PlayerId], luck: Rng) -> PlayerId:
        # Of two by luck the one with fewer games: else those who are near to many would play more than others for ever,
        # since only one seat of a table goes to the one with the fewest.
        one, other = luck.choice(pool), luck.choice(pool)
        return one if self._games[one] <= self._games[other] else other


def _mean(player: PlayerId, ratings: Mapping[PlayerId, Rating]) -> float:
    return ratings.get(player, START).mu
