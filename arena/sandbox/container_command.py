"""The words of `docker run` and `podman run` for one agent: what it may do, use and see.

Everything that holds an agent back stands here, beside the profile of system calls.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from arena.bots import PYTHON, locate
from arena.limits import Limits
from arena.sandbox.contract import SOCKET, TEMP, Launch, LaunchError, variables
from arena.sandbox.identity import uid_of

MONITORS: Final = 1  # processes in a container that are not the agent's own: the first
PYTHON_INSIDE: Final = "/runtime/bin/python"  # of the image, which brings the bots' runtime along

# A client may be set up to tell every container its proxies, with their passwords.
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY")
_UNWANTED: Final = (*_PROXIES, *map(str.lower, _PROXIES))
# The first process in the container. It says "up", has the agent as its child, reaps what that leaves behind, and ends
# with it; then the kernel ends the rest. One stream carries all output, so nothing can come before the "up". After a
# SIGKILL it stays for a moment: the count that tells whether memory was the reason goes with the container, and podman
# does not look at it. Where no process is left for that wait, the trap keeps the code.
_WAIT: Final = 'trap "exit $code" EXIT; [ $code -ne 137 ] || sleep 0.5'
_FIRST: Final = f'unset {" ".join(_UNWANTED)}; echo up; "$@" 2>&1 </dev/null; code=$?; {_WAIT}; exit $code'
_AGENT: Final = "/agent"
_REFEREE: Final = "/run/referee"
_PACKAGES: Final = Path("/runtime/packages")
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108 - the agent's own
_TERMINALS: Final = "/dev/pts"  # a machine has a few thousand for everybody, and nothing counts whose they are
_OPEN_FILES: Final = 256


def run_words(
    image: str, command: Iterable[str], *, limits: Limits, user: str, profile: str, more: Iterable[str] = ()
) -> list[str]:
    """The words after `run`: a command in a container that can do nothing but compute; `more` are further options."""
    return [
        *("--pull", "never"),  # a name that is not known here must not bring a stranger's image
        *("--log-driver", "none"),  # what it prints goes to the referee alone, which can make it wait
        *_isolated(user, profile),
        *_limited(limits),
        *_flags("--env", (f"{name}=" for name in _UNWANTED)),
        *more,
        *("--entrypoint", "sh", image, "-c", _FIRST, "sh", *command),
    ]


def agent_words(launch: Launch) -> list[str]:
    """The bot's command as it is called in the container."""
    first = locate(launch.folder, launch.command[0])
    if first is None:
        wanted = launch.command[0]
        raise LaunchError(f"expected a command to start {launch.name}, got {wanted!r}, which cannot be run")
    if first == PYTHON:
        return [PYTHON_INSIDE, *launch.command[1:]]
    # A command of the bot's own folder, or one that the image has under the same name as this machine.
    return [first if first.startswith("./") else launch.command[0], *launch.command[1:]]


def agent_options(launch: Launch) -> list[str]:
    """What this agent sees: its folder, its socket, its variables."""
    given = variables(launch, f"{_REFEREE}/{SOCKET}", _PACKAGES)
    # The referee's own, such as the token, by name alone: everybody on this machine can read a command line.
    named = [name for name in given if name in launch.environment]
    said = [f"{name}={value}" for name, value in given.items() if name not in launch.environment]
    return [
        *("--workdir", _AGENT, "--hostname", "agent"),
        *("--mount", _bind(launch.folder, _AGENT), "--mount", _bind(launch.seat_folder, _REFEREE)),
        *_flags("--env", [*said, *named]),
    ]


def user_of(launch: Launch) -> str:
    """Who the agent is, inside and outside of its container alike."""
    uid = uid_of(launch.seat_folder)
    return own_user() if uid is None else f"{uid}:{uid}"


def own_user() -> str:
    """The user who runs the arena."""
    return f"{os.geteuid()}:{os.getegid()}"


def _isolated(user: str, profile: str) -> list[str]:
    return [
        *("--network", "none", "--ipc", "none", "--cgroupns", "private", "--read-only"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--security-opt", f"seccomp={profile}"),
        *("--user", user),
    ]


def _limited(limits: Limits) -> list[str]:
    memory = f"{limits.memory_mb}m"
    small = f"size={limits.disk_mb}m,mode=1777,nosuid,nodev"
    return [
        *("--memory", memory, "--memory-swap", memory),  # the latter is the sum of both: no swap
        *("--cpus", f"{limits.cpu_percent / 100:.2f}", "--pids-limit", str(limits.processes + MONITORS)),
        *("--tmpfs", f"{TEMP}:{small},exec", "--tmpfs", f"{_SHARED_MEMORY}:{small},noexec"),
        *("--tmpfs", f"{_TERMINALS}:ro,size=4k,mode=555"),
        *_flags("--ulimit", (f"{name}={value}:{value}" for name, value in _ulimits(limits).items())),
    ]


def _ulimits(limits: Limits) -> Mapping[str, int]:
    return {
        "core": 1,  # at 0 a core still goes to a handler, if the system has one
        "fsize": limits.disk_mb << 20,
        "memlock": 1 << 20,
        "msgqueue": 0,
        "nice": 0,
        "nofile": _OPEN_FILES,
        "rtprio": 0,
        "sigpending": 256,
    }


def _bind(source: Path, target: str) -> str:
    """A read-only mount; the option is a line of CSV, and a path may hold a comma."""
    field = f"source={source}"
    if {",", '"'} & {*field}:
        field = '"' + field.replace('"', '""') + '"'
    return f"type=bind,{field},target={target},readonly"


def _flags(name: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (name, value)]
