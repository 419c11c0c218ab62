"""The runtime of Python bots: a copy of arena, grpcio and protobuf of their own in `<home>/runtime/<hash>`.

It is laid out as a virtual environment over this interpreter, so a bot sees neither the checkout nor the
packages of whoever runs the arena, and a sandbox need not show it more than that. Made once for each content.
"""

import compileall
import fcntl
import hashlib
import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Final

from arena.errors import UserError
from arena.home import Home, HomeError

DISTRIBUTIONS: Final = ("grpcio", "librt", "protobuf", "mypy_extensions", "typing_extensions")
KEPT: Final = 4  # runtimes that stay when nobody uses them; each edit of a checkout makes one
LAYOUT: Final = "1"  # part of the hash: raise it when the way runtimes are made changes

_UNFINISHED: Final = ".new-"
_PACKAGE: Final = Path(__file__).parent


class _Hold:
    """A shared lock that keeps others from removing runtimes; it ends with this object."""

    def __init__(self, folder: Path) -> None:
        self._lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _tidy(folder)  # nobody else is here
        except BlockingIOError:
            pass
        fcntl.flock(self._lock, fcntl.LOCK_SH)

    def __del__(self) -> None:
        os.close(self._lock)


@dataclass(frozen=True)
class Runtime:
    """A prepared runtime; it is not removed while this object lives."""

    prefix: Path  # the whole of it, to be shown to agents
    python: Path  # inside prefix: what `python` in a bot's command means
    packages: Path  # inside prefix: arena and its libraries
    base: Path  # the installation of the interpreter, which prefix refers to
    hold: "_Hold" = field(repr=False, compare=False)


def prepare(home: Home) -> Runtime:
    """The runtime for what is installed here, made if it is missing."""
    folder = home.runtime
    arena, libraries = _arena_files(), _libraries()
    try:
        hold = _Hold(folder)
        prefix = folder / _digest(arena, libraries)
        if not prefix.is_dir():
            _make(prefix, arena, libraries)
    except OSError as error:
        reason = str(error.strerror or error).lower()
        raise HomeError(
            f"expected room for the bots' runtime in {folder}, got: {reason}; mend that or choose a --home"
        ) from error
    python, base = prefix / "bin" / "python", Path(sys.base_prefix).resolve()
    return Runtime(prefix, python, _packages(prefix), base, hold)


def _packages(prefix: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "venv", vars={"base": str(prefix)}))


def _base_python() -> Path:
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _tidy(folder: Path) -> None:
    made = sorted((path for path in folder.iterdir() if path.is_dir()), key=_age)
    finished = [path for path in made if not path.name.startswith(_UNFINISHED)]
    for path in {*made} - {*finished[:KEPT]}:
        shutil.rmtree(path, ignore_errors=True)


def _age(path: Path) -> int:
    return -path.stat().st_mtime_ns


def _digest(arena: Mapping[str, bytes], libraries: Mapping[str, Distribution]) -> str:
    digest = hashlib.sha256(f"{LAYOUT}\n{sys.version}\n{_base_python()}\n".encode())
    for name, library in sorted(libraries.items()):
        digest.update(f"{name} {library.version}\n".encode())
    for name, content in sorted(arena.items()):
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _arena_files() -> dict[str, bytes]:
    """What the copy of arena holds: path -> content, so that what is copied is what was hashed."""
    root = _PACKAGE.parent
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in _package_files(_PACKAGE)}
    compiled = [content for name, content in files.items() if name.endswith(".so")]
    for library in root.glob("*__mypyc*.so") if compiled else ():
        # Others' compiled packages may lie beside arena: only what its own modules name belongs to it.
        name = library.name.partition(".")[0].encode()
        if _loadable(library) and any(name in content for content in compiled):
            files[library.name] = library.read_bytes()
    return files


def _package_files(package: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(package):
        # The shipped bots stay out: no bot reads another. What templates are made of serves no bot either.
        skipped = {"__pycache__", "agents", "proto"} if Path(place) == package else {"__pycache__"}
        folders[:] = sorted({*folders} - skipped)
        yield from (path for name in names if _loadable(path := Path(place, name)))


def _loadable(path: Path) -> bool:
    """Whether this interpreter has use for a file: not for caches, nor for what others' versions compiled."""
    if path.suffix == ".so":
        return "." + path.name.partition(".")[2] in EXTENSION_SUFFIXES
    return path.suffix not in {".pyc", ".pyi", ".c"}


def _libraries() -> dict[str, Distribution]:
    """The distributions that the SDK needs, with all that they require."""
    found: dict[str, Distribution] = {}
    wanted = list(DISTRIBUTIONS)
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name not in found:
            found[name] = _library(name)
            wanted += _required(found[name])
    return found


def _library(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        raise UserError(f"expected the package {name} to be installed, got none: reinstall arena") from error


def _required(library: Distribution) -> Iterator[str]:
    for requirement in library.requires or ():
        name = re.match(r"[A-Za-z0-9._-]+", requirement)
        # Everything with a condition is an extra or meant for other systems and versions.
        if name and ";" not in requirement:
            yield name.group()


def _make(prefix: Path, arena: Mapping[str, bytes], libraries: Mapping[str, Distribution]) -> None:
    """Make a runtime beside its place and move it there whole; of two who do so at once, either one wins."""
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=prefix.parent))
    try:
        _fill(unfinished, arena, libraries)
        unfinished.rename(prefix)
    except OSError:
        if not prefix.is_dir():
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _fill(prefix: Path, arena: Mapping[str, bytes], libraries: Mapping[str, Distribution]) -> None:
    packages = _packages(prefix)
    for name, content in arena.items():
        _place(packages / name).write_bytes(content)
    for library in libraries.values():
        _copy_library(library, packages)
    _place(prefix / "bin" / "python").symlink_to(_base_python())
    version = ".".join(map(str, sys.version_info[:3]))
    settings = f"home = {_base_python().parent}\ninclude-system-site-packages = false\nversion = {version}\n"
    (prefix / "pyvenv.cfg").write_text(settings, encoding="utf-8")
    # Nothing changes a finished runtime, so Python need not compare its caches with the sources.
    unchecked = PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(packages, maxlevels=20, quiet=2, invalidation_mode=unchecked)
    _open_to_all(prefix)


def _copy_library(library: Distribution, packages: Path) -> None:
    for file in library.files or ():
        source = Path(str(library.locate_file(file)))
        # Scripts lie outside of the packages; no bot needs them.
        if ".." not in file.parts and _loadable(source) and source.is_file():
            shutil.copyfile(source, _place(packages / file))


def _place(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _open_to_all(prefix: Path) -> None:
    """Readable whatever the umask: agents may run as another user."""
    for place, _, names in os.walk(prefix):
        Path(place).chmod(0o755)
        for path in (Path(place, name) for name in names):
            if not path.is_symlink():
                path.chmod(0o644)
