"""An agent's life, in a jail and as a plain process alike: start, talk, log, end."""

import asyncio
import os
import signal
import socket
import stat
import sys
import tempfile
import textwrap
import time
import uuid
from pathlib import Path

import pytest

from arena.limits import Limits
from arena.runtime import Runtime
from arena.sandbox import SOCKET, Agent, Launch, LaunchError, Sandbox, log, seat
from arena.sandbox.process import Order, spawn
from tests.sandbox.agents import Begin, eventually, exists, is_jail, running

FREE = 512 << 10  # bytes that a flood may print at full speed

# A child, its child in a session of its own with nobody above it, and the agent: all with a mark, all idle.
FAMILY = """
    import os, subprocess, sys, time
    idle = [sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]]
    subprocess.Popen(idle)
    if SESSIONS and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, idle)
        os._exit(0)
    print("ready", flush=True)
    time.sleep(LIFE)
"""


def family(*, sessions: bool = False, life: int = 600) -> str:
    return FAMILY.replace("SESSIONS", str(sessions)).replace("LIFE", str(life))


@pytest.fixture
def mark() -> str:
    return f"mark-{uuid.uuid4()}"


async def ready(agent: Agent) -> None:
    await eventually(lambda: "ready" in agent.log())


async def test_a_python_bot_has_arena_and_grpc_from_the_runtime(
    either: Sandbox, begin: Begin, prepared: Runtime
) -> None:
    program = """
        import sys, arena.engine.rng, google.protobuf, grpc
        assert all(m.__file__.startswith(sys.prefix) for m in (arena, google.protobuf, grpc)), sys.path
        print(sys.prefix)
    """
    agent = await begin(either, program)
    assert await agent.wait() == 0, agent.log()
    assert agent.log().strip() == ("/runtime" if is_jail(either) else str(prepared.prefix))


async def test_it_sees_no_package_of_whoever_runs_the_arena(either: Sandbox, begin: Begin) -> None:
    agent = await begin(either, "import pytest")
    assert await agent.wait() == 1
    assert agent.log().strip().endswith("No module named 'pytest'")


async def test_it_talks_over_the_socket_of_its_seat(either: Sandbox, prepared: Runtime, bot_folder: Path) -> None:
    (bot_folder / "bot.py").write_text(
        "import os, socket\n"
        "line = socket.socket(socket.AF_UNIX)\n"
        "line.connect(os.environ['ARENA_SOCKET'])\n"
        "line.sendall(os.environ['ARENA_TOKEN'].encode())\n"
    )
    folder = either.seat_folder()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / SOCKET))
        server.listen()
        server.settimeout(20)
        either.admit(folder)
        assert stat.S_IMODE((folder / SOCKET).stat().st_mode) in (0o600, 0o660)
        assert stat.S_IMODE(folder.stat().st_mode) in (0o700, 0o750)
        launch = Launch("caller", bot_folder, ("python", "bot.py"), folder, {"ARENA_TOKEN": "t0"}, prepared)
        agent = await either.start(launch)
        assert await agent.wait() == 0, agent.log()
        with server.accept()[0] as line:
            assert line.recv(100) == b"t0"
    (folder / SOCKET).unlink()
    folder.rmdir()


@pytest.mark.parametrize(("program", "code"), [("", 0), ("raise SystemExit(7)", 7), ("1 / 0", 1)])
async def test_its_exit_code_is_told(either: Sandbox, begin: Begin, program: str, code: int) -> None:
    assert await (await begin(either, program)).wait() == code


async def test_a_signal_is_told_as_its_negative(either: Sandbox, begin: Begin) -> None:
    agent = await begin(either, "import os; os.kill(os.getpid(), 11)")
    assert await agent.wait() == -signal.SIGSEGV


async def test_a_kill_ends_it_at_once_and_may_be_repeated(either: Sandbox, begin: Begin) -> None:
    agent = await begin(either, command=("sleep", "600"))
    agent.kill()
    agent.kill()
    assert [await agent.wait(), await agent.wait()] == [-signal.SIGKILL] * 2
    agent.kill()
    assert not exists(f"/proc/{agent.pid}")


@pytest.mark.parametrize(("ending", "life"), [("kill", 600), ("exit", 1)])
async def test_nothing_of_a_jail_is_left(jail: Sandbox, begin: Begin, mark: str, ending: str, life: int) -> None:
    agent = await begin(jail, family(sessions=True, life=life), mark)
    await ready(agent)
    await eventually(lambda: len(running(mark)) >= 3)
    if ending == "kill":
        agent.kill()
    assert await agent.wait() == (-signal.SIGKILL if ending == "kill" else 0)
    assert running(mark) == []


async def test_nothing_of_a_plain_process_group_is_left(plain: Sandbox, begin: Begin, mark: str) -> None:
    agent = await begin(plain, family(), mark)
    await ready(agent)
    await eventually(lambda: len(running(mark)) == 2)
    agent.kill()
    await agent.wait()
    await eventually(lambda: running(mark) == [])


