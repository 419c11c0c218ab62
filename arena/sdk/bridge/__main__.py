"""`python -m arena.sdk.bridge -- COMMAND...`: starts the bot's command and speaks gRPC for it."""

import asyncio
import sys
from contextlib import suppress
from typing import NoReturn

from arena.sdk.bridge.talk import bridged
from arena.sdk.bridge.trouble import Trouble
from arena.sdk.client import seat_of_this_process
from arena.sdk.ending import end_as

USAGE = "expected `python -m arena.sdk.bridge -- COMMAND...`, got {}"


def main(words: list[str]) -> None:
    """Play all matches through the command; whatever ends that early is one sentence in the log."""
    dashes, command = words[:1], words[1:]
    if dashes != ["--"] or not command:
        _leave(Trouble(USAGE.format(" ".join(words) or "nothing"), code=2))
    socket, token = seat_of_this_process()
    try:
        asyncio.run(bridged(command, socket, token, _leave))
    except Trouble as trouble:
        _leave(trouble)


def _leave(trouble: Trouble) -> NoReturn:
    """Say it, and end as the bot ended."""
    with suppress(OSError):  # nobody may be left to read it
        print(f"bridge: {trouble}", file=sys.stderr, flush=True)
    end_as(trouble.code or 1)


if __name__ == "__main__":
    main(sys.argv[1:])
