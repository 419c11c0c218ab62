"""Agents in containers: docker, podman, and docker with gVisor, through their command lines.

Each agent process has a container of its own, which a shell script on this side accompanies from `run` to `rm`. So
nothing is left even if the referee is killed: the containers that still run then are ended by a guard, which waits
for the end of a pipe that only the referee holds open.
"""

import asyncio
import os
import secrets
import signal
import subprocess
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from arena.sandbox import container_engine as engines
from arena.sandbox.container_command import agent_options, agent_words, run_words, user_of
from arena.sandbox.container_engine import LABEL, Engine
from arena.sandbox.container_meter import ContainerMeter, group_of, is_of
from arena.sandbox.contract import Launch
from arena.sandbox.identity import Identities, check_readable, uid_of
from arena.sandbox.process import Order, RunningAgent, Started, as_signal, spawn, whole
from arena.sandbox.profile import docker_profile

# Its input is the pipe on which the referee waits for "up", and then for the exit code and whether memory ran out. If
# nobody reads it any more, the referee has died meanwhile. Lines before the "up" are the engine's own.
_ACCOMPANIED: Final = """
exec 3>&0
engine=$1 name=$2
shift 2
"$engine" run --name "$name" "$@" </dev/null 3>&- 2>&1 | {
    while IFS= read -r line; do
        if [ "$line" = up ]; then
            trap '' PIPE
            { echo up >&3; } 2>/dev/null || "$engine" rm --force "$name"
            trap - PIPE
            break
        fi
        printf '%s\\n' "$line"
    done
    exec cat 3>&-
}
"$engine" inspect --format '{{.State.ExitCode}} {{.State.OOMKilled}}' "$name" >&3 2>/dev/null
"$engine" rm --force "$name" >/dev/null 2>&1
"""
_GUARD: Final = """
exec 3<&0
{
    cat <&3
    "$1" ps --all --quiet --filter "label=$2" | xargs --no-run-if-empty "$1" rm --force
} >/dev/null 2>&1 &
"""


class Containers:
    """Starts every agent in a container of its own."""

    def __init__(self, engine: Engine) -> None:
        self.level = engine.level
        self._engine = engine
        self._identities = Identities()
        self._profile = _Profile()
        self._life: _Life | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        engines.check(engine, self._profile.path)
        engines.remove_leftovers(engine)

    def seat_folder(self) -> Path:
        """A new private folder for a socket; as root, it is open to the uid of one agent."""
        return self._identities.seat_folder()

    def admit(self, seat_folder: Path) -> None:
        """Open the socket to the uid that the folder is open to."""
        self._identities.admit(seat_folder)

    async def start(self, launch: Launch) -> RunningAgent:
        """Start an agent in a new container."""
        return await whole(self._start(launch))

    async def _start(self, launch: Launch) -> RunningAgent:
        if uid_of(launch.seat_folder) is not None:
            await check_readable(launch)
        self._life = self._life or _Life(self._engine)
        name = f"arena-{secrets.token_hex(8)}"
        words = [self._engine.cli, name, *self._words(launch)]
        # The client needs the settings of whoever runs the arena; the agent gets none of them.
        environment = {**os.environ, **launch.environment}
        script = ["sh", "-c", _ACCOMPANIED, "sh", *words]
        output = launch.limits.output_kb << 10
        try:
            started = await spawn(
                Order(launch.name, lambda _: script, environment, Path("/"), output, hear=launch.hear)
            )
        except BaseException:
            await engines.ask_later(self._engine, "rm", "--force", name)
            raise
        return await self._running(started, launch, name)

    def _words(self, launch: Launch) -> list[str]:
        return run_words(
            engines.image(),
            agent_words(launch),
            limits=launch.limits,
            user=user_of(launch),
            profile=self._profile.path,
            more=(*engines.options(self._engine), *agent_options(launch)),
        )

    async def _running(self, started: Started, launch: Launch, name: str) -> RunningAgent:
        form = "{{.Id}} {{.State.Pid}}"
        told = await engines.ask_later(self._engine, "inspect", "--type", "container", "--format", form, name)
        container, pid = told.split() if told else ("", "0")
        first = _process(int(pid), container)
        meter = _meter(int(pid), container, launch)
        return RunningAgent(
            started,
            pid=int(pid) or started.process.pid,
            level=self.level,
            stop=lambda: self._stop(started, first, meter, name),
            first=first,
            code=lambda _: _ended(started, meter),
            meter=meter,
        )

    def _stop(self, started: Started, first: int | None, meter: ContainerMeter | None, name: str) -> None:
        """Kill the container's first process, and with it all others; the script then removes the container."""
        if meter:
            meter.look()
        try:
            if first is not None:
                signal.pidfd_send_signal(first, signal.SIGKILL)
        except ProcessLookupError:
            return
        except PermissionError:  # gVisor's is root's
            first = None
        if first is None and started.process.returncode is None:
            self._later(engines.ask_later(self._engine, "rm", "--force", name))
        # What it has printed and nobody has read yet would keep the engine's client from ending.
        started.log.close()

    def _later(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _process(pid: int, container: str) -> int | None:
    """A pidfd of the container's first process; None if that has ended or is not to be seen from here."""
    if not pid:
        return None
    try:
        first = os.pidfd_open(pid)
    except OSError:
        return None
    # Of a number alone nobody knows whose it is by now; while the descriptor is open it stays what it is.
    if is_of(pid, container):
        return first
    os.close(first)
    return None


def _meter(pid: int, container: str, launch: Launch) -> ContainerMeter | None:
    """None if the container runs and its counts cannot be seen; of one that has ended only its end can be told."""
    group = group_of(pid, container)
    return ContainerMeter(group, launch.limits) if group or not engines.born(pid) else None


def _ended(started: Started, meter: ContainerMeter | None) -> int:
    """The exit code that the script has told; without a word from it, somebody has killed it."""
    said = _rest(started.status).split()
    if len(said) != 2:
        return -signal.SIGKILL
    code, out_of_memory = said
    if meter and out_of_memory == "true":
        meter.killed_for_memory()
    return as_signal(int(code))


def _rest(pipe: int) -> str:
    """What is in a pipe now."""
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        return os.read(pipe, 4096).decode(errors="replace")
    return ""


class _Profile:
    """The allowed system calls as a file that has no name and so cannot be left behind."""

    def __init__(self) -> None:
        self._file = os.memfd_create("arena-seccomp")
        os.write(self._file, docker_profile().encode())
        self.path = f"/proc/{os.getpid()}/fd/{self._file}"

    def __del__(self) -> None:
        os.close(self._file)


class _Life:
    """A pipe that ends with this process; a guard outside then removes the containers that it has left."""

    def __init__(self, engine: Engine) -> None:
        ending, self._pipe = os.pipe()
        guard = ["sh", "-c", _GUARD, "sh", engine.cli, f"{LABEL}={engines.mark()}"]
        try:
            subprocess.run(guard, stdin=ending, start_new_session=True, check=True)
        finally:
            os.close(ending)

    def __del__(self) -> None:
        os.close(self._pipe)
