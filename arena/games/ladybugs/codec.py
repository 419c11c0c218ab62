"""Ladybugs on the wire: options and observations to proto messages and back."""

from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from itertools import repeat
from typing import Final

from google.protobuf.message import DecodeError, Message

from arena.engine.options import OptionError
from arena.games.ladybugs import actions
from arena.games.ladybugs import rules_codes as codes
from arena.games.ladybugs.encoder import encoded
from arena.games.ladybugs.rules import GAME
from arena.games.ladybugs.rules_board import Board
from arena.games.ladybugs.rules_views import Observation, Options, row_counts, with_tile
from arena.games.ladybugs.v1 import ladybugs_pb2 as pb

PACKAGE: Final = "type.googleapis.com/arena.games.ladybugs.v1."
HIGHEST: Final = 1023  # points, as far as an event can tell them


class LadybugsCodec:
    """The translation, as a codec of the contract."""

    @property
    def options_type(self) -> str:
        return PACKAGE + "Options"

    @property
    def observation_type(self) -> str:
        return PACKAGE + "Observation"

    def encode_options(self, options: Options) -> bytes:
        message = pb.Options(board=options.board, spider=options.spider, may_resign=options.may_resign)
        message.action_tiles, message.lucky_clover = options.action_tiles, options.lucky_clover
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
        options = _options(message.options)
        board = _board(options, _within(message.seats, "seats", 2, 4), tuple(message.laid))
        if (message.rows, message.columns, bytes(_small(message.beds))) != (board.rows, board.columns, board.bed_bytes):
            raise ValueError("beds: expected those of the squares as they are laid, got others")
        view = Observation(options, board, _within(message.seat, "seat", 0, board.seats - 1))
        _read_numbers(view, message)
        _read_tiles(view, message)
        _read_seats(view, message)
        _read_clovers(view, message)
        return view, [_action_code(action) for action in message.legal_actions], _event_codes(view, message.events)


CODEC: Final = LadybugsCodec()


# Decoding: whatever is not exactly what encoding writes is refused.


