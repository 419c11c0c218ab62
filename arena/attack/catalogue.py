"""Every attack on the sandbox, and what holds it at which level.

A level that is not named promises nothing. Without control groups (bubblewrap-lite) memory is sampled and nobody
shares out the processor; gVisor answers system calls itself, so that those which it answers harm nobody else.
"""

from collections.abc import Mapping
from typing import Final

from arena.attack.model import Attack, Way

BUBBLEWRAP: Final = "bubblewrap"
LITE: Final = "bubblewrap-lite"
CONTAINERS: Final = ("docker", "podman")
GVISOR: Final = "gvisor"

NO: Final = ""  # not promised there

FILES: Final = "mount namespace"
READ_ONLY: Final = "read-only binds"
NETWORK: Final = "seccomp, network namespace"
PROCESSES: Final = "pid namespace"
SECCOMP: Final = "seccomp"
RIGHTS: Final = "own uid, no capabilities"
MEMORY: Final = "memory cgroup"
WATCHDOG: Final = "watchdog on memory"


def _by(
    jail: str, *, lite: str | None = None, container: str | None = None, gvisor: str | None = None
) -> dict[str, str]:
    """What holds at each level; what is not said is as in the jail."""
    others = {LITE: lite, **dict.fromkeys(CONTAINERS, container), GVISOR: container if gvisor is None else gvisor}
    levels = {BUBBLEWRAP: jail, **{level: jail if by is None else by for level, by in others.items()}}
    return {level: by for level, by in levels.items() if by}


_CALL: Final = _by(SECCOMP, gvisor=NO)
_MEMORY: Final = _by(MEMORY, lite=WATCHDOG)
_UNCOUNTED: Final = _by(MEMORY, lite=NO)
_READ_ONLY: Final = _by(READ_ONLY, container="read-only root")
_NETWORK: Final = _by(NETWORK)
_CHANNEL: Final = _by(SECCOMP)


def _all(way: Way, titles: Mapping[str, tuple[str, Mapping[str, str]]]) -> tuple[Attack, ...]:
    return tuple(Attack(name, title, way, held_by) for name, (title, held_by) in titles.items())


_FILES: Final = _all(
    Way.QUIET,
    {
        "shadow": ("reads the machine's password hashes", _by(FILES, container="image of its own")),
        "home": ("reads a file in the home of whoever runs the arena", _by(FILES)),
        "other-bot": ("reads another bot's files", _by(FILES)),
        "symlinks": ("reads others' files through links in its own folder", _by(FILES)),
        "process-roots": ("reads others' files through /proc/PID/root", _by(f"{PROCESSES}, {FILES}")),
        "own-folder": ("changes its own folder", _READ_ONLY),
        "runtime": ("changes the bots' runtime", _READ_ONLY),
        "system": ("writes into the system's folders", _READ_ONLY),
        "socket-swap": ("renames, replaces or opens the referee's socket", _READ_ONLY),
        "hard-links": ("links others' files into folders of its own", _READ_ONLY),
        "setuid": ("gains rights by a setuid program", _by("no-new-privileges")),
        "devices": ("opens the machine's memory, disks and other devices", _by("/dev of its own")),
        "pseudo-terminals": ("takes pseudo-terminals, which nobody counts", _by("no terminals in the jail")),
        "device-nodes": ("makes device nodes", _by(RIGHTS)),
        "kernel-knobs": ("changes settings of the kernel in /proc/sys", _by(RIGHTS, container="masked /proc")),
        "kernel-secrets": ("reads the kernel's memory, addresses and log", _by(RIGHTS, container="masked /proc")),
        "control-groups": ("leaves or widens its control groups", _by("no /sys in the jail", container=RIGHTS)),
        "environment": ("reads variables of whoever runs the arena", _by("a clean environment")),
        "leaked-descriptors": ("finds descriptors that the referee left open", _by("closed descriptors")),
        "host-facts": ("sees the machine's load and memory in /proc", {}),
    },
)

_SOCKETS: Final = _all(
    Way.QUIET,
    {
        "tcp-loopback": ("connects to a TCP port of this machine", _NETWORK),
        "tcp6-loopback": ("connects to a TCP port of this machine over IPv6", _NETWORK),
        "udp-loopback": ("sends UDP datagrams to this machine", _NETWORK),
        "outside": ("finds a route to the outside", _NETWORK),
        "listening": ("listens on a TCP port", _by(SECCOMP, gvisor=NO)),
        "socket-families": ("makes sockets of all 44 other families", _by(SECCOMP, gvisor=NO)),
        "raw-sockets": ("makes raw and packet sockets", _by(f"{SECCOMP}, no capabilities")),
        "netlink": ("speaks netlink with the kernel", _by(SECCOMP, gvisor=NO)),
        "vsock": ("makes vsock sockets, which know no namespaces", _by(SECCOMP)),
        "abstract-socket": ("connects to an abstract socket of this machine", _by("network namespace")),
        "neighbour-socket": ("connects to another agent's socket", _by(f"{FILES}, uid of its own")),
        "service-sockets": ("connects to sockets of services, such as Docker's", _by(FILES)),
    },
)

