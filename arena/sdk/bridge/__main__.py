"""`python -m arena.sdk.bridge -- COMMAND...`: starts the bot's command and speaks gRPC for it."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from arena.sdk.bridge.talk import bridged
from arena.sdk.bridge.trouble import Trouble
from arena.sdk.client import seat_of_this_process

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
    """Say it, and end as the bot ended, so that the referee sees through the bridge."""
    with suppress(OSError):  # nobody may be left to read it
        print(f"bridge: {trouble}", file=sys.stderr, flush=True)
    if trouble.code < 0:
        with suppress(OSError, ValueError):  # what cannot be set, as SIGKILL, needs no setting
            signal.signal(-trouble.code, signal.SIG_DFL)
        os.kill(os.getpid(), -trouble.code)
    os._exit(trouble.code or 1)  # gRPC would take its time to say good-bye


if __name__ == "__main__":
    main(sys.argv[1:])