def _parse(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.full_name
        raise ValueError(f"expected a message {name}, got {len(data)} bytes that are none") from None


def _options(message: pb.Options) -> Options:
    switches = (message.action_tiles, message.lucky_clover, message.spider, message.may_resign)
    return _options_of(switches, message.board)


@lru_cache(maxsize=256)
def _options_of(switches: tuple[bool, bool, bool, bool], board: str) -> Options:
    names = ("action_tiles", "lucky_clover", "spider", "may_resign")
    options = GAME.options({**dict(zip(names, switches, strict=True)), "board": board})
    if options.board != board:
        raise OptionError("option board: expected standard or a text in its canonical form, got another form")
    return options


@lru_cache(maxsize=256)
def _board(options: Options, seats: int, laid: tuple[int, ...]) -> Board:
    """The board of these squares; one match asks for it at every decision."""
    needed, squares = len(options.kit.layouts[seats].inserts), len(options.kit.names)
    if len(laid) != needed or len({code >> 3 for code in laid}) != needed or max(laid, default=0) >= 8 * squares:
        raise ValueError(f"laid: expected {needed} different squares of {squares}, got {list(laid)}")
    return Board(options.kit, seats, list(laid))


def _read_numbers(view: Observation, message: pb.Observation) -> None:
    last = view.seats - 1
    view.phase = _within(message.phase, "phase", codes.PHASE_START, codes.PHASE_OVER)
    view.first = _within(message.first, "first", 0, last)
    view.current = _within(message.current, "current", 0, last)
    view.spider = _within(message.spider, "spider", codes.NOWHERE, codes.SPACES if view.options.spider else -1)
    if view.spider != codes.NOWHERE:
        _on_board(view, view.spider, "spider")
    view.starts = [start - 1 for start in _list(message.starts, "starts", [view.seats], codes.SPACES)]
    if any(start != codes.NOWHERE and start not in view.board.starts for start in view.starts):
        raise ValueError(f"starts: expected those of {view.board.starts}, got {view.starts}")
    view.out = sum(1 << seat for seat in set(_list(message.out, "out", range(view.seats + 1), last)))
    view.points = _list(message.points, "points", [view.seats if view.phase == codes.PHASE_OVER else 0], HIGHEST)


def _read_tiles(view: Observation, message: pb.Observation) -> None:
    tiles = message.tiles
    if not len(tiles.spaces) == len(tiles.seats) == len(tiles.dots):
        lengths = f"{len(tiles.spaces)}, {len(tiles.seats)} and {len(tiles.dots)}"
        raise ValueError(f"tiles: expected lists of equal length, got {lengths}")
    stacks = [0] * codes.SPACES
    last = 0
    for space, seat, dots in zip(tiles.spaces, tiles.seats, tiles.dots, strict=True):
        if space < last or seat >= view.seats or not 1 <= dots <= codes.DOTS or stacks[_on_board(view, space)] >= 1024:
            raise ValueError(f"tiles: expected ascending spaces with three tiles at most, got {(space, seat, dots)}")
        stacks[space] = stacks[space] << 5 | seat << 3 | dots
        last = space
    view.stacks = stacks


def _read_seats(view: Observation, message: pb.Observation) -> None:
    seats = view.seats
    hand = _list(message.hand, "hand", range(3), codes.DOTS)
    if hand != sorted(hand) or 0 in hand:
        raise ValueError(f"hand: expected tiles by ascending dots, got {hand}")
    for dots in hand:
        view.hand_pair = with_tile(view.hand_pair, dots)
    view.drawn = _list(message.drawn, "drawn", [seats], codes.TILES)
    unseen = [_list(row.counts, "unseen", [codes.DOTS], codes.EACH) for row in message.unseen]
    _length(unseen, "unseen", [seats])
    view.unseen_rows = [_row(counts) for counts in unseen]
    view.unused = _list(message.unused, "unused", [seats], codes.START | codes.ACTION_TILES)
    _check_counts(view, unseen)


def _row(counts: list[int]) -> int:
    return sum(count << (dots << 2) for dots, count in enumerate(counts, start=1))


def _check_counts(view: Observation, unseen: list[list[int]]) -> None:
    """Hands are what was drawn and not shown; the own one is among what the others have not seen."""
    sizes = [view.drawn[seat] - codes.TILES + sum(counts) for seat, counts in enumerate(unseen)]
    if any(not 0 <= size <= 2 for size in sizes) or sizes[view.seat] != len(view.hand):
        raise ValueError(f"hands: expected two tiles at most and {len(view.hand)} in the own one, got {sizes}")
    if any(view.hand.count(dots) > unseen[view.seat][dots - 1] for dots in view.hand):
        raise ValueError(f"hand: expected tiles that are unseen, got {view.hand}")
    assert row_counts(view.hand) <= view.unseen_rows[view.seat]


def _read_clovers(view: Observation, message: pb.Observation) -> None:
    spaces = view.board.clovers if view.options.lucky_clover else []
    if list(message.clover_spaces) != spaces:
        raise ValueError(f"clover_spaces: expected {spaces}, got {list(message.clover_spaces)}")
    view.taken = _list(message.clover_takers, "clover_takers", [len(spaces)], view.seats)
    highest = 1 + max(view.board.kit.clovers, default=0)
    view.values = _list(message.clover_values, "clover_values", [len(spaces)], highest)
    loose = list(view.board.kit.clovers)
    for value in filter(None, view.values):
        if value - 1 not in loose:
            raise ValueError(f"clover_values: expected some of {view.board.kit.clovers} and 1, got {view.values}")
        loose.remove(value - 1)


def _action_code(action: pb.Action) -> int:
    return _known_code(action.kind, action.dots, action.space, action.uses)


@cache
def _known_code(kind: int, dots: int, space: int, uses: int) -> int:
    if dots > codes.DOTS or space >= codes.SPACES or uses > 15:
        raise ValueError(f"an action: expected dots, space and uses within bounds, got {dots}, {space} and {uses}")
    code = kind << 16 | dots << 12 | space << 4 | uses
    actions.decoded(code)
    return code


def _event_codes(view: Observation, events: pb.Events) -> list[int]:
    lists = (events.kinds, events.seats, events.uses, events.values, events.spaces)
    if len({len(numbers) for numbers in lists}) > 1:
        raise ValueError(f"events: expected lists of equal length, got {', '.join(str(len(each)) for each in lists)}")
    return list(map(_event_code, repeat(view.seats), *lists))


def _event_code(seats: int, kind: int, seat: int, uses: int, value: int, space: int) -> int:
    _within(kind, "an event's kind", codes.EVENT_FIRST, codes.EVENT_SCORED)
    _within(seat, "an event's seat", 0, seats - 1)
    _within(uses, "an event's uses", 0, 15)
    _within(value, "an event's value", 0, HIGHEST)
    _within(space, "an event's space", 0, codes.SPACES - 1)
    return codes.event_code(kind, seat, uses, value, space)


def _on_board(view: Observation, space: int, name: str = "tiles") -> int:
    if space >> 4 >= view.board.rows or space & 15 >= view.board.columns:
        raise ValueError(f"{name}: expected a space of the board, got {space}")
    return space


def _within(value: int, name: str, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {value}")
    return value


def _small(values: Iterable[int]) -> list[int]:
    read = list(values)
    if read:
        _within(max(read), "beds", 0, 255)
    return read


def _list(values: Iterable[int], name: str, lengths: Collection[int], high: int) -> list[int]:
    read = list(values)
    _length(read, name, lengths)
    if read:
        _within(max(read), name, 0, high)
    return read


def _length(values: Collection[object], name: str, lengths: Collection[int]) -> None:
    if len(values) not in lengths:
        raise ValueError(f"{name}: expected a list of {max(lengths)}, got one of {len(values)}")
