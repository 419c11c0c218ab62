"""Ways for two bots of one author to speak with each other past the referee, each in three steps.

The listener gets ready, the speaker acts, the listener looks; then the speaker tidies up. All of it happens in the
two agents' first processes, since a lock or a watch ends with whoever holds it.
"""

import _thread
import ctypes
import fcntl
import mmap
import os
import select
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from .evidence import Bait, Evidence, Probe, any_of, attempt, content, numbers_of_processes, said
from .machine import call

KEY: Final = 0x0A7E4A18  # of shared memory
IN_OPEN: Final = 0x20
FUTEX_WAIT: Final = 0
FUTEX_WAKE: Final = 1
LISTENING_SECONDS: Final = 3
RECORD: Final = struct.Struct("hhqqi4x")  # struct flock


def _shared() -> list[str]:
    """Files that both see: of the system, of the runtime, of their folder."""
    runtime = os.path.join(os.environ.get("PYTHONPATH", ""), "arena", "__init__.py")
    return [path for path in (os.__file__, runtime, "file") if os.path.exists(path)]


def _opened(bait: Bait) -> list[int]:
    files = [os.open(path, os.O_RDONLY) for path in _shared()]
    bait["kept"].extend(files)
    return files


def _nothing(_: Bait) -> Evidence:
    return Evidence(open=False, words="ready")


def forget(bait: Bait) -> Evidence:
    """Let go of all that a channel kept."""
    for kept in bait["kept"]:
        os.close(kept)
    bait["kept"].clear()
    return Evidence(open=False, words="let go")


def lock(bait: Bait) -> Evidence:
    return any_of(attempt("locked", fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB) for file in _opened(bait))


def locked(bait: Bait) -> Evidence:
    return any_of(_is_locked(file) for file in _opened(bait))


def _is_locked(file: int) -> Evidence:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return Evidence(open=True, words="the other's lock is felt")
    except OSError as error:
        return Evidence(open=False, words=f"flock: {said(error)}")
    return Evidence(open=False, words="flock: nobody else's lock")


def record(bait: Bait) -> Evidence:
    return any_of(attempt("locked", fcntl.lockf, file, fcntl.LOCK_SH | fcntl.LOCK_NB) for file in _opened(bait))


def recorded(bait: Bait) -> Evidence:
    return any_of(_has_record(file) for file in _opened(bait))


def _has_record(file: int) -> Evidence:
    try:
        answer = fcntl.fcntl(file, fcntl.F_GETLK, RECORD.pack(fcntl.F_WRLCK, 0, 0, 0, 0))
    except OSError as error:
        return Evidence(open=False, words=f"F_GETLK: {said(error)}")
    return Evidence(open=RECORD.unpack(answer)[0] != fcntl.F_UNLCK, words="F_GETLK: answered")


def lease(bait: Bait) -> Evidence:
    """A lease tells its holder when somebody else opens the file."""
    return any_of(_leased(file) for file in _opened(bait))


