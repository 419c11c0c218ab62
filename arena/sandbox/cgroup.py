"""Where the kernel's control groups can hold agents on this machine, of version 1 or 2.

All groups of an arena lie under one folder in its own group, named after the process: what a killed one has left is
known by that name, and swept. Version 2 lets no group have both members and limited children, so there the referee
moves into a leaf of its own first.
"""

import atexit
import errno
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.limits import Limits
from arena.sandbox import owner
from arena.sandbox.group import V1, V2, Group, Version, remove

_PREFIX: Final = "arena"
_LEAF: Final = "referee"
_SWEEPS: Final = 100


class NoGroups(Exception):
    """Why there are no control groups for agents here."""


@dataclass(frozen=True)
class Hierarchy:
    """One tree of groups, and where this process is in it."""

    version: Version
    controllers: frozenset[str]
    top: Path  # of what is mounted here
    own: Path  # this process's own group


class Groups:
    """Makes groups for agents below this process's own."""

    def __init__(self, version: Version, bases: Mapping[str, Path]) -> None:
        self.version = version
        self._parents = {name: base / _name(os.getpid()) for name, base in bases.items()}

    def make(self, limits: Limits, *, monitors: int) -> Group:
        """A new group with limits; `monitors` of its processes are not the agent's own."""
        name = f"agent-{secrets.token_hex(8)}"
        for parent in {*self._parents.values()}:
            parent.mkdir(exist_ok=True)
            if self.version is V2:
                _enable(parent)
        folders = {controller: parent / name for controller, parent in self._parents.items()}
        group = Group(self.version, folders, monitors)
        try:
            group.make(limits)
        except OSError:
            group.remove_now()
            raise
        return group


def find(process: Path = Path("/proc/self")) -> Groups:
    """The groups that this process may make; what a killed arena has left there is removed."""
    hierarchies = list(_hierarchies(process))
    groups = _first_version(hierarchies) or _second_version(hierarchies)
    try:
        groups.make(Limits(), monitors=0).remove_soon()
    except OSError as error:
        raise NoGroups(f"control groups cannot be made: {error}") from error
    return groups


def own() -> list[Path]:
    """Where this process's groups are, as far as it makes any."""
    found = [base for tree in _hierarchies(Path("/proc/self")) for base in (_above_leaf(tree.own), tree.top)]
    return [base / _name(os.getpid()) for base in dict.fromkeys(found)]


def own_leaves() -> list[Path]:
    """The leaf that this process has moved to, if it has."""
    return [tree.own for tree in _hierarchies(Path("/proc/self")) if tree.own.name == _leaf()]


def _first_version(hierarchies: list[Hierarchy]) -> Groups | None:
    """Groups of version 1, if all controllers are there; they may be spread over several trees."""
    bases = {
        name: each.own for each in hierarchies if each.version is V1 for name in each.controllers & {*V1.controllers}
    }
    if {*bases} != {*V1.controllers}:
        return None
    closed = next((str(base) for base in bases.values() if not os.access(base, os.W_OK)), None)
    if closed:
        raise NoGroups(f"only root may make control groups in {closed}")
    for base in {*bases.values()}:
        _sweep(base)
    return Groups(V1, bases)


def _second_version(hierarchies: list[Hierarchy]) -> Groups:
    problem = "the kernel's control groups are not mounted, or without the controllers cpu, memory and pids"
    for tree in (each for each in hierarchies if each.version is V2):
        # Root may also use the top, where a system's init has switched on what its own group cannot.
        for base in dict.fromkeys([_above_leaf(tree.own), *([tree.top] if os.geteuid() == 0 else [])]):
            try:
                _prepare(base)
            except OSError as error:
                problem = _reason(base, error)
            else:
                return Groups(V2, dict.fromkeys(V2.controllers, base))
    raise NoGroups(problem)


def _reason(base: Path, error: OSError) -> str:
    if error.errno == errno.EBUSY:
        return f"other processes are in the control group {base} too"
    if error.errno in {errno.ENOENT, errno.ENODEV}:
        return f"the control group {base} is without the controllers {', '.join(V2.controllers)}"
    return f"the control group {base} is not delegated to this user ({error.strerror})"


# Version 2: switching the controllers on


