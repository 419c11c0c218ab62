"""The images and the ladder in a container: what they hold, as whom they run, and that results outlive them."""

import json
import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator

import pytest

from tests.docker.engines import ROOT, asked, inspected, opened

REFEREE = "arena-referee"
HELD_BACK = (
    *("--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp:size=256m,mode=1777", "--cap-drop", "ALL"),
    *("--security-opt", "no-new-privileges"),
)
WITH_JAILS = ("--security-opt", "seccomp=unconfined", "--security-opt", "systempaths=unconfined")


@pytest.fixture(scope="module", autouse=True)
def engine() -> None:
    opened("docker")


@pytest.fixture
def volume() -> Iterator[str]:
    name = asked("docker", "volume", "create")
    yield name
    asked("docker", "volume", "rm", name)


def test_the_referee_is_nobody_and_its_engines_are_compiled(volume: str) -> None:
    words = ["run", *HELD_BACK, "--volume", f"{volume}:/data", "--entrypoint", "python", REFEREE, "-c"]
    program = "import os; from arena import build; print(os.getuid(), build.why_interpreted())"
    wanted = os.environ.get("ARENA_COMPILE", "must")
    uid, _, reason = asked("docker", *words, program).partition(" ")
    assert uid == "61184"
    assert (reason == "") == (wanted == "must")


def test_results_outlive_the_container(volume: str) -> None:
    words = ["run", *HELD_BACK, "--volume", f"{volume}:/data", REFEREE]
    asked(
        "docker", *words, "ladder", "--game", "party-bugs", "--seats", "2", "--matches", "4", "--bots", "random,greedy"
    )
    table = json.loads(asked("docker", *words, "leaderboard", "--game", "party-bugs", "--seats", "2", "--json"))
    assert sum(line["games"] for line in table) == 8


def test_strangers_can_be_jailed_inside_of_it(volume: str) -> None:
    words = ["run", *HELD_BACK, *WITH_JAILS, "--volume", f"{volume}:/data", REFEREE]
    played = json.loads(
        asked(
            "docker",
            *words,
            "match",
            "--game",
            "party-bugs",
            "--bots",
            "random,greedy",
            "--json",
            "--sandbox",
            "bubblewrap-lite",
        )
    )
    assert {seat["sandbox"] for match in played["matches"] for seat in match["seats"]} == {"bubblewrap-lite"}
    assert {line["faults"] for line in played["summary"]} == {0}


def test_a_build_takes_no_private_file() -> None:
    held = asked(
        "docker",
        "run",
        *HELD_BACK,
        "--entrypoint",
        "find",
        REFEREE,
        *("/opt/arena", "-name", ".git", "-o", "-name", ".venv", "-o", "-name", "*.db", "-o", "-name", "*.arena"),
    )
    assert held == ""


# compose


def compose_command() -> list[str]:
    plugin = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0
    if not plugin and shutil.which("docker-compose") is None:
        pytest.skip("needs docker-compose")
    return ["docker", "compose"] if plugin else ["docker-compose"]


@pytest.fixture
def project() -> Iterator[str]:
    """A ladder that was brought up; taken down again with its volume."""
    name = f"arena{uuid.uuid4().hex[:8]}"
    words = [*compose_command(), "--project-name", name, "--file", str(ROOT / "docker" / "compose.yaml")]
    try:
        subprocess.run([*words, "up", "--detach", "--no-build"], check=True, capture_output=True)
        yield name
    finally:
        subprocess.run([*words, "down", "--volumes"], check=True, capture_output=True)
    assert asked("docker", "volume", "ls", "--quiet", "--filter", f"name={name}") == ""


def state(container: str) -> dict[str, object]:
    found = inspected("docker", container)["State"]
    assert isinstance(found, dict)
    return found


def test_compose_brings_up_a_ladder_that_is_healthy_and_stops_cleanly(project: str) -> None:
    (container,) = asked("docker", "ps", "--quiet", "--filter", f"name={project}").split()
    settings = inspected("docker", container)["HostConfig"]
    assert isinstance(settings, dict)
    assert (settings["ReadonlyRootfs"], settings["CapDrop"], settings["NetworkMode"]) == (True, ["ALL"], "none")
    limit = time.monotonic() + 100
    while state(container)["Health"]["Status"] != "healthy":  # type: ignore[index]
        assert time.monotonic() < limit, state(container)
        time.sleep(1)
    table = json.loads(asked("docker", "exec", container, "arena", "leaderboard", "--game", "party-bugs", "--json"))
    assert sum(line["games"] for line in table) > 0
    asked("docker", "stop", container)
    assert state(container)["ExitCode"] == 143  # it has heard, and kept what was played
    assert "Go on: arena ladder --game party-bugs" in asked("docker", "logs", container)
