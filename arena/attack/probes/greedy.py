"""Attacks by taking too much: processes, memory in all its forms, disk, processor, descriptors, output.

Everything is bounded, so that the machine survives even where nothing holds it: one and a half times the limit, or
a few hundred. Whoever still holds the too much at the end has succeeded.
"""

import _thread
import mmap
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from .evidence import Bait, Evidence, Probe, said

MB: Final = 1 << 20
MOST_PROCESSES: Final = 300
MOST_DESCRIPTORS: Final = 4096
CHILDREN: Final = 12
SPINNERS: Final = 8
SPIN_SECONDS: Final = 1.5
FLOOD_SECONDS: Final = 1.5
STRING: Final = 100_000  # characters of one variable; the kernel takes 128 KiB
INODE_BYTES: Final = 1_000  # about what the kernel keeps for an empty file


def _held(bait: Bait, words: str) -> Evidence:
    """Still there after the time that a watchdog may need."""
    time.sleep(bait["hold_seconds"])
    return Evidence(open=True, words=f"{words}, {bait['memory_mb']} MB allowed")


def _goal(bait: Bait) -> int:
    return int(bait["memory_mb"] * MB * 3 // 2)


def ordinary(bait: Bait) -> Evidence:
    """What every honest bot may do; without it, nothing that fails later would mean anything."""
    kept = b"x" * (8 * MB)
    os.waitpid(_child(lambda: None), 0)
    gate = _thread.allocate_lock()
    _thread.start_new_thread(_through, (gate,))
    name = os.path.join(bait["temp"], f"arena-attack-{os.getpid()}")
    written = _written(name, MB)
    _removed([name])
    return Evidence(open=written == MB and len(kept) > MB, words=f"{written} bytes written")


def forks(bait: Bait) -> Evidence:
    children: list[int] = []
    problem = "no refusal"
    try:
        while len(children) < MOST_PROCESSES:
            children.append(_sleeping())
    except OSError as error:
        problem = said(error)
    finally:
        _end(children)
    return _counted(len(children) + 1, bait["processes"], "processes", problem)


def _sleeping() -> int:
    child = os.fork()
    if child == 0:
        signal.pause()
    return child


def _end(children: list[int]) -> None:
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)


def _counted(made: int, allowed: int, what: str, problem: str) -> Evidence:
    return Evidence(open=made > allowed, words=f"{made} {what}, {allowed} allowed: {problem}")


def threads(bait: Bait) -> Evidence:
    _thread.stack_size(64 << 10)
    gate = _thread.allocate_lock()
    made, problem = 1, "no refusal"
    with gate:
        try:
            while made < MOST_PROCESSES:
                _thread.start_new_thread(_through, (gate,))
                made += 1
        except RuntimeError as error:
            problem = str(error)
    return _counted(made, bait["processes"], "threads", problem)  # the gate is open: they end


def _through(gate: _thread.LockType) -> None:
    with gate:
        pass


