"""A ladder without games: players of known strength, with luck and ties, to see whether the true order emerges.

The schedule and the ratings are the real ones. In a match everybody performs: strength, what the deal gives to the
seat, and luck of one's own. All matches of a block share the deal, as rotations of a real one do.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

from arena.engine.rng import Rng
from ladder.model import Block, Finished, Player, PlayerId, Rating
from ladder.ratings import Fold, Parameters
from ladder.schedule import WINDOW, Schedule

_NORMAL = NormalDist()


@dataclass(frozen=True)
class World:
    """What is true of the players and of their game, which a ladder has to find out."""

    strengths: Mapping[PlayerId, float]
    deal: float  # what a deal gives to a seat: the deviation
    noise: float  # everything else that decides a match, for each seat of it: the deviation
    tie_margin: float  # those whose performances are no farther apart share a place
    rotated: bool = True  # all matches of a block have one deal; else each has its own

    def play(self, block: Block, rng: Rng) -> list[Finished]:
        """The matches of a block."""
        return [self._match(block, rotation, rng) for rotation in block.rotations]

    @property
    def order(self) -> list[PlayerId]:
        """The players, the strongest first."""
        return sorted(self.strengths, key=lambda player: -self.strengths[player])

    def _match(self, block: Block, rotation: int, rng: Rng) -> Finished:
        dealt = rng.fork(f"deal {block.number}" if self.rotated else f"deal {block.number}, rotation {rotation}")
        noise = rng.fork(f"noise {block.number}, rotation {rotation}")
        players = block.seated(rotation)
        performances = [
            self.strengths[player] + self.deal * _normal(dealt) + self.noise * _normal(noise) for player in players
        ]
        return Finished(block.number, rotation, players, places(performances, self.tie_margin))


class Simulation:
    """A ladder in a world: plans, plays and rates one block after the other."""

    def __init__(
        self, world: World, seats: range, rng: Rng, anchors: Sequence[Player] = (), parameters: Parameters | None = None
    ) -> None:
        self._world = world
        self._rng = rng
        self._schedule = Schedule(rng.fork("schedule"), seats, anchors)
        self._players: list[Player] = []
        # Ratings after each of the last blocks: those of WINDOW blocks ago are what plans are made from.
        self._past: deque[dict[PlayerId, Rating]] = deque([{}], maxlen=WINDOW)
        self.fold = Fold(parameters or Parameters())
        self.fold.add(anchors)
        self.games = 0  # matches of everybody together

    def join(self, players: Sequence[Player]) -> None:
        """Let bots play from the next block on."""
        self._players.extend(players)
        self.fold.add(players)

    def play(self, games: int) -> None:
        """Go on until at least so many matches have been played in all; blocks are completed."""
        while self.games < games:
            self._play_block()

    @property
    def order(self) -> list[PlayerId]:
        """The bots as the leaderboard shows them, the best first."""
        ratings = self.fold.ratings
        return sorted((player.id for player in self._players), key=lambda player: (-ratings[player].mu, player))

    def _play_block(self) -> None:
        block = self._schedule.plan(self._players, self._past[0])
        self._schedule.add(block)
        for match in self._world.play(block, self._rng.fork("matches")):
            self.fold.rate(match)
        self.games += len(block.rotations)
        self._past.append(dict(self.fold.ratings))


def bots(count: int) -> list[Player]:
    """Players to simulate with, numbered from 0."""
    return [Player(number, f"bot-{number}", 1, f"{number:064x}") for number in range(count)]


def places(performances: Sequence[float], tie_margin: float) -> tuple[int, ...]:
    """Places by performance; whoever is within the margin of the next better one shares its place."""
    ranking = sorted(range(len(performances)), key=lambda seat: -performances[seat])
    found = {ranking[0]: 1}
    for place, (better, seat) in enumerate(pairwise(ranking), start=2):
        is_tie = performances[better] - performances[seat] <= tie_margin
        found[seat] = found[better] if is_tie else place
    return tuple(found[seat] for seat in range(len(performances)))


def _normal(rng: Rng) -> float:
    return _NORMAL.inv_cdf((float(rng.bits32()) + 0.5) / 2**32)
