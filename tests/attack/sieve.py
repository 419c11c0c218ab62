"""A sandbox that leaks on purpose, for the attacks that even a plain process is safe from.

Its agents inherit the environment and a terminal, whatever they print is read at once, and `kill` only asks.
"""

import asyncio
import os
import pty
import subprocess
import threading
from pathlib import Path

from arena.sandbox import SOCKET, Launch, Meter
from arena.sandbox import seat as seats
from arena.sandbox.contract import variables, words


class Leaky:
    """An agent of the sieve."""

    level = "none"
    meter: Meter | None = None

    def __init__(self, process: "subprocess.Popen[bytes]", terminal: tuple[int, int]) -> None:
        self.pid = process.pid
        self._process = process
        self._terminal = terminal
        self._asked = False
        self._reader = threading.Thread(target=self._swallow)
        self._reader.start()

    async def wait(self) -> int:
        while self._process.poll() is None:  # noqa: ASYNC110 - it need not be quick
            await asyncio.sleep(0.01)
        return self._process.returncode

    def kill(self) -> None:
        """Ask first, and only then make sure."""
        if self._asked:
            self._process.kill()
        else:
            self._process.terminate()
        self._asked = True

    def rest(self) -> None:
        """It never does."""

    def wake(self) -> None:
        """It never sleeps."""

    def printed(self) -> int:
        return 0

    def log(self, since: int = 0) -> str:
        return ""

    def flooded(self) -> bool:
        return False

    def _swallow(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            while output.read(1 << 20):
                pass
        for end in self._terminal:
            os.close(end)


class Sieve:
    """Starts agents that nothing holds."""

    level = "none"

    def seat_folder(self) -> Path:
        return seats.new()

    def admit(self, seat_folder: Path) -> None:
        (seat_folder / SOCKET).chmod(0o600)

    async def start(self, launch: Launch) -> Leaky:
        ends = pty.openpty()
        environment = variables(launch, str(launch.seat_folder / SOCKET), launch.runtime.packages)
        process = subprocess.Popen(  # noqa: ASYNC220 - nor this
            ["setsid", "--ctty", *words(launch, launch.runtime.python)],
            stdin=ends[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
            cwd=launch.folder,
        )
        return Leaky(process, ends)
