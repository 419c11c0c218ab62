"""What a hand is worth: the score sheet of Bugs on Rugs, from top to bottom (B30-B40)."""

from typing import Final

from mypy_extensions import i64

from arena.games.bugs_on_rugs.rules_codes import (
    ANT,
    BEETLE,
    BUTTERFLY,
    FIREFLY,
    FLY,
    LADYBUG,
    LARVA,
    MOSQUITO_TYPE,
    SPIDER,
    rug_of,
    type_of,
)
from arena.games.bugs_on_rugs.rules_views import Options

TYPES: Final = 8  # that score


def pairs_of(group: i64, type_: i64) -> i64:
    """How many pairs of Mosquitos copy this type."""
    return group >> ((type_ - 1) << 2) & 15


def pairs_in(group: i64) -> i64:
    """How many pairs there are."""
    pairs: i64 = 0
    while group:
        pairs += group & 15
        group >>= 4
    return pairs


def counted(hand: list[int], group: i64) -> list[int]:
    """Bugs by type, pairs as what they copy (B30); unpaired Mosquitos last. Place 0 is empty."""
    counts = [0] * (MOSQUITO_TYPE + 1)
    for bug in hand:
        counts[type_of(bug)] += 1
    type_: i64 = BUTTERFLY
    while group:
        counts[type_] += group & 15
        counts[MOSQUITO_TYPE] -= 2 * (group & 15)
        group >>= 4
        type_ += 1
    return counts


def points(hands: list[list[int]], groups: list[int], broken: list[int], options: Options) -> list[list[int]]:
    """By seat: the points for each type; `broken` are pairs that were broken after the Fireflies (B45)."""
    rows: list[list[int]] = []
    ants: list[int] = []
    for seat in range(len(hands)):
        counts = counted(hands[seat], groups[seat])
        row = early_points(hands[seat], counts, options)
        if broken[seat]:
            counts = counted(hands[seat], groups[seat] - broken[seat])
        later_points(row, counts)
        ants.append(counts[ANT])
        rows.append(row)
    for seat in range(len(hands)):
        rows[seat][ANT - 1] = ant_points(ants, seat)
    return rows


def early_points(hand: list[int], counts: list[int], options: Options) -> list[int]:
    """Butterflies and Fireflies, which are counted before any pair can be broken."""
    row = [0] * TYPES
    singles: i64 = 1 if options.mosquito_is_type and counts[MOSQUITO_TYPE] == 1 else 0
    for type_ in range(BUTTERFLY, MOSQUITO_TYPE):
        if counts[type_] == 1:
            singles += 1
    row[BUTTERFLY - 1] = counts[BUTTERFLY] * singles
    if counts[FIREFLY]:
        row[FIREFLY - 1] = counts[FIREFLY] * rugs_in(hand)
    return row


def rugs_in(hand: list[int]) -> i64:
    """How many different rugs there are; Mosquitos have none (B34)."""
    seen: i64 = 0
    rugs: i64 = 0
    for bug in hand:
        bit: i64 = 1 << rug_of(bug)
        if not seen & bit and type_of(bug) != MOSQUITO_TYPE:
            seen |= bit
            rugs += 1
    return rugs


def later_points(row: list[int], counts: list[int]) -> None:
    """All from the Larva on but the Ants, which depend on others; hatching and feeding pay, so they happen (B35)."""
    row[LARVA - 1] = 3 * min(counts[LARVA], counts[MOSQUITO_TYPE])
    fed: i64 = min(counts[SPIDER], counts[FLY])
    row[SPIDER - 1] = 7 * fed
    row[FLY - 1] = 2 * (counts[FLY] - fed)
    row[BEETLE - 1] = counts[BEETLE] * (2 if counts[BEETLE] % 2 else 5)
    row[LADYBUG - 1] = 25 if counts[LADYBUG] == 4 else counts[LADYBUG]


def ant_points(ants: list[int], seat: i64) -> i64:
    """5 each for the most, 3 each for the second-most distinct number, else 1 each (B37)."""
    own: i64 = ants[seat]
    more: i64 = 0  # distinct larger numbers
    seen: i64 = 0
    for number in ants:
        bit: i64 = 1 << number
        if number > own and not seen & bit:
            seen |= bit
            more += 1
    return own * (5 if more == 0 else 3 if more == 1 else 1)
