"""Attacks on other processes and on its own limits: finding, killing and tracing the referee, more rights."""

import os
import resource
import signal
from typing import Final

from .evidence import Bait, Evidence, Probe, any_of, attempt, content, numbers_of_processes, said
from .machine import call

TRACE_SEIZE: Final = 0x4206
IO_REAL_TIME: Final = 1 << 13
LIMITS: Final = ("NOFILE", "NPROC", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE", "RTPRIO", "NICE", "SIGPENDING")


def _seen(bait: Bait, name: str) -> Evidence:
    """Whether the word that only the referee knows is found in such a file of any process."""
    for pid in numbers_of_processes():
        try:
            if bait["victim_word"].encode() in content(f"/proc/{pid}/{name}"):
                return Evidence(open=True, words=f"/proc/{pid}/{name} was read")
        except OSError:
            continue
    return Evidence(open=False, words=f"{len(numbers_of_processes())} processes seen, the referee's is none of them")


def listed(bait: Bait) -> Evidence:
    return _seen(bait, "cmdline")


def spied(bait: Bait) -> Evidence:
    return _seen(bait, "environ")


def killed(bait: Bait) -> Evidence:
    """The suite looks whether its process still lives: here that number may mean another."""
    tries = [attempt("SIGUSR1 to the referee", os.kill, bait["target"], signal.SIGUSR1)]
    return Evidence(open=False, words=any_of(tries).words)


def traced(bait: Bait) -> Evidence:
    return any_of(
        [
            attempt("ptrace of the referee", call, "ptrace", TRACE_SEIZE, bait["victim"], 0, 0),
            attempt("the referee's memory", content, f"/proc/{bait['victim']}/mem", 0),
        ]
    )


def root(_: Bait) -> Evidence:
    """Back to root, by asking."""
    if os.getuid() == 0:
        return Evidence(open=_is_mighty(), words="runs as root of its namespace")
    return any_of(
        [attempt("uid 0", os.setuid, 0), attempt("gid 0", os.setgid, 0), attempt("groups", os.setgroups, [0])]
    )


def _is_mighty() -> bool:
    with open("/proc/self/status", encoding="ascii") as status:
        mine = next(line.split()[1] for line in status if line.startswith("CapEff:"))
    return int(mine, 16) != 0


def capabilities(_: Bait) -> Evidence:
    with open("/proc/self/status", encoding="ascii") as status:
        held = {line.split()[0]: int(line.split()[1], 16) for line in status if line.startswith("Cap")}
    found = [f"{name}{value:x}" for name, value in held.items() if value]
    # A bounding set without no-new-privileges could be used; with it, or alone, it gives nothing.
    usable = [name for name in found if not name.startswith("CapBnd:")]
    return Evidence(open=bool(usable), words=f"capabilities: {' '.join(found) or 'none'}")


def real_time(_: Bait) -> Evidence:
    """Before everybody else on the processor."""
    first = os.sched_param(1)
    return any_of(
        [
            attempt("SCHED_FIFO", os.sched_setscheduler, 0, os.SCHED_FIFO, first),
            attempt("SCHED_RR", os.sched_setscheduler, 0, os.SCHED_RR, first),
            attempt("nice -5", os.setpriority, os.PRIO_PROCESS, 0, -5),
        ]
    )


def disk_priority(_: Bait) -> Evidence:
    return attempt("real-time priority on the disk", call, "ioprio_set", 1, 0, IO_REAL_TIME)


def raised_limits(_: Bait) -> Evidence:
    """More than the hard limits that it was given."""
    return any_of(_raised(name) for name in LIMITS)


def _raised(name: str) -> Evidence:
    kind = getattr(resource, f"RLIMIT_{name}")
    most = resource.getrlimit(kind)[1]
    if most == resource.RLIM_INFINITY:
        return Evidence(open=name in {"CORE", "FSIZE", "NPROC"}, words=f"no limit for {name.lower()}")
    try:
        resource.setrlimit(kind, (most + 1, most + 1))
    except (OSError, ValueError) as error:
        return Evidence(open=False, words=f"{name.lower()}: {said(error) if isinstance(error, OSError) else error}")
    return Evidence(open=True, words=f"{name.lower()} raised above {most}")


def spared(_: Bait) -> Evidence:
    """Never the one that dies when memory is short."""

    def written() -> None:
        line = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(line, b"-900")

    return attempt("spared when memory runs out", written)


def terminal(_: Bait) -> Evidence:
    """The terminal of whoever runs the arena: words could be typed into it (TIOCSTI)."""
    seen = [str(number) for number in range(3) if os.isatty(number)]
    own = attempt("/dev/tty", os.open, "/dev/tty", os.O_RDWR)
    return any_of([own, Evidence(open=bool(seen), words=f"terminals: {', '.join(seen) or 'none'}")])


PROBES: Final[dict[str, Probe]] = {
    "list-referee": listed,
    "referee-environment": spied,
    "kill-referee": killed,
    "trace-referee": traced,
    "become-root": root,
    "capabilities": capabilities,
    "real-time": real_time,
    "disk-priority": disk_priority,
    "raise-limits": raised_limits,
    "oom-score": spared,
    "terminal": terminal,
}
