"""Where the compilers of Rust and Go are on this machine, and how a build sees them.

They are those of whoever runs the arena, often in a home that no agent's uid can enter: so a jail shows them at a
place of its own. Everything else that builds need comes with the system's programs.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots import SEARCH_PATH
from arena.sandbox.jail import Bind

_ASKED: Final = {  # how a compiler tells where it is installed
    "rust": ("rustc", "--print", "sysroot"),
    "go": ("go", "env", "GOROOT"),
}
_OFTEN: Final = ("~/.cargo/bin", "/usr/local/go/bin", "~/go/bin")  # not always on the path of a service
_SYSTEM: Final = "/usr"  # every jail shows it
_SECONDS: Final = 20


@dataclass(frozen=True)
class Toolchain:
    """One compiler with all that belongs to it."""

    name: str
    folder: Path  # its programs are in bin

    @property
    def shown(self) -> str:
        """Where a jail shows it."""
        return str(self.folder) if self.folder.is_relative_to(_SYSTEM) else f"/toolchains/{self.name}"


def found() -> tuple[Toolchain, ...]:
    """Those of this machine."""
    return tuple(_found())


def binds(toolchains: Sequence[Toolchain]) -> list[Bind]:
    """What a jail must show besides the system's folders."""
    return [Bind(str(one.folder), one.shown) for one in toolchains if one.shown != str(one.folder)]


def path(toolchains: Sequence[Toolchain], *, jailed: bool) -> str:
    """PATH for a build."""
    folders = [one.shown if jailed else str(one.folder) for one in toolchains]
    return ":".join([*(f"{folder}/bin" for folder in folders), SEARCH_PATH])


def _found() -> Iterator[Toolchain]:
    search = ":".join([os.environ.get("PATH", ""), *(str(Path(place).expanduser()) for place in _OFTEN), SEARCH_PATH])
    for name, (program, *words) in _ASKED.items():
        compiler = shutil.which(program, path=search)
        folder = _answer([compiler, *words]) if compiler else None
        if folder and (folder / "bin").is_dir():
            yield Toolchain(name, folder)


def _answer(command: list[str]) -> Path | None:
    # In a folder of the system's: no file of a bot, or of whoever stands anywhere, chooses the version.
    environment = {**os.environ, "GOTOOLCHAIN": "local"}
    try:
        told = subprocess.run(
            command, cwd="/", env=environment, capture_output=True, text=True, check=True, timeout=_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return Path(told.stdout.strip()).resolve() if told.stdout.strip() else None
