"""What is said to an engine, to people where one does not work, and what is read from the kernel: without an engine."""

import asyncio
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from arena import build, sandbox
from arena.errors import UserError
from arena.limits import Limits, Usage
from arena.runtime import Runtime
from arena.sandbox import Launch, container_engine
from arena.sandbox.container_command import agent_options, agent_words, run_words
from arena.sandbox.container_engine import ENGINES
from arena.sandbox.container_meter import ContainerMeter, group_of, is_of
from arena.sandbox.group import V1, V2, Group

LIMITS = Limits(memory_mb=100, cpu_percent=50, processes=10, disk_mb=20)


@pytest.fixture
def launch(tmp_path: Path, prepared: Runtime) -> Launch:
    return Launch("probe", tmp_path, ("python", "bot.py"), tmp_path / "seat", {"ARENA_TOKEN": "t0ken"}, prepared)


def valued(words: list[str]) -> set[tuple[str, str]]:
    """Every word with the one after it."""
    return {*pairwise(words)}


# What is said to an engine


def test_limits_become_options() -> None:
    words = valued(run_words("image", ["bot"], limits=LIMITS, user="5:6", profile="/calls.json"))
    small = "size=20m,mode=1777,nosuid,nodev"
    assert words >= {
        ("--memory", "100m"),
        ("--memory-swap", "100m"),
        ("--cpus", "0.50"),
        ("--pids-limit", "11"),  # the container's first process is not the agent's
        ("--tmpfs", f"/tmp:{small},exec"),
        ("--tmpfs", f"/dev/shm:{small},noexec"),
        ("--tmpfs", "/dev/pts:ro,size=4k,mode=555"),
        ("--ulimit", "fsize=20971520:20971520"),
        ("--user", "5:6"),
        ("--security-opt", "seccomp=/calls.json"),
        ("--pull", "never"),
    }


def test_a_path_may_hold_what_the_option_is_made_of(launch: Launch) -> None:
    plain, odd = (agent_options(replace(launch, folder=Path(name))) for name in ("/a b", '/a,"b'))
    assert ("--mount", "type=bind,source=/a b,target=/agent,readonly") in valued(plain)
    assert ("--mount", 'type=bind,"source=/a,""b",target=/agent,readonly') in valued(odd)


def test_the_token_is_named_and_not_said(launch: Launch) -> None:
    words = agent_options(launch)
    assert ("--env", "ARENA_TOKEN") in valued(words)
    assert not [word for word in words if "t0ken" in word]


def test_commands_are_those_of_the_image_or_of_the_bot(launch: Launch) -> None:
    own = launch.folder / "engine"
    own.write_text("")
    own.chmod(0o755)
    commands = [("python", "x"), ("engine",), ("sh", "-c", ":")]
    called = [agent_words(replace(launch, command=command)) for command in commands]
    assert called == [["/runtime/bin/python", "x"], ["./engine"], ["sh", "-c", ":"]]


# What is said to people


