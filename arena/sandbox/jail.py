"""The command line of a bubblewrap jail: namespaces, limits, and what of the host is shown in it.

As root there are two jails. bwrap would keep root's uid, so a uid without any rights starts it; and since
that uid may not be able to reach a home or an interpreter, a first bwrap, still root, lays out what it needs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.contract import TEMP

TMPFS_BYTES: Final = 64 << 20  # for /tmp, and again for /dev/shm
LIMITS: Final = (
    "--core=1:1",  # at 0 a core still goes to a handler, if the system has one
    "--nofile=256:256",
    f"--fsize={TMPFS_BYTES}:{TMPFS_BYTES}",
    "--nproc=256:256",  # set inside, where it counts the agent's own processes and threads alone
    "--memlock=1048576:1048576",
    "--msgqueue=0:0",
    "--rtprio=0:0",
    "--nice=0:0",
    "--sigpending=256:256",
)

_TOP_LEVEL: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES: Final = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
_STAGE: Final = "/stage"
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108 - the agent's own
_RIGHTLESS: Final = ("--pdeathsig=KILL", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")


@dataclass(frozen=True)
class Bind:
    """A folder of the host, and where the agent sees it, read-only."""

    source: str
    target: str


def jailed(
    words: Sequence[str], binds: Sequence[Bind], *, folder: str, uid: int | None, status: int | None = None
) -> list[str]:
    """A command in a folder of a jail; root drops to `uid`, bwrap tells `status` which process is the first."""
    report = [] if status is None else ["--json-status-fd", str(status)]
    if uid is None:
        return ["bwrap", *report, *_inner(binds, folder), *words]
    staged = [Bind(f"{_STAGE}/{number}", bind.target) for number, bind in enumerate(binds)]
    drop = ["setpriv", f"--reuid={uid}", f"--regid={uid}", *_RIGHTLESS, "--"]
    sources = [Bind(bind.source, stage.source) for bind, stage in zip(binds, staged, strict=True)]
    return ["bwrap", *report, *_outer(sources), *drop, "bwrap", *_inner(staged, folder), *words]


def _outer(binds: Iterable[Bind]) -> list[str]:
    """The first jail, up to what drops root: it has only the agent's files."""
    folders = [f"--perms 0755 --dir {folder}".split() for folder in ("/etc", TEMP, _STAGE)]
    # The host's own /proc: only where that is seen in full may a user mount another.
    hosts = ["--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev"]
    shown = [*_system(), *hosts, *_read_only(binds)]
    # A bwrap that is killed while it starts leaves a child that waits for ever: this takes the second's along.
    life = ["--unshare-pid", "--as-pid-1", "--die-with-parent"]
    return [*life, *_flat(folders), *shown, "--remount-ro", "/", "--"]


def _inner(binds: Iterable[Bind], folder: str) -> list[str]:
    """The agent's jail, up to the command."""
    small = ["--size", str(TMPFS_BYTES), "--tmpfs"]
    devices = ["--proc", "/proc", "--dev", "/dev", *small, _SHARED_MEMORY, *small, TEMP]
    # The root and /dev are without a size: they must not stay writable.
    sealed = ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", folder]
    shown = [*_system(), *devices, *_read_only(binds), *sealed]
    return [*_isolation(), *shown, "--", "prlimit", *LIMITS, "--"]


def _isolation() -> list[str]:
    own = [f"--unshare-{name}" for name in ("user", "pid", "net", "ipc", "uts", "cgroup-try")]
    identity = ["--uid", "1000", "--gid", "1000", "--hostname", "agent"]
    return [*own, "--disable-userns", *identity, "--die-with-parent", "--new-session"]


def _system() -> list[str]:
    """Programs and libraries of the host, laid out as they are there."""
    top = [Path(path) for path in _TOP_LEVEL if Path(path).exists()]
    links = [["--symlink", str(path.readlink()), str(path)] for path in top if path.is_symlink()]
    shown = [str(path) for path in top if not path.is_symlink()]
    shown += [path for path in _SYSTEM_FILES if Path(path).exists()]
    return [*_read_only(Bind(path, path) for path in ("/usr", *shown)), *_flat(links)]


def _read_only(binds: Iterable[Bind]) -> list[str]:
    return _flat(["--ro-bind", bind.source, bind.target] for bind in binds)


def _flat(lists: Iterable[Sequence[str]]) -> list[str]:
    return [word for words in lists for word in words]


def interpreter(base: Path) -> list[Bind]:
    """What a Python needs of its installation, at its own place; nothing if the system's folders have it."""
    if base.is_relative_to("/usr"):
        return []
    # Not the whole: an installation may be somebody's home.
    folders = [base / name for name in ("bin", "lib", "lib64")]
    return [Bind(str(folder), str(folder)) for folder in folders if folder.is_dir()]
