"""Small sets and short lists kept in one int, for engines that must be fast.

A set has one bit for each member, from 0 to 62. A row has four bits for each of its numbers, from 0 to 15, the
first one lowest. Sets are one for each player, kept where a list would hold an object for each.
"""

from typing import Final

from mypy_extensions import i64, mypyc_attr


@mypyc_attr(acyclic=True)
class Sets:
    """Eight sets side by side, each of numbers from 0 to 14; all are empty at first."""

    def __init__(self) -> None:
        self._low: i64 = 0  # the first four, 16 bits for each
        self._high: i64 = 0

    def of(self, index: i64) -> i64:
        """The set at this place."""
        word: i64 = self._low if index < 4 else self._high
        return word >> ((index & 3) << 4) & 0x7FFF

    def flip(self, index: i64, bits: i64) -> None:
        """Add the numbers that are not in the set at this place, take out those that are."""
        if index < 4:
            self._low ^= bits << (index << 4)
        else:
            self._high ^= bits << ((index - 4) << 4)

    def copy(self) -> "Sets":
        """Sets that change independently."""
        copied = Sets()
        copied._low = self._low
        copied._high = self._high
        return copied

    def bits(self, length: i64) -> list[int]:
        """The first so many sets, as ints."""
        return [self.of(index) for index in range(length)]


@mypyc_attr(acyclic=True)
class Log:
    """Numbers below 2^30 in the order in which they came, two to an int: half the objects of a list."""

    def __init__(self) -> None:
        self._pairs: list[int] = []
        self._single: i64 = -1  # the number that has no partner yet

    def add(self, number: i64) -> None:
        """Put a number at the end."""
        if self._single < 0:
            self._single = number
        else:
            self._pairs.append(number << 30 | self._single)
            self._single = -1

    def since(self, start: i64) -> list[int]:
        """All numbers from this place on."""
        numbers: list[int] = []
        for pair in self._pairs[start >> 1 :]:
            both: i64 = pair
            numbers.append(both & 0x3FFFFFFF)
            numbers.append(both >> 30)
        if self._single >= 0 and start <= 2 * len(self._pairs):
            numbers.append(self._single)
        return numbers[1:] if start & 1 else numbers

    def copy(self) -> "Log":
        """A log that grows independently."""
        copied = Log()
        copied._pairs = self._pairs[:]
        copied._single = self._single
        return copied


EMPTY_SETS: Final = Sets()  # what stands where none are kept; never flipped


def sets_of(listed: list[int]) -> Sets:
    """The sets that are listed as ints."""
    sets = Sets()
    for index, bits in enumerate(listed):
        sets.flip(index, bits)
    return sets


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
        member: i64 = number
        bit: i64 = 1
        bit <<= member  # `1 << member` would be a shift of 32 bits: mypyc hands literals to C as they stand
        bits |= bit
    return bits


def lowest(bits: i64) -> i64:
    """The lowest member of a set; the set is not empty."""
    bit: i64 = bits & -bits  # halving is faster than counting up: a loop of random length stalls a processor
    member: i64 = 0
    if bit >> 32:
        bit >>= 32
        member = 32
    if bit & 0xFFFF0000:
        member += 16
    if bit & 0xFF00FF00:
        member += 8
    if bit & 0xF0F0F0F0:
        member += 4
    if bit & 0xCCCCCCCC:
        member += 2
    if bit & 0xAAAAAAAA:
        member += 1
    return member


def total(bits: i64) -> i64:
    """The sum of a set's members."""
    found: i64 = 0
    while bits:
        found += lowest(bits)
        bits &= bits - 1
    return found


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


def row_values(row: i64, length: i64) -> i64:
    """The set of a row's numbers, without 0."""
    values: i64 = 0
    while length > 0:
        values |= 1 << (row & 15)
        row >>= 4
        length -= 1
    return values & ~1


def row_places(row: i64, length: i64, number: i64) -> i64:
    """The set of places where a row has this number."""
    places: i64 = 0
    place: i64 = 0
    while place < length:
        same: i64 = row & 15 == number
        places |= same << place
        row >>= 4
        place += 1
    return places
