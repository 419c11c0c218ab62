from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Timing(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIMING_UNSPECIFIED: _ClassVar[Timing]
    TIMING_WINDOWS: _ClassVar[Timing]
    TIMING_ARRIVAL: _ClassVar[Timing]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_WAIT: _ClassVar[ActionKind]
    ACTION_KIND_THROW: _ClassVar[ActionKind]
    ACTION_KIND_THROW_TWO: _ClassVar[ActionKind]
    ACTION_KIND_ROLL: _ClassVar[ActionKind]
    ACTION_KIND_NAME: _ClassVar[ActionKind]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_THROW: _ClassVar[Phase]
    PHASE_ROLL: _ClassVar[Phase]
    PHASE_NAME: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_TURN: _ClassVar[EventKind]
    EVENT_KIND_EXTRA_TURN: _ClassVar[EventKind]
    EVENT_KIND_THREW: _ClassVar[EventKind]
    EVENT_KIND_ROLLED: _ClassVar[EventKind]
    EVENT_KIND_LASERED: _ClassVar[EventKind]
    EVENT_KIND_REVEALED: _ClassVar[EventKind]
    EVENT_KIND_COPIED: _ClassVar[EventKind]
TIMING_UNSPECIFIED: Timing
TIMING_WINDOWS: Timing
TIMING_ARRIVAL: Timing
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_WAIT: ActionKind
ACTION_KIND_THROW: ActionKind
ACTION_KIND_THROW_TWO: ActionKind
ACTION_KIND_ROLL: ActionKind
ACTION_KIND_NAME: ActionKind
PHASE_UNSPECIFIED: Phase
PHASE_THROW: Phase
PHASE_ROLL: Phase
PHASE_NAME: Phase
PHASE_OVER: Phase
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_TURN: EventKind
EVENT_KIND_EXTRA_TURN: EventKind
EVENT_KIND_THREW: EventKind
EVENT_KIND_ROLLED: EventKind
EVENT_KIND_LASERED: EventKind
EVENT_KIND_REVEALED: EventKind
EVENT_KIND_COPIED: EventKind

class Options(_message.Message):
    __slots__ = ("turns", "roller_sees_order", "timing")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    ROLLER_SEES_ORDER_FIELD_NUMBER: _ClassVar[int]
    TIMING_FIELD_NUMBER: _ClassVar[int]
    turns: int
    roller_sees_order: bool
    timing: Timing
    def __init__(self, turns: _Optional[int] = ..., roller_sees_order: bool = ..., timing: _Optional[_Union[Timing, str]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "cards", "dice", "seat")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    cards: _containers.RepeatedScalarFieldContainer[int]
    dice: _containers.RepeatedScalarFieldContainer[int]
    seat: int
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., cards: _Optional[_Iterable[int]] = ..., dice: _Optional[_Iterable[int]] = ..., seat: _Optional[int] = ...) -> None: ...

class Pile(_message.Message):
    __slots__ = ("seats", "cards", "windows")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    WINDOWS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    windows: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seats: _Optional[_Iterable[int]] = ..., cards: _Optional[_Iterable[int]] = ..., windows: _Optional[_Iterable[int]] = ...) -> None: ...

class Reveal(_message.Message):
    __slots__ = ("roller", "named", "faces", "pile")
    ROLLER_FIELD_NUMBER: _ClassVar[int]
    NAMED_FIELD_NUMBER: _ClassVar[int]
    FACES_FIELD_NUMBER: _ClassVar[int]
    PILE_FIELD_NUMBER: _ClassVar[int]
    roller: int
    named: int
    faces: _containers.RepeatedScalarFieldContainer[int]
    pile: Pile
    def __init__(self, roller: _Optional[int] = ..., named: _Optional[int] = ..., faces: _Optional[_Iterable[int]] = ..., pile: _Optional[_Union[Pile, _Mapping]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("options", "seats", "seat", "turn", "roller", "phase", "window", "dice", "sides", "faces", "pile", "points", "last", "legal_actions", "events")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ROLLER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    FACES_FIELD_NUMBER: _ClassVar[int]
    PILE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    options: Options
    seats: int
    seat: int
    turn: int
    roller: int
    phase: Phase
    window: int
    dice: _containers.RepeatedScalarFieldContainer[int]
    sides: _containers.RepeatedScalarFieldContainer[int]
    faces: _containers.RepeatedScalarFieldContainer[int]
    pile: Pile
    points: _containers.RepeatedScalarFieldContainer[int]
    last: Reveal
    legal_actions: _containers.RepeatedCompositeFieldContainer[Action]
    events: Events
    def __init__(self, options: _Optional[_Union[Options, _Mapping]] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ..., roller: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., window: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ..., sides: _Optional[_Iterable[int]] = ..., faces: _Optional[_Iterable[int]] = ..., pile: _Optional[_Union[Pile, _Mapping]] = ..., points: _Optional[_Iterable[int]] = ..., last: _Optional[_Union[Reveal, _Mapping]] = ..., legal_actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., events: _Optional[_Union[Events, _Mapping]] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("kinds", "players", "values")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[EventKind]
    players: _containers.RepeatedScalarFieldContainer[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[EventKind, str]]] = ..., players: _Optional[_Iterable[int]] = ..., values: _Optional[_Iterable[int]] = ...) -> None: ...
