"""A match of Lunar Laser Frogs as plain JSON data, rows as lists, and back again, read strictly."""

from collections.abc import Mapping
from math import factorial
from typing import TYPE_CHECKING

from arena.engine import plain
from arena.engine.packed import numbers_of, row_of
from arena.games.lunar_laser_frogs.codes import PHASES
from arena.games.lunar_laser_frogs.rules_codes import DICE, GREY, LAST_WINDOW, PAIR_BITS, PHASE_OVER, PHASE_THROW
from arena.games.lunar_laser_frogs.rules_dice import MOST_EXTRA_TURNS, THE_DICE
from arena.games.lunar_laser_frogs.rules_views import Pile

if TYPE_CHECKING:  # the rules use this module, so it cannot wait for them
    from arena.games.lunar_laser_frogs.rules import LunarLaserFrogsState

FIELDS = (
    *("options", "seats", "rng", "turn", "roller", "phase", "window", "faces", "rolls", "orders"),
    *("pile_seats", "pile_cards", "pile_windows", "points", "last_roller", "last_named", "last_faces"),
    *("last_seats", "last_cards", "last_windows", "log"),
)
MOST_TURNS = 48 + MOST_EXTRA_TURNS  # six of each of eight seats
HIGHEST_POINTS = 12 * MOST_TURNS  # of one seat: two cards that bring six each


def dumped(state: "LunarLaserFrogsState") -> dict[str, object]:
    """The whole state."""
    return {
        "options": state.options.plain(),
        "seats": state.seats,
        "rng": f"{state.rng.key:032x}",
        "turn": state.turn,
        "roller": state.roller,
        "phase": PHASES[state.phase],
        "window": state.window,
        "faces": numbers_of(state.faces, DICE),
        "rolls": [numbers_of(row, DICE) for row in state.rolls],
        "orders": [_dumped_order(state, turn, window) for turn in range(len(state.orders)) for window in range(4)],
        **_dumped_pile("pile", Pile(state.pile, state.cards, state.windows, state.size)),
        "points": state.points[:],
        "last_roller": state.last_roller,
        "last_named": state.last_named,
        "last_faces": numbers_of(state.last_faces, DICE),
        **_dumped_pile("last", state.last_pile),
        "log": state.log[:],
    }


def _dumped_order(state: "LunarLaserFrogsState", turn: int, window: int) -> list[int]:
    return [seat - 1 for seat in numbers_of(state.order(turn, window), state.seats - 1)]


def _dumped_pile(name: str, pile: Pile) -> dict[str, object]:
    cards = pile.listed()
    return {
        f"{name}_seats": [card.seat for card in cards],
        f"{name}_cards": [card.card for card in cards],
        f"{name}_windows": [card.window for card in cards],
    }


def fill(state: "LunarLaserFrogsState", data: Mapping[str, object]) -> None:
    """Give a blank state what was dumped; its options, seats and generator are there already."""
    _fill_numbers(state, data)
    _fill_luck(state, data)
    pile = _pile(state, data, "pile")
    state.pile, state.cards, state.windows, state.size = pile.seats, pile.cards, pile.windows, pile.size
    state.last_pile = _pile(state, data, "last")
    if state.phase != PHASE_OVER:
        _fill_owed(state, pile)
    _check_dice(state)


def _fill_numbers(state: "LunarLaserFrogsState", data: Mapping[str, object]) -> None:
    last = state.seats - 1
    state.turn = plain.number(data, "turn", 0, MOST_TURNS)
    state.roller = plain.number(data, "roller", 0, last)
    state.phase = PHASES.index(plain.word(data, "phase", PHASES[1:]))
    state.window = plain.number(data, "window", 0, LAST_WINDOW)
    state.points = plain.numbers(data, "points", [state.seats], 0, HIGHEST_POINTS)
    state.last_roller = plain.number(data, "last_roller", -1, last)
    state.last_named = plain.number(data, "last_named", 0, last)
    state.faces = row_of(plain.numbers(data, "faces", [DICE], 0, 8))
    state.last_faces = row_of(plain.numbers(data, "last_faces", [DICE], 0, 8))
    state.log = plain.numbers(data, "log", range(1 << 20), 0, 1 << 48)


