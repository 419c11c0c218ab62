"""Attacks on files: reading what is not its own, writing anything that lasts, devices, the kernel's own files."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from .evidence import Bait, Evidence, Probe, any_of, attempt, content, numbers_of_processes

PLANTED: Final = "arena-attack-planted"
SYSTEM: Final = ("/", "/etc", "/usr", "/usr/bin", "/var/tmp", "/run", "/dev", "/home", "/root", "/opt", "/proc", "/sys")
DEVICES: Final = "mem kmem port kmsg kvm fuse loop-control loop0 vda sda nvme0n1 vhost-vsock hwrng cpu_dma_latency"
KNOBS: Final = (
    *("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches"),
    *("/proc/sysrq-trigger", "/proc/sys/fs/file-max", "/sys/kernel/uevent_helper", "/sys/power/state"),
)


def _finds(bait: Bait, path: str) -> Evidence:
    """Whether the secret can be read there."""
    try:
        found = bait["canary"].encode() in content(path)
    except OSError as error:
        return Evidence(open=False, words=f"{path}: {error.strerror}")
    return Evidence(open=found, words=f"{path}: {'read' if found else 'something else'}")


def shadow(_: Bait) -> Evidence:
    return any_of(attempt(path, content, path) for path in ("/etc/shadow", "/etc/gshadow"))


def home(bait: Bait) -> Evidence:
    return _finds(bait, bait["home"])


def other_bot(bait: Bait) -> Evidence:
    return any_of([_finds(bait, bait["other"]), _finds(bait, "../other/secret")])


def symlinks(bait: Bait) -> Evidence:
    """Through links in its own folder, which the bot's author could put there."""
    return any_of(_finds(bait, f"links/{name}") for name in sorted(os.listdir("links")))


def roots(bait: Bait) -> Evidence:
    """Through the roots and folders of other processes."""
    ways = [f"/proc/{pid}/{way}" for pid in numbers_of_processes() for way in ("root", "cwd")]
    return any_of(_finds(bait, f"{way}{bait['home']}") for way in ways)


