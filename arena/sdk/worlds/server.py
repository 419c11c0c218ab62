"""The gRPC server of one bot's imagination, on a unix socket that only the bot can reach.

Calls are answered one after the other, on a thread of their own: however long one takes, the main thread sees at once
when the bot ends.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError, Message

from arena.sdk.worlds.imagination import Imagination, Misasked
from arena.wire.v1 import world_service_pb2 as wire

SERVICE: Final = "arena.wire.v1.WorldService"
MOST_BYTES: Final = 64 << 20  # of a request or an answer: a thousand observations fit

_OPTIONS: Final = (("grpc.max_receive_message_length", MOST_BYTES), ("grpc.max_send_message_length", MOST_BYTES))

Answer = Callable[[Any], Message]


@contextmanager
def serving(socket: Path, imagination: Imagination) -> Iterator[None]:
    """A server that answers on this socket."""
    server = grpc.server(ThreadPoolExecutor(max_workers=1), options=_OPTIONS)
    methods: dict[str, tuple[type[Message], Answer]] = {
        "Sample": (wire.SampleRequest, imagination.sample),
        "Step": (wire.StepRequest, imagination.step),
        "Playout": (wire.PlayoutRequest, imagination.playout),
        "Release": (wire.ReleaseRequest, imagination.release),
    }
    handlers = {name: _method(request, answer) for name, (request, answer) in methods.items()}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    try:
        yield
    finally:
        server.stop(None)


def _method(request: type[Message], answer: Answer) -> "grpc.RpcMethodHandler[bytes, bytes]":
    """Bytes in, bytes out: gRPC would print a traceback for those that are no message."""

    def handle(data: bytes, context: grpc.ServicerContext) -> bytes:
        try:
            return answer(_parsed(request, data)).SerializeToString()
        except Misasked as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except Exception as error:  # noqa: BLE001 - one sentence for the bot, whatever it was
            context.abort(grpc.StatusCode.INTERNAL, _broken(error))

    return grpc.unary_unary_rpc_method_handler(handle)


def _parsed(request: type[Message], data: bytes) -> Message:
    try:
        return request.FromString(data)
    except DecodeError:
        name = request.DESCRIPTOR.full_name
        raise Misasked(f"expected a message {name}, got {len(data)} bytes that are none") from None


def _broken(error: Exception) -> str:
    return f"expected the rules to carry this out, got {type(error).__name__}: {' '.join(str(error).split())}"
