"""What is played and what a seat may know of it: the options and the observation of Bugs on Rugs."""

from arena.engine.options import Value
from arena.games.bugs_on_rugs.rules_codes import PHASE_PICK


class Options:
    """What is played: three rulings on which fair readers differ."""

    def __init__(
        self, *, final_firefly: bool = True, breaking_pairs: bool = False, mosquito_is_type: bool = True
    ) -> None:
        self.final_firefly = final_firefly  # B15
        self.breaking_pairs = breaking_pairs  # B31, B45
        self.mosquito_is_type = mosquito_is_type  # B32

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.final_firefly, self.breaking_pairs, self.mosquito_is_type))

    def plain(self) -> dict[str, Value]:
        """The options as plain values."""
        return {
            "final_firefly": self.final_firefly,
            "breaking_pairs": self.breaking_pairs,
            "mosquito_is_type": self.mosquito_is_type,
        }


class Observation:
    """All that one seat may know."""

    def __init__(self, options: Options, seats: int, seat: int) -> None:
        none: list[int] = []
        rows: list[list[int]] = []
        self.options = options
        self.seats = seats
        self.seat = seat  # whose view this is
        self.round = 1
        self.last_round = 0  # the final round, once the End card was drawn; else 0
        self.phase = PHASE_PICK
        self.start = 0  # who holds the start marker
        self.turn = 0  # counts the choices of this pick or power from 0, in turn order
        self.deck_size = 0
        self.offered = 0  # the bug that waits for its swap, else 0
        self.steps = 0  # choices of grouping that are still to come
        self.hand = none  # own bugs, ascending
        self.hand_sizes = none  # by seat
        self.floor = none  # as it was laid out
        self.wall = none  # from its start to its end
        self.discards = none  # bugs that left the game, ascending
        self.groups = none  # by seat, from the reveal on; own ones alone before, else 0: pairs by type, four bits each
        self.history = none  # what was seen to happen to hands, up to the reveal
        self.hands = rows  # by seat: all hands, from the reveal on
        self.points = rows  # by seat: points for each type, in the order of the score sheet, at the end

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(repr(self._key()[1:]))

    def _key(self) -> tuple[object, ...]:
        numbers = (self.seats, self.seat, self.round, self.last_round, self.phase, self.start, self.turn)
        more = (self.deck_size, self.offered, self.steps)
        cards = (self.hand, self.hand_sizes, self.floor, self.wall, self.discards, self.groups)
        return self.options, numbers, more, cards, self.history, self.hands, self.points
