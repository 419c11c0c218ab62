"""Lucky Numbers on the wire: options and observations to proto messages and back."""

from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.games.lucky_numbers import encoder
from arena.games.lucky_numbers import rules_codes as codes
from arena.games.lucky_numbers.encoder import SETUPS, encoded
from arena.games.lucky_numbers.rules import GAME
from arena.games.lucky_numbers.rules_codes import SPACES, TILES
from arena.games.lucky_numbers.rules_garden import Garden, garden_of, is_ascending
from arena.games.lucky_numbers.rules_views import Observation, Options, tile_counts
from arena.games.lucky_numbers.v1 import lucky_numbers_pb2 as pb

PACKAGE: Final = "type.googleapis.com/arena.games.lucky_numbers.v1."
MOST_POINTS: Final = 4 * SPACES  # gained or lost in four games


class LuckyNumbersCodec:
    """The translation, as a codec of the contract."""

    @property
    def options_type(self) -> str:
        return PACKAGE + "Options"

    @property
    def observation_type(self) -> str:
        return PACKAGE + "Observation"

    def encode_options(self, options: Options) -> bytes:
        return pb.Options(
            setup=pb.Setup.Name(SETUPS.index(options.setup)),
            distinct_diagonal=options.distinct_diagonal,
            tournament=options.tournament,
        ).SerializeToString(deterministic=True)

    def decode_options(self, data: bytes) -> Options:
        message = pb.Options()
        _parse(message, data)
        return _options(message)

    def encode_observation(self, observation: Observation, legal: list[int], events: list[int]) -> bytes:
        return encoded(observation, legal, events)

    def decode_legal(self, data: bytes) -> list[int]:
        message = pb.Observation()
        _parse(message, data)
        return [_action_code(action.kind, action.tile, action.space) for action in message.legal_actions]

    def decode_observation(self, data: bytes) -> tuple[Observation, list[int], list[int]]:
        message = pb.Observation()
        _parse(message, data)
        view = Observation(_options(message.options), _within(message.seats, "seats", 2, 4), message.seat)
        _read_numbers(view, message)
        _read_tiles(view, message)
        return (
            view,
            [_action_code(action.kind, action.tile, action.space) for action in message.legal_actions],
            _event_codes(view, message.events),
        )


CODEC: Final = LuckyNumbersCodec()


# Decoding: whatever is not exactly what encoding writes is refused.


