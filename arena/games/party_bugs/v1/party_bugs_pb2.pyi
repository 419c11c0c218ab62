from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HiddenPairing(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HIDDEN_PAIRING_UNSPECIFIED: _ClassVar[HiddenPairing]
    HIDDEN_PAIRING_MAY: _ClassVar[HiddenPairing]
    HIDDEN_PAIRING_MUST: _ClassVar[HiddenPairing]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_HIDE: _ClassVar[ActionKind]
    ACTION_KIND_PLAY: _ClassVar[ActionKind]
    ACTION_KIND_TAKE: _ClassVar[ActionKind]
    ACTION_KIND_TAKE_AND_PAIR: _ClassVar[ActionKind]
    ACTION_KIND_HAUL: _ClassVar[ActionKind]
    ACTION_KIND_HAUL_AND_PAIR: _ClassVar[ActionKind]
    ACTION_KIND_KEEP_MIRROR: _ClassVar[ActionKind]
    ACTION_KIND_MIRROR: _ClassVar[ActionKind]
    ACTION_KIND_MIRROR_HIDDEN: _ClassVar[ActionKind]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_HIDE: _ClassVar[Phase]
    PHASE_PLAY: _ClassVar[Phase]
    PHASE_PICK: _ClassVar[Phase]
    PHASE_HAUL: _ClassVar[Phase]
    PHASE_MIRROR: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_GAME: _ClassVar[EventKind]
    EVENT_KIND_LAID_OUT: _ClassVar[EventKind]
    EVENT_KIND_KING_RETURNED: _ClassVar[EventKind]
    EVENT_KIND_TIED: _ClassVar[EventKind]
    EVENT_KIND_MIRROR_GIVEN: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_HID: _ClassVar[EventKind]
    EVENT_KIND_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_TOOK: _ClassVar[EventKind]
    EVENT_KIND_HAULED: _ClassVar[EventKind]
    EVENT_KIND_PAIRED: _ClassVar[EventKind]
    EVENT_KIND_PAIRED_HIDDEN: _ClassVar[EventKind]
    EVENT_KIND_MIRRORED: _ClassVar[EventKind]
    EVENT_KIND_MIRRORED_HIDDEN: _ClassVar[EventKind]
    EVENT_KIND_MIRROR_LOST: _ClassVar[EventKind]
    EVENT_KIND_REVEALED: _ClassVar[EventKind]
    EVENT_KIND_SCORED: _ClassVar[EventKind]
HIDDEN_PAIRING_UNSPECIFIED: HiddenPairing
HIDDEN_PAIRING_MAY: HiddenPairing
HIDDEN_PAIRING_MUST: HiddenPairing
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_HIDE: ActionKind
ACTION_KIND_PLAY: ActionKind
ACTION_KIND_TAKE: ActionKind
ACTION_KIND_TAKE_AND_PAIR: ActionKind
ACTION_KIND_HAUL: ActionKind
ACTION_KIND_HAUL_AND_PAIR: ActionKind
ACTION_KIND_KEEP_MIRROR: ActionKind
ACTION_KIND_MIRROR: ActionKind
ACTION_KIND_MIRROR_HIDDEN: ActionKind
PHASE_UNSPECIFIED: Phase
PHASE_HIDE: Phase
PHASE_PLAY: Phase
PHASE_PICK: Phase
PHASE_HAUL: Phase
PHASE_MIRROR: Phase
PHASE_OVER: Phase
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_GAME: EventKind
EVENT_KIND_LAID_OUT: EventKind
EVENT_KIND_KING_RETURNED: EventKind
EVENT_KIND_TIED: EventKind
EVENT_KIND_MIRROR_GIVEN: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_HID: EventKind
EVENT_KIND_PLAYED: EventKind
EVENT_KIND_TOOK: EventKind
EVENT_KIND_HAULED: EventKind
EVENT_KIND_PAIRED: EventKind
EVENT_KIND_PAIRED_HIDDEN: EventKind
EVENT_KIND_MIRRORED: EventKind
EVENT_KIND_MIRRORED_HIDDEN: EventKind
EVENT_KIND_MIRROR_LOST: EventKind
EVENT_KIND_REVEALED: EventKind
EVENT_KIND_SCORED: EventKind

class Options(_message.Message):
    __slots__ = ("hidden_card", "mirror_series", "hidden_pairing")
    HIDDEN_CARD_FIELD_NUMBER: _ClassVar[int]
    MIRROR_SERIES_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_PAIRING_FIELD_NUMBER: _ClassVar[int]
    hidden_card: bool
    mirror_series: bool
    hidden_pairing: HiddenPairing
    def __init__(self, hidden_card: bool = ..., mirror_series: bool = ..., hidden_pairing: _Optional[_Union[HiddenPairing, str]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("kind", "value")
    KIND_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    value: int
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., value: _Optional[int] = ...) -> None: ...

class Display(_message.Message):
    __slots__ = ("values", "hidden")
    VALUES_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    hidden: bool
    def __init__(self, values: _Optional[_Iterable[int]] = ..., hidden: bool = ...) -> None: ...

class ValueSet(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, values: _Optional[_Iterable[int]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("options", "seats", "seat", "game", "round", "phase", "tied", "hand", "hidden_value", "floor", "played", "waiting", "displays", "unseen", "excluded", "mirror", "totals", "points", "legal_actions", "events")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    TIED_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_VALUE_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    DISPLAYS_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_FIELD_NUMBER: _ClassVar[int]
    MIRROR_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    options: Options
    seats: int
    seat: int
    game: int
    round: int
    phase: Phase
    tied: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    hidden_value: int
    floor: _containers.RepeatedScalarFieldContainer[int]
    played: _containers.RepeatedScalarFieldContainer[int]
    waiting: _containers.RepeatedScalarFieldContainer[int]
    displays: _containers.RepeatedCompositeFieldContainer[Display]
    unseen: _containers.RepeatedCompositeFieldContainer[ValueSet]
    excluded: _containers.RepeatedCompositeFieldContainer[ValueSet]
    mirror: int
    totals: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    legal_actions: _containers.RepeatedCompositeFieldContainer[Action]
    events: Events
    def __init__(self, options: _Optional[_Union[Options, _Mapping]] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., game: _Optional[int] = ..., round: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., tied: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., hidden_value: _Optional[int] = ..., floor: _Optional[_Iterable[int]] = ..., played: _Optional[_Iterable[int]] = ..., waiting: _Optional[_Iterable[int]] = ..., displays: _Optional[_Iterable[_Union[Display, _Mapping]]] = ..., unseen: _Optional[_Iterable[_Union[ValueSet, _Mapping]]] = ..., excluded: _Optional[_Iterable[_Union[ValueSet, _Mapping]]] = ..., mirror: _Optional[int] = ..., totals: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., legal_actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., events: _Optional[_Union[Events, _Mapping]] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("kinds", "players", "values")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[EventKind]
    players: _containers.RepeatedScalarFieldContainer[int]
    values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[EventKind, str]]] = ..., players: _Optional[_Iterable[int]] = ..., values: _Optional[_Iterable[int]] = ...) -> None: ...
