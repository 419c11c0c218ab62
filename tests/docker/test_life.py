"""An agent's life in a container: start, talk, log, limits, end, and that nothing of it is left."""

import asyncio
import json
import os
import signal
import socket
import stat
import sys
import time
import uuid
from pathlib import Path

import pytest

from arena import failpoints
from arena.runtime import Runtime
from arena.sandbox import SOCKET, Agent, Launch, LaunchError, Sandbox
from arena.sandbox.container import Containers
from arena.sandbox.container_engine import ENGINES, LABEL
from arena.sandbox.identity import UIDS
from tests.docker.conftest import Begin
from tests.docker.engines import SMALL, container_of, containers, inspected
from tests.sandbox.agents import content, eventually, exists, running

IDLE = "import time; print('ready'); time.sleep(600)"
# A child in a session of its own, with nobody above it.
FAMILY = """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print("ready")
            time.sleep(600)
        os._exit(0)
    os.wait()
    time.sleep(LIFE)
"""
REFEREE = """
import asyncio, sys
from pathlib import Path
from arena import runtime, sandbox
from arena.home import Home
from arena.sandbox.container_engine import mark
level, home, folder, seat = sys.argv[1:]
async def main():
    box = sandbox.choose(level)
    print(mark(), flush=True)
    prepared = runtime.prepare(Home(Path(home)))
    await box.start(sandbox.Launch("x", Path(folder), ("python", "bot.py"), Path(seat), {}, prepared))
    print("started", flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def ready(agent: Agent) -> None:
    await eventually(lambda: "ready" in agent.log())


async def test_it_talks_over_the_socket_of_its_seat(box: Sandbox, prepared: Runtime, bot_folder: Path) -> None:
    (bot_folder / "bot.py").write_text(
        "import os, socket\n"
        "line = socket.socket(socket.AF_UNIX)\n"
        "line.connect(os.environ['ARENA_SOCKET'])\n"
        "line.sendall(os.environ['ARENA_TOKEN'].encode())\n"
    )
    folder = box.seat_folder()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / SOCKET))
        server.listen()
        server.settimeout(20)
        box.admit(folder)
        assert stat.S_IMODE((folder / SOCKET).stat().st_mode) in (0o600, 0o660)
        agent = await box.start(Launch("x", bot_folder, ("python", "bot.py"), folder, {"ARENA_TOKEN": "t0"}, prepared))
        assert await agent.wait() == 0, agent.log()
        with server.accept()[0] as line:
            assert line.recv(100) == b"t0"
    (folder / SOCKET).unlink()
    folder.rmdir()


async def test_a_python_bot_has_arena_and_grpc_from_the_image(begin: Begin) -> None:
    agent = await begin("import sys, arena.sdk, grpc; print(sys.prefix, arena.sdk.__file__, grpc.__file__)")
    assert await agent.wait() == 0, agent.log()
    assert all(word.startswith("/runtime") for word in agent.log().split())


async def test_its_environment_and_descriptors_are_its_own(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the referee")
    monkeypatch.setenv("HTTP_PROXY", "of the referee too")
    program = """
        import json, os
        print(json.dumps([dict(os.environ), sorted(os.listdir("/proc/self/fd")), os.getcwd(), os.getppid()]))
        print([line for line in open("/proc/1/environ").read().split(chr(0)) if "referee too" in line])
    """
    agent = await begin(program)
    assert await agent.wait() == 0, agent.log()
    first, second = agent.log().splitlines()
    environment, descriptors, folder, parent = json.loads(first)
    assert environment["ARENA_SOCKET"] == "/run/referee/agent.sock"
    assert environment["ARENA_TOKEN"] == "t0ken"
    assert not {name for name in environment if "PROXY" in name.upper()} | {*environment} & {"SECRET"}
    assert (descriptors, folder, parent) == (["0", "1", "2", "3"], "/agent", 1)
    assert second == "[]"


async def test_the_token_is_on_no_command_line(begin: Begin) -> None:
    agent = await begin(IDLE)
    await ready(agent)
    assert running("ARENA_TOKEN")
    assert running("t0ken") == []


async def test_it_is_nobody_on_the_host(begin: Begin) -> None:
    agents = [await begin(IDLE) for _ in range(2)]
    uids = [_owner(agent.pid) for agent in agents]
    if os.geteuid() == 0:
        assert {*uids} < {*UIDS}
        assert uids[0] != uids[1]
    else:
        assert {*uids} == {os.geteuid()}


def _owner(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("", 0),
        ("raise SystemExit(7)", 7),
        ("1 / 0", 1),
        ("import os; os.kill(os.getpid(), 11)", -signal.SIGSEGV),
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("import os; os.abort()", -signal.SIGABRT),
    ],
)
async def test_its_exit_code_is_told(begin: Begin, program: str, code: int) -> None:
    agent = await begin(program)
    assert await agent.wait() == code, agent.log()


async def test_what_it_printed_is_in_the_log_in_order(begin: Begin) -> None:
    agent = await begin("import sys; print('one'); print('two', file=sys.stderr); print('three')")
    assert await agent.wait() == 0
    assert agent.log() == "one\ntwo\nthree\n"


async def test_a_flood_is_read_slowly_and_ends_at_once(begin: Begin) -> None:
    agent = await begin(command=("yes", "flood"))
    await asyncio.sleep(2)
    read = agent._log.seen  # type: ignore[attr-defined]
    assert 65_536 <= read < 8 << 20
    begun = time.monotonic()
    agent.kill()
    assert await agent.wait() == -signal.SIGKILL
    assert time.monotonic() - begun < 15
    assert agent.log().count("flood") > 600


@pytest.mark.parametrize(("ending", "life"), [("kill", 600), ("exit", 1)])
async def test_nothing_of_it_is_left(box: Sandbox, begin: Begin, ending: str, life: int) -> None:
    agent = await begin(FAMILY.replace("LIFE", str(life)))
    await ready(agent)
    container = container_of(agent, box.level)
    children = [pid for pid in _in_namespace_of(agent.pid) if pid != agent.pid]
    assert len(children) >= 2
    if ending == "kill":
        agent.kill()
        agent.kill()
    assert await agent.wait() == (-signal.SIGKILL if ending == "kill" else 0)
    agent.kill()
    assert container not in containers(box.level)
    assert [pid for pid in (agent.pid, *children) if exists(f"/proc/{pid}")] == []
    assert container not in content("/proc/mounts")
    assert _groups(container) == []


def _groups(container: str) -> list[Path]:
    return [*Path("/sys/fs/cgroup").rglob(f"*{container}*")]


def _in_namespace_of(pid: int) -> list[int]:
    wanted = Path(f"/proc/{pid}/ns/pid").stat().st_ino
    return [each for each in _pids() if _namespace(each) == wanted]


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _namespace(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}/ns/pid").stat().st_ino
    except OSError:
        return 0


async def test_a_container_that_somebody_removes_was_killed_from_outside(box: Sandbox, begin: Begin) -> None:
    agent = await begin(IDLE)
    await ready(agent)
    await asyncio.to_thread(_remove, box.level, container_of(agent, box.level))
    assert await agent.wait() == -signal.SIGKILL
    assert agent.meter is not None
    assert agent.meter.over_limit() == ""


def _remove(level: str, container: str) -> None:
    os.spawnlp(os.P_WAIT, ENGINES[level].cli, *ENGINES[level].words("rm", "--force", container))


async def test_a_start_that_is_cancelled_leaves_nothing(box: Sandbox, begin: Begin) -> None:
    before = containers(box.level)
    for turns in (0, 3, 100):
        starting = asyncio.ensure_future(begin(IDLE))
        for _ in range(turns):
            await asyncio.sleep(0.001)
        starting.cancel()
        for agent in await asyncio.gather(starting, return_exceptions=True):
            if not isinstance(agent, BaseException):  # it was quicker
                agent.kill()
                await agent.wait()
    assert containers(box.level) == before


async def test_a_command_that_the_image_lacks_is_told(box: Sandbox, begin: Begin, bot_folder: Path) -> None:
    (bot_folder / "engine").write_text("#!/no/such/interpreter\n")
    (bot_folder / "engine").chmod(0o755)
    agent = await begin(command=("engine",))
    assert await agent.wait() == 127
    assert "engine: not found" in agent.log()


async def test_a_missing_command_is_told_before_the_start(box: Sandbox, begin: Begin) -> None:
    with pytest.raises(LaunchError, match="expected a command to start probe, got 'nothing-like-it', which"):
        await begin(command=("nothing-like-it",))


async def test_an_engine_that_refuses_is_quoted_and_leaves_nothing(
    box: Sandbox, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = containers(box.level)
    monkeypatch.setenv("ARENA_AGENT_IMAGE", "arena-nothing-like-it")
    with pytest.raises(LaunchError, match=r"(?s)expected the bot probe to start, got: .*arena-nothing-like-it"):
        await begin()
    assert containers(box.level) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
async def test_a_bot_that_its_user_cannot_read_is_refused(begin: Begin, bot_folder: Path) -> None:
    (bot_folder / "model").write_text("x")
    (bot_folder / "model").chmod(0o600)
    with pytest.raises(LaunchError, match=r"got .*/model: .*chmod -R a\+rX"):
        await begin()


# What is left when the referee dies


async def referee(
    box: Sandbox, prepared: Runtime, bot_folder: Path, seat: Path, **more: str
) -> asyncio.subprocess.Process:
    (bot_folder / "bot.py").write_text(IDLE)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more}
    words = [box.level, prepared.prefix.parent.parent, bot_folder, seat]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", REFEREE, *map(str, words), env=environment, stdout=asyncio.subprocess.PIPE
    )


async def line(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await asyncio.wait_for(process.stdout.readline(), 60)).decode().strip()


async def killed(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()
    process._transport.close()  # type: ignore[attr-defined]


async def test_it_dies_with_the_referee(box: Sandbox, prepared: Runtime, bot_folder: Path) -> None:
    seat = box.seat_folder()
    process = await referee(box, prepared, bot_folder, seat)
    owner = await line(process)
    assert await line(process) == "started"
    assert len(containers(box.level, owner)) == 1
    await killed(process)
    await eventually(lambda: containers(box.level, owner) == [])
    await eventually(lambda: running(owner) == [])  # the guard, the script and the engine's client
    seat.rmdir()


async def test_a_start_in_which_the_referee_dies_goes_no_further(
    box: Sandbox, prepared: Runtime, bot_folder: Path, tmp_path: Path
) -> None:
    seat, log = box.seat_folder(), tmp_path / "log"
    died = {failpoints.VARIABLE: "while spawning", failpoints.LOG: str(log)}
    process = await referee(box, prepared, bot_folder, seat, **died)
    owner = await line(process)
    await asyncio.wait_for(process.wait(), 60)
    assert log.read_text() == "while spawning\n"
    await eventually(lambda: running(owner) == [], 60)
    assert containers(box.level, owner) == []
    await killed_already(process)
    seat.rmdir()


async def killed_already(process: asyncio.subprocess.Process) -> None:
    process._transport.close()  # type: ignore[attr-defined]


async def test_what_even_the_guard_could_not_remove_goes_at_the_next_start(
    box: Sandbox, prepared: Runtime, bot_folder: Path
) -> None:
    seat = box.seat_folder()
    process = await referee(box, prepared, bot_folder, seat)
    owner = await line(process)
    assert await line(process) == "started"
    for pid in running(f"{LABEL}={owner}"):  # the guard, and the script with its client
        os.kill(pid, signal.SIGKILL)
    await killed(process)
    assert len(containers(box.level, owner)) == 1
    Containers(ENGINES[box.level])
    assert containers(box.level, owner) == []
    seat.rmdir()


async def test_the_containers_of_a_living_referee_are_left_alone(box: Sandbox, begin: Begin) -> None:
    agent = await begin(IDLE)
    await ready(agent)
    Containers(ENGINES[box.level])
    assert exists(f"/proc/{agent.pid}")


# Limits


async def test_memory_beyond_its_limit_ends_it_and_is_told(begin: Begin) -> None:
    agent = await begin("import time; time.sleep(0.3)\nhoard = [bytearray(8 << 20) for _ in range(1000)]")
    assert await agent.wait() == -signal.SIGKILL, agent.log()
    assert agent.meter is not None
    assert agent.meter.over_limit() == "its memory limit of 96 MB"
    assert agent.meter.usage().peak_memory == 96 << 20


async def test_memory_beyond_the_limit_at_the_very_start_is_told_too(begin: Begin) -> None:
    agent = await begin("hoard = [bytearray(8 << 20) for _ in range(1000)]")
    assert await agent.wait() == -signal.SIGKILL, agent.log()
    assert agent.meter is not None
    assert agent.meter.over_limit() == "its memory limit of 96 MB"


async def test_a_child_that_takes_too_much_memory_ends_all_of_them(begin: Begin) -> None:
    program = """
        import os, time
        if os.fork() == 0:
            hoard = [bytearray(8 << 20) for _ in range(1000)]
        time.sleep(600)
    """
    agent = await begin(program)
    assert await agent.wait() == -signal.SIGKILL, agent.log()
    assert agent.meter is not None
    assert agent.meter.over_limit() == "its memory limit of 96 MB"


async def test_what_it_uses_is_told_while_it_runs_and_afterwards(begin: Begin) -> None:
    program = """
        import threading, time
        data = bytearray(40 << 20)
        threads = [threading.Thread(target=time.sleep, args=(600,), daemon=True) for _ in range(5)]
        for thread in threads: thread.start()
        end = time.process_time() + 0.4
        while time.process_time() < end: pass
        print("ready")
        time.sleep(600)
    """
    agent = await begin(program)
    meter = agent.meter
    assert meter is not None
    assert meter.exact
    await ready(agent)
    assert 400_000 <= meter.cpu_micros() < 20_000_000
    assert meter.starved_micros() >= 0
    agent.kill()
    await agent.wait()
    usage = meter.usage()
    assert usage.cpu_micros is not None
    assert usage.cpu_micros >= 400_000
    assert usage.peak_memory is not None
    assert 40 << 20 < usage.peak_memory <= 96 << 20
    assert usage.processes == 6
    assert meter.over_limit() == ""


async def test_processes_descriptors_and_files_are_bounded(begin: Begin) -> None:
    program = """
        import errno, os, time
        def count(act):
            for number in range(1000):
                try:
                    act()
                except OSError as error:
                    return number
        def fork():
            if os.fork() == 0:
                time.sleep(60)
        def filled(folder):
            written = 0
            try:
                for number in range(100):
                    with open(f"{folder}/{number}", "wb", buffering=0) as file:
                        for _ in range(4):
                            written += file.write(bytes(1 << 20))
            except OSError as error:
                return errno.errorcode[error.errno], written >> 20
        print(*filled("/tmp"), *filled("/dev/shm"), count(fork), count(lambda: os.dup(0)))
    """
    agent = await begin(program)
    assert await agent.wait() == 0, agent.log()
    *filled, processes, descriptors = agent.log().split()
    assert 200 < int(descriptors) < 256
    assert int(processes) == SMALL.processes - 1
    assert filled == ["ENOSPC", "8"] * 2


async def test_a_share_of_the_cpu_is_all_that_it_gets(box: Sandbox, begin: Begin) -> None:
    agent = await begin(IDLE, limits=SMALL.lowered({"cpu_percent": 30}))
    await ready(agent)
    facts = inspected(box.level, container_of(agent, box.level))
    settings = facts["HostConfig"]
    assert isinstance(settings, dict)
    quota = settings["NanoCpus"] or settings["CpuQuota"] * 1e9 / settings["CpuPeriod"]
    assert quota == 3e8


async def test_at_rest_it_gets_next_to_nothing_and_later_its_share_again(begin: Begin) -> None:
    agent = await begin("print('ready')\nwhile True: pass")
    await ready(agent)
    assert agent.meter is not None
    agent.rest()
    await asyncio.sleep(0.2)  # the period that it is in may go on
    before = agent.meter.cpu_micros()
    await asyncio.sleep(1)
    assert agent.meter.cpu_micros() - before < 50_000
    agent.wake()
    await eventually(lambda: agent.meter is not None and agent.meter.cpu_micros() - before > 300_000)


async def test_a_mark_is_of_this_process_alone(box: Sandbox, begin: Begin) -> None:
    agent = await begin(IDLE)
    facts = inspected(box.level, container_of(agent, box.level))
    config = facts["Config"]
    assert isinstance(config, dict)
    assert f":{os.getpid()}:" in config["Labels"][LABEL]
    assert str(uuid.UUID(config["Labels"][LABEL].split(":")[0]))