async def test_it_dies_with_the_referee(
    either: Sandbox, prepared: Runtime, bot_folder: Path, tmp_path: Path, mark: str
) -> None:
    (bot_folder / "bot.py").write_text(textwrap.dedent(family(sessions=is_jail(either))))
    referee = tmp_path / "referee.py"
    referee.write_text(
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from arena import runtime, sandbox\n"
        "from arena.home import Home\n"
        "level, home, folder, seat, mark = sys.argv[1:]\n"
        "async def main():\n"
        "    box = sandbox.choose(level)\n"
        "    prepared = runtime.prepare(Home(Path(home)))\n"
        "    command = ('python', 'bot.py', mark)\n"
        "    await box.start(sandbox.Launch('x', Path(folder), command, Path(seat), {}, prepared))\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    folder = either.seat_folder()
    home = prepared.prefix.parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [either.level, home, bot_folder, folder, mark]
    agents = "bot.py\0" + mark
    process = await asyncio.create_subprocess_exec(sys.executable, referee, *map(str, words), env=environment)
    try:
        await eventually(lambda: running(agents) and len(running(mark)) >= 3)
    finally:
        process.kill()
        await process.wait()
    await eventually(lambda: running(agents) == [])
    folder.rmdir()
    if is_jail(either):
        await eventually(lambda: running(mark) == [])
    for pid in running(mark):  # a plain process's own children are beyond anybody's reach
        os.kill(pid, signal.SIGKILL)


async def test_a_start_that_is_cancelled_leaves_nothing(either: Sandbox, begin: Begin, mark: str) -> None:
    for turns in (*range(6), 20, 100):
        starting = asyncio.ensure_future(begin(either, family(), mark))
        for _ in range(turns):
            await asyncio.sleep(0)
        starting.cancel()
        for agent in await asyncio.gather(starting, return_exceptions=True):
            if not isinstance(agent, BaseException):  # it was quicker
                agent.kill()
                await agent.wait()
    await eventually(lambda: running(mark) == [])


async def test_a_wait_that_is_given_up_does_not_end_it(either: Sandbox, begin: Begin) -> None:
    agent = await begin(either, command=("sleep", "600"))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(agent.wait(), 0.05)
    assert exists(f"/proc/{agent.pid}")


async def test_a_flood_is_read_slowly_and_its_tail_kept(either: Sandbox, begin: Begin) -> None:
    begun = time.monotonic()
    agent = await begin(either, command=("yes", "flood"), limits=Limits(output_kb=FREE >> 10))
    await asyncio.sleep(1)
    agent.kill()
    await agent.wait()
    pauses = (time.monotonic() - begun) / log.PAUSE
    assert len(agent.log()) == log.TAIL
    assert agent.log().count("flood") > 600
    read = agent._log.seen  # type: ignore[attr-defined]
    assert FREE < read < 2 * FREE + log.CHUNK * (pauses + 2)


async def test_the_log_is_clean(either: Sandbox, begin: Begin) -> None:
    agent = await begin(either, r"import sys; sys.stdout.buffer.write(b'a\tb\n\x1b[2J\xff\xc3\xa9\n')")
    assert await agent.wait() == 0
    assert agent.log() == "a\tb\n\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}é\n"


async def test_a_log_that_was_read_to_its_present_end_stays_open() -> None:
    source, sink = os.pipe()
    read = log.Log(source, free=FREE)
    try:
        os.write(sink, b"one ")
        assert read.catch_up() == 4
        read._readable()  # the loop had seen that there was something, and calls now
        os.write(sink, b"two")
        await eventually(lambda: read.seen == 7)
        assert (read.text(), read.text(4), read.text(7)) == ("one two", "two", "")
    finally:
        os.close(sink)
        read.close()


async def test_what_it_printed_before_a_kill_is_in_the_log(either: Sandbox, begin: Begin) -> None:
    agent = await begin(either, "print('last words')\nimport time; time.sleep(600)")
    await eventually(lambda: agent.log() == "last words\n")
    agent.kill()
    await agent.wait()
    assert agent.log() == "last words\n"


async def test_a_missing_command_is_told_before_the_start(either: Sandbox, begin: Begin) -> None:
    with pytest.raises(LaunchError, match="expected a command to start probe, got 'nothing-like-it', which"):
        await begin(either, command=("nothing-like-it",))


async def test_a_missing_folder_is_told_before_the_start(either: Sandbox, prepared: Runtime, tmp_path: Path) -> None:
    launch = Launch("x", tmp_path / "none", ("python", "bot.py"), tmp_path, {}, prepared)
    with pytest.raises(LaunchError, match=r"expected the folder of x, got .*/none, which is no folder"):
        await either.start(launch)


async def test_an_executable_of_the_folder_is_run(either: Sandbox, begin: Begin, bot_folder: Path) -> None:
    (bot_folder / "engine").write_text("#!/bin/sh\necho $0 $1\n")
    (bot_folder / "engine").chmod(0o755)
    agent = await begin(either, command=("engine", "x"))
    assert (await agent.wait(), agent.log()) == (0, "./engine x\n")


def test_a_seat_folder_has_a_short_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    folder = seat.new()
    assert len(str(folder / SOCKET)) <= seat.LONGEST
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.rmdir()


def test_a_seat_folder_lies_in_the_runtime_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        monkeypatch.setenv("XDG_RUNTIME_DIR", place)
        assert seat.new().parent == Path(place)


async def test_an_agent_that_ends_as_soon_as_it_is_up_has_started() -> None:
    script = r"printf 'pid\nup\nexit\n' >&0"  # as bwrap does: what follows may be read together with the word
    order = Order("quick", lambda _: ["sh", "-c", script], {"PATH": os.environ["PATH"]}, Path("/"), 1 << 10)
    started = await spawn(order)
    assert started.said == b"pid\n"
    assert await started.process.wait() == 0
    started.log.close()
    os.close(started.status)
