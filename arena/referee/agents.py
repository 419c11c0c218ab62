"""A bot's process from start to end: its socket, its session, and what is said of it when it dies."""

import asyncio
import errno
import secrets
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from arena import __version__
from arena.bots import Bot
from arena.limits import Limits
from arena.match import Evidence, FaultKind, MatchVoid, Printed
from arena.referee.clock import Alarm, Clock
from arena.referee.server import Door
from arena.referee.session import Session
from arena.runtime import Runtime
from arena.sandbox import SOCKET, Agent, Hear, Launch, LaunchError, LaunchKilled, Sandbox
from arena.sandbox.log import TAIL

REST_SECONDS = 0.2  # without a match until an agent is put to rest; one that plays match after match never is
DYING_SECONDS = 0.5  # between the end of a stream and the exit code that explains it
LEAVING_SECONDS = 0.5  # for an agent whose stream has ended to exit by itself
LAST_WORDS = 300  # characters of an agent's log that go into the sentence of a fault
LAST_LINES = 20  # of its log that go into the evidence
BY_REFEREE = "ended by the referee, for this fault"
LONGEST_LINE = 300  # characters of each

PLAIN_SIGNALS = {signal.SIGKILL, signal.SIGTERM, signal.SIGINT}  # their names say it all

# What a machine says when it has run out of something: no bot is to blame for that.
EXHAUSTED = {
    errno.EAGAIN: "it can start no more processes",
    errno.ENOMEM: "it is out of memory",
    errno.ENOSPC: "its disk is full",
    errno.EDQUOT: "its disk is full",
    errno.EMFILE: "it has no file descriptors left",
    errno.ENFILE: "it has no file descriptors left",
}


@dataclass(frozen=True)
class Sitting:
    """How far an agent was when it sat down to a match."""

    printed: int  # bytes
    matches: int  # that it had begun, with this one
    others: int  # that were under way