def _parse(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.full_name
        raise ValueError(f"expected a message {name}, got {len(data)} bytes that are none") from None


def _options(message: pb.Options) -> Options:
    return _options_of(message.setup, message.distinct_diagonal, message.tournament)


@cache
def _options_of(setup: int, distinct: bool, tournament: bool) -> Options:  # noqa: FBT001 - a cache's key
    _within(setup, "setup", 1, len(SETUPS) - 1)
    return GAME.options({"setup": SETUPS[setup], "distinct_diagonal": distinct, "tournament": tournament})


def _read_numbers(view: Observation, message: pb.Observation) -> None:
    last = view.seats - 1
    _within(view.seat, "seat", 0, last)
    view.game = _within(message.game, "game", 0, last if view.options.tournament else 0)
    view.phase = _within(message.phase, "phase", codes.PHASE_ARRANGE, codes.PHASE_OVER)
    view.start = _within(message.start, "start", 0, last)
    view.turn = _within(message.turn, "turn", 0, last)
    view.drawn = _within(message.drawn, "drawn", 0, TILES)
    _within(message.idle_limit, "idle_limit", view.idle_limit, view.idle_limit)
    view.idle = _within(message.idle, "idle", 0, view.idle_limit)
    view.totals = _list(message.totals, "totals", [view.seats], -MOST_POINTS, MOST_POINTS)


def _read_tiles(view: Observation, message: pb.Observation) -> None:
    seats, anywhere = view.seats, range(TILES * view.seats + 1)
    face_up = _list(message.face_up, "face_up", anywhere, 1, TILES)
    if face_up != sorted(face_up):
        raise ValueError(f"face_up: expected ascending tiles, got {face_up}")
    if len(message.gardens) != seats:
        raise ValueError(f"gardens: expected {seats}, got {len(message.gardens)}")
    if len(message.open) != (seats if view.phase == codes.PHASE_ARRANGE else 0):
        raise ValueError(f"open: expected {seats} lists just while tiles are arranged, got {len(message.open)}")
    view.gardens = [_garden(tuple(garden.tiles)) for garden in message.gardens]
    view.set_aside = _list(message.set_aside, "set_aside", anywhere, 1, TILES)
    view.open = [_list(tiles.tiles, "open", range(5), 1, TILES) for tiles in message.open]
    for tile in set(face_up):  # before they are counted in three bits each
        _within(face_up.count(tile), f"tiles with the number {tile}", 0, seats)
    view.face_up_counts = tile_counts(face_up)
    _check_counts(view, message.face_down)


def _check_counts(view: Observation, face_down: int) -> None:
    """Refuse more of a tile than there are sets, and another number of face-down tiles than are left."""
    left = view.unseen_counts()
    if min(left) < 0:
        tile = left.index(min(left))
        raise ValueError(f"tiles with the number {tile}: expected {view.seats}, got {view.seats - left[tile]}")
    view.face_down = _within(face_down, "face_down", sum(left), sum(left))


@lru_cache(maxsize=4096)  # most gardens of a view were in the one before; there is no end to all of them
def _garden(tiles: tuple[int, ...]) -> Garden:
    garden = garden_of(_list(tiles, "gardens", [SPACES], 0, TILES))
    if not is_ascending(garden):
        raise ValueError(f"gardens: expected ascending rows and columns, got {list(tiles)}")
    return garden


@cache
def _action_code(kind: int, tile: int, space: int) -> int:
    if kind in (encoder.DRAW, encoder.DISCARD) and tile == space == 0:
        return codes.DRAW if kind == encoder.DRAW else codes.DISCARD
    if kind == encoder.TAKE and 1 <= tile <= TILES and space < SPACES:
        return codes.TAKE + SPACES * tile + space
    if kind == encoder.PLACE and tile == 0 and space < SPACES:
        return codes.PLACE + space
    if kind == encoder.LAY and tile == 0 and space in codes.DIAGONAL:
        return codes.LAY + space
    raise ValueError(f"an action: expected one of the game, got kind {kind}, tile {tile}, space {space}")


def _event_codes(view: Observation, events: pb.Events) -> list[int]:
    lists = (events.kinds, events.seats, events.tiles, events.spaces, events.exchanged)
    lengths = [len(one) for one in lists]
    if len(set(lengths)) > 1:
        raise ValueError(f"events: expected lists of equal length, got {lengths}")
    return [_event_code(view.seats, *parts) for parts in zip(*lists, strict=True)]


@cache
def _event_code(seats: int, kind: int, seat: int, tile: int, space: int, exchanged: int) -> int:
    _within(kind, "an event's kind", codes.EVENT_GAME, codes.EVENT_LOST)
    _within(seat, "an event's seat", 0, seats - 1)
    _within(tile, "an event's tile", 0, TILES)
    _within(space, "an event's space", 0, SPACES - 1)
    _within(exchanged, "an event's exchanged tile", 0, TILES)
    return codes.event_code(kind, seat, tile, space, exchanged)


def _within(value: int, name: str, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {value}")
    return value


def _list(values: Iterable[int], name: str, lengths: Collection[int], low: int, high: int) -> list[int]:
    read = list(values)
    if len(read) not in lengths:
        raise ValueError(f"{name}: expected a list of {max(lengths)} or fewer, got one of {len(read)}")
    for value in read:
        _within(value, name, low, high)
    return read
