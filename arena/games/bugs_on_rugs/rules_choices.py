"""What may be chosen from hands, Floor and Wall: lists of action codes, and small work on ascending lists of bugs."""

from typing import Final

from mypy_extensions import i64

from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.deck import MOSQUITOS
from arena.games.bugs_on_rugs.rules_codes import MOSQUITO, type_of
from arena.games.bugs_on_rugs.rules_scores import pairs_in, pairs_of

BREAKABLE_FROM: Final = 12  # where the Ants begin in a group; they and all after them may be broken (B45)


def put(bugs: list[int], bug: i64) -> None:
    """Add a bug to an ascending list."""
    place: i64 = len(bugs)
    while place > 0 and bugs[place - 1] > bug:
        place -= 1
    bugs.insert(place, bug)


def all_same(bugs: list[int]) -> bool:
    """Whether there is but one distinct bug."""
    return bugs.count(bugs[0]) == len(bugs)


def append_bugs(legal: list[int], kind: i64, bugs: list[int]) -> None:
    """An action of this kind for each distinct bug of an ascending list."""
    before: i64 = 0
    for bug in bugs:
        if bug != before:
            legal.append(kind << 16 | bug)
        before = bug


def append_hatches(legal: list[int], hand: list[int], wall: list[int]) -> None:
    """Each distinct pair of Larva, for each place of the Wall (B9)."""
    larva = [bug for bug in hand if codes.FIRST_LARVA <= bug <= codes.LAST_LARVA]
    for second in range(1, len(larva)):
        for first in range(second):
            if is_new_pair(larva, first, second):
                pair: i64 = codes.rug_of(larva[first]) << 9 | codes.rug_of(larva[second]) << 6
                legal += [codes.HATCH << 16 | pair | index for index in range(len(wall))]


def is_new_pair(larva: list[int], first: i64, second: i64) -> bool:
    """Whether no pair of equal Larva came before."""
    if first > 0 and larva[first] == larva[first - 1]:
        return False
    return second - 1 == first or larva[second] != larva[second - 1]


def shows(hand: list[int]) -> list[int]:
    """Anything but a Butterfly; the whole hand if there is nothing else (B11)."""
    legal: list[int] = []
    append_bugs(legal, codes.SHOW, [bug for bug in hand if type_of(bug) != codes.BUTTERFLY])
    if not legal:
        legal.append(codes.SHOW_HAND << 16)
    return legal


def offers(hand: list[int], wall: list[int]) -> list[int]:
    """Bugs of another type than some Wall bug; any, if there are none (B22, B23)."""
    legal: list[int] = []
    append_bugs(legal, codes.OFFER, [bug for bug in hand if differs(bug, wall)])
    if not legal:
        append_bugs(legal, codes.OFFER, hand)
    return legal


def swaps(offered: i64, wall: list[int]) -> list[int]:
    """Places of the Wall where the offered bug may go."""
    any_type = not differs(offered, wall)
    type_: i64 = type_of(offered)
    return [codes.SWAP << 16 | at for at in range(len(wall)) if any_type or type_of(wall[at]) != type_]


def differs(bug: i64, wall: list[int]) -> bool:
    """Whether a bug of another type hangs on the Wall."""
    type_: i64 = type_of(bug)
    for other in wall:  # noqa: SIM110 - a generator is slower
        if type_of(other) != type_:
            return True
    return False


def copies(hand: list[int], group: i64) -> list[int]:
    """Types of which there is a real bug, if two Mosquitos are left; and to keep them (B30, B48)."""
    legal: list[int] = []
    if hand.count(MOSQUITO) - 2 * pairs_in(group) >= 2:
        before: i64 = codes.MOSQUITO_TYPE
        for bug in hand:
            type_: i64 = type_of(bug)
            if type_ not in (before, codes.MOSQUITO_TYPE):
                legal.append(codes.COPY << 16 | type_)
            before = type_
    legal.append(codes.KEEP << 16)
    return legal


def breaks(group: i64) -> list[int]:
    """Every way to break pairs of the later types, none first (B45)."""
    values = [0]
    weight: i64 = 1
    for type_ in range(codes.ANT, codes.MOSQUITO_TYPE):
        most: i64 = pairs_of(group, type_)
        values = [value + weight * broken for broken in range(most + 1) for value in values]
        weight *= 6
    return [codes.BREAK << 16 | value for value in values]


def packed_pairs(value: i64) -> i64:
    """The pairs that a code of breaking means, four bits for each type."""
    group: i64 = 0
    shift: i64 = BREAKABLE_FROM
    while value:
        group |= value % 6 << shift
        value //= 6
        shift += 4
    return group


def most_pairs(wall: list[int], discards: list[int]) -> i64:
    """The most pairs that a hand could have, for all that everybody sees."""
    return (MOSQUITOS - wall.count(MOSQUITO) - discards.count(MOSQUITO)) // 2
