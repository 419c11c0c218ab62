from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BugType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUG_TYPE_UNSPECIFIED: _ClassVar[BugType]
    BUG_TYPE_BUTTERFLY: _ClassVar[BugType]
    BUG_TYPE_FIREFLY: _ClassVar[BugType]
    BUG_TYPE_LARVA: _ClassVar[BugType]
    BUG_TYPE_ANT: _ClassVar[BugType]
    BUG_TYPE_SPIDER: _ClassVar[BugType]
    BUG_TYPE_FLY: _ClassVar[BugType]
    BUG_TYPE_BEETLE: _ClassVar[BugType]
    BUG_TYPE_LADYBUG: _ClassVar[BugType]
    BUG_TYPE_MOSQUITO: _ClassVar[BugType]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_TAKE: _ClassVar[ActionKind]
    ACTION_KIND_HATCH: _ClassVar[ActionKind]
    ACTION_KIND_DONE: _ClassVar[ActionKind]
    ACTION_KIND_SHOW: _ClassVar[ActionKind]
    ACTION_KIND_SHOW_HAND: _ClassVar[ActionKind]
    ACTION_KIND_LAY: _ClassVar[ActionKind]
    ACTION_KIND_HANG: _ClassVar[ActionKind]
    ACTION_KIND_PASS: _ClassVar[ActionKind]
    ACTION_KIND_OFFER: _ClassVar[ActionKind]
    ACTION_KIND_SWAP: _ClassVar[ActionKind]
    ACTION_KIND_COPY: _ClassVar[ActionKind]
    ACTION_KIND_KEEP: _ClassVar[ActionKind]
    ACTION_KIND_BREAK: _ClassVar[ActionKind]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_PICK: _ClassVar[Phase]
    PHASE_HATCH: _ClassVar[Phase]
    PHASE_SHOW: _ClassVar[Phase]
    PHASE_LAY: _ClassVar[Phase]
    PHASE_HANG: _ClassVar[Phase]
    PHASE_OFFER: _ClassVar[Phase]
    PHASE_SWAP: _ClassVar[Phase]
    PHASE_PASS_RIGHT: _ClassVar[Phase]
    PHASE_PASS_LEFT: _ClassVar[Phase]
    PHASE_GROUP: _ClassVar[Phase]
    PHASE_BREAK: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_DEALT: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_TOOK: _ClassVar[EventKind]
    EVENT_KIND_HATCHED: _ClassVar[EventKind]
    EVENT_KIND_TOOK_WALL: _ClassVar[EventKind]
    EVENT_KIND_LAID: _ClassVar[EventKind]
    EVENT_KIND_HUNG: _ClassVar[EventKind]
    EVENT_KIND_PASSED_RIGHT: _ClassVar[EventKind]
    EVENT_KIND_PASSED_LEFT: _ClassVar[EventKind]
    EVENT_KIND_OFFERED: _ClassVar[EventKind]
    EVENT_KIND_SHOWED: _ClassVar[EventKind]
    EVENT_KIND_SHOWED_HAND: _ClassVar[EventKind]
    EVENT_KIND_ROUND: _ClassVar[EventKind]
    EVENT_KIND_FLOOR: _ClassVar[EventKind]
    EVENT_KIND_WALL: _ClassVar[EventKind]
    EVENT_KIND_END: _ClassVar[EventKind]
    EVENT_KIND_LEFTOVER: _ClassVar[EventKind]
    EVENT_KIND_LARVA_LEFT: _ClassVar[EventKind]
    EVENT_KIND_NO_CARD: _ClassVar[EventKind]
    EVENT_KIND_LOST: _ClassVar[EventKind]
    EVENT_KIND_COPIED: _ClassVar[EventKind]
    EVENT_KIND_BROKE: _ClassVar[EventKind]
    EVENT_KIND_SCORED: _ClassVar[EventKind]
