"""What the probes are sent after: secrets, sockets and a process that only outsiders may reach.

All of it is harmless and made for one run. What a probe did to it is seen from here, whatever the probe says.
"""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from arena.limits import Limits
from arena.sandbox import SOCKET, Sandbox

PACKAGE: Final = "probes"  # the probes' own folder, here and in the bot
ORDINARY: Final = frozenset(
    {
        *("HOME", "HOSTNAME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "OLDPWD"),
        *("PATH", "PWD", "SHELL", "SHLVL", "TERM", "USER", "_"),
    }
)
VICTIM_SECONDS: Final = 120  # after which even one that nobody ended is gone


@dataclass
class Bait:
    """A hostile bot's folder, and what lies around it."""

    sandbox: Sandbox
    canary: str = field(default_factory=lambda: secrets.token_hex(16))  # in files that the bot may not read
    word: str = field(default_factory=lambda: secrets.token_hex(16))  # on the victim's command line
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self._lay_out(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _lay_out(self, stack: contextlib.ExitStack) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="arena-bait-"))
        stack.callback(shutil.rmtree, self.root, ignore_errors=True)
        self.root.chmod(0o755)
        self.folder = self._bot()
        self._before = _state(self.folder)
        self.victim = stack.enter_context(_victim(self.word))
        self._target = stack.enter_context(_victim(self.word))  # for signals alone: what is killed cannot be read
        self._tcp = stack.enter_context(_listening(socket.AF_INET, ("127.0.0.1", 0)))
        self._tcp6 = stack.enter_context(_listening_6())
        self._udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind(("127.0.0.1", 0))
        self._udp.setblocking(False)
        self._abstract = stack.enter_context(_listening(socket.AF_UNIX, f"\0arena-bait-{self.word}"))
        self._service = stack.enter_context(_listening(socket.AF_UNIX, str(self.root / "service.sock")))
        (self.root / "service.sock").chmod(0o777)
        self._neighbour = self.sandbox.seat_folder()
        stack.callback(shutil.rmtree, self._neighbour, ignore_errors=True)
        self._seat = stack.enter_context(_listening(socket.AF_UNIX, str(self._neighbour / SOCKET)))
        self.sandbox.admit(self._neighbour)

    def _bot(self) -> Path:
        """The bot's folder: open to all, so that nothing but the sandbox keeps the bot from changing it."""
        for name in ("home", "other"):
            (self.root / name).mkdir()
            (self.root / name / "secret").write_text(self.canary)
        folder = self.root / "bot"
        shutil.copytree(Path(__file__).parent / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("*.pyc"))
        (folder / "file").write_text("a file of the bot's own")
        (folder / "links").mkdir()
        for name, target in (("home", "home/secret"), ("other", "other/secret"), ("up", "../other/secret")):
            (folder / "links" / name).symlink_to(f"../{target}" if name == "up" else self.root / target)
        whoami = shutil.which("id")
        if os.geteuid() == 0 and whoami:
            shutil.copyfile(whoami, folder / "whoami")
            (folder / "whoami").chmod(0o4755)
        folder.chmod(0o777)
        return folder

    def told(self, limits: Limits) -> dict[str, Any]:
        """What the probes need to know."""
        return {
            "canary": self.canary,
            "victim": self.victim.pid,
            "victim_word": self.word,
            "target": self._target.pid,
            "home": str(self.root / "home" / "secret"),
            "other": str(self.root / "other" / "secret"),
            "tcp": self._tcp.getsockname()[1],
            "tcp6": self._tcp6.getsockname()[1] if self._tcp6 else None,
            "udp": self._udp.getsockname()[1],
            "abstract": f"arena-bait-{self.word}",
            "neighbour": str(self._neighbour / SOCKET),
            "service": str(self.root / "service.sock"),
            "temp": tempfile.gettempdir() if self.sandbox.level == "none" else "/tmp",  # noqa: S108 - the agent's own
            "variables": sorted({*os.environ} - ORDINARY - {name for name in os.environ if name.startswith("PYTHON")}),
            "machine_kb": Path("/proc/meminfo").read_text(encoding="ascii").split()[1],
            "memory_mb": limits.memory_mb,
            "processes": limits.processes,
            "cpu_percent": limits.cpu_percent,
            "disk_mb": limits.disk_mb,
            "output_kb": limits.output_kb,
        }

    def damage(self) -> dict[str, str]:
        """What can be seen to have happened, by the attack that did it."""
        heard = {
            "tcp-loopback": _heard(self._tcp),
            "tcp6-loopback": _heard(self._tcp6),
            "udp-loopback": _received(self._udp),
            "abstract-socket": _heard(self._abstract),
            "neighbour-socket": _heard(self._seat),
            "service-sockets": _heard(self._service),
        }
        seen = {name: "it came through" for name, was in heard.items() if was}
        if self._target.poll() == -signal.SIGUSR1:
            seen["kill-referee"] = "the process was ended by SIGUSR1"
        if _state(self.folder) != self._before:
            seen["own-folder"] = "the folder has changed"
        return seen


def _state(folder: Path) -> list[tuple[str, int, int, int]]:
    paths = sorted(folder.rglob("*"))
    stats = [(path, path.lstat()) for path in paths if "__pycache__" not in path.parts]
    return [(str(path), one.st_mode, one.st_ino, one.st_size) for path, one in stats]


@contextlib.contextmanager
def _victim(word: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that stands for the referee: of the same user, with a word on its command line and around it."""
    sleep = shutil.which("sleep") or "/bin/sleep"
    environment = {"ARENA_WORD": word}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [word, str(VICTIM_SECONDS)], executable=sleep, env=environment, stdin=quiet, stdout=quiet, stderr=quiet
    ) as victim:
        try:
            yield victim
        finally:
            victim.kill()


@contextlib.contextmanager
def _listening(family: int, address: Any) -> Iterator[socket.socket]:
    with socket.socket(family) as line:
        line.bind(address)
        line.listen()
        line.setblocking(False)
        yield line


@contextlib.contextmanager
def _listening_6() -> Iterator[socket.socket | None]:
    try:
        line = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        yield None
        return
    with line:
        line.setblocking(False)
        yield line


def _heard(line: socket.socket | None) -> bool:
    """Whether anybody has connected."""
    if line is None:
        return False
    try:
        line.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _received(line: socket.socket) -> bool:
    try:
        return bool(line.recv(100))
    except BlockingIOError:
        return False
