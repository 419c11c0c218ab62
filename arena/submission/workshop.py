"""Where a bot's packages are brought and where it is built: a jail for each, with limits of its own and a log."""

import asyncio
import os
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from arena import sandbox as sandboxes
from arena.bots import PYTHON, Bot
from arena.errors import UserError
from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import Bubblewrap, Finished, Job, LaunchError, LaunchKilled, Sandbox
from arena.sandbox.jail import Bind
from arena.sandbox.plain import Plain
from arena.submission.failure import BuildError
from arena.submission.toolchains import Toolchain, binds, path

LAST_LINES: Final = 20  # of a log that are shown with a failure
_LONGEST_LINE: Final = 300
_CORES: Final = 4  # the most that one build gets


@dataclass(frozen=True)
class Terms:
    """What bringing packages, or a build, may take."""

    seconds: float
    limits: Limits


def _limits(processes: int) -> Limits:
    cores = min(os.cpu_count() or 1, _CORES)
    return Limits(memory_mb=2048, cpu_percent=100 * cores, processes=processes, disk_mb=2048, output_kb=8192)


FETCH: Final = Terms(600, _limits(512))
BUILD: Final = Terms(600, _limits(256))


class Box(Protocol):
    """What can run a job: bubblewrap, or a plain process."""

    @property
    def level(self) -> str:
        """How much it enforces."""

    def shown(self, folder: Path) -> str:
        """Where a job sees its folder."""

    async def run(self, job: Job) -> Finished:
        """Run it to its end."""


def box_for(bot: Bot, sandbox: Sandbox, *, unsafe: bool) -> Box:
    """Where a bot may be built, where its matches are played in `sandbox`."""
    if isinstance(sandbox, Bubblewrap):
        return sandbox
    # Containers hold matches; their images have no compilers.
    best = sandbox if isinstance(sandbox, Plain) else sandboxes.choose()
    if isinstance(best, Bubblewrap):
        return best
    if unsafe:
        return Plain()
    raise UserError(
        f"expected a sandbox to build the bot {bot.name!r} in, got none: "
        "install bubblewrap, or say --unsafe to let it do whatever you may do yourself"
    )


@dataclass(frozen=True)
class Task:
    """A command that is run for a bot."""

    bot: Bot
    expected: str  # in a sentence: "the build of mine to succeed"
    folder: Path  # it may write there
    command: tuple[str, ...]
    terms: Terms
    environment: Mapping[str, str] = field(default_factory=dict)
    binds: Sequence[Bind] = ()
    network: bool = False
    place: str = "."  # where in the folder it stands


@dataclass(frozen=True)
class Workshop:
    """Runs tasks, and keeps what they print."""

    box: Box
    runtime: Runtime
    toolchains: tuple[Toolchain, ...]

    @property
    def jailed(self) -> bool:
        """Whether a task sees no more than it is shown."""
        return not isinstance(self.box, Plain)

    @property
    def path(self) -> str:
        """PATH of a task."""
        return path(self.toolchains, jailed=self.jailed)

    async def run(self, task: Task, log: Path) -> tuple[Finished, float]:
        """How a task ended, and the seconds that it took; all of that stands in the log too."""
        begun = time.monotonic()
        try:
            finished = await self.box.run(self._job(task))
        except LaunchKilled:
            raise
        except LaunchError as error:
            await asyncio.to_thread(log.write_text, f"{error}\n", encoding="utf-8")
            raise BuildError(f"expected {task.expected}, got an end: {error}", log) from error
        seconds = time.monotonic() - begun
        end = f"ended for {finished.over_limit}" if finished.over_limit else f"exit code {finished.code}"
        text = f"$ {shlex.join(task.command)}\n{finished.log.rstrip()}\n{end} after {seconds:.1f} s\n"
        await asyncio.to_thread(log.write_text, text, encoding="utf-8")
        return finished, seconds

    def _job(self, task: Task) -> Job:
        # Programs of toolchains are on no agent's path: a shell finds them. `python` is the runtime's, for which there
        # is only that word.
        stand = ("sh", "-c", f'umask 022; cd {shlex.quote(task.place)} && exec "$@"', "sh")
        command = task.command if task.command[0] == PYTHON else (*stand, *task.command)
        shown = [*binds(self.toolchains), *task.binds] if self.jailed else []
        environment = {"PATH": self.path, **task.environment}
        return Job(
            task.bot.name,
            task.folder,
            command,
            task.terms.seconds,
            self.runtime,
            environment,
            task.terms.limits,
            shown,
            task.network,
        )


def failure(task: Task, finished: Finished, log: Path, reason: str = "") -> BuildError:
    """Why a task that failed has failed."""
    lines = [line.rstrip()[:_LONGEST_LINE] for line in finished.log.splitlines() if line.strip()]
    code = f"exit code {finished.code}" if finished.code >= 0 else f"its end by signal {-finished.code}"
    got = f"more than {finished.over_limit}" if finished.over_limit else reason or code
    return BuildError(f"expected {task.expected}, got {got}", log, tuple(lines[-LAST_LINES:]))


def seconds_in_words(seconds: float) -> str:
    """A time for people: 0.4 s, 12 s."""
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
