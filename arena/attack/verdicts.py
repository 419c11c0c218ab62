"""What the suite found, kept in the home for as long as nothing changes that it could depend on.

That is one boot of one kernel, one level, one user, one text of the sandbox and of the attacks, and one bubblewrap or
one container engine with its image.
"""

import hashlib
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import arena
from arena import __version__
from arena.attack import suite
from arena.attack.model import Finding, Verdict
from arena.errors import UserError
from arena.home import Home
from arena.sandbox import Sandbox
from arena.sandbox.container_engine import ENGINES, image

FOLDER: Final = "attacks"
MOST_NAMED: Final = 5  # open items in a sentence

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_CODE: Final = ("sandbox", "attack")  # packages whose text decides what is found
_TRIAL_SECONDS: Final = 10


@dataclass(frozen=True)
class Answer:
    """What was found out about the sandbox of one level."""

    level: str
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> list[Finding]:
        """Promises that were not kept, or not shown to be kept."""
        return [finding for finding in self.findings if finding.broken]

    def plain(self) -> dict[str, Any]:
        """As JSON data."""
        return {"level": self.level, "findings": [asdict(finding) for finding in self.findings]}


class Broken(UserError):
    """A sandbox that does not hold what it promises."""


async def ask(home: Home, sandbox: Sandbox, advance: suite.Advance = lambda _: None) -> Answer:
    """Make all attacks now, and keep the answer."""
    answer = Answer(sandbox.level, tuple(await suite.attack(home, sandbox, advance)))
    _keep(home, answer)
    return answer


def kept(home: Home, level: str) -> Answer | None:
    """The answer that was kept, if it still counts."""
    try:
        stored = json.loads(_place(home, level).read_text(encoding="utf-8"))
        if stored["key"] != key(level):
            return None
        findings = (Finding(**{**one, "verdict": Verdict(one["verdict"])}) for one in stored["findings"])
        return Answer(level, tuple(findings))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # there is none, or somebody has edited it


async def verdict(home: Home, sandbox: Sandbox, advance: suite.Advance = lambda _: None) -> Answer:
    """What is known of the sandbox; found out first if nothing is."""
    return kept(home, sandbox.level) or await ask(home, sandbox, advance)


def check(answer: Answer) -> None:
    """Refuse a sandbox in which a promised item is open; the sentence names the items and what to do."""
    if answer.broken:
        raise Broken(
            f"expected the sandbox {answer.level} to hold what it promises before others' bots play in it, "
            f"got {_items(answer.broken)}: `arena doctor --attack` tells more; mend it, choose another --sandbox, "
            "or say --unsafe if you trust these bots"
        )


def key(level: str) -> dict[str, str]:
    """All that an answer depends on."""
    return {
        "level": level,
        "boot": _BOOT.read_text(encoding="ascii").strip() if _BOOT.exists() else "",
        "kernel": platform.release(),
        "user": str(os.geteuid()),
        "arena": __version__,
        "code": _code(),
        "bubblewrap": _said("bwrap", "--version"),
        "engine": _engine(level),
    }


def _items(broken: Sequence[Finding]) -> str:
    named = [f"{one.attack} ({one.title}; {one.by} should hold it)" for one in broken[:MOST_NAMED]]
    more = len(broken) - len(named)
    count = "1 open item" if len(broken) == 1 else f"{len(broken)} open items"
    return f"{count}: {', '.join(named)}{f' and {more} more' if more > 0 else ''}"


def _code() -> str:
    """The hash of the sandbox's own text."""
    root = Path(arena.__file__).parent
    files = sorted(path for name in _CODE for path in (root / name).rglob("*") if path.suffix in {".py", ".json"})
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(root)} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _engine(level: str) -> str:
    """A container engine and its image, as it tells of them; empty at other levels."""
    if level not in ENGINES:
        return ""
    words = ENGINES[level].words
    image_id = _said(*words("image", "inspect", "--format", "{{.Id}}", image()))
    return f"{_said(*words('version', '--format', '{{.Server.Version}}'))} {image_id}"


def _said(*command: str) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_TRIAL_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip()


def _place(home: Home, level: str) -> Path:
    return home.path / FOLDER / f"{level}.json"


def _keep(home: Home, answer: Answer) -> None:
    """Write the answer whole or not at all."""
    data = {"key": key(answer.level), **answer.plain()}
    with tempfile.NamedTemporaryFile("w", dir=home.folder(FOLDER), delete=False, encoding="utf-8") as file:
        json.dump(data, file)
    Path(file.name).replace(_place(home, answer.level))
