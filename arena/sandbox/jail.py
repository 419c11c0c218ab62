"""The command line of a bubblewrap jail: namespaces, limits, and what of the host is shown in it.

As root there are two jails. bwrap would keep root's uid, so a uid without any rights starts it; and since
that uid may not be able to reach a home or an interpreter, a first bwrap, still root, lays out what it needs.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.limits import Limits
from arena.sandbox.contract import TEMP

MONITORS_OF_ROOT: Final = 3  # processes that hold an agent: both bwraps, and the first process of the second jail
MONITORS: Final = 2

_RLIMITS: Final = (
    "--core=1:1",  # at 0 a core still goes to a handler, if the system has one
    "--memlock=1048576:1048576",
    "--msgqueue=0:0",
    "--rtprio=0:0",
    "--nice=0:0",
    "--sigpending=256:256",
)
_TOP_LEVEL: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES: Final = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
_JAVA: Final = "java-*-openjdk"  # Debian keeps there what Java will not run without
_STAGE: Final = "/stage"
_TERMINALS: Final = "/dev/pts"  # a machine has a few thousand for everybody, and nothing counts whose they are
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108 - the agent's own
_RIGHTLESS: Final = ("--pdeathsig=KILL", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
# Programs ask for these, and the calls that an agent may make tell as much; bwrap guards sys, `idle_cores` is stat.
_SHOWN_OF_PROC: Final = {"cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version"}


@dataclass(frozen=True)
class Bind:
    """A folder of the host, and where the agent sees it."""

    source: str
    target: str
    writable: bool = False


@dataclass(frozen=True)
class Cell:
    """What one jail is like."""

    binds: Sequence[Bind] = ()
    folder: str = "/"  # where the command stands
    limits: Limits = field(default_factory=Limits)
    uid: int | None = None  # that root drops to
    network: bool = False  # whether it has the machine's network
    files: int = 256  # that each of its processes may have open
    hidden: Sequence[str] = ()  # see `hidden_of_proc`
    seccomp: int | None = None  # a descriptor with the filter
    stat: int | None = None  # a descriptor with what /proc/stat says
    status: int | None = None  # a descriptor that bwrap tells which process is the first


def jailed(words: Sequence[str], cell: Cell) -> list[str]:
    """A command in a jail."""
    report = [] if cell.status is None else ["--json-status-fd", str(cell.status)]
    if cell.uid is None:
        return ["bwrap", *report, *_inner(cell.binds, cell), *words]
    staged = [Bind(f"{_STAGE}/{number}", bind.target, bind.writable) for number, bind in enumerate(cell.binds)]
    pairs = zip(cell.binds, staged, strict=True)
    sources = [Bind(bind.source, stage.source, bind.writable) for bind, stage in pairs]
    drop = ["setpriv", f"--reuid={cell.uid}", f"--regid={cell.uid}", *_RIGHTLESS, "--"]
    return ["bwrap", *report, *_outer(sources), *drop, "bwrap", *_inner(staged, cell), *words]


def _outer(binds: Iterable[Bind]) -> list[str]:
    """The first jail, up to what drops root: it has only the agent's files."""
    folders = [f"--perms 0755 --dir {folder}".split() for folder in ("/etc", TEMP, _STAGE)]
    # The host's own /proc: only where that is seen in full may a user mount another.
    hosts = ["--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev"]
    shown = [*_system(), *hosts, *_bound(binds)]
    # A bwrap that is killed while it starts leaves a child that waits for ever: this takes the second's along.
    life = ["--unshare-pid", "--as-pid-1", "--die-with-parent"]
    return [*life, *_flat(folders), *shown, "--remount-ro", "/", "--"]


def _inner(binds: Iterable[Bind], cell: Cell) -> list[str]:
    """The agent's jail, up to the command."""
    small = ["--size", str(cell.limits.disk_mb << 20), "--tmpfs"]
    cores = [] if cell.stat is None else ["--ro-bind-data", str(cell.stat), "/proc/stat"]
    own = ["--proc", "/proc", *cell.hidden, *cores, "--dev", "/dev", *_empty(_TERMINALS)]
    # The root and /dev are without a size: they must not stay writable.
    sealed = ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", cell.folder]
    shown = [*_system(), *own, *small, _SHARED_MEMORY, *small, TEMP, *_bound(binds), *sealed]
    calls = [] if cell.seccomp is None else ["--seccomp", str(cell.seccomp)]
    return [*_isolation(network=cell.network), *shown, *calls, "--", "prlimit", *_rlimits(cell), "--"]


def _rlimits(cell: Cell) -> list[str]:
    size, processes = cell.limits.disk_mb << 20, cell.limits.processes + 1
    # The processes are limited inside, where only the agent's own count, and the first of the jail.
    return [
        *(*_RLIMITS, f"--nofile={cell.files}:{cell.files}"),
        *(f"--fsize={size}:{size}", f"--nproc={processes}:{processes}"),
    ]


def idle_cores() -> bytes:
    """What /proc/stat says in a jail: programs count the cores there, and need not know what those do."""
    names = ["cpu ", *(f"cpu{number}" for number in range(os.cpu_count() or 1))]
    return "".join(f"{name} 0 0 0 0 0 0 0 0 0 0\n" for name in names).encode()


def hidden_of_proc() -> list[str]:
    """What covers the entries of /proc that tell of the machine and not of the agent's own processes."""
    entries = [path for path in Path("/proc").iterdir() if not path.name.isdigit() and path.name not in _SHOWN_OF_PROC]
    return _flat(_covered(path) for path in sorted(entries) if not path.is_symlink())


def _covered(path: Path) -> list[str]:
    name = str(path)
    if path.is_dir():
        return _empty(name)
    readable = path.stat().st_mode & 0o004
    return ["--ro-bind", "/dev/null", name] if readable else []


def _empty(folder: str) -> list[str]:
    return ["--perms", "0555", "--size", "4096", "--tmpfs", folder, "--remount-ro", folder]


def _isolation(*, network: bool) -> list[str]:
    apart = ("user", "pid", "ipc", "uts", "cgroup-try", *(() if network else ("net",)))
    own = [f"--unshare-{name}" for name in apart]
    identity = ["--uid", "1000", "--gid", "1000", "--hostname", "agent"]
    return [*own, "--disable-userns", *identity, "--die-with-parent", "--new-session"]


def _system() -> list[str]:
    """Programs and libraries of the host, laid out as they are there."""
    top = [Path(path) for path in _TOP_LEVEL if Path(path).exists()]
    links = [["--symlink", str(path.readlink()), str(path)] for path in top if path.is_symlink()]
    shown = [str(path) for path in top if not path.is_symlink()]
    shown += [path for path in _SYSTEM_FILES if Path(path).exists()]
    shown += sorted(str(path) for path in Path("/etc").glob(_JAVA))
    return [*_bound(Bind(path, path) for path in ("/usr", *shown)), *_flat(links)]


def _bound(binds: Iterable[Bind]) -> list[str]:
    return _flat(["--bind" if bind.writable else "--ro-bind", bind.source, bind.target] for bind in binds)


def _flat(lists: Iterable[Sequence[str]]) -> list[str]:
    return [word for words in lists for word in words]


def interpreter(base: Path) -> list[Bind]:
    """What a Python needs of its installation, at its own place; nothing if the system's folders have it."""
    if base.is_relative_to("/usr"):
        return []
    # Not the whole: an installation may be somebody's home.
    folders = [base / name for name in ("bin", "lib", "lib64")]
    return [Bind(str(folder), str(folder)) for folder in folders if folder.is_dir()]