class AgentProcess:
    """One process of a bot."""

    def __init__(
        self,
        bot: Bot,
        game: str,
        sandbox: Sandbox,
        runtime: Runtime,
        clock: Clock,
        limits: Limits,
        cores: asyncio.Semaphore,
        hear: Hear | None = None,
    ) -> None:
        token = secrets.token_urlsafe(24)
        self.session = Session(token, clock, f"arena/{__version__}", cores)
        self.free = asyncio.Semaphore(bot.matches_at_once)
        self.matches = 0  # begun so far
        self._playing = 0  # matches under way
        self._bedtime: Alarm | None = None
        self._resting = False
        self.retired = False  # it plays no further match
        self._bot = bot
        self._sandbox = sandbox
        self._clock = clock
        with host_trouble():
            self._folder = sandbox.seat_folder()
        told = {"ARENA_TOKEN": token, "ARENA_GAME": game}
        self._launch = Launch(bot.name, bot.folder, bot.command, self._folder, told, runtime, limits, hear)
        self._door = Door(self.session, trusted=bot.shipped)
        self._agent: Agent | None = None
        self._watch: asyncio.Task[None] | None = None
        self._ended = ""  # how the process ended, in words

    async def start(self, seconds: float) -> None:
        """Start the process and wait for its hello; a bot that cannot greet fails its session."""
        try:
            with host_trouble():
                await self._door.open(self._folder / SOCKET)
                self._sandbox.admit(self._folder)
                self._agent = await self._sandbox.start(self._launch)
        except LaunchKilled as killed:
            self.session.fail(FaultKind.KILLED, str(killed))
            return
        self.session.attach(self._agent.meter, self._evidence, alone=self._bot.matches_at_once == 1)
        self._watch = asyncio.create_task(self._attend(self._agent))
        limit = self._clock.now() + int(seconds * 1e6)
        alarm = self._clock.call_at(limit, lambda: self._never_greeted(f"no hello within {seconds:g} s"))
        await self.session.greeted.wait()
        alarm.cancel()
        self._rest_soon()

    def sit(self) -> Sitting:
        """It begins a match; what it printed while it started belongs to the first one."""
        self._wake()
        start = self._agent.printed() if self._agent and self.matches else 0
        self.matches += 1
        self._playing += 1
        return Sitting(start, self.matches, self._playing - 1)

    def rise(self, sitting: Sitting) -> Printed | None:
        """It has ended a match; what it printed meanwhile, if anything."""
        self._playing -= 1
        self._rest_soon()
        if self._agent is None:
            return None
        count = self._agent.printed() - sitting.printed
        text = self._agent.log(sitting.printed)
        others = sitting.others + self.matches - sitting.matches
        return Printed(text, max(0, count - TAIL), others) if text else None

    async def retire(self) -> None:
        """Wait until all of its matches are over; those that have waited for it then need another process."""
        for _ in range(self._bot.matches_at_once):
            await self.free.acquire()
        self.retired = True
        for _ in range(self._bot.matches_at_once):
            self.free.release()

    async def stop(self) -> None:
        """End the stream, then the process, then everything it had."""
        self._wake()  # to leave by itself it needs its share
        self.session.close()
        if self._agent:
            if not self.session.failure:
                await _within(LEAVING_SECONDS, self._agent.wait())
            self._agent.kill()
            await self._agent.wait()
        await self._door.shut()
        if self._watch:
            await self._watch
        self.session.detach()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _rest_soon(self) -> None:
        """What an agent does between matches must not cost those that play: it rests if no match comes."""
        if self._agent and not self._playing:
            limit = self._clock.now() + int(REST_SECONDS * 1e6)
            self._bedtime = self._clock.call_at(limit, partial(self._rest, self._agent))

    def _rest(self, agent: Agent) -> None:
        self._resting = True
        agent.rest()

    def _wake(self) -> None:
        if self._bedtime:
            self._bedtime.cancel()
        if self._resting and self._agent:
            self._resting = False
            self._agent.wake()

    async def _attend(self, agent: Agent) -> None:
        """Say why the agent is gone, as soon as its stream or its process has ended or it has failed."""
        session = self.session
        ends = [asyncio.create_task(each) for each in (session.gone.wait(), agent.wait(), session.closed.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        if not session.closed.is_set():
            self._explain(agent, await _within(DYING_SECONDS, agent.wait()))
        if session.failure:
            agent.kill()

    def _explain(self, agent: Agent, code: int | None) -> None:
        """Fail the session of an agent that is gone, with the reason."""
        limit = agent.meter.over_limit() if agent.meter else ""
        self._ended = f"killed: {limit}" if limit else "" if code is None else _words(code)
        farewell = f"expected the agent to play on, got {self._gone()}{_last_words(agent.log())}"
        if limit:
            self.session.fail(FaultKind.LIMIT, farewell)
        elif code == -signal.SIGKILL:
            self.session.fail(FaultKind.KILLED, farewell)
        elif self.session.greeted.is_set():
            self.session.fail(FaultKind.DISCONNECTED, farewell)
        else:
            self._never_greeted(f"{self._gone()} before its hello{_last_words(agent.log())}")

    def _gone(self) -> str:
        if not self._ended:
            return "a closed stream from a process that still runs"
        return f"a process {'that ' if self._ended.startswith('ended') else ''}{self._ended}"

    def _evidence(self) -> Evidence:
        """What is known of the process now."""
        agent = self._agent
        if agent is None:
            return Evidence()
        lines = [line.rstrip()[:LONGEST_LINE] for line in agent.log().splitlines() if line.strip()]
        if agent.flooded():
            lines.append(f"(it has printed over {self._launch.limits.output_kb} kB: the rest is read slowly)")
        log = tuple(lines[-LAST_LINES:])
        # A process whose session has failed while it ran is ended in the same moment.
        ended = self._ended or (BY_REFEREE if self.session.failure else "")
        if agent.meter is None:
            return Evidence(log, ended)
        return Evidence(log, ended, self._launch.limits, agent.meter.usage())

    def _never_greeted(self, what: str) -> None:
        if not self.session.greeted.is_set():
            self.session.fail(FaultKind.NEVER_CONNECTED, f"expected a hello from {self._bot.name}, got {what}")


async def _within(seconds: float, waiting: "asyncio.Future[int] | object") -> int | None:
    try:
        return await asyncio.wait_for(waiting, seconds)  # type: ignore[arg-type]
    except TimeoutError:
        return None


@contextmanager
def host_trouble() -> Iterator[None]:
    """What this machine has run out of voids a match: MatchVoid instead of the system's error."""
    try:
        yield
    except (OSError, LaunchError) as error:
        number = getattr(error if isinstance(error, OSError) else error.__cause__, "errno", None)
        if number not in EXHAUSTED:
            raise
        raise MatchVoid(f"expected this machine to start an agent, got: {EXHAUSTED[number]}") from error


def _words(code: int) -> str:
    if code < 0:
        meaning = f" ({(signal.strsignal(-code) or '').lower()})" if -code not in PLAIN_SIGNALS else ""
        return f"killed by {signal.Signals(-code).name}{meaning}, which the referee did not send"
    return f"ended with exit code {code}"


def _last_words(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return f"; its last words: {lines[-1][-LAST_WORDS:]}" if lines else ""
