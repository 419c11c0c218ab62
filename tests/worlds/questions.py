"""Requests of the wire of imagined worlds, made from positions, and a client that sends them."""

from collections.abc import Mapping
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message

from arena.engine.contract import State
from arena.sdk.worlds.imagination import Imagination
from arena.wire.v1 import world_service_pb2 as wire
from tests.conformance.cases import Case

EVERYTHING = wire.Details(observations=True, dump=True)
METHODS: dict[str, tuple[type[Message], type[Message]]] = {
    "Sample": (wire.SampleRequest, wire.SampleResponse),
    "Step": (wire.StepRequest, wire.StepResponse),
    "Playout": (wire.PlayoutRequest, wire.PlayoutResponse),
    "Release": (wire.ReleaseRequest, wire.ReleaseResponse),
}


def seen(case: Case, state: State[Any], seat: int) -> Packed:
    """What the referee would send this seat now, news included."""
    return Packed(type_url=case.codec.observation_type, value=case.message(state, seat))


def view(case: Case, state: State[Any], seat: int) -> bytes:
    """The same without news: an imagined world has none."""
    value: bytes = case.codec.encode_observation(state.observe(seat), state.legal_actions(seat), [])
    return value


def sampled(imagination: Imagination, observation: Packed, worlds: int = 1, seed: int = 1) -> list[wire.World]:
    """Worlds with all that is told of them."""
    request = wire.SampleRequest(observation=observation, worlds=worlds, seed=seed, details=EVERYTHING)
    return list(imagination.sample(request).worlds)


def named(indexes: Mapping[int, int]) -> list[wire.SeatAction]:
    """Actions by seat, in their order."""
    return [wire.SeatAction(seat=seat, action_index=index) for seat, index in indexes.items()]


class Client:
    """A bot's side, as its language's stubs would have it."""

    def __init__(self, socket: str) -> None:
        options = (("grpc.default_authority", "localhost"), ("grpc.max_receive_message_length", 64 << 20))
        self._channel = grpc.insecure_channel(f"unix:{socket}", options=options)

    def call(self, method: str, request: Message | bytes, seconds: float = 30) -> Any:
        """The answer; grpc.RpcError if it is none."""
        data = request if isinstance(request, bytes) else request.SerializeToString()
        asking: Any = self._channel.unary_unary(f"/arena.wire.v1.WorldService/{method}")
        answer = asking(data, timeout=seconds)
        return METHODS[method][1].FromString(answer)

    def close(self) -> None:
        """Hang up."""
        self._channel.close()
