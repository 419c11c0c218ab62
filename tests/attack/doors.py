"""Doors of the referee without processes behind them, for tests that speak to their sockets directly."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio

from arena.attack.hostile.http2 import PLAY
from arena.referee.clock import LoopClock
from arena.referee.server import Door
from arena.referee.session import Session
from arena.wire.v1 import referee_service_pb2 as wire

OPTIONS = [("grpc.default_authority", "localhost")]


@asynccontextmanager
async def door(token: str) -> AsyncIterator[tuple[Session, str]]:
    """A session that waits for its agent, and the path of its socket."""
    session = Session(token, LoopClock(), "test")
    with tempfile.TemporaryDirectory() as folder:
        opened = Door(session)
        await opened.open(Path(folder, "agent.sock"))
        try:
            yield session, f"{folder}/agent.sock"
        finally:
            session.close()
            await opened.shut()


def hello(token: str) -> bytes:
    return wire.PlayRequest(hello=wire.Hello(token=token)).SerializeToString()


async def greeted(path: str, token: str) -> bytes | None:
    """What the referee says to a hello with this token; None if it ends the stream."""
    async with grpc.aio.insecure_channel(f"unix:{path}", options=OPTIONS) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)()
        try:
            await call.write(hello(token))
            frame = await call.read()
        except grpc.aio.AioRpcError:
            return None
        return frame if isinstance(frame, bytes) else None
