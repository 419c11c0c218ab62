"""Resources end with the match: after a thousand of them with hostile bots, and after a referee that was killed."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena import failpoints, sandbox
from arena.home import Home
from arena.sandbox import Sandbox, owner
from tests.referee.conftest import Scripted
from tests.sandbox.agents import eventually, running

LEAGUE = Path(__file__).parent / "league.py"
ROOT = LEAGUE.parent.parent.parent
SURVIVES = "illegal"
MISDEEDS = ("crash", "killed", "twice", "flood", "junk", "hello-twice", "hang-up", "stall", "brood", "litter", "shout")
EARLY = ("exit-early", "never-hello")
MATCHES = 1_000
KINDS = {"illegal", "disconnected", "protocol", "killed", "timeout", "never connected"}
KILLS = 30
AT_ONCE = 3
LONGEST = 4.0  # seconds before a kill
CLEAN_SECONDS = 10.0  # the janitor takes one or two, on a machine that does nothing else


@dataclass(frozen=True)
class League:
    """What plays, and what it may leave behind."""

    process: "subprocess.Popen[str]"
    place: Path  # of its sockets
    mark: str  # of the process, in the names of what it makes

    def left(self) -> list[str]:
        """All that is left of it."""
        folders = [str(path) for path in self.place.iterdir()]
        walked = os.walk("/sys/fs/cgroup")  # unlike a glob it does not mind what goes away meanwhile
        groups = [f"{top}/{name}" for top, names, _ in walked for name in names if self.mark in name]
        names = ("/proc/self/mountinfo", "/proc/net/unix")
        lines = [line for name in names for line in Path(name).read_text().splitlines() if str(self.place) in line]
        return [*self.processes(), *folders, *groups, *lines]

    def processes(self) -> list[str]:
        """Those that it has started, and theirs: by their words, variables or control groups."""
        return [str(path) for path in Path("/proc").glob("[0-9]*") if self._started(path)]

    def _started(self, process: Path) -> bool:
        said = b""
        for name in ("cmdline", "environ", "cgroup"):
            with suppress(OSError):
                said += (process / name).read_bytes()
        return int(process.name) != self.process.pid and any(
            each.encode() in said for each in (self.mark, self.place.name)
        )

    def janitor(self) -> int:
        """The process that tidies up."""
        (pid,) = [pid for pid in running("arena-janitor") if f"arena-{self.mark}" in cmdline(pid)]
        return pid


def cmdline(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")


@pytest.fixture
def held() -> Sandbox:
    """The level that is held to it: children of a plain process are beyond anybody's reach."""
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    return sandbox.choose("bubblewrap")


@pytest.fixture
def folders(scripted: Scripted) -> list[str]:
    """Hostile bots; the first one's process lives through its faults."""
    alone = [scripted(how, when=1, matches_at_once=1) for how in MISDEEDS]
    others = [scripted(how, matches_at_once=64) for how in EARLY]
    return [str(bot.folder) for bot in (scripted(SURVIVES, when=1, matches_at_once=64), *alone, *others)]


def short_place() -> "tempfile.TemporaryDirectory[str]":
    """A folder for sockets, with a short path."""
    return tempfile.TemporaryDirectory(prefix="leftovers-", dir="/tmp")


@contextmanager
def league(home: Home, level: Sandbox, matches: int, folders: list[str], **variables: str) -> Iterator[League]:
    """A league that plays in a process of its own, with a folder for sockets of its own."""
    with short_place() as place:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": place, **variables}
        environment.pop("XDG_RUNTIME_DIR", None)
        words = [sys.executable, str(LEAGUE), str(home.path), level.level, str(matches), *folders]
        process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            yield League(process, Path(place), owner.mark(process.pid))
        finally:
            process.kill()
            process.communicate()


@pytest.mark.timeout(600)
def test_nothing_is_left_of_a_thousand_matches_with_hostile_bots(folders: list[str], home: Home, held: Sandbox) -> None:
    with league(home, held, MATCHES, folders) as played:
        out, _ = played.process.communicate(timeout=580)
        assert played.process.returncode == 0, out
        assert played.left() == []
    counted = json.loads(out.splitlines()[-1])
    assert counted["before"] == counted["after"], counted
    assert counted["kinds"]["illegal"] > MATCHES * 0.8
    assert {*counted["kinds"]} >= KINDS


@pytest.mark.timeout(600)
async def test_nothing_is_left_of_a_referee_that_was_killed(folders: list[str], home: Home, held: Sandbox) -> None:
    turns, luck = asyncio.Semaphore(AT_ONCE), random.Random(5)
    moments = [luck.uniform(0, LONGEST) for _ in range(KILLS)]
    seen = await asyncio.gather(*(killed(turns, home, held, folders, moment) for moment in moments))
    assert sum(count > 0 for count in seen) > KILLS // 2, seen  # most of them had agents


async def killed(turns: asyncio.Semaphore, home: Home, level: Sandbox, folders: list[str], moment: float) -> int:
    """Kill a league; how many processes it had then, its janitor not among them."""
    async with turns:
        with league(home, level, 100_000, folders) as playing:
            await ready(playing)
            await asyncio.sleep(moment)
            assert playing.process.poll() is None
            count = len(playing.processes()) - 1
            playing.process.kill()
            playing.process.wait()
            await eventually(lambda: playing.left() == [], CLEAN_SECONDS)
            return count


async def ready(playing: League) -> None:
    """Wait until it is about to play."""
    assert playing.process.stdout
    said = await asyncio.to_thread(playing.process.stdout.readline)
    assert said == "ready\n", said + playing.process.communicate()[0]


@pytest.mark.parametrize("agent", [1, 2, 9])
async def test_nothing_is_left_of_a_referee_that_was_killed_while_an_agent_started(
    agent: int, folders: list[str], home: Home, held: Sandbox
) -> None:
    with league(home, held, 100_000, folders, **{failpoints.VARIABLE: f"while spawning:{agent}"}) as playing:
        assert await asyncio.to_thread(playing.process.wait) == -signal.SIGKILL
        await eventually(lambda: playing.left() == [], CLEAN_SECONDS)


async def test_what_is_left_of_a_referee_and_its_janitor_is_swept_at_the_next_start(
    folders: list[str], home: Home, held: Sandbox
) -> None:
    with league(home, held, 100_000, folders) as playing:
        await ready(playing)
        await eventually(lambda: len(playing.processes()) > AT_ONCE)
        os.kill(playing.janitor(), signal.SIGKILL)
        playing.process.kill()
        playing.process.wait()
        assert [path.name for path in playing.place.iterdir()] != []
        # Agents are gone with it, but for those that were just being started: these go now too.
        await asyncio.to_thread(play_a_match, home, held, playing.place)
        await eventually(lambda: playing.left() == [], CLEAN_SECONDS)


def play_a_match(home: Home, level: Sandbox, place: Path) -> None:
    words = ["match", "--game", "party-bugs", "--bots", "random,random", "--sandbox", level.level]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(place), "ARENA_HOME": str(home.path)}
    subprocess.run([sys.executable, "-m", "arena", *words], env=environment, check=True, stdout=subprocess.DEVNULL)
