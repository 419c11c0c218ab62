"""What gRPC has to say of an agent's bytes does not reach the terminal of whoever runs the arena."""

import socket
import subprocess
import sys
import time
from pathlib import Path

from arena.attack.hostile import http2
from arena.attack.hostile.http2 import PREFACE, frame, headers, message

ROOT = Path(__file__).parent.parent.parent
REFEREE = """
import asyncio, sys
import arena.referee.runner  # as every command does, before anything else brings gRPC in
from tests.attack.doors import door

async def main():
    while True:
        async with door("token") as (session, path):
            print(path, flush=True)
            if not await asyncio.to_thread(sys.stdin.readline):
                break

asyncio.run(main())
"""
SETTINGS = frame(http2.SETTINGS, 0, 0)
STRANGE = [
    PREFACE + SETTINGS + headers(1, more=[(":status", "not a number")]),  # gRPC's C part complains of this
    PREFACE + SETTINGS + headers(1, more=[("name", "value")]).replace(b"name", b"n\xffme"),  # its Python part of this
    PREFACE + SETTINGS + headers(1) + frame(http2.DATA, 0, 1, message(b"\xff" * 9)),
    b"\x16\x03\x01" + bytes(200),
    PREFACE + SETTINGS + headers(1, "/name").replace(b"name", b"n\xffme"),  # and asyncio of this, which ends the server
]


def send(path: str, data: bytes) -> None:
    """All of it, and time for the referee to look at it."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        line.sendall(data)
        time.sleep(0.3)


def test_strange_bytes_leave_no_word_on_standard_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", REFEREE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as referee:
        assert referee.stdout is not None
        assert referee.stdin is not None
        for data in STRANGE:  # each at a door of its own, for whoever has called has shut it behind them
            send(referee.stdout.readline().strip(), data)
            referee.stdin.write("another\n")
            referee.stdin.flush()
        _, complaints = referee.communicate(timeout=60)
    assert complaints == ""
    assert referee.returncode == 0
