"""Bots made ready: once for each content, whole or not at all, from folders and from archives."""

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from arena import bots
from arena.bots import BotError, content_hash
from arena.home import Home
from arena.submission import archive, prepare
from tests.submission.conftest import Making, Write

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import sys
from pathlib import Path
from arena import sandbox
from arena.home import Home
from arena.submission.prepare import prepared
print(prepared(Home(Path(sys.argv[1])), Path(sys.argv[2]), sandbox.choose(), say=lambda text: print(text, flush=True)))
"""


def process(home: Home, folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, str(home.path), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_a_bot_that_needs_nothing_is_copied(make: Making, write: Write) -> None:
    folder = write({"bot.py": "x = 1", "deep/data.txt": "data", "out/leftover": "", "__pycache__/x.pyc": ""})
    folder = write({"bot.py": "x = 1"}, leftovers=["out"])
    (folder / "bot.py").chmod(0o600)
    ready = make(folder)
    assert make.said == []
    assert ready.bot.sha256 == ready.source_hash == bots.read(folder).sha256
    assert ready.bot.folder == make.home.path / "bots" / ready.bot.sha256
    assert (ready.logs, ready.fresh, ready.bot.shipped) == ({}, True, False)
    found = {path.relative_to(ready.bot.folder).as_posix() for path in ready.bot.folder.rglob("*")}
    assert found == {"bot.toml", "bot.py", "deep", "deep/data.txt"}
    assert all(path.stat().st_mode & 0o004 for path in ready.bot.folder.rglob("*"))
    assert make.in_work() == []


def test_the_same_source_is_made_ready_once(make: Making, write: Write) -> None:
    folder = write({"build.sh": "echo built >bot.txt\n"}, build=["sh", "build.sh"], leftovers=["bot.txt"])
    first = make(folder)
    (folder / "bot.txt").write_text("the author's own")
    make.said.clear()
    again = make(folder)
    assert (again.bot, again.source_hash, again.logs) == (first.bot, first.source_hash, first.logs)
    assert (first.fresh, again.fresh, make.said) == (True, False, [])
    assert (again.bot.folder / "bot.txt").read_text() == "built\n"
    (folder / "bot.py").write_text("y = 2")
    assert make(folder).bot.sha256 != first.bot.sha256
    assert first.bot.folder.is_dir()


@pytest.mark.parametrize("damage", ["changed", "gone", "no archive", "no note"])
def test_what_is_damaged_is_made_again(make: Making, write: Write, damage: str) -> None:
    folder = write({"bot.py": f"# {damage}"}, build=["touch", "made"], leftovers=["made"])
    first = make(folder)
    submissions = make.home.path / "submissions"
    if damage == "changed":
        (first.bot.folder / "bot.py").write_text("evil")
    elif damage == "gone":
        shutil.rmtree(first.bot.folder)
    elif damage == "no archive":
        (submissions / f"{first.bot.sha256}.tar.zst").unlink()
    else:
        (submissions / f"{first.source_hash}.source.json").write_text("{")
    again = make(folder)
    assert again.bot == first.bot
    assert again.fresh is (damage != "no note")
    assert content_hash(again.bot.folder, ["made"]) == first.bot.sha256
    assert (again.bot.folder / "made").is_file()


def test_a_copy_that_was_not_built_here_is_replaced(make: Making, write: Write) -> None:
    folder = write({"bot.py": "# kept"}, build=["sh", "-c", "echo ours >made"], leftovers=["made"])
    (folder / "made").write_text("theirs")
    kept = bots.kept(make.home, bots.read(folder))
    assert (kept.folder / "made").read_text() == "theirs"
    ready = make(folder)
    assert ready.bot.folder == kept.folder
    assert (ready.bot.folder / "made").read_text() == "ours\n"


def test_the_archive_holds_the_source_and_gives_the_same_bot(make: Making, write: Write, tmp_path: Path) -> None:
    folder = write({"bot.py": "# packed"}, build=["touch", "made"], leftovers=["made"])
    ready = make(folder)
    packed = make.home.path / "submissions" / f"{ready.bot.sha256}.tar.zst"
    (tmp_path / "there").mkdir()
    archive.unpack(packed, tmp_path / "there")
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["bot.py", "bot.toml"]
    assert make(packed).bot == ready.bot
    elsewhere = Making(Home(tmp_path / "other-home"), make.box)
    assert elsewhere(packed).bot.sha256 == ready.bot.sha256
    again = tmp_path / "other-home" / "submissions" / packed.name
    assert again.read_bytes() == packed.read_bytes()


def test_a_shipped_bot_is_ready(make: Making, tmp_path: Path) -> None:
    known = bots.shipped()["greedy"]
    shutil.copytree(known.folder, tmp_path / "copy")
    ready = make(tmp_path / "copy")
    assert (ready.bot, ready.fresh) == (known, False)


def test_what_is_no_bot_is_told(make: Making, tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"expected the folder of a bot, got .*nowhere"):
        make(tmp_path / "nowhere")
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        tar.add(__file__, "x")
    with pytest.raises(BotError, match=r"expected an archive of a bot, with a bot\.toml at its top"):
        make(tmp_path / "x.tar")
    assert make.in_work() == []


def test_what_is_run_may_not_be_left_out(make: Making, write: Write) -> None:
    folder = write({"bot": "#!/bin/sh\n"}, run=["./bot"], leftovers=["bot"])
    (folder / "bot").chmod(0o755)
    with pytest.raises(BotError, match=r"expected '\./bot' in the folder of mine or among what fetch brings, got none"):
        make(folder)
    assert make.in_work() == []


def test_a_hostile_folder_is_refused(make: Making, write: Write) -> None:
    folder = write()
    (folder / "out").symlink_to("/etc/passwd")
    with pytest.raises(BotError, match="expected links that stay in the bot's folder"):
        make(folder)
    (folder / "out").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(BotError, match="expected only files and folders"):
        make(folder)


def test_a_folder_that_changes_meanwhile_is_refused(
    make: Making, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write({"bot.py": "before"})
    copy = prepare._copy

    def changing(source: Path, place: Path, left_out: tuple[str, ...]) -> None:
        (source / "bot.py").write_text("after")
        copy(source, place, left_out)

    monkeypatch.setattr(prepare, "_copy", changing)
    with pytest.raises(BotError, match="to stay as it is while it is copied, got a change: try again"):
        make(folder)


def test_two_at_once_do_not_disturb_each_other(make: Making, write: Write, tmp_path: Path) -> None:
    folder = write({"bot.py": "# twice"}, build=["sh", "-c", "sleep 1; echo x >made"], leftovers=["made"])
    both = [process(make.home, folder) for _ in range(2)]
    said = [each.communicate(timeout=60)[0] for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    assert len({text.splitlines()[-1].partition("source_hash=")[2].partition(",")[0] for text in said}) == 1
    assert all("built in" in text for text in said)
    ready = make(folder)
    assert not ready.fresh
    assert (ready.bot.folder / "made").read_text() == "x\n"
    assert make.in_work() == []


def test_a_killed_one_leaves_nothing_that_counts(make: Making, write: Write) -> None:
    script = "echo half >made; [ -f slow ] && sleep 600; echo x >made"
    folder = write({"bot.py": "# killed"}, build=["sh", "-c", script], leftovers=["made"])
    (folder / "slow").touch()
    doomed = process(make.home, folder)
    deadline = time.monotonic() + 60
    while not any((place / "bot" / "made").is_file() for place in make.in_work()) and time.monotonic() < deadline:
        time.sleep(0.05)
    doomed.send_signal(signal.SIGKILL)
    doomed.wait()
    assert doomed.stdout
    doomed.stdout.close()
    assert make.in_work() != []
    (folder / "slow").unlink()
    ready = make(folder)
    assert (ready.bot.folder / "made").read_text() == "x\n"
    assert make.in_work() == []
