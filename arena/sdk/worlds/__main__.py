"""`python -m arena.sdk.worlds -- COMMAND...`: starts the bot's command with a socket to imagined worlds beside it."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.sdk.ending import end_as
from arena.sdk.worlds.server import serving

SOCKET = "ARENA_WORLDS"  # the variable in which the bot finds it
PYTHON = "python"  # as the first word: this very interpreter, as in any bot.toml


def main(words: Sequence[str]) -> None:
    """Serve worlds for as long as the command runs, then end as it ended."""
    if words[:1] != ["--"] or len(words) < 2:
        sys.exit(f"expected `python -m arena.sdk.worlds -- COMMAND...`, got {' '.join(words) or 'nothing'}")
    with tempfile.TemporaryDirectory(prefix="worlds-") as folder:
        code = asyncio.run(_beside(words[1:], Path(folder) / "worlds.sock"))
    end_as(code)


async def _beside(command: Sequence[str], socket: Path) -> int:
    async with serving(socket):
        first = sys.executable if command[0] == PYTHON else command[0]
        environment = {**os.environ, SOCKET: str(socket)}
        try:
            bot = await asyncio.create_subprocess_exec(first, *command[1:], env=environment)
        except OSError as error:
            reason = str(error.strerror or error).lower()
            print(f"worlds: expected a command that can be run, got {command[0]!r}: {reason}", file=sys.stderr)
            return 1
        return await bot.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
