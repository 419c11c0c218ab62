"""The doorman over real sockets: honest clients pass, whatever they have to say, and only one connection stays."""

import asyncio
from dataclasses import replace
from pathlib import Path

import grpc
import grpc.aio
import pytest

from arena import bots, games, sandbox
from arena.attack.hostile import http2
from arena.attack.hostile.http2 import PLAY, PREFACE, SETTINGS, frame, headers, message
from arena.home import Home
from arena.match import FaultKind, MatchSpec, TimeControl
from arena.referee import doorman
from arena.referee.doorman import AT_ONCE, MOST_CONNECTIONS
from arena.referee.runner import Referee
from arena.sandbox import seat
from arena.wire.v1 import referee_service_pb2 as wire
from tests.attack.doors import OPTIONS, door, greeted, hello
from tests.referee.test_faults import GAME

MANY = 1_024
GREETING = PREFACE + frame(SETTINGS, 0, 0)
LARGE = [*OPTIONS, ("grpc.max_receive_message_length", 64 << 20)]
PATIENT = TimeControl(allowance_ms=60_000, bank_ms=60_000)


async def test_a_thousand_matches_at_once_never_trip_it(home: Home) -> None:
    """The SDK as strangers use it; the first frame of all has more than a megabyte."""
    rules = games.load(GAME)
    options = rules.plain_options(rules.options({}))
    stranger = replace(bots.shipped()["random"], matches_at_once=MANY, shipped=False)
    async with Referee(home, sandbox.choose("none"), unsafe=True) as referee:
        seats = (referee.seat(stranger), referee.seat(stranger, 1))
        results = await asyncio.gather(
            *(referee.play(MatchSpec(f"m{number}", GAME, options, seats, number, PATIENT)) for number in range(MANY))
        )
    assert [result.faults for result in results] == [()] * MANY


async def test_frames_of_many_megabytes_pass_one_after_the_other() -> None:
    padding = wire.Message(match_ended=wire.MatchEnded(match_id="m" * 100_000))
    async with door("token") as (session, path), grpc.aio.insecure_channel(f"unix:{path}", options=LARGE) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)()
        await call.write(hello("token"))
        assert isinstance(await call.read(), bytes)
        for count in (10, 100, 300, 500):
            session._frame.messages.extend([padding] * count)
            session._due.set()
            frame = await call.read()
            assert isinstance(frame, bytes)
            assert len(frame) > count * 100_000
        assert session.failure is None


async def test_a_second_connection_does_not_keep_the_agent_out() -> None:
    async with door("token") as (session, path):
        idle = [await asyncio.open_unix_connection(path) for _ in range(AT_ONCE - 1)]
        assert await greeted(path, "token") is not None
        assert session.failure is None
        for reader, writer in idle:  # and ends with the first call
            async with asyncio.timeout(10):
                assert PREFACE not in await _rest(reader)
            writer.close()


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def test_too_many_connections_at_once_are_closed_and_too_many_in_all_are_a_fault() -> None:
    async with door("token") as (session, path):
        lines = [await asyncio.open_unix_connection(path) for _ in range(AT_ONCE)]
        refused, writer = await asyncio.open_unix_connection(path)
        async with asyncio.timeout(10):
            assert await _rest(refused) == b""
        for _ in range(MOST_CONNECTIONS - AT_ONCE - 1):
            _, more = await asyncio.open_unix_connection(path)
            more.close()
        assert not session.closed.is_set()
        _, last = await asyncio.open_unix_connection(path)
        async with asyncio.timeout(10):
            await session.closed.wait()
        failure = session.failure
        assert failure == (FaultKind.PROTOCOL, f"expected one connection, got {MOST_CONNECTIONS + 1} of them")
        for closing in (writer, last, *(line for _, line in lines)):
            closing.close()


async def test_the_end_of_what_an_agent_says_is_passed_on() -> None:
    async with door("token") as (session, path):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(GREETING + headers(1) + frame(http2.DATA, 0, 1, message(hello("token"))))
        async with asyncio.timeout(10):
            await reader.readuntil(b"test")  # the welcome: gRPC sends nothing more once it has seen the end
            writer.write_eof()
            await reader.read()
            await session.gone.wait()
        assert session.failure is None
        writer.close()


async def test_a_fault_is_told_to_the_agent_as_the_status_of_its_call() -> None:
    async with door("token") as (session, path), grpc.aio.insecure_channel(f"unix:{path}", options=LARGE) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)()
        await call.write(hello("token"))
        await call.read()
        writing = asyncio.create_task(call.write(bytes(3 << 20)))  # of which most is never read
        async with asyncio.timeout(10):
            assert await call.code() is grpc.StatusCode.ABORTED
        assert await call.details() == "expected messages of at most 1 MB, got one of 3 MB"
        assert session.failure == (FaultKind.PROTOCOL, await call.details())
        writing.cancel()


async def test_headers_of_which_no_call_comes_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorman, "CALL_SECONDS", 0.5)
    async with door("token") as (session, path):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(GREETING + frame(http2.HEADERS, http2.END_HEADERS, 1, b"\xff" * 50))
        async with asyncio.timeout(10):
            await session.closed.wait()
            await _rest(reader)
        assert session.failure is not None
        assert session.failure[0] is FaultKind.PROTOCOL
        assert session.failure[1].startswith("expected ")
        writer.close()


async def test_the_inner_socket_is_gone_once_the_agent_is_in() -> None:
    def inner() -> set[Path]:
        return {path for place in seat.places() for path in Path(place).glob(f"{seat.prefix()}*")}

    before = inner()
    async with door("token") as (_, path):
        assert len(inner() - before) == 1
        assert all(folder.stat().st_mode & 0o077 == 0 for folder in inner() - before)
        assert await greeted(path, "token") is not None
        assert inner() == before
    async with door("token"):
        pass
    assert inner() == before
