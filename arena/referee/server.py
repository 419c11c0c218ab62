"""The gRPC server of one agent process: one unix socket, one stream, bytes in and out of its session.

A stranger's agent meets a doorman first: the server is then behind it, at a socket that no agent can reach.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
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
        self._server = grpc.aio.server(options=_OPTIONS)
        self._doorman = None if trusted else Doorman(partial(session.fail, FaultKind.PROTOCOL))
        self._taken = False
        self._path = Path()

    async def open(self, path: Path) -> None:
        """Listen on a unix socket at this path until the agent has come in."""
        # Bytes go through as they are: the session must see even those that are no message at all.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        handler: Any = _Methods(self._called, play)
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
            if self._doorman:
                self._doorman.shut()

    async def _stop(self) -> None:
        try:
            await self._server.stop(CLOSE_SECONDS)
        except UnicodeDecodeError:
            # gRPC's own loop has just died of an agent's call whose method is no text: the second time it stops.
            await self._server.stop(CLOSE_SECONDS)

    def _called(self, method: str) -> None:
        if self._doorman:
            self._doorman.called()
        if method != PLAY:
            self._session.fail(FaultKind.PROTOCOL, f"expected a call of {PLAY}, got one of {method[:100]!r}")

    async def _play(self, requests: AsyncIterator[bytes], context: Any) -> None:
        if self._taken:
            self._session.fail(FaultKind.PROTOCOL, SECOND_STREAM)
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, SECOND_STREAM)
        self._taken = True
        self._path.unlink(missing_ok=True)  # one stream is all that an agent gets: more connections could only disturb
        reader = asyncio.create_task(self._read(requests))
        try:
            await self._write(context)
        finally:
            reader.cancel()
            self._session.hung_up()
        if self._session.failure:
            await context.abort(grpc.StatusCode.ABORTED, self._session.failure[1])

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


class _Methods:
    """What an agent may call: Play. Whoever calls anything else could go on doing so for ever, and fails instead."""

    def __init__(self, called: Callable[[str], None], play: "grpc.RpcMethodHandler[bytes, bytes]") -> None:
        self._called = called
        self._play = play

    def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """What answers a call."""
        self._called(str(details.method))
        return self._play if details.method == PLAY else None
