"""The gRPC server of one agent process: one unix socket, one stream, bytes in and out of its session.

A stranger's agent meets a doorman first: the server is then behind it, at a socket that no agent can reach.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import grpc

from arena.match import FaultKind
from arena.referee.doorman import AT_ONCE, Doorman
from arena.referee.inspection import MAX_REQUEST_BYTES, SECOND_STREAM
from arena.referee.session import Misuse, Session
from arena.sandbox import SOCKET, seat

PLAY = "/arena.wire.v1.RefereeService/Play"
WRITE_SECONDS = 10.0  # for a frame that asks nothing; one that asks is on its decisions' clock as well
CLOSE_SECONDS = 0.2

_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.max_allowed_incoming_connections", 2 * AT_ONCE),  # each costs a descriptor; those that end take a moment
    ("grpc.so_reuseport", 0),
    # A client may show that it lives while nothing is asked of it; how often is the doorman's business.
    ("grpc.http2.max_ping_strikes", 0),
)


class Door:
    """Where one agent comes in."""

    def __init__(self, session: Session, write_seconds: float = WRITE_SECONDS, *, trusted: bool = False) -> None:
        self._session = session
        self._write_seconds = write_seconds
        _keep_grpc()
        self._server = grpc.aio.server(options=_OPTIONS)
        self._doorman = None if trusted else Doorman(partial(session.fail, FaultKind.PROTOCOL))
        self._methods = _Methods(self)
        self._taken = False
        self._path = Path()

    async def open(self, path: Path) -> None:
        """Listen on a unix socket at this path until the agent has come in."""
        handler: Any = self._methods
        self._server.add_generic_rpc_handlers((handler,))
        self._path = seat.new() / SOCKET if self._doorman else path
        self._server.add_insecure_port(f"unix:{self._path}")
        await self._server.start()
        if self._doorman:
            self._doorman.open(path, self._path)

    async def shut(self) -> None:
        """Stop listening and end the stream."""
        try:
            await self._stop()
        finally:
            del self._server  # what it knows knows it as well
            self._methods.door = None
            if self._doorman:
                self._doorman.shut()

    async def _stop(self) -> None:
        try:
            await self._server.stop(CLOSE_SECONDS)
        except UnicodeDecodeError:
            # gRPC's own loop has just died of an agent's call whose method is no text: the second time it stops.
            await self._server.stop(CLOSE_SECONDS)

    def called(self, method: str) -> None:
        """The agent calls; whoever calls anything but Play could go on doing so for ever, and fails instead."""
        if self._doorman:
            self._doorman.called()
        if method != PLAY:
            self._session.fail(FaultKind.PROTOCOL, f"expected a call of {PLAY}, got one of {method[:100]!r}")

    async def play(self, requests: AsyncIterator[bytes], context: Any) -> None:
        if self._taken:
            self._session.fail(FaultKind.PROTOCOL, SECOND_STREAM)
            _end(context, grpc.StatusCode.FAILED_PRECONDITION, SECOND_STREAM)
            return
        self._taken = True
        self._path.unlink(missing_ok=True)  # one stream is all that an agent gets: more connections could only disturb
        reader = asyncio.create_task(self._read(requests))
        try:
            await self._write(context)
        finally:
            reader.cancel()
            self._session.hung_up()
        if self._session.failure:
            _end(context, grpc.StatusCode.ABORTED, self._session.failure[1])

    async def _read(self, requests: AsyncIterator[bytes]) -> None:
        try:
            async for data in requests:
                self._session.receive(data)
        except Misuse as misuse:
            self._session.fail(FaultKind.PROTOCOL, str(misuse))
        self._session.hung_up()

    async def _write(self, context: Any) -> None:
        while (frame := await self._session.frame()) is not None:
            try:
                async with asyncio.timeout(self._write_seconds):
                    await context.write(frame)
            except TimeoutError:
                sentence = (
                    f"expected the agent to read a frame within {self._write_seconds:g} s, but it stopped reading"
                )
                self._session.fail(FaultKind.PROTOCOL, sentence)


@cache
def _keep_grpc() -> None:
    """Keep what gRPC shares among its servers: it ends with the last of them, and that can take for ever."""
    grpc.aio.init_grpc_aio()


def _end(context: Any, code: grpc.StatusCode, sentence: str) -> None:
    """Set the status with which a call ends once its handler returns."""
    # To abort it would raise an error, and gRPC would keep that with all that it has seen.
    context.set_code(code)
    context.set_details(sentence)


class _Methods:
    """What an agent may call. gRPC keeps this for longer than the server, so the door is let go when it is shut."""

    def __init__(self, door: Door) -> None:
        self.door: Door | None = door

    def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """What answers a call."""
        if self.door is None:
            return None
        self.door.called(str(details.method))
        if details.method != PLAY:
            return None
        # Bytes go through as they are: the session must see even those that are no message at all.
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self.door.play)
        return handler
