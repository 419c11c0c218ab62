from google.protobuf import any_pb2 as _any_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SampleRequest(_message.Message):
    __slots__ = ("observation", "worlds", "seed", "details")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    observation: _any_pb2.Any
    worlds: int
    seed: int
    details: Details
    def __init__(self, observation: _Optional[_Union[_any_pb2.Any, _Mapping]] = ..., worlds: _Optional[int] = ..., seed: _Optional[int] = ..., details: _Optional[_Union[Details, _Mapping]] = ...) -> None: ...

class SampleResponse(_message.Message):
    __slots__ = ("worlds",)
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedCompositeFieldContainer[World]
    def __init__(self, worlds: _Optional[_Iterable[_Union[World, _Mapping]]] = ...) -> None: ...

class Details(_message.Message):
    __slots__ = ("observations", "dump")
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    DUMP_FIELD_NUMBER: _ClassVar[int]
    observations: bool
    dump: bool
    def __init__(self, observations: bool = ..., dump: bool = ...) -> None: ...

class World(_message.Message):
    __slots__ = ("handle", "to_act", "legal_actions", "observations", "dump", "outcome")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    TO_ACT_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    DUMP_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    handle: int
    to_act: _containers.RepeatedScalarFieldContainer[int]
    legal_actions: _containers.RepeatedScalarFieldContainer[int]
    observations: _containers.RepeatedCompositeFieldContainer[_any_pb2.Any]
    dump: str
    outcome: Outcome
    def __init__(self, handle: _Optional[int] = ..., to_act: _Optional[_Iterable[int]] = ..., legal_actions: _Optional[_Iterable[int]] = ..., observations: _Optional[_Iterable[_Union[_any_pb2.Any, _Mapping]]] = ..., dump: _Optional[str] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("places", "scores")
    PLACES_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, places: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

class SeatAction(_message.Message):
    __slots__ = ("seat", "action_index")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action_index: int
    def __init__(self, seat: _Optional[int] = ..., action_index: _Optional[int] = ...) -> None: ...

class StepRequest(_message.Message):
    __slots__ = ("steps", "details")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[Step]
    details: Details
    def __init__(self, steps: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., details: _Optional[_Union[Details, _Mapping]] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("handle", "actions", "copy", "seed")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    handle: int
    actions: _containers.RepeatedCompositeFieldContainer[SeatAction]
    copy: bool
    seed: int
    def __init__(self, handle: _Optional[int] = ..., actions: _Optional[_Iterable[_Union[SeatAction, _Mapping]]] = ..., copy: bool = ..., seed: _Optional[int] = ...) -> None: ...

class StepResponse(_message.Message):
    __slots__ = ("worlds",)
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedCompositeFieldContainer[World]
    def __init__(self, worlds: _Optional[_Iterable[_Union[World, _Mapping]]] = ...) -> None: ...

class PlayoutRequest(_message.Message):
    __slots__ = ("handles", "actions", "playouts", "seed")
    HANDLES_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    handles: _containers.RepeatedScalarFieldContainer[int]
    actions: _containers.RepeatedCompositeFieldContainer[SeatAction]
    playouts: int
    seed: int
    def __init__(self, handles: _Optional[_Iterable[int]] = ..., actions: _Optional[_Iterable[_Union[SeatAction, _Mapping]]] = ..., playouts: _Optional[int] = ..., seed: _Optional[int] = ...) -> None: ...

class PlayoutResponse(_message.Message):
    __slots__ = ("places", "scores", "playouts")
    PLACES_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[float]
    scores: _containers.RepeatedScalarFieldContainer[float]
    playouts: int
    def __init__(self, places: _Optional[_Iterable[float]] = ..., scores: _Optional[_Iterable[float]] = ..., playouts: _Optional[int] = ...) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ("handles",)
    HANDLES_FIELD_NUMBER: _ClassVar[int]
    handles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, handles: _Optional[_Iterable[int]] = ...) -> None: ...

class ReleaseResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