def heap(bait: Bait) -> Evidence:
    kept = [b"x" * (4 * MB) for _ in range(_goal(bait) // (4 * MB))]
    return _held(bait, f"{4 * len(kept)} MB of heap")


def mapped(bait: Bait) -> Evidence:
    """Memory shared with nobody, which no limit of a heap counts."""
    page = mmap.mmap(-1, _goal(bait))
    for place in range(0, _goal(bait), mmap.PAGESIZE):
        page[place] = 1
    return _held(bait, f"{_goal(bait) // MB} MB of shared memory")


def children(bait: Bait) -> Evidence:
    """Each of them modest, all together not."""
    family = [_hog(_goal(bait) // CHILDREN) for _ in range(CHILDREN)]
    time.sleep(bait["hold_seconds"])
    alive = [child for child in family if os.waitpid(child, os.WNOHANG)[0] == 0]
    _end(alive)
    total = len(alive) * _goal(bait) // CHILDREN // MB
    return Evidence(open=total > bait["memory_mb"], words=f"{total} MB in {len(alive)} of {CHILDREN} children")


def _hog(size: int) -> int:
    child = os.fork()
    if child == 0:
        kept = b"x" * size
        signal.pause()
        os._exit(len(kept) % 2)
    return child


def memfd(bait: Bait) -> Evidence:
    """Files without a name, which lie in memory and belong to no process; small ones, for files have a limit too."""
    written = 0
    while written < _goal(bait):
        written += os.write(os.memfd_create("arena-attack"), bytes(4 * MB))
    return _held(bait, f"{written // MB} MB in files of memory")


def tmpfs(bait: Bait) -> Evidence:
    """Files in all temp folders at once: these are memory too."""
    places = [place for place in (bait["temp"], "/dev/shm") if os.path.isdir(place)]
    names = [os.path.join(place, f"arena-attack-{os.getpid()}") for place in places]
    try:
        total = sum(_written(name, _goal(bait) // len(names)) for name in names)
        if total <= bait["memory_mb"] * MB:
            return Evidence(open=False, words=f"{total // MB} MB in files, {bait['memory_mb']} MB of memory allowed")
        return _held(bait, f"{total // MB} MB in files")
    finally:
        _removed(names)


def _written(name: str, size: int) -> int:
    """How much of so many bytes could be written."""
    written = 0
    with suppress(OSError), open(name, "wb", buffering=0) as file:
        while written < size:
            written += file.write(bytes(MB)) or 0
    return written


def _removed(names: list[str]) -> None:
    for name in names:
        with suppress(OSError):
            os.unlink(name)


def inodes(bait: Bait) -> Evidence:
    """Empty files: no byte on any disk, a kilobyte each in the kernel."""
    folder = f"/dev/shm/arena-attack-{os.getpid()}"
    os.mkdir(folder)
    count = _goal(bait) // INODE_BYTES
    try:
        for number in range(count):
            os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
        return _held(bait, f"{count} empty files")
    finally:
        _emptied(folder)


def _emptied(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            os.unlink(entry.path)
    os.rmdir(folder)


def environments(bait: Bait) -> Evidence:
    """Programs with huge environments: the strings lie in memory as long as these run."""
    strings = {f"V{number}": "x" * STRING for number in range(18)}
    wanted = _goal(bait) // (18 * STRING)
    started: list[subprocess.Popen[bytes]] = []
    try:
        given = {**strings, "PATH": os.environ["PATH"]}
        started.extend(subprocess.Popen(["sleep", "60"], env=given) for _ in range(wanted))
        time.sleep(bait["hold_seconds"])
        alive = sum(one.poll() is None for one in started)
    finally:
        for one in started:
            one.kill()
    total = alive * 18 * STRING // MB
    return Evidence(open=total > bait["memory_mb"], words=f"{total} MB in {alive} environments")


def disk(bait: Bait) -> Evidence:
    """As much as fits into every folder that can be written; 64 KB outside of the temp folders are too much already."""
    allowed = bait["disk_mb"] * MB
    found: dict[str, int] = {}
    for place in _writable(bait):
        name = os.path.join(place, f"arena-attack-{os.getpid()}")
        temporary = place in (bait["temp"], "/dev/shm")
        found[place] = _written(name, allowed * 3 // 2 if temporary else MB)
        _removed([name])
    over = [place for place, size in found.items() if size > (allowed if place in (bait["temp"], "/dev/shm") else 0)]
    words = ", ".join(f"{size // MB} MB in {place}" for place, size in found.items())
    return Evidence(open=bool(over), words=f"{words}; {bait['disk_mb']} MB allowed in temp folders")


def _writable(bait: Bait) -> Iterator[str]:
    candidates = (bait["temp"], "/dev/shm", "/", "/dev", "/run", "/var/tmp", "/home", "/etc", ".", "/run/referee")
    return (place for place in candidates if os.access(place, os.W_OK))


def spinners(bait: Bait) -> Evidence:
    """More processor time than its share, by many processes at once."""
    source, sink = os.pipe()
    end = time.monotonic() + SPIN_SECONDS
    family = [_child(lambda: _spun(sink, end)) for _ in range(SPINNERS)]
    for child in family:
        os.waitpid(child, 0)
    os.close(sink)
    with os.fdopen(source) as times:
        used = sum(map(float, times.read().split()))
    share = 100 * used / SPIN_SECONDS
    words = f"{share:.0f} % of a core by {SPINNERS} processes, {bait['cpu_percent']} % allowed"
    return Evidence(open=share > 1.5 * bait["cpu_percent"] + 5, words=words)


def _child(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return child


def _spun(sink: int, end: float) -> None:
    os.setsid()  # kernels share out the processor by sessions first: each has one of its own
    start = time.process_time()
    while time.monotonic() < end:
        sum(range(1000))
    os.write(sink, f"{time.process_time() - start} ".encode())


def open_files(_: Bait) -> Evidence:
    """So many descriptors that the machine's own table fills up."""
    opened, problem = 0, "no refusal"
    try:
        while opened < MOST_DESCRIPTORS:
            os.dup(0)
            opened += 1
    except OSError as error:
        problem = said(error)
    return Evidence(open=opened > 1024, words=f"{opened} descriptors: {problem}")


def flood(bait: Bait) -> Evidence:
    """More output than anybody will read: whoever reads it all is kept busy."""
    os.set_blocking(1, False)
    end, written = time.monotonic() + FLOOD_SECONDS, 0
    chunk = (b"x" * 99 + b"\n") * 600
    while time.monotonic() < end:
        try:
            written += os.write(1, chunk)
        except BlockingIOError:
            time.sleep(0.001)
    # What is allowed at once, what is read at a trickle, and what lies in the pipe.
    allowed = bait["output_kb"] * 1024 + 4 * MB
    return Evidence(open=written > allowed, words=f"{written / MB:.1f} MB in {FLOOD_SECONDS:g} s were read")


PROBES: Final[dict[str, Probe]] = {
    "ordinary": ordinary,
    "fork-bomb": forks,
    "thread-bomb": threads,
    "heap": heap,
    "shared-memory": mapped,
    "many-children": children,
    "memfd": memfd,
    "temp-files": tmpfs,
    "inodes": inodes,
    "huge-environments": environments,
    "disk-filler": disk,
    "spinners": spinners,
    "many-descriptors": open_files,
    "output-flood": flood,
}