def _writes(path: str) -> Evidence:
    planted = os.path.join(path, PLANTED)

    def plant() -> None:
        os.close(os.open(planted, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(planted)

    return attempt(f"a file in {path}", plant)


def _opened_to_write(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY))


def own_folder(_: Bait) -> Evidence:
    """Its own files: new ones, others' names, other rights."""

    def there_and_back() -> None:
        os.rename("file", "moved")
        os.rename("moved", "file")

    return any_of(
        [
            _writes("."),
            attempt("its file opened to write", _opened_to_write, "file"),
            attempt("its file renamed", there_and_back),
            attempt("its file's rights changed", os.chmod, "file", 0o644),
            attempt("its file's time changed", os.utime, "file"),
        ]
    )


def runtime(_: Bait) -> Evidence:
    return any_of(_writes(path) for path in (sys.prefix, os.environ.get("PYTHONPATH", sys.prefix)))


def system(_: Bait) -> Evidence:
    return any_of(_writes(path) for path in SYSTEM)


def swapped_socket(_: Bait) -> Evidence:
    """Another socket in the place of the referee's."""
    path = os.environ["ARENA_SOCKET"]
    other = f"{path}.other"

    def there_and_back() -> None:
        os.rename(path, other)
        os.rename(other, path)

    def bound() -> None:
        with socket.socket(socket.AF_UNIX) as impostor:
            impostor.bind(other)
        os.unlink(other)

    return any_of(
        [
            attempt("the socket renamed", there_and_back),
            attempt("a socket beside it", bound),
            attempt("the socket opened to all", os.chmod, path, 0o666),
            _writes(os.path.dirname(path)),
        ]
    )


def hard_links(bait: Bait) -> Evidence:
    """A second name, under which a file might be changed or outlast its folder."""
    targets = (bait["other"], "file", "/usr/bin/env", os.environ["ARENA_SOCKET"])
    places = (PLANTED, os.path.join(bait["temp"], PLANTED))

    def linked(target: str, place: str) -> None:
        os.link(target, place)
        os.unlink(place)

    return any_of(
        attempt(f"{place} linked to {target}", linked, target, place) for target in targets for place in places
    )


def setuid_program(_: Bait) -> Evidence:
    """A program of root's that runs as root whoever starts it: one of its own folder, if root put it there."""
    with open("/proc/self/status", encoding="ascii") as status:
        bare = "NoNewPrivs:\t1\n" not in status.read()
    if os.access("whoami", os.X_OK):
        ran = subprocess.run(["./whoami", "-u"], capture_output=True, text=True, check=False)
        if ran.stdout.strip() not in {"", str(os.geteuid())}:
            return Evidence(open=True, words=f"a setuid program ran as uid {ran.stdout.strip()}")
    return Evidence(open=bare, words="privileges can be gained" if bare else "no new privileges")


def pseudo_terminals(_: Bait) -> Evidence:
    """One is enough: whoever gets it gets thousands."""
    names = ("/dev/ptmx", "/dev/pts/ptmx")
    return any_of(attempt(name, os.open, name, os.O_RDWR | os.O_NOCTTY) for name in names)


def devices(_: Bait) -> Evidence:
    paths = [f"/dev/{name}" for name in DEVICES.split()]
    return any_of(attempt(path, content, path, 0) for path in paths)


def device_nodes(bait: Bait) -> Evidence:
    place = os.path.join(bait["temp"], PLANTED)

    def made(kind: int, major: int, minor: int) -> None:
        os.mknod(place, kind | 0o600, os.makedev(major, minor))
        os.unlink(place)

    return any_of(
        [
            attempt("a node of /dev/mem", made, stat.S_IFCHR, 1, 1),
            attempt("a node of a disk", made, stat.S_IFBLK, 254, 0),
        ]
    )


def knobs(_: Bait) -> Evidence:
    """Settings of the kernel, opened for writing; nothing is written."""
    return any_of(attempt(path, _opened_to_write, path) for path in KNOBS)


def kernel_secrets(_: Bait) -> Evidence:
    """Where the kernel lies in memory, and what it says."""

    def addresses() -> None:
        if not any(int(line.split()[0], 16) for line in content("/proc/kallsyms").splitlines()[:20]):
            raise PermissionError(1, "only zeros")

    return any_of(
        [
            attempt("/proc/kcore", content, "/proc/kcore", 16),
            attempt("/proc/kallsyms", addresses),
            attempt("/dev/kmsg", content, "/dev/kmsg"),
        ]
    )


def groups(_: Bait) -> Evidence:
    """The control groups that hold it, opened for writing."""
    return any_of(attempt(path, _opened_to_write, path) for path in _group_files())


def _group_files() -> Iterator[str]:
    top = "/sys/fs/cgroup"
    yield f"{top}/cgroup.procs"
    for name in sorted(os.listdir(top)) if os.path.isdir(top) else ():
        yield f"{top}/{name}/cgroup.procs"


def environment(bait: Bait) -> Evidence:
    """Variables of whoever runs the arena."""
    found = sorted({*bait["variables"]} & {*os.environ})
    return Evidence(open=bool(found), words=f"variables of the referee: {', '.join(found) or 'none'}")


def descriptors(bait: Bait) -> Evidence:
    """Files and sockets that the referee forgot to close."""
    inherited = ", ".join(map(str, bait["inherited"]))
    return Evidence(open=bool(inherited), words=f"inherited descriptors: {inherited or 'none'}")


def host_facts(bait: Bait) -> Evidence:
    """How busy the machine is: whoever can see that can tell a little of what the others do."""
    with open("/proc/meminfo", encoding="ascii") as facts:
        same = facts.readline().split()[1] == bait["machine_kb"]
    return Evidence(open=same, words="the machine's memory and load are seen" if same else "facts of its own")


PROBES: Final[dict[str, Probe]] = {
    "shadow": shadow,
    "home": home,
    "other-bot": other_bot,
    "symlinks": symlinks,
    "process-roots": roots,
    "own-folder": own_folder,
    "runtime": runtime,
    "system": system,
    "socket-swap": swapped_socket,
    "hard-links": hard_links,
    "setuid": setuid_program,
    "devices": devices,
    "pseudo-terminals": pseudo_terminals,
    "device-nodes": device_nodes,
    "kernel-knobs": knobs,
    "kernel-secrets": kernel_secrets,
    "control-groups": groups,
    "environment": environment,
    "leaked-descriptors": descriptors,
    "host-facts": host_facts,
}
