"""Makes every attack on a sandbox and judges each by what it brought back and by what is seen from outside."""

import asyncio
import json
import os
import secrets
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final

from arena import runtime as runtimes
from arena.attack.bait import Bait
from arena.attack.catalogue import ATTACKS
from arena.attack.cell import END_SECONDS, Cell, CellError, cell, marked
from arena.attack.model import Attack, Finding, Verdict, Way
from arena.attack.probes.channels import CHANNELS
from arena.attack.probes.evidence import Evidence
from arena.home import Home
from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import LaunchError, Sandbox

SMALL: Final = Limits(cpu_percent=10, processes=48, disk_mb=16, output_kb=256)
LITTLE_MEMORY: Final = Limits(memory_mb=64)
OTHER_LIMITS: Final = {
    **dict.fromkeys(("heap", "shared-memory", "many-children", "memfd", "temp-files"), LITTLE_MEMORY),
    **dict.fromkeys(("huge-environments", "output-flood"), LITTLE_MEMORY),
    "inodes": Limits(memory_mb=48),
}
LONG: Final = ("inodes", "spinners")  # begun first
BATCHES: Final = 3  # agents among which the quiet attacks are shared out
AT_ONCE: Final = 3  # agents

ORDINARY: Final = "ordinary"  # the probe of what every bot may do

Advance = Callable[[Finding], None]


async def attack(home: Home, sandbox: Sandbox, advance: Advance = lambda _: None) -> list[Finding]:
    """A finding for every attack, in the catalogue's order."""
    return await Suite(home, sandbox, advance).run(ATTACKS)


class Suite:
    """One run against one sandbox."""

    def __init__(self, home: Home, sandbox: Sandbox, advance: Advance = lambda _: None) -> None:
        self._home = home
        self._sandbox = sandbox
        self._advance = advance
        self._found: dict[str, Finding] = {}
        self._free = asyncio.Semaphore(AT_ONCE)

    async def run(self, attacks: Iterable[Attack]) -> list[Finding]:
        """A finding for each of these attacks; what nobody can tell is tried once more."""
        wanted = list(attacks)
        runtime = runtimes.prepare(self._home)
        with Bait(self._sandbox) as bait:
            await self._make(wanted, bait, runtime)
            again = [one for one in wanted if self._found[one.name].verdict is Verdict.UNTESTED]
            await self._make(again, bait, runtime)
            self._found |= {
                name: self._seen(name, words) for name, words in bait.damage().items() if name in self._found
            }
        return [self._found[one.name] for one in wanted]

    async def _make(self, attacks: list[Attack], bait: Bait, runtime: Runtime) -> None:
        by_way = {way: [one for one in attacks if one.way is way] for way in Way}
        room = Room(bait, runtime, self._home)
        quiet = [by_way[Way.QUIET][first::BATCHES] for first in range(BATCHES)]
        greedy = sorted(by_way[Way.GREEDY], key=lambda one: one.name not in LONG)
        work: list[Coroutine[Any, Any, None]] = [
            *(self._tried([one], room.greedy(one)) for one in greedy),
            *(self._tried([one], room.stubborn(one)) for one in by_way[Way.STUBBORN]),
            self._tried(by_way[Way.CHANNEL], room.channels(by_way[Way.CHANNEL])),
            *(self._tried(batch, room.quiet(batch)) for batch in quiet),
        ]
        await asyncio.gather(*work)

    async def _tried(self, attacks: list[Attack], work: Awaitable[dict[str, Evidence]]) -> None:
        async with self._free:
            try:
                evidence = await work
            except (CellError, LaunchError, TimeoutError) as error:
                evidence = {one.name: Evidence(open=None, words=str(error) or "no answer") for one in attacks}
        for one in attacks:
            self._found[one.name] = self._judged(one, evidence.get(one.name))
            self._advance(self._found[one.name])

    def _judged(self, one: Attack, evidence: Evidence | None) -> Finding:
        evidence = evidence or Evidence(open=None, words="no answer")
        verdict = {True: Verdict.OPEN, False: Verdict.HELD, None: Verdict.UNTESTED}[evidence.open]
        by = one.held_by.get(self._sandbox.level, "")
        return Finding(one.name, one.title, verdict, bool(by), by, evidence.words)

    def _seen(self, name: str, words: str) -> Finding:
        """What was seen to happen, whatever the probe has said."""
        found = self._found[name]
        return Finding(name, found.title, Verdict.OPEN, found.promised, found.by, words)


