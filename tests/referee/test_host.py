"""The host's own trouble, by its real causes: no bot is blamed, and the match can be played again."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from arena import bots, games, sandbox
from arena.home import Home
from arena.match import FaultKind, MatchResult, MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox, cgroup
from tests.referee.conftest import Scripted

GAME = "party-bugs"
OPTIONS = games.load(GAME).plain_options(games.load(GAME).options({}))
ROOT = Path(__file__).parent.parent.parent

# A referee whose sockets lie on a disk that is full, and then is not.
FULL = """
import asyncio, sys
from pathlib import Path
from arena import bots, sandbox
from arena.home import Home
from arena.match import MatchSpec, MatchVoid
from arena.referee.runner import Referee
from tests.referee.test_host import GAME, OPTIONS

async def main(home, disk):
    async with Referee(Home(Path(home)), sandbox.choose("none")) as referee:
        seats = tuple(referee.seat(bots.shipped()["random"], process) for process in range(2))
        spec = MatchSpec("m1", GAME, OPTIONS, seats, 7)
        try:
            print((await referee.play(spec)).faults)
        except MatchVoid as void:
            print(void)
        for filler in Path(disk).iterdir():
            filler.unlink()
        print((await referee.play(spec)).faults)

asyncio.run(main(*sys.argv[1:]))
"""
MOUNT = """
mount -t tmpfs -o size=1m,nr_inodes=20 tmpfs "$3" && cd "$3" || exit 9
touch $(seq 30) 2>/dev/null
exec "$0" -c "$1" "$2" "$3"
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a small disk")
def test_a_full_disk_voids_a_match_that_can_be_played_later(home: Home) -> None:
    with tempfile.TemporaryDirectory(prefix="full-", dir="/tmp") as disk:  # paths of sockets are short
        ended = on_a_full_disk(home, disk)
    assert ended.stdout == "expected this machine to start an agent, got: its disk is full\n()\n", ended


def on_a_full_disk(home: Home, disk: str) -> "subprocess.CompletedProcess[str]":
    shell = ["unshare", "-m", "--propagation", "private", "sh", "-c", MOUNT, sys.executable, FULL]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_RUNTIME_DIR": disk}
    words = [*shell, str(home.path), disk]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=100)


@pytest.fixture
def full() -> Sandbox:
    """The level that has control groups; of version 1, whose files are used here."""
    if problem := sandbox.why_not_bubblewrap():
        pytest.skip(f"needs bubblewrap: {problem}")
    if not Path("/sys/fs/cgroup/memory").is_dir():
        pytest.skip("written for control groups of version 1")
    return sandbox.choose("bubblewrap")


async def test_a_bot_that_dies_because_the_machines_memory_is_used_up_is_not_blamed(
    scripted: Scripted, home: Home, full: Sandbox
) -> None:
    """All agents together get less memory than one of them may have: so much for a machine that is full."""
    hog = scripted("hog", when=2, matches_at_once=1)
    async with playing(hog, home, full, TimeControl(20_000, 0)) as match:
        squeeze("memory", "memory.limit_in_bytes", str(160 << 20))
        result = await match
    (fault,) = result.faults
    assert fault.kind is FaultKind.KILLED, fault
    assert "memory limit" not in fault.sentence
    assert result.spoilt


async def test_a_bot_that_gets_no_core_is_not_blamed(scripted: Scripted, home: Home, full: Sandbox) -> None:
    """The machine is full of processes that count a thousand times as much as all agents."""
    thinker = scripted("think", when=2, matches_at_once=1)
    async with playing(thinker, home, full, TimeControl(600, 0)) as match:
        with busy_machine():
            squeeze("cpu", "cpu.shares", "2")
            result = await match
    (fault,) = [fault for fault in result.faults if fault.seat == 0]
    assert fault.kind is FaultKind.STARVED, fault
    assert "the machine had no core for it" in fault.sentence
    assert result.spoilt


@asynccontextmanager
async def playing(
    bot: bots.Bot, home: Home, level: Sandbox, time: TimeControl
) -> AsyncIterator["asyncio.Task[MatchResult]"]:
    """A match of this bot, which has just said that it is about to misbehave."""
    said = asyncio.Event()
    async with Referee(home, level, hear=lambda name: lambda _: said.set() if name == bot.name else None) as referee:
        seats = (referee.seat(bot), referee.seat(bots.shipped()["random"]))
        match = asyncio.create_task(referee.play(MatchSpec("m1", GAME, OPTIONS, seats, 7, time)))
        await asyncio.wait_for(said.wait(), 60)
        yield match


def squeeze(controller: str, file: str, value: str) -> None:
    """Give all agents of this process together less."""
    (folder,) = [group for group in cgroup.own() if f"/{controller}/" in str(group) and group.is_dir()]
    (folder / file).write_text(value)


@contextmanager
def busy_machine() -> Iterator[None]:
    spinners = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()
