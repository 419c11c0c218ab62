"""What is played and what a seat may know of it: the options and the observation of Party Bugs."""

from mypy_extensions import i64, mypyc_attr

from arena.engine.options import Value
from arena.engine.packed import EMPTY_SETS, members, numbers_of
from arena.games.party_bugs import codes


class Options:
    """What is played: the two variants and the switch of P24, with what follows from them."""

    def __init__(self, *, hidden_card: bool = False, mirror_series: bool = False, hidden_pairing: str = "may") -> None:
        self.hidden_card = hidden_card
        self.mirror_series = mirror_series
        self.hidden_pairing = hidden_pairing
        self.must = hidden_pairing == "must"
        self.dealt: i64 = 4 if hidden_card else 3
        self.final_round: i64 = 12 if hidden_card else 13
        self.draws: i64 = self.final_round - 4  # rounds that end with a draw; the last is the mirror's deadline

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.hidden_card, self.mirror_series, self.must))

    def plain(self) -> dict[str, Value]:
        """The options as plain values."""
        return {
            "hidden_card": self.hidden_card,
            "mirror_series": self.mirror_series,
            "hidden_pairing": self.hidden_pairing,
        }


class Display:
    """What lies in front of a player, as the others see it."""

    def __init__(self, bits: int, *, hidden: bool) -> None:
        self.values = members(bits)  # face up, ascending
        self.hidden = hidden  # whether a hidden card lies there


@mypyc_attr(acyclic=True)
class Observation:
    """All that one seat may know. Sets and rows are kept packed; the properties give them as lists."""

    def __init__(self, options: Options, seats: i64, seat: i64) -> None:
        none: list[int] = []
        self.options = options
        self.seats: i64 = seats
        self.seat: i64 = seat  # whose view this is
        self.game: i64 = 0  # of the series, from 0
        self.round: i64 = 1
        self.phase: i64 = codes.PHASE_PLAY
        self.tied: i64 = 0  # who holds the Tied card
        self.mirror: i64 = -1  # who holds the mirror card, -1 for nobody
        self.hand_bits: i64 = 0
        self.hidden_value: i64 = 0  # own hidden card, 0 for none
        self.hidden_bits: i64 = 0  # the seats with a hidden card
        self.floor_row: i64 = 0
        self.played_row: i64 = 0
        self.waiting_row: i64 = 0  # seats count from 1 here, so that 0 is the end
        self.display_sets = EMPTY_SETS
        self.unseen_sets = EMPTY_SETS
        self.excluded_sets = EMPTY_SETS
        self.totals = none  # by player: points of the games before this one
        self.points = none  # by player: points of this game, only when the match is over

    @property
    def hand(self) -> list[int]:
        """Own cards, ascending."""
        return members(self.hand_bits)

    @property
    def floor(self) -> list[int]:
        """By player: the card of that colour on the dance floor, 0 where it was taken."""
        return numbers_of(self.floor_row, len(self.totals))

    @property
    def played(self) -> list[int]:
        """By seat: the cards revealed, until they move to the dance floor; else empty."""
        return numbers_of(self.played_row, self.seats if self.played_row else 0)

    @property
    def waiting(self) -> list[int]:
        """Seats that choose one after the other, in order; empty while all choose at once."""
        return waiting_seats(self.waiting_row)

    @property
    def display_bits(self) -> list[int]:
        """By player: the set of values that lie face up."""
        return self.display_sets.bits(len(self.totals))

    @property
    def unseen_bits(self) -> list[int]:
        """By player: `unseen`, as sets."""
        return self.unseen_sets.bits(len(self.totals))

    @property
    def excluded_bits(self) -> list[int]:
        """By seat, under `must` only: `excluded`, as sets."""
        return self.excluded_sets.bits(self.seats if self.options.must else 0)

    @property
    def displays(self) -> list[Display]:
        """By player: what lies there."""
        hidden = self.hidden_bits
        return [Display(bits, hidden=bool(hidden >> player & 1)) for player, bits in enumerate(self.display_bits)]

    @property
    def unseen(self) -> list[list[int]]:
        """By player: values not shown to all yet: hand, hidden card and pile together; one's own too."""
        return [members(bits) for bits in self.unseen_bits]

    @property
    def excluded(self) -> list[list[int]]:
        """By seat, under `must` only: values that the hidden card there cannot have (P36)."""
        return [members(bits) for bits in self.excluded_bits]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(repr(self._key()[1:]))

    def _key(self) -> tuple[object, ...]:
        numbers = (self.seats, self.seat, self.game, self.round, self.phase, self.tied, self.mirror)
        rows = (self.floor_row, self.played_row, self.waiting_row)
        cards = (self.hand_bits, self.hidden_value, self.hidden_bits)
        sets = (self.display_bits, self.unseen_bits, self.excluded_bits)
        return self.options, numbers, rows, cards, sets, self.totals, self.points


def waiting_seats(row: i64) -> list[int]:
    """The seats of a waiting row, in order."""
    seats: list[int] = []
    while row:
        seats.append((row & 15) - 1)
        row >>= 4
    return seats