@pytest.mark.parametrize(("level", "command"), [("docker", "docker"), ("podman", "podman"), ("gvisor", "docker")])
def test_a_missing_command_is_told(level: str, command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sentence = rf"^expected the command `{command}` for the sandbox {level}, got none: install {command.capitalize()}"
    with pytest.raises(UserError, match=sentence):
        sandbox.choose(level)


def test_another_system_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(UserError, match="expected Linux for the sandbox docker, got darwin"):
        container_engine.check(ENGINES["docker"], "/calls.json")


def test_an_engine_without_roots_rights_and_one_without_gvisor_are_told() -> None:
    docker, gvisor = ENGINES["docker"], ENGINES["gvisor"]
    with pytest.raises(UserError, match="runs as root, got a rootless one: choose the sandbox podman"):
        container_engine._check_docker(docker, {"SecurityOptions": ["name=seccomp", "name=rootless"]})
    with pytest.raises(UserError, match=r"expected the runtime runsc in the Docker engine, got io.x, runc: install"):
        container_engine._check_docker(gvisor, {"Runtimes": {"runc": {}, "io.x": {}}})
    container_engine._check_docker(gvisor, {"Runtimes": {"runc": {}, "runsc": {}}, "SecurityOptions": None})


def test_no_engine_is_taken_unless_it_is_named() -> None:
    assert {"docker", "podman", "gvisor"} < {*sandbox.levels()}
    assert sandbox.choose().level not in ENGINES


# Whose a container is


def test_a_mark_is_good_for_as_long_as_its_process_lives() -> None:
    mine = container_engine.mark()
    boot, namespace, pid, begun = mine.split(":")
    assert int(pid) == os.getpid()
    assert not container_engine._abandoned(["id", mine])
    gone = {
        "another boot": f"other:{namespace}:{pid}:{begun}",
        "a pid used again": f"{boot}:{namespace}:{pid}:1",
        "a pid of nobody": f"{boot}:{namespace}:4194999:{begun}",
    }
    assert [name for name, mark in gone.items() if not container_engine._abandoned(["id", mark])] == []
    kept = [f"{boot}:another namespace:4194999:{begun}", "somebody else's", f"{boot}:{namespace}:x:{begun}"]
    assert [mark for mark in kept if container_engine._abandoned(["id", mark])] == []


def test_a_process_that_has_ended_is_not_alive_though_nobody_has_buried_it() -> None:
    process = subprocess.Popen(["true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert container_engine.born(process.pid) == ""
    process.wait()


# What is read from the kernel


def test_the_group_of_a_process_is_found_by_its_container() -> None:
    if "arena" not in Path("/proc/self/cgroup").read_text():
        assert not is_of(os.getpid(), "arena-nothing-like-it")
        assert group_of(os.getpid(), "arena-nothing-like-it") is None
    found = group_of(os.getpid(), "")  # any will do
    if found is None:
        pytest.skip("this machine shows this process no control group of its own")
    before = found.read(found.version.cpu)
    assert before is not None
    assert group_of(4_194_999, "") is None


@pytest.fixture(params=[V1, V2], ids=["v1", "v2"])
def group(request: pytest.FixtureRequest, tmp_path: Path) -> Group:
    version = request.param
    for count, value in ((version.cpu, 7_000), (version.memory, 5_000), (version.now, 4), (version.kills, 0)):
        path = tmp_path / count.file
        said = f"{count.key} {value * count.per}\n" if count.key else f"{value * count.per}\n"
        path.write_text(said)
    return Group(version, dict.fromkeys(version.controllers, tmp_path), 1)


async def test_figures_are_kept_when_the_group_is_gone(group: Group, tmp_path: Path) -> None:
    meter = ContainerMeter(group, LIMITS)
    meter.look()
    shutil.rmtree(tmp_path)
    assert meter.usage() == Usage(peak_memory=5_000, cpu_micros=7_000, processes=3)
    assert (meter.cpu_micros(), meter.over_limit()) == (7_000, "")
    await meter.close()
    assert meter.usage() == Usage(peak_memory=5_000, cpu_micros=7_000, processes=3)


async def test_a_kill_for_memory_stops_the_agent(group: Group) -> None:
    meter, stopped = ContainerMeter(group, LIMITS), asyncio.Event()
    attending = asyncio.create_task(meter.attend(stopped.set))
    await asyncio.sleep(0)
    assert not stopped.is_set()
    kills = group.version.kills
    group.path(kills).write_text(f"oom 1\n{kills.key} 1\n")  # its own limit was reached, as version 2 tells
    await asyncio.wait_for(attending, 20)
    assert stopped.is_set()
    assert meter.over_limit() == "its memory limit of 100 MB"
    assert meter.usage().peak_memory == 100 << 20


# What bots and referee have in common


def test_the_bots_runtime_has_the_same_rules(prepared: Runtime, tmp_path: Path) -> None:
    assert build.shared_hash(prepared.packages / "arena") == build.shared_hash()
    for name in ("engine", "games", "sdk", "wire"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("")
    before = build.shared_hash(tmp_path)
    (tmp_path / "games" / "a.pyc").write_text("")
    assert build.shared_hash(tmp_path) == before
    (tmp_path / "games" / "a.py").write_text("other rules")
    assert build.shared_hash(tmp_path) != before
