"""Bugs on Rugs on the wire: options and observations to proto messages and back."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import repeat
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.actions import Break, Copy, Hatch, Swap, coded, decoded
from arena.games.bugs_on_rugs.deck import BUGS, CARDS
from arena.games.bugs_on_rugs.encoder import encoded
from arena.games.bugs_on_rugs.rules_codes import HIGHEST_BUG, LADYBUG, MOSQUITO_TYPE
from arena.games.bugs_on_rugs.rules_views import Observation, Options
from arena.games.bugs_on_rugs.v1 import bugs_on_rugs_pb2 as pb

PACKAGE: Final = "type.googleapis.com/arena.games.bugs_on_rugs.v1."
MOST_POINTS: Final = 999
MOST_ROUNDS: Final = 99
MOST_STEPS: Final = 5
NUMBERS: Final = (codes.EVENT_ROUND, codes.EVENT_END, codes.EVENT_SCORED)  # events whose value is just that
OF_TYPES: Final = (codes.EVENT_COPIED, codes.EVENT_BROKE)


class BugsOnRugsCodec:
    """The translation, as a codec of the contract."""

    @property
    def options_type(self) -> str:
        return PACKAGE + "Options"

    @property
    def observation_type(self) -> str:
        return PACKAGE + "Observation"

    def encode_options(self, options: Options) -> bytes:
        message = pb.Options(
            final_firefly=options.final_firefly,
            breaking_pairs=options.breaking_pairs,
            mosquito_is_type=options.mosquito_is_type,
        )
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
        view = Observation(_options(message.options), _within(message.seats, "seats", 2, 5), message.seat)
        _read_numbers(view, message)
        _read_cards(view, message)
        _read_rows(view, message)
        view.history = _event_codes(view, message.history, codes.LAST_OF_HANDS)
        legal = [_action_code(action) for action in message.legal_actions]
        return view, legal, _event_codes(view, message.events, codes.EVENT_SCORED)


CODEC: Final = BugsOnRugsCodec()


# Decoding: whatever is not exactly what encoding writes is refused.


def _parse(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.full_name
        raise ValueError(f"expected a message {name}, got {len(data)} bytes that are none") from None


def _options(message: pb.Options) -> Options:
    return Options(
        final_firefly=message.final_firefly,
        breaking_pairs=message.breaking_pairs,
        mosquito_is_type=message.mosquito_is_type,
    )


def _read_numbers(view: Observation, message: pb.Observation) -> None:
    last = view.seats - 1
    _within(view.seat, "seat", 0, last)
    view.round = _within(message.round, "round", 1, MOST_ROUNDS)
    view.last_round = _within(message.last_round, "last_round", 0, view.round + 1)
    view.phase = _within(message.phase, "phase", codes.PHASE_PICK, codes.PHASE_OVER)
    view.start = _within(message.start, "start", 0, last)
    view.turn = _within(message.turn, "turn", 0, 2 * view.seats - 1)
    view.deck_size = _within(message.deck_size, "deck_size", 0, len(CARDS))
    view.offered = _within(message.offered, "offered", 0, HIGHEST_BUG)
    view.steps = _within(message.steps, "steps", 0, MOST_STEPS)


def _read_cards(view: Observation, message: pb.Observation) -> None:
    view.hand = _ascending(message.hand, "hand")
    view.hand_sizes = _list(message.hand_sizes, "hand_sizes", [view.seats], len(CARDS))
    view.floor = _bugs(message.floor, "floor")
    view.wall = _bugs(message.wall, "wall")
    view.discards = _ascending(message.discards, "discards")


def _read_rows(view: Observation, message: pb.Observation) -> None:
    seats, phase = view.seats, view.phase
    revealed = [seats if phase >= codes.PHASE_BREAK else 0]
    view.groups = [_group(group) for group in message.groups]
    _length(view.groups, "groups", [seats if phase >= codes.PHASE_GROUP else 0])
    view.hands = [_ascending(hand.bugs, "hands") for hand in message.hands]
    _length(view.hands, "hands", revealed)
    view.points = [_list(row.points, "points", [LADYBUG], MOST_POINTS) for row in message.points]
    _length(view.points, "points", [seats if phase == codes.PHASE_OVER else 0])


def _group(message: pb.Group) -> int:
    types, group = list(message.types), 0
    if types != sorted(set(types)) or len(types) != len(message.pairs):
        raise ValueError(f"groups: expected ascending types with their pairs, got {types}")
    for type_, pairs in zip(types, message.pairs, strict=True):
        _within(type_, "a group's type", codes.BUTTERFLY, LADYBUG)
        group |= _within(pairs, "a group's pairs", 1, MOST_STEPS) << 4 * (type_ - 1)
    return group


def _action_code(action: pb.Action) -> int:
    return _known_code(action.kind, action.bug, action.second, action.wall, action.type, tuple(action.broken))


@cache
def _known_code(kind: int, bug: int, second: int, wall: int, type_: int, broken: tuple[int, ...]) -> int:
    """The code that means these parts, if they mean anything together."""
    if max(bug, second, wall, type_, *broken, 0) > HIGHEST_BUG:
        raise ValueError("an action: expected small numbers, got a large one")
    code = _code_of(kind, bug, second, wall, type_, broken)
    if _parts_of(code) != (kind, bug, second, wall, type_, broken):
        raise ValueError(f"an action of kind {kind}: expected the parts of that kind alone, got others")
    return code


def _code_of(kind: int, bug: int, second: int, wall: int, type_: int, broken: tuple[int, ...]) -> int:
    if kind == codes.HATCH:
        return coded(Hatch(bug, second, wall))
    if kind == codes.SWAP:
        return coded(Swap(wall))
    if kind == codes.COPY:
        return coded(Copy(type_))
    if kind == codes.BREAK:
        _length(broken, "an action's broken pairs", [5])
        return coded(Break(*broken))
    return kind << 16 | bug


def _parts_of(code: int) -> tuple[int, int, int, int, int, tuple[int, ...]]:
    action, kind = decoded(code), code >> 16
    match action:
        case Hatch(first, second, wall):
            return kind, first, second, wall, 0, ()
        case Swap(wall):
            return kind, 0, 0, wall, 0, ()
        case Copy(type_):
            return kind, 0, 0, 0, type_, ()
        case Break(ants, spiders, flies, beetles, ladybugs):
            return kind, 0, 0, 0, 0, (ants, spiders, flies, beetles, ladybugs)
    return kind, code & 0xFFFF, 0, 0, 0, ()


def _event_codes(view: Observation, events: pb.Events, last: int) -> list[int]:
    if not len(events.kinds) == len(events.seats) == len(events.values):
        lengths = f"{len(events.kinds)}, {len(events.seats)} and {len(events.values)}"
        raise ValueError(f"events: expected lists of equal length, got {lengths}")
    return list(map(_event_code, repeat(view.seats), repeat(last), events.kinds, events.seats, events.values))


@cache
def _event_code(seats: int, last: int, kind: int, seat: int, value: int) -> int:
    _within(kind, "an event's kind", codes.EVENT_DEALT, last)
    _within(seat, "an event's seat", 0, seats - 1)
    if kind in NUMBERS:
        _within(value, "an event's value", 0, MOST_POINTS)
    elif kind in OF_TYPES:
        _within(value, "an event's type", codes.BUTTERFLY, MOSQUITO_TYPE)
    elif value and value not in BUGS:
        raise ValueError(f"an event's value: expected a bug, got number {value}")
    return kind << 16 | seat << 12 | value


def _within(value: int, name: str, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {value}")
    return value


def _list(values: Iterable[int], name: str, lengths: Sequence[int], high: int) -> list[int]:
    read = list(values)
    _length(read, name, lengths)
    if read:
        _within(max(read), name, 0, high)
    return read


def _length(values: Sequence[object], name: str, lengths: Sequence[int]) -> None:
    if len(values) not in lengths:
        raise ValueError(f"{name}: expected a list of {lengths[-1]}, got one of {len(values)}")


def _bugs(values: Iterable[int], name: str) -> list[int]:
    return list(_known_bugs(tuple(values), name))


@cache
def _known_bugs(values: tuple[int, ...], name: str) -> tuple[int, ...]:
    if wrong := [value for value in values if value not in BUGS]:
        raise ValueError(f"{name}: expected bugs, got number {wrong[0]}")
    return values


def _ascending(values: Iterable[int], name: str) -> list[int]:
    read = _bugs(values, name)
    if read != sorted(read):
        raise ValueError(f"{name}: expected ascending bugs, got {read}")
    return read