class Room:
    """Where the attacks are made: each way has its own agents."""

    def __init__(self, bait: Bait, runtime: Runtime, home: Home) -> None:
        self._bait = bait
        self._runtime = runtime
        self._home = home

    def _cell(self, limits: Limits | None = None) -> AbstractAsyncContextManager[Cell]:
        given, bait = limits or Limits(), self._bait
        return cell(bait.sandbox, bait.folder, self._runtime, given, bait.told(given))

    async def quiet(self, attacks: list[Attack]) -> dict[str, Evidence]:
        """One agent that makes one attack after another, each in a child of its own."""
        found = {}
        if attacks:
            async with self._cell() as agent:
                for one in attacks:
                    evidence = await agent.ask(one.name)
                    if evidence is None:
                        break  # what follows is tried again with another agent
                    found[one.name] = evidence
        return found

    async def greedy(self, one: Attack) -> dict[str, Evidence]:
        """An agent for one attack; one that is killed for it was held."""
        async with self._cell(OTHER_LIMITS.get(one.name, SMALL)) as agent:
            sound = await agent.ask(ORDINARY)
            if not sound or not sound.open:
                return {one.name: Evidence(open=None, words=f"an honest bot fails too: {sound and sound.words}")}
            evidence = await agent.ask(one.name)
            if evidence is None:
                evidence = Evidence(open=False, words=_death(await agent.ended(), agent))
        return {one.name: evidence}

    async def channels(self, attacks: list[Attack]) -> dict[str, Evidence]:
        """Two agents of which one speaks and the other listens."""
        found: dict[str, Evidence] = {}
        wanted = [one.name for one in attacks if one.name in CHANNELS]
        if wanted:
            async with self._cell() as speaker, self._cell() as listener:
                for name in wanted:
                    found[name] = await _passed(name, speaker, listener)
        return found

    async def stubborn(self, one: Attack) -> dict[str, Evidence]:
        """An agent that does not want to go."""
        ways = {
            "deaf": self._deaf,
            "daemon-of-the-killed": self._daemon_of_the_killed,
            "daemon-of-the-leaver": self._daemon_of_the_leaver,
            "referee-killed": self._referee_killed,
        }
        return {one.name: await ways[one.name]()}

    async def _deaf(self) -> Evidence:
        async with self._cell() as agent:
            await agent.ask("deaf", apart=False)
            agent.agent.kill()
            code = await agent.ended()
        return Evidence(open=code is None, words="still runs" if code is None else f"ended with {code}")

    async def _daemon_of_the_killed(self) -> Evidence:
        async with self._cell() as agent:
            await agent.ask("daemon", apart=False)
            agent.agent.kill()
            await agent.ended()
            return _left(agent)

    async def _daemon_of_the_leaver(self) -> Evidence:
        async with self._cell() as agent:
            await agent.ask("daemon", apart=False)
            agent.hang_up()
            await agent.ended()
            return _left(agent)

    async def _referee_killed(self) -> Evidence:
        """A referee of its own is killed; its agents must go with it."""
        mark = f"arena-attack-{secrets.token_hex(8)}"
        with tempfile.TemporaryDirectory(prefix="arena-", dir=self._bait.root) as folder:
            referee = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "arena.attack.doomed"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={
                    **os.environ,
                    "XDG_RUNTIME_DIR": folder,
                    "TMPDIR": folder,
                    "PYTHONPATH": os.pathsep.join(sys.path),
                },
            )
            assert referee.stdin is not None
            assert referee.stdout is not None
            words = {"level": self._bait.sandbox.level, "home": str(self._home.path), "mark": mark}
            words["folder"] = str(self._bait.folder)
            referee.stdin.write(json.dumps(words).encode())
            referee.stdin.close()
            up = await referee.stdout.readline()
            with suppress(ProcessLookupError):
                referee.kill()
            await referee.wait()
        return await _gone(mark) if up else Evidence(open=None, words="the referee did not start")


async def _passed(name: str, speaker: Cell, listener: Cell) -> Evidence:
    """Whether the listener hears what the speaker says over a channel."""
    more = {"channel_word": f"arena-{secrets.token_hex(8)}", "speaker": speaker.mark}
    await listener.ask(f"{name}-ready", apart=False, **more)
    await speaker.ask(f"{name}-act", apart=False, **more)
    heard = await listener.ask(f"{name}-look", apart=False, **more)
    for agent in (speaker, listener):
        await agent.ask(f"{name}-tidy", apart=False, **more)
    return heard or Evidence(open=None, words="no answer")


def _death(code: int | None, agent: Cell) -> str:
    limit = agent.agent.meter.over_limit() if agent.agent.meter else ""
    if code is None:
        return "it hung up"
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    return f"{how}{': ' if limit else ''}{limit}"


def _left(agent: Cell) -> Evidence:
    """Whether anything of an agent is left; what is, is ended here."""
    left = agent.left()
    _end(left)
    return Evidence(open=bool(left), words=f"{len(left)} processes left")


async def _gone(mark: str) -> Evidence:
    """Whether everything with this mark goes away within a moment."""
    loop = asyncio.get_running_loop()
    limit = loop.time() + END_SECONDS / 2
    while (left := marked(mark)) and loop.time() < limit:  # noqa: ASYNC110 - nobody tells when others' processes end
        await asyncio.sleep(0.02)
    _end(left)
    return Evidence(open=bool(left), words=f"{len(left)} processes left")


def _end(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
