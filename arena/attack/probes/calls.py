"""Attacks by system calls that no bot needs and that kernels have been broken through."""

import ctypes
import errno
import os
import signal
import struct
from collections.abc import Callable, Mapping
from typing import Final

from . import machine
from .evidence import REFUSED, Bait, Evidence, Probe, any_of, attempt, numbers_of_processes, reached, said
from .machine import call, raw_call

NEW_USER: Final = 0x10000000
NEW_NAMESPACES: Final = {"mount": 0x00020000, "pid": 0x20000000, "network": 0x40000000, "user": NEW_USER}
TRACE_ME: Final = 0
SOFTWARE_CLOCK: Final = struct.pack("<IIQ", 1, 112, 0)  # of perf_event_attr: a software event, its size, cpu clock
SESSION_KEYRING: Final = -3
NOTHING_LIKE_IT: Final = 0x0A7E4A17  # a key under which nobody keeps anything
SYNC: Final = ("fdatasync", "fsync", "msync", "sync_file_range")
ALLOWED: Final = {"futex", "mmap", "pidfd_open"}
ELSEWHERE: Final = {"clone", "clone3", "inotify_add_watch", "shmctl", "sync", "syncfs", *SYNC}  # or not with a -1
# Arguments that do no harm even where a call is carried out; -1 everywhere is refused by all the others.
HARMLESS: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(("msgget", "semget", "shmget"), (NOTHING_LIKE_IT, 0, 0)),
}


def sweep(_: Bait) -> Evidence:
    """All of them, with arguments that make no sense: whether the kernel even looks at those."""
    names = [name for name in machine.NUMBERS if name not in ALLOWED | ELSEWHERE and machine.number(name) is not None]
    answered = [name for name in names if reached(name, call, name, *HARMLESS.get(name, (-1,) * 6)).open]
    words = f"{len(answered)} of {len(names)} calls were answered: {', '.join(answered) or 'none'}"
    return Evidence(open=bool(answered), words=words)


def io_uring(_: Bait) -> Evidence:
    return reached("io_uring_setup", call, "io_uring_setup", 1, bytes(120))


def bpf(_: Bait) -> Evidence:
    return reached("bpf", call, "bpf", 0, struct.pack("<IIII", 2, 4, 4, 1), 16)  # a map of one number


def keyctl(_: Bait) -> Evidence:
    return reached("keyctl", call, "keyctl", 0, SESSION_KEYRING, 1)


def add_key(_: Bait) -> Evidence:
    return reached("add_key", call, "add_key", b"user", b"arena-attack", b"x", 1, SESSION_KEYRING)


def perf(_: Bait) -> Evidence:
    return reached("perf_event_open", call, "perf_event_open", SOFTWARE_CLOCK + bytes(96), 0, -1, -1, 0)


def userfaultfd(_: Bait) -> Evidence:
    return reached("userfaultfd", call, "userfaultfd", 0)


def traced_by_parent(_: Bait) -> Evidence:
    return reached("ptrace", call, "ptrace", TRACE_ME, 0, 0, 0)


def foreign_memory(_: Bait) -> Evidence:
    """Reading the memory of a process by its number; its own will do."""
    target, source = ctypes.create_string_buffer(8), ctypes.create_string_buffer(b"x" * 8)
    there, here = (struct.pack("<QQ", ctypes.addressof(one), 8) for one in (target, source))
    return reached("process_vm_readv", call, "process_vm_readv", os.getpid(), there, 1, here, 1, 0)


def foreign_descriptor(_: Bait) -> Evidence:
    def taken() -> None:
        call("pidfd_getfd", call("pidfd_open", os.getppid(), 0), 0, 0)

    return reached("pidfd_getfd", taken)


def personality(_: Bait) -> Evidence:
    return reached("personality", call, "personality", 0x0040000)  # without random addresses


def file_handle(_: Bait) -> Evidence:
    """A file by its number on the disk, past all folders."""
    handle = struct.pack("<II", 8, 1) + bytes(8)
    folder = os.open(".", os.O_RDONLY)
    return reached("open_by_handle_at", call, "open_by_handle_at", folder, handle, 0)


