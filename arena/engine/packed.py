"""Small sets and short lists kept in one int, for engines that must be fast.

A set has one bit for each member, from 0 to 62. A row has four bits for each of its numbers, from 0 to 15, the
first one lowest.
"""

from mypy_extensions import i64


def members(bits: i64) -> list[int]:
    """The members of a set, ascending."""
    found: list[int] = []
    member: i64 = 0
    while bits:
        if bits & 1:
            found.append(member)
        bits >>= 1
        member += 1
    return found


def set_of(numbers: list[int]) -> i64:
    """The set of these numbers."""
    bits: i64 = 0
    for number in numbers:
        bit: i64 = number
        bits |= 1 << bit
    return bits


def lowest(bits: i64) -> i64:
    """The lowest member of a set; the set is not empty."""
    member: i64 = 0
    while not bits & 1:
        bits >>= 1
        member += 1
    return member


def row_of(numbers: list[int]) -> i64:
    """The row of these numbers."""
    row: i64 = 0
    shift: i64 = 0
    for number in numbers:
        wide: i64 = number
        row |= wide << shift
        shift += 4
    return row


def numbers_of(row: i64, length: i64) -> list[int]:
    """The first so many numbers of a row."""
    numbers: list[int] = []
    while length > 0:
        numbers.append(row & 15)
        row >>= 4
        length -= 1
    return numbers
