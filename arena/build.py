"""Which build runs: engine and rules compiled by mypyc, or the same files interpreted.

An edited source beside an old compiled module silently runs the old code. setup.py therefore leaves a stamp with
the hash of every source it compiled, and `stale` tells what has changed since.
"""

import hashlib
import json
import os
import shlex
import shutil
import sysconfig
from dataclasses import dataclass, field
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PACKAGE = Path(__file__).parent
COMPILED = ("engine/*.py", "games/*/encoder.py", "games/*/rules*.py", "wire/writer.py")
SHARED = ("engine", "games", "sdk", "wire")


@dataclass(frozen=True)
class Stamp:
    """What setup.py wrote about the build that lies here."""

    reason: str = ""  # why nothing was compiled
    sources: dict[str, str] = field(default_factory=dict)  # path from the root -> sha256 of what was compiled


def stamp(package: Path = PACKAGE) -> Stamp:
    """The stamp of the build that lies here; an empty one where there is none."""
    try:
        data = json.loads((package / "_build_stamp.json").read_text(encoding="utf-8"))
        return Stamp(data["reason"], data["sources"])
    except (OSError, ValueError, KeyError, TypeError):
        return Stamp()


def sources(package: Path = PACKAGE) -> list[Path]:
    """The files that are compiled where a compiler is present; setup.py looks for the same ones."""
    found = [path for pattern in COMPILED for path in package.glob(pattern)]
    return sorted(path for path in found if path.name != "__init__.py")


def shared_hash(package: Path = PACKAGE) -> str:
    """The hash of all that a bot and its referee must have in common, wherever the bot's copy lies."""
    digest = hashlib.sha256()
    found = (path for folder in SHARED for path in (package / folder).rglob("*") if path.suffix in {".py", ".json"})
    for path in sorted(found):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def extension(source: Path) -> Path | None:
    """The compiled module that is loaded in place of this source."""
    beside = (source.with_name(source.stem + suffix) for suffix in EXTENSION_SUFFIXES)
    return next((path for path in beside if path.exists()), None)


def compiled(package: Path = PACKAGE) -> bool:
    """Whether engine and rules run compiled."""
    return bool(sources(package)) and all(extension(source) for source in sources(package))


def stale(package: Path = PACKAGE) -> list[str]:
    """The sources edited, added or removed since they were compiled; none in an interpreted build."""
    present = {path.relative_to(package.parent).as_posix(): path for path in sources(package)}
    built = stamp(package).sources
    if not built and not any(extension(path) for path in present.values()):
        return []
    names = present.keys() | built.keys()
    return sorted(name for name in names if _hash(present.get(name)) != built.get(name))


def compiler() -> str | None:
    """The C compiler that a build would use; none if it is not there."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(shlex.split(command)[0])


def headers() -> bool:
    """Whether Python's C headers, which compiling needs, are installed."""
    return Path(sysconfig.get_path("include"), "Python.h").exists()


def why_interpreted(package: Path = PACKAGE) -> str:
    """Why engine and rules run interpreted; nothing if they do not."""
    if compiled(package):
        return ""
    return stamp(package).reason or "it was never built"


def _hash(path: Path | None) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path else None
