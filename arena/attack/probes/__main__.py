"""Takes orders over the referee's socket, a JSON line each, and answers each with its evidence.

A probe usually runs in a child of its own, so that one which is killed is evidence as well; one that must keep
something (a lock, a process) runs here.
"""

import json
import os
import signal
import socket
import time
from typing import IO, Any, Final

from . import calls, channels, files, greedy, network, processes, stubborn
from .evidence import Bait, Evidence, Probe

PROBES: Final[dict[str, Probe]] = {
    **files.PROBES,
    **network.PROBES,
    **calls.PROBES,
    **processes.PROBES,
    **greedy.PROBES,
    **channels.PROBES,
    **stubborn.PROBES,
}


MOST_DESCRIPTORS: Final = 4096  # that are looked at


def main() -> None:
    """Do what the suite asks until it hangs up."""
    inherited = [number for number in range(3, MOST_DESCRIPTORS) if _is_open(number)]
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.environ["ARENA_SOCKET"])
        with line.makefile("rw", encoding="utf-8") as orders:
            bait: Bait = {**json.loads(orders.readline()), "inherited": inherited, "kept": [], "woken": []}
            for order in orders:
                _tell(orders, _carried_out(json.loads(order), bait))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _carried_out(order: dict[str, Any], bait: Bait) -> Evidence:
    bait = {**bait, **order.get("bait", {})}
    probe = PROBES[order["probe"]]
    return _apart(probe, bait, order["seconds"]) if order["apart"] else _guarded(probe, bait)


def _tell(orders: IO[str], evidence: Evidence) -> None:
    orders.write(json.dumps(evidence._asdict()) + "\n")
    orders.flush()


def _apart(probe: Probe, bait: Bait, seconds: float) -> Evidence:
    """The evidence of a probe in a child of its own, or how that child ended without any."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(sink, json.dumps(_guarded(probe, bait)._asdict()).encode())
        os._exit(0)
    os.close(sink)
    ended = _ended(child, seconds)
    with os.fdopen(source, "rb") as brought:
        os.set_blocking(source, False)  # a child of the child may hold the other end
        evidence = brought.read()
    if evidence:
        return Evidence(**json.loads(evidence))
    return Evidence(open=False if ended else None, words=ended or f"came to no end within {seconds:g} s")


def _ended(child: int, seconds: float) -> str:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            return f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return ""


def _guarded(probe: Probe, bait: Bait) -> Evidence:
    try:
        return probe(bait)
    except OSError as error:
        return Evidence(open=False, words=str(error))
    except MemoryError:
        return Evidence(open=False, words="no more memory")


if __name__ == "__main__":
    main()
