"""What is played and what a seat may know of it: the options and the observation of Lunar Laser Frogs."""

from mypy_extensions import i64

from arena.engine.options import Value
from arena.engine.packed import numbers_of
from arena.games.lunar_laser_frogs.rules_codes import DICE, PHASE_THROW
from arena.games.lunar_laser_frogs.rules_dice import points


class Options:
    """What is played: the length, the switch of F8, and what decides the order of cards thrown at once."""

    def __init__(self, *, turns: int = 0, roller_sees_order: bool = True, timing: str = "windows") -> None:
        self.turns = turns  # of each seat; 0 stands for the rulebook's recommendation
        self.roller_sees_order = roller_sees_order
        self.timing = timing
        self.by_arrival = timing == "arrival"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.turns, self.roller_sees_order, self.timing))

    def plain(self) -> dict[str, Value]:
        """The options as plain values."""
        return {"turns": self.turns, "roller_sees_order": self.roller_sees_order, "timing": self.timing}

    def turns_each(self, seats: i64) -> i64:
        """How often every seat rolls before anybody can win (F21)."""
        if self.turns:
            return self.turns
        if seats == 3:
            return 3
        return 2 if seats <= 5 else 1


class Card:
    """One card of a pile."""

    def __init__(self, seat: int, card: int, window: int) -> None:
        self.seat = seat  # who threw it
        self.card = card  # 0 if it may not be seen
        self.window = window  # when: 0 before the first roll, 3 after the last


class Pile:
    """The cards thrown in a turn, in the order in which they landed; each part is a row."""

    def __init__(self, seats: i64, cards: i64, windows: i64, size: i64) -> None:
        self.seats: i64 = seats  # who threw; seats count from 1 here
        self.cards: i64 = cards  # 0 if it may not be seen
        self.windows: i64 = windows
        self.size: i64 = size

    def listed(self) -> list[Card]:
        """The cards one by one."""
        rows = [numbers_of(row, self.size) for row in (self.seats, self.cards, self.windows)]
        return [Card(seat - 1, card, window) for seat, card, window in zip(*rows, strict=True)]

    def key(self) -> tuple[int, int, int, int]:
        """The same for the same pile."""
        return self.seats, self.cards, self.windows, self.size


class Observation:
    """All that one seat may know. Rows are kept packed; the properties give them as lists."""

    def __init__(self, options: Options, seats: int, seat: int) -> None:
        none: list[int] = []
        self.options = options
        self.seats: i64 = seats
        self.seat: i64 = seat  # whose view this is
        self.turn: i64 = 0
        self.roller: i64 = 0  # when the match is over, the last one
        self.phase: i64 = PHASE_THROW
        self.window: i64 = 0  # rolls made this turn; also the number of the open window
        self.face_row: i64 = 0
        self.pile = Pile(0, 0, 0, 0)
        self.points = none  # by seat
        self.last_roller: i64 = -1  # of the turn before this one, -1 in the first
        self.last_named: i64 = 0
        self.last_face_row: i64 = 0
        self.last_pile = Pile(0, 0, 0, 0)

    @property
    def faces(self) -> list[int]:
        """By die: 0 while it is not rolled, else 1 + its colours."""
        return numbers_of(self.face_row, DICE)

    @property
    def last_faces(self) -> list[int]:
        """The same of the turn before this one."""
        return numbers_of(self.last_face_row, DICE)

    @property
    def last_points(self) -> list[int]:
        """What the cards of the turn before this one brought, in the order of its pile."""
        if self.last_roller < 0:
            return []
        pile = self.last_pile
        brought: i64 = points(self.last_face_row, pile.cards, pile.size, cards_that_score(self.seats))
        return numbers_of(brought, pile.size)

    @property
    def owed(self) -> list[int]:
        """By seat: how many cards it has still to throw this turn."""
        if self.phase != PHASE_THROW and self.window == 0 and self.pile.size == 0:
            return [0] * self.seats  # the match is over
        owed = [cards_to_throw(self.seats)] * self.seats
        owed[self.roller] = 0
        for card in self.pile.listed():
            owed[card.seat] -= 1
        return owed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(repr(self._key()[1:]))

    def _key(self) -> tuple[object, ...]:
        numbers = (self.seats, self.seat, self.turn, self.roller, self.phase, self.window, self.face_row)
        last = (self.last_roller, self.last_named, self.last_face_row, self.last_pile.key())
        return self.options, numbers, self.pile.key(), self.points, last


def cards_to_throw(seats: i64) -> i64:
    """How many cards every other seat throws in a turn (F16)."""
    return 2 if seats == 3 else 1


def cards_that_score(seats: i64) -> i64:
    """How many cards of a kind score: the first, with six seats and more the first two (F14, F19)."""
    return 2 if seats >= 6 else 1
