"""Attacks by not going away: deaf to signals, daemons that belong to nobody, children that outlive their agent."""

import os
import signal
import time
from contextlib import suppress
from typing import Final

from .evidence import Bait, Evidence, Probe

LIFE: Final = 60.0  # seconds after which even one that got away ends


def deaf(_: Bait) -> Evidence:
    """Ignores every signal that can be ignored; the suite then ends it."""
    for number in signal.valid_signals():
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    return Evidence(open=False, words="deaf")


def daemon(_: Bait) -> Evidence:
    """A process that has left its parent, its group and its session."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            deaf({})
            time.sleep(LIFE)
        os._exit(0)
    os.waitpid(child, 0)
    return Evidence(open=False, words="a daemon runs")


PROBES: Final[dict[str, Probe]] = {"deaf": deaf, "daemon": daemon}
