"""Whole matches with agents in containers, and what people are told where a container cannot be started."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena import sandbox
from arena.errors import UserError
from arena.sandbox import Sandbox
from tests.docker.engines import ROOT, asked, containers, opened


def arena(home: Path, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "ARENA_HOME": str(home), **more}
    command = [sys.executable, "-m", "arena", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT, timeout=110)


def test_shipped_bots_play_and_the_record_tells_the_level(box: Sandbox, tmp_path: Path) -> None:
    before = containers(box.level)
    words = ["match", "--game", "party-bugs", "--bots", "random,greedy,random", "--sandbox", box.level, "--json"]
    ended = arena(tmp_path, *words)
    assert ended.returncode == 0, ended.stderr
    played = json.loads(ended.stdout)
    assert [line["faults"] for line in played["summary"]] == [0, 0, 0], played
    assert {seat["sandbox"] for match in played["matches"] for seat in match["seats"]} == {box.level}
    record = played["matches"][0]["record"]
    assert arena(tmp_path, "verify", record).returncode == 0
    assert containers(box.level) == before


def test_a_stranger_plays_without_the_word_unsafe_and_its_greed_is_told(box: Sandbox, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.toml").write_text(
        'name = "greedier"\ngames = ["*"]\nrun = ["python", "bot.py"]\n[limits]\nmemory_mb = 64\n'
    )
    (bot / "bot.py").write_text(
        "from arena.sdk import play\n"
        "def decide(turn):\n"
        "    hoard = [bytearray(8 << 20) for _ in range(100)]\n"
        "    return turn.legal[0]\n"
        "play(decide)\n"
    )
    words = ["match", "--game", "party-bugs", "--bots", f"{bot},random", "--sandbox", box.level, "--json"]
    ended = arena(tmp_path / "home", *words)
    assert ended.returncode == 1, ended.stderr
    assert "killed: its memory limit of 64 MB" in ended.stdout


@pytest.fixture(scope="session")
def docker() -> Sandbox:
    return opened("docker")


def test_an_image_that_is_not_there_is_told(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_AGENT_IMAGE", "arena-nothing-like-it")
    sentence = rf"^expected the image arena-nothing-like-it .* make it with `docker/build {box.level}` in a checkout"
    with pytest.raises(UserError, match=sentence):
        sandbox.choose(box.level)


def test_an_image_with_other_rules_is_told(docker: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "FROM arena-agent-python\nUSER root\nRUN echo pass >>/runtime/packages/arena/games/__init__.py\n"
    subprocess.run(["docker", "build", "--quiet", "--tag", "arena-other-rules", "-"], input=text, text=True, check=True)
    try:
        monkeypatch.setenv("ARENA_AGENT_IMAGE", "arena-other-rules")
        with pytest.raises(UserError, match=r"arena-other-rules to have the rules of this arena, got others: make it"):
            sandbox.choose("docker")
    finally:
        asked("docker", "rmi", "--force", "arena-other-rules")


def test_an_image_without_python_is_taken_as_it_is(docker: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "FROM arena-agent-python\nUSER root\nRUN rm -r /runtime\n"
    subprocess.run(["docker", "build", "--quiet", "--tag", "arena-no-python", "-"], input=text, text=True, check=True)
    try:
        monkeypatch.setenv("ARENA_AGENT_IMAGE", "arena-no-python")
        assert sandbox.choose("docker").level == "docker"
    finally:
        asked("docker", "rmi", "--force", "arena-no-python")


def test_an_engine_that_does_not_run_is_told(docker: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    with pytest.raises(UserError, match=r"^expected a running engine behind `docker`, got: .*nothing\.sock"):
        sandbox.choose("docker")


def test_an_engine_without_gvisor_is_told(docker: Sandbox, tmp_path: Path) -> None:
    if "runsc" in asked("docker", "info", "--format", "{{json .Runtimes}}"):
        pytest.skip("this engine has gVisor")
    ended = arena(tmp_path, "match", "--game", "party-bugs", "--bots", "random,random", "--sandbox", "gvisor")
    assert ended.returncode == 2
    assert "expected the runtime runsc in the Docker engine, got" in ended.stderr
    assert "Traceback" not in ended.stderr
