"""Modules for Go: `go mod vendor` brings what go.mod and go.sum name.

It reads the import statements of the bot's sources to find out which packages of a module are needed, so it is given
the sources too; it parses them, and compiles and runs nothing. Only the module proxy is asked, no repository.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.bots import BotError, files
from arena.submission.fetch.model import Fetcher, read_text, shown

_REQUIRED: Final = re.compile(r"^[ \t]*require\b", re.MULTILINE)
_MODULE: Final = re.compile(r"^# [^ ]+ v", re.MULTILINE)
_NESTED: Final = "module nested\n"


def lay_out(bot: Path, project: Path) -> None:
    """go.mod, go.sum and the sources."""
    modules = read_text(bot, "go.mod", "that names the modules")
    _check(modules)
    (project / "go.mod").write_text(modules, encoding="utf-8")
    if _REQUIRED.search(modules) or (bot / "go.sum").exists():
        (project / "go.sum").write_text(read_text(bot, "go.sum", "with the hashes of the modules"), encoding="utf-8")
    for name, path in files(bot):
        target = project / name
        if name.endswith(".go") and not path.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
        elif path.name == "go.mod" and name != "go.mod":  # a module of its own, which is none of ours
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_NESTED, encoding="utf-8")


def command(project: Path) -> list[str]:
    """Brings the modules."""
    del project
    return ["go", "mod", "vendor"]


def tidy(project: Path) -> int:
    """Leave all as it is; without dependencies there is no folder."""
    listed = project / "vendor" / "modules.txt"
    return len(_MODULE.findall(listed.read_text(encoding="utf-8"))) if listed.is_file() else 0


def _check(modules: str) -> None:
    for line in _replacements(modules):
        words = [word.strip("\"`'") for word in line.partition("=>")[2].split()]
        if len(words) != 2 or words[0].startswith((".", "/")):
            raise BotError(f"go.mod: expected modules of the module proxy alone, got {shown(line.strip())}")


def _replacements(modules: str) -> Iterator[str]:
    """The lines with an arrow: nothing but a replacement has one."""
    for line in modules.splitlines():
        quoted = '"' in line or "`" in line  # where two slashes need not begin a comment
        plain = line if quoted else line.partition("//")[0]
        if "=>" in plain:
            yield plain


FETCHER: Final = Fetcher(
    packages="modules",
    tool="go",
    package="Go",
    lay_out=lay_out,
    command=command,
    environment={
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-mod=readonly -modcacherw",
        "GOVCS": "*:off",
        "GOWORK": "off",
        "GOTELEMETRY": "off",
        "GOPATH": "{home}/go",
        "GOCACHE": "{home}/go-cache",
    },
    tidy=tidy,
    reads_sources=True,
)
