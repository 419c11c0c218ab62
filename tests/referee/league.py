"""A league of hostile bots in a process of its own, which says what it has before and after: python league.py ..."""

import asyncio
import gc
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena import bots, games, sandbox
from arena.home import Home
from arena.match import Entrant, MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import Sandbox, cgroup

GAME = "party-bugs"
QUICK = TimeControl(allowance_ms=300, bank_ms=200)
AT_ONCE = 16
TURNS = 9  # at least so many matches for each of the bots that do not live through one
LEFT_ALONE_SECONDS = 5.0  # gRPC ends its own threads a moment later
LOOKS, LOOK_SECONDS = 100, 0.2
HELLO_SECONDS = 20.0


@dataclass(frozen=True)
class League:
    """Who plays, where, and under what."""

    home: Home
    box: Sandbox
    folders: list[str]  # of the hostile bots; the first survives its faults


def belongings() -> dict[str, int]:
    """What this process has of the machine."""
    gc.collect()
    mine = [*family()]
    return {
        "processes": len(mine),
        "zombies": sum(state(pid) == "Z" for pid in mine),
        "of its groups": sum(1 for group in cgroup.own() if group.is_dir() for _ in group.rglob("*/")),
        "groups": sum(group.is_dir() for group in cgroup.own()),
        "mounts": len(Path("/proc/self/mountinfo").read_text().splitlines()),
        "temporary": len([*Path(os.environ["TMPDIR"]).iterdir()]),
        "sockets": Path("/proc/net/unix").read_text().count(os.environ["TMPDIR"]),
        "descriptors": len([*Path("/proc/self/fd").iterdir()]),
        "threads": threading.active_count(),
        "tasks": len(asyncio.all_tasks()),
    }


def family() -> Iterator[int]:
    """This process's children and theirs; whoever has lost its parent is a child of this one."""
    waiting = [os.getpid()]
    while waiting:
        for thread in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            with suppress(OSError):
                children = [*map(int, thread.read_text().split())]
                waiting += children
                yield from children


def state(pid: int) -> str:
    """The letter for a process's state."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    return ""


async def settled(wanted: dict[str, int]) -> dict[str, int]:
    """What it has once that is what is wanted, or after a while in any case: what is gRPC's goes a moment later."""
    for _ in range(LOOKS):
        if belongings() == wanted:
            break
        await asyncio.sleep(LOOK_SECONDS)
    return belongings()


async def calm() -> dict[str, int]:
    """What it has once that has not changed for a while."""
    before = belongings()
    for _ in range(LOOKS):
        await asyncio.sleep(LEFT_ALONE_SECONDS)
        earlier, before = before, belongings()
        if before == earlier:
            break
    return before


async def play(league: League, matches: int) -> Counter[str]:
    """Play matches of hostile bots against two honest ones; how often each kind of fault came."""
    kinds: Counter[str] = Counter()
    game = games.load(GAME)
    options = game.plain_options(game.options({}))
    async with Referee(league.home, league.box, unsafe=True, startup_seconds=HELLO_SECONDS) as referee:
        honest = [referee.seat(bots.shipped()["random"], process) for process in range(2)]
        order = iter(enumerate(seats(referee, league.folders, matches)))

        async def keep_playing() -> None:
            for number, bot in order:
                spec = MatchSpec(f"m{number}", GAME, options, (honest[0], bot, honest[1]), number, QUICK)
                result = await referee.play(spec)
                kinds.update(fault.kind.value for fault in result.faults)

        await asyncio.gather(*(keep_playing() for _ in range(AT_ONCE)))
    return kinds


def seats(referee: Referee, folders: list[str], matches: int) -> list[Entrant]:
    """Who is the third in each match: mostly the one whose process lives on, the others in turn among its matches."""
    survivor, *others = [referee.seat(bots.read(Path(folder))) for folder in folders]
    costly = [bot for bot in others for _ in range(min(TURNS, matches // len(folders)))]
    order = [*costly, *[survivor] * (matches - len(costly))]
    random.Random(0).shuffle(order)
    return order


async def main(home: str, level: str, matches: str, *folders: str) -> None:
    """Count, play, count again."""
    league = League(Home(Path(home)), sandbox.choose(level), [*folders])
    print("ready", flush=True)
    await play(league, len(folders))  # what is made once and kept is there now
    before = await calm()
    print("playing", flush=True)
    begun = time.monotonic()
    kinds = await play(league, int(matches))
    seconds = time.monotonic() - begun
    print(json.dumps({"before": before, "after": await settled(before), "kinds": kinds, "seconds": round(seconds)}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
