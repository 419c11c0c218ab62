"""Random and mutated bytes for the referee: for some seconds, a minute in CI (ARENA_FUZZ_SECONDS).

Whatever comes, the session either takes it or fails with a sentence; nothing else is raised, nothing is written on
the terminal, others are served, and memory stays. A failure names the seed and the number of its case.
"""

import asyncio
import logging
import os
import random
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.attack.hostile import http2
from arena.attack.hostile.http2 import PREFACE, frame, headers, message
from arena.match import FaultKind
from arena.referee.clock import LoopClock
from arena.referee.session import Misuse, Session
from arena.wire.v1 import referee_service_pb2 as wire
from tests.attack.doors import door, greeted, hello

SECONDS = float(os.environ.get("ARENA_FUZZ_SECONDS", "3"))
SEED = int(os.environ.get("ARENA_FUZZ_SEED", "20"))
MOST_GROWTH = 60 << 20
TOKEN = "token"

pytestmark = pytest.mark.timeout(SECONDS * 2 + 120)


def mutated(luck: random.Random, data: bytes) -> bytes:
    """A few bytes changed, removed, doubled or put in."""
    changed = bytearray(data)
    for _ in range(luck.randint(1, 6)):
        place = luck.randrange(len(changed) + 1)
        match luck.randrange(5):
            case 0 if changed:
                changed[place % len(changed)] ^= 1 << luck.randrange(8)
            case 1 if changed:
                changed[place % len(changed)] = luck.choice((0, 1, 127, 128, 255))
            case 2:
                changed[place:place] = luck.randbytes(luck.randint(1, 9))
            case 3:
                del changed[place : place + luck.randint(1, 9)]
            case _:
                changed[place:place] = changed[max(0, place - 20) : place]
    return bytes(changed)


def requests(luck: random.Random) -> Iterator[bytes]:
    """Messages that an agent could send, more or less."""
    decisions = wire.PlayRequest()
    for number in range(3):
        decisions.decisions.decisions.add(match_id=f"m{number}", decision=number, action_index=number)
    sound = [hello(TOKEN), hello("other"), decisions.SerializeToString(), b""]
    while True:
        wanted = luck.choice(sound)
        yield luck.choice((wanted, mutated(luck, wanted), luck.randbytes(luck.randrange(200))))


def conversations(luck: random.Random) -> Iterator[bytes]:
    """What a client could send over a bare connection, more or less."""
    messages = requests(luck)
    while True:
        parts = [PREFACE, frame(http2.SETTINGS, 0, 0), headers(1), headers(3, "/other/Method")]
        parts += [frame(http2.DATA, 0, 1, message(next(messages), packed=luck.random() < 0.1)) for _ in range(3)]
        parts += [frame(luck.randrange(12), luck.randrange(256), luck.randrange(4), luck.randbytes(luck.randrange(60)))]
        whole = b"".join(luck.sample(parts, len(parts)) if luck.random() < 0.2 else parts)
        yield luck.choice((whole, mutated(luck, whole), PREFACE + mutated(luck, whole), luck.randbytes(500)))


def test_a_session_takes_any_message_or_fails_with_a_sentence() -> None:
    luck = random.Random(SEED)
    end, kinds = time.monotonic() + SECONDS / 3, set()
    asyncio.set_event_loop(None)
    for number, data in enumerate(requests(luck)):
        session = Session(TOKEN, LoopClock(), "test")
        try:
            session.receive(data)
            session.receive(next(requests(luck)))
        except Misuse as misuse:
            kinds.add(str(misuse).split(",")[0])
        except Exception as error:  # noqa: BLE001 - whatever it is
            pytest.fail(f"seed {SEED}, case {number}, {data!r}: {error!r}")
        if time.monotonic() > end:
            break
    assert all(sentence.startswith("expected ") for sentence in kinds), f"seed {SEED}"
    assert len(kinds) >= 4, "expected the cases to reach several checks"


def sent(path: str, data: bytes) -> bool:
    """All of it over a new connection, as far as the referee listens; whether it said anything."""
    with socket.socket(socket.AF_UNIX) as line, suppress(OSError):
        line.settimeout(10)  # it answers at once, but the machine may be busy
        line.connect(path)
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        return bool(line.recv(100))
    return False


def memory() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS"))


async def test_a_door_survives_any_bytes(caplog: pytest.LogCaptureFixture) -> None:
    cases, number, heard = conversations(random.Random(SEED)), 0, 0
    strange: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: strange.append(context))
    failures: set[FaultKind] = set()
    before, end = 0, time.monotonic() + SECONDS * 2 / 3
    async with door("honest") as (honest, other):
        while time.monotonic() < end:
            async with door(TOKEN) as (session, path):
                heard += await asyncio.to_thread(sent, path, next(cases))
                number += 1
                if session.failure:
                    failures.add(session.failure[0])
                    assert session.failure[1].startswith("expected "), f"seed {SEED}, case {number}"
            before = before or memory()  # after the first door, when everything has been loaded
            assert memory() - before < MOST_GROWTH, f"seed {SEED}, case {number}"
        assert honest.failure is None
        assert await greeted(other, "honest") is not None, f"seed {SEED}: an honest agent is not served any more"
    # gRPC leaves a task with this where the name of a method is no text; test_quiet.py shows that nobody sees it.
    assert [one for one in strange if not isinstance(one.get("exception"), UnicodeDecodeError)] == [], f"seed {SEED}"
    # gRPC's own complaints are kept from the terminal, which test_quiet.py shows.
    complaints = [one for one in caplog.records if one.levelno >= logging.ERROR and not one.name.startswith("grpc.")]
    assert complaints == [], f"seed {SEED}"
    assert failures == {FaultKind.PROTOCOL}
    assert heard, "expected the referee to say something to some of them before it shut them out"
