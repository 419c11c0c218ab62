"""What holds on this machine: every part that a match needs, tried for real, with the way to mend what fails."""

import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

from arena import bots, build, runtime, sandbox
from arena.errors import UserError
from arena.home import Home

OK, WARN, FAIL = "ok", "warn", "fail"
OLDEST_PYTHON = (3, 11)
LITTLE_SPACE = 1 << 30  # bytes: room for a few hundred thousand records
NO_SPACE = 64 << 20  # a runtime takes about this much
TRIAL_SECONDS = 30
GROUPS = "run arena as root, or where control groups are yours: systemd-run --user --scope -p Delegate=yes arena ..."
REINSTALL = "install it again: python3 run.py doctor in a checkout, pip install --force-reinstall elsewhere"


@dataclass(frozen=True)
class Finding:
    """What was found about one part."""

    name: str
    verdict: str  # ok, warn or fail
    words: str
    mend: str = ""  # what to do about it

    def plain(self) -> dict[str, str]:
        """The finding as plain data."""
        return asdict(self)


def examine(home: Home) -> list[Finding]:
    """A finding for every part; none of them stops the others."""
    parts: list[tuple[str, Callable[[], Finding]]] = [
        ("python", _python),
        ("engines", _engines),
        ("libraries", _libraries),
        ("sandbox", _sandbox),
        ("storage", lambda: _storage(home)),
        ("runtime", lambda: _runtime(home)),
        ("bots", _bots),
    ]
    return [_tried(name, part) for name, part in parts]


def _tried(name: str, part: Callable[[], Finding]) -> Finding:
    try:
        return part()
    except (UserError, OSError, subprocess.SubprocessError) as error:
        return Finding(name, FAIL, " ".join(str(error).split()))


def _python() -> Finding:
    words = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    if sys.version_info < OLDEST_PYTHON:
        return Finding("python", FAIL, words, "install Python 3.11 or newer")
    if sys.platform == "win32":
        return Finding("python", FAIL, words, "run arena inside WSL")
    return Finding("python", OK, words)


def _engines() -> Finding:
    stale, compiler = build.stale(), build.compiler()
    if stale:
        return Finding("engines", FAIL, f"compiled from older sources than {', '.join(stale)}", REINSTALL)
    if build.compiled():
        return Finding("engines", OK, f"compiled; C compiler: {compiler or 'none'}")
    words = f"interpreted, which is exact but slower: {build.why_interpreted()}"
    if compiler and build.headers():
        return Finding("engines", WARN, words, REINSTALL)
    missing = "Python's C headers (python3-dev)" if compiler else "a C compiler (gcc)"
    return Finding("engines", WARN, words, f"install {missing}, then {REINSTALL}")


def _libraries() -> Finding:
    names = ("grpcio", "protobuf", "zstandard")
    try:
        return Finding("libraries", OK, ", ".join(f"{name} {version(name)}" for name in names))
    except PackageNotFoundError as error:
        return Finding("libraries", FAIL, f"expected {error.name} to be installed, got nothing", REINSTALL)


def _sandbox() -> Finding:
    """The level that bots run at, and what is missing for the better one."""
    held = "no network, own processes, read-only system, few system calls"
    problem = sandbox.why_not_bubblewrap()
    if problem is None:
        return Finding("sandbox", OK, f"level bubblewrap: {held}; memory, CPU and processes held by control groups")
    if sandbox.why_not_lite() is None:
        words = f"level bubblewrap-lite: {held}, but memory is only sampled and CPU unlimited: {problem}"
        return Finding("sandbox", WARN, words, GROUPS)
    mend = "install bubblewrap, or trust a bot with --unsafe"
    return Finding("sandbox", WARN, f"level none, so only shipped bots run: {problem}", mend)


def _storage(home: Home) -> Finding:
    free = shutil.disk_usage(home.folder("records")).free
    words = f"{home.path}, {free / (1 << 30):.1f} GiB free"
    if free < LITTLE_SPACE:
        return Finding("storage", FAIL if free < NO_SPACE else WARN, words, "free some space, or choose another --home")
    return Finding("storage", OK, words)


def _runtime(home: Home) -> Finding:
    """The bots' own Python really imports what every Python bot needs."""
    made = runtime.prepare(home)
    command = [str(made.python), "-c", "import arena.sdk"]
    clean = {"PYTHONPATH": str(made.packages), "PATH": bots.SEARCH_PATH}
    ended = subprocess.run(command, env=clean, capture_output=True, check=False, text=True, timeout=TRIAL_SECONDS)
    if ended.returncode == 0:
        return Finding("runtime", OK, f"{made.prefix.name} in {made.prefix.parent}")
    said = ended.stderr.strip().splitlines() or ["it does not say why"]
    return Finding(
        "runtime", FAIL, f"the bots' Python does not start: {said[-1]}", f"remove {made.prefix}, or {REINSTALL}"
    )


def _bots() -> Finding:
    shipped = bots.shipped()
    if not shipped:
        return Finding("bots", FAIL, "expected the bots that come with arena, got none", REINSTALL)
    return Finding("bots", OK, f"shipped: {', '.join(shipped)}")