_CALLS: Final = _all(
    Way.QUIET,
    {
        "forbidden-calls": ("makes 70 system calls that no bot needs", _CALL),
        "io-uring": ("sets up io_uring", _by(SECCOMP, gvisor=NO)),
        "bpf": ("loads BPF into the kernel", _by(SECCOMP)),
        "keyctl": ("reads the kernel's keyrings", _by(SECCOMP)),
        "add-key": ("stores keys in the kernel", _by(SECCOMP)),
        "perf-events": ("measures others by perf_event_open", _by(SECCOMP)),
        "userfaultfd": ("handles page faults itself", _by(SECCOMP)),
        "ptrace": ("traces processes", _CALL),
        "process-memory": ("reads processes' memory by their number", _CALL),
        "process-descriptor": ("takes descriptors out of other processes", _by(SECCOMP)),
        "personality": ("changes its personality, for fixed addresses", _CALL),
        "file-handles": ("opens files by their number on the disk", _by(SECCOMP)),
        "mount": ("mounts a file system", _by(f"{SECCOMP}, no capabilities")),
        "mount-by-parts": ("mounts by fsopen and fsmount", _by(SECCOMP)),
        "unshare": ("makes namespaces in which it is root", _CALL),
        "clone-namespace": ("clones into namespaces of its own", _CALL),
        "clone3": ("clones by clone3, whose flags no filter sees", _CALL),
        "setns": ("enters namespaces of other processes", _by(SECCOMP)),
        "chroot": ("changes its root", _by(SECCOMP)),
        "int-80": ("makes i386 system calls (int 0x80)", _CALL),
        "x32": ("makes x32 system calls", _CALL),
        "sync": ("makes the machine write out its disks again and again", _by(SECCOMP, gvisor=NO)),
        "lease": ("takes leases on shared files", _by(SECCOMP)),
    },
)

_OTHERS: Final = _all(
    Way.QUIET,
    {
        "list-referee": ("finds the referee among the processes", _by(PROCESSES)),
        "referee-environment": ("reads the referee's environment", _by(PROCESSES)),
        "kill-referee": ("sends the referee signals", _by(PROCESSES)),
        "trace-referee": ("traces the referee or reads its memory", _by(f"{SECCOMP}, {PROCESSES}")),
        "become-root": ("asks to be root", _by(RIGHTS)),
        "capabilities": ("has capabilities left", _by(RIGHTS)),
        "real-time": ("takes real-time or better priority", _by("rlimits, no capabilities")),
        "disk-priority": ("takes real-time priority on the disk", _by(SECCOMP)),
        "raise-limits": ("raises its own limits", _by("rlimits, no capabilities")),
        "oom-score": ("asks to be spared when memory runs out", _by("no capabilities")),
        "terminal": ("types into the terminal of whoever runs the arena", _by("session of its own")),
        "many-descriptors": ("opens thousands of files", _by("rlimits")),
    },
)

_GREEDY: Final = _all(
    Way.GREEDY,
    {
        "fork-bomb": ("starts 300 processes", _by("pids cgroup", lite="rlimits")),
        "thread-bomb": ("starts 300 threads", _by("pids cgroup", lite="rlimits")),
        "heap": ("takes too much heap", _MEMORY),
        "shared-memory": ("takes too much anonymous shared memory", _MEMORY),
        "many-children": ("takes too much memory in many small children", _MEMORY),
        "memfd": ("takes too much memory in files without a name", _by(MEMORY, lite=SECCOMP)),
        "temp-files": ("takes too much memory in temp files", _MEMORY),
        "inodes": ("takes too much kernel memory in empty files", _UNCOUNTED),
        "huge-environments": ("takes too much memory in environments", _MEMORY),
        "disk-filler": ("fills the disk", _by("sized tmpfs, read-only binds", container="sized tmpfs, read-only root")),
        "spinners": ("takes the processor with 8 busy processes", _by("cpu cgroup", lite=NO)),
        "output-flood": ("floods its standard output", _by("the log's trickle")),
    },
)

_CHANNELS: Final = _all(
    Way.CHANNEL,
    {
        "flock": ("signals to another bot by flock on a shared file", _CHANNEL),
        "record": ("signals to another bot by record locks on a shared file", _CHANNEL),
        "inotify": ("sees another bot open a shared file", _CHANNEL),
        "futex": ("signals to another bot by a futex in a shared file", {}),
        "sysv": ("shares System V memory with another bot", _by(f"{SECCOMP}, ipc namespace")),
        "abstract": ("meets another bot at an abstract socket", _by("network namespace")),
        "file": ("leaves a file for another bot", _by("temp folders of its own")),
        "process": ("finds another bot among the processes", _by(PROCESSES)),
    },
)

_STUBBORN: Final = _all(
    Way.STUBBORN,
    {
        "deaf": ("ignores all signals", _by(f"{PROCESSES}, SIGKILL", container="the engine's kill")),
        "daemon-of-the-killed": ("leaves a daemon behind when it is killed", _by(PROCESSES)),
        "daemon-of-the-leaver": ("leaves a daemon behind when it exits", _by(PROCESSES)),
        "referee-killed": ("outlives a referee that was killed", _by("--die-with-parent", container=NO)),
    },
)

ATTACKS: Final = (*_FILES, *_SOCKETS, *_CALLS, *_OTHERS, *_GREEDY, *_CHANNELS, *_STUBBORN)
