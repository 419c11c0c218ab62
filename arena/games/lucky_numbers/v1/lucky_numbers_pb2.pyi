from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Setup(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SETUP_UNSPECIFIED: _ClassVar[Setup]
    SETUP_SORTED: _ClassVar[Setup]
    SETUP_ARRANGE: _ClassVar[Setup]
    SETUP_MICHAEL: _ClassVar[Setup]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_DRAW: _ClassVar[ActionKind]
    ACTION_KIND_PLACE: _ClassVar[ActionKind]
    ACTION_KIND_DISCARD: _ClassVar[ActionKind]
    ACTION_KIND_TAKE: _ClassVar[ActionKind]
    ACTION_KIND_LAY: _ClassVar[ActionKind]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_ARRANGE: _ClassVar[Phase]
    PHASE_LAY: _ClassVar[Phase]
    PHASE_TURN: _ClassVar[Phase]
    PHASE_PLACE: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_GAME: _ClassVar[EventKind]
    EVENT_KIND_START: _ClassVar[EventKind]
    EVENT_KIND_OPENED: _ClassVar[EventKind]
    EVENT_KIND_SET_ASIDE: _ClassVar[EventKind]
    EVENT_KIND_LAID: _ClassVar[EventKind]
    EVENT_KIND_SHUFFLED_BACK: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_PLACED: _ClassVar[EventKind]
    EVENT_KIND_DISCARDED: _ClassVar[EventKind]
    EVENT_KIND_TOOK: _ClassVar[EventKind]
    EVENT_KIND_FILLED: _ClassVar[EventKind]
    EVENT_KIND_LAST_TILE: _ClassVar[EventKind]
    EVENT_KIND_STALLED: _ClassVar[EventKind]
    EVENT_KIND_WON: _ClassVar[EventKind]
    EVENT_KIND_LOST: _ClassVar[EventKind]
SETUP_UNSPECIFIED: Setup
SETUP_SORTED: Setup
SETUP_ARRANGE: Setup
SETUP_MICHAEL: Setup
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_DRAW: ActionKind
ACTION_KIND_PLACE: ActionKind
ACTION_KIND_DISCARD: ActionKind
ACTION_KIND_TAKE: ActionKind
ACTION_KIND_LAY: ActionKind
PHASE_UNSPECIFIED: Phase
PHASE_ARRANGE: Phase
PHASE_LAY: Phase
PHASE_TURN: Phase
PHASE_PLACE: Phase
PHASE_OVER: Phase
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_GAME: EventKind
EVENT_KIND_START: EventKind
EVENT_KIND_OPENED: EventKind
EVENT_KIND_SET_ASIDE: EventKind
EVENT_KIND_LAID: EventKind
EVENT_KIND_SHUFFLED_BACK: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_PLACED: EventKind
EVENT_KIND_DISCARDED: EventKind
EVENT_KIND_TOOK: EventKind
EVENT_KIND_FILLED: EventKind
EVENT_KIND_LAST_TILE: EventKind
EVENT_KIND_STALLED: EventKind
EVENT_KIND_WON: EventKind
EVENT_KIND_LOST: EventKind

class Options(_message.Message):
    __slots__ = ("setup", "distinct_diagonal", "tournament")
    SETUP_FIELD_NUMBER: _ClassVar[int]
    DISTINCT_DIAGONAL_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    setup: Setup
    distinct_diagonal: bool
    tournament: bool
    def __init__(self, setup: _Optional[_Union[Setup, str]] = ..., distinct_diagonal: bool = ..., tournament: bool = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "tile", "space")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    tile: int
    space: int
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., tile: _Optional[int] = ..., space: _Optional[int] = ...) -> None: ...

class TileList(_message.Message):
    __slots__ = ("tiles",)
    TILES_FIELD_NUMBER: _ClassVar[int]
    tiles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, tiles: _Optional[_Iterable[int]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("options", "seats", "seat", "game", "phase", "start", "turn", "drawn", "idle", "idle_limit", "face_down", "face_up", "gardens", "set_aside", "open", "totals", "legal_actions", "events")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    IDLE_FIELD_NUMBER: _ClassVar[int]
    IDLE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    FACE_DOWN_FIELD_NUMBER: _ClassVar[int]
    FACE_UP_FIELD_NUMBER: _ClassVar[int]
    GARDENS_FIELD_NUMBER: _ClassVar[int]
    SET_ASIDE_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    options: Options
    seats: int
    seat: int
    game: int
    phase: Phase
    start: int
    turn: int
    drawn: int
    idle: int
    idle_limit: int
    face_down: int
    face_up: _containers.RepeatedScalarFieldContainer[int]
    gardens: _containers.RepeatedCompositeFieldContainer[TileList]
    set_aside: _containers.RepeatedScalarFieldContainer[int]
    open: _containers.RepeatedCompositeFieldContainer[TileList]
    totals: _containers.RepeatedScalarFieldContainer[int]
    legal_actions: _containers.RepeatedCompositeFieldContainer[Action]
    events: Events
    def __init__(self, options: _Optional[_Union[Options, _Mapping]] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., game: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., start: _Optional[int] = ..., turn: _Optional[int] = ..., drawn: _Optional[int] = ..., idle: _Optional[int] = ..., idle_limit: _Optional[int] = ..., face_down: _Optional[int] = ..., face_up: _Optional[_Iterable[int]] = ..., gardens: _Optional[_Iterable[_Union[TileList, _Mapping]]] = ..., set_aside: _Optional[_Iterable[int]] = ..., open: _Optional[_Iterable[_Union[TileList, _Mapping]]] = ..., totals: _Optional[_Iterable[int]] = ..., legal_actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., events: _Optional[_Union[Events, _Mapping]] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("kinds", "seats", "tiles", "spaces", "exchanged")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    EXCHANGED_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[EventKind]
    seats: _containers.RepeatedScalarFieldContainer[int]
    tiles: _containers.RepeatedScalarFieldContainer[int]
    spaces: _containers.RepeatedScalarFieldContainer[int]
    exchanged: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[EventKind, str]]] = ..., seats: _Optional[_Iterable[int]] = ..., tiles: _Optional[_Iterable[int]] = ..., spaces: _Optional[_Iterable[int]] = ..., exchanged: _Optional[_Iterable[int]] = ...) -> None: ...
