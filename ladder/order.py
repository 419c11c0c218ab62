"""Does a ladder order rightly, and what do rotated blocks gain? Kendall's tau against the number of matches.

Simulated players of known strength play ladders from the beginning, once with rotated blocks and once with as many
matches that have a deal each.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean, stdev

from arena.engine.rng import seeded
from ladder.model import PlayerId
from ladder.simulator import Simulation, World, bots

LEAST_BOTS = 6


@dataclass(frozen=True)
class Setup:
    """What is simulated: bots one point of strength apart."""

    seats: int = 4
    seed: int = 1
    repetitions: int = 12
    games: tuple[int, ...] = (50, 100, 200, 400, 800)  # in all, not for each bot
    deal: float = 8.0  # deviations, in points of strength: a game with much luck, most of it that of the cards
    noise: float = 4.0
    tie_margin: float = 0.25

    @property
    def bots(self) -> int:
        """Six, or as many as there are seats."""
        return max(LEAST_BOTS, self.seats)

    @property
    def ladders(self) -> int:
        """How many are simulated in all."""
        return 2 * self.repetitions

    def world(self, *, rotated: bool) -> World:
        """The truth."""
        strengths = {player: float(player) for player in range(self.bots)}
        return World(strengths, self.deal, self.noise, self.tie_margin, rotated=rotated)


@dataclass(frozen=True)
class Spread:
    """Several measures of one thing."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class Point:
    """How right the order is after so many matches; 1 is the true order, 0 is none at all."""

    games: int
    rotated: Spread
    independent: Spread


def measure(setup: Setup, advance: Callable[[], None] = lambda: None) -> list[Point]:
    """Kendall's tau at each number of matches; `advance` is called after each ladder."""
    rotated = [_ladder(setup, repetition, advance, rotated=True) for repetition in range(setup.repetitions)]
    independent = [_ladder(setup, repetition, advance, rotated=False) for repetition in range(setup.repetitions)]
    return [
        Point(games, _spread([taus[at] for taus in rotated]), _spread([taus[at] for taus in independent]))
        for at, games in enumerate(setup.games)
    ]


def worth(points: Sequence[Point], games: int) -> float | None:
    """How many matches with a deal each order as well as so many in rotated blocks, if no more than were measured."""
    wanted = next(point.rotated.mean for point in points if point.games == games)
    for one, other in pairwise(points):
        low, high = one.independent.mean, other.independent.mean
        if low <= wanted < high:
            part = (wanted - low) / (high - low)
            return math.exp((1 - part) * math.log(one.games) + part * math.log(other.games))
    return None


def kendall_tau(order: Sequence[PlayerId], truth: Sequence[PlayerId]) -> float:
    """Pairs in the right order less those in the wrong one, as a part of all pairs."""
    if set(order) != set(truth) or len(order) < 2:
        raise ValueError(f"expected two orders of the same players, got {order} and {truth}")
    rank = {player: number for number, player in enumerate(truth)}
    signs = [1 if rank[better] < rank[worse] else -1 for better, worse in combinations(order, 2)]
    return sum(signs) / len(signs)


def _ladder(setup: Setup, repetition: int, advance: Callable[[], None], *, rotated: bool) -> list[float]:
    """One ladder from the beginning, looked at after each number of matches."""
    world = setup.world(rotated=rotated)
    rng = seeded(setup.seed).fork(f"order {repetition}, {'rotated' if rotated else 'independent'}")
    simulation = Simulation(world, range(setup.seats, setup.seats + 1), rng)
    simulation.join(bots(setup.bots))
    taus = []
    for games in setup.games:
        simulation.play(games)
        taus.append(kendall_tau(simulation.order, world.order))
    advance()
    return taus


def _spread(values: Sequence[float]) -> Spread:
    return Spread(fmean(values), stdev(values) if len(values) > 1 else 0.0)
