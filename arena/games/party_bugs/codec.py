"""Party Bugs on the wire: options and observations to proto messages and back.

Encoding is hot, and building messages is what it costs. But a message is the concatenation of its fields: those
that repeat are serialized once and kept, and a list of numbers below 128 is its own encoding. A test compares
the bytes with protobuf's.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import repeat
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.engine.packed import members, row_of
from arena.games.party_bugs import codes
from arena.games.party_bugs.codes import KING
from arena.games.party_bugs.rules import GAME
from arena.games.party_bugs.rules_views import Observation, Options
from arena.games.party_bugs.v1 import party_bugs_pb2 as pb

PACKAGE: Final = "type.googleapis.com/arena.games.party_bugs.v1."
FLOOR_TAG: Final = b"\x52"  # field number * 8 + 2, as are the other tags
PLAYED_TAG: Final = b"\x5a"
WAITING_TAG: Final = b"\x62"
EVENTS_TAG: Final = b"\xaa\x06"
HIGHEST: Final = 6 * (91 + 12)  # points: six games, each with every value and a hidden card


class PartyBugsCodec:
    """The translation, as a codec of the contract."""

    @property
    def options_type(self) -> str:
        return PACKAGE + "Options"

    @property
    def observation_type(self) -> str:
        return PACKAGE + "Observation"

    def encode_options(self, options: Options) -> bytes:
        return _serialized(_options_message(options))

    def decode_options(self, data: bytes) -> Options:
        message = pb.Options()
        _parse(message, data)
        return _options(message)

    def encode_observation(self, observation: Observation, legal: Sequence[int], events: Sequence[int]) -> bytes:
        parts = [_options_part(observation.options), *_first_parts(observation)]
        hidden = observation.hidden_bits
        for bits in observation.display_bits:
            parts.append(_display_part(bits, hidden & 1))
            hidden >>= 1
        parts += map(_unseen_part, observation.unseen_bits)
        parts += map(_excluded_part, observation.excluded_bits)
        parts.append(_last_part(observation.mirror, tuple(observation.totals), tuple(observation.points)))
        parts += map(_action_part, legal)
        if events:
            parts.append(_events_part(events))
        return b"".join(parts)

    def decode_legal(self, data: bytes) -> list[int]:
        message = pb.Observation()
        _parse(message, data)
        return [_action_code(action) for action in message.legal_actions]

    def decode_observation(self, data: bytes) -> tuple[Observation, list[int], list[int]]:
        message = pb.Observation()
        _parse(message, data)
        view = Observation(_options(message.options), _within(message.seats, "seats", 2, 6), message.seat)
        _read_numbers(view, message)
        _read_cards(view, message)
        return (
            view,
            [_action_code(action) for action in message.legal_actions],
            _event_codes(view, message.events),
        )


CODEC: Final = PartyBugsCodec()


# Encoding: each part is some fields of an Observation, serialized; the fields of all parts ascend.


def _first_parts(view: Observation) -> tuple[bytes, ...]:
    return (
        _numbers_part(view.seats, view.seat, view.game, view.round, view.phase, view.tied),
        _hand_part(view.hand_bits, view.hidden_value),
        _packed(FLOOR_TAG, bytes(view.floor)),
        _packed(PLAYED_TAG, bytes(view.played)),
        _packed(WAITING_TAG, bytes(view.waiting)),
    )


def _packed(tag: bytes, numbers: bytes) -> bytes:
    """A list field whose numbers are all below 128, as are all values, seats, kinds and points of one game."""
    return tag + _length_prefix(len(numbers)) + numbers if numbers else b""


@cache
def _length_prefix(length: int) -> bytes:
    high, low = divmod(length, 128)
    return bytes([low | 128]) + _length_prefix(high) if high else bytes([low])


def _events_part(events: Sequence[int]) -> bytes:
    raw = struct.pack(f"<{len(events)}I", *events)  # a code has a byte for each part
    told = _packed(b"\x0a", raw[2::4]) + _packed(b"\x12", raw[1::4]) + _packed(b"\x1a", raw[0::4])
    return _packed(EVENTS_TAG, told)


@cache
def _numbers_part(seats: int, seat: int, game: int, game_round: int, phase: int, tied: int) -> bytes:
    message = pb.Observation(seats=seats, seat=seat, game=game, round=game_round, tied=tied)
    message.phase = phase  # type: ignore[assignment]  # the rules count phases as the proto does
    return _serialized(message)


@cache
def _hand_part(bits: int, hidden_value: int) -> bytes:
    return _serialized(pb.Observation(hand=members(bits), hidden_value=hidden_value))


@lru_cache(4096)
def _last_part(mirror: int, totals: tuple[int, ...], points: tuple[int, ...]) -> bytes:
    return _serialized(pb.Observation(mirror=mirror, totals=totals, points=points))


@cache
def _options_part(options: Options) -> bytes:
    return _serialized(pb.Observation(options=_options_message(options)))


@cache
def _display_part(bits: int, hidden: int) -> bytes:
    display = pb.Display(values=members(bits), hidden=bool(hidden))
    return _serialized(pb.Observation(displays=[display]))


@cache
def _unseen_part(bits: int) -> bytes:
    return _serialized(pb.Observation(unseen=[pb.ValueSet(values=members(bits))]))


@cache
def _excluded_part(bits: int) -> bytes:
    return _serialized(pb.Observation(excluded=[pb.ValueSet(values=members(bits))]))


@cache
def _action_part(code: int) -> bytes:
    codes.decoded(code)  # refuses what means nothing
    action = pb.Action(kind=code >> 4, value=code & 15)  # type: ignore[arg-type]  # kinds as in the proto
    return _serialized(pb.Observation(legal_actions=[action]))


def _options_message(options: Options) -> pb.Options:
    pairing = pb.HIDDEN_PAIRING_MUST if options.must else pb.HIDDEN_PAIRING_MAY
    return pb.Options(hidden_card=options.hidden_card, mirror_series=options.mirror_series, hidden_pairing=pairing)


def _serialized(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


# Decoding: whatever is not exactly what encoding writes is refused.


def _parse(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.full_name
        raise ValueError(f"expected a message {name}, got {len(data)} bytes that are none") from None


def _options(message: pb.Options) -> Options:
    return _options_of(message.hidden_card, message.mirror_series, message.hidden_pairing)


@cache
def _options_of(hidden_card: bool, mirror_series: bool, pairing: int) -> Options:  # noqa: FBT001 - a cache's key
    if pairing not in (pb.HIDDEN_PAIRING_MAY, pb.HIDDEN_PAIRING_MUST):
        raise ValueError(f"hidden_pairing: expected may or must, got number {pairing}")
    word = "may" if pairing == pb.HIDDEN_PAIRING_MAY else "must"
    return GAME.options({"hidden_card": hidden_card, "mirror_series": mirror_series, "hidden_pairing": word})


def _read_numbers(view: Observation, message: pb.Observation) -> None:
    series, last = view.options.mirror_series, view.seats - 1
    _within(view.seat, "seat", 0, last)
    view.game = _within(message.game, "game", 0, last if series else 0)
    view.round = _within(message.round, "round", 1, view.options.final_round)
    view.phase = _within(message.phase, "phase", codes.PHASE_HIDE, codes.PHASE_OVER)
    view.tied = _within(message.tied, "tied", 0, last)
    view.mirror = _within(message.mirror, "mirror", -1, last if series else -1)


def _read_cards(view: Observation, message: pb.Observation) -> None:
    seats, players = view.seats, 3 if view.seats == 2 else view.seats
    view.hand_bits = _set(message.hand, "hand")
    view.hidden_value = _within(message.hidden_value, "hidden_value", 0, KING - 1)
    view.floor_row = row_of(_list(message.floor, "floor", [players], KING))
    view.played_row = row_of(_list(message.played, "played", [0, seats], KING))
    waiting = _list(message.waiting, "waiting", range(seats + 1), seats - 1)
    view.waiting_row = row_of([seat + 1 for seat in waiting])
    view.totals = _list(message.totals, "totals", [players], HIGHEST)
    view.points = _list(message.points, "points", [players if view.phase == codes.PHASE_OVER else 0], HIGHEST)
    view.display_bits = [_set(display.values, "displays") for display in message.displays]
    view.hidden_bits = sum(1 << player for player, display in enumerate(message.displays) if display.hidden)
    view.unseen_bits = [_set(unseen.values, "unseen") for unseen in message.unseen]
    view.excluded_bits = [_set(excluded.values, "excluded") for excluded in message.excluded]
    _length(view.display_bits, "displays", [players])
    _length(view.unseen_bits, "unseen", [players])
    _length(view.excluded_bits, "excluded", [seats if view.options.must else 0])


def _action_code(action: pb.Action) -> int:
    return _known_code(action.kind, action.value)


@cache
def _known_code(kind: int, value: int) -> int:
    if value > KING:
        raise ValueError(f"an action: expected a value up to {KING}, got {value}")
    codes.decoded(kind * 16 + value)
    return kind * 16 + value


def _event_codes(view: Observation, events: pb.Events) -> list[int]:
    if not len(events.kinds) == len(events.players) == len(events.values):
        lengths = f"{len(events.kinds)}, {len(events.players)} and {len(events.values)}"
        raise ValueError(f"events: expected lists of equal length, got {lengths}")
    return list(map(_event_code, repeat(view.seats), events.kinds, events.players, events.values))


@cache
def _event_code(seats: int, kind: int, player: int, value: int) -> int:
    _within(kind, "an event's kind", codes.EVENT_GAME, codes.EVENT_SCORED)
    _within(player, "an event's player", 0, 2 if seats == 2 else seats - 1)
    _within(value, "an event's value", 0, 255)
    return codes.event_code(kind, player, value, paul=player == seats)


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


def _length(values: Sequence[int], name: str, lengths: Sequence[int]) -> None:
    if len(values) not in lengths:
        raise ValueError(f"{name}: expected a list of {lengths[-1]}, got one of {len(values)}")


def _set(values: Iterable[int], name: str) -> int:
    return _known_set(tuple(values), name)


@cache
def _known_set(values: tuple[int, ...], name: str) -> int:
    """The set of values that must ascend."""
    bits = 0
    for value in values:
        if not 1 <= value <= KING or bits >> value:
            raise ValueError(f"{name}: expected ascending values from 1 to {KING}, got {list(values)}")
        bits |= 1 << value
    return bits
