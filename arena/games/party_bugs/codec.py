"""Party Bugs on the wire: options and observations to proto messages and back.

Encoding is hot, and nested messages are what it costs. But a message is the concatenation of its fields, so
those that repeat (displays, sets, actions) are serialized once, kept, and joined in the order of their numbers.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.games.party_bugs import codes
from arena.games.party_bugs.codes import KING
from arena.games.party_bugs.rules import GAME, Observation, Options, bits_of, values_of
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

    def encode_observation(
        self, observation: Observation, legal: Sequence[int], events: Sequence[int]
    ) -> bytes:
        parts = [_options_part(observation.options), _first_part(observation)]
        hidden = observation.hidden_bits
        for bits in observation.display_bits:
            parts.append(_display_part(bits, hidden & 1))
            hidden >>= 1
        parts += map(_unseen_part, observation.unseen_bits)
        parts += map(_excluded_part, observation.excluded_bits)
        parts.append(_last_part(observation))
        parts += map(_action_part, legal)
        if events:
            parts.append(_events_part(events))
        return b"".join(parts)

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


def _first_part(view: Observation) -> bytes:
    return pb.Observation(
        seats=view.seats,
        seat=view.seat,
        game=view.game,
        round=view.round,
        phase=view.phase,  # type: ignore[arg-type]  # the rules count phases as the proto does
        tied=view.tied,
        hand=values_of(view.hand_bits),
        hidden_value=view.hidden_value,
        floor=view.floor,
        played=view.played,
        waiting=view.waiting,
    ).SerializeToString()


def _last_part(view: Observation) -> bytes:
    return pb.Observation(mirror=view.mirror, totals=view.totals, points=view.points).SerializeToString()


def _events_part(events: Sequence[int]) -> bytes:
    message = pb.Events(
        kinds=[code >> 12 for code in events],
        players=[code >> 8 & 7 for code in events],
        values=[code & 255 for code in events],
    )
    return pb.Observation(events=message).SerializeToString()


@cache
def _options_part(options: Options) -> bytes:
    return _serialized(pb.Observation(options=_options_message(options)))


@cache
def _display_part(bits: int, hidden: int) -> bytes:
    display = pb.Display(values=values_of(bits), hidden=bool(hidden))
    return _serialized(pb.Observation(displays=[display]))


@cache
def _unseen_part(bits: int) -> bytes:
    return _serialized(pb.Observation(unseen=[pb.ValueSet(values=values_of(bits))]))


@cache
def _excluded_part(bits: int) -> bytes:
    return _serialized(pb.Observation(excluded=[pb.ValueSet(values=values_of(bits))]))


@cache
def _action_part(code: int) -> bytes:
    codes.decoded(code)  # refuses what means nothing
    action = pb.Action(kind=code >> 4, value=code & 15)  # type: ignore[arg-type]  # kinds as in the proto
    return _serialized(pb.Observation(legal_actions=[action]))


def _options_message(options: Options) -> pb.Options:
    pairing = pb.HIDDEN_PAIRING_MUST if options.must else pb.HIDDEN_PAIRING_MAY
    return pb.Options(
        hidden_card=options.hidden_card, mirror_series=options.mirror_series, hidden_pairing=pairing
    )


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
    pairing = {pb.HIDDEN_PAIRING_MAY: "may", pb.HIDDEN_PAIRING_MUST: "must"}.get(message.hidden_pairing)
    if pairing is None:
        raise ValueError(f"hidden_pairing: expected may or must, got number {message.hidden_pairing}")
    return GAME.options(
        {
            "hidden_card": message.hidden_card,
            "mirror_series": message.mirror_series,
            "hidden_pairing": pairing,
        }
    )


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
    view.floor = _list(message.floor, "floor", [players], KING)
    view.played = _list(message.played, "played", [0, seats], KING)
    view.waiting = _list(message.waiting, "waiting", range(seats + 1), seats - 1)
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
    if action.value > KING:
        raise ValueError(f"an action: expected a value up to {KING}, got {action.value}")
    code = action.kind * 16 + action.value
    codes.decoded(code)
    return code


def _event_codes(view: Observation, events: pb.Events) -> list[int]:
    if not len(events.kinds) == len(events.players) == len(events.values):
        lengths = f"{len(events.kinds)}, {len(events.players)} and {len(events.values)}"
        raise ValueError(f"events: expected lists of equal length, got {lengths}")
    told = zip(events.kinds, events.players, events.values, strict=True)
    return [_event_code(view, kind, player, value) for kind, player, value in told]


def _event_code(view: Observation, kind: int, player: int, value: int) -> int:
    _within(kind, "an event's kind", codes.EVENT_GAME, codes.EVENT_SCORED)
    _within(player, "an event's player", 0, 2 if view.seats == 2 else view.seats - 1)
    _within(value, "an event's value", 0, 255)
    return codes.event_code(kind, player, value, paul=player == view.seats)


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


def _set(values: Sequence[int], name: str) -> int:
    """The set of values that must ascend."""
    bits = 0
    for value in values:
        if not 1 <= value <= KING or bits >> value:
            raise ValueError(f"{name}: expected ascending values from 1 to {KING}, got {list(values)}")
        bits |= 1 << value
    return bits
