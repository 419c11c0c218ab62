"""A ladder that is killed where it hurts most, or finds the disk full, loses nothing and repeats nothing."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arena import failpoints, record
from tests.ladder.crash import everything, play
from tests.ladder.synthetic import Scene, scene

ROOT = Path(__file__).parents[2]
CRASH = str(Path(__file__).parent / "crash.py")
# A failpoint, how often it is reached, and what there is then: blocks, results, records. Batches have 2 and 1 matches.
POINTS = [
    ("block planned", 1, 1, 0, 0),
    ("block planned", 3, 3, 6, 6),
    ("between record and commit", 1, 1, 0, 2),
    ("between record and commit", 3, 2, 3, 5),
    ("in the commit", 1, 1, 0, 2),
    ("in the commit", 3, 2, 3, 5),
    ("after the commit", 1, 1, 2, 2),
    ("after the commit", 3, 2, 5, 5),
]


@pytest.fixture
def undisturbed(tmp_path: Path) -> Scene:
    here = scene(tmp_path / "undisturbed")
    play(here)
    return here


def run(folder: Path, size: str = "-", **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, CRASH, str(folder), size],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def contents(here: Scene) -> dict[str, object]:
    return {path.stem: record.read(path) for path in record.stored(here.home)}


@pytest.mark.parametrize(("point", "times", "blocks", "results", "records"), POINTS)
def test_a_kill_at_a_failpoint_loses_and_repeats_nothing(
    point: str, times: int, blocks: int, results: int, records: int, undisturbed: Scene, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    killed = run(tmp_path / "home", ARENA_FAILPOINT=f"{point}:{times}", ARENA_FAILPOINT_LOG=str(log))
    assert killed.communicate() == ("", "")
    assert killed.returncode == -signal.SIGKILL
    assert log.read_text() == f"{point}\n"
    here = scene(tmp_path / "home")
    found = everything(here)
    assert (len(found.blocks), len(found.finished), len(contents(here))) == (blocks, results, records)
    assert is_sound(here)
    play(here)
    assert everything(here) == everything(undisturbed)
    assert contents(here) == contents(undisturbed)


def is_sound(here: Scene) -> bool:
    with contextlib.closing(sqlite3.connect(here.home.path / "ladder.db")) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_without_the_variable_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "another place", "another place:1", "in the commit:2"):
        monkeypatch.setenv(failpoints.VARIABLE, value)
        failpoints.reach("in the commit")
    assert os.environ[failpoints.VARIABLE] == "in the commit:1"


def test_kills_at_any_moment_leave_a_ladder_that_goes_on(undisturbed: Scene, tmp_path: Path) -> None:
    luck = random.Random(5)
    for _ in range(12):
        running = run(tmp_path / "home")
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(timeout=luck.uniform(0.2, 1.5))
        running.kill()
        assert running.communicate() == ("", "")
    here = scene(tmp_path / "home")
    assert is_sound(here)
    play(here)
    assert everything(here) == everything(undisturbed)
    assert contents(here) == contents(undisturbed)


# A disk that is full


@pytest.mark.parametrize("size", [300, 60_000, 100_000, 150_000, 250_000])
def test_files_that_cannot_grow_stop_a_ladder_which_goes_on_later(
    size: int, undisturbed: Scene, tmp_path: Path
) -> None:
    here = scene(tmp_path / "home")
    stopped = run(here.home.path, str(size))
    assert "disk is full" in stopped.communicate()[1]
    assert stopped.returncode == 1
    assert is_sound(here)
    before = everything(here)
    assert before.finished == everything(undisturbed).finished[: len(before.finished)]
    play(here)
    assert everything(here) == everything(undisturbed)
    assert contents(here) == contents(undisturbed)


FULL = """
mount -t tmpfs -o size=1m tmpfs "$1" && cd "$4" || exit 9
head -c "$5" /dev/zero > "$1/filler"
"$2" "$3" "$1" -; echo "code $?"
rm "$1/filler"; "$2" "$3" "$1" -; echo "code $?"
mkdir "$1-after"; cp -a "$1/." "$1-after"
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a small disk")
@pytest.mark.parametrize("filler", [1_040_000, 960_000, 840_000, 760_000])
def test_a_full_disk_stops_a_ladder_which_goes_on_later(filler: int, undisturbed: Scene, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    shell = ["unshare", "-m", "--propagation", "private", "sh", "-c", FULL, "sh"]
    command = [*shell, str(tmp_path / "disk"), sys.executable, CRASH, str(ROOT), str(filler)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert ended.stdout == "code 1\ncode 0\n", ended
    assert "disk is full" in ended.stderr
    assert ended.stderr.count("\n") == 1
    here = scene(tmp_path / "disk-after")
    assert is_sound(here)
    assert everything(here) == everything(undisturbed)
    assert contents(here) == contents(undisturbed)
