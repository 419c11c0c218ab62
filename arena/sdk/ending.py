"""How a program that stands before a bot ends: just as the bot did, so that the referee sees through it."""

import os
import signal
from contextlib import suppress
from typing import NoReturn


def end_as(code: int) -> NoReturn:
    """End with this exit code or, if it is negative, by that signal."""
    if code < 0:
        with suppress(OSError, ValueError):  # what cannot be set, as SIGKILL, needs no setting
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)  # gRPC would take its time to say good-bye
