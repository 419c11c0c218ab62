"""Lunar Laser Frogs once more, written from the rulebook alone: slow, plain lists of words, no cleverness.

It rolls nothing and decides nothing. It is given what the dice will show, in which order throws will land and what
was decided, works out everything else, and says at every question what it expects the engine to say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

from arena.games.lunar_laser_frogs.codes import Action, Name, Roll, Throw, Wait

CARDS = ["blue", "pink", "yellow", "blank", "grey"]  # card 1 is blue
COLOURS = CARDS[:3]
KIND_OF_DIE = [0, 0, 1, 1, 2, 2]


@dataclass
class Moment:
    """The engine at a decision: its dump, what each seat may do, and what each seat did."""

    dump: dict[str, Any]
    legal: dict[int, list[Action]]
    chosen: dict[int, Action]


@dataclass
class Turn:
    """One turn as it goes."""

    roller: int
    dice: list[set[str]]  # what each die will show, or shows
    rolled: list[int] = field(default_factory=list)
    box: list[tuple[int, str]] = field(default_factory=list)  # who threw what, the first one first

    def hand(self, seat: int) -> list[str]:
        """The cards that a seat has not thrown."""
        return [card for card in CARDS if (seat, card) not in self.box]


class SimpleMatch:
    """A match that follows the engine's moments and compares itself with each of them."""

    def __init__(self, options: dict[str, Any], seats: int, moments: Iterator[Moment]) -> None:
        self.options = options
        self.seats = seats
        self.moments = moments
        self.moment = next(moments)
        self.asked = 0
        self.points = [0] * seats
        self.turns = 0

    def play(self) -> list[int]:
        """The whole match: the same number of turns for everybody, then more while the lead is tied."""
        each = self.options["turns"] or {3: 3, 4: 2, 5: 2}.get(self.seats, 1)
        roller = self.moment.dump["roller"]
        while self.turns < each * self.seats or (self.is_tied() and self.turns < each * self.seats + 50):
            self.play_turn(roller)
            self.turns += 1
            roller = (roller + 1) % self.seats
        return self.points

    def is_tied(self) -> bool:
        return self.points.count(max(self.points)) > 1

    # A turn

    def play_turn(self, roller: int) -> None:
        """All others throw at any time while the roller rolls all six dice in three rolls; then cards are shown."""
        shown = self.moment.dump["rolls"][self.turns % self.seats]
        turn = Turn(roller, [{colour for bit, colour in enumerate(COLOURS) if face - 1 >> bit & 1} for face in shown])
        for number in range(4):
            self.throw(turn, number)
            if number < 3:
                self.roll(turn, number)
        named = self.ask(turn, {roller: [Name(seat) for seat in range(self.seats) if seat != roller]})[roller]
        assert isinstance(named, Name)
        got = self.score(turn)
        got[roller] = got[named.seat]
        self.points = [before + more for before, more in zip(self.points, got, strict=True)]

    def due(self) -> int:
        return 2 if self.seats == 3 else 1

    def throw(self, turn: Turn, number: int) -> None:
        """Whoever owes cards may throw; after the last roll they must."""
        owed = {seat: self.due() - 5 + len(turn.hand(seat)) for seat in range(self.seats) if seat != turn.roller}
        asked = {seat: self.throws(turn, seat, number, count) for seat, count in owed.items() if count}
        if not asked:
            return
        order = self.moment.dump["orders"][self.turns % self.seats * 4 + number]
        chosen = self.ask(turn, asked)
        for seat in order:
            action = chosen.get(seat)
            if isinstance(action, Throw):
                turn.box += [(seat, CARDS[card - 1]) for card in action.cards]

    def throws(self, turn: Turn, seat: int, number: int, owed: int) -> list[Action]:
        """What a seat that owes so many cards may do."""
        cards = [CARDS.index(card) + 1 for card in turn.hand(seat)]
        must = number == 3
        actions: list[Action] = [] if must else [Wait()]
        counts = [owed] if must else list(range(1, owed + 1))
        return actions + [Throw(some) for count in counts for some in permutations(cards, count)]

    def roll(self, turn: Turn, number: int) -> None:
        """Some of the dice that are left, so that one remains for each later roll; the last roll takes the rest."""
        left = [die for die in range(6) if die not in turn.rolled]
        if number == 2:
            turn.rolled += left
            return
        most = [sum(KIND_OF_DIE[die] == kind for die in left) for kind in range(3)]
        ways = product(*(range(count + 1) for count in most))
        choices: list[Action] = [
            Roll((one, two, three)) for one, two, three in ways if 1 <= one + two + three <= len(left) - (2 - number)
        ]
        action = choices[0] if len(choices) == 1 else self.ask(turn, {turn.roller: choices})[turn.roller]
        assert isinstance(action, Roll)
        for kind, count in enumerate(action.dice):
            turn.rolled += [die for die in left if KIND_OF_DIE[die] == kind][:count]

    # Points

    def score(self, turn: Turn) -> list[int]:
        """What the cards bring, from the first thrown to the last."""
        dice = self.lasered(turn.dice)
        got = [0] * self.seats
        for place, (seat, card) in enumerate(turn.box):
            before = [other for _, other in turn.box[:place]]
            if before.count(card) < (2 if self.seats >= 6 else 1):
                got[seat] += self.worth(card, before, dice)
        return got

    def lasered(self, dice: list[set[str]]) -> list[set[str]]:
        """A colour that is missing altogether is added to all dice."""
        missing = {colour for colour in COLOURS if not any(colour in die for die in dice)}
        return [die | missing for die in dice]

    def worth(self, card: str, before: list[str], dice: list[set[str]]) -> int:
        """A point for each die of the colour, two for each blank one; for grey, the cards since the grey before it."""
        if card == "grey":
            return len(before) - (before.index("grey") + 1 if "grey" in before else 0)
        return 2 * dice.count(set()) if card == "blank" else sum(card in die for die in dice)

    # Comparing

    def ask(self, turn: Turn, expected: dict[int, list[Action]]) -> dict[int, Action]:
        """What was decided at this question, which must be the one that the engine asked."""
        moment = self.moment
        assert moment.legal == expected, f"legal actions: expected {expected}, got {moment.legal}"
        self.compare(turn, moment.dump)
        self.asked += 1
        self.moment = next(self.moments)
        return moment.chosen

    def compare(self, turn: Turn, dump: dict[str, Any]) -> None:
        box = [(seat, CARDS[card - 1]) for seat, card in zip(dump["pile_seats"], dump["pile_cards"], strict=True)]
        rolled = [die for die, face in enumerate(dump["faces"]) if face]
        assert (dump["turn"], dump["roller"]) == (self.turns, turn.roller)
        assert dump["points"] == self.points, f"points: expected {self.points}, got {dump['points']}"
        assert box == turn.box, f"box: expected {turn.box}, got {box}"
        assert rolled == sorted(turn.rolled), f"dice: expected {turn.rolled}, got {rolled}"
