"""Resources end with the match: after a thousand of them with hostile bots, and after a referee that was killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena import sandbox
from arena.home import Home
from tests.referee.conftest import Scripted
from tests.sandbox.agents import running

LEAGUE = Path(__file__).parent / "league.py"
ROOT = LEAGUE.parent.parent.parent
MISDEEDS = ("illegal", "crash", "killed", "twice", "flood", "junk", "hello-twice", "hang-up", "exit-early", "stall")
MATCHES = 1_000


def start(home: Home, level: str, matches: int, folders: list[str], temporary: Path) -> "subprocess.Popen[str]":
    temporary.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    environment.pop("XDG_RUNTIME_DIR", None)
    command = [sys.executable, str(LEAGUE), str(home.path), level, str(matches), *folders]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.fixture
def level() -> str:
    """The best level of this machine."""
    found = sandbox.choose().level
    if found == "none":
        pytest.skip("needs bubblewrap")
    return found


@pytest.mark.timeout(600)
def test_nothing_is_left_of_a_thousand_matches_with_hostile_bots(
    scripted: Scripted, home: Home, level: str, tmp_path: Path
) -> None:
    folders = [str(scripted(how, matches_at_once=64).folder) for how in MISDEEDS]
    league = start(home, level, MATCHES, folders, tmp_path / "t")
    out, _ = league.communicate(timeout=580)
    assert league.returncode == 0, out
    counted = json.loads(out.splitlines()[-1])
    assert counted["before"] == counted["after"], counted
    assert counted["kinds"]["illegal"] > MATCHES * 0.8
    assert {"disconnected", "protocol", "killed", "timeout", "never connected"} <= {*counted["kinds"]}
    assert running(str(tmp_path / "t")) == []


def test_nothing_is_left_of_a_referee_that_was_killed(
    scripted: Scripted, home: Home, level: str, tmp_path: Path
) -> None:
    folders = [str(scripted("honest").folder)]
    league = start(home, level, 100_000, folders, tmp_path / "t")
    assert league.stdout is not None
    assert league.stdout.readline() == "playing\n"
    deadline = time.monotonic() + 60
    while not any((tmp_path / "t").iterdir()) or not running(str(tmp_path / "t")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    groups = groups_of(league.pid)
    assert groups or level != "bubblewrap"
    os.kill(league.pid, signal.SIGKILL)
    league.wait()
    league.stdout.close()
    deadline = time.monotonic() + 30
    while running(str(tmp_path / "t")) or any((tmp_path / "t").iterdir()) or any(group.exists() for group in groups):
        assert time.monotonic() < deadline, (running(str(tmp_path / "t")), groups)
        time.sleep(0.05)


def groups_of(pid: int) -> list[Path]:
    return [path for path in Path("/sys/fs/cgroup").rglob(f"arena-*-{pid}-*") if path.is_dir()]
