from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_CHOOSE_START: _ClassVar[ActionKind]
    ACTION_KIND_SET_SPIDER: _ClassVar[ActionKind]
    ACTION_KIND_BEGIN: _ClassVar[ActionKind]
    ACTION_KIND_PLACE: _ClassVar[ActionKind]
    ACTION_KIND_MOVE_SPIDER: _ClassVar[ActionKind]
    ACTION_KIND_RESIGN: _ClassVar[ActionKind]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_START: _ClassVar[Phase]
    PHASE_SPIDER: _ClassVar[Phase]
    PHASE_BEGIN: _ClassVar[Phase]
    PHASE_PLAY: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_FIRST: _ClassVar[EventKind]
    EVENT_KIND_SQUARE: _ClassVar[EventKind]
    EVENT_KIND_START: _ClassVar[EventKind]
    EVENT_KIND_SPIDER_SET: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_BEGAN: _ClassVar[EventKind]
    EVENT_KIND_PLACED: _ClassVar[EventKind]
    EVENT_KIND_CLOVER: _ClassVar[EventKind]
    EVENT_KIND_SPIDER_MOVED: _ClassVar[EventKind]
    EVENT_KIND_EATEN: _ClassVar[EventKind]
    EVENT_KIND_ELIMINATED: _ClassVar[EventKind]
    EVENT_KIND_RESIGNED: _ClassVar[EventKind]
    EVENT_KIND_BED: _ClassVar[EventKind]
    EVENT_KIND_UNUSED: _ClassVar[EventKind]
    EVENT_KIND_CLOVERS: _ClassVar[EventKind]
    EVENT_KIND_SCORED: _ClassVar[EventKind]
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_CHOOSE_START: ActionKind
ACTION_KIND_SET_SPIDER: ActionKind
ACTION_KIND_BEGIN: ActionKind
ACTION_KIND_PLACE: ActionKind
ACTION_KIND_MOVE_SPIDER: ActionKind
ACTION_KIND_RESIGN: ActionKind
PHASE_UNSPECIFIED: Phase
PHASE_START: Phase
PHASE_SPIDER: Phase
PHASE_BEGIN: Phase
PHASE_PLAY: Phase
PHASE_OVER: Phase
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_FIRST: EventKind
EVENT_KIND_SQUARE: EventKind
EVENT_KIND_START: EventKind
EVENT_KIND_SPIDER_SET: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_BEGAN: EventKind
EVENT_KIND_PLACED: EventKind
EVENT_KIND_CLOVER: EventKind
EVENT_KIND_SPIDER_MOVED: EventKind
EVENT_KIND_EATEN: EventKind
EVENT_KIND_ELIMINATED: EventKind
EVENT_KIND_RESIGNED: EventKind
EVENT_KIND_BED: EventKind
EVENT_KIND_UNUSED: EventKind
EVENT_KIND_CLOVERS: EventKind
EVENT_KIND_SCORED: EventKind

class Options(_message.Message):
    __slots__ = ("action_tiles", "lucky_clover", "spider", "may_resign", "board")
    ACTION_TILES_FIELD_NUMBER: _ClassVar[int]
    LUCKY_CLOVER_FIELD_NUMBER: _ClassVar[int]
    SPIDER_FIELD_NUMBER: _ClassVar[int]
    MAY_RESIGN_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    action_tiles: bool
    lucky_clover: bool
    spider: bool
    may_resign: bool
    board: str
    def __init__(self, action_tiles: bool = ..., lucky_clover: bool = ..., spider: bool = ..., may_resign: bool = ..., board: _Optional[str] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "dots", "space", "uses")
    KIND_FIELD_NUMBER: _ClassVar[int]
    DOTS_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    dots: int
    space: int
    uses: int
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., dots: _Optional[int] = ..., space: _Optional[int] = ..., uses: _Optional[int] = ...) -> None: ...

class Tiles(_message.Message):
    __slots__ = ("spaces", "seats", "dots")
    SPACES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DOTS_FIELD_NUMBER: _ClassVar[int]
    spaces: _containers.RepeatedScalarFieldContainer[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    dots: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, spaces: _Optional[_Iterable[int]] = ..., seats: _Optional[_Iterable[int]] = ..., dots: _Optional[_Iterable[int]] = ...) -> None: ...

class DotCounts(_message.Message):
    __slots__ = ("counts",)
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, counts: _Optional[_Iterable[int]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("options", "seats", "seat", "phase", "first", "current", "rows", "columns", "laid", "beds", "starts", "spider", "tiles", "hand", "drawn", "unseen", "unused", "out", "clover_spaces", "clover_takers", "clover_values", "points", "legal_actions", "events")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    BEDS_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    SPIDER_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    UNUSED_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    CLOVER_SPACES_FIELD_NUMBER: _ClassVar[int]
    CLOVER_TAKERS_FIELD_NUMBER: _ClassVar[int]
    CLOVER_VALUES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    options: Options
    seats: int
    seat: int
    phase: Phase
    first: int
    current: int
    rows: int
    columns: int
    laid: _containers.RepeatedScalarFieldContainer[int]
    beds: _containers.RepeatedScalarFieldContainer[int]
    starts: _containers.RepeatedScalarFieldContainer[int]
    spider: int
    tiles: Tiles
    hand: _containers.RepeatedScalarFieldContainer[int]
    drawn: _containers.RepeatedScalarFieldContainer[int]
    unseen: _containers.RepeatedCompositeFieldContainer[DotCounts]
    unused: _containers.RepeatedScalarFieldContainer[int]
    out: _containers.RepeatedScalarFieldContainer[int]
    clover_spaces: _containers.RepeatedScalarFieldContainer[int]
    clover_takers: _containers.RepeatedScalarFieldContainer[int]
    clover_values: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    legal_actions: _containers.RepeatedCompositeFieldContainer[Action]
    events: Events
    def __init__(self, options: _Optional[_Union[Options, _Mapping]] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., first: _Optional[int] = ..., current: _Optional[int] = ..., rows: _Optional[int] = ..., columns: _Optional[int] = ..., laid: _Optional[_Iterable[int]] = ..., beds: _Optional[_Iterable[int]] = ..., starts: _Optional[_Iterable[int]] = ..., spider: _Optional[int] = ..., tiles: _Optional[_Union[Tiles, _Mapping]] = ..., hand: _Optional[_Iterable[int]] = ..., drawn: _Optional[_Iterable[int]] = ..., unseen: _Optional[_Iterable[_Union[DotCounts, _Mapping]]] = ..., unused: _Optional[_Iterable[int]] = ..., out: _Optional[_Iterable[int]] = ..., clover_spaces: _Optional[_Iterable[int]] = ..., clover_takers: _Optional[_Iterable[int]] = ..., clover_values: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., legal_actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., events: _Optional[_Union[Events, _Mapping]] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("kinds", "seats", "uses", "values", "spaces")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[EventKind]
    seats: _containers.RepeatedScalarFieldContainer[int]
    uses: _containers.RepeatedScalarFieldContainer[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    spaces: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[EventKind, str]]] = ..., seats: _Optional[_Iterable[int]] = ..., uses: _Optional[_Iterable[int]] = ..., values: _Optional[_Iterable[int]] = ..., spaces: _Optional[_Iterable[int]] = ...) -> None: ...
