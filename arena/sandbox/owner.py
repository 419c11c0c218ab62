"""Whose something is that lies about on this machine: the mark of a process, told apart from any before and after it.

A pid alone would come again, also in another container that shares a folder with this one.
"""

import os
from pathlib import Path


def mark(pid: int) -> str:
    """The mark of a process: its pid namespace, its number there, and when it was started."""
    return f"{_namespace()}-{pid}-{started(pid)}"


def pattern() -> str:
    """What marks of this pid namespace look like: those of others say nothing here."""
    return f"{_namespace()}-*-*"


def is_gone(text: str) -> bool:
    """Whether the process of a mark is no more."""
    namespace, pid, begun = text.split("-")[:3]
    return namespace == _namespace() and pid.isdigit() and started(int(pid)) != begun


def started(pid: int) -> str:
    """When a process was started, in ticks since the boot; 0 if it has ended."""
    try:
        figures = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return "0" if Path("/proc/self/stat").exists() else _shown_otherwise(pid)
    return "0" if figures[0] in "ZX" else figures[19]


def _shown_otherwise(pid: int) -> str:
    """The same where there is no /proc: all that can be told is whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "0"
    except PermissionError:
        pass
    return "1"


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        return "0"
