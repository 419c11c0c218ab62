"""A league of hostile bots in a process of its own, which counts what it has before and after: python league.py ..."""

import asyncio
import json
import os
import sys
from itertools import count
from pathlib import Path

from arena import bots, games, sandbox
from arena.home import Home
from arena.match import MatchSpec, TimeControl
from arena.referee.runner import Referee
from arena.sandbox import cgroup

GAME = "party-bugs"
QUICK = TimeControl(allowance_ms=300, bank_ms=100)
AT_ONCE = 24


def belongings() -> dict[str, int]:
    """What this process has of the machine; the janitor is gone when nobody needs it."""
    tasks = Path("/proc/self/task").iterdir()
    children = [pid for task in tasks for pid in (task / "children").read_text().split()]
    return {
        "children": len(children),  # zombies too
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "mounts": len(Path("/proc/self/mountinfo").read_text().splitlines()),
        "groups": sum(group.is_dir() for group in cgroup.own()),
        "temporary": len(list(Path(os.environ["TMPDIR"]).iterdir())),
    }


async def play(home: str, level: str, folders: list[str], matches: int) -> dict[str, int]:
    """Play matches of each hostile bot against two honest ones; how often each kind of fault came."""
    kinds: dict[str, int] = {}
    game, numbers = games.load(GAME), count()
    options = game.plain_options(game.options({}))
    async with Referee(Home(Path(home)), sandbox.choose(level), unsafe=True) as referee:
        honest = [referee.seat(bots.shipped()["random"], process) for process in range(2)]
        hostile = [referee.seat(bots.read(Path(folder))) for folder in folders]

        async def keep_playing() -> None:
            while (number := next(numbers)) < matches:
                # The first are the ones that a process survives; the others have a few matches each.
                bot = hostile[min(number * 40 // matches, 39) % len(hostile) if number % 20 == 0 else 0]
                spec = MatchSpec(f"m{number}", GAME, options, (honest[0], bot, honest[1]), number, QUICK)
                for fault in (await referee.play(spec)).faults:
                    kinds[fault.kind.value] = kinds.get(fault.kind.value, 0) + 1

        await asyncio.gather(*(keep_playing() for _ in range(AT_ONCE)))
    return kinds


def main(home: str, level: str, matches: str, *folders: str) -> None:
    """Count, play, count again."""
    asyncio.run(play(home, level, list(folders), len(folders)))  # what is made once and kept is there now
    before = belongings()
    print("playing", flush=True)
    kinds = asyncio.run(play(home, level, list(folders), int(matches)))
    print(json.dumps({"before": before, "after": belongings(), "kinds": kinds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
