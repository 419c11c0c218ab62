"""Agents as plain processes: nothing is enforced, so only shipped bots, or any with --unsafe."""

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from arena.sandbox import seat
from arena.sandbox.contract import SOCKET, Launch, variables, words
from arena.sandbox.job import LOG_BYTES, Finished, Job, finish
from arena.sandbox.log import TAIL
from arena.sandbox.process import ANNOUNCED, Order, RunningAgent, spawn, whole

_WITHOUT_CORES = ("sh", "-c", 'ulimit -c 0; exec "$@"', "sh")


class Plain:
    """Starts agents as processes of the same user."""

    level = "none"

    def __init__(self) -> None:
        self._guard = _guard()

    def seat_folder(self) -> Path:
        """A new private folder for a socket."""
        return seat.new()

    def admit(self, seat_folder: Path) -> None:
        """The agent runs as the user who owns the folder: it needs no more than that."""
        (seat_folder / SOCKET).chmod(0o600)

    async def start(self, launch: Launch) -> RunningAgent:
        """Start an agent in a process group of its own."""
        return await whole(self._start(launch))

    async def run(self, job: Job) -> Finished:
        """Run a command to its end; only its time is limited, and what it writes."""
        folder = self.seat_folder()
        launch = Launch(job.name, job.folder, job.command, folder, job.environment, job.runtime, job.limits)
        try:
            return await finish(job, await whole(self._start(launch, LOG_BYTES)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def shown(self, folder: Path) -> str:
        """Where a job sees its folder."""
        return str(folder)

    async def _start(self, launch: Launch, tail: int = TAIL) -> RunningAgent:
        command = [*self._guard, *_WITHOUT_CORES, *ANNOUNCED, *words(launch, launch.runtime.python)]
        environment = variables(launch, str(launch.seat_folder / SOCKET), launch.runtime.packages)
        output = launch.limits.output_kb << 10
        started = await spawn(
            Order(launch.name, lambda _: command, environment, launch.folder, output, tail, hear=launch.hear)
        )
        group = started.process.pid
        return RunningAgent(started, pid=group, level=self.level, stop=lambda: _kill_group(group))


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
        os.killpg(group, signal.SIGKILL)


def _guard() -> tuple[str, ...]:
    """What makes an agent die with the referee, where there is such a thing."""
    setpriv = shutil.which("setpriv")
    guard = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
    works = guard and subprocess.run([*guard, "true"], capture_output=True, check=False).returncode == 0
    return guard if works else ()
