"""What a seat may do in Bugs on Rugs, as typed values, and the codes that engines and records use for them."""

from collections.abc import Callable
from dataclasses import dataclass

from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.deck import BUGS, RUGS
from arena.games.bugs_on_rugs.rules_codes import LARVA, bug_of, rug_of

LONGEST_WALL = 64
MOST_BROKEN = 5


@dataclass(frozen=True)
class Take:
    """Pick this bug off the Floor."""

    bug: int


@dataclass(frozen=True)
class Hatch:
    """Discard these two Larva and take the bug at this index of the Wall."""

    first: int
    second: int
    wall: int


@dataclass(frozen=True)
class Done:
    """Hatch no more Larva after this pick."""


@dataclass(frozen=True)
class Show:
    """Butterfly: show this bug and activate its power."""

    bug: int


@dataclass(frozen=True)
class ShowHand:
    """Butterfly: show a hand of nothing but Butterflies."""


@dataclass(frozen=True)
class Lay:
    """Firefly: place this bug on the Floor."""

    bug: int


@dataclass(frozen=True)
class Hang:
    """Spider: place this bug last on the Wall, and take the first one."""

    bug: int


@dataclass(frozen=True)
class Pass:
    """Fly or Beetle: pass this bug on."""

    bug: int


@dataclass(frozen=True)
class Offer:
    """Mosquito: choose this bug of the hand for the swap."""

    bug: int


@dataclass(frozen=True)
class Swap:
    """Mosquito: swap the offered bug with the one at this index of the Wall."""

    wall: int


@dataclass(frozen=True)
class Copy:
    """Let a pair of Mosquitos count as one bug of this type."""

    type: int


@dataclass(frozen=True)
class Keep:
    """Pair no more Mosquitos in this choice."""


@dataclass(frozen=True)
class Break:
    """Break so many pairs that copy these types."""

    ants: int = 0
    spiders: int = 0
    flies: int = 0
    beetles: int = 0
    ladybugs: int = 0


Action = Take | Hatch | Done | Show | ShowHand | Lay | Hang | Pass | Offer | Swap | Copy | Keep | Break

WITH_BUG: dict[int, Callable[[int], Action]] = {
    codes.TAKE: Take,
    codes.SHOW: Show,
    codes.LAY: Lay,
    codes.HANG: Hang,
    codes.PASS: Pass,
    codes.OFFER: Offer,
}
ALONE: dict[int, Callable[[], Action]] = {codes.DONE: Done, codes.SHOW_HAND: ShowHand, codes.KEEP: Keep}
KINDS: dict[object, int] = {made: kind for kind, made in (*WITH_BUG.items(), *ALONE.items())}


def decoded(code: int) -> Action:
    """What an action's code means."""
    kind, value = code >> 16, code & 0xFFFF
    if kind in WITH_BUG and value in BUGS:
        return WITH_BUG[kind](value)
    if kind in ALONE and value == 0:
        return ALONE[kind]()
    if kind == codes.HATCH:
        return _hatch(code, value)
    if kind == codes.SWAP and value < LONGEST_WALL:
        return Swap(value)
    if kind == codes.COPY and codes.BUTTERFLY <= value <= codes.LADYBUG:
        return Copy(value)
    if kind == codes.BREAK and value < 6**5:
        return _break(code, value)
    raise _meaningless(code)


def coded(action: Action) -> int:
    """The code that means this action: the inverse of `decoded`."""
    match action:
        case Hatch(first, second, wall):
            return codes.HATCH << 16 | rug_of(first) << 9 | rug_of(second) << 6 | wall
        case Swap(wall):
            return codes.SWAP << 16 | wall
        case Copy(type_):
            return codes.COPY << 16 | type_
        case Break(ants, spiders, flies, beetles, ladybugs):
            return codes.BREAK << 16 | ants + 6 * (spiders + 6 * (flies + 6 * (beetles + 6 * ladybugs)))
        case Done() | ShowHand() | Keep():
            return KINDS[type(action)] << 16
        case Take(bug) | Show(bug) | Lay(bug) | Hang(bug) | Pass(bug) | Offer(bug):
            return KINDS[type(action)] << 16 | bug


def _hatch(code: int, value: int) -> Hatch:
    first, second = value >> 9, value >> 6 & 7
    if not 1 <= first <= second < len(RUGS):
        raise _meaningless(code)
    return Hatch(bug_of(LARVA, first), bug_of(LARVA, second), value % LONGEST_WALL)


def _break(code: int, value: int) -> Break:
    digits = [value // 6**place % 6 for place in range(5)]
    if sum(digits) > MOST_BROKEN:
        raise _meaningless(code)
    return Break(*digits)


def _meaningless(code: int) -> ValueError:
    return ValueError(f"bugs-on-rugs: expected the code of an action, got {code}")
