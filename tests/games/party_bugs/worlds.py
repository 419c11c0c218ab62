"""Every world that fits what a seat saw, by brute force from its events alone: plain sets, no engine."""

from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from math import comb, factorial, prod

from arena.games.party_bugs import codes

Place = tuple[int, frozenset[int], tuple[int, ...]]  # a player's hidden card, hand, and pile, top first
World = tuple[Place, ...]

SHOWN = (codes.EVENT_LAID_OUT, codes.EVENT_PLAYED, codes.EVENT_PAIRED_HIDDEN, codes.EVENT_MIRRORED_HIDDEN)
TOOK = (codes.EVENT_TOOK, codes.EVENT_HAULED)


@dataclass
class Seen:
    """What a seat learned of one player's cards."""

    unseen: set[int] = field(default_factory=lambda: set(range(1, 14)))
    display: list[int] = field(default_factory=list)
    hand: list[int] = field(default_factory=list)  # 0 for a card that was not shown to this seat
    hides: bool = False
    hidden: int = 0  # the value, if it was shown to this seat
    stayed: set[int] = field(default_factory=set)  # values that came and stayed while a card lay hidden


class Watcher:
    """Follows the events that one seat saw."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.arrived: tuple[Seen, list[int]] = (Seen(), [])
        self.begin()

    def begin(self) -> None:
        """A new game."""
        self.table = [Seen() for _ in range(self.players)]
        self.floor: list[int] = []
        self.played: list[int] = []

    def watch(self, events: list[int]) -> None:
        """One event after the other; the next one tells whether a card left with the hidden one."""
        for code, following in zip(events, [*events[1:], 0], strict=True):
            kind, player, value = codes.event_parts(code)
            if kind == codes.EVENT_GAME:
                self.begin()
            elif kind in TOOK:
                self.take(player, [value] if kind == codes.EVENT_TOOK else self.floor[:])
            else:
                self.note(kind, player, value, paul=bool(code & codes.PAUL_MARK))
            if codes.event_parts(following)[0] not in (codes.EVENT_PAIRED, codes.EVENT_PAIRED_HIDDEN):
                self.settle()

    def take(self, player: int, cards: list[int]) -> None:
        """Cards leave the dance floor for a display, where pairs vanish."""
        for card in cards:
            self.floor.remove(card)
        seen = self.table[player]
        together = seen.display + cards
        seen.display = [value for value in set(together) if together.count(value) % 2]
        self.arrived = (seen, [value for value in seen.display if value in cards])
        if not self.floor:
            self.floor, self.played = self.played, []

    def settle(self) -> None:
        """What came and lies there now is not what lies hidden there, if pairing is a must."""
        seen, values = self.arrived
        if seen.hides:
            seen.stayed.update(value for value in values if value in seen.display)
        self.arrived = (Seen(), [])

    def note(self, kind: int, player: int, value: int, *, paul: bool) -> None:
        """One event that concerns a player's own cards."""
        seen = self.table[player]
        if kind in SHOWN:
            seen.unseen.discard(value)
        if kind == codes.EVENT_LAID_OUT or (kind == codes.EVENT_PLAYED and paul):
            self.floor.append(value)
        elif kind == codes.EVENT_PLAYED:
            self.played.append(value)
            seen.hand.remove(value if value in seen.hand else 0)
        elif kind == codes.EVENT_DREW:
            seen.hand.append(value)
        elif kind == codes.EVENT_HID:
            seen.hand.remove(value)
            seen.hides, seen.hidden = True, value
        elif kind in (codes.EVENT_MIRRORED, codes.EVENT_PAIRED_HIDDEN):
            seen.display.remove(value)
        if kind in (codes.EVENT_PAIRED_HIDDEN, codes.EVENT_MIRRORED_HIDDEN):
            seen.hides, seen.hidden = False, 0


def count(table: list[Seen], *, must: bool) -> int:
    """How many worlds fit."""
    return prod(count_places(seen, must=must) for seen in table)


def count_places(seen: Seen, *, must: bool) -> int:
    """In how many ways one player's unseen cards may lie."""
    known = [value for value in [*seen.hand, seen.hidden] if value]
    loose = len(seen.unseen) - len(known)
    hidden = len(hidden_values(seen, must=must)) if seen.hides and not seen.hidden else 1
    loose -= seen.hides and not seen.hidden
    blank = seen.hand.count(0)
    return hidden * comb(loose, blank) * factorial(loose - blank)


def hidden_values(seen: Seen, *, must: bool) -> list[int]:
    """What an unknown hidden card may be: no King, and under `must` nothing that came and stayed (P23, P36)."""
    return sorted(seen.unseen - {codes.KING} - (seen.stayed if must else set()))


def worlds(table: list[Seen], *, must: bool) -> list[World]:
    """All of them."""
    return list(product(*(places(seen, must=must) for seen in table)))


def places(seen: Seen, *, must: bool) -> list[Place]:
    """All ways in which one player's unseen cards may lie."""
    found: list[Place] = []
    for hidden in [seen.hidden] if seen.hidden or not seen.hides else hidden_values(seen, must=must):
        rest = seen.unseen - {hidden}
        hands = combinations(sorted(rest), len(seen.hand)) if 0 in seen.hand else [tuple(seen.hand)]
        for hand in hands:
            found += [(hidden, frozenset(hand), pile) for pile in permutations(sorted(rest - set(hand)))]
    return found
