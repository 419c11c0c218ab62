"""Which system calls an agent may make: an allow-list, as a filter for bubblewrap.

Whatever is not listed answers ENOSYS, as if the kernel were too old to know it: programs then take another way. The
numbers of the calls are in calls.json. A filter compares the lower half of an argument, since the kernel uses no more
of these. `profile` says the same to Docker.
"""

import errno
import json
import platform
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Final

from arena.errors import UserError

ALLOWED: Final = """
    accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown clock_getres clock_gettime
    clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl
    epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64
    fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fgetxattr flistxattr fork fstat fstatfs ftruncate futex
    futex_requeue futex_wait futex_waitv futex_wake futimesat get_robust_list get_thread_area getcpu getcwd getdents
    getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority
    getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid getxattr
    ioprio_get kill lchown lgetxattr link linkat listen listxattr llistxattr lseek lstat madvise membarrier
    memfd_create mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap mprotect mremap mseal munlock munlockall munmap
    nanosleep newfstatat open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free
    pkey_mprotect poll ppoll pread64 preadv preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read readahead
    readlink readlinkat readv recvfrom recvmmsg recvmsg rename renameat renameat2 restart_syscall rmdir rseq
    rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
    rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
    sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler
    sched_yield select sendfile sendmmsg sendmsg sendto set_robust_list set_thread_area set_tid_address setgid
    setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setsockopt setuid
    shutdown sigaltstack signalfd signalfd4 splice stat statfs statx symlink symlinkat sysinfo tee tgkill time
    timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime
    timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat utimes vfork wait4 waitid write
    writev
"""
# Answered as done without being made. All that a bot can write while it plays lies in memory, and what a build writes
# can be built again; but a file of the system's that it can only read would do to make the machine's disk write out
# whatever others have written, as often as the bot likes.
PRETENDED: Final = ("fdatasync", "fsync", "msync", "sync_file_range")

_AF_UNIX: Final = 1
_AF_INTERNET: Final = (2, 10)  # AF_INET AF_INET6
_NAMESPACES: Final = 0x7E020000  # the flags of clone that make one: mount, cgroup, uts, ipc, user, pid, net
# The rest would be locks and leases, by which two bots could signal each other over a shared file, and owners.
_FCNTL: Final = (
    *range(5),  # F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL
    *range(1030, 1035),  # F_DUPFD_CLOEXEC F_SETPIPE_SZ F_GETPIPE_SZ F_ADD_SEALS F_GET_SEALS
)
_FCNTL_LOCKS: Final = (5, 6, 7, 36, 37, 38)  # F_GETLK F_SETLK F_SETLKW, and the same of open files
_IOCTL: Final = (
    *range(0x5401, 0x5405),  # TCGETS TCSETS TCSETSW TCSETSF: is it a terminal?
    *(0x540F, 0x5413, 0x5414),  # TIOCGPGRP TIOCGWINSZ TIOCSWINSZ
    *(0x541B, 0x5421),  # FIONREAD FIONBIO
    *range(0x5450, 0x5453),  # FIONCLEX FIOCLEX FIOASYNC
)
_PRCTL: Final = (
    *range(1, 5),  # PR_SET_PDEATHSIG PR_GET_PDEATHSIG PR_GET_DUMPABLE PR_SET_DUMPABLE
    *(15, 16, 21, 23),  # PR_SET_NAME PR_GET_NAME PR_GET_SECCOMP PR_CAPBSET_READ
    *(29, 30, 36, 37, 38, 39),  # timer slack, child subreaper, PR_SET_NO_NEW_PRIVS PR_GET_NO_NEW_PRIVS
    *(41, 42, 47, 52, 53),  # huge pages, ambient capabilities, speculation
    *(65, 66, 0x53564D41),  # PR_SET_MDWE PR_GET_MDWE PR_SET_VMA
)


@dataclass(frozen=True)
class OneOf:
    """A call that is allowed where one argument has one of these values."""

    argument: int
    values: tuple[int, ...]
    error: int  # otherwise


@dataclass(frozen=True)
class Without:
    """A call that is allowed where one argument has none of these bits."""

    argument: int
    bits: int
    error: int  # otherwise


@dataclass(frozen=True)
class Pretended:
    """A call that is answered as done without being made."""


Rule = OneOf | Without | Pretended | None  # None: always allowed


@dataclass(frozen=True)
class Variant:
    """What a jail adds to the list, or takes from it."""

    memfd: bool = True  # without a memory cgroup nobody counts such files: then not
    locks: bool = False  # for builds and for bots that need SQLite
    network: bool = False  # for what brings packages: the internet's sockets


