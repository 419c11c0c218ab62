"""`python -m arena.sdk.worlds -- COMMAND...`: starts the bot's command with a socket to imagined worlds beside it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.sdk.ending import end_as
from arena.sdk.worlds.imagination import Imagination
from arena.sdk.worlds.server import serving

VARIABLE: Final = "ARENA_WORLDS"  # in which the bot finds the socket
SEAT: Final = ("ARENA_SOCKET", "ARENA_TOKEN")  # with them one speaks for the bot: worlds have no use for that
PYTHON: Final = "python"  # as the first word: this very interpreter, as in any bot.toml
USAGE: Final = "worlds: expected `python -m arena.sdk.worlds -- COMMAND...`, got {}"


def main(words: Sequence[str]) -> None:
    """Serve worlds for as long as the command runs, then end as it ended."""
    if words[:1] != ["--"] or len(words) < 2:
        print(USAGE.format(" ".join(words) or "nothing"), file=sys.stderr)
        sys.exit(2)
    environment = dict(os.environ)
    for name in SEAT:
        os.environ.pop(name, None)
    with _folder(environment) as folder:
        socket = folder / "worlds"
        with serving(socket, Imagination()):
            code = _ended(words[1:], {**environment, VARIABLE: str(socket)})
    end_as(code)


@contextmanager
def _folder(environment: Mapping[str, str]) -> Iterator[Path]:
    """Where the socket lies: in a jail its own folder for temporary files, else where the referee tidies up."""
    seat = Path(environment.get(SEAT[0], "")).parent
    if environment.get(SEAT[0]) and os.access(seat, os.W_OK):
        yield seat
        return
    with tempfile.TemporaryDirectory(prefix="worlds-") as folder:
        yield Path(folder)


def _ended(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the bot to its end; its exit code, or minus the number of the signal that ended it."""
    first = sys.executable if command[0] == PYTHON else command[0]
    try:
        return subprocess.run([first, *command[1:]], env=environment, check=False).returncode
    except OSError as error:
        reason = str(error.strerror or error).lower()
        print(f"worlds: expected a command that can be run, got {command[0]!r}: {reason}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    main(sys.argv[1:])
