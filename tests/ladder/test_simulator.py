"""Synthetic players: the simulator does what it says, and the true order emerges from real plans and ratings."""

from collections import Counter
from statistics import fmean

import pytest

from arena.engine.rng import Rng, seeded
from ladder import order
from ladder.model import Block, Player
from ladder.order import Point, Setup, Spread, kendall_tau, measure, worth
from ladder.ratings import ANCHOR, Fold
from ladder.simulator import Simulation, World, bots, places

ANCHORS = [Player(100 + number, f"anchor-{number}", 1, "", anchor=True) for number in range(7)]


def world(count: int = 6, *, rotated: bool = True, deal: float = 4.0, noise: float = 2.0) -> World:
    """Bots one point apart, the last one the strongest; anchors as weak as the weakest bot."""
    strengths = {player: float(player) for player in range(count)} | {anchor.id: 0.0 for anchor in ANCHORS}
    return World(strengths, deal, noise, 0.2, rotated=rotated)


# One block


def test_rotations_cancel_the_luck_of_a_deal() -> None:
    """With nothing but the deal, each of two equals wins once for each deal, and with own deals not always."""
    equals = {0: 0.0, 1: 0.0}
    for number in range(50):
        played = World(equals, 4.0, 0.0, 0.0).play(Block(number, (0, 1)), Rng(1))
        assert sorted(match.places for match in played) in ([(1, 2)] * 2, [(2, 1)] * 2)
        assert [match.players for match in played] == [(0, 1), (1, 0)]
    wins = Counter(
        sum(match.places[match.players.index(0)] == 1 for match in played)
        for number in range(200)
        for played in [World(equals, 4.0, 0.0, 0.0, rotated=False).play(Block(number, (0, 1)), Rng(1))]
    )
    assert all(wins[count] > 30 for count in (0, 1, 2))


def test_matches_of_a_block_are_all_there_and_repeat() -> None:
    played = world().play(Block(7, (2, 0, 5)), Rng(1))
    assert [(match.block, match.rotation, match.players) for match in played] == [
        (7, 0, (2, 0, 5)),
        (7, 1, (0, 5, 2)),
        (7, 2, (5, 2, 0)),
    ]
    assert world().play(Block(7, (2, 0, 5)), Rng(1)) == played


@pytest.mark.parametrize(
    ("performances", "margin", "expected"),
    [
        ([3.0, 1.0, 2.0], 0.5, (1, 3, 2)),
        ([3.0, 1.0, 2.0], 1.0, (1, 1, 1)),
        ([3.0, 2.9, 1.0, 0.9, 0.0], 0.1 + 1e-9, (1, 1, 3, 3, 5)),
        ([1.0, 1.0], 0.0, (1, 1)),
    ],
)
def test_places_are_shared_within_the_margin(
    performances: list[float], margin: float, expected: tuple[int, ...]
) -> None:
    assert places(performances, margin) == expected


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_tie_rate_that_is_measured_is_that_of_two_equals(seats: int) -> None:
    """However many sit at the table; neighbours in the ranking alone would tie seats/2 times as often."""
    pair = World({0: 0.0, 1: 0.0}, 0.0, 2.0, 0.2)
    ties = fmean(match.places == (1, 1) for number in range(2000) for match in pair.play(Block(number, (0, 1)), Rng(2)))
    fold, equals = Fold(), World(dict.fromkeys(range(seats), 0.0), 0.0, 2.0, 0.2)
    fold.add(bots(seats))
    for number in range(201):
        for match in equals.play(Block(number, tuple(range(seats))), Rng(3)):
            fold.rate(match)
    assert ties == pytest.approx(0.056, abs=0.01)
    assert fold.tie_rate == pytest.approx(ties, abs=0.02)


# The order


@pytest.mark.parametrize(("seats", "games"), [(2, 1400), (4, 500), (8, 200)])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_true_order_of_six_bots_emerges(seats: int, games: int, seed: int) -> None:
    """With eight seats two anchors sit at every table."""
    simulation = Simulation(world(), range(seats, seats + 1), seeded(seed), ANCHORS)
    simulation.join(bots(6))
    simulation.play(games)
    assert simulation.order == [5, 4, 3, 2, 1, 0]
    assert all(simulation.fold.ratings[anchor.id] == ANCHOR for anchor in ANCHORS)


def test_the_order_emerges_from_tables_of_all_sizes() -> None:
    simulation = Simulation(world(), range(2, 7), seeded(1))
    simulation.join(bots(6))
    simulation.play(600)
    assert simulation.order == [5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize("newcomer", [0, 3, 5])
def test_a_newcomer_finds_its_place(newcomer: int) -> None:
    everybody = bots(6)
    simulation = Simulation(world(), range(4, 5), seeded(newcomer + 1))
    simulation.join([player for player in everybody if player.id != newcomer])
    simulation.play(300)
    simulation.join([everybody[newcomer]])
    simulation.play(600)
    assert simulation.order == [5, 4, 3, 2, 1, 0]


def test_a_simulation_repeats() -> None:
    def ratings(seed: int) -> object:
        simulation = Simulation(world(), range(2, 5), seeded(seed))
        simulation.join(bots(6))
        simulation.play(100)
        return simulation.fold.dump()

    assert ratings(1) == ratings(1)
    assert ratings(1) != ratings(2)


# How right an order is


@pytest.mark.parametrize(
    ("found", "tau"),
    [([0, 1, 2, 3], 1.0), ([3, 2, 1, 0], -1.0), ([1, 0, 2, 3], 2 / 3), ([1, 0, 3, 2], 1 / 3), ([3, 0, 1, 2], 0.0)],
)
def test_kendall_tau(found: list[int], tau: float) -> None:
    assert kendall_tau(found, [0, 1, 2, 3]) == pytest.approx(tau)


def test_orders_of_different_players_have_no_tau() -> None:
    with pytest.raises(ValueError, match="the same players"):
        kendall_tau([0, 1], [0, 2])


def test_rotated_blocks_order_better_than_as_many_deals() -> None:
    """Where deals decide much; a fixed seed, of which the benchmark shows more."""
    ladders = []
    setup = Setup(repetitions=6, games=(40, 160), deal=8.0, noise=2.0)
    points = measure(setup, lambda: ladders.append(1))
    assert len(ladders) == setup.ladders == 12
    assert [point.games for point in points] == [40, 160]
    assert all(point.rotated.mean > point.independent.mean + 0.05 for point in points)
    assert points[0].rotated.mean < points[1].rotated.mean
    assert all(0 < point.independent.deviation < 0.5 for point in points)
    assert measure(setup) == points


def test_what_rotated_matches_are_worth() -> None:
    def point(games: int, rotated: float, independent: float) -> Point:
        return Point(games, Spread(rotated, 0.1), Spread(independent, 0.1))

    points = [point(100, 0.6, 0.4), point(200, 0.9, 0.6), point(400, 1.0, 0.8)]
    assert worth(points, 100) == pytest.approx(200)
    assert worth(points, 200) is None
    points[1] = point(200, 0.7, 0.6)
    assert worth(points, 200) == pytest.approx(200 * 2**0.5)


def test_there_are_enough_bots_for_every_seat() -> None:
    assert [Setup(seats=seats).bots for seats in (2, 6, 8)] == [6, order.LEAST_BOTS, 8]