def _prepare(base: Path) -> None:
    _sweep(base)
    missing = {*V2.controllers} - {*(base / "cgroup.controllers").read_text().split()}
    if missing:
        raise OSError(errno.ENOENT, f"no controller {' or '.join(sorted(missing))}")
    try:
        _enable(base)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        _step_aside(base)
    if not os.access(base, os.W_OK):
        raise PermissionError(errno.EACCES, "it cannot be written")


def _enable(folder: Path) -> None:
    """Let the children of a group have limits."""
    control = folder / "cgroup.subtree_control"
    missing = {*V2.controllers} - {*control.read_text().split()}
    if missing:
        control.write_text(" ".join(f"+{name}" for name in sorted(missing)))


def _leaf() -> str:
    return f"{_name(os.getpid())}-{_LEAF}"


def _above_leaf(own: Path) -> Path:
    """Where to make groups: not in a leaf, which may also be that of an arena that has started this one."""
    return own.parent if _is_leaf(own) else own


def _is_leaf(folder: Path) -> bool:
    return folder.name.startswith(f"{_PREFIX}-") and folder.name.endswith(f"-{_LEAF}")


def _step_aside(base: Path) -> None:
    """Move this process into a leaf, so that its group has no members; back at its end, or if that was not enough."""
    leaf = base / _leaf()
    leaf.mkdir(exist_ok=True)
    (leaf / "cgroup.procs").write_text("0")
    try:
        _enable(base)
    except OSError:
        _step_back(base, leaf, os.getpid())
        raise
    atexit.register(_step_back, base, leaf, os.getpid())


def _step_back(base: Path, leaf: Path, pid: int) -> None:
    if os.getpid() != pid:  # a fork of the referee is not it
        return
    with suppress(OSError):
        control = base / "cgroup.subtree_control"
        control.write_text(" ".join(f"-{name}" for name in V2.controllers))
    with suppress(OSError):
        (base / "cgroup.procs").write_text("0")
        leaf.rmdir()


# What killed arenas have left


def _name(pid: int) -> str:
    """The name of an arena's groups."""
    return f"{_PREFIX}-{owner.mark(pid)}"


def _sweep(base: Path) -> None:
    """Remove the groups of arenas that are no more."""
    for folder in base.glob(f"{_PREFIX}-{owner.pattern()}"):
        if owner.is_gone(folder.name.removeprefix(f"{_PREFIX}-")):
            _remove_leaf(folder) if _is_leaf(folder) else _remove_tree(folder)


def _remove_leaf(folder: Path) -> None:
    """Remove a leaf if it is empty: what its arena had started besides agents is none of ours to kill."""
    with suppress(OSError):
        folder.rmdir()


def _remove_tree(folder: Path) -> None:
    """Remove a group with its children, at most so patiently: what is left then is found again."""
    children: list[Path] = []
    with suppress(OSError):  # another arena, or the janitor of the one that is gone, has been quicker
        children = [path for path in folder.iterdir() if path.is_dir()]
    for group in (*children, folder):
        for _ in range(_SWEEPS):
            if remove(group):
                break
            time.sleep(0.01)


# Which groups there are


def _hierarchies(process: Path) -> Iterator[Hierarchy]:
    try:
        mounts = (process / "mountinfo").read_text().splitlines()
        lines = (process / "cgroup").read_text().splitlines()
    except OSError:
        return
    paths = {names: Path(path) for _, names, path in (line.split(":", 2) for line in lines)}
    for line in mounts:
        found = _hierarchy(line, paths)
        if found is not None:
            yield found


def _hierarchy(line: str, paths: Mapping[str, Path]) -> Hierarchy | None:
    """What a line of mountinfo says, if it is about groups that this process is in."""
    before, _, after = line.partition(" - ")
    kind, _, options = after.split()[:3]
    root, place = (Path(_plain(word)) for word in before.split()[3:5])
    if kind == "cgroup2":
        names, version = "", V2
    elif kind == "cgroup":
        names = next((names for names in paths if names and {*names.split(",")} <= {*options.split(",")}), "")
        version = V1
    else:
        return None
    path = paths.get(names)
    if path is None or (version is V1 and not names) or not path.is_relative_to(root):
        return None
    return Hierarchy(version, frozenset(names.split(",")), place, place / path.relative_to(root))


def _plain(word: str) -> str:
    """A path of mountinfo without its escapes."""
    return word.encode("latin-1", "replace").decode("unicode_escape") if "\\" in word else word