def _leased(file: int) -> Evidence:
    tried = attempt("F_SETLEASE", fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    if tried.open:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return tried


def watch(bait: Bait) -> Evidence:
    def watched() -> None:
        queue = call("inotify_init1", os.O_NONBLOCK)
        bait["kept"].append(queue)
        for path in _shared():
            call("inotify_add_watch", queue, path.encode(), IN_OPEN)

    return attempt("watched", watched)


def touch(bait: Bait) -> Evidence:
    _opened(bait)
    return Evidence(open=False, words="opened")


def watched(bait: Bait) -> Evidence:
    queues = bait["kept"]
    ready = bool(queues) and bool(select.select(queues[:1], [], [], 0.2)[0])
    return Evidence(open=ready, words="inotify told of the other" if ready else "inotify told nothing")


def wait_for_wake(bait: Bait) -> Evidence:
    """Asleep on a number in a file that both may only read; another's waking ends it."""
    bait["woken"].clear()
    _thread.start_new_thread(_sleep_on, (_mapped(bait), bait["woken"]))
    return Evidence(open=False, words="asleep")


def _mapped(bait: Bait) -> int:
    file = os.open(os.__file__, os.O_RDONLY)
    bait["kept"].append(file)
    return call("mmap", 0, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file, 0)


def _sleep_on(address: int, woken: list[bool]) -> None:
    number = ctypes.c_uint32.from_address(address).value
    for_so_long = struct.pack("<qq", LISTENING_SECONDS, 0)
    with suppress(OSError):
        call("futex", address, FUTEX_WAIT, number, for_so_long, 0, 0)
        woken.append(True)


def wake(bait: Bait) -> Evidence:
    address = _mapped(bait)
    limit = time.monotonic() + LISTENING_SECONDS / 2
    while time.monotonic() < limit:  # the other may not be quite asleep yet
        if call("futex", address, FUTEX_WAKE, 1, 0, 0, 0):
            return Evidence(open=True, words="somebody woke")
        time.sleep(0.01)
    return Evidence(open=False, words="nobody woke")


def woken(bait: Bait) -> Evidence:
    time.sleep(0.1)
    return Evidence(open=bool(bait["woken"]), words=f"futex: {'woken' if bait['woken'] else 'not woken'} by the other")


def segment(_: Bait) -> Evidence:
    return attempt("made", call, "shmget", KEY, 4096, 0o1666)


def segment_found(_: Bait) -> Evidence:
    return attempt("the other's shared memory", call, "shmget", KEY, 0, 0)


def segment_gone(_: Bait) -> Evidence:
    return attempt("removed", lambda: call("shmctl", call("shmget", KEY, 0, 0), 0, 0))


def name_taken(bait: Bait) -> Evidence:
    def bound() -> None:
        line = socket.socket(socket.AF_UNIX)
        line.bind(f"\0{bait['channel_word']}")
        line.listen()
        bait["kept"].append(line.detach())

    return attempt("bound", bound)


def name_found(bait: Bait) -> Evidence:
    def connected() -> None:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(f"\0{bait['channel_word']}")

    return attempt("the other's abstract socket", connected)


def _places(bait: Bait) -> list[str]:
    return [os.path.join(place, bait["channel_word"]) for place in (bait["temp"], "/dev/shm", "/var/tmp")]


def file_left(bait: Bait) -> Evidence:
    return any_of(attempt(path, os.mkfifo, path, 0o666) for path in _places(bait))


def file_found(bait: Bait) -> Evidence:
    return any_of(attempt(path, os.stat, path) for path in _places(bait))


def file_gone(bait: Bait) -> Evidence:
    return any_of(attempt(path, os.unlink, path) for path in _places(bait))


def process_found(bait: Bait) -> Evidence:
    word = bait["speaker"].encode()
    for pid in numbers_of_processes():
        evidence = attempt("", content, f"/proc/{pid}/cmdline")
        if evidence.open and word in content(f"/proc/{pid}/cmdline"):
            return Evidence(open=True, words="the other's process is seen")
    return Evidence(open=False, words="only its own processes are seen")


Step = Callable[[Bait], Evidence]
# channel: how the listener gets ready, how the speaker acts, how the listener looks, how the speaker tidies up
CHANNELS: Final[dict[str, tuple[Step, Step, Step, Step]]] = {
    "flock": (_nothing, lock, locked, forget),
    "record": (_nothing, record, recorded, forget),
    "inotify": (watch, touch, watched, forget),
    "futex": (wait_for_wake, wake, woken, forget),
    "sysv": (_nothing, segment, segment_found, segment_gone),
    "abstract": (_nothing, name_taken, name_found, forget),
    "file": (_nothing, file_left, file_found, file_gone),
    "process": (_nothing, _nothing, process_found, forget),
}
STEPS: Final = ("ready", "act", "look", "tidy")
PROBES: Final[dict[str, Probe]] = {
    "lease": lease,
    **{f"{name}-{step}": probe for name, probes in CHANNELS.items() for step, probe in zip(STEPS, probes, strict=True)},
}
