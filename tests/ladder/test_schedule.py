"""The schedule's promises: fair, half by luck and half near, few repeats, and nothing but its inputs counts."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engine.rng import Rng
from ladder.model import START, Block, Player, PlayerId, Rating
from ladder.schedule import NEAREST, REPEATS, Schedule

ANCHORS = [Player(1000 + number, f"anchor-{number}", 1, "", anchor=True) for number in range(8)]


def bots(count: int, first: int = 0) -> list[Player]:
    return [Player(number, f"bot-{number}", 1, "") for number in range(first, first + count)]


def spread(count: int, seed: int = 1) -> dict[PlayerId, Rating]:
    """Ratings without a pattern, some of them equal."""
    luck = Rng(seed).fork("ratings")
    return {player: Rating(20 + luck.below(40 * count) / (4 * count), 1.0) for player in range(count)}


def planned(
    schedule: Schedule, players: Sequence[Player], count: int, ratings: Mapping[PlayerId, Rating] | None = None
) -> list[Block]:
    blocks = []
    for _ in range(count):
        blocks.append(schedule.plan(players, ratings or {}))
        schedule.add(blocks[-1])
    return blocks


def games(blocks: Sequence[Block]) -> Counter[PlayerId]:
    return Counter(player for block in blocks for player in block.lineup for _ in block.rotations)


seat_ranges = st.tuples(st.integers(2, 6), st.integers(0, 4)).map(lambda two: range(two[0], two[0] + two[1] + 1))


# What holds for every ladder


@given(st.integers(2, 500), seat_ranges, st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_tables_are_as_promised(count: int, seats: range, seed: int) -> None:
    """Sizes that bots can fill, nobody twice, anchors only where bots are missing."""
    fillable = [size for size in seats if size <= count] or [seats.start]
    for block in planned(Schedule(Rng(seed), seats, ANCHORS), bots(count), 30, spread(count)):
        assert len(block.lineup) in fillable
        assert len(set(block.lineup)) == len(block.lineup)
        fillers = [player for player in block.lineup if player >= 1000]
        assert len(fillers) == max(0, len(block.lineup) - count)


@given(st.integers(2, 500), seat_ranges, st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_games_differ_by_little(count: int, seats: range, seed: int) -> None:
    """At no time has a bot more than four of the largest blocks more than another, or five when there are many."""
    schedule, players, ratings = Schedule(Rng(seed), seats, ANCHORS), bots(count), spread(count, seed)
    for _ in range(12):
        planned(schedule, players, max(10, count // 10), ratings)
        played = [schedule.games(player.id) for player in players]
        assert max(played) - min(played) <= seats[-1] * (4 if count <= 50 else 5)


def test_a_block_gives_a_game_for_every_rotation() -> None:
    schedule = Schedule(Rng(1), range(2, 7))
    blocks = planned(schedule, bots(9), 200)
    assert {player: schedule.games(player) for player in range(9)} == games(blocks)
    assert sum(games(blocks).values()) == sum(len(block.lineup) ** 2 for block in blocks)


@given(st.integers(2, 40), seat_ranges, st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_nobody_plays_more_for_ever(count: int, seats: range, seed: int) -> None:
    """Long after the start games differ as little as at the start, also for those who are near to many."""
    schedule, players, ratings = Schedule(Rng(seed), seats, ANCHORS), bots(count), spread(count, seed)
    planned(schedule, players, 1000, ratings)
    played = [schedule.games(player.id) for player in players]
    assert max(played) - min(played) <= 4 * seats[-1]


@given(st.integers(2, 20), st.integers(2, 6), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_everybody_meets_everybody_in_time(count: int, seats: int, seed: int) -> None:
    """By thirty times as many tables as it takes at least, although half of the opponents are near."""
    seats = min(seats, count)
    tables = 30 * math.comb(count, 2) // math.comb(seats, 2) + 30
    blocks = planned(Schedule(Rng(seed), range(seats, seats + 1)), bots(count), tables, spread(count, seed))
    met = {pair for block in blocks for pair in combinations(sorted(block.lineup), 2)}
    assert len(met) == math.comb(count, 2)


@given(st.integers(3, 60), st.integers(2, 5), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_no_table_is_played_much_more_often_than_others(count: int, seats: int, seed: int) -> None:
    """The cap may be passed by one when eight draws found nothing better."""
    seats = min(seats, count)
    blocks = planned(Schedule(Rng(seed), range(seats, seats + 1)), bots(count), 400, spread(count, seed))
    tables = Counter(frozenset(block.lineup) for block in blocks)
    assert max(tables.values()) <= 2 + REPEATS * len(blocks) / math.comb(count, seats)


def test_five_hundred_bots_hardly_see_the_same_table_twice() -> None:
    blocks = planned(Schedule(Rng(1), range(2, 3)), bots(500), 3000, spread(500))
    tables = Counter(frozenset(block.lineup) for block in blocks)
    assert max(tables.values()) <= 2
    assert sum(count > 1 for count in tables.values()) <= 15
    assert set(games(blocks).values()) <= {22, 24, 26, 28}


# Few bots


def test_two_bots_play_their_one_table() -> None:
    blocks = planned(Schedule(Rng(1), range(2, 7), ANCHORS), bots(2), 50)
    assert {frozenset(block.lineup) for block in blocks} == {frozenset({0, 1})}
    assert {block.lineup for block in blocks} == {(0, 1), (1, 0)}


def test_anchors_fill_the_smallest_table_by_luck() -> None:
    blocks = planned(Schedule(Rng(1), range(4, 7), ANCHORS), bots(3), 100)
    fillers = Counter(player for block in blocks for player in block.lineup if player >= 1000)
    assert all(len(block.lineup) == 4 for block in blocks)
    assert set(fillers) == {anchor.id for anchor in ANCHORS}


def test_a_fixed_size_is_filled_by_anchors() -> None:
    for block in planned(Schedule(Rng(1), range(6, 7), ANCHORS), bots(2), 20):
        assert len(block.lineup) == 6
        assert {0, 1} < set(block.lineup)


def test_sizes_are_drawn_evenly() -> None:
    blocks = planned(Schedule(Rng(1), range(2, 7), ANCHORS), bots(5), 2000)
    sizes = Counter(len(block.lineup) for block in blocks)
    assert set(sizes) == {2, 3, 4, 5}
    assert all(430 <= count <= 570 for count in sizes.values())


def test_line_ups_are_in_any_order() -> None:
    blocks = planned(Schedule(Rng(1), range(3, 4)), bots(3), 300)
    assert len({block.lineup for block in blocks}) == 6


@pytest.mark.parametrize("players", [[], bots(1), ANCHORS[:2], [*bots(1), *ANCHORS]])
def test_fewer_than_two_bots_are_refused(players: list[Player]) -> None:
    with pytest.raises(ValueError, match="expected at least two bots, got"):
        Schedule(Rng(1), range(2, 7), ANCHORS).plan(players, {})


def test_too_few_anchors_are_refused() -> None:
    with pytest.raises(ValueError, match="expected at least 2 anchors to fill a table, got 1"):
        Schedule(Rng(1), range(4, 5), ANCHORS[:1]).plan(bots(2), {})


@pytest.mark.parametrize("seats", [range(1, 4), range(4, 4), range(2, 8, 2)])
def test_senseless_sizes_are_refused(seats: range) -> None:
    with pytest.raises(ValueError, match="expected numbers of seats from 2 on"):
        Schedule(Rng(1), seats)


# Half by luck, half near


@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_half_of_the_opponents_are_near(seats: int) -> None:
    """Looked at where one player alone at a table had the fewest games, so that the others are its opponents."""
    count = 200
    schedule, players = Schedule(Rng(1), range(seats, seats + 1)), bots(count)
    ratings = {player: Rating(25 + player / 8, 1.0) for player in range(count)}
    near = opponents = 0
    for _ in range(3000):
        block = schedule.plan(players, ratings)
        fewest = min(schedule.games(player) for player in range(count))
        lowest = [player for player in block.lineup if schedule.games(player) == fewest]
        schedule.add(block)
        if len(lowest) == 1:
            opponents += seats - 1
            near += sum(0 < abs(player - lowest[0]) <= 2 * NEAREST for player in block.lineup)
    assert opponents > 800
    # Those by luck are near too now and then, by 4 * NEAREST players of all.
    assert near / opponents == pytest.approx(0.5 + 0.5 * 4 * NEAREST / count, abs=0.06)


def test_equals_are_near_by_luck_not_by_number() -> None:
    blocks = planned(Schedule(Rng(1), range(2, 3)), bots(100), 2000, dict.fromkeys(range(100), START))
    distances = Counter(abs(block.lineup[0] - block.lineup[1]) // 34 for block in blocks)
    assert distances[0] / len(blocks) == pytest.approx(1 - (66 / 100) ** 2, abs=0.05)


def test_near_follows_the_ratings_that_are_given() -> None:
    """Two clusters far apart: without ratings half of all pairs are mixed, with them a quarter."""

    def mixed(ratings: Mapping[PlayerId, Rating]) -> float:
        blocks = planned(Schedule(Rng(1), range(2, 3)), bots(60), 2000, ratings)
        return sum(block.lineup[0] % 2 != block.lineup[1] % 2 for block in blocks) / len(blocks)

    assert mixed({}) == pytest.approx(0.5, abs=0.05)
    assert mixed({player: Rating(20.0 + 10 * (player % 2), 1.0) for player in range(60)}) < 0.35


# Newcomers


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("newcomers", [1, 5, 40])
def test_newcomers_catch_up_while_the_others_play_on(seats: int, newcomers: int) -> None:
    schedule, old, new = Schedule(Rng(1), range(seats, seats + 1)), bots(20), bots(newcomers, first=20)
    planned(schedule, old, 1500, spread(20))
    ratings, blocks = spread(20 + newcomers), []
    while fewest(schedule, new) < fewest(schedule, old):
        blocks += planned(schedule, [*old, *new], 1, ratings)
        assert len(blocks) < 1500 + 300 * newcomers
    gained = [games(blocks)[player.id] for player in old]
    assert min(gained) >= sum(gained) / len(gained) / 6, "somebody starved"
    planned(schedule, [*old, *new], 10 * (20 + newcomers), ratings)
    played = [schedule.games(player.id) for player in [*old, *new]]
    assert max(played) - min(played) <= 4 * seats


def fewest(schedule: Schedule, players: Sequence[Player]) -> int:
    return min(schedule.games(player.id) for player in players)


def test_those_who_leave_are_not_drawn() -> None:
    schedule = Schedule(Rng(1), range(2, 4))
    planned(schedule, bots(6), 50)
    blocks = planned(schedule, bots(4), 50)
    assert {player for block in blocks for player in block.lineup} == {0, 1, 2, 3}


# Nothing else counts


@given(st.integers(2, 30), seat_ranges, st.integers(0, 10**6), st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_a_resumed_schedule_goes_on_the_same(count: int, seats: range, seed: int, stop: int) -> None:
    ratings = spread(count)
    whole = planned(Schedule(Rng(seed), seats, ANCHORS), bots(count), 80, ratings)
    resumed = Schedule(Rng(seed), seats, list(reversed(ANCHORS)))
    for block in whole[:stop]:
        resumed.add(block)
    assert planned(resumed, list(reversed(bots(count))), 80 - stop, ratings) == whole[stop:]


def test_asking_changes_nothing() -> None:
    schedule = Schedule(Rng(1), range(2, 5))
    planned(schedule, bots(9), 10)
    assert schedule.plan(bots(9), {}) == schedule.plan(bots(9), {})
    assert schedule.blocks == 10


def test_another_key_is_another_schedule() -> None:
    one, other = (planned(Schedule(Rng(key), range(2, 5)), bots(9), 20) for key in (1, 2))
    assert one != other


def test_blocks_are_told_in_order() -> None:
    schedule = Schedule(Rng(1), range(2, 5))
    with pytest.raises(ValueError, match="expected block 0, got block 1"):
        schedule.add(Block(1, (0, 1)))


def test_the_ids_of_a_home_do_not_matter() -> None:
    """The same bots are entered in another order elsewhere: who plays whom stays the same."""
    names = [f"bot-{number}" for number in range(9)]
    seen = []
    for ids in (range(9), [70 - 3 * number for number in range(9)]):
        bots = [Player(number, name, 1, name * 3) for number, name in zip(ids, names, strict=True)]
        called = {bot.id: bot.name for bot in bots}
        schedule, lineups = Schedule(Rng(5), range(2, 5)), []
        for _ in range(60):
            block = schedule.plan(bots, {bot.id: Rating(25 + len(bot.name) + names.index(bot.name), 3) for bot in bots})
            schedule.add(block)
            lineups.append([called[player] for player in block.lineup])
        seen.append(lineups)
    assert seen[0] == seen[1]
