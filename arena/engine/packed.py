"""Small sets and short lists kept in machine words, for engines that must be fast.

A set has one bit for each member, from 0 to 15. A row has four bits for each of its numbers, from 0 to 15, the
first one lowest. Compiled, all this is plain arithmetic and allocates nothing.
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
        member: i64 = number
        bits |= 1 << member
    return bits


def lowest(bits: i64) -> i64:
    """The lowest bit of a word that is not 0."""
    member: i64 = 0
    while not bits & 1:
        bits >>= 1
        member += 1
    return member


def row_of(numbers: list[int]) -> i64:
    """The row of these numbers, at most 15 of them."""
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


class Sets:
    """A set for each of up to six players."""

    def __init__(self, low: i64, high: i64) -> None:
        self.low: i64 = low  # players 0 to 2, sixteen bits each
        self.high: i64 = high  # players 3 to 5

    def of(self, player: i64) -> i64:
        """The player's set."""
        if player < 3:
            return self.low >> (player << 4) & 0xFFFF
        return self.high >> ((player - 3) << 4) & 0xFFFF

    def flip(self, player: i64, bits: i64) -> None:
        """Put in what is not in the player's set, and take out what is."""
        if player < 3:
            self.low ^= bits << (player << 4)
        else:
            self.high ^= bits << ((player - 3) << 4)

    def copy(self) -> "Sets":
        """The same sets, independent."""
        return Sets(self.low, self.high)

    def lists(self, players: i64) -> list[list[int]]:
        """The members of the first so many sets."""
        return [members(self.of(player)) for player in range(players)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sets) and self.low == other.low and self.high == other.high

    def __hash__(self) -> int:
        return hash((self.low, self.high))


def sets_of(lists: list[list[int]]) -> Sets:
    """Sets with these members, by player."""
    sets = Sets(0, 0)
    player: i64 = 0
    for numbers in lists:
        sets.flip(player, set_of(numbers))
        player += 1
    return sets
