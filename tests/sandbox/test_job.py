"""Commands that are run to their end in a jail, as bots are built."""

import asyncio
import os
import signal
import textwrap
import time
from pathlib import Path

import pytest

from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import Bubblewrap, Finished, Job, LaunchError, Sandbox
from arena.sandbox.job import size
from tests.sandbox.agents import content, running

LIMITS = Limits(memory_mb=256, disk_mb=32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "bot"
    place.mkdir()
    return place


async def build(
    box: Sandbox, runtime: Runtime, folder: Path, program: str, *, seconds: float = 60, words: tuple[str, ...] = ()
) -> Finished:
    assert isinstance(box, Bubblewrap)
    (folder / "build.py").write_text(textwrap.dedent(program))
    command = words or ("python", "build.py")
    return await box.run(Job("probe", folder, command, seconds, runtime, {"MODE": "fast"}, LIMITS))


async def test_it_writes_into_its_folder_and_nowhere_else(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    program = """
        import fcntl, os
        os.makedirs("out/deep")
        with open("out/deep/bot.bin", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(os.environ["MODE"])
        os.symlink("/etc/passwd", "out/link")
        os.chmod("out/deep/bot.bin", 0o6755)
        for place in ("/usr/x", "/runtime/x", "/run/referee/x", "/x"):
            try:
                open(place, "w")
            except OSError:
                continue
            print("could write", place)
    """
    finished = await build(jail, prepared, folder, program)
    assert finished == Finished(0, "", "")
    made = folder / "out/deep/bot.bin"
    assert content(str(made)) == "fast"
    assert {path.lstat().st_uid for path in (folder, made, folder / "out/link")} == {os.geteuid()}
    assert made.stat().st_mode & 0o7777 == (0o755 if os.geteuid() == 0 else 0o6755)


async def test_its_failure_and_log_are_told(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(2000))
    finished = await build(
        jail, prepared, folder, "for number in range(2000): print('line', number)\nraise SystemExit(3)"
    )
    assert finished == Finished(3, lines, "")


async def test_it_has_no_network(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    finished = await build(jail, prepared, folder, "import socket; socket.create_connection(('127.0.0.1', 22))")
    assert finished.code == 1
    assert "Address family not supported" in finished.log


async def test_it_is_stopped_at_its_time_limit(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    begun = time.monotonic()
    finished = await build(jail, prepared, folder, "", seconds=0.5, words=("sleep", "600.25"))
    assert (finished.code, finished.over_limit) == (-signal.SIGKILL, "its time limit of 0.5 s")
    assert time.monotonic() - begun < 15
    assert running("sleep\000600.25", from_start=True) == []


async def test_it_is_stopped_at_its_disk_limit(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    program = """
        import time
        for number in range(1000):
            open(f"{number}", "wb").write(bytes(1 << 20))
            time.sleep(0.05)
    """
    finished = await build(jail, prepared, folder, program)
    assert (finished.code, finished.over_limit) == (-signal.SIGKILL, "its disk limit of 32 MB")
    assert size(folder) < 200 << 20


async def test_it_is_stopped_at_its_memory_limit(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    finished = await build(jail, prepared, folder, "kept = [bytearray(1 << 20) for _ in range(1000)]")
    assert (finished.code, finished.over_limit) == (-signal.SIGKILL, "its memory limit of 256 MB")


async def test_a_missing_tool_is_told(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    with pytest.raises(LaunchError, match="got 'no-such-compiler', which cannot be run"):
        await build(jail, prepared, folder, "", words=("no-such-compiler",))


def test_many_empty_files_count(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / str(number)).touch()
    assert 100 * 4096 <= size(tmp_path) < 1 << 20


NESTS = """
    import os, time
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
"""


async def test_a_folder_too_deep_to_walk_is_refused(jail: Sandbox, prepared: Runtime, folder: Path) -> None:
    nests = f"{NESTS}    time.sleep(60)"
    try:
        if os.geteuid() == 0:  # who has to take everything back
            with pytest.raises(LaunchError, match=r"got too deep a one: .*/bot"):
                await build(jail, prepared, folder, NESTS)
        else:
            finished = await build(jail, prepared, folder, nests)
            assert finished.over_limit == "its disk limit of 32 MB"
    finally:
        await (await asyncio.create_subprocess_exec("rm", "-rf", folder)).wait()  # Python's own cannot
