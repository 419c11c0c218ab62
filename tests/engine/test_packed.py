"""Packed sets, rows and logs say what plain sets and lists would."""

import pytest

from arena.engine.packed import (
    Log,
    Sets,
    lowest,
    members,
    numbers_of,
    row_of,
    row_places,
    row_values,
    set_of,
    sets_of,
    total,
)
from arena.engine.rng import seeded

ROWS = [[], [0, 0], [3], [3, 0, 3, 15], [0, 13, 0, 1, 13, 0], list(range(15))]


@pytest.mark.parametrize("member", range(63))
def test_each_number_is_found_as_a_member(member: int) -> None:
    assert members(1 << member) == [member]
    assert lowest(1 << member) == member
    assert lowest(1 << 62 | 1 << member) == member


def test_random_sets_are_what_plain_sets_are() -> None:
    rng = seeded(1)
    for _ in range(500):
        numbers = sorted({int(rng.below(63)) for _ in range(rng.below(8) + 1)})
        bits = set_of(numbers)
        assert (members(bits), lowest(bits), total(bits)) == (numbers, numbers[0], sum(numbers))
    assert (members(0), total(0)) == ([], 0)


@pytest.mark.parametrize("numbers", ROWS)
def test_rows_are_what_lists_are(numbers: list[int]) -> None:
    row, length = row_of(numbers), len(numbers)
    assert numbers_of(row, length) == numbers
    assert members(row_values(row, length)) == sorted(set(numbers) - {0})
    for wanted in range(16):
        places = [place for place, number in enumerate(numbers) if number == wanted]
        assert members(row_places(row, length, wanted)) == places


def test_sets_side_by_side_do_not_touch_each_other() -> None:
    rng, sets = seeded(2), Sets()
    expected: list[set[int]] = [set() for _ in range(8)]
    for _ in range(1000):
        place, number = int(rng.below(8)), int(rng.below(15))
        sets.flip(place, 1 << number)
        expected[place] ^= {number}
        assert [set(members(bits)) for bits in sets.bits(8)] == expected
    assert sets_of(sets.bits(8)).bits(8) == sets.bits(8)


def test_a_copy_of_sets_changes_alone() -> None:
    sets = sets_of([1, 2, 4, 8, 16])
    copied = sets.copy()
    copied.flip(4, 16 | 32)
    assert (sets.bits(5), copied.bits(5)) == ([1, 2, 4, 8, 16], [1, 2, 4, 8, 32])


@pytest.mark.parametrize("length", range(6))
def test_a_log_is_what_a_list_is(length: int) -> None:
    log, plain = Log(), [(1 << 30) - 1 - number for number in range(length)]
    for number in plain:
        log.add(number)
    assert [log.since(start) for start in range(8)] == [plain[start:] for start in range(8)]


def test_a_copy_of_a_log_grows_alone() -> None:
    log = Log()
    log.add(5)
    copied = log.copy()
    copied.add(6)
    log.add(7)
    assert (log.since(0), copied.since(0)) == ([5, 7], [5, 6])
