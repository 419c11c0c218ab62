"""Party Bugs on the wire: options and observations to proto messages and back."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import repeat
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.engine.packed import row_of, sets_of
from arena.games.party_bugs import codes
from arena.games.party_bugs.codes import KING
from arena.games.party_bugs.encoder import encoded
from arena.games.party_bugs.rules import GAME
from arena.games.party_bugs.rules_views import Observation, Options
from arena.games.party_bugs.v1 import party_bugs_pb2 as pb

PACKAGE: Final = "type.googleapis.com/arena.games.party_bugs.v1."
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

    def encode_observation(self, observation: Observation, legal: list[int], events: list[int]) -> bytes:
        return encoded(observation, legal, events)

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
    displays = [_set(display.values, "displays") for display in message.displays]
    unseen = [_set(values.values, "unseen") for values in message.unseen]
    excluded = [_set(values.values, "excluded") for values in message.excluded]
    _length(displays, "displays", [players])
    _length(unseen, "unseen", [players])
    _length(excluded, "excluded", [seats if view.options.must else 0])
    view.display_sets, view.unseen_sets, view.excluded_sets = sets_of(displays), sets_of(unseen), sets_of(excluded)
    view.hidden_bits = sum(1 << player for player, display in enumerate(message.displays) if display.hidden)


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