def _fill_luck(state: "LunarLaserFrogsState", data: Mapping[str, object]) -> None:
    seats = state.seats
    rolls = plain.sequence(data["rolls"], "rolls", [0, seats])
    state.rolls = [row_of(plain.numbers({"rolls": row}, "rolls", [DICE], 1, 8)) for row in rolls]
    orders = plain.number_lists(data, "orders", [4 * len(rolls)], 0, seats - 1)
    first = state.roller - (state.turn - (state.phase == PHASE_OVER)) % seats
    for index, order in enumerate(orders):
        wanted = [seat for seat in range(seats) if seat != (first + index // 4) % seats]
        if sorted(order) != wanted:
            raise ValueError(f"orders: expected the seats {wanted} in any order, got {order}")
    state.orders = [_order_numbers(orders[index : index + 4]) for index in range(0, len(orders), 4)]
    if not rolls and state.phase != PHASE_OVER:
        raise ValueError("rolls: expected a list for each turn of the round, got none")


def _order_numbers(orders: list[list[int]]) -> int:
    """The numbers of the four orders of a turn, as the state keeps them."""
    count = factorial(len(orders[0]))
    first, second, third, fourth = (_order_number(order) for order in orders)
    return third + fourth * count << PAIR_BITS | first + second * count


def _order_number(order: list[int]) -> int:
    """The number of an order: each seat's place among those that are not above it."""
    seats = sorted(order)
    places = [[other for other in order if other <= seat].index(seat) for seat in seats]
    return sum(factorial(index) * place for index, place in enumerate(places))


def _pile(state: "LunarLaserFrogsState", data: Mapping[str, object], name: str) -> Pile:
    most = (state.seats - 1) * state.to_throw
    seats = plain.numbers(data, f"{name}_seats", range(most + 1), 0, state.seats - 1)
    cards = plain.numbers(data, f"{name}_cards", [len(seats)], 1, GREY)
    windows = plain.numbers(data, f"{name}_windows", [len(seats)], 0, LAST_WINDOW)
    if len(set(zip(seats, cards, strict=True))) != len(seats):
        raise ValueError(f"{name}: expected no card of a seat twice, got {cards} of {seats}")
    if any(seats.count(seat) > state.to_throw for seat in seats):
        raise ValueError(f"{name}_seats: expected each at most {state.to_throw} times, got {seats}")
    return Pile(row_of([seat + 1 for seat in seats]), row_of(cards), row_of(windows), len(seats))


def _fill_owed(state: "LunarLaserFrogsState", pile: Pile) -> None:
    """Who has still to throw; somebody has in a window, and nobody when the roller names a seat."""
    threw = [card.seat for card in pile.listed()]
    owing = [seat for seat in range(state.seats) if seat != state.roller and threw.count(seat) < state.to_throw]
    state.owing = sum(1 << seat for seat in owing)
    if state.roller in threw:
        raise ValueError(f"pile_seats: expected no card of the roller, got {threw}")
    if not owing and state.phase == PHASE_THROW:
        raise ValueError("phase: expected another than throw, because nobody owes a card; got throw")


def _check_dice(state: "LunarLaserFrogsState") -> None:
    """Refuse dice that cannot lie like this, and count those that are left."""
    faces = numbers_of(state.faces, DICE)
    if state.phase == PHASE_OVER:
        if any(faces) or state.size:
            raise ValueError(f"faces: expected no dice after the end, got {faces}")
        return
    rolled = sum(face > 0 for face in faces)
    wanted = ([0], range(1, 5), range(2, 6), [DICE])[state.window]
    if rolled not in wanted:
        raise ValueError(f"faces: expected {wanted[0]} to {wanted[-1]} dice in window {state.window}, got {faces}")
    state.left = sum(1 << 3 * kind for kind, face in zip(THE_DICE.kinds, faces, strict=True) if not face)
    shown = numbers_of(state.rolls[state.turn % state.seats], DICE)
    if any(face not in (0, roll) for face, roll in zip(faces, shown, strict=True)):
        raise ValueError(f"faces: expected what was drawn, {shown}, got {faces}")
