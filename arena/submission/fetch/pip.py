"""Wheels for Python: pip lays what requirements.txt names, by number and hash, into vendor/.

Only wheels, since a source distribution runs code of its own while it is installed, and only those that fit the Python
that bots run on.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.bots import BotError
from arena.submission.fetch.model import Fetcher, read_text, shown

_LIST: Final = "requirements.txt"
_REQUIREMENT: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9._, -]*\])?\s*==\s*[A-Za-z0-9][A-Za-z0-9._+!-]*"
    r"(?:\s*;(?P<condition>[^#@/\\]*?))?(?P<hashes>(?:\s+--hash[= ]sha256:[0-9a-f]{64})*)"
)
_COMMENT: Final = re.compile(r"(^|\s)#.*")
_ASKED: Final = (
    *("install", "--require-hashes", "--only-binary=:all:", "--no-deps", "--target", "vendor", "--no-compile"),
    *("--no-input", "--no-color", "--progress-bar", "off", "--no-warn-script-location", "--no-cache-dir"),
    *("--disable-pip-version-check", "--retries", "2", "--implementation", "cp"),
)


def lay_out(bot: Path, project: Path) -> None:
    """The list, with no more in it than names, versions, conditions and hashes."""
    lines = [_checked(line) for line in _logical(read_text(bot, _LIST, "that names the packages"))]
    (project / _LIST).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def command(project: Path) -> list[str]:
    """Brings the wheels."""
    del project
    version = ".".join(map(str, sys.version_info[:2]))
    return ["pip", *_ASKED, "--python-version", version, "-r", _LIST]


def tidy(project: Path) -> int:
    """Take out scripts that start the Python of this machine; a bot has no use for them."""
    vendor = project / "vendor"
    for script in (vendor / "bin").iterdir() if (vendor / "bin").is_dir() else ():
        with script.open("rb") as file:
            starts = file.read(2)
        if starts == b"#!":
            script.unlink()
    if (vendor / "bin").is_dir() and not any((vendor / "bin").iterdir()):
        shutil.rmtree(vendor / "bin")
    return sum(1 for _ in vendor.glob("*.dist-info")) if vendor.is_dir() else 0


def _logical(text: str) -> Iterator[str]:
    """The lines, with those that a backslash ends joined to the next, and without comments."""
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        if plain := _COMMENT.sub("", line).strip():
            yield plain


def _checked(line: str) -> str:
    line = " ".join(line.split())  # long runs of blanks would keep the pattern busy
    found = _REQUIREMENT.fullmatch(line)
    if found is None:
        raise BotError(f"{_LIST}: expected lines such as name==1.2.3 --hash=sha256:..., got {shown(line)}")
    if not found["hashes"]:
        raise BotError(f"{_LIST}: expected a hash (--hash=sha256:...) for each package, got {shown(line)}")
    return line


FETCHER: Final = Fetcher(
    packages="packages",
    tool="pip",
    package="pip",
    lay_out=lay_out,
    command=command,
    environment={},
    tidy=tidy,
)