def mount(bait: Bait) -> Evidence:
    place = os.path.join(bait["temp"], "arena-attack-mount")

    def mounted() -> None:
        os.makedirs(place, exist_ok=True)
        try:
            call("mount", b"arena", place.encode(), b"tmpfs", 0, 0)
            call("umount2", place.encode(), 0)
        finally:
            os.rmdir(place)

    return attempt("a mount", mounted)


def new_mounts(_: Bait) -> Evidence:
    return reached("fsopen", call, "fsopen", b"tmpfs", 0)


def unshared(_: Bait) -> Evidence:
    """A namespace of its own, in which it would be root."""
    return _any_namespace("unshare", lambda flag: call("unshare", flag))


def cloned(_: Bait) -> Evidence:
    return _any_namespace("clone", lambda flag: _forked(call("clone", flag | signal.SIGCHLD, 0, 0, 0, 0)))


def cloned3(_: Bait) -> Evidence:
    """The newer clone, whose flags no filter can see."""
    return _any_namespace("clone3", lambda flag: _forked(call("clone3", _clone_arguments(flag), 88)))


def _any_namespace(words: str, make: Callable[[int], object]) -> Evidence:
    made = [name for name, flag in NEW_NAMESPACES.items() if attempt(name, make, flag).open]
    return Evidence(open=bool(made), words=f"namespaces by {words}: {', '.join(made) or 'none'}")


def _clone_arguments(flags: int) -> bytes:
    return struct.pack("<11Q", flags, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0)


def _forked(pid: int) -> None:
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def joined(_: Bait) -> Evidence:
    """The namespaces of other processes, found by their numbers."""
    names = [f"/proc/{pid}/ns/{name}" for pid in numbers_of_processes()[:50] for name in ("user", "mnt", "net", "uts")]
    return any_of(attempt(name, _joined, name) for name in names)


def _joined(name: str) -> None:
    namespace = os.open(name, os.O_RDONLY)
    try:
        call("setns", namespace, 0)
    finally:
        os.close(namespace)


def chroot(_: Bait) -> Evidence:
    return attempt("chroot", call, "chroot", b".")


def sync(_: Bait) -> Evidence:
    """Making the disks write: all, or by a file; for the latter no file at all shows whether the kernel looks."""
    whole = [reached("sync", call, "sync"), reached("syncfs", call, "syncfs", -1)]
    return any_of([*whole, *map(_looked_at, SYNC)])


def _looked_at(name: str) -> Evidence:
    try:
        call(name, -1, -1, -1, -1)
    except OSError as error:
        return Evidence(open=error.errno not in REFUSED, words=f"{name}: {said(error)}")
    return Evidence(open=False, words=f"{name}: answered, and not made")


def old_calls(_: Bait) -> Evidence:
    """The i386 way into the kernel: its numbers mean other calls than the filter's."""
    if not machine.is_x86():
        return Evidence(open=False, words="this processor has no int 0x80")
    answer = machine.run_code(machine.INT_80_GETPID)
    if answer > 0:
        return Evidence(open=True, words="int 0x80: getpid answered")
    return Evidence(open=-answer not in REFUSED, words=f"int 0x80: {errno.errorcode.get(-answer, answer)}")


def x32_calls(_: Bait) -> Evidence:
    if not machine.is_x86():
        return Evidence(open=False, words="this processor has no x32")
    try:
        raw_call(machine.X32 | machine.GETPID_64)
    except OSError as error:
        return Evidence(open=False, words=f"x32: {said(error)}")
    return Evidence(open=True, words="x32: getpid answered")


PROBES: Final[dict[str, Probe]] = {
    "forbidden-calls": sweep,
    "io-uring": io_uring,
    "bpf": bpf,
    "keyctl": keyctl,
    "add-key": add_key,
    "perf-events": perf,
    "userfaultfd": userfaultfd,
    "ptrace": traced_by_parent,
    "process-memory": foreign_memory,
    "process-descriptor": foreign_descriptor,
    "personality": personality,
    "file-handles": file_handle,
    "mount": mount,
    "mount-by-parts": new_mounts,
    "unshare": unshared,
    "clone-namespace": cloned,
    "clone3": cloned3,
    "setns": joined,
    "chroot": chroot,
    "sync": sync,
    "int-80": old_calls,
    "x32": x32_calls,
}
