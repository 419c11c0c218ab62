"""Every pile that fits what a seat saw of a turn, by brute force from its events alone: plain lists, no engine."""

from dataclasses import dataclass, field
from itertools import permutations, product
from math import prod

from arena.games.lunar_laser_frogs.codes import event_parts
from arena.games.lunar_laser_frogs.rules_codes import EVENT_EXTRA_TURN, EVENT_ROLLED, EVENT_THREW, EVENT_TURN

World = tuple[tuple[int, int], ...]  # seat and card, the first thrown first
Block = tuple[int, list[int]]  # what a seat threw at once: 0 for a card that was not shown to this seat


@dataclass
class Seen:
    """What a seat saw thrown in the turn that is under way."""

    seat: int
    roller: int = 0
    windows: list[list[Block]] = field(default_factory=lambda: [[]])

    def watch(self, events: list[int]) -> "Seen":
        """All events, one after the other."""
        for code in events:
            kind, player, value = event_parts(code)
            if kind in (EVENT_TURN, EVENT_EXTRA_TURN):
                self.roller, self.windows = player, [[]]
            elif kind == EVENT_ROLLED:
                self.windows.append([])
            elif kind == EVENT_THREW:
                self.throw(player, value)
        return self

    def throw(self, player: int, card: int) -> None:
        """Cards of one seat in one window were thrown at once (F25)."""
        window = self.windows[-1]
        if window and window[-1][0] == player:
            window[-1][1].append(card)
        else:
            window.append((player, [card]))

    def orders(self, *, sees_order: bool) -> list[list[Block]]:
        """All ways in which the throws may lie: windows one after the other, in each as seen or in any order (F8)."""
        if sees_order or self.seat != self.roller:
            return [[block for window in self.windows for block in window]]
        ways = product(*(permutations(window) for window in self.windows))
        return [[block for window in way for block in window] for way in ways]

    def count(self, *, sees_order: bool) -> int:
        """How many worlds fit, without making them."""
        return len(self.orders(sees_order=sees_order)) * prod(len(cards) for cards in self.hands().values())

    def hands(self) -> dict[int, list[tuple[int, ...]]]:
        """By seat: the cards that it may have thrown, in order; two cards of one seat are different (F16)."""
        thrown: dict[int, list[int]] = {}
        for window in self.windows:
            for player, cards in window:
                thrown.setdefault(player, []).extend(cards)
        return {
            player: [some for some in permutations(range(1, 6), len(cards)) if fits(some, cards)]
            for player, cards in thrown.items()
        }

    def worlds(self, *, sees_order: bool) -> list[World]:
        """All of them."""
        hands = self.hands()
        return [
            laid(order, dict(zip(hands, some, strict=True)))
            for order in self.orders(sees_order=sees_order)
            for some in product(*hands.values())
        ]


def fits(some: tuple[int, ...], seen: list[int]) -> bool:
    return all(known in (0, card) for card, known in zip(some, seen, strict=True))


def laid(order: list[Block], hands: dict[int, tuple[int, ...]]) -> World:
    """A pile with these cards."""
    left = {player: list(cards) for player, cards in hands.items()}
    return tuple((player, left[player].pop(0)) for player, cards in order for _ in cards)
