"""The mark that gRPC is measured by: real frames of a full house over a bare unix socket, and no engine behind them.

The frames are those that one agent gets when many matches are in flight. A child process answers them through the
SDK's own Conversation, as a bot does; lengths stand before messages, and nothing else is between the two.
"""

import asyncio
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedRWPair
from pathlib import Path
from typing import Final

from arena import games
from arena.engine.rng import seeded
from arena.match import Entrant, MatchResult, MatchSpec
from arena.referee.clock import LoopClock
from arena.referee.session import Session
from arena.referee.table import Table
from arena.sdk import Turn
from arena.sdk.client import Conversation
from arena.wire.v1 import referee_service_pb2 as wire

TOKEN: Final = "mark"  # noqa: S105 - nobody else can reach a session without a socket
PATIENCE: Final = 30.0  # seconds without an answer after which the child has failed
_LENGTH: Final = struct.Struct("<I")


def choose(turn: Turn) -> int:
    """What the shipped bot `random` does, so that both sides of the comparison think alike."""
    return turn.rng.choice(turn.legal)


async def record_frames(game: str, seats: int, in_flight: int) -> list[bytes]:
    """All frames that seat 1 gets while so many matches are played from their start to their end."""
    sessions = [Session(TOKEN, LoopClock(), "bench") for _ in range(seats)]
    frames: list[list[bytes]] = [[] for _ in sessions]
    left = in_flight

    def finished(_result: MatchResult) -> None:
        nonlocal left
        left -= 1
        if not left:
            for session in sessions:
                session.close()

    for index in range(in_flight):
        Table(_spec(game, seats, index), sessions, finished).start()
    await asyncio.gather(*map(_converse, sessions, frames))
    return frames[0]


def rate(frames: list[bytes], seconds: float) -> float:
    """Decisions a second of one agent over a bare socket."""
    with _child() as stream:
        _round(stream, frames[:1])  # until the child has come up
        decisions, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds or not decisions:
            decisions += _round(stream, frames)
        return decisions / spent


def _spec(game: str, seats: int, index: int) -> MatchSpec:
    rules = games.load(game)
    entrants = tuple(Entrant(f"bot {seat}", "", seat) for seat in range(seats))
    return MatchSpec(f"mark-{index}", game, rules.plain_options(rules.options({})), entrants, _seed(index))


def _seed(index: int) -> int:
    return seeded(index).key


async def _converse(session: Session, frames: list[bytes]) -> None:
    """Play one agent without a process, and keep what it was sent."""
    conversation = Conversation(choose)
    session.receive(wire.PlayRequest(hello=wire.Hello(token=TOKEN)).SerializeToString())
    while (frame := await session.frame()) is not None:
        frames.append(frame)
        reply = conversation.answer(wire.PlayResponse.FromString(frame))
        if reply is not None:
            session.receive(reply.SerializeToString())


def _round(stream: BufferedRWPair, frames: list[bytes]) -> int:
    """Send every frame, take every answer, and count the decisions."""
    decisions = 0
    for frame in frames:
        _send(stream, frame)
        data = _receive(stream)
        if data is None:
            raise ConnectionError("expected answers over the bare socket, got the end of the process behind it")
        decisions += len(wire.PlayRequest.FromString(data).decisions.decisions)
    return decisions


@contextmanager
def _child() -> Iterator[BufferedRWPair]:
    """A process that answers frames, at the other end of a stream."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    ours.settimeout(PATIENCE)
    # The child must find this arena, also where it was not installed.
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "arena.bench.socket_mark", str(theirs.fileno())]
    with subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment) as child:
        theirs.close()
        try:
            with ours, ours.makefile("rwb") as stream:
                yield stream
        finally:
            child.kill()


def _send(stream: BufferedRWPair, data: bytes) -> None:
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: BufferedRWPair) -> bytes | None:
    """The next message, None at the end."""
    head = stream.read(_LENGTH.size)
    return stream.read(_LENGTH.unpack(head)[0]) if head else None


def _answer_all(stream: BufferedRWPair) -> None:
    """The child: a bot whose frames that ask nothing are answered too, by an empty message."""
    conversation = Conversation(choose)
    while (frame := _receive(stream)) is not None:
        reply = conversation.answer(wire.PlayResponse.FromString(frame))
        _send(stream, reply.SerializeToString() if reply else b"")


if __name__ == "__main__":
    _answer_all(socket.socket(fileno=int(sys.argv[1])).makefile("rwb"))
