"""A referee that is about to be killed: it starts one hostile agent and says so.

Started by the suite with JSON on its standard input, which nobody can see in a list of processes.
"""

import asyncio
import json
import sys
from pathlib import Path

from arena import runtime, sandbox
from arena.attack.cell import cell
from arena.home import Home
from arena.limits import Limits

SECONDS = 60.0  # after which it ends by itself


async def _await_death(level: str, home: Path, folder: Path, mark: str) -> None:
    prepared = runtime.prepare(Home(home))
    async with cell(sandbox.choose(level), folder, prepared, Limits(), {}, mark=mark) as agent:
        await agent.ask("daemon", apart=False)
        await agent.ask("deaf", apart=False)
        print("up", flush=True)
        await asyncio.sleep(SECONDS)


if __name__ == "__main__":
    words = json.load(sys.stdin)
    asyncio.run(_await_death(words["level"], Path(words["home"]), Path(words["folder"]), words["mark"]))
