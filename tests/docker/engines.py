"""What the tests of containers share: the engines that they may use, and how to ask one what it still has."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from arena import sandbox
from arena.errors import UserError
from arena.limits import Limits
from arena.sandbox import Agent, Sandbox
from arena.sandbox.container_engine import ENGINES, LABEL

VARIABLE = "ARENA_TEST_LEVELS"  # set by .ci/docker, which starts an engine: the levels that must work then
ROOT = Path(__file__).parent.parent.parent
SMALL = Limits(memory_mb=96, cpu_percent=100, processes=24, disk_mb=8, output_kb=64)


def opened(level: str) -> Sandbox:
    """The sandbox of a level; skips the test where there is none to be had."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None and os.environ.get("CI") == "true":
        pytest.skip("left to .ci/docker, which starts an engine")
    if wanted is not None and level not in wanted.split(","):
        pytest.skip(f"left out by {VARIABLE}")
    try:
        return sandbox.choose(level)
    except UserError as error:
        pytest.skip(f"needs {level}: {error}")


def asked(level: str, *words: str) -> str:
    """What the engine of a level answers."""
    command = ENGINES[level].words(*words)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def containers(level: str, owner: str = "") -> list[str]:
    """The containers that a referee has, or all referees have."""
    label = f"label={LABEL}={owner}" if owner else f"label={LABEL}"
    return asked(level, "ps", "--all", "--quiet", "--no-trunc", "--filter", label).split()


def inspected(level: str, container: str) -> dict[str, object]:
    """All that the engine knows of a container."""
    (facts,) = json.loads(asked(level, "inspect", container))
    assert isinstance(facts, dict)
    return facts


def container_of(agent: Agent, level: str) -> str:
    """The container that an agent runs in."""
    form = "{{.Id}} {{.State.Pid}}"
    told = [asked(level, "inspect", "--format", form, each).split() for each in containers(level)]
    (found,) = (container for container, pid in told if int(pid) == agent.pid)
    return found


def needs(command: str) -> str:
    """The path of a command; skips the test where it is not installed."""
    path = shutil.which(command)
    if path is None:
        pytest.skip(f"needs {command}")
    return path
