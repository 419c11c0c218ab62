"""What the numbers of Bugs on Rugs mean: bugs, actions, phases, events. Compiled, so that the rules can use them fast.

A bug is 7 * (type - 1) + rug, both counted from 1, which leaves room for seven rugs; cards of the same type and rug
are not told apart (B41). 0 stands for no bug, or for one that a seat may not see.
"""

from typing import Final

from mypy_extensions import i64

# Types, in the order of the score sheet.
BUTTERFLY: Final = 1
FIREFLY: Final = 2
LARVA: Final = 3
ANT: Final = 4
SPIDER: Final = 5
FLY: Final = 6
BEETLE: Final = 7
LADYBUG: Final = 8
MOSQUITO_TYPE: Final = 9

MOST_RUGS: Final = 7
MOSQUITO: Final = 57  # the only bug of its type
HIGHEST_BUG: Final = 57
FIRST_LARVA: Final = 15
LAST_LARVA: Final = 21

# An action's code is kind << 16 | value. Both are stable: records and bots rely on them.
TAKE: Final = 1  # value: bug
HATCH: Final = 2  # value: first rug << 9 | second rug << 6 | index in the Wall
DONE: Final = 3
SHOW: Final = 4  # value: bug
SHOW_HAND: Final = 5
LAY: Final = 6  # value: bug
HANG: Final = 7  # value: bug
PASS: Final = 8  # value: bug
OFFER: Final = 9  # value: bug
SWAP: Final = 10  # value: index in the Wall
COPY: Final = 11  # value: type
KEEP: Final = 12
BREAK: Final = 13  # value: pairs of Ants, Spiders, Flies, Beetles, Ladybugs as digits of base 6, Ants lowest
LAST_CODE: Final = 0xDFFFF

PHASE_PICK: Final = 1
PHASE_HATCH: Final = 2
PHASE_SHOW: Final = 3
PHASE_LAY: Final = 4
PHASE_HANG: Final = 5
PHASE_OFFER: Final = 6
PHASE_SWAP: Final = 7
PHASE_PASS_RIGHT: Final = 8
PHASE_PASS_LEFT: Final = 9
PHASE_GROUP: Final = 10
PHASE_BREAK: Final = 11
PHASE_OVER: Final = 12
PHASES: Final = (
    *("", "pick", "hatch", "show", "lay", "hang", "offer", "swap"),
    *("pass right", "pass left", "group", "break", "over"),
)

# An event's code is kind << 16 | seat << 12 | value. The first twelve kinds change or show a hand.
EVENT_DEALT: Final = 1
EVENT_DREW: Final = 2
EVENT_TOOK: Final = 3
EVENT_HATCHED: Final = 4
EVENT_TOOK_WALL: Final = 5
EVENT_LAID: Final = 6
EVENT_HUNG: Final = 7
EVENT_PASSED_RIGHT: Final = 8
EVENT_PASSED_LEFT: Final = 9
EVENT_OFFERED: Final = 10
EVENT_SHOWED: Final = 11
EVENT_SHOWED_HAND: Final = 12
LAST_OF_HANDS: Final = 12
EVENT_ROUND: Final = 13
EVENT_FLOOR: Final = 14
EVENT_WALL: Final = 15
EVENT_END: Final = 16
EVENT_LEFTOVER: Final = 17
EVENT_LARVA_LEFT: Final = 18
EVENT_NO_CARD: Final = 19
EVENT_LOST: Final = 20
EVENT_COPIED: Final = 21
EVENT_BROKE: Final = 22
EVENT_SCORED: Final = 23


def type_of(bug: i64) -> i64:
    """The type of a bug."""
    return (bug + 6) // 7


def rug_of(bug: i64) -> i64:
    """The rug of a bug; for a Mosquito it means nothing."""
    return (bug - 1) % 7 + 1


def bug_of(type_: i64, rug: i64) -> i64:
    """The bug of this type on this rug."""
    return 7 * (type_ - 1) + rug


def seen_by(code: i64, seat: i64, seats: i64) -> i64:
    """An event as this seat saw it: without the bug, where only others know it (B43)."""
    kind: i64 = code >> 16
    who: i64 = code >> 12 & 15
    if who == seat or (kind > EVENT_DREW and kind not in (EVENT_PASSED_RIGHT, EVENT_PASSED_LEFT)):
        return code
    if kind > EVENT_DREW and seat == receiver(kind, who, seats):
        return code
    return code >> 12 << 12


def receiver(kind: i64, giver: i64, seats: i64) -> i64:
    """Who gets what was passed: left is the next seat clockwise, right the one before (B6)."""
    if kind == EVENT_PASSED_LEFT:
        return giver + 1 if giver + 1 < seats else 0
    return giver - 1 if giver > 0 else seats - 1
