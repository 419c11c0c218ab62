"""Lunar Laser Frogs on the wire: options and observations to proto messages and back."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import repeat
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.engine.packed import row_of
from arena.games.lunar_laser_frogs import codes
from arena.games.lunar_laser_frogs.encoder import encoded
from arena.games.lunar_laser_frogs.rules import GAME
from arena.games.lunar_laser_frogs.rules_codes import (
    CODE_BITS,
    DICE,
    EVENT_COPIED,
    EVENT_TURN,
    GREY,
    LAST_WINDOW,
    NAME,
    PHASE_OVER,
    PHASE_THROW,
    ROLL,
    THROW,
    THROW_TWO,
    WAIT,
)
from arena.games.lunar_laser_frogs.rules_dice import THE_DICE
from arena.games.lunar_laser_frogs.rules_views import Observation, Options, Pile, cards_to_throw
from arena.games.lunar_laser_frogs.stored import HIGHEST_POINTS, MOST_TURNS
from arena.games.lunar_laser_frogs.v1 import lunar_laser_frogs_pb2 as pb

PACKAGE: Final = "type.googleapis.com/arena.games.lunar_laser_frogs.v1."


class LunarLaserFrogsCodec:
    """The translation, as a codec of the contract."""

    @property
    def options_type(self) -> str:
        return PACKAGE + "Options"

    @property
    def observation_type(self) -> str:
        return PACKAGE + "Observation"

    def encode_options(self, options: Options) -> bytes:
        timing = pb.TIMING_ARRIVAL if options.by_arrival else pb.TIMING_WINDOWS
        message = pb.Options(turns=options.turns, roller_sees_order=options.roller_sees_order, timing=timing)
        return message.SerializeToString(deterministic=True)

    def decode_options(self, data: bytes) -> Options:
        message = pb.Options()
        _parse(message, data)
        return _options(message)

    def encode_observation(self, observation: Observation, legal: list[int], events: list[int]) -> bytes:
        return encoded(observation, legal, events)

    def decode_legal(self, data: bytes) -> list[int]:
        message = pb.Observation()
        _parse(message, data)
        return [_action_code(action) for action in message.legal_actions]

    def decode_observation(self, data: bytes) -> tuple[Observation, list[int], list[int]]:
        message = pb.Observation()
        _parse(message, data)
        view = Observation(_options(message.options), _within(message.seats, "seats", 3, 8), message.seat)
        _read_numbers(view, message)
        _read_table(view, message)
        return (
            view,
            [_action_code(action) for action in message.legal_actions],
            _event_codes(view, message.events),
        )


CODEC: Final = LunarLaserFrogsCodec()


# Decoding: whatever is not exactly what encoding writes is refused.


def _parse(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.full_name
        raise ValueError(f"expected a message {name}, got {len(data)} bytes that are none") from None


def _options(message: pb.Options) -> Options:
    return _options_of(message.turns, message.roller_sees_order, message.timing)


@cache
def _options_of(turns: int, roller_sees_order: bool, timing: int) -> Options:  # noqa: FBT001 - a cache's key
    if timing not in (pb.TIMING_WINDOWS, pb.TIMING_ARRIVAL):
        raise ValueError(f"timing: expected windows or arrival, got number {timing}")
    word = "windows" if timing == pb.TIMING_WINDOWS else "arrival"
    return GAME.options({"turns": turns, "roller_sees_order": roller_sees_order, "timing": word})


def _read_numbers(view: Observation, message: pb.Observation) -> None:
    last = view.seats - 1
    _within(view.seat, "seat", 0, last)
    view.turn = _within(message.turn, "turn", 0, MOST_TURNS)
    view.roller = _within(message.roller, "roller", 0, last)
    view.phase = _within(message.phase, "phase", PHASE_THROW, PHASE_OVER)
    view.window = _within(message.window, "window", 0, LAST_WINDOW)
    view.points = _list(message.points, "points", [view.seats], HIGHEST_POINTS)


def _read_table(view: Observation, message: pb.Observation) -> None:
    if list(message.dice) != THE_DICE.kinds or list(message.sides) != THE_DICE.listed_sides:
        raise ValueError(f"dice: expected those of this arena, got {list(message.dice)} with {list(message.sides)}")
    view.face_row = row_of(_list(message.faces, "faces", [DICE], 8))
    view.pile = _pile(view, message.pile, "pile")
    if message.HasField("last"):
        view.last_roller = _within(message.last.roller, "last.roller", 0, view.seats - 1)
        view.last_named = _within(message.last.named, "last.named", 0, view.seats - 1)
        view.last_face_row = row_of(_list(message.last.faces, "last.faces", [DICE], 8))
        view.last_pile = _pile(view, message.last.pile, "last.pile")


def _pile(view: Observation, message: pb.Pile, name: str) -> Pile:
    most = (view.seats - 1) * cards_to_throw(view.seats)
    seats = _list(message.seats, f"{name}.seats", range(most + 1), view.seats - 1)
    cards = _list(message.cards, f"{name}.cards", [len(seats)], GREY)
    windows = _list(message.windows, f"{name}.windows", [len(seats)], LAST_WINDOW)
    return Pile(row_of([seat + 1 for seat in seats]), row_of(cards), row_of(windows), len(seats))


def _action_code(action: pb.Action) -> int:
    return _known_code(action.kind, tuple(action.cards), tuple(action.dice), action.seat)


@cache
def _known_code(kind: int, cards: tuple[int, ...], dice: tuple[int, ...], seat: int) -> int:
    wanted = {WAIT: (0, 0), THROW: (1, 0), THROW_TWO: (2, 0), ROLL: (0, 3), NAME: (0, 0)}.get(kind)
    if wanted != (len(cards), len(dice)) or (seat and kind != NAME) or max((*cards, *dice, seat), default=0) > 7:
        raise ValueError(f"an action: expected what its kind {kind} needs, got cards {cards}, dice {dice}, seat {seat}")
    value = seat
    for card in cards:
        value = value << 3 | card
    for number in reversed(dice):
        value = value << 3 | number
    codes.decoded(kind << CODE_BITS | value)
    return kind << CODE_BITS | value


def _event_codes(view: Observation, events: pb.Events) -> list[int]:
    if not len(events.kinds) == len(events.players) == len(events.values):
        lengths = f"{len(events.kinds)}, {len(events.players)} and {len(events.values)}"
        raise ValueError(f"events: expected lists of equal length, got {lengths}")
    return list(map(_event_code, repeat(view.seats), events.kinds, events.players, events.values))


@cache
def _event_code(seats: int, kind: int, player: int, value: int) -> int:
    _within(kind, "an event's kind", EVENT_TURN, EVENT_COPIED)
    _within(player, "an event's player", 0, seats - 1)
    _within(value, "an event's value", 0, (1 << 24) - 1)
    return codes.event_code(kind, player, value)


def _within(value: int, name: str, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {value}")
    return value


def _list(values: Iterable[int], name: str, lengths: Sequence[int], high: int) -> list[int]:
    read = list(values)
    if len(read) not in lengths:
        raise ValueError(f"{name}: expected a list of {lengths[-1]}, got one of {len(read)}")
    if read:
        _within(max(read), name, 0, high)
    return read
