"""The gRPC server of one bot's imagination, on a unix socket that only the bot can reach."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from arena.sdk.worlds.imagination import Imagination, Misasked
from arena.wire.v1 import world_service_pb2 as wire

SERVICE: Final = "arena.wire.v1.WorldService"
MOST_BYTES: Final = 64 << 20  # of a request or an answer: a thousand observations fit

_OPTIONS: Final = (("grpc.max_receive_message_length", MOST_BYTES), ("grpc.max_send_message_length", MOST_BYTES))

Answer = Callable[[Any], Message]
Handler = Callable[[Any, Any], Awaitable[Message]]


@asynccontextmanager
async def serving(socket: Path) -> AsyncIterator[None]:
    """A server that answers on this socket."""
    server = grpc.aio.server(options=_OPTIONS)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, _methods(Imagination())),))
    server.add_insecure_port(f"unix:{socket}")
    await server.start()
    try:
        yield
    finally:
        await server.stop(None)


def _methods(imagination: Imagination) -> dict[str, Any]:
    methods: dict[str, tuple[type[Message], Answer]] = {
        "Sample": (wire.SampleRequest, imagination.sample),
        "Step": (wire.StepRequest, imagination.step),
        "Playout": (wire.PlayoutRequest, imagination.playout),
        "Release": (wire.ReleaseRequest, imagination.release),
    }
    return {name: _method(request, answer) for name, (request, answer) in methods.items()}


def _method(request: type[Message], answer: Answer) -> Any:
    return grpc.unary_unary_rpc_method_handler(
        _answering(answer), request_deserializer=request.FromString, response_serializer=Message.SerializeToString
    )


def _answering(answer: Answer) -> Handler:
    async def handle(request: Any, context: Any) -> Message:
        try:
            return answer(request)
        except Misasked as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
            raise  # abort does not return

    return handle
