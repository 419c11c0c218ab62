"""What a probe brings back, and what it was given to look for."""

import errno
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, ParamSpec

P = ParamSpec("P")
Bait = Mapping[str, Any]  # what the suite has laid out: paths, ports, limits, words that only outsiders know

REFUSED: Final = frozenset({errno.EPERM, errno.ENOSYS, errno.EACCES, errno.EAFNOSUPPORT})


class Evidence(NamedTuple):
    """What came of an attack."""

    open: bool | None  # it succeeded; None: nobody can tell
    words: str


Probe = Callable[[Bait], Evidence]


def attempt(words: str, action: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> Evidence:
    """Whether an action succeeds; any error of the system means that it was held."""
    try:
        action(*arguments, **named)
    except OSError as error:
        return Evidence(open=False, words=f"{words}: {said(error)}")
    return Evidence(open=True, words=words)


def any_of(attempts: Iterable[Evidence]) -> Evidence:
    """Several ways to the same end: one that succeeds is enough."""
    found = list(attempts)
    succeeded = [one.words for one in found if one.open]
    if succeeded:
        return Evidence(open=True, words="; ".join(succeeded))
    return Evidence(open=False, words="; ".join(one.words for one in found[:2]) or "nothing to attack")


def reached(words: str, action: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> Evidence:
    """Whether the kernel did what was asked, or looked into it: only a refusal counts as held."""
    try:
        action(*arguments, **named)
    except OSError as error:
        return Evidence(open=error.errno not in REFUSED, words=f"{words}: {said(error)}")
    return Evidence(open=True, words=f"{words}: done")


def said(error: OSError) -> str:
    """The error's own name, as manuals have it."""
    return errno.errorcode.get(error.errno or 0, str(error))


def content(path: str, size: int = 1 << 16) -> bytes:
    """The beginning of a file; no waiting for devices or pipes."""
    source = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        return os.read(source, size)
    finally:
        os.close(source)


def numbers_of_processes() -> list[str]:
    """The processes that can be seen."""
    try:
        return [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