BUG_TYPE_UNSPECIFIED: BugType
BUG_TYPE_BUTTERFLY: BugType
BUG_TYPE_FIREFLY: BugType
BUG_TYPE_LARVA: BugType
BUG_TYPE_ANT: BugType
BUG_TYPE_SPIDER: BugType
BUG_TYPE_FLY: BugType
BUG_TYPE_BEETLE: BugType
BUG_TYPE_LADYBUG: BugType
BUG_TYPE_MOSQUITO: BugType
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_TAKE: ActionKind
ACTION_KIND_HATCH: ActionKind
ACTION_KIND_DONE: ActionKind
ACTION_KIND_SHOW: ActionKind
ACTION_KIND_SHOW_HAND: ActionKind
ACTION_KIND_LAY: ActionKind
ACTION_KIND_HANG: ActionKind
ACTION_KIND_PASS: ActionKind
ACTION_KIND_OFFER: ActionKind
ACTION_KIND_SWAP: ActionKind
ACTION_KIND_COPY: ActionKind
ACTION_KIND_KEEP: ActionKind
ACTION_KIND_BREAK: ActionKind
PHASE_UNSPECIFIED: Phase
PHASE_PICK: Phase
PHASE_HATCH: Phase
PHASE_SHOW: Phase
PHASE_LAY: Phase
PHASE_HANG: Phase
PHASE_OFFER: Phase
PHASE_SWAP: Phase
PHASE_PASS_RIGHT: Phase
PHASE_PASS_LEFT: Phase
PHASE_GROUP: Phase
PHASE_BREAK: Phase
PHASE_OVER: Phase
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_DEALT: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_TOOK: EventKind
EVENT_KIND_HATCHED: EventKind
EVENT_KIND_TOOK_WALL: EventKind
EVENT_KIND_LAID: EventKind
EVENT_KIND_HUNG: EventKind
EVENT_KIND_PASSED_RIGHT: EventKind
EVENT_KIND_PASSED_LEFT: EventKind
EVENT_KIND_OFFERED: EventKind
EVENT_KIND_SHOWED: EventKind
EVENT_KIND_SHOWED_HAND: EventKind
EVENT_KIND_ROUND: EventKind
EVENT_KIND_FLOOR: EventKind
EVENT_KIND_WALL: EventKind
EVENT_KIND_END: EventKind
EVENT_KIND_LEFTOVER: EventKind
EVENT_KIND_LARVA_LEFT: EventKind
EVENT_KIND_NO_CARD: EventKind
EVENT_KIND_LOST: EventKind
EVENT_KIND_COPIED: EventKind
EVENT_KIND_BROKE: EventKind
EVENT_KIND_SCORED: EventKind

class Options(_message.Message):
    __slots__ = ("final_firefly", "breaking_pairs", "mosquito_is_type")
    FINAL_FIREFLY_FIELD_NUMBER: _ClassVar[int]
    BREAKING_PAIRS_FIELD_NUMBER: _ClassVar[int]
    MOSQUITO_IS_TYPE_FIELD_NUMBER: _ClassVar[int]
    final_firefly: bool
    breaking_pairs: bool
    mosquito_is_type: bool
    def __init__(self, final_firefly: bool = ..., breaking_pairs: bool = ..., mosquito_is_type: bool = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "bug", "second", "wall", "type", "broken")
    KIND_FIELD_NUMBER: _ClassVar[int]
    BUG_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    WALL_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    BROKEN_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    bug: int
    second: int
    wall: int
    type: BugType
    broken: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., bug: _Optional[int] = ..., second: _Optional[int] = ..., wall: _Optional[int] = ..., type: _Optional[_Union[BugType, str]] = ..., broken: _Optional[_Iterable[int]] = ...) -> None: ...

class Group(_message.Message):
    __slots__ = ("types", "pairs")
    TYPES_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    types: _containers.RepeatedScalarFieldContainer[BugType]
    pairs: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, types: _Optional[_Iterable[_Union[BugType, str]]] = ..., pairs: _Optional[_Iterable[int]] = ...) -> None: ...

class Bugs(_message.Message):
    __slots__ = ("bugs",)
    BUGS_FIELD_NUMBER: _ClassVar[int]
    bugs: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, bugs: _Optional[_Iterable[int]] = ...) -> None: ...

class Points(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("options", "seats", "seat", "round", "last_round", "phase", "start", "turn", "deck_size", "offered", "steps", "hand", "hand_sizes", "floor", "wall", "discards", "groups", "hands", "points", "history", "legal_actions", "events")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    LAST_ROUND_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    DECK_SIZE_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    WALL_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    options: Options
    seats: int
    seat: int
    round: int
    last_round: int
    phase: Phase
    start: int
    turn: int
    deck_size: int
    offered: int
    steps: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    floor: _containers.RepeatedScalarFieldContainer[int]
    wall: _containers.RepeatedScalarFieldContainer[int]
    discards: _containers.RepeatedScalarFieldContainer[int]
    groups: _containers.RepeatedCompositeFieldContainer[Group]
    hands: _containers.RepeatedCompositeFieldContainer[Bugs]
    points: _containers.RepeatedCompositeFieldContainer[Points]
    history: Events
    legal_actions: _containers.RepeatedCompositeFieldContainer[Action]
    events: Events
    def __init__(self, options: _Optional[_Union[Options, _Mapping]] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., round: _Optional[int] = ..., last_round: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., start: _Optional[int] = ..., turn: _Optional[int] = ..., deck_size: _Optional[int] = ..., offered: _Optional[int] = ..., steps: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., floor: _Optional[_Iterable[int]] = ..., wall: _Optional[_Iterable[int]] = ..., discards: _Optional[_Iterable[int]] = ..., groups: _Optional[_Iterable[_Union[Group, _Mapping]]] = ..., hands: _Optional[_Iterable[_Union[Bugs, _Mapping]]] = ..., points: _Optional[_Iterable[_Union[Points, _Mapping]]] = ..., history: _Optional[_Union[Events, _Mapping]] = ..., legal_actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., events: _Optional[_Union[Events, _Mapping]] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("kinds", "seats", "values")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[EventKind]
    seats: _containers.RepeatedScalarFieldContainer[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[EventKind, str]]] = ..., seats: _Optional[_Iterable[int]] = ..., values: _Optional[_Iterable[int]] = ...) -> None: ...
