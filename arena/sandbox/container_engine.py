"""The engines that run containers, as their command lines tell: what works here, and why not if it does not.

Nothing here starts an agent. Containers carry a label that names their referee, so that what one left behind that
was killed is found and removed by the next.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.build import shared_hash
from arena.errors import UserError
from arena.limits import Limits
from arena.sandbox.container_command import PYTHON_INSIDE, own_user, run_words

IMAGE_VARIABLE: Final = "ARENA_AGENT_IMAGE"
LABEL: Final = "arena.referee"

_DEFAULT_IMAGE: Final = "arena-agent-python"
_SECONDS: Final = 60
_ASK: Final = "from arena.build import shared_hash; print(shared_hash())"
_TRIAL: Final = ("sh", "-c", f'if [ -x {PYTHON_INSIDE} ]; then exec {PYTHON_INSIDE} -c "$1"; fi', "sh", _ASK)


@dataclass(frozen=True)
class Engine:
    """A command line that runs containers."""

    level: str
    cli: str
    options: tuple[str, ...] = ()  # of every `run`
    runtime: str = ""  # what the engine must have for it

    def words(self, *words: str) -> list[str]:
        """A command of this engine."""
        return [self.cli, *words]


_DOCKER_OPTIONS: Final = ("--userns", "host")  # uids inside are those outside, even if the engine would map them
# Podman would ask for more processes than every machine grants; what bounds an agent is its control group.
# And it would lay temp folders without a size over a root that is to be read-only.
_PODMAN_OPTIONS: Final = ("--http-proxy=false", "--read-only-tmpfs=false", "--ulimit", "nproc=4096:4096")
ENGINES: Final = {
    "gvisor": Engine("gvisor", "docker", ("--runtime", "runsc", *_DOCKER_OPTIONS), "runsc"),
    "docker": Engine("docker", "docker", _DOCKER_OPTIONS),
    "podman": Engine("podman", "podman", _PODMAN_OPTIONS),
}
_ROOTLESS_PODMAN: Final = ("--userns", "keep-id")  # the same for it


def image() -> str:
    """The image that agents are started from."""
    return os.environ.get(IMAGE_VARIABLE) or _DEFAULT_IMAGE


def options(engine: Engine) -> tuple[str, ...]:
    """What every container of this engine is started with here."""
    rootless = engine.cli == "podman" and os.geteuid() != 0
    return (*engine.options, *(_ROOTLESS_PODMAN if rootless else ()), "--label", f"{LABEL}={mark()}")


def ask(engine: Engine, *words: str) -> "subprocess.CompletedProcess[str]":
    """What the engine answers to a command."""
    try:
        return subprocess.run(engine.words(*words), capture_output=True, text=True, check=False, timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        words_said = " ".join(engine.words(*words[:2]))
        raise UserError(f"expected an answer to `{words_said}` within {_SECONDS} s, got none") from error


async def ask_later(engine: Engine, *words: str) -> str:
    """What the engine answers, while others go on; empty if it fails."""
    none = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *engine.words(*words), stdin=none, stdout=asyncio.subprocess.PIPE, stderr=none, start_new_session=True
    )
    try:
        answer, _ = await asyncio.wait_for(process.communicate(), _SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return ""
    return answer.decode().strip() if process.returncode == 0 else ""


# Whether it works


def check(engine: Engine, profile: str) -> None:
    """Refuse an engine that cannot start an agent here, with one sentence that says what is missing."""
    if not sys.platform.startswith("linux"):
        raise UserError(f"expected Linux for the sandbox {engine.level}, got {sys.platform}")
    if shutil.which(engine.cli) is None:
        raise UserError(
            f"expected the command `{engine.cli}` for the sandbox {engine.level}, got none: "
            f"install {engine.cli.capitalize()}, or choose another sandbox"
        )
    _check_engine(engine)
    if ask(engine, "image", "inspect", image()).returncode != 0:
        raise UserError(
            f"expected the image {image()} for the sandbox {engine.level}, got none of that name: make it with "
            f"`docker/build {engine.cli}` in a checkout of arena, or name another in {IMAGE_VARIABLE}"
        )
    _check_start(engine, profile)


def _check_engine(engine: Engine) -> None:
    told = ask(engine, "info", "--format", "{{json .}}")
    info = json.loads(told.stdout) if told.returncode == 0 else {}
    # A Docker client may end well and still say that nobody answered it.
    if told.returncode != 0 or info.get("ServerErrors"):
        reason = _last_line(told.stderr + "\n".join(info.get("ServerErrors") or []))
        raise UserError(f"expected a running engine behind `{engine.cli}`, got: {reason}")
    if engine.cli == "docker":
        _check_docker(engine, info)


def _check_docker(engine: Engine, info: dict[str, object]) -> None:
    """An engine that maps root to a plain user would keep agents from their sockets; a runtime must be known to it."""
    security, runtimes = info.get("SecurityOptions"), info.get("Runtimes")
    if isinstance(security, list) and "name=rootless" in security:
        raise UserError("expected a Docker engine that runs as root, got a rootless one: choose the sandbox podman")
    if engine.runtime and (not isinstance(runtimes, dict) or engine.runtime not in runtimes):
        known = ", ".join(sorted(runtimes)) if isinstance(runtimes, dict) else "none"
        raise UserError(
            f"expected the runtime {engine.runtime} in the Docker engine, got {known}: "
            "install gVisor and enter it in the engine's settings, as docker/README.md tells"
        )


def _check_start(engine: Engine, profile: str) -> None:
    """Start a container like an agent's, and ask for its rules if it has Python's runtime."""
    words = run_words(
        image(), _TRIAL, limits=Limits(), user=own_user(), profile=profile, more=("--rm", *options(engine))
    )
    ended = ask(engine, "run", *words)
    said = ended.stdout.split()
    if said[:1] != ["up"]:
        raise UserError(f"expected {engine.level} to start the image {image()}, got: {_last_line(ended.stderr)}")
    if said[1:] not in ([], [shared_hash()]) or ended.returncode != 0:
        raise UserError(
            f"expected the image {image()} to have the rules of this arena, got others: "
            f"make it again with `docker/build {engine.cli}`"
        )


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("See '", "Run '"))]
    return told[-1] if told else "it does not say why"


# Whose it is


def mark() -> str:
    """This process, told apart from any other that has been or will be on this machine."""
    return f"{_boot()}:{_namespace()}:{os.getpid()}:{born(os.getpid())}"


def remove_leftovers(engine: Engine) -> None:
    """Remove the containers of referees that are gone."""
    listed = ask(engine, "ps", "--all", "--quiet", "--filter", f"label={LABEL}").stdout.split()
    form = f'{{{{.Id}}}} {{{{index .Config.Labels "{LABEL}"}}}}'
    told = ask(engine, "inspect", "--format", form, *listed).stdout if listed else ""
    gone = [words[0] for words in map(str.split, told.splitlines()) if _abandoned(words)]
    if gone:
        ask(engine, "rm", "--force", *gone)


def _abandoned(words: Sequence[str]) -> bool:
    try:
        _, owner = words
        boot, namespace, pid, begun = owner.split(":")
        alive = born(int(pid)) == begun
    except ValueError:
        return False  # no mark of ours
    # A number of another pid namespace says nothing here.
    return boot != _boot() or (namespace == _namespace() and not alive)


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _namespace() -> str:
    return str(Path("/proc/self/ns/pid").stat().st_ino)


def born(pid: int) -> str:
    """When a process was started, in ticks since the boot; empty if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    figures = text.rpartition(")")[2].split()  # its name, in brackets, may hold anything
    return "" if figures[0] in "ZX" else figures[19]
