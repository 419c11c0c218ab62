"""A door lets in one agent with its own token, nobody after it, and can always be shut."""

import asyncio
import socket

import grpc
import grpc.aio
import pytest

from arena.attack.hostile.http2 import PLAY, PREFACE, SETTINGS, frame, headers
from arena.match import FaultKind
from tests.attack.doors import OPTIONS, door, greeted, hello

WRONG = (FaultKind.PROTOCOL, "expected the token of ARENA_TOKEN, got another one")


async def test_tokens_fit_their_own_doors_alone() -> None:
    async with door("of a") as (first, one), door("of b") as (second, two):
        assert await greeted(one, "of b") is None
        assert (first.failure, second.failure) == (WRONG, None)
        assert await greeted(two, "of a") is None
        assert second.failure == WRONG


async def test_the_owner_of_a_stolen_token_is_not_harmed() -> None:
    async with door("of a") as (first, one), door("of b") as (second, two):
        assert await greeted(one, "of b") is None
        assert await greeted(two, "of b") is not None
        assert second.failure is None
        assert first.failure == WRONG


async def test_the_beginning_of_a_token_is_not_enough() -> None:
    for guess in ("", "of", "of a ", "OF A", "of a\0"):
        async with door("of a") as (session, path):
            assert await greeted(path, guess) is None
            assert session.failure == WRONG


async def test_nobody_connects_once_the_agent_is_in() -> None:
    async with door("token") as (session, path), grpc.aio.insecure_channel(f"unix:{path}", options=OPTIONS) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)()
        await call.write(hello("token"))
        assert isinstance(await call.read(), bytes)
        with socket.socket(socket.AF_UNIX) as line, pytest.raises(FileNotFoundError):
            line.connect(path)
        assert session.failure is None


async def test_a_call_without_a_name_at_the_last_moment_keeps_no_door_open() -> None:
    """gRPC's own loop dies of a method whose name is no text; if it does so just now, stopping fails once."""
    call = headers(1, "/name").replace(b"name", b"n\xffme")
    for number in range(60):
        async with asyncio.timeout(20), door("token") as (_, path):
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(path)
                line.sendall(PREFACE + frame(SETTINGS, 0, 0) + call)
                await asyncio.sleep(number / 20_000)  # somewhere in these few milliseconds lies the moment
