"""One ladder at a time plays in a home, readers beside it; a second one is told who was first."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.home import Home
from ladder.store import Lock, LockError, Store
from tests.ladder.synthetic import NOW, SPEC

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from pathlib import Path
from arena.home import Home
from ladder.store import Lock
with Lock.take(Home(Path(sys.argv[1])), "the ladder of party-bugs", now=1_700_000_000.0):
    print("held", flush=True)
    sys.stdin.readline()
"""
SENTENCE = (
    r"{home} is in use by the ladder of party-bugs, process {pid}, since 2023-11-14 22:13:20 UTC: wait for it, stop it"
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def holder(home: Home) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home.path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_is_refused_and_told_who_was_first(home: Home) -> None:
    first = holder(home)
    with pytest.raises(LockError, match=SENTENCE.format(pid=first.pid, home=home.path)):
        Lock.take(home, "the ladder of chess", now=NOW)
    with Store.open(home) as store:
        store.ladder(SPEC, now=NOW)  # the lock is the ladder's, not the store's
    first.communicate("\n")
    with Lock.take(home, "the ladder of chess", now=NOW):
        pass


def test_a_lock_ends_with_its_process(home: Home) -> None:
    first = holder(home)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    with Lock.take(home, "the ladder of chess", now=NOW) as lock:
        assert lock.path.stat().st_mode & 0o777 == 0o600
        with pytest.raises(LockError, match=f"the ladder of chess, process {os.getpid()}, since"):
            Lock.take(home, "the ladder of party-bugs", now=NOW)


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe", b'{"pid":1,"what":2,"since":1e300}'])
def test_a_file_that_says_nothing_is_no_reason_to_fail(said: bytes, home: Home) -> None:
    with Lock.take(home, "the ladder of chess", now=NOW) as lock:
        lock.path.write_bytes(said)
        with pytest.raises(LockError, match="in use by another ladder: wait"):
            Lock.take(home, "the ladder of chess", now=NOW)


def test_a_lock_that_cannot_be_made_is_told(home: Home) -> None:
    home.path.mkdir()
    (home.path / "ladder.lock").mkdir()
    with pytest.raises(LockError, match="cannot be used: Is a directory"):
        Lock.take(home, "the ladder of chess", now=NOW)