def rules(variant: Variant) -> dict[str, Rule]:
    """Every call that is allowed, and when."""
    left_out = set() if variant.memfd else {"memfd_create"}
    names = {*ALLOWED.split()} - left_out
    unix = OneOf(0, (_AF_UNIX,), errno.EAFNOSUPPORT)
    checked: dict[str, Rule] = {
        "clone": Without(0, _NAMESPACES, errno.EPERM),
        "fcntl": OneOf(1, _FCNTL + (_FCNTL_LOCKS if variant.locks else ()), errno.ENOSYS),
        "ioctl": OneOf(1, _IOCTL, errno.ENOTTY),
        "prctl": OneOf(0, _PRCTL, errno.EINVAL),
        "socket": replace(unix, values=(_AF_UNIX, *_AF_INTERNET)) if variant.network else unix,
        "socketpair": unix,
    }
    locks: dict[str, Rule] = {"flock": None} if variant.locks else {}
    return {**dict.fromkeys(sorted(names)), **checked, **dict.fromkeys(PRETENDED, Pretended()), **locks}


# The filter, in the kernel's small language: one accumulator, jumps forward, a verdict at the end.

_LOAD: Final = 0x20
_JUMP: Final = 0x05
_JUMP_EQUAL: Final = 0x15
_JUMP_FROM: Final = 0x35  # greater or equal
_JUMP_BITS: Final = 0x45
_RETURN: Final = 0x06

_ALLOW: Final = 0x7FFF0000
_ERROR: Final = 0x00050000
_KILL: Final = 0x80000000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # where they lie in what the filter is told
_FARTHEST: Final = 255  # instructions that a jump with a condition can pass over
ARCHITECTURES: Final[Mapping[str, int]] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

Code = list[bytes]


def program(variant: Variant, machine: str | None = None) -> bytes:
    """The filter for `bwrap --seccomp`; `machine` is what `uname -m` says, by default of this machine."""
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        known = " or ".join(ARCHITECTURES)
        raise UserError(f"expected a processor that the system call filter knows, {known}, got {machine}")
    numbers = _numbers(machine)
    calls = sorted((numbers[name], rule) for name, rule in rules(variant).items() if name in numbers)
    head = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_JUMP_EQUAL, ARCHITECTURES[machine], 1, 0),
        _op(_RETURN, _KILL),  # i386 on x86_64: its numbers mean other calls
        _op(_LOAD, _NUMBER),
    ]
    return b"".join([*head, *_search(_ranges(calls))])


def _numbers(machine: str) -> dict[str, int]:
    tables: dict[str, dict[str, int]] = json.loads(files(__package__).joinpath("calls.json").read_bytes())
    return tables[machine]


def _ranges(calls: Sequence[tuple[int, Rule]]) -> list[tuple[int, Code]]:
    """What is done from which number on, up to the next; x32 calls lie above all, and are refused there."""
    refused = [_op(_RETURN, _ERROR | errno.ENOSYS)]
    ranges: list[tuple[int, Code]] = [(0, refused)]
    for number, rule in calls:
        ranges += [(number, _checked(rule)), (number + 1, refused)]
    merged: list[tuple[int, Code]] = []
    for start, code in dict(ranges).items():  # a later word about a number counts
        if not merged or merged[-1][1] != code:
            merged.append((start, code))
    return merged


def _search(ranges: Sequence[tuple[int, Code]]) -> Code:
    """A binary search for the range of a number."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    start = ranges[middle][0]
    if len(below) <= _FARTHEST:
        return [_op(_JUMP_FROM, start, len(below), 0), *below, *above]
    return [_op(_JUMP_FROM, start, 0, 1), _op(_JUMP, len(below)), *below, *above]


def _checked(rule: Rule) -> Code:
    allow = _op(_RETURN, _ALLOW)
    if rule is None:
        return [allow]
    if isinstance(rule, Pretended):
        return [_op(_RETURN, _ERROR)]  # an error that is none
    load, refuse = _op(_LOAD, _ARGUMENTS + 8 * rule.argument), _op(_RETURN, _ERROR | rule.error)
    if isinstance(rule, Without):
        return [load, _op(_JUMP_BITS, rule.bits, 1, 0), allow, refuse]
    left = range(len(rule.values), 0, -1)
    tests = [_op(_JUMP_EQUAL, value, more, 0) for value, more in zip(rule.values, left, strict=True)]
    return [load, *tests, refuse, allow]


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)
